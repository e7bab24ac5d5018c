"""The rows of a comparison that a person means by the name of a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.comparison_rows import ComparisonRow
from desktop_qa.answer.parameter_names import (
    KnownParameter,
    asked_parameters,
    known_by_unit,
    stems,
)
from desktop_qa.answer.parameters import Parameter
from desktop_qa.retrieve.paraphrases import paraphrases

_MIN_FIT = 0.6
_AS_GOOD = 0.15


def rows_of(rows: Sequence[ComparisonRow], parameter: str, unit: str = "") -> list[ComparisonRow]:
    """Return the rows of a parameter, the fullest first; limits that destroy only if none else.

    Args:
        rows: Of a comparison.
        parameter: As typed; empty when only a unit tells what is meant.
        unit: Base unit that its values must have; empty for any.
    """
    known = _meant(parameter, unit)
    words = frozenset(stems(parameter))
    scored = []
    for position, row in enumerate(rows):
        if unit and all(p.unit != unit for p in row.stated):
            continue
        fit = max(_fit(p, known, words) for p in row.stated)
        if fit >= _MIN_FIT:
            key = (row.is_rating, -round(fit, 1), -len(row.stated), not row.is_main, position)
            scored.append((key, row))
    scored.sort(key=lambda item: item[0])
    if not scored:
        return []
    (best_rating, best_fit, *_rest), _row = scored[0]
    return [
        row
        for (is_rating, fit, *_more), row in scored
        if is_rating == best_rating and fit <= best_fit + _AS_GOOD
    ]


def is_meant(parameter: Parameter, name: str, unit: str = "") -> bool:
    """Tell whether a parameter of a document is what a person calls so."""
    if unit and parameter.unit != unit:
        return False
    return _fit(parameter, _meant(name, unit), frozenset(stems(name))) >= _MIN_FIT


def _meant(parameter: str, unit: str) -> tuple[KnownParameter, ...]:
    if not parameter:
        return known_by_unit(unit) if unit else ()
    known = asked_parameters(parameter, unit)
    if known:
        return known
    said = (asked_parameters(words, unit) for words in paraphrases(parameter))
    return next((found for found in said if found), ())


def _fit(parameter: Parameter, known: Sequence[KnownParameter], words: frozenset[str]) -> float:
    named = frozenset(stems(f"{parameter.name} {parameter.symbol}"))
    around = named | frozenset(stems(f"{parameter.heading} {parameter.condition}"))
    fit = 2.0 * len(words & around) / (len(words) + len(named)) if words else 0.0
    if parameter.key.known is not None and parameter.key.known in known:
        return 1.0 + 0.3 * min(fit, 1.0)
    if not words & named:
        return 0.0
    return min(fit, 0.95) if not known or words <= named else 0.0
