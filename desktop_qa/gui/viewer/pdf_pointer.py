"""What mouse and keys do on the pages: scroll, select, go through links, take hold."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication

from desktop_qa.core.page_text import PageLink, PageText
from desktop_qa.gui.viewer.page_layout import LINE_PX, ZoomMode
from desktop_qa.gui.viewer.page_text_selection import Unit, distance
from desktop_qa.gui.widgets.theme import look

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_document import PdfDocument
    from desktop_qa.gui.viewer.pdf_view import PdfView

_SCHEMES = ("http", "https", "mailto")
_MAX_TIP = 90
_REFUSED = {
    "javascript": "This link would run a script, which Desktop QA never does.",
    "file": "This link leads to a file on a disk. Desktop QA opens web and mail addresses only.",
    "launch": "This link would start a program or open a file, which Desktop QA never does.",
}
_PAGE_SHARE = 0.9
_Key = Qt.Key
_NONE = Qt.KeyboardModifier.NoModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier

_SCROLLS = {
    **dict.fromkeys((_Key.Key_Space, _Key.Key_PageDown, _Key.Key_Down, _Key.Key_End), 1),
    **dict.fromkeys((_Key.Key_PageUp, _Key.Key_Up, _Key.Key_Home, _Key.Key_Left), -1),
    _Key.Key_Right: 1,
}
_UNITS = {
    _NONE: {
        **dict.fromkeys((_Key.Key_Left, _Key.Key_Right), Unit.CHARACTER),
        **dict.fromkeys((_Key.Key_Up, _Key.Key_Down), Unit.LINE),
        **dict.fromkeys((_Key.Key_PageUp, _Key.Key_PageDown), Unit.PAGE),
        **dict.fromkeys((_Key.Key_Home, _Key.Key_End), Unit.OWN_LINE),
    },
    _CONTROL: {
        **dict.fromkeys((_Key.Key_Left, _Key.Key_Right), Unit.WORD),
        **dict.fromkeys((_Key.Key_Home, _Key.Key_End), Unit.DOCUMENT),
    },
}
_CLICK_PX = 3
_EDGE_PX = 12
_EDGE_MS = 30
_EDGE_SPEED = 0.35
"""Pixels that a turn scrolls for each pixel beyond the edge."""

_MIN_STEP, _MAX_STEP = 4, 60


def link_at(page: PageText, x: float, y: float) -> PageLink | None:
    """Return the smallest link under a point of a page, in points as displayed."""
    under = [link for link in page.links if not any(distance(link.bbox, x, y))]
    return min(under, key=lambda link: link.bbox.area, default=None)


def whole_address(address: str) -> str:
    """Return an address with its scheme; one that starts with "www." is a web page's."""
    return f"https://{address}" if address.lower().startswith("www.") else address


def description(link: PageLink, document: PdfDocument) -> str:
    """Return what the tool tip says of a link in a document."""
    if link.page_no is not None:
        return f"Page {document.label_of(link.page_no)}"
    address = whole_address(link.address)
    if len(address) > _MAX_TIP:
        return f"{address[: _MAX_TIP - 1]}…"
    return address


def refusal(address: str) -> str:
    """Return why an address is not opened; empty for one that may be."""
    # Control characters could hide what an address is.
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in address):
        return "The address of this link is damaged."
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return "The address of this link is damaged."
    scheme = parts.scheme.lower()
    if scheme in _REFUSED:
        return _REFUSED[scheme]
    if scheme not in _SCHEMES:
        named = f"“{scheme}:” links" if scheme else "links without a kind"
        return f"Desktop QA opens web and mail addresses only, no {named}."
    if scheme != "mailto" and not parts.netloc:
        return "The address of this link is damaged."
    return ""


