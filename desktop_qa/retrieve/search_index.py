"""All indexes of a library over one row order, loaded from the store and kept in step with it."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import IndexedSegment, SegmentId
from desktop_qa.index.embedder import EMBEDDING_DIMENSIONS
from desktop_qa.index.keywords import KeywordIndex
from desktop_qa.index.lexical import LexicalIndex
from desktop_qa.index.records import FIGURE_NUMBER, TABLE_NUMBER, IndexRow
from desktop_qa.index.rows import SegmentTable
from desktop_qa.index.store import Store
from desktop_qa.index.vectors import VectorIndex, VectorMatrix
from desktop_qa.retrieve.fusion import FloatArray

logger = logging.getLogger(__name__)

MAX_EXACT_SEGMENTS = 50_000
"""Up to here the exact search (1 to 2 ms at 20 000) is as fast as Chroma's approximate one."""

_N_NEAREST = 1000


class SearchIndex:
    """The vector, lexical and keyword indexes; usable from several threads.

    Scoring takes milliseconds and a change some tens of them, so one lock serves both. Chroma
    writes to the disk and has a lock of its own, so that a question does not wait for it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._chroma_lock = threading.Lock()
        self._is_loaded = False
        self._table = SegmentTable()
        self._lexical = LexicalIndex()
        self._keywords = KeywordIndex(self._table)
        self._matrix = VectorMatrix(EMBEDDING_DIMENSIONS)
        self._chroma = VectorIndex(store.folder)

    def load(self) -> None:
        """Build the indexes from the store; does nothing when they are.

        Raises:
            LibraryError: When the library cannot be read.
        """
        with self._lock:
            if self._is_loaded:
                return
            for rows, vectors in self._store.iter_index_parts():
                self._append(rows, vectors)
            self._is_loaded = True

    def _append(self, rows: Sequence[IndexRow], vectors: npt.NDArray[np.float32]) -> None:
        if rows:
            self._table.append(rows)
            self._lexical.append(rows)
            self._keywords.append(rows)
            self._matrix.append(vectors)

    def check_chroma(self) -> None:
        """Bring Chroma in step with the store, after a kill between the two; it is rebuilt freely.

        Raises:
            DiskFullError: When there is no space left.
        """
        self.load()
        segment_ids, vectors = self._store.embeddings()
        with self._chroma_lock:
            if not self._chroma.check(segment_ids):
                n_repaired = self._chroma.repair(segment_ids, vectors)
                logger.info("Chroma was out of step by %d vectors", n_repaired)

    def close(self) -> None:
        """Close what the vector store holds open."""
        with self._chroma_lock:
            self._chroma.close()

    @property
    def n_segments(self) -> int:
        """Segments that questions search."""
        return len(self._table)

    @property
    def n_documents(self) -> int:
        """Documents that questions search; one that waits to be read again is among them."""
        with self._lock:
            return int(np.unique(self._table.document_numbers).size)

    @property
    def is_read_only(self) -> bool:
        """True when another process writes; Chroma's files belong to that one alone."""
        return self._store.read_only

    @property
    def vocabulary(self) -> Container[str]:
        """Every critical keyword of the library, in normal form."""
        with self._lock:
            return self._keywords.vocabulary()

    def replace(
        self,
        document_id: DocumentId,
        segments: Sequence[IndexedSegment],
        embeddings: npt.NDArray[np.float32],
    ) -> None:
        """Make a document searchable in place of what was indexed of it before.

        Old rows leave and new ones come in one step: a question finds the one or the other.
        """
        rows = [IndexRow.of(indexed) for indexed in segments]
        with self._lock:
            doomed = self._drop_rows(document_id)
            self._append(rows, embeddings)
        with self._chroma_lock:
            if doomed:
                self._chroma.remove(doomed)
            if rows:
                self._chroma.add([row.segment_id for row in rows], embeddings)

    def remove(self, document_id: DocumentId) -> None:
        """Take a document out of all indexes; does nothing when it is in none."""
        with self._lock:
            doomed = self._drop_rows(document_id)
        if doomed:
            with self._chroma_lock:
                self._chroma.remove(doomed)

    def remove_vectors(self, document_id: DocumentId) -> None:
        """Take a document's vectors off the disk; until `replace` it is found by what is loaded."""
        with self._lock:
            rows = np.flatnonzero(self._table.mask_of((document_id,)))
            doomed = [self._table.segment_ids[row] for row in rows]
        if doomed:
            with self._chroma_lock:
                self._chroma.remove(doomed)

    def _drop_rows(self, document_id: DocumentId) -> list[SegmentId]:
        """Take a document out of memory, under the lock; returns the segments it had."""
        mask = ~self._table.mask_of((document_id,))
        if mask.all():
            return []
        doomed = [self._table.segment_ids[row] for row in np.flatnonzero(~mask)]
        self._table.keep(mask)
        self._lexical.keep(mask)
        self._keywords.keep(mask)
        self._matrix.keep(mask)
        return doomed

    def nearest(self, question: npt.NDArray[np.float32]) -> list[tuple[SegmentId, float]]:
        """Return the nearest segments by Chroma with their cosine similarity, best first."""
        with self._chroma_lock:
            return self._chroma.nearest(question, _N_NEAREST)

    def idf(self, term: str) -> float:
        """Return a term's inverse document frequency; a term in no segment has the highest."""
        with self._lock:
            if self._lexical.document_frequency(term):
                return self._lexical.idf(term)
            return math.log(len(self._lexical) + 0.5) - math.log(0.5)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Hold the row order while a question is scored."""
        with self._lock:
            yield Snapshot(self, self._table, self._lexical, self._keywords, self._matrix)


class Snapshot:
    """Scores of one question over all rows; valid inside `SearchIndex.snapshot`."""

    def __init__(
        self,
        index: SearchIndex,
        table: SegmentTable,
        lexical: LexicalIndex,
        keywords: KeywordIndex,
        matrix: VectorMatrix,
    ) -> None:
        self._index = index
        self._table = table
        self._lexical = lexical
        self._keywords = keywords
        self._matrix = matrix

    @property
    def n_segments(self) -> int:
        """Number of rows."""
        return len(self._table)

    @property
    def segment_ids(self) -> Sequence[SegmentId]:
        """Segment of each row."""
        return self._table.segment_ids

    @property
    def document_rows(self) -> npt.NDArray[np.int32]:
        """Number of the document of each row, below `n_documents`; numbers may have gaps."""
        return self._table.document_numbers

    @property
    def n_documents(self) -> int:
        """One more than the highest document number."""
        numbers = self._table.document_numbers
        return int(numbers.max()) + 1 if numbers.size else 0

    @property
    def boilerplate(self) -> FloatArray:
        """1.0 for legal, ordering and packaging matter, shape (n,)."""
        return self._table.boilerplate.astype(np.float64)

    @property
    def kinds(self) -> npt.NDArray[np.int8]:
        """Kind of each row: 0 text, 1 table, 2 figure, shape (n,)."""
        return self._table.kinds

    @property
    def is_table(self) -> npt.NDArray[np.bool_]:
        """True for the rows that hold a table, shape (n,)."""
        return np.equal(self._table.kinds, TABLE_NUMBER)

    @property
    def is_figure(self) -> npt.NDArray[np.bool_]:
        """True for the rows that hold a figure, shape (n,)."""
        return np.equal(self._table.kinds, FIGURE_NUMBER)

    @property
    def ordinals(self) -> npt.NDArray[np.int32]:
        """Place of each row's segment in its document, 0-based, shape (n,)."""
        return self._table.ordinals

    def vector_scores(self, question: npt.NDArray[np.float32]) -> FloatArray:
        """Cosine similarities, shape (n,); of a large library only those of the nearest differ."""
        if self.n_segments <= MAX_EXACT_SEGMENTS or self._index.is_read_only:
            return self._matrix.scores(question)
        found = self._index.nearest(question)
        # The rest gets the lowest similarity found: 0 would stretch the scale of the fusion.
        scores = np.full(self.n_segments, min((s for _id, s in found), default=0.0))
        for segment_id, similarity in found:
            row = self._table.row_of(segment_id)
            if row is not None:
                scores[row] = similarity
        return scores

    def lexical_scores(self, weights: Mapping[str, float]) -> FloatArray:
        """BM25 scores, shape (n,)."""
        return self._lexical.scores(weights)

    def local_scores(self, weights: Mapping[str, float]) -> FloatArray:
        """BM25 scores by document frequencies within each document, shape (n,)."""
        return self._lexical.local_scores(weights, self._table.document_numbers)

    def mark_counts(self, marks: Sequence[str]) -> FloatArray:
        """How many of some marks or values each segment has, shape (n,)."""
        return self._keywords.matches(marks)

    def keyword_counts(
        self, keywords: Sequence[str], document_ids: Sequence[DocumentId]
    ) -> FloatArray:
        """Critical keywords that each segment matches, shape (n,): |C| of HiQA, Eq. 2.

        A segment inherits the part number of its document with the rest of its metadata, so the
        documents that the question names count as one keyword for all their segments.
        """
        counts = self._keywords.matches(keywords)
        if not document_ids:
            return counts
        named = self.in_documents(document_ids)
        return np.where(named, np.maximum(counts, 1.0), counts)

    def in_documents(self, document_ids: Sequence[DocumentId]) -> npt.NDArray[np.bool_]:
        """True for the rows of some documents, shape (n,)."""
        return self._table.mask_of(document_ids)

    def rows_of(self, document_ids: Sequence[DocumentId]) -> list[int]:
        """Rows of some documents, ascending."""
        return [int(row) for row in np.flatnonzero(self.in_documents(document_ids))]
