"""The table of a comparison: its first column stays in sight, a click on a header sorts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
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
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.gui.comparison.comparison_model import ComparisonModel, Index, is_gap
from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.tables.table_layout import column_widths, unbroken
from desktop_qa.gui.tables.table_text import as_tsv
from desktop_qa.gui.tables.table_view import Grid
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.lowered_text import draw_wrapped
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.timers import single_shot

_PADDING_X_PX = 9
_PADDING_Y_PX = 6
_SIGN_OF_DIFFERENCE = " ≠"
_BAR_PX = 3
_ARROW_PX = 12
_ARROW_ROOM_PX = 16
_MOST_NOTE_LINES = 2
_LEAST_COLUMN_PX = 92
_LEAST_LABEL_PX = 132
_MOST_COLUMN_PX = 260
_MOST_LABEL_SHARE = 0.34
_ROWS_AT_ONCE = 50
_WRAP = Qt.TextFlag.TextWordWrap.value
_LEFT = Qt.AlignmentFlag.AlignLeft.value


class ComparisonTable(Grid):
    """Scrolls inside; the parameters lie over it at the left and follow up and down.

    Attributes:
        cell_chosen: With the `AnswerCell`, by click or Enter; only cells that cite a place.
        fitted: The rows have other heights.
    """

    cell_chosen = Signal(object)
    fitted = Signal()

    def __init__(self, model: ComparisonModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.comparison = model
        self.theme = themes.LIGHT
        self._heights: list[int] = []
        self._measure: _TextMeasure | None = None
        self._next_rows = single_shot(self, self._measure_next_rows)
        self._fitted_to: int | None = None
        self._widths: list[int] = []
        self.frozen = Grid(self, follows=True)
        self.frozen.setObjectName("frozen_column")
        self.frozen.setFocusProxy(self)
        # What lies below the fixed column has the same words: one reader is enough.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Comparison")
        bar, frozen_bar = self.verticalScrollBar(), self.frozen.verticalScrollBar()
        bar.valueChanged.connect(frozen_bar.setValue)
        frozen_bar.valueChanged.connect(bar.setValue)
        for grid in (self, self.frozen):
            grid.setHorizontalHeader(_Header(self, grid))
            grid.setItemDelegate(_Delegate(self))
            grid.setModel(model)
            grid.clicked.connect(self._on_clicked)
            grid.horizontalHeader().sectionClicked.connect(model.sort_by)
            model.modelReset.connect(grid.horizontalHeader().viewport().update)
        self.frozen.setSelectionModel(self.selectionModel())
        for column in range(1, model.columnCount()):
            self.frozen.setColumnHidden(column, True)
        model.modelReset.connect(self._set_heights)
        self._make_fonts(themes.TextSizes.around(13))

    def _make_fonts(self, sizes: themes.TextSizes) -> None:
        self.plain, self.strong, self.small = (QFont(self.font()) for _ in range(3))
        self.plain.setPixelSize(sizes.small_px)
        self.strong.setPixelSize(sizes.small_px)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.small.setPixelSize(sizes.small_px - 1)
        for grid in (self, self.frozen):
            grid.horizontalHeader().setFont(self.strong)

    # Sizes

    def _fit_columns(self) -> None:
        """Share the width; what does not fit is reached by scrolling."""
        model, width = self.comparison, self.viewport().width()
        if not model.columnCount() or width == self._fitted_to:
            return
        self._fitted_to = width
        if self._measure is None:
            self._measure = _TextMeasure(model, self.plain, self.strong, self.small)
        n_documents = model.columnCount() - 1
        least = [_LEAST_LABEL_PX, *[_LEAST_COLUMN_PX] * n_documents]
        most = [max(_LEAST_LABEL_PX, round(width * _MOST_LABEL_SHARE))]
        most += [_MOST_COLUMN_PX] * n_documents
        widest = [
            min(max(low, wide), high)
            for low, wide, high in zip(least, self._measure.widest, most, strict=True)
        ]
        longest = [
            min(max(low, word), wide)
            for low, word, wide in zip(least, self._measure.longest_words, widest, strict=True)
        ]
        self._widths = column_widths(widest, longest, width)
        for column, column_width in enumerate(self._widths):
            self.setColumnWidth(column, column_width)
        self.frozen.setColumnWidth(0, self._widths[0])
        self._heights = []
        self._measure_next_rows()

    def _measure_next_rows(self) -> None:
        """Measure some rows, the others in turns of their own: many at once would be felt."""
        if self._measure is None:
            return
        rows = self.comparison.table.rows
        for row in rows[len(self._heights) :][:_ROWS_AT_ONCE]:
            self._heights.append(self._measure.height(row, self._widths))
        self._set_heights()
        if len(self._heights) < len(rows):
            self._next_rows.start()
        self.fitted.emit()

    def _set_heights(self) -> None:
        if not self._heights:
            return
        usual = max(set(self._heights), key=self._heights.count)
        n_known = len(self._heights)
        heights = [self._heights[i] if i < n_known else usual for i in self.comparison.rows]
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
        height = self.viewport().height() + header.height()
        self.frozen.setGeometry(0, 0, self.columnWidth(0), height)
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

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._leads(index):
            self.cell_chosen.emit(self.comparison.cell(index.row(), index.column()))

    def _leads(self, index: QModelIndex) -> bool:
        """Tell whether a cell cites a place."""
        return index.isValid() and self.comparison.cell(index.row(), index.column()).marker > 0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show by the pointer which cells lead to a place."""
        super().mouseMoveEvent(event)
        leads = self._leads(self.indexAt(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the place of a cell, copy the selection."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_clicked(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._selected_tsv())
        else:
            super().keyPressEvent(event)

    def _selected_tsv(self) -> str:
        chosen = {(i.row(), i.column()): str(i.data()) for i in self.selectedIndexes()}
        rows = sorted({row for row, _ in chosen})
        columns = sorted({column for _, column in chosen})
        return as_tsv([chosen.get((row, column), "") for column in columns] for row in rows)

    def scrollTo(
        self,
        index: Index,
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
        """Draw in other colours, and measure all texts anew in the other fonts."""
        self.theme = theme
        self._make_fonts(sizes)
        for grid in (self, self.frozen):
            grid.viewport().update()
            grid.horizontalHeader().viewport().update()
        self._measure = self._fitted_to = None
        if self.isVisible():
            self._fit_columns()


class _TextMeasure:
    """What the texts of a comparison need in pixels; equal ones are measured once.

    Attributes:
        widest: Of each column, on one line, with padding.
        longest_words: About what the longest word of each column needs, with padding.
    """

    def __init__(self, model: ComparisonModel, plain: QFont, strong: QFont, small: QFont) -> None:
        self._plain, self._strong, self._small = map(QFontMetrics, (plain, strong, small))
        self._heights: dict[tuple[int, str, str], int] = {}
        self._advances: list[dict[str, int]] = []
        self.widest: list[int] = []
        self.longest_words: list[int] = []
        padding = 2 * _PADDING_X_PX + 4
        for column, header in enumerate(model.table.headers):
            metrics = self._plain if column else self._strong
            texts = {row[column].text for row in model.table.rows}
            advances = {text: metrics.horizontalAdvance(text) for text in texts}
            self._advances.append(advances)
            head = self._strong.horizontalAdvance(header) + _ARROW_ROOM_PX
            self.widest.append(max((head, *advances.values())) + padding)
            most = max((len(word) for text in texts for word in text.split()), default=0)
            self.longest_words.append(most * self._strong.averageCharWidth() + padding)

    def height(self, row: Sequence[AnswerCell], widths: Sequence[int]) -> int:
        """Return the height that shows all cells of a row, its label first, in such columns."""
        rooms = [width - 2 * _PADDING_X_PX for width in widths]
        rooms[0] -= self._strong.horizontalAdvance(_SIGN_OF_DIFFERENCE)
        heights = (self._cell(column, cell, rooms[column]) for column, cell in enumerate(row))
        return max(heights) + 2 * _PADDING_Y_PX

    def _cell(self, column: int, cell: AnswerCell, room: int) -> int:
        metrics = self._plain if column else self._strong
        note = cell.note if column and not is_gap(cell) else ""
        fits = self._advances[column][cell.text] <= room
        if fits and not note:
            return metrics.height()
        key = (room if column else -room, cell.text, note)
        if key not in self._heights:
            height = metrics.height()
            if not fits:
                box = QRect(0, 0, room, 10_000)
                height = metrics.boundingRect(box, _WRAP, unbroken(cell.text)).height()
            self._heights[key] = height + (_note_height(self._small, note, room) if note else 0)
        return self._heights[key]


def _note_height(metrics: QFontMetrics, note: str, width: int) -> int:
    """Return the height of a condition in pixels; the tool tip has what does not fit in it."""
    if metrics.horizontalAdvance(note) <= width:
        return metrics.height()
    wrapped = metrics.boundingRect(QRect(0, 0, width, 10_000), _WRAP, unbroken(note)).height()
    return min(wrapped, _MOST_NOTE_LINES * metrics.height())


class _Delegate(QStyledItemDelegate):
    """Draws value and condition; rows that differ have a bar and a sign, stated cells are amber."""

    def __init__(self, table: ComparisonTable) -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell with its lower line."""
        painter.save()
        row, column = index.row(), index.column()
        self._paint_ground(painter, option, row, column)
        words = option.rect.adjusted(_PADDING_X_PX, _PADDING_Y_PX, -_PADDING_X_PX, -_PADDING_Y_PX)
        if column:
            self._paint_value(painter, words, row, column)
        else:
            self._paint_label(painter, words, option.rect, row)
        if option.state & QStyle.StateFlag.State_HasFocus and self._table.hasFocus():
            painter.setPen(QPen(QColor(self._table.theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(option.rect).adjusted(1, 1, -1.5, -1.5))
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, row: int, column: int
    ) -> None:
        theme, model, rect = self._table.theme, self._table.comparison, QRectF(option.rect)
        # Opaque, so that the fixed column hides what is scrolled below it.
        painter.fillRect(option.rect, QColor(theme.panel if column else theme.background))
        hot = option.state & QStyle.StateFlag.State_MouseOver and model.cell(row, column).marker
        if model.is_marked(row, column):
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif hot or option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.accent_soft))
        if model.report(row, column):
            paint_report(painter, rect, QColor(theme.error))
        painter.setPen(QPen(QColor(theme.line), 1))
        lower = rect.bottom() - 0.5
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if not column:
            right = rect.right() - 0.5
            painter.drawLine(QPointF(right, rect.top()), QPointF(right, lower))

    def _paint_label(self, painter: QPainter, words: QRect, rect: QRect, row: int) -> None:
        table, model = self._table, self._table.comparison
        differs = model.differs(row)
        painter.setFont(table.strong if differs else table.plain)
        if differs:
            accent = QColor(table.theme.accent)
            painter.fillRect(QRect(rect.left(), rect.top(), _BAR_PX, rect.height() - 1), accent)
            painter.setPen(accent)
            painter.drawText(words, Qt.AlignmentFlag.AlignRight.value, _SIGN_OF_DIFFERENCE)
        room = QFontMetrics(table.strong).horizontalAdvance(_SIGN_OF_DIFFERENCE)
        painter.setPen(QColor(table.theme.text))
        _draw_words(painter, words.adjusted(0, 0, -room, 0), model.text(row, 0), model.symbols)

    def _paint_value(self, painter: QPainter, words: QRect, row: int, column: int) -> None:
        table, model, theme = self._table, self._table.comparison, self._table.theme
        cell, is_marked = model.cell(row, column), model.is_marked(row, column)
        gap = is_gap(cell)
        painter.setFont(table.strong if is_marked else table.plain)
        painter.setPen(QColor(theme.dim if gap else theme.text))
        bottom = _draw_words(painter, words, model.text(row, column), model.symbols)
        if cell.note and not gap:
            height = _note_height(QFontMetrics(table.small), cell.note, words.width())
            box = QRect(words.left(), bottom + 1, words.width(), height)
            painter.setFont(table.small)
            painter.setPen(QColor(theme.text if is_marked else theme.dim))
            _draw_words(painter, box, cell.note, model.symbols)


def _draw_words(painter: QPainter, rect: QRect, text: str, symbols: Symbols) -> int:
    """Draw words from the top of a rectangle, and return where they end."""
    shown = unbroken(text)
    spans = symbols.spans(shown)
    if not spans:
        return painter.drawText(rect, _LEFT | _WRAP, shown).bottom()
    return rect.top() + math.ceil(draw_wrapped(painter, rect, shown, spans)) - 1


class _Header(QHeaderView):
    """Names of the documents; the one sorted by has an arrow."""

    def __init__(self, table: ComparisonTable, grid: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, grid)
        self._table = table
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(8)
        self.setHighlightSections(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Columns: click to sort")

    def sizeHint(self) -> QSize:
        """Return the height of one line of names."""
        return QSize(100, QFontMetrics(self.font()).height() + 2 * _PADDING_Y_PX + 2)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a name, cut when it is too long, with the arrow of the sorting."""
        painter.save()
        theme, sorting = self._table.theme, self._table.comparison.sorting
        painter.fillRect(rect, QColor(theme.background))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if not section:
            painter.drawLine(rect.topRight(), rect.bottomRight())
        is_sorted = sorting is not None and sorting.column == section
        arrow = _ARROW_PX + 3 if is_sorted else 0
        words = rect.adjusted(_PADDING_X_PX, 0, -_PADDING_X_PX - arrow, 0)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.accent if is_sorted else theme.text))
        metrics = QFontMetrics(self.font())
        name = metrics.elidedText(
            self._table.comparison.table.headers[section],
            Qt.TextElideMode.ElideMiddle,
            words.width(),
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter.value | _LEFT, name)
        if sorting is not None and is_sorted:
            icon = "sort_down" if sorting.is_descending else "sort_up"
            scale = self.devicePixelRatioF()
            pixmap = themes.icon_pixmap(icon, theme.accent, _ARROW_PX, scale)
            left = words.left() + min(metrics.horizontalAdvance(name), words.width()) + 3
            painter.drawPixmap(QPoint(left, rect.center().y() - _ARROW_PX // 2), pixmap)
        painter.restore()
