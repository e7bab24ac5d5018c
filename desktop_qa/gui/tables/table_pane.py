"""A table of a document with what sorts, searches, copies, exports and enlarges it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QToolButton, QWidget

from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.mark import ReadCell
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_layout import all_rows
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_numbers import Origin, as_numbers, has_numbers, heads_of
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import copied, copied_numbers
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import show_breakable
from desktop_qa.gui.widgets.escape import keeps_escape
from desktop_qa.gui.widgets.large_window import LargeWindow
from desktop_qa.gui.widgets.plain_tip import plain_tip
from desktop_qa.gui.widgets.quiet_buttons import IconButton
from desktop_qa.gui.widgets.symbols import Symbols

_SEARCHED_FROM_ROWS = 4
"""A table of fewer rows of values is taken in at a glance."""
_MOST_NOTE_CHARACTERS = 480
"""Of the footnotes below a table among others; reports have pages of them."""
_BUTTONS = (
    ("search", "Search the table", "Search the table (Ctrl+F)"),
    ("copy", "Copy the table", "Copy the table for a spreadsheet"),
    ("export", "Export the table", "Write the table to a CSV file"),
    ("enlarge", "Enlarge the table", "Show the table in a window of its own"),
)

CellReader = Callable[[TableCell], ReadCell | None]


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table for a file.

    Attributes:
        printed: Texts of the cells.
        numbers: The same as numbers with header and sources; empty when it has no figures.
    """

    printed: list[list[str]]
    numbers: list[list[str]]


