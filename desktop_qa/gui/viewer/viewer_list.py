"""The lists beside the pages: rows with a sign; the places that the answer cites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QPainter
from PySide6.QtWidgets import QListView, QStackedWidget, QStyle, QStyleOptionViewItem

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import MarkColour
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.marks.mark_book import fill_of, line_of, paint_dot
from desktop_qa.gui.widgets.labels import calm_label, n_of, plain_tip
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel, set_up_rows
from desktop_qa.gui.widgets.row_painting import Line, chip_size, font_like, paint_chip
from desktop_qa.gui.widgets.theme import look

_LEFT_PX = 10
_SIGN_PX = 30
_HEAD_PX = 8
_DOT_PX = 12
_TEXT_LINES = 3
_DETAIL_LINES = 2
_AT_ONCE = 100
"""More rows are measured in several turns of the event loop."""
_NO_ANSWER = "Ask something: the places that the answer cites are listed here."
_NOT_HERE = "None in this document"


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """A row, ready to draw; `key` is what it stands for, None for the head of a group.

    Attributes:
        detail: A quieter line below.
        tag: Short, at the right: the page.
        chip: Number of a citation.
    """

    key: object
    text: str
    detail: str = ""
    tag: str = ""
    chip: str = ""
    colour: MarkColour | None = None
    is_active: bool = False


class ViewerRows(RowsModel):
    """The rows of one list."""

    def show(self, rows: Sequence[ViewerRow]) -> None:
        """Show these; the current row stays with its key."""
        rows = tuple(rows)
        if [row.key for row in rows] != [row.key for row in self.rows]:
            super().show(rows)
        elif rows != self.rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def index_of(self, key: object) -> QModelIndex:
        """Return where a key stands; an invalid index when it does not."""
        places = (n for n, row in enumerate(self.rows) if row.key == key and key is not None)
        return self.index(next(places, -1))

    def words(self, row: ViewerRow, role: int) -> object:
        """Return what is read of a row, what is heard of it, or its tool tip."""
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(part for part in (row.chip, row.text, row.detail, row.tag) if part)
        if role == Qt.ItemDataRole.ToolTipRole and row.key is not None:
            return plain_tip("\n".join(part for part in (row.text, row.detail) if part))
        return None

    def is_head(self, row: ViewerRow) -> bool:
        """Heads of groups are passed over."""
        return row.key is None


class RowDelegate(RowsDelegate):
    """Draws a row in up to three lines of words and two of detail, beside its sign."""

    right_px = 10
    padding_px = 6

    def key_of(self, row: ViewerRow) -> object:
        """Rows of the same words are equally high, and so are all heads."""
        return row.key is not None and (row.text, row.detail, row.tag)

    def lines_of(self, row: ViewerRow) -> Sequence[Line]:
        """Return the words and the detail, or the head of a group."""
        if row.key is None:
            head = partial(Line, is_small=True, is_strong=True, head_px=_HEAD_PX)
            return [head(row.text, _LEFT_PX, mode=Qt.TextElideMode.ElideMiddle)]
        text, detail = (" ".join(words.split()) for words in (row.text, row.detail))
        left = _LEFT_PX + _SIGN_PX
        lines = [Line(text, left, n_most=_TEXT_LINES, tag=row.tag)]
        return [*lines, Line(detail, left, is_small=True, n_most=_DETAIL_LINES)][: 1 + bool(detail)]

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRectF
    ) -> None:
        """Draw the active row on another ground."""
        option.state &= ~QStyle.StateFlag.State_Selected
        if index.data(ROW_ROLE).is_active:
            painter.fillRect(area, QColor(look.theme.accent_soft))
            bar = QRectF(area.left(), area.top(), 3, area.height())
            painter.fillRect(bar, QColor(look.theme.accent))
            option.state &= ~QStyle.StateFlag.State_MouseOver
        super().draw(painter, option, index, area)

    def paint_signs(
        self, painter: QPainter, row: ViewerRow, font: QFont, place: QRectF, _last: QRectF
    ) -> None:
        """Draw the dot of a colour, or the chip of a citation."""
        left, middle = place.left() + _LEFT_PX, place.center().y()
        if row.colour is not None:
            dot = QRectF(left, middle - _DOT_PX / 2, _DOT_PX, _DOT_PX)
            line = line_of(row.colour, is_dark=look.theme.is_dark)
            paint_dot(painter, dot, fill_of(row.colour), line)
        elif row.chip:
            strong = font_like(font, look.sizes.small_px, QFont.Weight.DemiBold)
            size = chip_size(row.chip, strong)
            top = middle - size.height() / 2
            chip = QRectF(left - 1, top, size.width(), size.height())
            paint_chip(painter, chip, row.chip, strong, is_active=row.is_active)


class _Rows(QListView):
    """The list; a key is chosen by click or Enter, its menu and its deletion may be wanted."""

    chosen = Signal(object)
    menu_wanted = Signal(object, object)
    delete_wanted = Signal(object)

    def __init__(self, spoken: str) -> None:
        super().__init__()
        set_up_rows(self, "viewer_list", spoken)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setBatchSize(_AT_ONCE)
        choose = partial(self._tell, self.chosen)
        self.clicked.connect(choose)
        on_keys(self, {"Return, Enter": choose, "Del": partial(self._tell, self.delete_wanted)})

    def _key_of(self, index: QModelIndex) -> object:
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row.key if row is not None else None

    def _tell(self, signal: SignalInstance, index: QModelIndex | None = None) -> None:
        key = self._key_of(self.currentIndex() if index is None else index)
        if key is not None:
            signal.emit(key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a row, at the pointer or at the row."""
        is_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_key else self.indexAt(event.pos())
        key = self._key_of(index)
        if key is not None:
            at = self.visualRect(index).bottomLeft() if is_key else event.pos()
            self.menu_wanted.emit(key, self.viewport().mapToGlobal(at))


