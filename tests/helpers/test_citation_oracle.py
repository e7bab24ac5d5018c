from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from desktop_qa.core.answer import Citation
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.segment import SegmentId
from tests.helpers.citation_oracle import check_citation, covered_area
from tests.helpers.pdf import finished

_ID = DocumentId("d" * 16)


@pytest.fixture
def pdf(tmp_path) -> Path:
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_text((50, 100), "Supply current 5 mA typical", fontsize=10)
    page.insert_text((50, 130), "Another line", fontsize=10)
    return finished(document, tmp_path / "one.pdf")


def _cite(quote: str, *boxes: tuple[float, float, float, float]) -> Citation:
    places = tuple(Provenance(1, BoundingBox(*box)) for box in boxes)
    return Citation(1, SegmentId(f"{_ID}:00000"), _ID, places, (quote,))


def _box_of(pdf: Path, text: str) -> tuple[float, float, float, float]:
    with pymupdf.open(pdf) as document:
        (rect,) = document[0].search_for(text)
    return rect.x0, rect.y0, rect.x1, rect.y1


def test_citation_of_its_own_words_is_right(pdf):
    check = check_citation(pdf, _cite("supply current 5 mA", _box_of(pdf, "Supply current 5 mA")))
    assert check.words == ("Supply", "current", "5", "mA")
    assert check.is_right


def test_citation_with_a_word_too_many_or_too_few_is_wrong(pdf):
    box = _box_of(pdf, "Supply current 5 mA")
    assert not check_citation(pdf, _cite("supply current 5 mA typical", box)).words_are_quote
    assert not check_citation(pdf, _cite("supply current 5", box)).words_are_quote


def test_rectangle_with_much_empty_space_is_wrong(pdf):
    check = check_citation(pdf, _cite("Another line", (0, 115, 400, 300)))
    assert check.words_are_quote
    assert check.area_ratio > 10
    assert not check.is_right


def test_citation_of_nothing_is_wrong(pdf):
    assert not check_citation(pdf, _cite("Supply", (0, 200, 10, 210))).is_right


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_words_are_found_where_a_rotated_page_shows_them(pdf, rotation):
    turned = pdf.with_name("turned.pdf")
    with pymupdf.open(pdf) as document:
        page = document[0]
        box = pymupdf.Rect(_box_of(pdf, "Another line"))
        page.set_rotation(rotation)
        shown = box * page.rotation_matrix
        document.save(turned)
    check = check_citation(turned, _cite("Another line", tuple(shown)))
    assert check.is_right


def test_overlap_is_covered_once():
    assert covered_area([(0, 0, 10, 10)]) == 100
    assert covered_area([(0, 0, 10, 10), (5, 0, 15, 10)]) == 150
    assert covered_area([(0, 0, 10, 10), (2, 2, 4, 4)]) == 100
    assert covered_area([(0, 0, 1, 1), (5, 5, 7, 7)]) == 5
    assert covered_area([]) == 0
