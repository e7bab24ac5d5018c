"""The menus of the library panel's rows: one document, several, or a vendor."""

from __future__ import annotations

from collections.abc import Callable

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
from desktop_qa.gui.widgets.labels import shortened
from desktop_qa.gui.widgets.opening import show_in_folder
from desktop_qa.gui.window_parts import WindowParts

_MAX_NAME_CHARACTERS = 40


class DocumentMenu(QMenu):
    """What features do with rows of the panel; the actions are found by their object names."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.library_panel)
        self._window = window
        self._can_write = window.session.can_write
        self.setToolTipsVisible(True)

    def _add(self, text: str, name: str, slot: Callable[[], object]) -> QAction:
        action = self.addAction(text.replace("&", "&&"))
        action.setObjectName(name)
        action.triggered.connect(slot)
        return action

    def fill_for_document(self, status: DocumentStatus) -> None:
        """Offer what can be done with one document."""
        window, needs_care = self._window, needs_attention(status)
        panel = window.library_panel
        self._add("Open", "open", lambda: panel.document_activated.emit(status))
        only = self._add_only("Ask only about this", (document_entry(status),))
        self.addSeparator()
        self._add("Show structure", "structure", lambda: window.documents.show_structure(status))
        markdown = self._add(
            "Show Markdown", "markdown", lambda: window.documents.show_markdown(status)
        )
        export = self._add(
            "Export Markdown …", "export", lambda: window.documents.exports.choose(status)
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
        self._add("Details", "details", lambda: window.care.show_details(status))
        self._add_reading("Try again" if needs_care else "Read again", (status,))
        self._add_model_reading("Read again with a model …", (status,))
        self._add_removal("Remove from library", (status,))

    def fill_for_documents(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Offer what can be done with several documents at once."""
        these = f"these {len(statuses)} documents"
        entries = tuple(document_entry(status) for status in statuses if status.has_content)
        only = self._add_only(f"Ask only about these {len(entries)} documents", entries)
        only.setEnabled(bool(entries))
        self._add(f"Compare {these}", "compare", lambda: self._window.care.compare(statuses))
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
        return self._add(text, "ask_only", lambda: self._window.scopes.ask_only(entries))

    def _add_reading(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        ids = tuple(status.document_id for status in statuses)
        again = self._add(text, "retry", lambda: self._window.session.read_again(ids))
        are_final = all(status.state.is_final for status in statuses)
        again.setEnabled(are_final and self._can_write)

    def _add_model_reading(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        read = tuple(status for status in statuses if status.has_content)
        by_model = self._add(text, "read_by_model", lambda: self._window.readings.offer(read))
        by_model.setEnabled(bool(read) and self._can_write)

    def _add_removal(self, text: str, statuses: tuple[DocumentStatus, ...]) -> None:
        self.addSeparator()
        remove = self._add(text, "remove", lambda: self._window.care.remove(statuses))
        remove.setEnabled(self._can_write)
        read_only = "This library is open for reading only."
        tip = "The file stays where it is." if self._can_write else read_only
        remove.setToolTip(tip)
        remove.setStatusTip(tip)

    def _add_vendor_preference(self, vendor: str) -> None:
        name = shortened(vendor, _MAX_NAME_CHARACTERS)
        self._add_preference(name, "prefer_vendor", vendor_entry(vendor))

    def _add_preference(self, what: str, name: str, entry: ScopeEntry) -> None:
        """Add a line with a check mark; the same line undoes it."""
        scopes, pattern = self._window.scopes, entry.pattern
        action = self._add(f"Prefer {what}", name, lambda: scopes.toggle_preferred(pattern))
        action.setCheckable(True)
        action.setChecked(pattern in self._window.library_panel.model.patterns)
        action.setEnabled(self._can_write)

    def _add_sources(self) -> None:
        self._add("Preferred sources …", "sources", self._window.scopes.open_sources)
