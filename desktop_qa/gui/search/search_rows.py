"""The places that a search found, as rows: document and page, headings, the words around them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
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
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem

from desktop_qa.core.search_view import SearchHit, SearchPage
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import paint_line, small_font
from desktop_qa.gui.widgets.theme import icon_pixmap, look

_LEFT_PX = 22
_RIGHT_PX = 18
_PADDING_PX = 8
_ICON_PX = 15
_GAP_PX = 7
_LINE_GAP_PX = 2
_MAX_LINES = 3
_MARK_STRENGTH = 0.24
_ICONS = {
    SegmentKind.TEXT: "suggest_section",
    SegmentKind.TABLE: "suggest_table",
    SegmentKind.FIGURE: "figure",
}
_KIND_WORDS = {
    SegmentKind.TEXT: "text",
    SegmentKind.TABLE: "table",
    SegmentKind.FIGURE: "figure",
}


class SearchModel(RowsModel):
    """Hits in the order in which they were found."""

    _n_found = 0
    _is_exact = True

    def show_page(self, page: SearchPage | None) -> None:
        """Show the first places of another search, those that follow what is here, or none."""
        self.forget_wait()
        hits = page.hits if page is not None else ()
        # Places that left the library meanwhile are counted and cannot be shown.
        self._n_found, self._is_exact = (
            (page.n_found, page.is_exact) if page and hits else (0, True)
        )
        if page is None or not page.request.offset:
            self.show(hits)
        elif page.request.offset == len(self.rows):
            self.append(hits)

    @property
    def has_more(self) -> bool:
        """True when there are places that are not here yet."""
        return bool(self.rows) and (len(self.rows) < self._n_found or not self._is_exact)

    def words(self, row: SearchHit, role: int) -> object:
        """Return what a row shows, how it is heard, or its tip."""
        if role == Qt.ItemDataRole.DisplayRole:
            return row.snippet
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return tool_tip(row) if role == Qt.ItemDataRole.ToolTipRole else None


def name_of(hit: SearchHit) -> str:
    """Return the name of a hit's file without folders and ending."""
    name = hit.file.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name else name


def spoken(hit: SearchHit) -> str:
    """Return a row for those who hear it."""
    page = f"page {hit.page_no}" if hit.page_no else ""
    parts = (name_of(hit), page, _KIND_WORDS[hit.kind], hit.heading, hit.snippet)
    return ", ".join(part for part in parts if part)


def tool_tip(hit: SearchHit) -> str:
    """Return what a row has no room for."""
    lines = (hit.title, hit.heading, hit.caption, hit.file)
    score = f"Score {hit.score:.2f}" if hit.score else ""
    return "\n".join(line for line in (*lines, score) if line)


class SearchDelegate(RowsDelegate):
    """A line for the document, one for the headings, up to three for the words."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.shows_score = False

    def key_of(self, row: SearchHit) -> object:
        """Return what the height depends on."""
        return row.segment_id + row.snippet

    def height_of(self, row: SearchHit, font: QFont, width: int) -> float:
        """Return the height that the words take."""
        small = QFontMetricsF(small_font(font)).height()
        layout = self._layout(row.snippet, row.spans, font, width - _LEFT_PX - _RIGHT_PX)
        lines = layout.lineCount() * QFontMetricsF(font).height()
        heading = small + _LINE_GAP_PX if row.section_path else 0.0
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
        tint = QColor(look.theme.accent)
        tint.setAlphaF(_MARK_STRENGTH)
        formats = []
        for start, end in spans:
            one = QTextLayout.FormatRange()
            marked = QTextCharFormat()
            marked.setBackground(tint)
            marked.setForeground(QColor(look.theme.text))
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

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a row."""
        hit: SearchHit = index.data(ROW_ROLE)
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
            small = small_font(font)
            height = QFontMetricsF(small).height()
            self._paint_heading(painter, small, hit, QRectF(left, top, right - left, height))
            top += height + _LINE_GAP_PX
        painter.setPen(QColor(look.theme.text))
        layout = self._layout(hit.snippet, hit.spans, font, row.width() - _LEFT_PX - _RIGHT_PX)
        layout.draw(painter, QPointF(left, top))
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, QColor(look.theme.accent_soft if is_chosen else look.theme.hover))
        painter.setPen(QPen(QColor(look.theme.line), 1))
        y = row.bottom() - 0.5
        painter.drawLine(QPointF(row.left() + _LEFT_PX, y), QPointF(row.right() - _RIGHT_PX, y))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(look.theme.accent), 1))
            painter.drawRoundedRect(row.adjusted(2.5, 1.5, -2.5, -1.5), 5, 5)

    def _paint_source(self, painter: QPainter, font: QFont, hit: SearchHit, line: QRectF) -> None:
        scale = painter.device().devicePixelRatio()
        pixmap = icon_pixmap(_ICONS[hit.kind], look.theme.dim, _ICON_PX, scale)
        painter.drawPixmap(QPointF(line.left(), line.center().y() - _ICON_PX / 2), pixmap)
        small = small_font(font)
        where = f"page {hit.page_no}" if hit.page_no else ""
        if self.shows_score and hit.score:
            where = f"{hit.score:.2f}  ·  {where}"
        paint_line(painter, line, where, small, look.theme.dim, at=Qt.AlignmentFlag.AlignRight)
        strong = QFont(font)
        strong.setWeight(QFont.Weight.DemiBold)
        right = QFontMetricsF(small).horizontalAdvance(where) + 12
        name = line.adjusted(_ICON_PX + _GAP_PX, 0, -right, 0)
        middle = Qt.TextElideMode.ElideMiddle
        shown = paint_line(painter, name, name_of(hit), strong, look.theme.text, mode=middle)
        name.setLeft(name.left() + QFontMetricsF(strong).horizontalAdvance(shown) + 10)
        if hit.caption and name.width() > 40:
            paint_line(painter, name, hit.caption, small, look.theme.dim)

    def _paint_heading(self, painter: QPainter, font: QFont, hit: SearchHit, line: QRectF) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(hit.heading, Qt.TextElideMode.ElideRight, line.width())
        tint = QColor(look.theme.accent)
        tint.setAlphaF(_MARK_STRENGTH)
        for start, end in hit.path_spans:
            if end <= len(shown.rstrip("…")):
                x = line.left() + metrics.horizontalAdvance(shown[:start])
                width = metrics.horizontalAdvance(shown[start:end])
                painter.fillRect(QRectF(x, line.top(), width, line.height()), tint)
        painter.setFont(font)
        painter.setPen(QColor(look.theme.dim))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
