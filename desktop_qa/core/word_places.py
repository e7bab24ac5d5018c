"""Rectangles that hold a text and nothing else.

A quote is looked for among the words the parser kept of the page, inside the places of the
segment that is cited; its rectangles are the words' own, joined line by line. So what is under a
citation is the quote by construction, or there is no citation. The pieces of a long paragraph get
their places in the same way.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise

from desktop_qa.core.document import BoundingBox, PageWords, Provenance, Word
from desktop_qa.core.folding import fold_for_matching

_MAX_GAP_IN_HEIGHTS = 1.6
"""A wider gap ends a rectangle, so that it does not cover the white between columns."""

_EDGE_PT = 3.0
"""Lines of justified text end within this."""

_LEADER = re.compile(r"\.{3,}")

PlacedWord = tuple[int, Word]
"""Page number (1-based) and a word on it."""


def words_within(pages: Iterable[PageWords], places: Sequence[Provenance]) -> list[PlacedWord]:
    """Return the words whose middle lies in one of the places, in reading order."""
    found: list[PlacedWord] = []
    for page in pages:
        boxes = [_grown(place.bbox) for place in places if place.page_no == page.page_no]
        if boxes:
            found += [
                (page.page_no, word)
                for word in page.words
                if any(box.contains_center(word.bbox) for box in boxes)
            ]
    return found


def _grown(box: BoundingBox) -> BoundingBox:
    return BoundingBox(box.left - 1.0, box.top - 1.0, box.right + 1.0, box.bottom + 1.0)


def _fold(text: str) -> str:
    """Fold, without the dots that lead to a page number: segments have one sign for them."""
    return _LEADER.sub("", fold_for_matching(text))


class QuoteLocator:
    """Finds quotes among the words of one segment."""

    def __init__(self, words: Sequence[PlacedWord]) -> None:
        folded = [_fold(word.text) for _page_no, word in words]
        self._words = words
        self._stream = "".join(folded)
        # Where each word begins, and where the last one ends.
        self._starts = list(accumulate(map(len, folded), initial=0))

    def find(self, quote: str) -> list[PlacedWord]:
        """Return the run of words that is the quote; empty when it does not stand there.

        A match starts and ends at word bounds; the first such match counts.
        """
        needle = _fold(quote)
        start = self._stream.find(needle) if needle else -1
        while start >= 0:
            first, last = self._around(start, start + len(needle))
            if (self._starts[first], self._starts[last]) == (start, start + len(needle)):
                return list(self._words[first:last])
            start = self._stream.find(needle, start + 1)
        return []

    def find_all(self, quote: str) -> Iterator[list[PlacedWord]]:
        """Yield the words of each place where a quote stands, taken whole, none over another."""
        needle = _fold(quote)
        start = self._stream.find(needle) if needle else -1
        while start >= 0:
            end = start + len(needle)
            first, last = self._around(start, end)
            yield list(self._words[first:last])
            start = self._stream.find(needle, end)

    def _around(self, start: int, end: int) -> tuple[int, int]:
        """Return the first word that a stretch touches and the one behind the last.

        Words that fold to nothing stand nowhere.
        """
        return bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)


def rectangles(words: Sequence[PlacedWord]) -> tuple[Provenance, ...]:
    """Join a run of words into one tight rectangle for each line and column."""
    if not words:
        return ()
    groups: list[list[PlacedWord]] = [[words[0]]]
    for before, word in pairwise(words):
        if _continues(before, word):
            groups[-1].append(word)
        else:
            groups.append([word])
    return tuple(_joined(group) for group in groups)


def _continues(before: PlacedWord, after: PlacedWord) -> bool:
    if before[0] != after[0]:
        return False
    a, b = before[1].bbox, after[1].bbox
    shared = min(a.bottom, b.bottom) - max(a.top, b.top)
    height = max(min(a.height, b.height), 1.0)
    gap = b.left - a.right
    tall = max(a.height, b.height, 1.0)
    return shared > 0.45 * height and -0.5 * tall < gap < _MAX_GAP_IN_HEIGHTS * tall


def _joined(group: Sequence[PlacedWord]) -> Provenance:
    boxes = (word.bbox for _page_no, word in group)
    return Provenance(group[0][0], reduce(BoundingBox.union, boxes))


def merge_lines(places: Sequence[Provenance]) -> tuple[Provenance, ...]:
    """Join the rectangles of consecutive lines that begin and end at the same edges."""
    merged: list[Provenance] = []
    for place in places:
        if merged and _is_next_line(merged[-1], place):
            place = Provenance(place.page_no, merged[-1].bbox.union(place.bbox))
            merged.pop()
        merged.append(place)
    return tuple(merged)


def _is_next_line(above: Provenance, below: Provenance) -> bool:
    a, b = above.bbox, below.bbox
    return (
        above.page_no == below.page_no
        and abs(a.left - b.left) <= _EDGE_PT
        and abs(a.right - b.right) <= _EDGE_PT
        and a.top < b.top < a.bottom + b.height
    )


def quote_of(words: Sequence[PlacedWord]) -> str:
    """The words themselves, as the page has them."""
    return " ".join(word.text for _page_no, word in words)
