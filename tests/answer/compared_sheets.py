"""Data sheets made up for comparisons: tables and lines of text, with the words on their page."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_qa.core.document import (
    BoundingBox,
    Document,
    DocumentId,
    Provenance,
    Table,
    TableCell,
    Word,
)
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.parse.table_reading import read_table

_WIDTH, _HEIGHT = 120.0, 12.0
ELECTRICAL = ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit")
"""Headers of a table of characteristics."""


@dataclass
class Sheet:
    """One document: what its tables and its front page state."""

    part: str
    title: str = ""
    tables: list[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = field(default_factory=list)
    lines: Sequence[str] = ()
    parts: tuple[str, ...] = ()
    is_read: bool = True

    @property
    def id(self) -> DocumentId:
        content = repr((self.part, self.title, self.tables, self.lines, self.parts, self.is_read))
        return DocumentId(hashlib.sha256(content.encode()).hexdigest()[:16])


class Sheets:
    """A `LibrarySource` over made-up documents."""

    def __init__(self, *sheets: Sheet) -> None:
        self.sheets = {sheet.id: sheet for sheet in sheets}
        self.n_read = 0

    def document(self, document_id: DocumentId) -> Document:
        self.n_read += 1
        sheet = self.sheets[document_id]
        tables = tuple(
            _table(i, caption, headers, rows)
            for i, (caption, headers, rows) in enumerate(sheet.tables)
        )
        return Document(
            id=document_id,
            paths=(f"{sheet.part}.pdf",),
            title=sheet.title or sheet.part,
            vendor="",
            part_numbers=sheet.parts or (sheet.part,),
            revision="",
            page_sizes=((600.0, 800.0),),
            page_labels=("1",),
            blocks=(),
            tables=tables,
            figures=(),
            markdown="",
            page_failures=(),
            parser_version="made up",
        )

    def segments_of(self, document_id: DocumentId) -> Sequence[Segment]:
        sheet = self.sheets[document_id]
        if not sheet.is_read:
            return ()
        text = "1 Features\n\n" + "\n".join(f"• {line}" for line in sheet.lines)
        place = Provenance(1, BoundingBox(0.0, 0.0, 600.0, 800.0))
        segments = [_segment(sheet, 0, "1 Features", text, None, place)]
        for index, (caption, _headers, rows) in enumerate(sheet.tables):
            place = Provenance(index + 2, BoundingBox(0.0, 0.0, 900.0, 800.0))
            element = ElementRef(index, 1, len(rows))
            segments.append(_segment(sheet, index + 1, caption, caption, element, place))
        return segments

    def searchable(self) -> tuple[DocumentStatus, ...]:
        found = (self.status(sheet.id) for sheet in self.sheets.values() if sheet.is_read)
        return tuple(status for status in found if status is not None)

    def status(self, document_id: DocumentId) -> DocumentStatus | None:
        sheet = self.sheets.get(document_id)
        if sheet is None:
            return None
        file = f"{sheet.part}.pdf"
        return DocumentStatus(
            document_id,
            file,
            (file,),
            f"/sheets/{file}",
            DocumentState.READY if sheet.is_read else DocumentState.FAILED,
            title=sheet.title or sheet.part,
            part_numbers=sheet.parts or (sheet.part,),
            n_segments=len(sheet.tables) + 1 if sheet.is_read else 0,
        )

    def file_name(self, document_id: DocumentId) -> str:
        return f"{self.sheets[document_id].part}.pdf"

    def table(self, segment: Segment) -> Table | None:
        if segment.element is None:
            return None
        return self.document(segment.document_id).tables[segment.element.index]

    def section(self, segment: Segment) -> Sequence[Segment]:
        return [segment]

    def words(self, segment: Segment) -> Sequence[PlacedWord]:
        if segment.element is None:
            pieces = segment.text.split()
            return [(1, Word(text, _box(i, 0, 10.0))) for i, text in enumerate(pieces)]
        table = self.table(segment)
        assert table is not None
        page_no = segment.element.index + 2
        found: list[PlacedWord] = []
        for cell in table.cells:
            box = cell.provenances[0].bbox
            step = box.width / (len(cell.text.split()) + 1)
            for n, text in enumerate(cell.text.split()):
                left = box.left + n * step
                found.append(
                    (page_no, Word(text, BoundingBox(left, box.top, left + step - 1, box.bottom)))
                )
        return found


def _segment(
    sheet: Sheet,
    ordinal: int,
    section: str,
    text: str,
    element: ElementRef | None,
    place: Provenance,
) -> Segment:
    metadata = CascadingMetadata(
        sheet.title or sheet.part, "", (sheet.part,), "", (section,), "", section, (place.page_no,)
    )
    return Segment(
        id=make_segment_id(sheet.id, ordinal),
        document_id=sheet.id,
        ordinal=ordinal,
        kind=SegmentKind.TEXT if element is None else SegmentKind.TABLE,
        element=element,
        metadata=metadata,
        provenances=(place,),
        n_tokens=len(text.split()),
        text=text,
        embedded_text=text,
        lexical_text=text,
    )


def _table(
    index: int, caption: str, headers: Sequence[str], rows: Sequence[Sequence[str]]
) -> Table:
    cells = [
        TableCell(r, c, 1, 1, text, r == 0, (Provenance(index + 2, _box(c, r, _WIDTH)),))
        for r, row in enumerate((headers, *rows))
        for c, text in enumerate(row)
        if text
    ]
    place = Provenance(index + 2, BoundingBox(0.0, 0.0, 900.0, 800.0))
    table = Table("", caption, "", len(rows) + 1, len(headers), tuple(cells), (), (place,))
    return read_table(table)


def _box(column: int, row: int, width: float) -> BoundingBox:
    left, top = column * width, row * (_HEIGHT + 3.0)
    return BoundingBox(left, top, left + width - 2.0, top + _HEIGHT)
