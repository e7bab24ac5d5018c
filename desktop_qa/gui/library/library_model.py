"""The rows of the library's panel as Qt wants them: a flat list of headings and documents.

A flat list, not a tree: a tree view asks Python for every row of an open group whenever something
is typed or a document changes, which takes 30 ms for 5000 documents; a list is asked for what is
on the screen. What is folded is simply not among the rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.library_order import GroupBy, LibraryOrder, Row
from desktop_qa.gui.library.library_words import (
    NOT_READ_YET,
    OTHER_FILES,
    describe,
    describe_row,
    explain,
)
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry, vendor_entry
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsModel
from desktop_qa.retrieve.scope import select, vendor_pattern

MIME_TYPE = "application/x-desktop-qa-scope"
PREFERRED_ROLE = ROW_ROLE + 1
"""Whether a document or vendor is a preferred source."""

_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


@dataclass(frozen=True, slots=True)
class Dragged:
    """What is dragged.

    Attributes:
        document_ids: The documents that were taken hold of themselves, not those of a group.
        entries: Each of them and each group, as patterns of `retrieve.scope` with their names.
    """

    document_ids: tuple[DocumentId, ...]
    entries: tuple[ScopeEntry, ...]


def mime_of(
    statuses: Iterable[DocumentStatus], groups: Iterable[ScopeEntry] = ()
) -> QMimeData | None:
    """Return the data of a drag, None when there is nothing to drag.

    Args:
        statuses: Documents of the library.
        groups: Vendors and folders, from `scope_model.vendor_entry` and its like.
    """
    documents = tuple(statuses)
    entries = [*groups, *(document_entry(status) for status in documents)]
    if not entries:
        return None
    content = {
        "documents": [status.document_id for status in documents],
        "entries": [[entry.pattern, entry.label] for entry in entries],
    }
    data = QMimeData()
    data.setData(MIME_TYPE, json.dumps(content).encode())
    return data


def dragged(data: QMimeData) -> Dragged | None:
    """Return what is dragged from a library's list, None when it is something else."""
    if not data.hasFormat(MIME_TYPE):
        return None
    try:
        content = json.loads(bytes(data.data(MIME_TYPE).data()))
        entries = tuple(
            ScopeEntry(str(pattern), str(label)) for pattern, label in content["entries"]
        )
        ids = tuple(DocumentId(str(one)) for one in content["documents"])
    except (ValueError, TypeError, KeyError):
        return None
    return Dragged(ids, entries)


