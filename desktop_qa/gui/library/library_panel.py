"""The library at the left: documents under headings, filtered, with their state and its reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QTreeView, QWidget

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.library.library_filter import ArrangeMenu, LibraryFilterBar
from desktop_qa.gui.library.library_model import NAME_INDENT_PX, LibraryDelegate, LibraryModel
from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Facet,
    LibraryOrder,
    Narrowing,
    Row,
    StateKind,
)
from desktop_qa.gui.library.library_words import explain, name_of, needs_attention, state_text
from desktop_qa.gui.widgets.boxes import in_column, put, take_away
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import n_of, plain_label, shortened, told
from desktop_qa.gui.widgets.theme import tint
from desktop_qa.gui.widgets.timers import SteppedWork

_MANY = 1500
"""Documents from which on they are taken in steps: fewer cost less than 50 ms."""

_MAX_SUGGESTIONS = 5
_MAX_WORDS_CHARACTERS = 24


class NoMatch(QWidget):
    """Names the filters that can be dropped, each with what would be listed then."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = plain_label("", self, "no_match_text")
        self.buttons: list[QPushButton] = []
        self._layout = put(in_column(self, margins=(14, 16, 14, 16), spacing=6), self.label, None)

    def show_for(self, order: LibraryOrder, typed: str, ask: Callable[..., object]) -> None:
        """Say what was looked for and offer to drop each part of it.

        Args:
            order: The documents with the filter that lists none of them.
            typed: The words as they were typed.
            ask: Called with the words and the choices that shall take their place.
        """
        narrowing, words = order.narrowing, f"“{shortened(typed.strip(), _MAX_WORDS_CHARACTERS)}”"
        choices = sorted(narrowing.choices)
        asked = [words] * bool(narrowing.words) + [f"“{choice.value}”" for choice in choices]
        self.label.setText(f"No document matches {' with '.join(asked)}.")
        offers: list[tuple[str, Narrowing]] = []
        if narrowing.words and choices:
            offers.append((f"Drop {words}", replace(narrowing, words=())))
        if len(asked) > 1:
            left = narrowing.choices
            offers += [
                (f"Drop “{one.value}”", replace(narrowing, choices=left - {one})) for one in choices
            ]
        counted = [(order.count(one), text, one) for text, one in offers]
        useful = sorted((c for c in counted if c[0]), key=lambda c: -c[0])[:_MAX_SUGGESTIONS]
        take_away(self._layout, self.buttons)
        self.buttons = []
        shown = [(f"{text}: {n_of(count, 'document')}", one) for count, text, one in useful]
        for text, one in (*shown, (f"Show all {n_of(len(order), 'document')}", Narrowing())):
            button = told(QPushButton(text.replace("&", "&&"), self), "link_button", tip=text)
            words = typed if one.words else ""
            button.clicked.connect(lambda _=False, words=words, one=one: ask(words, one.choices))
            at = self._layout.count() - 1
            self._layout.insertWidget(at, button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)


