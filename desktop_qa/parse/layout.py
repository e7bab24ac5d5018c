"""Columns and reading order of a page.

A page is cut at the gutter that most of its height has text on both sides of; what crosses the
gutter (titles, wide tables and figures) cuts the columns into bands, which are read one after the
other. Each side is cut again in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.parse.lines import Line, group_lines, letter_zone

_BIN_PT = 3.0
_MIN_GUTTER_PT = 7.0
_MIN_SUPPORT_PT = 33.0
"""Height with text on both sides that makes a gutter: three lines."""

_MIN_FILLED = 0.42
"""Share of a side's width that its rows must fill on average: cells of tables fill less."""

_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Element:
    """A table or figure in the flow of the page.

    Attributes:
        kind: TABLE or PICTURE.
        index: Among the elements of its kind in the caller's list.
    """

    kind: BlockKind
    index: int
    bbox: BoundingBox


Item = Line | Element


@dataclass(frozen=True, slots=True)
class Column:
    """Lines and elements read from top to bottom before the next column starts."""

    left: float
    right: float
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float
    bins: int
    item: Item


def find_columns(fragments: Iterable[Line], elements: Iterable[Element]) -> list[Column]:
    """Sort what stands on a page into columns in reading order.

    Args:
        fragments: Runs of words of the page that belong to no element.
        elements: Tables and figures.
    """
    boxes = [_line_box(line) for line in fragments]
    boxes += [_box(e.bbox.left, e.bbox.top, e.bbox.right, e.bbox.bottom, e) for e in elements]
    columns = [_column(group) for group in _cut(boxes, 0) if group]
    return _merged(columns)


def _line_box(line: Line) -> _Box:
    top, bottom = letter_zone(line)
    return _box(line.left, top, line.right, bottom, line)


def _box(left: float, top: float, right: float, bottom: float, item: Item) -> _Box:
    first = max(int(top / _BIN_PT), 0)
    last = max(int(bottom / _BIN_PT), first)
    return _Box(left, top, right, bottom, ((1 << (last - first + 1)) - 1) << first, item)


def _cut(boxes: list[_Box], depth: int) -> list[list[_Box]]:
    gutter = _find_gutter(boxes) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [boxes]
    crossing = sorted((b for b in boxes if b.left < gutter < b.right), key=lambda b: b.top)
    beside = [b for b in boxes if not b.left < gutter < b.right]
    groups: list[list[_Box]] = []
    wide: list[_Box] = []
    for index in range(len(crossing) + 1):
        end = crossing[index].top if index < len(crossing) else float("inf")
        band = [b for b in beside if (b.top + b.bottom) / 2 < end]
        beside = [b for b in beside if (b.top + b.bottom) / 2 >= end]
        left = [b for b in band if b.right <= gutter]
        right = [b for b in band if b.right > gutter]
        if left and right and not _shares_rows_only(left, right, wide):
            groups += [wide, *_cut(left, depth + 1), *_cut(right, depth + 1)]
            wide = []
        else:
            wide += band
        if index < len(crossing):
            wide.append(crossing[index])
    return [*groups, wide]


def _shares_rows_only(left: list[_Box], right: list[_Box], wide: list[_Box]) -> bool:
    """A single row that the gutter happens to cross: a heading's number and its title."""
    return bool(wide) and len(left) == 1 and len(right) == 1 and bool(left[0].bins & right[0].bins)


def _find_gutter(boxes: list[_Box]) -> float | None:
    """Return the x with text on both sides over the greatest height, if there is one."""
    if len(boxes) < 4:
        return None
    left = min(b.left for b in boxes)
    right = max(b.right for b in boxes)
    width = right - left
    if width < 120:
        return None
    best: tuple[float, float] | None = None
    edges = sorted(
        {round(b.left, 0) for b in boxes if left + 0.2 * width < b.left < left + 0.85 * width}
    )
    for edge in edges:
        x = edge - 1.0
        support = _support(boxes, x, left, right)
        if support >= _MIN_SUPPORT_PT and (best is None or support > best[0] * 1.05):
            best = (support, x)
    if best is None:
        return None
    # The middle of the white strip, so that a line that pokes out a little does not cross it.
    x = best[1]
    return x - _MIN_GUTTER_PT / 2


def _support(boxes: list[_Box], x: float, left: float, right: float) -> float:
    """Height in points over which both sides of x have text that looks like running text."""
    before = after = crossing = 0
    for box in boxes:
        if box.right <= x - _MIN_GUTTER_PT:
            before |= box.bins
        elif box.left >= x:
            after |= box.bins
        else:
            crossing |= box.bins
    both = before & after & ~crossing
    support = both.bit_count() * _BIN_PT
    if support < _MIN_SUPPORT_PT:
        return 0.0
    n_crossed = (crossing & before & after).bit_count() * _BIN_PT
    if n_crossed > 0.5 * support:
        return 0.0
    sides = (
        (x - _MIN_GUTTER_PT - left, [b for b in boxes if b.right <= x - _MIN_GUTTER_PT]),
        (right - x, [b for b in boxes if b.left >= x]),
    )
    if any(_filled(side, both) < _MIN_FILLED * width for width, side in sides):
        return 0.0
    return support


def _filled(side: list[_Box], both: int) -> float:
    """Mean width of the rows of a side within the bins that count."""
    extents: dict[int, tuple[float, float]] = {}
    for box in side:
        bins = box.bins & both
        while bins:
            lowest = bins & -bins
            key = lowest.bit_length()
            known = extents.get(key)
            extents[key] = (
                (box.left, box.right)
                if known is None
                else (min(known[0], box.left), max(known[1], box.right))
            )
            bins ^= lowest
    if not extents:
        return 0.0
    return sum(right - left for left, right in extents.values()) / len(extents)


def _column(boxes: Sequence[_Box]) -> Column:
    lines = group_lines(b.item for b in boxes if isinstance(b.item, Line))
    items: list[Item] = [*lines, *(b.item for b in boxes if isinstance(b.item, Element))]
    items.sort(key=_order)
    return Column(min(b.left for b in boxes), max(b.right for b in boxes), tuple(items))


def _order(item: Item) -> tuple[float, float]:
    if isinstance(item, Element):
        return item.bbox.top, item.bbox.left
    top, _bottom = letter_zone(item)
    return top, item.left


def _merged(columns: list[Column]) -> list[Column]:
    """Join columns that follow each other at full width: bands without a second side."""
    merged: list[Column] = []
    for column in columns:
        last = merged[-1] if merged else None
        if last is not None and _continues(last, column):
            merged[-1] = Column(
                min(last.left, column.left),
                max(last.right, column.right),
                last.items + column.items,
            )
        else:
            merged.append(column)
    return merged


def _continues(above: Column, below: Column) -> bool:
    if not above.items or not below.items:
        return True
    starts = _order(below.items[0])[0]
    ends = _order(above.items[-1])[0]
    return (
        starts > ends and abs(above.left - below.left) < 6 and abs(above.right - below.right) < 30
    )
