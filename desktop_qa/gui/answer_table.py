"""A small table inside an answer: the rows it was read from, or a short list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Table, TableCell
from desktop_qa.gui import theme as themes
from desktop_qa.gui.breakable import show_breakable
from desktop_qa.gui.chips import chip_font, chip_pixmap, chip_size
from desktop_qa.gui.comparison_model import stands_out
from desktop_qa.gui.table_text import as_markdown, as_tsv
from desktop_qa.gui.table_view import TableSlice, TableView

_MOST_ROWS = 8
LONG_LIST = 14
"""A list of more rows scrolls inside and can be filtered and sorted."""


class AnswerTableCard(QFrame):
    """Shows a table of an answer with the stated cells in amber.

    Attributes:
        cell_chosen: With the `AnswerCell`, by click or Enter; only cells that cite a place.
    """

    cell_chosen = Signal(object)

    def __init__(self, table: AnswerTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answer_table")
        self.answer_table = table
        self._n_header_rows = 1 if any(table.headers) else 0
        self._is_whole = False
        self.title_label = QLabel(self)
        self.title_label.setObjectName("table_title")
        show_breakable(self.title_label, table.title)
        self.title_label.setVisible(bool(table.title))
        self.view = TableView(self)
        self.view.cell_clicked.connect(self._on_cell_clicked)
        self.more_button = QToolButton(self)
        self.more_button.setObjectName("quiet_link")
        self.more_button.clicked.connect(self._on_more_clicked)
        self.copy_button = QToolButton(self)
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._copy_menu())
        self.notes_label = QLabel(self)
        self.notes_label.setObjectName("table_notes_label")
        show_breakable(self.notes_label, "\n".join(table.notes))
        self.notes_label.setVisible(bool(table.notes))
        self.chip_buttons = [self._chip_button(marker) for marker in markers_in(table)]
        self._lay_out()
        self._show_rows()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 8)
        layout.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(4)
        for chip in self.chip_buttons:
            head.addWidget(chip)
        head.addWidget(self.title_label, 1)
        head.addWidget(self.copy_button)
        layout.addLayout(head)
        layout.addWidget(self.view)
        layout.addWidget(self.more_button)
        layout.addWidget(self.notes_label)

    def _chip_button(self, marker: int) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("chip_button")
        button.setAccessibleName(f"Citation {marker}")
        button.setToolTip("Show the table in its document")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setProperty("marker", marker)
        button.clicked.connect(partial(self._on_chip_clicked, marker))
        return button

    def _on_chip_clicked(self, marker: int, _checked: bool = False) -> None:
        self.cell_chosen.emit(AnswerCell("", marker))

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self.copy_button)
        for text, slot in (
            ("Copy for a spreadsheet (TSV)", self.copy_tsv),
            ("Copy as Markdown", self.copy_markdown),
        ):
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        return menu

    def _show_rows(self) -> None:
        table = self.answer_table
        n_all = len(table.rows)
        rows = range(n_all) if self._is_whole else self._rows_at_first()
        grid = table_of(table)
        header = range(self._n_header_rows)
        shown = (*header, *(row + self._n_header_rows for row in rows))
        stated = frozenset(
            (row + self._n_header_rows, column)
            for row, cells in enumerate(table.rows)
            for column, cell in enumerate(cells)
            if cell.is_stated and stands_out(table)
        )
        self.view.show_slice(TableSlice(grid, shown, stated))
        self.more_button.setVisible(len(self._rows_at_first()) < n_all)
        self.more_button.setText("Show less" if self._is_whole else f"Show all {n_all} rows")

    def _rows_at_first(self) -> tuple[int, ...]:
        """Return the rows shown before more are asked for: what is stated is among them."""
        rows = self.answer_table.rows
        if len(rows) <= _MOST_ROWS:
            return tuple(range(len(rows)))
        stated = [row for row, cells in enumerate(rows) if any(cell.is_stated for cell in cells)]
        first = [row for row in range(len(rows)) if row not in stated]
        n_more = max(0, _MOST_ROWS - len(stated))
        return tuple(sorted((*stated, *first[:n_more])))

    def _on_more_clicked(self) -> None:
        self._is_whole = not self._is_whole
        self._show_rows()

    def _on_cell_clicked(self, cell: TableCell) -> None:
        row = cell.row - self._n_header_rows
        if row >= 0:
            chosen = self.answer_table.rows[row][cell.column]
            if chosen.marker:
                self.cell_chosen.emit(chosen)

    def _texts(self) -> list[list[str]]:
        return [[cell.text for cell in row] for row in self.answer_table.rows]

    def copy_tsv(self) -> None:
        """Put all rows on the clipboard for a spreadsheet."""
        headers = [self.answer_table.headers] if self._n_header_rows else []
        QGuiApplication.clipboard().setText(as_tsv([*headers, *self._texts()]))

    def copy_markdown(self) -> None:
        """Put all rows on the clipboard as Markdown."""
        text = as_markdown(self.answer_table.headers, self._texts())
        QGuiApplication.clipboard().setText(text)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.copy_button.setIcon(themes.icon("copy", theme.dim))
        font, scale = chip_font(self.font(), sizes.small_px), self.devicePixelRatioF()
        for button in self.chip_buttons:
            marker = int(button.property("marker"))
            size = chip_size(marker, font)
            pixmap = chip_pixmap(marker, font, theme, is_active=False, scale=scale)
            button.setIcon(QIcon(pixmap))
            button.setIconSize(QSize(size.width(), size.height()))
        self.view.apply_theme(theme, sizes)


def markers_in(table: AnswerTable) -> tuple[int, ...]:
    """Return the markers that a table cites, in their order."""
    return tuple(sorted({cell.marker for row in table.rows for cell in row if cell.marker}))


def table_of(table: AnswerTable) -> Table:
    """Return a table of an answer as the tables of documents are; its header row first."""
    n_header = 1 if any(table.headers) else 0
    cells = list(_header_cells(table.headers)) if n_header else []
    cells += (
        TableCell(row, column, 1, 1, cell.text, False, cell.places)
        for row, texts in enumerate(table.rows, start=n_header)
        for column, cell in enumerate(texts)
    )
    n_rows = len(table.rows) + n_header
    return Table("", table.title, "", n_rows, len(table.headers), tuple(cells), (), ())


def _header_cells(headers: Sequence[str]) -> Iterator[TableCell]:
    """Yield the header cells; one that stands over several columns is repeated in each."""
    first = 0
    while first < len(headers):
        last = first + 1
        while last < len(headers) and headers[first] and headers[last] == headers[first]:
            last += 1
        yield TableCell(0, first, 1, last - first, headers[first], True, ())
        first = last
