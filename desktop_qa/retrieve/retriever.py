"""The multi-route retriever: vectors, BM25, critical keywords and named places, fused by Eq. 2.

No document is cut away before the fusion: evidence for a document as a whole reaches its segments
as a boost (HiQA's soft partitioning), so that comparisons and questions across documents keep
theirs. A large library is ranked in two steps: the routes score all segments, and what they put
first, in each document and in all, gets the whole score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from desktop_qa.core.answer import Evidence, Hit, Query, QuestionType, Route
from desktop_qa.core.segment import SegmentId, document_of
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.index_state import best_mean, best_rows
from desktop_qa.index.lexical import terms_of
from desktop_qa.index.records import FIGURE_NUMBER, TABLE_NUMBER
from desktop_qa.index.store import Store
from desktop_qa.retrieve.fusion import (
    Components,
    FloatArray,
    column_weights,
    combine,
    fuse,
    ranking,
    scale_to_unit,
    scaled_column,
)
from desktop_qa.retrieve.scope import source_scores
from desktop_qa.retrieve.search_index import BoolArray, SearchIndex, Snapshot
from desktop_qa.retrieve.triage import structure_scores
from desktop_qa.settings import FusionWeights, RetrievalSettings

_N_DOCUMENT_SEGMENTS = 3
"""The evidence for a document as a whole is the mean of its best so many segments."""

_NOT_IN_TABLES = (QuestionType.FIGURE, QuestionType.PROCEDURE)
"""Types of questions that no table answers."""

_OUT_OF_SCOPE = -1e9

_MAX_WHOLE = 50_000
"""Segments up to which each gets the whole score: it takes 5 ms."""

_N_BEST = 3000
"""Segments that each route passes on of a larger library; 60 at most are asked for."""

_N_BEST_DOCUMENTS = 30
"""Documents all of whose segments are passed on, as the evidence for a document lifts them all."""

RowArray = npt.NDArray[np.intp]


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
    """Scores of one question over some rows; `fused` and all components have their shape."""

    snapshot: Snapshot
    rows: RowArray
    components: Components
    fused: FloatArray
    weights: FusionWeights


@dataclass(frozen=True, slots=True)
class _Routes:
    """What the routes say of one question and every segment, each of shape (n_segments,)."""

    vector: FloatArray
    lexical: FloatArray
    local: FloatArray
    n_keywords: FloatArray
    structure: FloatArray
    fused: FloatArray

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """Least and greatest score of the routes that are scaled; none in an empty library."""
        scaled = {"vector": self.vector, "lexical": self.lexical, "local": self.local}
        return {name: (float(v.min()), float(v.max())) for name, v in scaled.items() if v.size}


class Retriever:
    """Ranks the segments of a library; usable from several threads."""

    def __init__(
        self, index: SearchIndex, store: Store, embedder: Embedder, settings: RetrievalSettings
    ) -> None:
        self._index = index
        self._store = store
        self._embedder = embedder
        self._weights = settings

    def retrieve(self, query: Query, top_k: int) -> Retrieved:
        """Return the best segments with their hits on each route.

        Args:
            query: From `build_query`.
            top_k: At most so many, at least 1.
        """
        scores = self._scores(query, is_whole=False)
        snapshot = scores.snapshot
        is_inside = scores.fused > _OUT_OF_SCOPE / 2
        places = [p for p in best_rows(scores.fused, top_k).tolist() if is_inside[p]]
        ids = [snapshot.state.segment_id(scores.rows[place]) for place in places]
        parts = _score_parts(places, scores)
        keywords = _keywords_held(query.keywords, scores.rows[places].tolist(), snapshot)
        best_similarity = float(scores.components.vector[is_inside].max(initial=0.0))
        by_id = {segment.id: segment for segment in self._store.segments(ids)}
        evidence = [
            Evidence(0, by_id[key], float(scores.fused[at]), _hits(key, at, scores), held, part)
            for key, at, held, part in zip(ids, places, keywords, parts, strict=True)
            if key in by_id
        ]
        numbered = tuple(replace(item, marker=n) for n, item in enumerate(evidence, start=1))
        return Retrieved(numbered, best_similarity)

    def rank_all(self, query: Query) -> tuple[SegmentId, ...]:
        """Return every segment of the library, best first."""
        scores = self._scores(query, is_whole=True)
        return tuple(map(scores.snapshot.state.segment_id, ranking(scores.fused)))

    def components(self, query: Query) -> Components:
        """Measure a question on every segment of the library, in the order of `segment_ids`."""
        question_vector = self._embed(query)
        snapshot = self._index.snapshot()
        routes = self._routes(query, snapshot.vector_scores(question_vector), snapshot)
        return self._components(query, routes, np.arange(snapshot.state.n_rows), snapshot)

    def segment_ids(self) -> tuple[SegmentId, ...]:
        """Return every segment in the order of `components`."""
        snapshot = self._index.snapshot()
        return tuple(snapshot.state.segment_ids())

    def vectors(self) -> npt.NDArray[np.float32]:
        """Return the vectors of all segments, shape (n_segments, 384), in the same order."""
        snapshot = self._index.snapshot()
        return snapshot.state.vectors(np.arange(snapshot.state.n_rows))

    def _embed(self, query: Query) -> npt.NDArray[np.float32]:
        return self._embedder.embed_query(self.searched(query))

    def searched(self, query: Query) -> str:
        """Return what is searched: where no document has evidence, its part number is, too."""
        return (self._weights.document and query.reformulated) or query.text

    def _routes(self, query: Query, vector: FloatArray, snapshot: Snapshot) -> _Routes:
        terms = dict.fromkeys(terms_of(self.searched(query)), 1.0)
        lexical = snapshot.lexical.scores(terms)
        n_keywords = snapshot.keyword_counts(query.keywords, query.document_ids)
        return _Routes(
            vector,
            lexical,
            snapshot.lexical.local_scores(terms),
            n_keywords,
            structure_scores(query, snapshot, self._store),
            fuse(vector, lexical, n_keywords, self._weights),
        )

    def _components(
        self, query: Query, routes: _Routes, rows: RowArray, snapshot: Snapshot
    ) -> Components:
        """Measure a question on some rows; the scales of its routes are those of all rows."""
        kinds = snapshot.state.kinds[rows]
        return Components(
            vector=routes.vector[rows],
            lexical=routes.lexical[rows],
            n_keywords=routes.n_keywords[rows],
            local=routes.local[rows],
            structure=routes.structure[rows],
            document=_document_evidence(query, routes.fused, rows, snapshot),
            source=snapshot.document_values(source_scores(query))[rows],
            boilerplate=-snapshot.state.boilerplate[rows].astype(np.float64),
            table=np.equal(kinds, TABLE_NUMBER) * float(query.topic not in _NOT_IN_TABLES),
            figure=np.equal(kinds, FIGURE_NUMBER)
            * (2.0 if query.topic == QuestionType.FIGURE else -1.0),
            ranges=routes.ranges,
        )

    def _scores(self, query: Query, *, is_whole: bool) -> _Scores:
        vector = self._embed(query)
        snapshot = self._index.snapshot()
        weights: FusionWeights = self._weights
        if query.source_boost is not None:
            weights = replace(self._weights, source=query.source_boost)
        routes = self._routes(query, snapshot.vector_scores(vector), snapshot)
        allowed = _allowed(query, snapshot) if query.scope else None
        rows = np.arange(snapshot.state.n_rows)
        if not is_whole and snapshot.state.n_rows > _MAX_WHOLE:
            rows = _candidates(query, routes, allowed, snapshot)
        components = self._components(query, routes, rows, snapshot)
        fused = combine(components, weights)
        if allowed is not None:
            fused = np.where(allowed[rows], fused, _OUT_OF_SCOPE)
        return _Scores(snapshot, rows, components, fused, weights)


def _candidates(
    query: Query, routes: _Routes, allowed: BoolArray | None, snapshot: Snapshot
) -> RowArray:
    """Return the rows that Eq. 2 puts first, ascending.

    With them come the rows of the documents named and of the best, which the evidence for a
    document lifts, and those of the places named.
    """
    fused = routes.fused if allowed is None else np.where(allowed, routes.fused, _OUT_OF_SCOPE)
    best = best_rows(fused, _N_BEST)
    chosen = np.greater(routes.structure, 0)
    chosen[best] = True
    documents = dict.fromkeys(snapshot.state.document_numbers[best].tolist())
    of_documents = np.zeros(len(snapshot.state.document_ids), np.bool_)
    of_documents[list(documents)[:_N_BEST_DOCUMENTS]] = True
    chosen |= of_documents[snapshot.state.document_numbers]
    if query.document_ids:
        chosen |= snapshot.state.mask_of(query.document_ids)
    return np.flatnonzero(chosen)


def _allowed(query: Query, snapshot: Snapshot) -> BoolArray:
    """True for the rows in scope: of a document of which a part is meant, for that part."""
    allowed = snapshot.state.mask_of(query.scope)
    if not query.within:
        return allowed
    rows = [snapshot.state.row_of(segment_id) for segment_id in query.within]
    inside = np.zeros(snapshot.state.n_rows, np.bool_)
    inside[[row for row in rows if row is not None]] = True
    documents = {document_of(segment_id) for segment_id in query.within}
    return allowed & (inside | ~snapshot.state.mask_of(tuple(documents)))


def _document_evidence(
    query: Query, fused: FloatArray, rows: RowArray, snapshot: Snapshot
) -> FloatArray:
    """How much the question is about the document of each of some rows, 0 to 1.

    A document that the question names has 1. When it names none, a document has the mean of its
    best segments, scaled over all documents; where a maker is named, only that maker's have any.
    """
    if query.document_ids:
        return snapshot.state.mask_of(query.document_ids)[rows].astype(np.float64)
    means = best_mean(fused, snapshot.state.document_numbers, _N_DOCUMENT_SEGMENTS)
    scaled = scale_to_unit(means)[snapshot.state.document_numbers[rows]]
    return scaled * snapshot.state.mask_of(query.made_by)[rows] if query.made_by else scaled


def _hits(segment_id: SegmentId, place: int, scores: _Scores) -> tuple[Hit, ...]:
    """The routes that found the segment at a place of the rows, with its rank on each."""
    hits = []
    for route, values in (
        (Route.VECTOR, scores.components.vector),
        (Route.LEXICAL, scores.components.lexical),
        (Route.KEYWORDS, scores.components.n_keywords),
        (Route.STRUCTURE, scores.components.structure),
    ):
        score = float(values[place])
        if route is Route.VECTOR or score > 0.0:
            hits.append(Hit(segment_id, route, int((values > values[place]).sum()) + 1, score))
    return tuple(hits)


def _score_parts(places: Sequence[int], scores: _Scores) -> list[tuple[tuple[str, float], ...]]:
    """What each feature adds to the score at each place of the rows, the largest first."""
    added = {
        name: weight * scaled_column(scores.components, name)[places]
        for name, weight in column_weights(scores.weights).items()
        if weight
    }
    parts = []
    for index in range(len(places)):
        own = [(name, round(float(values[index]), 4)) for name, values in added.items()]
        parts.append(tuple(sorted((p for p in own if p[1]), key=lambda p: -abs(p[1]))))
    return parts


def _keywords_held(
    keywords: Sequence[str], rows: Sequence[int], snapshot: Snapshot
) -> list[tuple[str, ...]]:
    """The critical keywords of the question that stand in each row's segment."""
    counts = {keyword: snapshot.keyword_counts([keyword], ()) for keyword in keywords}
    return [tuple(k for k, held in counts.items() if held[row] > 0) for row in rows]
