"""A selection as a table: by the library's own tables, else by the columns that its words stand in.

Plain functions over places, no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.core.page_text import CELL_BREAK, PageText, TextLine
from desktop_qa.gui.tables.table_text import Rows, texts_of
from desktop_qa.gui.viewer.page_text_selection import distance

_MIN_INSIDE = 0.6
"""Share of the selection that lies in a table when it is one."""

_MIN_COLUMNS = 2
_MIN_COVERED = 0.3
"""Share of a cell's words that are selected when the cell is."""

_MAX_OFF_CELL_PT = 24.0
"""From a click to the words of its cell."""


def rows_of_tables(tables: Sequence[Table], places: Sequence[Provenance]) -> Rows:
    """Return the selected cells of the table that holds a selection; empty when none does.

    A header row belongs to it when all of its cells in the selected columns are selected.
    """
    table = max(tables, key=lambda one: _covered(places, one.provenances), default=None)
    if table is None or _covered(places, table.provenances) < _MIN_INSIDE:
        return []
    grid = [[cell if cell and cell.text else None for cell in row] for row in table.grid()]
    chosen = [
        [
            cell if cell and _covered(cell.provenances, places) > _MIN_COVERED else None
            for cell in row
        ]
        for row in grid
    ]
    rows = [r for r in range(table.n_rows) if any(chosen[r])]
    # A drag from a header into the rows takes the rest of the headers, and means its own column.
    body = [row for row in rows if row >= table.n_header_rows] or rows
    columns = [c for c in range(table.n_columns) if any(chosen[r][c] for r in body)]
    headers = [
        row
        for row in rows
        if row not in body and all(chosen[row][c] is grid[row][c] for c in columns)
    ]
    if len(columns) < _MIN_COLUMNS:
        return []
    return texts_of(lambda row, column: chosen[row][column], product((*headers, *body), columns))


def rows_of_table(table: Table) -> Rows:
    """Return all cells of a table."""
    grid = table.grid()
    places = product(range(table.n_rows), range(table.n_columns))
    return texts_of(lambda row, column: grid[row][column], places)


def table_at(tables: Sequence[Table], page_no: int, x: float, y: float) -> Table | None:
    """Return the table that stands at a point of a page, of nested ones the smallest."""
    around = [
        (place.bbox.area, index)
        for index, table in enumerate(tables)
        for place in table.provenances
        if place.page_no == page_no and not any(distance(place.bbox, x, y))
    ]
    return tables[min(around)[1]] if around else None


def cell_at(table: Table, page_no: int, x: float, y: float) -> TableCell | None:
    """Return the cell at a point of a page: the one whose text stands there, or nearest to it.

    A click into the white of a cell means its words: they are the nearest ones in its row.
    """

    def far(cell: TableCell) -> float:
        places = [place for place in cell.provenances if place.page_no == page_no]
        ways = [distance(place.bbox, x, y) for place in places]
        return min((across + 4 * down for across, down in ways), default=float("inf"))

    nearest = min(table.cells, key=far, default=None)
    return nearest if nearest is not None and far(nearest) < _MAX_OFF_CELL_PT else None


def _covered(places: Sequence[Provenance], others: Sequence[Provenance]) -> float:
    """Return the share of the area of places that others cover."""
    total = sum(place.bbox.area for place in places)
    covered = sum(
        place.bbox.intersection_area(other.bbox)
        for place in places
        for other in others
        if other.page_no == place.page_no
    )
    return covered / total if total else 0.0


def rows_of_lines(page: PageText, parts: Sequence[tuple[TextLine, int, int]]) -> Rows:
    """Return upright parts of lines as rows of cells, a column for each that the fullest row has.

    Less than two rows of two columns are no table: nothing then.
    """
    rows = _visual_rows(page, [part for part in parts if part[0].angle == 0])
    template = max(rows, key=len, default=[])
    if len(template) < 2 or sum(len(row) > 1 for row in rows) < 2:
        return []
    table: Rows = []
    for row in rows:
        cells = [""] * len(template)
        for box, text in row:
            index = _column_of(box, [place for place, _text in template])
            cells[index] = f"{cells[index]} {text}".strip()
        table.append(cells)
    return table


_Cell = tuple[BoundingBox, str]


def _visual_rows(page: PageText, parts: Sequence[tuple[TextLine, int, int]]) -> list[list[_Cell]]:
    """Group cells that stand side by side, be they of one line or of lines of two columns."""
    rows: list[list[_Cell]] = []
    for line, first, end in sorted(parts, key=lambda part: part[0].bbox.top):
        cells = []
        at = first
        for piece in page.text[first:end].split(CELL_BREAK):
            if piece.strip():
                cells.append((page.boxes(at, at + len(piece))[0], piece.strip()))
            at += len(piece) + 1
        if rows and _is_beside(rows[-1][0][0], line.bbox):
            rows[-1] += cells
        elif cells:
            rows.append(cells)
    return [sorted(row, key=lambda cell: cell[0].left) for row in rows]


def _is_beside(row: BoundingBox, other: BoundingBox) -> bool:
    shared = min(row.bottom, other.bottom) - max(row.top, other.top)
    return shared > 0.5 * min(row.height, other.height)


def _column_of(box: BoundingBox, columns: Sequence[BoundingBox]) -> int:
    def far(index: int) -> tuple[float, float]:
        column = columns[index]
        shared = min(box.right, column.right) - max(box.left, column.left)
        middle = (box.left + box.right - column.left - column.right) / 2
        return -max(shared, 0.0), abs(middle)

    return min(range(len(columns)), key=far)
