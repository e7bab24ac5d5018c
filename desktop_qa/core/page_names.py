"""What pages are called: by the number that they print, and by their place in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence

PageStarts = tuple[tuple[int, str], ...]
"""(page_no, label) of each page at which the labels do not count on from the page before; up to the
first one a page is called by its place in the file."""

_COUNTED = re.compile(r"(.*?)([0-9]{1,9})")


def page_starts(labels: Sequence[str]) -> PageStarts:
    """Return where labels of pages begin to count anew; none when all are places in the file."""
    starts: list[tuple[int, str]] = []
    due = "1"
    for page_no, label in enumerate(labels, start=1):
        if label != due:
            starts.append((page_no, label))
        due = _counted_on(label, 1)
    return tuple(starts)


def page_label(starts: PageStarts, page_no: int) -> str:
    """Return what a page is called in its document; its place in the file where it has no other."""
    start = max((one for one in starts if one[0] <= page_no), default=(page_no, str(page_no)))
    return _counted_on(start[1], page_no - start[0])


def page_name(page_no: int, label: str) -> str:
    """Return a page for people: "45 (PDF 47)" where its label is not its place in the file."""
    return str(page_no) if label in ("", str(page_no)) else f"{label} (PDF {page_no})"


def _counted_on(label: str, n_pages: int) -> str:
    """Return the label so many pages on; a label that ends in no number stays as it is."""
    match = _COUNTED.fullmatch(label)
    return label if match is None else f"{match[1]}{int(match[2]) + n_pages}"
