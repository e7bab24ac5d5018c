"""Calibrates when a question is refused: fitted on one half of the banks, reported on the other.

A reply is given when the library is likely to hold an answer (`answer.trust`). The null rate of the
hybrid-retrieval paper is the share of questions that get no answer; on negative ones it should be
1, on the others 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import as_text, first_said
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import answer_score, step_recall
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import bootstrap_interval
from desktop_qa.evaluate.runner import REFUSALS, EvaluatedLibrary
from desktop_qa.evaluate.tables import markdown_table, show

RIDGE_OF_RIGHT = 0.02
"""Penalty on the weights; few features and hundreds of answers: more would draw all probabilities
to the middle."""

RIDGE_OF_ANSWERABLE = 0.03
"""More than of what is right, as questions without an answer are few in most libraries; with 0.1
fewer of them were refused on three of seven libraries left out (docs/benchmarks.md)."""

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


def trusted_answer(
    question: GoldQuestion, library: EvaluatedLibrary, answer: Answer, grounds: Sequence[Grounds]
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


_POSITIVE = "answerable"
ALL_NEGATIVES = "negative, all"
"""Group of every negative question, whatever its kind."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with all that its refusal was decided on.

    Attributes:
        grounds: Of the replies that were judged; empty when the answer did not depend on them.
        trusted: What would be given, and whether it is right; `None` when nothing tells.
        is_refused: With the shipped model.
    """

    question: GoldQuestion
    grounds: tuple[Grounds, ...]
    trusted: Trusted | None
    is_refused: bool

    def is_refused_by(self, model: TrustModel) -> bool:
        """Tell whether a model refuses it."""
        if not self.grounds:
            return self.is_refused
        return not any(model.gives(one) for one in self.grounds)

    @property
    def group(self) -> str:
        """What it is reported with: the kind of a negative question, else "answerable"."""
        return (self.question.kind or "other negative") if self.question.negative else _POSITIVE


def judge(
    bank: Sequence[GoldQuestion],
    library: EvaluatedLibrary,
    on_question: Callable[[int, int], None] | None = None,
) -> tuple[Judged, ...]:
    """Ask the questions of a bank and keep what their refusal is decided on.

    Args:
        bank: Questions with and without an answer in the library.
        library: Asked in this thread.
        on_question: Told the 1-based number of the question at hand and how many there are.
    """
    found = []
    for number, question in enumerate(bank, start=1):
        if on_question is not None:
            on_question(number, len(bank))
        with trial() as own:
            answer = library.ask(Question(question.question))
        trusted = trusted_answer(question, library, answer, own.grounds)
        is_refused = answer.status in REFUSALS
        found.append(Judged(question, tuple(own.grounds), trusted, is_refused))
    return tuple(found)


def halves(judged: Sequence[Judged]) -> tuple[tuple[Judged, ...], tuple[Judged, ...]]:
    """Cut questions into two halves with the same share of every group, by the hash of their ids.

    Returns:
        Two tuples; of a group with an odd number the first has one more.
    """
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.group, []).append(one)
    cut: tuple[list[Judged], list[Judged]] = ([], [])
    for name in sorted(groups):
        ordered = sorted(groups[name], key=lambda one: _hash(one.question.id))
        for position, one in enumerate(ordered):
            cut[position % 2].append(one)
    return tuple(cut[0]), tuple(cut[1])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _fit(judged: Sequence[Judged]) -> TrustModel:
    return fit_trust([[one.trusted for one in judged if one.trusted is not None]])


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was found.

    Attributes:
        shipped: Refused or not with the model of the program, by question.
        held_out: The same, each question by the model that was fitted on the other half.
        halves: The models fitted on each half.
        final: Fitted on all questions: to be used, and not to be measured on them.
    """

    judged: tuple[Judged, ...]
    shipped: tuple[bool, ...]
    held_out: tuple[bool, ...]
    halves: tuple[TrustModel, TrustModel]
    final: TrustModel


def calibrate(judged: Sequence[Judged]) -> Calibration:
    """Fit on each half, measure on the other, and fit on all.

    Raises:
        ValueError: When a half lacks questions with or without an answer.
    """
    first, second = halves(judged)
    models = _fit(first), _fit(second)
    in_first = {one.question.id for one in first}
    held_out = tuple(
        one.is_refused_by(models[1] if one.question.id in in_first else models[0]) for one in judged
    )
    shipped = tuple(one.is_refused for one in judged)
    return Calibration(tuple(judged), shipped, held_out, models, _fit(judged))


def refused_shares(
    judged: Sequence[Judged], refused: Sequence[bool]
) -> dict[str, tuple[int, float, tuple[float, float] | None]]:
    """Return, by group and for all negatives, how many there are, the share refused and its 95 %.

    The share over all negatives is the null rate of the hybrid-retrieval paper on its negative set.
    """
    values: dict[str, list[float]] = {ALL_NEGATIVES: []}
    for one, is_refused in zip(judged, refused, strict=True):
        values.setdefault(one.group, []).append(float(is_refused))
        if one.question.negative:
            values[ALL_NEGATIVES].append(float(is_refused))
    return {
        name: (len(own), sum(own) / len(own), bootstrap_interval(own))
        for name, own in sorted(values.items())
        if own
    }


def wrong(judged: Sequence[Judged], refused: Sequence[bool]) -> list[str]:
    """Return the ids of negatives that are answered and of others that are refused."""
    return [
        one.question.id
        for one, is_refused in zip(judged, refused, strict=True)
        if is_refused != one.question.negative
    ]


def _columns(found: Calibration) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    return ("shipped", found.shipped), ("held out", found.held_out)


def calibration_json(found: Calibration) -> dict[str, Any]:
    """Return shares refused, wrong decisions and models as the command line prints them."""
    models = {"first half": found.halves[0], "second half": found.halves[1], "all": found.final}
    return {
        "n": len(found.judged),
        **{
            name.replace(" ", "_"): {
                "refused": {
                    group: {"n": n, "share": round(share, 4), "interval": interval}
                    for group, (n, share, interval) in refused_shares(found.judged, own).items()
                },
                "wrong": wrong(found.judged, own),
            }
            for name, own in _columns(found)
        },
        "fitted_on": {name: trust_figures(m) for name, m in models.items()},
    }


def format_calibration(found: Calibration) -> str:
    """Return the shares refused as Markdown, what is decided wrongly, and the model of all."""
    tables = []
    for name, own in _columns(found):
        rows = [
            (group, str(n), show(share), f"{show(low)} to {show(high)}")
            for group, (n, share, (low, high)) in (
                (group, (n, share, interval or (share, share)))
                for group, (n, share, interval) in refused_shares(found.judged, own).items()
            )
        ]
        tables += [
            f"Refused, {name}:",
            "",
            markdown_table(("questions", "n", "share", "95 %"), rows),
        ]
        tables.append(f"Decided wrongly: {', '.join(wrong(found.judged, own)) or 'none'}\n")
    return "\n".join([*tables, "Fitted on all:", "", trust_toml(found.final)])
