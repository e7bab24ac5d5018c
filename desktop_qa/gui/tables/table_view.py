"""Tables as tables: spans kept, headers in sight, the cited cells in amber."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QCursor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
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

from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.marks.mark_book import paint_report
from desktop_qa.gui.tables.table_layout import column_widths, unbroken, widen_for_spans
from desktop_qa.gui.tables.table_model import CellsModel
from desktop_qa.gui.tables.table_text import copied
from desktop_qa.gui.widgets.list_rows import Index
from desktop_qa.gui.widgets.row_painting import font_like
from desktop_qa.gui.widgets.symbols import draw_wrapped
from desktop_qa.gui.widgets.theme import TextSizes, icon_pixmap, look
from desktop_qa.gui.widgets.timers import single_shot

MOST_HEIGHT_PX = 440
_MOST_FITTED_CELLS = 520
"""The rows of a larger table are measured when they come into sight."""
_LEAST_COLUMN_PX = 24
_EDGE_PX = 4
_ARROW_PX = 12
_ARROW_ROOM_PX = _ARROW_PX + 4
_WIDEST_PX = 280
"""Of a column of a large table, whose other cells nobody has measured."""
_MOST_NOTE_LINES = 2
_WRAP = Qt.TextFlag.TextWordWrap.value
_ENSURE_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible


class TableView(QTableView):
    """As wide as its place; a small one as high as its rows, a large one scrolls inside.

    A click on a header row sorts, dragging the edge of a column there makes it wider, and a double
    click on the edge fits it to its words. Headers stay in sight: what Qt scrolls away is drawn
    once more, over the others, and found there by `indexAt` and `visualRect`.

    Attributes:
        cell_clicked: With the cell, by click or Enter, where it leads somewhere.
        most_height_px: It scrolls inside when it is higher.
        measured: The rows that have the heights of their words.
        padding: Left or right of the words of a cell, and above or below.
    """

    cell_clicked = Signal(object)
    menu_requested = Signal(QPoint)
    padding = (6, 5)
    scrolls_inside = False

    def __init__(
        self, model: CellsModel, parent: QWidget | None = None, *, fills_place: bool = False
    ) -> None:
        super().__init__(parent)
        self.table_model = model
        self.most_height_px = MOST_HEIGHT_PX
        self.measure = TextMeasure(self.font(), look.answer_sizes, self.padding)
        look.changed.connect(self._on_look_changed)
        self._fills_place = fills_place
        self._own_widths: dict[int, int] = {}
        self._spans: dict[tuple[int, int], tuple[int, int, int, int]] = {}
        self.measured: set[int] = set()
        self._has_shown_cited = False
        self._dragged: tuple[int, int, int] | None = None
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
        vertical = QSizePolicy.Policy.Expanding if fills_place else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self.setItemDelegate(_CellDelegate(self))
        self.setModel(model)
        self._visible_timer = single_shot(self, self._measure_visible)
        self.clicked.connect(self._on_clicked)
        on_keys(
            self,
            {
                "Ctrl+C, Ctrl+Ins, Copy": self.copy_selection,
                "Return, Enter": lambda: self._on_clicked(self.currentIndex()),
                "Menu": self._ask_for_menu,
            },
        )
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    # What is shown

    def _on_reset(self) -> None:
        """Show other rows; columns keep the widths the user gave them."""
        self.clearSpans()
        self._spans.clear()
        for span in self.table_model.spans():
            self.setSpan(*span)
            row, column, n_rows, n_columns = span
            covered = product(range(row, row + n_rows), range(column, column + n_columns))
            self._spans.update(dict.fromkeys(covered, span))
        self._fit()

    @property
    def is_scrolling(self) -> bool:
        """True when it is larger than its place and scrolls inside."""
        return self.scrolls_inside or self._fills_place or not self._is_small

    @property
    def _is_small(self) -> bool:
        model = self.table_model
        return model.rowCount() * model.columnCount() <= _MOST_FITTED_CELLS

    # What stays in sight

    @property
    def _keeps_header(self) -> bool:
        """True where the others scroll below the header rows, which would not hide them."""
        return self.is_scrolling and 0 < self._header_height() < self.height() // 2

    def _header_height(self) -> int:
        return sum(map(self.rowHeight, range(self.table_model.n_header_rows)))

    def _label_width(self) -> int:
        return sum(map(self.columnWidth, range(self.table_model.n_label_columns)))

    def _under(self, position: QPoint) -> QPoint:
        """Return where Qt has the cell that is drawn at a place."""
        x, y = position.x(), position.y()
        if x < self._label_width():
            x -= self.horizontalHeader().offset()
        if self._keeps_header and y < self._header_height():
            y -= self.verticalHeader().offset()
        return QPoint(x, y)

    def indexAt(self, position: QPoint) -> QModelIndex:
        """Return the cell that is drawn at a place."""
        return super().indexAt(self._under(position))

    def visualRect(self, index: Index) -> QRect:
        """Return where a cell is drawn."""
        rect = super().visualRect(index)
        if self.table_model.is_header(index.row()) and self._keeps_header:
            rect.translate(0, self.verticalHeader().offset())
        if index.column() < self.table_model.n_label_columns:
            rect.translate(self.horizontalHeader().offset(), 0)
        return rect

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _ENSURE_VISIBLE) -> None:
        """Bring a cell into sight, not under the headers."""
        super().scrollTo(index, hint)
        rect, model = self.visualRect(index), self.table_model
        if index.column() >= model.n_label_columns and rect.left() < self._label_width():
            across = self.horizontalScrollBar()
            across.setValue(across.value() + rect.left() - self._label_width())
        is_below = self._keeps_header and not model.is_header(index.row())
        if is_below and rect.top() < self._header_height():
            down = self.verticalScrollBar()
            down.setValue(down.value() + rect.top() - self._header_height())

    def scrollContentsBy(self, across: int, down: int) -> None:
        """Draw the headers anew as well, and measure what comes into sight."""
        super().scrollContentsBy(across, down)
        header, room = self._header_height() if self._keeps_header else 0, self.viewport().size()
        self.viewport().update(0, 0, room.width(), header + max(down, 0))
        self.viewport().update(0, 0, self._label_width() + max(across, 0), room.height())
        if self.is_scrolling:
            self._visible_timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the headers over what is scrolled below them."""
        super().paintEvent(event)
        painter, option = QPainter(self.viewport()), QStyleOptionViewItem()
        under_pointer = self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))
        for row, column in self._kept_in_sight():
            index = self.table_model.index(row, column)
            option.rect = self.visualRect(index)
            if not event.rect().intersects(option.rect):
                continue
            option.state = QStyle.StateFlag.State_None
            if self.selectionModel().isSelected(index):
                option.state |= QStyle.StateFlag.State_Selected
            if index == self.currentIndex():
                option.state |= QStyle.StateFlag.State_HasFocus
            if index == under_pointer and self.viewport().underMouse():
                option.state |= QStyle.StateFlag.State_MouseOver
            self.itemDelegate().paint(painter, option, index)
        painter.end()

    def _kept_in_sight(self) -> Iterator[tuple[int, int]]:
        """Yield the places of the headers that Qt has scrolled; later ones lie over earlier."""
        model = self.table_model
        labels = range(model.n_label_columns if self.horizontalHeader().offset() else 0)
        is_down = self._keeps_header and self.verticalHeader().offset()
        header = range(model.n_header_rows if is_down else 0)
        rows, columns = self._in_sight()
        yield from ((row, column) for row in rows if row not in header for column in labels)
        heads = product(header, (*(c for c in columns if c not in labels), *labels))
        yield from dict.fromkeys(self._spans.get(place, place)[:2] for place in heads)

    # How a cell looks

    def alignment_of(self, row: int, column: int) -> Qt.AlignmentFlag:
        """Return where the words of a cell stand."""
        is_number = column in self.table_model.number_columns and self.columnSpan(row, column) == 1
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def ground_of(self, row: int, _column: int) -> str:
        """Return the colour below a cell; empty where that of its place is seen."""
        return look.theme.panel if self.table_model.is_header(row) and self.is_scrolling else ""

    def bounds_of(self, _column: int) -> tuple[int, int]:
        """Return the least and the largest width that a column may have at first."""
        return 0, _WIDEST_PX if self.is_scrolling else 10_000

    def sign_room(self, row: int, column: int) -> int:
        """Return the room that a cell has to leave for a sign behind its words."""
        return _ARROW_ROOM_PX if self.is_sorted_by(row, column) else 0

    def paint_sign(self, _painter: QPainter, _rect: QRect, _row: int, _column: int) -> None:
        """Draw what a cell says besides its words."""

    def is_sorted_by(self, row: int, column: int) -> bool:
        """Tell whether a header cell carries the arrow of the sorted column."""
        sorting, n_header = self.table_model.sorting, self.table_model.n_header_rows
        if sorting is None or row >= n_header:
            return False
        is_lowest = row + self.rowSpan(row, column) >= n_header
        return is_lowest and column <= sorting.column < column + self.columnSpan(row, column)

    # Sizes

    def _fit(self) -> None:
        model = self.table_model
        if not model.rowCount() or not model.columnCount():
            self.setMinimumHeight(0)
            return
        if (self.font(), look.answer_sizes) != self.measure.made_for:
            self.measure = TextMeasure(self.font(), look.answer_sizes, self.padding)
        for column, width in enumerate(self._widths()):
            self.setColumnWidth(column, self._own_widths.get(column, width))
        self.refit_rows()

    def _widths(self) -> list[int]:
        """Share the width among the columns; they may need more of it."""
        model, sorting = self.table_model, self.table_model.sorting
        n_columns = model.columnCount()
        widest, longest = [0] * n_columns, [0] * n_columns
        wide_spans: list[tuple[int, int, int]] = []
        word_spans: list[tuple[int, int, int]] = []
        for column, n_spanned, text, is_header, is_strong in model.sample():
            wide, word = self.measure.needs_of(text, is_strong=is_strong)
            if is_header and sorting is not None and column == sorting.column:
                wide, word = wide + _ARROW_ROOM_PX, word + _ARROW_ROOM_PX
            if n_spanned > 1:
                wide_spans.append((column, n_spanned, wide))
                word_spans.append((column, n_spanned, word))
            else:
                widest[column] = max(widest[column], wide)
                longest[column] = max(longest[column], word)
        longest = widen_for_spans(longest, word_spans)
        # A heading over the whole table may wrap: it does not claim its one line.
        widest = widen_for_spans(widest, [span for span in wide_spans if span[1] < n_columns])
        bounds = list(map(self.bounds_of, range(n_columns)))
        widest = [
            min(max(least, *pair), most)
            for (least, most), pair in zip(bounds, zip(widest, longest, strict=True), strict=True)
        ]
        longest = [
            min(max(least, word), wide)
            for (least, _most), word, wide in zip(bounds, longest, widest, strict=True)
        ]
        return column_widths(widest, longest, self._room())

    def _room(self) -> int:
        return self.viewport().width() if self.isVisible() else self.width()

    def refit_rows(self) -> None:
        """Give the rows heights for the widths of now."""
        self.measured.clear()
        self.verticalHeader().setDefaultSectionSize(self.measure.line_height())
        model = self.table_model
        self._set_heights(range(model.rowCount() if self._is_small else model.n_header_rows))
        as_needed, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(as_needed if self.is_scrolling else off)
        self.fit_height()
        if self.is_scrolling:
            self._visible_timer.start()

    def fit_height(self) -> None:
        """Be as high as all rows, or as may be; then the rows scroll inside."""
        if self._fills_place:
            return
        is_wide = self.horizontalHeader().length() > self._room()
        bar = self.horizontalScrollBar().sizeHint().height() if is_wide else 0
        whole = self.verticalHeader().length() + bar + 1
        self.setFixedHeight(min(whole, self.most_height_px) if self.is_scrolling else whole)

    def _set_heights(self, rows: range) -> None:
        columns = range(self.table_model.columnCount())
        if len(rows) * len(columns) > _MOST_FITTED_CELLS:
            _rows, columns = self._in_sight()
        heights = self._heights(rows, columns)
        self.measured.update(heights)
        for row, height in heights.items():
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)

    def _heights(self, rows: range, columns: range) -> dict[int, int]:
        """Return the heights of some rows; what spans several adds to the last of them."""
        heights = dict.fromkeys(rows, self.measure.line_height())
        spanning: list[tuple[int, int, int]] = []
        for row in rows:
            for column in columns:
                *first, n_rows, n_columns = self._spans.get((row, column), (row, column, 1, 1))
                if first != [row, column]:
                    continue
                needed = self._height_of(row, column, n_columns)
                if n_rows == 1:
                    heights[row] = max(heights[row], needed)
                else:
                    spanning.append((row, n_rows, needed))
        for row, n_rows, needed in spanning:
            within = sum(heights.get(r, self.rowHeight(r)) for r in range(row, row + n_rows))
            last = row + n_rows - 1
            if needed > within and last in heights:
                heights[last] += needed - within
        return heights

    def _height_of(self, row: int, column: int, n_columns: int) -> int:
        model = self.table_model
        width = sum(map(self.columnWidth, range(column, column + n_columns)))
        room = width - 2 * self.padding[0] - self.sign_room(row, column)
        text, note = model.text(row, column), model.note(row, column)
        return self.measure.height(text, note, room, is_strong=model.is_strong(row, column))

    def _in_sight(self) -> tuple[range, range]:
        """Return the rows and the columns in sight."""
        model, room = self.table_model, self.viewport().rect()
        last_row, last_column = self.rowAt(room.bottom()), self.columnAt(room.right())
        return (
            range(max(self.rowAt(0), 0), last_row + 1 if last_row >= 0 else model.rowCount()),
            range(
                max(self.columnAt(0), 0),
                last_column + 1 if last_column >= 0 else model.columnCount(),
            ),
        )

    def _measure_visible(self) -> None:
        """Give the rows in sight the heights of their words."""
        if not self.is_scrolling or not self.isVisible():
            return
        for _ in range(3):  # rows that grow push others out of sight: it settles at once
            rows, _columns = self._in_sight()
            if self.measured.issuperset(rows):
                break
            self._set_heights(rows)
            self.fit_height()
        if not self._has_shown_cited:
            self._has_shown_cited = True
            cited = self.table_model.first_cited()
            if cited.isValid():
                self.scrollTo(cited, QAbstractItemView.ScrollHint.PositionAtCenter)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(300, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()
        elif self.is_scrolling:
            self._visible_timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure what is in sight."""
        super().showEvent(event)
        self._visible_timer.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the surrounding scroll area, except sideways and in a large table."""
        turned = event.angleDelta()
        is_wanted = self.hasFocus() or self._fills_place or self.scrolls_inside
        if (self.is_scrolling and is_wanted) or abs(turned.x()) > abs(turned.y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    # The edges of columns, in the header rows

    def set_column_width(self, column: int, width: int) -> None:
        """Give a column a width that it keeps while the table is open."""
        self._own_widths[column] = width
        self.setColumnWidth(column, width)

    def fit_column(self, column: int) -> None:
        """Make a column as wide as its words on one line."""
        cells = [one for one in self.table_model.sample() if one[:2] == (column, 1)]
        wide = (self.measure.needs_of(one.text, is_strong=one.is_strong)[0] for one in cells)
        self.set_column_width(column, max(_LEAST_COLUMN_PX, *wide))
        self.refit_rows()

    def _edge_at(self, position: QPoint) -> int | None:
        """Return the column whose right edge is near a place in the header rows."""
        left = self._under(position - QPoint(_EDGE_PX, 0))
        row, column = self.rowAt(left.y()), self.columnAt(left.x())
        if column < 0 or not 0 <= row < self.table_model.n_header_rows:
            return None
        edge = self.columnViewportPosition(column) + self.columnWidth(column)
        return column if abs(edge - left.x() - _EDGE_PX) <= _EDGE_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the edge of a column; the pointer tells where there is one, and what leads on."""
        position = event.position().toPoint()
        if self._dragged is not None:
            column, start, width = self._dragged
            self.set_column_width(column, max(_LEAST_COLUMN_PX, width + position.x() - start))
            return
        index = self.indexAt(position)
        if self._edge_at(position) is not None:
            self.viewport().setCursor(Qt.CursorShape.SplitHCursor)
        elif index.isValid() and self.table_model.leads(index.row(), index.column()):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.viewport().unsetCursor()
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of an edge."""
        edge = self._edge_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and edge is not None:
            self._dragged = edge, event.position().toPoint().x(), self.columnWidth(edge)
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let an edge go."""
        if event.button() == Qt.MouseButton.LeftButton and self._dragged is not None:
            self._dragged = None
            self.refit_rows()
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
            self.table_model.sort_by(index.column())
        elif (cell := self.table_model.target(index.row(), index.column())) is not None:
            self.cell_clicked.emit(cell)

    def _ask_for_menu(self) -> None:
        rect = self.visualRect(self.currentIndex())
        place = rect.center() if rect.isValid() else QPoint(8, 8)
        self.menu_requested.emit(self.viewport().mapToGlobal(place))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for what can be done with the cell under the pointer."""
        index = self.indexAt(event.pos())
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.setCurrentIndex(index)
        self.menu_requested.emit(event.globalPos())

    def copy_selection(self) -> None:
        """Put the selected cells on the clipboard; all of them when none is selected."""
        selected = {(i.row(), i.column()) for i in self.selectedIndexes()}
        QGuiApplication.clipboard().setMimeData(copied(self.table_model.texts(selected)))

    def _on_look_changed(self) -> None:
        if look.answer_sizes != self.measure.made_for[1]:
            self._fit()


class _CellDelegate(QStyledItemDelegate):
    """Draws one cell of a `TableView`."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell with its lower line."""
        view, theme, model = self._view, look.theme, self._view.table_model
        row, column, rect = index.row(), index.column(), QRectF(option.rect)
        is_under = option.state & QStyle.StateFlag.State_MouseOver
        is_hot = is_under and not model.is_header(row) and model.leads(row, column)
        painter.save()
        if ground := view.ground_of(row, column):
            painter.fillRect(rect, QColor(ground))
        painter.setPen(QPen(QColor(theme.line), 1))
        lower, right = rect.bottom() - 0.5, rect.right() - 0.5
        painter.drawLine(QPointF(rect.left(), lower), QPointF(rect.right(), lower))
        if column < model.n_label_columns:
            painter.drawLine(QPointF(right, rect.top()), QPointF(right, lower))
        if model.is_cited(row, column):
            painter.setPen(QPen(QColor(theme.evidence_border), 1))
            painter.setBrush(QColor(theme.evidence))
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        elif is_hot or option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), QColor(theme.accent_soft))
        if model.report(row, column):
            paint_report(painter, rect, QColor(theme.error))
        self._paint_words(painter, option.rect, row, column)
        if option.state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -1, -1))
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        view, theme, model = self._view, look.theme, self._view.table_model
        painter.setFont(view.measure.fonts[model.is_strong(row, column)])
        x, y = view.padding
        words = rect.adjusted(x, y, -x, -y)
        if view.is_sorted_by(row, column):
            is_descending = model.sorting is not None and model.sorting.is_descending
            icon = "sort_down" if is_descending else "sort_up"
            pixmap = icon_pixmap(icon, theme.accent, _ARROW_PX, view.devicePixelRatioF())
            at = QPoint(words.right() - _ARROW_PX, words.center().y() - _ARROW_PX // 2)
            painter.drawPixmap(at, pixmap)
        view.paint_sign(painter, rect, row, column)
        words.setWidth(words.width() - view.sign_room(row, column))
        painter.setPen(QColor(theme.dim if model.is_dim(row, column) else theme.text))
        text, alignment = model.text(row, column), view.alignment_of(row, column)
        if row not in view.measured and not model.symbols.spans(text):
            text, way = text.replace("\n", " "), Qt.TextElideMode.ElideRight
            text = painter.fontMetrics().elidedText(text, way, words.width())
        bottom = self._draw(painter, words, text, alignment)
        if note := model.note(row, column):
            height = view.measure.note_height(note, words.width())
            below = QRect(words.left(), bottom + 1, words.width(), height)
            painter.setFont(view.measure.small)
            painter.setPen(QColor(theme.text if model.is_cited(row, column) else theme.dim))
            self._draw(painter, below, note, Qt.AlignmentFlag.AlignLeft)

    def _draw(self, painter: QPainter, rect: QRect, text: str, alignment: Qt.AlignmentFlag) -> int:
        """Draw words in a rectangle, and return where they end."""
        shown = unbroken(text)
        spans = self._view.table_model.symbols.spans(shown)
        if not spans:
            return painter.drawText(rect, alignment.value | _WRAP, shown).bottom()
        return rect.top() + math.ceil(draw_wrapped(painter, rect, shown, spans, alignment)) - 1


class TextMeasure:
    """Measures the words of a table in its fonts; the widths of equal ones once.

    Datasheets' tables are wide: the small size lets their columns stand unbroken.
    """

    def __init__(self, base: QFont, sizes: TextSizes, padding: tuple[int, int]) -> None:
        self.made_for = base, sizes
        plain = font_like(base, sizes.small_px)
        strong = font_like(plain, weight=QFont.Weight.DemiBold)
        self.small = font_like(base, sizes.small_px - 1)
        self.fonts = {False: plain, True: strong}
        self._metrics = {False: QFontMetrics(plain), True: QFontMetrics(strong)}
        self._small = QFontMetrics(self.small)
        self._padding_x, self._padding_y = padding
        self._needs: dict[tuple[str, bool], tuple[int, int]] = {}

    def needs_of(self, text: str, *, is_strong: bool) -> tuple[int, int]:
        """Return the width of a text on one line and of its longest word, with padding."""
        known = self._needs.get((text, is_strong))
        if known is None:
            metrics, padding = self._metrics[is_strong], 2 * self._padding_x + 2
            wide = max(map(metrics.horizontalAdvance, text.split("\n")))
            words = text.split()
            word = max(map(metrics.horizontalAdvance, words)) if len(words) > 1 else wide
            known = self._needs[text, is_strong] = wide + padding, word + padding
        return known

    def line_height(self) -> int:
        """Return the height of a row of one line."""
        return self._metrics[False].height() + 2 * self._padding_y

    def height(self, text: str, note: str, room: int, *, is_strong: bool) -> int:
        """Return the height of a cell in which a text and the note below it have some room."""
        metrics, height = self._metrics[is_strong], self._metrics[is_strong].height()
        if "\n" in text or metrics.horizontalAdvance(text) >= room:
            height = metrics.boundingRect(0, 0, room, 10_000, _WRAP, unbroken(text)).height()
        return height + 2 * self._padding_y + (self.note_height(note, room) if note else 0)

    def note_height(self, note: str, room: int) -> int:
        """Return the height of a note; the tool tip has what does not fit in it."""
        wrapped = self._small.boundingRect(0, 0, room, 10_000, _WRAP, unbroken(note)).height()
        return min(wrapped, _MOST_NOTE_LINES * self._small.height())
