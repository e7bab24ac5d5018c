"""Measures of a ranking and their spread, each a pure function.

Ranks are 1-based; the rank of an evidence item is that of the best segment that is relevant to
it, `None` when the ranking holds none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Rank = int | None

_N_RESAMPLES = 2000
_SEED = 20240917
"""Fixed, so that the same answers give the same interval."""


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


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Mean, extremes and population standard deviation by name; `None` without values."""
    if not values:
        return None
    deviation = float(np.std(values))
    return {
        "mean": float(np.mean(values)),
        "max": max(values),
        "min": min(values),
        "std": deviation,
    }


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; `None` when there are no values."""
    return sum(values) / len(values) if values else None


def rounded(value: float | None, n_digits: int = 4) -> float | None:
    """Return a figure as reports have it; `None` for one that is not there."""
    return None if value is None else round(value, n_digits)


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Percentile with linear interpolation, `percent` from 0 to 100; `None` without values."""
    return float(np.percentile(values, percent)) if values else None


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """95 % interval of a mean by the percentile bootstrap over questions; `None` without any."""
    if not values:
        return None
    data = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(_SEED)
    resamples = data[generator.integers(0, len(data), size=(_N_RESAMPLES, len(data)))]
    low, high = np.percentile(resamples.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


N_BINS = 10

_SIDE, _MARGIN = 320, 40
"""Of the diagram, points."""


def _binned(
    probabilities: Sequence[float], right: Sequence[bool]
) -> list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Return promises and outcomes by bins of width 0.1, without the empty ones."""
    p, y = np.array(probabilities, np.float64), np.array(right, np.float64)
    bins = np.minimum((p * N_BINS).astype(int), N_BINS - 1)
    return [(p[bins == b], y[bins == b]) for b in range(N_BINS) if (bins == b).any()]


def calibration_error(probabilities: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the expected calibration error over ten bins of width 0.1; `None` without answers.

    Source: Naeini et al., "Obtaining well calibrated probabilities using Bayesian binning", 2015.
    """
    if not probabilities:
        return None
    gaps = (abs(float((p - y).sum())) for p, y in _binned(probabilities, right))
    return sum(gaps) / len(probabilities)


def risk_coverage(
    probabilities: Sequence[float], right: Sequence[bool]
) -> tuple[tuple[float, float], ...]:
    """Return the share that is wrong among the surest tenth of answers, fifth, and so on.

    Source: El-Yaniv and Wiener, "On the foundations of noise-free selective classification", 2010.

    Returns:
        Pairs of coverage and risk, each in (0, 1] and [0, 1]; none without answers.
    """
    if not probabilities:
        return ()
    order = np.argsort(-np.array(probabilities), kind="stable")
    wrong = np.cumsum(~np.array(right, np.bool_)[order])
    counts = [max(round(len(order) * tenth / 10), 1) for tenth in range(1, 11)]
    return tuple((n / len(order), float(wrong[n - 1] / n)) for n in counts)


def reliability_svg(probabilities: Sequence[float], right: Sequence[bool]) -> str:
    """Draw the share of right answers over what they promised, with a bar of two deviations.

    Source: Niculescu-Mizil and Caruana, "Predicting good probabilities with supervised learning",
    2005.
    """
    size = _SIDE + 2 * _MARGIN

    def x(value: float) -> float:
        return round(_MARGIN + _SIDE * value, 1)

    def y(value: float) -> float:
        return round(size - _MARGIN - _SIDE * value, 1)

    drawn = []
    for promised, outcome in _binned(probabilities, right):
        share, n = float(outcome.mean()), len(outcome)
        spread = 2.0 * (max(share * (1.0 - share), 0.25 / n) / n) ** 0.5
        at = x(float(promised.mean()))
        drawn += [
            f'<path d="M{at} {y(max(share - spread, 0.0))}V{y(min(share + spread, 1.0))}"/>',
            f'<circle cx="{at}" cy="{y(share)}" r="4"/>',
            f'<text x="{at + 7}" y="{y(share) + 4}">{n}</text>',
        ]
    ticks = "".join(
        f'<text x="{x(v)}" y="{y(0) + 18}" text-anchor="middle">{v}</text>'
        f'<text x="{x(0) - 8}" y="{y(v) + 4}" text-anchor="end">{v}</text>'
        for v in (0.0, 0.5, 1.0)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"'
            ' font-family="sans-serif" font-size="12">',
            f'<rect width="{size}" height="{size}" fill="white"/>',
            f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="silver"/>',
            f'<path d="M{x(0)} {y(1)}V{y(0)}H{x(1)}" fill="none" stroke="black"/>',
            f'{ticks}<text x="{x(0.5)}" y="{size - 4}" text-anchor="middle">promised</text>',
            f'<text x="{x(0)}" y="{y(1) - 12}">share and number that are right</text>',
            f'<g stroke="#1f5fa8" fill="#1f5fa8" stroke-width="1.5">{"".join(drawn)}</g>'.replace(
                "<text", '<text stroke="none"'
            ),
            "</svg>",
            "",
        ]
    )
