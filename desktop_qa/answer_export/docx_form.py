"""Answers as a Word document, with footnotes that the word processor knows as such."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC
from typing import Any

import docx
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.table import _Cell
from docx.text.paragraph import Paragraph

from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedFigure,
    ExportedTable,
    Part,
    Sentence,
    SentenceKind,
)
from desktop_qa.answer_export.footnotes_part import FootnotesPart
from desktop_qa.core.answer_blocks import Line, Listing, Readings, Role, Run

_PAGE_CM = (21.0, 29.7)
_MARGIN_CM = 2.3
_INDENT_CM = 0.75
_DIM = RGBColor(0x5D, 0x66, 0x75)
_STATED_FILL = "FFE9A3"
_HEADER_FILL = "F1F2F5"


def as_docx(answers: ExportedAnswers) -> bytes:
    """Return the bytes of the file."""
    return _Writer(answers).written()


class _Writer:
    """Writes one file from top to bottom."""

    def __init__(self, answers: ExportedAnswers) -> None:
        self._answers = answers
        self._document: DocxDocument = docx.Document()
        self._footnotes = FootnotesPart(self._document, answers.footnotes)
        self._prepare()

    def _prepare(self) -> None:
        section = self._document.sections[0]
        section.page_width, section.page_height = Cm(_PAGE_CM[0]), Cm(_PAGE_CM[1])
        section.left_margin = section.right_margin = Cm(_MARGIN_CM)
        section.top_margin = section.bottom_margin = Cm(_MARGIN_CM)
        self._text_width = Cm(_PAGE_CM[0] - 2 * _MARGIN_CM)
        normal: Any = self._document.styles["Normal"]
        normal.font.name, normal.font.size = "Calibri", Pt(11)
        normal.paragraph_format.space_after = Pt(6)
        properties = self._document.core_properties
        properties.title = self._answers.title[:250]
        properties.author = properties.last_modified_by = self._answers.program
        properties.comments = self._answers.colophon[:250]
        # The writer puts a "Z" behind whatever it is given.
        now = self._answers.exported_at.astimezone(UTC).replace(tzinfo=None)
        properties.created = properties.modified = now

    def written(self) -> bytes:
        """Write everything and return the bytes."""
        self._document.add_heading(self._answers.title, 1)
        for turn in self._answers.turns:
            if len(self._answers.turns) > 1:
                self._document.add_heading(turn.question, 2)
            for part in turn.parts:
                self._part(part)
        self._dim(self._answers.colophon, before_pt=18)
        self._footnotes.write()
        target = io.BytesIO()
        self._document.save(target)
        return target.getvalue()

    def _part(self, part: Part) -> None:
        match part:
            case Sentence(text, SentenceKind.ASIDE | SentenceKind.REMARK):
                self._dim(text)
            case Sentence():
                is_bold = part.kind is SentenceKind.STATE
                self._document.add_paragraph().add_run(part.text).bold = is_bold or None
            case Line():
                self._runs(self._document.add_paragraph(), part.whole)
            case Listing():
                if part.lead is not None:
                    self._part(part.lead)
                for item in part.items:
                    if item.number is None:
                        self._runs(self._document.add_paragraph(style="List Bullet"), item.whole)
                    else:
                        # Written out: a numbered style would count on from the list before.
                        self._item(item, f"{item.number}.", 1)
                    for below in item.below:
                        is_remark = below.role is Role.REMARK
                        self._item(below, "" if is_remark else "•", 1 if is_remark else 2)
            case Readings():
                for question in part.questions:
                    self._document.add_paragraph(question, style="List Bullet")
            case ExportedTable():
                for strip in part.strips():
                    self._table(strip)
            case ExportedFigure():
                self._figure(part)

    def _item(self, line: Line, mark: str, depth: int) -> None:
        paragraph = self._document.add_paragraph()
        shape = paragraph.paragraph_format
        shape.left_indent = Cm(depth * _INDENT_CM)
        if mark:
            shape.first_line_indent = Cm(-_INDENT_CM)
            shape.tab_stops.add_tab_stop(Cm(depth * _INDENT_CM))
        self._runs(paragraph, (Run(f"{mark}\t" if mark else ""), *line.whole))

    def _table(self, table: ExportedTable) -> None:
        if table.title:
            title = self._document.add_paragraph()
            title.paragraph_format.keep_with_next = True
            self._runs(title, table.title)
        width = table.width
        n_rows = len(table.rows) + bool(table.headers)
        if not width or not n_rows:
            return
        grid = self._document.add_table(n_rows, width, style="Table Grid")
        # Asked for once: each access of `rows` and `cells` counts the whole table again.
        cells = [list(row.cells) for row in grid.rows]
        for column, header in enumerate(table.headers):
            cell = cells[0][column]
            cell.paragraphs[0].add_run(header).bold = True
            _shade(cell, _HEADER_FILL)
        if table.headers:
            _repeat_on_each_page(grid.rows[0])
        for row, contents in zip(cells[bool(table.headers) :], table.rows, strict=True):
            for cell, content in zip(row, contents, strict=False):
                self._cell(cell, content)
        self._document.add_paragraph().paragraph_format.space_after = Pt(0)

    def _cell(self, cell: _Cell, content: ExportedCell) -> None:
        paragraph = cell.paragraphs[0]
        paragraph.paragraph_format.space_after = Pt(0)
        self._runs(paragraph, (content.words,))
        if content.remark:
            remark = paragraph.add_run(f" ({content.remark})")
            remark.font.size, remark.font.color.rgb = Pt(9), _DIM
        if content.words.is_strong:
            _shade(cell, _STATED_FILL)

    def _figure(self, figure: ExportedFigure) -> None:
        if figure.path:
            paragraph = self._document.add_paragraph()
            paragraph.paragraph_format.keep_with_next = True
            picture: Any = paragraph.add_run().add_picture(figure.path)
            if picture.width > self._text_width:
                picture.height = round(picture.height * self._text_width / picture.width)
                picture.width = self._text_width
            # Its words for those who cannot see it.
            picture._inline.docPr.set("descr", figure.caption)
        caption = self._document.add_paragraph(style="Caption")
        gone = "" if figure.path else " (the image is not in the library any more)"
        self._runs(caption, (Run(figure.caption + gone, markers=figure.notes),))

    def _dim(self, text: str, before_pt: float = 0) -> None:
        paragraph = self._document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.LEFT
        paragraph.paragraph_format.space_before = Pt(before_pt)
        run = paragraph.add_run(text)
        run.font.size, run.font.color.rgb = Pt(9), _DIM

    def _runs(self, paragraph: Paragraph, runs: Sequence[Run]) -> None:
        for run in runs:
            if run.text:
                paragraph.add_run(run.text).bold = run.is_strong or None
            for index, number in enumerate(run.markers):
                if index:
                    paragraph.add_run(", ").font.superscript = True
                self._footnotes.refer(paragraph, number)


def _shade(cell: _Cell, fill: str) -> None:
    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:color"), "auto")
    shade.set(qn("w:fill"), fill)
    cell._tc.get_or_add_tcPr().append(shade)


def _repeat_on_each_page(row: Any) -> None:
    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
