"""Items gathered into groups, in the order in which they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def in_runs(items: Iterable[T], goes_on: Callable[[list[T], T], bool]) -> list[list[T]]:
    """Cut items where one does not go on with the run before it."""
    return gathered(items, lambda item, runs: runs[-1] if goes_on(runs[-1], item) else None)


def gathered(
    items: Iterable[T], group_of: Callable[[T, list[list[T]]], list[T] | None]
) -> list[list[T]]:
    """Put each item into the group that is chosen of those so far, if any; else it begins one."""
    groups: list[list[T]] = []
    for item in items:
        group = group_of(item, groups) if groups else None
        if group is None:
            groups.append([item])
        else:
            group.append(item)
    return groups
