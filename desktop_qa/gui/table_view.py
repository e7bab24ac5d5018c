"""Tables of a document as tables: spans and header rows kept, the cited cells in amber."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
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

from desktop_qa.core.document import Table, TableCell
from desktop_qa.gui import theme as themes
from desktop_qa.gui.table_layout import column_widths, is_number_like, unbroken, widen_for_spans

_PADDING_X_PX = 6
_PADDING_Y_PX = 5
_WRAP = Qt.TextFlag.TextWordWrap.value

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TableSlice:
    """The rows of a table that are shown.

    Attributes:
        rows: Indices into the table's grid, ascending, header rows first.
        cited: (row, column) in the grid of the cells to mark.
    """

    table: Table
    rows: tuple[int, ...]
    cited: frozenset[tuple[int, int]]


class TableModel(QAbstractTableModel):
    """Reads a slice; rows are counted from the slice's first."""

    def __init__(self, shown: TableSlice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = shown
        self._grid = shown.table.grid()
        # Asked for with each cell drawn; the table counts it anew each time.
        self._n_header_rows = shown.table.n_header_rows

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return the rows shown."""
        return 0 if parent.isValid() else len(self.shown.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Return the columns of the table."""
        return 0 if parent.isValid() else self.shown.table.n_columns

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            cell = self.cell(index.row(), index.column())
            return cell.text if cell is not None else ""
        return None

    def cell(self, row: int, column: int) -> TableCell | None:
        """Return the cell that covers a place of the slice."""
        return self._grid[self.shown.rows[row]][column]

    def is_header(self, row: int) -> bool:
        """Tell whether a row of the slice names the columns."""
        return self.shown.rows[row] < self._n_header_rows

    def is_cited(self, row: int, column: int) -> bool:
        """Tell whether the answer cites the cell."""
        cell = self.cell(row, column)
        place = (self.shown.rows[row], column)
        cited = self.shown.cited
        return place in cited or (cell is not None and (cell.row, cell.column) in cited)

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return (row, column, n_rows, n_columns) of the spanning cells within the slice."""
        spans: list[tuple[int, int, int, int]] = []
        for row in range(self.rowCount()):
            for column in range(self.columnCount()):
                cell = self.cell(row, column)
                if cell is None or cell.column != column:
                    continue
                if row and self.cell(row - 1, column) is cell:
                    continue
                n_rows = 1
                while row + n_rows < self.rowCount() and self.cell(row + n_rows, column) is cell:
                    n_rows += 1
                n_columns = min(cell.column_span, self.columnCount() - column)
                if n_rows > 1 or n_columns > 1:
                    spans.append((row, column, n_rows, n_columns))
        return spans


class _CellDelegate(QStyledItemDelegate):
    """Draws header cells small and dim, numbers at the right, cited cells in amber."""

    def __init__(self, parent: TableView) -> None:
        super().__init__(parent)
        self._view = parent

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a cell with its lower line."""
        view = self._view
        model, theme = view.table_model, view.theme
        if model is None:
            return
        painter.save()
        rect = QRectF(option.rect)
        row, column = index.row(), index.column()
        cited = model.is_cited(row, column)
        painter.setPen(QPen(QColor(theme.line), 1))
        lower = rect.bottom() - 0.5
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if cited:
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), QColor(theme.accent_soft))
        painter.setFont(view.font_of(row, column))
        painter.setPen(QColor(theme.dim if model.is_header(row) else theme.text))
        words = option.rect.adjusted(_PADDING_X_PX, 0, -_PADDING_X_PX, 0)
        flags = view.alignment_of(row, column).value | _WRAP
        painter.drawText(words, flags, unbroken(str(index.data())))
        if option.state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        painter.restore()


