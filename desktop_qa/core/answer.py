"""Questions, evidence and answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.answer_blocks import AnswerBlock, Figure, as_text
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.asked_code import AskedCode
from desktop_qa.core.document import DocumentId, Provenance
from desktop_qa.core.segment import Segment, SegmentId

NOT_FOUND_SENTENCE = "Not found in this library."
THEY_DISAGREE = "These documents disagree:"
"""Said before statements of which some contradict each other."""


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


class QuestionType(StrEnum):
    """What is asked for: the kinds of PDFTriage (section 4) and of MasQA (HiQA, section 4.2).

    FACT is PDFTriage's text question and the kind of all that shows no other; OVERVIEW asks what a
    part or a document is; ACROSS_DOCUMENTS and CROSS_PAGE need several places, in several documents
    and in one.
    """

    FACT = "fact"
    TABLE = "table"
    FIGURE = "figure"
    STRUCTURE = "structure"
    SUMMARY = "summary"
    OVERVIEW = "overview"
    EXTRACTION = "extraction"
    REWRITE = "rewrite"
    OUTSIDE = "outside"
    CROSS_PAGE = "cross_page"
    CLASSIFICATION = "classification"
    CHOICE = "choice"
    MULTIPLE_CHOICE = "multiple_choice"
    JUDGEMENT = "judgement"
    FILL_IN = "fill_in"
    DESCRIPTION = "description"
    COMPARE = "compare"
    ACROSS_DOCUMENTS = "across_documents"
    CALCULATION = "calculation"
    PROCEDURE = "procedure"


class PlaceKind(StrEnum):
    """What a question may name a part of a document as."""

    PAGE = "page"
    SECTION = "section"
    TABLE = "table"
    FIGURE = "figure"
    DOCUMENT = "document"


class Asked(StrEnum):
    """What is wanted of a place: what stands there, how many there are, or which."""

    CONTENT = "content"
    COUNT = "count"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class StructureRef:
    """A place that the question names: "page 5", "section 4.2", "table 7-2", "the block diagram".

    Attributes:
        kind: What it is; DOCUMENT for what is known of a document as a whole.
        first: Number or label as written, folded to lower case; pages from the end are negative
            ("-1" is the last one); of a document "title", "author", "revision" or "date". Empty
            when it is named by words, or when any of its kind is meant ("the figure on page 3").
        last: End of a range of pages, else the same as `first`.
        title: The words it is named by: of a heading, a caption or a kind of figure.
        asked: What is wanted of it.
        within: The place it stands in.
    """

    kind: str
    first: str
    last: str
    title: str = ""
    asked: Asked = Asked.CONTENT
    within: StructureRef | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the retriever sees it.

    Attributes:
        keywords: Critical keywords of the question in normal form.
        codes: Part numbers of the question, what each is to the library and why.
        absent: Codes that the question asks about and no document of the library is about.
        nearest: For each absent code the library's own parts spelled most like it, nearest first;
            for a person to choose from, never put in its place.
        mentioned: Codes that no document is about, with the documents in whose text they stand.
        document_ids: Documents that the question names by part number or title.
        made_by: Documents of the makers that it names, where it names no document; of reports those
            of the quarter that it asks for.
        scope: Documents the search is limited to; empty is the whole library.
        within: Segments the search is limited to in the documents that they are of.
        parts: The questions that a composite one is made of, each complete in itself and with no
            parts of its own; empty when the question is one.
        readings: What an ambiguous question may mean, each a complete question.
        options: Letters and texts to choose from; they are no part of what is searched.
        topic: The kind without what is to be done with the answer: a choice between figures is
            answered by a FIGURE, a section to be rewritten may be a PROCEDURE.
        values: Quantities, years and lengths of periods in normal form: "500 mA", "0.5 A" and "half
            an amp" are all "0.5a", "FY2019" is "year2019".
        preferred: Documents of preferred sources, which are boosted and not selected.
        outdated: Documents of which the library holds a newer revision.
        source_boost: What a segment of a preferred document gains and one of an outdated document
            loses, as the user set it; the retriever's own weight when `None`.
    """

    text: str
    type: str = QuestionType.FACT
    parts: tuple[Query, ...] = ()
    reformulated: str = ""
    keywords: tuple[str, ...] = ()
    structure_refs: tuple[StructureRef, ...] = ()
    scope: tuple[DocumentId, ...] = ()
    codes: tuple[AskedCode, ...] = ()
    absent: tuple[str, ...] = ()
    nearest: tuple[tuple[str, tuple[str, ...]], ...] = ()
    mentioned: tuple[tuple[str, tuple[DocumentId, ...]], ...] = ()
    document_ids: tuple[DocumentId, ...] = ()
    made_by: tuple[DocumentId, ...] = ()
    readings: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    preferred: tuple[DocumentId, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    topic: str = QuestionType.FACT
    outdated: tuple[DocumentId, ...] = ()
    source_boost: float | None = None
    within: tuple[SegmentId, ...] = ()

    @property
    def named_documents(self) -> tuple[DocumentId, ...]:
        """Documents that it names, else those of the makers that it names; empty for any."""
        return self.document_ids or self.made_by


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment on one route: its 1-based rank and the route's unscaled score."""

    segment_id: SegmentId
    route: Route
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ranked segment; `marker` is its 1-based position.

    Attributes:
        keywords: Critical keywords of the question that it holds, in normal form.
        parts: What its score is the sum of: names of features and what each adds, largest first.
    """

    marker: int
    segment: Segment
    score: float
    hits: tuple[Hit, ...]
    keywords: tuple[str, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()


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


class Trust(StrEnum):
    """What a reader may make of an answer."""

    STATED = "stated"
    LIKELY = "likely"
    NOT_STATED = "not_stated"


STATED_FROM = 0.85
"""Probability of being right from which an answer is stated without reserve: on libraries left out
nine of ten such answers are right (36 of 40)."""


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """How well one sentence of the answer is carried by its evidence, 0 to 1.

    Attributes:
        sentence: Its words alone.
    """

    sentence: str
    markers: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: what it says, and what that rests on.

    Attributes:
        blocks: In reading order; tables and figures are shown with the words, not counted to them.
        model: What wrote it; "extractive" without a language model.
        seconds: From the question to the answer.
        n_documents_searched: Documents that were ready when the question was asked, of those in
            its scope.
        n_documents: Documents of the library.
        readings: Complete questions to choose from when the status is CLARIFY.
        scope: What the search was limited to, as people read it; empty is the whole library.
        notes: What else the user should know of how the question was read, a sentence each.
        type: What kind of question it was read as, a `QuestionType`; empty when that is not known.
        parts: The questions that a composite one was answered as.
        sources: Why the sources of some evidence moved it: "preferred source", or that a newer
            revision is in the library.
        chosen: Letters of the options that it chooses.
        verdict: "true" or "false" of a judgement; empty when the question is none.
        read_as: The complete question that a follow-up was read as; empty when it is no follow-up.
        here: What "this page", "this table" and the like were read as; empty when nothing points.
        conversation: Which conversation it belongs to; empty for none.
        history_id: Its number in the history; 0 when it is not kept there.
        probability: How likely what it gives first is right, 0 to 1; `None` when nothing tells.
    """

    question: str
    blocks: tuple[AnswerBlock, ...]
    citations: tuple[Citation, ...]
    evidence: tuple[Evidence, ...]
    status: AnswerStatus
    support: tuple[SentenceSupport, ...]
    model: str
    seconds: float
    n_documents_searched: int = 0
    n_documents: int = 0
    readings: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[tuple[DocumentId, str], ...] = ()
    type: str = ""
    parts: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    verdict: str = ""
    read_as: str = ""
    here: str = ""
    conversation: str = ""
    history_id: int = 0
    probability: float | None = None

    @property
    def trust(self) -> Trust:
        """What a reader may make of it."""
        if self.status is not AnswerStatus.ANSWERED:
            return Trust.NOT_STATED
        return Trust.STATED if (self.probability or 0.0) >= STATED_FROM else Trust.LIKELY

    @property
    def text(self) -> str:
        """What it says as Markdown with [n] markers, printed from its blocks."""
        return as_text(self.blocks)

    @property
    def tables(self) -> tuple[AnswerTable, ...]:
        """Its tables."""
        return tuple(block for block in self.blocks if isinstance(block, AnswerTable))

    @property
    def figures(self) -> tuple[int, ...]:
        """Markers of the evidence whose figures are shown with the words."""
        return tuple(block.marker for block in self.blocks if isinstance(block, Figure))
