"""What is a table and what only looks like a grid; empty rows and columns taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_columns import line_runs
from desktop_qa.parse.table_grid import MERGE_DISTANCE, Lattice, Slot
from desktop_qa.parse.table_join import FoundTable
from desktop_qa.parse.table_lines import Line
from desktop_qa.parse.table_text import text_lines

MIN_FILLED = 0.25
"""Share of the cells with text; the grid of a plot has next to none."""

MIN_FILLED_UNTITLED = 0.42
"""The same where no title says that it is a table."""

MIN_FILLED_SURE = 0.85
"""The same that tells a table however its lines end."""

MAX_LOOSE_ENDS = 0.12
"""Share of line ends that meet nothing."""

MIN_CELLS = 6
"""Fewer cells do not show how full a grid is."""

MAX_ROOM = 3.2
"""Height of the cells over that of their text, median."""

MIN_FACING, MIN_FACING_SHARE = 3, 0.6
"""Pairs of pins whose numbers have one sum, and their share of the rows with numbers."""

END_TOLERANCE = 4.0
SIDE = 6.0


def drop_empty(lattice: Lattice) -> None:
    """Take out rows and columns that no cell of their own fills: double lines, margins."""
    for row in range(lattice.n_rows - 1, -1, -1):
        own = [s for s in lattice.slots if s.row == row and s.row_span == 1]
        if lattice.n_rows > 1 and not any(slot.words for slot in own):
            _drop_row(lattice, row)
    for column in range(lattice.n_columns - 1, -1, -1):
        own = [s for s in lattice.slots if s.column == column and s.column_span == 1]
        if lattice.n_columns > 1 and not any(slot.words for slot in own):
            _drop_column(lattice, column)


def _drop_row(lattice: Lattice, row: int) -> None:
    kept: list[Slot] = []
    for slot in lattice.slots:
        if slot.row <= row <= slot.last_row:
            slot.row_span -= 1
            if slot.row_span == 0:
                continue
        if slot.row > row:
            slot.row -= 1
        kept.append(slot)
    lattice.slots = kept
    # The space goes to the row above, where a wrapped text would come from.
    del lattice.ys[row if row > 0 else (0 if lattice.n_rows > 1 else 1)]


def _drop_column(lattice: Lattice, column: int) -> None:
    kept: list[Slot] = []
    for slot in lattice.slots:
        if slot.column <= column <= slot.last_column:
            slot.column_span -= 1
            if slot.column_span == 0:
                continue
        if slot.column > column:
            slot.column -= 1
        kept.append(slot)
    lattice.slots = kept
    del lattice.xs[column if column > 0 else 0]


def is_regular(
    lattice: Lattice,
    horizontals: Sequence[Line],
    verticals: Sequence[Line],
    is_titled: Callable[[], bool],
) -> bool:
    """Tell the lattice of a table, as drawn, from the wires of a diagram or the grid of a plot.

    The lines of a table end at other lines and most of its cells hold text. Measured on 51
    datasheets: tables have less than 7 % of loose ends and more than half of the cells filled
    (frames of bits a third, under a title), diagrams 10 % and more, and under 45 %.

    Args:
        lattice: With its words, before empty rows and columns are taken out.
        horizontals: Its lines across.
        verticals: Its lines down.
        is_titled: Asked in doubt: whether a "Table 3" stands at it.
    """
    boxes = [(lattice.box_of(slot), bool(slot.words)) for slot in lattice.slots]
    cells = [filled for box, filled in boxes if box.width > 6 and box.height > 6.5]
    share = sum(cells) / max(1, len(cells))
    # Dashes and white between cells leave ends loose, too, where nearly every cell holds text.
    if len(cells) >= MIN_CELLS and share > MIN_FILLED_SURE:
        return True
    if _loose_ends(verticals, horizontals, None) > MAX_LOOSE_ENDS:
        return False
    if _loose_ends(horizontals, verticals, lattice) > 3 * MAX_LOOSE_ENDS:
        return False
    return share >= MIN_FILLED_UNTITLED or (share >= MIN_FILLED and is_titled())


def _loose_ends(lines: Sequence[Line], others: Sequence[Line], lattice: Lattice | None) -> float:
    """Share of ends that meet no line across; ends at the lattice's sides are not loose."""
    if not lines or not others:
        return 0.0
    positions = np.repeat([line.position for line in lines], 2)
    ends = np.array([end for line in lines for end in (line.start, line.end)])
    at, start, end = np.array([(o.position, o.start, o.end) for o in others]).T
    meets = (
        (np.abs(at[None, :] - ends[:, None]) <= END_TOLERANCE)
        & (start[None, :] - END_TOLERANCE <= positions[:, None])
        & (positions[:, None] <= end[None, :] + END_TOLERANCE)
    ).any(axis=1)
    if lattice is not None:
        meets |= np.abs(ends - lattice.xs[0]) < SIDE
        meets |= np.abs(ends - lattice.xs[-1]) < SIDE
    return float(1 - meets.mean())


