"""Tables and sections with words at known places: what answers are made of, without a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_qa.answer.relevance import question_terms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.core.answer import Evidence, Hit, Query, Route
from desktop_qa.core.document import (
    BoundingBox,
    Document,
    DocumentId,
    Provenance,
    Table,
    TableCell,
    Word,
)
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.parse.table_reading import read_table
from desktop_qa.retrieve.directory import directory_of
from desktop_qa.retrieve.query import build_query
from tests.helpers.meanings import FixedMeaning

_DOCUMENT_ID = DocumentId("d" * 16)
_CELL_WIDTH = 100.0
_CELL_HEIGHT = 20.0
_WORD_WIDTH = 12.0


def cell_box(row: int, column: int) -> Provenance:
    """Where the text of a cell stands."""
    left, top = 20.0 + column * _CELL_WIDTH, 100.0 + row * _CELL_HEIGHT
    return Provenance(1, BoundingBox(left, top, left + _CELL_WIDTH - 4, top + 12.0))


def make_table(rows: Sequence[Sequence[str]], caption: str = "") -> Table:
    """A table of texts; a cell "<" goes on the one left of it, "^" the one above."""
    spans: dict[tuple[int, int], list[int]] = {}
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text == "<":
                owner = next(k for k in range(c - 1, -1, -1) if rows[r][k] != "<")
                spans[r, owner][1] += 1
            elif text == "^":
                owner_row = next(k for k in range(r - 1, -1, -1) if rows[k][c] != "^")
                spans[owner_row, c][0] += 1
            else:
                spans[r, c] = [1, 1]
    cells = tuple(
        TableCell(r, c, down, right, rows[r][c], r == 0, (cell_box(r, c),))
        for (r, c), (down, right) in spans.items()
        if rows[r][c]
    )
    n_columns = max(len(row) for row in rows)
    whole = Provenance(1, BoundingBox(0, 0, 1000, 1000))
    return read_table(Table("", caption, "", len(rows), n_columns, cells, (), (whole,)))


@dataclass
class MadeLibrary:
    """A library of one document of tables and sections, held in memory."""

    title: str = "DQA1 Sensor"
    part_numbers: tuple[str, ...] = ("DQA1",)
    tables: list[Table] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    words_of: dict[str, list[PlacedWord]] = field(default_factory=dict)
    document_id: DocumentId = _DOCUMENT_ID

    def add_table(
        self, rows: Sequence[Sequence[str]], section: str = "5 Characteristics", caption: str = ""
    ) -> Segment:
        table = make_table(rows, caption)
        self.tables.append(table)
        text = "\n".join(" | ".join(row) for row in rows)
        element = ElementRef(len(self.tables) - 1, 0, len(rows))
        words = [
            (1, Word(word, _word_box(cell.provenances[0].bbox, n)))
            for cell in table.cells
            for n, word in enumerate(cell.text.split())
        ]
        return self._add(SegmentKind.TABLE, element, section, caption, text, words)

    def add_text(self, text: str, section: str = "7 Description") -> Segment:
        words = [
            (2, Word(word, BoundingBox(20.0 + n * 14, 50.0, 32.0 + n * 14, 62.0)))
            for n, word in enumerate(text.split())
        ]
        return self._add(SegmentKind.TEXT, None, section, "", text, words, 2)

    def _add(
        self,
        kind: SegmentKind,
        element: ElementRef | None,
        section: str,
        caption: str,
        text: str,
        words: list[PlacedWord],
        page_no: int = 1,
    ) -> Segment:
        metadata = CascadingMetadata(
            self.title, "Acme", self.part_numbers, "A", (section,), "", caption, (page_no,)
        )
        segment = Segment(
            id=make_segment_id(self.document_id, len(self.segments)),
            document_id=self.document_id,
            ordinal=len(self.segments),
            kind=kind,
            element=element,
            metadata=metadata,
            provenances=(Provenance(page_no, BoundingBox(0, 0, 1000, 1000)),),
            n_tokens=len(words),
            text=text,
            embedded_text=text,
            lexical_text=f"{metadata.context_line()} {text}",
        )
        self.segments.append(segment)
        self.words_of[segment.id] = words
        return segment

    # What answers ask of a library

    def table(self, segment: Segment) -> Table | None:
        return self.tables[segment.element.index] if segment.element is not None else None

    def words(self, segment: Segment) -> Sequence[PlacedWord]:
        return self.words_of[segment.id]

    def section(self, segment: Segment) -> Sequence[Segment]:
        path = segment.metadata.section_path
        return [s for s in self.segments if s.metadata.section_path == path]

    def segments_of(self, _document_id: DocumentId) -> Sequence[Segment]:
        return self.segments

    def status(self, _document_id: DocumentId) -> None:
        return None

    def searchable(self) -> tuple[DocumentStatus, ...]:
        return ()

    def file_name(self, _document_id: DocumentId) -> str:
        return f"{self.part_numbers[0].casefold()}.pdf"

    def document(self, _document_id: DocumentId) -> Document:
        return Document(
            id=self.document_id,
            paths=(),
            title=self.title,
            vendor="Acme",
            part_numbers=self.part_numbers,
            revision="A",
            page_sizes=((600.0, 800.0),) * 3,
            page_labels=("1", "2", "3"),
            blocks=(),
            tables=tuple(self.tables),
            figures=(),
            markdown="",
            page_failures=(),
            parser_version="1",
        )

    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(
            Evidence(n, s, 1.0 / n, (Hit(s.id, Route.VECTOR, n, 0.5),))
            for n, s in enumerate(self.segments, start=1)
        )

    def task(self, question: str) -> AnswerTask:
        """The question asked of all segments in the order they were added."""
        query: Query = build_query(question, directory_of((), frozenset()))
        evidence = self.evidence()
        terms = question_terms(query, lambda _term: 1.0)
        return AnswerTask(
            query, evidence, evidence, terms, self, 0.5, FixedMeaning(),
            lambda _term: 1.0, lambda _query: evidence,
        )  # fmt: skip


def _word_box(box: BoundingBox, n: int) -> BoundingBox:
    left = box.left + n * _WORD_WIDTH
    return BoundingBox(left, box.top, left + _WORD_WIDTH - 2, box.bottom)
