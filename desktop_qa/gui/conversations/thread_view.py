"""A conversation as a thread: one turn whole, the others folded above and below it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QFont, QPainter, QPen
from PySide6.QtWidgets import (
    QListView,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_qa.gui.answers.answer_parts import AnswerParts
from desktop_qa.gui.comparison.comparison_view import ComparisonView
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn, TurnState
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, RowsDelegate, RowsModel, set_up_rows
from desktop_qa.gui.widgets.row_painting import Line, paint_chevron
from desktop_qa.gui.widgets.symbols import Symbols, lowered
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_LEFT_PX = 18
_BESIDE_TABLE_PX = 190
"""What stands over and under a comparison that fills the pane."""

_TRIES = 4


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A folded turn.

    Attributes:
        turn: The whole.
        line: The first of its answer, or how far it is.
        is_failed: There is no answer, the line says why.
        lowered: Parts of the line that stand lower, (first, one past the last) each.
    """

    turn: Turn
    line: str
    is_failed: bool = False
    lowered: tuple[tuple[int, int], ...] = ()

    @property
    def question(self) -> str:
        """What was asked."""
        return self.turn.question.text


class ThreadDelegate(RowsDelegate):
    """The question of a row, and its line below."""

    right_px = padding_px = 8
    gap_px = 2

    def key_of(self, _row: ThreadRow) -> object:
        """All rows are equally high."""
        return 0

    def lines_of(self, row: ThreadRow) -> Sequence[Line]:
        """Return a line of the question and one of its answer."""
        below = partial(Line, is_small=True, spans=row.lowered, style=lowered)
        colour = look.theme.error if row.is_failed else ""
        question = Line(" ".join(row.question.split()), _LEFT_PX)
        return question, below(row.line, _LEFT_PX, colour=colour)

    def paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRectF) -> None:
        """Draw it round: the rows stand on the paper of the answers."""
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.theme.hover))
            painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), 7, 7)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(look.theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(0.5, 1.5, -0.5, -1.5), 7, 7)

    def paint_signs(
        self, painter: QPainter, _row: ThreadRow, _font: QFont, first: QRectF, _last: QRectF
    ) -> None:
        """Draw what shows that a row unfolds."""
        paint_chevron(painter, 7, first.center().y(), is_open=False)


class ThreadRows(QListView):
    """As high as all its rows: what lies around it scrolls.

    Attributes:
        chosen: With the `Turn` to unfold.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turns = RowsModel(
            self,
            shown=lambda row: row.question,
            spoken=lambda row: f"{row.question}\n{row.line}",
            tip=lambda row: f"<p>{html.escape(row.question, quote=False)}</p>",
        )
        set_up_rows(self, "thread_rows", "")
        self.setModel(self._turns)
        self.setItemDelegate(ThreadDelegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._choose)
        on_keys(self, {"Return, Enter, Space": lambda: self._choose(self.currentIndex())})
        self.hide()

    def show_rows(self, rows: Iterable[ThreadRow], what: str) -> None:
        """Show rows; `what` they are is for screen readers: "Earlier questions"."""
        shown = tuple(rows)
        if shown != self.rows:
            self._turns.show(shown)
            self.updateGeometry()
        self.setAccessibleName(f"{what}: {len(shown)}")
        self.setVisible(bool(shown))

    @property
    def rows(self) -> tuple[ThreadRow, ...]:
        """What is shown."""
        return self._turns.rows

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return max(self.sizeHintForRow(0), 0)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(200, self.row_height * len(self.rows))

    def minimumSizeHint(self) -> QSize:
        """Return the height of all rows, and any width."""
        return QSize(0, self.row_height * len(self.rows))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(ROW_ROLE).turn)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the last row from below, at the first from above."""
        super().focusInEvent(event)
        is_from_below = event.reason() == Qt.FocusReason.BacktabFocusReason
        row = len(self.rows) - 1 if is_from_below else max(self.currentIndex().row(), 0)
        self.setCurrentIndex(self._turns.index(row))


