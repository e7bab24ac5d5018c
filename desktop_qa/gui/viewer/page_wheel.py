"""What the wheel and fingers do with the pages: scroll, turn and zoom them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

from desktop_qa.gui.viewer.page_layout import Zoom, ZoomMode

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.page_view import PageView

_WHEEL_ZOOM = 1.2
_WHEEL_STEP = 120
_WHEEL_LINES_PX = 40
_TURN_PAUSE_MS = 250
"""One sweep over a touchpad turns one page, though it goes on sending events."""
_LEAST_PINCH, _MOST_PINCH = 0.5, 2.0
"""A single event of a pinch does not change the size more than this."""


class PageWheel:
    """Steers a `PageView` by wheel, touchpad and touch screen."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._rest = 0
        self._last_turn = QElapsedTimer()

    def turn(self, event: QWheelEvent) -> bool:
        """Scroll, turn pages or zoom; False where the scroll area's own way is right."""
        view, angle = self._view, event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            view.zoom_by(_WHEEL_ZOOM ** (angle / _WHEEL_STEP), event.position())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and angle:
            # Qt would go on by a whole window; macOS has turned the wheel across by itself.
            view.push(-_wheeled_px(event), 0)
        elif view.page_layout.turns_pages and angle:
            self._turn_over_page(event)
        else:
            return False
        return True

    def _turn_over_page(self, event: QWheelEvent) -> None:
        """Scroll within the page; what is wheeled beyond its edge turns it."""
        view, angle = self._view, event.angleDelta().y()
        direction = -1 if angle > 0 else 1
        if view.can_scroll(direction):
            self._rest = 0
            view.scroll_by(-event.pixelDelta().x(), -_wheeled_px(event), glides=False)
            self._last_turn.start()
            return
        if self._rest * angle < 0:
            self._rest = 0
        self._rest += angle
        is_early = self._last_turn.isValid() and self._last_turn.elapsed() < _TURN_PAUSE_MS
        # A wheel with notches says at each that it means a turn; a touchpad glides on.
        if abs(self._rest) < _WHEEL_STEP or (is_early and abs(angle) < _WHEEL_STEP):
            return
        self._rest = 0
        self._last_turn.start()
        view.turn(direction, at_end=direction < 0)

    def pinch(self, event: QEvent) -> bool:
        """Zoom about the fingers; False for what is no gesture of theirs."""
        view = self._view
        if isinstance(event, QNativeGestureEvent):
            kind = event.gestureType()
            if kind is Qt.NativeGestureType.ZoomNativeGesture:
                view.zoom_by(_tamed(1.0 + event.value()), event.position())
            elif kind is Qt.NativeGestureType.SmartZoomNativeGesture:
                is_fitted = view.zoom.mode is ZoomMode.FIT_WIDTH
                zoom = Zoom(ZoomMode.FACTOR, 2 * view.factor) if is_fitted else Zoom()
                view.set_zoom(zoom, event.position())
            else:
                return False
            return True
        if event.type() != QEvent.Type.Gesture or not isinstance(event, QGestureEvent):
            return False
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        if pinch.changeFlags() & QPinchGesture.ChangeFlag.ScaleFactorChanged:
            center = view.viewport().mapFromGlobal(pinch.centerPoint())
            view.zoom_by(_tamed(pinch.scaleFactor()), QPointF(center))
        return True


def _wheeled_px(event: QWheelEvent) -> int:
    """Return how far a wheel, or fingers on a touchpad, push the page down."""
    notches = event.angleDelta().y() / _WHEEL_STEP
    return event.pixelDelta().y() or round(notches * 3 * _WHEEL_LINES_PX)


def _tamed(growth: float) -> float:
    return min(max(growth, _LEAST_PINCH), _MOST_PINCH)
