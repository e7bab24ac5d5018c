"""Columns and reading order of a page.

A page is cut at the gutter that most of its height has text on both sides of; what crosses the
gutter (titles, wide tables and figures, rules) cuts the columns into bands, which are read one
after the other; so does large type with nothing beside it. Each side, and what crosses, is cut
again in the same way. Labels in the margin stand in the rows where their texts begin, and are read
before these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from operator import or_
from statistics import median_high

from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.heading_style import MAX_HEADING_LINES
from desktop_qa.parse.lines import MARKER, Line, group_lines, join_code, join_markers, letter_zone
from desktop_qa.parse.page import Fill, Rule

_BIN_PT = 3.0
_MIN_GUTTER_PT = 7.0
_MIN_STARTS = 6
"""Items that start at the edge of the right side, for a gutter that lines run into."""

_POKE_PT = 6.0
_POKE_SHARE = 0.1
"""How far a line, and which share of a table or figure, may stand in the other column."""

_MIN_SUPPORT_PT = 33.0
"""Height with text on both sides that makes a gutter: three lines."""

_MIN_SUPPORT_OF_LISTS_PT = 90.0
"""The same where neither side is running text: a few rows are names and their values."""

_MIN_FILLED = 0.42
"""Share of a side's width that its rows must fill on average: cells of tables fill less."""

_WELL_FILLED = 0.7

_SAME_ROW_IN_SIZES = 0.3
_MAX_LABEL_SHARE = 0.6
"""Width and lines of labels in the margin, of those of the text beside them."""

_MIN_ROWS = 3
_STACK_GAP_IN_SIZES = 0.75
_EDGE_PT = 24.0
"""Width within which the lines of a column begin: lists stand further in."""

_MIN_LONG, _LONG_LINE = 3, 25
"""Lines of so many characters that make running text."""

_MAX_DEPTH = 6

_MIN_RULED_SHARE = 0.8
"""Of the width of each side, that a rule across the gutter covers to part bands."""

_LARGE = 1.2
"""Of the usual size of type; what is larger and has a row of its own heads both columns."""

_LONE_ROOM = 0.4
"""Of the size of large type, that is free above and below it on the other side."""

_WHITE = 0.97
"""Of each part of a colour that is no shading."""


@dataclass(frozen=True, slots=True)
class Element:
    """A table, figure or heading in the flow of the page.

    Attributes:
        kind: TABLE, PICTURE or SECTION_HEADER.
        index: Among the elements of its kind in the caller's list.
        size: Of a heading's type, points.
    """

    kind: BlockKind
    index: int
    bbox: BoundingBox
    size: float = 0.0


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
    item: Item | None
    is_long: bool
    size: float = 0.0


def find_columns(
    fragments: Iterable[Line],
    elements: Iterable[Element],
    rules: Iterable[Rule] = (),
    fills: Iterable[Fill] = (),
) -> list[Column]:
    """Sort what stands on a page into columns in reading order.

    A rule across two columns, or the edge of a shaded bar, parts what stands above from what stands
    below.
    """
    elements = list(elements)
    boxes = []
    for line in join_code(join_markers(fragments)):
        top, bottom = letter_zone(line)
        boxes.append(_box(line.left, top, line.right, bottom, line))
    boxes += [_box(e.bbox.left, e.bbox.top, e.bbox.right, e.bbox.bottom, e) for e in elements]
    edges = [(r.start, r.end, r.position) for r in rules if r.horizontal]
    for fill in fills:
        if min(fill.color) < _WHITE:
            edges += [
                (fill.bbox.left, fill.bbox.right, y) for y in (fill.bbox.top, fill.bbox.bottom)
            ]
    bars = [
        _box(left, y, right, y, None)
        for left, right, y in edges
        if not any(e.bbox.top - 1 < y < e.bbox.bottom + 1 for e in elements)
    ]
    columns = [_column(group) for group in _cut(boxes, bars, 0) if group]
    return _merged(columns)


def _box(left: float, top: float, right: float, bottom: float, item: Item | None) -> _Box:
    first = max(int(top / _BIN_PT), 0)
    last = max(int(bottom / _BIN_PT), first)
    bins = ((1 << (last - first + 1)) - 1) << first
    is_long = isinstance(item, Line) and len(item.text) >= _LONG_LINE
    return _Box(left, top, right, bottom, bins, item, is_long, item.size if item else 0.0)


