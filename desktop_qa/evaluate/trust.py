"""Fits the regressions of `answer.trust`: whether there is an answer, and whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.trial import trial
from desktop_qa.answer.trust import (
    OF_ANSWERABLE,
    OF_RIGHT,
    OF_SORT,
    Grounds,
    Regression,
    Sorts,
    TrustModel,
    shipped_trust,
)
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import as_text, first_said
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import answer_score, step_recall
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.runner import REFUSALS, Ask

RIDGE_OF_RIGHT = 0.02
"""Penalty on the weights; few features and hundreds of answers: more would draw all probabilities
to the middle."""

RIDGE_OF_ANSWERABLE = 0.03
"""More than of what is right, as questions without an answer are few in most libraries; with 0.1
fewer of them were refused on three of seven libraries left out (docs/benchmarks.md)."""

_MOST_STEPS = 0.5
"""Share of the gold steps from which a procedure is right."""

_ALL_LIKELY = TrustModel(*[dict.fromkeys(OF_SORT, Regression(9.0, {}))] * 2)
"""Withholds nothing, so that what was withheld can be judged, too."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """What an answer rests on, and what is known of it.

    Attributes:
        is_answerable: The library holds an answer.
        is_right: What is given first is it.
    """

    grounds: Grounds
    is_answerable: bool
    is_right: bool


def trusted_answer(
    question: GoldQuestion, ask: Ask, answer: Answer, grounds: Sequence[Grounds]
) -> Trusted | None:
    """Tell whether what was, or would be, given first is right; `None` when that says nothing.

    Args:
        question: With what is right.
        ask: Asks once more, with nothing withheld, where the answer was refused.
        answer: To the question.
        grounds: What its replies were trusted on.
    """
    if not grounds:
        return None
    if answer.status in REFUSALS:
        with trial(trust=_ALL_LIKELY) as anew:
            answer = ask(Question(question.question))
        grounds = anew.grounds
    if answer.status in REFUSALS or answer.probability is None:
        return None
    is_right = _is_right(question, answer, sort=grounds[-1].sort)
    return Trusted(grounds[-1], not question.negative, is_right)


def _is_right(question: GoldQuestion, answer: Answer, *, sort: str) -> bool:
    """Judge the first block of what was chosen by score, else all of it: a list is one answer."""
    if question.negative:
        return False
    whole = as_text(answer.blocks, with_markers=False)
    said = as_text(first_said(answer.blocks), with_markers=False) if sort == "ranked" else whole
    score = answer_score(question, said)
    if score is None:
        score = float((step_recall(question.steps, whole) or 0.0) >= _MOST_STEPS)
    return score == 1.0


def fit_trust(libraries: Sequence[Sequence[Trusted]]) -> TrustModel:
    """Fit the models.

    Of what is right every library counts as the square root of its number of answers; of what is
    answerable both classes count alike. A sort without both classes keeps the shipped model.

    Raises:
        ValueError: When no answer is right, or none is wrong, or no question is without an answer.
    """
    answers = [one for own in libraries for one in own]
    if len({one.is_right for one in answers}) < 2:
        raise ValueError("answers that are right and others that are wrong are needed")
    if len({one.is_answerable for one in answers}) < 2:
        raise ValueError("questions with and without an answer are needed")
    of_library = np.array([len(own) ** -0.5 for own in libraries for _ in own])
    right = np.array([one.is_right for one in answers])
    answerable = np.array([one.is_answerable for one in answers])
    shipped = shipped_trust()
    return TrustModel(
        _fitted(OF_ANSWERABLE, answers, answerable, None, shipped.answerable, RIDGE_OF_ANSWERABLE),
        _fitted(OF_RIGHT, answers, right, of_library, shipped.right, RIDGE_OF_RIGHT),
    )


def _fitted(
    features: tuple[str, ...],
    answers: Sequence[Trusted],
    of_class: npt.NDArray[np.bool_],
    counts: npt.NDArray[np.float64] | None,
    otherwise: Sorts,
    ridge: float,
) -> Sorts:
    """Fit the regression of each sort.

    Args:
        features: Of what was not computed.
        answers: Of all sorts.
        of_class: Which of them are of the class, shape (n,).
        counts: What each counts, shape (n,); without it both classes count alike.
        otherwise: Kept for a sort that has one class only.
        ridge: See `logistic`.
    """
    found = {}
    for sort, of_sort in OF_SORT.items():
        names = of_sort if sort == "computed" else (*features, *of_sort)
        is_own = np.array([one.grounds.sort == sort for one in answers])
        own = of_class[is_own]
        if own.all() or not own.any():
            found[sort] = otherwise[sort]
            continue
        shares = np.where(own, 1 / own.sum(), 1 / (~own).sum())
        if counts is not None:
            shares = counts[is_own]
        chosen = [one for one, is_one in zip(answers, is_own, strict=True) if is_one]
        rows = np.array([[one.grounds.features[name] for name in names] for one in chosen])
        weights, bias = logistic(rows, own, shares / shares.sum(), ridge)
        found[sort] = Regression(bias, dict(zip(names, map(float, weights), strict=True)))
    return found


def trust_toml(model: TrustModel) -> str:
    """Return a model as resources/trust.toml has it."""
    lines = []
    for name, sorts in (("answerable", model.answerable), ("right", model.right)):
        for sort, own in sorts.items():
            figures = {"bias": own.bias, **own.weights}
            lines += [f"[{name}.{sort}]", *(f"{n} = {value:.3f}" for n, value in figures.items())]
            lines.append("")
    return "\n".join(lines)


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
