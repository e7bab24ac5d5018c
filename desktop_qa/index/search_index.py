"""Everything a question searches, in one row order: vectors, terms and keywords."""

from __future__ import annotations

import contextlib
import itertools
import logging
import sys
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import IndexedSegment
from desktop_qa.index.embedder import EMBEDDING_DIMENSIONS
from desktop_qa.index.keywords import KeywordIndex
from desktop_qa.index.lexical import LexicalIndex
from desktop_qa.index.records import FloatMatrix, IndexRow
from desktop_qa.index.rows import SegmentTable
from desktop_qa.index.store import Store
from desktop_qa.index.vectors import VectorIndex, VectorMatrix

logger = logging.getLogger(__name__)

EXACT_LIMIT = 50_000
"""Segments up to which the matrix is held in memory (77 MB) and cosine is exact."""

N_NEAREST = 2000
"""Segments that Chroma is asked for beyond the limit."""

_N_ROWS_AT_ONCE = 5000


class SearchIndex:
    """The indexes in memory over one store, and Chroma beside them.

    Changes come from one thread, questions from another: a question holds `reading()` from its
    first score to its last row number, a few milliseconds.
    """

    def __init__(self, store: Store, exact_limit: int = EXACT_LIMIT) -> None:
        """Load everything the store holds; Chroma is not touched before it is needed."""
        self._store = store
        # Chroma's files have one user: who reads along with another process keeps to the matrix.
        self._exact_limit = sys.maxsize if store.read_only else exact_limit
        self._lock = threading.RLock()
        self.vectors = VectorIndex(store.folder)
        self._reset()
        while not self._load():
            self._reset()

    def _reset(self) -> None:
        self.table = SegmentTable()
        self.lexical = LexicalIndex()
        self.keywords = KeywordIndex(self.table)
        self._matrix: VectorMatrix | None = VectorMatrix(EMBEDDING_DIMENSIONS)

    def _load(self) -> bool:
        """Read the store; False when another process has written to it meanwhile."""
        rows = self._store.iter_index_rows()
        while part := list(itertools.islice(rows, _N_ROWS_AT_ONCE)):
            self._append(part)
        if len(self) > self._exact_limit:
            self._matrix = None
            return True
        ids, matrix = self._store.embeddings()
        if list(ids) != self.table.segment_ids:
            return False
        if self._matrix is not None and ids:
            self._matrix.append(matrix)
        return True

    def __len__(self) -> int:
        return len(self.table)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Keep rows where they are; scores of all routes taken inside belong together."""
        with self._lock:
            yield

    def vector_scores(self, query: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return cosine similarities, shape (n_rows,).

        Exact up to `EXACT_LIMIT` segments; beyond, the nearest by Chroma, and the last of those
        for all others.
        """
        with self._lock:
            if self._matrix is not None:
                return self._matrix.scores(query)
            nearest = self.vectors.nearest(query, N_NEAREST)
            lowest = nearest[-1][1] if nearest else 0.0
            scores = np.full(len(self), lowest)
            for segment_id, similarity in nearest:
                row = self.table.row_of(segment_id)
                if row is not None:
                    scores[row] = similarity
            return scores

    def add_document(self, segments: Sequence[IndexedSegment], vectors: FloatMatrix) -> None:
        """Add a document that was just saved; its segments are found from now on."""
        rows = [IndexRow.of(indexed) for indexed in segments]
        with self._lock:
            if rows:
                self._append(rows)
                self._append_vectors(vectors)
        self.vectors.add([row.segment_id for row in rows], vectors)

    def remove_document(self, document_id: DocumentId) -> None:
        """Forget a document, before it is removed from the store or saved anew.

        In this order a kill at any moment leaves vectors missing, never outdated ones: the missing
        are found by `repair_vectors`.
        """
        with self._lock:
            rows = self.table.rows_of(document_id)
            segment_ids = [self.table.segment_ids[row] for row in rows.tolist()]
            if segment_ids:
                self._keep(~self.table.mask_of((document_id,)))
        if segment_ids:
            self.vectors.remove(segment_ids)

    def repair_vectors(self) -> int:
        """Bring Chroma in line with the store; return the number of vectors added or removed."""
        ids, matrix = self._store.embeddings()
        return self.vectors.repair(ids, matrix)

    def close(self) -> None:
        """Free Chroma's files."""
        self.vectors.close()

    def _append(self, rows: Sequence[IndexRow]) -> None:
        self.table.append(rows)
        self.lexical.append(rows)
        self.keywords.append(rows)

    def _append_vectors(self, vectors: FloatMatrix) -> None:
        if self._matrix is not None and len(self) > self._exact_limit:
            logger.info("Beyond %d segments Chroma searches the vectors", self._exact_limit)
            self._matrix = None
        if self._matrix is not None:
            self._matrix.append(vectors)

    def _keep(self, mask: npt.NDArray[np.bool_]) -> None:
        self.table.keep(mask)
        self.lexical.keep(mask)
        self.keywords.keep(mask)
        if self._matrix is not None:
            self._matrix.keep(mask)
