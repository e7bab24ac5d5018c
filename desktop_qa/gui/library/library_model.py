"""The rows of the library's panel as Qt wants them: a flat list of headings and documents.

A flat list, not a tree: a tree view asks Python for every row of an open group whenever something
is typed or a document changes, which takes 30 ms for 5000 documents; a list is asked for what is
on the screen. What is folded is simply not among the rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QModelIndex, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_order import Entry, GroupBy, LibraryOrder, Row, note_of
from desktop_qa.gui.library.library_words import (
    NOT_READ_YET,
    OTHER_FILES,
    describe,
    describe_row,
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

_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)
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


@dataclass(frozen=True, slots=True)
class Dragged:
    """What is dragged.

    Attributes:
        document_ids: The documents that were taken hold of themselves, not those of a group.
        entries: Each of them and each group, as patterns of `retrieve.scope` with their names.
    """

    document_ids: tuple[DocumentId, ...]
    entries: tuple[ScopeEntry, ...]


def mime_of(
    statuses: Iterable[DocumentStatus], groups: Iterable[ScopeEntry] = ()
) -> QMimeData | None:
    """Return the data of a drag, None when there is nothing to drag.

    Args:
        statuses: Documents of the library.
        groups: Vendors and folders, from `scope_model.vendor_entry` and its like.
    """
    documents = tuple(statuses)
    entries = [*groups, *(document_entry(status) for status in documents)]
    if not entries:
        return None
    content = {
        "documents": [status.document_id for status in documents],
        "entries": [[entry.pattern, entry.label] for entry in entries],
    }
    data = QMimeData()
    data.setData(MIME_TYPE, json.dumps(content).encode())
    return data


def dragged(data: QMimeData) -> Dragged | None:
    """Return what is dragged from a library's list, None when it is something else."""
    if not data.hasFormat(MIME_TYPE):
        return None
    try:
        content = json.loads(bytes(data.data(MIME_TYPE).data()))
        entries = tuple(
            ScopeEntry(str(pattern), str(label)) for pattern, label in content["entries"]
        )
        ids = tuple(DocumentId(str(one)) for one in content["documents"])
    except (ValueError, TypeError, KeyError):
        return None
    return Dragged(ids, entries)


