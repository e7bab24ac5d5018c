"""A comparison of documents: its values, and what narrows, copies and enlarges it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from desktop_qa.core import gaps
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.gui.library.library_words import natural_key
from desktop_qa.gui.tables.table_model import CellsModel, Sample
from desktop_qa.gui.tables.table_pane import CellsPane
from desktop_qa.gui.tables.table_text import Origin, Rows, as_numbers, by_bounds, has_numbers
from desktop_qa.gui.tables.table_view import MOST_HEIGHT_PX, TableView
from desktop_qa.gui.widgets.boxes import add_row, in_column, in_row, put
from desktop_qa.gui.widgets.labels import n_of, show_breakable
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look

GAP = "—"
NOT_STATED = "not stated"

_FEW_ROWS = 6
_FILTER_PX = 220
_SIGN_OF_DIFFERENCE = " ≠"
_BAR_PX = 3
_LEAST_COLUMN_PX = 92
_LEAST_LABEL_PX = 132
_MOST_COLUMN_PX = 260
_MOST_LABEL_SHARE = 0.34


class ComparisonModel(CellsModel):
    """One comparison and how the user looks at it, under the row of its headers.

    Args:
        table: Parameters in the first column, a document in each other one.
        sources: By marker.
        symbols: Words with a subscript.
        origin: What its figures are copied with.
    """

    n_header_rows = n_label_columns = 1

    def __init__(
        self,
        table: AnswerTable,
        sources: Mapping[int, CellSource],
        symbols: Symbols | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(symbols, origin)
        self.table, self.n_columns = table, len(table.headers)
        self._lines = (tuple(map(AnswerCell, table.headers)), *table.rows)
        self._sources = dict(sources)
        self._differences_only = False
        self._marks_stated = stands_out(table)
        self.arrange()

    def show_differences_only(self, is_on: bool) -> None:
        """Leave out the rows in which the documents agree."""
        self._differences_only = is_on
        self.arrange()

    def arranged(self) -> tuple[int, ...]:
        """Return the rows to show; gaps stay last in both directions: nobody looks for them."""
        words, sorting = self.words.casefold().split(), self.sorting
        rows = [
            row
            for row in range(1, len(self._lines))
            if (self._differs(row) or not self._differences_only) and self._holds(row, words)
        ]
        if sorting is not None:
            cells = {row: self._lines[row][sorting.column] for row in rows}
            stated = [row for row in rows if not is_gap(cells[row])]
            stated.sort(key=lambda row: _sort_key(cells[row]), reverse=sorting.is_descending)
            rows = stated + [row for row in rows if is_gap(cells[row])]
        return (0, *rows)

    def _differs(self, row: int) -> bool:
        return 0 < row <= len(self.table.differs) and self.table.differs[row - 1]

    def _holds(self, row: int, words: list[str]) -> bool:
        text = " ".join(f"{cell.text} {cell.note}" for cell in self._lines[row]).casefold()
        return all(word in text for word in words)

    @property
    def n_shown(self) -> int:
        """Rows shown below the headers."""
        return len(self.rows) - 1

    @property
    def n_differing(self) -> int:
        """Rows of the comparison in which the documents differ."""
        return sum(self.table.differs)

    @property
    def marks_differences(self) -> bool:
        """True when some rows differ and some do not: where all do, a mark tells nothing."""
        return 0 < self.n_differing < len(self.table.rows)

    def cell(self, row: int, column: int) -> AnswerCell:
        """Return a cell of the rows shown."""
        return self._lines[self.rows[row]][column]

    def target(self, row: int, column: int) -> AnswerCell | None:
        """Return the cell that a click chooses; `None` of one that cites nothing."""
        cell = self.cell(row, column)
        return cell if cell.marker else None

    def differs(self, row: int) -> bool:
        """Tell whether a row shown is to be marked as one in which the documents differ."""
        return self.marks_differences and self._differs(self.rows[row])

    def is_cited(self, row: int, column: int) -> bool:
        """Tell whether a cell stands out as what the answer states."""
        return self._marks_stated and self.cell(row, column).is_stated

    def is_strong(self, row: int, column: int) -> bool:
        """Tell whether a cell is set in the strong font."""
        return super().is_strong(row, column) or (not column and self.differs(row))

    def is_dim(self, row: int, column: int) -> bool:
        """Tell whether a cell is a gap."""
        return bool(row and column) and is_gap(self.cell(row, column))

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell; a dash where a document states nothing."""
        return GAP if self.is_dim(row, column) else self.cell(row, column).text

    def note(self, row: int, column: int) -> str:
        """Return the condition that a value holds under."""
        return self.cell(row, column).note if column and not self.is_dim(row, column) else ""

    def spoken(self, row: int, column: int) -> str:
        """Return what a screen reader says of a cell."""
        if self.is_dim(row, column):
            return f"{NOT_STATED} in {self.table.headers[column]}"
        return super().spoken(row, column)

    def explanation(self, row: int, column: int) -> tuple[str, ...]:
        """Return the lines shown over a cell: value, condition, document and page."""
        cell = self.cell(row, column)
        if not row:
            return cell.text, "Click to sort"
        if not column:
            return cell.text, cell.note, "The documents differ." if self.differs(row) else ""
        if is_gap(cell):
            return (f"{NOT_STATED.capitalize()} in {self.table.headers[column]}",)
        lines = [f"{self.cell(row, 0).text}: {cell.text}", cell.note]
        source = self._sources.get(cell.marker)
        if source is not None:
            lines += [f"{source.file} · page {source.pages_of(cell)}", source.heading]
        return *lines, self.report(row, column)

    def sample(self) -> Iterator[Sample]:
        """Yield all cells: the widths stay as they are whichever rows are shown."""
        for row, cells in enumerate(self._lines):
            for column, cell in enumerate(cells):
                yield Sample(column, 1, cell.text, not row, not row or not column)

    def shown(self) -> AnswerTable:
        """Return the comparison as it is looked at: for a file."""
        rows = tuple(self._lines[row] for row in self.rows[1:])
        differs = tuple(map(self._differs, self.rows[1:])) if self.table.differs else ()
        return replace(self.table, rows=rows, differs=differs)

    def texts(self, places: Collection[tuple[int, int]] = ()) -> list[list[str]]:
        """Return the texts at some places by rows; of all, with what holds for them."""
        if not places:
            every = range(self.n_columns)
            return [[self._copied(row, c) for c in every] for row in range(len(self.rows))]
        rows, columns = ({place[axis] for place in places} for axis in (0, 1))
        return [
            [self.text(row, c) if (row, c) in places else "" for c in sorted(columns)]
            for row in sorted(rows)
        ]

    def _copied(self, row: int, column: int) -> str:
        cell, text = self.cell(row, column), self.text(row, column)
        return f"{text} ({cell.note})" if cell.note and not is_gap(cell) else text

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        texts = by_bounds(self.table.headers, self.table.rows)[1]
        return has_numbers(texts, self.origin.negatives)

    def numbers(self, chosen: frozenset[tuple[int, int]] = frozenset()) -> Rows:
        """Return the rows shown as numbers; what holds for a cell stands behind its row.

        Of some cells their rows and columns, behind what each row is called.
        """
        every = range(self.n_columns)
        columns = sorted({0, *(column for _row, column in chosen)}) if chosen else every
        rows = sorted({row for row, _column in chosen}) or range(1, len(self.rows))
        headers = [self.table.headers[column] for column in columns]
        cells = [[self.cell(row, column) for column in columns] for row in rows]
        numbers = as_numbers(*by_bounds(headers, cells), self.origin)
        for line, own in zip(numbers[1 if any(headers) else 0 :], cells, strict=False):
            line += [f"{head}: {c.note}" for head, c in zip(headers, own, strict=True) if c.note]
        return numbers

    def for_file(self) -> tuple[object, Rows]:
        """Return the `AnswerTable` of the rows shown, and these as numbers."""
        return self.shown(), self.numbers() if self.has_numbers else []


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


