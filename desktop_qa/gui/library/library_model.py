"""The rows of the library's panel as Qt wants them: a flat list of headings and documents.

A flat list, not a tree: a tree view asks Python for every row of an open group whenever something
is typed or a document changes, which takes 30 ms for 5000 documents; a list is asked for what is
on the screen. What is folded is simply not among the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from PySide6.QtCore import QMimeData, QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_order import Entry, GroupBy, LibraryOrder, Row, note_of
from desktop_qa.gui.library.library_words import (
    NOT_READ_YET,
    OTHER_FILES,
    describe,
    explain,
    found_words,
    pages_text,
)
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry, vendor_entry
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowPainter, RowsModel
from desktop_qa.gui.widgets.row_painting import (
    bold,
    paint_chevron,
    paint_ground,
    paint_line,
    paint_spans,
    small_font,
)
from desktop_qa.gui.widgets.theme import draw_icon, look
from desktop_qa.retrieve.scope import select, vendor_pattern

MIME_TYPE = "application/x-desktop-qa-scope"
PREFERRED_ROLE = ROW_ROLE + 1
"""Whether a document or vendor is a preferred source."""
NAME_INDENT_PX = 26
"""What is left of it folds and unfolds."""

_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)
_ROW_PADDING_PX = 5
_GROUP_INDENT_PX = 12
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


def mime_of(entries: Sequence[ScopeEntry]) -> QMimeData:
    """Return the data of a drag: documents, vendors and folders; empty without any."""
    data = QMimeData()
    if entries:
        data.setData(MIME_TYPE, msgspec.json.encode(entries))
    return data


def dragged(data: QMimeData) -> tuple[ScopeEntry, ...]:
    """Return what is dragged from a library's list, nothing when it is something else."""
    try:
        return msgspec.json.decode(data.data(MIME_TYPE).data(), type=tuple[ScopeEntry, ...])
    except msgspec.DecodeError:
        return ()


