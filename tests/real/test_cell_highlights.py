"""Every cell of the tables of real datasheets is covered whole by its rectangles.

The window is not needed for it: what is highlighted are the rectangles of the words of a cell, in
whole pixels. That the window paints them so, `test_highlights_on_screen` sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pymupdf
import pytest

from desktop_qa.answer.cells import cell_words
from desktop_qa.core.document import DocumentId, PageWords, Provenance, TableCell
from desktop_qa.core.word_places import rectangles, words_within
from desktop_qa.parse.document import read_document
from tests.helpers.citation_oracle import Box, page_words

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

FILES = (
    "TI_LM324.pdf",  # raised signs: V with a plus above its line
    "MICROCHIP_MCP6241.pdf",  # boxes of letters that reach into the rules of the table
)
_SCALE = 2.5
_DARK = 140
_MIN_INK = 4
_MAX_BARE = 2
"""Pixels at the corners of a word that rounding may leave out."""
_MIN_COVERED = 0.97

Mask = npt.NDArray[np.bool_]


def cells_with_places(
    pdf: Path,
) -> Iterator[tuple[TableCell, tuple[Provenance, ...]]]:
    """Yield each cell with what is highlighted of it when it is cited."""
    result = read_document(pdf, DocumentId("0" * 16), (pdf.name,), None, lambda _no, _n: None)
    pages: dict[int, PageWords] = {page.page_no: page for page in result.page_words}
    for table in result.document.tables:
        page_nos = dict.fromkeys(place.page_no for place in table.provenances)
        words = words_within([pages[n] for n in page_nos if n in pages], table.provenances)
        for cell in table.cells:
            if cell.text:
                yield cell, rectangles(cell_words(cell, words))


def drawn(page: pymupdf.Page) -> Mask:
    """Return which pixels of a page are dark."""
    matrix = pymupdf.Matrix(_SCALE, _SCALE)
    pixels = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.stride) < _DARK


def in_pixels(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    left, top, right, bottom = (round(edge * _SCALE) for edge in box)
    rows, columns = shape[0], shape[1]
    return slice(max(top, 0), min(bottom, rows)), slice(max(left, 0), min(right, columns))


def covered_share(dark: Mask, highlighted: Mask, box: Box) -> float:
    """Return the share of the paper around a word's print that is highlighted."""
    part = in_pixels(box, dark.shape)
    ink = dark[part]
    if ink.sum() < _MIN_INK:
        return 1.0
    rows, columns = np.where(ink.any(axis=1))[0], np.where(ink.any(axis=0))[0]
    tight = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    paper = ~ink[tight]
    n_covered = int((paper & highlighted[part][tight]).sum())
    n_paper = int(paper.sum())
    return 1.0 if n_paper - n_covered <= _MAX_BARE else n_covered / n_paper


def highlighted_pixels(places: tuple[Provenance, ...], shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape, dtype=bool)
    for place in places:
        box = place.bbox
        rows = slice(max(math.floor(box.top * _SCALE), 0), math.ceil(box.bottom * _SCALE))
        columns = slice(max(math.floor(box.left * _SCALE), 0), math.ceil(box.right * _SCALE))
        mask[rows, columns] = True
    return mask


def words_under(words: list[tuple[str, Box]], places: tuple[Provenance, ...]) -> Iterator[Box]:
    for text, (left, top, right, bottom) in words:
        # The engine's word takes in the dots that lead to it ("....7.0V").
        share = len(text.rpartition("...")[2]) / len(text)
        box = (right - share * (right - left), top, right, bottom)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        boxes = [place.bbox for place in places]
        if any(b.left <= x <= b.right and b.top <= y <= b.bottom for b in boxes):
            yield box


@pytest.mark.parametrize("name", FILES)
def test_raised_and_lowered_characters_of_a_cell_are_highlighted_with_it(shared, name):
    pdf = shared / "library" / name
    by_page: dict[int, list[tuple[TableCell, tuple[Provenance, ...]]]] = {}
    n_cells = 0
    for cell, places in cells_with_places(pdf):
        assert places, cell
        n_cells += 1
        for page_no in dict.fromkeys(place.page_no for place in places):
            on_page = tuple(place for place in places if place.page_no == page_no)
            by_page.setdefault(page_no, []).append((cell, on_page))
    partly = []
    with pymupdf.open(pdf) as document:
        for page_no, cells in by_page.items():
            page = document[page_no - 1]
            dark, words = drawn(page), page_words(page)
            for cell, places in cells:
                highlighted = highlighted_pixels(places, dark.shape)
                shares = [covered_share(dark, highlighted, b) for b in words_under(words, places)]
                if min(shares, default=0.0) < _MIN_COVERED:
                    partly.append(f"page {page_no}: {cell.text!r} {min(shares, default=0.0):.2f}")
    assert n_cells > 300
    assert not partly, "\n".join(partly)
