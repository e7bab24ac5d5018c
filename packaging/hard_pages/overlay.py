"""What was found on a page, drawn over it as thin coloured rectangles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf
from PIL import Image

from desktop_qa.augment.narrowing import Narrower
from desktop_qa.core.document import Block, BlockKind, BoundingBox, ParseResult, Provenance
from hard_pages.page_markdown import blocks_of

DPI = 110
_FURNITURE = (BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER)


@dataclass(frozen=True, slots=True)
class Mark:
    """A kind of rectangle: its name in the legend, and its colour as RGB in 0 to 255."""

    name: str
    color: tuple[int, int, int]


HEADING = Mark("heading, with its level", (214, 39, 40))
TEXT = Mark("paragraph", (31, 119, 180))
ITEM = Mark("list item", (23, 160, 160))
TABLE = Mark("table", (20, 110, 30))
HEADER_CELL = Mark("header cell", (240, 130, 0))
CELL = Mark("cell", (110, 190, 90))
NOTE = Mark("note, footnote", (170, 130, 0))
FIGURE = Mark("figure", (140, 60, 190))
CAPTION = Mark("caption, title", (227, 60, 150))
CODE = Mark("listing, formula", (120, 70, 50))
RUNNING = Mark("running line, left out of the text", (140, 140, 140))
MARKS = (
    HEADING, TEXT, ITEM, TABLE, HEADER_CELL, CELL, NOTE, FIGURE, CAPTION, CODE, RUNNING,
)  # fmt: skip

_BY_KIND = {
    BlockKind.SECTION_HEADER: HEADING,
    BlockKind.TEXT: TEXT,
    BlockKind.LIST_ITEM: ITEM,
    BlockKind.TABLE: TABLE,
    BlockKind.PICTURE: FIGURE,
    BlockKind.CAPTION: CAPTION,
    BlockKind.FOOTNOTE: NOTE,
    BlockKind.CODE: CODE,
    BlockKind.FORMULA: CODE,
    BlockKind.PAGE_HEADER: RUNNING,
    BlockKind.PAGE_FOOTER: RUNNING,
}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle to draw; `tag` stands at its left, `margin` in points around it is free."""

    bbox: BoundingBox
    mark: Mark
    width: float = 0.8
    margin: float = 1.5
    tag: str = ""


def boxes_of(result: ParseResult, page_no: int) -> list[Box]:
    """Rectangles of all that was found on a page; tags count the blocks in reading order."""
    boxes: list[Box] = []
    narrower = Narrower(result.page_words)
    order = 0
    for block in blocks_of(result, page_no):
        here = [place for place in block.provenances if place.page_no == page_no]
        mark = _BY_KIND[block.kind]
        tag = ""
        if block.provenances[0].page_no < page_no:
            tag = "..."
        elif block.kind not in _FURNITURE:
            order += 1
            tag = str(order)
        if block.kind == BlockKind.SECTION_HEADER:
            tag += f" H{block.level}"
        boxes.append(Box(here[0].bbox, mark, tag=tag))
        after = CAPTION if block.kind == BlockKind.PICTURE else mark
        boxes += [Box(place.bbox, after) for place in here[1:]]
        if block.kind == BlockKind.TABLE:
            boxes += _inside_table(result, block, page_no, narrower)
    return boxes


def _inside_table(
    result: ParseResult, block: Block, page_no: int, narrower: Narrower
) -> Iterator[Box]:
    assert block.element_index is not None
    table = result.document.tables[block.element_index]
    for cell in table.cells:
        places = [place for place in cell.provenances if place.page_no == page_no]
        if places and cell.text:
            mark = HEADER_CELL if cell.is_header else CELL
            yield Box(_union(places), mark, width=0.5, margin=0.6)
    for note in table.notes:
        if places := list(narrower.find(note, [page_no])):
            yield Box(_union(places), NOTE, width=0.6, margin=0.8)
    for text in (f"{table.label}{mark} {table.caption}" for mark in (":", ".", "")):
        if table.label and (places := list(narrower.find(text, [page_no]))):
            yield Box(_union(places), CAPTION, width=0.6, margin=0.8)
            return


def _union(places: Sequence[Provenance]) -> BoundingBox:
    box = places[0].bbox
    for place in places[1:]:
        box = box.union(place.bbox)
    return box


def draw_page(pdf: Path, page_no: int, boxes: Sequence[Box], target: Path) -> None:
    """Write a page with its boxes as a PNG file of few colours."""
    with pymupdf.open(pdf) as document:
        page = document[page_no - 1]
        for box in boxes:
            color = tuple(part / 255 for part in box.mark.color)
            b, m = box.bbox, box.margin
            corners = (b.left - m, b.top - m, b.right + m, b.bottom + m)
            page.draw_rect(corners, color=color, width=box.width)
            if box.tag:
                width = pymupdf.get_text_length(box.tag, "hebo", 6.5)
                # At the outer side: the gutter between columns is too narrow.
                outside = (
                    b.right + m + 2 if b.left > page.rect.width / 2 else b.left - m - width - 2
                )
                place = (outside, b.top + 5.5)
                page.insert_text(place, box.tag, fontsize=6.5, fontname="hebo", color=color)
        pixels = page.get_pixmap(dpi=DPI)
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    shrink(image).save(target, optimize=True)


def shrink(image: Image.Image) -> Image.Image:
    """Give an image the palette that its most frequent colours need."""
    return image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def draw_legend(target: Path) -> None:
    """Write the legend of the boxes as a PNG file."""
    document = pymupdf.open()
    page = document.new_page(width=430, height=52)
    for index, mark in enumerate(MARKS):
        x, y = 6 + 105 * (index % 4), 6 + 15 * (index // 4)
        color = tuple(part / 255 for part in mark.color)
        page.draw_rect((x, y, x + 13, y + 9), color=color, width=0.9)
        page.insert_text((x + 17, y + 7.5), mark.name, fontsize=7.5, fontname="helv")
    pixels = page.get_pixmap(dpi=2 * DPI)
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    shrink(image).save(target, optimize=True)
    document.close()
