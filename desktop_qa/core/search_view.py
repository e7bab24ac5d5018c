"""What a search asks for and what it finds: places that hold words, without an answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, SegmentKind

PAGE_LENGTH = 25
"""Places that are fetched at once."""

Spans = tuple[tuple[int, int], ...]


class SearchSort(StrEnum):
    """In which order places are listed."""

    RELEVANCE = "relevance"
    DOCUMENT = "document"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search as it is asked for.

    Attributes:
        text: In the language of `retrieve.search_language`.
        scope: Patterns of `retrieve.scope`; empty is the whole library.
        offset: How many places to leave out.
        limit: How many places at most.
    """

    text: str
    scope: tuple[str, ...] = ()
    sort: SearchSort = SearchSort.RELEVANCE
    offset: int = 0
    limit: int = PAGE_LENGTH


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A place that was found.

    Attributes:
        rank: 1-based, in the order asked for.
        section_path: Headings from the outermost in.
        page_no: 1-based page on which it begins; 0 when unknown.
        file: Path relative to the source folder.
        path: Absolute path of the PDF; empty when it is not there.
        title: Of the document.
        caption: Of a table or figure.
        snippet: Some words around what matches, in one line.
        spans: Characters of the snippet that match.
        path_spans: Characters of the headings, joined by " › ", that match.
        score: Of BM25, unscaled; 0.0 when no words were searched for.
    """

    rank: int
    segment_id: SegmentId
    document_id: DocumentId
    kind: SegmentKind
    section_path: tuple[str, ...]
    page_no: int
    file: str
    path: str
    title: str
    caption: str
    snippet: str
    spans: Spans
    path_spans: Spans
    score: float

    @property
    def heading(self) -> str:
        """The headings in one line."""
        return HEADING_SEPARATOR.join(self.section_path)


HEADING_SEPARATOR = " › "


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Some of the places that a search found.

    Attributes:
        n_found: All places found; at least so many when `is_exact` is False.
        document_ids: Documents that hold a place, the one with the best place first.
        notes: What else to know, a sentence each.
        seconds: It took.
        respelled: The search with words of the library for those that stand nowhere; mostly empty.
    """

    request: SearchRequest
    hits: tuple[SearchHit, ...]
    n_found: int
    is_exact: bool
    document_ids: tuple[DocumentId, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    respelled: str = ""
