"""The places that a search found, in the pane of answers: counted, filtered, sorted, walked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.search_view import SearchHit, SearchPage, SearchSort
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.dialog_parts import one_of
from desktop_qa.gui.widgets.labels import n_of, plain_label, say, told
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel, set_up_rows
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
_SORT_WORDS = {
    SearchSort.RELEVANCE: "By relevance",
    SearchSort.DOCUMENT: "By document",
    SearchSort.PAGE: "By page",
}
_KINDS = {
    SegmentKind.TEXT: "Text",
    SegmentKind.TABLE: "Tables",
    SegmentKind.FIGURE: "Figures",
}
_MOST_RESPELLED = 48
"""Characters of a search on a button; it must not widen the pane."""

_HELP = """<p>Type words to list the places that hold them, without an answer.</p>
<table cellpadding="3">
<tr><td><code>supply voltage</code></td><td>all the words, in any form</td></tr>
<tr><td><code>"input offset voltage"</code></td><td>exactly this phrase</td></tr>
<tr><td><code>offset -drift</code></td><td>without a word</td></tr>
<tr><td><code>sleep OR standby</code></td><td>one of the words</td></tr>
<tr><td><code>kind:table</code></td><td>only tables, figures or text</td></tr>
<tr><td><code>part:… vendor:… file:…</code></td><td>only these documents</td></tr>
<tr><td><code>page:10-20 rev:B</code></td><td>only these pages, this revision</td></tr>
</table>"""


class SearchModel(RowsModel):
    """Hits in the order in which they were found."""

    page: SearchPage | None = None

    def show_page(self, page: SearchPage | None) -> None:
        """Show the first places of another search, those that follow what is here, or none."""
        self.forget_wait()
        self.page = page
        if page is None or not page.request.offset:
            self.show(page.hits if page is not None else ())
        elif page.request.offset == len(self.rows):
            self.append(page.hits)

    @property
    def has_more(self) -> bool:
        """True when there are places that are not here yet."""
        page = self.page
        # Places that left the library meanwhile are counted and cannot be shown.
        if page is None or not page.hits:
            return False
        return len(self.rows) < page.n_found or not page.is_exact


def spoken(hit: SearchHit) -> str:
    """Return a row for those who hear it."""
    page = f"page {hit.page_no}" if hit.page_no else ""
    parts = (PurePosixPath(hit.file).stem, page, hit.kind, hit.heading, hit.snippet)
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
        lines = [
            Line(
                PurePosixPath(row.file).stem,
                _LEFT_PX + _ICON_PX + _GAP_PX,
                is_strong=True,
                beside=row.caption,
                tag=where,
                mode=Qt.TextElideMode.ElideMiddle,
            ),
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


class SearchPanel(QWidget):
    """Shows what a search found; what is done with it is done by `SearchLink`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search_panel")
        self.sort = SearchSort.RELEVANCE
        self.count_label = told(QLabel(self), "heading_label")
        self.note_label = plain_label("", self, "search_note")
        self.respell_button = QPushButton(self)
        self.message_label = plain_label("", self, "search_message")
        self.help_label = plain_label(_HELP, self, "search_help")
        self.sort_button = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.score_button = told(QToolButton(self), tip="Show how well each place fits the words")
        self.ask_button = QPushButton("Ask about these", self)
        self.kind_buttons: dict[SegmentKind, QPushButton] = {}
        self.list = QListView(self)
        self.model = SearchModel(self, lambda hit: hit.snippet, spoken, tool_tip)
        self.delegate = SearchDelegate(self.list)
        self._build()
        self.score_button.toggled.connect(self._on_score_toggled)
        self.show_nothing()

    def _build(self) -> None:
        self.help_label.setTextFormat(Qt.TextFormat.RichText)
        self.help_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.help_label.setAccessibleName("How to search")
        told(self.respell_button, "link_button", tip="Search for this instead")
        self.respell_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._build_sort_menu()
        self.score_button.setText("Score")
        self.score_button.setCheckable(True)
        told(self.ask_button, "link_button", tip="Ask a question of the documents that were found")
        set_up_rows(self.list, "search_list", "Places found")
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        head = in_row(margins=(22, 12, 14, 0), spacing=4, inside=column)
        put(head, (self.count_label, 1), self.ask_button)
        below = in_row(margins=(20, 4, 14, 6), spacing=6, inside=column)
        for kind, text in _KINDS.items():
            only = f"Only {text.lower()}"
            tip = f"{only} (kind:{kind.value})"
            button = told(QPushButton(text, self), "filter_chip", only, tip)
            button.setCheckable(True)
            self.kind_buttons[kind] = button
            below.addWidget(button)
        put(below, None, self.score_button, self.sort_button)
        column.addWidget(self.note_label)
        put(in_row(margins=(14, 0, 14, 4), inside=column), self.respell_button, None)
        put(column, self.message_label, self.help_label, (self.list, 1), (None, 0))

    def _build_sort_menu(self) -> None:
        menu = QMenu(self.sort_button)
        self.sort_actions = {sort: menu.addAction(text) for sort, text in _SORT_WORDS.items()}
        one_of(self.sort_actions.values(), self)
        self.sort_button.setMenu(menu)
        self.sort_button.setToolTip("In which order places are listed")
        self.set_sort(self.sort)

    def show_nothing(self, message: str = "") -> None:
        """Show how to search, and why it could not be done if so."""
        self.model.show_page(None)
        self.count_label.setText("Search")
        self._show_parts(message=message, note="")

    def show_page(self, page: SearchPage) -> None:
        """Show the first places of a search, or those that follow what is here."""
        self.model.show_page(page)
        if not page.request.offset:
            self.list.scrollToTop()
        self.count_label.setText(count_words(page))
        message = "" if page.n_found else "Nothing in the documents fits this search."
        self._show_parts(message=message, note="\n".join(page.notes))

    def show_pending(self, error: DesktopQaError) -> None:
        """Say what a search lacks that is still being typed; what is listed stays."""
        say(self.note_label, str(error))
        self.help_label.hide()

    def _show_parts(self, *, message: str, note: str) -> None:
        has_rows = self.model.rowCount() > 0
        meant = self.page.respelled if self.page is not None else ""
        shown = meant if len(meant) <= _MOST_RESPELLED else f"{meant[:_MOST_RESPELLED]}…"
        self.respell_button.setText(f"Search for {shown}".replace("&", "&&"))
        self.respell_button.setVisible(bool(meant))
        say(self.message_label, message)
        say(self.note_label, note)
        self.help_label.setVisible(not has_rows and not note and self.page is None)
        self.list.setVisible(has_rows)
        self.ask_button.setVisible(has_rows)
        self.score_button.setVisible(has_rows)
        self.sort_button.setVisible(has_rows)

    @property
    def page(self) -> SearchPage | None:
        """What was found last; None when nothing is searched for."""
        return self.model.page

    @property
    def chosen(self) -> SearchHit | None:
        """The place that the list stands on."""
        hit = self.list.currentIndex().data(ROW_ROLE)
        return hit if isinstance(hit, SearchHit) else None

    def enter(self) -> bool:
        """Give the list the keyboard, on its first row; False when there is none."""
        if not self.model.rowCount():
            return False
        # Before it has the focus, which would make the first row current and not selected.
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0, 0))
        self.list.setFocus()
        return True

    def set_sort(self, sort: SearchSort) -> None:
        """Say in which order places are listed."""
        self.sort = sort
        self.sort_actions[sort].setChecked(True)
        self.sort_button.setText(f"{_SORT_WORDS[sort]}  ▾")
        self.sort_button.setAccessibleName(f"Order: {_SORT_WORDS[sort].lower()}")

    def _on_score_toggled(self, is_on: bool) -> None:
        self.delegate.shows_score = is_on
        self.list.viewport().update()

    def sizeHint(self) -> QSize:
        """Take what the pane has."""
        return QSize(340, 400)


def count_words(page: SearchPage) -> str:
    """Return how much was found: "527 places in 51 documents"."""
    n, documents = page.n_found, n_of(len(page.document_ids), "document", ",")
    if not n:
        return "No places"
    places = n_of(n, "place", ",") if page.is_exact else f"More than {n:,} places"
    return f"{places} in {documents}"