class LibraryModel(RowsModel):
    """Shows the rows of a `LibraryOrder`; selection and current row stay with their documents.

    Attributes:
        order: The documents.
        patterns: Of the preferred sources, as `retrieve.scope` reads them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order = LibraryOrder()
        self._numbers: dict[str, int] | None = None
        self.patterns: tuple[str, ...] = ()
        self._preferred: set[DocumentId] = set()
        self._preferred_vendors: set[str] = set()

    @property
    def n_documents(self) -> int:
        """Documents in the library, listed or not."""
        return len(self.order)

    def row_at(self, index: Index) -> Row | None:
        """Return a row, None where there is none."""
        number = index.row()
        return self.rows[number] if index.isValid() and number < len(self.rows) else None

    def index_of(self, key: str) -> QModelIndex:
        """Return the place of a heading or document, invalid when it is not to be seen."""
        if self._numbers is None:
            self._numbers = {row.key: number for number, row in enumerate(self.rows)}
        number = self._numbers.get(key)
        return self.index(number) if number is not None else QModelIndex()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Documents and headings can be selected and dragged."""
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return what is dragged: documents, and vendors whose headings are taken hold of."""
        rows = [row for row in map(self.row_at, indexes) if row is not None]
        statuses = [row.entry.status for row in rows if row.entry is not None]
        groups = [vendor_entry(row.heading) for row in rows if self.is_vendor(row)]
        return mime_of(statuses, groups) or QMimeData()

    def is_vendor(self, row: Row) -> bool:
        """Tell whether a row is the heading of a vendor's documents."""
        return self._has_vendors and row.heading not in ("", OTHER_FILES, NOT_READ_YET)

    def words(self, row: Row, role: int) -> object:
        """Return what a row shows, or says to those who cannot see it."""
        if row.entry is None:
            return self._heading_words(row, role)
        status = row.entry.status
        if role == Qt.ItemDataRole.DisplayRole:
            return row.entry.name
        if role == PREFERRED_ROLE:
            return status.document_id in self._preferred
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = describe(status)
            return f"{tip}\nPreferred source" if status.document_id in self._preferred else tip
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return explain(status)
        return None

    def _heading_words(self, row: Row, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return row.heading
        if role == PREFERRED_ROLE:
            return row.heading in self._preferred_vendors and self._has_vendors
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.heading}\n{n_of(row.n_under, 'document')}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "expanded" if row.is_open else "collapsed"
            return f"{row.heading}, {n_of(row.n_under, 'document')}, {state}"
        return None

    def _spoken(self, row: Row) -> str:
        assert row.entry is not None
        words = describe_row(row.entry.status, row.entry.name)
        if row.is_older:
            words += ", older revision"
        elif row.n_under:
            older = n_of(row.n_under, "older revision")
            words += f", {older} {'shown' if row.is_open else 'folded'}"
        return f"{words}, preferred source" if row.key in self._preferred else words

    @property
    def _has_vendors(self) -> bool:
        return self.order.arrangement.group_by is GroupBy.VENDOR

    def replace(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Show another library; the rows come at the end, and others may work between the steps."""
        self.order.clear()
        self._take_rows()
        yield from self.order.load(statuses)
        self._take_rows()
        # What is preferred was told while the documents were still coming.
        self.mark_preferred(self.patterns)

    def update_statuses(
        self, changed: Iterable[DocumentStatus], removed: Iterable[DocumentId]
    ) -> bool:
        """Add, change, move and remove rows; False when there was nothing to do."""
        touched = self.order.update(changed, removed)
        if touched:
            self.follow(touched)
        return bool(touched)

    def reveal(self, document_id: DocumentId) -> QModelIndex:
        """Unfold what hides a document and return its row; invalid when it is filtered out."""
        index = self.index_of(document_id)
        if not index.isValid():
            self.order.reveal(document_id)
            self.follow()
            index = self.index_of(document_id)
        return index

    def _take_rows(self) -> None:
        self._numbers = None
        self.show(self.order.rows())

    def follow(self, touched: Iterable[DocumentId] = ()) -> None:
        """Show the rows as they are to be now: the order was told to narrow, arrange or fold."""
        before, after = self.rows, self.order.rows()
        if before is after:
            return
        if [row.key for row in before] == [row.key for row in after]:
            self.rows = after
            self._tell_changes(before, touched)
            return
        self.layoutAboutToBeChanged.emit()
        kept = [(index, before[index.row()].key) for index in self.persistentIndexList()]
        self.rows, self._numbers = after, None
        self.changePersistentIndexList(
            [index for index, _key in kept], [self.index_of(key) for _index, key in kept]
        )
        self.layoutChanged.emit()

    def _tell_changes(self, before: Sequence[Row], touched: Iterable[DocumentId]) -> None:
        """Have changed rows drawn again; those of headings when their count is another."""
        numbers = [self.index_of(key).row() for key in touched]
        numbers += [
            number
            for number, (old, new) in enumerate(zip(before, self.rows, strict=True))
            if old[2:] != new[2:]
        ]
        for number in numbers:
            if number >= 0:
                self.dataChanged.emit(self.index(number), self.index(number))

    def mark_preferred(self, patterns: Sequence[str]) -> None:
        """Mark the documents and vendors that are preferred sources."""
        self.patterns = tuple(patterns)
        documents: set[DocumentId] = set()
        starred: set[str] = set()
        if patterns:
            statuses = self.order.statuses
            # The star of a vendor stands for all of its documents.
            vendors = {vendor_pattern(s.vendor): s.vendor for s in statuses if s.vendor}
            own = [pattern for pattern in patterns if pattern not in vendors]
            documents = set(select(own, statuses).document_ids) if own else set()
            starred = {vendors[pattern] for pattern in patterns if pattern in vendors}
        if (documents, starred) == (self._preferred, self._preferred_vendors):
            return
        self._preferred, self._preferred_vendors = documents, starred
        if self.rows:
            # Qt then asks for the flags of every row on its way: 10 ms for 5000 of them, which
            # each document that changes while a library is indexed would cost.
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))


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
