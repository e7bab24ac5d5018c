from __future__ import annotations

import pymupdf
import pytest
from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtPdf import QPdfDocument

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_images import PageCache
from desktop_qa.gui.viewer.page_layout import (
    GAP,
    MARGIN,
    MAX_FACTOR,
    MIN_FACTOR,
    PageArrangement,
    PageLayout,
    Zoom,
    ZoomMode,
    next_larger,
    next_smaller,
)
from desktop_qa.gui.viewer.pdf_document import RenderKey
from desktop_qa.gui.viewer.pdf_highlights import AMBER, Highlight
from desktop_qa.parse.pdf import PdfFile
from tests.gui.pdf_files import A5, contrast, show_document, write_pages
from tests.helpers.text_pages import page_of

VIEWPORT = QSize(500, 400)
SIZES = ((300.0, 400.0), (600.0, 400.0), (300.0, 400.0))
PAGES: dict[str, dict[str, str]] = {
    "plain": {},
    "negative origin": {"MediaBox": "[-50 -40 350 260]"},
    "fractions": {"MediaBox": "[0.3 0.7 400.25 300.9]", "Rotate": "180"},
    "media box upside down": {"MediaBox": "[400 300 0 0]"},
    "cropped": {"CropBox": "[60 40 360 270]"},
    "cropped and turned": {"CropBox": "[60 40 360 270]", "Rotate": "90"},
    "cropped and turned back": {"CropBox": "[60 40 360 270]", "Rotate": "270"},
    "crop box larger than the media box": {"CropBox": "[-100 -100 600 600]"},
    "crop box upside down": {"CropBox": "[350 250 50 30]"},
    "empty crop box": {"CropBox": "[100 100 100 100]"},
    "turned the other way": {"Rotate": "-90"},
    "turned more than once": {"Rotate": "450"},
    "turned by less than a quarter": {"Rotate": "45"},
    "user unit": {"UserUnit": "2"},
    "user unit of nothing": {"UserUnit": "0"},
    "user unit, cropped and turned": {
        "UserUnit": "2.5",
        "CropBox": "[60 40 360 270]",
        "Rotate": "90",
    },
}
_SCALE = 2
FILE = FileStamp("a.pdf", 10, 1)
ROOM_FOR_THREE = 3 * 10 * 10 * 4


def laid_out(mode: ZoomMode, factor: float = 1.0) -> PageLayout:
    return PageLayout(SIZES, VIEWPORT, PageArrangement(zoom=Zoom(mode, factor)), 1.0)


def test_fitted_pages_fill_the_width_whatever_their_own():
    layout = laid_out(ZoomMode.FIT_WIDTH)
    for page_index in range(3):
        assert layout.page_rect(page_index).left() == MARGIN
        assert layout.page_rect(page_index).width() == VIEWPORT.width() - 2 * MARGIN
    assert layout.width == VIEWPORT.width()


def test_whole_pages_fit_into_the_window():
    layout = laid_out(ZoomMode.FIT_PAGE)
    for page_index in range(3):
        rect = layout.page_rect(page_index)
        assert rect.height() <= VIEWPORT.height() - 2 * GAP
        assert rect.width() <= VIEWPORT.width() - 2 * MARGIN
    assert layout.page_rect(0).height() == VIEWPORT.height() - 2 * GAP


def test_a_factor_is_the_same_for_all_pages_and_may_be_wider_than_the_window():
    layout = laid_out(ZoomMode.FACTOR, 2.0)
    assert [layout.page_rect(index).width() for index in range(3)] == [600, 1200, 600]
    assert layout.width == 1200 + 2 * MARGIN
    assert layout.page_rect(0).center().x() == pytest.approx(layout.width / 2, abs=1)


def test_pages_follow_each_other_with_a_gap():
    layout = laid_out(ZoomMode.FACTOR)
    assert layout.page_rect(0).top() == GAP
    assert layout.page_rect(1).top() == GAP + 400 + GAP
    assert layout.height == 3 * (400 + GAP) + GAP
    assert list(layout.seen(QRect(0, 0, 500, 400))) == [0]
    assert list(layout.seen(QRect(0, 300, 500, 400))) == [0, 1]
    assert layout.page_under(QPointF(0, GAP + 400 + 2)) == 0
    assert layout.page_under(QPointF(0, GAP + 400 + GAP)) == 1
    assert layout.most_visible(300, 400) == 1
    assert layout.most_visible(100, 400) == 0


def test_a_point_is_found_again_at_another_size():
    small, large = laid_out(ZoomMode.FIT_PAGE), laid_out(ZoomMode.FACTOR, 3.0)
    anchor = small.anchor_at(QPointF(small.page_rect(1).center()))
    found = large.point_of(anchor)
    assert found.x() == pytest.approx(large.page_rect(1).center().x(), abs=5)
    assert found.y() == pytest.approx(large.page_rect(1).center().y(), abs=5)


def test_a_document_without_pages_has_no_height_to_scroll():
    layout = PageLayout((), VIEWPORT, PageArrangement(), 1.0)
    assert layout.n_pages == 0
    assert list(layout.seen(QRect(0, 0, 500, 400))) == []
    assert layout.height < VIEWPORT.height()


