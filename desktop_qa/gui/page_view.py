"""A scrolling view of all pages of a document: what is shown, where it is read, how large."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QSize,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.gui.page_cache import FileStamp
from desktop_qa.gui.page_canvas import PageCanvas
from desktop_qa.gui.page_images import PageImages
from desktop_qa.gui.page_layout import (
    EYE_DEPTH,
    GAP,
    MAX_FACTOR,
    MIN_FACTOR,
    START,
    Anchor,
    PageLayout,
    ReadingPlace,
    Zoom,
    ZoomMode,
    eye,
    next_larger,
    next_smaller,
)
from desktop_qa.gui.pdf_document import PdfDocument

_LINE_PX = 48
_ANIMATION_MS = 180
_ANIMATED_SHARE = 0.6
"""A far jump glides over this share of the window only: pages between need not be drawn."""
_ZOOM_PAUSE_MS = 80
"""While the size changes the old images are stretched; new ones are drawn when it rests."""
_NO_PAGES = PageLayout((), QSize(), Zoom(), 1.0)


class PageView(PageCanvas):
    """Pages one below the other that are scrolled, zoomed and gone to.

    Signals:
        current_page_changed: 1-based number of the page that is read.
        zoom_changed: Size of that page relative to paper, after any change of the size.
        reading_moved: 1-based number of a page and a height on it in points: what is read now.
    """

    current_page_changed = Signal(int)
    zoom_changed = Signal(float)
    reading_moved = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = PdfDocument(self)
        self.images = PageImages(self.document, self)
        self.is_animated = True
        self._layout = _NO_PAGES
        self._zoom = Zoom()
        self._place = START
        self._page_index = 0
        self._factor = 1.0
        self._is_moving_itself = False
        self._stamp: FileStamp | None = None
        self._pending: int | tuple[Provenance, ...] | ReadingPlace = 1
        self._pending_zoom: Zoom | None = None
        self._request_timer = QTimer(self)
        self._request_timer.setSingleShot(True)
        self._request_timer.timeout.connect(self._request_images)
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_ANIMATION_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_animation_value_changed)
        self.document.opened.connect(self._on_document_opened)
        self.document.failed.connect(self._on_document_failed)
        self.images.changed.connect(self._on_images_changed)

    # What is shown

    def open(
        self,
        path: Path,
        target: int | Sequence[Provenance] | ReadingPlace = 1,
        zoom: Zoom | None = None,
    ) -> None:
        """Show a file at a page, at places or where it was read before, once it is open."""
        self._pending = target if isinstance(target, int | ReadingPlace) else tuple(target)
        self._pending_zoom = zoom
        self.document.open(path)

    def close_document(self) -> None:
        """Show nothing."""
        self.document.close()
        self._on_document_failed()

    def _on_document_opened(self) -> None:
        self._animation.stop()
        is_new = self.document.stamp != self._stamp
        self._stamp = self.document.stamp
        if self._pending_zoom is not None:
            self._zoom = self._pending_zoom
        if isinstance(self._pending, ReadingPlace):
            self._place = self._pending
        elif is_new:
            self._place = START
        last = len(self.document.page_sizes) - 1
        self._page_index = min(self._place.anchor.page_index, last)
        self._relayout()
        if isinstance(self._pending, ReadingPlace):
            self._read_here()
        else:
            was_animated = self.is_animated
            self.is_animated = was_animated and not is_new
            self.go_to(self._pending)
            self.is_animated = was_animated
        self.current_page_changed.emit(self.current_page)
        self._request_timer.start(0)

    def _on_document_failed(self) -> None:
        self._animation.stop()
        self._stamp = None
        self._set_layout(_NO_PAGES)

    @property
    def n_pages(self) -> int:
        """Pages of the document, 0 when none is open."""
        return self._layout.n_pages

    @property
    def page_layout(self) -> PageLayout:
        """Where the pages stand now."""
        return self._layout

    @property
    def visible_canvas(self) -> QRect:
        """The part of the canvas that is seen."""
        return QRect(self._offset(), self.viewport().size())

    # Where it is read

    @property
    def current_page(self) -> int:
        """1-based number of the page that is read."""
        return self._page_index + 1

    @property
    def place(self) -> ReadingPlace:
        """What is being read; `open` takes it to show the same again."""
        return self._place

    def go_to(self, target: int | Sequence[Provenance]) -> None:
        """Scroll to a page by its 1-based number, or until places are in view."""
        if not self.n_pages:
            self._pending = target if isinstance(target, int) else tuple(target)
        elif isinstance(target, int):
            self._go_to_page(min(max(target, 1), self.n_pages) - 1)
        else:
            self._go_to_places(target)

    def _go_to_page(self, page_index: int) -> None:
        page = self._layout.page_rect(page_index)
        x = page.center().x() - self.viewport().width() // 2
        self.scroll_to(x, page.top() - GAP, page_index)
        self._emit_reading()

    def _go_to_places(self, places: Sequence[Provenance]) -> None:
        """Put the places of the first page that has any a third below the top of the window."""
        inside = [place for place in places if 1 <= place.page_no <= self.n_pages]
        if not inside:
            return
        page_no = inside[0].page_no
        first, *others = (place.bbox for place in inside if place.page_no == page_no)
        for box in others:
            first = first.union(box)
        rect = self._layout.to_canvas(page_no - 1, first)
        room = self.viewport().size()
        above = eye(room, EYE_DEPTH).y()
        if rect.height() > room.height() - above - GAP:
            above = max(room.height() - rect.height() - GAP, 2.0 * GAP)
        x: float = self.horizontalScrollBar().value()
        if rect.left() < x or rect.right() > x + room.width():
            x = rect.center().x() - room.width() / 2
        self.scroll_to(round(x), round(rect.top() - above), page_no - 1)
        # Where the places stand, not where the eye is: near the end it cannot get down to them.
        self.reading_moved.emit(page_no, first.top)

    def scroll_to(self, x: int, y: int, page_index: int | None = None) -> None:
        """Move the top left corner of what is seen, and remember what is read there.

        The page that was asked for stays the current one although another fills more of the
        window; without one it is the page that is seen most.
        """
        bar = self.verticalScrollBar()
        y = min(max(y, 0), bar.maximum())
        x = min(max(x, 0), self.horizontalScrollBar().maximum())
        start, height = bar.value(), self.viewport().height()
        self._animation.stop()
        self._place = self._layout.place_at(QPoint(x, y), self.viewport().size())
        self._set_page(self._layout.most_visible(y, height) if page_index is None else page_index)
        self._move_bars(x, None)
        if not self.is_animated or not self.isVisible() or start == y:
            self._move_bars(None, y)
            return
        glide = round(height * _ANIMATED_SHARE)
        self._animation.setStartValue(min(max(start, y - glide), y + glide))
        self._animation.setEndValue(y)
        self._animation.start()

    def scroll_by(self, dx: int, dy: int) -> None:
        """Scroll on from where the view is, or is gliding to."""
        y = self.verticalScrollBar().value()
        if self._animation.state() is QVariantAnimation.State.Running:
            y = int(self._animation.endValue())
        self.scroll_to(self.horizontalScrollBar().value() + dx, y + dy)
        self._emit_reading()

    def _emit_reading(self) -> None:
        self.reading_moved.emit(*self._layout.eye_on_page(self._place, self.viewport().size()))

    def _on_animation_value_changed(self, value: int) -> None:
        self._move_bars(None, value)

    def _move_bars(self, x: int | None, y: int | None) -> None:
        self._is_moving_itself = True
        if x is not None:
            self.horizontalScrollBar().setValue(x)
        if y is not None:
            self.verticalScrollBar().setValue(y)
        self._is_moving_itself = False

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _read_here(self) -> None:
        """Take what is seen now for what is read."""
        if self.n_pages:
            offset = self._offset()
            self._place = self._layout.place_at(offset, self.viewport().size())
            self._set_page(self._layout.most_visible(offset.y(), self.viewport().height()))
            self._emit_reading()

    def _set_page(self, page_index: int) -> None:
        if page_index != self._page_index:
            self._page_index = page_index
            self.current_page_changed.emit(page_index + 1)
            self._emit_zoom()

    # How large it is

    @property
    def zoom(self) -> Zoom:
        """What the size of the pages follows."""
        return self._zoom

    @property
    def factor(self) -> float:
        """Size of the current page relative to paper."""
        return self._factor

    def set_zoom(self, zoom: Zoom, about: QPointF | None = None) -> None:
        """Change the size; the point of the viewport `about` stays where it is."""
        self._animation.stop()
        mode_changed = zoom.mode is not self._zoom.mode
        self._zoom = Zoom(zoom.mode, min(max(zoom.factor, MIN_FACTOR), MAX_FACTOR))
        if not self.n_pages:
            return
        if about is None:
            self._relayout()
        else:
            anchor = self._layout.anchor_at(about + self._offset().toPointF())
            self._relayout(anchor, about)
            self._read_here()
        if mode_changed:
            self.zoom_changed.emit(self._factor)
        self._request_timer.start(_ZOOM_PAUSE_MS)

    def zoom_in(self) -> None:
        """Go to the next larger step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_larger(self._factor)))

    def zoom_out(self) -> None:
        """Go to the next smaller step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_smaller(self._factor)))

    def _emit_zoom(self) -> None:
        factor = self._layout.factor(self._page_index) if self.n_pages else 1.0
        if factor != self._factor:
            self._factor = factor
            self.zoom_changed.emit(factor)

    def _relayout(self, anchor: Anchor | None = None, about: QPointF | None = None) -> None:
        """Lay the pages out anew; an anchor stays at a point of the viewport."""
        # The remembered place, not one taken anew: each rounding would shift it a little.
        anchor = anchor or self._place.anchor
        about = about or eye(self.viewport().size(), self._place.depth)
        sizes, per_point = self.document.page_sizes, self.logicalDpiX() / 72
        self._set_layout(PageLayout(sizes, self.viewport().size(), self._zoom, per_point))
        if self.n_pages:
            offset = self._layout.point_of(anchor) - about
            self._move_bars(round(offset.x()), round(offset.y()))
            self._emit_zoom()

    def _set_layout(self, layout: PageLayout) -> None:
        self._layout = layout
        room = self.viewport().size()
        self._is_moving_itself = True
        for bar, length, seen in (
            (self.horizontalScrollBar(), layout.width, room.width()),
            (self.verticalScrollBar(), layout.height, room.height()),
        ):
            bar.setSingleStep(_LINE_PX)
            bar.setPageStep(seen)
            bar.setRange(0, max(length - seen, 0) if layout.n_pages else 0)
        self._is_moving_itself = False
        self.viewport().update()

    # Drawing

    @property
    def is_drawn(self) -> bool:
        """True when nothing that is seen waits for its final image."""
        return not self._request_timer.isActive() and self.images.is_complete(
            self._layout, self.visible_canvas, self.devicePixelRatioF()
        )

    def _request_images(self) -> None:
        if self.n_pages and self.isVisible():
            self.images.request(self._layout, self.visible_canvas, self.devicePixelRatioF())

    def _on_images_changed(self, page_index: int) -> None:
        if page_index < self.n_pages:
            offset = self._offset()
            self.viewport().update(self._layout.page_rect(page_index).translated(-offset))

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint what lies on a page, in canvas coordinates; a subclass has something to paint."""

    def paint_margin(self, painter: QPainter) -> None:
        """Paint what lies beside the pages, in canvas coordinates."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the canvas, the visible pages and what lies on them."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.canvas())
        visible = self.visible_canvas
        for page_index in self._layout.visible(visible.top(), visible.height()):
            page = self._layout.page_rect(page_index)
            self.images.paint(painter, self._layout, page_index, visible)
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
        """Draw anew for a screen with other pixels."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._request_timer.start(_ZOOM_PAUSE_MS)
        return super().event(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bars."""
        if not self._is_moving_itself:
            self._animation.stop()
            self._read_here()
        self.viewport().update()
        if not self._request_timer.isActive():
            self._request_timer.start(0)
