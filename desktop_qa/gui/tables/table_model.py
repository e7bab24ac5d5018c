"""The rows of a document's table that are shown, for Qt's views."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product

from PySide6.QtCore import QModelIndex, QObject

from desktop_qa.core.document import TableCell
from desktop_qa.gui.tables.cells_model import CellsModel, Sample
from desktop_qa.gui.tables.table_grid import NO_GRID, TableGrid
from desktop_qa.gui.tables.table_layout import is_number_like
from desktop_qa.gui.tables.table_order import Arrangement, Sorting, arranged
from desktop_qa.gui.tables.table_text import texts_of
from desktop_qa.gui.widgets.symbols import Symbols

_SAMPLE_CELLS = 1200
_MOST_SAMPLE_ROWS = 80


class TableModel(CellsModel):
    """Shows some rows of a table at first, and all of them when these are sorted or searched.

    `first_rows` are shown until all are asked for, ascending, header rows among them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.grid = NO_GRID
        self.first_rows: tuple[int, ...] = ()
        self.is_whole = False
        self.arrangement = Arrangement((), 0, 0)
        self._cited: frozenset[tuple[int, int]] = frozenset()

    def show_table(
        self,
        grid: TableGrid,
        first_rows: tuple[int, ...],
        cited: frozenset[tuple[int, int]] = frozenset(),
        symbols: Symbols | None = None,
    ) -> None:
        """Show another table in the order of its document, cited cells (row, column) marked."""
        self.grid, self.n_columns = grid, grid.n_columns
        self.first_rows, self._cited = first_rows, cited
        self.symbols = symbols or Symbols()
        self.sort_as(None)

    def show_whole(self, is_whole: bool) -> None:
        """Show all rows, or those shown first in the order of the document."""
        self.is_whole = is_whole
        if not is_whole:
            self.sorting, self.words = None, ""
        self.arrange()

    def narrow(self, words: str) -> None:
        """Search all rows."""
        self.is_whole = self.is_whole or bool(words.strip())
        super().narrow(words)

    def sort_as(self, sorting: Sorting | None) -> None:
        """Sort all rows: those shown first are no selection that could be sorted."""
        self.is_whole = self.is_whole or sorting is not None
        super().sort_as(sorting)

    def arranged(self) -> tuple[int, ...]:
        """Return the rows to show, header rows first."""
        grid = self.grid
        rows = range(grid.n_rows) if self.is_whole else self.first_rows
        self.arrangement = arranged(grid, rows, self.sorting, self.words)
        shown = self.arrangement.rows
        self.n_header_rows = sum(row < grid.n_header_rows for row in shown)
        self.rows = shown
        self.number_columns = self._number_columns()
        return shown

    # What a cell says

    def cell(self, row: int, column: int) -> TableCell | None:
        """Return the cell that covers a place."""
        return self.grid.row(self.rows[row])[column]

    def text(self, row: int, column: int) -> str:
        """Return the words at a place."""
        cell = self.cell(row, column)
        return cell.text if cell is not None else ""

    def target(self, row: int, column: int) -> TableCell | None:
        """Return the cell that a click chooses."""
        return self.cell(row, column)

    def leads(self, row: int, column: int) -> bool:
        """Tell whether a click sorts, or shows a place of the cell's own."""
        cell = self.cell(row, column)
        return self.is_header(row) or (cell is not None and bool(cell.provenances))

    def is_group_heading(self, row: int) -> bool:
        """Tell whether a row is a heading over those below it."""
        return self.grid.is_group_heading(self.rows[row])

    def is_strong(self, row: int, column: int) -> bool:
        """Tell whether a cell is set in the strong font."""
        return super().is_strong(row, column) or self.is_group_heading(row)

    def is_dim(self, row: int, column: int) -> bool:
        """Tell whether the words of a cell are not what is looked for."""
        return super().is_dim(row, column) or self.is_group_heading(row)

    def is_cited(self, row: int, column: int) -> bool:
        """Tell whether the answer cites the cell."""
        if not self._cited:
            return False
        cell = self.cell(row, column)
        place = (self.rows[row], column)
        return place in self._cited or (cell is not None and (cell.row, cell.column) in self._cited)

    def first_cited(self) -> QModelIndex:
        """Return the first cited cell that is shown; invalid when there is none."""
        rows = {row for row, _ in self._cited}
        for row, index in enumerate(self.rows):
            if index in rows:
                for column in range(self.n_columns):
                    if self.is_cited(row, column):
                        return self.index(row, column)
        return QModelIndex()

    def texts(self, places: Collection[tuple[int, int]] = ()) -> list[list[str]]:
        """Return the texts at some places by rows, of all when there are none."""
        whole = product(range(len(self.rows)), range(self.n_columns))
        return texts_of(self.cell, places or whole)

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return (row, column, n_rows, n_columns) of the cells over several places."""
        spans: list[tuple[int, int, int, int]] = []
        touched = self.grid.rows_with_spans
        for row, index in enumerate(self.rows):
            if index in touched:
                spans += self._spans_from(row)
        return spans

    def _spans_from(self, row: int) -> list[tuple[int, int, int, int]]:
        spans: list[tuple[int, int, int, int]] = []
        n_all = len(self.rows)
        for column, cell in enumerate(self.grid.row(self.rows[row])):
            if cell is None or cell.column != column:
                continue
            if cell.row_span == 1 and cell.column_span == 1:
                continue
            if row and self.cell(row - 1, column) is cell:
                continue
            n_rows = 1
            while row + n_rows < n_all and self.cell(row + n_rows, column) is cell:
                n_rows += 1
            n_columns = min(cell.column_span, self.n_columns - column)
            if n_rows > 1 or n_columns > 1:
                spans.append((row, column, n_rows, n_columns))
        return spans

    def sample(self) -> Iterator[Sample]:
        """Yield the cells of the header rows, the first ones, some in between and the last."""
        for row in self._sample_rows():
            is_header = self.is_header(row)
            for column, cell in enumerate(self.grid.row(self.rows[row])):
                if cell is not None and cell.column == column and cell.text:
                    is_strong = is_header or self.is_cited(row, column)
                    yield Sample(column, cell.column_span, cell.text, is_header, is_strong)

    def _sample_rows(self) -> list[int]:
        """Return the rows that stand for all; all when they are few."""
        n_rows = len(self.rows)
        most = max(6, min(_MOST_SAMPLE_ROWS, _SAMPLE_CELLS // max(self.n_columns, 1)))
        if n_rows <= most:
            return list(range(n_rows))
        n_header = min(self.n_header_rows, most // 2)
        step = max(1, (n_rows - n_header) // (most - n_header))
        return [*range(n_header), *range(n_header, n_rows, step)][:most]

    def _number_columns(self) -> frozenset[int]:
        """Return the columns most of whose cells hold values; the first names the rows instead."""
        body = [row for row in self._sample_rows() if not self.is_header(row)]
        numbers: set[int] = set()
        for column in range(1 if self.n_columns > 1 else 0, self.n_columns):
            texts = [text for row in body if (text := self.text(row, column).strip())]
            if 2 * sum(map(is_number_like, texts)) > len(texts):
                numbers.add(column)
        return frozenset(numbers)
