"""Which images the visible pages need, and painting them: the old one until the new one is there.

A page of up to `MAX_PAGE_PIXELS` is one image. A larger one is drawn in tiles where it is seen,
over an image of the whole page at a smaller size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter

from desktop_qa.gui.page_cache import FileStamp, PageCache, RenderKey
from desktop_qa.gui.page_layout import PageLayout
from desktop_qa.gui.pdf_document import PdfDocument

MAX_PAGE_PIXELS = 4 * 1024 * 1024
"""Putting a larger image on white paper takes the GUI thread more than 15 ms."""
TILE_SIZE = 1024
_PAPER = QColor("#ffffff")
_SHADOW_ALPHAS = (28, 16, 8)
_FAILURE_TEXT = QColor("#5d6675")


class PageImages(QObject):
    """Asks a document for the images of what is visible and paints them.

    Signals:
        changed: An image of the page at this index has arrived.
    """

    changed = Signal(int)

    def __init__(self, document: PdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache = PageCache()
        self._document = document
        self._failed: set[tuple[FileStamp, int]] = set()
        document.image_rendered.connect(self._on_document_image_rendered)

    def request(self, layout: PageLayout, visible: QRect, pixel_ratio: float) -> None:
        """Have everything drawn that is seen, from the middle outwards, then the neighbours.

        Args:
            layout: Where the pages stand.
            visible: The part of the canvas that is seen.
            pixel_ratio: Device pixels of a logical pixel.
        """
        file = self._document.stamp
        if file is None:
            return
        pages = list(layout.visible(visible.top(), visible.height()))
        middle = visible.center().y()
        pages.sort(key=lambda index: abs(layout.page_rect(index).center().y() - middle))
        wanted: list[RenderKey] = []
        for page_index in pages:
            wanted += self._keys(file, layout, page_index, visible, pixel_ratio)
        if pages:
            for page_index in (max(pages) + 1, min(pages) - 1):
                if 0 <= page_index < layout.n_pages:
                    key = _whole_key(file, layout, page_index, pixel_ratio)
                    wanted.append(key)
        self._document.want(
            [
                key
                for key in wanted
                if key not in self.cache and (file, key.page_index) not in self._failed
            ]
        )

    def is_complete(self, layout: PageLayout, visible: QRect, pixel_ratio: float) -> bool:
        """Tell whether everything that is seen has its final image."""
        file = self._document.stamp
        return file is not None and all(
            key in self.cache or (file, page_index) in self._failed
            for page_index in layout.visible(visible.top(), visible.height())
            for key in self._keys(file, layout, page_index, visible, pixel_ratio)
        )

    def paint(self, painter: QPainter, layout: PageLayout, page_index: int, visible: QRect) -> None:
        """Paint a page in viewport coordinates: white paper, and the best image there is."""
        file = self._document.stamp
        pixel_ratio = painter.device().devicePixelRatio()
        page = layout.page_rect(page_index).translated(-visible.topLeft())
        target = _on_pixels(page, pixel_ratio)
        _paint_shadow(painter, page)
        painter.fillRect(target, _PAPER)
        if file is None:
            return
        if (file, page_index) in self._failed:
            painter.setPen(_FAILURE_TEXT)
            painter.drawText(page, Qt.AlignmentFlag.AlignCenter, "This page cannot be drawn.")
            return
        whole = _whole_key(file, layout, page_index, pixel_ratio)
        image = self.cache.get(whole) or self.cache.nearest(file, page_index, whole.width)
        if image is not None:
            is_exact = image.width() == _pixels(page.width(), pixel_ratio)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not is_exact)
            painter.drawImage(target, image)
        for key in self._keys(file, layout, page_index, visible, pixel_ratio):
            tile = self.cache.get(key) if key.tile is not None else None
            if tile is not None and key.tile is not None:
                left, top, width, height = (length / pixel_ratio for length in key.tile)
                painter.drawImage(
                    QRectF(target.left() + left, target.top() + top, width, height), tile
                )

    def _keys(
        self,
        file: FileStamp,
        layout: PageLayout,
        page_index: int,
        visible: QRect,
        pixel_ratio: float,
    ) -> Iterator[RenderKey]:
        """Yield the images that a visible page is made of."""
        page = layout.page_rect(page_index)
        width, height = _pixels(page.width(), pixel_ratio), _pixels(page.height(), pixel_ratio)
        if width * height <= MAX_PAGE_PIXELS:
            yield RenderKey(file, page_index, width, height)
            return
        if self.cache.nearest(file, page_index, width) is None:
            yield _whole_key(file, layout, page_index, pixel_ratio)
        seen = visible.intersected(page).translated(-page.topLeft())
        for top in _tile_starts(seen.top(), seen.bottom() + 1, pixel_ratio):
            for left in _tile_starts(seen.left(), seen.right() + 1, pixel_ratio):
                tile_size = min(TILE_SIZE, width - left), min(TILE_SIZE, height - top)
                if min(tile_size) > 0:
                    yield RenderKey(file, page_index, width, height, (left, top, *tile_size))

    def _on_document_image_rendered(self, key: RenderKey, image: QImage) -> None:
        if image.isNull():
            self._failed.add((key.file, key.page_index))
        else:
            self.cache.put(key, _on_paper(image))
        if key.file == self._document.stamp:
            self.changed.emit(key.page_index)


def _whole_key(
    file: FileStamp, layout: PageLayout, page_index: int, pixel_ratio: float
) -> RenderKey:
    """Name the image of a whole page, as large as one image may be."""
    page = layout.page_rect(page_index)
    width, height = _pixels(page.width(), pixel_ratio), _pixels(page.height(), pixel_ratio)
    shrink = min(1.0, math.sqrt(MAX_PAGE_PIXELS / (width * height)))
    return RenderKey(file, page_index, max(int(width * shrink), 1), max(int(height * shrink), 1))


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


def _on_paper(image: QImage) -> QImage:
    """Put a transparent image on white paper, in the format that paints fastest."""
    paper = QImage(image.size(), QImage.Format.Format_RGB32)
    paper.fill(_PAPER)
    painter = QPainter(paper)
    painter.drawImage(QPoint(0, 0), image)
    painter.end()
    return paper


def _paint_shadow(painter: QPainter, page: QRect) -> None:
    for distance, alpha in enumerate(_SHADOW_ALPHAS, start=1):
        painter.setPen(QColor(0, 0, 0, alpha))
        painter.drawRect(page.adjusted(-distance, 1 - distance, distance - 1, distance))