class ThreadView(QObject):
    """Folds the turns, and keeps the place in the one that is whole."""

    def __init__(
        self,
        scroll_area: QScrollArea,
        parts: AnswerParts,
        earlier: ThreadRows,
        later: ThreadRows,
    ) -> None:
        super().__init__(scroll_area)
        self._area = scroll_area
        self._parts = parts
        self.earlier = earlier
        self.later = later
        self._wanted: int | None = None
        self._tries = single_shot(self, self._on_try_due)
        self._n_tries = 0
        scroll_area.verticalScrollBar().rangeChanged.connect(self._reach)
        scroll_area.verticalScrollBar().actionTriggered.connect(self._on_user_scrolled)
        scroll_area.viewport().installEventFilter(self)

    def show(self, conversation: Conversation) -> None:
        """Fold all turns but the current one."""
        turns, current = conversation.turns, conversation.current
        place = turns.index(current) if current in turns else len(turns)
        self.earlier.show_rows(map(row_of, turns[:place]), "Earlier questions")
        self.later.show_rows(map(row_of, turns[place + 1 :]), "Later questions")

    # The place

    @property
    def _anchor(self) -> int:
        """Place of the scroll bar at which the current turn begins; one folded row peeks out."""
        if not self.earlier.rows:
            return 0
        above = self.earlier.geometry().bottom() + 1 - self.earlier.row_height
        return max(above - 4, 0)

    @property
    def place(self) -> int:
        """Pixels that the current turn is scrolled by, or will be once its cards are there."""
        if self._wanted is not None:  # left before it was reached: what was meant is kept
            return self._wanted
        return self._area.verticalScrollBar().value() - self._anchor

    def go_to(self, place: int | None) -> None:
        """Scroll the current turn to a place, or to its beginning; its cards may still come."""
        self._wanted = place or 0
        self._n_tries = _TRIES
        self._tries.start()

    def _on_try_due(self) -> None:
        # What was shown or made since is laid out now, so that the first picture is in its place.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self._reach()
        self._n_tries -= 1
        if self._n_tries > 0 and self._wanted is not None:
            self._tries.start()
        elif self._wanted is not None and self._wanted <= 0:
            self._wanted = None

    def _reach(self) -> None:
        if self._wanted is None:
            return
        bar = self._area.verticalScrollBar()
        bar.setValue(self._anchor + self._wanted)
        if self._n_tries <= 0 and bar.maximum() >= self._anchor + self._wanted:
            self._wanted = None

    def _on_user_scrolled(self, _action: int) -> None:
        self._wanted = None

    # Comparisons

    def give_room(self) -> None:
        """Let a comparison fill the pane."""
        room = self._area.viewport().height() - _BESIDE_TABLE_PX
        for table in self._parts.tables:
            if isinstance(table, ComparisonView):
                table.give_room(room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give comparisons the room that there is now."""
        if event.type() == QEvent.Type.Resize:
            self.give_room()
        return super().eventFilter(watched, event)


def row_of(turn: Turn) -> ThreadRow:
    """Return a turn folded."""
    if turn.state is TurnState.ASKING:
        return ThreadRow(turn, waiting_words(turn))
    line = " ".join(turn.excerpt.split())
    pieces = turn.view.evidence if turn.view is not None else ()
    lowered = _lowered(line, tuple(piece.symbols for piece in pieces if piece.symbols))
    return ThreadRow(turn, line, turn.state is TurnState.FAILED, lowered)


@lru_cache(maxsize=1024)
def _lowered(
    line: str, symbols: tuple[tuple[tuple[str, str], ...], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the parts of a line that stand lower; the rows are made anew at every change."""
    return tuple(Symbols.of_pairs(pair for piece in symbols for pair in piece).spans(line))


def waiting_words(turn: Turn) -> str:
    """Say how far a question under way is."""
    if turn.waits_for:
        return turn.waits_for
    if turn.is_waiting:
        return "Waiting: the question of another conversation is answered first …"
    return "Comparing …" if turn.compared else "Searching …"
