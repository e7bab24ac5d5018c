"""The rows of a document's table that are shown, for Qt's views."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_qa.core.document import TableCell
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import texts_of
from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.symbols import Symbols

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TableSlice:
    """The rows of a table that are shown.

    Attributes:
        rows: Indices into the table's grid, header rows first.
        cited: (row, column) in the grid of the cells to mark.
        symbols: Words with a subscript.
        reported: By (row, column) in the grid, what the reader says of a cell read wrongly.
        sorting: What brought the rows into their order.
    """

    grid: TableGrid
    rows: tuple[int, ...]
    cited: frozenset[tuple[int, int]] = frozenset()
    symbols: Symbols = field(default_factory=Symbols)
    reported: Mapping[tuple[int, int], str] = field(default_factory=dict)
    sorting: Sorting | None = None


class TableModel(QAbstractTableModel):
    """Reads a slice; rows are counted from the slice's first."""

    def __init__(self, shown: TableSlice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = shown
        self.grid = shown.grid

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the rows shown."""
        return 0 if parent.isValid() else len(self.shown.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the columns of the table."""
        return 0 if parent.isValid() else self.grid.n_columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            said = (self.report(row, column), self.text(row, column))
            return plain_tip("\n".join(filter(None, said)))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.report(row, column) or None
        return None

    def text(self, row: int, column: int) -> str:
        """Return the words at a place of the slice."""
        cell = self.cell(row, column)
        return cell.text if cell is not None else ""

    def cell(self, row: int, column: int) -> TableCell | None:
        """Return the cell that covers a place of the slice."""
        return self.grid.row(self.shown.rows[row])[column]

    @property
    def n_header_rows(self) -> int:
        """Header rows among those shown."""
        rows = range(len(self.shown.rows))
        return next((row for row in rows if not self.is_header(row)), len(rows))

    def is_header(self, row: int) -> bool:
        """Tell whether a row of the slice names the columns."""
        return self.shown.rows[row] < self.grid.n_header_rows

    def is_group_heading(self, row: int) -> bool:
        """Tell whether a row of the slice is a heading over those below it."""
        return self.grid.is_group_heading(self.shown.rows[row])

    def is_cited(self, row: int, column: int) -> bool:
        """Tell whether the answer cites the cell."""
        cited = self.shown.cited
        if not cited:
            return False
        cell = self.cell(row, column)
        place = (self.shown.rows[row], column)
        return place in cited or (cell is not None and (cell.row, cell.column) in cited)

    def report(self, row: int, column: int) -> str:
        """Return what the reader reported of a cell; empty for most."""
        reported = self.shown.reported
        cell = self.cell(row, column) if reported else None
        return reported.get((cell.row, cell.column), "") if cell is not None else ""

    def first_cited(self) -> QModelIndex:
        """Return the first cited cell that is shown; invalid when there is none."""
        rows = {row for row, _ in self.shown.cited}
        for row, index in enumerate(self.shown.rows):
            if index in rows:
                for column in range(self.columnCount()):
                    if self.is_cited(row, column):
                        return self.index(row, column)
        return QModelIndex()

    def texts(self, places: Collection[tuple[int, int]] = ()) -> list[list[str]]:
        """Return the texts at some places by rows, of all when there are none."""
        rows, columns = range(self.rowCount()), range(self.columnCount())
        return texts_of(self.cell, places or [(row, c) for row in rows for c in columns])

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return (row, column, n_rows, n_columns) of the spanning cells within the slice."""
        spans: list[tuple[int, int, int, int]] = []
        touched = self.grid.rows_with_spans
        for row, index in enumerate(self.shown.rows):
            if index in touched:
                spans += self._spans_from(row)
        return spans

    def _spans_from(self, row: int) -> list[tuple[int, int, int, int]]:
        spans: list[tuple[int, int, int, int]] = []
        n_all = len(self.shown.rows)
        for column, cell in enumerate(self.grid.row(self.shown.rows[row])):
            if cell is None or cell.column != column:
                continue
            if cell.row_span == 1 and cell.column_span == 1:
                continue
            if row and self.cell(row - 1, column) is cell:
                continue
            n_rows = 1
            while row + n_rows < n_all and self.cell(row + n_rows, column) is cell:
                n_rows += 1
            n_columns = min(cell.column_span, self.columnCount() - column)
            if n_rows > 1 or n_columns > 1:
                spans.append((row, column, n_rows, n_columns))
        return spans
