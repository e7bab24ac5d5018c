"""Straight lines of a page joined, the grids they meet in, and the lattice that a grid spans."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import root_of
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.page import Fill, PageContent, Rule, StyledWord, rule_along, sides_of
from desktop_qa.parse.table_text import TextLine, text_lines, text_of

JOIN_GAP = 3.2
"""Points; dotted lines and lines drawn cell by cell have smaller gaps, columns never do."""

POSITION_TOLERANCE = 1.2
"""Points; strokes closer than this, side by side, are one line."""

MIN_LENGTH = 5.0
"""Points; what is shorter after joining is a tick, a letter or a dash."""

MAX_FILLS = 1200
"""Pages with more filled rectangles are drawings; their edges would only cost time."""

MAX_LINES = 1500
"""In one direction; beyond it the page is a drawing and only the longest lines are looked at."""

THICK_RULE = 4.5
"""Points; a long filled rectangle up to this thick is read as a rule."""


class LineGroup(NamedTuple):
    """The lines of a page, by position, or those of them that meet."""

    horizontals: list[Rule]
    verticals: list[Rule]

    def union(self, other: LineGroup) -> LineGroup:
        """Return the lines of both."""
        return LineGroup(self.horizontals + other.horizontals, self.verticals + other.verticals)


def collect_lines(page: PageContent) -> LineGroup:
    """Join the page's rules and the visible edges of its fills into lines."""
    bars = [fill.bbox for fill in page.fills if _is_bar(fill.bbox)]
    rules = [*page.rules, *map(rule_along, bars)]
    edges = list(_fill_edges(_cell_fills(page)))
    across, upright = (
        _capped(
            join_lines(rule for rule in rules if rule.horizontal == is_across)
            + join_lines(edge for edge in edges if edge.horizontal == is_across)
        )
        for is_across in (True, False)
    )
    return LineGroup(across, upright)


def join_lines(rules: Iterable[Rule]) -> list[Rule]:
    """Join rules of one direction that lie on one line with small gaps, by position."""
    lines: list[Rule] = []
    pieces = sorted(rules, key=attrgetter("position", "start", "end"))
    for group in in_runs(
        pieces, lambda run, rule: rule.position - run[0].position <= POSITION_TOLERANCE
    ):
        whole: list[Rule] = []
        for piece in sorted(group, key=attrgetter("start")):
            if whole and piece.start - whole[-1].end <= JOIN_GAP:
                whole[-1] = replace(whole[-1], end=max(whole[-1].end, piece.end))
            else:
                whole.append(piece)
        lines += [line for line in whole if line.length >= MIN_LENGTH]
    return lines


def _capped(lines: list[Rule]) -> list[Rule]:
    if len(lines) > MAX_LINES:
        lines = sorted(lines, key=lambda line: -line.length)[:MAX_LINES]
    return sorted(lines, key=attrgetter("position", "start"))


def _is_bar(box: BoundingBox) -> bool:
    return box.height <= THICK_RULE and box.width > 60


def _cell_fills(page: PageContent) -> list[Fill]:
    """Leave out backgrounds of the page and what is too small for a cell."""
    fills = [
        fill
        for fill in page.fills
        if fill.bbox.area < 0.6 * page.bbox.area
        and not _is_bar(fill.bbox)
        and fill.bbox.width > 2
        and fill.bbox.height > 2
    ]
    return fills if len(fills) <= MAX_FILLS else []


def _fill_edges(fills: Sequence[Fill]) -> Iterable[Rule]:
    """Yield the edges that the eye sees.

    Word processors shade a cell by several rectangles of one colour (margins, lines of text);
    where the same colour goes on beyond an edge, there is no edge.
    """
    if not fills:
        return
    boxes = np.array([(f.bbox.left, f.bbox.top, f.bbox.right, f.bbox.bottom) for f in fills])
    colors = np.array([f.color for f in fills])
    hidden = _hidden_edges(boxes, colors)
    for index, fill in enumerate(fills):
        for side, edge in enumerate(sides_of(fill.bbox, 0.0, drawn=False)):
            if not hidden[index, side]:
                yield edge


