"""Draws the rows of a document's structure: number, title and page, size and picture."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QUrl,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QImageReader,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
)

from desktop_qa.gui.evidence.figure_reader import ImageJob, reader
from desktop_qa.gui.evidence.figure_view import paint_framed
from desktop_qa.gui.structure.structure_model import Row, RowKind
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowPainter
from desktop_qa.gui.widgets.row_painting import (
    faded,
    paint_chevron,
    paint_ground,
    paint_line,
    small_font,
)
from desktop_qa.gui.widgets.theme import look

THUMBNAIL = QSize(60, 44)
_PADDING_PX = 5
_EDGE_PX = 12
_ARROW_PX = 14
_DEPTH_PX = 14
_MAX_DEPTH_DRAWN = 5
_GAP_PX = 8
_BAR_PX = 3
_FADED = 0.62
_TIP_IMAGE_PX = 360


def arrow_rect(row: QRect, depth: int) -> QRect:
    """Return where a click folds and unfolds a chapter."""
    left = row.left() + _EDGE_PX + min(depth, _MAX_DEPTH_DRAWN) * _DEPTH_PX - 4
    return QRect(left, row.top(), _ARROW_PX + 6, row.height())


class StructureDelegate(RowPainter):
    """Chapters in a line; tables and figures in two, under what they are called.

    `counts` are the rows shown and there of each group, `current` is the chapter that is read.
    """

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self.counts: dict[RowKind, tuple[int, int]] = {}
        self.current = QPersistentModelIndex()
        self._view = view
        self._thumbnails: dict[tuple[str, float], QPixmap] = {}

    @staticmethod
    def heights(view: QTreeView) -> dict[RowKind | None, int]:
        """Return the heights of the rows, for `StructureModel`."""
        line = view.fontMetrics().height()
        return {
            None: line + 2 * _PADDING_PX,
            RowKind.CHAPTER: line + 2 * _PADDING_PX,
            RowKind.TABLE: 2 * line + 2 * _PADDING_PX,
            RowKind.FIGURE: max(THUMBNAIL.height(), 2 * line) + 2 * _PADDING_PX,
        }

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRectF
    ) -> None:
        """Draw a row or the head of a group."""
        paint_ground(painter, option, area)
        small = small_font(option.font)
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            self._paint_group(painter, option, index, area, small)
        elif row.kind is RowKind.CHAPTER:
            self._paint_chapter(painter, option, index, row, small)
        else:
            self._paint_element(painter, option, row, small)

    # What all rows have

    def _ink(self, colour: str, row: Row) -> QColor:
        return faded(colour, _FADED if row.boilerplate else 1.0)

    def _write_pages(self, painter: QPainter, area: QRectF, row: Row, font: QFont) -> float:
        """Write the page at the right edge; returns the room it took with its gaps."""
        line, ink = area.adjusted(0, 0, -_EDGE_PX, 0), self._ink(look.theme.dim, row)
        shown = paint_line(painter, line, row.pages, font, ink, at=Qt.AlignmentFlag.AlignRight)
        return _EDGE_PX + QFontMetricsF(font).horizontalAdvance(shown) + _GAP_PX

    # The kinds of rows

    def _paint_group(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        area: QRectF,
        font: QFont,
    ) -> None:
        is_open = bool(option.state & QStyle.StateFlag.State_Open)
        middle = area.center().y() + 1
        paint_chevron(painter, area.left() + _EDGE_PX + 4, middle, is_open=is_open)
        name, dim = str(index.data()), look.theme.dim
        shown, total = self.counts.get(RowKind(name), (0, 0))
        text = f"{shown} of {total}" if shown != total else str(total)
        line = area.adjusted(_EDGE_PX + _ARROW_PX, 0, -_EDGE_PX, 0)
        paint_line(painter, line, text, font, dim, at=Qt.AlignmentFlag.AlignRight)
        font.setWeight(QFont.Weight.DemiBold)
        paint_line(painter, line, name, font, dim)

    def _paint_chapter(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        row: Row,
        small: QFont,
    ) -> None:
        area = QRectF(option.rect)
        indent = _EDGE_PX + min(row.depth, _MAX_DEPTH_DRAWN) * _DEPTH_PX
        if index.model().hasChildren(index):
            is_open = bool(option.state & QStyle.StateFlag.State_Open)
            middle = area.center().y() + 1
            paint_chevron(painter, area.left() + indent + 4, middle, is_open=is_open)
        is_current = self.current.isValid() and self.current == index
        if is_current:
            painter.fillRect(
                QRectF(area.left(), area.top() + 2, _BAR_PX, area.height() - 4),
                QColor(look.theme.accent),
            )
        room = self._write_pages(painter, area, row, small)
        font = QFont(option.font)
        if is_current or row.depth == 0:
            font.setWeight(QFont.Weight.DemiBold if is_current else QFont.Weight.Medium)
        line = area.adjusted(indent + _ARROW_PX, 0, -room, 0)
        if row.number:
            ink = self._ink(look.theme.accent if is_current else look.theme.dim, row)
            shown = paint_line(painter, line, row.number, font, ink)
            width = QFontMetricsF(font).horizontalAdvance(shown)
            line.setLeft(line.left() + width + _GAP_PX)
        ink = self._ink(look.theme.accent if is_current else look.theme.text, row)
        paint_line(painter, line, row.title, font, ink)

    def _paint_element(
        self, painter: QPainter, option: QStyleOptionViewItem, row: Row, small: QFont
    ) -> None:
        area = QRectF(option.rect)
        left = _EDGE_PX + _ARROW_PX
        if row.kind is RowKind.FIGURE:
            self._paint_thumbnail(painter, area, row)
            left += THUMBNAIL.width() + _GAP_PX
        upper = QRectF(area)
        if row.detail:
            height = option.fontMetrics.height()
            upper = QRectF(area.left(), area.center().y() - height, area.width(), height)
            lower = upper.translated(0, height).adjusted(left, 0, -_EDGE_PX, 0)
            paint_line(painter, lower, row.detail, small, self._ink(look.theme.dim, row))
        room = self._write_pages(painter, upper, row, small)
        ink = self._ink(look.theme.dim if row.is_borrowed else look.theme.text, row)
        paint_line(painter, upper.adjusted(left, 0, -room, 0), row.title, option.font, ink)

    def _paint_thumbnail(self, painter: QPainter, area: QRectF, row: Row) -> None:
        """Draw a figure on white paper in both themes."""
        frame = QRectF(
            area.left() + _EDGE_PX + _ARROW_PX,
            area.center().y() - THUMBNAIL.height() / 2,
            THUMBNAIL.width(),
            THUMBNAIL.height(),
        ).adjusted(0.5, 0.5, -0.5, -0.5)
        scale = painter.device().devicePixelRatioF()
        pixmap = self.thumbnail(row.image_path, scale) if row.image_path else QPixmap()
        size = pixmap.deviceIndependentSize()
        size.scale(frame.width() - 4, frame.height() - 4, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(QPointF(), size)
        target.moveCenter(frame.center())
        painter.save()
        painter.setOpacity(_FADED if row.boilerplate else 1.0)
        line = QColor(look.theme.line)
        paint_framed(painter, frame, None if pixmap.isNull() else pixmap, target, line)
        painter.restore()

    def thumbnail(self, path: str, scale: float) -> QPixmap:
        """Return an image for a device pixel ratio, null while it is not read or cannot be."""
        key = (path, scale)
        if key not in self._thumbnails and (natural := QImageReader(path).size()).isValid():
            size = natural.scaled(THUMBNAIL * scale, Qt.AspectRatioMode.KeepAspectRatio)
            size = size.expandedTo(QSize(1, 1))
            job = ImageJob(path, "", size, QRect(QPoint(), size))
            reader().read(job, self, partial(self._on_read, key))
        return self._thumbnails.setdefault(key, QPixmap())

    def _on_read(self, key: tuple[str, float], image: QImage, _reason: str) -> None:
        self._thumbnails[key] = QPixmap.fromImage(image)
        self._thumbnails[key].setDevicePixelRatio(key[1])
        self._view.viewport().update()

    def forget_thumbnails(self) -> None:
        """Drop what was read: a document that is read again has other images of the same names."""
        self._thumbnails.clear()

    # The tool tip

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Show the whole title, and a figure larger."""
        row = index.data(ROW_ROLE)
        if event.type() != QEvent.Type.ToolTip or not isinstance(row, Row):
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), tool_tip(row), view)
        return True


def tool_tip(row: Row) -> str:
    """Return everything about a row, as rich text."""
    lines = [f"<b>{html.escape(row.text)}</b>"]
    words = [row.detail]
    if row.kind is RowKind.TABLE:
        words = [row.detail.replace(" × ", " rows × ") + " columns"]
    if row.pages:
        words.append(f"page{'s' if '–' in row.pages else ''} {row.pages}")
    if row.boilerplate:
        words.append("legal, ordering or packaging matter")
    lines.append(html.escape(" · ".join(word for word in words if word)))
    size = QImageReader(row.image_path).size() if row.image_path else QSize()
    if size.isValid():
        width = min(size.width(), _TIP_IMAGE_PX)
        source = html.escape(QUrl.fromLocalFile(row.image_path).toString())
        lines.append(f'<img src="{source}" width="{width}">')
    return "<br>".join(line for line in lines if line)