class TablePane(QWidget):
    """Shows rows of a table, some at first and all on demand.

    Attributes:
        cell_clicked: With the `TableCell`.
        export_requested: With the `TableRows` as shown.
        enlarge_requested: The user wants more room for it.
        place_requested: The user wants to see the whole of it in its document.
        changed: More or fewer rows are shown, or others.
        model: Which rows are shown in which order.
    """

    cell_clicked = Signal(object)
    export_requested = Signal(object)
    enlarge_requested = Signal()
    place_requested = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget | None = None, *, is_large: bool = False) -> None:
        super().__init__(parent)
        self._is_large = is_large
        self._origin = Origin()
        self.model = TableModel(self)
        self.model.is_whole = is_large
        self.view = TableView(self.model, self, fills_place=is_large)
        self.empty_label = QLabel("This table has no rows.", self)
        self.empty_label.setObjectName("caption")
        self.notes_label = QLabel(self)
        self.notes_label.setObjectName("table_notes_label")
        self.notes_label.setTextFormat(Qt.TextFormat.PlainText)
        self.notes_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes_label.setWordWrap(True)
        self.find_edit = _FindEdit(self)
        self.status_label = QLabel(self)
        self.status_label.setObjectName("count_label")
        self.status_label.setWordWrap(True)
        self.status_label.setMinimumWidth(1)
        self._buttons = [IconButton(self, *said) for said in _BUTTONS]
        self.find_button, self.copy_button, self.export_button, self.enlarge_button = self._buttons
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        layout = in_column(self, margins=(0, 0, 0, 0), spacing=4)
        layout.addWidget(self.find_edit)
        layout.addWidget(self.view, 1 if self._is_large else 0)
        layout.addWidget(self.empty_label)
        layout.addWidget(self.notes_label)
        self.footer_row = QWidget(self)
        self.footer = in_row(self.footer_row, margins=(0, 0, 0, 0), spacing=2)
        self.footer.addWidget(self.status_label, 1)
        for button in self._buttons:
            self.footer.addWidget(button)
        layout.addWidget(self.footer_row)
        self.find_edit.hide()
        self.empty_label.hide()
        self.notes_label.hide()
        self.enlarge_button.setVisible(not self._is_large)

    def _connect(self) -> None:
        self.view.cell_clicked.connect(self.cell_clicked)
        self.view.find_requested.connect(self.open_search)
        self.view.menu_requested.connect(self._show_menu)
        self.model.modelReset.connect(self._on_arranged)
        self.find_edit.textChanged.connect(self.model.narrow)
        self.find_edit.left.connect(self.close_search)
        self.find_edit.went_down.connect(self._on_went_down)
        self.find_button.clicked.connect(self.open_search)
        self.copy_button.clicked.connect(self.copy_table)
        self.export_button.clicked.connect(self._on_export_clicked)
        self.enlarge_button.clicked.connect(self.enlarge_requested)

    # What is shown

    def show_table(
        self,
        table: Table,
        first_rows: tuple[int, ...],
        cited: frozenset[tuple[int, int]] = frozenset(),
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        """Show a table in the order of its document.

        Args:
            table: The whole.
            first_rows: Shown until all are asked for, ascending, header rows among them.
            cited: (row, column) of the cells to mark.
            symbols: Words with a subscript.
            origin: What its figures are copied with.
        """
        self._origin = origin or Origin()
        self._show_notes(table)
        label = table.label or table.caption or "Table"
        self.view.setAccessibleName(f"{label}, {table.n_rows} rows")
        self.view.forget_widths()
        self.model.show_table(TableGrid(table), first_rows, cited, symbols)
        n_body = table.n_rows - self.model.grid.n_header_rows
        self.find_button.setVisible(n_body >= _SEARCHED_FROM_ROWS)
        self._update_footer()

    def _show_notes(self, table: Table) -> None:
        """Show what holds for the whole table and its footnotes; a window has room for all."""
        text = "\n".join((*table.conditions, *table.notes))
        is_cut = len(text) > _MOST_NOTE_CHARACTERS and not self._is_large
        shown = f"{text[:_MOST_NOTE_CHARACTERS].rstrip()} …" if is_cut else text
        show_breakable(self.notes_label, shown)
        self.notes_label.setToolTip(plain_tip(text) if is_cut else "")
        self.notes_label.setVisible(bool(text))

    def set_whole(self, is_whole: bool) -> None:
        """Show all rows, or those shown first in the order of the document."""
        if not is_whole:
            self.find_edit.hide()
            self.find_edit.clear()
        self.model.show_whole(is_whole)

    @property
    def n_hidden(self) -> int:
        """Rows of the table that are shown on demand."""
        return self.model.grid.n_rows - len(self.model.first_rows)

    def _on_arranged(self) -> None:
        grid = self.model.grid
        is_empty = not grid.n_rows or not grid.n_columns
        self.view.setVisible(not is_empty)
        self.empty_label.setVisible(is_empty)
        for button in (self.copy_button, self.export_button, self.enlarge_button):
            button.setEnabled(not is_empty)
        self.status_label.setText(self._status())
        self.changed.emit()
        self._update_footer()

    def _update_footer(self) -> None:
        """Leave no empty line below a table whose buttons stand elsewhere."""
        found = self.footer_row.findChildren(QToolButton)
        has_button = any(not button.isHidden() for button in found)
        self.footer_row.setVisible(has_button or bool(self.status_label.text()))

    def _status(self) -> str:
        """Say what the order and the search have done, if they have done anything."""
        arrangement, sorting = self.model.arrangement, self.model.sorting
        parts: list[str] = []
        if self.model.words.strip():
            noun = "row" if arrangement.n_body == 1 else "rows"
            parts.append(f"{arrangement.n_matching} of {arrangement.n_body} {noun}")
        if sorting is not None:
            way = "largest first" if sorting.is_descending else "smallest first"
            parts.append(", ".join((f"Sorted, {way}", *arrangement.notes)))
        return " · ".join(parts)

    def follow_reports(self, reports: CellReports, read_cell: CellReader) -> None:
        """Mark cells that were reported, from now on too, and offer to report others.

        Args:
            reports: Of the library.
            read_cell: Returns what a cell of the table is to a report; `None` for no cell of a
                document.
        """

        def read(row: int, column: int) -> ReadCell | None:
            cell = self.model.grid.row(row)[column]
            return read_cell(cell) if cell is not None and cell.provenances else None

        self.model.follow_reports(reports, read)

    # Searching

    def open_search(self) -> None:
        """Let the user search all rows."""
        self.find_edit.show()
        self.find_edit.setFocus()
        self.find_edit.selectAll()
        self.changed.emit()

    def close_search(self) -> None:
        """Show what was shown before the search."""
        self.find_edit.clear()
        self.find_edit.hide()
        self.view.setFocus()
        self.changed.emit()

    def _on_went_down(self) -> None:
        model = self.model
        if model.rowCount() > model.n_header_rows:
            self.view.setCurrentIndex(model.index(model.n_header_rows, 0))
            self.view.setFocus()

    # Copying, exporting, and what else can be done

    def copy_table(self) -> None:
        """Put the rows shown on the clipboard, as text and as HTML."""
        QGuiApplication.clipboard().setMimeData(copied(self.model.texts()))

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        grid = self.model.grid
        rows = range(grid.n_header_rows, grid.n_rows)
        texts = ([grid.text(row, c) for c in range(grid.n_columns)] for row in rows)
        return has_numbers(texts, self._origin.negatives)

    def copy_as_numbers(self) -> None:
        """Put the selected cells, or all rows shown when it is one, on the clipboard as numbers."""
        model = self.model
        body = range(model.n_header_rows, model.rowCount())
        chosen = self._selected()
        columns = sorted({column for _row, column in chosen}) or range(model.columnCount())
        rows = [row for row in body if not chosen or any(r == row for r, _column in chosen)]
        texts = model.texts([(row, column) for row in rows for column in columns])
        if chosen:
            texts = [
                [text if (row, c) in chosen else "" for c, text in zip(columns, line, strict=True)]
                for row, line in zip(rows, texts, strict=True)
            ]
        numbers = self._as_numbers(texts, columns)
        QGuiApplication.clipboard().setMimeData(copied_numbers(numbers))

    def _selected(self) -> frozenset[tuple[int, int]]:
        """Return the cells of the body that are selected; one alone is no selection."""
        chosen = {(i.row(), i.column()) for i in self.view.selectedIndexes()}
        n_headers = self.model.n_header_rows
        body = frozenset(place for place in chosen if place[0] >= n_headers)
        return body if len(body) > 1 else frozenset()

    def _as_numbers(
        self, texts: Sequence[Sequence[str]], columns: Sequence[int]
    ) -> list[list[str]]:
        heads = heads_of(self.model.grid.table)
        return as_numbers([heads[column] for column in columns], texts, self._origin)

    def _rows_for_file(self) -> TableRows:
        """Return the rows as arranged, all of them unless the user searched."""
        model = self.model
        if not model.is_whole:
            model = TableModel()
            model.show_table(self.model.grid, all_rows(self.model.grid.table))
        printed = model.texts()
        if not self.has_numbers:
            return TableRows(printed, [])
        body = printed[model.n_header_rows :]
        return TableRows(printed, self._as_numbers(body, range(model.columnCount())))

    def _on_export_clicked(self) -> None:
        self.export_requested.emit(self._rows_for_file())

    def _show_menu(self, position: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)

    def menu(self) -> QMenu:
        """Return what can be done with the current cell and its table."""
        menu = QMenu(self)
        column = self.view.currentIndex().column()
        if self.view.currentIndex().isValid():
            menu.addAction("Open at Place", self._open_cell)
            if self.model.reports is not None:
                row = self.view.currentIndex().row()
                self.model.reports.offer(menu, self.model.read_cell(row, column))
            menu.addAction("Copy Selection\tCtrl+C", self.view.copy_selection)
        menu.addAction("Copy Table", self.copy_table)
        if self.has_numbers:
            what = "Selection" if self._selected() else "Table"
            menu.addAction(f"Copy {what} as Numbers", self.copy_as_numbers)
        menu.addSeparator()
        if column >= 0:
            menu.addAction("Smallest First", partial(self.model.sort_as, Sorting(column)))
            menu.addAction(
                "Largest First", partial(self.model.sort_as, Sorting(column, is_descending=True))
            )
        as_printed = menu.addAction("Order of the Document", partial(self.model.sort_as, None))
        as_printed.setEnabled(self.model.sorting is not None)
        if column >= 0:
            menu.addAction("Fit Column to Its Words", partial(self.view.fit_column, column))
        menu.addSeparator()
        menu.addAction("Search …\tCtrl+F", self.open_search)
        menu.addAction("Export as CSV …", self._on_export_clicked)
        if not self._is_large:
            menu.addAction("Open in a Window", self.enlarge_requested.emit)
        menu.addAction("Show the Table in Its Document", self.place_requested.emit)
        return menu

    def _open_cell(self) -> None:
        index = self.view.currentIndex()
        if (cell := self.model.cell(index.row(), index.column())) is not None:
            self.cell_clicked.emit(cell)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        for button in self._buttons:
            button.apply_theme(theme)
        self.view.apply_theme(theme, sizes)


class _FindEdit(QLineEdit):
    """Leaves by Escape and goes down into the rows.

    Attributes:
        left: The search is over.
        went_down: By Down or Enter.
    """

    left = Signal()
    went_down = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Search the table …")
        self.setAccessibleName("Search the table")
        self.setClearButtonEnabled(True)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the menus: it ends the search first."""
        return keeps_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave, or go down."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.went_down.emit()
        else:
            super().keyPressEvent(event)


class TableWindow(LargeWindow):
    """All rows of a table with the room of a window; sorted, searched and copied by itself.

    Args:
        title: What stands above the table: its caption and where it is.
        origin: What its figures are copied with.
    """

    def __init__(
        self,
        title: str,
        table: Table,
        cited: frozenset[tuple[int, int]],
        symbols: Symbols,
        origin: Origin,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title or "Table", parent)
        self.title_label = QLabel(self)
        self.title_label.setObjectName("table_title")
        self.title_label.setTextFormat(Qt.TextFormat.PlainText)
        self.title_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        show_breakable(self.title_label, title)
        self.pane = TablePane(self, is_large=True)
        layout = in_column(self, margins=(16, 14, 16, 12), spacing=8)
        layout.addWidget(self.title_label)
        layout.addWidget(self.pane, 1)
        self.search_by(self.pane.open_search)
        self.pane.show_table(table, all_rows(table), cited, symbols, origin)
        self.pane.view.setFocus()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.pane.apply_theme(theme, sizes)
