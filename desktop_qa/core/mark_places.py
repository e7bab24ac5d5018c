"""Finding marked words again in a document that has other bytes now."""

from __future__ import annotations

from collections.abc import Callable

from desktop_qa.core.document import PageWords, Provenance
from desktop_qa.core.folding import fold_for_matching
from desktop_qa.core.word_places import QuoteLocator, rectangles

NEAR_PAGES = 3
"""Words that moved further are another passage more often than the same one."""
_LEAST_CHARACTERS = 4
"""Shorter words say too little to be known by."""


def occurrences(page: PageWords, quote: str) -> list[tuple[Provenance, ...]]:
    """Return the rectangles of each place of a page where a quote stands, words taken whole."""
    locator = QuoteLocator([(page.page_no, word) for word in page.words])
    return list(map(rectangles, locator.find_all(quote)))


def find_again(
    quote: str, page_no: int, n_pages: int, words_of: Callable[[int], PageWords]
) -> tuple[Provenance, ...]:
    """Return where a quote of an earlier version stands now; empty when that is not sure.

    The same page (1-based) counts first, then the nearest ones; on none of them may it stand twice.
    """
    if len(fold_for_matching(quote)) < _LEAST_CHARACTERS:
        return ()
    for distance in range(NEAR_PAGES + 1):
        found = [
            places
            for number in dict.fromkeys((page_no - distance, page_no + distance))
            if 1 <= number <= n_pages
            for places in occurrences(words_of(number), quote)
        ]
        if found:
            return found[0] if len(found) == 1 else ()
    return ()
