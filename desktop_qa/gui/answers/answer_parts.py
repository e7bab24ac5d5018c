"""The tables of an answer below its words: rows read, lists, comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QIcon
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.mark import ReadCell, WrongCell
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.comparison.comparison_view import ComparisonModel, ComparisonView, stands_out
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_pane import CellsPane, PaneWindow, TablePane
from desktop_qa.gui.tables.table_text import Origin, Rows, origin_of
from desktop_qa.gui.widgets.boxes import add_row, in_column, put, take_away
from desktop_qa.gui.widgets.buttons import LinkButton
from desktop_qa.gui.widgets.labels import say, told
from desktop_qa.gui.widgets.row_painting import chip_pixmap
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look

_MOST_ROWS = 8
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
LONG_LIST = 14
"""A list of more rows scrolls inside and can be filtered and sorted."""
_LAID_OUT_AT_ONCE = 12
"""Rows of a table that is shown together with the words of its answer."""


class AnswerModel(TableModel):
    """Rows of a table of an answer: a click chooses a cell of it that cites a place."""

    def __init__(
        self, table: AnswerTable, symbols: Symbols | None = None, origin: Origin | None = None
    ) -> None:
        n_header = 1 if any(table.headers) else 0
        first = (*range(n_header), *(row + n_header for row in _rows_at_first(table)))
        stated = frozenset(
            (row, column)
            for row, cells in enumerate(table.rows, start=n_header)
            for column, cell in enumerate(cells)
            if cell.is_stated and stands_out(table)
        )
        super().__init__(table_of(table), first, stated, symbols, origin)
        self.table = table

    def target(self, row: int, column: int) -> AnswerCell | None:
        """Return the cell of the answer that stands at a place, if it cites one."""
        index = self.rows[row] - self.n_header_rows
        cell = self.table.rows[index][column] if index >= 0 else None
        return cell if cell is not None and cell.marker else None

    def leads(self, row: int, column: int) -> bool:
        """Tell whether a click sorts, or shows a place."""
        return self.is_header(row) or self.target(row, column) is not None

    def for_file(self) -> tuple[object, Rows]:
        """Return the `AnswerTable`, and its rows as numbers; none where it has no figures."""
        return self.table, super().for_file()[1]


class AnswerTableCard(TablePane):
    """Shows a table of an answer with the stated cells in amber.

    Attributes:
        passage_pointed: With the marker of the cell or chip under the pointer or with the focus,
            and its place on the screen.
    """

    passage_pointed = Signal(int, QRect)
    passage_left = Signal()

    def __init__(
        self,
        table: AnswerTable,
        parent: QWidget | None = None,
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.answer_table = table
        super().__init__(AnswerModel(table, symbols, origin), parent)
        self.setObjectName("answer_table")
        self.offer_forms()
        self._draw_chips()
        look.changed.connect(self._draw_chips)
        if self.chip_buttons:
            self.place_requested.connect(self.chip_buttons[0].click)
        self.view.entered.connect(self._on_cell_entered)
        self.view.viewport().installEventFilter(self)

    def lay_out(self) -> None:
        """Put chips, title and buttons above the table."""
        self.title_label = self.make_title(self.answer_table.title)
        self.chip_buttons = [self._chip_button(marker) for marker in markers_in(self.answer_table)]
        self.more_button = LinkButton(self)
        self.more_button.clicked.connect(self.show_more)
        self.footer.insertWidget(0, self.more_button)
        self.changed.connect(lambda: say(self.more_button, self.more_words))
        layout = in_column(self, margins=(10, 6, 10, 8), spacing=4)
        add_row(layout, *self.chip_buttons, (self.title_label, 1), *self._buttons, spacing=4)
        put(layout, self.find_edit, self.view, self.footer_row, self.notes_label)

    def _chip_button(self, marker: int) -> QToolButton:
        button = told(QToolButton(self), "chip_button", f"Citation {marker}")
        button.setAccessibleDescription("Shows the table in its document")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setProperty("marker", marker)
        button.clicked.connect(lambda: self.cell_clicked.emit(AnswerCell("", marker)))
        button.installEventFilter(self)
        return button

    def texts(self) -> Rows:
        """Return all rows."""
        return self.model.whole().texts()

    def _on_cell_entered(self, index: QModelIndex) -> None:
        cell = self.model.target(index.row(), index.column())
        if isinstance(cell, AnswerCell):
            self._point(cell.marker, self.view.viewport(), self.view.visualRect(index))
        else:
            self.passage_left.emit()

    def _point(self, marker: int, widget: QWidget, rect: QRect) -> None:
        place = QRect(widget.mapToGlobal(rect.topLeft()), rect.size())
        self.passage_pointed.emit(marker, place)

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
            return not index.isValid() or not self.model.report(index.row(), index.column())
        return super().eventFilter(watched, event)

    def _draw_chips(self) -> None:
        for button in self.chip_buttons:
            pixmap = chip_pixmap(int(button.property("marker")), self)
            button.setIcon(QIcon(pixmap))
            button.setIconSize(pixmap.deviceIndependentSize().toSize())


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
    n_columns = len(table.headers)
    return Table("", table.title, "", n_rows, n_columns, tuple(cells), table.notes, ())


def _rows_at_first(table: AnswerTable) -> list[int]:
    """Return the rows shown before more are asked for: what is stated is among them."""
    rows = table.rows
    stated = [row for row, cells in enumerate(rows) if any(cell.is_stated for cell in cells)]
    others = [row for row in range(len(rows)) if row not in stated]
    return sorted((*stated, *others[: max(0, _MOST_ROWS - len(stated))]))


def _header_cells(headers: Sequence[str]) -> Iterator[TableCell]:
    """Yield the header cells; one that stands over several columns is repeated in each."""
    first = 0
    while first < len(headers):
        last = first + 1
        while last < len(headers) and headers[first] and headers[last] == headers[first]:
            last += 1
        yield TableCell(0, first, 1, last - first, headers[first], True, ())
        first = last


class AnswerParts(QWidget):
    """Shows the tables of one answer at a time.

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`).
        table_export_requested: With the `AnswerTable` to be written as CSV, the `CellSource` of
            each marker and the rows as numbers, none when it has no figures.
        passage_pointed, passage_left: See `AnswerTableCard`.
        reports: Of cells that were read wrongly; `None` until the window has them.
    """

    place_clicked = Signal(object, object)
    table_export_requested = Signal(object, object, object)
    passage_pointed = Signal(int, QRect)
    passage_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tables: list[CellsPane] = []
        self.reports: MarkBook | None = None
        self.windows: list[PaneWindow] = []
        self._layout = in_column(self, margins=(0, 0, 0, 0), spacing=8)
        self.hide()

    def show_tables(self, view: AnswerView | None) -> None:
        """Show the tables of another answer; windows with those of the one before stay open."""
        take_away(self._layout, self.tables)
        self.tables = []
        if view is not None:
            for table in view.answer.tables:
                if table.rows:
                    self._add(table, view)
        self.setVisible(bool(self.tables))

    def _add(self, table: AnswerTable, view: AnswerView) -> None:
        made: CellsPane
        if table.use is TableUse.COMPARISON or len(table.rows) > LONG_LIST:
            made = ComparisonView(_comparison(table, view), parent=self)
        else:
            card = AnswerTableCard(table, self, Symbols.of(view.evidence), _origin(table, view))
            card.passage_pointed.connect(self.passage_pointed)
            card.passage_left.connect(self.passage_left)
            made = card
        self._connect(made, table, view)
        made.enlarge_button.clicked.connect(lambda: self._open_window(table, view))
        self.tables.append(made)
        self._layout.addWidget(made)
        if isinstance(made, ComparisonView) and len(table.rows) > _LAID_OUT_AT_ONCE:
            # Many rows take longer to lay out than all the rest of an answer: one turn later.
            made.hide()
            QTimer.singleShot(0, made, made.show)

    def _open_window(self, table: AnswerTable, view: AnswerView) -> None:
        """Show a table with the room of a window; each window is narrowed by itself."""
        pane = ComparisonView(_comparison(table, view), is_large=True)
        window = PaneWindow(table.title or "Comparison", pane, self.window())
        self._connect(pane, table, view)
        window.finished.connect(lambda _result: self.windows.remove(window))
        self.windows.append(window)
        window.show()

    def _connect(self, shown: CellsPane, table: AnswerTable, view: AnswerView) -> None:
        if self.reports is not None:
            n_headers = shown.model.n_header_rows
            shown.model.follow_reports(
                self.reports, lambda row, c: read_answer_cell(view, table, row - n_headers, c)
            )
        shown.cell_clicked.connect(partial(self._on_cell_chosen, view))
        shown.export_requested.connect(
            lambda rows: self.table_export_requested.emit(rows[0], sources_of(view), rows[1])
        )

    def close_windows(self) -> None:
        """Close what belongs to answers that are gone."""
        for window in list(self.windows):
            window.close()

    def _on_cell_chosen(self, view: AnswerView, cell: AnswerCell) -> None:
        # A window may show the table of another answer than the one on screen.
        piece = next((piece for piece in view.evidence if piece.marker == cell.marker), None)
        if piece is not None:
            self.place_clicked.emit(piece, cell.places or piece.places)


def _comparison(table: AnswerTable, view: AnswerView) -> ComparisonModel:
    symbols = Symbols.of(view.evidence)
    return ComparisonModel(table, sources_of(view), symbols, _origin(table, view))


def _origin(table: AnswerTable, view: AnswerView) -> Origin:
    """Return what the figures of a table of an answer are copied with."""
    sources, cells = sources_of(view), (cell for row in table.rows for cell in row if cell.marker)
    pages: dict[str, dict[str, None]] = {}
    markers: set[int] = set()
    for cell in cells:
        if (source := sources.get(cell.marker)) is not None:
            markers.add(cell.marker)
            pages.setdefault(source.file, {})[source.pages_of(cell)] = None
    tables = (one.table for one in view.evidence if one.marker in markers)
    return origin_of(
        (one for one in tables if one is not None),
        (f"{file}, page {', '.join(of_file)}" for file, of_file in pages.items()),
    )


def read_answer_cell(
    view: AnswerView, table: AnswerTable, row: int, column: int
) -> ReadCell | None:
    """Return what a cell of a table of an answer is to a report; `None` of one that cites nothing.

    Rows are counted from 0 below the headers, which are no cells of a document; columns from 0.
    """
    if row < 0:
        return None
    cell = table.rows[row][column]
    piece = next((piece for piece in view.evidence if piece.marker == cell.marker), None)
    if piece is None or not cell.places:
        return None
    name = table.rows[row][0].text if column else ""
    where = WrongCell(table.title, name, table.headers[column])
    return ReadCell(piece.document_id, cell.text, cell.places, where)


def sources_of(view: AnswerView) -> dict[int, CellSource]:
    """Return where each piece of evidence stands, by marker."""
    return {
        piece.marker: CellSource(
            piece.file,
            piece.page_no,
            piece.section_path[-1] if piece.section_path else "",
            piece.page_starts,
        )
        for piece in view.evidence
    }


def markers_shown(answer: Answer) -> frozenset[int]:
    """Return the markers of the pieces that the answer shows itself, as tables or figures."""
    return frozenset(answer.figures).union(*map(markers_in, answer.tables))