def is_table(page: PageContent, lattice: Lattice, is_titled: Callable[[], bool]) -> bool:
    """Tell a table from a frame, a plot, a diagram or a page's border.

    Args:
        page: With its drawings.
        lattice: Without empty rows and columns.
        is_titled: Asked in doubt: a single row (the bits of a register) is a table under a title.
    """
    if lattice.n_rows < 1 or lattice.n_columns < 2:
        return False
    filled = [slot for slot in lattice.slots if slot.words]
    if lattice.n_rows == 1:
        return (len(filled) >= 4 or len(filled) == len(lattice.slots)) and is_titled()
    if len(filled) < 4 or len(filled) < MIN_FILLED * len(lattice.slots):
        return False
    columns = {c for s in filled for c in range(s.column, s.last_column + 1) if s.column_span == 1}
    rows = {r for s in filled for r in range(s.row, s.last_row + 1)}
    if len(columns) < 2 or len(rows) < 2:
        return False
    return _is_full(lattice) or not _holds_drawings(page, lattice, filled)


def _is_full(lattice: Lattice) -> bool:
    """Tell rows and columns that hold text in each cell: neither plots nor diagrams do."""
    return min(lattice.n_rows, lattice.n_columns) > 2 and all(s.words for s in lattice.slots)


def _holds_drawings(page: PageContent, lattice: Lattice, filled: Sequence[Slot]) -> bool:
    """Curves and slanted lines in many of the cells belong to plots or a diagram."""
    box = lattice.bbox
    curved = [
        d.bbox
        for d in page.drawings
        if d.has_curves and (d.bbox.width > 4 or d.bbox.height > 4) and box.contains_center(d.bbox)
    ]
    if len(curved) < 2:
        return False
    spread = sum(min(one.area, box.area) for one in curved)
    if spread > 0.2 * box.area:
        return True
    n_drawn = sum(
        any(lattice.box_of(slot).contains_center(one) for one in curved) for slot in filled
    )
    return n_drawn > 0.4 * len(filled)


def is_trusted(page: PageContent, table: FoundTable, lattice: Lattice) -> bool:
    """Tell whether a table without title and headings is one all the same.

    Pin-outs, frames of bits and sheets of plots have neither; a table's rows are of plain cells,
    and little more than their text high.
    """
    if not table.label and _are_pins(page, lattice):
        return False
    if table.label or table.n_header_rows:
        return True
    filled = [slot for slot in lattice.slots if slot.words]
    n_plain = sum(slot.row_span == slot.column_span == 1 for slot in filled)
    is_whole = all(slot.words for slot in lattice.slots)
    if (lattice.n_rows < 3 or len(filled) < 8) and not is_whole:
        return False
    if n_plain < 0.65 * len(filled):
        return False
    if len(filled) < MIN_FILLED_UNTITLED * len(lattice.slots):
        return False
    # The body of a chip, or of a title block, stands between others from top to bottom.
    inner = [s for s in lattice.slots if s.column > 0 and s.last_column < lattice.n_columns - 1]
    if any(slot.row_span == lattice.n_rows for slot in inner):
        return False
    if _n_foreign(page, lattice) > 0.3 * len(filled):
        return False
    heights = []
    for slot in filled:
        lines = text_lines(page.words, slot.words)
        heights.append(lattice.box_of(slot).height / sum(line.size for line in lines))
    is_close = _is_full(lattice) or sorted(heights)[len(heights) // 2] <= MAX_ROOM
    return is_close and not _covers_images(page, lattice)


def _are_pins(page: PageContent, lattice: Lattice) -> bool:
    """Tell the pins of a package, which are counted round it: those that face have one sum."""
    lines = [line for slot in lattice.slots for line in text_lines(page.words, slot.words)]
    runs = [run.words for line in lines for run in line_runs(page.words, line)]
    pins = [word for i, *rest in runs if not rest and (word := page.words[i]).text.isdecimal()]
    down = [
        ((word.bbox.left + word.bbox.right) / 2, word.baseline, int(word.text)) for word in pins
    ]
    for numbers in (down, [(y, x, number) for x, y, number in down]):
        facing: dict[float, list[tuple[float, int]]] = {}
        level = -2 * MERGE_DISTANCE
        for at, along, number in sorted(numbers):
            level = level if at - level < MERGE_DISTANCE else at
            facing.setdefault(level, []).append((along, number))
        ends = {(min(of)[1], max(of)[1]) for of in facing.values() if len(of) > 1}
        sums = Counter(map(sum, ends))
        if max(sums.values(), default=0) >= max(MIN_FACING, MIN_FACING_SHARE * len(facing)):
            return True
    return False


def _covers_images(page: PageContent, lattice: Lattice) -> bool:
    box = lattice.bbox
    return sum(image.bbox.intersection_area(box) for image in page.images) > 0.05 * box.area


def _n_foreign(page: PageContent, lattice: Lattice) -> int:
    """Count strokes inside a table that are none of its borders, and curves."""
    box = lattice.bbox
    n_curves = sum(
        d.has_curves and (d.bbox.width > 4 or d.bbox.height > 4) and box.contains_center(d.bbox)
        for d in page.drawings
    )
    n_strokes = 0
    for rule in page.rules:
        middle = (rule.start + rule.end) / 2
        along = (box.left, box.right) if rule.horizontal else (box.top, box.bottom)
        across = (box.top, box.bottom) if rule.horizontal else (box.left, box.right)
        if not (along[0] < middle < along[1] and across[0] < rule.position < across[1]):
            continue
        borders = lattice.ys if rule.horizontal else lattice.xs
        if rule.end - rule.start > 8 and min(abs(rule.position - b) for b in borders) > 5:
            n_strokes += 1
    return n_curves + n_strokes
