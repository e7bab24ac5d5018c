"""The table of a comparison: its first column stays in sight, a click on a header sorts."""

from __future__ import annotations

import html

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QWidget,
)

from desktop_qa.gui.comparison.comparison_delegate import ComparisonDelegate, ComparisonHeader
from desktop_qa.gui.comparison.comparison_measure import RowMeasure, TextSizesOfTable, measured
from desktop_qa.gui.comparison.comparison_model import ComparisonModel
from desktop_qa.gui.tables.table_head import Grid
from desktop_qa.gui.tables.table_layout import column_widths
from desktop_qa.gui.tables.table_text import as_tsv
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.timers import single_shot

_LEAST_COLUMN_PX = 92
_LEAST_LABEL_PX = 132
_MOST_COLUMN_PX = 260
_MOST_LABEL_SHARE = 0.34
_ROWS_AT_ONCE = 50
_LEFT_EDGE = 0

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ComparisonItems(QAbstractTableModel):
    """Lets Qt's views read a `ComparisonModel`, which alone knows what is shown."""

    def __init__(self, model: ComparisonModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.comparison = model

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return the rows shown."""
        return 0 if parent.isValid() else self.comparison.n_rows

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Return the columns."""
        return 0 if parent.isValid() else self.comparison.n_columns

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says to the eye, over the mouse and to a screen reader."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.comparison.text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.comparison.spoken(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = self.comparison.explanation(row, column)
            return "<br/>".join(html.escape(line, quote=False) for line in lines)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        name = self.comparison.table.headers[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{name}\nClick to sort" if name else "Click to sort"
        return None

    def read_again(self) -> None:
        """Tell the views that other rows are shown."""
        self.beginResetModel()
        self.endResetModel()


class _Grid(Grid):
    """What the table and its fixed column have in common."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(ComparisonHeader(self))
        self.setItemDelegate(ComparisonDelegate(self))


class ComparisonTable(_Grid):
    """Scrolls inside; the parameters lie over it at the left and follow up and down.

    Attributes:
        cell_chosen: With the `AnswerCell`, by click or Enter; only cells that cite a place.
        sorted_anew: The user sorted by a column.
        fitted: The rows have other heights.
    """

    cell_chosen = Signal(object)
    sorted_anew = Signal()
    fitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sizes = themes.TextSizes.around(13)
        self._items: ComparisonItems | None = None
        self._heights: dict[int, int] = {}
        self._texts: TextSizesOfTable | None = None
        self._measure: RowMeasure | None = None
        self._n_measured = 0
        self._next_rows = single_shot(self, self._measure_next_rows)
        self._fitted_to: tuple[int, int] | None = None
        self._make_fonts()
        self.frozen = _Grid(self)
        self.frozen.setObjectName("frozen_column")
        self.frozen.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.frozen.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.frozen.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.frozen.setFocusProxy(self)
        # What lies below the fixed column has the same words: one reader is enough.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Comparison")
        bar, frozen_bar = self.verticalScrollBar(), self.frozen.verticalScrollBar()
        bar.valueChanged.connect(frozen_bar.setValue)
        frozen_bar.valueChanged.connect(bar.setValue)
        for grid in (self, self.frozen):
            grid.clicked.connect(self._on_clicked)
            grid.horizontalHeader().sectionClicked.connect(self._on_header_clicked)

    def _make_fonts(self) -> None:
        self._plain, self._strong, self._small = (QFont(self.font()) for _ in range(3))
        self._plain.setPixelSize(self._sizes.small_px)
        self._strong.setPixelSize(self._sizes.small_px)
        self._strong.setWeight(QFont.Weight.DemiBold)
        self._small.setPixelSize(self._sizes.small_px - 1)

    def show_comparison(self, model: ComparisonModel) -> None:
        """Show a comparison; its model is read and told what the user chooses."""
        old = self._items
        self._items = ComparisonItems(model, self)
        self.setModel(self._items)
        self.frozen.setModel(self._items)
        self.frozen.setSelectionModel(self.selectionModel())
        for column in range(1, model.n_columns):
            self.frozen.setColumnHidden(column, True)
        if old is not None:
            old.deleteLater()
        self._give_fonts()
        self._forget_sizes()

    def _give_fonts(self) -> None:
        for grid in (self, self.frozen):
            delegate, header = grid.itemDelegate(), grid.horizontalHeader()
            if isinstance(delegate, ComparisonDelegate) and isinstance(header, ComparisonHeader):
                delegate.set_fonts(self._plain, self._strong, self._small)
                header.setFont(self._strong)

    @property
    def comparison(self) -> ComparisonModel | None:
        """What is shown."""
        return self._items.comparison if self._items is not None else None

    def read_again(self) -> None:
        """Show other rows of the same comparison."""
        if self._items is not None:
            self._items.read_again()
            self._set_heights()
            self._show_sorting()

    # Sizes

    def _forget_sizes(self) -> None:
        """Measure all texts anew: other ones, or in another font."""
        self._texts = self._fitted_to = None
        if self.isVisible():
            self._fit_columns()

    def _measured(self, model: ComparisonModel) -> TextSizesOfTable:
        """Return what the texts need; finding that costs the most, and is done once for a font."""
        if self._texts is None:
            self._texts = measured(model, QFontMetrics(self._plain), QFontMetrics(self._strong))
        return self._texts

    def _fit_columns(self) -> None:
        """Share the width; what does not fit is reached by scrolling."""
        model, width = self.comparison, self.viewport().width()
        key = (width, self._sizes.small_px)
        if model is None or not model.n_columns or key == self._fitted_to:
            return
        self._fitted_to = key
        least = [_LEAST_LABEL_PX, *[_LEAST_COLUMN_PX] * (model.n_columns - 1)]
        most = [max(_LEAST_LABEL_PX, round(width * _MOST_LABEL_SHARE))]
        most += [_MOST_COLUMN_PX] * (model.n_columns - 1)
        texts = self._measured(model)
        bounds = list(zip(least, most, strict=True))
        widest = [
            min(max(low, wide), high)
            for (low, high), wide in zip(bounds, texts.widest, strict=True)
        ]
        longest = [
            min(max(low, word), wide)
            for (low, _), word, wide in zip(bounds, texts.longest_words, widest, strict=True)
        ]
        widths = column_widths(widest, longest, width)
        for column, column_width in enumerate(widths):
            self.setColumnWidth(column, column_width)
        self.frozen.setColumnWidth(0, widths[0])
        self._measure = RowMeasure(widths, (self._plain, self._strong, self._small))
        self._heights, self._n_measured = {}, 0
        self._measure_next_rows()
        self._show_sorting()

    def _measure_next_rows(self) -> None:
        """Measure some rows, the others in turns of their own: many at once would be felt."""
        model = self.comparison
        if model is None or self._measure is None:
            return
        first, advances = self._n_measured, self._measured(model).advances
        self._n_measured = min(first + _ROWS_AT_ONCE, model.n_all_rows)
        for index in range(first, self._n_measured):
            row = model.table.rows[index]
            self._heights[id(row)] = self._measure.height(row, advances[index])
        self._set_heights()
        if self._n_measured < model.n_all_rows:
            self._next_rows.start()
        self.fitted.emit()

    def _set_heights(self) -> None:
        model = self.comparison
        if model is None or not self._heights:
            return
        known = list(self._heights.values())
        usual = max(set(known), key=known.count)
        heights = [self._heights.get(id(row), usual) for row in model.shown().rows]
        for grid in (self, self.frozen):
            header = grid.verticalHeader()
            header.setDefaultSectionSize(usual)
            for row, height in enumerate(heights):
                # Sections keep their sizes when the model is read again.
                if height != header.sectionSize(row):
                    header.resizeSection(row, height)
        self._place_frozen()
        self.updateGeometry()

    def _place_frozen(self) -> None:
        header = self.horizontalHeader()
        width = self.columnWidth(0) if self.comparison is not None else 0
        height = self.viewport().height() + header.height()
        self.frozen.setGeometry(_LEFT_EDGE, 0, width, height)
        self.frozen.horizontalHeader().setFixedHeight(header.height())

    def whole_height(self) -> int:
        """Return the height in pixels in which nothing needs to scroll up and down."""
        bar = self.horizontalScrollBar()
        is_wide = self.horizontalHeader().length() > self.viewport().width()
        extra = bar.sizeHint().height() if is_wide else 0
        return self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + extra

    def sizeHint(self) -> QSize:
        """Return the size of the whole table."""
        return QSize(320, self.whole_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        if self.isVisible():
            self._fit_columns()
        self._place_frozen()

    def showEvent(self, event: QShowEvent) -> None:
        """Share the width when there is one."""
        super().showEvent(event)
        self._fit_columns()

    # Clicks and keys

    def _show_sorting(self) -> None:
        for grid in (self, self.frozen):
            header = grid.horizontalHeader()
            if isinstance(header, ComparisonHeader) and self.comparison is not None:
                header.show_sorting(self.comparison.sorting)

    def _on_header_clicked(self, column: int) -> None:
        if self.comparison is not None:
            self.comparison.sort_by(column)
            self.read_again()
            self.sorted_anew.emit()

    def _on_clicked(self, index: QModelIndex) -> None:
        model = self.comparison
        if model is not None and index.isValid():
            cell = model.cell(index.row(), index.column())
            if cell.marker:
                self.cell_chosen.emit(cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show by the pointer which cells lead to a place."""
        super().mouseMoveEvent(event)
        model, index = self.comparison, self.indexAt(event.position().toPoint())
        leads = (
            model is not None
            and index.isValid()
            and model.cell(index.row(), index.column()).marker > 0
        )
        shape = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the place of a cell, copy the selection."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_clicked(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_tsv())
        else:
            super().keyPressEvent(event)

    def selected_tsv(self) -> str:
        """Return the selected cells as tab-separated text."""
        model = self.comparison
        if model is None:
            return ""
        chosen = {(index.row(), index.column()) for index in self.selectedIndexes()}
        rows = sorted({row for row, _ in chosen})
        columns = sorted({column for _, column in chosen})
        return as_tsv([model.text(r, c) if (r, c) in chosen else "" for c in columns] for r in rows)

    def scrollTo(
        self,
        index: _Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a cell into sight, not under the fixed column."""
        super().scrollTo(index, hint)
        if index.column() > 0:
            hidden = self.columnWidth(0) - self.visualRect(index).left()
            if hidden > 0:
                bar = self.horizontalScrollBar()
                bar.setValue(bar.value() - hidden)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._sizes = sizes
        self._make_fonts()
        self._give_fonts()
        for grid in (self, self.frozen):
            delegate, header = grid.itemDelegate(), grid.horizontalHeader()
            if isinstance(delegate, ComparisonDelegate) and isinstance(header, ComparisonHeader):
                delegate.theme = header.theme = theme
            grid.viewport().update()
        self._forget_sizes()
