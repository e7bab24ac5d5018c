"""Measures of a ranking and their spread, each a pure function.

Ranks are 1-based; the rank of an evidence item is that of the best segment that is relevant to
it, `None` when the ranking holds none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Rank = int | None


def hit_share(ranks: Sequence[Rank], k: int) -> float:
    """Share of a question's evidence items found among the first k segments (hit@k)."""
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def reciprocal_rank(ranks: Sequence[Rank]) -> float:
    """1 / rank of the first relevant segment; 0 when there is none."""
    found = [rank for rank in ranks if rank is not None]
    return 1 / min(found) if found else 0.0


def ndcg(ranks: Sequence[Rank], k: int) -> float:
    """Discounted gain of the first k segments over that of all items first.

    DCG = sum over items with rank <= k of 1 / log2(1 + rank): an item gains once, at its best
    rank. The ideal has one item at each rank from 1; a segment that holds two items would beat
    it, so the quotient is cut at 1.
    """
    gain = sum(1 / math.log2(1 + rank) for rank in ranks if rank is not None and rank <= k)
    ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(len(ranks), k) + 1))
    return min(gain / ideal, 1.0)


def n_within(n_tokens: Sequence[int], limit: int) -> int:
    """Count the segments from the top that fit whole into a context of `limit` tokens."""
    total = 0
    for index, count in enumerate(n_tokens):
        total += count
        if total > limit:
            return index
    return len(n_tokens)


def log_rank(rank: int, n_segments: int, gamma: float = 1.0) -> float:
    """Score the position of a relevant segment in a ranking of the whole library.

    S(r) = 1 - log(1 + gamma (r - 1)) / log(1 + gamma (N - 1))   (HiQA, Eq. 3)

    Args:
        rank: 1-based position r of the segment.
        n_segments: Length N of the ranking, at least 1.
        gamma: Steepness at the top ranks, > 0; the paper does not give its value.

    Returns:
        1.0 at rank 1, 0.0 at rank N.
    """
    if rank == 1:
        return 1.0
    return 1 - math.log1p(gamma * (rank - 1)) / math.log1p(gamma * (n_segments - 1))


def log_rank_index(ranks: Sequence[Rank], n_segments: int, gamma: float = 1.0) -> float:
    """Mean of `log_rank` over the evidence items of a question; an item never ranked scores 0."""
    scores = [0.0 if r is None else log_rank(r, n_segments, gamma) for r in ranks]
    return sum(scores) / len(scores)


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, extremes and population standard deviation."""

    mean: float
    max: float
    min: float
    std: float


def spread(values: Sequence[float]) -> Spread | None:
    """Summarize values; `None` when there are none."""
    if not values:
        return None
    return Spread(float(np.mean(values)), max(values), min(values), float(np.std(values)))


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; `None` when there are no values."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Percentile with linear interpolation, `percent` from 0 to 100; `None` without values."""
    return float(np.percentile(values, percent)) if values else None


def bootstrap_interval(
    values: Sequence[float],
    n_resamples: int = 2000,
    seed: int = 20240917,
) -> tuple[float, float] | None:
    """95 % interval of a mean by the percentile bootstrap over questions.

    Args:
        values: One for each question.
        n_resamples: Number of resamples with replacement.
        seed: Fixed, so that the same answers give the same interval.

    Returns:
        Low and high end; `None` without values.
    """
    if not values:
        return None
    data = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(seed)
    resamples = data[generator.integers(0, len(data), size=(n_resamples, len(data)))]
    low, high = np.percentile(resamples.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
