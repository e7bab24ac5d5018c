"""Selecting and finding in real datasheets, beside what the engine's own search finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pymupdf
import pytest

from desktop_qa.core.copied_text import copied_text
from desktop_qa.core.page_text import TextHit, TextQuery
from desktop_qa.parse.page_text import TextFile
from tests.helpers.text_pages import page_of

pytestmark = pytest.mark.real

FILES = ("TI_ADS1261", "BOSCH_BME280", "MICROCHIP_MCP2515", "ST_LIS3MDL")


@pytest.fixture(params=FILES)
def path(request, shared) -> Path:
    return Path(shared / "library" / f"{request.param}.pdf")


def all_hits(file: TextFile, words: str) -> Iterator[TextHit]:
    page_no: int | None = 1
    while page_no is not None:
        found = file.find(TextQuery(words), page_no)
        yield from found.hits
        page_no = found.next_page


@pytest.mark.parametrize("word", ["voltage", "temperature", "register"])
def test_every_place_that_the_engine_finds_is_found(path, word):
    with closing(TextFile(path)) as file:
        hits = list(all_hits(file, word))
    with pymupdf.open(path) as oracle:
        for page in oracle:
            boxes = [box for hit in hits if hit.page_no == page.number + 1 for box in hit.boxes]
            # Upright pages alone: the engine's rectangles are those before they are turned.
            if page.rotation:
                continue
            for rect in page.search_for(word):
                # Of a few finds the engine gives the first letter at the end of the line before.
                if rect.width < rect.height:
                    continue
                x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
                assert any(
                    box.left - 1 <= x <= box.right + 1 and box.top <= y <= box.bottom
                    for box in boxes
                ), (page.number + 1, rect)
        plain = sum(page.get_text().lower().count(word) for page in oracle)
    # A word that a line's end has broken is found, and is none for the engine's plain text.
    assert len(hits) >= plain > 0


def test_the_first_page_in_two_columns_is_copied_column_by_column(shared):
    page = page_of(shared / "library" / "TI_ADS1261.pdf")
    text = page.text
    assert text.index("1 Features") < text.index("5-mm × 5-mm QFN Package")
    assert text.index("2 Applications") < text.index("3 Description")
    start = text.index("The ADCs contain an input")
    end = text.index("The high-impedance PGA inputs")
    assert "converters (ADCs)" not in copied_text(page, start, end)
    assert copied_text(page, start, end).startswith(
        "The ADCs contain an input signal multiplexer, a low"
    )
