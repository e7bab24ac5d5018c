"""A comparison with what narrows, copies and enlarges it; in an answer or a window of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.mark import ReadCell
from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.comparison.comparison_table import ComparisonTable
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.tables.table_text import copied_numbers
from desktop_qa.gui.tables.table_view import MOST_HEIGHT_PX
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import typeset
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.widgets.breakable import show_breakable, with_breaks
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.large_window import LargeWindow

_FEW_ROWS = 6


class ComparisonView(QFrame):
    """Shows a `ComparisonModel` and lets the user narrow it.

    Attributes:
        cell_chosen: With the `AnswerCell` whose place is to be shown.
        export_requested: With (`AnswerTable` of the rows shown, these as numbers), to be written
            as CSV.
        enlarge_requested: The user wants more room for it.
    """

    cell_chosen = Signal(object)
    export_requested = Signal(object, object)
    enlarge_requested = Signal()

    def __init__(
        self, model: ComparisonModel, *, is_large: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        table = partial(ComparisonTable, model, fills_place=is_large)
        load_form("comparison_view.ui", self, {"ComparisonTable": table})
        self.setObjectName("comparison")
        self.model = model
        self.is_large = is_large
        self.title_label = child(self, QLabel, "title_label")
        self.copy_button = child(self, QToolButton, "copy_button")
        self.export_button = child(self, QToolButton, "export_button")
        self.enlarge_button = child(self, QToolButton, "enlarge_button")
        self.filter_edit = child(self, QLineEdit, "filter_edit")
        self.differences_check = child(self, QCheckBox, "differences_check")
        self.count_label = child(self, QLabel, "count_label")
        self.table = child(self, ComparisonTable, "comparison_table")
        self.nothing_label = child(self, QLabel, "nothing_label")
        self.notes_label = child(self, QLabel, "table_notes_label")
        model.setParent(self)
        self._show_whole()
        self._connect()
        self._update()

    def _show_whole(self) -> None:
        """Show what does not change with the rows."""
        table = self.model.table
        self.title_label.setText(typeset(with_breaks(table.title), self.model.symbols))
        self.title_label.setVisible(bool(table.title))
        is_short = len(table.rows) <= _FEW_ROWS
        self.filter_edit.setVisible(not is_short or self.is_large)
        self.differences_check.setVisible(self.model.marks_differences)
        self.enlarge_button.setVisible(not self.is_large)
        self.nothing_label.hide()
        self.notes_label.setVisible(bool(table.notes))
        show_breakable(self.notes_label, "\n".join(table.notes))
        if table.use is not TableUse.COMPARISON:
            self.table.setAccessibleName("List")

    def _connect(self) -> None:
        menu = QMenu(self.copy_button)
        menu.addAction("Copy for a spreadsheet (TSV)", self.copy_tsv)
        menu.addAction("Copy as Markdown", self.copy_markdown)
        if self.model.has_numbers:
            menu.addAction("Copy as numbers", self.copy_numbers)
        self.copy_button.setMenu(menu)
        self.filter_edit.textChanged.connect(self.model.narrow)
        self.differences_check.toggled.connect(self.model.show_differences_only)
        self.model.modelReset.connect(self._update)
        self.table.cell_clicked.connect(self.cell_chosen)
        self.table.find_requested.connect(self.begin_search)
        self.table.menu_requested.connect(self._on_menu_requested)
        self.export_button.clicked.connect(self._on_export_clicked)
        self.enlarge_button.clicked.connect(self.enlarge_requested)

    # Cells that were read wrongly

    def follow_reports(
        self, reports: CellReports, read_cell: Callable[[int, int], ReadCell | None]
    ) -> None:
        """Mark cells that were reported; `read_cell` takes row and column of the answer's table."""

        def read(row: int, column: int) -> ReadCell | None:
            return read_cell(row - 1, column) if row else None

        self.model.follow_reports(reports, read)

    def _on_menu_requested(self, position: QPoint) -> None:
        index = self.table.currentIndex()
        if index.isValid() and index.row():
            menu = self.menu(index.row(), index.column())
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(position)

    def menu(self, row: int, column: int) -> QMenu:
        """Return what can be done with a cell of the rows shown."""
        menu, cell = QMenu(self), self.model.cell(row, column)
        place = menu.addAction("Open at Place", lambda: self.cell_chosen.emit(cell))
        place.setEnabled(cell.marker > 0)
        menu.addAction("Copy", lambda: QGuiApplication.clipboard().setText(cell.text))
        if self.model.reports is not None:
            self.model.reports.offer(menu, self.model.read_cell(row, column))
        return menu

    def _update(self) -> None:
        model = self.model
        n_all, n_shown = len(model.table.rows), model.n_shown
        noun = "parameter" if model.table.use is TableUse.COMPARISON else "row"
        words = f"{n_all} {noun}{'' if n_all == 1 else 's'}"
        words = f"{n_shown} of {words}" if n_shown != n_all else words
        if model.n_differing:
            words += f" · {model.n_differing if model.marks_differences else 'all'} differ"
        self.count_label.setText(words)
        self.nothing_label.setVisible(not n_shown)

    def begin_search(self) -> None:
        """Let the user narrow the rows by words."""
        self.filter_edit.show()
        self.filter_edit.setFocus()

    def give_room(self, height_px: int) -> None:
        """Let the table be so high before it scrolls inside; never less than is of use."""
        self.table.most_height_px = max(height_px, MOST_HEIGHT_PX)
        self.table.fit_height()

    # Copying and colours

    def copy_tsv(self) -> None:
        """Put the rows shown on the clipboard for a spreadsheet."""
        QGuiApplication.clipboard().setText(self.model.as_tsv())

    def copy_markdown(self) -> None:
        """Put the rows shown on the clipboard as Markdown."""
        QGuiApplication.clipboard().setText(self.model.as_markdown())

    def copy_numbers(self) -> None:
        """Put the rows shown on the clipboard as numbers."""
        QGuiApplication.clipboard().setMimeData(copied_numbers(self.model.as_numbers()))

    def _on_export_clicked(self) -> None:
        numbers = self.model.as_numbers() if self.model.has_numbers else []
        self.export_requested.emit(self.model.shown(), numbers)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        for button, name in (
            (self.copy_button, "copy"),
            (self.export_button, "export"),
            (self.enlarge_button, "enlarge"),
        ):
            button.setIcon(themes.icon(name, theme.dim, theme.faint))
        self.table.apply_theme(theme, sizes)


class ComparisonWindow(LargeWindow):
    """A comparison with the room of a window; the answer stays where it is."""

    def __init__(
        self,
        model: ComparisonModel,
        theme: themes.Theme,
        sizes: themes.TextSizes,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model.table.title or "Comparison", parent)
        self.view = ComparisonView(model, is_large=True, parent=self)
        self.view.apply_theme(theme, sizes)
        in_column(self, margins=(0, 0, 0, 0)).addWidget(self.view)
        self.search_by(self.view.begin_search)
        self.view.table.setFocus()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.view.apply_theme(theme, sizes)
