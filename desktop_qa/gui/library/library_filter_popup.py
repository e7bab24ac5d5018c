"""The pop-up beside the filter: states, vendors, folders and revisions, with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from desktop_qa.gui.library.library_facets import Choice, Facet
from desktop_qa.gui.widgets.boxes import in_column, in_row

_WIDTH_PX = 290
_MAX_HEIGHT_PX = 470
_MANY_VALUES = 24
"""From so many on a field to find one by its name is of use."""

_CHOICE = Qt.ItemDataRole.UserRole + 1

Counts = Mapping[Facet, Sequence[tuple[str, int]]]


class FilterPopup(QFrame):
    """Each tick counts at once; closes by Esc or a click beside it.

    Attributes:
        choice_toggled: With (`Choice`, whether it is ticked).
        cleared: Nothing shall be chosen any more.
    """

    choice_toggled = Signal(object, bool)
    cleared = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("scope_popup")
        self.setAccessibleName("Filter documents")
        self.find_edit = QLineEdit(self)
        self.tree = QTreeView(self)
        self.model = QStandardItemModel(0, 2, self)
        self.count_label = QLabel(self)
        self.clear_button = QPushButton("Clear", self)
        self._is_filling = False
        self._pressed: object = None
        self._build()
        self.find_edit.textChanged.connect(self._on_find_changed)
        self.tree.pressed.connect(self._on_row_pressed)
        self.tree.clicked.connect(self._on_row_clicked)
        self.tree.activated.connect(self._on_row_activated)
        self.model.itemChanged.connect(self._on_item_changed)
        self.clear_button.clicked.connect(self.cleared)

    def _build(self) -> None:
        self.find_edit.setAccessibleName("Find a vendor or folder")
        self.find_edit.setPlaceholderText("Find a vendor or folder …")
        self.find_edit.setClearButtonEnabled(True)
        self.tree.setAccessibleName("States, vendors, folders and revisions")
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(10)
        self.tree.setUniformRowHeights(True)
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.count_label.setObjectName("count_label")
        self.clear_button.setObjectName("link_button")
        self.clear_button.setToolTip("Leave no document out for its state, vendor or folder")
        layout = in_column(self, margins=(8, 8, 8, 8), spacing=8)
        layout.addWidget(self.find_edit)
        layout.addWidget(self.tree, 1)
        foot = in_row(inside=layout)
        foot.addWidget(self.count_label, 1)
        foot.addWidget(self.clear_button)

    def open_below(self, anchor: QWidget) -> None:
        """Show the list under a widget, inside its screen; `fill` goes before."""
        n_rows = 0
        for number in range(self.model.rowCount()):
            n_rows += 1 + self.model.item(number).rowCount()
        self.find_edit.setVisible(n_rows > _MANY_VALUES)
        self.find_edit.clear()
        self.ensurePolished()
        row_px = max(self.tree.sizeHintForRow(0), 22)
        extra = 84 if n_rows > _MANY_VALUES else 52
        self.resize(_WIDTH_PX, min(n_rows * row_px + extra, _MAX_HEIGHT_PX))
        corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 4))
        room = anchor.screen().availableGeometry()
        left = max(min(corner.x(), room.right() - self.width()), room.left())
        self.move(left, min(corner.y(), room.bottom() - self.height()))
        self.show()
        first = self.model.item(0)
        if first is not None:
            self.tree.setCurrentIndex(first.child(0).index())
        (self.find_edit if self.find_edit.isVisibleTo(self) else self.tree).setFocus()

    def fill(self, counts: Counts, chosen: frozenset[Choice], n_shown: int, n_all: int) -> None:
        """Show the values of all facets with how many documents each would list."""
        self._is_filling = True
        if self._shape() == [(f, v) for f, values in counts.items() for v, _n in values]:
            self._refresh(counts, chosen)
        else:
            self._rebuild(counts, chosen)
        self._is_filling = False
        self.count_label.setText(f"{n_shown} of {n_all} documents")
        self.clear_button.setEnabled(bool(chosen))

    def _items(self) -> list[tuple[QStandardItem, QStandardItem]]:
        return [
            (heading.child(row, 0), heading.child(row, 1))
            for heading in map(self.model.item, range(self.model.rowCount()))
            for row in range(heading.rowCount())
        ]

    def _shape(self) -> list[tuple[Facet, str]]:
        return [tuple(name.data(_CHOICE)) for name, _count in self._items()]

    def _refresh(self, counts: Counts, chosen: frozenset[Choice]) -> None:
        numbers = {(f, v): n for f, values in counts.items() for v, n in values}
        for name, count in self._items():
            choice = Choice(*name.data(_CHOICE))
            self._mark(name, count, choice in chosen, numbers[choice.facet, choice.value])

    def _rebuild(self, counts: Counts, chosen: frozenset[Choice]) -> None:
        self.model.clear()
        self.model.setColumnCount(2)
        for facet, values in counts.items():
            if not values:
                continue
            heading = QStandardItem(facet.value)
            heading.setEnabled(False)
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            blank = QStandardItem()
            blank.setEnabled(False)
            self.model.appendRow([heading, blank])
            for value, number in values:
                name, count = QStandardItem(value), QStandardItem()
                name.setData((facet, value), _CHOICE)
                name.setToolTip(value)
                name.setCheckable(True)
                count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                heading.appendRow([name, count])
                self._mark(name, count, Choice(facet, value) in chosen, number)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.expandAll()

    def _mark(
        self, name: QStandardItem, count: QStandardItem, is_ticked: bool, number: int
    ) -> None:
        name.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        count.setText(str(number))
        noun = "document" if number == 1 else "documents"
        name.setAccessibleText(f"{name.text()}, {number} {noun}")
        # What would list nothing is quiet, but can be unticked.
        for item in (name, count):
            item.setEnabled(bool(number) or is_ticked)

    # Ticking

    def _on_row_pressed(self, index: QModelIndex) -> None:
        first = index.siblingAtColumn(0)
        self._pressed = first.data(Qt.ItemDataRole.CheckStateRole)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        """Tick by a click anywhere in the row; one on the box itself was taken by the view."""
        first = index.siblingAtColumn(0)
        if first.data(Qt.ItemDataRole.CheckStateRole) == self._pressed:
            self._toggle(first)

    def _on_row_activated(self, index: QModelIndex) -> None:
        if self.tree.hasFocus():
            self._toggle(index.siblingAtColumn(0))

    def _toggle(self, index: QModelIndex) -> None:
        item = self.model.itemFromIndex(index)
        if item is not None and item.isCheckable() and item.isEnabled():
            is_ticked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked)

    def _on_item_changed(self, item: QStandardItem) -> None:
        choice = item.data(_CHOICE)
        if not self._is_filling and choice is not None:
            is_ticked = item.checkState() == Qt.CheckState.Checked
            self.choice_toggled.emit(Choice(*choice), is_ticked)

    def _on_find_changed(self, text: str) -> None:
        words = text.casefold().split()
        root = self.model.invisibleRootItem()
        for number in range(root.rowCount()):
            heading = root.child(number)
            n_left = 0
            for row in range(heading.rowCount()):
                is_fitting = all(word in heading.child(row).text().casefold() for word in words)
                self.tree.setRowHidden(row, heading.index(), not is_fitting)
                n_left += is_fitting
            self.tree.setRowHidden(number, QModelIndex(), not n_left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Esc, go from the field to the rows by Down."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() == Qt.Key.Key_Down and self.find_edit.hasFocus():
            self.tree.setFocus()
        else:
            super().keyPressEvent(event)