class ViewerList(QStackedWidget):
    """Rows, or a sentence that says why there are none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.view = _Rows(name)
        self.model = ViewerRows(self.view)
        self._delegate = RowDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.setFocusProxy(self.view)
        self.empty_label = calm_label("viewer_empty_label")
        self.addWidget(self.view)
        self.addWidget(self.empty_label)

    @property
    def rows(self) -> tuple[ViewerRow, ...]:
        """The rows shown."""
        return self.model.rows

    def show_rows(self, rows: Sequence[ViewerRow], empty: str) -> None:
        """Show rows, or a sentence when there are none."""
        rows = tuple(rows)
        if rows != self.model.rows:
            current = self.view.currentIndex().data(ROW_ROLE)
            place = self.view.verticalScrollBar().value()
            mode = QListView.LayoutMode
            many = len(rows) > _AT_ONCE
            self.view.setLayoutMode(mode.Batched if many else mode.SinglePass)
            self.model.show(rows)
            if current is not None:
                self.view.setCurrentIndex(self.model.index_of(current.key))
            self.view.verticalScrollBar().setValue(place)
        self.empty_label.setText(empty)
        self.setCurrentWidget(self.view if rows else self.empty_label)

    def bring_into_view(self, key: object) -> None:
        """Scroll a row into view and make it the current one."""
        index = self.model.index_of(key)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """What one citation points at on one page.

    Attributes:
        section: Headings over it, the outermost first, without the document's title.
        quote: The cited words; of a table or figure what it is called.
        page: The page for people: "45 (PDF 47)" where it prints another number.
    """

    marker: int
    path: Path
    page_no: int
    section: tuple[str, ...]
    quote: str
    places: tuple[Provenance, ...]
    page: str

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others of an answer."""
        return str(self.path), self.marker, self.page_no

    @property
    def top(self) -> float:
        """Height on the page in points."""
        return min((place.bbox.top for place in self.places), default=0.0)


def cited_places(evidence: Sequence[EvidenceView]) -> tuple[CitedPlace, ...]:
    """Return the places that an answer cites, down the pages, the document cited first first."""
    found: list[CitedPlace] = []
    order: dict[str, int] = {}
    for view in evidence:
        if not view.is_cited or not view.path:
            continue
        order.setdefault(view.path, len(order))
        for page_no in dict.fromkeys(place.page_no for place in view.places):
            places = tuple(place for place in view.places if place.page_no == page_no)
            path, section = Path(view.path), view.section_path[1:]
            quote, page = quote_of(view), view.page_name(page_no)
            found.append(CitedPlace(view.marker, path, page_no, section, quote, places, page))
    return tuple(sorted(found, key=lambda one: (order[str(one.path)], one.page_no, one.top)))


def quote_of(view: EvidenceView) -> str:
    """Return the words that stand for a piece of evidence in one line."""
    words = " … ".join(quote.strip() for quote in view.quotes if quote.strip())
    return " ".join((words or view.caption or view.text).split())


def neighbour(
    places: Sequence[CitedPlace], here: tuple[str, int, int] | None, step: int
) -> CitedPlace | None:
    """Return the place before (-1) or after (1) one, around the ends; None when there is none."""
    if not places:
        return None
    keys = [place.key for place in places]
    if here not in keys:
        return places[0 if step > 0 else -1]
    return places[(keys.index(here) + step) % len(places)]


def in_file(places: Iterable[CitedPlace], path: Path | None) -> tuple[CitedPlace, ...]:
    """Return those of one document."""
    return tuple(place for place in places if place.path == path)


class CitedList(ViewerList):
    """Lists them by page: those of the document that is shown, then the others."""

    place_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Cited places")
        self._places: tuple[CitedPlace, ...] = ()
        self._path: Path | None = None
        self._active: tuple[str, int, int] | None = None
        self.setContentsMargins(0, 4, 0, 0)
        self.view.chosen.connect(self._on_chosen)
        self._refresh()

    def show_places(self, places: Sequence[CitedPlace]) -> None:
        """Show what another answer cites."""
        self._places = tuple(places)
        self._refresh()

    def show_document(self, path: Path | None) -> None:
        """Put the places of this document first."""
        self._path = path
        self._refresh()

    def set_active(self, key: tuple[str, int, int] | None) -> None:
        """Mark the place that the viewer shows."""
        self._active = key
        self._refresh()
        if key is not None:
            self.bring_into_view(key)

    def _refresh(self) -> None:
        here = in_file(self._places, self._path)
        rows: list[ViewerRow] = []
        if self._places:
            head = f"{n_of(len(here), 'place')} in this document" if here else _NOT_HERE
            rows = [ViewerRow(None, head), *map(self._row, here)]
        for path in dict.fromkeys(one.path for one in self._places if one.path != self._path):
            of_path = in_file(self._places, path)
            rows += [ViewerRow(None, f"{len(of_path)} in {path.name}"), *map(self._row, of_path)]
        self.show_rows(rows, _NO_ANSWER)

    def _row(self, place: CitedPlace) -> ViewerRow:
        return ViewerRow(
            key=place.key,
            text=place.quote,
            detail=" › ".join(place.section),
            tag=f"p. {place.page}",
            chip=str(place.marker),
            is_active=place.key == self._active,
        )

    def _on_chosen(self, key: object) -> None:
        self.place_chosen.emit(next(place for place in self._places if place.key == key))
