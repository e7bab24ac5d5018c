"""The asking half of the session: what is under way in each conversation, and what came back.

Everything here runs on the GUI thread. Opening a library, and keeping it in step with its folders,
is `session`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView
from desktop_qa.core.viewed import Viewed
from desktop_qa.gui.conversations.conversation_model import (
    Conversation,
    OpenConversations,
    Turn,
)
from desktop_qa.gui.jobs import JobRunner


class AskingSession(QObject):
    """Asks the library's process in the conversation that is shown.

    A question goes on when another conversation is shown; one of another conversation waits for
    it, since questions are answered one at a time. A new question of the same conversation takes
    the place of the one under way.

    Attributes:
        question_asked: With the `Question`.
        turn_ended: With (`Conversation`, `Turn`), whichever is shown: it has an answer or an error,
            or was taken back.
        conversation_shown: With the `Conversation` that is shown now, or whose turns are others.
        conversations_changed: Other conversations are open, or one of them has another state.
        draft_changed: What is typed and not asked yet, or what it will search, is another.
        library_left: Another library is open; its conversations are not taken up yet.
    """

    question_asked = Signal(object)
    turn_ended = Signal(object, object)
    conversation_shown = Signal(object)
    conversations_changed = Signal()
    draft_changed = Signal()
    library_left = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._under_way: list[tuple[Conversation, Turn]] = []
        self.conversations = OpenConversations()
        self.is_opening = False
        self.viewed: Callable[[], Viewed] = Viewed
        """Tells what the viewer shows when a question points at it."""
        self.waits_for: Callable[[Turn], str] = lambda _turn: ""
        """Says what a question has to wait for before it can be asked; mostly nothing."""

    @property
    def conversation(self) -> str:
        """What the history calls the conversation that is shown."""
        return self.conversations.active.id

    @property
    def is_asking(self) -> bool:
        """True while a question of the conversation shown is under way."""
        return self.conversations.active.asking is not None

    # Asking

    def ask(self, question: Question) -> None:
        """Ask the library in the conversation shown; its question under way is given up for it.

        A question asked while the library is being opened waits for it. One that is not asked
        alone goes on from the answer that is shown.
        """
        active = self.conversations.active
        if not question.alone:
            origin, answered = active.origin, active.answered
            is_earlier = origin is not None and origin is not answered[-1]
            goes_on_from = origin.history_id if origin is not None and is_earlier else 0
            question = replace(question, alone=active.asks_alone, goes_on_from=goes_on_from)
        self.ask_turn(Turn(question))

    def ask_everywhere(self, text: str) -> None:
        """Ask a question of all documents, though it points at what the viewer shows."""
        self.ask_turn(Turn(Question(text, alone=True), looks=False))

    def compare(self, document_ids: tuple[DocumentId, ...], text: str, title: str = "") -> None:
        """Have documents compared in a conversation of their own, or in the one that did before.

        There are two or more, in the order of the columns; the title is that of the tab.
        """
        for conversation in self.conversations.all:
            if any(turn.compared == document_ids for turn in conversation.turns):
                self.show_conversation(conversation)
                break
        else:
            self.open_conversation(Conversation(name=title))
        self.ask_turn(Turn(Question(text, alone=True), compared=document_ids))

    def ask_turn(self, turn: Turn) -> None:
        """Ask in the conversation shown; see `ask`."""
        active = self.conversations.active
        asking = active.asking
        if asking is not None:
            self._give_up(asking)
            active.turns.remove(asking)
            active.current = asking.before
        active.asks_alone = False
        if turn.looks and turn.question.looks_at is None:
            turn.question = replace(turn.question, looks_at=self.viewed())
        active.add(turn)
        if not self.is_opening:
            self._send(active, turn)
        self.question_asked.emit(turn.question)
        self.conversations_changed.emit()

    def _send(self, conversation: Conversation, turn: Turn) -> None:
        """Send a question, unless something has to be waited for."""
        turn.waits_for = self.waits_for(turn)
        if turn.waits_for:
            return
        method: str = "ask"
        arguments: tuple[object, ...] = (turn.question,)
        if turn.compared:
            method, arguments = "compare", (turn.compared, (), conversation.id)
        turn.is_waiting = bool(self._under_way)
        self._under_way.append((conversation, turn))
        turn.request_id = self._runner.run(
            method,
            *arguments,
            on_result=partial(self._on_answered, conversation, turn),
            on_failure=partial(self._on_failed, conversation, turn),
        )

    def _on_answered(self, conversation: Conversation, turn: Turn, view: AnswerView) -> None:
        if not self._ends(conversation, turn):
            return
        turn.take_answer(view)
        conversation.current = turn
        conversation.has_news = conversation is not self.conversations.active
        if conversation.draft.strip() == turn.question.text.strip():
            conversation.draft = ""
        self._say_ended(conversation, turn)

    def _on_failed(self, conversation: Conversation, turn: Turn, error: DesktopQaError) -> None:
        if not self._ends(conversation, turn):
            return
        if isinstance(error, Cancelled):
            conversation.take_back(turn)
        else:
            turn.take_failure(error)
            conversation.has_news = conversation is not self.conversations.active
            if not conversation.draft.strip():
                conversation.draft = turn.question.text
        self._say_ended(conversation, turn)

    def _say_ended(self, conversation: Conversation, turn: Turn) -> None:
        self.turn_ended.emit(conversation, turn)
        self.conversations_changed.emit()

    def _ends(self, conversation: Conversation, turn: Turn) -> bool:
        """Take a question off those under way; False when nobody waits for it any more."""
        was_waited_for = any(one is turn for _, one in self._under_way) or not turn.request_id
        self._take_off(turn)
        return was_waited_for and turn in conversation.turns

    def _take_off(self, turn: Turn) -> None:
        self._under_way = [pair for pair in self._under_way if pair[1] is not turn]
        if self._under_way:
            self._under_way[0][1].is_waiting = False

    def _give_up(self, turn: Turn) -> None:
        """Stop a question whose answer nobody wants any more."""
        if turn.request_id:
            self._runner.cancel(turn.request_id)
        self._take_off(turn)

    def stop_asking(self) -> None:
        """Give up the question under way in the conversation shown."""
        active = self.conversations.active
        asking = active.asking
        if asking is None:
            return
        if asking.request_id:
            self._runner.cancel(asking.request_id)
        # At once: the library's process may be in the middle of something that takes seconds.
        self._on_failed(active, asking, Cancelled())

    # Which conversation is shown

    def new_conversation(self) -> None:
        """Let the next question go on from nothing that was asked before, in a tab of its own."""
        active = self.conversations.active
        if not active.is_blank:
            self.conversations.open(Conversation(scope=active.scope))
        self._say_shown()

    def open_conversation(self, conversation: Conversation) -> None:
        """Open a conversation beside the others and show it."""
        self.conversations.open(conversation)
        self._say_shown()

    def show_conversation(self, conversation: Conversation, *, again: bool = False) -> None:
        """Show an open conversation; `again` when its current turn is another than was shown."""
        if again or conversation is not self.conversations.active:
            self.conversations.show(conversation)
            self._say_shown()

    def close_conversation(self, conversation: Conversation) -> None:
        """Close a conversation; its question under way is given up and not lost."""
        asking = conversation.asking
        if asking is not None:
            self._give_up(asking)
            conversation.take_back(asking)
        was_active = conversation is self.conversations.active
        self.conversations.close(conversation)
        if was_active:
            self._say_shown()
        else:
            self.conversations_changed.emit()

    def reopen_conversation(self) -> None:
        """Bring the conversation back that was closed last."""
        if self.conversations.reopen() is not None:
            self._say_shown()

    def drop_turns(self, history_ids: Sequence[int]) -> None:
        """Leave out what was deleted from the history."""
        dropped = [one for one in self.conversations.all if one.drop(history_ids)]
        if self.conversations.active in dropped:
            self.conversation_shown.emit(self.conversations.active)
        if dropped:
            self.conversations_changed.emit()

    def reload_turns(self) -> None:
        """Have the turns fetched anew: deleted ones came back."""
        for conversation in self.conversations.all:
            if not conversation.is_blank:
                conversation.first_question = conversation.whole_first_question
                conversation.is_loaded = False
        self.conversation_shown.emit(self.conversations.active)

    def clear_conversations(self) -> None:
        """Forget what was asked: the history was cleared."""
        self._give_all_up()
        self.conversations.clear()
        self._say_shown()

    def _say_shown(self) -> None:
        self.conversation_shown.emit(self.conversations.active)
        self.conversations_changed.emit()

    # What opening a library does to questions

    def _give_all_up(self) -> None:
        for conversation, turn in self._under_way:
            self._give_up(turn)
            conversation.take_back(turn)

    def _leave_library(self, *, is_first: bool) -> None:
        """Another library is open: what was asked of the one before is void.

        A question that waits for the library is meant for this one, and so is what was typed
        before there was any.
        """
        for conversation in self.conversations.all:
            held = conversation.asking
            if held is not None and held.waits_for:
                conversation.take_back(held)
        before = self.conversations.active
        fresh = Conversation()
        asking = before.asking
        if asking is not None and not asking.request_id:
            draft, before.draft = before.draft, ""
            before.take_back(asking)
            before.draft, fresh.draft = "", draft
            fresh.add(asking)
            asking.before = None
        elif is_first:
            fresh.draft = before.draft
        self._give_all_up()
        self.library_left.emit()
        self.conversations.replace((fresh,))

    def restore_conversations(self, kept: Sequence[Conversation], active: int) -> None:
        """Open the conversations of a library as they were; what was begun meanwhile stays."""
        fresh = self.conversations.active
        if kept:
            self.conversations.replace(kept, min(active, len(kept) - 1))
            if not fresh.is_blank or active >= len(kept):
                self.conversations.open(fresh)
        self._say_shown()

    def send_questions_in_wait(self) -> None:
        """Ask what waited for the library or its first documents and need wait no more."""
        is_other = False
        for conversation in self.conversations.all:
            asking = conversation.asking
            if asking is not None and not asking.request_id:
                words = asking.waits_for
                self._send(conversation, asking)
                is_other |= asking.waits_for != words
        if is_other:
            self.conversations_changed.emit()

    def _fail_questions_in_wait(self, error: DesktopQaError) -> None:
        for conversation in self.conversations.all:
            asking = conversation.asking
            if asking is not None and not asking.request_id:
                self._on_failed(conversation, asking, error)
