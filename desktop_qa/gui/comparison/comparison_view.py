"""A comparison with what narrows, copies and enlarges it."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from desktop_qa.core.answer_table import TableUse
from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.comparison.comparison_table import ComparisonTable
from desktop_qa.gui.tables.table_numbers import Rows
from desktop_qa.gui.tables.table_pane import CellsPane
from desktop_qa.gui.tables.table_view import MOST_HEIGHT_PX
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.labels import show_breakable

_FEW_ROWS = 6
_FILTER_PX = 220


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
        head.addWidget(self.title_label, 1)
        for button in (self.copy_button, self.export_button, self.enlarge_button):
            head.addWidget(button)
        tools = in_row(spacing=10, inside=layout)
        for part in (self.find_edit, self.differences_check, self.status_label):
            tools.addWidget(part)
        for below in (self.view, self.nothing_label, self.notes_label):
            layout.addWidget(below)
        by_key = (self.find_edit, self.differences_check, self.view, self.copy_button)
        for before, after in pairwise(by_key):
            self.setTabOrder(before, after)

    def _on_arranged(self) -> None:
        model = self.model
        n_all, n_shown = len(model.table.rows), model.n_shown
        noun = "parameter" if model.table.use is TableUse.COMPARISON else "row"
        words = f"{n_all} {noun}{'' if n_all == 1 else 's'}"
        words = f"{n_shown} of {words}" if n_shown != n_all else words
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
