"""The pages of a document with evidence and marks on them, driven by mouse and keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from textwrap import shorten

from PySide6.QtCore import QEvent, QMarginsF, QPointF, QRectF, Qt, Signal
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

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import PlacedMark
from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.marks.mark_colours import paint_marks
from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_keys import PageKeys
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.viewer.page_view import LINE_PX, PageView
from desktop_qa.gui.viewer.pdf_find import PdfFinder
from desktop_qa.gui.viewer.pdf_highlights import (
    NO_MARKER,
    Badge,
    Highlight,
    badges,
    paint_badge,
    paint_highlights,
)
from desktop_qa.gui.viewer.pdf_links import description
from desktop_qa.gui.viewer.pdf_pointer import Pointer
from desktop_qa.gui.viewer.pdf_selection import TextSelector
from desktop_qa.gui.viewer.tick_scroll_bar import TickScrollBar
from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.timers import single_shot

_BADGE_FONT_PX = 11
_GRASP_PX = 1.5
"""A mark is hit a little beside its rectangle too."""
_TEXT_PAUSE_MS = 300
"""The text is fetched when the pages are drawn: they are what is waited for."""
_TIP_CHARACTERS = 90


class PdfView(PageView):
    """A view of a document with its evidence and the reader's marks.

    Attributes:
        highlights: The places of the evidence.
        active: Marker of the citation that is marked more strongly.
        marks: The reader's marks.

    Signals:
        highlight_clicked: Marker of the citation whose rectangle or number was clicked.
        mark_clicked: Id of the mark.
        link_followed: With the `PageLink` that was clicked.
        mark_menu_requested: Id of the mark, and where on the screen.
        menu_requested: 0-based index of a page, a point on it, and where on the screen.
        escaped: Escape was pressed, and there was nothing on the pages to let go of.
        caret_toggled: The keys move a caret over the text, or the pages again.
        jumping: The pages are about to be elsewhere: at an end, or where words were found.
        pressed: A mouse button went down on the pages, but for those that go back and forward.
    """

    highlight_clicked = Signal(int)
    mark_clicked = Signal(str)
    link_followed = Signal(object)
    mark_menu_requested = Signal(str, object)
    menu_requested = Signal(int, QPointF, object)
    escaped = Signal()
    caret_toggled = Signal(bool)
    jumping = Signal()
    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = PageTexts(self)
        self.selector = TextSelector(self.texts, self)
        self.finder = PdfFinder(self.texts, self)
        self.keys = PageKeys(self)
        self.highlights: tuple[Highlight, ...] = ()
        self.active: int | None = None
        self.marks: tuple[PlacedMark, ...] = ()
        self._cited_words: Mapping[int, str] = {}
        self._pointer = Pointer(self)
        self._text_stamp: FileStamp | None = None
        self._ticks = TickScrollBar(self)
        self.setVerticalScrollBar(self._ticks)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Pages of the document")
        self._text_timer = single_shot(self, self._on_text_timer_timeout, _TEXT_PAUSE_MS)
        self.selector.changed.connect(self.viewport().update)
        self.selector.blinked.connect(self.viewport().update)
        self.selector.caret_moved.connect(self._on_caret_moved)
        self.finder.changed.connect(self._show_ticks)
        self.finder.place_wanted.connect(self._on_finder_place_wanted)
        self.document.opened.connect(self._on_file_opened)
        # By a method: a function that holds the view would hold its signal beyond its end.
        self.current_page_changed.connect(self._on_current_page_changed)

    # The text

    def _on_file_opened(self) -> None:
        stamp = self.document.stamp
        if stamp is None or stamp == self._text_stamp:
            return
        self._text_stamp = stamp
        self.texts.set_file(Path(stamp.path), self.document.password)
        self.selector.set_document(self.n_pages)
        self.finder.clear()
        self._text_timer.start()

    def _on_current_page_changed(self, _page_no: int) -> None:
        self._text_timer.start()

    def _on_text_timer_timeout(self) -> None:
        if self.n_pages and self.isVisible():
            self.texts.get(self.current_page - 1)

    def _on_finder_place_wanted(self, places: tuple[Provenance, ...]) -> None:
        seen, layout = QRectF(self.visible_canvas), self.page_layout
        if not all(seen.contains(layout.to_canvas(p.page_no - 1, p.bbox)) for p in places):
            self.jumping.emit()
            self.go_to(places)

    @property
    def is_selection_seen(self) -> bool:
        """True when a part of what is selected is in the window."""
        model, seen = self.selector.model, QRectF(self.visible_canvas)
        if not self.selector.has_selection:
            return False
        return any(
            seen.intersects(self.page_layout.to_canvas(page_index, box))
            for page_index in self.page_layout.seen(self.visible_canvas)
            if page_index in model.page_range
            for box in model.boxes(page_index)
        )

    def _on_caret_moved(self, place: Provenance) -> None:
        """Scroll as little as needed to see the caret."""
        layout, page_index = self.page_layout, place.page_no - 1
        if layout.turns_pages and page_index not in layout.spread_of(self.current_page - 1):
            self.go_to([place])
            return
        rect = layout.to_canvas(page_index, place.bbox).adjusted(-LINE_PX, -8, LINE_PX, 8)
        seen = QRectF(self.visible_canvas)
        dx = min(rect.left() - seen.left(), 0.0) + max(rect.right() - seen.right(), 0.0)
        dy = min(rect.top() - seen.top(), 0.0) + max(rect.bottom() - seen.bottom(), 0.0)
        if dx or dy:
            self.scroll_by(round(dx), round(dy))

    def toggle_caret(self) -> None:
        """Let the keys move a caret over the text, or scroll the pages again."""
        is_shown = not self.selector.is_caret_shown
        self.selector.show_caret(is_shown, self.current_page - 1)
        self.keys.forget_link()
        self.caret_toggled.emit(is_shown)

    # Evidence and marks

    def set_highlights(self, highlights: Sequence[Highlight], active: int | None = None) -> None:
        """Mark places of the open document as evidence; the former ones leave."""
        self.highlights, self.active = tuple(highlights), active
        self._show_ticks()

    def set_active(self, marker: int | None) -> None:
        """Mark one citation more strongly than the others."""
        self.active = marker
        self._show_ticks()

    def set_marks(self, marks: Sequence[PlacedMark]) -> None:
        """Show marks of the open document; those without a place are left out."""
        self.marks = tuple(marks)
        self._show_ticks()

    def set_cited_words(self, words: Mapping[int, str]) -> None:
        """Take the words that each marker cites, for the tool tips of the scroll bar."""
        self._cited_words = words
        self._show_ticks()

    def close_document(self) -> None:
        """Show nothing."""
        self.highlights, self.active, self.marks = (), None, ()
        self._text_stamp = None
        self.texts.set_file(None)
        self.selector.set_document(0)
        self.finder.clear()
        super().close_document()

    def _set_layout(self, layout: PageLayout) -> None:
        super()._set_layout(layout)
        self._show_ticks()

    def _show_ticks(self) -> None:
        """Show in the scroll bar where evidence, marks and finds are and what they say."""
        bar, heights, words = self._ticks, self.page_layout.heights, self._cited_words
        cited = [one for one in self.highlights if one.marker != NO_MARKER]
        bar.ticks = tuple(
            (y, one.marker == self.active) for one in cited for y, _page in heights(one.places)
        )
        bar.found_ticks = self.finder.ticks(self.page_layout)
        bar.dots = tuple(
            (y, one.mark.colour) for one in self.marks for y, _page in heights(one.places)[:1]
        )
        named = [(one.places, f"[{one.marker}] {words.get(one.marker, '')}") for one in cited]
        named += [(one.places, one.mark.note.strip() or one.mark.quote) for one in self.marks]
        bar.tips = tuple(
            (y, f"Page {page_no}: {shorten(said, _TIP_CHARACTERS, placeholder=' …')}")
            for places, said in named
            for y, page_no in heights(places)
        )
        bar.update()
        self.viewport().update()

    def badges(self) -> list[Badge]:
        """Return the numbers beside the visible pages, on the canvas."""
        seen = self.visible_canvas
        pages = self.page_layout.seen(seen)
        font = self._badge_font()
        return list(badges(self.page_layout, pages, self.highlights, seen.left(), font))

    def _badge_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(_BADGE_FONT_PX, QFontInfo(font).pixelSize() - 2))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint the reader's marks of a page, then evidence, finds and selection over them."""
        layout, colours, accent = self.page_layout, self.images.colours, self.accent
        paint_marks(painter, layout, page_index, self.marks, colours)
        highlights, active = self.highlights, self.active
        paint_highlights(painter, layout, page_index, highlights, active, accent, colours)
        self.finder.paint(painter, layout, page_index, colours)
        self.keys.paint(painter, layout, page_index, accent)
        self.selector.paint(painter, layout, page_index, accent)

    def paint_margin(self, painter: QPainter) -> None:
        """Paint the citations' numbers."""
        accent, font = self.accent, self._badge_font()
        for badge in self.badges():
            is_active = badge.marker == self.active
            paint_badge(painter, badge, is_active=is_active, accent=accent, font=font)

    # What is at a place

    def point_at(self, position: QPointF) -> tuple[int, QPointF]:
        """Return the page at a point of the viewport, and the point in points on that page."""
        point = position + self.offset.toPointF()
        page_index = self.page_layout.page_under(point)
        return page_index, self.page_layout.to_page(page_index, point)

    def marker_under(self, position: QPointF) -> int | None:
        """Return the citation under a point of the viewport."""
        if not self.n_pages:
            return None
        point, layout = position + self.offset.toPointF(), self.page_layout
        page_index = layout.page_under(point)
        # Numbers before rectangles, and the active citation before the others.
        hit = [badge.marker for badge in self.badges() if badge.rect.contains(point)] or [
            one.marker
            for one in sorted(self.highlights, key=lambda one: one.marker != self.active)
            if one.marker != NO_MARKER
            and any(rect.contains(point) for rect in layout.rects_on(page_index, one.places))
        ]
        return hit[0] if hit else None

    def mark_at(self, position: QPointF) -> PlacedMark | None:
        """Return the mark under a point of the viewport, of several the one made last."""
        point = position + self.offset.toPointF()
        layout, grasp = self.page_layout, QMarginsF(*[_GRASP_PX] * 4)
        hit = [
            placed
            for page_index in layout.seen(self.visible_canvas)
            for placed in self.marks
            for rect in layout.rects_on(page_index, placed.places)
            if rect.marginsAdded(grasp).contains(point)
        ]
        return max(hit, key=lambda placed: placed.mark.made_at, default=None)

    def rect_of(self, mark_id: str) -> QRectF | None:
        """Return what a mark covers on its first page in viewport coordinates; None without."""
        placed = next((one for one in self.marks if one.mark.id == mark_id), None)
        if placed is None or placed.page_no > self.n_pages:
            return None
        rects = self.page_layout.rects_on(placed.page_no - 1, placed.places)
        whole = reduce(QRectF.united, rects, QRectF())
        return whole.translated(-self.offset.toPointF()) if whole.isValid() else None

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

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to select text, or to click a mark or a link."""
        if event.button() not in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            self.pressed.emit()
        if not self._pointer.press(event):
            # On to the panel, where the side buttons travel.
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

    def leaveEvent(self, event: QEvent) -> None:
        """Leave no hand behind."""
        self.viewport().unsetCursor()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the mark at this place, else for that of the text."""
        if not self.n_pages:
            return
        position = QPointF(event.pos())
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            position = QPointF(self.viewport().rect().center())
        where, placed = self.viewport().mapToGlobal(position.toPoint()), self.mark_at(position)
        if placed is not None and not self.selector.has_selection:
            self.mark_menu_requested.emit(placed.mark.id, where)
        else:
            self.menu_requested.emit(*self.point_at(position), where)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the note of the mark under the pointer, or name the target of the link."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        placed = self.mark_at(QPointF(event.pos()))
        link = self._pointer.link_under(QPointF(event.pos()))
        if placed is not None:
            cell, note = placed.mark.cell, placed.mark.note.strip()
            said = (cell.sentence, note) if cell is not None else (note,)
            tip = plain_tip("\n".join(filter(None, said)) or "Click to write a note")
        elif link is not None:
            tip = description(link, self.document.page_labels)
        else:
            QToolTip.hideText()
            return super().viewportEvent(event)
        QToolTip.showText(event.globalPos(), tip, self.viewport())
        return True

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go through the links of the visible pages while the caret is shown."""
        return self.keys.next_link(is_next=is_next) or super().focusNextPrevChild(is_next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, turn pages, zoom, select and copy."""
        # What means nothing here goes on to the panel, which knows Alt+Left and Alt+Right.
        event.setAccepted(self.keys.press(event))
