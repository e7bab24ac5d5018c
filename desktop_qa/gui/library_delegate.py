"""Draws the rows of the library panel: name, pages, and a state that a glance can read."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui import theme as themes
from desktop_qa.gui.library_model import LibraryRole

_ROW_PADDING_PX = 5
_GROUP_INDENT_PX = 12
_NAME_INDENT_PX = 26
_DOT_PX = 8
_STAR_PX = 12
_GAP_PX = 6
_RIGHT_MARGIN_PX = 12
_WIDEST_STATE = "reading 000"
_LEAST_NAME_PX = 90

_Index = QModelIndex | QPersistentModelIndex


class LibraryDelegate(QStyledItemDelegate):
    """Rows without a grid: the name at the left, pages and state in columns at the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = themes.LIGHT
        self.small_px = 12
        # Once all documents are ready no row has a word, and the names get its room.
        self.shows_words = True

    def sizeHint(self, option: QStyleOptionViewItem, _index: _Index) -> QSize:
        """Return the one height of all rows."""
        return QSize(120, option.fontMetrics.height() + 2 * _ROW_PADDING_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a document or a vendor."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRectF(option.rect)
        self._paint_ground(painter, option, row)
        status = index.data(LibraryRole.STATUS)
        small = QFont(option.font)
        small.setPixelSize(self.small_px)
        if isinstance(status, DocumentStatus):
            self._paint_document(painter, option, index, status, row, small)
        else:
            is_open = bool(option.state & QStyle.StateFlag.State_Open)
            self._paint_group(painter, index, row, small, is_open)
        if index.data(LibraryRole.PREFERRED):
            self._paint_star(painter, index, row, small)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(row, QColor(self.theme.accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, QColor(self.theme.hover))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(self.theme.accent), 1))
            painter.drawRoundedRect(row.adjusted(1.5, 0.5, -1.5, -0.5), 4, 4)

    def _paint_group(
        self, painter: QPainter, index: _Index, row: QRectF, font: QFont, is_open: bool
    ) -> None:
        name = str(index.data())
        dim = QColor(self.theme.dim)
        painter.setPen(QPen(dim, 1.4))
        x, y = row.left() + _GROUP_INDENT_PX + 4, row.center().y() + 1
        if is_open:
            painter.drawPolyline([QPointF(x - 3, y - 2), QPointF(x, y + 1), QPointF(x + 3, y - 2)])
        else:
            painter.drawPolyline([QPointF(x - 1, y - 3), QPointF(x + 2, y), QPointF(x - 1, y + 3)])
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(dim)
        left = row.adjusted(_NAME_INDENT_PX, 0, -_RIGHT_MARGIN_PX, 0)
        text = QFontMetricsF(font).elidedText(name, Qt.TextElideMode.ElideRight, left.width())
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_star(self, painter: QPainter, index: _Index, row: QRectF, font: QFont) -> None:
        """Draw the mark of a preferred source: before a document, behind a vendor."""
        left = row.left() + _NAME_INDENT_PX - _STAR_PX - 2
        if not isinstance(index.data(LibraryRole.STATUS), DocumentStatus):
            font.setWeight(QFont.Weight.DemiBold)
            name_px = QFontMetricsF(font).horizontalAdvance(str(index.data()))
            left = row.left() + _NAME_INDENT_PX + name_px + _GAP_PX
            left = min(left, row.right() - _RIGHT_MARGIN_PX - _STAR_PX)
        scale = painter.device().devicePixelRatio()
        star = _star(self.theme.accent, scale)
        painter.drawPixmap(QPointF(left, row.center().y() - _STAR_PX / 2), star)

    def _paint_document(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: _Index,
        status: DocumentStatus,
        row: QRectF,
        small: QFont,
    ) -> None:
        metrics = QFontMetricsF(small)
        words_width = metrics.horizontalAdvance(_WIDEST_STATE) + _GAP_PX if self.shows_words else 0
        state_width = words_width + _DOT_PX
        pages_width = metrics.horizontalAdvance("000 p")
        state_left = row.right() - _RIGHT_MARGIN_PX - state_width
        pages = QRectF(state_left - _GAP_PX - 4 - pages_width, row.top(), pages_width, row.height())
        name_left = row.left() + _NAME_INDENT_PX
        has_room = pages.left() - name_left - _GAP_PX >= _LEAST_NAME_PX
        # Of a document that is not read yet the pages are unknown: its name takes their place.
        shows_pages = has_room and status.n_pages > 0
        name_right = pages.left() if shows_pages else state_left
        name_width = name_right - name_left - _GAP_PX
        name_rect = QRectF(name_left, row.top(), name_width, row.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(option.font)
        painter.setPen(QColor(self.theme.text))
        name = QFontMetricsF(option.font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideMiddle, name_rect.width()
        )
        painter.drawText(name_rect, middle, name)
        painter.setFont(small)
        painter.setPen(QColor(self.theme.dim))
        if shows_pages:
            right = middle | Qt.AlignmentFlag.AlignRight
            painter.drawText(pages, right, index.data(LibraryRole.PAGES))
        dot = QRectF(state_left, row.center().y() - _DOT_PX / 2, _DOT_PX, _DOT_PX)
        if status.state is not DocumentState.READY:
            # A ready document is the quiet case: its dot says enough.
            words = QRectF(dot.right() + _GAP_PX, row.top(), state_width, row.height())
            painter.drawText(words, middle, str(index.data(LibraryRole.STATE)))
        self._paint_dot(painter, status, dot)

    def _paint_dot(self, painter: QPainter, status: DocumentStatus, dot: QRectF) -> None:
        """Draw the state by shape as well as colour: ring, filling pie, disc, chord, square."""
        theme = self.theme
        state = status.state
        if state is DocumentState.WAITING:
            painter.setPen(QPen(QColor(theme.dim), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot.adjusted(0.6, 0.6, -0.6, -0.6))
            return
        if state in (DocumentState.READING, DocumentState.INDEXING):
            read = status.n_pages_read / status.n_pages if status.n_pages else 0.1
            share = 0.95 if state is DocumentState.INDEXING else min(max(read, 0.1), 0.9)
            painter.setPen(QPen(QColor(theme.accent), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = dot.adjusted(-0.4, -0.4, 0.4, 0.4)
            painter.drawEllipse(ring)
            painter.setBrush(QColor(theme.accent))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPie(ring, 90 * 16, -round(share * 360 * 16))
            return
        colours = {
            DocumentState.READY: theme.ok,
            DocumentState.PARTIAL: theme.warning,
            DocumentState.FAILED: theme.error,
        }
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours[state]))
        if state is DocumentState.PARTIAL:
            painter.drawChord(dot, 0, 180 * 16)
            painter.setPen(QPen(QColor(theme.warning), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot.adjusted(0.6, 0.6, -0.6, -0.6))
        elif state is DocumentState.FAILED:
            painter.drawRoundedRect(dot.adjusted(0.3, 0.3, -0.3, -0.3), 2, 2)
        elif status.stale:
            self._paint_earlier(painter, dot)
        else:
            painter.drawEllipse(dot)

    def _paint_earlier(self, painter: QPainter, dot: QRectF) -> None:
        """Draw a ring around a small disc: ready, and made by an earlier version."""
        painter.drawEllipse(dot.adjusted(2.6, 2.6, -2.6, -2.6))
        painter.setPen(QPen(QColor(self.theme.ok), 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(0.3, 0.3, -0.3, -0.3))


@lru_cache(maxsize=8)
def _star(colour: str, scale: float) -> QPixmap:
    return themes.icon_pixmap("star", colour, _STAR_PX, scale)
