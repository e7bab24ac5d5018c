"""What a question can be limited to, as rows to tick: folders, vendors, documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.widgets.list_rows import WORDS_ROLE
from desktop_qa.gui.widgets.tick_popup import VALUE_ROLE
from desktop_qa.retrieve.scope import (
    document_pattern,
    folders_of,
    select,
    vendor_pattern,
    vendors_of,
)


@dataclass(frozen=True, slots=True)
class ScopeEntry:
    """One thing that a question is limited to: its pattern, and what people call it."""

    pattern: str
    label: str


def document_entry(status: DocumentStatus) -> ScopeEntry:
    """Return the entry of a document."""
    return ScopeEntry(document_pattern(status), name_of(status))


def vendor_entry(vendor: str) -> ScopeEntry:
    """Return the entry of all documents of a vendor."""
    return ScopeEntry(vendor_pattern(vendor), vendor)


def folder_entries(
    statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> tuple[ScopeEntry, ...]:
    """Return the folders that tell documents apart: of several sources each, and all below."""
    entries = []
    if len(sources) > 1:
        entries = [
            ScopeEntry(source.folder, PurePosixPath(source.folder.replace("\\", "/")).name)
            for source in sources
        ]
    return (*entries, *(ScopeEntry(folder, folder[1:]) for folder in folders_of(statuses)))


def folder_entry(status: DocumentStatus) -> ScopeEntry | None:
    """Return the folder a document is in, inside its source; None at the top of it."""
    folder = PurePosixPath(status.file).parent
    return None if str(folder) == "." else ScopeEntry(f"/{folder}", str(folder))


class ScopeModel(QStandardItemModel):
    """Headings with rows to tick below them; a heading without rows is left out."""

    def fill(
        self,
        statuses: Sequence[DocumentStatus],
        sources: Sequence[SourceFolder],
        chosen: Iterable[ScopeEntry],
    ) -> None:
        """Show the documents and folders of a library; one without content cannot be ticked."""
        self.clear()
        patterns = {entry.pattern for entry in chosen}
        vendors = [vendor_entry(vendor) for vendor in vendors_of(statuses)]
        groups = {"Folders": folder_entries(statuses, sources), "Vendors": vendors}
        for title, entries in groups.items():
            rows = [self._row(entry, patterns, (entry.label, entry.pattern)) for entry in entries]
            for row, entry in zip(rows, entries, strict=True):
                n_documents = len(select((entry.pattern,), statuses).document_ids)
                row.setText(f"{entry.label}  ({n_documents})")
                row.setToolTip(entry.pattern)
            self._add_group(title, rows)
        rows = []
        for status in sorted(statuses, key=lambda s: name_of(s).casefold()):
            words = (name_of(status), *status.files, status.title, status.vendor)
            rows.append(self._row(document_entry(status), patterns, (*words, *status.part_numbers)))
            rows[-1].setEnabled(status.has_content)
            rows[-1].setToolTip(status.title or status.file)
        self._add_group("Documents", rows)

    def _add_group(self, title: str, rows: list[QStandardItem]) -> None:
        if rows:
            heading = QStandardItem(title)
            # Drawn dim, and passed over by the arrow keys.
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            heading.appendRows(rows)
            self.appendRow(heading)

    def _row(self, entry: ScopeEntry, patterns: set[str], words: Iterable[str]) -> QStandardItem:
        row = QStandardItem(entry.label)
        row.setEditable(False)
        row.setCheckable(True)
        is_chosen = entry.pattern in patterns
        row.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        row.setData(entry, VALUE_ROLE)
        row.setData(" ".join(words).casefold(), WORDS_ROLE)
        return row