def _hidden_edges(boxes: NDArray[np.float64], colors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell for each fill and side (top, bottom, left, right) whether its colour goes on beyond."""
    same = (np.abs(colors[:, None, :] - colors[None, :, :]) < 0.02).all(axis=2)
    same = same & ~np.eye(len(boxes), dtype=bool)
    left, top, right, bottom = boxes.T
    outside = 0.8
    hidden = np.ones((len(boxes), 4), dtype=bool)
    for part in (0.12, 0.5, 0.88):
        x, y = left + part * (right - left), top + part * (bottom - top)
        points = (
            (x, top - outside),
            (x, bottom + outside),
            (left - outside, y),
            (right + outside, y),
        )
        for side, (px, py) in enumerate(points):
            inside = (
                (px[:, None] >= left - 0.1)
                & (px[:, None] <= right + 0.1)
                & (py[:, None] >= top - 0.1)
                & (py[:, None] <= bottom + 0.1)
            )
            hidden[:, side] &= (inside & same).any(axis=1)
    return hidden


TOUCH = 3.0
"""Points within which the end of a line is taken to meet another line."""

CELL_SPACING = 7.5
"""Points of white between cells that are framed one by one."""

MAX_BAND = 32.0
"""Points between two grids that the heading of a group of rows takes."""

MAX_REACH_OUT = 16.0
"""Points by which a line may reach out of the frame of its table, on either side."""

MAX_FRAMED = 300
"""More lines in a group make a drawing, in which no frames are looked for."""

MAX_NEIGHBOURS = 80
"""More groups of lines on a page make a drawing."""

MERGE_DISTANCE = 3.4
"""Points; double lines and the white gaps between shaded cells are one border."""


@dataclass(slots=True)
class Slot:
    """A cell in the making.

    Attributes:
        words: Indices into the page's words.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    words: list[int] = field(default_factory=list)

    @property
    def last_row(self) -> int:
        """Last row that the slot covers."""
        return self.row + self.row_span - 1

    @property
    def last_column(self) -> int:
        """Last column that the slot covers."""
        return self.column + self.column_span - 1


@dataclass(slots=True)
class Lattice:
    """Borders of columns and rows, and the slots between them.

    Attributes:
        words: Of the page; the slots have indices into them.
        xs: Borders of the columns from left to right, one more than columns.
        ys: Borders of the rows from top to bottom, one more than rows.
        title: Words of the title that stood in the grid's first row; indices as in the slots.
        n_header: Rows at the top that name the columns, where finding the table told them.
        scale_note: As in `core.document.Table`.
    """

    words: Sequence[StyledWord]
    xs: list[float]
    ys: list[float]
    slots: list[Slot]
    title: tuple[int, ...] = ()
    n_header: int | None = None
    scale_note: str = ""

    @property
    def bbox(self) -> BoundingBox:
        """Outer rectangle."""
        return BoundingBox(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.ys) - 1

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.xs) - 1

    def lines_of(self, slot: Slot) -> list[TextLine]:
        """Lines of text in a slot."""
        return text_lines(self.words, slot.words)

    def text_of(self, slot: Slot) -> str:
        """Words of a slot as they come."""
        return text_of(self.words, slot.words)

    def box_of(self, slot: Slot) -> BoundingBox:
        """Rectangle of a slot."""
        return BoundingBox(
            self.xs[slot.column],
            self.ys[slot.row],
            self.xs[slot.column + slot.column_span],
            self.ys[slot.row + slot.row_span],
        )


def find_grids(lines: LineGroup) -> list[LineGroup]:
    """Group lines that meet, two or more horizontal ones in each group."""
    horizontals, verticals = lines
    if len(horizontals) < 2 or not verticals:
        return []
    h = np.array([(line.position, line.start, line.end) for line in horizontals])
    v = np.array([(line.position, line.start, line.end) for line in verticals])
    meets = (
        (v[None, :, 0] >= h[:, None, 1] - TOUCH)
        & (v[None, :, 0] <= h[:, None, 2] + TOUCH)
        & (h[:, None, 0] >= v[None, :, 1] - TOUCH)
        & (h[:, None, 0] <= v[None, :, 2] + TOUCH)
    )
    groups = []
    left = np.ones(len(horizontals), dtype=bool)
    for seed in range(len(horizontals)):
        if not left[seed]:
            continue
        rows = np.zeros(len(horizontals), dtype=bool)
        rows[seed] = True
        while True:
            columns = meets[rows].any(axis=0)
            grown = rows | meets[:, columns].any(axis=1)
            if (grown == rows).all():
                break
            rows = grown
        left &= ~rows
        if rows.sum() >= 2 and columns.any():
            groups.append(
                LineGroup(
                    [horizontals[i] for i in np.flatnonzero(rows)],
                    [verticals[i] for i in np.flatnonzero(columns)],
                )
            )
    return _join_neighbours([part for group in groups for part in _cut_at_frames(group)])


