"""A table with what sorts, searches, copies, exports and enlarges it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from desktop_qa.core.document import Table
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import Rows, as_markdown, copied
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets.answer_html import typeset
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import IconButton
from desktop_qa.gui.widgets.dialog_parts import LargeWindow, pop_up
from desktop_qa.gui.widgets.labels import (
    breakable_label,
    n_of,
    plain_label,
    plain_tip,
    show_breakable,
    told,
    with_breaks,
)
from desktop_qa.gui.widgets.list_rows import FilterEdit
from desktop_qa.gui.widgets.opening import copy_text

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

TableRows = tuple[Rows, Rows]
"""Rows of a table for a file: as printed, and as numbers; the latter empty without figures."""


class CellsPane(QFrame):
    """Shows cells and offers what can be done with them; a subclass lays its parts out.

    Attributes:
        export_requested: With what `CellsModel.for_file` returns.
        place_requested: The user wants to see the whole of it in its document.
        changed: More or fewer rows are shown, or others.
        keeps_search: The line for searching stays when no words are left in it.
    """

    cell_clicked = Signal(object)
    export_requested = Signal(object)
    place_requested = Signal()
    changed = Signal()
    has_place = True
    keeps_search = False

    def __init__(
        self, view: TableView, parent: QWidget | None = None, *, is_large: bool = False
    ) -> None:
        super().__init__(parent)
        self.view = view
        view.setParent(self)
        self.is_large = is_large
        self.model = view.table_model
        self.model.setParent(self)
        self.notes_label = breakable_label(self, "table_notes_label", can_select=True)
        self.find_edit = FilterEdit("Search the table", "Search the table …")
        leave, go_down = self.close_search, self.go_to_rows
        on_keys(self.find_edit, {"Esc": leave, "Down, Return, Enter": go_down})
        self.status_label = told(QLabel(self), "count_label")
        self._buttons = [IconButton(self, *said) for said in _BUTTONS]
        self.find_button, self.copy_button, self.export_button, self.enlarge_button = self._buttons
        self.enlarge_button.setVisible(not is_large)
        view.cell_clicked.connect(self.cell_clicked)
        on_keys(view, {"Ctrl+F, Find": self.open_search})
        view.menu_requested.connect(lambda at: pop_up(self.menu(), at))
        self.model.modelReset.connect(self._on_arranged)
        self.find_edit.textChanged.connect(self.model.narrow)
        self.find_button.clicked.connect(self.open_search)
        self.copy_button.clicked.connect(self.copy_table)
        self.export_button.clicked.connect(self._export)

    def _on_arranged(self) -> None:
        """Say what the order and the search have done."""

    def make_title(self, title: str) -> QLabel:
        """Return a label with the title of a table of an answer."""
        label = breakable_label(self, "table_title")
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setText(typeset(with_breaks(title), self.model.symbols))
        return label

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
        self.find_edit.setVisible(self.keeps_search)
        self.view.setFocus()
        self.changed.emit()

    def go_to_rows(self) -> None:
        """Give the keyboard to the first row below the headers."""
        if self.model.rowCount() > self.model.n_header_rows:
            self.view.setCurrentIndex(self.model.index(self.model.n_header_rows, 0))
            self.view.setFocus()

    # Copying, exporting, and what else can be done

    def texts(self) -> Rows:
        """Return the rows to copy, header rows first."""
        return self.model.texts()

    def copy_table(self) -> None:
        """Put the table on the clipboard, as text and as HTML."""
        QGuiApplication.clipboard().setMimeData(copied(self.texts()))

    def copy_markdown(self) -> None:
        """Put the table on the clipboard as Markdown."""
        headers, *rows = self.texts()
        copy_text(as_markdown(headers, rows))

    def copy_as_numbers(self) -> None:
        """Put the selected cells, or all rows shown when it is one, on the clipboard as numbers."""
        numbers = self.model.numbers(self._selected())
        QGuiApplication.clipboard().setMimeData(copied(numbers, as_numbers=True))

    def offer_forms(self) -> None:
        """Let the button for copying ask in which form the table is copied."""
        button = self.copy_button
        menu = QMenu(button)
        menu.addAction("Copy for a spreadsheet (TSV)", self.copy_table)
        menu.addAction("Copy as Markdown", self.copy_markdown)
        if self.model.has_numbers:
            menu.addAction("Copy as numbers", self.copy_as_numbers)
        button.clicked.disconnect()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)

    def _selected(self) -> frozenset[tuple[int, int]]:
        """Return the cells of the body that are selected; one alone is no selection."""
        chosen = {(i.row(), i.column()) for i in self.view.selectedIndexes()}
        n_headers = self.model.n_header_rows
        body = frozenset(place for place in chosen if place[0] >= n_headers)
        return body if len(body) > 1 else frozenset()

    def _export(self) -> None:
        self.export_requested.emit(self.model.for_file())

    def menu(self) -> QMenu:
        """Return what can be done with the current cell and its table."""
        menu, cells, index = QMenu(self), self.model, self.view.currentIndex()
        row, column = index.row(), index.column()
        if index.isValid():
            target = cells.target(row, column)
            place = menu.addAction("Open at Place", partial(self.cell_clicked.emit, target))
            place.setEnabled(target is not None)
            if cells.reports is not None:
                cells.reports.offer_report(menu, cells.read_cell(row, column))
            menu.addAction("Copy Selection\tCtrl+C", self.view.copy_selection)
        menu.addAction("Copy Table", self.copy_table)
        if self.model.has_numbers:
            what = "Selection" if self._selected() else "Table"
            menu.addAction(f"Copy {what} as Numbers", self.copy_as_numbers)
        menu.addSeparator()
        if index.isValid():
            up, down = Sorting(column), Sorting(column, is_descending=True)
            menu.addAction("Smallest First", partial(cells.sort_as, up))
            menu.addAction("Largest First", partial(cells.sort_as, down))
        as_printed = menu.addAction("Order of the Document", partial(cells.sort_as, None))
        as_printed.setEnabled(cells.sorting is not None)
        if index.isValid():
            menu.addAction("Fit Column to Its Words", partial(self.view.fit_column, column))
        menu.addSeparator()
        menu.addAction("Search …\tCtrl+F", self.open_search)
        menu.addAction("Export as CSV …", self._export)
        if not self.is_large:
            menu.addAction("Open in a Window", self.enlarge_button.click)
        if self.has_place:
            menu.addAction("Show the Table in Its Document", self.place_requested.emit)
        return menu


class TablePane(CellsPane):
    """A table of a document, some rows at first and all on demand."""

    model: TableModel

    def __init__(
        self, model: TableModel, parent: QWidget | None = None, *, is_large: bool = False
    ) -> None:
        super().__init__(TableView(model, fills_place=is_large), parent, is_large=is_large)
        self.empty_label = plain_label("This table has no rows.", self, "caption")
        self.status_label.setWordWrap(True)
        self.status_label.setMinimumWidth(1)
        self.footer_row = QWidget(self)
        self.footer = in_row(self.footer_row, margins=(0, 0, 0, 0), spacing=2)
        self.footer.addWidget(self.status_label, 1)
        self.find_edit.hide()
        table = model.grid.table
        self._show_notes(table)
        label = table.label or table.caption or "Table"
        self.view.setAccessibleName(f"{label}, {table.n_rows} rows")
        n_body = table.n_rows - table.n_header_rows
        self.find_button.setVisible(n_body >= _SEARCHED_FROM_ROWS)
        self.lay_out()
        self._on_arranged()

    def lay_out(self) -> None:
        """Put the parts into a column, the buttons below it."""
        layout = in_column(self, margins=(0, 0, 0, 0), spacing=4)
        put(layout, self.find_edit, (self.view, int(self.is_large)), self.empty_label)
        put(layout, self.notes_label, self.footer_row)
        put(self.footer, *self._buttons)

    # What is shown

    def _show_notes(self, table: Table) -> None:
        """Show what holds for the whole table and its footnotes; a window has room for all."""
        text = "\n".join((*table.conditions, *table.notes))
        is_cut = len(text) > _MOST_NOTE_CHARACTERS and not self.is_large
        shown = f"{text[:_MOST_NOTE_CHARACTERS].rstrip()} …" if is_cut else text
        show_breakable(self.notes_label, shown)
        self.notes_label.setToolTip(plain_tip(text) if is_cut else "")
        self.notes_label.setVisible(bool(text))

    @property
    def more_words(self) -> str:
        """What there is to do where rows were hidden at first; empty where none were."""
        grid = self.model.grid
        if grid.n_rows <= len(self.model.first_rows):
            return ""
        n_body = grid.n_rows - grid.n_header_rows
        return "Show less" if self.model.is_whole else f"Show all {n_body} rows"

    def show_more(self) -> None:
        """Show all rows, or those shown first in the order of the document."""
        if self.model.is_whole:
            self.find_edit.hide()
            self.find_edit.clear()
        self.model.show_whole(not self.model.is_whole)

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
            parts.append(f"{arrangement.n_matching} of {n_of(arrangement.n_body, 'row')}")
        if sorting is not None:
            way = "largest first" if sorting.is_descending else "smallest first"
            parts.append(", ".join((f"Sorted, {way}", *arrangement.notes)))
        return " · ".join(parts)


class PaneWindow(LargeWindow):
    """A table with the room of a window, under a heading if said; sorted, copied by itself."""

    def __init__(
        self, title: str, pane: CellsPane, parent: QWidget | None = None, *, heading: str = ""
    ) -> None:
        super().__init__(title, parent)
        self.pane = pane
        column = in_column(self, margins=(0, 0, 0, 0), spacing=8)
        if heading:
            column.setContentsMargins(16, 14, 16, 12)
            column.addWidget(breakable_label(self, "table_title", heading, can_select=True))
        column.addWidget(pane, 1)
        QShortcut(QKeySequence.StandardKey.Find, self, pane.open_search)
        pane.view.setFocus()
