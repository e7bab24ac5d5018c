"""Fits and measures how likely an answer is right (`answer.trust`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.trial import trial
from desktop_qa.answer.trust import (
    OF_ANSWERABLE,
    OF_RANKED,
    OF_RIGHT,
    Grounds,
    Regression,
    Sorts,
    TrustModel,
    shipped_trust,
)
from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.answer_blocks import as_text, first_said
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import answer_score, step_recall
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.regression import logistic

RIDGE_OF_RIGHT = 0.02
"""Penalty on the weights; few features and hundreds of answers: more would draw all probabilities
to the middle."""

RIDGE_OF_ANSWERABLE = 0.1
"""Questions without an answer are few in most libraries: with 0.02 one in five answerable ones was
refused on libraries left out."""

REFUSALS = (AnswerStatus.NOT_FOUND, AnswerStatus.WITHHELD)

_MOST_STEPS = 0.5
"""Share of the gold steps from which a procedure is right."""

_ALL_LIKELY = TrustModel(*[Sorts(*[Regression(9.0, {})] * 2)] * 2)
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


class AskedLibrary(Protocol):
    """What is fitted on: a library that answers questions."""

    def ask(self, question: Question) -> Answer:
        """Answer a question."""


def trusted_answer(
    question: GoldQuestion, library: AskedLibrary, answer: Answer, grounds: Sequence[Grounds]
) -> Trusted | None:
    """Tell whether what was, or would be, given first is right; `None` when that says nothing.

    Args:
        question: With what is right.
        library: Asked once more, with nothing withheld, where the answer was refused.
        answer: To the question.
        grounds: What its replies were trusted on.
    """
    if not grounds:
        return None
    if answer.status in REFUSALS:
        with trial(trust=_ALL_LIKELY) as anew:
            answer = library.ask(Question(question.question))
        grounds = anew.grounds
    if answer.status in REFUSALS or answer.probability is None:
        return None
    is_right = _is_right(question, answer, is_ranked=grounds[-1].is_ranked)
    return Trusted(grounds[-1], not question.negative, is_right)


def _is_right(question: GoldQuestion, answer: Answer, *, is_ranked: bool) -> bool:
    """Judge the first block of what was chosen by score, else all of it: a list is one answer."""
    if question.negative:
        return False
    whole = as_text(answer.blocks, with_markers=False)
    said = as_text(first_said(answer.blocks), with_markers=False) if is_ranked else whole
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
        features: Of what was not ranked.
        answers: Of all sorts.
        of_class: Which of them are of the class, shape (n,).
        counts: What each counts, shape (n,); without it both classes count alike.
        otherwise: Kept for a sort that has one class only.
        ridge: See `logistic`.
    """
    found = []
    for is_ranked, shipped in ((True, otherwise.ranked), (False, otherwise.told)):
        names = (*features, *OF_RANKED) if is_ranked else features
        is_own = np.array([one.grounds.is_ranked is is_ranked for one in answers])
        own = of_class[is_own]
        if own.all() or not own.any():
            found.append(shipped)
            continue
        shares = np.where(own, 1 / own.sum(), 1 / (~own).sum())
        if counts is not None:
            shares = counts[is_own]
        chosen = [one for one, is_one in zip(answers, is_own, strict=True) if is_one]
        rows = np.array([[one.grounds.features[name] for name in names] for one in chosen])
        weights, bias = logistic(rows, own, shares / shares.sum(), ridge)
        found.append(Regression(bias, dict(zip(names, map(float, weights), strict=True))))
    return Sorts(*found)


def trust_figures(model: TrustModel) -> dict[str, dict[str, float]]:
    """Return bias and weights of each regression, by its name in resources/trust.toml."""
    return {
        f"{name}.{sort}": {"bias": own.bias, **own.weights}
        for name, sorts in (("answerable", model.answerable), ("right", model.right))
        for sort, own in (("ranked", sorts.ranked), ("told", sorts.told))
    }


def trust_toml(model: TrustModel) -> str:
    """Return a model as resources/trust.toml has it."""
    lines = []
    for table, figures in trust_figures(model).items():
        lines += [f"[{table}]", *(f"{name} = {value:.3f}" for name, value in figures.items()), ""]
    return "\n".join(lines)
