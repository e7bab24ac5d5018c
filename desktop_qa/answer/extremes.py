"""Conditions that a question names by their extreme: "at its slowest data rate".

Which row that is can only be told among the rows of its table. The value asked for is no condition:
"the highest output voltage" asks for a bound, "with the highest gain" sets a condition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.statement import Statement
from desktop_qa.retrieve.answer_kind import dimensions_named

_MOST = r"fastest|highest|largest|widest|greatest|longest|biggest|maximum|hottest|strongest|top"
_LEAST = (
    r"slowest|lowest|smallest|narrowest|least|shortest|minimum|coldest|weakest|most\s+sensitive"
)
_CONDITION = re.compile(
    rf"\b(?:at|in|on|with|for|under|using|during|when|while|set\s+to)\s+(?:its|the|their|your)?\s*"
    rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\s+(?P<what>[\w-]+(?:\s+[\w-]+){{0,2}})",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(-?\d+(?:\.\d+)?)(\D.*)")
_DIMENSION_OF_BASE = {
    "v": "voltage", "a": "current", "hz": "frequency", "sps": "frequency", "bps": "frequency",
    "bit/s": "frequency", "bd": "frequency", "degc": "temperature", "ohm": "resistance",
    "w": "power", "s": "time", "f": "capacitance", "h": "inductance", "m": "length",
    "pa": "pressure", "t": "magnetic field", "gauss": "magnetic field", "g": "acceleration",
    "dps": "angular rate", "lux": "light", "lx": "light",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Extreme:
    """A condition that is the most or the least of its dimension."""

    dimension: str
    is_most: bool


def extremes_in(question: str, asked: frozenset[str]) -> tuple[Extreme, ...]:
    """Find the conditions a question names by their extreme.

    Args:
        question: As asked.
        asked: Dimensions of the value that is asked for.
    """
    found = []
    for match in _CONDITION.finditer(question):
        for dimension in sorted(dimensions_named(match["what"]) - asked):
            found.append(Extreme(dimension, match["most"] is not None))
    return tuple(dict.fromkeys(found))


def at_extreme(candidates: Sequence[Statement], extreme: Extreme) -> frozenset[int]:
    """Return the indices of the rows that hold the extreme among the rows of their table.

    A table counts when at least two of its rows have different values of the dimension.
    """
    by_table: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for index, statement in enumerate(candidates):
        element = statement.evidence.segment.element
        amounts = _amounts(statement, extreme.dimension)
        if statement.cells and element is not None and amounts:
            key = (statement.evidence.segment.document_id, element.index)
            amount = max(amounts) if extreme.is_most else min(amounts)
            by_table.setdefault(key, []).append((index, amount))
    held: set[int] = set()
    for rows in by_table.values():
        different = {amount for _index, amount in rows}
        if len(different) > 1:
            wanted = max(different) if extreme.is_most else min(different)
            held.update(index for index, amount in rows if amount == wanted)
    return frozenset(held)


def _amounts(statement: Statement, dimension: str) -> list[float]:
    amounts = []
    for value in statement.values:
        match = _VALUE.fullmatch(value)
        if match and _DIMENSION_OF_BASE.get(match[2]) == dimension:
            amounts.append(float(match[1]))
    return amounts
