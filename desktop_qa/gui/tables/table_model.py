"""The rows of a table that are shown, for Qt's views: of a document, or one that an answer made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.mark import ReadCell
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.tables.table_layout import TableGrid, is_number_like
from desktop_qa.gui.tables.table_order import Arrangement, Sorting, arranged
from desktop_qa.gui.tables.table_text import (
    Origin,
    Rows,
    as_numbers,
    has_numbers,
    heads_of,
    texts_of,
)
from desktop_qa.gui.widgets.labels import plain_tip
from desktop_qa.gui.widgets.list_rows import Index
from desktop_qa.gui.widgets.symbols import Symbols

_ROOT = QModelIndex()
_SAMPLE_CELLS = 1200
_MOST_SAMPLE_ROWS = 80


class Sample(NamedTuple):
    """A cell by which columns get their widths."""

    column: int
    n_columns: int
    text: str
    is_header: bool
    is_strong: bool


class CellsModel(QAbstractTableModel):
    """Rows of a table as the user looks at them; the header rows are the first.

    Attributes:
        rows: Those that are shown, as indices into the table's own.
        n_label_columns: How many columns name the rows; they stay in sight, as header rows do.
        number_columns: Those that are set to the right.
        origin: What its figures are copied with.
        reports: Of cells that were read wrongly, once somebody follows them.
    """

    n_columns = n_header_rows = n_label_columns = 0
    number_columns: frozenset[int] = frozenset()

    def __init__(self, symbols: Symbols | None = None, origin: Origin | None = None) -> None:
        super().__init__()
        self.symbols = symbols or Symbols()
        self.origin = origin or Origin()
        self.rows: tuple[int, ...] = ()
        self.sorting: Sorting | None = None
        self.words = ""
        self.reports: MarkBook | None = None
        self._read_cell: Callable[[int, int], ReadCell | None] = lambda _row, _column: None
        self._reported: dict[tuple[int, int], str] = {}

    # What the user chose

    def narrow(self, words: str) -> None:
        """Show only rows that hold all words of a text, in any column."""
        self.words = words
        self.arrange()

    def sort_by(self, column: int) -> None:
        """Sort by a column: ascending, then descending, then as it was."""
        self.sort_as(Sorting.next(self.sorting, column))

    def sort_as(self, sorting: Sorting | None) -> None:
        """Sort in a way, or not at all."""
        self.sorting = sorting
        self.arrange()

    def arrange(self) -> None:
        """Show the rows that the user wants to see, in the order wanted."""
        self.beginResetModel()
        self._reported.clear()
        self.rows = self.arranged()
        self.endResetModel()

    def arranged(self) -> tuple[int, ...]:
        """Return the rows to show, header rows first."""
        raise NotImplementedError

    # Cells that were read wrongly

    def follow_reports(
        self, reports: MarkBook, read_cell: Callable[[int, int], ReadCell | None]
    ) -> None:
        """Know which cells were reported, from now on too.

        `read_cell` tells what a cell is to a report, by its row in the table; None of others.
        """
        self.reports, self._read_cell = reports, read_cell
        reports.changed.connect(self._on_reports_changed)
        self._on_reports_changed()

    def _on_reports_changed(self) -> None:
        self._reported.clear()
        if self.rows:
            last = self.index(len(self.rows) - 1, self.n_columns - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def read_cell(self, row: int, column: int) -> ReadCell | None:
        """Return what a cell is to a report; `None` for one that stands in no document."""
        return self._read_cell(self.rows[row], column)

    def report(self, row: int, column: int) -> str:
        """Return what the reader reported of a cell; empty for most."""
        reports = self.reports
        if reports is None or not reports.reports:
            return ""
        place = self.rows[row], column
        if place not in self._reported:
            cell = self.read_cell(row, column)
            placed = reports.report_on(cell.document_id, cell.places) if cell is not None else None
            wrong = placed.mark.cell if placed is not None else None
            self._reported[place] = wrong.sentence if wrong is not None else ""
        return self._reported[place]

    # What a cell says; rows are counted from the first that is shown

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the rows shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the columns of the table."""
        return 0 if parent.isValid() else self.n_columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says to the eye, over the mouse and to a screen reader."""
        place = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(*place)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(*place)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(filter(None, self.explanation(*place))))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of a column, which screen readers say with its cells."""
        is_name = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return (
            self.text(self.n_header_rows - 1, section) if is_name and self.n_header_rows else None
        )

    def cell(self, row: int, column: int) -> TableCell | AnswerCell | None:
        """Return the cell at a place."""
        raise NotImplementedError

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell."""
        cell = self.cell(row, column)
        return cell.text if cell is not None else ""

    def note(self, _row: int, _column: int) -> str:
        """Return what stands below it in small letters."""
        return ""

    def spoken(self, row: int, column: int) -> str:
        """Return what a screen reader says of a cell."""
        said = (self.text(row, column), self.note(row, column), self.report(row, column))
        return ", ".join(filter(None, said))

    def explanation(self, row: int, column: int) -> tuple[str, ...]:
        """Return the lines that are shown over a cell."""
        return self.report(row, column), self.text(row, column)

    def target(self, row: int, column: int) -> TableCell | AnswerCell | None:
        """Return the cell that a click chooses; `None` where it leads nowhere."""
        return self.cell(row, column)

    def leads(self, row: int, column: int) -> bool:
        """Tell whether a click on a cell does something: the pointer says so."""
        return self.is_header(row) or self.target(row, column) is not None

    def first_cited(self) -> QModelIndex:
        """Return the cell that a large table shows at first; invalid when there is none."""
        return QModelIndex()

    def is_header(self, row: int) -> bool:
        """Tell whether a row names the columns."""
        return row < self.n_header_rows

    def is_cited(self, row: int, column: int) -> bool:
        """Tell whether a cell stands out as what an answer states."""
        raise NotImplementedError

    def is_strong(self, row: int, column: int) -> bool:
        """Tell whether a cell is set in the strong font."""
        return self.is_header(row) or self.is_cited(row, column)

    def is_dim(self, row: int, _column: int) -> bool:
        """Tell whether the words of a cell are not what is looked for."""
        return self.is_header(row)

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return (row, column, n_rows, n_columns) of the cells over several places."""
        return []

    def sample(self) -> Iterator[Sample]:
        """Yield the cells that are measured for the widths of the columns."""
        raise NotImplementedError

    def texts(self, places: Collection[tuple[int, int]] = ()) -> list[list[str]]:
        """Return the texts at some places by rows, of all when there are none."""
        raise NotImplementedError

    # For other programs

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        raise NotImplementedError

    def numbers(self, chosen: frozenset[tuple[int, int]] = frozenset()) -> Rows:
        """Return some cells as numbers under their heads, or those of all rows shown."""
        raise NotImplementedError

    def for_file(self) -> tuple[object, Rows]:
        """Return what is written to a file, and its rows as numbers; none without figures."""
        raise NotImplementedError


