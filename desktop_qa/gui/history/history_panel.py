"""The history at the left: earlier questions by day, searched, opened, asked again, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QListView, QMenu, QPushButton, QToolButton, QWidget

from desktop_qa.core.history import HistoryItem, HistoryPage, HistoryState
from desktop_qa.gui.focus_order import bring_focus, on_keys
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.history_days import (
    answer_words,
    day_label,
    day_of,
    found_spans,
    spoken,
    time_label,
)
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, FilterEdit, RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import Line, small_font
from desktop_qa.gui.widgets.theme import draw_icon, look
from desktop_qa.gui.widgets.timers import single_shot

_LEFT_PX = 14
_TEXT_LEFT_PX = 32
_DAY_PX = 12
_SIGN_LEFT_PX = 10
_THUMB_PX = 13
_GAP_PX = 6
_MOST_LINES = 2
_SIGNS = {
    HistoryState.ANSWERED: ("ready", "ok"),
    HistoryState.NOT_FOUND: ("waiting", "dim"),
    HistoryState.CLARIFY: ("stale", "accent"),
    HistoryState.WITHHELD: ("stale", "accent"),
    HistoryState.FAILED: ("failed", "error"),
}
"""The shape and the colour of how a question ended."""

PAGE_LENGTH = 60
_MAX_RELOADED = 300
"""Rows laid out at once; of a list scrolled further the rest comes page by page again."""
_SEARCH_AFTER_MS = 160
_UNDO_SHOWN_MS = 12_000
_NOTHING_YET = "Questions that you ask appear here, with their answers as they were."


class HistoryModel(RowsModel):
    """The pages that have come, as questions under the names of their days."""

    total = 0
    query = ""

    @property
    def items(self) -> tuple[HistoryItem, ...]:
        """The questions that have come, newest first."""
        return tuple(row for row in self.rows if isinstance(row, HistoryItem))

    def show_page(self, page: HistoryPage) -> None:
        """Take a page: the first replaces all, the next of the same query goes below."""
        self.forget_wait()
        if page.offset == 0:
            self.total, self.query = page.total, page.query
            self.show(_under_days(page.items, None))
        elif page.query == self.query and page.offset == len(self.items):
            last = day_of(self.items[-1].asked_at)
            self.total = page.total
            self.append(_under_days(page.items, last))

    @property
    def has_more(self) -> bool:
        """True when there is a page that has not come."""
        return len(self.items) < self.total

    def index_of(self, history_id: int) -> QModelIndex:
        """Return the row of a question, an invalid one when it is not there."""
        for number, row in enumerate(self.rows):
            if isinstance(row, HistoryItem) and row.id == history_id:
                return self.index(number)
        return QModelIndex()

    def first_item(self, row: int = 0) -> QModelIndex:
        """Return the first question from a row on, else the last one before it."""
        n_rows = len(self.rows)
        for candidate in (*range(max(row, 0), n_rows), *range(min(row, n_rows) - 1, -1, -1)):
            if isinstance(self.rows[candidate], HistoryItem):
                return self.index(candidate)
        return QModelIndex()

    def words(self, row: HistoryItem | str, role: int) -> object:
        """Return what a row shows, how it is heard, or its tip."""
        if isinstance(row, str):
            return row if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.question
        return spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def is_head(self, row: HistoryItem | str) -> bool:
        """Days are passed over."""
        return isinstance(row, str)


def _under_days(items: Iterable[HistoryItem], day_before: date | None) -> list[str | HistoryItem]:
    rows: list[str | HistoryItem] = []
    for item in items:
        day = day_of(item.asked_at)
        if day != day_before:
            rows.append(day_label(day, date.today()))
            day_before = day
        rows.append(item)
    return rows


class HistoryDelegate(RowsDelegate):
    """A question takes one line or two; below them stand the answer's first words and the time."""

    right_px = 12
    padding_px = 6
    gap_px = 1

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.query = ""

    def key_of(self, row: HistoryItem | str) -> object:
        """Return the number of a question; all days are equally high."""
        return row.id if isinstance(row, HistoryItem) else 0

    def lines_of(self, row: HistoryItem | str) -> Sequence[Line]:
        """Return the question and the answer, or a day."""
        if isinstance(row, str):
            return [Line(row, _LEFT_PX, is_small=True, is_strong=True, head_px=_DAY_PX)]
        question, answer = " ".join(row.question.split()), answer_words(row, self.query)
        asked, said = (found_spans(text, self.query) for text in (question, answer))
        below = partial(Line, is_small=True, spans=said, tag=time_label(row.asked_at))
        return [
            Line(question, _TEXT_LEFT_PX, n_most=_MOST_LINES, spans=asked),
            below(answer, _TEXT_LEFT_PX, tag_room_px=_THUMB_PX + _GAP_PX if row.verdict else 0),
        ]

    def paint_signs(
        self, painter: QPainter, row: Any, font: QFont, first: QRectF, last: QRectF
    ) -> None:
        """Draw how it ended, and the thumb beside the time."""
        if isinstance(row, str):
            return
        theme, (sign, colour) = look.theme, _SIGNS[row.state]
        dot = QRectF(first.left() + _SIGN_LEFT_PX, first.center().y() - 8, 16, 16)
        draw_icon(painter, f"state_{sign}", getattr(theme, colour), dot)
        if row.verdict:
            looks = ("thumb_up", theme.ok) if row.verdict > 0 else ("thumb_down", theme.error)
            when = QFontMetricsF(small_font(font)).horizontalAdvance(time_label(row.asked_at))
            thumb = QRectF(0, 0, _THUMB_PX, _THUMB_PX)
            thumb.moveCenter(last.center())
            thumb.moveRight(last.right() - when - _GAP_PX)
            draw_icon(painter, *looks, thumb)


