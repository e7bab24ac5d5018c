"""How the cells and headers of a comparison are drawn."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop_qa.gui.comparison.comparison_model import ComparisonModel, is_gap
from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.tables.table_layout import unbroken
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.lowered_text import draw_wrapped
from desktop_qa.gui.widgets.symbols import Symbols

PADDING_X_PX = 9
PADDING_Y_PX = 6
SIGN_OF_DIFFERENCE = " ≠"

_BAR_PX = 3
_ARROW_PX = 12
_MOST_NOTE_LINES = 2
_WRAP = Qt.TextFlag.TextWordWrap.value
_LEFT = Qt.AlignmentFlag.AlignLeft.value

_Index = QModelIndex | QPersistentModelIndex


def note_height(metrics: QFontMetrics, note: str, width: int) -> int:
    """Return the height of a condition in pixels; the tool tip has what does not fit in it."""
    if metrics.horizontalAdvance(note) <= width:
        return metrics.height()
    wrapped = metrics.boundingRect(QRect(0, 0, width, 10_000), _WRAP, unbroken(note)).height()
    return min(wrapped, _MOST_NOTE_LINES * metrics.height())


class ComparisonDelegate(QStyledItemDelegate):
    """Draws value and condition; rows that differ have a bar and a sign, stated cells are amber."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = themes.LIGHT
        self._plain = self._strong = self._small = QFont(view.font())

    def set_fonts(self, plain: QFont, strong: QFont, small: QFont) -> None:
        """Use the fonts that the rows were measured with."""
        self._plain, self._strong, self._small = plain, strong, small

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a cell with its lower line."""
        model = getattr(index.model(), "comparison", None)
        if not isinstance(model, ComparisonModel):
            return
        painter.save()
        row, column = index.row(), index.column()
        self._paint_ground(painter, option, model, row, column)
        words = option.rect.adjusted(PADDING_X_PX, PADDING_Y_PX, -PADDING_X_PX, -PADDING_Y_PX)
        if column:
            self._paint_value(painter, words, model, row, column)
        else:
            self._paint_label(painter, words, option.rect, model, row)
        if option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(option.rect).adjusted(1, 1, -1.5, -1.5))
        painter.restore()

    def _paint_ground(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        model: ComparisonModel,
        row: int,
        column: int,
    ) -> None:
        theme, rect = self.theme, QRectF(option.rect)
        cell = model.cell(row, column)
        # Opaque, so that the fixed column hides what is scrolled below it.
        painter.fillRect(option.rect, QColor(theme.panel if column else theme.background))
        hot = option.state & QStyle.StateFlag.State_MouseOver and cell.marker
        if model.is_marked(row, column):
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif hot or option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.accent_soft))
        if model.report(row, column):
            paint_report(painter, rect, QColor(theme.error))
        painter.setPen(QPen(QColor(theme.line), 1))
        lower = rect.bottom() - 0.5
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if not column:
            painter.drawLine(
                QPointF(rect.right() - 0.5, rect.top()), QPointF(rect.right() - 0.5, lower)
            )

    def _paint_label(
        self, painter: QPainter, words: QRect, rect: QRect, model: ComparisonModel, row: int
    ) -> None:
        differs = model.differs(row)
        painter.setFont(self._strong if differs else self._plain)
        if differs:
            accent = QColor(self.theme.accent)
            painter.fillRect(QRect(rect.left(), rect.top(), _BAR_PX, rect.height() - 1), accent)
            painter.setPen(accent)
            painter.drawText(words, Qt.AlignmentFlag.AlignRight.value, SIGN_OF_DIFFERENCE)
        room = QFontMetrics(self._strong).horizontalAdvance(SIGN_OF_DIFFERENCE)
        words = words.adjusted(0, 0, -room, 0)
        painter.setPen(QColor(self.theme.text))
        _draw_words(painter, words, model.text(row, 0), model.symbols)

    def _paint_value(
        self, painter: QPainter, words: QRect, model: ComparisonModel, row: int, column: int
    ) -> None:
        cell, theme = model.cell(row, column), self.theme
        gap = is_gap(cell)
        painter.setFont(self._strong if model.is_marked(row, column) else self._plain)
        painter.setPen(QColor(theme.dim if gap else theme.text))
        bottom = _draw_words(painter, words, model.text(row, column), model.symbols)
        if cell.note and not gap:
            metrics = QFontMetrics(self._small)
            height = note_height(metrics, cell.note, words.width())
            box = QRect(words.left(), bottom + 1, words.width(), height)
            painter.setFont(self._small)
            painter.setPen(QColor(theme.text if model.is_marked(row, column) else theme.dim))
            _draw_words(painter, box, cell.note, model.symbols)


def _draw_words(painter: QPainter, rect: QRect, text: str, symbols: Symbols) -> int:
    """Draw words from the top of a rectangle, and return where they end."""
    shown = unbroken(text)
    spans = symbols.spans(shown)
    if not spans:
        return painter.drawText(rect, _LEFT | _WRAP, shown).bottom()
    return rect.top() + math.ceil(draw_wrapped(painter, rect, shown, spans)) - 1


class ComparisonHeader(QHeaderView):
    """Names of the documents; the one sorted by has an arrow."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = themes.LIGHT
        self._sorting: tuple[int, bool] | None = None
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(8)
        self.setHighlightSections(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Columns: click to sort")

    def show_sorting(self, sorting: tuple[int, bool] | None) -> None:
        """Draw the arrow at (column, whether descending)."""
        self._sorting = sorting
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Return the height of one line of names."""
        return QSize(100, QFontMetrics(self.font()).height() + 2 * PADDING_Y_PX + 2)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a name, cut when it is too long, with the arrow of the sorting."""
        painter.save()
        theme = self.theme
        painter.fillRect(rect, QColor(theme.background))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if not section:
            painter.drawLine(rect.topRight(), rect.bottomRight())
        is_sorted = self._sorting is not None and self._sorting[0] == section
        arrow = _ARROW_PX + 3 if is_sorted else 0
        words = rect.adjusted(PADDING_X_PX, 0, -PADDING_X_PX - arrow, 0)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.accent if is_sorted else theme.text))
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        metrics = QFontMetrics(self.font())
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter.value | _LEFT, name)
        if self._sorting is not None and is_sorted:
            icon = "sort_down" if self._sorting[1] else "sort_up"
            scale = self.devicePixelRatioF()
            pixmap = themes.icon_pixmap(icon, theme.accent, _ARROW_PX, scale)
            left = words.left() + min(metrics.horizontalAdvance(name), words.width()) + 3
            painter.drawPixmap(left, rect.center().y() - _ARROW_PX // 2, pixmap)
        painter.restore()
