"""One score from several routes: HiQA's Eq. 2 with its neighbours.

What is measured of a question and all segments is a `Components`, one array for each route or
feature; a score is linear in the weights, so that weights can be chosen without asking again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_qa.settings import FusionWeights

FloatArray = npt.NDArray[Any]
"""Of float32 or float64; not said in its type, so that sums of both are of one type with it."""


@dataclass(frozen=True, slots=True)
class Components:
    """What is known of one question and each of n segments, each array of shape (n,).

    Attributes:
        vector: Cosine similarity.
        lexical: BM25 score.
        n_keywords: |C|, the critical keywords matched.
        local: BM25 score by document frequencies within each segment's document.
        structure: How well the segment fits the places named, 0 to 1.
        document: How much the question is about the segment's document, 0 to 1.
        source: Of a preferred source, up to 1; of an outdated revision, down to -1.
        boilerplate: -1 for legal, ordering and packaging matter.
        table: 1 for tables where the question wants what tables hold.
        figure: 2 for figures where the question wants one, else -1 for them.
        ranges: Of columns that are scaled, the least and the greatest value of the whole library,
            where the segments are some of it.
    """

    vector: FloatArray
    lexical: FloatArray
    n_keywords: FloatArray
    local: FloatArray
    structure: FloatArray
    document: FloatArray
    source: FloatArray
    boilerplate: FloatArray
    table: FloatArray
    figure: FloatArray
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def matrix(self) -> FloatArray:
        """Return the columns that `column_weights` weighs, shape (n, n_columns)."""
        return np.stack([scaled_column(self, name) for name in COLUMNS], axis=1)


COLUMNS = tuple(one.name for one in fields(Components) if one.name != "ranges")
"""Order of the columns of `Components.matrix`."""

_SCALED = frozenset(("vector", "lexical", "local"))


def scaled_column(components: Components, name: str) -> FloatArray:
    """Return a column as it enters the score: routes scaled to [0, 1], |C| as log(1 + |C|)."""
    values: FloatArray = getattr(components, name)
    if name in _SCALED:
        return scale_to_unit(values, components.ranges.get(name))
    return np.asarray(np.log1p(values), np.float64) if name == "n_keywords" else values


def column_weights(weights: FusionWeights) -> Mapping[str, float]:
    """Return the weight of each column of `Components.matrix`."""
    own = {name: getattr(weights, name) for name in COLUMNS if hasattr(weights, name)}
    own["vector"] = weights.alpha
    own["lexical"] = 1 - weights.alpha
    own["n_keywords"] = weights.beta
    return own


def scale_to_unit(scores: FloatArray, within: tuple[float, float] | None = None) -> FloatArray:
    """Scale scores linearly to [0, 1] over one query; all zero when they are all the same.

    Args:
        scores: Shape (n,).
        within: Least and greatest score; by default those of the scores.
    """
    if scores.size == 0:
        return scores
    low, high = within or (float(scores.min()), float(scores.max()))
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


def combine(components: Components, weights: FusionWeights) -> FloatArray:
    """Score all segments: Eq. 2 with the source boost, and what this program adds to it.

    Returns:
        Shape (n,); linear in `column_weights`.
    """
    score = np.zeros(len(components.vector))
    for name, weight in column_weights(weights).items():
        if weight:
            score += weight * scaled_column(components, name)
    return score


def ranking(scores: FloatArray) -> npt.NDArray[np.intp]:
    """Return row numbers, best first; ties by row, so that a ranking is reproducible."""
    return np.argsort(-scores, kind="stable")
