"""The fields that questions are typed in: plain text that grows with its lines."""

from __future__ import annotations

import math

from PySide6.QtCore import QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QSizePolicy, QToolButton, QWidget

from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.dialog_parts import child
from desktop_qa.gui.widgets.theme import tint

_LEAST_LINES = 2
_SPARE_PX = 1
"""Qt wants this much more than the text is high, or lets its first line be scrolled away."""
MAX_CHARACTERS = 80_000
"""Ten thousand words; a key pressed in a megabyte of text took half a second."""
_MOST_SHOWN = 400


class QuestionEdit(QPlainTextEdit):
    """Enter submits, Shift+Enter breaks the line, Up and Down in an empty box recall.

    Attributes:
        most_lines: It shows so many while nobody says how much room there is.
        submitted: Enter was pressed.
        recall_requested: With -1 for the question before, 1 for the one after.
        focus_changed: With whether the box has the keyboard.
        paste_cut: Only the beginning of what was pasted has room.
        typed: The user changed the text by keys.
        erased_in_front: Backspace was pressed with nothing before the caret.
    """

    submitted = Signal()
    recall_requested = Signal(int)
    focus_changed = Signal(bool)
    paste_cut = Signal()
    typed = Signal()
    erased_in_front = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recalled = ""
        self.most_lines = 5
        self._most_px: int | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.textChanged.connect(self.fit)

    def set_most(self, height_px: int) -> None:
        """Grow up to a height."""
        self._most_px = height_px
        self.fit()

    @property
    def _around_px(self) -> int:
        """What the frame, the style sheet's padding and the document's margin take."""
        frame = self.height() - self.viewport().height()
        return frame + 2 * math.ceil(self.document().documentMargin()) + _SPARE_PX

    @property
    def _most_text_px(self) -> int:
        """So much text is shown before it scrolls."""
        line = self.fontMetrics().lineSpacing()
        if self._most_px is None:
            return self.most_lines * line
        return max((self._most_px - self._around_px) // line, _LEAST_LINES) * line

    def _text_px(self, most_px: int) -> int:
        """Return the height of the lines, wrapped ones counted; more than the most is enough.

        Lines differ: those with an emoji or another script are higher.
        """
        layout, total = self.document().documentLayout(), 0.0
        block = self.document().firstBlock()
        while block.isValid() and total <= most_px:
            layout.blockBoundingRect(block)  # breaks the lines of what was only now put in
            lines = block.layout()
            for index in range(lines.lineCount()):
                total += lines.lineAt(index).height()
                if total > most_px:
                    break
            block = block.next()
        return max(math.ceil(total), self.fontMetrics().lineSpacing())

    def fit(self) -> None:
        """Follow the lines, as far as there is room."""
        most_px = self._most_text_px
        text_px = self._text_px(most_px)
        on, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if text_px > most_px else off)
        height = min(text_px, most_px) + self._around_px
        if height != self.height():
            self.setFixedHeight(height)
            self.ensureCursorVisible()
        if text_px <= most_px:
            # Qt keeps the line that was on top before the text became short, and shows nothing.
            self.verticalScrollBar().setValue(0)
            self.scrollContentsBy(0, 0)

    def sizeHint(self) -> QSize:
        """Return the height of one line."""
        return QSize(200, self.fontMetrics().lineSpacing() + self._around_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Count the lines anew."""
        super().resizeEvent(event)
        self.fit()

    def replace_text(self, text: str) -> None:
        """Put another text in place of the whole, the caret behind it; Undo brings the old back."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def replace_range(self, start: int, end: int, text: str) -> None:
        """Put a text in place of some characters; Undo brings them back."""
        cursor = self.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    @property
    def caret(self) -> int:
        """Characters before the caret."""
        return self.textCursor().position()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Submit, recall, or type."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        text, cursor = self.toPlainText(), self.textCursor()
        # A recalled question that was not touched counts as empty: Up goes on to the one before.
        may_recall = not text or text == self.recalled
        if is_enter and not is_shifted:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Up and may_recall:
            self.recall_requested.emit(-1)
        elif event.key() == Qt.Key.Key_Down and may_recall:
            self.recall_requested.emit(1)
        elif event.key() == Qt.Key.Key_Backspace and cursor.atStart() and not cursor.hasSelection():
            self.erased_in_front.emit()
        else:
            super().keyPressEvent(event)
            if self.toPlainText() != text:
                self.typed.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Type by an input method."""
        super().inputMethodEvent(event)
        if event.commitString():
            self.typed.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Leave dropped files to the window, which makes a library of them."""
        return not source.hasUrls() and (source.hasText() or source.hasHtml())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take in as much of what is pasted as a line break can be found in without a stall."""
        text = source.text()
        if not text and source.hasHtml():
            text = QTextDocumentFragment.fromHtml(source.html()).toPlainText()
        cursor = self.textCursor()
        n_selected = cursor.selectionEnd() - cursor.selectionStart()
        n_kept = self.document().characterCount() - 1 - n_selected
        room = max(MAX_CHARACTERS - n_kept, 0)
        plain = QMimeData()
        plain.setText(text[:room])
        super().insertFromMimeData(plain)
        if len(text) > room:
            self.paste_cut.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame to show the focus."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame to leave the focus."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)


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
        self.editor = child(panel, QuestionEdit, "question_editor")
        self.edit_button = child(panel, QToolButton, "edit_button")
        self.again_button = child(panel, QToolButton, "again_button")
        for button, icon in ((self.edit_button, "edit"), (self.again_button, "refresh")):
            tint(button, icon, "dim", "faint")
        self._question = ""
        self.editor.most_lines = 6
        self.editor.document().setDocumentMargin(4)
        self.editor.hide()
        self.edit_button.clicked.connect(self.edit)
        self.editor.submitted.connect(self._on_asked)
        on_keys(self.editor, {"Esc": self.leave})
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
