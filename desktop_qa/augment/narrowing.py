"""Places of the parts of a block: the rectangles of a paragraph's piece, of a table's notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_qa.core.document import PageWords, Provenance
from desktop_qa.core.word_places import QuoteLocator, merge_lines, rectangles, words_within


class Narrower:
    """Finds texts among the words of the pages, inside the places of what they were cut from."""

    def __init__(self, pages: Sequence[PageWords]) -> None:
        self._pages = {page.page_no: page for page in pages}
        self._locators: dict[tuple[Provenance, ...], QuoteLocator] = {}
        self._of_pages: dict[frozenset[int], QuoteLocator] = {}

    def narrow(
        self, texts: Sequence[str], places: tuple[Provenance, ...]
    ) -> tuple[Provenance, ...]:
        """Return the rectangles of texts alone that stand in `places`, lines of one width joined.

        When a text is not found word by word, all of the places.
        """
        locator = self._locator(places)
        # Sentences that follow each other are found as one: the same words may stand twice.
        words = locator.find(" ".join(texts))
        if not words:
            each = [locator.find(text) for text in texts]
            words = [word for of_text in each for word in of_text] if all(each) else []
        return merge_lines(rectangles(words)) or places

    def find(self, text: str, page_nos: Iterable[int]) -> tuple[Provenance, ...]:
        """Return the rectangles of a text anywhere on some pages; empty when it is not found."""
        key = frozenset(page_nos)
        if key not in self._of_pages:
            pages = [self._pages[n] for n in sorted(key) if n in self._pages]
            self._of_pages[key] = QuoteLocator([(p.page_no, w) for p in pages for w in p.words])
        return merge_lines(rectangles(self._of_pages[key].find(text)))

    def _locator(self, places: tuple[Provenance, ...]) -> QuoteLocator:
        if places not in self._locators:
            page_nos = sorted({place.page_no for place in places})
            pages = [self._pages[n] for n in page_nos if n in self._pages]
            self._locators[places] = QuoteLocator(words_within(pages, places))
        return self._locators[places]
