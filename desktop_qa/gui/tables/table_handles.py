"""The header rows of a table under the mouse: a click sorts, the edges of columns are dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from desktop_qa.gui.tables.table_view import TableView

LEAST_COLUMN_PX = 24
_EDGE_PX = 4


class ColumnHandles(QObject):
    """Follows the mouse over a `TableView`."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self._view = view
        self._dragged: tuple[int, int, int] | None = None
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take what concerns the header rows; the rest is the table's."""
        if not isinstance(event, QMouseEvent):
            return False
        position = event.position().toPoint()
        is_left = event.button() == Qt.MouseButton.LeftButton
        match event.type():
            case QEvent.Type.MouseMove:
                return self._moved(position)
            case QEvent.Type.MouseButtonPress:
                return is_left and self._pressed(position)
            case QEvent.Type.MouseButtonRelease:
                return is_left and self._released(position)
            case QEvent.Type.MouseButtonDblClick:
                return is_left and self._double_clicked(position)
        return False

    def _edge_at(self, position: QPoint) -> int | None:
        """Return the column whose right edge is near a place in the header rows."""
        view = self._view
        column = view.header_column_at(position - QPoint(_EDGE_PX, 0))
        if column is None:
            return None
        edge = view.columnViewportPosition(column) + view.columnWidth(column)
        return column if abs(edge - position.x()) <= _EDGE_PX else None

    def _moved(self, position: QPoint) -> bool:
        view = self._view
        if self._dragged is not None:
            column, start, width = self._dragged
            view.set_column_width(column, max(LEAST_COLUMN_PX, width + position.x() - start))
            return True
        if self._edge_at(position) is not None:
            view.viewport().setCursor(Qt.CursorShape.SplitHCursor)
        elif view.header_column_at(position) is not None:
            view.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            view.viewport().unsetCursor()
        return False

    def _pressed(self, position: QPoint) -> bool:
        edge = self._edge_at(position)
        if edge is not None:
            self._dragged = edge, position.x(), self._view.columnWidth(edge)
            return True
        return self._view.has_fixed_head and self._view.header_column_at(position) is not None

    def _released(self, position: QPoint) -> bool:
        if self._dragged is not None:
            self._dragged = None
            self._view.refit_rows()
            return True
        column = self._view.header_column_at(position)
        if column is not None and self._view.has_fixed_head:
            self._view.sort_requested.emit(column)
            return True
        return False

    def _double_clicked(self, position: QPoint) -> bool:
        edge = self._edge_at(position)
        if edge is not None:
            self._view.fit_column(edge)
        return edge is not None
