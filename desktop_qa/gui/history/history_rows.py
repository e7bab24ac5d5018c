"""Earlier questions as rows: newest first, a line for each day, the first words of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from PySide6.QtCore import QModelIndex, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from desktop_qa.core.history import HistoryItem, HistoryPage, HistoryState
from desktop_qa.gui.widgets.history_days import (
    answer_words,
    day_label,
    day_of,
    found_spans,
    spoken,
    time_label,
)
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import (
    marked,
    paint_ground,
    paint_line,
    paint_spans,
    small_font,
    wrapped,
)
from desktop_qa.gui.widgets.theme import icon_pixmap, look

_LEFT_PX = 14
_TEXT_LEFT_PX = 32
_RIGHT_PX = 12
_PADDING_PX = 6
_DAY_ABOVE_PX = 12
_DOT_PX = 8
_THUMB_PX = 13
_GAP_PX = 6
_MOST_LINES = 2


class HistoryModel(RowsModel):
    """The pages that have come, as questions under the names of their days."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[HistoryItem] = []
        self.total = 0
        self.query = ""

    @property
    def items(self) -> tuple[HistoryItem, ...]:
        """The questions that have come, newest first."""
        return tuple(self._items)

    def show_page(self, page: HistoryPage) -> None:
        """Take a page: the first replaces all, the next of the same query goes below."""
        self.forget_wait()
        if page.offset == 0:
            self.total, self.query = page.total, page.query
            self._items = list(page.items)
            self.show(_under_days(page.items, None))
        elif page.query == self.query and page.offset == len(self._items):
            last = day_of(self._items[-1].asked_at) if self._items else None
            self.total = page.total
            self._items += page.items
            self.append(_under_days(page.items, last))

    @property
    def has_more(self) -> bool:
        """True when there is a page that has not come."""
        return len(self._items) < self.total

    def index_of(self, history_id: int) -> QModelIndex:
        """Return the row of a question, an invalid one when it is not there."""
        for number, row in enumerate(self.rows):
            if isinstance(row, HistoryItem) and row.id == history_id:
                return self.index(number)
        return QModelIndex()

    def first_item(self, row: int = 0) -> QModelIndex:
        """Return the first question from a row on, else the last one before it."""
        n_rows = len(self.rows)
        for candidate in (*range(max(row, 0), n_rows), *range(min(row, n_rows) - 1, -1, -1)):
            if isinstance(self.rows[candidate], HistoryItem):
                return self.index(candidate)
        return QModelIndex()

    def words(self, row: HistoryItem | str, role: int) -> object:
        """Return what a row shows, how it is heard, or its tip."""
        if isinstance(row, str):
            return row if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.question
        return spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def is_head(self, row: HistoryItem | str) -> bool:
        """Days are passed over."""
        return isinstance(row, str)


def _under_days(items: Iterable[HistoryItem], day_before: date | None) -> list[str | HistoryItem]:
    rows: list[str | HistoryItem] = []
    for item in items:
        day = day_of(item.asked_at)
        if day != day_before:
            rows.append(day_label(day, date.today()))
            day_before = day
        rows.append(item)
    return rows


class HistoryDelegate(RowsDelegate):
    """A question takes one line or two; below them stand the answer's first words and the time."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.query = ""

    def key_of(self, row: HistoryItem | str) -> object:
        """Return the number of a question; all days are equally high."""
        return row.id if isinstance(row, HistoryItem) else 0

    def height_of(self, row: HistoryItem | str, font: QFont, width: int) -> float:
        """Return the height of a day, or of a question of one line or two."""
        small = QFontMetricsF(small_font(font)).height()
        if isinstance(row, str):
            return round(small) + _DAY_ABOVE_PX + 4
        metrics = QFontMetricsF(font)
        room = width - _TEXT_LEFT_PX - _RIGHT_PX
        n_lines = len(wrapped(row.question, metrics, room, _MOST_LINES))
        return round(metrics.height() * n_lines + small) + 2 * _PADDING_PX + 1

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: QRectF
    ) -> None:
        """Draw a day or a question."""
        item = index.data(ROW_ROLE)
        if isinstance(item, HistoryItem):
            paint_ground(painter, option, row)
            self._paint_item(painter, option.font, item, row)
        else:
            font = small_font(option.font)
            font.setWeight(QFont.Weight.DemiBold)
            place = row.adjusted(_LEFT_PX, _DAY_ABOVE_PX - 2, -_RIGHT_PX, 0)
            paint_line(painter, place, item, font, look.theme.dim)

    def _paint_item(self, painter: QPainter, font: QFont, item: HistoryItem, row: QRectF) -> None:
        small = small_font(font)
        metrics, small_metrics = QFontMetricsF(font), QFontMetricsF(small)
        left, right = row.left() + _TEXT_LEFT_PX, row.right() - _RIGHT_PX
        top = row.top() + _PADDING_PX
        centre = QPointF(row.left() + _LEFT_PX + _DOT_PX / 2, top + metrics.height() / 2)
        self._paint_state(painter, item.state, centre)
        for line in wrapped(item.question, metrics, right - left, _MOST_LINES):
            place = QRectF(left, top, right - left, metrics.height())
            painter.setPen(QColor(look.theme.text))
            paint_spans(painter, place, font, line, self._spans, marked())
            top += metrics.height()
        lower = QRectF(left, top + 1, right - left, small_metrics.height())
        when = time_label(item.asked_at)
        right -= small_metrics.horizontalAdvance(when)
        paint_line(painter, lower, when, small, look.theme.dim, at=Qt.AlignmentFlag.AlignRight)
        if item.verdict:
            right -= _THUMB_PX + _GAP_PX
            self._paint_thumb(painter, item.verdict, right, lower.center().y())
        lower.setRight(right - _GAP_PX)
        words = answer_words(item, self.query)
        painter.setPen(QColor(look.theme.dim))
        paint_spans(painter, lower, small, words, self._spans, marked())

    def _spans(self, text: str) -> list[tuple[int, int]]:
        return found_spans(text, self.query)

    def _paint_thumb(self, painter: QPainter, verdict: int, left: float, middle: float) -> None:
        name = "thumb_up" if verdict > 0 else "thumb_down"
        colour = look.theme.ok if verdict > 0 else look.theme.error
        scale = painter.device().devicePixelRatio()
        pixmap = icon_pixmap(name, colour, _THUMB_PX, scale)
        painter.drawPixmap(QPointF(left, middle - _THUMB_PX / 2), pixmap)

    def _paint_state(self, painter: QPainter, state: HistoryState, centre: QPointF) -> None:
        """Draw how it ended by shape as well as colour: disc, ring, ring with a dot, square."""
        theme = look.theme
        dot = QRectF(centre.x() - _DOT_PX / 2, centre.y() - _DOT_PX / 2, _DOT_PX, _DOT_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        if state is HistoryState.ANSWERED:
            painter.setBrush(QColor(theme.ok))
            painter.drawEllipse(dot)
        elif state is HistoryState.FAILED:
            painter.setBrush(QColor(theme.error))
            painter.drawRoundedRect(dot.adjusted(0.3, 0.3, -0.3, -0.3), 2, 2)
        else:
            colour = QColor(theme.dim if state is HistoryState.NOT_FOUND else theme.accent)
            if state is not HistoryState.NOT_FOUND:
                painter.setBrush(colour)
                painter.drawEllipse(dot.adjusted(2.6, 2.6, -2.6, -2.6))
            painter.setPen(QPen(colour, 1.3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot.adjusted(0.6, 0.6, -0.6, -0.6))
