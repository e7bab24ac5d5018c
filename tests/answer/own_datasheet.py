"""A small made-up datasheet with tables and prose at known places, to be asked about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.relevance import question_terms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Answer, Evidence, Hit, Query, QuestionType, Route
from desktop_qa.core.document import (
    BoundingBox,
    Document,
    DocumentId,
    Figure,
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
from desktop_qa.index.terms import terms_of
from desktop_qa.parse.table_reading import read_table
from desktop_qa.retrieve.question_kinds import kind_model
from desktop_qa.retrieve.question_type import question_type
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.task_words import split_options
from tests.helpers.meanings import WordMeaning

_LINE = 12.0
_COLUMN = 110.0
_CHARACTER = 5.0

Rows = Sequence[Sequence[str]]


@dataclass
class Sheet:
    """A document that is built piece by piece; it serves as the source of answers."""

    name: str
    tables: list[Table] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    placed: dict[int, list[PlacedWord]] = field(default_factory=dict)

    @property
    def id(self) -> DocumentId:
        return DocumentId(self.name.lower().ljust(16, "0")[:16])

    def add_table(self, section: str, rows: Rows, label: str = "", caption: str = "") -> Sheet:
        """Add a table whose first row is its header, on a page of its own."""
        page_no = len(self.segments) + 1
        cells = []
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                place = self._write(page_no, text, c * _COLUMN, r * _LINE)
                cells.append(TableCell(r, c, 1, 1, text, r == 0, (place,)))
        where = Provenance(page_no, BoundingBox(0, 0, 2000, 2000))
        table = read_table(
            Table(label, caption, "", len(rows), len(rows[0]), tuple(cells), (), (where,))
        )
        self.tables.append(table)
        text = "\n".join(" | ".join(row) for row in rows)
        element = ElementRef(len(self.tables) - 1, 1, len(rows) - 1)
        title = " ".join(part for part in (label, caption) if part)
        return self._add(section, page_no, text, SegmentKind.TABLE, element, title)

    def add_text(self, section: str, text: str) -> Sheet:
        """Add a section of prose; each line is set on a line of its own."""
        page_no = len(self.segments) + 1
        for number, line in enumerate(text.split("\n")):
            self._write(page_no, line, 0.0, number * _LINE)
        return self._add(section, page_no, text, SegmentKind.TEXT, None, "")

    def _write(self, page_no: int, text: str, left: float, top: float) -> Provenance:
        words = self.placed.setdefault(page_no, [])
        right = left
        for word in text.split():
            box = BoundingBox(right, top, right + _CHARACTER * len(word), top + 10.0)
            words.append((page_no, Word(word, box)))
            right = box.right + 3.0
        return Provenance(page_no, BoundingBox(left, top, max(right, left + 1), top + 10.0))

    def _add(
        self,
        section: str,
        page_no: int,
        text: str,
        kind: SegmentKind,
        element: ElementRef | None,
        caption: str,
    ) -> Sheet:
        metadata = CascadingMetadata(
            f"{self.name} datasheet", "Acme", (self.name,), "", (section,), "", caption, (page_no,)
        )
        whole = "\n".join(part for part in (section, caption, text) if part)
        self.segments.append(
            Segment(
                id=make_segment_id(self.id, len(self.segments)),
                document_id=self.id,
                ordinal=len(self.segments),
                kind=kind,
                element=element,
                metadata=metadata,
                provenances=(Provenance(page_no, BoundingBox(0, 0, 2000, 2000)),),
                n_tokens=len(whole.split()),
                text=whole,
                embedded_text=whole,
                lexical_text=f"{metadata.context_line()}\n{whole}",
            )
        )
        return self


class Sheets:
    """Several documents as one source."""

    def __init__(self, *sheets: Sheet) -> None:
        self._sheets = {sheet.id: sheet for sheet in sheets}

    @property
    def segments(self) -> list[Segment]:
        return [s for sheet in self._sheets.values() for s in sheet.segments]

    @property
    def names(self) -> dict[str, DocumentId]:
        return {sheet.name: sheet.id for sheet in self._sheets.values()}

    def document(self, document_id: DocumentId) -> Document:
        sheet = self._sheets[document_id]
        return Document(
            document_id, (f"{sheet.name}.pdf",), f"{sheet.name} datasheet", "Acme", (sheet.name,),
            "", ((612.0, 792.0),), ("1",), (), tuple(sheet.tables), (), "", (), "1",
        )  # fmt: skip

    def segments_of(self, document_id: DocumentId) -> Sequence[Segment]:
        return self._sheets[document_id].segments

    def status(self, _document_id: DocumentId) -> None:
        return None

    def searchable(self) -> tuple[DocumentStatus, ...]:
        return ()

    def file_name(self, document_id: DocumentId) -> str:
        return f"{self._sheets[document_id].name}.pdf"

    def table(self, segment: Segment) -> Table | None:
        if segment.kind is not SegmentKind.TABLE or segment.element is None:
            return None
        return self._sheets[segment.document_id].tables[segment.element.index]

    def figure(self, segment: Segment) -> Figure | None:
        return None

    def words(self, segment: Segment) -> Sequence[PlacedWord]:
        placed = self._sheets[segment.document_id].placed
        return [word for no in segment.metadata.page_nos for word in placed[no]]

    def section(self, segment: Segment) -> Sequence[Segment]:
        return [
            other
            for other in self.segments_of(segment.document_id)
            if other.kind is SegmentKind.TEXT
            and other.metadata.section_path == segment.metadata.section_path
        ]


def task_of(question: str, *sheets: Sheet, kind: QuestionType | None = None) -> AnswerTask:
    """Ask with all segments as evidence, those that share most words with the question first."""
    source = Sheets(*sheets)
    choice = split_options(question)
    refs = find_structure_refs(choice.stem)
    named = [(question.find(name), i) for name, i in source.names.items() if name in question]
    documents = tuple(document_id for _at, document_id in sorted(named))
    query = Query(
        text=question,
        type=kind
        or question_type(
            question, kind_model().scores(choice.stem), refs, choice, n_documents=len(documents)
        ),
        options=choice.options,
        document_ids=documents,
        structure_refs=refs,
        keywords=tuple(name.casefold() for name in source.names if name in question),
    )
    found = sorted(source.segments, key=lambda s: -_cosine(question, s.lexical_text))
    routes = (Route.STRUCTURE,) if refs else (Route.VECTOR,)
    # Of a document that is named the first segment has some 2.
    evidence = tuple(
        Evidence(n, s, 2.0 / n, tuple(Hit(s.id, route, n, 1.0) for route in routes))
        for n, s in enumerate(found, start=1)
    )
    return AnswerTask(
        query=query,
        evidence=evidence,
        usable=evidence,
        terms=question_terms(query, lambda _term: 1.0),
        source=source,
        best_similarity=0.6,
        meaning=WordMeaning(),
        idf=lambda _term: 1.0,
        search=lambda _query: evidence,
    )


def _cosine(one: str, other: str) -> float:
    """A cosine of bags of words, in place of the model's."""
    a, b = set(terms_of(one)), set(terms_of(other))
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def shown(task: AnswerTask, reply: Reply | None) -> Answer:
    """Cite a reply, which must be there."""
    assert reply is not None
    return cited_answer(task.query, reply, task.evidence)


