"""A scrolling view of a document: what is shown, where it is read, how it is set out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.gui.viewer.page_cache import FileStamp
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_failures import PageFailures
from desktop_qa.gui.viewer.page_images import PageImages
from desktop_qa.gui.viewer.page_layout import (
    MAX_FACTOR,
    MIN_FACTOR,
    START,
    Anchor,
    PageArrangement,
    PageLayout,
    PageMode,
    ReadingPlace,
    Zoom,
    ZoomMode,
    eye,
    next_larger,
    next_smaller,
)
from desktop_qa.gui.viewer.page_scroller import NO_PAGES, PageScroller
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.widgets.timers import single_shot

_ZOOM_PAUSE_MS = 80
"""While the size changes the old images are stretched; new ones are drawn when it rests."""


class PageView(PageScroller):
    """Pages that are scrolled or turned, zoomed, rotated and gone to.

    Signals:
        arrangement_changed: The PageArrangement, after any change of mode, zoom or rotation.
    """

    arrangement_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = PdfDocument(self)
        self.images = PageImages(self.document, self)
        self._arrangement = PageArrangement()
        self._stamp: FileStamp | None = None
        self._pending_look: PageArrangement | Zoom | None = None
        self._request_timer = single_shot(self, self._request_images)
        self._failures = PageFailures(self.viewport())
        self._failures.retry_clicked.connect(self._on_failures_retry_clicked)
        self.document.opened.connect(self._on_document_opened)
        self.document.failed.connect(self._on_document_failed)
        self.images.changed.connect(self._on_images_changed)

    # What is shown

    def open(
        self,
        path: Path,
        target: int | Sequence[Provenance] | ReadingPlace = 1,
        look: PageArrangement | Zoom | None = None,
    ) -> None:
        """Show a file at a page, at places or where it was read before, once it is open.

        Args:
            path: The file.
            target: 1-based number of a page, places, or what `place` was.
            look: What `arrangement` was, or a size alone; None leaves mode and size as they are.
        """
        self._pending = target if isinstance(target, int | ReadingPlace) else tuple(target)
        self._pending_look = look
        self.document.open(path)

    def close_document(self) -> None:
        """Show nothing."""
        self.document.close()
        self._on_document_failed()

    def _on_document_opened(self) -> None:
        self._animation.stop()
        is_new = self.document.stamp != self._stamp
        self._stamp = self.document.stamp
        before = self._arrangement
        if is_new:
            # The way up belongs to the document, mode and size to the reader.
            self._arrangement = replace(self._arrangement, rotation=0)
        if isinstance(self._pending_look, PageArrangement):
            self._arrangement = self._pending_look
        elif self._pending_look is not None:
            self._arrangement = replace(self._arrangement, zoom=self._pending_look)
        if isinstance(self._pending, ReadingPlace):
            self._place = self._pending
        elif is_new:
            self._place = START
        last = len(self.document.page_sizes) - 1
        self._page_index = min(self._place.anchor.page_index, last)
        self._relayout()
        if isinstance(self._pending, ReadingPlace):
            self._set_page(self._most_visible(self._offset().y()))
            self._emit_reading()
        else:
            was_animated = self.is_animated
            self.is_animated = was_animated and not is_new
            self.go_to(self._pending)
            self.is_animated = was_animated
        self.current_page_changed.emit(self.current_page)
        if self._arrangement != before:
            self.arrangement_changed.emit(self._arrangement)
        self._request_timer.start(0)

    def _on_document_failed(self) -> None:
        self._animation.stop()
        self._stamp = None
        self._set_layout(NO_PAGES)

    # How it is set out

    @property
    def arrangement(self) -> PageArrangement:
        """Mode, size and rotation; `open` takes it to show the same again."""
        return self._arrangement

    @property
    def zoom(self) -> Zoom:
        """What the size of the pages follows."""
        return self._arrangement.zoom

    def arrange(self, arrangement: PageArrangement, about: QPointF | None = None) -> None:
        """Set the pages out anew; the point of the viewport `about` stays where it is."""
        self._animation.stop()
        zoom = arrangement.zoom
        zoom = Zoom(zoom.mode, min(max(zoom.factor, MIN_FACTOR), MAX_FACTOR))
        before, self._arrangement = self._arrangement, replace(arrangement, zoom=zoom)
        if before == self._arrangement:
            return
        if self.n_pages:
            self._rearrange(before, about)
            if zoom.mode is not before.zoom.mode:
                self.zoom_changed.emit(self._factor)
            self._request_timer.start(_ZOOM_PAUSE_MS)
        self.arrangement_changed.emit(self._arrangement)

    def _rearrange(self, before: PageArrangement, about: QPointF | None) -> None:
        if about is not None:
            anchor = self._layout.anchor_at(about + self._offset().toPointF())
            self._relayout(anchor, about)
            self._read_here()
            return
        was_at_top = self._place.depth == 0 and before.rotation != self._arrangement.rotation
        self._relayout()
        if was_at_top or (before.mode is not self._arrangement.mode and self._place.depth == 0):
            was_animated, self.is_animated = self.is_animated, False
            self._go_to_page(self._page_index)
            self.is_animated = was_animated

    def set_zoom(self, zoom: Zoom, about: QPointF | None = None) -> None:
        """Change the size; the point of the viewport `about` stays where it is."""
        self.arrange(replace(self._arrangement, zoom=zoom), about)

    def set_mode(self, mode: PageMode) -> None:
        """Show the pages one below the other, one by one, or in pairs."""
        self.arrange(replace(self._arrangement, mode=mode))

    def rotate(self, quarter_turns: int) -> None:
        """Turn the pages clockwise, for negative numbers the other way."""
        self.arrange(self._arrangement.turned(quarter_turns))

    def zoom_in(self) -> None:
        """Go to the next larger step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_larger(self._factor)))

    def zoom_out(self) -> None:
        """Go to the next smaller step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_smaller(self._factor)))

    def zoom_by(self, growth: float, about: QPointF) -> None:
        """Make the pages larger by a factor about a point of the viewport."""
        if self.n_pages and growth > 0 and growth != 1.0:
            self.set_zoom(Zoom(ZoomMode.FACTOR, self._factor * growth), about)

    def _relayout(self, anchor: Anchor | None = None, about: QPointF | None = None) -> None:
        """Lay the pages out anew; an anchor stays at a point of the viewport."""
        # The remembered place, not one taken anew: each rounding would shift it a little.
        anchor = anchor or self._place.anchor
        about = about or eye(self.viewport().size(), self._place.depth)
        sizes, per_point = self.document.page_sizes, self.logicalDpiX() / 72
        self._set_layout(PageLayout(sizes, self.viewport().size(), self._arrangement, per_point))
        if self.n_pages:
            offset = self._layout.point_of(anchor) - about
            self._move_bars(*self._inside(round(offset.x()), round(offset.y())))
            self._emit_zoom()
        self._show_failures()

    # Drawing

    @property
    def is_drawn(self) -> bool:
        """True when nothing that is seen waits for its final image."""
        return not self._request_timer.isActive() and self.images.is_complete(
            self._layout, self.visible_canvas, self.devicePixelRatioF()
        )

    def _request_images(self) -> None:
        if self.n_pages and self.isVisible():
            self.images.request(
                self._layout, self.visible_canvas, self.devicePixelRatioF(), self._direction
            )

    def _on_images_changed(self, page_index: int) -> None:
        if page_index < self.n_pages:
            offset = self._offset()
            self.viewport().update(self._layout.page_rect(page_index).translated(-offset))
            self._show_failures()

    def _show_failures(self) -> None:
        seen = self.visible_canvas
        failed = self.images.failed_pages(self._layout.seen(seen)) if self.n_pages else ()
        self._failures.show_on(
            {
                page_index: self._layout.page_rect(page_index).translated(-seen.topLeft())
                for page_index in failed
            }
        )

    def _on_failures_retry_clicked(self, page_index: int) -> None:
        self.images.retry(page_index)
        self._request_timer.start(0)

    @property
    def colours(self) -> PageColours:
        """In which colours the pages are shown."""
        return self.images.colours

    def set_colours(self, colours: PageColours) -> None:
        """Show the pages in other colours."""
        if colours is not self.images.colours:
            self.images.colours = colours
            self.viewport().update()
            self._request_timer.start(0)

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint what lies on a page, in canvas coordinates; a subclass has something to paint."""

    def paint_margin(self, painter: QPainter) -> None:
        """Paint what lies beside the pages, in canvas coordinates."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the canvas, the visible pages and what lies on them."""
        painter = QPainter(self.viewport())
        canvas = self.canvas()
        painter.fillRect(self.viewport().rect(), canvas)
        visible = self.visible_canvas
        for page_index in self._layout.seen(visible):
            page = self._layout.page_rect(page_index)
            self.images.paint(painter, self._layout, page_index, visible, canvas)
            painter.save()
            painter.translate(-visible.topLeft())
            painter.setClipRect(page)
            self.paint_marks(painter, page_index)
            painter.restore()
        painter.save()
        painter.translate(-visible.topLeft())
        self.paint_margin(painter)
        painter.restore()
        self.paint_focus(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages to the new size and keep the place that is read."""
        super().resizeEvent(event)
        if self.n_pages:
            self._animation.stop()
            self._relayout()
            self._request_timer.start(_ZOOM_PAUSE_MS)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what could wait while the view was hidden."""
        super().showEvent(event)
        self._request_timer.start(0)

    def event(self, event: QEvent) -> bool:
        """Draw anew for a screen with other pixels, laid out for its inches."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            if self.n_pages:
                self._relayout()
            self._request_timer.start(_ZOOM_PAUSE_MS)
        return super().event(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bars, and have drawn what comes into view."""
        super().scrollContentsBy(dx, dy)
        self._show_failures()
        if not self._request_timer.isActive():
            self._request_timer.start(0)
