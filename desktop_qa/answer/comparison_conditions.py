"""Conditions of values: whether two are the same, and which values they name."""

from __future__ import annotations

import re
from functools import lru_cache

from desktop_qa.answer.parameters import Parameter
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.document import BOUNDS
from desktop_qa.index.terms import terms_of


@lru_cache(maxsize=16384)
def condition_values(text: str) -> frozenset[str]:
    """Return the currents, voltages and frequencies of a condition; temperatures say little."""
    values = (v for v in find_values(text) if not v.endswith("degc"))
    return frozenset(v for v in values if not re.match(r"0[a-z]", v))


def same_condition(a: Parameter, b: Parameter) -> float:
    """Score how alike two conditions are, 0 to 1; what bounds are stated counts a little."""
    if bool(a.quote) is not bool(b.quote):
        return 0.0
    one, other = _condition_terms(a.condition), _condition_terms(b.condition)
    if not one and not other:
        score = 0.9
    elif not one or not other:
        return 0.0
    else:
        score = 2.0 * len(one & other) / (len(one) + len(other))
    roles_a = {x.role for x in a.amounts if x.role in BOUNDS}
    roles_b = {x.role for x in b.amounts if x.role in BOUNDS}
    if roles_a and roles_b and roles_a.isdisjoint(roles_b):
        score -= 0.3
    return score


@lru_cache(maxsize=16384)
def _condition_terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(re.sub(r"\b(T|I|V)\s(?=[AJO]\b)", r"\1", text)))
