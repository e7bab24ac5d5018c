"""A question's way through the window: asked, searched for, answered, shown."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollArea

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.answer_panel import AnswerPanel
from desktop_qa.gui.answer_parts import markers_shown
from desktop_qa.gui.ask_box import AskBox
from desktop_qa.gui.citation_link import CitationLink
from desktop_qa.gui.empty_state import StartPage
from desktop_qa.gui.evidence_panel import EvidencePanel
from desktop_qa.gui.session import LibrarySession


class QuestionLink(QObject):
    """Connects the box for questions, the session and the panels of the answer.

    Attributes:
        changed: What can be done with questions and answers may be another.
    """

    changed = Signal()

    def __init__(
        self,
        session: LibrarySession,
        ask_box: AskBox,
        start_page: StartPage,
        answer_panel: AnswerPanel,
        evidence_panel: EvidencePanel,
        citations: CitationLink,
        scroll_area: QScrollArea,
    ) -> None:
        super().__init__(answer_panel)
        self._session = session
        self._ask_box = ask_box
        self._start_page = start_page
        self._answer_panel = answer_panel
        self._evidence_panel = evidence_panel
        self._citations = citations
        self._scroll_area = scroll_area
        session.question_asked.connect(self._on_question_asked)
        session.question_answered.connect(self._on_question_answered)
        session.question_failed.connect(self._on_question_failed)
        session.conversation_started.connect(self._on_conversation_started)
        session.history_loaded.connect(answer_panel.load_history)
        ask_box.asked.connect(session.ask)
        ask_box.stop_requested.connect(session.stop_asking)
        start_page.example_clicked.connect(ask_box.set_question)
        answer_panel.literal_requested.connect(self.ask_alone)
        answer_panel.reading_chosen.connect(self._on_reading_chosen)
        answer_panel.answer_shown.connect(self._on_answer_shown)

    def _on_reading_chosen(self, question: str) -> None:
        self._session.ask(question, self._ask_box.scope)

    def ask_alone(self, question: str) -> None:
        """Ask a follow-up as it was typed, of what is searched now."""
        self._session.ask_alone(question, self._ask_box.scope)

    def _on_conversation_started(self) -> None:
        self._session.stop_asking()
        self._show_answer_page(False)
        self._ask_box.setFocus()
        self.changed.emit()

    def _on_question_asked(self, question: str) -> None:
        self._ask_box.set_asking(True)
        self._answer_panel.show_searching(question)
        self._show_answer_page(True)
        self.changed.emit()

    def _on_question_answered(self, view: AnswerView) -> None:
        self._ask_box.set_asking(False)
        self._ask_box.clear_answered(view.answer.question)
        self._answer_panel.show_answer(view)
        first = next((e for e in view.evidence if e.is_cited), None)
        if first is not None:
            # In a turn of its own: the answer is on screen before the document is opened.
            QTimer.singleShot(0, self, partial(self._show_first, view, first.marker))

    def _show_first(self, view: AnswerView, marker: int) -> None:
        if self._answer_panel.view is view:
            self._citations.show_citation(marker)

    def _on_question_failed(self, question: str, error: DesktopQaError) -> None:
        self._ask_box.set_asking(False)
        if not self._ask_box.edit.toPlainText().strip():
            self._ask_box.set_question(question)
        self._answer_panel.show_failure(question, error)
        self.changed.emit()

    def _on_answer_shown(self, view: AnswerView | None) -> None:
        if view is None:
            self._evidence_panel.show_evidence(())
        else:
            found, shown = view.answer.evidence, markers_shown(view.answer)
            self._evidence_panel.show_evidence(view.evidence, found, shown)
        self._show_answer_page(view is not None or bool(self._answer_panel.question_label.text()))
        self._scroll_area.verticalScrollBar().setValue(0)
        self.changed.emit()

    def _show_answer_page(self, is_answer: bool) -> None:
        self._start_page.setVisible(not is_answer)
        self._answer_panel.setVisible(is_answer)
