"""Answers as a PDF: A4, the sources at the end, every mark a link to its source and back."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    Image,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedFigure,
    ExportedTable,
    Footnote,
    Part,
    Sentence,
    SentenceKind,
)
from desktop_qa.answer_export.pdf_fonts import BOLD, FAMILY, ITALIC, markup, register_fonts
from desktop_qa.core.answer_blocks import Line, Listing, Readings, Role, Run

_MARGIN = 2.2 * cm
_WIDTH = A4[0] - 2 * _MARGIN
_MAX_IMAGE_HEIGHT = 16 * cm
_POINTS_PER_PIXEL = 72 / 150
_MIN_COLUMN = 1.1 * cm
_TEXT, _DIM, _LINE = HexColor("#1b1f27"), HexColor("#5d6675"), HexColor("#dfe2e8")
_ACCENT, _STATED, _HEADER = "#1f5fd6", HexColor("#ffe9a3"), HexColor("#f1f2f5")


def _style(name: str, size: float, **more: Any) -> ParagraphStyle:
    given = {"fontName": FAMILY, "textColor": _TEXT, "leading": size * 1.45, "spaceAfter": 6}
    # A URL or a row of dots must not run out of its column.
    return ParagraphStyle(name, fontSize=size, splitLongWords=1, **{**given, **more})


_TITLE = _style("title", 17, fontName=BOLD, leading=22, spaceAfter=8)
_QUESTION = _style("question", 13, fontName=BOLD, spaceBefore=16, keepWithNext=1)
_HEADING = _style("heading", 11, fontName=BOLD, spaceBefore=6, keepWithNext=1)
_BODY = _style("body", 10.5)
_ITEM = _style("item", 10.5, leftIndent=16, bulletIndent=3, spaceAfter=3)
_BELOW = _style("below", 10.5, leftIndent=32, bulletIndent=19, spaceAfter=3)
_TABLE_TITLE = _style("table_title", 10.5, spaceBefore=8, keepWithNext=1)
_SMALL = _style("small", 8.5, textColor=_DIM)
_CELL = _style("cell", 8.5, spaceAfter=0, leading=11)
_CELL_HEAD = _style("cell_head", 8.5, fontName=BOLD, spaceAfter=0, leading=11)
_NOTE = _style("note", 8.5, leftIndent=18, bulletIndent=0, spaceAfter=3)
_REMARK = _style("remark", 9, textColor=_DIM, leftIndent=8, borderPadding=2)
_CAPTION = _style("caption", 9, textColor=_DIM, fontName=ITALIC)

_SENTENCES = {
    SentenceKind.ASIDE: _SMALL,
    SentenceKind.STATE: _HEADING,
    SentenceKind.REMARK: _REMARK,
    SentenceKind.ERROR: _BODY,
}


def as_pdf(answers: ExportedAnswers) -> bytes:
    """Return the bytes of the file."""
    register_fonts()
    target = io.BytesIO()
    template = SimpleDocTemplate(
        target,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=answers.title,
        author=answers.program,
        creator=answers.program,
        subject=answers.colophon,
        lang="en",
    )
    foot = partial(_page_foot, answers)
    template.build(list(_story(answers)), onFirstPage=foot, onLaterPages=foot)
    return target.getvalue()


def _page_foot(answers: ExportedAnswers, canvas: Any, template: Any) -> None:
    canvas.saveState()
    canvas.setFont(FAMILY, 8)
    canvas.setFillColor(_DIM)
    canvas.drawString(_MARGIN, _MARGIN / 2, answers.program)
    canvas.drawRightString(A4[0] - _MARGIN, _MARGIN / 2, str(template.page))
    canvas.restoreState()


def _story(answers: ExportedAnswers) -> Iterator[Flowable]:
    writer = _Writer()
    yield writer.paragraph(answers.title, _TITLE)
    for turn in answers.turns:
        if len(answers.turns) > 1:
            yield writer.paragraph(turn.question, _QUESTION)
        for part in turn.parts:
            yield from writer.part(part)
    yield Spacer(1, 10)
    yield HRFlowable(width="100%", thickness=0.5, color=_LINE, spaceAfter=6)
    if answers.footnotes:
        yield Paragraph("Sources", _HEADING)
    for note in answers.footnotes:
        yield writer.footnote(note)
    yield Spacer(1, 6)
    yield writer.paragraph(answers.colophon, _SMALL)


class _Writer:
    """Makes the flowables of one file; the first mention of a footnote is where it leads back."""

    def __init__(self) -> None:
        self._mentioned: set[int] = set()

    def paragraph(self, text: str, style: ParagraphStyle, bullet: str = "") -> Flowable:
        """Set a text that has no marks."""
        words = markup(text, is_bold=style.fontName == BOLD)
        return Paragraph(words, style, bulletText=bullet or None)

    def part(self, part: Part) -> Iterator[Flowable]:
        """Set a part of what stands under a question."""
        match part:
            case Sentence():
                yield self.paragraph(part.text, _SENTENCES[part.kind])
            case Line():
                yield self._runs(part.whole, _BODY)
            case Listing():
                if part.lead is not None:
                    yield self._runs(part.lead.whole, _BODY)
                for item in part.items:
                    mark = "•" if item.number is None else f"{item.number}."
                    yield self._runs(item.whole, _ITEM, mark)
                    for below in item.below:
                        mark = "" if below.role is Role.REMARK else "•"
                        yield self._runs(below.whole, _BELOW, mark)
            case Readings():
                yield from (self.paragraph(one, _ITEM, "•") for one in part.questions)
            case ExportedTable():
                for strip in part.strips():
                    yield from self._table(strip)
            case ExportedFigure():
                yield self._figure(part)

    def footnote(self, note: Footnote) -> Flowable:
        """Set a source, with the way back to its first mention."""
        lost = " (changed or gone since)" if note.is_lost else ""
        said = f": “{note.quote}”" if note.quote else ""
        text = markup(f"{note.place}{lost}{said}")
        anchor = f'<a name="note{note.number}"/>'
        back = f' <a href="#ref{note.number}" color="{_ACCENT}">back</a>'
        shown_back = back if note.number in self._mentioned else ""
        return Paragraph(f"{anchor}{text}{shown_back}", _NOTE, bulletText=f"{note.number}.")

    def _runs(self, runs: Sequence[Run], style: ParagraphStyle, bullet: str = "") -> Flowable:
        return Paragraph(self._markup(runs), style, bulletText=bullet or None)

    def _markup(self, runs: Sequence[Run]) -> str:
        return "".join(
            markup(run.text, is_bold=run.is_strong) + "".join(map(self._reference, run.markers))
            for run in runs
        )

    def _reference(self, number: int) -> str:
        anchor = "" if number in self._mentioned else f'<a name="ref{number}"/>'
        self._mentioned.add(number)
        link = f'<a href="#note{number}" color="{_ACCENT}">[{number}]</a>'
        return f'{anchor}<super size="7" rise="3.5">{link}</super>'

    def _table(self, table: ExportedTable) -> Iterator[Flowable]:
        if table.title:
            yield self._runs(table.title, _TABLE_TITLE)
        head = [self.paragraph(header, _CELL_HEAD) for header in table.headers]
        rows: list[list[Any]] = [head] if head else []
        rows += [[self._cell(cell) for cell in row] for row in table.rows]
        width = max(map(len, rows), default=0)
        if not width:
            return
        rows = [[*row, *[""] * (width - len(row))] for row in rows]
        yield Table(
            rows,
            colWidths=column_widths(table, width),
            repeatRows=int(bool(head)),
            splitInRow=1,
            style=_table_style(table),
            hAlign="LEFT",
        )
        yield Spacer(1, 8)

    def _cell(self, cell: ExportedCell) -> Flowable:
        remark = f" ({markup(cell.remark)})" if cell.remark else ""
        return Paragraph(f"{self._markup((cell.words,))}{remark}", _CELL)

    def _figure(self, figure: ExportedFigure) -> Flowable:
        gone = "" if figure.path else " (the image is not in the library any more)"
        caption = self._runs((Run(figure.caption + gone, markers=figure.notes),), _CAPTION)
        if not figure.path:
            return caption
        image = Image(figure.path)
        width, height = (side * _POINTS_PER_PIXEL for side in (image.imageWidth, image.imageHeight))
        scale = min(1.0, _WIDTH / width, _MAX_IMAGE_HEIGHT / height)
        image.drawWidth, image.drawHeight = width * scale, height * scale
        image.hAlign = "LEFT"
        return KeepTogether([image, Spacer(1, 3), caption])


def _table_style(table: ExportedTable) -> TableStyle:
    commands: list[Any] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ]
    if table.headers:
        commands.append(("BACKGROUND", (0, 0), (-1, 0), _HEADER))
    for row_index, row in enumerate(table.rows, start=int(bool(table.headers))):
        for column, cell in enumerate(row):
            if cell.words.is_strong:
                place = (column, row_index)
                commands.append(("BACKGROUND", place, place, _STATED))
    return TableStyle(commands)


def column_widths(table: ExportedTable, n_columns: int) -> list[float]:
    """Share the page's width among columns by the length of their texts, in points.

    The square root keeps a column of sentences from starving the numbers beside it.
    """
    lengths = [4.0] * n_columns
    texts = [
        table.headers,
        *([one.words.text + one.remark for one in row] for row in table.rows),
    ]
    for row in texts:
        for column, text in enumerate(row[:n_columns]):
            lengths[column] = max(lengths[column], min(len(text), 120))
    wanted = [length * 5.0 + 14 for length in lengths]
    if sum(wanted) <= _WIDTH:
        return wanted
    roots = [length**0.5 for length in lengths]
    widths = [max(_MIN_COLUMN, _WIDTH * root / sum(roots)) for root in roots]
    return [width * _WIDTH / sum(widths) for width in widths]