def test_a_tiny_window_does_not_make_pages_vanish():
    layout = PageLayout(SIZES, QSize(10, 10), PageArrangement(), 1.0)
    assert layout.factor(0) > 0
    assert layout.page_rect(0).width() >= 1


def test_zoom_steps_go_up_and_down_and_end():
    assert next_larger(0.61) == 0.67
    assert next_larger(1.0) == 1.1
    assert next_smaller(1.0) == 0.9
    assert next_smaller(1.005) == 0.9
    assert next_larger(MAX_FACTOR) == MAX_FACTOR
    assert next_smaller(MIN_FACTOR) == MIN_FACTOR


def ink(document: QPdfDocument) -> tuple[float, float, float, float]:
    """Return where the viewer draws what stands on the page, in points."""
    size = document.pagePointSize(0)
    image = document.render(0, QSize(round(size.width() * _SCALE), round(size.height() * _SCALE)))
    found = [
        (x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y).alpha() > 100
    ]
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return (
        min(xs) / _SCALE,
        min(ys) / _SCALE,
        (max(xs) + 1) / _SCALE,
        (max(ys) + 1) / _SCALE,
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_word_has_one_place(tmp_path, name):
    path = tmp_path / "page.pdf"
    with pymupdf.open() as made:
        page = made.new_page(width=400, height=300)
        page.insert_text((150, 140), "MARKWORD", fontsize=16)
        for key, value in PAGES[name].items():
            made.xref_set_key(page.xref, key, value)
        made.save(path)
    document = QPdfDocument()
    assert document.load(str(path)) is QPdfDocument.Error.None_
    size = document.pagePointSize(0)
    with PdfFile(path) as pdf:
        content = pdf.page(1)
    (word,) = content.words
    read = page_of(path)
    for width, height in ((content.width, content.height), (read.width, read.height)):
        assert (width, height) == pytest.approx((size.width(), size.height()), abs=0.6)
    left, top, right, bottom = ink(document)
    box = word.bbox
    assert box.left - 1 <= left
    assert box.top - 1 <= top
    assert right <= box.right + 1
    assert bottom <= box.bottom + 1
    # The word's box is not much larger than its print either.
    assert box.area < 3 * (right - left) * (bottom - top)


def key(page_index: int, width: int = 10) -> RenderKey:
    return RenderKey(FILE, page_index, width, width)


def image(width: int = 10) -> QImage:
    return QImage(width, width, QImage.Format.Format_RGB32)


def test_the_least_recently_used_image_leaves_first():
    cache = PageCache(ROOM_FOR_THREE)
    for page_index in range(3):
        cache.put(key(page_index), image())
    assert cache.get(key(0)) is not None
    cache.put(key(3), image())
    assert key(0) in cache
    assert key(1) not in cache
    assert cache.n_bytes == ROOM_FOR_THREE


def test_an_image_put_again_counts_once():
    cache = PageCache(ROOM_FOR_THREE)
    cache.put(key(0), image())
    cache.put(key(0), image())
    assert cache.n_bytes == 400
    assert len(cache._images) == 1


def test_an_image_larger_than_all_room_is_kept_alone():
    cache = PageCache(ROOM_FOR_THREE)
    cache.put(key(0), image())
    cache.put(key(1, 100), image(100))
    assert key(1, 100) in cache
    assert len(cache._images) == 1


def test_the_nearest_size_of_the_same_page_stands_in():
    cache = PageCache()
    for width in (10, 20, 80):
        cache.put(key(0, width), image(width))
    cache.put(key(1, 30), image(30))
    cache.put(RenderKey(FILE, 0, 40, 40, (0, 0, 40, 40)), image(40))
    nearest = cache.nearest(FILE, 0, 33)
    assert nearest.width() == 20
    assert cache.nearest(FILE, 2, 33) is None


def test_a_file_written_again_does_not_show_its_old_pages():
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
def test_paper_has_its_colour_and_print_its_contrast(colours):
    page = colours.on_paper(printed())
    ink, paper = page.pixelColor(4, 5), page.pixelColor(15, 5)
    assert all(
        abs(got - wanted) <= 2
        for got, wanted in zip(paper.getRgb(), colours.paper.getRgb(), strict=True)
    )
    assert contrast(ink, paper) >= 12


@pytest.mark.parametrize("colours", PageColours)
def test_a_highlight_is_seen_and_print_is_read_in_it(colours):
    page = colours.on_paper(printed())
    plain = page.pixelColor(15, 5)
    painter = QPainter(page)
    tint = QColor(AMBER)
    tint.setAlphaF(0.38)
    colours.tint(painter, [page.rect()], tint)
    painter.end()
    ink, lit = page.pixelColor(4, 5), page.pixelColor(15, 5)
    assert lit.hue() == pytest.approx(AMBER.hue(), abs=12)
    assert contrast(lit, plain) > 1.1
    assert contrast(ink, lit) >= 4.5


def test_colours_are_chosen_shown_and_kept(qtbot, open_window, settings, tmp_path):
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


def test_a_highlight_glows_on_a_dark_page(qtbot, ten_pages):
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
