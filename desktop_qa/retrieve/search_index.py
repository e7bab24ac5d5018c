"""All indexes of a library over one row order, loaded from the store and kept in step with it."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import IndexedSegment, SegmentId
from desktop_qa.index.index_parts import IndexParts
from desktop_qa.index.index_state import IndexState
from desktop_qa.index.keywords import KeywordIndex
from desktop_qa.index.lexical import LexicalIndex
from desktop_qa.index.records import IndexRow
from desktop_qa.index.store import Store
from desktop_qa.index.terms import terms_of
from desktop_qa.index.vectors import VectorIndex, exact_similarities
from desktop_qa.retrieve.fusion import FloatArray

logger = logging.getLogger(__name__)

MAX_EXACT_SEGMENTS = 200_000
"""Up to here the exact search is as fast as Chroma's approximate one: over 100 000 segments it took
16 ms where Chroma took 31 ms for the 1000 nearest, of which it found 0.94."""

_N_NEAREST = 1000

BoolArray = npt.NDArray[np.bool_]


class SearchIndex:
    """The vector, lexical and keyword indexes; usable from several threads.

    A question scores the state of the moment it begins in, so it waits for no change and no change
    waits for it. Chroma writes to the disk and has a lock of its own; a question that finds it
    taken searches exactly.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._chroma_lock = threading.Lock()
        self._is_loaded = False
        self._is_chroma_whole = False
        self._parts = IndexParts(store)
        self._snapshot = Snapshot(self, self._parts.state)
        self._chroma = VectorIndex(store.folder)

    def load(self) -> None:
        """Open the indexes, building what is missing from the store; does nothing when they are.

        Raises:
            LibraryError: When the library cannot be read.
        """
        with self._lock:
            if not self._is_loaded:
                self._parts.load()
                self._is_loaded = True

    def snapshot(self) -> Snapshot:
        """Return what a question is scored by: the present state, which no change alters."""
        now = self._snapshot
        if now.state is not self._parts.state:
            now = self._snapshot = Snapshot(self, self._parts.state)
        return now

    def check_chroma(self, on_progress: Callable[[int, int], None] = lambda *_: None) -> None:
        """Bring Chroma in step with the store, after a kill between the two; it is rebuilt freely.

        Questions search exactly until it is done.

        Args:
            on_progress: Told how many of how many missing vectors are added; may raise to stop,
                the rest then waits for the next time.

        Raises:
            DiskFullError: When there is no space left.
        """
        self.load()
        self._parts.catch_up()
        now = self.snapshot()
        rows = np.flatnonzero(now.state.has_vectors())
        is_whole = len(rows) == now.state.n_rows
        wanted = list(now.state.segment_ids() if is_whole else map(now.state.segment_id, rows))
        with self._chroma_lock:
            self._is_chroma_whole = False
            n_repaired = self._chroma.repair(
                wanted, lambda places: now.state.vectors(rows[places]), on_progress
            )
            self._is_chroma_whole = True
        if n_repaired:
            logger.info("Chroma was out of step by %d vectors", n_repaired)

    def close(self) -> None:
        """Close what the vector store holds open."""
        with self._chroma_lock:
            self._chroma.close()

    @property
    def n_segments(self) -> int:
        """Segments that questions search."""
        return self._parts.state.n_rows

    @property
    def n_documents(self) -> int:
        """Documents that questions search; one that waits to be read again is among them."""
        return len(self._parts.state.document_ids)

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Every critical keyword of the library, in normal form, with its number of documents.

        The object stays the same until the library changes; looking a keyword up is cheap, going
        through all of them is not.
        """
        return self.snapshot().keywords

    def holders(self, keyword: str) -> Mapping[DocumentId, int]:
        """Return the documents that hold a keyword, with the number of their segments that do."""
        return self.snapshot().keywords.holders(keyword)

    def text_holders(self, word: str) -> Mapping[DocumentId, int]:
        """Return the documents that hold a word in any case, with the number of their segments.

        No document holds a function word, or several words.
        """
        terms = terms_of(word)
        if len(terms) != 1:
            return {}
        now = self.snapshot()
        rows = np.flatnonzero(now.lexical.holding(terms[0]))
        numbers, counts = np.unique(now.state.document_numbers[rows], return_counts=True)
        ids = now.state.document_ids
        return {ids[n]: count for n, count in zip(numbers.tolist(), counts.tolist(), strict=True)}

    def replace(
        self,
        document_id: DocumentId,
        segments: Sequence[IndexedSegment],
        embeddings: npt.NDArray[np.float32],
    ) -> None:
        """Make a document searchable as it was just saved, in place of what it was before.

        Old rows leave and new ones come in one step: a question finds the one or the other.
        """
        self._replace(document_id, [IndexRow.of(indexed) for indexed in segments], embeddings)

    def reload(self, document_id: DocumentId) -> None:
        """Take a document as the store has it now."""
        rows, vectors = next(self._store.iter_index_parts((document_id,)), ([], np.zeros((0, 0))))
        self._replace(document_id, rows, np.asarray(vectors, np.float32))

    def _replace(
        self, document_id: DocumentId, rows: Sequence[IndexRow], vectors: npt.NDArray[np.float32]
    ) -> None:
        with self._lock:
            doomed = self._segments_of((document_id,))
            self._parts.replace(document_id, rows, vectors)
        self._remove_from_chroma(doomed)
        if rows:
            with self._chroma_lock:
                self._chroma.add([row.segment_id for row in rows], vectors)

    def remove(self, document_ids: Sequence[DocumentId]) -> None:
        """Take documents out of all indexes in one step; those that are in none do not matter."""
        with self._lock:
            doomed = self._segments_of(document_ids)
            self._parts.remove(document_ids)
        self._remove_from_chroma(doomed)

    def remove_vectors(self, document_id: DocumentId) -> None:
        """Take a document's vectors off the disk; until `replace` it is found by what is loaded."""
        self._remove_from_chroma(self._segments_of((document_id,)))

    def _segments_of(self, document_ids: Iterable[DocumentId]) -> list[SegmentId]:
        state = self.snapshot().state
        return [
            state.segment_id(row) for one in document_ids for row in state.rows_of(one).tolist()
        ]

    def _remove_from_chroma(self, doomed: Sequence[SegmentId]) -> None:
        if doomed:
            with self._chroma_lock:
                self._chroma.remove(doomed)

    def nearest(self, question: npt.NDArray[np.float32]) -> list[tuple[SegmentId, float]] | None:
        """Return the nearest segments by Chroma with their cosine similarity, best first.

        `None` when Chroma belongs to another process, is not in step, or is being written to.
        """
        if self._store.read_only or not self._is_chroma_whole:
            return None
        if not self._chroma_lock.acquire(blocking=False):
            return None
        try:
            return self._chroma.nearest(question, _N_NEAREST)
        finally:
            self._chroma_lock.release()

    def idf(self, term: str) -> float:
        """Return a term's inverse document frequency; a term in no segment has the highest."""
        lexical = self.snapshot().lexical
        if lexical.document_frequency(term):
            return lexical.idf(term)
        return math.log(len(lexical) + 0.5) - math.log(0.5)


