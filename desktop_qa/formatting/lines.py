"""The words of pages as lines: what a model reads, and what its headings are looked for in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from desktop_qa.core.document import BoundingBox, PageWords, Word
from desktop_qa.core.folding import undo_hyphenation

_WIDE_GAP = 1.2
"""Between two words, in heights of the line: cells of a table stand apart like this."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of a page.

    Attributes:
        page_no: 1-based.
        first: Index of its first word among those of the page.
        words: At least one.
    """

    page_no: int
    first: int
    words: tuple[Word, ...]

    @property
    def indices(self) -> range:
        """Of its words among those of the page."""
        return range(self.first, self.first + len(self.words))

    @property
    def printed(self) -> str:
        """Its text with wide gaps kept, so that cells can be told apart."""
        text = self.words[0].text
        for before, word in zip(self.words, self.words[1:], strict=False):
            gap = word.bbox.left - before.bbox.right
            text += ("   " if gap > _WIDE_GAP * before.bbox.height else " ") + word.text
        return text


def lines_of(pages: Sequence[PageWords]) -> tuple[PageLine, ...]:
    """Return the lines of pages in reading order; words stand in the order of `pages`."""
    return tuple(line for page in pages for line in _lines_of_page(page))


def _lines_of_page(page: PageWords) -> Iterator[PageLine]:
    first = 0
    for index in range(1, len(page.words) + 1):
        is_end = index == len(page.words)
        if is_end or not _goes_on(page.words[index - 1].bbox, page.words[index].bbox):
            yield PageLine(page.page_no, first, page.words[first:index])
            first = index


def _goes_on(before: BoundingBox, box: BoundingBox) -> bool:
    """Tell whether a word stands on the line of the one before it."""
    middle = (box.top + box.bottom) / 2
    return before.top <= middle <= before.bottom and box.left > before.left


def text_of(words: Sequence[Word]) -> str:
    """Return the text of words of one page, hyphens at the ends of lines undone."""
    lines = _lines_of_page(PageWords(1, tuple(words)))
    text = "\n".join(" ".join(word.text for word in line.words) for line in lines)
    return undo_hyphenation(text).replace("\n", " ")


def line_boxes(words: Sequence[Word]) -> list[BoundingBox]:
    """Return a tight rectangle for each line of words of one page."""
    lines = _lines_of_page(PageWords(1, tuple(words)))
    return [box_of([word.bbox for word in line.words]) for line in lines]


def box_of(boxes: Sequence[BoundingBox]) -> BoundingBox:
    """Return the smallest rectangle that holds all, at least one."""
    return reduce(BoundingBox.union, boxes)
