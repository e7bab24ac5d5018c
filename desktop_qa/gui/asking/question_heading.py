"""The question over its answer: read, edited in its place, asked again."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop_qa.gui.asking.question_edit import QuestionEdit
from desktop_qa.gui.focus_order import keeps_escape
from desktop_qa.gui.widgets.forms import child
from desktop_qa.gui.widgets.theme import tint

_MOST_SHOWN = 400


class HeadingEdit(QuestionEdit):
    """Submitted by Enter too; Escape takes back.

    Attributes:
        left: Escape was pressed.
    """

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.most_lines = 6
        self.document().setDocumentMargin(4)
        self.hide()

    def event(self, event: QEvent) -> bool:
        """Keep Escape from stopping a question."""
        return keeps_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back, submit or type."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class QuestionHeading(QObject):
    """Keeps the label, the editor and the buttons of one question together.

    Attributes:
        edited: With the question as it was edited; it is to be asked.
        editing_ended: The editor is gone: the keyboard belongs elsewhere.
    """

    edited = Signal(str)
    editing_ended = Signal()

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self.label = child(panel, QLabel, "question_label")
        self.editor = child(panel, HeadingEdit, "question_editor")
        self.edit_button = child(panel, QToolButton, "edit_button")
        self.again_button = child(panel, QToolButton, "again_button")
        for button, icon in ((self.edit_button, "edit"), (self.again_button, "refresh")):
            tint(button, icon, "dim", "faint")
        self._question = ""
        self.edit_button.clicked.connect(self.edit)
        self.editor.submitted.connect(self._on_asked)
        self.editor.left.connect(self.leave)
        self.show_question("")

    def show_question(self, question: str, *, is_done: bool = False) -> None:
        """Show a question; of a pasted page its beginning says which one it was.

        Args:
            question: Whole; empty for none.
            is_done: It was answered or failed, so it can be edited and asked again.
        """
        if question != self._question:
            self._close()
        self._question = question
        short = question
        if len(question) > _MOST_SHOWN:
            short = question[: _MOST_SHOWN - 1].rstrip() + "…"
        self.label.setText(short)
        self.edit_button.setVisible(is_done and bool(question))
        self.again_button.setVisible(is_done and bool(question))

    def edit(self) -> None:
        """Put the question into the editor."""
        if not self._question or not self.editor.isHidden():
            return
        self.editor.setPlainText(self._question)
        self.label.hide()
        self.editor.show()
        self.editor.fit()
        self.editor.selectAll()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Take the editing back."""
        self._close()
        self.editing_ended.emit()

    def _close(self) -> None:
        self.editor.hide()
        self.label.show()

    def _on_asked(self) -> None:
        question = self.editor.toPlainText().strip()
        if question:
            self._close()
            self.edited.emit(question)
            self.editing_ended.emit()
