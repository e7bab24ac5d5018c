from __future__ import annotations

from PySide6.QtGui import QImage

from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_images import PageCache
from desktop_qa.gui.viewer.pdf_document import RenderKey

FILE = FileStamp("a.pdf", 10, 1)
ROOM_FOR_THREE = 3 * 10 * 10 * 4


def key(page_index: int, width: int = 10) -> RenderKey:
    return RenderKey(FILE, page_index, width, width)


def image(width: int = 10) -> QImage:
    return QImage(width, width, QImage.Format.Format_RGB32)


def test_the_least_recently_used_image_leaves_first() -> None:
    cache = PageCache(ROOM_FOR_THREE)
    for page_index in range(3):
        cache.put(key(page_index), image())
    assert cache.get(key(0)) is not None
    cache.put(key(3), image())
    assert key(0) in cache
    assert key(1) not in cache
    assert cache.n_bytes == ROOM_FOR_THREE


def test_an_image_put_again_counts_once() -> None:
    cache = PageCache(ROOM_FOR_THREE)
    cache.put(key(0), image())
    cache.put(key(0), image())
    assert cache.n_bytes == 400
    assert len(cache._images) == 1


def test_an_image_larger_than_all_room_is_kept_alone() -> None:
    cache = PageCache(ROOM_FOR_THREE)
    cache.put(key(0), image())
    cache.put(key(1, 100), image(100))
    assert key(1, 100) in cache
    assert len(cache._images) == 1


def test_the_nearest_size_of_the_same_page_stands_in() -> None:
    cache = PageCache()
    for width in (10, 20, 80):
        cache.put(key(0, width), image(width))
    cache.put(key(1, 30), image(30))
    cache.put(RenderKey(FILE, 0, 40, 40, (0, 0, 40, 40)), image(40))
    nearest = cache.nearest(FILE, 0, 33)
    assert nearest.width() == 20
    assert cache.nearest(FILE, 2, 33) is None


def test_a_file_written_again_does_not_show_its_old_pages() -> None:
    cache = PageCache()
    cache.put(key(0), image())
    assert cache.nearest(FileStamp("a.pdf", 10, 2), 0, 10) is None