def _cut(boxes: list[_Box], bars: list[_Box], depth: int) -> list[list[_Box]]:
    gutter = _find_gutter(boxes) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [boxes]
    beside = [(box, _side(box, gutter)) for box in boxes]
    alone = _alone([b for b, side in beside if side < 0], [b for b, side in beside if side > 0])
    crossing = [b for b, side in beside if not side or b in alone]
    beside = [(b, side) for b, side in beside if side and b not in alone]
    crossing += [bar for bar in bars if _parts(bar, boxes, gutter)]
    crossing.sort(key=lambda b: b.top)
    groups: list[list[_Box]] = []
    wide: list[_Box] = []
    for index in range(len(crossing) + 1):
        end = crossing[index].top if index < len(crossing) else float("inf")
        left = [b for b, side in beside if side < 0 and (b.top + b.bottom) / 2 < end]
        right = [b for b, side in beside if side > 0 and (b.top + b.bottom) / 2 < end]
        beside = [(b, side) for b, side in beside if (b.top + b.bottom) / 2 >= end]
        if left and right and not _shares_rows_only(left, right):
            groups += _cut(wide, bars, depth + 1)
            wide = _headings_below(left, right) if index < len(crossing) else []
            groups += _read([b for b in left if b not in wide], right, bars, depth)
        else:
            wide += left + right
        if index < len(crossing) and crossing[index].item is not None:
            wide.append(crossing[index])
    return [*groups, *_cut(wide, bars, depth + 1)]


def _parts(bar: _Box, boxes: Sequence[_Box], x: float) -> bool:
    """Tell a rule across the gutter that is about as wide as what stands on both sides of it."""
    left, right = min(b.left for b in boxes), max(b.right for b in boxes)
    return x - max(bar.left, left) > _MIN_RULED_SHARE * (x - left) and min(
        bar.right, right
    ) - x > _MIN_RULED_SHARE * (right - x)


def _alone(left: list[_Box], right: list[_Box]) -> list[_Box]:
    """Find large type with nothing beside it: it heads what follows in both columns.

    On the right side that is the title of the page only, with nothing above it.
    """
    sizes = [b.size for b in (*left, *right) if isinstance(b.item, Line)]
    if not sizes:
        return []
    least = _LARGE * median_high(sizes)
    large = [b for b in (*left, *right) if b.size >= least]
    alone: list[_Box] = []
    for box in sorted(large, key=lambda b: b.top):
        is_left = box in left
        room = _LONE_ROOM * box.size
        other = [b for b in (right if is_left else left) if b not in alone]
        below = [b for b in other if b.top > box.bottom + room]
        above = [b for b in other if b.bottom < box.top - room]
        if len(below) + len(above) == len(other) and below and bool(above) == is_left:
            alone.append(box)
    return alone


def _headings_below(left: list[_Box], right: list[_Box]) -> list[_Box]:
    """Headings that end the left side below all of the right one: they lead what crosses next."""
    end = max(b.bottom for b in right)
    last = sorted(left, key=lambda b: -b.top)[:MAX_HEADING_LINES]
    return list(takewhile(lambda b: _may_be_heading(b) and b.top >= end, last))


def _may_be_heading(box: _Box) -> bool:
    if isinstance(box.item, Line):
        return box.item.bold and not _is_item(box)
    return box.item is not None and box.item.kind == BlockKind.SECTION_HEADER


def _is_table(box: _Box) -> bool:
    return isinstance(box.item, Element) and box.item.kind is BlockKind.TABLE


def _side(box: _Box, x: float) -> int:
    """-1 left of a gutter, 1 right of it, 0 across it."""
    share = _POKE_SHARE * (box.right - box.left)
    poke = share if isinstance(box.item, Element) else min(share, _POKE_PT)
    if box.right <= x + poke:
        return -1
    return 1 if box.left >= x - poke else 0


def _read(left: list[_Box], right: list[_Box], bars: list[_Box], depth: int) -> list[list[_Box]]:
    """Put the sides of a band in order: one after the other, or each label before its text."""
    labels = _labels(left, right)
    if not labels:
        return [*_cut(left, bars, depth + 1), *_cut(right, bars, depth + 1)]
    groups: list[list[_Box]] = []
    for index, label in enumerate([None, *labels]):
        top = min(b.top for b in label) if label else 0.0
        end = min(b.top for b in labels[index]) if index < len(labels) else float("inf")
        text = [
            b for b in right if top <= (b.top + b.bottom) / 2 < end or (not label and b.top < top)
        ]
        groups += [label or [], *_cut(text, bars, depth + 1)]
    return groups


def _labels(left: list[_Box], right: list[_Box]) -> list[list[_Box]]:
    """Group the lines of a left side that each stand in the row where a text begins, from the top.

    Few lines beside many are labels of the margin; as many, if no prose, are names of what stands
    beside them when all their groups begin in the rows of groups there. Else the left side is a
    column to be read by itself, and none is returned.
    """
    texts_only = (isinstance(b.item, Line) or _may_be_heading(b) for b in left)
    if not left or not all(texts_only):
        return []
    texts = [b for b in right if isinstance(b.item, Line)]
    edge = min((b.left for b in texts), default=0.0)
    labels = _stacks(left)
    beside = [b for b in texts if b.left < edge + _EDGE_PT]
    is_margin = len(left) <= _MAX_LABEL_SHARE * len(texts) and _width(
        left
    ) <= _MAX_LABEL_SHARE * _width(right)
    if not is_margin:
        beside = [stack[0] for stack in _stacks(right)]
        if len(labels) < _MIN_ROWS or _is_running(left) or any(_is_item(box) for box in beside):
            return []
    leads = _leads if is_margin else _same_row
    if all(any(leads(label[0], text) for text in beside) for label in labels):
        return labels
    return []


