"""A scroll bar that shows where the evidence, words found and the reader's marks are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QToolTip, QWidget

from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_colours import line_of
from desktop_qa.gui.viewer.pdf_highlights import AMBER_BORDER
from desktop_qa.gui.widgets.closed_text import plain_tip

_TICK_HEIGHT = 3.0
_OTHER_ALPHA = 0.55
_FOUND_HEIGHT = 2.0
_FOUND_STEPS = 1_000
_DOT_PX = 4.0
_GRASP_PX = 4.0
_DARK_BELOW = 128


class TickScrollBar(QScrollBar):
    """A vertical scroll bar: ticks of evidence and finds over its groove, dots of marks beside.

    All are kept by their heights as fractions of the document.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.ticks: tuple[tuple[float, bool], ...] = ()
        self.found_ticks: tuple[tuple[float, bool], ...] = ()
        self.dots: tuple[tuple[float, MarkColour], ...] = ()
        self._found_color = QColor(AMBER_BORDER)
        self._tips: tuple[tuple[float, str], ...] = ()

    def set_found_ticks(self, ticks: Sequence[tuple[float, bool]], color: QColor) -> None:
        """Show where words were found, in a colour of their own."""
        # A thousand of them on 700 pixels: one for each height is enough.
        heights = {(is_active, round(fraction * _FOUND_STEPS)) for fraction, is_active in ticks}
        self.found_ticks = tuple(
            (height / _FOUND_STEPS, is_active) for is_active, height in sorted(heights)
        )
        self._found_color = color
        self.update()

    def set_signs(
        self,
        ticks: Sequence[tuple[float, bool]],
        dots: Sequence[tuple[float, MarkColour]],
        tips: Sequence[tuple[float, str]],
    ) -> None:
        """Show evidence (True: active), marks and what is said of them, by heights of 0 to 1."""
        self.ticks = tuple(sorted(ticks, key=lambda tick: tick[1]))
        self.dots, self._tips = tuple(dots), tuple(tips)
        self.update()

    def tip_at(self, y: float) -> str:
        """Return what is said of the ticks and dots near a height of the bar; empty for nothing."""
        groove = self._groove()
        near = [
            (abs(groove.top() + fraction * groove.height() - y), text)
            for fraction, text in self._tips
        ]
        found = dict.fromkeys(text for distance, text in sorted(near) if distance <= _GRASP_PX)
        return "\n".join(found)

    def _groove(self) -> QRectF:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return QRectF(
            self.style().subControlRect(
                QStyle.ComplexControl.CC_ScrollBar,
                option,
                QStyle.SubControl.SC_ScrollBarGroove,
                self,
            )
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar as the style does, and the ticks over it."""
        super().paintEvent(event)
        if not (self.ticks or self.dots or self.found_ticks):
            return
        groove = self._groove()
        painter = QPainter(self)
        for ticks, of_all, plain_height in (
            (self.found_ticks, self._found_color, _FOUND_HEIGHT),
            (self.ticks, AMBER_BORDER, _TICK_HEIGHT),
        ):
            for fraction, is_active in ticks:
                color = QColor(of_all)
                if not is_active:
                    color.setAlphaF(_OTHER_ALPHA)
                height = _TICK_HEIGHT if is_active else plain_height
                y = groove.top() + fraction * (groove.height() - height)
                painter.fillRect(QRectF(1, round(y), self.width() - 2, height), color)
        is_dark = self.palette().color(QPalette.ColorRole.Base).lightness() < _DARK_BELOW
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for fraction, colour in self.dots:
            painter.setBrush(line_of(colour, is_dark=is_dark))
            y = groove.top() + fraction * (groove.height() - _DOT_PX) + _DOT_PX / 2
            painter.drawEllipse(QPointF(self.width() / 2, y), _DOT_PX / 2, _DOT_PX / 2)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Say what a tick stands for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(event.pos().y())
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
