"""The viewer and the parser are two PDF libraries: they must agree on where things are."""

import pymupdf
import pytest

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_view import PdfView

pytestmark = pytest.mark.real

FILES = ("TI_OPA4197.pdf", "BOSCH_BME280.pdf", "TI_ADS1261.pdf", "SENSIRION_SCD4X.pdf")
_DARK = 200


@pytest.mark.parametrize("name", FILES)
def test_page_sizes_are_those_the_parser_sees(qtbot, shared, name):
    view = PdfView()
    qtbot.addWidget(view)
    document = view.document
    with qtbot.waitSignal(document.opened):
        document.open(shared / "library" / name)
    with pymupdf.open(shared / "library" / name) as oracle:
        expected = [(page.rect.width, page.rect.height) for page in oracle]
    assert len(document.page_sizes) == len(expected)
    for found, size in zip(document.page_sizes, expected, strict=True):
        assert found == pytest.approx(size, abs=0.01)


@pytest.mark.parametrize(("name", "page_no"), [("TI_OPA4197.pdf", 7), ("BOSCH_BME280.pdf", 12)])
def test_words_lie_under_their_highlights_and_nothing_of_them_beside(qtbot, shared, name, page_no):
    with pymupdf.open(shared / "library" / name) as oracle:
        words = [word for word in oracle[page_no - 1].get_text("words") if len(word[4]) > 3][:40]
    places = tuple(Provenance(page_no, BoundingBox(*word[:4])) for word in words)
    view = PdfView()
    qtbot.addWidget(view)
    view.is_animated = False
    view.resize(1000, 1400)
    view.show()
    with qtbot.waitSignal(view.document.opened):
        view.open(shared / "library" / name, page_no)
    qtbot.waitUntil(lambda: view.is_drawn)
    view.set_highlights([Highlight(1, places)])
    image = view.viewport().grab().toImage()
    seen = view.visible_canvas
    for place in places:
        rect = view.page_layout.to_canvas(page_no - 1, place.bbox).translated(-seen.topLeft())
        box = rect.toRect()
        if not view.viewport().rect().contains(box):
            continue
        dark = [
            x
            for x in range(box.left(), box.right() + 1)
            for y in range(box.top(), box.bottom() + 1)
            if image.pixelColor(x, y).lightness() < _DARK
        ]
        assert dark, place
        assert min(dark) - box.left() < 4, place
        assert box.right() - max(dark) < 4, place
