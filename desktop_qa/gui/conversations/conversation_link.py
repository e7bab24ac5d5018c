"""The conversations: their tabs, remembered until next time, and answers fetched again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Annotated, Any

import msgspec
from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.history import HistoryItem
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView, LibraryView, PastQuestion
from desktop_qa.gui.conversations.conversation_model import (
    MOST_OPEN,
    Conversation,
    OpenConversations,
    Turn,
)
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.library.scope_model import ScopeEntry
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.history_days import moment_label
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_MOST_AT_HAND = 40
"""Answers with all their evidence; those that were not shown for longest are fetched again."""
KEY = "conversations/open"
_MOST_CHARACTERS = 10_000
_MOST_TITLE = 200
_MOST_SCOPE = 200

_KEPT_AFTER_MS = 400
_N_NUMBERED = 9


class _Kept(msgspec.Struct):
    id: Annotated[str, msgspec.Meta(min_length=1)]
    name: str
    first: str
    draft: str
    scope: list[tuple[str, str]]
    shown: Annotated[int, msgspec.Meta(ge=0)]


class _KeptConversations(msgspec.Struct):
    active: int
    open: list[_Kept]


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
        self._under_way: set[str | int] = set()
        self._at_hand: OrderedDict[int, Turn] = OrderedDict()
        # What was under way in a process that is gone does not come any more.
        self._session.library_opened.connect(lambda _view: self._under_way.clear())
        self._session.library_left.connect(self._at_hand.clear)

    def load_turns(self, conversation: Conversation) -> None:
        """Fetch the questions of a conversation, without their answers."""
        if conversation.is_loaded or conversation.id in self._under_way:
            return
        self._under_way.add(conversation.id)
        self._session.request(
            *("conversation_items", conversation.id),
            on_result=partial(self._on_turns_loaded, conversation),
            # It is asked for again when the conversation is shown again.
            on_failure=lambda _error: self._under_way.discard(conversation.id),
        )

    def _on_turns_loaded(self, conversation: Conversation, items: tuple[HistoryItem, ...]) -> None:
        self._under_way.discard(conversation.id)
        conversation.take_up(items)
        self.turns_loaded.emit(conversation)

    def fetch_answer(self, turn: Turn) -> None:
        """Fetch the answer of a turn as it was."""
        if turn.history_id in self._under_way:
            return
        self._under_way.add(turn.history_id)
        self._session.request(
            *("history_entry", turn.history_id),
            on_result=partial(self._on_fetched, turn),
            on_failure=partial(self._on_not_fetched, turn),
        )

    def _on_fetched(self, turn: Turn, past: PastQuestion) -> None:
        self._under_way.discard(turn.history_id)
        self.take(turn, past)
        self.answer_loaded.emit(turn)

    def _on_not_fetched(self, turn: Turn, error: DesktopQaError) -> None:
        self._under_way.discard(turn.history_id)
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


def keep(settings: QSettings, folder: str, conversations: OpenConversations) -> None:
    """Remember the open conversations of a library."""
    shown = conversations.active
    kept = [one for one in conversations.all if not one.is_blank or (one is shown and one.scope)]
    active = kept.index(shown) if shown in kept else -1
    keep_in(settings, KEY, folder, {"active": active, "open": [_as_data(one) for one in kept]})


def remembered(settings: QSettings, folder: str) -> tuple[list[Conversation], int]:
    """Return the conversations of a library as they were, and which was shown.

    The second value is past the end when none of them was; what is damaged is as good as nothing.
    """
    try:
        kept = msgspec.convert(kept_in(settings, KEY)[folder], _KeptConversations)
    except (KeyError, msgspec.ValidationError):
        return [], 0
    found = map(_conversation_of, kept.open[:MOST_OPEN])
    unique = list({one.id: one for one in found}.values())
    return unique, kept.active if kept.active >= 0 else len(unique)


def _as_data(conversation: Conversation) -> dict[str, Any]:
    asking, current = conversation.asking, conversation.current
    draft = conversation.draft
    if asking is not None and not draft.strip():
        draft = asking.question.text
    shown = current.history_id if current is not None else conversation.wanted
    is_last = bool(conversation.turns) and current is conversation.turns[-1]
    return {
        "id": conversation.id,
        "name": conversation.name[:_MOST_TITLE],
        "first": conversation.whole_first_question[:_MOST_TITLE],
        "draft": draft[:_MOST_CHARACTERS],
        "scope": [[entry.pattern, entry.label] for entry in conversation.scope[:_MOST_SCOPE]],
        "shown": 0 if is_last else shown,
    }


def _conversation_of(kept: _Kept) -> Conversation:
    """Return a conversation whose turns are to be fetched."""
    return Conversation(
        id=kept.id,
        name=kept.name,
        first_question=kept.first,
        draft=kept.draft,
        scope=tuple(ScopeEntry(*entry) for entry in kept.scope),
        wanted=kept.shown,
        is_loaded=not kept.first,
    )


class ConversationLink(Feature):
    """Connects the session and the tabs, and keeps the conversations of each library."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session, tabs = window.session, window.conversation_tabs
        self._tabs = tabs
        self._ask_box = window.ask_box
        self._pane = window.answer_pane
        self._keeping = single_shot(self, self.keep, _KEPT_AFTER_MS)
        session.conversations_changed.connect(self._show_tabs)
        session.conversations_changed.connect(self._keeping.start)
        session.conversation_shown.connect(self._on_conversation_shown)
        session.draft_changed.connect(self._keeping.start)
        session.library_left.connect(self._on_library_left)
        session.library_opened.connect(self._on_library_opened)
        tabs.chosen.connect(session.show_conversation)
        tabs.closed.connect(self._close)
        tabs.bar.tabMoved.connect(self._on_moved)
        tabs.name_edit.named.connect(self._on_named)
        tabs.new_button.clicked.connect(self.new)
        tabs.undo_button.clicked.connect(self.reopen)
        tabs.menu_wanted.connect(lambda one, at: pop_up(self.menu_of(one), at))
        for number in range(_N_NUMBERED):
            QShortcut(QKeySequence(f"Alt+{number + 1}"), window, partial(self.show_at, number))
        # Its key closes a tab only while the keyboard is in the pane.
        close = window.action("close_tab")
        close.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._pane.addAction(close)
        self._show_tabs()

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        conversations = self._session.conversations
        is_open = self._session.library is not None
        is_among_several = is_open and len(conversations.all) > 1
        can_close = is_among_several or (is_open and not conversations.active.is_blank)
        return {
            "new_conversation": (self.new, is_open),
            "new_tab": (self.new, is_open),
            "close_tab": (self.close, can_close),
            "reopen_tab": (self.reopen, is_open and conversations.can_reopen),
            "rename_tab": (self.rename, is_open),
            "next_tab": (partial(self.step, 1), is_among_several),
            "previous_tab": (partial(self.step, -1), is_among_several),
        }

    def new(self) -> None:
        """Begin another conversation, in a tab of its own."""
        self._window.show_pane("answer")
        self._session.new_conversation()

    def close(self) -> None:
        """Close the conversation that is shown; it can be brought back."""
        self._close(self._session.conversations.active)

    def _close(self, conversation: Conversation) -> None:
        title, is_blank = conversation.title, conversation.is_blank
        self._session.close_conversation(conversation)
        if not is_blank:
            self._tabs.offer_undo(title)

    def reopen(self) -> None:
        """Bring the conversation back that was closed last."""
        self._window.show_pane("answer")
        self._tabs.withdraw_undo()
        self._session.reopen_conversation()

    def rename(self) -> None:
        """Let the user name the conversation that is shown."""
        self._window.show_pane("answer")
        self._tabs.rename(self._session.conversations.active_index)

    def step(self, by: int) -> None:
        """Show the conversation beside the one that is shown, around the ends."""
        conversations = self._session.conversations
        self.show_at((conversations.active_index + by) % len(conversations.all))

    def show_at(self, index: int) -> None:
        """Show the conversation at a place, if there is one."""
        conversations = self._session.conversations
        if index < len(conversations.all):
            self._window.show_pane("answer")
            self._session.show_conversation(conversations.all[index])

    def _on_moved(self, before: int, after: int) -> None:
        self._session.conversations.move(before, after)
        self._keeping.start()

    def _on_named(self, conversation: Conversation, name: str) -> None:
        conversation.name = name
        self._session.conversations_changed.emit()
        self._ask_box.setFocus()

    def menu_of(self, conversation: Conversation) -> QMenu:
        """Return the menu of a tab."""
        conversations = self._session.conversations
        menu = QMenu(self._tabs)
        index = conversations.all.index(conversation)
        menu.addAction("Rename …", partial(self._tabs.rename, index))
        menu.addAction("Close", partial(self._close, conversation))
        others = menu.addAction("Close Others", partial(self._close_others, conversation))
        others.setEnabled(len(conversations.all) > 1)
        reopen = menu.addAction("Reopen Closed Conversation", self.reopen)
        reopen.setEnabled(conversations.can_reopen)
        return menu

    def _close_others(self, kept: Conversation) -> None:
        for conversation in list(self._session.conversations.all):
            if conversation is not kept:
                self._close(conversation)

    def _on_conversation_shown(self, _conversation: Conversation) -> None:
        self._show_tabs()
        if not self._tabs.bar.hasFocus() and self._pane.isVisible():
            self._ask_box.setFocus()

    def _show_tabs(self) -> None:
        conversations = self._session.conversations
        self._tabs.show_tabs(conversations.all, conversations.active)

    def keep(self) -> None:
        """Remember the open conversations of the library."""
        self._keeping.stop()
        if self._folder:
            keep(self._settings, self._folder, self._session.conversations)

    def _on_library_left(self) -> None:
        self.keep()
        self._folder = ""

    def _on_library_opened(self, view: LibraryView) -> None:
        if self._is_another(view):
            kept = remembered(self._settings, view.folder)
            self._session.restore_conversations(*kept)
