"""From a written sheet to a PDF: page furniture, contents page, legal notice, stable passes."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
)

from sample_library_source import house
from sample_library_source.house import REGULAR, rich
from sample_library_source.pen import Pen, Sketch
from sample_library_source.sheet import ContentsEntry, Identity, Sheet
from sample_library_source.tables import SideBySide

_MAX_PASSES = 8


def publish(path: Path, identity: Identity, write: Callable[[Sheet], None]) -> Sheet:
    """Write a document until its page numbers and references are stable, then save it."""
    sheet = Sheet(identity, {}, ())
    for _ in range(_MAX_PASSES):
        written = Sheet(identity, sheet.found_references, sheet.found_contents)
        write(written)
        data = _render(written)
        same_contents = written.found_contents == sheet.found_contents
        if same_contents and written.found_references == sheet.found_references:
            path.write_bytes(data)
            return written
        sheet = written
    raise RuntimeError(f"{path.name}: the layout does not settle")


def _render(sheet: Sheet) -> bytes:
    buffer = io.BytesIO()
    identity = sheet.identity
    template = BaseDocTemplate(
        buffer,
        pagesize=(house.PAGE_WIDTH, house.PAGE_HEIGHT),
        title=house.plain(f"{', '.join(identity.parts)} {identity.title}"),
        author=house.VENDOR_LEGAL,
        subject=f"{identity.kind} {identity.literature}",
        creator=house.VENDOR_LEGAL,
        lang="en-US",
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(
        house.MARGIN, house.BOTTOM, house.TEXT_WIDTH, house.TEXT_HEIGHT,
        leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0, id="body",
    )  # fmt: skip

    def furnish(canvas: Canvas, _: BaseDocTemplate) -> None:
        _paint_furniture(Pen(canvas), identity, canvas.getPageNumber())

    template.addPageTemplates([PageTemplate("page", [frame], onPage=furnish)])
    template.build(list(sheet.story), canvasmaker=_canvas)
    return buffer.getvalue()


def _canvas(*arguments: Any, **options: Any) -> Canvas:
    canvas = Canvas(*arguments, **options)
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.showOutline()
    return canvas


def _paint_furniture(pen: Pen, identity: Identity, page_no: int) -> None:
    left, right = house.MARGIN, house.PAGE_WIDTH - house.MARGIN
    top = house.PAGE_HEIGHT - 62
    _paint_logo(pen, left, top + 8)
    pen.text(right, top + 15, ", ".join(identity.parts), size=10.5, bold=True, anchor="end")
    dates = f"{identity.literature} – {identity.dates}"
    pen.text(right, top + 4.5, dates, size=6.8, anchor="end", colour=house.MUTED)
    pen.line((left, top), (right, top), width=1.2, colour=house.ACCENT)
    pen.line((left, 47), (right, 47), width=0.6, colour=house.ACCENT)
    years = f"Copyright © {identity.years} {house.VENDOR_LEGAL}"
    odd = page_no % 2 == 1
    outer, inner = (right, left) if odd else (left, right)
    pen.text(outer, 36, f"{page_no}", size=8, bold=True, anchor="end" if odd else "start")
    pen.text(inner, 36, years, size=6.6, anchor="start" if odd else "end", colour=house.MUTED)
    middle = house.PAGE_WIDTH / 2
    if page_no == 1:
        notice = "See the important notice at the end of this document. Production data."
        pen.text(middle, 25, notice, size=6.6, colour=house.MUTED)
    else:
        pen.text(middle, 36, "Submit Documentation Feedback", size=6.6, colour=house.ACCENT)
        links = f"Product Folder Links: {' '.join(identity.parts)}"
        pen.text(middle, 25, links, size=6.6, colour=house.ACCENT)


def _paint_logo(pen: Pen, x: float, y: float) -> None:
    """Draw the mark, a sine in a rounded square, and the name."""
    pen.rectangle(x, y - 3, 21, 21, fill=house.ACCENT, stroke=0, radius=4)
    path = pen.canvas.beginPath()
    path.moveTo(x + 3.5, y + 7.5)
    path.curveTo(x + 7, y + 18, x + 10, y + 14, x + 10.5, y + 7.5)
    path.curveTo(x + 11, y + 1, x + 14, y - 3, x + 17.5, y + 7.5)
    pen.canvas.saveState()
    pen.canvas.setStrokeColor(house.WHITE)
    pen.canvas.setLineWidth(2)
    pen.canvas.setLineCap(1)
    pen.canvas.drawPath(path)
    pen.canvas.restoreState()
    pen.text(x + 27, y + 7.2, "ORLUNDA", size=13, bold=True, anchor="start", colour=house.ACCENT)
    pen.text(x + 27.5, y - 1.6, "SEMICONDUCTOR", size=6.3, anchor="start", colour=house.MUTED)


def title_block(sheet: Sheet) -> None:
    """Open page 1 with the title in the largest type."""
    sheet.add(Spacer(0, 4), Paragraph(rich(sheet.identity.title, 17.5), house.TITLE), Spacer(0, 7))
    rule = Sketch(
        house.TEXT_WIDTH, 4,
        lambda pen: pen.line((0, 3), (house.TEXT_WIDTH, 3), width=1.2, colour=house.ACCENT),
    )  # fmt: skip
    sheet.add(rule, Spacer(0, 2))


def front_columns(sheet: Sheet, left: Sequence[Flowable], right: Sequence[Flowable]) -> None:
    """Set the two columns of page 1."""
    sheet.add(SideBySide([left, right], house.GUTTER))


def contents_page(sheet: Sheet, *, new_page: bool = True) -> None:
    """Append the contents in two columns, with dot leaders and links."""
    if new_page:
        sheet.add(PageBreak())
    title = house.HEADINGS[1].clone("contents title", leftIndent=0, spaceBefore=0)
    sheet.add(Paragraph("Table of Contents", title))
    listed = [entry for entry in sheet.contents if entry.level < 3]
    row = 12.6
    n_rows = max(1, (len(listed) + 1) // 2)

    def paint(pen: Pen) -> None:
        for index, entry in enumerate(listed):
            x = 0.0 if index < n_rows else house.COLUMN_WIDTH + house.GUTTER
            y = (n_rows - index % n_rows - 1) * row + 4
            _paint_entry(pen, entry, x, y, row)

    sheet.add(Sketch(house.TEXT_WIDTH, n_rows * row, paint), Spacer(0, 8))


def _paint_entry(pen: Pen, entry: ContentsEntry, x: float, y: float, row: float) -> None:
    bold = entry.level == 1
    indent = 0.0 if bold else 14.0
    right = x + house.COLUMN_WIDTH
    font = house.BOLD if bold else REGULAR
    pen.text(x + indent, y, entry.number, size=8.4, bold=bold, anchor="start")
    start = x + indent + (14 if bold else 22)
    pen.text(start, y, entry.title, size=8.4, bold=bold, anchor="start")
    pen.text(right, y, f"{entry.page_no}", size=8.4, bold=bold, anchor="end")
    from_x = start + float(pen.canvas.stringWidth(entry.title, font, 8.4)) + 3
    n_dots = int((right - 14 - from_x) / 2.6)
    if n_dots > 2:
        end = right - 14
        pen.text(end, y, "." * n_dots, size=8.4, anchor="end", colour=house.MUTED)
    corner_x, corner_y = pen.canvas.absolutePosition(x, y - 2)
    box = (corner_x, corner_y, corner_x + house.COLUMN_WIDTH, corner_y + row)
    pen.canvas.linkAbsolute("", f"heading-{entry.number}-{entry.title}", box, Border="[0 0 0]")


def legal_notice(sheet: Sheet) -> None:
    """Close the document with its unnumbered notice page."""
    title = house.HEADINGS[1].clone("notice title", leftIndent=0, spaceBefore=0)
    sheet.add(PageBreak(), Paragraph("IMPORTANT NOTICE AND DISCLAIMER", title))
    style = house.BODY.clone("notice", fontSize=8.4, leading=11.6)
    sheet.add(*(Paragraph(text, style) for text in _NOTICE))


_NOTICE = (
    f"{house.VENDOR_LEGAL} and its products are invented. This document was written as sample "
    "material for a document reader; no device described here is made or sold by anybody, and "
    "no number in it may be used in a design.",
    f"{house.VENDOR} provides technical data, reference designs, application advice and other "
    "resources “as is” and with all faults, and disclaims all warranties, express and implied, "
    "including without limitation any implied warranties of merchantability, fitness for a "
    "particular purpose or non-infringement of third-party rights.",
    "These resources are intended for skilled developers. You are solely responsible for "
    "selecting the appropriate products for your application, for designing, validating and "
    "testing it, and for ensuring that it meets applicable standards and any other safety, "
    "security or regulatory requirements. These resources are subject to change without notice.",
    "Products are not designed for use in life-support equipment, in the operation of nuclear "
    "facilities, or in any application in which a failure could cause personal injury.",
    f"Mailing address: {house.VENDOR_LEGAL}, Kiselgatan 14, 591 00 Orlunda. Site: {house.SITE}.",
)
