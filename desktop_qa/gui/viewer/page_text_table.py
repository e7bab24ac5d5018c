"""A selection as a table: by the library's own tables, else by the columns that its words stand in.

Plain functions over places, no widgets.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.core.page_text import CELL_BREAK, PageText, TextLine
from desktop_qa.gui.tables.table_text import as_tsv

_MIN_INSIDE = 0.6
"""Share of the selection that lies in a table when it is one."""

_MIN_COLUMNS = 2
_MIN_COVERED = 0.3
"""Share of a cell's words that are selected when the cell is."""

_MAX_OFF_CELL_PT = 24.0
"""From a click to the words of its cell."""

Rows = list[list[str]]


def rows_of_tables(tables: Sequence[Table], places: Sequence[Provenance]) -> Rows:
    """Return the selected cells of the table that holds a selection; empty when none does.

    A header row belongs to it when all of its cells in the selected columns are selected.

    Args:
        tables: Of the document.
        places: Where the selection stands.
    """
    table = max(tables, key=lambda one: _share_inside(one, places), default=None)
    if table is None or _share_inside(table, places) < _MIN_INSIDE:
        return []
    chosen = {id(cell) for cell in table.cells if _is_selected(cell, places)}
    grid = table.grid()
    n_headers = table.n_header_rows
    rows = [r for r in range(table.n_rows) if any(_is_in(cell, chosen) for cell in grid[r])]
    # A drag from a header into the rows takes the rest of the headers, and means its own column.
    body = [row for row in rows if row >= n_headers] or rows
    columns = [c for c in range(table.n_columns) if any(_is_in(grid[r][c], chosen) for r in body)]
    headers = [
        row
        for row in rows
        if row not in body
        and all(not _has_text(cell) or _is_in(cell, chosen) for cell in _of(grid[row], columns))
    ]
    if len(columns) < _MIN_COLUMNS:
        return []
    return [[_text(grid, row, column, chosen) for column in columns] for row in (*headers, *body)]


def rows_of_table(table: Table) -> Rows:
    """Return all cells of a table."""
    everything = {id(cell) for cell in table.cells}
    grid = table.grid()
    return [
        [_text(grid, row, column, everything) for column in range(table.n_columns)]
        for row in range(table.n_rows)
    ]


def table_at(tables: Sequence[Table], page_no: int, x: float, y: float) -> Table | None:
    """Return the table that stands at a point of a page, of nested ones the smallest."""
    around = [
        (place.bbox.area, index)
        for index, table in enumerate(tables)
        for place in table.provenances
        if place.page_no == page_no
        and place.bbox.left <= x <= place.bbox.right
        and place.bbox.top <= y <= place.bbox.bottom
    ]
    return tables[min(around)[1]] if around else None


def cell_at(table: Table, page_no: int, x: float, y: float) -> TableCell | None:
    """Return the cell at a point of a page: the one whose text stands there, or nearest to it.

    A click into the white of a cell means its words: they are the nearest ones in its row.
    """

    def far(cell: TableCell) -> float:
        boxes = [place.bbox for place in cell.provenances if place.page_no == page_no]
        return min(
            (
                max(box.left - x, x - box.right, 0.0) + 4 * max(box.top - y, y - box.bottom, 0.0)
                for box in boxes
            ),
            default=float("inf"),
        )

    nearest = min(table.cells, key=far, default=None)
    return nearest if nearest is not None and far(nearest) < _MAX_OFF_CELL_PT else None


def _has_text(cell: TableCell | None) -> bool:
    return cell is not None and bool(cell.text)


def _of(row: Sequence[TableCell | None], columns: Sequence[int]) -> list[TableCell | None]:
    return [row[column] for column in columns]


def _is_in(cell: TableCell | None, chosen: set[int]) -> bool:
    return cell is not None and id(cell) in chosen


def _text(
    grid: Sequence[Sequence[TableCell | None]], row: int, column: int, chosen: set[int]
) -> str:
    """Return the text of a cell; one that spans several stands in the first."""
    cell = grid[row][column]
    if cell is None or id(cell) not in chosen or (cell.row, cell.column) != (row, column):
        return ""
    return cell.text


def _share_inside(table: Table, places: Sequence[Provenance]) -> float:
    total = sum(place.bbox.area for place in places)
    inside = sum(
        place.bbox.intersection_area(of_table.bbox)
        for place in places
        for of_table in table.provenances
        if of_table.page_no == place.page_no
    )
    return inside / total if total else 0.0


def _is_selected(cell: TableCell, places: Sequence[Provenance]) -> bool:
    if not cell.text:
        return False
    total = sum(one.bbox.area for one in cell.provenances)
    covered = sum(
        one.bbox.intersection_area(place.bbox)
        for one in cell.provenances
        for place in places
        if place.page_no == one.page_no
    )
    return covered > _MIN_COVERED * total if total else False


# From the words alone


def rows_of_lines(page: PageText, parts: Sequence[tuple[TextLine, int, int]]) -> Rows:
    """Return parts of lines as rows of cells, one column for each that the fullest row has.

    Args:
        page: With its text.
        parts: Upright lines with the offsets that are selected.

    Returns:
        Two rows of two columns at least, else nothing: then it is no table.
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


def as_html(rows: Rows) -> str:
    """Return rows of cells as a table of HTML, which spreadsheets and word processors take."""
    lines = [
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    ]
    return "<table>" + "".join(lines) + "</table>"


def as_text(rows: Rows) -> str:
    """Return rows of cells with tabs between them."""
    return as_tsv(rows)
