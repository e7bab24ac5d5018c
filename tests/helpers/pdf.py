"""Write small PDFs with known structure: the truth that parsing is tested against.

Text is set in the base-14 fonts, so Latin-1 only ("µ", "±", "°" yes; "Ω", "≤" no).

    writer = PdfWriter(running_header="ACME1234")
    writer.heading("1 Features")
    placed = writer.paragraph("The supply current is 5 mA.")
    writer.ruled_table([["Parameter", "Max"], ["Supply current", "5 mA"]])
    writer.save(tmp_path / "acme.pdf")
    assert placed.page_no == 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf

REGULAR = "helv"
BOLD = "hebo"
_HEADING_SIZES = {1: 16.0, 2: 13.0, 3: 11.5}
_LEADING = 1.25
_ASCENT = 0.8


@dataclass(frozen=True)
class Placed:
    """Where something was drawn: 1-based page; left, top, right, bottom in points."""

    page_no: int
    bbox: tuple[float, float, float, float]


class PdfWriter:
    """A page after page writer from top to bottom; each method returns where it drew.

    Attributes:
        document: The pymupdf document, for what this writer does not know.
        page: The page being written.
        y: Top of what comes next.
    """

    width, height, margin = 595.0, 842.0, 56.0

    def __init__(
        self, running_header: str = "", running_footer: str = "", outline: bool = True
    ) -> None:
        self.document = pymupdf.open()
        self._running_header, self._running_footer = running_header, running_footer
        self._with_outline = outline
        self._outline: list[list[object]] = []
        self.new_page()

    @property
    def page_no(self) -> int:
        """1-based number of the page being written."""
        return len(self.document)

    def new_page(self) -> None:
        """Start a page, with the running header and the page number in the footer."""
        self.page = self.document.new_page(width=self.width, height=self.height)
        self.y = self.margin
        if self._running_header:
            self.page.insert_text((self.margin, 30), self._running_header, fontsize=8)
        if self._running_footer:
            footer = f"{self._running_footer}   {self.page_no}"
            self.page.insert_text((self.margin, self.height - 26), footer, fontsize=8)

    def title(self, text: str) -> Placed:
        """Draw the largest type of the page."""
        return self._block(text, 22.0, BOLD, gap_after=10)

    def heading(self, text: str, level: int = 1) -> Placed:
        """Draw a heading in bold and enter it in the outline."""
        size = _HEADING_SIZES.get(level, 10.5)
        self._make_room(size * 4)
        self.y += 8
        top = self.y
        placed = self._block(text, size, BOLD, gap_after=4)
        if self._with_outline:
            target = pymupdf.Point(self.margin, top)
            entry = {"kind": pymupdf.LINK_GOTO, "page": self.page_no - 1, "to": target}
            self._outline.append([level, text, self.page_no, entry])
        return placed

    def paragraph(self, text: str) -> Placed:
        """Draw running text, wrapped at the margins."""
        return self._block(text, 10.0, REGULAR, gap_after=7)

    def list_items(self, items: Sequence[str], numbered: bool = True) -> list[Placed]:
        """Draw "1. ..." or "• ..." items with a hanging indent."""
        placed = []
        for index, item in enumerate(items, start=1):
            mark = f"{index}." if numbered else "\u2022"
            lines = _wrap(item, 10.0, REGULAR, self.width - 2 * self.margin - 18)
            self._make_room(len(lines) * 10 * _LEADING)
            self.page.insert_text((self.margin, self.y + 10 * _ASCENT), mark, fontsize=10)
            placed.append(self._draw(lines, self.margin + 18, 10.0, REGULAR))
            self.y += 3
        self.y += 4
        return placed

    def two_columns(self, left: Sequence[str], right: Sequence[str]) -> None:
        """Draw paragraphs in two columns, both from the same top."""
        gap = 24.0
        width = (self.width - 2 * self.margin - gap) / 2
        top, bottom = self.y, self.y
        for x, paragraphs in ((self.margin, left), (self.margin + width + gap, right)):
            self.y = top
            for text in paragraphs:
                self._draw(_wrap(text, 10.0, REGULAR, width), x, 10.0, REGULAR)
                self.y += 6
            bottom = max(bottom, self.y)
        self.y = bottom + 6

    def caption(self, text: str) -> Placed:
        """Draw a caption such as "Table 3. Limits" in small bold type."""
        return self._block(text, 9.0, BOLD, gap_after=4)

    def ruled_table(self, rows: Sequence[Sequence[str]], caption: str = "") -> Placed:
        """Draw a table with lines around every cell; the caption stands above.

        Args:
            rows: Cell texts, the first row in bold; an empty text leaves the cell blank.
            caption: None when empty.
        """
        if caption:
            self._make_room(60)
            self.caption(caption)
        width = (self.width - 2 * self.margin) / max(len(row) for row in rows)
        top = self.y
        for index, row in enumerate(rows):
            self._table_row(row, width, REGULAR if index else BOLD)
        placed = Placed(self.page_no, (self.margin, top, self.width - self.margin, self.y))
        self.y += 12
        return placed

    def image(self, caption: str) -> Placed:
        """Draw a bitmap with a simple pattern; the caption stands below."""
        width, height = 200.0, 120.0
        self._make_room(height + 24)
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 80, 48), False)
        pixels.clear_with(235)
        for step in range(48):
            pixels.set_rect(pymupdf.IRect(step, step, step + 14, step + 1), (30, 90, 160))
        rect = pymupdf.Rect(self.margin, self.y, self.margin + width, self.y + height)
        self.page.insert_image(rect, pixmap=pixels, keep_proportion=False)
        self.y += height + 6
        self.caption(caption)
        return Placed(self.page_no, tuple(rect))

    def plot(self, caption: str) -> Placed:
        """Draw a vector plot with axes, a grid and axis words; the caption stands below."""
        width, height = 240.0, 140.0
        self._make_room(height + 40)
        left, top = self.margin + 20, self.y
        right, bottom = left + width, top + height
        shape = self.page.new_shape()
        for step in range(6):
            x, y = left + step * width / 5, top + step * height / 5
            shape.draw_line((x, top), (x, bottom))
            shape.draw_line((left, y), (right, y))
        shape.finish(color=(0.7, 0.7, 0.7), width=0.5)
        points = [(left + i * width / 20, bottom - height * (i / 20) ** 2) for i in range(21)]
        shape.draw_polyline(points)
        shape.finish(color=(0.8, 0, 0), width=1.2)
        shape.commit()
        self.page.insert_text((left + width / 2 - 30, bottom + 12), "Temperature", fontsize=7)
        rect = (left, top, right, bottom + 14)
        self.y = bottom + 22
        self.caption(caption)
        return Placed(self.page_no, rect)

    def save(self, path: Path, **options: object) -> Path:
        """Write the file and return its path; options are those of pymupdf's `Document.save`."""
        if self._outline:
            self.document.set_toc(self._outline)
        return finished(self.document, path, **options)

    def _table_row(self, row: Sequence[str], width: float, font: str) -> None:
        wrapped = [_wrap(text, 9.0, font, width - 8) for text in row]
        height = max(len(lines) for lines in wrapped) * 9 * _LEADING + 6
        if self.y + height > self.height - self.margin:
            self.new_page()
        top, x = self.y, self.margin
        for lines in wrapped:
            self.y = top + 3
            self._draw(lines, x + 4, 9.0, font)
            self.page.draw_rect(pymupdf.Rect(x, top, x + width, top + height), width=0.6)
            x += width
        self.y = top + height

    def _block(self, text: str, size: float, font: str, gap_after: float) -> Placed:
        lines = _wrap(text, size, font, self.width - 2 * self.margin)
        self._make_room(len(lines) * size * _LEADING)
        placed = self._draw(lines, self.margin, size, font)
        self.y += gap_after
        return placed

    def _draw(self, lines: Sequence[str], x: float, size: float, font: str) -> Placed:
        top, right = self.y, x
        for line in lines:
            self.page.insert_text((x, self.y + size * _ASCENT), line, fontsize=size, fontname=font)
            right = max(right, x + pymupdf.get_text_length(line, font, size))
            self.y += size * _LEADING
        return Placed(self.page_no, (x, top, right, self.y))

    def _make_room(self, height: float) -> None:
        if self.y + height > self.height - self.margin:
            self.new_page()


