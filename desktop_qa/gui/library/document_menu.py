"""The menus of the library panel's rows: one document, several, or a vendor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_words import needs_attention
from desktop_qa.gui.library.scope_model import (
    ScopeEntry,
    document_entry,
    folder_entry,
    vendor_entry,
)
from desktop_qa.gui.widgets.opening import show_in_folder

if TYPE_CHECKING:
    from desktop_qa.gui.library.library_panel import LibraryPanel
    from desktop_qa.gui.library.library_rows import Row

_MAX_NAME_CHARACTERS = 40


class DocumentMenu(QMenu):
    """What can be done with rows of the panel; the actions are found by their object names."""

    def __init__(self, panel: LibraryPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setToolTipsVisible(True)

    def _add(self, text: str, name: str) -> QAction:
        action = self.addAction(text.replace("&", "&&"))
        action.setObjectName(name)
        return action

    def fill_for_document(self, status: DocumentStatus) -> None:
        """Offer what can be done with one document."""
        panel = self._panel
        self._add("Open", "open").triggered.connect(lambda: panel.document_activated.emit(status))
        only = self._add("Ask only about this", "ask_only")
        only.triggered.connect(lambda: panel.scope_requested.emit((document_entry(status),)))
        only.setEnabled(status.has_content)
        self.addSeparator()
        structure = self._add("Show structure", "structure")
        structure.triggered.connect(lambda: panel.structure_requested.emit(status))
        markdown = self._add("Show Markdown", "markdown")
        markdown.triggered.connect(lambda: panel.markdown_requested.emit(status))
        export = self._add("Export Markdown …", "export")
        export.triggered.connect(lambda: panel.export_requested.emit(status))
        for action in (markdown, export):
            action.setEnabled(status.has_content)
        self.addSeparator()
        self._add_preferences(status)
        self.addSeparator()
        show = self._add("Show in folder", "show_in_folder")
        show.triggered.connect(lambda: show_in_folder(status.path))
        copy = self._add("Copy path", "copy_path")
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(status.path))
        self.addSeparator()
        if needs_attention(status):
            failed = status.state is DocumentState.FAILED
            why = self._add("Why did this fail?" if failed else "What is missing?", "why")
            why.triggered.connect(lambda: panel.explain_document(status))
        details = self._add("Details", "details")
        details.triggered.connect(lambda: panel.details_requested.emit(status))
        again = self._add("Try again" if needs_attention(status) else "Read again", "retry")
        again.triggered.connect(lambda: panel.retry_requested.emit((status.document_id,)))
        again.setEnabled(status.state.is_final and not panel.is_read_only)
        self._add_model_reading("Read again with a model …", (status,))
        self._add_removal("Remove from library", (status,))

    def fill_for_documents(self, statuses: Sequence[DocumentStatus]) -> None:
        """Offer what can be done with several documents at once."""
        panel = self._panel
        entries = tuple(document_entry(status) for status in statuses if status.has_content)
        only = self._add(f"Ask only about these {len(entries)} documents", "ask_only")
        only.triggered.connect(lambda: panel.scope_requested.emit(entries))
        only.setEnabled(bool(entries))
        compare = self._add(f"Compare these {len(statuses)} documents", "compare")
        compare.triggered.connect(lambda: panel.compare_requested.emit(tuple(statuses)))
        again = self._add(f"Read these {len(statuses)} documents again", "retry")
        ids = tuple(status.document_id for status in statuses)
        again.triggered.connect(lambda: panel.retry_requested.emit(ids))
        are_final = all(status.state.is_final for status in statuses)
        again.setEnabled(are_final and not panel.is_read_only)
        text = f"Read these {len(statuses)} documents with a model …"
        self._add_model_reading(text, statuses)
        self._add_removal(f"Remove these {len(statuses)} documents from library", statuses)

    def _add_model_reading(self, text: str, statuses: Sequence[DocumentStatus]) -> None:
        read = tuple(status for status in statuses if status.has_content)
        by_model = self._add(text, "read_by_model")
        by_model.triggered.connect(lambda: self._panel.model_reading_requested.emit(read))
        by_model.setEnabled(bool(read) and not self._panel.is_read_only)

    def _add_removal(self, text: str, statuses: Sequence[DocumentStatus]) -> None:
        self.addSeparator()
        remove = self._add(text, "remove")
        remove.triggered.connect(lambda: self._panel.remove_requested.emit(tuple(statuses)))
        remove.setEnabled(not self._panel.is_read_only)
        read_only = "This library is open for reading only."
        tip = read_only if self._panel.is_read_only else "The file stays where it is."
        remove.setToolTip(tip)
        remove.setStatusTip(tip)

    def fill_for_vendor(self, vendor: str) -> None:
        """Offer what can be done with a vendor's documents."""
        entry = vendor_entry(vendor)
        only = self._add(f"Ask only about {_short(vendor)}", "ask_only")
        only.triggered.connect(lambda: self._panel.scope_requested.emit((entry,)))
        self._add_preference(f"Prefer {_short(vendor)}", "prefer_vendor", entry)
        self._add_sources()

    def _add_preferences(self, status: DocumentStatus) -> None:
        self._add_preference("Prefer this document", "prefer_document", document_entry(status))
        if status.vendor:
            vendor = vendor_entry(status.vendor)
            self._add_preference(f"Prefer {_short(status.vendor)}", "prefer_vendor", vendor)
        folder = folder_entry(status)
        if folder is not None:
            name = f"Prefer folder “{_short(folder.label)}”"
            self._add_preference(name, "prefer_folder", folder)
        self._add_sources()

    def _add_preference(self, text: str, name: str, entry: ScopeEntry) -> None:
        """Add a line with a check mark; the same line undoes it."""
        action = self._add(text, name)
        action.setCheckable(True)
        action.setChecked(entry.pattern in self._panel.preferred)
        action.setEnabled(not self._panel.is_read_only)
        action.triggered.connect(partial(self._on_preference_chosen, entry.pattern))

    def _on_preference_chosen(self, pattern: str, _checked: bool = False) -> None:
        self._panel.prefer_toggled.emit(pattern)

    def _add_sources(self) -> None:
        sources = self._add("Preferred sources …", "sources")
        sources.triggered.connect(lambda: self._panel.sources_requested.emit())


def menu_of_row(panel: LibraryPanel, row: Row) -> DocumentMenu | None:
    """Return the menu of a row: of all selected documents when it is one of several."""
    menu = DocumentMenu(panel)
    if row.entry is not None:
        status, selected = row.entry.status, panel.selected_statuses
        if len(selected) > 1 and status in selected:
            menu.fill_for_documents(selected)
        else:
            menu.fill_for_document(status)
        return menu
    if panel.model.is_vendor(row):
        menu.fill_for_vendor(row.heading)
        return menu
    menu.deleteLater()
    return None


def _short(name: str) -> str:
    if len(name) <= _MAX_NAME_CHARACTERS:
        return name
    return f"{name[: _MAX_NAME_CHARACTERS - 1]}…"