def _stacks(boxes: list[_Box]) -> list[list[_Box]]:
    """Group what follows each other closely, from the top."""

    def is_close(stack: Sequence[_Box], box: _Box) -> bool:
        size = box.item.size if isinstance(box.item, Line) else box.bottom - box.top
        return box.top - stack[-1].bottom < _STACK_GAP_IN_SIZES * size

    return in_runs(sorted(boxes, key=lambda b: b.top), is_close)


def _is_item(box: _Box) -> bool:
    return isinstance(box.item, Line) and bool(MARKER.match(box.item.words[0].text))


def _width(boxes: list[_Box]) -> float:
    return max(b.right for b in boxes) - min(b.left for b in boxes)


def _same_row(a: _Box, b: _Box) -> bool:
    return abs(a.bottom - b.bottom) < _SAME_ROW_IN_SIZES * (b.bottom - b.top)


def _leads(label: _Box, text: _Box) -> bool:
    """Tell a label in the row of its text, or right above that: large type may stand higher."""
    return _same_row(label, text) or 0 <= text.top - label.bottom < label.bottom - label.top


def _shares_rows_only(left: list[_Box], right: list[_Box]) -> bool:
    """A single row that the gutter happens to cross: a heading's number and its title."""
    return len(left) == 1 and len(right) == 1 and bool(left[0].bins & right[0].bins)


def _find_gutter(boxes: list[_Box]) -> float | None:
    """Return the left edge of a right side with text beside it over the greatest height."""
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
        support = _support(boxes, edge - 1.0, left, right)
        if support and (best is None or support > best[0] * 1.05):
            best = (support, edge - 1.0)
    return best[1] if best else None


def _support(boxes: list[_Box], x: float, left: float, right: float) -> float:
    """Rate a gutter: the height with text on both sides, less where that fills its side badly."""
    sides: dict[int, list[_Box]] = {-1: [], 0: [], 1: []}
    for box in boxes:
        sides[_side(box, x)].append(box)
    before, crossing, after = (
        reduce(or_, (box.bins for box in sides[side]), 0) for side in (-1, 0, 1)
    )
    both = before & after & ~crossing
    support = both.bit_count() * _BIN_PT
    if support < _MIN_SUPPORT_PT:
        return 0.0
    n_crossed = (crossing & before & after).bit_count() * _BIN_PT
    if n_crossed > 0.5 * support:
        return 0.0
    # Lines may end short of others by chance; a table is a whole, however near the next one.
    others = (b for b in sides[-1] if b.bins & both and not _is_table(b))
    gaps = sorted(x - b.right for b in others)
    white = gaps[len(gaps) // 10] if gaps else _MIN_GUTTER_PT
    if white < _MIN_GUTTER_PT and sum(b.left < x + _EDGE_PT for b in sides[1]) < _MIN_STARTS:
        return 0.0
    beside, text = ([b for b in sides[side] if b.bins & both] for side in (-1, 1))
    left_filled = _filled(beside, both) / (x - _MIN_GUTTER_PT - left)
    right_filled = _filled(text, both) / (right - x)
    is_text = _is_running(text)
    if right_filled < _MIN_FILLED or (
        left_filled < _MIN_FILLED and not (is_text and _labels(beside, text))
    ):
        return 0.0
    if not is_text and not _is_running(beside) and support < _MIN_SUPPORT_OF_LISTS_PT:
        return 0.0
    # A strip between names and values has as much text beside it as one between whole columns.
    return support * min(max(left_filled, _MIN_FILLED), right_filled, _WELL_FILLED)


def _is_running(side: list[_Box]) -> bool:
    """True for a side with a table, a figure or lines as long as those of paragraphs."""
    is_element = any(not isinstance(b.item, Line) and not _may_be_heading(b) for b in side)
    return is_element or sum(box.is_long for box in side) >= _MIN_LONG


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
    return [
        Column(
            min(column.left for column in run),
            max(column.right for column in run),
            tuple(item for column in run for item in column.items),
        )
        for run in in_runs(columns, lambda run, column: _continues(run[-1], column))
    ]


def _continues(above: Column, below: Column) -> bool:
    if not above.items or not below.items:
        return True
    starts = _order(below.items[0])[0]
    ends = _order(above.items[-1])[0]
    return (
        starts > ends and abs(above.left - below.left) < 6 and abs(above.right - below.right) < 30
    )
