"""Rows of a list: the model that holds them, and what measures and themes the drawing of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The row itself."""

Index = QModelIndex | QPersistentModelIndex
_LEAST_WIDTH_PX = 80
_MAX_SIZES = 20_000


def set_up_rows(view: QAbstractItemView, name: str, spoken: str) -> None:
    """Let a list or a tree be read: no frame, no editing, rows under the pointer lit."""
    view.setObjectName(name)
    view.setAccessibleName(spoken)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setMouseTracking(True)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class RowsModel(QAbstractListModel):
    """Rows in their order, all at once or page by page while the list is scrolled."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Any, ...] = ()
        self._is_waiting = False

    def show(self, rows: Sequence[Any]) -> None:
        """Hold other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def append(self, rows: Sequence[Any]) -> None:
        """Hold the rows that follow, too."""
        if rows:
            first = len(self.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self.rows = (*self.rows, *rows)
            self.endInsertRows()

    def words(self, row: Any, role: int) -> object:
        """Return what a row shows, how it is heard, or its tip."""
        raise NotImplementedError

    def is_head(self, row: Any) -> bool:
        """Tell whether a row names those below it: arrows pass over it."""
        return False

    @property
    def has_more(self) -> bool:
        """True when there are rows that have not come."""
        return False

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        """Return how many rows have come."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row, or what it says."""
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        return row if role == ROW_ROLE else self.words(row, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let all rows be chosen but heads."""
        if index.isValid() and self.is_head(self.rows[index.row()]):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def canFetchMore(self, parent: Index) -> bool:
        """Tell whether rows may be asked for that have not come."""
        return not parent.isValid() and not self._is_waiting and self.has_more

    def fetchMore(self, parent: Index) -> None:
        """Ask for the rows that follow."""
        if self.canFetchMore(parent):
            self._is_waiting = True
            self.more_wanted.emit()

    def forget_wait(self) -> None:
        """Let the rows that follow be asked for again: they came, or will not."""
        self._is_waiting = False


class RowPainter(QStyledItemDelegate):
    """Draws rows by hand, smoothly."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a row, and leave the painter as it was."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, option, index, QRectF(option.rect))
        painter.restore()

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, place: QRectF
    ) -> None:
        """Draw a row at its place."""
        raise NotImplementedError


class RowsDelegate(RowPainter):
    """Draws rows in the colours of the window; their height depends on the width of the list."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._sizes: dict[object, QSize] = {}
        self._width = 0

    def key_of(self, row: Any) -> object:
        """Return what rows have in common that are equally high."""
        raise NotImplementedError

    def height_of(self, row: Any, font: QFont, width: int) -> float:
        """Return how high a row is in a list of a width."""
        raise NotImplementedError

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row at the width of the list."""
        # A list asks for all its rows whenever one is added; measuring takes 0.16 ms for each.
        width = self._view.viewport().width()
        if width != self._width or len(self._sizes) > _MAX_SIZES:
            self._sizes.clear()
            self._width = width
        row = index.data(ROW_ROLE)
        key = self.key_of(row)
        size = self._sizes.get(key)
        if size is None:
            height = self.height_of(row, option.font, width)
            size = self._sizes[key] = QSize(_LEAST_WIDTH_PX, round(height))
        return size
