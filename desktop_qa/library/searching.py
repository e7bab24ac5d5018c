"""The part of the library that lists places without answering: searches, marks of their words."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.document import DocumentId, Provenance
from desktop_qa.core.errors import NotReadError, NotStoredError, QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.search_view import HEADING_SEPARATOR, SearchHit, SearchPage, SearchRequest
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.index.index_state import IndexState
from desktop_qa.index.store import Store
from desktop_qa.library.queries import none_matches, nothing_indexed
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.scope import select, why_unmatched
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.retrieve.search_language import Field, Filter, SearchQuery, parse_search
from desktop_qa.retrieve.search_words import Marker, word_terms
from desktop_qa.retrieve.segment_search import Corpus, Found, SegmentSearch, documents_of
from desktop_qa.retrieve.snippets import one_line, snippet_of
from desktop_qa.retrieve.spelling import respelled

_COUNTING_S = 0.25
"""So long places are counted beyond those that are shown."""

_MAX_DOCUMENTS = 500


@dataclass(frozen=True, slots=True)
class _Last:
    """The search that was made last, for the pages of it that follow."""

    key: tuple[object, ...]
    vocabulary: object
    found: Found
    state: IndexState


class Searcher:
    """Searches one library; usable from several threads."""

    def __init__(self, store: Store, index: SearchIndex, outlines: Outlines) -> None:
        self._store = store
        self._index = index
        self._outlines = outlines
        self._lock = threading.Lock()
        self._last: _Last | None = None

    def search(self, request: SearchRequest) -> SearchPage:
        """List places of an index that is loaded; see `Library.search`."""
        started = time.perf_counter()
        query = parse_search(request.text)
        statuses = self._store.statuses()
        if self._index.n_segments == 0:
            raise nothing_indexed(statuses)
        with self._lock:
            last = self._made(request, query, statuses)
            found = last.found
            found.reach(request.offset + request.limit, _COUNTING_S)
            hits = self._hits(request, query, last, statuses)
            return SearchPage(
                request,
                hits,
                len(found.rows),
                found.is_exact,
                found.document_ids[:_MAX_DOCUMENTS],
                found.notes,
                time.perf_counter() - started,
                _respelled(request.text, found),
            )

    def _made(
        self, request: SearchRequest, query: SearchQuery, statuses: tuple[DocumentStatus, ...]
    ) -> _Last:
        """Return the places of a search, those of the last one when it is the same."""
        vocabulary = self._index.vocabulary  # another object once the library has changed
        key = (query, request.scope, request.sort, self._store.documents_revision)
        last = self._last
        if last is not None and last.key == key and last.vocabulary is vocabulary:
            return last
        _check_words(query)
        _check_fields(query, statuses)
        scope = _scope(request.scope, statuses)
        snapshot = self._index.snapshot()
        corpus = Corpus(snapshot, statuses, self._outlines.of, self._store.lexical_texts)
        found = SegmentSearch(corpus, query, scope).find(request.sort)
        made = self._last = _Last(key, vocabulary, found, snapshot.state)
        return made

    def _hits(
        self,
        request: SearchRequest,
        query: SearchQuery,
        last: _Last,
        statuses: tuple[DocumentStatus, ...],
    ) -> tuple[SearchHit, ...]:
        rows = last.found.rows[request.offset : request.offset + request.limit]
        ids = [last.state.segment_id(row) for row in rows]
        segments = {segment.id: segment for segment in self._store.segments(ids)}
        status_of = {status.document_id: status for status in statuses}
        marker = Marker(query)
        hits = []
        for rank, (row, segment_id) in enumerate(zip(rows, ids, strict=True), request.offset + 1):
            segment = segments.get(segment_id)
            status = status_of.get(segment.document_id) if segment is not None else None
            if segment is not None and status is not None:
                hits.append(_hit(rank, segment, status, marker, last.found.score(row)))
        return tuple(hits)

    def marks(self, segment_id: SegmentId, text: str) -> tuple[Provenance, ...]:
        """Return where the words of a search stand in a segment; see `Library.search_marks`."""
        try:
            segment = self._store.segment(segment_id)
        except NotStoredError as error:
            raise NotReadError(
                "This place is not in the library any more.",
                "Its document was read again or taken out; search once more.",
            ) from error
        try:
            marker = Marker(parse_search(text))
        except QuestionError:
            return segment.provenances
        words = StoredEvidence(self._store).words(segment)
        return marker.places(words) or segment.provenances


def _hit(
    rank: int, segment: Segment, status: DocumentStatus, marker: Marker, score: float
) -> SearchHit:
    metadata = segment.metadata
    line = one_line(_body(segment))
    snippet, spans = snippet_of(line, marker.spans(line))
    heading = HEADING_SEPARATOR.join(metadata.section_path)
    return SearchHit(
        rank=rank,
        segment_id=segment.id,
        document_id=segment.document_id,
        kind=segment.kind,
        section_path=metadata.section_path,
        page_no=metadata.page_nos[0] if metadata.page_nos else 0,
        file=status.file,
        path=status.path,
        title=status.title,
        caption=metadata.caption,
        snippet=snippet,
        spans=spans,
        path_spans=marker.spans(heading),
        score=score,
    )


def _respelled(text: str, found: Found) -> str:
    """Return the search as it may be meant; empty when nothing better is known for any word."""
    meant = {word: better for word, better in found.respelled.items() if better}
    return respelled(text, meant) if meant else ""


def _body(segment: Segment) -> str:
    """Return the text of a segment without the line of its own heading, which stands above it."""
    first, separator, rest = segment.text.partition("\n")
    path = segment.metadata.section_path
    return rest if separator and path and first.strip() == path[-1].strip() else segment.text


def _scope(
    patterns: tuple[str, ...], statuses: tuple[DocumentStatus, ...]
) -> tuple[DocumentId, ...]:
    selection = select(patterns, statuses)
    if patterns and not selection.document_ids:
        raise none_matches(selection.unmatched, statuses)
    return selection.document_ids


def _check_words(query: SearchQuery) -> None:
    """Refuse a search for nothing but words that stand everywhere.

    Raises:
        QuestionError: When it is one.
    """
    wanted = [clause for clause in query.clauses if not clause.is_excluded]
    words = list(query.words())
    is_words_only = len(words) == sum(len(clause.alternatives) for clause in wanted)
    if is_words_only and all(not one.is_phrase and not word_terms(one.text).all for one in words):
        named = " ".join(one.text for one in words)
        raise QuestionError(
            f"“{named}” stands nearly everywhere, so it finds nothing by itself.",
            "Add a word that says more, or put it into quotes with the words around it.",
        )


def _check_fields(query: SearchQuery, statuses: tuple[DocumentStatus, ...]) -> None:
    """Say what a field means nothing in this library, and what is nearest to it.

    Raises:
        QuestionError: When none of the documents fits.
    """
    for field in (Field.VENDOR, Field.PART, Field.FILE, Field.FOLDER, Field.REVISION):
        values = query.filters(field)
        if values and not any(documents_of(Filter(field, v), statuses) for v in values):
            named = f"{field.value}:{values[0]}"
            raise QuestionError(
                f"No document of this library fits {named}.", _nearest(field, values[0], statuses)
            )


def _nearest(field: Field, value: str, statuses: tuple[DocumentStatus, ...]) -> str:
    if field is Field.REVISION:
        known = dict.fromkeys(s.revision for s in statuses if s.revision)
        return f"Revisions are {', '.join(list(known)[:5])}." if known else "No revision is known."
    prefix = {Field.VENDOR: "vendor:", Field.FOLDER: "/"}.get(field, "")
    return why_unmatched(f"{prefix}{value}", statuses)
