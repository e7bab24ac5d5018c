"""What stands at the right of a tab: the cross that closes it, or a dot."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_qa.gui.widgets import theme as themes

_BUTTON_PX = 18
_DOT_PX = 7.0
_TURN_MS = 60
_TURN_DEGREES = 18


class TabState(StrEnum):
    """What the dot of a tab says."""

    QUIET = "quiet"
    BUSY = "busy"
    NEWS = "news"


class TabButton(QAbstractButton):
    """The cross of a tab; a dot takes its place while there is something to say."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = TabState.QUIET
        self.is_current = False
        self._theme = themes.LIGHT
        self._angle = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_TURN_MS)
        self._timer.timeout.connect(self._on_turn_due)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName("Close this conversation")
        self.setToolTip("Close this conversation (Ctrl+W)")

    def sizeHint(self) -> QSize:
        """Return a small square."""
        return QSize(_BUTTON_PX, _BUTTON_PX)

    def show_state(self, state: TabState, *, is_current: bool, theme: themes.Theme) -> None:
        """Say what there is to say."""
        self.state, self.is_current, self._theme = state, is_current, theme
        if state is TabState.BUSY and not self._timer.isActive():
            self._timer.start()
        elif state is not TabState.BUSY:
            self._timer.stop()
        self.update()

    def _on_turn_due(self) -> None:
        self._angle = (self._angle + _TURN_DEGREES) % 360
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the cross under the pointer, else the dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(self.width() / 2, self.height() / 2)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.line))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        if self.state is TabState.QUIET or self.underMouse():
            if self.is_current or self.underMouse():
                self._paint_cross(painter, middle)
        else:
            self._paint_dot(painter, middle)
        painter.end()

    def _paint_cross(self, painter: QPainter, middle: QPointF) -> None:
        pen = QPen(QColor(self._theme.dim), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(middle + QPointF(-3.2, -3.2), middle + QPointF(3.2, 3.2))
        painter.drawLine(middle + QPointF(-3.2, 3.2), middle + QPointF(3.2, -3.2))

    def _paint_dot(self, painter: QPainter, middle: QPointF) -> None:
        accent = QColor(self._theme.accent)
        around = QRectF(0, 0, _DOT_PX, _DOT_PX)
        if self.state is TabState.NEWS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
        else:
            around.setSize(around.size() * 1.4)
            pen = QPen(accent, 1.8)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
        around.moveCenter(middle)
        if self.state is TabState.NEWS:
            painter.drawEllipse(around)
        else:
            painter.drawArc(around, -self._angle * 16, 250 * 16)
