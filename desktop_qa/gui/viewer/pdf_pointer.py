"""What the mouse does on the pages: selects, clicks marks and links, takes hold of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.viewer.pdf_links import link_at

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_view import PdfView

_CLICK_PX = 3
_EDGE_PX = 12
_EDGE_MS = 30
_EDGE_SPEED = 0.35
"""Pixels that a turn scrolls for each pixel beyond the edge."""

_MIN_STEP, _MAX_STEP = 4, 60


class Pointer(QObject):
    """Turns mouse events of a `PdfView` into selections and clicks."""

    def __init__(self, view: PdfView) -> None:
        super().__init__(view)
        self._view = view
        self._target: PageLink | int | None = None
        self._mark_id = ""
        self._pressed_at = QPointF()
        self._last = QPointF()
        self._n_clicks = 0
        self._last_press_ms = 0
        self._is_moved = False
        self._held_at: QPointF | None = None
        self._edge = QTimer(self, interval=_EDGE_MS)
        self._edge.timeout.connect(self._on_edge_timeout)

    def press(self, event: QMouseEvent, *, is_double: bool = False) -> bool:
        """Begin; False for a press that means nothing here."""
        view = self._view
        self._mark_id = ""
        if event.button() is Qt.MouseButton.MiddleButton and view.n_pages:
            self._take_hold(event.position())
            return True
        if event.button() is not Qt.MouseButton.LeftButton or not view.n_pages:
            return False
        view.stop_gliding()
        self._count_clicks(event, is_double=is_double)
        self._pressed_at = self._last = event.position()
        self._is_moved = False
        self._target = self._target_under(event.position()) if self._n_clicks == 1 else None
        mark = None if is_double else view.mark_at(event.position())
        self._mark_id = mark.mark.id if mark is not None else ""
        page_index, point = view.point_at(event.position())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            view.selector.press_block(page_index, point)
        else:
            view.selector.press(
                page_index,
                point,
                n_clicks=self._n_clicks,
                extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier),
            )
        return True

    def _count_clicks(self, event: QMouseEvent, *, is_double: bool) -> None:
        """Count presses at one place: Qt knows of the second, not of a third."""
        is_near = (event.position() - self._pressed_at).manhattanLength() <= _CLICK_PX
        is_soon = event.timestamp() - self._last_press_ms <= QApplication.doubleClickInterval()
        if is_double:
            self._n_clicks = 2 if self._n_clicks < 2 or not is_near else self._n_clicks + 1
        elif self._n_clicks >= 2 and is_near and is_soon:
            self._n_clicks += 1
        else:
            self._n_clicks = 1
        self._last_press_ms = event.timestamp()

    def move(self, event: QMouseEvent) -> None:
        """Select on, or show what a click would do."""
        view = self._view
        if self._held_at is not None:
            self._pull(event.position())
            return
        if not view.selector.is_dragging:
            self._show_cursor(event.position())
            return
        self._last = event.position()
        if (event.position() - self._pressed_at).manhattanLength() > _CLICK_PX:
            self._is_moved = True
            self._target = None
        if self._is_moved:
            self._drag()
            if self._beyond() and not self._edge.isActive():
                self._edge.start()

    def _drag(self) -> None:
        self._view.selector.drag(*self._view.point_at(self._last))

    def release(self, event: QMouseEvent) -> None:
        """End selecting, or click a link or a citation, and the reader's mark under it."""
        view = self._view
        if self._held_at is not None:
            if event.button() is Qt.MouseButton.MiddleButton:
                self._held_at = None
                self._show_cursor(event.position())
            return
        self._edge.stop()
        view.selector.release()
        target, self._target = self._target, None
        mark_id, self._mark_id = self._mark_id, ""
        if target is not None and target == self._target_under(event.position()):
            followed = (
                view.link_followed if isinstance(target, PageLink) else view.highlight_clicked
            )
            followed.emit(target)
        distance = (event.position() - self._pressed_at).manhattanLength()
        if mark_id and event.button() is Qt.MouseButton.LeftButton and distance <= _CLICK_PX:
            view.mark_clicked.emit(mark_id)

    def _take_hold(self, position: QPointF) -> None:
        self._view.stop_gliding()
        self._held_at = position
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def _pull(self, position: QPointF) -> None:
        if self._held_at is None:
            return
        way = (position - self._held_at).toPoint()
        # Only whole pixels were gone; what is left of one counts next time.
        self._held_at = self._held_at + way.toPointF()
        self._view.push(-way.x(), -way.y())

    def link_under(self, position: QPointF) -> PageLink | None:
        """Return the link at a point of the viewport."""
        if not self._view.n_pages:
            return None
        page_index, point = self._view.point_at(position)
        page = self._view.texts.get(page_index)
        return link_at(page, point.x(), point.y()) if page is not None else None

    def _target_under(self, position: QPointF) -> PageLink | int | None:
        """Return the link, else the marker of the citation, that a click would choose."""
        return self.link_under(position) or self._view.marker_under(position)

    def _show_cursor(self, position: QPointF) -> None:
        view = self._view
        cursor = Qt.CursorShape.ArrowCursor
        if self._target_under(position) is not None:
            cursor = Qt.CursorShape.PointingHandCursor
        elif view.n_pages and self._is_on_text(position):
            cursor = Qt.CursorShape.IBeamCursor
        view.viewport().setCursor(cursor)

    def _is_on_text(self, position: QPointF) -> bool:
        page_index, _point = self._view.point_at(position)
        rect = self._view.page_layout.page_rect(page_index)
        if not rect.translated(-self._view.visible_canvas.topLeft()).contains(position.toPoint()):
            return False
        page = self._view.texts.peek(page_index)
        # Over a scanned page the pointer does not promise that there is something to select.
        return page is None or bool(page.lines)

    def _beyond(self) -> QPointF:
        """Return how far the pointer is beyond the edges of the viewport, in pixels."""
        room = self._view.viewport().rect().toRectF()
        x, y = self._last.x(), self._last.y()
        dx = min(x - room.left(), 0.0) + max(x - room.right(), 0.0)
        dy = min(y - room.top() - _EDGE_PX, 0.0) + max(y - room.bottom() + _EDGE_PX, 0.0)
        return QPointF(dx, dy)

    def _on_edge_timeout(self) -> None:
        beyond = self._beyond()
        if not beyond or not self._view.selector.is_dragging:
            self._edge.stop()
            return
        self._view.push(_edge_step(beyond.x()), _edge_step(beyond.y()))
        self._drag()


def _edge_step(beyond: float) -> int:
    """Return how far to scroll for a pointer so far beyond an edge, in pixels."""
    step = min(max(abs(beyond) * _EDGE_SPEED, _MIN_STEP), _MAX_STEP) if beyond else 0.0
    return round(step if beyond > 0 else -step)
