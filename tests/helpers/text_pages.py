"""PDFs whose text is known place by place, for what the viewer selects and finds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pymupdf

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.core.page_text import PageText
from desktop_qa.parse.page_text import TextFile
from tests.helpers.pdf import finished

SERIF = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

LEFT = (
    "The converter holds its last value until",
    "the next conversion is complete and then",
    "updates the output register with the new",
    "result of the measure-",
    "ment that was made in the time before it.",
)
RIGHT = (
    "The reference input accepts a voltage of",
    "two to five volts and draws a current of",
    "less than ten microamperes from any kind",
    "of source that is connected to the input",
    "pins of the device in normal operation.",
)


def page_of(path: Path, page_no: int = 1) -> PageText:
    """Read a page as the library's process reads it."""
    with closing(TextFile(path)) as file:
        return file.page(page_no)


def write_columns(path: Path) -> Path:
    """Write a page with a title over two columns of five lines; a second page with one line."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((56, 80), "A title that stands over both of the columns of text", fontsize=18)
    for x, lines in ((56, LEFT), (310, RIGHT)):
        for index, line in enumerate(lines):
            page.insert_text((x, 130 + 14 * index), line, fontsize=10)
    document.new_page(width=595, height=842).insert_text((56, 100), "The second page.", fontsize=10)
    return finished(document, path)


def write_turned(path: Path, rotation: int, *, is_cropped: bool = False) -> Path:
    """Write a page with one line that is displayed turned and perhaps cropped."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.insert_text((100, 200), "Turned words", fontsize=12)
    if is_cropped:
        page.set_cropbox(pymupdf.Rect(40, 60, 380, 560))
    page.set_rotation(rotation)
    return finished(document, path)


def write_linked(path: Path) -> Path:
    """Write three pages with links of all kinds, bookmarks on two levels and roman labels."""
    document = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page(width=400, height=600)
        page.insert_text((50, 80), f"Page number {number}", fontsize=12)
    page = document[0]
    kinds = (
        {"kind": pymupdf.LINK_GOTO, "page": 2, "to": pymupdf.Point(0, 250)},
        {"kind": pymupdf.LINK_URI, "uri": "https://example.com/part?x=1"},
        {"kind": pymupdf.LINK_URI, "uri": "javascript:alert(1)"},
        {"kind": pymupdf.LINK_LAUNCH, "file": "calculator.exe"},
    )
    for index, kind in enumerate(kinds):
        top = 100 + 40 * index
        page.insert_text((50, top + 14), f"link {index}", fontsize=12)
        page.insert_link({**kind, "from": pymupdf.Rect(50, top, 150, top + 20)})
    document.set_toc([[1, "Overview", 1], [2, "Details", 3], [1, "Index", 3]])
    document.set_page_labels([{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 3}])
    return finished(document, path)


def write_words(path: Path, *lines: str, font: Path | None = None) -> Path:
    """Write lines one below the other, in a font of the system when one is given."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    options = {} if font is None else {"fontname": "F0", "fontfile": str(font)}
    for index, line in enumerate(lines):
        page.insert_text((56, 100 + 14 * index), line, fontsize=10, **options)
    return finished(document, path)


def write_table(path: Path) -> Path:
    """Write a heading row and three rows of four cells each."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    rows = (
        ("Parameter", "Min", "Max", "Unit"),
        ("Supply voltage", "2.7", "5.5", "V"),
        ("Supply current", "1", "3", "mA"),
        ("Temperature", "-40", "125", "C"),
    )
    for index, row in enumerate(rows):
        for x, cell in zip((56, 220, 300, 380), row, strict=True):
            page.insert_text((x, 120 + 18 * index), cell, fontsize=10)
    return finished(document, path)


def library_table(page: PageText, sign: str = "") -> Table:
    """Return the table of `write_table` as the library has it, a sign behind each of its texts."""
    cells = []
    for row, line in enumerate(page.lines):
        at = line.first
        for column, text in enumerate(page.text[line.first : line.end].split("\t")):
            (box,) = page.boxes(at, at + len(text))
            at += len(text) + 1
            places = (Provenance(1, box),)
            cells.append(TableCell(row, column, 1, 1, text + sign, row == 0, places))
    around = (Provenance(1, BoundingBox(50, 100, 450, 190)),)
    return Table("Table 1", "", "", 4, 4, tuple(cells), (), around)


def write_scan(path: Path) -> Path:
    """Write a page that is one picture."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 80, 120))
    pixmap.clear_with(200)
    page.insert_image(page.rect, pixmap=pixmap)
    return finished(document, path)
