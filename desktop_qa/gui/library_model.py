"""The documents of a library as a tree of vendors, and the filter over it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from enum import IntEnum
from pathlib import PurePosixPath

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.retrieve.scope import select, vendor_pattern

OTHER_FILES = "Other files"
NOT_READ_YET = "Not read yet"
_EARLIER = "earlier"
_MAX_FAILED_PAGES_SHOWN = 12


class LibraryRole(IntEnum):
    """What a row holds beside its name."""

    STATUS = Qt.ItemDataRole.UserRole + 1
    PAGES = Qt.ItemDataRole.UserRole + 2
    STATE = Qt.ItemDataRole.UserRole + 3
    SORT = Qt.ItemDataRole.UserRole + 4
    FILTER = Qt.ItemDataRole.UserRole + 5
    PREFERRED = Qt.ItemDataRole.UserRole + 6


def needs_attention(status: DocumentStatus) -> bool:
    """Tell whether the user should look at a document: it failed or lacks pages."""
    return status.state in (DocumentState.FAILED, DocumentState.PARTIAL)


def group_of(status: DocumentStatus) -> str:
    """Return the heading a document stands under."""
    if status.vendor:
        return status.vendor
    return OTHER_FILES if status.state.is_final else NOT_READ_YET


def name_of(status: DocumentStatus) -> str:
    """Return the file's name without its ending and without the vendor that heads its group."""
    stem = PurePosixPath(status.file).stem
    prefix, separator, rest = stem.partition("_")
    if separator and rest and status.vendor:
        vendor = status.vendor.casefold()
        initials = "".join(word[0] for word in vendor.split())
        short = prefix.casefold()
        # "TI_" and "ADI_" for Texas Instruments and Analog Devices (Inc.).
        is_initials = len(initials) > 1 and short in (initials, f"{initials}i")
        if vendor.startswith(short) or is_initials:
            return rest
    return stem


def state_text(status: DocumentStatus) -> str:
    """Return the state as a word, with the page that is being read.

    A document that an earlier version read is "earlier".
    """
    if status.state is DocumentState.READING and status.n_pages_read:
        return f"reading {status.n_pages_read}"
    if status.stale and status.state is DocumentState.READY:
        return _EARLIER
    return "partly" if status.state is DocumentState.PARTIAL else status.state.value


def pages_text(status: DocumentStatus) -> str:
    """Return "49 p", "?" for a document whose pages nobody could count, else nothing yet."""
    if status.n_pages:
        return f"{status.n_pages} p"
    return "?" if status.state is DocumentState.FAILED else ""


def explain(status: DocumentStatus) -> str:
    """Return the sentences on a document's state: reason, pages that lack, what to do."""
    lines = [f"{status.reason} {status.hint}".strip()]
    lost = [failure.page_no for failure in status.page_failures if not failure.has_text]
    light = [failure.page_no for failure in status.page_failures if failure.has_text]
    lines += [_pages_line(lost, "not read"), _pages_line(light, "read without drawings")]
    if len(status.files) > 1:
        lines.append("The same file also stands at " + ", ".join(status.files[1:]) + ".")
    if status.stale:
        lines.append(_read_when(status))
    return "\n".join(line for line in lines if line)


def _pages_line(page_nos: Sequence[int], what: str) -> str:
    if not page_nos:
        return ""
    shown = ", ".join(map(str, page_nos[:_MAX_FAILED_PAGES_SHOWN]))
    more = len(page_nos) - _MAX_FAILED_PAGES_SHOWN
    tail = f" and {more} more" if more > 0 else ""
    return f"{'Page' if len(page_nos) == 1 else 'Pages'} {what}: {shown}{tail}."


def _read_when(status: DocumentStatus) -> str:
    """Return by which version a stale document was read, and when."""
    # The model's name is a long one, and hardly ever what has changed.
    versions = [part.strip() for part in status.read_by.split(";")][:2]
    by = f" ({', '.join(versions)})" if any(versions) else ""
    when = time.strftime("%d %B %Y", time.localtime(status.read_at)).lstrip("0")
    on = f" on {when}" if status.read_at else ""
    return f"Read by an earlier version{by}{on}. It is searched as it is; Read again renews it."


def describe(status: DocumentStatus) -> str:
    """Return the tool tip of a document, as plain text."""
    counts = (
        (status.n_pages, "page", "pages"),
        (status.n_tables, "table", "tables"),
        (status.n_figures, "figure", "figures"),
    )
    numbers = ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)
    lines = [status.file, status.title, numbers, state_text(status).capitalize(), explain(status)]
    return "\n".join(line for line in lines if line)


def _natural_key(text: str) -> str:
    # Zero-padded numbers sort TPS54331 before TPS560200 as people expect.
    return re.sub(r"\d+", lambda digits: digits.group().zfill(12), text.casefold())


def _group_sort_key(group: str) -> str:
    order = {NOT_READ_YET: "1", OTHER_FILES: "2"}.get(group, "0")
    return order + _natural_key(group)


