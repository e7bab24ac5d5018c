"""The library at the left: documents under headings, filtered, with their state and its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
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
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.library.library_filter import ArrangeMenu, LibraryFilterBar
from desktop_qa.gui.library.library_model import LibraryDelegate, LibraryModel
from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Facet,
    LibraryOrder,
    Narrowing,
    Row,
    StateKind,
)
from desktop_qa.gui.library.library_words import (
    explain,
    name_of,
    needs_attention,
    state_text,
)
from desktop_qa.gui.widgets.boxes import in_column, put, take_away
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import n_of, plain_label, shortened, told
from desktop_qa.gui.widgets.theme import tint
from desktop_qa.gui.widgets.timers import SteppedWork

_MANY = 1500
"""Documents from which on they are taken in steps: fewer cost less than 50 ms."""

_MAX_SUGGESTIONS = 5
_MAX_WORDS_CHARACTERS = 24
_Key = Qt.Key


class NoMatch(QWidget):
    """Names the filters that can be dropped, each with what would be listed then.

    Attributes:
        narrowing_chosen: With the `Narrowing` that shall take the place of the present one.
    """

    narrowing_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = plain_label("", self, "no_match_text")
        self.buttons: list[QPushButton] = []
        self._layout = put(in_column(self, margins=(14, 16, 14, 16), spacing=6), self.label, None)

    def show_for(self, order: LibraryOrder, typed: str) -> None:
        """Say what was looked for and offer to drop each part of it.

        Args:
            order: The documents with the filter that lists none of them.
            typed: The words as they were typed.
        """
        take_away(self._layout, self.buttons)
        self.buttons = []
        narrowing = order.narrowing
        self.label.setText(_sentence(narrowing, typed))
        offers: list[tuple[str, Narrowing]] = []
        if narrowing.words and narrowing.choices:
            words = shortened(typed.strip(), _MAX_WORDS_CHARACTERS)
            offers.append((f"Drop “{words}”", replace(narrowing, words=())))
        if len(narrowing.choices) > 1 or narrowing.words:
            for choice in sorted(narrowing.choices):
                left = narrowing.choices - {choice}
                offers.append((f"Drop “{choice.value}”", replace(narrowing, choices=left)))
        counted = [(text, one, order.count(one)) for text, one in offers]
        useful = sorted((c for c in counted if c[2]), key=lambda c: -c[2])[:_MAX_SUGGESTIONS]
        for text, one, count in useful:
            self._add(f"{text}: {n_of(count, 'document')}", one)
        self._add(f"Show all {n_of(len(order), 'document')}", Narrowing())

    def _add(self, text: str, narrowing: Narrowing) -> None:
        button = told(QPushButton(text.replace("&", "&&"), self), "link_button", tip=text)
        button.clicked.connect(lambda: self.narrowing_chosen.emit(narrowing))
        self._layout.insertWidget(self._layout.count() - 1, button, 0, Qt.AlignmentFlag.AlignLeft)
        self.buttons.append(button)


def _sentence(narrowing: Narrowing, typed: str) -> str:
    parts = [f"“{shortened(typed.strip(), _MAX_WORDS_CHARACTERS)}”"] if narrowing.words else []
    parts += [f"“{choice.value}”" for choice in sorted(narrowing.choices)]
    return f"No document matches {' with '.join(parts)}." if parts else "No document matches."


class LibraryTree(QTreeView):
    """Left and Right fold and unfold, Space too; Esc and Delete are handed on.

    Attributes:
        fold_requested: With the index of a row whose fold shall change.
        menu_requested: With the index and the place on the screen, by mouse or key.
    """

    fold_requested = Signal(QModelIndex)
    menu_requested = Signal(QModelIndex, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree")
        # The list scrolls sideways by no key: Left and Right have a meaning of their own.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)

    @property
    def _model(self) -> LibraryModel:
        model = self.model()
        assert isinstance(model, LibraryModel)
        return model

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fold, unfold, go to the heading; all else as in any list."""
        index = self.currentIndex()
        row = self._model.row_at(index)
        key = event.key()
        if row is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        folds = row.entry is None or row.n_under > 0
        closes = key in (_Key.Key_Left, _Key.Key_Minus) and row.is_open
        opens = key in (_Key.Key_Right, _Key.Key_Plus) and not row.is_open
        if (key == _Key.Key_Space and row.entry is None) or (folds and (closes or opens)):
            self.fold_requested.emit(index)
        elif key == _Key.Key_Left:
            self._go_to_parent(index, row)
        elif key == _Key.Key_Right:
            if folds:
                self.go_to(index.siblingAtRow(index.row() + 1))
        else:
            super().keyPressEvent(event)

    def _go_to_parent(self, index: QModelIndex, row: Row) -> None:
        """Go from an older revision to the newest, from a document to its heading."""
        for number in range(index.row() - 1, -1, -1):
            above = index.siblingAtRow(number)
            other = self._model.row_at(above)
            if other is None:
                return
            if other.entry is None or (row.is_older and not other.is_older):
                self.go_to(above)
                return

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the mouse, or of the current one by key."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            self.scrollTo(index)
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        else:
            index, place = self.indexAt(event.pos()), event.globalPos()
        if index.isValid():
            self.menu_requested.emit(index, place)

    def go_to(self, index: QModelIndex) -> None:
        """Make a row the current one and the only selected one.

        `setCurrentIndex` looks at the keys that are held: a page brought by a key with Ctrl or
        Shift would add its document to the selection.
        """
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    # Rows that leave

    def first_selected(self) -> int:
        """Return the number of the first selected row, -1 when none is."""
        return min((index.row() for index in self.selectionModel().selectedIndexes()), default=-1)

    def select_near(self, number: int) -> None:
        """Select the document that took the place of one that left, or the nearest to it."""
        last = len(self._model.rows) - 1
        for place in (*range(max(number, 0), last + 1), *range(min(number, last), -1, -1)):
            if self._model.rows[place].entry is not None:
                self.go_to(self._model.index(place))
                return

    # The place that is looked at

    def top_key(self) -> tuple[str, int]:
        """Return the first row on the screen and how far it is scrolled out, in pixels."""
        index = self.indexAt(self.viewport().rect().topLeft())
        row = self._model.row_at(index)
        return ("", 0) if row is None else (row.key, self.visualRect(index).top())

    def restore_top(self, top: tuple[str, int]) -> None:
        """Scroll so that a row stands where it stood; does nothing when it is not there."""
        key, offset = top
        index = self._model.index_of(key)
        if index.isValid():
            moved = self.visualRect(index).top() - offset
            if moved:
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + moved)


