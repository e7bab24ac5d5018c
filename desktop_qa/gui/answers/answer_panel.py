"""A question and its answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.view import AnswerView, reported_cells
from desktop_qa.gui.answers.answer_feedback import AnswerFeedback
from desktop_qa.gui.answers.answer_figures import AnswerFigures, FigureSource
from desktop_qa.gui.answers.answer_meta import AnswerMeta, AnswerMetaRow, meta_parts
from desktop_qa.gui.answers.answer_parts import AnswerParts
from desktop_qa.gui.answers.answer_readings import AnswerReadings
from desktop_qa.gui.answers.answer_reasons import how_sure
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.answers.answer_verdict import AnswerVerdict
from desktop_qa.gui.answers.answer_why import AnswerWhy
from desktop_qa.gui.answers.model_section import ModelSection
from desktop_qa.gui.asking.question_heading import HeadingEdit, QuestionHeading
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import plain_text, tool_tip
from desktop_qa.gui.widgets.breakable import show_breakable
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.timers import single_shot

SEARCHING = "Searching …"
_COPIED_SHOWN_MS = 1600
# Below this a search is over before its notice could be read.
_SEARCHING_SHOWN_AFTER_MS = 150
_NOTE_ICON_PX = 15
_EXPORTS = {
    "markdown": "Markdown …",
    "html": "Web page (HTML) …",
    "pdf": "PDF …",
    "docx": "Word document …",
}
_PROMOTED: dict[str, type[QWidget]] = {
    "AnswerText": AnswerText,
    "AnswerVerdict": AnswerVerdict,
    "AnswerMeta": AnswerMeta,
    "AnswerMetaRow": AnswerMetaRow,
    "AnswerParts": AnswerParts,
    "AnswerReadings": AnswerReadings,
    "AnswerWhy": AnswerWhy,
    "HeadingEdit": HeadingEdit,
    "ModelSection": ModelSection,
}


class AnswerPanel(QWidget):
    """Shows one question of a conversation with its answer.

    Attributes:
        citation_clicked: With the marker.
        place_clicked: With (`EvidenceView`, tuple of `Provenance`) of a cell in the answer.
        reading_chosen: With the question that was meant.
        literal_requested: With a follow-up that shall be asked as it was typed.
        answer_shown: With the `AnswerView` on screen, or None while there is none.
        feedback_given: With (id in the history, 1, -1 or 0, comment), at each change.
        copy_requested: With the `AnswerView` that was copied.
        export_requested: With "markdown", "html", "pdf" or "docx".
        table_export_requested: With the `AnswerTable` to be written as CSV, the `CellSource` of
            each marker and the rows as numbers, none when it has no figures.
    """

    citation_clicked = Signal(int)
    place_clicked = Signal(object, object)
    reading_chosen = Signal(str)
    literal_requested = Signal(str)
    answer_shown = Signal(object)
    feedback_given = Signal(int, int, str)
    copy_requested = Signal(object)
    export_requested = Signal(str)
    table_export_requested = Signal(object, object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("answer_panel.ui", self, _PROMOTED)
        self.question_label = child(self, QLabel, "question_label")
        self.read_as_row = child(self, QWidget, "read_as_row")
        self.read_as_label = child(self, QLabel, "read_as_label")
        self.literal_button = child(self, QToolButton, "literal_button")
        self.model_section = child(self, ModelSection, "model_section")
        self.documents_body = child(self, QWidget, "documents_body")
        self.verdict = child(self, AnswerVerdict, "verdict")
        self.answer_text = child(self, AnswerText, "answer_text")
        self.parts = child(self, AnswerParts, "parts")
        self.readings = child(self, AnswerReadings, "readings")
        self.notes_frame = child(self, QFrame, "notes_frame")
        self._notes_icon = child(self, QLabel, "notes_icon")
        self.notes_label = child(self, QLabel, "notes_label")
        self.meta_row = child(self, AnswerMetaRow, "meta_row")
        self.meta_label = child(self, AnswerMeta, "meta_label")
        self.why_button = child(self, QToolButton, "why_button")
        self.why = child(self, AnswerWhy, "why")
        self.copy_button = child(self, QToolButton, "copy_button")
        self.export_button = child(self, QToolButton, "export_button")
        self.back_button = child(self, QToolButton, "back_button")
        self.forward_button = child(self, QToolButton, "forward_button")
        self.retry_button = child(self, QPushButton, "retry_button")
        self.heading = QuestionHeading(
            self.question_label,
            child(self, HeadingEdit, "question_editor"),
            child(self, QToolButton, "edit_button"),
            child(self, QToolButton, "again_button"),
        )
        self.feedback = AnswerFeedback(
            child(self, QToolButton, "up_button"),
            child(self, QToolButton, "down_button"),
            child(self, QWidget, "feedback_row"),
            child(self, QLineEdit, "comment_edit"),
            child(self, QLabel, "said_label"),
            child(self, QToolButton, "undo_button"),
        )
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self._view: AnswerView | None = None
        self._reports: CellReports | None = None
        self._waiting_words = SEARCHING
        self._searching = single_shot(self, self._on_searching_due, _SEARCHING_SHOWN_AFTER_MS)
        self.meta_row.attach(self.meta_label, self.copy_button, self.export_button)
        self._add_export_menu()
        self._connect()
        self._hide_answer()

    def _connect(self) -> None:
        self.answer_text.citation_clicked.connect(self.citation_clicked)
        self.model_section.text.citation_clicked.connect(self.citation_clicked)
        self.model_section.documents_shown.connect(self.documents_body.setVisible)
        self.parts.place_clicked.connect(self.place_clicked)
        self.parts.table_export_requested.connect(self.table_export_requested)
        self.readings.chosen.connect(self.reading_chosen)
        self.literal_button.clicked.connect(self._on_literal_clicked)
        self.why_button.toggled.connect(self._show_why)
        self.copy_button.clicked.connect(self.copy_answer)
        self.feedback.given.connect(self.feedback_given)
        self.retry_button.clicked.connect(self.heading.again_requested)

    def _add_export_menu(self) -> None:
        menu = QMenu(self.export_button)
        for kind, text in _EXPORTS.items():
            action = QAction(text, menu)
            action.setObjectName(f"export_{kind}")
            action.triggered.connect(partial(self._on_export_chosen, kind))
            menu.addAction(action)
        self.export_button.setMenu(menu)

    def _on_export_chosen(self, kind: str, _checked: bool = False) -> None:
        self.export_requested.emit(kind)

    @property
    def view(self) -> AnswerView | None:
        """The answer on screen."""
        return self._view

    # What is shown

    def clear(self) -> None:
        """Show no answer."""
        self._searching.stop()
        self._view = None
        self.heading.show_question("")
        self.answer_text.show_note("")
        self._hide_answer()
        self.answer_shown.emit(None)

    def forget(self) -> None:
        """Let nothing remain of the answers of a library: another one is opened."""
        self.feedback.forget()
        self.parts.close_windows()
        self.clear()

    def show_searching(
        self, question: str, words: str = SEARCHING, *, at_once: bool = False
    ) -> None:
        """Show the question while its answer is sought.

        Args:
            question: Whole.
            words: What is said when it takes its time.
            at_once: The answer on screen is of something else: take it away now.
        """
        self.heading.show_question(question)
        self._waiting_words = words
        if at_once:
            self._searching.stop()
            self._on_searching_due()
        else:
            self._searching.start()

    def _hide_answer(self) -> None:
        """Take away all that stands around the words of an answer."""
        self.retry_button.hide()
        for part in (self.read_as_row, self.notes_frame, self.meta_row, self.why):
            part.hide()
        self.verdict.show_verdict(None)
        self.parts.show_tables(None)
        self.readings.show_readings((), is_open=False)
        self.feedback.show_answer(0)

    @property
    def is_searching(self) -> bool:
        """True while the answer on screen is of the question before the one that is shown."""
        return self._searching.isActive()

    def show_waiting_words(self, words: str) -> None:
        """Say something else of a question under way."""
        is_said = self._view is None and not self._searching.isActive()
        if is_said and words != self._waiting_words:
            self.answer_text.show_note(words)
        self._waiting_words = words

    def _on_searching_due(self) -> None:
        self._view = None
        self._hide_answer()
        self.answer_text.show_note(self._waiting_words)
        self.answer_shown.emit(None)

    def show_answer(self, view: AnswerView) -> None:
        """Show an answer."""
        self._searching.stop()
        self._view = view
        self._show_view(view)
        self.answer_shown.emit(view)

    def take_said(self, view: AnswerView) -> None:
        """Show the answer on screen with what a model said in the end; the rest stays."""
        before, self._view = self._view, view
        self.model_section.show_said(view.said, view)
        if before is None or before.evidence != view.evidence:
            self.answer_shown.emit(view)

    def show_failure(self, question: str, error: DesktopQaError) -> None:
        """Say why there is no answer, and offer to try again."""
        self._searching.stop()
        self._view = None
        self.heading.show_question(question, is_done=True)
        self._hide_answer()
        self.answer_text.show_note(error.message, error.hint)
        self.retry_button.show()
        self.answer_shown.emit(None)

    def _show_view(self, view: AnswerView) -> None:
        answer = view.answer
        self.heading.show_question(answer.question, is_done=True)
        self.retry_button.hide()
        show_breakable(self.read_as_label, f"Read as: {answer.read_as}")
        self.read_as_row.setVisible(bool(answer.read_as))
        self.verdict.show_verdict(answer)
        tips = {e.marker: tool_tip(e) for e in view.evidence if e.is_cited}
        symbols = Symbols.of(view.evidence)
        self.answer_text.show_answer(answer.blocks, tips, _figures_of(view), symbols)
        self.parts.show_tables(view)
        is_open = answer.status is AnswerStatus.CLARIFY
        self.readings.show_readings(answer.readings, is_open=is_open)
        self._show_notes(view)
        self._show_meta(view)
        self.meta_row.show()
        self.feedback.show_answer(answer.history_id)
        self._show_why(self.why_button.isChecked())

    def follow_reports(self, reports: CellReports) -> None:
        """Say below answers, and mark in their tables, which cells were read wrongly."""
        self._reports = self.parts.reports = reports
        reports.changed.connect(self._on_reports_changed)

    def _on_reports_changed(self) -> None:
        if self._view is not None:
            self._show_notes(self._view)

    def with_reports(self, view: AnswerView) -> AnswerView:
        """Return an answer with what is reported of its cells by now, as it leaves the window."""
        reports = self._reports.reports if self._reports is not None else ()
        return replace(view, reported=reported_cells(view.evidence, reports))

    def _show_notes(self, view: AnswerView) -> None:
        notes = (*view.answer.notes, *self.with_reports(view).reported)
        show_breakable(self.notes_label, "\n".join(notes))
        self.notes_frame.setVisible(bool(notes))

    def _show_meta(self, view: AnswerView) -> None:
        self.meta_label.show_parts(meta_parts(view.answer, self._theme), how_sure(view.answer))
        self.meta_row.arrange_soon()

    def _show_why(self, is_shown: bool) -> None:
        if self.view is not None and is_shown:
            self.why.show_reasons(self.view, self._theme, self._sizes)
        self.why.setVisible(is_shown and self.view is not None)

    def _on_literal_clicked(self) -> None:
        if self.view is not None:
            self.literal_requested.emit(self.view.answer.question)

    def set_active_marker(self, marker: int | None) -> None:
        """Mark the citation that the viewer shows."""
        self.answer_text.set_active_marker(marker)
        self.model_section.text.set_active_marker(marker)

    def show_neighbours(self, *, is_before: bool, is_after: bool) -> None:
        """Offer the way to the answers before and after this one."""
        self.back_button.setEnabled(is_before)
        self.forward_button.setEnabled(is_after)
        for button in (self.back_button, self.forward_button):
            button.setVisible(is_before or is_after)

    # Copying

    def copy_answer(self) -> None:
        """Put answer and citations on the clipboard."""
        if self.view is None:
            return
        view = self.with_reports(self.view)
        QGuiApplication.clipboard().setText(plain_text(view))
        self.copy_requested.emit(view)
        self.copy_button.setText("Copied")
        self.meta_row.keep_words(self.copy_button)
        QTimer.singleShot(_COPIED_SHOWN_MS, self.copy_button, self._on_copied_seen)

    def _on_copied_seen(self) -> None:
        self.copy_button.setText("Copy")
        self.meta_row.keep_words(None)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw text, chips and icons in other colours."""
        self._theme, self._sizes = theme, sizes
        active = self.answer_text.active_marker
        self.answer_text.apply_theme(theme, sizes)
        self.answer_text.set_active_marker(active)
        self.model_section.apply_theme(theme, sizes)
        buttons = {
            self.copy_button: "copy",
            self.export_button: "export",
            self.back_button: "back",
            self.forward_button: "forward",
        }
        for button, name in buttons.items():
            button.setIcon(themes.icon(name, theme.dim, theme.faint))
        self.heading.apply_theme(theme)
        self.parts.apply_theme(theme, sizes)
        self.readings.apply_theme(theme)
        self.feedback.apply_theme(theme)
        scale = self.devicePixelRatioF()
        note = themes.icon_pixmap("information", theme.dim, _NOTE_ICON_PX, scale)
        self._notes_icon.setPixmap(note)
        view = self.view
        if view is not None:
            self._show_meta(view)
            self._show_why(self.why_button.isChecked())


def _figures_of(view: AnswerView) -> AnswerFigures:
    """Return the figures shown among the words; others are in the evidence."""
    shown = {piece.marker: piece for piece in view.evidence if piece.marker in view.answer.figures}
    return AnswerFigures(
        {
            marker: FigureSource(
                piece.figure_path, piece.caption or piece.section_path[-1], piece.vector_path or ""
            )
            for marker, piece in shown.items()
            if piece.figure_path
        }
    )