class LibraryTree(QTreeView):
    """The list as the form lays it out.

    Attributes:
        menu_requested: With the index and the place on the screen, by mouse or key.
    """

    menu_requested = Signal(QModelIndex, object)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the mouse, or of the current one by key."""
        index, place = self.indexAt(event.pos()), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            self.scrollTo(index)
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        if index.isValid():
            self.menu_requested.emit(index, place)

    def go_to(self, index: QModelIndex) -> None:
        """Make a row the current one and the only selected one.

        `setCurrentIndex` looks at the keys that are held: a page brought by a key with Ctrl or
        Shift would add its document to the selection.
        """
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)


_PROMOTED = {made.__name__: made for made in (LibraryFilterBar, LibraryTree, NoMatch)}


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
        self._drop_hint_label = child(self, QLabel, "drop_hint_label")
        for part in (self.no_match, self.detail_frame, self.selection_bar):
            part.hide()
        self.model = LibraryModel(self)
        self._order = self.filter_bar.order = self.model.order
        self._delegate = LibraryDelegate(self.tree, self._order)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.tree.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        self.arrange_menu = ArrangeMenu(self._order, self)
        self.filter_bar.arrange_button.setMenu(self.arrange_menu)
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
            on_keys(widget, step_back, when=lambda: self._order.narrowing)
        folding: dict[str, Callable[[], bool]] = {
            "Left": self._on_left_pressed,
            "Right": self._on_right_pressed,
            "Space": lambda: self.current_status is None and self._fold_current(),
            "-": partial(self._fold_current, True),
            "+": partial(self._fold_current, False),
        }
        on_keys(self.tree, folding)
        self.filter_edit.returnPressed.connect(self._on_filter_accepted)
        self.arrange_menu.chosen.connect(self._rearrange)
        self.tree.activated.connect(self._on_tree_activated)
        self.tree.clicked.connect(self._on_tree_clicked)
        selection = self.tree.selectionModel()
        selection.currentChanged.connect(self._on_current_changed)
        selection.selectionChanged.connect(self._on_selection_changed)
        close_button = child(self, QToolButton, "detail_close_button")
        tint(close_button, "close")
        close_button.clicked.connect(self._on_detail_closed)

    # What is shown

    def show_library(self, name: str, statuses: tuple[DocumentStatus, ...]) -> None:
        """Show another library, or the same one again: what is selected in both stays so."""
        self.library_button.setText(f"{name}  ▾")
        self.library_button.setToolTip(name)
        if len(self._order) and statuses:
            known = {status.document_id for status in self._order.statuses}
            gone = known.difference(status.document_id for status in statuses)
            self.update_statuses(statuses, tuple(gone))
            return
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
            is_other = self._order.update(changed, removed)
            self.model.follow()
        if is_other:
            self._after_change()

    @contextmanager
    def _places_kept(self) -> Iterator[None]:
        """Leave what is looked at where it is; rows that move take the selection with them."""
        top = QPersistentModelIndex(self.tree.indexAt(QPoint(0, 0)))
        before = self.tree.visualRect(top).top()
        self._is_changing = True
        try:
            yield
            bar = self.tree.verticalScrollBar()
            if bar.value() and top.isValid():
                bar.setValue(bar.value() + self.tree.visualRect(top).top() - before)
        finally:
            self._is_changing = False

    def _after_change(self) -> None:
        n_all, n_shown = len(self._order), self._order.n_shown
        self._delegate.show_words(self._order.state_words())
        of = f"{n_shown} of " if n_shown != n_all else ""
        self.count_label.setText(of + n_of(n_all, "document"))
        is_empty = bool(n_all) and not n_shown
        if is_empty:
            self.no_match.show_for(self._order, self.filter_edit.text(), self._ask)
        self.no_match.setVisible(is_empty)
        self.tree.setVisible(not is_empty)
        self.filter_bar.refresh_popup()
        self._show_detail(self.current_status)

    # The filter and the arrangement

    def show_attention(self) -> None:
        """Show only the documents that failed or lack pages."""
        self.filter_bar.ask("", frozenset({Choice(Facet.STATE, StateKind.ATTENTION)}))
        self._enter_list()

    def _ask(self, words: str, choices: frozenset[Choice]) -> None:
        self.filter_bar.ask(words, choices)
        self.filter_edit.setFocus()

    def _on_narrowed(self) -> None:
        with self._places_kept():
            self.model.follow()
        if not self._order.narrowing:
            self.tree.scrollTo(self.tree.currentIndex())
        self.tree.viewport().update()
        self._after_change()

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
            self.select_near(0)

    def arrange(self, arrangement: Arrangement) -> None:
        """Group, sort and fold as it was kept for this library."""
        with self._places_kept():
            self._order.arrange(arrangement)
            self.model.follow()
        self._show_detail(self.current_status)

    def _rearrange(self, arrangement: Arrangement) -> None:
        self.arrange(arrangement)
        self.tree.scrollTo(self.tree.currentIndex())
        self.arrangement_changed.emit(self._order.arrangement)

    def fold(self, index: QModelIndex) -> None:
        """Fold what is under a row, or show it again."""
        self._rearrange(self._order.toggled(self.model.rows[index.row()]))

    # Keys that fold; each goes on to the list where it means nothing

    @property
    def _current_row(self) -> Row | None:
        return self.model.row_at(self.tree.currentIndex())

    def _fold_current(self, *is_open: bool) -> bool:
        """Fold or unfold the current row; False when that cannot be, or it is not as said."""
        row = self._current_row
        if row is None or not row.folds or row.is_open not in (is_open or (True, False)):
            return False
        self.fold(self.tree.currentIndex())
        return True

    def _on_left_pressed(self) -> bool:
        """Fold, or go from an older revision to the newest, from a document to its heading."""
        row, number = self._current_row, self.tree.currentIndex().row()
        if row is not None and not self._fold_current(True):
            for place in range(number - 1, -1, -1):
                above = self.model.rows[place]
                if above.entry is None or (row.is_older and not above.is_older):
                    self.tree.go_to(self.model.index(place))
                    break
        return row is not None

    def _on_right_pressed(self) -> bool:
        """Unfold, or go to the first of what is under it."""
        row, number = self._current_row, self.tree.currentIndex().row()
        if row is not None and not self._fold_current(False) and row.folds:
            self.tree.go_to(self.model.index(number + 1))
        return row is not None

    # The current document

    @property
    def current_status(self) -> DocumentStatus | None:
        """The selected document, None when a heading or nothing is selected."""
        row = self._current_row
        return row.entry.status if row is not None and row.entry is not None else None

    @property
    def selected_statuses(self) -> tuple[DocumentStatus, ...]:
        """The selected documents in the order of the rows."""
        entries = (self.model.rows[number].entry for number in self.selected_numbers)
        return tuple(entry.status for entry in entries if entry is not None)

    @property
    def selected_numbers(self) -> list[int]:
        """Which rows are selected, from top to bottom."""
        return sorted({index.row() for index in self.tree.selectionModel().selectedIndexes()})

    def select_document(self, document_id: DocumentId) -> None:
        """Select a document's row, as when its page is opened elsewhere.

        Its details stay closed: who follows a citation did not ask what ails the document.
        """
        self.loading.finish()
        index = self.model.reveal(document_id)
        if index.isValid() and index != self.tree.currentIndex():
            self.tree.go_to(index)
            self._on_detail_closed()

    def select_near(self, number: int) -> None:
        """Select the document at a row, of one that left it, or the nearest to it."""
        rows = self.model.rows
        for place in (*range(number, len(rows)), *range(min(number, len(rows)) - 1, -1, -1)):
            if rows[place].entry is not None:
                self.tree.go_to(self.model.index(place))
                return

    def _on_current_changed(self) -> None:
        if self._is_changing:
            return
        self._closed_detail = None
        status = self.current_status
        self._show_detail(status)
        if status is not None:
            self.document_selected.emit(status)

    def _on_selection_changed(self) -> None:
        n_selected = len(self.selected_statuses)
        self.selection_label.setText(f"{n_selected} selected")
        self.selection_bar.setVisible(n_selected > 1)

    # Details

    def explain_document(self, status: DocumentStatus) -> None:
        """Show what ails a document."""
        self.select_document(status.document_id)
        self._closed_detail = None
        self._show_detail(status)

    def _show_detail(self, status: DocumentStatus | None) -> None:
        is_shown = (
            status is not None
            and status.document_id != self._closed_detail
            and (needs_attention(status) or status.is_doubtful or bool(status.reason))
        )
        self.detail_frame.setVisible(is_shown)
        self._drop_hint_label.setVisible(not is_shown)
        if status is None or not is_shown:
            return
        self.detail_title.setText(f"{name_of(status)}: {state_text(status)}")
        self.detail_text.setText(explain(status))
        self.retry_button.setVisible(needs_attention(status))
        # The list is shorter now: what is told of must not lie behind the telling.
        QTimer.singleShot(0, self.tree, lambda: self.tree.scrollTo(self.tree.currentIndex()))

    def _on_detail_closed(self) -> None:
        status = self.current_status
        self._closed_detail = status.document_id if status is not None else None
        self._show_detail(None)

    # Opening

    def _on_tree_activated(self, index: QModelIndex) -> None:
        row = self.model.rows[index.row()]
        if row.entry is not None:
            self.document_activated.emit(row.entry.status)
        else:
            self.fold(index)

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        row = self.model.rows[index.row()]
        chevron = self.tree.visualRect(index)
        chevron.setWidth(NAME_INDENT_PX)
        place = self.tree.viewport().mapFromGlobal(self.cursor().pos())
        if row.entry is None or (row.n_under and chevron.contains(place)):
            self.fold(index)
        else:
            self._closed_detail = None
            self._show_detail(row.entry.status)
