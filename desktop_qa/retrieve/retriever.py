"""The multi-route retriever: vectors, BM25, critical keywords and named places, fused by Eq. 2.

Nothing is cut away before the fusion: evidence for a document as a whole reaches its segments as a
boost (HiQA's soft partitioning), so that comparisons and questions across documents keep theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.core.answer import Evidence, Hit, Query, Route
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.lexical import terms_of
from desktop_qa.index.store import Store
from desktop_qa.retrieve.fusion import FloatArray, FusionWeights, fuse, ranking, scale_to_unit
from desktop_qa.retrieve.search_index import SearchIndex, Snapshot
from desktop_qa.retrieve.triage import structure_scores
from desktop_qa.settings import RetrievalSettings

_N_DOCUMENT_SEGMENTS = 3
"""The evidence for a document as a whole is the mean of its best so many segments."""

_N_CANDIDATES = 200
"""Whose kind is looked at: kinds move a segment by some ranks, not from the end of the list."""

_OUT_OF_SCOPE = -1e9


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Ranked evidence, and the unscaled similarity that refusal is decided on.

    Attributes:
        best_similarity: Highest cosine of the question and any segment in scope.
    """

    evidence: tuple[Evidence, ...]
    best_similarity: float


@dataclass(frozen=True, slots=True)
class _Scores:
    """Scores of one question over all rows, each of shape (n,)."""

    vector: FloatArray
    lexical: FloatArray
    keywords: FloatArray
    structure: FloatArray
    fused: FloatArray


class Retriever:
    """Ranks the segments of a library; usable from several threads."""

    def __init__(
        self, index: SearchIndex, store: Store, embedder: Embedder, settings: RetrievalSettings
    ) -> None:
        self._index = index
        self._store = store
        self._embedder = embedder
        self._weights = FusionWeights(
            alpha=settings.alpha,
            beta=settings.beta,
            structure=settings.structure,
            document=settings.document,
            boilerplate=settings.boilerplate,
            table=settings.table,
            figure=settings.figure,
        )

    def retrieve(self, query: Query, top_k: int) -> Retrieved:
        """Return the best segments with their hits on each route.

        Args:
            query: From `build_query`.
            top_k: At most so many, at least 1.
        """
        question_vector = self._embedder.embed_query(query.reformulated or query.text)
        with self._index.snapshot() as snapshot:
            scores = self._scores(query, question_vector, snapshot)
            rows = [
                int(row)
                for row in ranking(scores.fused)[:top_k]
                if scores.fused[row] > _OUT_OF_SCOPE / 2
            ]
            ids = [snapshot.segment_ids[row] for row in rows]
            hits = [_hits(snapshot.segment_ids[row], row, scores) for row in rows]
            fused = [float(scores.fused[row]) for row in rows]
            best_similarity = float(scores.vector.max()) if scores.vector.size else 0.0
        by_id = {segment.id: segment for segment in self._store.segments(ids)}
        evidence = [
            Evidence(0, by_id[key], score, hit)
            for key, score, hit in zip(ids, fused, hits, strict=True)
            if key in by_id
        ]
        numbered = tuple(
            Evidence(n, item.segment, item.score, item.hits)
            for n, item in enumerate(evidence, start=1)
        )
        return Retrieved(numbered, best_similarity)

    def rank_all(self, query: Query) -> tuple[SegmentId, ...]:
        """Return every segment of the library, best first."""
        question_vector = self._embedder.embed_query(query.reformulated or query.text)
        with self._index.snapshot() as snapshot:
            scores = self._scores(query, question_vector, snapshot)
            return tuple(snapshot.segment_ids[int(row)] for row in ranking(scores.fused))

    def _scores(
        self, query: Query, question_vector: npt.NDArray[np.float32], snapshot: Snapshot
    ) -> _Scores:
        vector = snapshot.vector_scores(question_vector)
        lexical = snapshot.lexical_scores(
            dict.fromkeys(terms_of(query.reformulated or query.text), 1.0)
        )
        keywords = snapshot.keyword_counts(query.keywords, query.document_ids)
        structure = self._structure(query, snapshot)
        fused = fuse(vector, lexical, keywords, self._weights)
        fused += self._weights.document * _document_evidence(query, fused, snapshot)
        fused += self._weights.structure * structure
        fused -= self._weights.boilerplate * snapshot.boilerplate
        if query.scope:
            fused = np.where(snapshot.in_documents(query.scope), fused, _OUT_OF_SCOPE)
        self._add_kind_prior(query, fused, snapshot)
        return _Scores(vector, lexical, keywords, structure, fused)

    def _add_kind_prior(self, query: Query, fused: FloatArray, snapshot: Snapshot) -> None:
        """Prefer the kind of segment that answers the kind of question, among the candidates."""
        rows = ranking(fused)[:_N_CANDIDATES]
        row_of = {snapshot.segment_ids[int(row)]: int(row) for row in rows}
        for segment in self._store.segments(tuple(row_of)):
            fused[row_of[segment.id]] += self._kind_prior(query, segment.kind)

    def _kind_prior(self, query: Query, kind: SegmentKind) -> float:
        if kind is SegmentKind.FIGURE:
            return 2 * self._weights.figure if query.type == "figure" else -self._weights.figure
        if kind is SegmentKind.TABLE and query.type not in ("figure", "procedure"):
            return self._weights.table
        return 0.0

    def _structure(self, query: Query, snapshot: Snapshot) -> FloatArray:
        """Score the places named, in the documents named or in those that seem meant."""
        return structure_scores(query, snapshot, self._store)


def _document_evidence(query: Query, fused: FloatArray, snapshot: Snapshot) -> FloatArray:
    """How much the question is about each row's document, 0 to 1.

    A document that the question names has 1. When it names none, a document has the mean of its
    best segments, scaled over all documents.
    """
    if query.document_ids:
        return snapshot.in_documents(query.document_ids).astype(np.float64)
    if fused.size == 0:
        return np.zeros(0)
    best = np.full((snapshot.n_documents, _N_DOCUMENT_SEGMENTS), fused.min())
    counts = np.zeros(snapshot.n_documents, dtype=np.intp)
    for row in ranking(fused):
        document = snapshot.document_rows[row]
        if counts[document] < _N_DOCUMENT_SEGMENTS:
            best[document, counts[document]] = fused[row]
            counts[document] += 1
    return scale_to_unit(best.mean(axis=1))[snapshot.document_rows]


def _hits(segment_id: SegmentId, row: int, scores: _Scores) -> tuple[Hit, ...]:
    """The routes that found a segment, with its rank on each."""
    hits = []
    for route, values in (
        (Route.VECTOR, scores.vector),
        (Route.LEXICAL, scores.lexical),
        (Route.KEYWORDS, scores.keywords),
        (Route.STRUCTURE, scores.structure),
    ):
        score = float(values[row])
        if route is Route.VECTOR or score > 0.0:
            hits.append(Hit(segment_id, route, int((values > values[row]).sum()) + 1, score))
    return tuple(hits)
