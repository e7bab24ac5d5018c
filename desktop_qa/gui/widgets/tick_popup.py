"""A pop-up list of things to tick under headings, and chips of what was chosen."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QTreeView, QWidget

from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.list_rows import FilterEdit, WordFilter

VALUE_ROLE = Qt.ItemDataRole.UserRole + 1
"""What a row stands for."""

_TICK = Qt.ItemDataRole.CheckStateRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
MAX_CHIP_PX = 190
_LEAST_NAME_PX = 20
_CROSS = "  ✕"


class TickFilter(WordFilter):
    """What is ticked stays in sight."""

    def filterAcceptsRow(
        self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        """Judge a row; a heading is shown for its rows."""
        index = self.sourceModel().index(source_row, 0, source_parent)
        is_ticked = index.data(_TICK) == _CHECKED.value
        return is_ticked or super().filterAcceptsRow(source_row, source_parent)


class TickPopup(QFrame):
    """Each tick counts at once; closes by Esc or a click beside it.

    Attributes:
        ticked: With the value of a row, and whether it is ticked.
        is_filling: What is ticked meanwhile was not ticked by the user.
    """

    ticked = Signal(object, bool)

    def __init__(
        self,
        model: QStandardItemModel,
        name: str,
        field: tuple[str, str],
        clear_text: str,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        told(self, "scope_popup", name)
        model.setParent(self)
        self.model = model
        self.is_filling = False
        self._pressed: object = None
        self.filter = TickFilter(self)
        self.filter.setSourceModel(model)
        self.tree = QTreeView(
            self, headerHidden=True, rootIsDecorated=False, indentation=10, uniformRowHeights=True
        )
        self.filter_edit = FilterEdit(*field, self.tree)
        self.tree.setModel(self.filter)
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.count_label = told(QLabel(self), "count_label")
        self.clear_button = told(QPushButton(clear_text, self), "link_button")
        self.column = in_column(self, margins=(8, 8, 8, 8), spacing=8)
        put(self.column, self.filter_edit, (self.tree, 1))
        put(in_row(inside=self.column), (self.count_label, 1), self.clear_button)
        self.filter_edit.textChanged.connect(self._on_filter_changed)
        self.tree.pressed.connect(self._on_row_pressed)
        self.tree.clicked.connect(self._on_row_clicked)
        self.model.itemChanged.connect(self._on_item_changed)

    def show_at(self, corner: QPoint, anchor: QWidget) -> None:
        """Show it at a place, inside the screen of a widget."""
        room = anchor.screen().availableGeometry()
        left = max(min(corner.x(), room.right() - self.width()), room.left())
        self.move(left, min(corner.y(), room.bottom() - self.height()))
        self.show()

    def first_row(self) -> QModelIndex:
        """Return the first row below a heading."""
        return self.filter.index(0, 0, self.filter.index(0, 0))

    def items(self) -> list[QStandardItem]:
        """Return the rows below all headings."""
        headings = map(self.model.item, range(self.model.rowCount()))
        return [heading.child(row) for heading in headings for row in range(heading.rowCount())]

    def toggle(self, index: QModelIndex) -> None:
        """Tick a row, or take its tick away."""
        item = self.model.itemFromIndex(self.filter.mapToSource(index.siblingAtColumn(0)))
        if item is not None and item.isCheckable() and item.isEnabled():
            item.setCheckState(_UNCHECKED if item.checkState() == _CHECKED else _CHECKED)

    def _on_filter_changed(self, text: str) -> None:
        self.filter.narrow(text)
        self.tree.expandAll()

    def _on_row_pressed(self, index: QModelIndex) -> None:
        self._pressed = index.siblingAtColumn(0).data(_TICK)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        """Tick by a click anywhere in the row; one on the box itself was taken by the view."""
        if index.siblingAtColumn(0).data(_TICK) == self._pressed:
            self.toggle(index)

    def _on_item_changed(self, item: QStandardItem) -> None:
        value = item.data(VALUE_ROLE)
        if not self.is_filling and value is not None:
            self.ticked.emit(value, item.checkState() == _CHECKED)


class Chip(QPushButton):
    """Something that was chosen; a click, Delete or Backspace leaves it out."""

    def __init__(self, value: Any, label: str, spoken: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.value = value
        self._label = label
        told(self, "scope_chip", spoken)
        on_keys(self, {"Del, Backspace": self.click})
        self.fit(MAX_CHIP_PX)

    def fit(self, width_px: int) -> None:
        """Elide the name so that the chip is at most so wide."""
        self.ensurePolished()
        self.setText(_CROSS)
        room = max(width_px - super().sizeHint().width(), _LEAST_NAME_PX)
        name = self.fontMetrics().elidedText(self._label, Qt.TextElideMode.ElideMiddle, room)
        self.setText(f"{name}{_CROSS}".replace("&", "&&"))