class HistoryPanel(QWidget):
    """Shows the pages that it is given and says what it wants.

    Attributes:
        page_wanted: With (query, how many, offset).
        open_requested: With the `HistoryItem` to show as it was.
        delete_requested: With the tuple of `HistoryItem`.
        undo_requested: With the tuple of ids that shall come back.
    """

    page_wanted = Signal(str, int, int)
    open_requested = Signal(object)
    delete_requested = Signal(object)
    undo_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        search = {"FilterEdit": lambda parent: FilterEdit("", "", parent=parent)}
        load_form("history_panel.ui", self, search)
        self.search_edit = child(self, FilterEdit, "search_edit")
        self.more_button = child(self, QToolButton, "more_button")
        self.count_label = child(self, QLabel, "history_count_label")
        self.list = child(self, QListView, "history_list")
        self.empty_label = child(self, QLabel, "history_empty_label")
        self.undo_bar = child(self, QFrame, "undo_bar")
        self.undo_label = child(self, QLabel, "undo_label")
        self.undo_button = child(self, QPushButton, "undo_delete_button")
        self.search_edit.rows = self.list
        self.model = HistoryModel(self)
        self._delegate = HistoryDelegate(self.list)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.is_read_only = False
        self._is_stale = True
        self._deleted: tuple[int, ...] = ()
        self._row_kept = 0
        self._search_timer = single_shot(self, self.reload, _SEARCH_AFTER_MS)
        self._undo_timer = single_shot(self, self.undo_bar.hide, _UNDO_SHOWN_MS)
        menu = QMenu(self.more_button)
        self.export_all_action = menu.addAction("Export the Listed Questions …")
        menu.addSeparator()
        self.clear_action = menu.addAction("Clear the History …")
        menu.aboutToShow.connect(self._update_more_menu)
        self.more_button.setMenu(menu)
        self.search_edit.textChanged.connect(lambda _text: self._search_timer.start())
        self.search_edit.returnPressed.connect(self._on_search_returned)
        self.list.activated.connect(self._on_activated)
        self.list.clicked.connect(self._on_clicked)
        self.model.more_wanted.connect(
            lambda: self.page_wanted.emit(self.model.query, PAGE_LENGTH, len(self.model.items))
        )
        self.undo_button.clicked.connect(self.undo)
        keys = {"Ctrl+Z": self.undo, "Del, Backspace": lambda: self.delete(self.selected)}
        on_keys(self.list, keys)

    # What is shown

    @property
    def query(self) -> str:
        """What is searched for; empty for all."""
        return " ".join(self.search_edit.text().split())

    def forget(self) -> None:
        """Show nothing: another library is opened."""
        self._deleted = ()
        self.undo_bar.hide()
        self.search_edit.clear()
        self.model.show_page(HistoryPage("", (), 0, 0))
        self.invalidate()

    def invalidate(self) -> None:
        """Ask for the list again, now or when it is looked at."""
        self._is_stale = True
        if self.isVisible():
            self.reload()

    def reload(self) -> None:
        """Ask for the list from its beginning, as much as is shown of it."""
        self._search_timer.stop()
        self._is_stale = False
        is_same = self.query == self.model.query
        n_shown = min(len(self.model.items), _MAX_RELOADED) if is_same else 0
        self.page_wanted.emit(self.query, max(PAGE_LENGTH, n_shown), 0)

    def show_page(self, page: HistoryPage) -> None:
        """Show a page that came; one of another search is dropped."""
        if page.query != self.query:
            return
        kept = [item.id for item in self.selected]
        current = self.list.currentIndex().data(ROW_ROLE)
        scrolled = self.list.verticalScrollBar().value()
        is_same = page.query == self._delegate.query
        self._delegate.query = page.query
        self.model.show_page(page)
        if page.offset == 0:
            self._select(kept, current)
            # Now, not in the next turn: where nothing is laid out, nothing can be scrolled.
            self.list.doItemsLayout()
            self.list.verticalScrollBar().setValue(scrolled if is_same else 0)
        self._update_words()

    def show_failure(self) -> None:
        """Let what did not come be asked for again."""
        self.model.forget_wait()
        self._is_stale = True

    def _select(self, ids: list[int], current: object) -> None:
        """Select what was selected, or the row where something was deleted."""
        selection = self.list.selectionModel()
        for index in map(self.model.index_of, ids):
            if index.isValid():
                selection.select(index, QItemSelectionModel.SelectionFlag.Select)
        if not isinstance(current, HistoryItem):
            return
        index = self.model.index_of(current.id)
        if not index.isValid():
            index = self.model.first_item(self._row_kept)
        if index.isValid():
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            if not selection.hasSelection():
                flag = QItemSelectionModel.SelectionFlag.Select
            selection.setCurrentIndex(index, flag)

    def _update_words(self) -> None:
        total = self.model.total
        self.count_label.setText(n_of(total, "question", "\u2009") if total else "")
        self.count_label.setVisible(total > 0)
        self.list.setVisible(total > 0)
        self.empty_label.setVisible(total == 0)
        nothing = f"No question and no answer holds “{self.query}”." if self.query else _NOTHING_YET
        self.empty_label.setText(nothing)

    @property
    def selected(self) -> tuple[HistoryItem, ...]:
        """The selected questions, newest first."""
        rows = sorted(self.list.selectionModel().selectedIndexes(), key=QModelIndex.row)
        items = (index.data(ROW_ROLE) for index in rows)
        return tuple(item for item in items if isinstance(item, HistoryItem))

    # What the user does

    def focus_search(self) -> None:
        """Go to the field that searches."""
        bring_focus(self.search_edit)
        self.search_edit.selectAll()

    def _on_search_returned(self) -> None:
        if self._search_timer.isActive():
            self.reload()
        else:
            self.search_edit.enter_rows()

    def _on_activated(self, index: QModelIndex) -> None:
        item = index.data(ROW_ROLE)
        if isinstance(item, HistoryItem):
            self.open_requested.emit(item)

    def _on_clicked(self, index: QModelIndex) -> None:
        if len(self.selected) == 1 and not self.list.style().styleHint(
            self.list.style().StyleHint.SH_ItemView_ActivateItemOnSingleClick
        ):
            self._on_activated(index)

    def delete(self, items: tuple[HistoryItem, ...]) -> None:
        """Ask for questions to be deleted; the next one becomes the current one."""
        if items and not self.is_read_only:
            self._row_kept = min(self.model.index_of(item.id).row() for item in items)
            self.delete_requested.emit(items)

    def offer_undo(self, ids: tuple[int, ...]) -> None:
        """Say that questions were deleted, with the way back."""
        self._deleted = ids
        n_deleted = len(ids)
        what = "Question deleted" if n_deleted == 1 else f"{n_deleted} questions deleted"
        self.undo_label.setText(what)
        self.undo_bar.show()
        self._undo_timer.start()

    def undo(self) -> None:
        """Bring back what was deleted last."""
        if self._deleted:
            ids, self._deleted = self._deleted, ()
            self.undo_bar.hide()
            self.undo_requested.emit(ids)

    def _update_more_menu(self) -> None:
        has_answers = any(item.state is not HistoryState.FAILED for item in self.model.items)
        self.export_all_action.setEnabled(has_answers)
        self.clear_action.setEnabled(bool(self.model.total) and not self.is_read_only)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the list when it is looked at for the first time, or has changed since."""
        super().showEvent(event)
        if self._is_stale:
            self.reload()
