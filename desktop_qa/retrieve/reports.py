"""Which quarter a report is of, and which of several reports are of the quarters asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from desktop_qa.augment.periods import (
    BARE_YEAR,
    periods_ended,
    plain_periods,
    quarter_numbers,
    quarters_named,
)
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import Segment

LAST_QUARTER = 4
"""And the length of a year."""


class Quarter(NamedTuple):
    """The quarter that a report is of.

    Attributes:
        number: 1 to 4.
        year: Fiscal, as the report calls it.
        ends: The year of its last day, by which columns are headed.
    """

    number: int
    year: int
    ends: int


def reported_quarter(segments: Sequence[Segment]) -> Quarter | None:
    """Return the quarter that a report is of.

    A release names it on its first page before all others. Of a filing that period counts which it
    reports most often up to the last day that it speaks of much: to the second quarter more is said
    of six months than of three. One of a whole year is of the fourth quarter, too. The year is the
    one that the day is in, or, where the quarter is named by it more often, the one beside: a year
    may end early in the next, or its quarters in the one before.

    Args:
        segments: Of the report, by ordinal.

    Returns:
        `None` for what reports no period.
    """
    first: tuple[int, int] | None = None
    named: Counter[tuple[int, int]] = Counter()
    ended: Counter[tuple[int, str, int]] = Counter()
    days: Counter[tuple[str, int]] = Counter()
    for segment in segments:
        found, ends = quarters_named(segment.text), periods_ended(segment.text)
        if found and segment.provenances[0].page_no == 1:
            first = first or found[0]
        named.update(found)
        ended.update(ends)
        days.update(end[1:] for end in ends)
    if not ended:
        return Quarter(*first, first[1]) if first else None
    # Heads of tables repeat the year before.
    least = max(days.values()) / 2
    last = max(year for (_day, year), n in days.items() if n >= least)
    own = (end for end in ended if end[2] == last)
    number, day, year = max(own, key=lambda end: (days[end[1:]], ended[end], end[0]))
    if first:
        return Quarter(*first, year)
    years = [year, year + 1]
    if number == LAST_QUARTER:
        years = [year, year - 1] if day.startswith(("jan", "feb")) else [year]
    return Quarter(number, max(years, key=lambda fiscal: named[number, fiscal]), year)


def reports_of(
    text: str,
    documents: Sequence[DocumentId],
    reported: Callable[[DocumentId], Quarter | None],
) -> tuple[DocumentId, ...]:
    """Return those of some reports that are of the quarters which a text names.

    A report prints the same quarter of the year before as well, so the year decides only where one
    is of it.

    Args:
        text: A question, or a period.
        documents: To choose from.
        reported: Gives the quarter of each, `None` for other documents.

    Returns:
        None of them where the text names no quarter, or none is of one that it names.
    """
    numbers = quarter_numbers(text)
    if not numbers:
        return ()
    of_quarter = {d: q.year for d in documents if (q := reported(d)) and q.number in numbers}
    years = set(map(int, BARE_YEAR.findall(plain_periods(text))))
    of_year = tuple(d for d, year in of_quarter.items() if year in years)
    return of_year or tuple(of_quarter)
