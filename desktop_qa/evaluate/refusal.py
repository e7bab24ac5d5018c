"""Calibrates when a question is refused: fitted on one half of the banks, reported on the other.

The model is a logistic regression with few features, none of which may count against an answer
(`answer.support`). The null rate of the hybrid-retrieval paper is the share of questions that get
no answer; on negative ones it should be 1, on the others 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from desktop_qa.answer.support import FEATURES, SupportFeatures, SupportModel, recorded_support
from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import bootstrap_interval
from desktop_qa.evaluate.regression import logistic
from desktop_qa.evaluate.tables import markdown_table, show

RIDGE = 0.1
"""Features that say the same share their weight. From 0.005 to 0.1 the shares refused on held-out
questions change by less than 0.02."""

THRESHOLD = 0.3
"""Probability of an answer from which it is given. Fixed: fitted, it moved from 0.1 to 0.5 between
halves, while from 0.3 to 0.5 the shares refused change by 0.02. The low end spares answers."""

_REFUSALS = (AnswerStatus.NOT_FOUND, AnswerStatus.WITHHELD)
_POSITIVE = "answerable"
ALL_NEGATIVES = "negative, all"
"""Group of every negative question, whatever its kind."""


class AskedLibrary(Protocol):
    """What is calibrated: a library that answers questions."""

    def ask(self, question: Question) -> Answer:
        """Answer a question."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with all that its refusal was decided on.

    Attributes:
        features: Of the replies that were judged; empty when the answer did not depend on them.
        is_refused: With the shipped model.
    """

    question: GoldQuestion
    features: tuple[SupportFeatures, ...]
    is_refused: bool

    @property
    def is_fixed(self) -> bool:
        """True when no weight changes whether it is refused."""
        return not self.features or any(one.is_at_place for one in self.features)

    def is_refused_by(self, model: SupportModel) -> bool:
        """Tell whether a model refuses it."""
        if self.is_fixed:
            return self.is_refused
        return not any(model.supports(one) for one in self.features)

    @property
    def group(self) -> str:
        """What it is reported with: the kind of a negative question, else "answerable"."""
        return (self.question.kind or "other negative") if self.question.negative else _POSITIVE


def judge(
    bank: Sequence[GoldQuestion],
    library: AskedLibrary,
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
        with recorded_support() as features:
            answer = library.ask(Question(question.question))
        found.append(Judged(question, tuple(features), answer.status in _REFUSALS))
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


def fit_support(judged: Sequence[Judged]) -> SupportModel:
    """Fit the model to questions of which it is known whether they have an answer.

    Both classes count alike, however many questions they have. A question is represented by its
    best supported reply.

    Raises:
        ValueError: When one of the classes is empty.
    """
    usable = [
        one
        for one in judged
        if not one.is_fixed and any(f.is_new and not f.kind for f in one.features)
    ]
    rows = np.array([_best(one).values for one in usable])
    answerable = np.array([not one.question.negative for one in usable])
    if answerable.all() or not answerable.any():
        raise ValueError("questions with and without an answer are needed")
    shares = np.where(answerable, 0.5 / answerable.sum(), 0.5 / (~answerable).sum())
    weights, bias = logistic(rows, answerable, shares, RIDGE)
    return SupportModel(bias, dict(zip(FEATURES, map(float, weights), strict=True)), THRESHOLD)


def _best(one: Judged) -> SupportFeatures:
    return max(
        one.features,
        key=lambda features: (features.is_new and not features.kind, features.sentence),
    )


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
    halves: tuple[SupportModel, SupportModel]
    final: SupportModel


def calibrate(judged: Sequence[Judged]) -> Calibration:
    """Fit on each half, measure on the other, and fit on all.

    Raises:
        ValueError: When a half lacks questions with or without an answer.
    """
    first, second = halves(judged)
    models = fit_support(first), fit_support(second)
    in_first = {one.question.id for one in first}
    held_out = tuple(
        one.is_refused_by(models[1] if one.question.id in in_first else models[0]) for one in judged
    )
    shipped = tuple(one.is_refused for one in judged)
    return Calibration(tuple(judged), shipped, held_out, models, fit_support(judged))


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


def model_toml(model: SupportModel) -> str:
    """Return a model as resources/support.toml has it."""
    lines = [f"bias = {model.bias:.3f}", f"threshold = {model.threshold:g}", "", "[weights]"]
    return "\n".join(lines + [f"{name} = {model.weights[name]:.3f}" for name in FEATURES])


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
        "fitted_on": {
            name: {"bias": m.bias, "threshold": m.threshold, "weights": dict(m.weights)}
            for name, m in models.items()
        },
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
    return "\n".join([*tables, "Fitted on all:", "", model_toml(found.final)])
