"""Draws the rows of the library panel: name, pages, and a state that a glance can read."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_model import PREFERRED_ROLE
from desktop_qa.gui.library.library_order import Entry, Row, note_of
from desktop_qa.gui.library.library_words import found_words, pages_text
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowPainter
from desktop_qa.gui.widgets.row_painting import (
    bold,
    paint_chevron,
    paint_ground,
    paint_line,
    paint_spans,
    small_font,
)
from desktop_qa.gui.widgets.theme import draw_icon, look

_ROW_PADDING_PX = 5
_GROUP_INDENT_PX = 12
_NAME_INDENT_PX = 26
_DOT_PX = 8
_STAR_PX = 12
_GAP_PX = 6
_RIGHT_MARGIN_PX = 12
_LEAST_MARGIN_PX = 6
_OLDER_INDENT_PX = 14
_LEAST_NOTE_PX = 56
_WIDEST_STATE = "reading 000"
_LEAST_NAME_PX = 70
_COLOURS = {
    DocumentState.WAITING: "dim",
    DocumentState.READING: "accent",
    DocumentState.INDEXING: "accent",
    DocumentState.READY: "ok",
    DocumentState.PARTIAL: "warning",
    DocumentState.FAILED: "error",
}


class LibraryDelegate(RowPainter):
    """Rows without a grid: the name at the left, pages and state in columns at the right."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self._widest_word = ""
        self.words: tuple[str, ...] = ()

    def show_words(self, words: set[str]) -> None:
        """Give the states' words as much room as they need: the names get the rest."""
        # The number of the page that is read grows; the column shall not.
        even = {_WIDEST_STATE if word.startswith("reading") else word for word in words}
        metrics = QFontMetricsF(small_font(self._view.font()))
        self._widest_word = max(even, key=metrics.horizontalAdvance, default="")

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the one height of all rows."""
        return QSize(120, option.fontMetrics.height() + 2 * _ROW_PADDING_PX)

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, rect: QRectF
    ) -> None:
        """Draw a document or a heading."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        paint_ground(painter, option, rect)
        small = small_font(option.font)
        if row.entry is not None:
            self._paint_document(painter, option.font, row, row.entry, rect, small)
        else:
            self._paint_heading(painter, row, rect, small)
        if index.data(PREFERRED_ROLE):
            self._paint_star(painter, row, rect, small)

    def is_on_chevron(self, row: QRect, place: QPoint) -> bool:
        """Tell whether a place is left of the name, where older revisions are folded."""
        return row.contains(place) and place.x() - row.left() < _NAME_INDENT_PX

    def _paint_heading(self, painter: QPainter, row: Row, rect: QRectF, font: QFont) -> None:
        """Draw a heading with the number of its documents at the right."""
        middle = rect.center().y() + 1
        paint_chevron(painter, rect.left() + _GROUP_INDENT_PX + 4, middle, is_open=row.is_open)
        count, dim = str(row.n_under), look.theme.dim
        line = rect.adjusted(_NAME_INDENT_PX, 0, -_RIGHT_MARGIN_PX, 0)
        paint_line(painter, line, count, font, dim, at=Qt.AlignmentFlag.AlignRight)
        line.setRight(line.right() - QFontMetricsF(font).horizontalAdvance(count) - 2 * _GAP_PX)
        font.setWeight(QFont.Weight.DemiBold)
        paint_line(painter, line, row.heading, font, dim)

    def _paint_star(self, painter: QPainter, row: Row, rect: QRectF, font: QFont) -> None:
        """Draw the mark of a preferred source: before a document, behind a vendor."""
        left = rect.left() + _NAME_INDENT_PX - _STAR_PX - 2
        if row.entry is None:
            font.setWeight(QFont.Weight.DemiBold)
            name_px = QFontMetricsF(font).horizontalAdvance(row.heading)
            left = rect.left() + _NAME_INDENT_PX + name_px + _GAP_PX
            left = min(left, rect.right() - 3 * _RIGHT_MARGIN_PX - _STAR_PX)
        top = rect.center().y() - _STAR_PX / 2
        draw_icon(painter, "star", look.theme.accent, QRectF(left, top, _STAR_PX, _STAR_PX))

    def _state_width(
        self, font: QFont, entry: Entry, rect: QRectF, small: QFont, name_left: float
    ) -> float:
        """Return the room of dot and word at the right, in pixels.

        The column of the words is as wide in all rows, but a ready document has no word: a name
        that has no room else takes it.
        """
        alone = _RIGHT_MARGIN_PX + _DOT_PX
        if not self._widest_word:
            return alone
        metrics = QFontMetricsF(small)
        whole = metrics.horizontalAdvance(self._widest_word) + _GAP_PX + _LEAST_MARGIN_PX + _DOT_PX
        if entry.status.state is not DocumentState.READY:
            return whole
        pages_width = metrics.horizontalAdvance("000 p") + _GAP_PX + 4
        room = rect.right() - whole - pages_width - _GAP_PX - name_left
        return alone if QFontMetricsF(font).horizontalAdvance(entry.name) > room else whole

    def _paint_document(
        self,
        painter: QPainter,
        font: QFont,
        row: Row,
        entry: Entry,
        rect: QRectF,
        small: QFont,
    ) -> None:
        status = entry.status
        metrics = QFontMetricsF(small)
        pages_width = metrics.horizontalAdvance("000 p")
        name_left = rect.left() + _NAME_INDENT_PX + (_OLDER_INDENT_PX if row.is_older else 0)
        state_left = rect.right() - self._state_width(font, entry, rect, small, name_left)
        pages_left = state_left - _GAP_PX - 4 - pages_width
        has_room = pages_left - name_left - _GAP_PX >= _LEAST_NAME_PX
        # Of a document that is not read yet the pages are unknown: its name takes their place.
        shows_pages = has_room and status.n_pages > 0
        name_right = (pages_left if shows_pages else state_left) - _GAP_PX
        if row.n_under:
            chevron = rect.left() + _NAME_INDENT_PX - _GAP_PX - 2
            middle = rect.center().y()
            paint_chevron(painter, chevron, middle, is_open=row.is_open)
        name = QRectF(name_left, rect.top(), name_right - name_left, rect.height())
        self._paint_name(painter, font, small, row, entry, name)
        if shows_pages:
            pages = QRectF(pages_left, rect.top(), pages_width, rect.height())
            right, text = Qt.AlignmentFlag.AlignRight, pages_text(status)
            paint_line(painter, pages, text, small, look.theme.dim, at=right)
        dot = QRectF(state_left, rect.center().y() - _DOT_PX / 2, _DOT_PX, _DOT_PX)
        if status.state is not DocumentState.READY:
            # A ready document is the quiet case: its dot says enough.
            left = dot.right() + _GAP_PX
            room = rect.right() - _LEAST_MARGIN_PX - left
            place = QRectF(left, rect.top(), room, rect.height())
            paint_line(painter, place, entry.state_word, small, look.theme.dim)
        self._paint_dot(painter, status, dot)

    def _paint_name(
        self,
        painter: QPainter,
        font: QFont,
        small: QFont,
        row: Row,
        entry: Entry,
        rect: QRectF,
    ) -> None:
        """Draw the name, and behind it what else there is to say, as far as there is room."""
        middle = Qt.TextElideMode.ElideMiddle
        painter.setPen(QColor(look.theme.dim if row.is_older else look.theme.text))
        left = paint_spans(painter, rect, font, entry.name, self._spans, bold(), middle)
        note = note_of(row, entry, self.words)
        room = rect.right() - left - 2 * _GAP_PX
        metrics = QFontMetricsF(small)
        if room < min(metrics.horizontalAdvance(note) + 1, _LEAST_NOTE_PX):
            note = note_of(row, entry, (), short=True) if not row.is_older else ""
        if not note or room < min(metrics.horizontalAdvance(note) + 1, _LEAST_NOTE_PX):
            return
        painter.setPen(QColor(look.theme.dim))
        place = QRectF(left + _GAP_PX + 2, rect.top(), room, rect.height())
        paint_spans(painter, place, small, note, self._spans, bold())

    def _spans(self, text: str) -> list[tuple[int, int]]:
        return found_words(text, self.words)

    def _paint_dot(self, painter: QPainter, status: DocumentStatus, dot: QRectF) -> None:
        """Draw the state by shape as well as colour: ring, pie, disc, triangle, chord, square."""
        theme, state, sign = look.theme, status.state, str(status.state)
        colour = getattr(theme, _COLOURS[state])
        if state is DocumentState.READY and status.is_doubtful:
            sign, colour = "doubtful", theme.warning
        elif state is DocumentState.READY and status.stale:
            # A ring around a small disc: made by an earlier version.
            sign = "stale"
        elif state in (DocumentState.READING, DocumentState.INDEXING):
            sign = "reading"
            read = status.n_pages_read / status.n_pages if status.n_pages else 0.1
            share = 0.95 if state is DocumentState.INDEXING else min(max(read, 0.1), 0.9)
            painter.setBrush(QColor(colour))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPie(dot.adjusted(-0.4, -0.4, 0.4, 0.4), 90 * 16, -round(share * 360 * 16))
        draw_icon(painter, f"state_{sign}", colour, dot.adjusted(-4, -4, 4, 4))
