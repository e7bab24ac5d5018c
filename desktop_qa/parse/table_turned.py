"""Tables that lie on their side: the page is turned upright, and what is found turned back."""

from __future__ import annotations

from dataclasses import replace

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_join import FoundTable

MIN_TURNED = 0.6
"""Share of the page's words that lie on their side."""

_MIN_WORDS = 20
_IGNORED = 45
_DESCENT = 0.22
"""Of the font size, from the lower edge of a word to its baseline."""


def turned_angle(page: PageContent) -> int:
    """Return 90 or 270 when most words of a page run down or up, else 0."""
    for angle in (90, 270):
        n_words = sum(word.angle == angle for word in page.words)
        if n_words >= _MIN_WORDS and n_words > MIN_TURNED * len(page.words):
            return angle
    return 0


def turn_upright(page: PageContent, angle: int) -> PageContent:
    """Turn a page so that words of an angle read from left to right; other words are ignored."""
    words = []
    for word in page.words:
        box = _turned(word.bbox, page, angle)
        words.append(
            replace(
                word,
                bbox=box,
                baseline=box.bottom - _DESCENT * word.size,
                angle=0 if word.angle == angle else _IGNORED,
            )
        )
    rules = []
    for rule in page.rules:
        x0, x1, y = rule.start, rule.end, rule.position
        line = BoundingBox(x0, y, x1, y) if rule.horizontal else BoundingBox(y, x0, y, x1)
        box = _turned(line, page, angle)
        rules.append(
            replace(rule, horizontal=False, position=box.left, start=box.top, end=box.bottom)
            if rule.horizontal
            else replace(rule, horizontal=True, position=box.top, start=box.left, end=box.right)
        )
    return replace(
        page,
        width=page.height,
        height=page.width,
        words=tuple(words),
        rules=tuple(rules),
        fills=tuple(replace(f, bbox=_turned(f.bbox, page, angle)) for f in page.fills),
        drawings=tuple(replace(d, bbox=_turned(d.bbox, page, angle)) for d in page.drawings),
        images=tuple(replace(i, bbox=_turned(i.bbox, page, angle)) for i in page.images),
    )


def turn_back(table: FoundTable, page: PageContent, angle: int) -> FoundTable:
    """Move a table found on the upright page to where it stands.

    Args:
        table: As found.
        page: As displayed, before it was turned upright.
        angle: It was turned by.
    """
    cells = tuple(
        replace(
            cell,
            provenances=tuple(
                Provenance(place.page_no, _returned(place.bbox, page, angle))
                for place in cell.provenances
            ),
        )
        for cell in table.cells
    )
    box = _returned(table.bbox, page, angle)
    return replace(table, bbox=box, cells=cells, column_borders=())


def _turned(box: BoundingBox, page: PageContent, angle: int) -> BoundingBox:
    if angle == 90:
        return BoundingBox(box.top, page.width - box.right, box.bottom, page.width - box.left)
    return BoundingBox(page.height - box.bottom, box.left, page.height - box.top, box.right)


def _returned(box: BoundingBox, page: PageContent, angle: int) -> BoundingBox:
    if angle == 90:
        return BoundingBox(page.width - box.bottom, box.left, page.width - box.top, box.right)
    return BoundingBox(box.top, page.height - box.right, box.bottom, page.height - box.left)
