"""Draws the rows of the history: a day, or a question with the first words of its answer."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from desktop_qa.core.history import HistoryItem, HistoryState
from desktop_qa.gui.history.history_model import HistoryRole
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.history_days import answer_words, found_spans, time_label
from desktop_qa.gui.widgets.row_painting import paint_ground, small_font

_LEFT_PX = 14
_TEXT_LEFT_PX = 32
_RIGHT_PX = 12
_PADDING_PX = 6
_DAY_ABOVE_PX = 12
_DOT_PX = 8
_THUMB_PX = 13
_GAP_PX = 6
_MAX_SIZES = 20_000

_Index = QModelIndex | QPersistentModelIndex


class HistoryDelegate(QStyledItemDelegate):
    """A question takes one line or two; below them stand the answer's first words and the time."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = themes.LIGHT
        self.small_px = 12
        self.query = ""
        self._sizes: dict[int, QSize] = {}
        self._width = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of a day, or of a question of one line or two."""
        # A list asks for all its rows whenever some are added: thousands of calls of this.
        width = self._view.viewport().width()
        if width != self._width or len(self._sizes) > _MAX_SIZES:
            self._sizes.clear()
            self._width = width
        item = index.data(HistoryRole.ITEM)
        number = item.id if isinstance(item, HistoryItem) else 0
        size = self._sizes.get(number)
        if size is None:
            size = self._sizes[number] = self._size(option.font, item, width)
        return size

    def _size(self, font: QFont, item: HistoryItem | None, width: float) -> QSize:
        small = QFontMetricsF(small_font(font, self.small_px)).height()
        if item is None:
            return QSize(120, round(small) + _DAY_ABOVE_PX + 4)
        metrics = QFontMetricsF(font)
        n_lines = len(question_lines(item.question, metrics, width - _TEXT_LEFT_PX - _RIGHT_PX))
        return QSize(120, round(metrics.height() * n_lines + small) + 2 * _PADDING_PX + 1)

    def set_theme(self, theme: themes.Theme, small_px: int) -> None:
        """Draw in other colours, with small text of another size."""
        self.theme, self.small_px = theme, small_px
        self._sizes.clear()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a day or a question."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRectF(option.rect)
        item = index.data(HistoryRole.ITEM)
        if isinstance(item, HistoryItem):
            paint_ground(painter, option, row, self.theme)
            self._paint_item(painter, option.font, item, row)
        else:
            font = small_font(option.font, self.small_px)
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(QColor(self.theme.dim))
            place = row.adjusted(_LEFT_PX, _DAY_ABOVE_PX - 2, -_RIGHT_PX, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.restore()

    def _paint_item(self, painter: QPainter, font: QFont, item: HistoryItem, row: QRectF) -> None:
        small = small_font(font, self.small_px)
        metrics, small_metrics = QFontMetricsF(font), QFontMetricsF(small)
        left, right = row.left() + _TEXT_LEFT_PX, row.right() - _RIGHT_PX
        top = row.top() + _PADDING_PX
        centre = QPointF(row.left() + _LEFT_PX + _DOT_PX / 2, top + metrics.height() / 2)
        self._paint_state(painter, item.state, centre)
        for line in question_lines(item.question, metrics, right - left):
            place = QRectF(left, top, right - left, metrics.height())
            self._paint_words(painter, font, line, place, self.theme.text)
            top += metrics.height()
        lower = QRectF(left, top + 1, right - left, small_metrics.height())
        when = time_label(item.asked_at)
        right -= small_metrics.horizontalAdvance(when)
        painter.setFont(small)
        painter.setPen(QColor(self.theme.dim))
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(lower, aligned, when)
        if item.verdict:
            right -= _THUMB_PX + _GAP_PX
            self._paint_thumb(painter, item.verdict, right, lower.center().y())
        lower.setRight(right - _GAP_PX)
        words = answer_words(item, self.query)
        self._paint_words(painter, small, words, lower, self.theme.dim)

    def _paint_words(
        self, painter: QPainter, font: QFont, text: str, place: QRectF, colour: str
    ) -> None:
        """Draw one line; the words that were searched stand on the accent's tint."""
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        for start, end in found_spans(shown, self.query):
            x = place.left() + metrics.horizontalAdvance(shown[:start])
            width = metrics.horizontalAdvance(shown[start:end])
            mark = QRectF(x - 1, place.top(), width + 2, place.height())
            tint = QColor(self.theme.accent)
            tint.setAlphaF(0.24)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawRoundedRect(mark, 2, 2)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_thumb(self, painter: QPainter, verdict: int, left: float, middle: float) -> None:
        name = "thumb_up" if verdict > 0 else "thumb_down"
        colour = self.theme.ok if verdict > 0 else self.theme.error
        scale = painter.device().devicePixelRatio()
        pixmap = themes.icon_pixmap(name, colour, _THUMB_PX, scale)
        painter.drawPixmap(QPointF(left, middle - _THUMB_PX / 2), pixmap)

    def _paint_state(self, painter: QPainter, state: HistoryState, centre: QPointF) -> None:
        """Draw how it ended by shape as well as colour: disc, ring, ring with a dot, square."""
        theme = self.theme
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


def question_lines(question: str, metrics: QFontMetricsF, width: float) -> tuple[str, ...]:
    """Return a question in one line or two, cut with an ellipsis when it is longer."""
    text = " ".join(question.split())
    if metrics.horizontalAdvance(text) <= width:
        return (text,)
    end = len(text)
    while end > 0 and metrics.horizontalAdvance(text[:end]) > width:
        end = text.rfind(" ", 0, end)
    if end <= 0:  # one long word: it is cut where the line ends
        return (metrics.elidedText(text, Qt.TextElideMode.ElideRight, width),)
    rest = metrics.elidedText(text[end + 1 :], Qt.TextElideMode.ElideRight, width)
    return text[:end], rest
