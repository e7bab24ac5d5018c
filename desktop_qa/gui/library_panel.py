"""The library at the left: documents by vendor with their state, filtered, and what ails them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QModelIndex, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QTreeView,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui import theme as themes
from desktop_qa.gui.document_menu import DocumentMenu
from desktop_qa.gui.forms import child, load_form
from desktop_qa.gui.library_delegate import LibraryDelegate
from desktop_qa.gui.library_model import (
    NOT_READ_YET,
    OTHER_FILES,
    LibraryFilter,
    LibraryModel,
    LibraryRole,
    explain,
    name_of,
    needs_attention,
    state_text,
)


class LibraryPanel(QWidget):
    """Shows the statuses it is given.

    Attributes:
        document_activated: With the `DocumentStatus` to open, by double click or Enter.
        scope_requested: With the tuple of `ScopeEntry` that alone shall be asked.
        prefer_toggled: With the pattern of a source that shall be preferred, or no more.
        sources_requested: The preferred sources shall be shown.
        retry_requested: With a tuple of document ids.
        compare_requested: With the tuple of `DocumentStatus` that shall be compared.
        selection_changed: With the tuple of `DocumentStatus` that are selected.
        document_selected: With the `DocumentStatus` that became the current row.
        structure_requested: With the `DocumentStatus` whose chapters shall be shown.
        markdown_requested: With the `DocumentStatus` whose text shall be shown.
        export_requested: With the `DocumentStatus` that shall be written as Markdown.
    """

    document_activated = Signal(object)
    scope_requested = Signal(object)
    prefer_toggled = Signal(str)
    sources_requested = Signal()
    retry_requested = Signal(object)
    compare_requested = Signal(object)
    selection_changed = Signal(object)
    document_selected = Signal(object)
    structure_requested = Signal(object)
    markdown_requested = Signal(object)
    export_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("library_panel.ui", self)
        self.library_button = child(self, QToolButton, "library_button")
        self.count_label = child(self, QLabel, "count_label")
        self.filter_edit = child(self, QLineEdit, "filter_edit")
        self.attention_chip = child(self, QPushButton, "attention_chip")
        self.tree = child(self, QTreeView, "tree")
        self.no_match_label = child(self, QLabel, "no_match_label")
        self.selection_bar = child(self, QFrame, "selection_bar")
        self.selection_label = child(self, QLabel, "selection_label")
        self.compare_button = child(self, QPushButton, "compare_button")
        self.detail_frame = child(self, QFrame, "detail_frame")
        self.detail_title = child(self, QLabel, "detail_title")
        self.detail_text = child(self, QLabel, "detail_text")
        self.retry_button = child(self, QPushButton, "retry_button")
        self._detail_close_button = child(self, QToolButton, "detail_close_button")
        self._drop_hint_label = child(self, QLabel, "drop_hint_label")
        # Files dropped here are the window's, not text for the filter.
        self.filter_edit.setAcceptDrops(False)
        self.attention_chip.hide()
        for part in (self.no_match_label, self.detail_frame, self.selection_bar):
            part.hide()
        self.model = LibraryModel(self)
        self.filter = LibraryFilter(self)
        self.filter.setSourceModel(self.model)
        self._delegate = LibraryDelegate(self.tree)
        self.tree.setModel(self.filter)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self._attention_only = False
        self._closed_detail: DocumentId | None = None
        self.is_read_only = False
        self.preferred: tuple[str, ...] = ()
        self._is_changing = False
        self._connect()

    def _connect(self) -> None:
        self.filter_edit.textChanged.connect(self._narrow)
        self.attention_chip.clicked.connect(self.show_all)
        self.tree.activated.connect(self._on_tree_activated)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.tree.customContextMenuRequested.connect(self._on_context_menu_requested)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.compare_button.clicked.connect(self._on_compare_clicked)
        self.filter.rowsInserted.connect(self._on_rows_inserted)
        self.retry_button.clicked.connect(self._on_retry_clicked)
        self._detail_close_button.clicked.connect(self._on_detail_closed)

    # What is shown

    def show_library(self, name: str, statuses: tuple[DocumentStatus, ...]) -> None:
        """Show another library."""
        self.library_button.setText(f"{name}  ▾")
        self.library_button.setToolTip(name)
        with self._selection_kept():
            self.model.replace(statuses)
            self.tree.expandAll()
        self._after_change()

    def update_statuses(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        """Follow the states of documents; selection and scrolling stay."""
        with self._selection_kept():
            self.model.update_statuses(changed, removed)
        self._after_change()

    @contextmanager
    def _selection_kept(self) -> Iterator[None]:
        """Leave the current row with its document: rows that move take it with them."""
        selected = self.current_status
        self._is_changing = True
        try:
            yield
            if selected is not None:
                index = self.filter.mapFromSource(self.model.index_of(selected.document_id))
                if index.isValid() and index != self.tree.currentIndex():
                    self.tree.setCurrentIndex(index)
        finally:
            self._is_changing = False

    def _after_change(self) -> None:
        n_all, n_shown = self.model.n_documents, self.filter.n_documents
        self._delegate.shows_words = self.model.has_state_words
        noun = "document" if n_all == 1 else "documents"
        of = f"{n_shown} of " if n_shown != n_all else ""
        self.count_label.setText(f"{of}{n_all} {noun}")
        self.no_match_label.setVisible(bool(n_all) and not n_shown)
        self.tree.setVisible(bool(n_shown) or not n_all)
        self._show_detail(self.current_status)

    def show_attention(self) -> None:
        """Show only the documents that failed or lack pages."""
        self._attention_only = True
        self.filter_edit.clear()
        self._narrow()
        first = self.filter.index(0, 0, self.filter.index(0, 0))
        if first.isValid():
            self.tree.setCurrentIndex(first)
        self.tree.setFocus()

    def show_all(self) -> None:
        """Take the filter away."""
        self._attention_only = False
        self.filter_edit.clear()
        self._narrow()

    def _narrow(self, _text: str = "") -> None:
        self.attention_chip.setVisible(self._attention_only)
        self.filter.narrow(self.filter_edit.text(), self._attention_only)
        self.tree.expandAll()
        self._after_change()

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for row in range(first, last + 1):
            index = self.filter.index(row, 0, parent)
            if not parent.isValid():
                self.tree.expand(index)

    @property
    def current_status(self) -> DocumentStatus | None:
        """The selected document, None when a vendor or nothing is selected."""
        status = self.tree.currentIndex().data(LibraryRole.STATUS)
        return status if isinstance(status, DocumentStatus) else None

    def select_document(self, document_id: DocumentId) -> None:
        """Select a document's row, as when its page is opened elsewhere.

        Its details stay closed: who follows a citation did not ask what ails the document.
        """
        index = self.filter.mapFromSource(self.model.index_of(document_id))
        if index.isValid() and index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)
            self._on_detail_closed()

    # Details

    def _on_current_changed(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        if self._is_changing:
            return
        self._closed_detail = None
        status = self.current_status
        self._show_detail(status)
        if status is not None:
            self.document_selected.emit(status)

    def _show_detail(self, status: DocumentStatus | None) -> None:
        troubled = status is not None and (needs_attention(status) or bool(status.reason))
        if status is None or not troubled or status.document_id == self._closed_detail:
            self._set_detail_visible(False)
            return
        self.detail_title.setText(f"{name_of(status)}: {state_text(status)}")
        self.detail_text.setText(explain(status))
        self.retry_button.setVisible(needs_attention(status))
        self._set_detail_visible(True)

    def _set_detail_visible(self, is_visible: bool) -> None:
        self.detail_frame.setVisible(is_visible)
        self._drop_hint_label.setVisible(not is_visible)

    def _on_detail_closed(self) -> None:
        status = self.current_status
        self._closed_detail = status.document_id if status is not None else None
        self._set_detail_visible(False)

    def _on_retry_clicked(self) -> None:
        status = self.current_status
        if status is not None:
            self.retry_requested.emit((status.document_id,))

    # Opening and the context menu

    def _on_tree_activated(self, index: QModelIndex) -> None:
        status = index.data(LibraryRole.STATUS)
        if isinstance(status, DocumentStatus):
            self.document_activated.emit(status)

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        status = index.data(LibraryRole.STATUS)
        if isinstance(status, DocumentStatus):
            self._closed_detail = None
            self._show_detail(status)
        else:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _on_context_menu_requested(self, position: QPoint) -> None:
        menu = self.menu_at(self.tree.indexAt(position))
        if menu is not None:
            menu.exec(self.tree.viewport().mapToGlobal(position))
            menu.deleteLater()

    def menu_at(self, index: QModelIndex) -> DocumentMenu | None:
        """Return the menu of a row: of all selected documents when it is one of several."""
        status = index.data(LibraryRole.STATUS)
        if isinstance(status, DocumentStatus):
            selected = self.selected_statuses
            if len(selected) > 1 and status in selected:
                menu = DocumentMenu(self)
                menu.fill_for_documents(selected)
                return menu
            return self.context_menu(status)
        vendor = index.data()
        if index.isValid() and vendor not in (OTHER_FILES, NOT_READ_YET):
            menu = DocumentMenu(self)
            menu.fill_for_vendor(str(vendor))
            return menu
        return None

    def context_menu(self, status: DocumentStatus) -> DocumentMenu:
        """Return the menu of a document."""
        menu = DocumentMenu(self)
        menu.fill_for_document(status)
        return menu

    @property
    def selected_statuses(self) -> tuple[DocumentStatus, ...]:
        """The selected documents in the order of the rows."""
        indexes = sorted(
            self.tree.selectionModel().selectedIndexes(), key=lambda i: (i.parent().row(), i.row())
        )
        found = (index.data(LibraryRole.STATUS) for index in indexes)
        return tuple(status for status in found if isinstance(status, DocumentStatus))

    def _on_selection_changed(self) -> None:
        selected = self.selected_statuses
        self.selection_label.setText(f"{len(selected)} selected")
        self.selection_bar.setVisible(len(selected) > 1)
        self.selection_changed.emit(selected)

    def _on_compare_clicked(self) -> None:
        self.compare_requested.emit(self.selected_statuses)

    def explain_document(self, status: DocumentStatus) -> None:
        """Show what ails a document."""
        self.select_document(status.document_id)
        self._closed_detail = None
        self._show_detail(status)

    # Preferred sources

    def show_preferred(self, patterns: tuple[str, ...]) -> None:
        """Mark the preferred documents and vendors."""
        self.preferred = patterns
        self.model.mark_preferred(patterns)
        self.tree.viewport().update()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Hand the colours to what is drawn by hand."""
        self._delegate.theme, self._delegate.small_px = theme, sizes.small_px
        self._detail_close_button.setIcon(themes.icon("close", theme.dim))
        if not self.filter_edit.actions():
            self.filter_edit.addAction(QAction(self), QLineEdit.ActionPosition.LeadingPosition)
        self.filter_edit.actions()[0].setIcon(themes.icon("search", theme.dim))
        self.tree.viewport().update()
