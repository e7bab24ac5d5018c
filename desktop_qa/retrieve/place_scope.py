"""Patterns of places inside of documents: `/OPA4197.pdf#page=12`, the rest as in `retrieve.scope`.

#page=12, #page=12-14     what stands on these pages
#segments=40-43,47        segments by their ordinals: a table, a figure, a section
#whole                    all of it; asked as if the question named the document
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from desktop_qa.core.segment import Segment

_PLACE = re.compile(
    r"#(?:page=(?P<first>\d{1,6})(?:-(?P<last>\d{1,6}))?"
    r"|segments=(?P<ordinals>\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*)|(?P<whole>whole))$"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a document, or the document as it is.

    Attributes:
        pages: First and last page; `None` for other places.
        ordinals: Of segments.
    """

    pages: tuple[int, int] | None = None
    ordinals: frozenset[int] = frozenset()

    def holds(self, segment: Segment) -> bool:
        """Tell whether a segment stands there."""
        if self.pages is None:
            return not self.ordinals or segment.ordinal in self.ordinals
        first, last = self.pages
        return any(first <= page_no <= last for page_no in segment.metadata.page_nos)


def split_place(pattern: str) -> tuple[str, Place | None]:
    """Return what a pattern means without its place, and the place."""
    match = _PLACE.search(pattern)
    if match is None:
        return pattern, None
    base, first = pattern[: match.start()], int(match["first"] or 0)
    if first:
        return base, Place(pages=(first, int(match["last"] or first)))
    runs = [run.partition("-") for run in (match["ordinals"] or "").split(",") if run]
    numbers = (range(int(first), int(last or first) + 1) for first, _, last in runs)
    return base, Place(ordinals=frozenset(n for run in numbers for n in run))


def page_pattern(document: str, page_no: int) -> str:
    """Return the pattern of a page."""
    return f"{document}#page={page_no}"


def segments_pattern(document: str, ordinals: Iterable[int]) -> str:
    """Return the pattern of some segments."""
    runs = groupby(enumerate(sorted(ordinals)), lambda numbered: numbered[1] - numbered[0])
    ends = ([ordinal for _n, ordinal in run] for _key, run in runs)
    texts = (str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ends)
    return f"{document}#segments={','.join(texts)}"


def place_words(place: Place) -> str:
    """Return what a place is called in front of "of" and its document; empty for all of it."""
    if place.pages is not None:
        first, last = place.pages
        return f"page {first}" if first == last else f"pages {first}–{last}"
    return "a part" if place.ordinals else ""
