"""A table of any size by rows, without Qt: what covers a place, what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from desktop_qa.core.document import Table, TableCell

_UNIT_HEADINGS = frozenset(("unit", "units"))
Row = list[TableCell | None]


class TableGrid:
    """Reads a table's cells by place; `rows` have the cell that covers each column."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.n_rows, self.n_columns = table.n_rows, table.n_columns
        self.n_header_rows = table.n_header_rows
        self.rows: list[Row] = table.grid()
        self._wide = [c for c in table.cells if c.row_span > 1 or c.column_span > 1]

    def text(self, row: int, column: int) -> str:
        """Return the words at a place."""
        cell = self.rows[row][column]
        return cell.text if cell is not None else ""

    def _beginning(self, row: int) -> list[TableCell]:
        """Return the cells whose first place is in a row."""
        places = enumerate(self.rows[row])
        return [c for column, c in places if c is not None and (c.row, c.column) == (row, column)]

    @cached_property
    def rows_with_spans(self) -> frozenset[int]:
        """Rows that a cell over several rows or columns touches."""
        return frozenset(row for c in self._wide for row in range(c.row, c.row + c.row_span))

    def is_group_heading(self, row: int) -> bool:
        """Tell whether a row of the body is a heading over those below it: "OFFSET VOLTAGE"."""
        if row < self.n_header_rows or self.n_columns < 2:
            return False
        said = [cell for cell in self._beginning(row) if cell.text.strip()]
        if len(said) != 1 or any(cell is not None and cell.row < row for cell in self.rows[row]):
            return False
        (only,) = said
        if only.column_span >= self.n_columns:
            return True
        if only.column or self.n_columns <= 2 or row + 1 >= self.n_rows:
            return False
        # Not where the row below has words in its first column alone, too.
        return any(cell.text.strip() and cell.column for cell in self._beginning(row + 1))

    def sections(self, rows: Sequence[int]) -> list[tuple[int | None, list[list[int]]]]:
        """Part ascending rows of the body by their headings, and what shares a cell into blocks.

        Each section is the row of its heading, or None, and blocks of rows in their order.
        """
        sections: list[tuple[int | None, list[list[int]]]] = []
        joined_until, touched = -1, self.rows_with_spans
        for row in rows:
            if self.is_group_heading(row):
                sections.append((row, []))
                joined_until = -1
                continue
            if not sections:
                sections.append((None, []))
            blocks = sections[-1][1]
            if blocks and row <= joined_until:
                blocks[-1].append(row)
            else:
                blocks.append([row])
            if row not in touched:
                continue
            ends = (c.row + c.row_span - 1 for c in self.rows[row] if c is not None)
            joined_until = max(joined_until, row - 1, *ends)
        return sections

    def is_evenly_joined(self, block: Sequence[int]) -> bool:
        """Tell whether each cell over several rows of a block covers all of it."""
        first, last = min(block), max(block)
        cells = (cell for row in block for cell in self.rows[row] if cell is not None)
        tall = [cell for cell in cells if cell.row_span > 1]
        return all(cell.row <= first and cell.row + cell.row_span - 1 >= last for cell in tall)

    @cached_property
    def unit_column(self) -> int | None:
        """The column that says in which unit the numbers of a row are."""
        for row in range(self.n_header_rows):
            for cell in self._beginning(row):
                if cell.text.strip(" ()[]").casefold() in _UNIT_HEADINGS:
                    return cell.column
        return None


NO_GRID = TableGrid(Table("", "", "", 0, 0, (), (), ()))
