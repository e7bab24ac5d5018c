"""What the keys do on the pages: scroll them, move a caret, select, go through links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPen

from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.viewer.page_layout import LINE_PX, PageLayout, ZoomMode
from desktop_qa.gui.viewer.page_text_selection import Unit
from desktop_qa.gui.viewer.pdf_links import link_at

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_view import PdfView

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

    def paint(self, painter: QPainter, layout: PageLayout, page_index: int, color: QColor) -> None:
        """Show which link Enter would follow."""
        if self._link is None or self._link[0] != page_index:
            return
        painter.setPen(QPen(color, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(layout.to_canvas(page_index, self._link[1].bbox).adjusted(-2, -2, 2, 2))
