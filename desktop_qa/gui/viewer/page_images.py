"""Which images the visible pages need, and painting them: the old one until the new one is there.

A page of up to `MAX_PAGE_PIXELS` is one image. A larger one is drawn in tiles where it is seen,
over an image of the whole page at a smaller size. Images are upright whatever way the view is
turned: turning costs no drawing.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, Signal
from PySide6.QtGui import QColor, QImage, QPainter

from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.pdf_document import PdfDocument, RenderKey
from desktop_qa.gui.widgets.theme import look

MAX_PAGE_PIXELS = 4 * 1024 * 1024
"""Putting a larger image on white paper takes the GUI thread more than 15 ms."""
_STAND_IN_PIXELS = 1024 * 1024
"""Of the whole page under its tiles, seen until they are there."""
TILE_SIZE = 1024
_AHEAD_SHARE = 0.75
"""What comes next in the direction of scrolling is drawn ahead: this share of the window."""
_SHADOW_ALPHAS = (28, 16, 8)


MAX_CACHE_BYTES = 112 * 1024 * 1024
"""With Qt, the file and a page being drawn the whole viewer stays below 400 MB."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen: a part of the canvas, with so many device pixels for a logical one."""

    layout: PageLayout
    part: QRect
    pixel_ratio: float

    def page_pixels(self, page_index: int) -> tuple[int, int]:
        """Return width and height of an upright page in device pixels."""
        size = self.layout.upright_size(page_index)
        return _pixels(size.width(), self.pixel_ratio), _pixels(size.height(), self.pixel_ratio)


class PageCache:
    """Images by key, bounded by bytes, the least recently used leaving first."""

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self.n_bytes = 0
        self._images: OrderedDict[RenderKey, QImage] = OrderedDict()

    def __contains__(self, key: RenderKey) -> bool:
        return key in self._images

    def get(self, key: RenderKey) -> QImage | None:
        """Return an image and count it as used now."""
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def put(self, key: RenderKey, image: QImage) -> None:
        """Keep an image; the oldest ones leave when there is no room, but never this one."""
        former = self._images.pop(key, None)
        self._images[key] = image
        self.n_bytes += image.sizeInBytes() - (former.sizeInBytes() if former is not None else 0)
        while self.n_bytes > self._max_bytes and len(self._images) > 1:
            _key, oldest = self._images.popitem(last=False)
            self.n_bytes -= oldest.sizeInBytes()

    def nearest(self, file: FileStamp, page_index: int, width: int) -> QImage | None:
        """Return the whole-page image whose size is closest, to stand in for the right one."""
        of_page = [
            key
            for key in self._images
            if key.page_index == page_index and key.tile is None and key.file == file
        ]
        nearest = min(of_page, key=lambda key: abs(key.width - width), default=None)
        return self.get(nearest) if nearest is not None else None

    def clear(self) -> None:
        """Forget everything."""
        self._images.clear()
        self.n_bytes = 0