def finished(document: pymupdf.Document, path: Path, **options: object) -> Path:
    """Write a document, let go of it and return the path of the file."""
    document.save(path, **options)
    document.close()
    return path


def _wrap(text: str, size: float, font: str, width: float) -> list[str]:
    """Break at spaces, and where the text itself has line ends."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and pymupdf.get_text_length(longer, font, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def datasheet(path: Path, n_chapters: int = 3) -> Path:
    """Write a datasheet of a few pages: title, chapters, a ruled table, a plot, a procedure."""
    part = "ACME1234"
    writer = PdfWriter(running_header=f"{part}  Datasheet", running_footer="Rev. A")
    writer.title(f"{part} Low-Noise Amplifier")
    writer.heading("1 Features")
    writer.list_items(["Supply voltage 2.7 V to 5.5 V", "Offset voltage 25 µV"], numbered=False)
    writer.heading("2 Specifications")
    writer.heading("2.1 Electrical Characteristics", level=2)
    writer.ruled_table(
        [
            ["Parameter", "Conditions", "Min", "Typ", "Max", "Unit"],
            ["Input offset voltage", "VS = 5 V", "", "5", "25", "µV"],
            ["Quiescent current", "no load", "", "1.1", "1.4", "mA"],
            ["Output current", "VS = 5 V", "30", "", "", "mA"],
        ],
        caption="Table 1. Electrical Characteristics",
    )
    writer.plot(caption="Figure 1. Offset Voltage vs Temperature")
    for chapter in range(3, 3 + n_chapters):
        writer.heading(f"{chapter} Application Note {chapter}")
        writer.paragraph(
            f"The {part} drives loads of {chapter * 10} pF without ringing. "
            "Place the decoupling capacitor close to the supply pin, and keep the feedback "
            "network short."
        )
        writer.heading(f"{chapter}.1 Power-Up Procedure", level=2)
        writer.list_items(
            ["Apply the supply voltage.", "Wait for 10 ms.", "Release the shutdown pin."]
        )
    return writer.save(path)


def write_datasheet(path: Path, part: str = "ACM4197", offset: str = "25", notes: str = "") -> Path:
    """Write a page with one table of values and one procedure."""
    writer = PdfWriter(running_footer="Acme Semiconductor")
    writer.title(f"{part} Precision Amplifier")
    writer.heading("1 Features")
    writer.paragraph(
        f"The {part} is a low noise amplifier for battery powered instruments. {notes}"
    )
    writer.heading("2 Specifications")
    writer.heading("2.1 Electrical Characteristics", 2)
    writer.ruled_table(
        [
            ["PARAMETER", "CONDITIONS", "MIN", "TYP", "MAX", "UNIT"],
            ["Input offset voltage", "VS = 5 V", "", offset, "100", "µV"],
            ["Quiescent current", "no load", "0.8", "1.0", "1.3", "mA"],
            ["Gain bandwidth product", "G = 1", "8", "10", "", "MHz"],
        ],
        caption="Table 1. Electrical characteristics",
    )
    writer.heading("3 Calibration")
    writer.paragraph("To calibrate the amplifier, follow these steps.")
    writer.list_items(
        ["Short both inputs.", "Wait two seconds.", "Write the output to the offset register."]
    )
    return writer.save(path)