class ComparisonTable(TableView):
    """Scrolls inside, with room around the words of each document."""

    table_model: ComparisonModel
    padding = (9, 6)
    scrolls_inside = True

    def alignment_of(self, _row: int, _column: int) -> Qt.AlignmentFlag:
        """Set all words at the top: conditions stand below them."""
        return Qt.AlignmentFlag.AlignLeft

    def ground_of(self, row: int, column: int) -> str:
        """Return the colour below a cell: names stand beside the paper."""
        return look.theme.panel if row and column else look.theme.background

    def bounds_of(self, column: int) -> tuple[int, int]:
        """Return the least and the largest width that a column may have at first."""
        if column:
            return _LEAST_COLUMN_PX, _MOST_COLUMN_PX
        share = round(self.viewport().width() * _MOST_LABEL_SHARE)
        return _LEAST_LABEL_PX, max(_LEAST_LABEL_PX, share)

    def sign_room(self, row: int, column: int) -> int:
        """Return the room for the sign of a difference, or for the arrow of the sorting."""
        if column or not row:
            return super().sign_room(row, column)
        metrics = QFontMetrics(self.measure.fonts[True])
        return metrics.horizontalAdvance(_SIGN_OF_DIFFERENCE)

    def paint_sign(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """Draw the bar and the sign of a row in which the documents differ."""
        if not column and self.table_model.differs(row):
            accent, (x, y) = QColor(look.theme.accent), self.padding
            painter.fillRect(QRect(rect.left(), rect.top(), _BAR_PX, rect.height() - 1), accent)
            painter.setPen(accent)
            words, right = rect.adjusted(x, y, -x, -y), Qt.AlignmentFlag.AlignRight
            painter.drawText(words, right.value, _SIGN_OF_DIFFERENCE)


class ComparisonView(CellsPane):
    """Shows a `ComparisonModel` and lets the user narrow it."""

    model: ComparisonModel
    has_place = False

    def __init__(
        self, model: ComparisonModel, *, is_large: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(ComparisonTable(model, fills_place=is_large), parent, is_large=is_large)
        self.setObjectName("comparison")
        table = model.table
        self.view.setAccessibleName("List" if table.use is TableUse.LIST else "Comparison")
        self.title_label = self.make_title(table.title)
        self.find_button.hide()
        self.keeps_search = is_large or len(table.rows) > _FEW_ROWS
        self.find_edit.setVisible(self.keeps_search)
        self.find_edit.setPlaceholderText("Filter rows …")
        self.find_edit.setAccessibleName("Filter rows")
        self.find_edit.setMaximumWidth(_FILTER_PX)
        self.differences_check = QCheckBox("Differences only", self)
        self.differences_check.setToolTip("Leave out the rows in which the documents agree")
        self.differences_check.setVisible(model.marks_differences)
        self.differences_check.toggled.connect(model.show_differences_only)
        self.status_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.status_label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.nothing_label = QLabel("No row is left by the filter.", self)
        self.notes_label.setAccessibleName("What could not be compared")
        self.notes_label.setVisible(bool(table.notes))
        show_breakable(self.notes_label, "\n".join(table.notes))
        self.offer_forms()
        self._lay_out()
        self._on_arranged()

    def _lay_out(self) -> None:
        layout = in_column(self, margins=(12, 10, 12, 10), spacing=8)
        head = in_row(spacing=2, inside=layout)
        put(head, (self.title_label, 1), self.copy_button, self.export_button, self.enlarge_button)
        add_row(layout, self.find_edit, self.differences_check, self.status_label, spacing=10)
        put(layout, self.view, self.nothing_label, self.notes_label)
        by_key = (self.find_edit, self.differences_check, self.view, self.copy_button)
        for before, after in pairwise(by_key):
            self.setTabOrder(before, after)

    def _on_arranged(self) -> None:
        model = self.model
        n_all, n_shown = len(model.table.rows), model.n_shown
        noun = "parameter" if model.table.use is TableUse.COMPARISON else "row"
        words = (f"{n_shown} of " if n_shown != n_all else "") + n_of(n_all, noun)
        if model.n_differing:
            words += f" · {model.n_differing if model.marks_differences else 'all'} differ"
        self.status_label.setText(words)
        self.nothing_label.setVisible(not n_shown)

    def give_room(self, height_px: int) -> None:
        """Let the table be so high before it scrolls inside; never less than is of use."""
        self.view.most_height_px = max(height_px, MOST_HEIGHT_PX)
        self.view.fit_height()
