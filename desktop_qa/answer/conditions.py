"""Conditions under which values hold: whether one fits the question, and where two differ."""

from __future__ import annotations

import re

from desktop_qa.answer.measures import Measure, in_base, is_equal, measures_in, same_kind
from desktop_qa.augment.quantities import plain_quantities

_RANGE = re.compile(
    r"(?P<low>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{0,3})\s*(?P<first>[<≤])\s*[A-Za-z(][\w() ]{0,14}?"
    r"\s*(?P<second>[<≤])\s*(?P<high>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{1,3})"
)
_ONE_SIDED = re.compile(r"(?P<sign>[<>≤≥])\s*(?P<value>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{1,3})")
_NAMED_VALUE = re.compile(
    r"(?P<name>[A-Za-z][\w()]{0,12}(?:\s?=\s?[A-Za-z][\w()]{0,12})*)\s?[=@]\s?(?P<value>[-+−–±]?\s?[\d.]+"
    r"\s?[a-zA-ZµμΩ°%]{1,4})"
)


def condition_fit(condition: str, given: Measure) -> float:
    """Tell how a value of the question fits the condition of a row: 1, 0 (says nothing) or -1."""
    if not condition:
        return 0.0
    for match in _RANGE.finditer(condition):
        fit = _within(match, given)
        if fit is not None:
            return fit
    for match in _ONE_SIDED.finditer(condition):
        bound = _first(match["value"])
        if bound is not None and same_kind(bound, given):
            difference = in_base(given) - in_base(bound)
            return 1.0 if difference == 0 or (difference > 0) == (match["sign"] in ">≥") else -1.0
    measures = [p.measure for p in measures_in(condition) if same_kind(p.measure, given)]
    if any(is_equal(measure, given) for measure in measures):
        return 1.0
    return -0.3 if measures else 0.0


def _within(match: re.Match[str], given: Measure) -> float | None:
    high = _first(match["high"])
    low = _first(match["low"])
    if low is None and high is not None and high.text:
        low = _first(f"{match['low']} {high.text.split()[-1]}")
    if high is None or low is None or not (same_kind(high, given) and same_kind(low, given)):
        return None
    value, least, most = in_base(given), in_base(low), in_base(high)
    is_above = value >= least if match["first"] == "≤" else value > least
    is_below = value <= most if match["second"] == "≤" else value < most
    return 1.0 if is_above and is_below else -1.0


def differing_conditions(one: str, other: str) -> list[str]:
    """Return what two conditions set to different values: "VM = 5 V and VM = 2.7 V"."""
    values = _named_values(other)
    found = []
    for name, measure in _named_values(one).items():
        against = values.get(name)
        if against is not None and same_kind(measure, against) and not is_equal(measure, against):
            found.append(f"{name} = {measure} and {name} = {against}")
    return found


def _named_values(condition: str) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for match in _NAMED_VALUE.finditer(plain_quantities(condition)):
        measure = _first(match["value"])
        if measure is not None:
            for name in match["name"].split("="):
                found.setdefault(name.strip(), measure)
    return found


def _first(text: str) -> Measure | None:
    placed = measures_in(text)
    return placed[0].measure if placed else None
