"""Ruled grids: lines that meet, the lattice they span, and which of its cells are one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.table_lines import Line, LineSet

TOUCH = 3.0
"""Points within which the end of a line is taken to meet another line."""

CELL_SPACING = 7.5
"""Points of white between cells that are framed one by one."""

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
        xs: Borders of the columns from left to right, one more than columns.
        ys: Borders of the rows from top to bottom, one more than rows.
        soft: For each row and border of columns: True where no drawn line stands (an edge of
            shading does not count). As built; not kept up when rows or columns change.
    """

    xs: list[float]
    ys: list[float]
    slots: list[Slot]
    soft: list[list[bool]] = field(default_factory=list)

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

    def box_of(self, slot: Slot) -> BoundingBox:
        """Rectangle of a slot."""
        return BoundingBox(
            self.xs[slot.column],
            self.ys[slot.row],
            self.xs[slot.column + slot.column_span],
            self.ys[slot.row + slot.row_span],
        )


LineGroup = tuple[list[Line], list[Line]]
"""Horizontal and vertical lines that meet."""


def find_grids(lines: LineSet) -> list[LineGroup]:
    """Group lines that meet; each group as (horizontals, verticals), both with two or more."""
    horizontals, verticals = lines.horizontals, lines.verticals
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
                (
                    [horizontals[i] for i in np.flatnonzero(rows)],
                    [verticals[i] for i in np.flatnonzero(columns)],
                )
            )
    return _join_neighbours(groups)


def _join_neighbours(groups: list[LineGroup]) -> list[LineGroup]:
    """Join groups of the same width, one closely above the other, or the same height beside it.

    Cells that are shaded or framed one by one, with white between them, do not meet.
    """
    if len(groups) > MAX_NEIGHBOURS:
        return groups
    joined = [(extent(group), group) for group in groups]
    changed = True
    while changed:
        changed = False
        for i, j in itertools.combinations(range(len(joined)), 2):
            if _are_neighbours(joined[i][0], joined[j][0]):
                _box, (horizontals, verticals) = joined.pop(j)
                first = joined[i][1]
                group = ([*first[0], *horizontals], [*first[1], *verticals])
                joined[i] = (extent(group), group)
                changed = True
                break
    return [group for _box, group in joined]


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
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= distance and value - groups[-1][0] <= 2 * distance:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]


def build_lattice(horizontals: Sequence[Line], verticals: Sequence[Line]) -> Lattice | None:
    """Span the lattice of a group of lines; cells with no line between them become one slot.

    Returns:
        None when the lines span no area.
    """
    left = min(min(line.start for line in horizontals), min(v.position for v in verticals))
    right = max(max(line.end for line in horizontals), max(v.position for v in verticals))
    top = min(min(line.start for line in verticals), min(h.position for h in horizontals))
    bottom = max(max(line.end for line in verticals), max(h.position for h in horizontals))
    xs = _with_ends(cluster([line.position for line in verticals]), left, right)
    ys = _with_ends(cluster([line.position for line in horizontals]), top, bottom)
    if len(xs) < 2 or len(ys) < 2:
        return None
    vertical = _presence(verticals, xs, ys)
    horizontal = _presence(horizontals, ys, xs)
    drawn = _presence([line for line in verticals if line.drawn], xs, ys)
    return Lattice(xs, ys, _slots(xs, ys, vertical, horizontal), (~drawn.T).tolist())


def _with_ends(positions: list[float], first: float, last: float) -> list[float]:
    if not positions or positions[0] - first > 2 * MERGE_DISTANCE:
        positions = [first, *positions]
    if last - positions[-1] > 2 * MERGE_DISTANCE:
        positions = [*positions, last]
    return positions


def _presence(lines: Sequence[Line], positions: list[float], cross: list[float]) -> np.ndarray:
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

    def root(cell: int) -> int:
        while owner[cell] != cell:
            owner[cell] = owner[owner[cell]]
            cell = owner[cell]
        return cell

    for row in range(n_rows):
        for column in range(n_columns):
            cell = row * n_columns + column
            if column + 1 < n_columns and not vertical[column + 1, row]:
                owner[root(cell + 1)] = root(cell)
            if row + 1 < n_rows and not horizontal[row + 1, column]:
                owner[root(cell + n_columns)] = root(cell)
    labels = np.array([root(cell) for cell in range(n_rows * n_columns)])
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
