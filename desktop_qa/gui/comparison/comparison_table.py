"""The table of a comparison: rows that differ have a bar and a sign at their parameter."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets.theme import look

_SIGN_OF_DIFFERENCE = " ≠"
_BAR_PX = 3
_LEAST_COLUMN_PX = 92
_LEAST_LABEL_PX = 132
_MOST_COLUMN_PX = 260
_MOST_LABEL_SHARE = 0.34


class ComparisonTable(TableView):
    """Scrolls inside, with room around the words of each document."""

    padding = (9, 6)
    scrolls_inside = True

    def __init__(
        self, model: ComparisonModel, parent: QWidget | None = None, *, fills_place: bool = False
    ) -> None:
        self._comparison = model
        super().__init__(model, parent, fills_place=fills_place)

    def alignment_of(self, _row: int, _column: int) -> Qt.AlignmentFlag:
        """Set all words at the top: conditions stand below them."""
        return Qt.AlignmentFlag.AlignLeft

    def ground_of(self, row: int, column: int) -> str:
        """Return the colour below a cell: names stand beside the paper."""
        return look.theme.panel if row and column else look.theme.background

    def bounds_of(self, column: int) -> tuple[int, int]:
        """Return the least and the largest width that a column may have at first."""
        if column:
            return _LEAST_COLUMN_PX, _MOST_COLUMN_PX
        share = round(self.viewport().width() * _MOST_LABEL_SHARE)
        return _LEAST_LABEL_PX, max(_LEAST_LABEL_PX, share)

    def sign_room(self, row: int, column: int) -> int:
        """Return the room for the sign of a difference, or for the arrow of the sorting."""
        if column or not row:
            return super().sign_room(row, column)
        metrics = QFontMetrics(self.measure.fonts[True])
        return metrics.horizontalAdvance(_SIGN_OF_DIFFERENCE)

    def paint_sign(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """Draw the bar and the sign of a row in which the documents differ."""
        if not column and self._comparison.differs(row):
            accent, (x, y) = QColor(look.theme.accent), self.padding
            painter.fillRect(QRect(rect.left(), rect.top(), _BAR_PX, rect.height() - 1), accent)
            painter.setPen(accent)
            words, right = rect.adjusted(x, y, -x, -y), Qt.AlignmentFlag.AlignRight
            painter.drawText(words, right.value, _SIGN_OF_DIFFERENCE)
