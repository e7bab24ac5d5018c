"""Tables of a document as tables: spans and header rows kept, the cited cells in amber."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_qa.core.document import Table
from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_layout import (
    column_widths,
    is_number_like,
    unbroken,
    widen_for_spans,
)
from desktop_qa.gui.tables.table_model import Index, TableModel, TableSlice
from desktop_qa.gui.tables.table_text import copied
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.lowered_text import draw_wrapped
from desktop_qa.gui.widgets.timers import single_shot

_MOST_FITTED_CELLS = 520
"""A table of more cells scrolls inside; its rows are measured when they come into sight."""
_MOST_HEIGHT_PX = 440
_LEAST_COLUMN_PX = 24
_EDGE_PX = 4
_PADDING_X_PX = 6
_PADDING_Y_PX = 5
_ARROW_PX = 7
_ARROW_ROOM_PX = _ARROW_PX + 4
_SAMPLE_CELLS = 1200
_MOST_SAMPLE_ROWS = 80
_WIDEST_PX = 280
"""Of a column of a large table, whose other cells nobody has measured."""
_WRAP = Qt.TextFlag.TextWordWrap.value

NO_GRID = TableGrid(Table("", "", "", 0, 0, (), (), ()))


class Grid(QTableView):
    """What tables have in common.

    Args:
        follows: A part of another one once more, over it: it scrolls with that and has no focus.
    """

    def __init__(self, parent: QWidget | None = None, *, follows: bool = False) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setMinimumSectionSize(8)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        if follows:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


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
        self.table_model = TableModel(TableSlice(NO_GRID, ()), self)
        self._sizes = themes.TextSizes.around(13)
        self._fills_place = fills_place
        self._number_columns: frozenset[int] = frozenset()
        self._own_widths: dict[int, int] = {}
        self._measured: set[int] = set()
        self._has_shown_cited = False
        self._dragged: tuple[int, int, int] | None = None
        self._make_fonts()
        self._head = Grid(self, follows=True)
        self._head.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._head.hide()
        for grid in (self, self._head):
            grid.setItemDelegate(_CellDelegate(self))
        vertical = QSizePolicy.Policy.Expanding if fills_place else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self._visible_timer = single_shot(self, self._measure_visible)
        self.clicked.connect(self._on_clicked)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # What is shown

    def show_slice(self, shown: TableSlice) -> None:
        """Show some rows of a table, in their order; columns keep the widths the user gave them."""
        old = self.table_model
        if old.grid is not shown.grid:
            self._own_widths, self._has_shown_cited = {}, False
        model = self.table_model = TableModel(shown, self)
        for grid in (self, self._head):
            grid.clearSpans()
            grid.setModel(model)
        old.deleteLater()
        for row, column, n_rows, n_columns in model.spans():
            self.setSpan(row, column, n_rows, n_columns)
            if row < model.n_header_rows:
                self._head.setSpan(row, column, n_rows, n_columns)
        self._number_columns = _number_columns(model, _sample_rows(model))
        table = shown.grid.table
        label = table.label or table.caption or "Table"
        self.setAccessibleName(f"{label}, {model.rowCount()} rows")
        self._fit()

    @property
    def is_scrolling(self) -> bool:
        """True when it is larger than its place and scrolls inside."""
        n_cells = self.table_model.rowCount() * self.table_model.columnCount()
        return self._fills_place or n_cells > _MOST_FITTED_CELLS

    # How a cell looks

    def _make_fonts(self) -> None:
        # Datasheets' tables are wide: the small size lets their columns stand unbroken.
        self._plain, self._strong = QFont(self.font()), QFont(self.font())
        for font in (self._plain, self._strong):
            font.setPixelSize(self._sizes.small_px)
        self._strong.setWeight(QFont.Weight.DemiBold)
        self._measure = _ColumnMeasure(self._plain, self._strong)

    def font_of(self, row: int, column: int) -> QFont:
        """Return the font of a cell."""
        return self._strong if self.is_strong(row, column) else self._plain

    def is_strong(self, row: int, column: int) -> bool:
        """Tell whether a cell is drawn in the strong font."""
        model = self.table_model
        return model.is_header(row) or model.is_cited(row, column) or model.is_group_heading(row)

    def alignment_of(self, row: int, column: int) -> Qt.AlignmentFlag:
        """Return where the words of a cell stand."""
        is_number = column in self._number_columns and self.columnSpan(row, column) == 1
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def is_sorted_by(self, row: int, column: int) -> bool:
        """Tell whether a header cell carries the arrow of the sorted column."""
        sorting = self.table_model.shown.sorting
        if sorting is None or not self.table_model.is_header(row):
            return False
        is_lowest = row + self.rowSpan(row, column) >= self.table_model.n_header_rows
        return is_lowest and column <= sorting.column < column + self.columnSpan(row, column)

    def is_measured(self, row: int) -> bool:
        """Tell whether a row has the height of its words."""
        return row in self._measured

    # Sizes

    def _fit(self) -> None:
        model = self.table_model
        if not model.rowCount() or not model.columnCount():
            self.setMinimumHeight(0)
            self._head.hide()
            return
        self._make_fonts()
        widths = self._measure.widths(
            model, _sample_rows(model), self._room(), is_large=self.is_scrolling
        )
        for column, width in enumerate(widths):
            self._set_width(column, self._own_widths.get(column, width))
        self.refit_rows()

    def _set_width(self, column: int, width: int) -> None:
        self.setColumnWidth(column, width)
        self._head.setColumnWidth(column, width)

    def _room(self) -> int:
        bar = self.verticalScrollBar().sizeHint().width() if self.is_scrolling else 0
        return self.width() - bar

    def refit_rows(self) -> None:
        """Give the rows heights for the widths of now."""
        self._measured.clear()
        lines = self.verticalHeader()
        if self.is_scrolling:
            for header in (lines, self._head.verticalHeader()):
                header.setDefaultSectionSize(self._measure.line_height())
            self._set_heights(range(self.table_model.n_header_rows))
        else:
            self._set_heights(range(self.table_model.rowCount()))
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

    def _set_heights(self, rows: range) -> None:
        model = self.table_model
        columns = self._columns_in_sight() if self.is_scrolling else range(model.columnCount())
        heights = self._heights(rows, columns)
        self._measured.update(heights)
        for row, height in heights.items():
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)
            if row < model.n_header_rows:
                self._head.setRowHeight(row, height)

    def _heights(self, rows: range, columns: range) -> dict[int, int]:
        """Return the heights of some rows; what spans several adds to the last of them."""
        heights = dict.fromkeys(rows, self._measure.line_height())
        spanning: list[tuple[int, int, int]] = []
        for row in rows:
            for column in columns:
                needed, n_rows = self._height_of(row, column)
                if n_rows == 1:
                    heights[row] = max(heights[row], needed)
                elif n_rows:
                    spanning.append((row, n_rows, needed))
        for row, n_rows, needed in spanning:
            within = sum(heights.get(r, self.rowHeight(r)) for r in range(row, row + n_rows))
            last = row + n_rows - 1
            if needed > within and last in heights:
                heights[last] += needed - within
        return heights

    def _height_of(self, row: int, column: int) -> tuple[int, int]:
        """Return the height a cell needs and its rows; (0, 0) inside another cell's span."""
        cell = self.table_model.cell(row, column)
        if cell is None or cell.column != column:
            return 0, 0
        if row and cell.row_span > 1 and self.table_model.cell(row - 1, column) is cell:
            return 0, 0
        n_rows, n_columns = self.rowSpan(row, column), self.columnSpan(row, column)
        width = sum(self.columnWidth(c) for c in range(column, column + n_columns))
        if self.is_sorted_by(row, column):
            width -= _ARROW_ROOM_PX
        return self._measure.height(cell.text, width, is_strong=self.is_strong(row, column)), n_rows

    def _columns_in_sight(self) -> range:
        first = max(self.columnAt(0), 0)
        last = self.columnAt(self.viewport().width() - 1)
        return range(first, (last if last >= 0 else self.table_model.columnCount() - 1) + 1)

    def _measure_visible(self) -> None:
        """Give the rows in sight the heights of their words."""
        if not self.is_scrolling or not self.isVisible():
            return
        for _ in range(3):  # rows that grow push others out of sight: it settles at once
            first = max(self.rowAt(0), 0)
            last = self.rowAt(self.viewport().height() - 1)
            last = last if last >= 0 else self.table_model.rowCount() - 1
            rows = range(first, last + 1)
            if all(row in self._measured for row in rows):
                break
            self._set_heights(rows)
        if not self._has_shown_cited:
            self._has_shown_cited = True
            cited = self.table_model.first_cited()
            if cited.isValid():
                self.scrollTo(cited, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _head_height(self) -> int:
        return sum(map(self.rowHeight, range(self.table_model.n_header_rows)))

    def _place_head(self) -> None:
        """Keep the header rows in sight while the others scroll, unless they would hide them."""
        height = self._head_height() if self.is_scrolling else 0
        is_wanted = 0 < height < self.height() // 2
        self._head.setVisible(is_wanted)
        if is_wanted:
            self._head.setGeometry(0, 0, self.viewport().width(), height)
            self._head.horizontalScrollBar().setValue(self.horizontalScrollBar().value())
            self._head.raise_()

    def _on_scrolled(self) -> None:
        self._head.horizontalScrollBar().setValue(self.horizontalScrollBar().value())
        if self.is_scrolling:
            self._visible_timer.start(0)

    def _header_column_at(self, position: QPoint) -> int | None:
        """Return the column of a place in the header rows; `None` elsewhere."""
        top = 0 if self._has_fixed_head else self.rowViewportPosition(0)
        if not top <= position.y() < top + self._head_height():
            return None
        column = self.columnAt(position.x())
        return column if column >= 0 else None

    @property
    def _has_fixed_head(self) -> bool:
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

    # The edges of columns, in the header rows

    def set_column_width(self, column: int, width: int) -> None:
        """Give a column a width that it keeps while the table is open."""
        self._own_widths[column] = width
        self._set_width(column, width)

    def fit_column(self, column: int) -> None:
        """Make a column as wide as its words on one line."""
        rows = sorted({*_sample_rows(self.table_model), *self._measured})
        width = self._measure.fitting_width(self.table_model, rows, column)
        self.set_column_width(column, max(_LEAST_COLUMN_PX, width))
        self.refit_rows()

    def _edge_at(self, position: QPoint) -> int | None:
        """Return the column whose right edge is near a place in the header rows."""
        column = self._header_column_at(position - QPoint(_EDGE_PX, 0))
        if column is None:
            return None
        edge = self.columnViewportPosition(column) + self.columnWidth(column)
        return column if abs(edge - position.x()) <= _EDGE_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the edge of a column; the pointer tells where there is one."""
        position = event.position().toPoint()
        if self._dragged is not None:
            column, start, width = self._dragged
            self.set_column_width(column, max(_LEAST_COLUMN_PX, width + position.x() - start))
            return
        if self._edge_at(position) is not None:
            self.viewport().setCursor(Qt.CursorShape.SplitHCursor)
        elif self._header_column_at(position) is not None:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.viewport().unsetCursor()
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of an edge; the header rows that lie over others are no cells to press."""
        position = event.position().toPoint()
        edge = self._edge_at(position)
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        elif edge is not None:
            self._dragged = edge, position.x(), self.columnWidth(edge)
        elif not self._has_fixed_head or self._header_column_at(position) is None:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let an edge go, or sort by the header rows that lie over others."""
        column = self._header_column_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
        elif self._dragged is not None:
            self._dragged = None
            self.refit_rows()
        elif self._has_fixed_head and column is not None:
            self.sort_requested.emit(column)
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit a column to its words by its edge."""
        edge = self._edge_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and edge is not None:
            self.fit_column(edge)
        else:
            super().mouseDoubleClickEvent(event)

    # Clicks, keys and copying

    def _on_clicked(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        if self.table_model.is_header(index.row()):
            self.sort_requested.emit(index.column())
        elif (cell := self.table_model.cell(index.row(), index.column())) is not None:
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
        selected = {(i.row(), i.column()) for i in self.selectedIndexes()}
        QGuiApplication.clipboard().setMimeData(copied(self.table_model.texts(selected)))

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.theme = theme
        if sizes != self._sizes:
            self._sizes = sizes
            self._fit()
        self.viewport().update()
        self._head.viewport().update()


class _CellDelegate(QStyledItemDelegate):
    """Draws one cell of a `TableView`."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell with its lower line."""
        view = self._view
        model, theme = view.table_model, view.theme
        row, column = index.row(), index.column()
        rect = QRectF(option.rect)
        is_header = model.is_header(row)
        painter.save()
        if is_header and view.is_scrolling:
            painter.fillRect(rect, QColor(theme.panel))
        lower = rect.bottom() - 0.5
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if model.is_cited(row, column):
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), QColor(theme.accent_soft))
        if model.report(row, column):
            paint_report(painter, rect, QColor(theme.error))
        is_dim = is_header or model.is_group_heading(row)
        painter.setPen(QColor(theme.dim if is_dim else theme.text))
        words = option.rect.adjusted(_PADDING_X_PX, 0, -_PADDING_X_PX, 0)
        if view.is_sorted_by(row, column):
            words = self._paint_arrow(painter, words)
        self._paint_words(painter, words, model.text(row, column), row, column)
        if option.state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        painter.restore()

    def _paint_arrow(self, painter: QPainter, words: QRect) -> QRect:
        """Draw which way the column is sorted, and return the room left for its name."""
        middle = words.center().y() + 0.5
        right = float(words.right())
        sorting = self._view.table_model.shown.sorting
        up = 1.0 if sorting is not None and sorting.is_descending else -1.0
        tip, base = middle + up * 2.5, middle - up * 2.0
        triangle = QPolygonF(
            [QPointF(right - _ARROW_PX, base), QPointF(right, base),
             QPointF(right - _ARROW_PX / 2, tip)]
        )  # fmt: skip
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(self._view.theme.accent))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(triangle)
        painter.restore()
        return words.adjusted(0, 0, -_ARROW_ROOM_PX, 0)

    def _paint_words(
        self, painter: QPainter, rect: QRect, text: str, row: int, column: int
    ) -> None:
        view = self._view
        painter.setFont(view.font_of(row, column))
        alignment = view.alignment_of(row, column)
        spans = view.table_model.shown.symbols.spans(text)
        if spans:
            draw_wrapped(painter, rect, text, spans, alignment)
            return
        if view.is_scrolling and not view.is_measured(row):
            shown = painter.fontMetrics().elidedText(
                text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width()
            )
            painter.drawText(rect, alignment.value, shown)
            return
        painter.drawText(rect, alignment.value | _WRAP, unbroken(text))


