"""What answers may ask about segments, served from the store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from desktop_qa.answer.columns import as_read
from desktop_qa.core.answer import Evidence, Query
from desktop_qa.core.document import DocumentId, Figure, Provenance, Table
from desktop_qa.core.errors import NotStoredError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.subscripts import lowered_words
from desktop_qa.core.word_places import PlacedWord, words_within
from desktop_qa.index.store import Store
from desktop_qa.retrieve.reports import Quarter, reported_quarter

_MAX_SECTION_SEGMENTS = 12


class StoredEvidence:
    """What answers are made of; make one for each question, it caches what it read.

    Attributes:
        document: Returns a parsed document.
        segments_of: Returns the segments of a document by ordinal.
        quarter_of: Returns the quarter that a report is of; `None` for other documents.
        status: Returns what is known of a document; `None` when it is not in the library.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.document = lru_cache(maxsize=16)(store.document)
        self.segments_of = lru_cache(maxsize=16)(store.segments_of)
        self.quarter_of = lru_cache(maxsize=16)(self._quarter_of)
        self.status = store.status
        self._page_words = lru_cache(maxsize=64)(store.page_words)

    def _quarter_of(self, document_id: DocumentId) -> Quarter | None:
        return reported_quarter(self.segments_of(document_id))

    def file_name(self, document_id: DocumentId) -> str:
        """Return the name of a document's first file, without folders; empty when it has none."""
        status = self.status(document_id)
        return status.file.rsplit("/", 1)[-1] if status is not None else ""

    def searchable(self) -> tuple[DocumentStatus, ...]:
        """Return the documents that can be asked about, in the order of the library."""
        return tuple(status for status in self._store.statuses() if status.is_indexed)

    def table(self, segment: Segment) -> Table | None:
        """Return the table that a TABLE segment shows a part of.

        Raises:
            NotStoredError: When the document left, or was read anew and has no such table.
        """
        if segment.kind is not SegmentKind.TABLE or segment.element is None:
            return None
        element, tables = segment.element, self.document(segment.document_id).tables
        table = tables[element.index] if element.index < len(tables) else None
        if table is None or element.first_row + element.n_rows > table.n_rows:
            raise NotStoredError(segment.id)
        return as_read(table)

    def figure(self, segment: Segment) -> Figure | None:
        """Return the figure of a FIGURE segment.

        Raises:
            NotStoredError: As `table` does.
        """
        if segment.kind is not SegmentKind.FIGURE or segment.element is None:
            return None
        figures = self.document(segment.document_id).figures
        if segment.element.index < len(figures):
            return figures[segment.element.index]
        raise NotStoredError(segment.id)

    def words(self, segment: Segment) -> Sequence[PlacedWord]:
        """Return the page's words inside the segment's places, in reading order."""
        page_nos = dict.fromkeys(place.page_no for place in segment.provenances)
        pages = (self._page_words(segment.document_id, page_no) for page_no in page_nos)
        return words_within(pages, segment.provenances)

    def symbols(self, segment: Segment) -> tuple[tuple[str, str], ...]:
        """Return the words of a segment's pages that have a subscript, with what stands before it.

        Pages that are not known any more have none.
        """
        found: dict[str, str] = {}
        for page_no in dict.fromkeys(place.page_no for place in segment.provenances):
            found |= lowered_words(self._page_words(segment.document_id, page_no).words)
        return tuple(sorted(found.items()))

    def section(self, segment: Segment) -> Sequence[Segment]:
        """Return all TEXT segments of the segment's section in order, itself included."""
        path, others = segment.metadata.section_path, self.segments_of(segment.document_id)
        texts = (one for one in others if one.kind is SegmentKind.TEXT)
        own = [one for one in texts if one.metadata.section_path == path]
        return own[:_MAX_SECTION_SEGMENTS] or [segment]


def still_stored(store: Store, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the evidence that stands in the library as it was found, in its order."""
    stored = {segment.id: segment for segment in store.segments([e.segment.id for e in evidence])}
    return tuple(e for e in evidence if stored.get(e.segment.id) == e.segment)


def without_vanished(store: Store, query: Query) -> Query:
    """Leave out of a query the documents that it names and that have left the library."""
    named = tuple(d for d in query.document_ids if store.status(d) is not None)
    return replace(query, document_ids=named)


class EarlierEvidence(StoredEvidence):
    """Serves answers of the past, whose documents may have been read again since.

    A table or figure is the one of then when it stands where the segment stood; otherwise there is
    none, and the segment's own text, which the history keeps, is what is left.
    """

    def table(self, segment: Segment) -> Table | None:
        """Return the table of a TABLE segment if it still stands there."""
        with suppress(NotStoredError):
            table = super().table(segment)
            if table and shared_area(table.provenances, segment.provenances) > 0:
                return table
        return None

    def figure(self, segment: Segment) -> Figure | None:
        """Return the figure of a FIGURE segment if it still stands there."""
        with suppress(NotStoredError):
            figure = super().figure(segment)
            if figure and shared_area(figure.provenances, segment.provenances) > 0:
                return figure
        return None


def shared_area(places: Sequence[Provenance], others: Sequence[Provenance]) -> float:
    """Return the area that two sets of places share, in square points."""
    return sum(
        place.bbox.intersection_area(other.bbox)
        for place in places
        for other in others
        if place.page_no == other.page_no
    )
