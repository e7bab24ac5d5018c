"""Draws a place that was found: its document and page, its headings, the words around it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_qa.core.search_view import SearchHit
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.search.search_model import SearchRole, name_of
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.row_painting import small_font

_LEFT_PX = 22
_RIGHT_PX = 18
_PADDING_PX = 8
_ICON_PX = 15
_GAP_PX = 7
_LINE_GAP_PX = 2
_MAX_LINES = 3
_MARK_STRENGTH = 0.24
_MAX_SIZES = 5000
_ICONS = {
    SegmentKind.TEXT: "suggest_section",
    SegmentKind.TABLE: "suggest_table",
    SegmentKind.FIGURE: "figure",
}

_Index = QModelIndex | QPersistentModelIndex


class SearchDelegate(QStyledItemDelegate):
    """A line for the document, one for the headings, up to three for the words."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = themes.LIGHT
        self.small_px = 12
        self.shows_score = False
        self._sizes: dict[tuple[str, int], QSize] = {}

    def set_theme(self, theme: themes.Theme, small_px: int) -> None:
        """Draw in other colours, with small text of another size."""
        self.theme, self.small_px = theme, small_px
        self._sizes.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height that the words take at the width of the list."""
        hit: SearchHit = index.data(SearchRole.HIT)
        width = self._view.viewport().width()
        key = (hit.segment_id + hit.snippet, width)
        size = self._sizes.get(key)
        if size is None:
            if len(self._sizes) > _MAX_SIZES:
                self._sizes.clear()
            size = self._sizes[key] = QSize(120, self._height(option.font, hit, width))
        return size

    def _height(self, font: QFont, hit: SearchHit, width: int) -> int:
        small = QFontMetricsF(small_font(font, self.small_px)).height()
        layout = self._layout(hit.snippet, hit.spans, font, width - _LEFT_PX - _RIGHT_PX)
        lines = layout.lineCount() * QFontMetricsF(font).height()
        heading = small + _LINE_GAP_PX if hit.section_path else 0.0
        top = QFontMetricsF(font).height() + _LINE_GAP_PX
        return round(top + heading + lines) + 2 * _PADDING_PX

    def _layout(
        self, text: str, spans: Sequence[tuple[int, int]], font: QFont, width: float
    ) -> QTextLayout:
        """Break the words into lines, with marks behind those that were found."""
        layout = self._lines(text, spans, font, width)
        last = layout.lineAt(layout.lineCount() - 1)
        end = last.textStart() + last.textLength()
        if layout.lineCount() == _MAX_LINES and end < len(text):
            kept = text[: end - 2].rstrip(" …·|,") + " …"
            layout = self._lines(kept, [s for s in spans if s[1] <= len(kept) - 2], font, width)
        return layout

    def _lines(
        self, text: str, spans: Sequence[tuple[int, int]], font: QFont, width: float
    ) -> QTextLayout:
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        tint = QColor(self.theme.accent)
        tint.setAlphaF(_MARK_STRENGTH)
        formats = []
        for start, end in spans:
            one = QTextLayout.FormatRange()
            marked = QTextCharFormat()
            marked.setBackground(tint)
            marked.setForeground(QColor(self.theme.text))
            # Settable attributes of the binding, which its stubs declare as such.
            one.start, one.length, one.format = start, end - start, marked
            formats.append(one)
        layout.setFormats(formats)
        layout.beginLayout()
        height = 0.0
        for _ in range(_MAX_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(width, 40))
            line.setPosition(QPointF(0, height))
            height += QFontMetricsF(font).height()
        layout.endLayout()
        return layout

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a row."""
        hit: SearchHit = index.data(SearchRole.HIT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRectF(option.rect)
        self._paint_ground(painter, option, row)
        font = option.font
        line_height = QFontMetricsF(font).height()
        left, right = row.left() + _LEFT_PX, row.right() - _RIGHT_PX
        top = row.top() + _PADDING_PX
        self._paint_source(painter, font, hit, QRectF(left, top, right - left, line_height))
        top += line_height + _LINE_GAP_PX
        if hit.section_path:
            small = small_font(font, self.small_px)
            height = QFontMetricsF(small).height()
            self._paint_heading(painter, small, hit, QRectF(left, top, right - left, height))
            top += height + _LINE_GAP_PX
        painter.setPen(QColor(self.theme.text))
        layout = self._layout(hit.snippet, hit.spans, font, row.width() - _LEFT_PX - _RIGHT_PX)
        layout.draw(painter, QPointF(left, top))
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, QColor(self.theme.accent_soft if is_chosen else self.theme.hover))
        painter.setPen(QPen(QColor(self.theme.line), 1))
        y = row.bottom() - 0.5
        painter.drawLine(QPointF(row.left() + _LEFT_PX, y), QPointF(row.right() - _RIGHT_PX, y))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(self.theme.accent), 1))
            painter.drawRoundedRect(row.adjusted(2.5, 1.5, -2.5, -1.5), 5, 5)

    def _paint_source(self, painter: QPainter, font: QFont, hit: SearchHit, line: QRectF) -> None:
        scale = painter.device().devicePixelRatio()
        pixmap = themes.icon_pixmap(_ICONS[hit.kind], self.theme.dim, _ICON_PX, scale)
        painter.drawPixmap(QPointF(line.left(), line.center().y() - _ICON_PX / 2), pixmap)
        small = small_font(font, self.small_px)
        where = f"page {hit.page_no}" if hit.page_no else ""
        if self.shows_score and hit.score:
            where = f"{hit.score:.2f}  ·  {where}"
        metrics = QFontMetricsF(small)
        painter.setFont(small)
        painter.setPen(QColor(self.theme.dim))
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line, aligned, where)
        strong = QFont(font)
        strong.setWeight(QFont.Weight.DemiBold)
        painter.setFont(strong)
        painter.setPen(QColor(self.theme.text))
        name = line.adjusted(_ICON_PX + _GAP_PX, 0, -metrics.horizontalAdvance(where) - 12, 0)
        shown = QFontMetricsF(strong).elidedText(
            name_of(hit), Qt.TextElideMode.ElideMiddle, name.width()
        )
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, shown)
        name.setLeft(name.left() + QFontMetricsF(strong).horizontalAdvance(shown) + 10)
        if hit.caption and name.width() > 40:
            painter.setFont(small)
            painter.setPen(QColor(self.theme.dim))
            caption = metrics.elidedText(hit.caption, Qt.TextElideMode.ElideRight, name.width())
            painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, caption)

    def _paint_heading(self, painter: QPainter, font: QFont, hit: SearchHit, line: QRectF) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(hit.heading, Qt.TextElideMode.ElideRight, line.width())
        tint = QColor(self.theme.accent)
        tint.setAlphaF(_MARK_STRENGTH)
        for start, end in hit.path_spans:
            if end <= len(shown.rstrip("…")):
                x = line.left() + metrics.horizontalAdvance(shown[:start])
                width = metrics.horizontalAdvance(shown[start:end])
                painter.fillRect(QRectF(x, line.top(), width, line.height()), tint)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.dim))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
