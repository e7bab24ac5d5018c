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

from desktop_qa.answer.trial import trial
from desktop_qa.answer.trust import Grounds, TrustModel
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import bootstrap_interval
from desktop_qa.evaluate.tables import markdown_table, show
from desktop_qa.evaluate.trust import (
    REFUSALS,
    AskedLibrary,
    Trusted,
    fit_trust,
    trust_figures,
    trust_toml,
    trusted_answer,
)

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
