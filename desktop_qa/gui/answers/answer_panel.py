"""A question and its answer."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QToolButton, QWidget

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.view import AnswerView, reported_cells
from desktop_qa.gui.answers.answer_meta import (
    AnswerFeedback,
    AnswerMeta,
    AnswerMetaRow,
    AnswerReadings,
    AnswerVerdict,
    ReadAsRow,
    meta_parts,
)
from desktop_qa.gui.answers.answer_parts import AnswerParts
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.answers.answer_why import AnswerWhy, how_sure
from desktop_qa.gui.asking.question_edit import QuestionEdit, QuestionHeading
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.widgets.answer_html import plain_text
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import show_breakable
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look, tint
from desktop_qa.gui.widgets.timers import single_shot

_DRAWN_EVERY_MS = 50
_TOLD_EVERY_MS = 500
_ARROWS = {True: Qt.ArrowType.DownArrow, False: Qt.ArrowType.RightArrow}
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


class ModelSection(QWidget):
    """Draws an answer as it grows, at most twenty times a second; folds it or the one below.

    Attributes:
        said: What is shown; `None` while no model was asked.
        documents_shown: With whether the answer from the documents is unfolded.
    """

    documents_shown = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("model_section.ui", self, {"AnswerText": AnswerText})
        self.model_fold = child(self, QToolButton, "model_fold")
        self.documents_fold = child(self, QToolButton, "documents_fold")
        self.state_label = child(self, QLabel, "state_label")
        self.stop_button = child(self, QToolButton, "stop_model_button")
        self.ask_button = child(self, QToolButton, "ask_model_button")
        self.text = child(self, AnswerText, "model_text")
        self.message_label = child(self, QLabel, "model_message")
        self._show_colours()
        look.changed.connect(self._show_colours)
        self.said: ModelSaid | None = None
        self._view: AnswerView | None = None
        self._symbols = Symbols()
        self._began = 0.0
        self._is_drawn = True
        self._drawing = single_shot(self, self._on_drawing_due, _DRAWN_EVERY_MS)
        self._ticking = QTimer(self, interval=_TOLD_EVERY_MS)
        self._ticking.timeout.connect(self._tell_state)
        self.model_fold.toggled.connect(self._on_model_folded)
        self.documents_fold.toggled.connect(self._on_documents_folded)
        self._on_model_folded(True)
        self._on_documents_folded(True)
        self.hide()

    def show_said(self, said: ModelSaid | None, view: AnswerView | None) -> None:
        """Show what a model says of the question of an answer, or that none was asked.

        It uses the markers of the answer from the documents.
        """
        if said is None or view is None:
            self.said = self._view = None
            self._drawing.stop()
            self._ticking.stop()
            self.hide()
            self.documents_shown.emit(True)
            return
        was_hidden = self.said is None
        is_another = self._view is None or self._view.evidence is not view.evidence
        is_new = was_hidden or (bool(self.said and self.said.is_over) and not said.is_over)
        self.said, self._view = said, view
        if is_another:
            self._symbols = Symbols.of(view.evidence)
        if is_new:
            self._began = time.monotonic()
        self._is_drawn = False
        if said.is_over or is_another or not self._drawing.isActive():
            self._on_drawing_due()
        if was_hidden:
            self.documents_shown.emit(self.documents_fold.isChecked())
        self.show()

    def _on_drawing_due(self) -> None:
        if self._is_drawn or self.said is None:
            return
        self._is_drawn = True
        said = self.said
        self.text.grow(said.blocks, said.doubts, self._symbols)
        failure = " ".join(filter(None, (said.error, said.hint)))
        steps = said.fetched if said.is_over else said.fetched[-1:]
        lines = (*steps, *said.notes, failure)
        message = "\n".join(filter(None, lines))
        if message != self.message_label.text():
            show_breakable(self.message_label, message)
        self.model_fold.setText(said.model)
        self._tell_state()
        self.stop_button.setVisible(not said.is_over)
        self.ask_button.setVisible(said.is_over)
        self._show_unfolded()
        if said.is_over:
            self._ticking.stop()
            return
        self._ticking.start()
        self._drawing.start()

    def _tell_state(self) -> None:
        said = self.said
        if said is None:
            return
        if said.is_over:
            ended = "No answer" if said.error and not said.blocks else said.cost_line
            self.state_label.setText(ended)
            return
        seconds = int(time.monotonic() - self._began)
        doing = "writing" if said.blocks else "working"
        self.state_label.setText(f"{doing} … {seconds} s")

    def fold_next(self) -> None:
        """Show both answers, then the model's alone, then that of the documents alone."""
        model, documents = self.model_fold, self.documents_fold
        if model.isChecked() and documents.isChecked():
            documents.setChecked(False)
        elif model.isChecked():
            documents.setChecked(True)
            model.setChecked(False)
        else:
            model.setChecked(True)
            documents.setChecked(True)

    def _on_model_folded(self, is_shown: bool) -> None:
        self.model_fold.setArrowType(_ARROWS[is_shown])
        self._show_unfolded()

    def _on_documents_folded(self, is_shown: bool) -> None:
        self.documents_fold.setArrowType(_ARROWS[is_shown])
        if self.said is not None:
            self.documents_shown.emit(is_shown)

    def _show_unfolded(self) -> None:
        is_shown, said = self.model_fold.isChecked(), self.said
        self.text.setVisible(is_shown and said is not None and bool(said.blocks))
        self.message_label.setVisible(is_shown and bool(self.message_label.text()))

    def _show_colours(self) -> None:
        for label in (self.state_label, self.message_label):
            label.setStyleSheet(f"color: {look.theme.dim}")