class PageImages(QObject):
    """Asks a document for the images of what is visible and paints them.

    Signals:
        changed: An image of the page at this index has arrived, or it cannot be drawn.
    """

    changed = Signal(int)

    def __init__(self, document: PdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache = PageCache()
        self.colours = PageColours.PRINTED
        self._document = document
        self._failed: set[tuple[FileStamp, int]] = set()
        document.image_rendered.connect(self._on_document_image_rendered)

    def set_colours(self, colours: PageColours) -> None:
        """Show the pages in other colours; all images are drawn anew."""
        self.colours = colours
        self.cache.clear()

    def has_failed(self, page_index: int) -> bool:
        """Tell whether a page of the open document could not be drawn."""
        return (self._document.stamp, page_index) in self._failed

    def retry(self, page_index: int) -> None:
        """Let a page that could not be drawn be asked for again."""
        if self._document.stamp is not None:
            self._failed.discard((self._document.stamp, page_index))
            self.changed.emit(page_index)

    def request(self, sight: Sight, direction: int = 1) -> None:
        """Have drawn what is seen, from the middle outwards, then what is next down (1) or up."""
        layout = sight.layout
        pages = list(layout.seen(sight.part))
        middle = sight.part.center().y()
        pages.sort(key=lambda index: abs(layout.page_rect(index).center().y() - middle))
        wanted = [key for page_index in pages for key in self._keys(sight, page_index)]
        if pages:
            wanted += self._ahead(sight, pages, direction)
        missing = dict.fromkeys(key for key in wanted if key not in self.cache)
        self._document.want([key for key in missing if not self.has_failed(key.page_index)])

    def _ahead(self, sight: Sight, pages: list[int], direction: int) -> Iterator[RenderKey]:
        """Yield what is seen next when the reader goes on, then what was seen before."""
        layout = sight.layout
        if not layout.turns_pages:
            step = QPoint(0, round(direction * _AHEAD_SHARE * sight.part.height()))
            next_sight = replace(sight, part=sight.part.translated(step))
            for page_index in layout.seen(next_sight.part):
                yield from self._keys(next_sight, page_index)
        n_beside = len(layout.spread_of(pages[0]))
        after = range(max(pages) + 1, max(pages) + 1 + n_beside)
        before = range(min(pages) - 1, min(pages) - 1 - n_beside, -1)
        following, passed = (after, before) if direction >= 0 else (before, after)
        for page_index in (*following, *passed):
            if 0 <= page_index < layout.n_pages:
                yield from self._whole_key(sight, page_index)

    def is_complete(self, sight: Sight) -> bool:
        """Tell whether everything that is seen has its final image."""
        return self._document.stamp is not None and all(
            key in self.cache or self.has_failed(page_index)
            for page_index in sight.layout.seen(sight.part)
            for key in self._keys(sight, page_index)
        )

    def paint(self, painter: QPainter, sight: Sight, page_index: int) -> None:
        """Paint a page in viewport coordinates: its paper on the canvas, and the best image."""
        file, layout, pixel_ratio = self._document.stamp, sight.layout, sight.pixel_ratio
        page = layout.page_rect(page_index).translated(-sight.part.topLeft())
        target = _on_pixels(page, pixel_ratio)
        _paint_shadow(painter, page)
        painter.fillRect(target, self.colours.paper)
        if file is None or self.has_failed(page_index):
            return
        painter.save()
        upright = _turn(painter, target, layout.rotation)
        width, _height = sight.page_pixels(page_index)
        image = self.cache.nearest(file, page_index, width)
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, image.width() != width)
            painter.drawImage(upright, image)
        for key in self._keys(sight, page_index):
            tile = self.cache.get(key) if key.tile is not None else None
            if tile is not None and key.tile is not None:
                painter.drawImage(QRectF(*(length / pixel_ratio for length in key.tile)), tile)
        painter.restore()

    def _keys(self, sight: Sight, page_index: int) -> Iterator[RenderKey]:
        """Yield the images that a visible page is made of; none while no document is open."""
        file, layout = self._document.stamp, sight.layout
        width, height = sight.page_pixels(page_index)
        if file is None or width * height <= MAX_PAGE_PIXELS:
            yield from self._whole_key(sight, page_index)
            return
        if self.cache.nearest(file, page_index, width) is None:
            yield from self._whole_key(sight, page_index)
        part = sight.part.intersected(layout.page_rect(page_index))
        if part.isEmpty():
            return
        seen = layout.upright_part(page_index, part)
        for top in _tile_starts(seen.top(), seen.bottom() + 1, sight.pixel_ratio):
            for left in _tile_starts(seen.left(), seen.right() + 1, sight.pixel_ratio):
                tile_size = min(TILE_SIZE, width - left), min(TILE_SIZE, height - top)
                if min(tile_size) > 0:
                    yield RenderKey(file, page_index, width, height, (left, top, *tile_size))

    def _whole_key(self, sight: Sight, page_index: int) -> Iterator[RenderKey]:
        """Yield the image of a whole page, a smaller one where the page is made of tiles."""
        file = self._document.stamp
        width, height = sight.page_pixels(page_index)
        if width * height > MAX_PAGE_PIXELS:
            shrink = math.sqrt(_STAND_IN_PIXELS / (width * height))
            # A strip of paper may be longer than all the pixels there are for it.
            width = min(max(int(width * shrink), 1), _STAND_IN_PIXELS)
            height = min(max(int(height * shrink), 1), _STAND_IN_PIXELS // width)
        if file is not None:
            yield RenderKey(file, page_index, width, max(height, 1))

    def _on_document_image_rendered(self, key: RenderKey, image: QImage) -> None:
        if image.isNull():
            self._failed.add((key.file, key.page_index))
        else:
            self.cache.put(key, self.colours.on_paper(image))
        if key.file == self._document.stamp:
            self.changed.emit(key.page_index)


def _tile_starts(first: int, end: int, pixel_ratio: float) -> range:
    start = int(first * pixel_ratio) // TILE_SIZE * TILE_SIZE
    return range(start, math.ceil(end * pixel_ratio), TILE_SIZE)


def _pixels(length: int, pixel_ratio: float) -> int:
    return max(round(length * pixel_ratio), 1)


def _on_pixels(rect: QRect, pixel_ratio: float) -> QRectF:
    """Move a rectangle to whole device pixels, where an image is not blurred by sampling."""
    return QRectF(
        round(rect.left() * pixel_ratio) / pixel_ratio,
        round(rect.top() * pixel_ratio) / pixel_ratio,
        _pixels(rect.width(), pixel_ratio) / pixel_ratio,
        _pixels(rect.height(), pixel_ratio) / pixel_ratio,
    )


def _turn(painter: QPainter, target: QRectF, rotation: int) -> QRectF:
    """Turn a painter so that the upright page falls on a target; returns the upright page."""
    corner = {
        90: target.topRight(),
        180: target.bottomRight(),
        270: target.bottomLeft(),
    }.get(rotation, target.topLeft())
    painter.translate(corner)
    painter.rotate(rotation)
    size = target.size().transposed() if rotation % 180 else target.size()
    return QRectF(0, 0, size.width(), size.height())


def _paint_shadow(painter: QPainter, page: QRect) -> None:
    # Opaque lines: blending a column of pixels takes twenty times as long, and nothing but the
    # canvas lies beside a page.
    for distance, color in enumerate(_shadow_colors(look.theme.canvas), start=1):
        left, top = page.left() - distance, page.top() + 1 - distance
        width, height = page.width() + 2 * distance, page.height() + 2 * distance
        painter.fillRect(left, top, width, 1, color)
        painter.fillRect(left, top + height - 1, width, 1, color)
        painter.fillRect(left, top + 1, 1, height - 2, color)
        painter.fillRect(left + width - 1, top + 1, 1, height - 2, color)


@lru_cache(maxsize=4)
def _shadow_colors(canvas: str) -> tuple[QColor, ...]:
    """Return what black of each opacity over the canvas looks like, from the page outwards."""
    color = QColor(canvas)
    channels = color.red(), color.green(), color.blue()
    return tuple(
        QColor(*(round(channel * (255 - alpha) / 255) for channel in channels))
        for alpha in _SHADOW_ALPHAS
    )
