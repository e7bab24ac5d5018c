"""What a comparison shows: rows narrowed and sorted, what each cell says and cites."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from desktop_qa.core import gaps
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.gui.library.library_words import natural_key
from desktop_qa.gui.tables.table_numbers import Origin, as_numbers, by_bounds, has_numbers
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import as_markdown, as_tsv
from desktop_qa.gui.widgets.symbols import Symbols

GAP = "—"
NOT_STATED = "not stated"

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ComparisonModel(QAbstractTableModel):
    """One comparison and how the user looks at it; columns and rows are counted from 0.

    Args:
        table: Parameters in the first column, a document in each other one.
        sources: By marker.
        symbols: Words with a subscript.
        origin: What its figures are copied with.

    Attributes:
        rows: Indices of the rows shown into the table of the answer.
        sorting: `None` in the answer's own order.
        report_of: Returns what the reader reported of a cell of the answer's table by its row and
            column; empty for most.
    """

    def __init__(
        self,
        table: AnswerTable,
        sources: Mapping[int, CellSource],
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__()
        self.table = table
        self.symbols = symbols or Symbols()
        self.report_of: Callable[[int, int], str] = lambda _row, _column: ""
        self.rows: tuple[int, ...] = tuple(range(len(table.rows)))
        self.sorting: Sorting | None = None
        self._origin = origin or Origin()
        self._sources = dict(sources)
        self._words: list[str] = []
        self._differences_only = False
        self._marks_stated = stands_out(table)

    # What the user chose

    def narrow(self, text: str) -> None:
        """Show only rows that hold all words of a text, in any column."""
        self._words = text.casefold().split()
        self._update()

    def show_differences_only(self, is_on: bool) -> None:
        """Leave out the rows in which the documents agree."""
        self._differences_only = is_on
        self._update()

    def sort_by(self, column: int) -> None:
        """Sort by a column: ascending, then descending, then as it was."""
        self.sorting = Sorting.next(self.sorting, column)
        self._update()

    def _update(self) -> None:
        rows = [
            row
            for row in range(len(self.table.rows))
            if (not self._differences_only or self._differs(row)) and self._holds(row)
        ]
        self.beginResetModel()
        self.rows = tuple(rows if self.sorting is None else self._sorted(rows, self.sorting))
        self.endResetModel()

    def _differs(self, row: int) -> bool:
        return row < len(self.table.differs) and self.table.differs[row]

    def _holds(self, row: int) -> bool:
        text = " ".join(f"{cell.text} {cell.note}" for cell in self.table.rows[row]).casefold()
        return all(word in text for word in self._words)

    def _sorted(self, rows: list[int], sorting: Sorting) -> list[int]:
        """Gaps stay last in both directions: nobody looks for them first."""
        cells = {row: self.table.rows[row][sorting.column] for row in rows}
        stated = [row for row in rows if not is_gap(cells[row])]
        stated.sort(key=lambda row: _sort_key(cells[row]), reverse=sorting.is_descending)
        return stated + [row for row in rows if is_gap(cells[row])]

    # What is shown

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the rows shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the columns, the parameters' included."""
        return 0 if parent.isValid() else len(self.table.headers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says to the eye, over the mouse and to a screen reader."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = self.explanation(row, column)
            return "<br/>".join(html.escape(line, quote=False) for line in lines)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        name = self.table.headers[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{name}\nClick to sort" if name else "Click to sort"
        return None

    @property
    def n_differing(self) -> int:
        """Rows of the comparison in which the documents differ."""
        return sum(self.table.differs)

    @property
    def marks_differences(self) -> bool:
        """True when some rows differ and some do not: where all do, a mark tells nothing."""
        return 0 < self.n_differing < len(self.table.rows)

    def cell(self, row: int, column: int) -> AnswerCell:
        """Return a cell; `row` counts the rows shown."""
        return self.table.rows[self.rows[row]][column]

    def differs(self, row: int) -> bool:
        """Tell whether a row shown is to be marked as one in which the documents differ."""
        return self.marks_differences and self._differs(self.rows[row])

    def is_marked(self, row: int, column: int) -> bool:
        """Tell whether a cell stands out as what the answer states."""
        return self._marks_stated and self.cell(row, column).is_stated

    def report(self, row: int, column: int) -> str:
        """Return what the reader reported of a cell; empty for most."""
        return self.report_of(self.rows[row], column)

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell; a dash where a document states nothing."""
        cell = self.cell(row, column)
        return GAP if column and is_gap(cell) else cell.text

    def spoken(self, row: int, column: int) -> str:
        """Return what a screen reader says of a cell."""
        cell = self.cell(row, column)
        if column and is_gap(cell):
            return f"{NOT_STATED} in {self.table.headers[column]}"
        return ", ".join(filter(None, (cell.text, cell.note, self.report(row, column))))

    def explanation(self, row: int, column: int) -> tuple[str, ...]:
        """Return the lines shown over a cell: value, condition, document and page."""
        cell = self.cell(row, column)
        if not column:
            differing = "The documents differ." if self.differs(row) else ""
            return tuple(line for line in (cell.text, cell.note, differing) if line)
        if is_gap(cell):
            return (f"{NOT_STATED.capitalize()} in {self.table.headers[column]}",)
        lines = [f"{self.table.rows[self.rows[row]][0].text}: {cell.text}", cell.note]
        source = self._sources.get(cell.marker)
        if source is not None:
            lines += [f"{source.file} · page {source.pages_of(cell)}", source.heading]
        return tuple(line for line in (*lines, self.report(row, column)) if line)

    def shown(self) -> AnswerTable:
        """Return the comparison as it is looked at: for a file."""
        rows = tuple(self.table.rows[row] for row in self.rows)
        differs = tuple(self._differs(row) for row in self.rows) if self.table.differs else ()
        return replace(self.table, rows=rows, differs=differs)

    def as_tsv(self) -> str:
        """Return the rows shown for a spreadsheet."""
        return as_tsv((self.table.headers, *self._texts()))

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        texts = by_bounds(self.table.headers, self.table.rows)[1]
        return has_numbers(texts, self._origin.negatives)

    def as_numbers(self) -> list[list[str]]:
        """Return the rows shown as numbers; what holds for a cell stands behind its row."""
        headers, columns = self.table.headers, range(self.columnCount())
        numbers = as_numbers(*by_bounds(headers, self.shown().rows), self._origin)
        n_heads = 1 if any(headers) else 0
        for row in range(self.rowCount()):
            noted = ((headers[c], self.cell(row, c).note) for c in columns)
            numbers[row + n_heads] += [f"{head}: {note}" for head, note in noted if note]
        return numbers

    def as_markdown(self) -> str:
        """Return the rows shown as Markdown."""
        return as_markdown(self.table.headers, self._texts())

    def _texts(self) -> list[list[str]]:
        columns = range(self.columnCount())
        return [[self._copied(row, column) for column in columns] for row in range(self.rowCount())]

    def _copied(self, row: int, column: int) -> str:
        cell = self.cell(row, column)
        text = self.text(row, column)
        return f"{text} ({cell.note})" if cell.note and not is_gap(cell) else text


def stands_out(table: AnswerTable) -> bool:
    """Tell whether the stated cells are to be marked: of a list that is stated whole, none is."""
    n_stated = sum(any(cell.is_stated for cell in row) for row in table.rows)
    return table.use is not TableUse.LIST or n_stated * 2 <= len(table.rows)


def is_gap(cell: AnswerCell) -> bool:
    """Tell whether a document states nothing: no text, or a dash that cites nothing."""
    return not cell.marker and gaps.is_gap(cell.text)


def _sort_key(cell: AnswerCell) -> tuple[int, float, str]:
    """Quantities before words; the numbers in words count as numbers: "Pin 2" before "Pin 10"."""
    return (1, 0.0, natural_key(cell.text)) if cell.value is None else (0, cell.value, "")
