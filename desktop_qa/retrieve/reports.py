"""Which quarter a report is of, and which reports a question about a quarter means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from desktop_qa.augment.periods import BARE_YEAR, plain_periods, quarter_numbers, quarters_named
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import Segment


def reported_quarter(segments: Sequence[Segment]) -> tuple[int, int] | None:
    """Return the number and the fiscal year of the quarter that a report is of.

    It names that quarter on its first page before all others, else more often than others.

    Args:
        segments: Of the report, by ordinal.

    Returns:
        `None` for what names no quarter.
    """
    named: Counter[tuple[int, int]] = Counter()
    for segment in segments:
        found = quarters_named(segment.text)
        if found and segment.provenances[0].page_no == 1:
            return found[0]
        named.update(found)
    return max(named, key=lambda quarter: (named[quarter], quarter), default=None)


def reports_meant(
    text: str,
    documents: Sequence[DocumentId],
    reported: Callable[[DocumentId], tuple[int, int] | None],
) -> tuple[DocumentId, ...]:
    """Return those of some reports that are of the quarter which a question asks for.

    A report prints the same quarter of the year before as well, so the year decides only where one
    is of it.

    Args:
        text: The question.
        documents: To choose from.
        reported: Gives the quarter of each, `None` for other documents.

    Returns:
        All of them when none is of that quarter, or the question asks for none.
    """
    numbers = quarter_numbers(text)
    if not numbers or len(documents) < 2:
        return tuple(documents)
    of_quarter = {d: q[1] for d in documents if (q := reported(d)) and q[0] in numbers}
    years = set(map(int, BARE_YEAR.findall(plain_periods(text))))
    of_year = tuple(d for d, year in of_quarter.items() if year in years)
    return of_year or tuple(of_quarter) or tuple(documents)