class TableModel(CellsModel):
    """Shows some rows of a table at first, and all of them when these are sorted or searched.

    Args:
        table: In the order of its document at first.
        first_rows: Shown until all are asked for, ascending, header rows among them; all if None.
        cited: (row, column) of the cells that stand out.
        symbols: Words with a subscript.
        origin: What its figures are copied with.
    """

    arrangement: Arrangement

    def __init__(
        self,
        table: Table,
        first_rows: tuple[int, ...] | None = None,
        cited: frozenset[tuple[int, int]] = frozenset(),
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(symbols, origin)
        self.grid, self.n_columns = TableGrid(table), table.n_columns
        self.first_rows = tuple(range(table.n_rows)) if first_rows is None else first_rows
        self.is_whole = first_rows is None
        self._cited = cited
        self.arrange()

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
        return self.grid.rows[self.rows[row]][column]

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
        lines = (row for row, index in enumerate(self.rows) if index in rows)
        cited = (at for at in product(lines, range(self.n_columns)) if self.is_cited(*at))
        return next((self.index(*place) for place in cited), QModelIndex())

    def texts(self, places: Collection[tuple[int, int]] = ()) -> list[list[str]]:
        """Return the texts at some places by rows, of all when there are none."""
        whole = product(range(len(self.rows)), range(self.n_columns))
        return texts_of(self.cell, places or whole)

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        grid = self.grid
        rows = range(grid.n_header_rows, grid.n_rows)
        texts = ([grid.text(row, c) for c in range(grid.n_columns)] for row in rows)
        return has_numbers(texts, self.origin.negatives)

    def numbers(self, chosen: frozenset[tuple[int, int]] = frozenset()) -> Rows:
        """Return some cells as numbers under their heads, or those of all rows shown."""
        texts = self.texts(chosen)[0 if chosen else self.n_header_rows :]
        columns, heads = sorted({column for _row, column in chosen}), heads_of(self.grid.table)
        return as_numbers([heads[column] for column in columns] or heads, texts, self.origin)

    def whole(self) -> TableModel:
        """Return the rows as arranged, all of them unless the user searched."""
        if self.is_whole:
            return self
        return TableModel(self.grid.table, origin=self.origin)

    def for_file(self) -> tuple[object, Rows]:
        """Return the `TableRows` as arranged, all of them unless the user searched."""
        model = self.whole()
        return model.texts(), model.numbers() if self.has_numbers else []

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return (row, column, n_rows, n_columns) of the cells over several places."""
        spans: list[tuple[int, int, int, int]] = []
        n_all, touched = len(self.rows), self.grid.rows_with_spans
        for row, index in enumerate(self.rows):
            for column, cell in enumerate(self.grid.rows[index] if index in touched else ()):
                is_first = cell is not None and cell.column == column
                if cell is None or not is_first or (row and self.cell(row - 1, column) is cell):
                    continue
                n_rows, n_columns = 1, min(cell.column_span, self.n_columns - column)
                while row + n_rows < n_all and self.cell(row + n_rows, column) is cell:
                    n_rows += 1
                if n_rows > 1 or n_columns > 1:
                    spans.append((row, column, n_rows, n_columns))
        return spans

    def sample(self) -> Iterator[Sample]:
        """Yield the cells of the header rows, the first ones, some in between and the last."""
        for row in self._sample_rows():
            is_header = self.is_header(row)
            for column, cell in enumerate(self.grid.rows[self.rows[row]]):
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
