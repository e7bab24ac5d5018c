"""The numbers that pages print of themselves in their running headers and footers."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

_NUMBER = re.compile(r"((?:[A-Z]{1,2}|\d{1,2})[-–])?(\d{1,4})")
_AROUND = "-–—|.:()[]"
_MIN_PAGES = 3
"""Of a count: a running title has other numbers, of which two may follow each other by chance."""


def printed_numbers(furniture: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """Return what pages call themselves: "45", "F-12", "3-4".

    It is a number that keeps its distance from the page's place in the file on several pages: a
    year or the number of pages stays the same. A page without one, between two of a count, is
    counted with them. Of several counts that a page is in, the longest one holds.

    Args:
        furniture: The words that may be of header and footer, of each page by its 1-based place
            in the file.
    """
    counts: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page_no, words in furniture.items():
        for word in words:
            match = _NUMBER.fullmatch(word.strip(_AROUND))
            if match is not None:
                counts[match[1] or "", int(match[2]) - page_no].add(page_no)
    labels: dict[int, str] = {}
    between: dict[int, str] = {}
    for (lead, distance), pages in sorted(counts.items(), key=lambda item: len(item[1])):
        if len(pages) < _MIN_PAGES:
            continue
        for first, last in itertools.pairwise(sorted(pages)):
            between |= {n: f"{lead}{n + distance}" for n in range(first + 1, last)}
        labels |= {n: f"{lead}{n + distance}" for n in pages}
    return between | labels
