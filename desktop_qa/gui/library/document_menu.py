"""The menus of the library panel's rows: one document, several, or a vendor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_words import needs_attention, shortened
from desktop_qa.gui.library.scope_model import (
    ScopeEntry,
    document_entry,
    folder_entry,
    vendor_entry,
)
from desktop_qa.gui.widgets.opening import show_in_folder

if TYPE_CHECKING:
    from desktop_qa.gui.library.library_panel import LibraryPanel

_MAX_NAME_CHARACTERS = 40


class DocumentMenu(QMenu):
    """What can be done with rows of the panel; the actions are found by their object names."""

    def __init__(self, panel: LibraryPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setToolTipsVisible(True)

    def _add(self, text: str, name: str, slot: Callable[[], object]) -> QAction:
        action = self.addAction(text.replace("&", "&&"))
        action.setObjectName(name)
        action.triggered.connect(slot)
        return action

    def fill_for_document(self, status: DocumentStatus) -> None:
        """Offer what can be done with one document."""
        panel, needs_care = self._panel, needs_attention(status)
        self._add("Open", "open", lambda: panel.document_activated.emit(status))
        only = self._add_only("Ask only about this", (document_entry(status),))
        self.addSeparator()
        self._add("Show structure", "structure", lambda: panel.structure_requested.emit(status))
        markdown = self._add(
            "Show Markdown", "markdown", lambda: panel.markdown_requested.emit(status)
        )
        export = self._add(
            "Export Markdown …", "export", lambda: panel.export_requested.emit(status)
        )
        for action in (only, markdown, export):
            action.setEnabled(status.has_content)
        self.addSeparator()
        self._add_preference("this document", "prefer_document", document_entry(status))
        if status.vendor:
            self._add_vendor_preference(status.vendor)
        folder = folder_entry(status)
        if folder is not None:
            name = f"folder “{shortened(folder.label, _MAX_NAME_CHARACTERS)}”"
            self._add_preference(name, "prefer_folder", folder)
        self._add_sources()
        self.addSeparator()
        self._add("Show in folder", "show_in_folder", lambda: show_in_folder(status.path))
        clipboard = QGuiApplication.clipboard()
        self._add("Copy path", "copy_path", lambda: clipboard.setText(status.path))
        self.addSeparator()
        if needs_care:
            failed = status.state is DocumentState.FAILED
            why = "Why did this fail?" if failed else "What is missing?"
            self._add(why, "why", lambda: panel.explain_document(status))
        self._add("Details", "details", lambda: panel.details_requested.emit(status))
        self._add_reading("Try again" if needs_care else "Read again", (status,))
        self._add_model_reading("Read again with a model …", (status,))
        self._add_removal("Remove from library", (status,))

    def fill_for_documents(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Offer what can be done with several documents at once."""
        panel, these = self._panel, f"these {len(statuses)} documents"
        entries = tuple(document_entry(status) for status in statuses if status.has_content)
        only = self._add_only(f"Ask only about these {len(entries)} documents", entries)
        only.setEnabled(bool(entries))
        self._add(f"Compare {these}", "compare", lambda: panel.compare_requested.emit(statuses))
        self._add_reading(f"Read {these} again", statuses)
        self._add_model_reading(f"Read {these} with a model …", statuses)
        self._add_removal(f"Remove {these} from library", statuses)

    def fill_for_vendor(self, vendor: str) -> None:
        """Offer what can be done with a vendor's documents."""
        name = shortened(vendor, _MAX_NAME_CHARACTERS)
        self._add_only(f"Ask only about {name}", (vendor_entry(vendor),))
        self._add_vendor_preference(vendor)
        self._add_sources()

    def _add_only(self, text: str, entries: tuple[ScopeEntry, ...]) -> QAction:
        return self._add(text, "ask_only", lambda: self._panel.scope_requested.emit(entries))

    def _add_reading(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        ids = tuple(status.document_id for status in statuses)
        again = self._add(text, "retry", lambda: self._panel.retry_requested.emit(ids))
        are_final = all(status.state.is_final for status in statuses)
        again.setEnabled(are_final and not self._panel.is_read_only)

    def _add_model_reading(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        panel, read = self._panel, tuple(status for status in statuses if status.has_content)
        by_model = self._add(
            text, "read_by_model", lambda: panel.model_reading_requested.emit(read)
        )
        by_model.setEnabled(bool(read) and not panel.is_read_only)

    def _add_removal(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        self.addSeparator()
        remove = self._add(text, "remove", lambda: self._panel.remove_requested.emit(statuses))
        remove.setEnabled(not self._panel.is_read_only)
        read_only = "This library is open for reading only."
        tip = read_only if self._panel.is_read_only else "The file stays where it is."
        remove.setToolTip(tip)
        remove.setStatusTip(tip)

    def _add_vendor_preference(self, vendor: str) -> None:
        name = shortened(vendor, _MAX_NAME_CHARACTERS)
        self._add_preference(name, "prefer_vendor", vendor_entry(vendor))

    def _add_preference(self, what: str, name: str, entry: ScopeEntry) -> None:
        """Add a line with a check mark; the same line undoes it."""
        panel = self._panel
        action = self._add(f"Prefer {what}", name, lambda: panel.prefer_toggled.emit(entry.pattern))
        action.setCheckable(True)
        action.setChecked(entry.pattern in panel.model.patterns)
        action.setEnabled(not panel.is_read_only)

    def _add_sources(self) -> None:
        panel = self._panel
        self._add("Preferred sources …", "sources", lambda: panel.sources_requested.emit())
