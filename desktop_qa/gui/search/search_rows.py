"""The places that a search found, as rows: document and page, headings, the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from desktop_qa.core.search_view import SearchHit, SearchPage
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.widgets.list_rows import Index, RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import Line
from desktop_qa.gui.widgets.theme import draw_icon, look

_LEFT_PX = 22
_ICON_PX = 15
_GAP_PX = 7
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

    right_px = 18
    padding_px = 8
    gap_px = 2

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.shows_score = False

    def key_of(self, row: SearchHit) -> object:
        """Return what the height depends on."""
        return row.segment_id + row.snippet

    def lines_of(self, row: SearchHit) -> Sequence[Line]:
        """Return where the words stand, and the words."""
        where = f"page {row.page_no}" if row.page_no else ""
        if self.shows_score and row.score:
            where = f"{row.score:.2f}  ·  {where}"
        name = partial(Line, is_strong=True, mode=Qt.TextElideMode.ElideMiddle)
        lines = [
            name(name_of(row), _LEFT_PX + _ICON_PX + _GAP_PX, beside=row.caption, tag=where),
            Line(row.heading, _LEFT_PX, is_small=True, spans=row.path_spans),
            Line(row.snippet, _LEFT_PX, n_most=_MAX_LINES, spans=row.spans),
        ]
        return lines if row.section_path else [lines[0], lines[2]]

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRectF
    ) -> None:
        """Draw a row, and a line below it."""
        painter.setPen(QPen(QColor(look.theme.line), 1))
        y = area.bottom() - 0.5
        right = area.right() - self.right_px
        painter.drawLine(QPointF(area.left() + _LEFT_PX, y), QPointF(right, y))
        super().draw(painter, option, index, area)

    def paint_signs(
        self, painter: QPainter, row: SearchHit, _font: QFont, place: QRectF, _last: QRectF
    ) -> None:
        """Draw the sign of its kind."""
        left, top = place.left() + _LEFT_PX, place.center().y() - _ICON_PX / 2
        icon = QRectF(left, top, _ICON_PX, _ICON_PX)
        draw_icon(painter, _ICONS[row.kind], look.theme.dim, icon)
