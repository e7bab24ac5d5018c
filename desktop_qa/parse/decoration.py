"""Decoration of the pages: logos, bars and rules that recur at the same place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import PageContent, Rule

_HEAD_SHARE = 0.15
_FOOT_SHARE = 0.88
"""Shares of the page's height within which drawings are decoration when they recur."""

_MIN_PAGES = 3
_MIN_SHARE = 0.25
"""Of the pages: those on the left and on the right may differ."""

_MIN_BORDER_SHARE = 0.5
"""Of the pages, for the rules around all that stands on them."""

_Place = tuple[int, int, int, int]


def without_decoration(pages: Sequence[PageContent]) -> dict[int, PageContent]:
    """Leave out the drawings and bitmaps that recur, by page number.

    Drawings count at the head and the foot of the pages only: grids of registers and outlines of
    packages stand at the same place as well. A bitmap may recur anywhere, as watermarks do.
    """
    drawn = Counter(
        place
        for page in pages
        for place in {_place(d.bbox) for d in page.drawings if _is_at_edge(d.bbox, page)}
    )
    pictured = Counter(place for page in pages for place in {_place(i.bbox) for i in page.images})
    ruled = Counter(place for page in pages for place in {_line(r) for r in page.rules})
    n_bordered = max(_MIN_PAGES, _MIN_BORDER_SHARE * len(pages))
    n_needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    return {
        page.page_no: replace(
            page,
            rules=tuple(r for r in page.rules if ruled[_line(r)] < n_bordered),
            drawings=tuple(
                d
                for d in page.drawings
                if not (_is_at_edge(d.bbox, page) and drawn[_place(d.bbox)] >= n_needed)
            ),
            images=tuple(i for i in page.images if pictured[_place(i.bbox)] < n_needed),
        )
        for page in pages
    }


def _is_at_edge(box: BoundingBox, page: PageContent) -> bool:
    return box.bottom < _HEAD_SHARE * page.height or box.top > _FOOT_SHARE * page.height


def _line(rule: Rule) -> _Place:
    return rule.horizontal, round(rule.position), round(rule.start), round(rule.end)


def _place(box: BoundingBox) -> _Place:
    return round(box.left), round(box.top), round(box.right), round(box.bottom)
