"""Options that are values: the value the question asks for is read, and compared by its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.answer.measures import Measure, dimension, in_base, is_equal, measures_in
from desktop_qa.answer.operands import Reading, Request, look_up
from desktop_qa.answer.options import ChoiceTask, Judged, Option

_SMALLEST = re.compile(
    r"\b(?:slowest|lowest|smallest|shortest|least|minimum|narrowest|coldest)\b", re.I
)
_LARGEST = re.compile(
    r"\b(?:fastest|highest|largest|longest|most|maximum|widest|hottest|biggest)\b", re.I
)
_TIED = 0.12
_LEAST = 0.15
"""Score of a reading that may still decide: that an option is its value speaks for it."""

_BASE = 0.3


def judged_by_values(asked: ChoiceTask) -> list[Judged]:
    """Judge options that are quantities; empty when they are not, or none is stated."""
    measures = [_measures(option) for option in asked.options]
    if any(not m for m in measures) or len({dimension(m[0].unit) for m in measures}) != 1:
        return []
    given = tuple(p.measure for p in measures_in(asked.stem))
    request = Request(
        text=asked.stem,
        terms=asked.terms,
        kind=dimension(measures[0][0].unit),
        given=given,
        document_ids=asked.task.query.document_ids,
    )
    options = [measure for own in measures for measure in own]
    readings = [
        reading
        for reading in look_up(asked.task, request, _LEAST)
        if any(is_equal(reading.measure, option, 1e-4) for option in options)
    ]
    readings = _by_superlative(readings, asked.stem)
    return [
        _judge(option, own, readings) for option, own in zip(asked.options, measures, strict=True)
    ]


def _measures(option: Option) -> list[Measure]:
    return [placed.measure for placed in measures_in(option.text)]


def _judge(option: Option, own: Sequence[Measure], readings: Sequence[Reading]) -> Judged:
    """Score an option by the best value of the documents that is its own.

    An option of several values ("-40 to 85 °C") needs all of them in one cell or sentence.
    """
    best = Judged(option.letter, option.text, 0.0)
    for reading in readings:
        statement = reading.statement
        if statement is None or not any(is_equal(m, reading.measure, 1e-4) for m in own):
            continue
        stated = [placed.measure for placed in measures_in(statement.text.replace("*", ""))]
        stated.append(reading.measure)
        if len(own) > 1 and not all(any(is_equal(m, s, 1e-4) for s in stated) for m in own):
            continue
        score = _BASE + (1 - _BASE) * reading.score
        if score > best.score:
            best = Judged(option.letter, option.text, score, statement)
    return best


def _by_superlative(readings: list[Reading], stem: str) -> list[Reading]:
    """Let "the slowest rate" choose among rows that fit alike and differ in what is compared.

    What is compared stands in the rows' names or conditions ("250kbps"); where it stands under the
    bound itself, the bound has been read already.
    """
    sign = -1.0 if _SMALLEST.search(stem) else 1.0 if _LARGEST.search(stem) else 0.0
    if not readings or not sign:
        return readings
    tied = [r for r in readings if r.score >= readings[0].score - _TIED]
    keyed = [(key, r) for r in tied if (key := _compared(r)) is not None]
    if len(keyed) < 2 or len({dimension(k.unit) for k, _r in keyed}) != 1:
        return readings
    first = max(keyed, key=lambda pair: sign * in_base(pair[0]))[1]
    above = readings[0].score + 0.1
    moved = Reading(
        first.measure, first.name, above, first.bound, first.is_as_asked, first.condition,
        first.statement, first.named,
    )  # fmt: skip
    return [moved, *(r for r in readings if r is not first)]


def _compared(reading: Reading) -> Measure | None:
    text = f"{reading.name}, {reading.condition}"
    if reading.statement is not None:
        text = f"{reading.statement.text.replace('*', '').split(':')[0]}, {text}"
    kind = dimension(reading.measure.unit)
    others = [
        placed.measure
        for placed in measures_in(text)
        if dimension(placed.measure.unit) not in (kind, "dimensionless")
    ]
    return others[0] if others else None
