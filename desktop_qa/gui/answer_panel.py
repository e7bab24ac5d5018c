"""The question and its answer, with the answers before it within reach."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.view import AnswerView, HistoryEntry
from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_html import markers_of, plain_text, text_with_readings, tool_tip
from desktop_qa.gui.answer_text import AnswerText
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


class AnswerPanel(QWidget):
    """Shows one answer of this library's conversation.

    Attributes:
        citation_clicked: With the marker.
        reading_chosen: With the question that was meant.
        answer_shown: With the `AnswerView` on screen, or None while there is none.
    """

    citation_clicked = Signal(int)
    reading_chosen = Signal(str)
    answer_shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("answer_panel.ui", self, {"AnswerText": AnswerText})
        self.question_label = child(self, QLabel, "question_label")
        self.answer_text = child(self, AnswerText, "answer_text")
        self.notes_label = child(self, QLabel, "notes_label")
        self.meta_row = child(self, QWidget, "meta_row")
        self.meta_label = child(self, QLabel, "meta_label")
        self.copy_button = child(self, QToolButton, "copy_button")
        self.back_button = child(self, QToolButton, "back_button")
        self.forward_button = child(self, QToolButton, "forward_button")
        self.history_button = child(self, QToolButton, "history_button")
        self.history_menu = QMenu(self.history_button)
        self.history_button.setMenu(self.history_menu)
        self._theme = themes.LIGHT
        self._views: list[AnswerView] = []
        self._index = -1
        self._searching = QTimer(self)
        self._searching.setSingleShot(True)
        self._searching.setInterval(_SEARCHING_SHOWN_AFTER_MS)
        self._searching.timeout.connect(self._on_searching_due)
        self.history_menu.aboutToShow.connect(self._fill_history_menu)
        self.answer_text.citation_clicked.connect(self.citation_clicked)
        self.answer_text.reading_clicked.connect(self.reading_chosen)
        self.copy_button.clicked.connect(self.copy_answer)
        self.back_button.clicked.connect(self.go_back)
        self.forward_button.clicked.connect(self.go_forward)
        self.meta_row.hide()
        self.notes_label.hide()

    @property
    def view(self) -> AnswerView | None:
        """The answer on screen."""
        return self._views[self._index] if 0 <= self._index < len(self._views) else None

    # What is shown

    def clear(self) -> None:
        """Forget the answers: another library is opened."""
        self._views.clear()
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

    def _hide_meta(self) -> None:
        self.meta_row.hide()
        self.notes_label.hide()

    def _on_searching_due(self) -> None:
        self._hide_meta()
        self.answer_text.show_note("Searching …")
        self.answer_shown.emit(None)

    def show_answer(self, view: AnswerView) -> None:
        """Show a new answer; it becomes the last of the conversation."""
        self._searching.stop()
        self._views.append(view)
        self._show_index(len(self._views) - 1)

    def show_failure(self, question: str, error: DesktopQaError) -> None:
        """Say why there is no answer; a stopped question gives way to the answer before it."""
        self._searching.stop()
        if isinstance(error, Cancelled) and self.view is not None:
            self._show_index(self._index)
            return
        self._show_question(question)
        self._hide_meta()
        self.answer_text.show_note(error.message, error.hint)
        self.answer_shown.emit(None)

    def _show_index(self, index: int) -> None:
        self._index = index
        self._update_buttons()
        view = self.view
        if view is None:
            self.question_label.clear()
            self.answer_text.show_note("")
            self._hide_meta()
            self.answer_shown.emit(None)
            return
        self._show_question(view.answer.question)
        tips = {e.marker: tool_tip(e) for e in view.evidence if e.is_cited}
        answer = view.answer
        self.answer_text.show_answer(
            text_with_readings(answer), markers_of(answer), tips, answer.readings
        )
        self.meta_label.setText(meta_html(view.answer, self._theme))
        words = ", ".join(map(html.escape, view.answer.also_searched))
        self.meta_label.setToolTip(f"<p>Also searched: {words}</p>" if words else "")
        self.meta_row.show()
        show_breakable(self.notes_label, "\n".join(view.answer.notes))
        self.notes_label.setVisible(bool(view.answer.notes))
        self.answer_shown.emit(view)

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
        self.copy_button.setText("Copied")
        QTimer.singleShot(_COPIED_SHOWN_MS, self.copy_button, self._on_copied_seen)

    def _on_copied_seen(self) -> None:
        self.copy_button.setText("Copy")

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw text, chips and icons in other colours."""
        self._theme = theme
        active = self.answer_text.active_marker
        self.answer_text.apply_theme(theme, sizes)
        self.answer_text.set_active_marker(active)
        buttons = {
            self.copy_button: "copy",
            self.back_button: "back",
            self.forward_button: "forward",
            self.history_button: "history",
        }
        for button, name in buttons.items():
            button.setIcon(themes.icon(name, theme.dim, theme.line))
        view = self.view
        if view is not None:
            self.meta_label.setText(meta_html(view.answer, theme))


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
    elif n_all:
        parts.append(f"{n_all} {'document' if n_all == 1 else 'documents'} searched")
    if answer.scope:
        shown = answer.scope[:_MAX_SCOPE_SHOWN]
        names = [html.escape(shortened(name, _MAX_SCOPE_CHARACTERS)) for name in shown]
        more = len(answer.scope) - len(names)
        tail = f" and {more} more" if more else ""
        parts.append(f"only {', '.join(names)}{tail}")
    return " &nbsp;·&nbsp; ".join(parts)