class LibraryModel(QStandardItemModel):
    """Vendors at the top, their documents below; rows move when the vendor becomes known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[str, QStandardItem] = {}
        self._documents: dict[DocumentId, QStandardItem] = {}
        self._preferred: set[DocumentId] = set()

    @property
    def n_documents(self) -> int:
        """Documents in the library, filtered or not."""
        return len(self._documents)

    @property
    def has_state_words(self) -> bool:
        """True when some document is in another state than ready; its age alone needs no word."""
        return any(
            item.data(LibraryRole.STATE) not in (DocumentState.READY.value, _EARLIER)
            for item in self._documents.values()
        )

    def replace(self, statuses: Iterable[DocumentStatus]) -> None:
        """Show another library."""
        self.clear()
        self._groups.clear()
        self._documents.clear()
        self.update_statuses(statuses, ())

    def update_statuses(
        self, changed: Iterable[DocumentStatus], removed: Iterable[DocumentId]
    ) -> None:
        """Add, change, move and remove rows."""
        for document_id in removed:
            item = self._documents.pop(document_id, None)
            if item is not None:
                self._take(item)
        for status in changed:
            known = self._documents.get(status.document_id)
            group = group_of(status)
            if known is not None and known.parent() is not self._groups.get(group):
                self._take(known)
                known = None
            if known is None:
                known = QStandardItem()
                known.setEditable(False)
                self._fill(known, status)
                self._group(group).appendRow(known)
                self._documents[status.document_id] = known
            elif known.data(LibraryRole.STATUS) != status:
                self._fill(known, status)

    def _fill(self, item: QStandardItem, status: DocumentStatus) -> None:
        name = name_of(status)
        item.setText(name)
        item.setToolTip(describe(status))
        item.setAccessibleText("")
        item.setData(status, LibraryRole.STATUS)
        item.setData(pages_text(status), LibraryRole.PAGES)
        item.setData(state_text(status), LibraryRole.STATE)
        item.setData(_natural_key(name), LibraryRole.SORT)
        words = (name, *status.files, status.title, status.vendor, *status.part_numbers)
        item.setData(" ".join((*words, state_text(status))).casefold(), LibraryRole.FILTER)
        self._mark(item, status.document_id in self._preferred)

    def mark_preferred(self, patterns: Sequence[str]) -> None:
        """Mark the documents and vendors that are preferred sources.

        Args:
            patterns: As `retrieve.scope` reads them.
        """
        statuses = [item.data(LibraryRole.STATUS) for item in self._documents.values()]
        # The star of a vendor stands for all of its documents.
        vendors = {vendor_pattern(vendor) for vendor in self._groups}
        own = [pattern for pattern in patterns if pattern not in vendors]
        self._preferred = set(select(own, statuses).document_ids) if own else set()
        for document_id, item in self._documents.items():
            self._mark(item, document_id in self._preferred)
        for vendor, group in self._groups.items():
            is_preferred = vendor_pattern(vendor) in patterns
            if bool(group.data(LibraryRole.PREFERRED)) != is_preferred:
                group.setData(is_preferred, LibraryRole.PREFERRED)

    def _mark(self, item: QStandardItem, is_preferred: bool) -> None:
        status = item.data(LibraryRole.STATUS)
        pages = f", {status.n_pages} pages" if status.n_pages else ""
        words = f"{item.text()}, {group_of(status)}{pages}, {state_text(status)}"
        words += ", preferred source" if is_preferred else ""
        if item.accessibleText() != words:
            item.setAccessibleText(words)
            item.setData(is_preferred, LibraryRole.PREFERRED)
            tip = describe(status)
            item.setToolTip(f"{tip}\nPreferred source" if is_preferred else tip)

    def _group(self, group: str) -> QStandardItem:
        item = self._groups.get(group)
        if item is None:
            item = QStandardItem(group)
            item.setEditable(False)
            item.setData(_group_sort_key(group), LibraryRole.SORT)
            self._groups[group] = item
            self.appendRow(item)
        return item

    def _take(self, item: QStandardItem) -> None:
        group = item.parent()
        group.removeRow(item.row())
        if not group.rowCount():
            self._groups.pop(group.text(), None)
            self.removeRow(group.row())

    def status_at(self, index: QModelIndex) -> DocumentStatus | None:
        """Return the document of a row, None for a vendor."""
        status = index.data(LibraryRole.STATUS)
        return status if isinstance(status, DocumentStatus) else None

    def index_of(self, document_id: DocumentId) -> QModelIndex:
        """Return a document's row, invalid when it is not in the library."""
        item = self._documents.get(document_id)
        return item.index() if item is not None else QModelIndex()


class LibraryFilter(QSortFilterProxyModel):
    """Keeps the documents that hold every word of the filter; vendors stay with theirs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._attention_only = False
        self.setSortRole(LibraryRole.SORT)
        self.setDynamicSortFilter(True)
        self.setRecursiveFilteringEnabled(True)
        self.sort(0)

    def narrow(self, text: str, attention_only: bool) -> None:
        """Set what must stand in a row, and whether only troubled documents are shown."""
        self._words = tuple(text.casefold().split())
        self._attention_only = attention_only
        self.invalidate()

    def filterAcceptsRow(
        self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        """Judge documents; a vendor is shown for its documents' sake."""
        index = self.sourceModel().index(source_row, 0, source_parent)
        status = index.data(LibraryRole.STATUS)
        if not isinstance(status, DocumentStatus):
            return False
        if self._attention_only and not needs_attention(status):
            return False
        text: str = index.data(LibraryRole.FILTER)
        return all(word in text for word in self._words)

    @property
    def n_documents(self) -> int:
        """Documents that pass the filter."""
        return sum(self.rowCount(self.index(row, 0)) for row in range(self.rowCount()))
