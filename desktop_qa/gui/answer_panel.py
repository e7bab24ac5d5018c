"""The question and its answer, with the answers before it within reach."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.view import AnswerView, HistoryEntry
from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_feedback import AnswerFeedback
from desktop_qa.gui.answer_figures import AnswerFigures, FigureSource
from desktop_qa.gui.answer_html import markers_of, plain_text, text_without_readings, tool_tip
from desktop_qa.gui.answer_parts import AnswerParts
from desktop_qa.gui.answer_readings import AnswerReadings
from desktop_qa.gui.answer_text import AnswerText
from desktop_qa.gui.answer_verdict import AnswerVerdict
from desktop_qa.gui.answer_why import AnswerWhy
from desktop_qa.gui.breakable import shortened, show_breakable
from desktop_qa.gui.forms import child, load_form

_MAX_HISTORY_SHOWN = 30
_MAX_MENU_CHARACTERS = 70
_MAX_QUESTION_CHARACTERS = 400
_MAX_SCOPE_SHOWN = 3
_MAX_SCOPE_CHARACTERS = 28
_LEAST_SECONDS = 0.1
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
    "AnswerParts": AnswerParts,
    "AnswerReadings": AnswerReadings,
    "AnswerWhy": AnswerWhy,
}


class AnswerPanel(QWidget):
    """Shows one answer of this library's conversation.

    Attributes:
        citation_clicked: With the marker.
        place_clicked: With (`EvidenceView`, tuple of `Provenance`) of a cell in the answer.
        reading_chosen: With the question that was meant.
        literal_requested: With a follow-up that shall be asked as it was typed.
        answer_shown: With the `AnswerView` on screen, or None while there is none.
        feedback_given: With (id in the history, 1, -1 or 0, comment), at each change.
        copy_requested: With the `AnswerView` that was copied.
        export_requested: With "markdown", "html", "pdf" or "docx".
        table_export_requested: With the `AnswerTable` to be written as CSV and the file of each
            marker.
    """

    citation_clicked = Signal(int)
    place_clicked = Signal(object, object)
    reading_chosen = Signal(str)
    literal_requested = Signal(str)
    answer_shown = Signal(object)
    feedback_given = Signal(int, int, str)
    copy_requested = Signal(object)
    export_requested = Signal(str)
    table_export_requested = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("answer_panel.ui", self, _PROMOTED)
        self.question_label = child(self, QLabel, "question_label")
        self.read_as_row = child(self, QWidget, "read_as_row")
        self.read_as_label = child(self, QLabel, "read_as_label")
        self.literal_button = child(self, QToolButton, "literal_button")
        self.verdict = child(self, AnswerVerdict, "verdict")
        self.answer_text = child(self, AnswerText, "answer_text")
        self.parts = child(self, AnswerParts, "parts")
        self.readings = child(self, AnswerReadings, "readings")
        self.notes_frame = child(self, QFrame, "notes_frame")
        self._notes_icon = child(self, QLabel, "notes_icon")
        self.notes_label = child(self, QLabel, "notes_label")
        self.meta_row = child(self, QWidget, "meta_row")
        self.meta_label = child(self, QLabel, "meta_label")
        self.why_button = child(self, QToolButton, "why_button")
        self.why = child(self, AnswerWhy, "why")
        self.copy_button = child(self, QToolButton, "copy_button")
        self.export_button = child(self, QToolButton, "export_button")
        self.back_button = child(self, QToolButton, "back_button")
        self.forward_button = child(self, QToolButton, "forward_button")
        self.history_button = child(self, QToolButton, "history_button")
        self.history_menu = QMenu(self.history_button)
        self.history_button.setMenu(self.history_menu)
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
        self._views: list[AnswerView] = []
        self._index = -1
        self._searching = QTimer(self)
        self._searching.setSingleShot(True)
        self._searching.setInterval(_SEARCHING_SHOWN_AFTER_MS)
        self._searching.timeout.connect(self._on_searching_due)
        self._add_export_menu()
        self._connect()
        self._hide_answer()

    def _connect(self) -> None:
        self.history_menu.aboutToShow.connect(self._fill_history_menu)
        self.answer_text.citation_clicked.connect(self.citation_clicked)
        self.parts.place_clicked.connect(self.place_clicked)
        self.parts.table_export_requested.connect(self.table_export_requested)
        self.readings.chosen.connect(self.reading_chosen)
        self.literal_button.clicked.connect(self._on_literal_clicked)
        self.why_button.toggled.connect(self._show_why)
        self.copy_button.clicked.connect(self.copy_answer)
        self.feedback.given.connect(self.feedback_given)
        self.back_button.clicked.connect(self.go_back)
        self.forward_button.clicked.connect(self.go_forward)

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
        return self._views[self._index] if 0 <= self._index < len(self._views) else None

    # What is shown

    def clear(self) -> None:
        """Forget the answers: another library is opened."""
        self._views.clear()
        self.feedback.forget()
        self.parts.close_windows()
        self._show_index(-1)

    def load_history(self, entries: tuple[HistoryEntry, ...]) -> None:
        """Put the answers of earlier days before those of this session."""
        earlier = [entry.view for entry in sorted(entries, key=lambda entry: entry.asked_at)]
        self._views[:0] = earlier
        if self._index >= 0:
            self._index += len(earlier)
        self._update_buttons()

    def show_searching(self, question: str) -> None:
        """Show the question while its answer is sought."""
        self._show_question(question)
        self._searching.start()

    def _show_question(self, question: str) -> None:
        """Show a question; of a pasted page its beginning says which one it was."""
        short = question
        if len(question) > _MAX_QUESTION_CHARACTERS:
            short = question[: _MAX_QUESTION_CHARACTERS - 1].rstrip() + "…"
        self.question_label.setText(short)

    def _hide_answer(self) -> None:
        """Take away all that stands around the words of an answer."""
        for part in (self.read_as_row, self.notes_frame, self.meta_row, self.why):
            part.hide()
        self.verdict.show_verdict(None)
        self.parts.show_tables(None)
        self.readings.show_readings((), is_open=False)
        self.feedback.show_answer(0)

    def _on_searching_due(self) -> None:
        self._hide_answer()
        self.answer_text.show_note("Searching …")
        self.answer_shown.emit(None)

    def show_answer(self, view: AnswerView) -> None:
        """Show a new answer; it becomes the last of the conversation."""
        self._searching.stop()
        self._views.append(view)
        self._show_index(len(self._views) - 1)

    def show_earlier(self, view: AnswerView) -> None:
        """Show an answer of the history; one that is among the answers here keeps its place."""
        self._searching.stop()
        number = view.answer.history_id
        places = [i for i, v in enumerate(self._views) if number and v.answer.history_id == number]
        if places:
            self._views[places[0]] = view
            self._show_index(places[0])
        else:
            self.show_answer(view)

    def show_failure(self, question: str, error: DesktopQaError) -> None:
        """Say why there is no answer; a stopped question gives way to the answer before it."""
        self._searching.stop()
        if isinstance(error, Cancelled) and self.view is not None:
            self._show_index(self._index)
            return
        self._show_question(question)
        self._hide_answer()
        self.answer_text.show_note(error.message, error.hint)
        self.answer_shown.emit(None)

    def _show_index(self, index: int) -> None:
        self._index = index
        self._update_buttons()
        view = self.view
        if view is None:
            self.question_label.clear()
            self.answer_text.show_note("")
            self._hide_answer()
            self.answer_shown.emit(None)
            return
        self._show_view(view)
        self.answer_shown.emit(view)

    def _show_view(self, view: AnswerView) -> None:
        answer = view.answer
        self._show_question(answer.question)
        show_breakable(self.read_as_label, f"Read as: {answer.read_as}")
        self.read_as_row.setVisible(bool(answer.read_as))
        self.verdict.show_verdict(answer)
        tips = {e.marker: tool_tip(e) for e in view.evidence if e.is_cited}
        text = text_without_readings(answer)
        self.answer_text.show_answer(text, markers_of(answer), tips, _figures_of(view))
        self.parts.show_tables(view)
        is_open = answer.status is AnswerStatus.CLARIFY
        self.readings.show_readings(answer.readings, is_open=is_open)
        show_breakable(self.notes_label, "\n".join(answer.notes))
        self.notes_frame.setVisible(bool(answer.notes))
        self.meta_label.setText(meta_html(answer, self._theme))
        words = ", ".join(map(html.escape, answer.also_searched))
        self.meta_label.setToolTip(f"<p>Also searched: {words}</p>" if words else "")
        self.meta_row.show()
        self.feedback.show_answer(answer.history_id)
        self._show_why(self.why_button.isChecked())

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

    # Earlier answers

    def go_back(self) -> None:
        """Show the answer before."""
        if self.can_go_back:
            self._show_index((self._index if self._index >= 0 else len(self._views)) - 1)

    def go_forward(self) -> None:
        """Show the answer after."""
        if self.can_go_forward:
            self._show_index(self._index + 1)

    @property
    def can_go_back(self) -> bool:
        """True when there is an answer before the one on screen."""
        return self._index > 0 or (self._index < 0 and bool(self._views))

    @property
    def can_go_forward(self) -> bool:
        """True when there is an answer after the one on screen."""
        return 0 <= self._index < len(self._views) - 1

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions answered, oldest first."""
        return tuple(view.answer.question for view in self._views)

    def _update_buttons(self) -> None:
        self.back_button.setEnabled(self.can_go_back)
        self.forward_button.setEnabled(self.can_go_forward)
        for button in (self.back_button, self.forward_button, self.history_button):
            button.setVisible(len(self._views) > 1)

    def _fill_history_menu(self) -> None:
        self.history_menu.clear()
        first = max(0, len(self._views) - _MAX_HISTORY_SHOWN)
        for index in range(len(self._views) - 1, first - 1, -1):
            question = " ".join(self._views[index].answer.question.split())
            if len(question) > _MAX_MENU_CHARACTERS:
                question = question[: _MAX_MENU_CHARACTERS - 1] + "…"
            action = self.history_menu.addAction(question.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(index == self._index)
            action.triggered.connect(partial(self._on_history_chosen, index))

    def _on_history_chosen(self, index: int, _checked: bool = False) -> None:
        self._show_index(index)

    # Copying

    def copy_answer(self) -> None:
        """Put answer and citations on the clipboard."""
        view = self.view
        if view is None:
            return
        QGuiApplication.clipboard().setText(plain_text(view))
        self.copy_requested.emit(view)
        self.copy_button.setText("Copied")
        QTimer.singleShot(_COPIED_SHOWN_MS, self.copy_button, self._on_copied_seen)

    def _on_copied_seen(self) -> None:
        self.copy_button.setText("Copy")

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw text, chips and icons in other colours."""
        self._theme, self._sizes = theme, sizes
        active = self.answer_text.active_marker
        self.answer_text.apply_theme(theme, sizes)
        self.answer_text.set_active_marker(active)
        buttons = {
            self.copy_button: "copy",
            self.export_button: "export",
            self.back_button: "back",
            self.forward_button: "forward",
            self.history_button: "history",
        }
        for button, name in buttons.items():
            button.setIcon(themes.icon(name, theme.dim, theme.line))
        self.parts.apply_theme(theme, sizes)
        self.readings.apply_theme(theme)
        self.feedback.apply_theme(theme)
        scale = self.devicePixelRatioF()
        note = themes.icon_pixmap("information", theme.dim, _NOTE_ICON_PX, scale)
        self._notes_icon.setPixmap(note)
        view = self.view
        if view is not None:
            self.meta_label.setText(meta_html(view.answer, theme))
            self._show_why(self.why_button.isChecked())


def _figures_of(view: AnswerView) -> AnswerFigures:
    """Return the figures shown among the words; others are in the evidence."""
    shown = {piece.marker: piece for piece in view.evidence if piece.marker in view.answer.figures}
    return AnswerFigures(
        {
            marker: FigureSource(piece.figure_path, piece.caption or piece.section_path[-1])
            for marker, piece in shown.items()
            if piece.figure_path
        }
    )


def meta_html(answer: Answer, theme: themes.Theme) -> str:
    """Return the line under an answer: how well it stands, how long it took, what was searched."""
    n_citations = len(markers_of(answer))
    parts: list[str] = []
    if answer.status is AnswerStatus.ANSWERED and n_citations:
        noun = "citation" if n_citations == 1 else "citations"
        parts.append(f"<span style='color:{theme.ok}'>✓</span> {n_citations} {noun}")
    parts.append(f"{max(answer.seconds, _LEAST_SECONDS):.1f} s")
    parts.append("offline" if answer.model == "extractive" else html.escape(answer.model))
    n_searched, n_all = answer.n_documents_searched, answer.n_documents
    if n_searched < n_all:
        parts.append(f"{n_searched} of {n_all} documents searched")
    if answer.scope:
        shown = answer.scope[:_MAX_SCOPE_SHOWN]
        names = [html.escape(shortened(name, _MAX_SCOPE_CHARACTERS)) for name in shown]
        more = len(answer.scope) - len(names)
        tail = f" and {more} more" if more else ""
        parts.append(f"only {', '.join(names)}{tail}")
    return " &nbsp;·&nbsp; ".join(parts)