class PageKeys:
    """Turns key events of a `PdfView` into movements of the pages, of the caret, between links."""

    def __init__(self, view: PdfView) -> None:
        self._view = view
        self._link: tuple[int, PageLink] | None = None

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means; False when it means nothing on the pages."""
        if self._act_on_text(event):
            return True
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held in (_NONE, _SHIFT):
            return self.scroll(_Key(event.key()), backwards=held == _SHIFT)
        # As in every text: the ends of the document are also these keys with Ctrl.
        is_end = held == _CONTROL and event.key() in (_Key.Key_Home, _Key.Key_End)
        return is_end and self.scroll(_Key(event.key()))

    def scroll(self, key: Qt.Key, *, backwards: bool = False) -> bool:
        """Scroll or turn pages by a key without Ctrl or Alt; False when it means neither."""
        if not self._view.n_pages or key not in _SCROLLS:
            return False
        bar, direction = self._view.horizontalScrollBar(), _SCROLLS[key]
        if key in (_Key.Key_Home, _Key.Key_End):
            self._go_to_end(direction)
        elif key in (_Key.Key_Left, _Key.Key_Right):
            if bar.maximum() > bar.minimum():
                self._view.push(direction * LINE_PX, 0)
            else:
                self._view.turn(direction)
        else:
            is_line = key in (_Key.Key_Down, _Key.Key_Up)
            self._go_on(-1 if key is _Key.Key_Space and backwards else direction, is_line=is_line)
        return True

    def _go_to_end(self, direction: int) -> None:
        """Go to the end of the document (1) or its beginning (-1); it can be come back from."""
        view = self._view
        target = view.n_pages - 1 if direction > 0 else 0
        if abs(target - (view.current_page - 1)) > 1:
            view.jumping.emit()
        y = view.verticalScrollBar().maximum() if direction > 0 else 0
        view.scroll_to(view.offset.x(), y, target)

    def _go_on(self, direction: int, *, is_line: bool) -> None:
        """Go on by a line or nearly a window; where whole pages are seen, from page to page."""
        view = self._view
        if view.page_layout.turns_pages and not view.can_scroll(direction):
            view.turn(direction, at_end=direction < 0)
        elif is_line:
            view.scroll_by(0, direction * LINE_PX, glides=False)
        elif view.zoom.mode is ZoomMode.FIT_PAGE and not view.page_layout.turns_pages:
            view.align(direction)
        else:
            view.scroll_by(0, direction * round(view.viewport().height() * _PAGE_SHARE))

    def _act_on_text(self, event: QKeyEvent) -> bool:
        view = self._view
        if not view.n_pages:
            return False
        if event.matches(QKeySequence.StandardKey.Copy):
            return view.selector.copy()
        if event.matches(QKeySequence.StandardKey.SelectAll):
            view.selector.select_all()
        elif event.key() == _Key.Key_Escape:
            return self._leave()
        elif event.key() in (_Key.Key_Return, _Key.Key_Enter):
            link = self._link[1] if self._link is not None else self._link_at_caret()
            if link is not None:
                view.link_followed.emit(link)
            return link is not None
        else:
            return self._move(event)
        return True

    def _leave(self) -> bool:
        """Let go of a link, of what is selected, of the caret: one at a time."""
        view = self._view
        if self._link is not None:
            self.forget_link()
        elif view.selector.has_selection:
            view.selector.clear()
        elif view.selector.is_caret_shown:
            view.toggle_caret()
        else:
            view.escaped.emit()
            return False
        return True

    def _move(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        extends = bool(modifiers & _SHIFT)
        # Without a caret the keys scroll; with Shift they still extend what was selected.
        if not extends and not self._view.selector.is_caret_shown:
            return False
        key = _Key(event.key())
        unit = _UNITS.get(modifiers & ~_SHIFT, {}).get(key)
        move = self._view.selector.move
        return unit is not None and move(unit, _SCROLLS[key], extends=extends)

    def forget_link(self) -> None:
        """Stand on no link."""
        self._link = None
        self._view.viewport().update()

    def next_link(self, *, is_next: bool) -> bool:
        """Go to the next link that is seen; False when there is none further."""
        if not self._view.selector.is_caret_shown:
            return False
        links = self._view.visible_links()
        if not links:
            return False
        if self._link in links:
            index = links.index(self._link) + (1 if is_next else -1)
        else:
            index = 0 if is_next else len(links) - 1
        if not 0 <= index < len(links):
            self.forget_link()
            return False
        self._link = links[index]
        self._view.viewport().update()
        return True

    def _link_at_caret(self) -> PageLink | None:
        """Return the link that the caret stands on, while it is shown."""
        selector = self._view.selector
        place = selector.caret_place() if selector.is_caret_shown else None
        page = self._view.texts.peek(place.page_no - 1) if place is not None else None
        if place is None or page is None:
            return None
        box = place.bbox
        return link_at(page, (box.left + box.right) / 2, (box.top + box.bottom) / 2)

    def paint(self, painter: QPainter, page_index: int) -> None:
        """Show which link Enter would follow."""
        if self._link is None or self._link[0] != page_index:
            return
        rect = self._view.page_layout.to_canvas(page_index, self._link[1].bbox)
        painter.setPen(QPen(QColor(look.theme.accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(-2, -2, 2, 2))


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
            view.stop_gliding()
            self._held_at = event.position()
            view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
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
            way = (event.position() - self._held_at).toPoint()
            # Only whole pixels were gone; what is left of one counts next time.
            self._held_at = self._held_at + way.toPointF()
            view.push(-way.x(), -way.y())
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
