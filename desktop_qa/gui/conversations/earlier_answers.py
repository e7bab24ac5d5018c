"""Turns and answers of open conversations that are in the history, fetched when they are shown."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from PySide6.QtCore import Signal

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.history import HistoryItem
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView, PastQuestion
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn
from desktop_qa.gui.widgets.history_days import moment_label
from desktop_qa.gui.window_parts import Feature, WindowParts

_MOST_AT_HAND = 40
"""Answers with all their evidence; those that were not shown for longest are fetched again."""


class EarlierAnswers(Feature):
    """Asks the library's process for them.

    Attributes:
        turns_loaded: With the `Conversation` whose turns are there now.
        answer_loaded: With the `Turn` whose answer is there now, or the reason why it is not.
    """

    turns_loaded = Signal(object)
    answer_loaded = Signal(object)

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._loading: set[str] = set()
        self._fetching: set[int] = set()
        self._at_hand: OrderedDict[int, Turn] = OrderedDict()
        self._session.library_opened.connect(self._on_library_opened)
        self._session.library_left.connect(self._at_hand.clear)

    def _on_library_opened(self, _view: object) -> None:
        # What was under way in a process that is gone does not come any more.
        self._loading.clear()
        self._fetching.clear()

    def load_turns(self, conversation: Conversation) -> None:
        """Fetch the questions of a conversation, without their answers."""
        if conversation.is_loaded or conversation.id in self._loading:
            return
        self._loading.add(conversation.id)
        self._session.request(
            *("conversation_items", conversation.id),
            on_result=partial(self._on_turns_loaded, conversation),
            # It is asked for again when the conversation is shown again.
            on_failure=lambda _error: self._loading.discard(conversation.id),
        )

    def _on_turns_loaded(self, conversation: Conversation, items: tuple[HistoryItem, ...]) -> None:
        self._loading.discard(conversation.id)
        conversation.take_up(items)
        self.turns_loaded.emit(conversation)

    def fetch_answer(self, turn: Turn) -> None:
        """Fetch the answer of a turn as it was."""
        if turn.history_id in self._fetching:
            return
        self._fetching.add(turn.history_id)
        self._session.request(
            *("history_entry", turn.history_id),
            on_result=partial(self._on_fetched, turn),
            on_failure=partial(self._on_not_fetched, turn),
        )

    def _on_fetched(self, turn: Turn, past: PastQuestion) -> None:
        self._fetching.discard(turn.history_id)
        self.take(turn, past)
        self.answer_loaded.emit(turn)

    def _on_not_fetched(self, turn: Turn, error: DesktopQaError) -> None:
        self._fetching.discard(turn.history_id)
        turn.take_failure(error)
        self.answer_loaded.emit(turn)

    def take(self, turn: Turn, past: PastQuestion) -> None:
        """Let a turn be what the history knows of it."""
        turn.question = _as_asked(turn.question, past.settings)
        if past.view is None:
            when = moment_label(past.asked_at, date.today())
            turn.take_failure(DesktopQaError(past.error, f"Asked {when}."))
            return
        turn.take_answer(as_it_was(past, past.view, date.today()))
        turn.history_id = past.id
        self._window.answer_panel.feedback.set_feedback(past.id, past.verdict, past.comment)
        self.touch(turn)

    def touch(self, turn: Turn) -> None:
        """Keep an answer at hand; others that can be fetched again give way to it."""
        if not turn.history_id or turn.view is None:
            return
        self._at_hand[turn.history_id] = turn
        self._at_hand.move_to_end(turn.history_id)
        while len(self._at_hand) > _MOST_AT_HAND:
            _, oldest = self._at_hand.popitem(last=False)
            oldest.view = None


def _as_asked(question: Question, settings: Mapping[str, Any]) -> Question:
    """Return a question with what the history kept of how it was asked."""
    kept = (settings.get(name) for name in ("scope", "prefer"))
    scope, prefer = (tuple(map(str, one)) if isinstance(one, list) else () for one in kept)
    return replace(question, scope=scope, prefer=prefer, top_k=settings.get("top_k"))


def as_it_was(past: PastQuestion, view: AnswerView, today: date) -> AnswerView:
    """Return an earlier answer with a note on when it was given and what has become of it."""
    notes = [f"Asked {moment_label(past.asked_at, today)}."]
    if past.since.sentence:
        notes.append(past.since.sentence)
    answer = replace(view.answer, notes=(" ".join(notes), *view.answer.notes))
    return replace(view, answer=answer)
