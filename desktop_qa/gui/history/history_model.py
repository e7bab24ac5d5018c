"""Earlier questions as a list model: newest first, a line for each day, page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_qa.core.history import HistoryItem, HistoryPage
from desktop_qa.gui.widgets.history_days import day_label, day_of, spoken

_Index = QModelIndex | QPersistentModelIndex


class HistoryRole(IntEnum):
    """What the delegate reads of a row."""

    ITEM = Qt.ItemDataRole.UserRole + 1


class HistoryModel(QAbstractListModel):
    """Holds the pages that have come; a view that reaches their end asks for the next.

    Attributes:
        more_wanted: With the offset of the page to come.
    """

    more_wanted = Signal(int)

    def __init__(
        self, parent: QObject | None = None, today: Callable[[], date] | None = None
    ) -> None:
        super().__init__(parent)
        self._today = today or date.today
        self._rows: list[str | HistoryItem] = []
        self._items: list[HistoryItem] = []
        self._is_waiting = False
        self.total = 0
        self.query = ""

    @property
    def items(self) -> tuple[HistoryItem, ...]:
        """The questions that have come, newest first."""
        return tuple(self._items)

    def show_page(self, page: HistoryPage) -> None:
        """Take a page: the first replaces all, the next of the same query goes below."""
        self._is_waiting = False
        if page.offset == 0:
            self.beginResetModel()
            self.total, self.query = page.total, page.query
            self._items = list(page.items)
            self._rows = self._rows_of(page.items, None)
            self.endResetModel()
            return
        if page.query != self.query or page.offset != len(self._items):
            return
        last = day_of(self._items[-1].asked_at) if self._items else None
        rows = self._rows_of(page.items, last)
        self.total = page.total
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._rows += rows
            self._items += page.items
            self.endInsertRows()

    def clear(self) -> None:
        """Hold nothing: another library is opened."""
        self.show_page(HistoryPage("", (), 0, 0))

    def _rows_of(
        self, items: Sequence[HistoryItem], day_before: date | None
    ) -> list[str | HistoryItem]:
        rows: list[str | HistoryItem] = []
        for item in items:
            day = day_of(item.asked_at)
            if day != day_before:
                rows.append(day_label(day, self._today()))
                day_before = day
            rows.append(item)
        return rows

    def index_of(self, history_id: int) -> QModelIndex:
        """Return the row of a question, an invalid one when it is not there."""
        for row, content in enumerate(self._rows):
            if isinstance(content, HistoryItem) and content.id == history_id:
                return self.index(row)
        return QModelIndex()

    def first_item(self, row: int = 0) -> QModelIndex:
        """Return the first question from a row on, else the last one before it."""
        wanted = (
            *range(max(row, 0), len(self._rows)),
            *range(min(row, len(self._rows)) - 1, -1, -1),
        )
        for candidate in wanted:
            if isinstance(self._rows[candidate], HistoryItem):
                return self.index(candidate)
        return QModelIndex()

    # What Qt asks

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of days and questions."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a row shows."""
        if not 0 <= index.row() < len(self._rows):
            return None
        content = self._rows[index.row()]
        if role == HistoryRole.ITEM:
            return content if isinstance(content, HistoryItem) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return content.question if isinstance(content, HistoryItem) else content
        if isinstance(content, HistoryItem):
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return spoken(content)
            if role == Qt.ItemDataRole.ToolTipRole:
                return content.question
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Let arrows pass over the days."""
        if index.isValid() and isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def canFetchMore(self, parent: _Index) -> bool:
        """Tell whether there is a page that has not come."""
        return not parent.isValid() and not self._is_waiting and len(self._items) < self.total

    def fetchMore(self, parent: _Index) -> None:
        """Ask for the next page."""
        if self.canFetchMore(parent):
            self._is_waiting = True
            self.more_wanted.emit(len(self._items))

    def forget_wait(self) -> None:
        """Let the next page be asked for again: it did not come."""
        self._is_waiting = False
