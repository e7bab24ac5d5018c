"""The list of the library's panel: what its keys do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QTreeView, QWidget

from desktop_qa.gui.library.library_model import LibraryModel, LibraryRole
from desktop_qa.gui.library.library_rows import Row

_Key = Qt.Key


class LibraryTree(QTreeView):
    """Left and Right fold and unfold, Space too; Esc and Delete are handed on.

    Attributes:
        fold_requested: With the index of a row whose fold shall change.
        menu_requested: With the index and the place on the screen, by mouse or key.
        escape_pressed: Esc was pressed.
    """

    fold_requested = Signal(QModelIndex)
    menu_requested = Signal(QModelIndex, object)
    escape_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree")
        # The list scrolls sideways by no key: Left and Right have a meaning of their own.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)

    def _row(self, index: QModelIndex) -> Row | None:
        row = index.data(LibraryRole.ROW)
        return row if isinstance(row, Row) else None

    def event(self, event: QEvent) -> bool:
        """Take Esc before a shortcut of the window does, as far as it means something here."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == _Key.Key_Escape
            and self.takes_escape
        ):
            event.accept()
            return True
        return super().event(event)

    takes_escape = False
    """True while there is a filter that Esc would clear."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fold, unfold, go to the heading; all else as in any list."""
        index = self.currentIndex()
        row = self._row(index)
        key = event.key()
        if key == _Key.Key_Escape and self.takes_escape:
            self.escape_pressed.emit()
            return
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
            other = self._row(above)
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

    def show_current(self) -> None:
        """Scroll to the current row."""
        self.scrollTo(self.currentIndex())

    # Rows that leave

    def first_selected(self) -> int:
        """Return the number of the first selected row, -1 when none is."""
        return min((index.row() for index in self.selectionModel().selectedIndexes()), default=-1)

    def select_near(self, number: int) -> None:
        """Select the document that took the place of one that left, or the nearest to it."""
        last = self.model().rowCount() - 1
        for place in (*range(max(number, 0), last + 1), *range(min(number, last), -1, -1)):
            row = self._row(self.model().index(place, 0))
            if row is not None and row.entry is not None:
                self.go_to(self.model().index(place, 0))
                return

    # The place that is looked at

    def top_key(self) -> tuple[str, int]:
        """Return the first row on the screen and how far it is scrolled out, in pixels."""
        index = self.indexAt(self.viewport().rect().topLeft())
        row = self._row(index)
        return ("", 0) if row is None else (row.key, self.visualRect(index).top())

    def restore_top(self, top: tuple[str, int]) -> None:
        """Scroll so that a row stands where it stood; does nothing when it is not there."""
        model = self.model()
        key, offset = top
        if not key or not isinstance(model, LibraryModel):
            return
        index = model.index_of_key(key)
        if index.isValid():
            rect: QRect = self.visualRect(index)
            bar = self.verticalScrollBar()
            if rect.top() != offset:
                bar.setValue(bar.value() + rect.top() - offset)
