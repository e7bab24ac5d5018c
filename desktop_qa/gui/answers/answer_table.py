"""A small table inside an answer: the rows it was read from, or a short list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QHelpEvent, QIcon
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.mark import ReadCell
from desktop_qa.gui.comparison.comparison_model import stands_out
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.tables.table_numbers import Origin, as_numbers, by_bounds, has_numbers
from desktop_qa.gui.tables.table_pane import TablePane
from desktop_qa.gui.tables.table_text import as_markdown, as_tsv, copied_numbers
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import typeset
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import breakable_label, with_breaks
from desktop_qa.gui.widgets.chips import chip_font, chip_pixmap, chip_size
from desktop_qa.gui.widgets.quiet_buttons import LinkButton
from desktop_qa.gui.widgets.symbols import Symbols

_MOST_ROWS = 8
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
LONG_LIST = 14
"""A list of more rows scrolls inside and can be filtered and sorted."""


class AnswerTableCard(QFrame):
    """Shows a table of an answer with the stated cells in amber.

    Attributes:
        cell_chosen: With the `AnswerCell`, by click or Enter; only cells that cite a place.
        export_requested: With (`AnswerTable`, the rows as numbers), to be written as CSV.
        enlarge_requested: The user wants more room for it.
        passage_pointed: With the marker of the cell or chip under the pointer or with the focus,
            its place on the screen, and whether it shall be shown at once.
        passage_left: The pointer has left it.
    """

    cell_chosen = Signal(object)
    export_requested = Signal(object, object)
    enlarge_requested = Signal()
    passage_pointed = Signal(int, QRect, bool)
    passage_left = Signal()

    def __init__(
        self,
        table: AnswerTable,
        parent: QWidget | None = None,
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("answer_table")
        self.answer_table = table
        self._origin = origin or Origin()
        self._n_header_rows = 1 if any(table.headers) else 0
        self.title_label = QLabel(self)
        self.title_label.setObjectName("table_title")
        self.title_label.setTextFormat(Qt.TextFormat.RichText)
        self.title_label.setWordWrap(True)
        self.title_label.setMinimumWidth(1)
        self.title_label.setText(typeset(with_breaks(table.title), symbols or Symbols()))
        self._symbols = symbols or Symbols()
        self.pane = TablePane(self)
        self.view = self.pane.view
        self._connect_pane()
        self.more_button = LinkButton(self)
        self.more_button.clicked.connect(self._on_more_clicked)
        self.copy_button = QToolButton(self)
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._copy_menu())
        self.notes_label = breakable_label(self, "table_notes_label", "\n".join(table.notes))
        self.notes_label.setVisible(bool(table.notes))
        self.chip_buttons = [self._chip_button(marker) for marker in markers_in(table)]
        self._lay_out()
        self.pane.show_table(
            table_of(table), self._rows_shown_first(), self._stated(), self._symbols, origin
        )
        self.numbers_action.setVisible(bool(self._numbers()))

    def follow_reports(
        self, reports: CellReports, read_cell: Callable[[int, int], ReadCell | None]
    ) -> None:
        """Mark cells that were reported; `read_cell` takes row and column of the answer's table."""

        def read(cell: TableCell) -> ReadCell | None:
            row = cell.row - self._n_header_rows
            return read_cell(row, cell.column) if row >= 0 else None

        self.pane.follow_reports(reports, read)

    def _connect_pane(self) -> None:
        self.pane.cell_clicked.connect(self._on_cell_clicked)
        self.pane.changed.connect(self._on_pane_changed)
        self.pane.export_requested.connect(self._on_export_requested)
        self.pane.enlarge_requested.connect(self.enlarge_requested)
        self.pane.place_requested.connect(self._on_place_requested)
        self.view.entered.connect(self._on_cell_entered)
        self.view.viewport().installEventFilter(self)

    def _lay_out(self) -> None:
        layout = in_column(self, margins=(10, 6, 10, 8), spacing=4)
        self.pane.copy_button.hide()
        head = in_row(spacing=4, inside=layout)
        for chip in self.chip_buttons:
            head.addWidget(chip)
        head.addWidget(self.title_label, 1)
        for button in (
            self.pane.find_button,
            self.copy_button,
            self.pane.export_button,
            self.pane.enlarge_button,
        ):
            head.addWidget(button)
        layout.addWidget(self.pane)
        self.pane.footer.insertWidget(0, self.more_button)
        layout.addWidget(self.notes_label)

    def _chip_button(self, marker: int) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("chip_button")
        button.setAccessibleName(f"Citation {marker}")
        button.setAccessibleDescription("Shows the table in its document")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setProperty("marker", marker)
        button.clicked.connect(partial(self._on_chip_clicked, marker))
        button.installEventFilter(self)
        return button

    def _on_chip_clicked(self, marker: int, _checked: bool = False) -> None:
        self.cell_chosen.emit(AnswerCell("", marker))

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self.copy_button)
        menu.addAction("Copy for a spreadsheet (TSV)", self.copy_tsv)
        menu.addAction("Copy as Markdown", self.copy_markdown)
        self.numbers_action = menu.addAction("Copy as numbers", self.copy_numbers)
        return menu

    def _rows_shown_first(self) -> tuple[int, ...]:
        n_header = self._n_header_rows
        return (*range(n_header), *(row + n_header for row in self._rows_at_first()))

    def _stated(self) -> frozenset[tuple[int, int]]:
        table = self.answer_table
        return frozenset(
            (row + self._n_header_rows, column)
            for row, cells in enumerate(table.rows)
            for column, cell in enumerate(cells)
            if cell.is_stated and stands_out(table)
        )

    def _on_pane_changed(self) -> None:
        n_all = len(self.answer_table.rows)
        self.more_button.setVisible(self.pane.n_hidden > 0)
        self.more_button.setText(
            "Show less" if self.pane.model.is_whole else f"Show all {n_all} rows"
        )

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
        self.pane.set_whole(not self.pane.model.is_whole)

    def _answer_cell(self, cell: TableCell | None) -> AnswerCell | None:
        """Return the cell of the answer that a cell of its table shows."""
        row = cell.row - self._n_header_rows if cell is not None else -1
        return self.answer_table.rows[row][cell.column] if cell is not None and row >= 0 else None

    def _on_cell_clicked(self, cell: TableCell) -> None:
        chosen = self._answer_cell(cell)
        if chosen is not None and chosen.marker:
            self.cell_chosen.emit(chosen)

    def _on_place_requested(self) -> None:
        if self.chip_buttons:
            self._on_chip_clicked(int(self.chip_buttons[0].property("marker")))

    def _on_export_requested(self, _rows: object) -> None:
        self.export_requested.emit(self.answer_table, self._numbers())

    # Looking at passages

    def _on_cell_entered(self, index: QModelIndex) -> None:
        cell = self._answer_cell(self.pane.model.cell(index.row(), index.column()))
        if cell is not None and cell.marker:
            self._point(cell.marker, self.view.viewport(), self.view.visualRect(index))
        else:
            self.passage_left.emit()

    def _point(self, marker: int, widget: QWidget, rect: QRect) -> None:
        place = QRect(widget.mapToGlobal(rect.topLeft()), rect.size())
        self.passage_pointed.emit(marker, place, False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer over the chips and out of the table."""
        kind = event.type()
        if kind == QEvent.Type.Leave:
            self.passage_left.emit()
        elif isinstance(watched, QToolButton):
            marker = int(watched.property("marker"))
            if kind == QEvent.Type.Enter:
                self._point(marker, watched, watched.rect())
            elif isinstance(event, QFocusEvent) and event.reason() in _BY_KEY:
                if event.gotFocus():
                    self._point(marker, watched, watched.rect())
                else:
                    self.passage_left.emit()
        elif isinstance(event, QHelpEvent) and kind == QEvent.Type.ToolTip:
            # The preview says more, but for what the reader reported.
            index = self.view.indexAt(event.pos())
            return not index.isValid() or not self.pane.model.report(index.row(), index.column())
        return super().eventFilter(watched, event)

    def _texts(self) -> list[list[str]]:
        return [[cell.text for cell in row] for row in self.answer_table.rows]

    def copy_tsv(self) -> None:
        """Put all rows on the clipboard for a spreadsheet."""
        headers = [self.answer_table.headers] if self._n_header_rows else []
        QGuiApplication.clipboard().setText(as_tsv([*headers, *self._texts()]))

    def _numbers(self) -> list[list[str]]:
        """Return all rows as numbers; none of a table without figures."""
        table = self.answer_table
        headers, texts = by_bounds(table.headers, table.rows)
        if not has_numbers(texts, self._origin.negatives):
            return []
        return as_numbers(headers, texts, self._origin)

    def copy_numbers(self) -> None:
        """Put all rows on the clipboard as numbers."""
        QGuiApplication.clipboard().setMimeData(copied_numbers(self._numbers()))

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
        self.pane.apply_theme(theme, sizes)


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
