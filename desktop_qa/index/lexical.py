"""BM25 as rank-bm25 defines it, over the parts of the indexes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from desktop_qa.index.index_state import IndexState
from desktop_qa.index.part import Part
from desktop_qa.index.postings import Postings, key_of
from desktop_qa.index.terms import count_terms, terms_of

__all__ = ["LexicalIndex", "count_terms", "terms_of"]

FloatArray = npt.NDArray[np.float32]

K1 = 1.5
B = 0.75
EPSILON = 0.25


@dataclass(frozen=True, slots=True)
class _LocalLengths:
    """What `LexicalIndex.local_scores` needs of a part.

    Attributes:
        documents: Place in the part of each row's document, shape (n_rows,).
        sizes: Rows of each document, shape (n_documents,).
        saturations: k1 (1 - b + b |s| / avg|s|) with the mean of the row's document, (n_rows,).
    """

    documents: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]
    saturations: FloatArray

    @classmethod
    def of(cls, part: Part) -> _LocalLengths:
        sizes = np.diff(part.bounds)
        documents = part.document_of_row()
        means = np.bincount(documents, part.lengths, len(sizes)) / np.maximum(sizes, 1)
        relative = part.lengths / np.maximum(means, 1e-9)[documents]
        return cls(documents, sizes, (K1 * (1 - B) + K1 * B * relative).astype(np.float32))

    def scores(
        self,
        rows: npt.NDArray[np.int32],
        counts: npt.NDArray[np.uint16],
        weight: float,
        overall: float,
    ) -> FloatArray:
        """Score the rows of one term; `overall` is its idf among all segments."""
        documents = self.documents[rows]
        holding = np.bincount(documents, minlength=len(self.sizes))
        idf = np.minimum(np.log1p((self.sizes - holding + 0.5) / (holding + 0.5)), overall)
        factor = (weight * (K1 + 1) * idf).astype(np.float32)
        frequency = counts.astype(np.float32)
        return np.asarray(
            factor[documents] * frequency / (frequency + self.saturations[rows]), np.float32
        )


class LexicalIndex:
    """Scores all segments for weighted terms, as `rank_bm25.BM25Okapi` would.

    Sources of the score: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
    Beyond" (2009), with the idf floor of rank-bm25 (Trotman et al., "Towards an Efficient and
    Effective Search Engine").
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state

    def __len__(self) -> int:
        return self._state.n_rows

    def scores(self, weights: Mapping[str, float]) -> FloatArray:
        """Score every segment.

        score(s) = sum_t w_t idf(t) f (k1 + 1) / (f + k1 (1 - b + b |s| / avg|s|))

        with f the count of t in s, k1 = 1.5, b = 0.75, and a negative idf replaced by 0.25 times
        the mean idf of all terms. Weight 2 is what rank-bm25 gives a term that stands twice in the
        query.

        Args:
            weights: Weight of each term, as cut by `terms_of`; unknown terms add nothing.

        Returns:
            Shape (n_rows,), in row order; exact to 1e-5 of the score.
        """
        state = self._state
        scores = np.zeros(state.starts[-1], np.float32)
        for term, weight in weights.items():
            factor = np.float32(weight * self.idf(term) * (K1 + 1))
            if factor == 0:
                continue
            for number, rows, counts in state.holding(key_of(term), _terms):
                frequency = counts.astype(np.float32)
                scores[state.starts[number] :][rows] += (
                    factor * frequency / (frequency + self._saturations[number][rows])
                )
        return state.dense(scores)

    def local_scores(self, weights: Mapping[str, float]) -> FloatArray:
        """Score every segment by how rare the words are within its own document.

        The words that a question names its document by stand in most segments of that document;
        by their rarity in the library they would outweigh what is asked of it. Each term counts
        here by the lower of its two idf, that among the segments of the document and that among
        all, with log(1 + (N - n + 0.5) / (n + 0.5)), which has no negative values.

        Args:
            weights: Weight of each term.

        Returns:
            Shape (n_rows,), in row order.
        """
        state = self._state
        scores = np.zeros(state.starts[-1], np.float32)
        for term, weight in weights.items():
            frequency = self.document_frequency(term)
            if not frequency or not weight:
                continue
            overall = math.log1p((len(self) - frequency + 0.5) / (frequency + 0.5))
            for number, rows, counts in state.holding(key_of(term), _terms):
                scores[state.starts[number] :][rows] += self._local_lengths[number].scores(
                    rows, counts, weight, overall
                )
        return state.dense(scores)

    def holding(self, term: str) -> npt.NDArray[np.bool_]:
        """Return which rows hold a term, shape (n_rows,)."""
        state = self._state
        held = np.zeros(state.starts[-1], np.bool_)
        for number, rows, _ in state.holding(key_of(term), _terms):
            held[state.starts[number] :][rows] = True
        return state.dense(held)

    def idf(self, term: str) -> float:
        """Return a term's inverse document frequency with the floor; 0.0 for an unknown term."""
        frequency = self.document_frequency(term)
        if not frequency:
            return 0.0
        idf = math.log(len(self) - frequency + 0.5) - math.log(frequency + 0.5)
        return idf if idf >= 0 else EPSILON * self._mean_idf

    def document_frequency(self, term: str) -> int:
        """Return the number of segments that hold a term."""
        return self._state.frequency(key_of(term))

    @cached_property
    def _mean_idf(self) -> float:
        """Mean over all terms in use, before the floor."""
        frequencies, n_terms = np.unique(self._state.term_frequencies(), return_counts=True)
        idf = np.log(len(self) - frequencies + 0.5) - np.log(frequencies + 0.5)
        return float((idf * n_terms).sum() / max(int(n_terms.sum()), 1))

    @cached_property
    def _local_lengths(self) -> tuple[_LocalLengths, ...]:
        return tuple(_LocalLengths.of(one.part) for one in self._state.parts)

    @cached_property
    def _saturations(self) -> tuple[FloatArray, ...]:
        """k1 (1 - b + b |s| / avg|s|) of the rows of each part."""
        lengths = [one.part.lengths for one in self._state.parts]
        total = sum(
            int(
                one.part.lengths.sum(
                    dtype=np.int64, where=True if one.rows_kept is None else one.rows_kept
                )
            )
            for one in self._state.parts
        )
        mean = max(total / max(len(self), 1), 1e-9)
        return tuple(
            (K1 * (1 - B) + (K1 * B / mean) * of_part).astype(np.float32) for of_part in lengths
        )


def _terms(part: Part) -> Postings:
    return part.terms
