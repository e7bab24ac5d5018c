"""Logistic regression whose weights never count against what they are of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_STEPS = 4000
_RATE = 0.5


def logistic(
    rows: FloatArray, right: npt.NDArray[np.bool_], shares: FloatArray, ridge: float
) -> tuple[FloatArray, float]:
    """Fit by projected gradient descent, so that no weight is negative.

    Args:
        rows: Features, shape (n, n_features).
        right: The class, shape (n,).
        shares: What each row counts, shape (n,); their sum is 1.
        ridge: Penalty on the square of the weights of features scaled to a deviation of 1.

    Returns:
        The weights, shape (n_features,), and the bias.
    """
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    scaled = (rows - mean) / scale
    weights, bias = np.zeros(rows.shape[1]), 0.0
    for _ in range(_STEPS):
        errors = (1.0 / (1.0 + np.exp(-(scaled @ weights + bias))) - right) * shares
        weights = np.maximum(weights - _RATE * (errors @ scaled + ridge * weights), 0.0)
        bias -= _RATE * float(errors.sum())
    unscaled = weights / scale
    return unscaled, bias - float(unscaled @ mean)
