"""What the keys do with the text of the pages: a caret, selections, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPen

from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.page_text_places import caret_box
from desktop_qa.gui.viewer.page_text_selection import Step
from desktop_qa.gui.viewer.pdf_links import link_at

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_view import PdfView

_Key = Qt.Key
_NONE = Qt.KeyboardModifier.NoModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier

_PLAIN = {
    _Key.Key_Left: Step.PREVIOUS_CHARACTER,
    _Key.Key_Right: Step.NEXT_CHARACTER,
    _Key.Key_Up: Step.PREVIOUS_LINE,
    _Key.Key_Down: Step.NEXT_LINE,
    _Key.Key_PageUp: Step.PREVIOUS_PAGE,
    _Key.Key_PageDown: Step.NEXT_PAGE,
    _Key.Key_Home: Step.LINE_START,
    _Key.Key_End: Step.LINE_END,
}
_WITH_CONTROL = {
    _Key.Key_Left: Step.PREVIOUS_WORD,
    _Key.Key_Right: Step.NEXT_WORD,
    _Key.Key_Home: Step.DOCUMENT_START,
    _Key.Key_End: Step.DOCUMENT_END,
}


class CaretKeys(QObject):
    """Turns key events of a `PdfView` into movements of the caret and between links."""

    def __init__(self, view: PdfView) -> None:
        super().__init__(view)
        self._view = view
        self._link: tuple[int, PageLink] | None = None

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means for the text; False when it means nothing for it."""
        view = self._view
        if not view.n_pages:
            return False
        if event.matches(QKeySequence.StandardKey.Copy):
            return view.selector.copy()
        if event.matches(QKeySequence.StandardKey.SelectAll):
            view.selector.select_all()
        elif event.matches(QKeySequence.StandardKey.Find):
            view.find_requested.emit()
        elif event.key() == _Key.Key_F7:
            view.toggle_caret()
        elif event.key() == _Key.Key_Escape:
            return self._leave()
        elif event.key() in (_Key.Key_Return, _Key.Key_Enter):
            return self._follow()
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
        steps = {_NONE: _PLAIN, _CONTROL: _WITH_CONTROL}.get(modifiers & ~_SHIFT, {})
        step = steps.get(_Key(event.key()))
        return step is not None and self._view.selector.move(step, extends=extends)

    # Links

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

    def _follow(self) -> bool:
        link = self._link[1] if self._link is not None else self._link_at_caret()
        if link is None:
            return False
        self._view.link_followed.emit(link)
        return True

    def _link_at_caret(self) -> PageLink | None:
        """Return the link that the caret stands on, while it is shown."""
        view, caret = self._view, self._view.selector.model.caret
        page = view.texts.peek(caret.page_index) if caret is not None else None
        if caret is None or page is None or not page.lines or not view.selector.is_caret_shown:
            return None
        box = caret_box(page, min(caret.offset, len(page.text)))
        return link_at(page, (box.left + box.right) / 2, (box.top + box.bottom) / 2)

    def paint(self, painter: QPainter, layout: PageLayout, page_index: int, color: QColor) -> None:
        """Show which link Enter would follow."""
        if self._link is None or self._link[0] != page_index:
            return
        painter.setPen(QPen(color, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(layout.to_canvas(page_index, self._link[1].bbox).adjusted(-2, -2, 2, 2))
