"""Pieces of a paragraph have the rectangles of their own words."""

from __future__ import annotations

from desktop_qa.augment.narrowing import Narrower
from desktop_qa.core.document import BoundingBox, PageWords, Provenance, Word


def page_of(*lines: str) -> PageWords:
    words = []
    for row, line in enumerate(lines):
        x = 60.0
        for text in line.split():
            words.append(
                Word(text, BoundingBox(x, 100 + 12 * row, x + 5 * len(text), 110 + 12 * row))
            )
            x += 5 * (len(text) + 1)
    return PageWords(1, tuple(words))


WHOLE = (Provenance(1, BoundingBox(60, 100, 300, 160)),)
PAGE = page_of("First sentence stands here. Second", "sentence goes on. Third one ends.")


def test_a_sentence_has_a_rectangle_for_each_of_its_lines():
    (upper, lower) = Narrower([PAGE]).narrow(["Second sentence goes on."], WHOLE)
    assert (upper.bbox.top, lower.bbox.top) == (100, 112)
    assert upper.bbox.left > 150
    assert lower.bbox.right < 160


def test_lines_of_one_width_are_joined():
    page = page_of("aaaa bbbb cccc", "dddd eeee ffff", "gggg hhhh iiii", "and more")
    (place,) = Narrower([page]).narrow(["aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii"], WHOLE)
    assert place.bbox == BoundingBox(60, 100, 130, 134)


def test_a_text_that_is_not_found_keeps_the_place_of_the_whole():
    assert Narrower([PAGE]).narrow(["Another text."], WHOLE) == WHOLE
    assert Narrower([]).narrow(["First sentence"], WHOLE) == WHOLE


def test_notes_are_found_anywhere_on_the_pages_of_their_table():
    assert Narrower([PAGE]).find("Third one ends.", {1})
    assert Narrower([PAGE]).find("Third one ends.", {2}) == ()
