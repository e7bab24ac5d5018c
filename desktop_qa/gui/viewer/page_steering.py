"""Steering the pages by wheel, fingers and keys."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QWidget

from desktop_qa.gui.viewer.page_layout import GAP, Zoom, ZoomMode
from desktop_qa.gui.viewer.page_view import PageView

_WHEEL_ZOOM = 1.2
_WHEEL_STEP = 120
_LINE_PX = 48
_PAGE_SHARE = 0.9
_WHEEL_LINES_PX = 40
_TURN_PAUSE_MS = 250
"""One sweep over a touchpad turns one page, though it goes on sending events."""
_LEAST_PINCH, _MOST_PINCH = 0.5, 2.0
"""A single event of a pinch does not change the size more than this."""
_ALIGNED_PX = 4
"""A page whose top is no farther from that of the window stands there already."""


class SteeredPageView(PageView):
    """Pages that follow the wheel, touchpads, touch screens and keys.

    Signals:
        jumping: The pages are about to be elsewhere: at an end, or where words were found.
    """

    jumping = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wheel_rest = 0
        self._last_turn = QElapsedTimer()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)

    # Wheel and fingers

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, and turn pages at their edges; Ctrl zooms at the pointer, Shift goes across."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(_WHEEL_ZOOM ** (event.angleDelta().y() / _WHEEL_STEP), event.position())
            event.accept()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.angleDelta().y():
            # Qt would go on by a whole window; macOS has turned the wheel across by itself.
            across = self.horizontalScrollBar()
            across.setValue(across.value() - _wheeled_px(event))
            event.accept()
        elif self.page_layout.turns_pages and event.angleDelta().y():
            self._wheel_over_page(event)
            event.accept()
        else:
            super().wheelEvent(event)

    def _wheel_over_page(self, event: QWheelEvent) -> None:
        """Scroll within the page; what is wheeled beyond its edge turns it."""
        angle = event.angleDelta().y()
        direction = -1 if angle > 0 else 1
        if self.can_scroll(direction):
            self._wheel_rest = 0
            x = self.horizontalScrollBar().value() - event.pixelDelta().x()
            self._jump_to(x, self.verticalScrollBar().value() - _wheeled_px(event))
            self._last_turn.start()
            return
        if self._wheel_rest * angle < 0:
            self._wheel_rest = 0
        self._wheel_rest += angle
        is_early = self._last_turn.isValid() and self._last_turn.elapsed() < _TURN_PAUSE_MS
        # A wheel with notches says at each that it means a turn; a touchpad glides on.
        if abs(self._wheel_rest) < _WHEEL_STEP or (is_early and abs(angle) < _WHEEL_STEP):
            return
        self._wheel_rest = 0
        self._last_turn.start()
        self.turn(direction, at_end=direction < 0)

    def _jump_to(self, x: int, y: int) -> None:
        was_animated, self.is_animated = self.is_animated, False
        self.scroll_to(x, y)
        self.is_animated = was_animated
        self._emit_reading()

    def viewportEvent(self, event: QEvent) -> bool:
        """Zoom about the fingers on a touchpad or a touch screen."""
        if event.type() == QEvent.Type.NativeGesture:
            return self._on_native_gesture(cast(QNativeGestureEvent, event))
        if event.type() == QEvent.Type.Gesture:
            pinch = cast(QGestureEvent, event).gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self._on_pinch(pinch)
                event.accept()
                return True
        return super().viewportEvent(event)

    def _on_native_gesture(self, event: QNativeGestureEvent) -> bool:
        kind = event.gestureType()
        if kind is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(_tamed(1.0 + event.value()), event.position())
        elif kind is Qt.NativeGestureType.SmartZoomNativeGesture:
            is_fitted = self.zoom.mode is ZoomMode.FIT_WIDTH
            zoom = Zoom(ZoomMode.FACTOR, 2 * self.factor) if is_fitted else Zoom()
            self.set_zoom(zoom, event.position())
        else:
            return super().viewportEvent(event)
        event.accept()
        return True

    def _on_pinch(self, pinch: QPinchGesture) -> None:
        if pinch.changeFlags() & QPinchGesture.ChangeFlag.ScaleFactorChanged:
            center = self.viewport().mapFromGlobal(pinch.centerPoint())
            self.zoom_by(_tamed(pinch.scaleFactor()), QPointF(center))

    # Keys

    def zoom_by_key(self, event: QKeyEvent) -> bool:
        """Zoom when the key says so: Ctrl++, Ctrl+-, Ctrl+0 (fit width); True when it did."""
        is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.matches(QKeySequence.StandardKey.ZoomIn) or (
            is_control and event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
        ):
            self.zoom_in()
        elif event.matches(QKeySequence.StandardKey.ZoomOut):
            self.zoom_out()
        elif is_control and event.key() == Qt.Key.Key_0:
            self.set_zoom(Zoom(ZoomMode.FIT_WIDTH))
        else:
            return False
        return True

    def scroll_by_key(self, key: Qt.Key, *, backwards: bool) -> bool:
        """Scroll or turn pages by a key without Ctrl or Alt; False when it means neither.

        Args:
            key: The key.
            backwards: Shift is held: the space bar goes up.
        """
        if not self.n_pages:
            return False
        bar = self.horizontalScrollBar()
        if key is Qt.Key.Key_Space:
            self._go_on(-1 if backwards else 1)
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._go_on(1 if key is Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._go_a_line(1 if key is Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go_to_end(1 if key is Qt.Key.Key_End else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key is Qt.Key.Key_Right else -1
            if bar.maximum() > bar.minimum():
                bar.setValue(bar.value() + step * _LINE_PX)
            else:
                self.turn(step)
        else:
            return False
        return True

    def go_to_end(self, direction: int) -> None:
        """Go to the end of the document (1) or its beginning (-1); it can be come back from."""
        last = self.n_pages - 1
        at_end = direction > 0
        target = last * at_end
        if abs(target - (self.current_page - 1)) > 1:
            self.jumping.emit()
        y = self.verticalScrollBar().maximum() * at_end
        self.scroll_to(self.horizontalScrollBar().value(), y, target)
        self._emit_reading()

    def _go_on(self, direction: int) -> None:
        """Go on by nearly a window; where whole pages are seen, from page to page."""
        if self.page_layout.turns_pages and not self.can_scroll(direction):
            self.turn(direction, at_end=direction < 0)
        elif self.zoom.mode is ZoomMode.FIT_PAGE and not self.page_layout.turns_pages:
            self._go_a_page(direction)
        else:
            self.scroll_by(0, direction * round(self.viewport().height() * _PAGE_SHARE))

    def _go_a_page(self, direction: int) -> None:
        """Put the next page that does not stand at the top of the window there."""
        goal = self._animation.goal
        y = self.verticalScrollBar().value() if goal is None else goal
        above = self.page_layout.page_rect(self.current_page - 1).top() - GAP - y
        if above * direction > _ALIGNED_PX:
            # A part of it is seen already.
            self._go_to_page(self.current_page - 1)
        else:
            self.turn(direction)

    def _go_a_line(self, direction: int) -> None:
        if self.page_layout.turns_pages and not self.can_scroll(direction):
            self.turn(direction, at_end=direction < 0)
        else:
            offset = self.visible_canvas.topLeft()
            self._jump_to(offset.x(), offset.y() + direction * _LINE_PX)


def _wheeled_px(event: QWheelEvent) -> int:
    """Return how far a wheel, or fingers on a touchpad, push the page down."""
    notches = event.angleDelta().y() / _WHEEL_STEP
    return event.pixelDelta().y() or round(notches * 3 * _WHEEL_LINES_PX)


def _tamed(growth: float) -> float:
    return min(max(growth, _LEAST_PINCH), _MOST_PINCH)
