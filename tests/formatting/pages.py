"""Pages of words at known places, and the plain document that they make."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    DocumentId,
    PageWords,
    ParseResult,
    Provenance,
    Word,
)
from desktop_qa.formatting.lines import box_of
from tests.helpers.sample_documents import make_document

Row = Sequence[str]
"""A line: each text in a column of its own, 120 points wide."""


def page_of(*rows: Row, page_no: int = 1) -> PageWords:
    """A page of lines."""
    words = []
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            left = 50.0 + 120 * column
            for word in text.split():
                top = 50.0 + 20 * number
                words.append(Word(word, BoundingBox(left, top, left + 5 * len(word), top + 10)))
                left += 5 * len(word) + 4
    return PageWords(page_no, tuple(words))


def flat(*pages: PageWords, headings: Sequence[str] = ()) -> ParseResult:
    """A document of one paragraph a page, and offline headings before them that stand nowhere."""
    blocks = []
    for page in pages:
        box = box_of([word.bbox for word in page.words])
        text = " ".join(word.text for word in page.words)
        kind = BlockKind.SECTION_HEADER if text in headings else BlockKind.TEXT
        blocks.append(Block(kind, text, int(text in headings), (Provenance(page.page_no, box),)))
    n = len({page.page_no for page in pages})
    document = make_document(
        n, id=DocumentId("d" * 16), title="A", blocks=tuple(blocks), parser_version="p1"
    )
    return ParseResult(document, pages)


def headings_of(document: Document) -> list[tuple[int, str]]:
    """Levels and texts of the headings."""
    kind = BlockKind.SECTION_HEADER
    return [(block.level, block.text) for block in document.blocks if block.kind is kind]
