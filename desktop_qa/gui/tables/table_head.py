"""The header rows of a large table: they stay in sight while the others scroll below them."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableView,
    QWidget,
)


class Grid(QTableView):
    """What a table and its fixed header rows have in common."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setMinimumSectionSize(8)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)


class FixedHead(Grid):
    """The first rows of a table's model once more, over the table; the mouse goes through it."""

    def __init__(self, table: Grid, delegate: QAbstractItemDelegate) -> None:
        super().__init__(table)
        self._table = table
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(delegate)
        self.hide()

    def lie_over(self, height: int) -> None:
        """Show so many pixels of rows; none when there are none, or they would hide the rest."""
        is_wanted = 0 < height < self._table.height() // 2
        self.setVisible(is_wanted)
        if is_wanted:
            self.setGeometry(QRect(0, 0, self._table.viewport().width(), height))
            self.follow()
            self.raise_()

    def follow(self) -> None:
        """Scroll sideways with the table."""
        if self.isVisible():
            self.horizontalScrollBar().setValue(self._table.horizontalScrollBar().value())
