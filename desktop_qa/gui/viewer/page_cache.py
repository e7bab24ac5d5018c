"""Images of pages, kept while there is room: the newest use wins."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtGui import QImage

MAX_CACHE_BYTES = 112 * 1024 * 1024
"""With Qt, the file and a page being drawn the whole viewer stays below 400 MB."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file at one moment: when it is written again, its old images no longer count."""

    path: str
    n_bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class RenderKey:
    """One image: a page drawn upright, as a whole so many device pixels large, or a tile of it.

    `tile` is left, top, width and height of the part in device pixels.
    """

    file: FileStamp
    page_index: int
    width: int
    height: int
    tile: tuple[int, int, int, int] | None = None


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
