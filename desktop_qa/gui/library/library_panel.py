"""The library at the left: documents under headings, filtered, with their state and its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QModelIndex, QPoint, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QToolButton,
    QTreeView,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.document_menu import DocumentMenu, menu_of_row
from desktop_qa.gui.library.library_arrange_menu import ArrangeMenu
from desktop_qa.gui.library.library_delegate import LibraryDelegate
from desktop_qa.gui.library.library_facets import Choice, Facet, StateKind
from desktop_qa.gui.library.library_filter_bar import LibraryFilterBar
from desktop_qa.gui.library.library_model import LibraryModel, LibraryRole
from desktop_qa.gui.library.library_no_match import NoMatch
from desktop_qa.gui.library.library_rows import Arrangement, Narrowing, Row
from desktop_qa.gui.library.library_tree import LibraryTree
from desktop_qa.gui.library.library_words import (
    explain,
    name_of,
    needs_attention,
    state_text,
)
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.stepped_work import SteppedWork

_PROMOTED: dict[str, type[QWidget]] = {
    "LibraryFilterBar": LibraryFilterBar,
    "LibraryTree": LibraryTree,
    "NoMatch": NoMatch,
}

_MANY = 1500
"""Documents from which on they are taken in steps: fewer cost less than 50 ms."""


class LibraryPanel(QWidget):
    """Shows the statuses it is given.

    Attributes:
        document_activated: With the `DocumentStatus` to open, by double click or Enter.
        scope_requested: With the tuple of `ScopeEntry` that alone shall be asked.
        prefer_toggled: With the pattern of a source that shall be preferred, or no more.
        sources_requested: The preferred sources shall be shown.
        retry_requested: With a tuple of document ids.
        compare_requested: With the tuple of `DocumentStatus` that shall be compared.
        remove_requested: With the tuple of `DocumentStatus` that shall leave the library.
        details_requested: With the `DocumentStatus` of which all shall be told.
        selection_changed: With the tuple of `DocumentStatus` that are selected.
        document_selected: With the `DocumentStatus` that became the current row.
        structure_requested: With the `DocumentStatus` whose chapters shall be shown.
        markdown_requested: With the `DocumentStatus` whose text shall be shown.
        export_requested: With the `DocumentStatus` that shall be written as Markdown.
        arrangement_changed: With the `Arrangement` that the user chose.
    """

    document_activated = Signal(object)
    scope_requested = Signal(object)
    prefer_toggled = Signal(str)
    sources_requested = Signal()
    retry_requested = Signal(object)
    model_reading_requested = Signal(object)
    compare_requested = Signal(object)
    remove_requested = Signal(object)
    details_requested = Signal(object)
    selection_changed = Signal(object)
    document_selected = Signal(object)
    structure_requested = Signal(object)
    markdown_requested = Signal(object)
    export_requested = Signal(object)
    arrangement_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("library_panel.ui", self, _PROMOTED)
        self.library_button = child(self, QToolButton, "library_button")
        self.count_label = child(self, QLabel, "count_label")
        self.filter_bar = child(self, LibraryFilterBar, "filter_bar")
        self.filter_edit = self.filter_bar.edit
        self.tree = child(self, LibraryTree, "tree")
        self.no_match = child(self, NoMatch, "no_match")
        self.selection_bar = child(self, QFrame, "selection_bar")
        self.selection_label = child(self, QLabel, "selection_label")
        self.compare_button = child(self, QPushButton, "compare_button")
        self.detail_frame = child(self, QFrame, "detail_frame")
        self.detail_title = child(self, QLabel, "detail_title")
        self.detail_text = child(self, QLabel, "detail_text")
        self.retry_button = child(self, QPushButton, "retry_button")
        self.details_button = child(self, QPushButton, "details_button")
        self._detail_close_button = child(self, QToolButton, "detail_close_button")
        self._drop_hint_label = child(self, QLabel, "drop_hint_label")
        for part in (self.no_match, self.detail_frame, self.selection_bar):
            part.hide()
        self.model = LibraryModel(self)
        self._delegate = LibraryDelegate(self.tree)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.filter_bar.set_order(self.model.order)
        self.arrange_menu = ArrangeMenu(self)
        self.filter_bar.arrange_button.setMenu(self.arrange_menu)
        self.tree.setDragEnabled(True)
        self.tree.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        self._closed_detail: DocumentId | None = None
        self.is_read_only = False
        self.preferred: tuple[str, ...] = ()
        self._is_changing = False
        self.loading = SteppedWork(self)
        self._connect()

    def _connect(self) -> None:
        self.loading.finished.connect(self._after_change)
        self.filter_bar.changed.connect(self._on_narrowed)
        self.filter_bar.left_downwards.connect(self._enter_list)
        self.filter_bar.accepted.connect(self._on_filter_accepted)
        self.no_match.narrowing_chosen.connect(self._on_narrowing_chosen)
        self.arrange_menu.arrangement_chosen.connect(self._on_arrangement_chosen)
        self.arrange_menu.fold_chosen.connect(self._on_fold_chosen)
        self.tree.activated.connect(self._on_tree_activated)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.tree.fold_requested.connect(self._fold)
        self.tree.escape_pressed.connect(self.filter_bar.step_back)
        self.tree.menu_requested.connect(self._on_menu_requested)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.compare_button.clicked.connect(
            lambda: self.compare_requested.emit(self.selected_statuses)
        )
        self.retry_button.clicked.connect(self._on_retry_clicked)
        self.details_button.clicked.connect(self._on_details_clicked)
        self._detail_close_button.clicked.connect(self._on_detail_closed)

    # What is shown

    def show_library(self, name: str, statuses: tuple[DocumentStatus, ...]) -> None:
        """Show another library, or the same one again: what is selected in both stays so."""
        self.library_button.setText(f"{name}  ▾")
        self.library_button.setToolTip(name)
        with self._places_kept():
            if self.model.n_documents and statuses:
                present = {status.document_id for status in statuses}
                gone = [
                    s.document_id for s in self.model.order.statuses if s.document_id not in present
                ]
                self.model.update_statuses(statuses, gone)
            else:
                self.loading.start(self.model.replace(statuses))
        if len(statuses) <= _MANY:
            self.loading.finish()
        self._after_change()

    def update_statuses(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        """Follow the states of documents; selection and scrolling stay."""
        self.loading.finish()
        with self._places_kept():
            is_other = self.model.update_statuses(changed, removed)
        if is_other:
            self._after_change()

    @contextmanager
    def _places_kept(self) -> Iterator[None]:
        """Leave what is looked at where it is; rows that move take the selection with them."""
        top = self.tree.top_key()
        self._is_changing = True
        try:
            yield
            if self.tree.verticalScrollBar().value():
                self.tree.restore_top(top)
        finally:
            self._is_changing = False

    def _after_change(self) -> None:
        n_all, n_shown = self.model.n_documents, self.model.n_shown
        self._delegate.show_words(self.model.order.state_words())
        noun = "document" if n_all == 1 else "documents"
        of = f"{n_shown} of " if n_shown != n_all else ""
        self.count_label.setText(f"{of}{n_all} {noun}")
        is_empty = bool(n_all) and not n_shown
        if is_empty:
            self.no_match.show_for(self.model.order, self.filter_edit.text())
        self.no_match.setVisible(is_empty)
        self.tree.setVisible(not is_empty)
        self.filter_bar.refresh_popup()
        self._show_detail(self.current_status)

    # The filter and the arrangement

    def show_attention(self) -> None:
        """Show only the documents that failed or lack pages."""
        self.filter_bar.ask("", frozenset({Choice(Facet.STATE, StateKind.ATTENTION)}))
        self._enter_list()

    def show_all(self) -> None:
        """Take the filter away."""
        self.filter_bar.clear()

    def _on_narrowed(self, narrowing: Narrowing) -> None:
        self.tree.takes_escape = bool(narrowing)
        self._delegate.words = narrowing.words
        with self._places_kept():
            self.model.narrow(narrowing)
        if not narrowing:
            self.tree.scrollTo(self.tree.currentIndex())
        self.tree.viewport().update()
        self._after_change()

    def _on_narrowing_chosen(self, narrowing: Narrowing) -> None:
        words = self.filter_edit.text() if narrowing.words else ""
        self.filter_bar.ask(words, narrowing.choices)
        self.filter_edit.setFocus()

    def _on_filter_accepted(self) -> None:
        """Open the only document that is left; go to the first of several."""
        documents = [row for row in self.model.rows if row.entry is not None]
        if len(documents) == 1 and documents[0].entry is not None:
            self.document_activated.emit(documents[0].entry.status)
        self._enter_list()

    def _enter_list(self) -> None:
        """Go to the list, to its first document when none is the current one."""
        self.tree.setFocus()
        if self.current_status is None:
            first = next((row for row in self.model.rows if row.entry is not None), None)
            if first is not None:
                self.tree.go_to(self.model.index_of_key(first.key))

    def arrange(self, arrangement: Arrangement) -> None:
        """Group, sort and fold as it was kept for this library."""
        self.arrange_menu.show_arrangement(arrangement)
        with self._places_kept():
            self.model.arrange(arrangement)

    def _on_arrangement_chosen(self, arrangement: Arrangement) -> None:
        self.arrange(arrangement)
        self.tree.scrollTo(self.tree.currentIndex())
        self._tell_arrangement()

    def _on_fold_chosen(self, is_folded: bool) -> None:
        self.model.fold_all(is_folded)
        self._tell_arrangement()

    def _fold(self, index: QModelIndex) -> None:
        self.model.toggle(index)
        self._tell_arrangement()

    def _tell_arrangement(self) -> None:
        arrangement = self.model.order.arrangement
        self.arrange_menu.show_arrangement(arrangement)
        self.arrangement_changed.emit(arrangement)

    # The current document

    @property
    def current_status(self) -> DocumentStatus | None:
        """The selected document, None when a heading or nothing is selected."""
        status = self.tree.currentIndex().data(LibraryRole.STATUS)
        return status if isinstance(status, DocumentStatus) else None

    def select_document(self, document_id: DocumentId) -> None:
        """Select a document's row, as when its page is opened elsewhere.

        Its details stay closed: who follows a citation did not ask what ails the document.
        """
        self.loading.finish()
        index = self.model.reveal(document_id)
        if index.isValid() and index != self.tree.currentIndex():
            self.tree.go_to(index)
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
        troubled = status is not None and (
            needs_attention(status) or status.is_doubtful or bool(status.reason)
        )
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
        if is_visible:
            # The list is shorter now: what is told of must not lie behind the telling.
            QTimer.singleShot(0, self.tree, self.tree.show_current)

    def _on_detail_closed(self) -> None:
        status = self.current_status
        self._closed_detail = status.document_id if status is not None else None
        self._set_detail_visible(False)

    def _on_retry_clicked(self) -> None:
        status = self.current_status
        if status is not None:
            self.retry_requested.emit((status.document_id,))

    # Opening and the context menu

    def _on_details_clicked(self) -> None:
        status = self.current_status
        if status is not None:
            self.details_requested.emit(status)

    def _on_tree_activated(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if row is None:
            return
        if row.entry is not None:
            self.document_activated.emit(row.entry.status)
        else:
            self._fold(index)

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if row is None:
            return
        if row.entry is None or (row.n_under and self._is_on_chevron(index)):
            self._fold(index)
        else:
            self._closed_detail = None
            self._show_detail(row.entry.status)

    def _is_on_chevron(self, index: QModelIndex) -> bool:
        place = self.tree.viewport().mapFromGlobal(self.cursor().pos())
        return self._delegate.is_on_chevron(self.tree.visualRect(index), place)

    def _on_menu_requested(self, index: QModelIndex, place: QPoint) -> None:
        menu = self.menu_at(index)
        if menu is not None:
            menu.exec(place)
            menu.deleteLater()

    def menu_at(self, index: QModelIndex) -> DocumentMenu | None:
        """Return the menu of a row: of all selected documents when it is one of several."""
        row = self.model.row_at(index)
        return None if row is None else menu_of_row(self, row)

    def context_menu(self, status: DocumentStatus) -> DocumentMenu:
        """Return the menu of a document."""
        menu = DocumentMenu(self)
        menu.fill_for_document(status)
        return menu

    @property
    def selected_statuses(self) -> tuple[DocumentStatus, ...]:
        """The selected documents in the order of the rows."""
        numbers = sorted({index.row() for index in self.tree.selectionModel().selectedIndexes()})
        rows: list[Row] = [self.model.rows[number] for number in numbers]
        return tuple(row.entry.status for row in rows if row.entry is not None)

    def _on_selection_changed(self) -> None:
        selected = self.selected_statuses
        self.selection_label.setText(f"{len(selected)} selected")
        self.selection_bar.setVisible(len(selected) > 1)
        self.selection_changed.emit(selected)

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
        self.filter_bar.apply_theme(theme)
        self.tree.viewport().update()
