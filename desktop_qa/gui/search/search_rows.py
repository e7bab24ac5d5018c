"""The places that a search found, as rows: document and page, headings, the words around them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from desktop_qa.core.search_view import SearchHit, SearchPage
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import (
    laid_out,
    marked,
    paint_ground,
    paint_line,
    paint_spans,
    small_font,
)
from desktop_qa.gui.widgets.theme import icon_pixmap, look

_LEFT_PX = 22
_RIGHT_PX = 18
_PADDING_PX = 8
_ICON_PX = 15
_GAP_PX = 7
_LINE_GAP_PX = 2
_MAX_LINES = 3
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
        layout = self._layout(row, font, width - _LEFT_PX - _RIGHT_PX)
        lines = layout.lineCount() * QFontMetricsF(font).height()
        heading = small + _LINE_GAP_PX if row.section_path else 0.0
        top = QFontMetricsF(font).height() + _LINE_GAP_PX
        return round(top + heading + lines) + 2 * _PADDING_PX

    def _layout(self, hit: SearchHit, font: QFont, width: float) -> QTextLayout:
        """Break the words into lines, with marks behind those that were found."""
        lines = partial(
            laid_out,
            font=font,
            style=marked(),
            width=max(width, 40),
            n_lines=_MAX_LINES,
            wrap=QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere,
        )
        text, layout = hit.snippet, lines(hit.snippet, spans=hit.spans)
        last = layout.lineAt(layout.lineCount() - 1)
        end = last.textStart() + last.textLength()
        if layout.lineCount() == _MAX_LINES and end < len(text):
            kept = text[: end - 2].rstrip(" …·|,") + " …"
            layout = lines(kept, spans=[s for s in hit.spans if s[1] <= len(kept) - 2])
        return layout

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: QRectF
    ) -> None:
        """Draw a row."""
        hit: SearchHit = index.data(ROW_ROLE)
        painter.setPen(QPen(QColor(look.theme.line), 1))
        y = row.bottom() - 0.5
        painter.drawLine(QPointF(row.left() + _LEFT_PX, y), QPointF(row.right() - _RIGHT_PX, y))
        paint_ground(painter, option, row)
        font = option.font
        line_height = QFontMetricsF(font).height()
        left, right = row.left() + _LEFT_PX, row.right() - _RIGHT_PX
        top = row.top() + _PADDING_PX
        self._paint_source(painter, font, hit, QRectF(left, top, right - left, line_height))
        top += line_height + _LINE_GAP_PX
        if hit.section_path:
            small = small_font(font)
            height = QFontMetricsF(small).height()
            painter.setPen(QColor(look.theme.dim))
            place, spans = QRectF(left, top, right - left, height), hit.path_spans
            paint_spans(painter, place, small, hit.heading, lambda _text: spans, marked())
            top += height + _LINE_GAP_PX
        painter.setPen(QColor(look.theme.text))
        layout = self._layout(hit, font, row.width() - _LEFT_PX - _RIGHT_PX)
        layout.draw(painter, QPointF(left, top))

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
