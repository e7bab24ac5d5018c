"""How far what answers promise of themselves can be relied on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

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
