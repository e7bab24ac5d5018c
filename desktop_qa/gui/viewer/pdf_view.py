"""The pages of a document with the evidence marked on them, driven by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontInfo,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.viewer.page_cache import FileStamp
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.page_steering import SteeredPageView
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.viewer.pdf_find import FOUND_COLOR, FOUND_ON_DARK, PdfFinder
from desktop_qa.gui.viewer.pdf_highlights import (
    NO_MARKER,
    Badge,
    Highlight,
    badges,
    marker_at,
    paint_badge,
    paint_highlights,
)
from desktop_qa.gui.viewer.pdf_links import description
from desktop_qa.gui.viewer.pdf_pointer import Pointer
from desktop_qa.gui.viewer.pdf_selection import TextSelector
from desktop_qa.gui.viewer.pdf_text_keys import CaretKeys
from desktop_qa.gui.viewer.tick_scroll_bar import TickScrollBar
from desktop_qa.gui.widgets.timers import single_shot

_BADGE_FONT_PX = 11
_LINE_PX = 48
_DARK_CANVAS = 0.5
_TEXT_PAUSE_MS = 300
"""The text is fetched when the pages are drawn: they are what is waited for."""

MenuClaim = Callable[[int, QPointF, QContextMenuEvent], bool]


class PdfView(SteeredPageView):
    """A view of a document with its evidence.

    Signals:
        highlight_clicked: Marker of the citation whose rectangle or number was clicked.
        link_followed: With the `PageLink` that was clicked.
        menu_requested: 0-based index of a page, a point on it, and where on the screen.
        mark_requested: With the places of the selection and its text, to be highlighted for good.
        find_requested: The line for finding words is wanted.
        escaped: Escape was pressed, and there was nothing on the pages to let go of.
        caret_toggled: The keys move a caret over the text, or the pages again.
        said: A sentence for the reader.
    """

    highlight_clicked = Signal(int)
    link_followed = Signal(object)
    menu_requested = Signal(int, QPointF, object)
    mark_requested = Signal(object, str)
    find_requested = Signal()
    escaped = Signal()
    caret_toggled = Signal(bool)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = PageTexts(self)
        self.selector = TextSelector(self.texts, self)
        self.finder = PdfFinder(self.texts, self)
        self.menu_claims: list[MenuClaim] = []
        self._pointer = Pointer(self)
        self._keys = CaretKeys(self)
        self._highlights: tuple[Highlight, ...] = ()
        self._active: int | None = None
        self._text_stamp: FileStamp | None = None
        self._ticks = TickScrollBar(self)
        self.setVerticalScrollBar(self._ticks)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Pages of the document")
        self._text_timer = single_shot(self, self._on_text_timer_timeout, _TEXT_PAUSE_MS)
        self.selector.changed.connect(self.viewport().update)
        self.selector.blinked.connect(self.viewport().update)
        self.selector.caret_moved.connect(self.ensure_visible)
        self.selector.said.connect(self.said)
        self.finder.changed.connect(self._on_finder_changed)
        self.finder.place_wanted.connect(self._on_finder_place_wanted)
        self.document.opened.connect(self._on_file_opened)
        self.current_page_changed.connect(self._on_current_page_changed)

    # The text

    def _on_file_opened(self) -> None:
        stamp = self.document.stamp
        path = Path(stamp.path) if stamp is not None else None
        if path is None or (path == self.texts.path and stamp == self._text_stamp):
            return
        self._text_stamp = stamp
        self.texts.set_file(path, self.document.password)
        self.selector.set_document(self.n_pages)
        self.finder.clear()
        self._text_timer.start()

    def _on_current_page_changed(self, _page_no: int) -> None:
        self._text_timer.start()

    def _on_text_timer_timeout(self) -> None:
        if self.n_pages and self.isVisible():
            self.texts.get(self.current_page - 1)

    def _on_finder_changed(self) -> None:
        self._show_found_ticks()
        self.viewport().update()

    def _show_found_ticks(self) -> None:
        is_dark = self.canvas().lightnessF() < _DARK_CANVAS
        color = FOUND_ON_DARK if is_dark else FOUND_COLOR
        self._ticks.set_found_ticks(self.finder.ticks(self.page_layout), color)

    def _on_finder_place_wanted(self, places: tuple[Provenance, ...]) -> None:
        if not all(self._is_seen(place) for place in places):
            self.go_to(places)

    def _is_seen(self, place: Provenance) -> bool:
        rect = self.page_layout.to_canvas(place.page_no - 1, place.bbox)
        return QRectF(self.visible_canvas).contains(rect)

    @property
    def is_selection_seen(self) -> bool:
        """True when a part of what is selected is in the window."""
        model, seen = self.selector.model, QRectF(self.visible_canvas)
        if not self.selector.has_selection:
            return False
        return any(
            seen.intersects(self.page_layout.to_canvas(page_index, box))
            for page_index in self.page_layout.seen(self.visible_canvas)
            if model.first_page_index <= page_index <= model.last_page_index
            for box in model.boxes(page_index)
        )

    def ensure_visible(self, page_index: int, box: BoundingBox) -> None:
        """Scroll as little as needed to see a place on a page."""
        layout = self.page_layout
        if layout.turns_pages and page_index not in layout.spread_of(self.current_page - 1):
            self.go_to([Provenance(page_index + 1, box)])
            return
        rect = self.page_layout.to_canvas(page_index, box).adjusted(-_LINE_PX, -8, _LINE_PX, 8)
        seen = QRectF(self.visible_canvas)
        dx = min(rect.left() - seen.left(), 0.0) + max(rect.right() - seen.right(), 0.0)
        dy = min(rect.top() - seen.top(), 0.0) + max(rect.bottom() - seen.bottom(), 0.0)
        if dx or dy:
            self.scroll_by(round(dx), round(dy))

    def toggle_caret(self) -> None:
        """Let the keys move a caret over the text, or scroll the pages again."""
        is_shown = not self.selector.is_caret_shown
        self.selector.show_caret(is_shown, self.current_page - 1)
        self._keys.forget_link()
        self.caret_toggled.emit(is_shown)

    # The marks

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """The places marked."""
        return self._highlights

    @property
    def active(self) -> int | None:
        """Marker of the citation that is marked more strongly."""
        return self._active

    def set_highlights(self, highlights: Sequence[Highlight]) -> None:
        """Mark places of the open document; the former marks leave."""
        self._highlights = tuple(highlights)
        self._show_ticks()
        self.viewport().update()

    def set_active(self, marker: int | None) -> None:
        """Mark one citation more strongly than the others."""
        self._active = marker
        self._show_ticks()
        self.viewport().update()

    def close_document(self) -> None:
        """Show nothing."""
        self._highlights, self._active = (), None
        self._text_stamp = None
        self.texts.set_file(None)
        self.selector.set_document(0)
        self.finder.clear()
        super().close_document()

    def _set_layout(self, layout: PageLayout) -> None:
        super()._set_layout(layout)
        self._show_ticks()
        self._show_found_ticks()

    def _show_ticks(self) -> None:
        layout = self.page_layout
        self._ticks.set_ticks(
            [
                (
                    layout.to_canvas(place.page_no - 1, place.bbox).center().y() / layout.height,
                    highlight.marker == self._active,
                )
                for highlight in self._highlights
                if highlight.marker != NO_MARKER
                for place in highlight.places
                if 1 <= place.page_no <= layout.n_pages
            ]
        )

    def badges(self) -> list[Badge]:
        """Return the numbers beside the visible pages, on the canvas."""
        seen = self.visible_canvas
        pages = self.page_layout.seen(seen)
        font = self._badge_font()
        return list(badges(self.page_layout, pages, self._highlights, seen.left(), font))

    def _badge_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(_BADGE_FONT_PX, QFontInfo(font).pixelSize() - 2))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint the evidence, what was found and the selected text of a page."""
        marks, active = self._highlights, self._active
        layout, colours = self.page_layout, self.colours
        paint_highlights(painter, layout, page_index, marks, active, self.accent(), colours)
        self.finder.paint(painter, layout, page_index, colours)
        self._keys.paint(painter, layout, page_index, self.accent())
        self.selector.paint(painter, layout, page_index, self.accent())

    def paint_margin(self, painter: QPainter) -> None:
        """Paint the citations' numbers."""
        for badge in self.badges():
            paint_badge(
                painter,
                badge,
                is_active=badge.marker == self._active,
                accent=self.accent(),
                font=self._badge_font(),
            )

    # Mouse

    def point_at(self, position: QPointF) -> tuple[int, QPointF]:
        """Return the page at a point of the viewport, and the point in points on that page."""
        point = position + self._offset().toPointF()
        page_index = self.page_layout.page_under(point)
        return page_index, self.page_layout.to_page(page_index, point)

    def marker_under(self, position: QPointF) -> int | None:
        """Return the citation under a point of the viewport."""
        if not self.n_pages:
            return None
        layout, seen = self.page_layout, self.badges()
        point = position + self._offset().toPointF()
        return marker_at(layout, self._highlights, self._active, seen, point)

    def stop_gliding(self) -> None:
        """Stay where the pages are now."""
        self._animation.stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to select text, or to click a mark or a link."""
        if not self._pointer.press(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        self._pointer.press(event, is_double=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select on, or show what a click would do."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End selecting, or click a mark or a link."""
        self._pointer.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Let whoever has something at this place offer it; else what can be done with text."""
        if not self.n_pages:
            return
        position = QPointF(event.pos())
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            position = QPointF(self.viewport().rect().center())
        page_index, point = self.point_at(position)
        if any(claim(page_index, point, event) for claim in self.menu_claims):
            return
        self.menu_requested.emit(page_index, point, self.viewport().mapToGlobal(position.toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the target of the link under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            link = self._pointer.link_under(QPointF(event.pos()))
            if link is None:
                QToolTip.hideText()
                return super().viewportEvent(event)
            QToolTip.showText(
                event.globalPos(), description(link, self.document.page_labels), self.viewport()
            )
            return True
        return super().viewportEvent(event)

    def visible_links(self) -> list[tuple[int, PageLink]]:
        """Return the links that are seen, in the order of reading, with their pages."""
        seen = self.visible_canvas
        found = []
        for page_index in self.page_layout.seen(seen):
            page = self.texts.get(page_index)
            for link in page.links if page is not None else ():
                rect = self.page_layout.to_canvas(page_index, link.bbox)
                if QRectF(seen).contains(rect.center()):
                    found.append((page_index, link))
        return sorted(found, key=lambda one: (one[0], round(one[1].bbox.top), one[1].bbox.left))

    # Keys

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go through the links of the visible pages while the caret is shown."""
        return self._keys.next_link(is_next=is_next) or super().focusNextPrevChild(is_next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, turn pages, zoom, select and copy."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        handled = self.zoom_by_key(event) or self._keys.press(event)
        if not handled and modifiers in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ShiftModifier,
        ):
            backwards = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            handled = self.scroll_by_key(Qt.Key(event.key()), backwards=backwards)
        elif not handled and modifiers == Qt.KeyboardModifier.ControlModifier:
            # As in every text: the ends of the document are also these keys with Ctrl.
            is_end = event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End)
            handled = is_end and self.scroll_by_key(Qt.Key(event.key()), backwards=False)
        if handled:
            event.accept()
        else:
            # On to the panel, which knows Alt+Left and Alt+Right.
            event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Leave no hand behind."""
        self.viewport().unsetCursor()
        super().leaveEvent(event)
