"""What a model may look up in a library for one question.

All of it reads; what the scope of the question leaves out is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer, Evidence, PlaceKind, Query, StructureRef
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, document_of
from desktop_qa.core.structure import structure_view
from desktop_qa.core.view import StructureView
from desktop_qa.index.store import Store
from desktop_qa.retrieve.places import MIN_PLACE, place_scores

_MAX_CANDIDATES = 8
_N_FOUND = 8


class StoredShelf(StoredEvidence):
    """Serves one question from the store; reads the question when something is looked up first."""

    def __init__(
        self,
        store: Store,
        read: Callable[[Question], Query],
        retrieve: Callable[[Query, int], Sequence[Evidence]],
        answer: Answer,
        scope: Sequence[str] | None,
    ) -> None:
        """Take the library's parts.

        Args:
            store: Of the library.
            read: A question with its scope, as the retriever sees it.
            retrieve: So many pieces of evidence for it.
            answer: The offline one.
            scope: Patterns that the question was limited to. `None` when they are not known any
                more: where the answer says that it was, only the documents that it found count.
        """
        super().__init__(store)
        self._folder = store.folder
        self._read = read
        self._retrieve = retrieve
        self._answer = answer
        self._found = tuple(dict.fromkeys(e.segment.document_id for e in answer.evidence))
        if scope is None:
            scope = self._found if answer.scope else ()
        self._scope = tuple(scope)

    @cached_property
    def candidates(self) -> Sequence[DocumentId]:
        """Documents of the evidence, best first."""
        found = dict.fromkeys(
            item.segment.document_id
            for item in self._answer.evidence
            if self._may_be_read(item.segment)
        )
        return tuple(found)[:_MAX_CANDIDATES]

    def structure(self, document_id: DocumentId) -> StructureView:
        """Return the headings, tables and figures of a document."""
        return structure_view(self.document(document_id), self._folder)

    def at(self, document_id: DocumentId, places: Sequence[StructureRef]) -> Sequence[Segment]:
        """Return what stands at some places of a document, best first."""
        segments = self.segments_of(document_id)
        fits = place_scores(segments, places, len(self.document(document_id).page_sizes))
        found = [
            (-fit, segment.ordinal, segment)
            for fit, segment in zip(fits, segments, strict=True)
            if fit >= MIN_PLACE and self._may_be_read(segment)
        ]
        return [segment for _fit, _ordinal, segment in sorted(found, key=lambda one: one[:2])]

    def retrieve(self, words: str, document_id: DocumentId | None) -> Sequence[Segment]:
        """Return what is found in all documents, or in one, best first."""
        scope = self._scope if document_id is None else (document_id,)
        try:
            query = self._read(Question(words, scope=scope))
        except QuestionError:  # words that ask for nothing
            return ()
        found = (item.segment for item in self._retrieve(query, _N_FOUND))
        return [segment for segment in found if self._may_be_read(segment)]

    def stretch(self) -> Sequence[Segment]:
        """Return the section, the pages or the document that a summary is asked of."""
        named = [one for one in self._query.document_ids if self._is_in_scope(one)]
        document_id = next(iter((*named, *self.candidates)), None)
        if document_id is None:
            return ()
        refs = [one for one in self._query.structure_refs if one.kind != PlaceKind.DOCUMENT]
        placed = self.at(document_id, refs) if refs else ()
        whole = (
            segment
            for segment in self.segments_of(document_id)
            if self._may_be_read(segment) and not segment.boilerplate
        )
        return sorted(placed, key=lambda one: one.ordinal) or list(whole)

    @cached_property
    def _query(self) -> Query:
        question = self._answer.read_as or self._answer.question
        try:
            return self._read(Question(question, scope=self._scope))
        except QuestionError:  # it cannot be read by itself: what it found is all there is
            return Query(question, scope=self._found)

    def _is_in_scope(self, document_id: DocumentId) -> bool:
        return not self._query.scope or document_id in self._query.scope

    def _may_be_read(self, segment: Segment) -> bool:
        """Tell whether a segment is of a document in scope, and at a place in it that is."""
        if not self._is_in_scope(segment.document_id):
            return False
        within = self._query.within
        is_limited = any(document_of(one) == segment.document_id for one in within)
        return not is_limited or segment.id in within
