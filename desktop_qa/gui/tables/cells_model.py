"""What a `TableView` shows, be it a table of a document or one that an answer made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_qa.core.mark import ReadCell
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.symbols import Symbols

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


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
        reports: Of cells that were read wrongly, once somebody follows them.
    """

    n_columns = n_header_rows = n_label_columns = 0
    number_columns: frozenset[int] = frozenset()

    def __init__(self, symbols: Symbols | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.symbols = symbols or Symbols()
        self.rows: tuple[int, ...] = ()
        self.sorting: Sorting | None = None
        self.words = ""
        self.reports: CellReports | None = None
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
        self, reports: CellReports, read_cell: Callable[[int, int], ReadCell | None]
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
            said = reports.sentence(cell.document_id, cell.places) if cell is not None else ""
            self._reported[place] = said
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

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell."""
        raise NotImplementedError

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

    def target(self, row: int, column: int) -> object | None:
        """Return the cell that a click chooses; `None` where it leads nowhere."""
        raise NotImplementedError

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
