"""A PDF that a test writes line by line, and what the parser makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pymupdf

from desktop_qa.core.document import Block, BlockKind, Document, DocumentId, ParseResult, Table
from desktop_qa.parse.document import read_document
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.table_reading import read_table
from desktop_qa.parse.tables import FoundTable, find_tables, join_continued

LEFT = 60.0
BODY = 10.0

_T = TypeVar("_T")


class Sheet:
    """Pages of US Letter on which a test writes; `body` is the size of type, in points."""

    body = BODY

    def __init__(self) -> None:
        self._document = pymupdf.open()
        self.new_page()

    def new_page(self) -> None:
        self.page = self._document.new_page(width=612, height=792)

    def pages(self, items: Iterable[_T]) -> Iterator[_T]:
        """Give each item a page of its own, the first one that which is there."""
        for index, item in enumerate(items):
            if index:
                self.new_page()
            yield item

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float | None = None,
        bold: bool = False,
        align: float = 0.0,
    ) -> float:
        """Write a text that begins (`align` 0), has its middle (0.5) or ends (1) at x.

        Returns:
            Where it ends.
        """
        font, size = "hebo" if bold else "helv", size or self.body
        width = float(pymupdf.get_text_length(text, font, size))
        self.page.insert_text((x - align * width, y), text, fontsize=size, fontname=font)
        return x + (1 - align) * width

    def lines(
        self, x: float, y: float, texts: Sequence[str], *, size: float | None = None
    ) -> float:
        """Write lines below each other; return the height below the last one."""
        for text in texts:
            self.text(x, y, text, size=size)
            y += 1.2 * (size or self.body)
        return y

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page.draw_line((x0, y0), (x1, y1), width=0.5)

    def across(self, ys: Iterable[float], left: float, right: float) -> None:
        for y in ys:
            self.line(left, y, right, y)

    def upright(self, xs: Iterable[float], top: float, bottom: float) -> None:
        for x in xs:
            self.line(x, top, x, bottom)

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.across(ys, xs[0], xs[-1])
        self.upright(xs, ys[0], ys[-1])

    def row(self, xs: Iterable[float], y: float, row: Iterable[str], *, bold: bool = False) -> None:
        """Write a line of texts, each a little behind where its column begins."""
        for x, text in zip(xs, row, strict=False):
            if text:
                self.text(x + 4, y, text, bold=bold)

    def rows(
        self,
        xs: Sequence[float],
        top: float,
        rows: Sequence[Sequence[str]],
        height: float = 18,
        n_bold: int = 1,
    ) -> list[float]:
        """Write rows of texts, the first in bold; returns the heights of their borders."""
        for k, row in enumerate(rows):
            self.row(xs, top + k * height + 12, row, bold=k < n_bold)
        return [top + k * height for k in range(len(rows) + 1)]

    def scan(self) -> None:
        """Cover the page with a picture, as a scanned one has it."""
        pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 100, 130), False)
        pixels.clear_with(200)
        self.page.insert_image(self.page.rect, pixmap=pixels)

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

    def contents(self) -> list[PageContent]:
        """Return what the engine finds on each page."""
        with (
            TemporaryDirectory() as folder,
            PdfFile(self.save(Path(folder) / "sheet.pdf")) as file,
        ):
            return [file.page(n + 1) for n in range(file.n_pages)]

    def found_tables(self) -> list[FoundTable]:
        return [table for page in self.contents() for table in find_tables(page)]

    def tables(self) -> list[Table]:
        return [read_table(table) for table, _parts in join_continued(self.found_tables())]

    def table(self) -> Table:
        """Return the table of the page, which has no other."""
        (found,) = self.found_tables()
        ((table, _parts),) = join_continued([found])
        return read_table(table)


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
