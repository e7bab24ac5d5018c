"""One score from several routes (HiQA, Eq. 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The hyperparameters of Eq. 2 and of its neighbours in this program.

    Attributes:
        alpha: Share of the vector route against the lexical one, in [0, 1].
        beta: Weight of the critical keywords.
        structure: Weight of a place that the question names.
        document: Weight of the evidence for a segment's document as a whole.
        boilerplate: What legal, ordering and packaging matter loses.
        table: What a table gains on questions other than for a figure or a procedure: the values
            of a datasheet stand in its tables, and their words are few.
        figure: What a figure gains, twice, on questions for one, and loses on others.
    """

    alpha: float = 0.5
    beta: float = 0.5
    structure: float = 1.0
    document: float = 0.3
    boilerplate: float = 0.25
    table: float = 0.15
    figure: float = 0.1


def scale_to_unit(scores: FloatArray) -> FloatArray:
    """Scale scores linearly to [0, 1] over one query; all zero when they are all the same."""
    if scores.size == 0:
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high - low < 1e-12:
        return np.zeros_like(scores)
    return (scores - low) / (high - low)


def fuse(
    vector: FloatArray, lexical: FloatArray, n_keywords: FloatArray, weights: FusionWeights
) -> FloatArray:
    """Combine three routes over all segments.

    score = alpha score_v + (1 - alpha) score_r + beta log(1 + |C|)   (HiQA, Eq. 2)

    The paper leaves the scales of score_v and score_r open; here both are scaled to [0, 1] for
    each query, so that alpha means the same for every question.

    Args:
        vector: Cosine similarities, shape (n,).
        lexical: BM25 scores, shape (n,).
        n_keywords: |C|, the critical keywords matched, shape (n,).
        weights: alpha and beta.

    Returns:
        Scores, shape (n,).
    """
    return (
        weights.alpha * scale_to_unit(vector)
        + (1 - weights.alpha) * scale_to_unit(lexical)
        + weights.beta * np.log1p(n_keywords)
    )


def ranking(scores: FloatArray) -> npt.NDArray[np.intp]:
    """Return row numbers, best first; ties by row, so that a ranking is reproducible."""
    return np.argsort(-scores, kind="stable")
