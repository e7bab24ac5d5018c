"""Counts that add up over documents, and the shares that are made of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Count:
    """`n_good` of `n` things."""

    n_good: int = 0
    n: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.n_good + other.n_good, self.n + other.n)

    @property
    def share(self) -> float | None:
        """`n_good / n`; `None` when there was nothing to count."""
        return self.n_good / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Counts:
    """Several counts of one document, which add up each for itself."""

    def __add__(self, other: Self) -> Self:
        names = [each.name for each in fields(self)]
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


NONE = Count()
"""Nothing counted yet."""


def f1(precision: float | None, recall: float | None) -> float | None:
    """Harmonic mean; `None` when either is unknown."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
