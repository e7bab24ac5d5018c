"""Fits how statements are ordered (`answer.ranking`): the right one before all others.

A conditional logistic regression (McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974): of all statements of a question one of the right ones is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.ranking import FEATURES, Measured
from desktop_qa.evaluate.answers import answer_score
from desktop_qa.evaluate.bank import GoldQuestion

FloatArray = npt.NDArray[np.float64]

RIDGE = 0.01
"""Penalty on the square of the weights of features scaled to a deviation of 1."""

_STEPS = 400
_RATE, _MOMENTUM = 0.2, 0.9


@dataclass(frozen=True, slots=True)
class LabelledStatements:
    """The statements that one question could be answered by.

    Attributes:
        rows: Features in the order of `FEATURES`, shape (n_statements, n_features).
        right: Which of them answer it alone, shape (n_statements,); some do.
    """

    rows: FloatArray
    right: npt.NDArray[np.bool_]

    def is_right_within(self, weights: FloatArray, k: int) -> bool:
        """Tell whether one of the first k is right, ordered by weights."""
        return bool(self.right[np.argsort(-(self.rows @ weights), kind="stable")[:k]].any())


def label(question: GoldQuestion, measured: Sequence[Measured]) -> LabelledStatements | None:
    """Tell which statements of a question are right by its gold answer; `None` when none is."""
    for one in measured:
        scores = [answer_score(question, statement.text) for statement in one.statements]
        right = np.array([score == 1.0 for score in scores], np.bool_)
        if right.any():
            rows = [[own[name] for name in FEATURES] for own in one.features]
            return LabelledStatements(np.array(rows, np.float64), right)
    return None


def in_order(weights: Mapping[str, float]) -> FloatArray:
    """Return weights in the order of `FEATURES`, shape (n_features,)."""
    return np.array([weights[name] for name in FEATURES], np.float64)


def fit_statements(
    libraries: Sequence[Sequence[LabelledStatements]], without: str = ""
) -> dict[str, float]:
    """Fit the weights of all features.

    Args:
        without: A feature that nothing is told of: its weight is 0.
        libraries: Questions by library. One of them weighs as the square root of its number of
            questions, so that a large bank of one document does not decide for all.

    Raises:
        ValueError: When there is no question.
    """
    questions = [(one, 1.0 / math.sqrt(len(own))) for own in libraries for one in own]
    if not questions:
        raise ValueError("questions whose answer stands in one statement are needed")
    rows = np.concatenate([one.rows for one, _ in questions])
    rows = rows * [name != without for name in FEATURES]
    right = np.concatenate([one.right for one, _ in questions]).astype(np.float64)
    lengths = [len(one.right) for one, _ in questions]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    of_question = np.repeat(np.arange(len(questions)), lengths)
    shares = np.array([weight for _, weight in questions])
    shares /= shares.sum()
    scale = rows.std(axis=0) + 1e-9
    scaled = rows / scale

    weights, speed = np.zeros(len(FEATURES)), np.zeros(len(FEATURES))
    for _ in range(_STEPS):
        scores = scaled @ (weights + _MOMENTUM * speed)
        exponents = np.exp(scores - np.maximum.reduceat(scores, starts)[of_question])
        of_all = np.add.reduceat(exponents, starts)
        of_right = np.add.reduceat(exponents * right, starts) + 1e-12
        errors = exponents * (
            (shares / of_all)[of_question] - (shares / of_right)[of_question] * right
        )
        slope = errors @ scaled + 2 * RIDGE * weights
        speed = _MOMENTUM * speed - _RATE * slope
        weights = weights + speed
    return dict(zip(FEATURES, map(float, weights / scale), strict=True))


def statements_toml(weights: Mapping[str, float]) -> str:
    """Return weights as resources/statements.toml has them."""
    return "\n".join(["[weights]", *(f"{name} = {weights[name]:.3f}" for name in FEATURES), ""])