def _cut_at_frames(group: LineGroup) -> list[LineGroup]:
    """End the lines of a group at the frames around them; each frame becomes a group.

    Some makers draw each cell too large and clip it to its table; the file has the lines uncut,
    and they reach out of their table, even into the next one.
    """
    frames = _frames(group) if sum(map(len, group)) <= MAX_FRAMED else []
    parts = [LineGroup([], []) for _frame in frames]
    rest = LineGroup([], [])
    for upright, lines in enumerate(group):
        for line in lines:
            cut = [(k, one) for k, f in enumerate(frames) if (one := _cut(line, f))]
            is_long = bool(cut) and line.length - cut[0][1].length > 2 * MAX_REACH_OUT
            if is_long or len(cut) > 1:
                return [group]
            (parts[cut[0][0]] if cut else rest)[upright].append(cut[0][1] if cut else line)
    whole = [part for part in (*parts, rest) if len(part[0]) >= 2 and part[1]]
    return whole or [group]


def _cut(line: Rule, frame: BoundingBox) -> Rule | None:
    """Return the part of a line that a frame encloses."""
    across, along = (frame.top, frame.bottom), (frame.left, frame.right)
    if not line.horizontal:
        across, along = along, across
    start, end = max(line.start, along[0]), min(line.end, along[1])
    if across[0] - TOUCH <= line.position <= across[1] + TOUCH and end - start > TOUCH:
        return replace(line, start=start, end=end)
    return None


def _frames(group: LineGroup) -> list[BoundingBox]:
    """Find the outermost rectangles that lines enclose."""
    horizontals, verticals = group
    found: list[BoundingBox] = []
    by_position = sorted(verticals, key=lambda line: line.position)
    for index, left in enumerate(by_position):
        if any(
            box.left <= left.position <= box.right
            and box.top - TOUCH <= left.start
            and left.end <= box.bottom + TOUCH
            for box in found
        ):
            continue
        for right in reversed(by_position[index + 1 :]):
            if max(abs(left.start - right.start), abs(left.end - right.end)) <= TOUCH and all(
                any(
                    abs(line.position - at) <= TOUCH
                    and abs(line.start - left.position) <= TOUCH
                    and abs(line.end - right.position) <= TOUCH
                    for line in horizontals
                )
                for at in (left.start, left.end)
            ):
                found.append(BoundingBox(left.position, left.start, right.position, left.end))
                break
    return found


def _join_neighbours(groups: list[LineGroup]) -> list[LineGroup]:
    """Join groups of the same width, one closely above the other, or the same height beside it.

    Cells that are shaded or framed one by one, with white between them, do not meet.
    """
    if len(groups) > MAX_NEIGHBOURS:
        return groups
    boxes = [extent(group) for group in groups]
    for i, j in itertools.combinations(range(len(groups)), 2):
        if _are_neighbours(boxes[i], boxes[j]):
            rest = [group for k, group in enumerate(groups) if k != j]
            rest[i] = groups[i].union(groups[j])
            return _join_neighbours(rest)
    return groups


def join_over_bands(groups: Sequence[LineGroup], words: Sequence[StyledWord]) -> list[LineGroup]:
    """Join grids of the same columns that are parted by no more than one line of text.

    The heading of a group of rows has no lines at its sides in the tables of some makers.
    """
    joined: list[LineGroup] = []
    for group in sorted(groups, key=lambda one: extent(one).top):
        for index, above in enumerate(joined):
            if _is_band_between(above, group, words):
                joined[index] = above.union(group)
                break
        else:
            joined.append(group)
    return joined


def _is_band_between(above: LineGroup, below: LineGroup, words: Sequence[StyledWord]) -> bool:
    a, b = extent(above), extent(below)
    if (
        max(abs(a.left - b.left), abs(a.right - b.right)) > TOUCH
        or not CELL_SPACING < b.top - a.bottom <= MAX_BAND
    ):
        return False
    columns = sorted((_inner(above), _inner(below)), key=len)
    if len(columns[0]) < 2 or not all(
        min(abs(x - other) for other in columns[1]) <= TOUCH for x in columns[0]
    ):
        return False
    band = BoundingBox(a.left, a.bottom, a.right, b.top)
    lines = {word.line_no for word in words if not word.angle and band.contains_center(word.bbox)}
    return len(lines) == 1


def _inner(group: LineGroup) -> list[float]:
    """Positions of the borders between a grid's columns."""
    return cluster([line.position for line in group.verticals])[1:-1]


def extent(group: LineGroup) -> BoundingBox:
    """Return the box around the lines of a group."""
    horizontals, verticals = group
    return BoundingBox(
        min(min(h.start for h in horizontals), min(v.position for v in verticals)),
        min(min(v.start for v in verticals), min(h.position for h in horizontals)),
        max(max(h.end for h in horizontals), max(v.position for v in verticals)),
        max(max(v.end for v in verticals), max(h.position for h in horizontals)),
    )


