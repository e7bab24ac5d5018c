"""Plain pages made up for tests."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.document import BoundingBox, Word
from desktop_qa.parse.plain import PlainLine, PlainPage

WIDTH, HEIGHT = 600.0, 800.0


def line(text: str, top: float, left: float = 60.0, *, is_slanted: bool = False) -> PlainLine:
    """A line of 10 pt type, 5 pt a character."""
    words = []
    x = left
    for part in text.split():
        words.append(Word(part, BoundingBox(x, top, x + 5 * len(part), top + 10)))
        x += 5 * (len(part) + 1)
    box = BoundingBox(left, top, x - 5, top + 10)
    return PlainLine(tuple(words), box, is_slanted)


def page(page_no: int, *blocks: Sequence[PlainLine]) -> PlainPage:
    return PlainPage(page_no, WIDTH, HEIGHT, tuple(map(tuple, blocks)))
