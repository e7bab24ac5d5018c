"""The outline of a document as a tree that can be filtered, without an object for each entry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_qa.core.document import Provenance
from desktop_qa.gui.widgets.plain_tip import plain_tip

_Index = QModelIndex | QPersistentModelIndex
PAGE_ROLE = Qt.ItemDataRole.UserRole + 1
IS_CURRENT_ROLE = Qt.ItemDataRole.UserRole + 2
_NONE = QModelIndex()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A chapter.

    Attributes:
        parent: Index of the entry that it stands under, -1 for none; always a smaller one.
        page_no: 1-based; None when it leads nowhere in this document.
        top: Height on the page in points; None for the page as a whole.
        places: Of the heading itself, when they are known.
        page_label: What its page is called.
    """

    title: str
    parent: int
    page_no: int | None
    top: float | None = None
    places: tuple[Provenance, ...] = ()
    page_label: str = ""


class OutlineModel(QAbstractItemModel):
    """Entries under their parents; of a filter, those that hold all words and what is over them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[OutlineEntry, ...] = ()
        self._children: dict[int, list[int]] = {}
        self._rows: dict[int, int] = {}
        self._found: set[int] = set()
        self._reading: list[tuple[tuple[int, float], int]] = []
        self._current = -1
        self.words = ""

    @property
    def entries(self) -> tuple[OutlineEntry, ...]:
        """All entries, filtered or not."""
        return self._entries

    @property
    def n_found(self) -> int:
        """Entries that hold the words of the filter."""
        return len(self._found)

    def show(self, entries: Sequence[OutlineEntry]) -> None:
        """Show the outline of another document."""
        self._entries = tuple(entries)
        self._current = -1
        reading = [
            ((entry.page_no, entry.top if entry.top is not None else 0.0), number)
            for number, entry in enumerate(self._entries)
            if entry.page_no is not None
        ]
        # Of entries at one place the last one is the innermost.
        self._reading = sorted(reading)
        self._rebuild()

    def filter(self, words: str) -> None:
        """Show only entries whose titles hold all words, in any case; empty shows all."""
        self.words = words
        self._rebuild()

    def _rebuild(self) -> None:
        wanted = self.words.casefold().split()
        self.beginResetModel()
        self._found = {
            number
            for number, entry in enumerate(self._entries)
            if all(word in entry.title.casefold() for word in wanted)
        }
        shown = set(self._found)
        for number in self._found if wanted else ():
            parent = self._entries[number].parent
            while parent >= 0 and parent not in shown:
                shown.add(parent)
                parent = self._entries[parent].parent
        self._children = {}
        self._rows = {}
        for number in sorted(shown):
            siblings = self._children.setdefault(self._entries[number].parent, [])
            self._rows[number] = len(siblings)
            siblings.append(number)
        self.endResetModel()

    # Where it is read

    @property
    def current(self) -> int:
        """Number of the entry that is read, -1 for none."""
        return self._current

    def set_reading(self, page_no: int, y: float) -> bool:
        """Mark the chapter that is read at a height of a page; True when it is another one."""
        at = bisect_right(self._reading, ((page_no, y + 1.0), len(self._entries)))
        current = self._reading[at - 1][1] if at else -1
        if current == self._current:
            return False
        before, self._current = self._current, current
        for number in (before, current):
            index = self.index_of(number)
            if index.isValid():
                self.dataChanged.emit(index, index)
        return True

    def number_of(self, index: _Index) -> int:
        """Return the number of the entry at an index, -1 for none."""
        return int(index.internalId()) if index.isValid() else -1

    def index_of(self, number: int) -> QModelIndex:
        """Return where an entry stands; invalid when the filter leaves it out."""
        row = self._rows.get(number)
        return QModelIndex() if row is None else self.createIndex(row, 0, number)

    # What Qt asks

    def index(self, row: int, column: int, parent: _Index = _NONE) -> QModelIndex:
        """Return the index of a child."""
        siblings = self._children.get(self.number_of(parent), [])
        if column != 0 or not 0 <= row < len(siblings):
            return QModelIndex()
        return self.createIndex(row, 0, siblings[row])

    def parent(self, index: _Index = _NONE) -> QModelIndex:  # type: ignore[override]
        """Return the index of the entry over one."""
        number = self.number_of(index)
        return QModelIndex() if number < 0 else self.index_of(self._entries[number].parent)

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Return how many entries stand under one."""
        return len(self._children.get(self.number_of(parent), ()))

    def columnCount(self, parent: _Index = _NONE) -> int:
        """One."""
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return title, page, tool tip, or whether it is read now."""
        number = self.number_of(index)
        if number < 0:
            return None
        entry = self._entries[number]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == PAGE_ROLE:
            return entry.page_label or (str(entry.page_no) if entry.page_no else "")
        if role == IS_CURRENT_ROLE:
            return number == self._current
        if role == Qt.ItemDataRole.ToolTipRole:
            page = f"\nPage {self.data(index, PAGE_ROLE)}" if entry.page_no else ""
            return plain_tip(f"{entry.title}{page}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.title}, page {entry.page_no}" if entry.page_no else entry.title
        return None
