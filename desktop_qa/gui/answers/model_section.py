"""What a language model says, above the answer from the documents."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import show_breakable
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_DRAWN_EVERY_MS = 50
_TOLD_EVERY_MS = 500
_ARROWS = {True: Qt.ArrowType.DownArrow, False: Qt.ArrowType.RightArrow}


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

        Args:
            said: So far, or in the end.
            view: The answer from the documents, whose markers it uses.
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
