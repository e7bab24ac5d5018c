"""How the cells of a document's table are drawn: headers dim, numbers right, cited ones amber."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.tables.table_layout import unbroken
from desktop_qa.gui.widgets.lowered_text import draw_wrapped

if TYPE_CHECKING:
    from desktop_qa.gui.tables.table_view import TableView

PADDING_X_PX = 6
PADDING_Y_PX = 5
WRAP = Qt.TextFlag.TextWordWrap.value
_ARROW_PX = 7
ARROW_ROOM_PX = _ARROW_PX + 4


class CellDelegate(QStyledItemDelegate):
    """Draws one cell of a `TableView`."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw a cell with its lower line."""
        view = self._view
        model, theme = view.table_model, view.theme
        if model is None:
            return
        row, column = index.row(), index.column()
        rect = QRectF(option.rect)
        is_header = model.is_header(row)
        painter.save()
        if is_header and view.is_scrolling:
            painter.fillRect(rect, QColor(theme.panel))
        lower = rect.bottom() - 0.5
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if model.is_cited(row, column):
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), QColor(theme.accent_soft))
        if model.report(row, column):
            paint_report(painter, rect, QColor(theme.error))
        is_dim = is_header or model.is_group_heading(row)
        painter.setPen(QColor(theme.dim if is_dim else theme.text))
        words = option.rect.adjusted(PADDING_X_PX, 0, -PADDING_X_PX, 0)
        if is_header and view.is_sorted_by(row, column):
            words = self._paint_arrow(painter, words)
        self._paint_words(painter, words, model.text(row, column), row, column)
        if option.state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        painter.restore()

    def _paint_arrow(self, painter: QPainter, words: QRect) -> QRect:
        """Draw which way the column is sorted, and return the room left for its name."""
        middle = words.center().y() + 0.5
        right = float(words.right())
        up = 1.0 if self._view.is_descending else -1.0
        tip, base = middle + up * 2.5, middle - up * 2.0
        triangle = QPolygonF(
            [QPointF(right - _ARROW_PX, base), QPointF(right, base),
             QPointF(right - _ARROW_PX / 2, tip)]
        )  # fmt: skip
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(self._view.theme.accent))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(triangle)
        painter.restore()
        return words.adjusted(0, 0, -ARROW_ROOM_PX, 0)

    def _paint_words(
        self, painter: QPainter, rect: QRect, text: str, row: int, column: int
    ) -> None:
        view = self._view
        painter.setFont(view.font_of(row, column))
        alignment = view.alignment_of(row, column)
        spans = view.symbols.spans(text)
        if spans:
            draw_wrapped(painter, rect, text, spans, alignment)
            return
        if view.is_scrolling and not view.is_measured(row):
            shown = painter.fontMetrics().elidedText(
                text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width()
            )
            painter.drawText(rect, alignment.value, shown)
            return
        painter.drawText(rect, alignment.value | WRAP, unbroken(text))
