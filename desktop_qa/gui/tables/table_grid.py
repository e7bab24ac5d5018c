"""A table of any size by rows, without Qt: what covers a place, what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from desktop_qa.core.document import Table, TableCell

_UNIT_HEADINGS = frozenset(("unit", "units"))
Row = list[TableCell | None]


class TableGrid:
    """Reads a table's cells by place; rows are made when they are asked for.

    A table of 100 000 cells is ready in the time of one walk over them.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.n_rows, self.n_columns = table.n_rows, table.n_columns
        self._starting: list[list[TableCell]] = [[] for _ in range(table.n_rows)]
        self._wide: list[TableCell] = []
        starting, wide = self._starting, self._wide
        for cell in table.cells:
            if 0 <= cell.row < table.n_rows:
                starting[cell.row].append(cell)
                if cell.row_span > 1 or cell.column_span > 1:
                    wide.append(cell)
        self._tall_over: dict[int, list[TableCell]] = {}
        for cell in wide:
            for row in range(cell.row + 1, min(cell.row + cell.row_span, table.n_rows)):
                self._tall_over.setdefault(row, []).append(cell)
        self._rows: dict[int, Row] = {}

    def row(self, index: int) -> Row:
        """Return the cell that covers each column of a row."""
        found = self._rows.get(index)
        if found is None:
            n_columns = self.table.n_columns
            found = [None] * n_columns
            for cell in (*self._tall_over.get(index, ()), *self._starting[index]):
                if cell.column_span == 1:
                    if 0 <= cell.column < n_columns:
                        found[cell.column] = cell
                else:
                    for column in range(
                        cell.column, min(cell.column + cell.column_span, n_columns)
                    ):
                        found[column] = cell
            self._rows[index] = found
        return found

    @cached_property
    def n_header_rows(self) -> int:
        """Rows at the top that name the columns; as `Table.n_header_rows`."""
        for index in range(self.n_rows):
            of_row = (*self._tall_over.get(index, ()), *self._starting[index])
            if not of_row or not all(cell.is_header for cell in of_row):
                return index
        return self.n_rows

    @cached_property
    def rows_with_spans(self) -> frozenset[int]:
        """Rows that a cell over several rows or columns touches."""
        return frozenset(cell.row for cell in self._wide) | frozenset(self._tall_over)

    def text(self, row: int, column: int) -> str:
        """Return the words at a place."""
        cell: TableCell | None
        if row not in self._rows and row not in self.rows_with_spans:
            for cell in self._starting[row]:
                if cell.column == column:
                    return cell.text
            return ""
        cell = self.row(row)[column]
        return cell.text if cell is not None else ""

    def is_group_heading(self, row: int) -> bool:
        """Tell whether a row of the body is a heading over those below it: "OFFSET VOLTAGE"."""
        if row < self.n_header_rows or self.n_columns < 2:
            return False
        only: TableCell | None = None
        for cell in self._starting[row]:
            if cell.text and not cell.text.isspace():
                if only is not None:
                    return False
                only = cell
        if only is None or row in self._tall_over:
            return False
        if only.column_span >= self.n_columns:
            return True
        return only.column == 0 and self.n_columns > 2 and not self._is_alone(row + 1)

    def _is_alone(self, row: int) -> bool:
        """Tell whether a row has words in its first column only, or there is none."""
        if row >= self.n_rows:
            return True
        return not any(cell.text.strip() and cell.column for cell in self._starting[row])

    def sections(self, rows: Sequence[int]) -> list[tuple[int | None, list[list[int]]]]:
        """Part rows of the body by their headings, and those that share a cell into blocks.

        Args:
            rows: Of the body, ascending.

        Returns:
            (row of the heading or `None`, blocks of rows) in their order.
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
            tall = (*self._starting[row], *self._tall_over.get(row, ()))
            joined_until = max(
                joined_until, *(cell.row + cell.row_span - 1 for cell in tall), row - 1
            )
        return sections

    def is_evenly_joined(self, block: Sequence[int]) -> bool:
        """Tell whether each cell over several rows of a block covers all of it."""
        first, last = min(block), max(block)
        tall = [
            cell
            for row in block
            for cell in (*self._starting[row], *self._tall_over.get(row, ()))
            if cell.row_span > 1
        ]
        return all(cell.row <= first and cell.row + cell.row_span - 1 >= last for cell in tall)

    @cached_property
    def unit_column(self) -> int | None:
        """The column that says in which unit the numbers of a row are."""
        for row in range(self.n_header_rows):
            for cell in self._starting[row]:
                if cell.text.strip(" ()[]").casefold() in _UNIT_HEADINGS:
                    return cell.column
        return None


NO_GRID = TableGrid(Table("", "", "", 0, 0, (), (), ()))
