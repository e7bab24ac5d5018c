"""What a PDF itself says, untouched by our layout: the yardstick of `evaluate-structure`.

Words are the engine's own, the outline is as it stands in the file: what is measured must not have
gone through the code that is measured.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.core.document import BoundingBox, Word
from desktop_qa.core.hidden_modules import hidden_modules
from desktop_qa.parse.boxes import union_of
from desktop_qa.parse.page import OutlineEntry
from desktop_qa.parse.pdf import PAGE_ERRORS, PdfFile
from desktop_qa.parse.vectors import transform_box

with hidden_modules("pymupdf.layout"):
    import pymupdf

_INK_LEVEL = 200
"""Grey value of 255 below which a pixel carries ink."""


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line as the engine sees it; `is_slanted` for text that is neither upright nor turned."""

    words: tuple[Word, ...]
    bbox: BoundingBox
    is_slanted: bool

    @property
    def text(self) -> str:
        """Its words with single spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class PlainPage:
    """A page; `blocks` are the engine's groups of lines, sizes in points as displayed."""

    page_no: int
    width: float
    height: float
    blocks: tuple[tuple[PlainLine, ...], ...]

    @property
    def lines(self) -> Iterator[PlainLine]:
        """All lines in the engine's order."""
        return (line for block in self.blocks for line in block)

    @property
    def words(self) -> Iterator[Word]:
        """All words in the engine's order."""
        return (word for line in self.lines for word in line.words)


@dataclass(frozen=True, slots=True)
class PlainPdf:
    """The pages that the engine can read, and the outline with all that is in it."""

    pages: tuple[PlainPage, ...]
    outline: tuple[OutlineEntry, ...]


def read_plain(path: Path) -> PlainPdf:
    """Read words and outline of a PDF.

    Raises:
        UnreadableDocumentError: When the file cannot be opened.
    """
    with PdfFile(path) as pdf:
        pages = []
        for page_no in range(1, pdf.n_pages + 1):
            with contextlib.suppress(*PAGE_ERRORS):
                pages.append(_page(pdf.engine_page(page_no), page_no))
        return PlainPdf(tuple(pages), pdf.outline())


def _page(page: pymupdf.Page, page_no: int) -> PlainPage:
    text_page = page.get_textpage(flags=pymupdf.TEXTFLAGS_WORDS)
    matrix = tuple(page.rotation_matrix)
    lines: dict[tuple[int, int], list[Word]] = {}
    for *box, text, block_no, line_no, _word_no in page.get_text("words", textpage=text_page):
        lines.setdefault((block_no, line_no), []).append(Word(text, transform_box(box, matrix)))
    slanted = {
        (block["number"], line_no)
        for block in page.get_text("dict", textpage=text_page)["blocks"]
        for line_no, line in enumerate(block.get("lines", ()))
        if min(abs(line["dir"][0]), abs(line["dir"][1])) > 0.1
    }
    blocks: dict[int, list[PlainLine]] = {}
    for key, words in lines.items():
        box = union_of(word.bbox for word in words)
        blocks.setdefault(key[0], []).append(PlainLine(tuple(words), box, key in slanted))
    return PlainPage(page_no, page.rect.width, page.rect.height, tuple(map(tuple, blocks.values())))


def ink_share(image: Path) -> float:
    """Share of an image's pixels that carry ink, 0 to 1; 0 for a file that is no image."""
    try:
        pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.Pixmap(str(image)))
    except PAGE_ERRORS:
        return 0.0
    samples = bytes(pixels.samples)
    if not samples:
        return 0.0
    n_blank = sum(samples.count(bytes((level,))) for level in range(_INK_LEVEL, 256))
    return 1 - n_blank / len(samples)