class LibraryModel(RowsModel):
    """Shows the rows of a `LibraryOrder`; selection and current row stay with their documents.

    Attributes:
        patterns: Of the preferred sources, as `retrieve.scope` reads them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order = LibraryOrder()
        self.patterns: tuple[str, ...] = ()
        self._preferred: set[str] = set()

    def row_at(self, index: Index) -> Row | None:
        """Return a row, None where there is none."""
        number = index.row()
        return self.rows[number] if 0 <= number < len(self.rows) else None

    def index_of(self, key: str) -> QModelIndex:
        """Return the place of a heading or document, invalid when it is not to be seen."""
        numbers = (number for number, row in enumerate(self.rows) if row.key == key)
        return self.index(next(numbers, -1))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Documents and headings can be selected and dragged."""
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return what is dragged: documents, and vendors whose headings are taken hold of."""
        rows = [self.rows[index.row()] for index in indexes]
        vendors = [vendor_entry(row.heading) for row in rows if self.is_vendor(row)]
        return mime_of([*vendors, *(document_entry(row.entry.status) for row in rows if row.entry)])

    def is_vendor(self, row: Row) -> bool:
        """Tell whether a row is the heading of a vendor's documents."""
        has_vendors = self.order.arrangement.group_by is GroupBy.VENDOR
        return has_vendors and row.heading not in ("", OTHER_FILES, NOT_READ_YET)

    def words(self, row: Row, role: int) -> object:
        """Return what a row shows, or says to those who cannot see it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return row.heading if row.entry is None else row.entry.name
        if role == PREFERRED_ROLE:
            return row.key in self._preferred
        is_spoken = role == Qt.ItemDataRole.AccessibleTextRole
        if is_spoken or role == Qt.ItemDataRole.ToolTipRole:
            return self._spoken(row) if is_spoken else self._tip(row)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and row.entry is not None:
            return explain(row.entry.status)
        return None

    def _tip(self, row: Row) -> str:
        if row.entry is None:
            return f"{row.heading}\n{n_of(row.n_under, 'document')}"
        tip = describe(row.entry.status)
        return f"{tip}\nPreferred source" if row.key in self._preferred else tip

    def _spoken(self, row: Row) -> str:
        if row.entry is None:
            state = "expanded" if row.is_open else "collapsed"
            return f"{row.heading}, {n_of(row.n_under, 'document')}, {state}"
        entry, status = row.entry, row.entry.status
        pages = f", {status.n_pages} pages" if status.n_pages else ""
        words = f"{entry.name}, {entry.vendor}{pages}, {entry.state_word}"
        if len(status.files) > 1:
            words += f", in {len(status.files)} places"
        if row.is_older:
            words += ", older revision"
        elif row.n_under:
            older = n_of(row.n_under, "older revision")
            words += f", {older} {'shown' if row.is_open else 'folded'}"
        return f"{words}, preferred source" if row.key in self._preferred else words

    def replace(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Show another library; the rows come at the end, and others may work between the steps."""
        self.order.clear()
        self.show(self.order.rows())
        yield from self.order.load(statuses)
        self.show(self.order.rows())
        # What is preferred was told while the documents were still coming.
        self.mark_preferred(self.patterns)

    def reveal(self, document_id: DocumentId) -> QModelIndex:
        """Unfold what hides a document and return its row; invalid when it is filtered out."""
        if not self.index_of(document_id).isValid():
            self.order.reveal(document_id)
            self.follow()
        return self.index_of(document_id)

    def follow(self) -> None:
        """Show the rows as they are to be now: the order was told of a change."""
        before, after = self.rows, self.order.rows()
        if before is after:
            return
        if [row.key for row in before] == [row.key for row in after]:
            self.rows = after
            for number, (old, new) in enumerate(zip(before, after, strict=True)):
                if old is not new and old != new:
                    self.dataChanged.emit(self.index(number), self.index(number))
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        self.rows = after
        # Thousands may be selected.
        numbers = {row.key: number for number, row in enumerate(after)}
        moved = [self.index(numbers.get(before[index.row()].key, -1)) for index in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def mark_preferred(self, patterns: Sequence[str]) -> None:
        """Mark the documents and vendors that are preferred sources."""
        self.patterns = tuple(patterns)
        preferred: set[str] = set()
        if patterns:
            statuses = self.order.statuses
            # The star of a vendor stands for all of its documents; its heading has it for a key.
            vendors = {vendor_pattern(status.vendor) for status in statuses if status.vendor}
            own = [pattern for pattern in patterns if pattern not in vendors]
            preferred = vendors.intersection(patterns).union(select(own, statuses).document_ids)
        if preferred == self._preferred:
            return
        self._preferred = preferred
        if self.rows:
            # Qt then asks for the flags of every row on its way: 10 ms for 5000 of them, which
            # each document that changes while a library is indexed would cost.
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))