BRACKETED = "Set CTRL[1] and V[2] as told in [1] there."


def bracketed_answer() -> Answer:
    """An answer that cites words with brackets of their own, like those of markers."""
    task = task_of("How is CTRL[1] set?", Sheet("AB100").add_text("Control", BRACKETED))
    (item,) = task.evidence
    words = tuple(task.source.words(item.segment))
    return shown(task, Reply("Of CTRL[1]:", (Statement(BRACKETED, item, (words,), (), 1.0, 1.0),)))


HEADER = ("PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT")


def regulator(name: str = "QRX7001", *, dropout: tuple[str, str] = ("95", "180")) -> Sheet:
    """Return a datasheet of a voltage regulator with what most questions need."""
    return (
        Sheet(name)
        .add_table(
            "6.5 Electrical Characteristics",
            (
                HEADER,
                ("Dropout voltage", "IOUT = 500 mA, VOUT ≥ 3.3 V", "", *dropout, "mV"),
                ("Quiescent current in normal mode", "TA = 25 °C", "", "30", "55", "µA"),
                ("Quiescent current in sleep mode", "TA = 25 °C", "", "2", "4", "µA"),
                ("Reference voltage", "", "0.78", "0.8", "0.82", "V"),
                ("Leakage current", "", "", "0", "", "µA"),
                ("Start-up delay", "", "", "120", "", "µs"),
            ),
        )
        .add_table(
            "6.4 Thermal Information",
            (
                ("THERMAL METRIC", "SOT-23", "UNIT"),
                ("Junction-to-ambient thermal resistance", "200", "°C/W"),
            ),
        )
        .add_text(
            "7.3 Soft Start",
            "A capacitor on the SS pin sets the soft-start time.\n"
            "The internal current source is 2 µA.\n"
            "Use Equation 1 to calculate the soft-start time.\n"
            "TSS = CSS × VREF / ISS (1)",
        )
    )
