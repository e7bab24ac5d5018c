"""The places that a search found, as rows of a list that grows while it is scrolled."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_qa.core.search_view import SearchHit, SearchPage
from desktop_qa.core.segment import SegmentKind

KIND_WORDS = {
    SegmentKind.TEXT: "text",
    SegmentKind.TABLE: "table",
    SegmentKind.FIGURE: "figure",
}


class SearchRole(IntEnum):
    """What a row holds beside its words."""

    HIT = Qt.ItemDataRole.UserRole + 1


class SearchModel(QAbstractListModel):
    """Hits in the order in which they were found.

    Attributes:
        more_wanted: With how many there are: the list was scrolled to its end.
    """

    more_wanted = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[SearchHit] = []
        self._n_found = 0
        self._is_exact = True
        self._is_waiting = False

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        """The rows."""
        return tuple(self._hits)

    def show(self, page: SearchPage | None) -> None:
        """Show the first places of another search, or none."""
        self.beginResetModel()
        self._hits = list(page.hits) if page is not None else []
        self._take_counts(page)
        self.endResetModel()

    def append(self, page: SearchPage) -> None:
        """Add the places that follow."""
        first = len(self._hits)
        self._is_waiting = False
        if page.request.offset == first and page.hits:
            self.beginInsertRows(QModelIndex(), first, first + len(page.hits) - 1)
            self._hits += page.hits
            self._take_counts(page)
            self.endInsertRows()
        else:
            self._take_counts(page)

    def give_up_waiting(self) -> None:
        """Let the places that follow be asked for again: they did not come."""
        self._is_waiting = False

    def _take_counts(self, page: SearchPage | None) -> None:
        self._n_found = page.n_found if page is not None else 0
        self._is_exact = page is None or page.is_exact
        self._is_waiting = False
        if page is not None and not page.hits:
            # Places that left the library meanwhile are counted and cannot be shown.
            self._n_found, self._is_exact = len(self._hits), True

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return how many are here."""
        return 0 if parent.isValid() else len(self._hits)

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> bool:
        """Tell whether there are places that are not here yet."""
        is_more = len(self._hits) < self._n_found or not self._is_exact
        return not parent.isValid() and bool(self._hits) and is_more and not self._is_waiting

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> None:
        """Ask for the places that follow."""
        if self.canFetchMore(parent):
            self._is_waiting = True
            self.more_wanted.emit(len(self._hits))

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return what a row says."""
        if not index.isValid() or index.row() >= len(self._hits):
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.snippet
        if role == SearchRole.HIT:
            return hit
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(hit)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(hit)
        return None


def name_of(hit: SearchHit) -> str:
    """Return the name of a hit's file without folders and ending."""
    name = hit.file.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name else name


def spoken(hit: SearchHit) -> str:
    """Return a row for those who hear it."""
    page = f"page {hit.page_no}" if hit.page_no else ""
    parts = (name_of(hit), page, KIND_WORDS[hit.kind], hit.heading, hit.snippet)
    return ", ".join(part for part in parts if part)


def tool_tip(hit: SearchHit) -> str:
    """Return what a row has no room for."""
    lines = (hit.title, hit.heading, hit.caption, hit.file)
    score = f"Score {hit.score:.2f}" if hit.score else ""
    return "\n".join(line for line in (*lines, score) if line)
