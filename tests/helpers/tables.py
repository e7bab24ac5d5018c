"""Documents of tables and text with words at known places: what answers are made of."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from desktop_qa.answer.relevance import question_terms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.core.answer import Evidence, Hit, Query, Route
from desktop_qa.core.document import BoundingBox, Document, DocumentId, Provenance, Table, Word
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.segment import CascadingMetadata, ElementRef, Segment, SegmentKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.parse.table_reading import read_table
from desktop_qa.retrieve.directory import directory_of
from desktop_qa.retrieve.query import build_query
from desktop_qa.retrieve.reports import Quarter, reported_quarter
from tests.helpers.meanings import FixedMeaning
from tests.helpers.sample_documents import make_cells, make_document, make_segment

_CELL_WIDTH = 100.0
_CELL_HEIGHT = 20.0
_WORD_WIDTH = 12.0
_PAGE = BoundingBox(0, 0, 1000, 1000)
_ids = itertools.count(1)


def cell_box(row: int, column: int, page_no: int = 1) -> Provenance:
    """Where the text of a cell stands."""
    left, top = 20.0 + column * _CELL_WIDTH, 100.0 + row * _CELL_HEIGHT
    return Provenance(page_no, BoundingBox(left, top, left + _CELL_WIDTH - 4, top + 12.0))


def make_table(
    rows: Sequence[Sequence[str]], caption: str = "", label: str = "", page_no: int = 1
) -> Table:
    """A table of texts; a cell "<" goes on the one left of it, "^" the one above.

    The first row is its header, and those that the header's first cell reaches down to.
    """
    n_heads = 1 + len(list(itertools.takewhile(lambda row: row[:1] == ["^"], map(list, rows[1:]))))
    cells = make_cells(rows, lambda r, c: (cell_box(r, c, page_no),), n_heads)
    cells = tuple(cell for cell in cells if cell.text)
    n_columns = max(len(row) for row in rows)
    whole = Provenance(page_no, _PAGE)
    return read_table(Table(label, caption, "", len(rows), n_columns, cells, (), (whole,)))


class Sheets:
    """Documents made up for a test, as the source that answers ask."""

    def __init__(self, *sheets: Sheet) -> None:
        self.sheets = {sheet.id: sheet for sheet in sheets}

    def document(self, document_id: DocumentId) -> Document:
        sheet = self.sheets[document_id]
        return make_document(
            max(len(sheet.segments), 1),
            id=document_id,
            paths=(self.file_name(document_id),),
            title=sheet.title,
            part_numbers=sheet.parts,
            revision="A",
            tables=tuple(sheet.tables),
        )

    def segments_of(self, document_id: DocumentId) -> Sequence[Segment]:
        sheet = self.sheets[document_id]
        return sheet.segments if sheet.is_read else ()

    def quarter_of(self, document_id: DocumentId) -> Quarter | None:
        return reported_quarter(self.segments_of(document_id))

    def searchable(self) -> tuple[DocumentStatus, ...]:
        found = (self.status(sheet.id) for sheet in self.sheets.values() if sheet.is_read)
        return tuple(status for status in found if status is not None)

    def status(self, document_id: DocumentId) -> DocumentStatus | None:
        sheet = self.sheets.get(document_id)
        if sheet is None:
            return None
        file = self.file_name(document_id)
        state = DocumentState.READY if sheet.is_read else DocumentState.FAILED
        return DocumentStatus(
            document_id, file, (file,), f"/sheets/{file}", state,
            title=sheet.title, part_numbers=sheet.parts,
            n_segments=len(self.segments_of(document_id)),
        )  # fmt: skip

    def file_name(self, document_id: DocumentId) -> str:
        return f"{self.sheets[document_id].parts[0]}.pdf"

    def table(self, segment: Segment) -> Table | None:
        if segment.element is None:
            return None
        return self.sheets[segment.document_id].tables[segment.element.index]

    def words(self, segment: Segment) -> Sequence[PlacedWord]:
        return self.sheets[segment.document_id].words_of[segment.id]

    def section(self, segment: Segment) -> Sequence[Segment]:
        path = segment.metadata.section_path
        segments = self.segments_of(segment.document_id)
        return [other for other in segments if other.metadata.section_path == path]

    def evidence(self) -> tuple[Evidence, ...]:
        """All segments in the order they were added."""
        segments = [one for document_id in self.sheets for one in self.segments_of(document_id)]
        return as_evidence(segments)

    def task(self, question: str | Query) -> AnswerTask:
        """The question asked of all segments in the order they were added."""
        if isinstance(question, str):
            question = build_query(question, directory_of((), frozenset()))
        return task_over(question, self, self.evidence())


@dataclass
class Sheet(Sheets):
    """A document that is built piece by piece, each on a page of its own; a source by itself."""

    name: str = "DQA1"
    title: str = ""
    parts: tuple[str, ...] = ()
    is_read: bool = True
    tables: list[Table] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    words_of: dict[str, list[PlacedWord]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.id = DocumentId(f"{next(_ids):016x}")
        self.title = self.title or f"{self.name} Sensor"
        self.parts = self.parts or (self.name,)
        super().__init__(self)

    def add_table(
        self,
        rows: Sequence[Sequence[str]],
        section: str = "5 Characteristics",
        caption: str = "",
        label: str = "",
    ) -> Self:
        """Add a table whose first row is its header."""
        table = make_table(rows, caption, label, len(self.segments) + 1)
        self.tables.append(table)
        text = "\n".join(" | ".join(row) for row in rows)
        element = ElementRef(len(self.tables) - 1, 1, len(rows) - 1)
        words = [
            (word, n, cell.provenances[0].bbox)
            for cell in table.cells
            for n, word in enumerate(cell.text.split())
        ]
        return self._add(element, section, f"{label} {caption}".strip(), text, words)

    def add_text(self, text: str, section: str = "7 Description") -> Self:
        """Add a section of prose; each line is set on a line of its own."""
        words = [
            (word, n, BoundingBox(20.0, 50.0 + k * _CELL_HEIGHT, 980.0, 62.0 + k * _CELL_HEIGHT))
            for k, line in enumerate(text.split("\n"))
            for n, word in enumerate(line.split())
        ]
        return self._add(None, section, "", text, words)

    def _add(
        self,
        element: ElementRef | None,
        section: str,
        caption: str,
        text: str,
        words: Sequence[tuple[str, int, BoundingBox]],
    ) -> Self:
        """Add a segment of words, each with its number in the line whose box is given."""
        ordinal = len(self.segments)
        page_no = ordinal + 1
        metadata = CascadingMetadata(
            self.title, "Acme", self.parts, "A", (section,), "", caption, (page_no,)
        )
        segment = make_segment(
            self.id,
            ordinal,
            text,
            metadata,
            kind=SegmentKind.TEXT if element is None else SegmentKind.TABLE,
            element=element,
            provenances=(Provenance(page_no, _PAGE),),
            n_tokens=len(words),
            lexical_text=f"{metadata.context_line()} {text}",
        )
        self.segments.append(segment)
        self.words_of[segment.id] = [
            (page_no, Word(word, BoundingBox(left, line.top, left + _WORD_WIDTH - 2, line.bottom)))
            for word, n, line in words
            for left in (line.left + n * _WORD_WIDTH,)
        ]
        return self


def as_evidence(
    segments: Sequence[Segment], scale: float = 1.0, route: Route = Route.VECTOR
) -> tuple[Evidence, ...]:
    """The segments in this order, the first with the score `scale`."""
    return tuple(
        Evidence(n, segment, scale / n, (Hit(segment.id, route, n, 0.5),))
        for n, segment in enumerate(segments, start=1)
    )


def task_over(
    query: Query,
    source: Sheets,
    evidence: tuple[Evidence, ...],
    meaning: FixedMeaning | None = None,
) -> AnswerTask:
    """The question asked of evidence, where every word weighs the same."""
    return AnswerTask(
        query, evidence, evidence, question_terms(query, lambda _term: 1.0), source, 0.5,
        meaning or FixedMeaning(),
        lambda _term: 1.0, lambda _query: evidence,
    )  # fmt: skip
