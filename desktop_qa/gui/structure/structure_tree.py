"""The tree of a document's structure, by mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QWidget

from desktop_qa.gui.structure.structure_delegate import arrow_rect
from desktop_qa.gui.structure.structure_model import Row, StructureRole


class StructureTree(QTreeView):
    """Rows that show their place by click and Enter, and fold by their arrow.

    Attributes:
        row_chosen: With the `Row` to show in the viewer.
        left_upwards: Up was pressed on the first row.
    """

    row_chosen = Signal(object)
    left_upwards = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("structure_tree")
        self.setAccessibleName("Structure of the document")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)

    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> Row | None:
        """Return what a line stands for, None for the head of a group."""
        row = index.data(StructureRole.ROW)
        return row if isinstance(row, Row) else None

    def sees(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Tell whether a row is on screen."""
        return self.viewport().rect().intersects(self.visualRect(index))

    def _on_clicked(self, index: QModelIndex) -> None:
        row = self.row_of(index)
        if row is None:
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.row_chosen.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold and unfold by the arrow; the rest of a row is its place."""
        index = self.indexAt(event.position().toPoint())
        row = self.row_of(index)
        if row is not None and self.model().hasChildren(index):
            arrow = arrow_rect(self.visualRect(index), row.depth)
            if arrow.contains(event.position().toPoint()):
                self.setExpanded(index, not self.isExpanded(index))
                return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show a place by Enter; arrows walk and fold."""
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self._on_clicked(index)
        elif event.key() == Qt.Key.Key_Up and index == self.model().index(0, 0):
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)
