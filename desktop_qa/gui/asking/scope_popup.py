"""The list that opens above the ask box: what to search, ticked with mouse or keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.scope_model import ScopeEntry, ScopeFilter, ScopeModel, ScopeRole
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.retrieve.scope import select

_WIDTH_PX = 340
_HEIGHT_PX = 420


class ScopePopup(QFrame):
    """Closes by Esc, Enter or a click beside it; each tick counts at once.

    Attributes:
        entry_toggled: With (`ScopeEntry`, whether it is ticked).
        cleared: Everything shall be searched again.
        closed: The list went away.
    """

    entry_toggled = Signal(object, bool)
    cleared = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("scope_popup")
        self.setAccessibleName("What to search")
        self._statuses: tuple[DocumentStatus, ...] = ()
        self._is_filling = False
        self._pressed_state: object = None
        self.model = ScopeModel(self)
        self.filter = ScopeFilter(self)
        self.filter.setSourceModel(self.model)
        self.title_label = QLabel("Where to look for answers", self)
        self.filter_edit = QLineEdit(self)
        self.tree = QTreeView(self)
        self.count_label = QLabel(self)
        self.all_button = QPushButton("Search all", self)
        self._build()
        self.filter_edit.textChanged.connect(self._on_filter_changed)
        self.filter_edit.returnPressed.connect(self._toggle_first)
        self.tree.pressed.connect(self._on_row_pressed)
        self.tree.clicked.connect(self._on_row_clicked)
        self.tree.activated.connect(self._on_row_activated)
        self.model.itemChanged.connect(self._on_item_changed)
        self.all_button.clicked.connect(self._on_all_clicked)

    def _build(self) -> None:
        self.filter_edit.setAccessibleName("Filter folders, vendors and documents")
        self.filter_edit.setPlaceholderText("Find a folder, vendor or document")
        self.title_label.setObjectName("heading_label")
        self.filter_edit.setClearButtonEnabled(True)
        self.tree.setAccessibleName("Folders, vendors and documents")
        self.tree.setModel(self.filter)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(10)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.count_label.setObjectName("count_label")
        self.all_button.setObjectName("link_button")
        layout = in_column(self, margins=(8, 8, 8, 8), spacing=8)
        layout.addWidget(self.title_label)
        layout.addWidget(self.filter_edit)
        layout.addWidget(self.tree, 1)
        foot = in_row(inside=layout)
        foot.addWidget(self.count_label, 1)
        foot.addWidget(self.all_button)

    def open_above(
        self,
        anchor: QWidget,
        statuses: tuple[DocumentStatus, ...],
        sources: Sequence[SourceFolder],
        chosen: Sequence[ScopeEntry],
    ) -> None:
        """Show the list over a widget, inside its screen."""
        self._statuses = statuses
        self._is_filling = True
        self.model.fill(statuses, sources, chosen)
        self._is_filling = False
        self.filter_edit.clear()
        self.tree.expandAll()
        self._show_count()
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        corner = anchor.mapToGlobal(QPoint(0, -self.height() - 4))
        room = anchor.screen().availableGeometry()
        if corner.y() < room.top():
            corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 4))
        left = min(corner.x(), room.right() - self.width())
        self.move(max(left, room.left()), min(corner.y(), room.bottom() - self.height()))
        self.show()
        self.filter_edit.setFocus()

    @property
    def chosen(self) -> tuple[ScopeEntry, ...]:
        """What is ticked, in the order of the list."""
        return tuple(
            row.data(ScopeRole.ENTRY)
            for heading in map(self.model.item, range(self.model.rowCount()))
            for row in map(heading.child, range(heading.rowCount()))
            if row.checkState() == Qt.CheckState.Checked
        )

    def _show_count(self) -> None:
        patterns = [entry.pattern for entry in self.chosen]
        n_all = len(self._statuses)
        n_chosen = len(select(patterns, self._statuses).document_ids) if patterns else n_all
        documents = "document" if n_all == 1 else "documents"
        some = f"{n_chosen} of {n_all} {documents} searched"
        self.count_label.setText(some if patterns else "All documents are searched")
        self.all_button.setEnabled(bool(patterns))

    def _on_filter_changed(self, text: str) -> None:
        self.filter.narrow(text)
        self.tree.expandAll()

    def _on_item_changed(self, item: QStandardItem) -> None:
        entry = item.data(ScopeRole.ENTRY)
        if self._is_filling or not isinstance(entry, ScopeEntry):
            return
        self._show_count()
        self.entry_toggled.emit(entry, item.checkState() == Qt.CheckState.Checked)

    def _on_row_activated(self, _index: QModelIndex) -> None:
        """Be done by Enter; a double click has ticked twice and means nothing more."""
        if not QApplication.mouseButtons():
            self.close()

    def _on_row_pressed(self, index: QModelIndex) -> None:
        self._pressed_state = index.data(Qt.ItemDataRole.CheckStateRole)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        """Tick by a click on the words, too; one on the box itself was taken by the view."""
        if index.data(Qt.ItemDataRole.CheckStateRole) == self._pressed_state:
            self._toggle(index)

    def _toggle(self, index: QModelIndex) -> None:
        item = self.model.itemFromIndex(self.filter.mapToSource(index))
        if item is not None and item.isCheckable() and item.isEnabled():
            is_ticked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked)

    def _toggle_first(self) -> None:
        """Tick the one row that the filter leaves; close when nothing is typed."""
        if not self.filter_edit.text().strip():
            self.close()
            return
        first = self.filter.index(0, 0, self.filter.index(0, 0))
        if first.isValid():
            self._toggle(first)
            self.filter_edit.selectAll()

    def _on_all_clicked(self) -> None:
        self._is_filling = True
        self.model.untick()
        self._is_filling = False
        self._show_count()
        self.cleared.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Esc, go from the filter to the rows by Down."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() == Qt.Key.Key_Down and self.filter_edit.hasFocus():
            self.tree.setFocus()
            if not self.tree.currentIndex().isValid():
                self.tree.setCurrentIndex(self.filter.index(0, 0, self.filter.index(0, 0)))
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: object) -> None:
        """Tell that the list is gone."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.closed.emit()
