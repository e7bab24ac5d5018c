"""The lists beside the pages: rows with a sign, words of the document, where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import (
    QModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QListView,
    QStackedWidget,
    QStyle,
    QStyleOptionViewItem,
)

from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_colours import paint_dot
from desktop_qa.gui.widgets.chips import chip_size, paint_chip
from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.labels import calm_label
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowsDelegate, RowsModel, set_up_rows
from desktop_qa.gui.widgets.row_painting import Line, small_font
from desktop_qa.gui.widgets.theme import look

_LEFT_PX = 10
_SIGN_PX = 30
_HEAD_PX = 8
_DOT_PX = 12
_TEXT_LINES = 3
_DETAIL_LINES = 2
_AT_ONCE = 100
"""More rows are measured in several turns of the event loop."""


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
            paint_dot(painter, dot, row.colour, is_dark=look.theme.is_dark)
        elif row.chip:
            strong = small_font(font)
            strong.setWeight(QFont.Weight.DemiBold)
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
        self.clicked.connect(self._on_clicked)

    def _key_of(self, index: QModelIndex) -> object:
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row.key if row is not None else None

    def _on_clicked(self, index: QModelIndex) -> None:
        key = self._key_of(index)
        if key is not None:
            self.chosen.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by Enter, delete by Delete."""
        key = self._key_of(self.currentIndex())
        if key is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(key)
        elif key is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit(key)
        else:
            super().keyPressEvent(event)

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
