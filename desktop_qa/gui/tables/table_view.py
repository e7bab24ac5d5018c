"""Tables of a document as tables: spans and header rows kept, the cited cells in amber."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QWidget,
)

from desktop_qa.gui.tables.table_cells import CellDelegate
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_handles import LEAST_COLUMN_PX, ColumnHandles
from desktop_qa.gui.tables.table_head import FixedHead, Grid
from desktop_qa.gui.tables.table_measure import ColumnMeasure, number_columns, sample_rows
from desktop_qa.gui.tables.table_model import TableModel, TableSlice
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_rows import row_heights
from desktop_qa.gui.tables.table_text import copied
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.timers import single_shot

__all__ = ["TableModel", "TableSlice", "TableView"]

_MOST_FITTED_CELLS = 520
"""A table of more cells scrolls inside; its rows are measured when they come into sight."""
_MOST_HEIGHT_PX = 440


class TableView(Grid):
    """As wide as its place; a small one as high as its rows, a large one scrolls inside.

    A click on a header row sorts, dragging the edge of a column there makes it wider, and a double
    click on the edge fits it to its words.

    Attributes:
        cell_clicked: With the `TableCell`, by click or Enter.
        sort_requested: With the column.
        find_requested: By Ctrl+F.
        menu_requested: With the place on the screen; the current cell is what it is about.
    """

    cell_clicked = Signal(object)
    sort_requested = Signal(int)
    find_requested = Signal()
    menu_requested = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None, *, fills_place: bool = False) -> None:
        super().__init__(parent)
        self.theme = themes.LIGHT
        self.symbols = Symbols()
        self.sorting: Sorting | None = None
        self.table_model: TableModel | None = None
        self._sizes = themes.TextSizes.around(13)
        self._fills_place = fills_place
        self._number_columns: frozenset[int] = frozenset()
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        self._own_widths: dict[int, int] = {}
        self._measured: set[int] = set()
        self._has_shown_cited = False
        self._make_fonts()
        self._head = FixedHead(self, CellDelegate(self))
        self.setItemDelegate(CellDelegate(self))
        vertical = QSizePolicy.Policy.Expanding if fills_place else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self._visible_timer = single_shot(self, self._measure_visible)
        self.handles = ColumnHandles(self)
        self.clicked.connect(self._on_clicked)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # What is shown

    def show_slice(
        self,
        shown: TableSlice,
        sorting: Sorting | None = None,
        grid: TableGrid | None = None,
    ) -> None:
        """Show some rows of a table, in their order; columns keep the widths the user gave them.

        Args:
            shown: Which rows.
            sorting: What brought them into this order.
            grid: Of the table, when it is known already.
        """
        old = self.table_model
        if old is not None and old.shown.table is shown.table:
            grid = old.grid
        else:
            self._own_widths, self._has_shown_cited = {}, False
        model = TableModel(shown, self, grid)
        self.clearSpans()
        self.table_model, self.symbols, self.sorting = model, shown.symbols, sorting
        self.setModel(model)
        self._head.clearSpans()
        self._head.setModel(model)
        if old is not None:
            old.deleteLater()
        self._spans = {}
        for row, column, n_rows, n_columns in model.spans():
            self.setSpan(row, column, n_rows, n_columns)
            self._spans[row, column] = (n_rows, n_columns)
            if row < model.n_header_rows:
                self._head.setSpan(row, column, n_rows, n_columns)
        self._number_columns = number_columns(model, sample_rows(model))
        label = shown.table.label or shown.table.caption or "Table"
        self.setAccessibleName(f"{label}, {model.rowCount()} rows")
        self._fit()

    @property
    def is_scrolling(self) -> bool:
        """True when it is larger than its place and scrolls inside."""
        model = self.table_model
        if model is None:
            return False
        return self._fills_place or model.rowCount() * model.columnCount() > _MOST_FITTED_CELLS

    # How a cell looks

    def _make_fonts(self) -> None:
        # Datasheets' tables are wide: the small size lets their columns stand unbroken.
        self._plain, self._strong = QFont(self.font()), QFont(self.font())
        for font in (self._plain, self._strong):
            font.setPixelSize(self._sizes.small_px)
        self._strong.setWeight(QFont.Weight.DemiBold)
        self.measure = ColumnMeasure(self._plain, self._strong)

    def font_of(self, row: int, column: int) -> QFont:
        """Return the font of a cell."""
        return self._strong if self.is_strong(row, column) else self._plain

    def is_strong(self, row: int, column: int) -> bool:
        """Tell whether a cell is drawn in the strong font."""
        model = self.table_model
        return model is not None and (
            model.is_header(row) or model.is_cited(row, column) or model.is_group_heading(row)
        )

    def alignment_of(self, row: int, column: int) -> Qt.AlignmentFlag:
        """Return where the words of a cell stand."""
        n_columns = self.span_of(row, column)[1]
        if n_columns == 1 and column in self._number_columns:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

    def is_sorted_by(self, row: int, column: int) -> bool:
        """Tell whether a header cell carries the arrow of the sorted column."""
        model, sorting = self.table_model, self.sorting
        if model is None or sorting is None:
            return False
        n_rows, n_columns = self.span_of(row, column)
        is_lowest = row + n_rows >= model.n_header_rows
        return is_lowest and column <= sorting.column < column + n_columns

    @property
    def is_descending(self) -> bool:
        """True when the largest stands first."""
        return self.sorting is not None and self.sorting.is_descending

    def is_measured(self, row: int) -> bool:
        """Tell whether a row has the height of its words."""
        return row in self._measured

    # Sizes

    def _fit(self) -> None:
        model = self.table_model
        if model is None or not model.rowCount() or not model.columnCount():
            self.setMinimumHeight(0)
            self._head.hide()
            return
        self._make_fonts()
        widths = self.measure.widths(
            model,
            sample_rows(model),
            self._room(),
            is_large=self.is_scrolling,
            sorted_by=self.sorting.column if self.sorting is not None else None,
        )
        for column, width in enumerate(widths):
            width = self._own_widths.get(column, width)
            self.setColumnWidth(column, width)
            self._head.setColumnWidth(column, width)
        self._fit_rows(model)

    def _room(self) -> int:
        bar = self.verticalScrollBar().sizeHint().width() if self.is_scrolling else 0
        return self.width() - bar

    def _fit_rows(self, model: TableModel) -> None:
        self._measured.clear()
        lines = self.verticalHeader()
        if self.is_scrolling:
            for header in (lines, self._head.verticalHeader()):
                header.setDefaultSectionSize(self.measure.line_height())
            self._set_heights(model, range(model.n_header_rows))
        else:
            self._set_heights(model, range(model.rowCount()))
        is_wide = self.horizontalHeader().length() > self._room()
        bar = self.horizontalScrollBar().sizeHint().height() if is_wide else 0
        whole = lines.length() + bar + 1
        if not self._fills_place:
            self.setFixedHeight(min(whole, _MOST_HEIGHT_PX) if self.is_scrolling else whole)
        as_needed, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(as_needed if self.is_scrolling else off)
        self._place_head()
        if self.is_scrolling:
            self._visible_timer.start(0)

    def _set_heights(self, model: TableModel, rows: range) -> None:
        columns = self._columns_in_sight() if self.is_scrolling else range(model.columnCount())
        heights = row_heights(self, model, rows, columns)
        self._measured.update(heights)
        for row, height in heights.items():
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)
            if row < model.n_header_rows:
                self._head.setRowHeight(row, height)

    def _columns_in_sight(self) -> range:
        n_columns = self.table_model.columnCount() if self.table_model is not None else 0
        first = max(self.columnAt(0), 0)
        last = self.columnAt(self.viewport().width() - 1)
        return range(first, (last if last >= 0 else n_columns - 1) + 1)

    def span_of(self, row: int, column: int) -> tuple[int, int]:
        """Return how many rows and columns a cell covers."""
        return self._spans.get((row, column), (1, 1))

    def _measure_visible(self) -> None:
        """Give the rows in sight the heights of their words."""
        model = self.table_model
        if model is None or not self.is_scrolling or not self.isVisible():
            return
        for _ in range(3):  # rows that grow push others out of sight: it settles at once
            first = max(self.rowAt(0), 0)
            last = self.rowAt(self.viewport().height() - 1)
            last = last if last >= 0 else model.rowCount() - 1
            rows = range(first, last + 1)
            if all(row in self._measured for row in rows):
                break
            self._set_heights(model, rows)
        if not self._has_shown_cited:
            self._has_shown_cited = True
            self.show_cited()

    def show_cited(self) -> None:
        """Scroll to the first cell that the answer cites."""
        model = self.table_model
        index = model.first_cited() if model is not None else QModelIndex()
        if index.isValid():
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _place_head(self) -> None:
        """Keep the header rows in sight while the others scroll below them."""
        model = self.table_model
        n_rows = model.n_header_rows if model is not None and self.is_scrolling else 0
        self._head.lie_over(sum(self.rowHeight(row) for row in range(n_rows)))

    def _on_scrolled(self) -> None:
        self._head.follow()
        if self.is_scrolling:
            self._visible_timer.start(0)

    def header_column_at(self, position: QPoint) -> int | None:
        """Return the column of a place in the header rows; `None` elsewhere."""
        model = self.table_model
        if model is None:
            return None
        height = sum(self.rowHeight(row) for row in range(model.n_header_rows))
        top = 0 if self.has_fixed_head else self.rowViewportPosition(0)
        if not top <= position.y() < top + height:
            return None
        column = self.columnAt(position.x())
        return column if column >= 0 else None

    @property
    def has_fixed_head(self) -> bool:
        """True while the header rows lie over the others, which scroll below them."""
        return self._head.isVisible()

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(300, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()
        elif self.is_scrolling:
            self._place_head()
            self._visible_timer.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure what is in sight."""
        super().showEvent(event)
        if self.is_scrolling:
            self._visible_timer.start(0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the surrounding scroll area, except sideways and in a large table."""
        turned = event.angleDelta()
        takes_it = self.is_scrolling and (self.hasFocus() or self._fills_place)
        if takes_it or abs(turned.x()) > abs(turned.y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def set_column_width(self, column: int, width: int) -> None:
        """Give a column a width that it keeps while the table is open."""
        self._own_widths[column] = width
        self.setColumnWidth(column, width)
        self._head.setColumnWidth(column, width)

    def fit_column(self, column: int) -> None:
        """Make a column as wide as its words on one line."""
        model = self.table_model
        if model is not None:
            rows = sorted({*sample_rows(model), *self._measured})
            width = self.measure.fitting_width(model, rows, column)
            self.set_column_width(column, max(LEAST_COLUMN_PX, width))
            self.refit_rows()

    def refit_rows(self) -> None:
        """Give the rows heights for the widths of now."""
        if self.table_model is not None:
            self._fit_rows(self.table_model)

    # Clicks, keys and copying

    def _on_clicked(self, index: QModelIndex) -> None:
        model = self.table_model
        if model is None:
            return
        if model.is_header(index.row()):
            self.sort_requested.emit(index.column())
            return
        cell = model.cell(index.row(), index.column())
        if cell is not None:
            self.cell_clicked.emit(cell)

    def event(self, event: QEvent) -> bool:
        """Keep the key for searching from the menus, which search the document by it."""
        is_find = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Find)
        if event.type() == QEvent.Type.ShortcutOverride and is_find:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selection, open the cell, search."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.find_requested.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_clicked(self.currentIndex())
        elif event.key() == Qt.Key.Key_Menu:
            self.menu_requested.emit(self._current_place())
        else:
            super().keyPressEvent(event)

    def _current_place(self) -> QPoint:
        rect = self.visualRect(self.currentIndex())
        return self.viewport().mapToGlobal(rect.center() if rect.isValid() else QPoint(8, 8))

    def copy_selection(self) -> None:
        """Put the selected cells on the clipboard; all of them when none is selected."""
        if self.table_model is not None:
            selected = {(i.row(), i.column()) for i in self.selectedIndexes()}
            rows = self.table_model.texts(selected)
            QGuiApplication.clipboard().setMimeData(copied(rows))

    def as_rows(self) -> list[list[str]]:
        """Return the texts of all rows shown, a spanning cell at its first place only."""
        return self.table_model.texts() if self.table_model is not None else []

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.theme = theme
        if sizes != self._sizes or self.table_model is None:
            self._sizes = sizes
            self._fit()
        self.viewport().update()
        self._head.viewport().update()
