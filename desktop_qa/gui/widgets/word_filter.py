"""Rows narrowed by words: the field that they are typed in, and the filter that keeps rows."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QRegularExpression,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QWidget

from desktop_qa.gui.focus_order import keeps_escape

WORDS_ROLE = Qt.ItemDataRole.UserRole + 2
"""What is looked for words in, folded; headings have none."""


class WordFilter(QSortFilterProxyModel):
    """Keeps the rows that hold every word, and those that they stand under."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setFilterRole(WORDS_ROLE)
        self.setRecursiveFilteringEnabled(True)
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Set what must stand in a row."""
        words = map(QRegularExpression.escape, text.casefold().split())
        all_of = "".join(f"(?=.*{word})" for word in words)
        self.setFilterRegularExpression(f"(?s)^{all_of}.")

    def first_hit(self) -> QModelIndex:
        """Return the first row that holds the words itself."""
        words, flag = self.filterRegularExpression(), Qt.MatchFlag
        flags = flag.MatchRegularExpression | flag.MatchRecursive
        hits = self.match(self.index(0, 0), WORDS_ROLE, words, 1, flags)
        return hits[0] if hits else QModelIndex()


class FilterEdit(QLineEdit):
    """A field for words, with a name that is spoken.

    Over rows that they narrow Escape takes the words away, and Down leads to the rows.
    """

    def __init__(
        self,
        name: str,
        placeholder: str,
        rows: QAbstractItemView | None = None,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows = rows
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        # Files dropped here are the window's, not text for the filter.
        self.setAcceptDrops(False)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the menus while there are words that it takes away."""
        takes_escape = self.rows is not None and bool(self.text())
        return (takes_escape and keeps_escape(event)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the words away, or go on in the rows."""
        key = event.key()
        if self.rows is not None and key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif self.rows is not None and key == Qt.Key.Key_Down:
            self.enter_rows()
        else:
            super().keyPressEvent(event)

    def enter_rows(self) -> None:
        """Go on in the rows, at the first one if there is no current one."""
        if self.rows is not None:
            self.rows.setFocus(Qt.FocusReason.TabFocusReason)
            if not self.rows.currentIndex().isValid():
                first = QAbstractItemView.CursorAction.MoveNext
                row = self.rows.moveCursor(first, Qt.KeyboardModifier.NoModifier)
                self.rows.setCurrentIndex(row)
