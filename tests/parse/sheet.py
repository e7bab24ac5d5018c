"""A PDF that a test writes line by line, and what the parser makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf

from desktop_qa.core.document import Block, BlockKind, Document, DocumentId, ParseResult
from desktop_qa.parse.document import read_document

LEFT = 60.0
BODY = 10.0


class Sheet:
    """Pages of US Letter on which a test writes."""

    def __init__(self) -> None:
        self._document = pymupdf.open()
        self.page = self._document.new_page(width=612, height=792)

    def new_page(self) -> None:
        self.page = self._document.new_page(width=612, height=792)

    def text(
        self, x: float, y: float, text: str, *, size: float = BODY, bold: bool = False
    ) -> None:
        self.page.insert_text((x, y), text, fontsize=size, fontname="hebo" if bold else "helv")

    def lines(self, x: float, y: float, texts: Sequence[str], *, size: float = BODY) -> float:
        """Write lines below each other; return the height below the last one."""
        for text in texts:
            self.text(x, y, text, size=size)
            y += 1.2 * size
        return y

    def plot(self, left: float, top: float, width: float = 160, height: float = 100) -> None:
        """Draw a frame and a curve, as plots have them."""
        self.page.draw_rect((left, top, left + width, top + height), width=0.5)
        points = [(left + i * width / 40, top + height * (i % 9) / 9) for i in range(41)]
        for start, end in pairwise(points):
            self.page.draw_line(start, end, width=0.7)

    def set_outline(self, entries: Sequence[tuple[int, str, int]]) -> None:
        self._document.set_toc([list(entry) for entry in entries])

    def save(self, path: Path) -> Path:
        self._document.save(path)
        return path


def read(sheet: Sheet, *, ignore_outline: bool = False, figures: Path | None = None) -> ParseResult:
    with TemporaryDirectory() as folder:
        return read_document(
            sheet.save(Path(folder) / "sheet.pdf"),
            DocumentId("0123456789abcdef"),
            ("sheet.pdf",),
            figures,
            lambda _page_no, _n_pages: None,
            ignore_outline=ignore_outline,
        )


def texts_of(document: Document, *kinds: BlockKind) -> list[str]:
    return [block.text for block in document.blocks if block.kind in kinds]


def block_with(document: Document, words: str) -> Block:
    return next(block for block in document.blocks if words in block.text)


PROSE = (
    "The regulator keeps its output constant while the load changes from",
    "one milliampere to one ampere. A capacitor at the output holds the",
    "charge that fast steps of the load take from it, and a second one at",
    "the input keeps the supply from ringing when the current changes.",
)
