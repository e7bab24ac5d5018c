from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_images import PageCache
from desktop_qa.gui.viewer.pdf_document import RenderKey
from desktop_qa.gui.viewer.pdf_highlights import AMBER, Highlight
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.gui.pdf_files import A5, contrast, show_document, write_pages

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


def printed() -> QImage:
    """A transparent page with a black spot on its left and nothing on its right."""
    image = QImage(20, 10, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0))
    painter = QPainter(image)
    painter.fillRect(0, 0, 10, 10, QColor("black"))
    painter.end()
    return image


@pytest.mark.parametrize("colours", PageColours)
def test_paper_has_its_colour_and_print_its_contrast(colours: PageColours) -> None:
    page = colours.on_paper(printed())
    ink, paper = page.pixelColor(4, 5), page.pixelColor(15, 5)
    assert all(
        abs(got - wanted) <= 2
        for got, wanted in zip(paper.getRgb(), colours.paper.getRgb(), strict=True)
    )
    assert contrast(ink, paper) >= 12


@pytest.mark.parametrize("colours", PageColours)
def test_a_highlight_is_seen_and_print_is_read_in_it(colours: PageColours) -> None:
    page = colours.on_paper(printed())
    plain = page.pixelColor(15, 5)
    painter = QPainter(page)
    painter.setCompositionMode(colours.tinting)
    tint = QColor(AMBER)
    tint.setAlphaF(0.38)
    painter.fillRect(page.rect(), tint)
    painter.end()
    ink, lit = page.pixelColor(4, 5), page.pixelColor(15, 5)
    assert lit.hue() == pytest.approx(AMBER.hue(), abs=12)
    assert contrast(lit, plain) > 1.1
    assert contrast(ink, lit) >= 4.5


def test_colours_are_chosen_shown_and_kept(
    qtbot: QtBot, open_window: MainWindow, settings: QSettings, tmp_path: Path
) -> None:
    path = write_pages(tmp_path / "one.pdf", [A5])
    panel = open_window.pdf_panel
    show_document(qtbot, panel, path)
    view = panel.view
    assert view.images.colours is PageColours.PRINTED
    assert open_window.action("page_colours_printed").isChecked()
    open_window.action("page_colours_dark").trigger()
    assert view.images.colours is PageColours.DARK

    def middle() -> QColor:
        page = view.page_layout.page_rect(0).translated(-view.visible_canvas.topLeft())
        corner = page.topLeft()
        return view.viewport().grab().toImage().pixelColor(corner.x() + 6, corner.y() + 6)

    qtbot.waitUntil(lambda: middle().lightness() < 60)
    assert settings.value("viewer/page_colours") == "dark"


def test_a_highlight_glows_on_a_dark_page(qtbot: QtBot, ten_pages: PdfView) -> None:
    view = ten_pages
    view.set_colours(PageColours.DARK)
    box = BoundingBox(10, 100, 200, 140)
    view.set_highlights([Highlight(1, (Provenance(1, box),))])
    view.set_active(1)
    place = view.page_layout.to_canvas(0, box).center().toPoint() - view.visible_canvas.topLeft()
    qtbot.waitUntil(
        lambda: (
            view.viewport().grab().toImage().pixelColor(place).hue()
            == pytest.approx(AMBER.hue(), abs=12)
        )
    )
