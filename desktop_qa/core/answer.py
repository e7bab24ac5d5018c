"""Questions, evidence and answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.document import DocumentId, Provenance
from desktop_qa.core.segment import Segment, SegmentId

NOT_FOUND_SENTENCE = "Not found in this library."


class Route(StrEnum):
    """The ways a segment is found."""

    VECTOR = "vector"
    LEXICAL = "lexical"
    KEYWORDS = "keywords"
    STRUCTURE = "structure"


class AnswerStatus(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    NOT_FOUND = "not_found"
    CLARIFY = "clarify"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True)
class StructureRef:
    """A place that the question names: "page 5", "section 4.2", "table 7-2", "figure 12".

    Attributes:
        kind: "page", "section", "table" or "figure".
        first: Number or label as written, folded to lower case.
        last: End of a range of pages, else the same as `first`.
    """

    kind: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the retriever sees it.

    Attributes:
        keywords: Critical keywords of the question in normal form.
        absent: Codes that the question names and no document of the library has.
        document_ids: Documents that the question names by part number or title.
        scope: Documents the search is limited to; empty is the whole library.
        parts: The questions that a composite one is made of, each complete in itself; empty when
            the question is one.
        readings: What an ambiguous question may mean, one sentence each.
        values: Quantities in normal form: "500 mA", "0.5 A" and "half an amp" are one.
        expansions: Terms of the lexical index that mean what the question says in other words,
            with their weights in (0, 1).
        also_searched: The names that the expansions come from, as documents print them.
        preferred: Documents of preferred sources, which are boosted and not selected.
    """

    text: str
    type: str = "fact"
    parts: tuple[str, ...] = ()
    reformulated: str = ""
    keywords: tuple[str, ...] = ()
    structure_refs: tuple[StructureRef, ...] = ()
    scope: tuple[DocumentId, ...] = ()
    absent: tuple[str, ...] = ()
    document_ids: tuple[DocumentId, ...] = ()
    readings: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    expansions: tuple[tuple[str, float], ...] = ()
    also_searched: tuple[str, ...] = ()
    preferred: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment on one route: its 1-based rank and the route's unscaled score."""

    segment_id: SegmentId
    route: Route
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ranked segment; `marker` is its 1-based position."""

    marker: int
    segment: Segment
    score: float
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """What a marker in the answer points at; the words under `places` are the quote.

    Attributes:
        quote: The words quoted; for a table one entry for each cell.
    """

    marker: int
    segment_id: SegmentId
    document_id: DocumentId
    places: tuple[Provenance, ...]
    quote: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """How well one sentence of the answer is carried by its evidence, 0 to 1."""

    sentence: str
    markers: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in Markdown with [n] markers.

    Attributes:
        model: What wrote it; "extractive" without a language model.
        seconds: From the question to the answer.
        n_documents_searched: Documents that were ready when the question was asked.
        n_documents: Documents of the library.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    evidence: tuple[Evidence, ...]
    status: AnswerStatus
    support: tuple[SentenceSupport, ...]
    model: str
    seconds: float
    n_documents_searched: int = 0
    n_documents: int = 0