class TableView(QTableView):
    """As wide as its place and as high as its rows; scrolls sideways only when it must.

    Attributes:
        cell_clicked: With the `TableCell`.
    """

    cell_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self.table_model: TableModel | None = None
        self._number_columns: frozenset[int] = frozenset()
        self._make_fonts()
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        self.setItemDelegate(_CellDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setMinimumSectionSize(8)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clicked.connect(self._on_clicked)

    def show_slice(self, shown: TableSlice) -> None:
        """Show some rows of a table."""
        old = self.table_model
        model = TableModel(shown, self)
        self.clearSpans()
        self.setModel(model)
        self.table_model = model
        if old is not None:
            old.deleteLater()
        self._spans = {}
        for row, column, n_rows, n_columns in model.spans():
            self.setSpan(row, column, n_rows, n_columns)
            self._spans[row, column] = (n_rows, n_columns)
        self._number_columns = self._find_number_columns(model)
        label = shown.table.label or shown.table.caption or "Table"
        self.setAccessibleName(f"{label}, {model.rowCount()} rows")
        self._fit()

    def _find_number_columns(self, model: TableModel) -> frozenset[int]:
        body = [row for row in range(model.rowCount()) if not model.is_header(row)]
        found: set[int] = set()
        for column in range(model.columnCount()):
            cells = (model.cell(row, column) for row in body)
            texts = [cell.text for cell in cells if cell is not None and cell.text.strip()]
            if texts and sum(map(is_number_like, texts)) * 2 > len(texts):
                found.add(column)
        return frozenset(found)

    # How a cell looks

    def _make_fonts(self) -> None:
        # Datasheets' tables are wide: the small size lets their columns stand unbroken.
        self._plain, self._strong = QFont(self.font()), QFont(self.font())
        for font in (self._plain, self._strong):
            font.setPixelSize(self._sizes.small_px)
        self._strong.setWeight(QFont.Weight.DemiBold)

    def font_of(self, row: int, column: int) -> QFont:
        """Return the font of a cell."""
        model = self.table_model
        is_strong = model is not None and (model.is_header(row) or model.is_cited(row, column))
        return self._strong if is_strong else self._plain

    def alignment_of(self, row: int, column: int) -> Qt.AlignmentFlag:
        """Return where the words of a cell stand."""
        n_columns = self._spans.get((row, column), (1, 1))[1]
        if n_columns == 1 and column in self._number_columns:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

    # Sizes

    def _fit(self) -> None:
        model = self.table_model
        if model is None or not model.rowCount():
            return
        self._make_fonts()
        widest: list[int] = [0] * model.columnCount()
        longest_word: list[int] = [0] * model.columnCount()
        wide_spans: list[tuple[int, int, int]] = []
        word_spans: list[tuple[int, int, int]] = []
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                cell = model.cell(row, column)
                if cell is None or cell.column != column:
                    continue
                wide, word = self._needs_of(cell.text, self.font_of(row, column))
                if cell.column_span > 1:
                    wide_spans.append((column, cell.column_span, wide))
                    word_spans.append((column, cell.column_span, word))
                else:
                    widest[column] = max(widest[column], wide)
                    longest_word[column] = max(longest_word[column], word)
        longest_word = widen_for_spans(longest_word, word_spans)
        # A heading over the whole table may wrap: it does not claim its one line.
        narrower = [span for span in wide_spans if span[1] < model.columnCount()]
        widest = widen_for_spans(widest, narrower)
        widest = [max(pair) for pair in zip(widest, longest_word, strict=True)]
        for column, width in enumerate(column_widths(widest, longest_word, self.width())):
            self.setColumnWidth(column, width)
        self._fit_rows(model)

    def _needs_of(self, text: str, font: QFont) -> tuple[int, int]:
        """Return the width of a text on one line and of its longest word, with padding."""
        metrics = QFontMetrics(font)
        padding = 2 * _PADDING_X_PX + 2
        wide = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
        word = max((metrics.horizontalAdvance(word) for word in text.split()), default=0)
        return wide + padding, word + padding

    def _fit_rows(self, model: TableModel) -> None:
        heights = [
            QFontMetrics(self.font_of(row, 0)).height() + 2 * _PADDING_Y_PX
            for row in range(model.rowCount())
        ]
        spanning: list[tuple[int, int, int]] = []
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                needed, n_rows = self._height_of(model, row, column)
                if n_rows == 1:
                    heights[row] = max(heights[row], needed)
                elif n_rows:
                    spanning.append((row, n_rows, needed))
        for row, n_rows, needed in spanning:
            lacking = needed - sum(heights[row : row + n_rows])
            if lacking > 0:
                heights[row + n_rows - 1] += lacking
        for row, height in enumerate(heights):
            self.setRowHeight(row, height)
        n_columns = model.columnCount()
        is_wide = sum(map(self.columnWidth, range(n_columns))) > self.width()
        bar = self.horizontalScrollBar().sizeHint().height() if is_wide else 0
        self.setFixedHeight(sum(heights) + bar + 1)

    def _height_of(self, model: TableModel, row: int, column: int) -> tuple[int, int]:
        """Return the height a cell needs and its rows; (0, 0) inside another cell's span."""
        cell = model.cell(row, column)
        n_rows, n_columns = self._spans.get((row, column), (1, 1))
        if cell is None:
            return 0, 0
        is_first = cell.column == column and (row == 0 or model.cell(row - 1, column) is not cell)
        if not is_first:
            return 0, 0
        width = sum(self.columnWidth(c) for c in range(column, column + n_columns))
        metrics = QFontMetrics(self.font_of(row, column))
        box = metrics.boundingRect(
            0, 0, width - 2 * _PADDING_X_PX, 10_000, _WRAP, unbroken(cell.text)
        )
        return box.height() + 2 * _PADDING_Y_PX, n_rows

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(300, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the surrounding scroll area, except sideways."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    # Clicks and copying

    def _on_clicked(self, index: QModelIndex) -> None:
        cell = self.table_model.cell(index.row(), index.column()) if self.table_model else None
        if cell is not None:
            self.cell_clicked.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selection, open the cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_tsv(selected_only=True))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def as_tsv(self, *, selected_only: bool = False) -> str:
        """Return the rows as tab-separated text, a spanning cell at its first place only."""
        model = self.table_model
        if model is None:
            return ""
        selected = {(i.row(), i.column()) for i in self.selectedIndexes()}
        if not selected or not selected_only:
            selected = {
                (row, column)
                for row in range(model.rowCount())
                for column in range(model.columnCount())
            }
        lines: list[str] = []
        written: set[tuple[int, int]] = set()
        for row in sorted({row for row, _ in selected}):
            texts: list[str] = []
            for column in sorted(column for r, column in selected if r == row):
                cell = model.cell(row, column)
                is_new = cell is not None and (cell.row, cell.column) not in written
                texts.append(" ".join(cell.text.split()) if cell is not None and is_new else "")
                if cell is not None:
                    written.add((cell.row, cell.column))
            lines.append("\t".join(texts))
        return "\n".join(lines)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.theme, self._sizes = theme, sizes
        self._fit()
        self.viewport().update()