class Snapshot:
    """One state of the library with all that questions ask of it, row by row.

    Attributes:
        state: The segment, document and kind of each row.
        lexical: BM25 scores of the rows.
        keywords: Matches of critical keywords.
    """

    def __init__(self, index: SearchIndex, state: IndexState) -> None:
        self._index = index
        self.state = state
        self.lexical = LexicalIndex(state)
        self.keywords = KeywordIndex(state)

    def vector_scores(self, question: npt.NDArray[np.float32]) -> FloatArray:
        """Cosine similarities, shape (n,); of a large library only those of the nearest differ."""
        if self.state.n_rows > MAX_EXACT_SEGMENTS:
            nearest = self._index.nearest(question)
            if nearest is not None:
                return self._scores_of_nearest(nearest)
        return exact_similarities(self.state, question)

    def _scores_of_nearest(self, nearest: Sequence[tuple[SegmentId, float]]) -> FloatArray:
        # The rest gets the lowest similarity found: 0 would stretch the scale of the fusion.
        lowest = min((similarity for _id, similarity in nearest), default=0.0)
        scores = np.full(self.state.n_rows, lowest, np.float32)
        for segment_id, similarity in nearest:
            row = self.state.row_of(segment_id)
            if row is not None:
                scores[row] = similarity
        return scores

    def keyword_counts(
        self, keywords: Sequence[str], document_ids: Sequence[DocumentId]
    ) -> FloatArray:
        """Critical keywords that each segment matches, shape (n,): |C| of HiQA, Eq. 2.

        A segment inherits the part number of its document with the rest of its metadata, so the
        documents that the question names count as one keyword for all their segments.
        """
        counts = self.keywords.matches(keywords)
        if document_ids:
            np.maximum(counts, 1.0, out=counts, where=self.state.mask_of(document_ids))
        return counts

    def document_values(self, values: Mapping[DocumentId, float]) -> FloatArray:
        """Give each row the value of its document, 0.0 where there is none, shape (n,)."""
        own = np.array([values.get(document_id, 0.0) for document_id in self.state.document_ids])
        return own[self.state.document_numbers]