_PROMOTED = {
    made.__name__: made
    for made in (
        *(AnswerText, AnswerVerdict, AnswerMeta, AnswerMetaRow, AnswerParts, AnswerReadings),
        *(AnswerWhy, QuestionEdit, ModelSection, ReadAsRow),
    )
}


class AnswerPanel(QWidget):
    """Shows one question of a conversation with its answer.

    Attributes:
        view: The answer on screen.
        answer_shown: With the `AnswerView` on screen, or None while there is none.
        export_requested: With "markdown", "html", "pdf" or "docx".
    """

    answer_shown = Signal(object)
    export_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("answer_panel.ui", self, _PROMOTED)
        self.question_label = child(self, QLabel, "question_label")
        self.read_as = child(self, ReadAsRow, "read_as_row")
        self.read_as.offer(
            "Ask it literally", "Ask the question as it was typed, without the one before it"
        )
        self.here = child(self, ReadAsRow, "here_row")
        self.here.offer(
            "Search all documents", "Ask the same question without looking at what the viewer shows"
        )
        self.here.button.setAccessibleName("Search all documents instead")
        self.model_section = child(self, ModelSection, "model_section")
        self.documents_body = child(self, QWidget, "documents_body")
        self.verdict = child(self, AnswerVerdict, "verdict")
        self.answer_text = child(self, AnswerText, "answer_text")
        self.parts = child(self, AnswerParts, "parts")
        self.readings = child(self, AnswerReadings, "readings")
        self.notes_frame = child(self, QFrame, "notes_frame")
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
        for button, icon in (
            (self.copy_button, "copy"),
            (self.export_button, "export"),
            (self.back_button, "back"),
            (self.forward_button, "forward"),
        ):
            tint(button, icon, "dim", "faint")
        tint(child(self, QLabel, "notes_icon"), "information", size_px=_NOTE_ICON_PX)
        look.changed.connect(self._on_look_changed)
        self.heading = QuestionHeading(self)
        self.feedback = AnswerFeedback(self)
        self.view: AnswerView | None = None
        self._reports: MarkBook | None = None
        self._waiting_words = SEARCHING
        self._searching = single_shot(self, self._on_searching_due, _SEARCHING_SHOWN_AFTER_MS)
        self.meta_row.attach(self.meta_label, self.copy_button, self.export_button)
        menu = QMenu(self.export_button)
        for kind, text in _EXPORTS.items():
            action = menu.addAction(text, partial(self.export_requested.emit, kind))
            action.setObjectName(f"export_{kind}")
        self.export_button.setMenu(menu)
        self.model_section.documents_shown.connect(self.documents_body.setVisible)
        self.why_button.toggled.connect(self._show_why)
        self.copy_button.clicked.connect(self.copy_answer)
        self._hide_answer()

    # What is shown

    def clear(self) -> None:
        """Show no answer."""
        self.heading.show_question("")
        self._show_none("")

    def _show_none(self, message: str, hint: str = "") -> None:
        """Show a sentence of the program, if any, where there is no answer."""
        self._searching.stop()
        self.view = None
        self._hide_answer()
        self.answer_text.show_note(message, hint)
        self.answer_shown.emit(None)

    def forget(self) -> None:
        """Let nothing remain of the answers of a library: another one is opened."""
        self.feedback.forget()
        self.parts.close_windows()
        self.clear()

    def show_searching(
        self, question: str, words: str = SEARCHING, *, at_once: bool = False
    ) -> None:
        """Show the whole question while its answer is sought, and words when that takes its time.

        With `at_once`, the answer on screen is of something else and goes now.
        """
        self.heading.show_question(question)
        self._waiting_words = words
        if at_once:
            self._on_searching_due()
        else:
            self._searching.start()

    def _hide_answer(self) -> None:
        """Take away all that stands around the words of an answer."""
        self.retry_button.hide()
        for part in (self.read_as, self.here, self.notes_frame, self.meta_row, self.why):
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
        is_said = self.view is None and not self._searching.isActive()
        if is_said and words != self._waiting_words:
            self.answer_text.show_note(words)
        self._waiting_words = words

    def _on_searching_due(self) -> None:
        self._show_none(self._waiting_words)

    def show_answer(self, view: AnswerView) -> None:
        """Show an answer."""
        self._searching.stop()
        self.view = view
        answer = view.answer
        self.heading.show_question(answer.question, is_done=True)
        self.retry_button.hide()
        here = f"{answer.here[:1].upper()}{answer.here[1:]}." if answer.here else ""
        self.here.show_reading(here, answer.question)
        # What was seen says more than the question with its names put in.
        read_as = f"Read as: {answer.read_as}" if answer.read_as and not here else ""
        self.read_as.show_reading(read_as, answer.question)
        self.verdict.show_verdict(answer)
        symbols = Symbols.of(view.evidence)
        # Other figures are in the evidence only.
        shown = (p for p in view.evidence if p.marker in answer.figures and p.figure_path)
        self.answer_text.show_answer(answer.blocks, shown, symbols)
        self.parts.show_tables(view)
        is_open = answer.status is AnswerStatus.CLARIFY
        self.readings.show_readings(answer.readings, is_open=is_open)
        self._show_notes(view)
        self._show_meta(view)
        self.meta_row.show()
        self.feedback.show_answer(answer.history_id)
        self._show_why(self.why_button.isChecked())
        self.answer_shown.emit(view)

    def take_said(self, view: AnswerView) -> None:
        """Show the answer on screen with what a model said in the end; the rest stays."""
        before, self.view = self.view, view
        self.model_section.show_said(view.said, view)
        if before is None or before.evidence != view.evidence:
            self.answer_shown.emit(view)

    def show_failure(self, question: str, error: DesktopQaError) -> None:
        """Say why there is no answer, and offer to try again."""
        self.heading.show_question(question, is_done=True)
        self._show_none(error.message, error.hint)
        self.retry_button.show()

    def follow_reports(self, reports: MarkBook) -> None:
        """Say below answers, and mark in their tables, which cells were read wrongly."""
        self._reports = self.parts.reports = reports
        reports.changed.connect(self._on_reports_changed)

    def _on_reports_changed(self) -> None:
        if self.view is not None:
            self._show_notes(self.view)

    def with_reports(self, view: AnswerView) -> AnswerView:
        """Return an answer with what is reported of its cells by now, as it leaves the window."""
        reports = self._reports.reports if self._reports is not None else ()
        return replace(view, reported=reported_cells(view.evidence, reports))

    def _show_notes(self, view: AnswerView) -> None:
        notes = (*view.answer.notes, *self.with_reports(view).reported)
        show_breakable(self.notes_label, "\n".join(notes))
        self.notes_frame.setVisible(bool(notes))

    def _show_meta(self, view: AnswerView) -> None:
        self.meta_label.show_parts(meta_parts(view.answer), how_sure(view.answer))
        self.meta_row.arrange_soon()

    def _show_why(self, is_shown: bool) -> None:
        if self.view is not None and is_shown:
            self.why.show_reasons(self.view)
        self.why.setVisible(is_shown and self.view is not None)

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
        copy_view(self.with_reports(self.view))
        self.copy_button.setText("Copied")
        self.meta_row.keep_words(self.copy_button)
        QTimer.singleShot(_COPIED_SHOWN_MS, self.copy_button, self._on_copied_seen)

    def _on_copied_seen(self) -> None:
        self.copy_button.setText("Copy")
        self.meta_row.keep_words(None)

    def _on_look_changed(self) -> None:
        view = self.view
        if view is not None:
            self._show_meta(view)
            self._show_why(self.why_button.isChecked())


def copy_view(view: AnswerView) -> None:
    """Put an answer with its citations on the clipboard: as plain text, Markdown and HTML."""
    from desktop_qa.answer_export.clipboard import copied_answer

    markdown, html = copied_answer(view)
    data = QMimeData()
    data.setText(plain_text(view))
    data.setHtml(html)
    data.setData("text/markdown", markdown.encode())
    QGuiApplication.clipboard().setMimeData(data)
