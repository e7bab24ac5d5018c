"""Earlier questions as rows: newest first, a line for each day, the first words of each answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView

from desktop_qa.core.history import HistoryItem, HistoryPage, HistoryState
from desktop_qa.gui.widgets.history_days import (
    answer_words,
    day_label,
    day_of,
    found_spans,
    spoken,
    time_label,
)
from desktop_qa.gui.widgets.list_rows import RowsDelegate, RowsModel
from desktop_qa.gui.widgets.row_painting import Line, small_font
from desktop_qa.gui.widgets.theme import draw_icon, look

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


class HistoryModel(RowsModel):
    """The pages that have come, as questions under the names of their days."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[HistoryItem] = []
        self.total = 0
        self.query = ""

    @property
    def items(self) -> tuple[HistoryItem, ...]:
        """The questions that have come, newest first."""
        return tuple(self._items)

    def show_page(self, page: HistoryPage) -> None:
        """Take a page: the first replaces all, the next of the same query goes below."""
        self.forget_wait()
        if page.offset == 0:
            self.total, self.query = page.total, page.query
            self._items = list(page.items)
            self.show(_under_days(page.items, None))
        elif page.query == self.query and page.offset == len(self._items):
            last = day_of(self._items[-1].asked_at) if self._items else None
            self.total = page.total
            self._items += page.items
            self.append(_under_days(page.items, last))

    @property
    def has_more(self) -> bool:
        """True when there is a page that has not come."""
        return len(self._items) < self.total

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
