"""A scroll bar that shows where in the document the evidence is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

from desktop_qa.gui.pdf_highlights import AMBER_BORDER

_TICK_HEIGHT = 3.0
_OTHER_ALPHA = 0.55


class TickScrollBar(QScrollBar):
    """A vertical scroll bar with amber ticks over its groove."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._ticks: tuple[tuple[float, bool], ...] = ()

    @property
    def ticks(self) -> tuple[tuple[float, bool], ...]:
        """Each tick's height as a fraction of the document, and whether it is active."""
        return self._ticks

    def set_ticks(self, ticks: Sequence[tuple[float, bool]]) -> None:
        """Show ticks at fractions of the document's height; True marks the active citation."""
        self._ticks = tuple(sorted(ticks, key=lambda tick: tick[1]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar as the style does, and the ticks over it."""
        super().paintEvent(event)
        if not self._ticks:
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        groove = self.style().subControlRect(
            QStyle.ComplexControl.CC_ScrollBar,
            option,
            QStyle.SubControl.SC_ScrollBarGroove,
            self,
        )
        painter = QPainter(self)
        for fraction, is_active in self._ticks:
            color = QColor(AMBER_BORDER)
            if not is_active:
                color.setAlphaF(_OTHER_ALPHA)
            y = groove.top() + fraction * (groove.height() - _TICK_HEIGHT)
            painter.fillRect(QRectF(1, round(y), self.width() - 2, _TICK_HEIGHT), color)
        painter.end()
