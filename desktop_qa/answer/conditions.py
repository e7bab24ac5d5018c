"""Conditions under which values hold: whether one fits the question, and where two differ."""

from __future__ import annotations

import operator
import re

from desktop_qa.answer.measures import Measure, in_base, is_equal, measures_in, same_kind
from desktop_qa.augment.quantities import plain_quantities

_BOUNDS = {"<": operator.lt, "≤": operator.le, ">": operator.gt, "≥": operator.ge}
_FLIPPED = str.maketrans("<≤>≥", ">≥<≤")
_LOW_WITHOUT_UNIT = re.compile(
    r"(\d)(?=\s*[<≤][^<>≤≥\d]{1,16}[<≤]\s*[-+−–]?\s?[\d.]+(\s?[a-zA-ZµμΩ°]{1,3}))"
)
"""Of "2.7 < VDD ≤ 5.5 V"."""

_NAMED_VALUE = re.compile(
    r"(?P<name>[A-Za-z][\w()]{0,12}(?:\s?=\s?[A-Za-z][\w()]{0,12})*)\s?[=@]\s?(?P<value>[-+−–±]?\s?[\d.]+"
    r"\s?[a-zA-ZµμΩ°%]{1,4})"
)


def condition_fit(condition: str, given: Measure) -> float:
    """Tell how a value of the question fits the condition of a row: 1, 0 (says nothing) or -1."""
    plain = plain_quantities(_LOW_WITHOUT_UNIT.sub(r"\1\2", condition))
    measures = [p for p in measures_in(plain) if same_kind(p.measure, given)]
    is_held = []
    for placed in measures:
        before = plain[: placed.start].rstrip()[-1:]
        behind = plain[placed.end :].lstrip()[:1].translate(_FLIPPED)
        if holds := _BOUNDS.get(before) or _BOUNDS.get(behind):
            is_end = len(measures) == 1 and is_equal(placed.measure, given)
            is_held.append(is_end or holds(in_base(given), in_base(placed.measure)))
    if is_held:
        return 1.0 if all(is_held) else -1.0
    if any(is_equal(placed.measure, given) for placed in measures):
        return 1.0
    return -0.3 if measures else 0.0


def differing_conditions(one: str, other: str) -> list[str]:
    """Return what two conditions set to different values: "VM = 5 V and VM = 2.7 V"."""
    values = _named_values(other)
    pairs = ((name, own, values.get(name)) for name, own in _named_values(one).items())
    return [
        f"{name} = {own} and {name} = {against}"
        for name, own, against in pairs
        if against is not None and same_kind(own, against) and not is_equal(own, against)
    ]


def _named_values(condition: str) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for match in _NAMED_VALUE.finditer(plain_quantities(condition)):
        for placed in measures_in(match["value"])[:1]:
            for name in match["name"].split("="):
                found.setdefault(name.strip(), placed.measure)
    return found