def _sample_rows(model: TableModel) -> list[int]:
    """Return the rows that stand for all: header rows, the first ones, some in between, the last.

    All rows when they are few.
    """
    n_rows, n_columns = model.rowCount(), max(model.columnCount(), 1)
    most = max(6, min(_MOST_SAMPLE_ROWS, _SAMPLE_CELLS // n_columns))
    if n_rows <= most:
        return list(range(n_rows))
    n_header = min(model.n_header_rows, most // 2)
    rest = most - n_header
    step = max(1, (n_rows - n_header) // rest)
    return [*range(n_header), *range(n_header, n_rows, step)][:most]


def _number_columns(model: TableModel, rows: Iterable[int]) -> frozenset[int]:
    """Return the columns most of whose cells hold values; the first names the rows instead."""
    counts = [[0, 0] for _ in range(model.columnCount())]
    for row in rows:
        if model.is_header(row):
            continue
        for column, cell in enumerate(model.grid.row(model.shown.rows[row])):
            text = cell.text.strip() if cell is not None else ""
            if text:
                counts[column][0] += 1
                counts[column][1] += is_number_like(text)
    return frozenset(
        column
        for column, (n_all, n_values) in enumerate(counts)
        if n_values * 2 > n_all and (column or len(counts) == 1)
    )


class _ColumnMeasure:
    """Measures the words of a table in its two fonts."""

    def __init__(self, plain: QFont, strong: QFont) -> None:
        self._metrics = {False: QFontMetrics(plain), True: QFontMetrics(strong)}

    def widths(
        self,
        model: TableModel,
        rows: Sequence[int],
        available: int,
        *,
        is_large: bool,
    ) -> list[int]:
        """Share a width among the columns.

        Args:
            model: What is shown.
            rows: The rows to measure.
            available: Pixels to fill.
            is_large: A column takes no more than so much, and the sum may exceed `available`.
        """
        sorting = model.shown.sorting
        n_columns = model.columnCount()
        widest, longest_word = [0] * n_columns, [0] * n_columns
        wide_spans: list[tuple[int, int, int]] = []
        word_spans: list[tuple[int, int, int]] = []
        for row in rows:
            is_header = model.is_header(row)
            for column, cell in enumerate(model.grid.row(model.shown.rows[row])):
                if cell is None or cell.column != column or not cell.text:
                    continue
                is_strong = is_header or model.is_cited(row, column)
                wide, word = self._needs_of(cell.text, is_strong=is_strong)
                if is_header and sorting is not None and column == sorting.column:
                    wide, word = wide + _ARROW_ROOM_PX, word + _ARROW_ROOM_PX
                if cell.column_span > 1:
                    wide_spans.append((column, cell.column_span, wide))
                    word_spans.append((column, cell.column_span, word))
                else:
                    widest[column] = max(widest[column], wide)
                    longest_word[column] = max(longest_word[column], word)
        longest_word = widen_for_spans(longest_word, word_spans)
        # A heading over the whole table may wrap: it does not claim its one line.
        widest = widen_for_spans(widest, [span for span in wide_spans if span[1] < n_columns])
        most = _WIDEST_PX if is_large else 10_000
        widest = [min(max(p), most) for p in zip(widest, longest_word, strict=True)]
        return column_widths(widest, [min(word, most) for word in longest_word], available)

    def fitting_width(self, model: TableModel, rows: Iterable[int], column: int) -> int:
        """Return the width in which the cells of a column stand on one line each."""
        widest = 0
        for row in rows:
            cell = model.cell(row, column)
            if cell is not None and cell.column_span == 1 and cell.text:
                is_strong = model.is_header(row) or model.is_cited(row, column)
                widest = max(widest, self._needs_of(cell.text, is_strong=is_strong)[0])
        return widest

    def _needs_of(self, text: str, *, is_strong: bool) -> tuple[int, int]:
        """Return the width of a text on one line and of its longest word, with padding."""
        metrics = self._metrics[is_strong]
        padding = 2 * _PADDING_X_PX + 2
        if " " not in text and "\n" not in text:
            width = metrics.horizontalAdvance(text) + padding
            return width, width
        wide = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
        word = max((metrics.horizontalAdvance(word) for word in text.split()), default=0)
        return wide + padding, word + padding

    def line_height(self) -> int:
        """Return the height of a row of one line."""
        return self._metrics[False].height() + 2 * _PADDING_Y_PX

    def height(self, text: str, width: int, *, is_strong: bool) -> int:
        """Return the height that a text needs in a cell of a width."""
        metrics, room = self._metrics[is_strong], width - 2 * _PADDING_X_PX
        if "\n" not in text and metrics.horizontalAdvance(text) <= room:
            return metrics.height() + 2 * _PADDING_Y_PX
        box = metrics.boundingRect(0, 0, room, 10_000, _WRAP, unbroken(text))
        return box.height() + 2 * _PADDING_Y_PX
