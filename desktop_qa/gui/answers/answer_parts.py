"""The tables of an answer below its words: rows read, lists, comparisons."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.mark import ReadCell, WrongCell
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.answers.answer_table import LONG_LIST, AnswerTableCard
from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.comparison.comparison_view import ComparisonView
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.tables.table_numbers import Origin, origin_of
from desktop_qa.gui.tables.table_pane import CellsPane, PaneWindow
from desktop_qa.gui.widgets.boxes import in_column, take_away
from desktop_qa.gui.widgets.symbols import Symbols

_LAID_OUT_AT_ONCE = 12
"""Rows of a table that is shown together with the words of its answer."""


class AnswerParts(QWidget):
    """Shows the tables of one answer at a time.

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`).
        table_export_requested: With the `AnswerTable` to be written as CSV, the `CellSource` of
            each marker and the rows as numbers, none when it has no figures.
        passage_pointed: With the marker of the cell under the pointer, its place on the screen, and
            whether a key asked for it.
        passage_left: The pointer has left it.
        windows: Those that are open.
        reports: Of cells that were read wrongly; `None` until the window has them.
    """

    place_clicked = Signal(object, object)
    table_export_requested = Signal(object, object, object)
    passage_pointed = Signal(int, QRect, bool)
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
            n_headers = shown.cells.n_header_rows
            shown.cells.follow_reports(
                self.reports, lambda row, c: read_answer_cell(view, table, row - n_headers, c)
            )
        shown.cell_clicked.connect(partial(self._on_cell_chosen, view))
        shown.export_requested.connect(partial(self._on_export_requested, view))

    def close_windows(self) -> None:
        """Close what belongs to answers that are gone."""
        for window in list(self.windows):
            window.close()

    def _on_export_requested(
        self, view: AnswerView, rows: tuple[AnswerTable, list[list[str]]]
    ) -> None:
        self.table_export_requested.emit(rows[0], sources_of(view), rows[1])

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

    Args:
        view: The answer.
        table: Of it.
        row: Counted from 0 below the headers, which are no cells of a document.
        column: Counted from 0.
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
    cells = (cell for table in answer.tables for row in table.rows for cell in row)
    return frozenset(answer.figures) | {cell.marker for cell in cells if cell.marker}
