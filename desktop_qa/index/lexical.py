"""BM25 as rank-bm25 defines it, kept up to date while documents come and go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.index.postings import Postings
from desktop_qa.index.records import IndexRow
from desktop_qa.index.terms import count_terms, terms_of

__all__ = ["LexicalIndex", "count_terms", "terms_of"]

FloatArray = npt.NDArray[np.float64]

K1 = 1.5
B = 0.75
EPSILON = 0.25


class LexicalIndex:
    """Scores all segments for weighted terms, as `rank_bm25.BM25Okapi` would.

    Its rows are those of the `SegmentTable` that is changed along with it. Sources of the score:
    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
    the idf floor of rank-bm25 (Trotman et al., "Towards an Efficient and Effective Search Engine").
    """

    def __init__(self) -> None:
        self._postings = Postings()
        self._lengths: FloatArray = np.zeros(0)
        self._idf: FloatArray | None = None
        self._saturation: FloatArray = np.zeros(0)

    def __len__(self) -> int:
        return len(self._lengths)

    def append(self, rows: Sequence[IndexRow]) -> None:
        """Add segments after the last row."""
        self._postings.append(len(self), [row.terms for row in rows], (row.counts for row in rows))
        lengths = np.fromiter((row.counts.sum(dtype=np.int64) for row in rows), float, len(rows))
        self._lengths = np.concatenate((self._lengths, lengths))
        self._idf = None

    def keep(self, mask: npt.NDArray[np.bool_]) -> None:
        """Drop the rows where the mask is False, shape (n_rows,)."""
        self._postings.keep(mask)
        self._lengths = self._lengths[mask]
        self._idf = None

    def scores(self, weights: Mapping[str, float]) -> FloatArray:
        """Score every segment.

        score(s) = sum_t w_t idf(t) f (k1 + 1) / (f + k1 (1 - b + b |s| / avg|s|))

        with f the count of t in s, k1 = 1.5, b = 0.75, and a negative idf replaced by 0.25 times
        the mean idf of all terms. Weight 2 is what rank-bm25 gives a term that stands twice in the
        query.

        Args:
            weights: Weight of each term, as cut by `terms_of`; unknown terms add nothing.

        Returns:
            Shape (n_rows,), in row order.
        """
        scores = np.zeros(len(self))
        idf = self._inverse_frequencies()
        for term, weight in weights.items():
            number = self._postings.number_of(term)
            if number is None or weight == 0:
                continue
            rows, counts = self._postings.get(term)
            frequency = counts.astype(np.float64)
            scores[rows] += (
                weight * idf[number] * frequency * (K1 + 1) / (frequency + self._saturation[rows])
            )
        return scores

    def local_scores(
        self, weights: Mapping[str, float], document_numbers: npt.NDArray[np.integer]
    ) -> FloatArray:
        """Score every segment by how rare the words are within its own document.

        The words that a question names its document by stand in most segments of that document;
        by their rarity in the library they would outweigh what is asked of it. Each term counts
        here by the lower of its two idf, that among the segments of the document and that among
        all, with log(1 + (N - n + 0.5) / (n + 0.5)), which has no negative values.

        Args:
            weights: Weight of each term.
            document_numbers: Document of each row, shape (n_rows,), from 0.

        Returns:
            Shape (n_rows,), in row order.
        """
        scores = np.zeros(len(self))
        if not len(self):
            return scores
        sizes = np.bincount(document_numbers)
        lengths = np.bincount(document_numbers, self._lengths) / np.maximum(sizes, 1)
        relative = self._lengths / np.maximum(lengths, 1e-9)[document_numbers]
        for term, weight in weights.items():
            rows, counts = self._postings.get(term)
            if not len(rows) or weight == 0:
                continue
            documents = document_numbers[rows]
            holding = np.bincount(documents, minlength=len(sizes))
            idf = np.minimum(_smooth_idf(sizes, holding), _smooth_idf(len(self), len(rows)))
            frequency = counts.astype(np.float64)
            saturation = K1 * (1 - B + B * relative[rows])
            scores[rows] += (
                weight * idf[documents] * frequency * (K1 + 1) / (frequency + saturation)
            )
        return scores

    def idf(self, term: str) -> float:
        """Return a term's inverse document frequency with the floor; 0.0 for an unknown term."""
        idf = self._inverse_frequencies()
        number = self._postings.number_of(term)
        return 0.0 if number is None else float(idf[number])

    def document_frequency(self, term: str) -> int:
        """Return the number of segments that hold a term."""
        return len(self._postings.get(term)[0])

    def _inverse_frequencies(self) -> FloatArray:
        """Return idf by term number, computed anew after each change of the library."""
        if self._idf is None:
            frequencies = self._postings.frequencies()
            in_use = frequencies > 0
            idf = np.log(len(self) - frequencies + 0.5) - np.log(frequencies + 0.5)
            idf[~in_use] = 0.0
            mean = float(idf.sum() / max(int(in_use.sum()), 1))
            idf[idf < 0] = EPSILON * mean
            self._idf = idf
            mean_length = max(float(self._lengths.mean()), 1e-9) if len(self) else 1.0
            self._saturation = K1 * (1 - B + B * self._lengths / mean_length)
        return self._idf


def _smooth_idf(
    n_all: int | npt.NDArray[np.integer], n_holding: int | npt.NDArray[np.integer]
) -> FloatArray:
    ratio = (np.asarray(n_all) - np.asarray(n_holding) + 0.5) / (np.asarray(n_holding) + 0.5)
    return np.asarray(np.log1p(ratio), np.float64)