_PROMOTED: dict[str, type[QWidget]] = {
    "LibraryFilterBar": LibraryFilterBar,
    "LibraryTree": LibraryTree,
    "NoMatch": NoMatch,
}


class LibraryPanel(QWidget):
    """Shows the statuses it is given.

    Attributes:
        document_activated: With the `DocumentStatus` to open, by double click or Enter.
        document_selected: With the `DocumentStatus` that became the current row.
        arrangement_changed: With the `Arrangement` that the user chose.
    """

    document_activated = Signal(object)
    document_selected = Signal(object)
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
        tint(self._detail_close_button, "close")
        self._drop_hint_label = child(self, QLabel, "drop_hint_label")
        for part in (self.no_match, self.detail_frame, self.selection_bar):
            part.hide()
        self.model = LibraryModel(self)
        self._delegate = LibraryDelegate(self.tree)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.filter_bar.order = self.model.order
        self.arrange_menu = ArrangeMenu(self)
        self.filter_bar.arrange_button.setMenu(self.arrange_menu)
        self.tree.setDragEnabled(True)
        self.tree.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        self._closed_detail: DocumentId | None = None
        self._is_changing = False
        self.loading = SteppedWork(self)
        self._connect()

    def _connect(self) -> None:
        self.loading.finished.connect(self._after_change)
        self.filter_bar.changed.connect(self._on_narrowed)
        on_keys(self.filter_edit, {"Down": self._enter_list})
        for widget in (self.filter_edit, self.tree):
            step_back = {"Esc": self.filter_bar.step_back}
            on_keys(widget, step_back, when=lambda: self.filter_bar.narrowing)
        self.filter_bar.edit.returnPressed.connect(self._on_filter_accepted)
        self.no_match.narrowing_chosen.connect(self._on_narrowing_chosen)
        self.arrange_menu.arrangement_chosen.connect(self._on_arrangement_chosen)
        self.arrange_menu.fold_chosen.connect(self._on_fold_chosen)
        self.tree.activated.connect(self._on_tree_activated)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.tree.fold_requested.connect(self._fold)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.selectionModel().selectionChanged.connect(self._on_selection_changed)
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
        n_all, n_shown = self.model.n_documents, self.model.order.n_shown
        self._delegate.show_words(self.model.order.state_words())
        of = f"{n_shown} of " if n_shown != n_all else ""
        self.count_label.setText(of + n_of(n_all, "document"))
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
        self.filter_bar.ask()

    def _on_narrowed(self, narrowing: Narrowing) -> None:
        self._delegate.words = narrowing.words
        with self._places_kept():
            self.model.order.narrow(narrowing)
            self.model.follow()
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
        entries = [row.entry for row in self.model.rows if row.entry is not None]
        if len(entries) == 1:
            self.document_activated.emit(entries[0].status)
        self._enter_list()

    def _enter_list(self) -> None:
        """Go to the list, to its first document when none is the current one."""
        self.tree.setFocus()
        if self.current_status is None:
            first = next((row for row in self.model.rows if row.entry is not None), None)
            if first is not None:
                self.tree.go_to(self.model.index_of(first.key))

    def arrange(self, arrangement: Arrangement) -> None:
        """Group, sort and fold as it was kept for this library."""
        self.arrange_menu.show_arrangement(arrangement)
        with self._places_kept():
            self.model.order.arrange(arrangement)
            self.model.follow()

    def _on_arrangement_chosen(self, arrangement: Arrangement) -> None:
        self.arrange(arrangement)
        self.tree.scrollTo(self.tree.currentIndex())
        self._tell_arrangement()

    def _on_fold_chosen(self, is_folded: bool) -> None:
        self.model.order.fold_all(is_folded)
        self._tell_arrangement()

    def _fold(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if row is not None:
            self.model.order.toggle(row)
            self._tell_arrangement()

    def _tell_arrangement(self) -> None:
        self.model.follow()
        arrangement = self.model.order.arrangement
        self.arrange_menu.show_arrangement(arrangement)
        self.arrangement_changed.emit(arrangement)

    # The current document

    @property
    def current_status(self) -> DocumentStatus | None:
        """The selected document, None when a heading or nothing is selected."""
        row = self.model.row_at(self.tree.currentIndex())
        return row.entry.status if row is not None and row.entry is not None else None

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
            QTimer.singleShot(0, self.tree, lambda: self.tree.scrollTo(self.tree.currentIndex()))

    def _on_detail_closed(self) -> None:
        status = self.current_status
        self._closed_detail = status.document_id if status is not None else None
        self._set_detail_visible(False)

    # Opening

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

    @property
    def selected_statuses(self) -> tuple[DocumentStatus, ...]:
        """The selected documents in the order of the rows."""
        numbers = sorted({index.row() for index in self.tree.selectionModel().selectedIndexes()})
        entries = (self.model.rows[number].entry for number in numbers)
        return tuple(entry.status for entry in entries if entry is not None)

    def _on_selection_changed(self) -> None:
        n_selected = len(self.selected_statuses)
        self.selection_label.setText(f"{n_selected} selected")
        self.selection_bar.setVisible(n_selected > 1)

    def explain_document(self, status: DocumentStatus) -> None:
        """Show what ails a document."""
        self.select_document(status.document_id)
        self._closed_detail = None
        self._show_detail(status)

    # Preferred sources

    def show_preferred(self, patterns: tuple[str, ...]) -> None:
        """Mark the preferred documents and vendors."""
        self.model.mark_preferred(patterns)
        self.tree.viewport().update()
