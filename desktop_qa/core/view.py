"""What a client shows: answers and libraries with everything needed to draw them."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId, Provenance, Table
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.segment import SegmentKind


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One piece of evidence, ready to draw.

    Attributes:
        section_path: Document title first, then the headings from the outermost in.
        file: Path relative to the source folder.
        path: Absolute path of the PDF.
        text: What a person reads.
        table: The whole table when the evidence is one.
        rows: First and one past the last row of the table's grid that this segment holds.
        cited_cells: (row, column) of the cells the answer cites.
        figure_path: Absolute path of the PNG when the evidence is a figure.
        quotes: The words the answer cites from this segment.
        places: Where the citation points; the segment's own places when it is not cited.
        is_cited: False for evidence that was found and not used.
    """

    marker: int
    kind: SegmentKind
    document_id: DocumentId
    section_path: tuple[str, ...]
    page_no: int
    file: str
    path: str
    text: str
    caption: str
    table: Table | None
    rows: tuple[int, int]
    cited_cells: tuple[tuple[int, int], ...]
    figure_path: str | None
    quotes: tuple[str, ...]
    places: tuple[Provenance, ...]
    is_cited: bool


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer with its evidence ready to draw, the cited pieces first."""

    answer: Answer
    evidence: tuple[EvidenceView, ...]


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder whose documents are in the library; `exists` is False when it was moved."""

    folder: str
    exists: bool


@dataclass(frozen=True, slots=True)
class LibraryView:
    """A library as the window shows it.

    Attributes:
        read_only: True when another process holds it for writing.
        unfinished: True when an ingest was interrupted and has work left.
    """

    folder: str
    sources: tuple[SourceFolder, ...]
    statuses: tuple[DocumentStatus, ...]
    read_only: bool
    unfinished: bool


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A question that was asked before, with its answer as it was."""

    id: int
    asked_at: float
    view: AnswerView
