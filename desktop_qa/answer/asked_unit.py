"""The unit that a question wants its result in."""

from __future__ import annotations

import re

from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    converted,
    measures_in,
    shown,
)

_NO_UNITS = frozenset(["a", "in", "min", "m", "degrees", "degree", "cycles", "bits", "bit"])
_IN_UNIT = re.compile(
    r"\bin\s+([µμ]?[A-Za-zΩ°%]{1,12}(?:/[A-Za-z]{1,3})?)\b|\bhow\s+many\s+([µμ]?[A-Za-zΩ°]{1,12})\b"
)


def asked_unit(text: str) -> str:
    """Return the unit that a question wants its result in, "" for none."""
    for match in _IN_UNIT.finditer(text):
        unit = match[1] or match[2]
        if measures_in(f"1 {unit}") and unit.casefold() not in _NO_UNITS:
            return unit
    return ""


def as_asked(result: Measure, text: str) -> str:
    """Show a result in the unit asked for, when there is one that fits."""
    unit = asked_unit(text)
    if unit:
        try:
            return str(converted(result, unit))
        except UnitsDoNotFitError:
            return shown(result)
    return shown(result)
