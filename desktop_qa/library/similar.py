"""The part of the library that finds more like a piece: near in meaning, with its rare words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.presentation import evidence_view
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Evidence
from desktop_qa.core.errors import Cancelled, NotReadError, NotStoredError
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.core.similar import SimilarPiece, SimilarPieces
from desktop_qa.core.view import EvidenceView
from desktop_qa.index.embedder import never
from desktop_qa.index.terms import count_terms, terms_of
from desktop_qa.library.stored_documents import StoredDocuments
from desktop_qa.retrieve.search_index import SearchIndex, Snapshot

MOST_PIECES = 12
"""Pieces of other documents, and again of the same one."""

_MOST_TERMS = 32
_MEANING_SHARE = 0.65
"""What the vectors tell against what the rare words tell: words alone find other tables of numbers,
vectors alone every section on the same subject, whatever it says of it."""
_LEAST_LIKENESS = 0.25
_CANDIDATES_PER_PIECE = 8
_MOST_SHARED = 5
_WORD = re.compile(r"[^\W_][\w.+/-]*[^\W_]|[^\W_]")

FloatArray = npt.NDArray[np.float32]


class SimilarSegments(StoredDocuments):
    """Finds pieces that are like another; usable from several threads."""

    _loaded_index: Callable[[], SearchIndex]

    def similar_segments(
        self,
        segment_id: SegmentId,
        limit: int = MOST_PIECES,
        *,
        is_cancelled: Callable[[], bool] = never,
    ) -> SimilarPieces:
        """Find the pieces most like one of them, in other documents and in its own.

        likeness = 0.65 cos(v, v_i) + 0.35 BM25_i(t) / max BM25(t), with v the vector of the piece
        and t its rarest terms; without a vector, by its words alone.

        Args:
            segment_id: Of the piece.
            limit: At most so many in each of the two groups, at least 1.
            is_cancelled: Looked at between the steps.

        Returns:
            One piece of each section and each table; legal and ordering matter is left out.

        Raises:
            NotReadError: When the piece is not in the library any more.
            Cancelled: When `is_cancelled` turned true.
        """
        index = self._loaded_index()
        segment = self._known(segment_id)
        weights = _rare_terms(segment, index)
        snapshot = index.snapshot()
        row = snapshot.state.row_of(segment_id)
        if row is None:
            raise _gone()
        likeness = _likenesses(snapshot, row, weights)
        _stop_if(is_cancelled())
        own = snapshot.state.mask_of([segment.document_id])
        n_candidates = limit * _CANDIDATES_PER_PIECE
        found = [
            [(snapshot.state.segment_id(at), float(likeness[at])) for at in rows]
            for rows in (_best(likeness, each, n_candidates) for each in (~own, own))
        ]
        _stop_if(is_cancelled())
        source = StoredEvidence(self._store)
        elsewhere, here = (self._pieces(segment, each, weights, limit, source) for each in found)
        of = self._drawn(segment, 1, source)
        return SimilarPieces(segment_id, of, elsewhere, here)

    def _known(self, segment_id: SegmentId) -> Segment:
        try:
            return self._store.segment(segment_id)
        except NotStoredError as error:
            raise _gone() from error

    def _pieces(
        self,
        of: Segment,
        found: Sequence[tuple[SegmentId, float]],
        weights: Mapping[str, float],
        limit: int,
        source: StoredEvidence,
    ) -> tuple[SimilarPiece, ...]:
        scores = dict(found)
        seen = {_place_of(of)}
        pieces: list[SimilarPiece] = []
        for segment in self._store.segments([segment_id for segment_id, _ in found]):
            place = _place_of(segment)
            if place in seen or len(pieces) >= limit:
                continue
            seen.add(place)
            view = self._drawn(segment, len(pieces) + 1, source)
            shared = _shared_words(segment.text, weights)
            pieces.append(SimilarPiece(segment.id, view, scores[segment.id], shared))
        return tuple(pieces)

    def _drawn(self, segment: Segment, marker: int, source: StoredEvidence) -> EvidenceView:
        item = Evidence(marker, segment, 0.0, ())
        return evidence_view(item, source, self._store.folder)


def _gone() -> NotReadError:
    return NotReadError(
        "This piece is not in the library any more.",
        "Its document was read again or taken out; ask the question once more.",
    )


def _stop_if(is_cancelled: bool) -> None:
    if is_cancelled:
        raise Cancelled


def _place_of(segment: Segment) -> tuple[str, tuple[str, ...], str, int]:
    """Return what is one place to a reader: a section, a table with all its rows, a figure."""
    element = segment.element.index if segment.element is not None else -1
    path = segment.metadata.section_path if element < 0 else ()
    return segment.document_id, path, segment.kind, element


def _rare_terms(segment: Segment, index: SearchIndex) -> dict[str, float]:
    """Return the terms that tell a piece from others, each with weight 1."""
    counted = count_terms(segment.text)
    telling = sorted(counted, key=lambda each: (-index.idf(each[0]) * min(each[1], 3), each[0]))
    return {term: 1.0 for term, _count in telling[:_MOST_TERMS] if not term.isdigit()}


def _likenesses(snapshot: Snapshot, row: int, weights: Mapping[str, float]) -> FloatArray:
    """Return how like a row each row is; the row itself and boilerplate are like nothing."""
    words = np.maximum(snapshot.lexical.scores(weights), 0.0)
    most = float(words.max(initial=0.0))
    likeness = words / most if most > 0 else np.zeros_like(words)
    vector = snapshot.state.vectors(np.array([row], np.intp))[0].astype(np.float32)
    if vector.any():
        near = np.clip(snapshot.vector_scores(vector), 0.0, 1.0)
        likeness = _MEANING_SHARE * near + (1 - _MEANING_SHARE) * likeness
    likeness[snapshot.state.boilerplate] = 0.0
    likeness[row] = 0.0
    return np.asarray(likeness, np.float32)


def _best(likeness: FloatArray, wanted: npt.NDArray[np.bool_], n: int) -> list[int]:
    rows = np.flatnonzero(wanted & (likeness >= _LEAST_LIKENESS))
    order = np.argsort(-likeness[rows], kind="stable")[:n]
    return [int(row) for row in rows[order]]


def _shared_words(text: str, weights: Mapping[str, float]) -> tuple[str, ...]:
    """Return the words of a text that stand for some terms, in the order of the terms."""
    written: dict[str, str] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        if len(word) > 1 and any(character.isalpha() for character in word):
            for term in terms_of(word):
                written.setdefault(term, word)
    shown = (written[term] for term in weights if term in written)
    by_folded = {word.casefold(): word for word in reversed(list(shown))}
    return tuple(reversed(by_folded.values()))[:_MOST_SHARED]