class LibraryDelegate(RowPainter):
    """Rows without a grid: the name at the left, pages and state in columns at the right."""

    def __init__(self, view: QWidget, order: LibraryOrder) -> None:
        super().__init__(view)
        self._view = view
        self._order = order
        self._widest_word = ""

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
        """Draw a document or a heading, and the star of a preferred source beside its name."""
        row = index.data(ROW_ROLE)
        paint_ground(painter, option, rect)
        star = rect.left() + NAME_INDENT_PX - _STAR_PX - 2
        if row.entry is not None:
            self._paint_document(painter, option.font, row, row.entry, rect)
        else:
            star = _paint_heading(painter, row, rect, small_font(option.font))
        if index.data(PREFERRED_ROLE):
            place = QRectF(star, rect.center().y() - _STAR_PX / 2, _STAR_PX, _STAR_PX)
            draw_icon(painter, "star", look.theme.accent, place)

    def _paint_document(
        self, painter: QPainter, font: QFont, row: Row, entry: Entry, rect: QRectF
    ) -> None:
        status, small, dim = entry.status, small_font(font), look.theme.dim
        metrics, is_ready = QFontMetricsF(small), status.state is DocumentState.READY
        pages_px = metrics.horizontalAdvance("000 p")
        left = rect.left() + NAME_INDENT_PX + (_OLDER_INDENT_PX if row.is_older else 0)
        state_px = alone = float(_RIGHT_MARGIN_PX + _DOT_PX)
        if self._widest_word:
            word_px = metrics.horizontalAdvance(self._widest_word)
            state_px = word_px + _GAP_PX + _LEAST_MARGIN_PX + _DOT_PX
            room = rect.right() - state_px - pages_px - 2 * _GAP_PX - 4 - left
            # The column of the words is as wide in all rows, but a ready document has no word: a
            # name that has no room else takes it.
            if is_ready and QFontMetricsF(font).horizontalAdvance(entry.name) > room:
                state_px = alone
        middle, top, height = rect.center().y(), rect.top(), rect.height()
        dot = QRectF(rect.right() - state_px, middle - _DOT_PX / 2, _DOT_PX, _DOT_PX)
        pages_left = dot.left() - _GAP_PX - 4 - pages_px
        # Of a document that is not read yet the pages are unknown: its name takes their place.
        shows_pages = status.n_pages > 0 and pages_left - left - _GAP_PX >= _LEAST_NAME_PX
        if row.n_under:
            chevron = rect.left() + NAME_INDENT_PX - _GAP_PX - 2
            paint_chevron(painter, chevron, middle, is_open=row.is_open)
        right = (pages_left if shows_pages else dot.left()) - _GAP_PX
        self._paint_name(painter, font, row, entry, QRectF(left, top, right - left, height))
        if shows_pages:
            place, at = QRectF(pages_left, top, pages_px, height), Qt.AlignmentFlag.AlignRight
            paint_line(painter, place, pages_text(status), small, dim, at=at)
        if not is_ready:
            # A ready document is the quiet case: its dot says enough.
            place = QRectF(rect)
            place.setLeft(dot.right() + _GAP_PX)
            place.setRight(rect.right() - _LEAST_MARGIN_PX)
            paint_line(painter, place, entry.state_word, small, dim)
        _paint_dot(painter, status, dot)

    def _paint_name(
        self, painter: QPainter, font: QFont, row: Row, entry: Entry, rect: QRectF
    ) -> None:
        """Draw the name, and behind it what else there is to say, as far as there is room."""
        words, small, style = self._order.narrowing.words, small_font(font), bold()

        def spans(text: str) -> list[tuple[int, int]]:
            return found_words(text, words)

        painter.setPen(QColor(look.theme.dim if row.is_older else look.theme.text))
        middle = Qt.TextElideMode.ElideMiddle
        left = paint_spans(painter, rect, font, entry.name, spans, style, middle)
        room, metrics = rect.right() - left - 2 * _GAP_PX, QFontMetricsF(small)
        notes = [note_of(row, entry, words)]
        if not row.is_older:
            notes.append(note_of(row, entry, (), short=True))
        for note in notes:
            if note and room >= min(metrics.horizontalAdvance(note) + 1, _LEAST_NOTE_PX):
                painter.setPen(QColor(look.theme.dim))
                place = QRectF(left + _GAP_PX + 2, rect.top(), room, rect.height())
                paint_spans(painter, place, small, note, spans, style)
                return


def _paint_heading(painter: QPainter, row: Row, rect: QRectF, font: QFont) -> float:
    """Draw a heading with the number of its documents; returns where its star would stand."""
    middle, dim, count = rect.center().y() + 1, look.theme.dim, str(row.n_under)
    paint_chevron(painter, rect.left() + _GROUP_INDENT_PX + 4, middle, is_open=row.is_open)
    line = rect.adjusted(NAME_INDENT_PX, 0, -_RIGHT_MARGIN_PX, 0)
    paint_line(painter, line, count, font, dim, at=Qt.AlignmentFlag.AlignRight)
    line.setRight(line.right() - QFontMetricsF(font).horizontalAdvance(count) - 2 * _GAP_PX)
    font.setWeight(QFont.Weight.DemiBold)
    paint_line(painter, line, row.heading, font, dim)
    behind = line.left() + QFontMetricsF(font).horizontalAdvance(row.heading) + _GAP_PX
    return min(behind, rect.right() - 3 * _RIGHT_MARGIN_PX - _STAR_PX)


def _paint_dot(painter: QPainter, status: DocumentStatus, dot: QRectF) -> None:
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
