"""Earlier questions' way through the window: listed, shown as they were, asked again, thumbed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QMessageBox

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.history import HistoryItem, HistoryPage, HistoryState
from desktop_qa.core.question import Question
from desktop_qa.core.view import LibraryView, PastQuestion
from desktop_qa.gui.answers.answer_panel import copy_view
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.file_export import AnswerExport
from desktop_qa.gui.widgets.messages import Notice
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_NOTICE = "history"
_OPENING = "history opening"


class HistoryLink(Feature):
    """Connects the history, the session and the panel of the answer."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self._panel = window.side_bar.history_panel
        self._answer_panel = answer_panel = window.answer_panel
        self._exports = AnswerExport(window)
        panel = self._panel
        panel.page_wanted.connect(self._on_page_wanted)
        panel.open_requested.connect(self.open)
        panel.delete_requested.connect(self._on_delete_requested)
        panel.undo_requested.connect(
            lambda ids: session.request("restore_history", ids, on_result=self._on_restored)
        )
        panel.list.customContextMenuRequested.connect(self._on_menu_requested)
        panel.export_all_action.triggered.connect(lambda: self._export(panel.model.items))
        panel.clear_action.triggered.connect(self._on_clear_triggered)
        session.library_opened.connect(self._on_library_opened)
        session.turn_ended.connect(lambda *_: panel.invalidate())
        session.question_asked.connect(lambda _question: session.forget(_OPENING))
        answer_panel.feedback.given.connect(self._on_feedback_given)
        answer_panel.export_requested.connect(self.export_answer)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        is_open, view = self._session.library is not None, self._answer_panel.view
        return {
            "history": (self.show, is_open),
            "export_answer": (lambda: self.export_answer(), is_open and view is not None),
            "export_conversation": (self.export_conversation, is_open and bool(self.conversation)),
        }

    def show(self) -> None:
        """Open the history, ready to be searched."""
        self._window.show_tab("history")
        self._panel.focus_search()

    def _on_library_opened(self, view: LibraryView) -> None:
        self._panel.is_read_only = view.read_only
        if self._is_another(view):
            self._panel.forget()

    def _on_page_wanted(self, query: str, limit: int, offset: int) -> None:
        if self._session.library is None:
            self._panel.show_page(HistoryPage(query, (), 0, 0))
            self._panel.show_failure()
            return
        self._session.request(
            *("history_page", query, limit, offset),
            on_result=self._panel.show_page,
            on_failure=self._on_page_failed,
        )

    def _on_page_failed(self, error: DesktopQaError) -> None:
        self._panel.show_failure()
        self._messages.post(Notice.of_error(error, key=_NOTICE))

    def _on_menu_requested(self, position: QPoint) -> None:
        items = self._panel.selected
        if items:
            at = self._panel.list.viewport().mapToGlobal(position)
            pop_up(self.context_menu(items), at)

    def context_menu(self, items: tuple[HistoryItem, ...]) -> QMenu:
        """Return what can be done with questions."""
        menu = QMenu(self._panel.list)
        first, is_one = items[0], len(items) == 1
        has_answer = any(item.state is not HistoryState.FAILED for item in items)
        if is_one:
            menu.addAction("Open", lambda: self.open(first))
            menu.addAction("Ask Again", lambda: self.ask_again(first))
            menu.addSeparator()
            copy = menu.addAction("Copy with Citations", lambda: self._load(first, self._copy))
            copy.setEnabled(has_answer)
        menu.addAction("Export …", lambda: self._export(items)).setEnabled(has_answer)
        if is_one and first.conversation:
            menu.addAction(
                "Export Its Conversation …",
                lambda: self._exports.choose_conversation(first.conversation, first.question),
            )
        menu.addSeparator()
        delete = menu.addAction("Delete", lambda: self._panel.delete(items))
        delete.setEnabled(not self._panel.is_read_only)
        return menu

    def _load(
        self, item: HistoryItem, on_result: Callable[[PastQuestion], None], latest: str = ""
    ) -> None:
        self._session.request("history_entry", item.id, on_result=on_result, latest=latest)

    def open(self, item: HistoryItem) -> None:
        """Show an earlier question with its answer as it was."""
        self._load(item, self._on_opened, latest=_OPENING)

    def _on_opened(self, past: PastQuestion) -> None:
        conversations = self._session.conversations
        conversation, turn = conversations.turn_of(past.id)
        name = past.conversation or (past.view.answer.conversation if past.view else "")
        if conversation is None:
            conversation = conversations.of_id(name) if name else None
        is_open = conversation is not None
        if conversation is None:
            conversation = Conversation(first_question=past.question, is_loaded=not name)
            conversation.id = name or conversation.id
        if turn is None:
            turn = conversation.insert(Turn(Question(past.question), history_id=past.id))
        self._window.questions.earlier.take(turn, past)
        turn.is_seen = False
        conversation.current = turn
        if is_open:
            self._session.show_conversation(conversation, again=True)
        else:
            self._session.open_conversation(conversation)

    def ask_again(self, item: HistoryItem) -> None:
        """Ask an earlier question once more, by itself."""
        if item.state is HistoryState.FAILED:
            self._session.ask(Question(item.question, alone=True))
        else:
            self._load(item, self._ask_again)

    def _ask_again(self, past: PastQuestion) -> None:
        # A follow-up by itself means nothing: what it was read as is asked.
        complete = past.view.answer.read_as if past.view is not None else ""
        self._session.ask(Question(complete or past.question, alone=True))

    def _copy(self, past: PastQuestion) -> None:
        if past.view is not None:
            copy_view(past.view)
            self._messages.say("Copied with citations.", key=_NOTICE, passes=True)

    def export_answer(self, kind: str = "") -> None:
        """Ask for a place and write the answer on screen there."""
        view = self._answer_panel.view
        if view is not None:
            self._exports.choose_view(view, kind)

    @property
    def conversation(self) -> str:
        """The conversation of the answer on screen; empty when it is in none."""
        view = self._answer_panel.view
        return view.answer.conversation if view is not None else ""

    def export_conversation(self) -> None:
        """Ask for a place and write the conversation on screen there."""
        view = self._answer_panel.view
        if view is not None and self.conversation:
            self._exports.choose_conversation(self.conversation, view.answer.question)

    def _export(self, newest_first: tuple[HistoryItem, ...]) -> None:
        items = newest_first[::-1]
        if items:
            self._exports.choose_history(tuple(item.id for item in items), items[0].question)

    def _on_delete_requested(self, items: tuple[HistoryItem, ...]) -> None:
        ids = tuple(item.id for item in items)
        self._session.request("delete_history", ids, on_result=partial(self._on_deleted, ids))

    def _on_deleted(self, ids: tuple[int, ...], _n_deleted: int) -> None:
        self._session.drop_turns(ids)
        self._panel.offer_undo(ids)
        self._panel.reload()

    def _on_restored(self, _n_restored: int) -> None:
        self._session.reload_turns()
        self._panel.reload()

    def _on_clear_triggered(self) -> None:
        buttons = QMessageBox.StandardButton
        chosen = QMessageBox.question(
            self._window,
            "Clear the History",
            "Delete every question of this library, with answers, thumbs and comments?"
            " This cannot be undone.",
            buttons.Discard | buttons.Cancel,
            buttons.Cancel,
        )
        if chosen == buttons.Discard:
            self._session.request("clear_history", on_result=self._on_cleared)

    def _on_cleared(self, _n_deleted: int) -> None:
        self._session.clear_conversations()
        self._panel.forget()

    def _on_feedback_given(self, history_id: int, verdict: int, comment: str) -> None:
        self._session.request(
            *("feedback", history_id, verdict, comment),
            on_result=lambda _none: self._panel.invalidate(),
        )
