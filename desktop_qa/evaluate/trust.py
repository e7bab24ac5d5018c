"""Fits and measures how likely an answer is right (`answer.trust`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from desktop_qa.answer.trust import FEATURES, TrustModel
from desktop_qa.evaluate.regression import logistic

Trusted = tuple[Mapping[str, float], bool]
"""Features of an answer, and whether what it gives first is right."""

RIDGE = 0.02
"""Three features and hundreds of answers: more would draw all probabilities to the middle."""

N_BINS = 10


def fit_trust(libraries: Sequence[Sequence[Trusted]]) -> TrustModel:
    """Fit the model; every library counts as the square root of its number of answers.

    Raises:
        ValueError: When no answer is right, or none is wrong.
    """
    answers = [(one, len(own) ** -0.5) for own in libraries for one in own]
    right = np.array([is_right for (_features, is_right), _share in answers], np.bool_)
    if right.all() or not right.any():
        raise ValueError("answers that are right and others that are wrong are needed")
    rows = np.array([[features[name] for name in FEATURES] for (features, _), _share in answers])
    shares = np.array([share for _, share in answers])
    weights, bias = logistic(rows, right, shares / shares.sum(), RIDGE)
    return TrustModel(bias, dict(zip(FEATURES, map(float, weights), strict=True)))


def calibration_error(probabilities: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the expected calibration error over ten bins of width 0.1; `None` without answers.

    Source: Naeini et al., "Obtaining well calibrated probabilities using Bayesian binning", 2015.
    """
    if not probabilities:
        return None
    p, y = np.array(probabilities), np.array(right, np.float64)
    bins = np.minimum((p * N_BINS).astype(int), N_BINS - 1)
    gaps = [abs(float((p[bins == b] - y[bins == b]).sum())) for b in range(N_BINS)]
    return sum(gaps) / len(p)


def trust_toml(model: TrustModel) -> str:
    """Return a model as resources/trust.toml has it."""
    lines = [f"bias = {model.bias:.3f}", "", "[weights]"]
    return "\n".join(lines + [f"{name} = {model.weights[name]:.3f}" for name in FEATURES])