def _are_neighbours(a: BoundingBox, b: BoundingBox) -> bool:
    if min(a.width, b.width, a.height, b.height) < 8:
        return False
    if abs(a.left - b.left) < TOUCH and abs(a.right - b.right) < TOUCH:
        return -1 < max(a.top, b.top) - min(a.bottom, b.bottom) <= CELL_SPACING
    if abs(a.top - b.top) < TOUCH and abs(a.bottom - b.bottom) < TOUCH:
        return -1 < max(a.left, b.left) - min(a.right, b.right) <= CELL_SPACING
    return False


def cluster(values: Sequence[float], distance: float = MERGE_DISTANCE) -> list[float]:
    """Replace runs of close values by their mean, ascending."""
    groups = in_runs(
        sorted(values), lambda run, x: x - run[-1] <= distance and x - run[0] <= 2 * distance
    )
    return [sum(group) / len(group) for group in groups]


def build_lattice(group: LineGroup, words: Sequence[StyledWord] = ()) -> Lattice | None:
    """Span the lattice of a group of lines, None without area; what no line parts is one slot."""
    horizontals, verticals = group
    box = extent(group)
    xs = _with_ends(cluster([line.position for line in verticals]), box.left, box.right)
    ys = _with_ends(cluster([line.position for line in horizontals]), box.top, box.bottom)
    if len(xs) < 2 or len(ys) < 2:
        return None
    vertical = _presence(verticals, xs, ys)
    horizontal = _presence(horizontals, ys, xs)
    return Lattice(words, xs, ys, _slots(xs, ys, vertical, horizontal))


def _with_ends(positions: list[float], first: float, last: float) -> list[float]:
    if not positions or positions[0] - first > 2 * MERGE_DISTANCE:
        positions = [first, *positions]
    if last - positions[-1] > 2 * MERGE_DISTANCE:
        positions = [*positions, last]
    return positions


def _presence(lines: Sequence[Rule], positions: list[float], cross: list[float]) -> np.ndarray:
    """Tell for each position and each interval of `cross` whether a line covers most of it."""
    covered = np.zeros((len(positions), len(cross) - 1))
    centers = np.array(positions)
    for line in lines:
        index = int(np.argmin(np.abs(centers - line.position)))
        for k in range(len(cross) - 1):
            overlap = min(line.end, cross[k + 1]) - max(line.start, cross[k])
            if overlap > 0:
                covered[index, k] += overlap / (cross[k + 1] - cross[k])
    return covered >= 0.55


def _slots(
    xs: list[float], ys: list[float], vertical: np.ndarray, horizontal: np.ndarray
) -> list[Slot]:
    n_rows, n_columns = len(ys) - 1, len(xs) - 1
    owner = list(range(n_rows * n_columns))
    for row in range(n_rows):
        for column in range(n_columns):
            cell = row * n_columns + column
            if column + 1 < n_columns and not vertical[column + 1, row]:
                owner[root_of(owner, cell + 1)] = root_of(owner, cell)
            if row + 1 < n_rows and not horizontal[row + 1, column]:
                owner[root_of(owner, cell + n_columns)] = root_of(owner, cell)
    labels = np.array([root_of(owner, cell) for cell in range(n_rows * n_columns)])
    return _rectangles(labels.reshape(n_rows, n_columns))


def _rectangles(labels: np.ndarray) -> list[Slot]:
    """Cover the labelled areas by rectangles; an area of another shape is cut up row by row."""
    n_rows, n_columns = labels.shape
    done = np.zeros(labels.shape, dtype=bool)
    slots = []
    for row in range(n_rows):
        for column in range(n_columns):
            if done[row, column]:
                continue
            label = labels[row, column]
            width = 1
            while (
                column + width < n_columns
                and labels[row, column + width] == label
                and not done[row, column + width]
            ):
                width += 1
            height = 1
            while row + height < n_rows and _is_same_run(
                labels, label, row + height, column, width
            ):
                height += 1
            done[row : row + height, column : column + width] = True
            slots.append(Slot(row, column, height, width))
    return slots


def _is_same_run(labels: np.ndarray, label: int, row: int, column: int, width: int) -> bool:
    """Tell whether a row repeats the run above it, neither shorter nor longer."""
    run = labels[row, column : column + width]
    if not (run == label).all():
        return False
    before = column > 0 and labels[row, column - 1] == label
    after = column + width < labels.shape[1] and labels[row, column + width] == label
    return not before and not after
