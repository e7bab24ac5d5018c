"""A scroll bar that shows where the evidence, words found and the reader's marks are."""

from __future__ import annotations

from operator import itemgetter

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QToolTip, QWidget

from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_colours import line_of
from desktop_qa.gui.viewer.pdf_find import FOUND_COLOR, FOUND_ON_DARK
from desktop_qa.gui.viewer.pdf_highlights import AMBER_BORDER
from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.row_painting import faded
from desktop_qa.gui.widgets.theme import look

_TICK_HEIGHT = 3.0
_OTHER_ALPHA = 0.55
_FOUND_HEIGHT = 2.0
_DOT_PX = 4.0
_GRASP_PX = 4.0


class TickScrollBar(QScrollBar):
    """A vertical scroll bar: ticks of evidence and finds over its groove, dots of marks beside.

    All stand at heights that are fractions of the document.

    Attributes:
        ticks: Of evidence; True marks the active citation.
        found_ticks: Of the words that are looked for; True marks the present place.
        tips: What is said at a height.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.ticks: tuple[tuple[float, bool], ...] = ()
        self.found_ticks: tuple[tuple[float, bool], ...] = ()
        self.dots: tuple[tuple[float, MarkColour], ...] = ()
        self.tips: tuple[tuple[float, str], ...] = ()

    def tip_at(self, y: float) -> str:
        """Return what is said of the ticks and dots near a height of the bar; empty for nothing."""
        groove = self._groove()
        near = [
            (abs(groove.top() + fraction * groove.height() - y), text)
            for fraction, text in self.tips
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
        groove, is_dark = self._groove(), look.theme.is_dark
        painter = QPainter(self)
        for ticks, of_all, plain_height in (
            (self.found_ticks, FOUND_ON_DARK if is_dark else FOUND_COLOR, _FOUND_HEIGHT),
            (self.ticks, AMBER_BORDER, _TICK_HEIGHT),
        ):
            for fraction, is_active in sorted(ticks, key=itemgetter(1)):
                color = faded(of_all, 1.0 if is_active else _OTHER_ALPHA)
                height = _TICK_HEIGHT if is_active else plain_height
                y = groove.top() + fraction * (groove.height() - height)
                painter.fillRect(QRectF(1, round(y), self.width() - 2, height), color)
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
