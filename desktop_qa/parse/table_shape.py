"""What is a table and what only looks like a grid; empty rows and columns taken out."""

from __future__ import annotations

from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_grid import Lattice, Slot

MIN_FILLED = 0.25
"""Share of the cells with text; the grid of a plot has next to none."""


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


def is_table(page: PageContent, lattice: Lattice) -> bool:
    """Tell a table from a frame, a plot, a diagram or a page's border."""
    if lattice.n_rows < 2 or lattice.n_columns < 2:
        return False
    filled = [slot for slot in lattice.slots if slot.words]
    if len(filled) < 4 or len(filled) < MIN_FILLED * len(lattice.slots):
        return False
    columns = {c for s in filled for c in range(s.column, s.last_column + 1) if s.column_span == 1}
    rows = {r for s in filled for r in range(s.row, s.last_row + 1)}
    if len(columns) < 2 or len(rows) < 2:
        return False
    n_words = sum(len(slot.words) for slot in filled)
    largest = max(len(slot.words) for slot in filled)
    if largest > 80 and largest > 0.6 * n_words:
        return False
    return not _is_drawing(page, lattice)


def _is_drawing(page: PageContent, lattice: Lattice) -> bool:
    """Curves and slanted lines all over the area belong to a plot or a diagram."""
    box = lattice.bbox
    curved = [
        d
        for d in page.drawings
        if d.has_curves and d.bbox.width > 12 and d.bbox.height > 12 and box.contains_center(d.bbox)
    ]
    if not curved:
        return False
    spread = sum(min(d.bbox.area, box.area) for d in curved)
    return spread > 0.2 * box.area