class LibraryModel(RowsModel):
    """Shows the rows of a `LibraryOrder`; selection and current row stay with their documents.

    Attributes:
        order: The documents.
        patterns: Of the preferred sources, as `retrieve.scope` reads them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order = LibraryOrder()
        self._numbers: dict[str, int] | None = None
        self.patterns: tuple[str, ...] = ()
        self._preferred: set[DocumentId] = set()
        self._preferred_vendors: set[str] = set()

    @property
    def n_documents(self) -> int:
        """Documents in the library, listed or not."""
        return len(self.order)

    def row_at(self, index: Index) -> Row | None:
        """Return a row, None where there is none."""
        number = index.row()
        return self.rows[number] if index.isValid() and number < len(self.rows) else None

    def index_of(self, key: str) -> QModelIndex:
        """Return the place of a heading or document, invalid when it is not to be seen."""
        if self._numbers is None:
            self._numbers = {row.key: number for number, row in enumerate(self.rows)}
        number = self._numbers.get(key)
        return self.index(number) if number is not None else QModelIndex()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Documents and headings can be selected and dragged."""
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return what is dragged: documents, and vendors whose headings are taken hold of."""
        rows = [row for row in map(self.row_at, indexes) if row is not None]
        statuses = [row.entry.status for row in rows if row.entry is not None]
        groups = [vendor_entry(row.heading) for row in rows if self.is_vendor(row)]
        return mime_of(statuses, groups) or QMimeData()

    def is_vendor(self, row: Row) -> bool:
        """Tell whether a row is the heading of a vendor's documents."""
        return self._has_vendors and row.heading not in ("", OTHER_FILES, NOT_READ_YET)

    def words(self, row: Row, role: int) -> object:
        """Return what a row shows, or says to those who cannot see it."""
        if row.entry is None:
            return self._heading_words(row, role)
        status = row.entry.status
        if role == Qt.ItemDataRole.DisplayRole:
            return row.entry.name
        if role == PREFERRED_ROLE:
            return status.document_id in self._preferred
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = describe(status)
            return f"{tip}\nPreferred source" if status.document_id in self._preferred else tip
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return explain(status)
        return None

    def _heading_words(self, row: Row, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return row.heading
        if role == PREFERRED_ROLE:
            return row.heading in self._preferred_vendors and self._has_vendors
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.heading}\n{n_of(row.n_under, 'document')}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "expanded" if row.is_open else "collapsed"
            return f"{row.heading}, {n_of(row.n_under, 'document')}, {state}"
        return None

    def _spoken(self, row: Row) -> str:
        assert row.entry is not None
        words = describe_row(row.entry.status, row.entry.name)
        if row.is_older:
            words += ", older revision"
        elif row.n_under:
            older = n_of(row.n_under, "older revision")
            words += f", {older} {'shown' if row.is_open else 'folded'}"
        return f"{words}, preferred source" if row.key in self._preferred else words

    @property
    def _has_vendors(self) -> bool:
        return self.order.arrangement.group_by is GroupBy.VENDOR

    def replace(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Show another library; the rows come at the end, and others may work between the steps."""
        self.order.clear()
        self._take_rows()
        yield from self.order.load(statuses)
        self._take_rows()
        # What is preferred was told while the documents were still coming.
        self.mark_preferred(self.patterns)

    def update_statuses(
        self, changed: Iterable[DocumentStatus], removed: Iterable[DocumentId]
    ) -> bool:
        """Add, change, move and remove rows; False when there was nothing to do."""
        touched = self.order.update(changed, removed)
        if touched:
            self.follow(touched)
        return bool(touched)

    def reveal(self, document_id: DocumentId) -> QModelIndex:
        """Unfold what hides a document and return its row; invalid when it is filtered out."""
        index = self.index_of(document_id)
        if not index.isValid():
            self.order.reveal(document_id)
            self.follow()
            index = self.index_of(document_id)
        return index

    def _take_rows(self) -> None:
        self._numbers = None
        self.show(self.order.rows())

    def follow(self, touched: Iterable[DocumentId] = ()) -> None:
        """Show the rows as they are to be now: the order was told to narrow, arrange or fold."""
        before, after = self.rows, self.order.rows()
        if before is after:
            return
        if [row.key for row in before] == [row.key for row in after]:
            self.rows = after
            self._tell_changes(before, touched)
            return
        self.layoutAboutToBeChanged.emit()
        kept = [(index, before[index.row()].key) for index in self.persistentIndexList()]
        self.rows, self._numbers = after, None
        self.changePersistentIndexList(
            [index for index, _key in kept], [self.index_of(key) for _index, key in kept]
        )
        self.layoutChanged.emit()

    def _tell_changes(self, before: Sequence[Row], touched: Iterable[DocumentId]) -> None:
        """Have changed rows drawn again; those of headings when their count is another."""
        numbers = [self.index_of(key).row() for key in touched]
        numbers += [
            number
            for number, (old, new) in enumerate(zip(before, self.rows, strict=True))
            if old[2:] != new[2:]
        ]
        for number in numbers:
            if number >= 0:
                self.dataChanged.emit(self.index(number), self.index(number))

    def mark_preferred(self, patterns: Sequence[str]) -> None:
        """Mark the documents and vendors that are preferred sources."""
        self.patterns = tuple(patterns)
        documents: set[DocumentId] = set()
        starred: set[str] = set()
        if patterns:
            statuses = self.order.statuses
            # The star of a vendor stands for all of its documents.
            vendors = {vendor_pattern(s.vendor): s.vendor for s in statuses if s.vendor}
            own = [pattern for pattern in patterns if pattern not in vendors]
            documents = set(select(own, statuses).document_ids) if own else set()
            starred = {vendors[pattern] for pattern in patterns if pattern in vendors}
        if (documents, starred) == (self._preferred, self._preferred_vendors):
            return
        self._preferred, self._preferred_vendors = documents, starred
        if self.rows:
            # Qt then asks for the flags of every row on its way: 10 ms for 5000 of them, which
            # each document that changes while a library is indexed would cost.
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
