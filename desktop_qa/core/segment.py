"""Segments: what is indexed, ranked and cited."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from desktop_qa.core.document import DocumentId, Provenance

SegmentId = NewType("SegmentId", str)
"""`f"{document_id}:{ordinal:05d}"`."""

PATH_SEPARATOR = " > "


def make_segment_id(document_id: DocumentId, ordinal: int) -> SegmentId:
    """Return the id of the ordinal-th segment of a document, 0-based."""
    return SegmentId(f"{document_id}:{ordinal:05d}")


def ordinal_of(segment_id: SegmentId) -> int:
    """Return the place of a segment in its document, 0-based."""
    return int(segment_id.rpartition(":")[2])


def document_of(segment_id: SegmentId) -> DocumentId:
    """Return the document that a segment is of."""
    return DocumentId(segment_id.rpartition(":")[0])


class SegmentKind(StrEnum):
    """What a segment shows."""

    TEXT = "text"
    TABLE = "table"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class ElementRef:
    """Which table (and which of its rows) or which figure of the document a segment holds.

    Attributes:
        index: Into `Document.tables` or `Document.figures`.
        first_row: First body row of the table in this segment, 0-based in the table's grid.
        n_rows: Number of body rows; 0 for a figure.
    """

    index: int
    first_row: int = 0
    n_rows: int = 0


@dataclass(frozen=True, slots=True)
class CascadingMetadata:
    """What a segment inherits from its place in the document (HiQA Algorithm 2).

    Attributes:
        section_path: Headings from the outermost in, each with its number.
        page_nos: 1-based pages that the segment stands on, ascending.
    """

    document_title: str
    vendor: str
    part_numbers: tuple[str, ...]
    revision: str
    section_path: tuple[str, ...]
    section_number: str
    caption: str
    page_nos: tuple[int, ...]

    def context_line(self) -> str:
        """Return "title > chapter > section > caption", the line that leads the indexed texts."""
        parts = (self.document_title, *self.section_path, self.caption)
        return PATH_SEPARATOR.join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a document with its three texts; at most 400 tokens of `text`.

    Attributes:
        text: What a person reads: heading line, caption, body; a table as its cells.
        embedded_text: What the vector sees: context line and text; of a table its semantic
            elements only (HiQA A.5). Fits the embedder's limit.
        lexical_text: What BM25 and the keywords see: context line, all text, all cells.
        n_tokens: Of `text`, by the embedder's tokenizer.
        boilerplate: Legal, ordering and packaging matter.
    """

    id: SegmentId
    document_id: DocumentId
    ordinal: int
    kind: SegmentKind
    element: ElementRef | None
    metadata: CascadingMetadata
    provenances: tuple[Provenance, ...]
    n_tokens: int
    text: str
    embedded_text: str
    lexical_text: str
    boilerplate: bool = False

    @property
    def place(self) -> tuple[DocumentId, object]:
        """Its document, and the table or figure there that it shows; of a text itself."""
        return self.document_id, self.id if self.element is None else self.element.index


@dataclass(frozen=True, slots=True)
class IndexedSegment:
    """A segment with what the lexical and keyword indexes keep of it.

    Attributes:
        terms: Term and its count in `lexical_text`, sorted by term.
        keywords: Critical keywords in normal form, sorted.
    """

    segment: Segment
    terms: tuple[tuple[str, int], ...]
    keywords: tuple[str, ...]
