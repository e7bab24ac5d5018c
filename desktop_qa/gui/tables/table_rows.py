"""How high the rows of a table are for the words in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from desktop_qa.gui.tables.table_cells import ARROW_ROOM_PX
from desktop_qa.gui.tables.table_model import TableModel

if TYPE_CHECKING:
    from desktop_qa.gui.tables.table_view import TableView


def row_heights(
    view: TableView, model: TableModel, rows: Sequence[int], columns: Iterable[int]
) -> dict[int, int]:
    """Return the heights of some rows; what spans several adds to the last of them.

    Args:
        view: With its columns at their widths.
        model: What it shows.
        rows: To be measured, ascending.
        columns: Whose cells count.
    """
    heights = {row: view.measure.line_height() for row in rows}
    spanning: list[tuple[int, int, int]] = []
    columns = list(columns)
    for row in rows:
        for column in columns:
            needed, n_rows = _height_of(view, model, row, column)
            if n_rows == 1:
                heights[row] = max(heights[row], needed)
            elif n_rows:
                spanning.append((row, n_rows, needed))
    for row, n_rows, needed in spanning:
        within = sum(heights.get(r, view.rowHeight(r)) for r in range(row, row + n_rows))
        last = row + n_rows - 1
        if needed > within and last in heights:
            heights[last] += needed - within
    return heights


def _height_of(view: TableView, model: TableModel, row: int, column: int) -> tuple[int, int]:
    """Return the height a cell needs and its rows; (0, 0) inside another cell's span."""
    cell = model.cell(row, column)
    if cell is None or cell.column != column:
        return 0, 0
    if row and cell.row_span > 1 and model.cell(row - 1, column) is cell:
        return 0, 0
    n_rows, n_columns = view.span_of(row, column)
    width = sum(view.columnWidth(c) for c in range(column, column + n_columns))
    if model.is_header(row) and view.is_sorted_by(row, column):
        width -= ARROW_ROOM_PX
    return view.measure.height(cell.text, width, is_strong=view.is_strong(row, column)), n_rows
