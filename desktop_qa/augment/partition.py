"""Cuts a run of units (sentences, table rows) into few, even pieces at good places."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def partition(
    n_units: int,
    fill: Callable[[int, int], float],
    break_costs: Sequence[float],
) -> list[tuple[int, int]]:
    """Cut units 0..n-1 into pieces, each no fuller than 1.

    Minimises the sum over pieces of 1 + fill², plus the cost of each break: so as few pieces as
    possible, of even size, broken where it hurts least. Exact, by dynamic programming.

    Args:
        n_units: Number of units.
        fill: Share of the limit that units first..last (inclusive) take; grows with `last`.
        break_costs: Cost of a break before unit i; the first is not used.

    Returns:
        Pieces as (first, last), inclusive. A single unit over the limit stands alone.
    """
    best = [0.0] + [float("inf")] * n_units
    start_of = [0] * (n_units + 1)
    for first in range(n_units):
        cost_before = best[first] + (break_costs[first] if first else 0.0)
        for last in range(first, n_units):
            share = fill(first, last)
            if share > 1.0 and last > first:
                break
            cost = cost_before + 1.0 + share * share
            if cost < best[last + 1]:
                best[last + 1] = cost
                start_of[last + 1] = first
    pieces = []
    end = n_units
    while end > 0:
        pieces.append((start_of[end], end - 1))
        end = start_of[end]
    return pieces[::-1]
