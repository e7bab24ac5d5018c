"""Finding words in a text: the line with the words, and how many there are."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from desktop_qa.gui.glyph_button import Glyph, GlyphButton


class FindBar(QFrame):
    """Searches the text edit it is given.

    Attributes:
        closed: By Escape or its button.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._edit: QTextEdit | QPlainTextEdit | None = None
        self.words_edit = QLineEdit()
        self.words_edit.setObjectName("find_edit")
        self.words_edit.setPlaceholderText("Find in this document …")
        self.words_edit.setAccessibleName("Find in this document")
        self.words_edit.setClearButtonEnabled(True)
        self.count_label = QLabel()
        self.count_label.setObjectName("count_label")
        self.previous_button = GlyphButton(Glyph.PREVIOUS, "Previous", "Shift+Enter")
        self.next_button = GlyphButton(Glyph.NEXT, "Next", "Enter")
        self.close_button = GlyphButton(Glyph.CLOSE, "Close", "Esc")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 5, 8, 5)
        line.setSpacing(4)
        line.addWidget(self.words_edit, 1)
        line.addSpacing(4)
        line.addWidget(self.count_label)
        line.addSpacing(4)
        for button in (self.previous_button, self.next_button, self.close_button):
            line.addWidget(button)
        self.words_edit.textChanged.connect(self._on_words_changed)
        self.previous_button.clicked.connect(lambda: self.search(backwards=True))
        self.next_button.clicked.connect(lambda: self.search())
        self.close_button.clicked.connect(self.closed)

    def search_in(self, edit: QTextEdit | QPlainTextEdit) -> None:
        """Take another text; its selection is where the search begins."""
        self._edit = edit
        self._count()

    def begin(self) -> None:
        """Show the line, with the selected word in it."""
        self.show()
        selected = self._edit.textCursor().selectedText() if self._edit is not None else ""
        if selected and "\u2029" not in selected:
            self.words_edit.setText(selected)
        self.words_edit.setFocus()
        self.words_edit.selectAll()

    def _on_words_changed(self, _text: str) -> None:
        if self._edit is not None:
            # From where the last find began, so that it stays while the word grows.
            cursor = self._edit.textCursor()
            cursor.setPosition(cursor.selectionStart())
            self._edit.setTextCursor(cursor)
            self.search()

    def search(self, *, backwards: bool = False) -> bool:
        """Go to the next place that holds the words, from the other end after the last."""
        edit, words = self._edit, self.words_edit.text()
        if edit is None or not words:
            self._count()
            return False
        flags = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
        found = edit.find(words, flags)
        if not found:
            end = QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start
            before = edit.textCursor()
            edit.moveCursor(end)
            found = edit.find(words, flags)
            if not found:
                edit.setTextCursor(before)
        self._count()
        return found

    def _count(self) -> None:
        words = self.words_edit.text().casefold()
        if self._edit is None or not words:
            self.count_label.clear()
            return
        text = self._edit.toPlainText().casefold()
        total = text.count(words)
        cursor = self._edit.textCursor()
        if not cursor.hasSelection() or not total:
            self.count_label.setText(str(total) if total else "Not found")
            return
        place = text.count(words, 0, cursor.selectionStart()) + 1
        self.count_label.setText(f"{place} of {total}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search on by Enter, leave by Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.search(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
