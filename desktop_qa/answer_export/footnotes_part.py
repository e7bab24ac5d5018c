"""The footnotes of a Word document: a part of its own, which python-docx has no words for.

ECMA-376 Part 1, 17.11: `word/footnotes.xml` holds two separators and the notes; the text refers to
a note once, and a second mention is a NOTEREF field that points at a bookmark around the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from docx.document import Document as DocxDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from desktop_qa.answer_export.content import Footnote

_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
_REFERENCE_STYLE = "footnote reference"
_TEXT_STYLE = "footnote text"
_SEPARATORS = (("separator", -1), ("continuationSeparator", 0))


class FootnotesPart:
    """The notes of one document; `write` adds the part once all of the text is there."""

    def __init__(self, document: DocxDocument, notes: Sequence[Footnote]) -> None:
        self._document = document
        self._notes = notes
        self._mentioned: set[int] = set()
        styles = document.styles
        reference: Any = styles.add_style(_REFERENCE_STYLE, WD_STYLE_TYPE.CHARACTER)
        reference.font.superscript = True
        text: Any = styles.add_style(_TEXT_STYLE, WD_STYLE_TYPE.PARAGRAPH)
        text.base_style = styles["Normal"]
        text.font.size = Pt(9)
        text.paragraph_format.space_after = Pt(2)
        self._reference_id, self._text_id = reference.style_id, text.style_id

    def refer(self, paragraph: Paragraph, number: int) -> None:
        """Put the mark of a footnote at the end of a paragraph."""
        if number in self._mentioned:
            self._mention_again(paragraph, number)
            return
        self._mentioned.add(number)
        start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
        for mark in (start, end):
            mark.set(qn("w:id"), str(number))
        start.set(qn("w:name"), f"_note{number}")
        mention = OxmlElement("w:footnoteReference")
        mention.set(qn("w:id"), str(number))
        paragraph._p.append(start)
        self._run(paragraph).append(mention)
        paragraph._p.append(end)

    def _mention_again(self, paragraph: Paragraph, number: int) -> None:
        for kind in ("begin", "", "separate", "text", "end"):
            run = self._run(paragraph)
            if kind == "text":
                element = OxmlElement("w:t")
                element.text = str(number)
            elif kind:
                element = OxmlElement("w:fldChar")
                element.set(qn("w:fldCharType"), kind)
            else:
                element = OxmlElement("w:instrText")
                element.set(qn("xml:space"), "preserve")
                element.text = f" NOTEREF _note{number} \\h "
            run.append(element)

    def _run(self, paragraph: Paragraph) -> Any:
        run: Any = paragraph.add_run()._r
        # By its id: looking a style up by its name goes through all styles for each mark.
        run.style = self._reference_id
        return run

    def write(self) -> None:
        """Add the part to the document, when there are notes."""
        if not self._notes:
            return
        separators = (
            f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p>'
            "</w:footnote>"
            for kind, number in _SEPARATORS
        )
        notes = (self._note(note) for note in self._notes)
        xml = (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            f"<w:footnotes {nsdecls('w')}>{''.join((*separators, *notes))}</w:footnotes>"
        )
        package = self._document.part.package
        part = Part(PackURI("/word/footnotes.xml"), _CONTENT_TYPE, xml.encode(), package)
        self._document.part.relate_to(part, _RELATIONSHIP)

    def _note(self, note: Footnote) -> str:
        lost = " (changed or gone since)" if note.is_lost else ""
        said = f": “{note.quote}”" if note.quote else ""
        text = escape(f" {note.place}{lost}{said}")
        mark = f'<w:r><w:rPr><w:rStyle w:val="{self._reference_id}"/></w:rPr><w:footnoteRef/></w:r>'
        return (
            f'<w:footnote w:id="{note.number}"><w:p>'
            f'<w:pPr><w:pStyle w:val="{self._text_id}"/></w:pPr>{mark}'
            f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p></w:footnote>'
        )
