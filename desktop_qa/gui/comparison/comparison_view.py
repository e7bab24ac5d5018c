"""A comparison with what narrows, copies and enlarges it."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from desktop_qa.core.answer_table import TableUse
from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.tables.table_numbers import Rows
from desktop_qa.gui.tables.table_pane import CellsPane
from desktop_qa.gui.tables.table_view import MOST_HEIGHT_PX, TableView
from desktop_qa.gui.widgets.boxes import add_row, in_column, in_row, put
from desktop_qa.gui.widgets.labels import n_of, show_breakable
from desktop_qa.gui.widgets.theme import look

_FEW_ROWS = 6
_FILTER_PX = 220
_SIGN_OF_DIFFERENCE = " ≠"
_BAR_PX = 3
_LEAST_COLUMN_PX = 92
_LEAST_LABEL_PX = 132
_MOST_COLUMN_PX = 260
_MOST_LABEL_SHARE = 0.34


class ComparisonTable(TableView):
    """Scrolls inside, with room around the words of each document."""

    padding = (9, 6)
    scrolls_inside = True

    def __init__(
        self, model: ComparisonModel, parent: QWidget | None = None, *, fills_place: bool = False
    ) -> None:
        self._comparison = model
        super().__init__(model, parent, fills_place=fills_place)

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
        if not column and self._comparison.differs(row):
            accent, (x, y) = QColor(look.theme.accent), self.padding
            painter.fillRect(QRect(rect.left(), rect.top(), _BAR_PX, rect.height() - 1), accent)
            painter.setPen(accent)
            words, right = rect.adjusted(x, y, -x, -y), Qt.AlignmentFlag.AlignRight
            painter.drawText(words, right.value, _SIGN_OF_DIFFERENCE)


class ComparisonView(CellsPane):
    """Shows a `ComparisonModel` and lets the user narrow it."""

    has_place = False

    def __init__(
        self, model: ComparisonModel, *, is_large: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(ComparisonTable(model, fills_place=is_large), parent, is_large=is_large)
        self.setObjectName("comparison")
        self.model = model
        model.setParent(self)
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
        self.offer_forms(self.copy_button)
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

    @property
    def has_numbers(self) -> bool:
        """True when some cells can be copied as numbers."""
        return self.model.has_numbers

    def numbers(self, _chosen: frozenset[tuple[int, int]] = frozenset()) -> Rows:
        """Return the rows shown as numbers; what holds for a cell stands behind its row."""
        return self.model.as_numbers()

    def for_file(self) -> tuple[object, Rows]:
        """Return the `AnswerTable` of the rows shown, and these as numbers."""
        return self.model.shown(), self.numbers() if self.has_numbers else []
