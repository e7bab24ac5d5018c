"""A conversation as a thread: one turn whole, the others folded above and below it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QPainter, QPen
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
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowPainter, RowsModel, set_up_rows
from desktop_qa.gui.widgets.row_painting import paint_chevron, small_font
from desktop_qa.gui.widgets.symbols import Symbols, draw_line
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_PADDING_PX = 8
_LEFT_PX = 18
_GAP_PX = 2
_ELIDE = Qt.TextElideMode.ElideRight
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


class ThreadModel(RowsModel):
    """Folded turns from the top down."""

    def words(self, row: ThreadRow, role: int) -> object:
        """Return what a row shows, how it is heard, or the whole question."""
        if role == Qt.ItemDataRole.DisplayRole:
            return row.question
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.question}\n{row.line}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<p>{html.escape(row.question, quote=False)}</p>"
        return None


class ThreadDelegate(RowPainter):
    """Draws the question of a row, and its line below."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._question_font = QFont(view.font())
        self._question_font.setPixelSize(look.sizes.text_px)
        self._line_font = small_font(view.font())

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        lines = (QFontMetrics(font).height() for font in (self._question_font, self._line_font))
        return sum(lines) + _GAP_PX + 2 * _PADDING_PX

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the one height of all rows."""
        return QSize(0, self.row_height)

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, rect: QRectF
    ) -> None:
        """Draw a row."""
        row, theme = index.data(ROW_ROLE), look.theme
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 7, 7)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), 7, 7)
        metrics, below = QFontMetrics(self._question_font), QFontMetrics(self._line_font)
        top = rect.top() + _PADDING_PX
        paint_chevron(painter, 7, top + metrics.height() / 2, is_open=False)
        width = round(rect.width()) - _LEFT_PX - _PADDING_PX
        baseline = top + metrics.ascent()
        painter.setFont(self._question_font)
        painter.setPen(QColor(theme.text))
        question = metrics.elidedText(" ".join(row.question.split()), _ELIDE, width)
        painter.drawText(QPointF(_LEFT_PX, baseline), question)
        baseline += metrics.descent() + _GAP_PX + below.ascent()
        painter.setFont(self._line_font)
        painter.setPen(QColor(theme.error if row.is_failed else theme.dim))
        line = below.elidedText(row.line, _ELIDE, width)
        # The sign for what is left out stands for no letter of the line.
        n_kept = len(line) if line == row.line else len(line) - 1
        lowered = [span for span in row.lowered if span[1] <= n_kept]
        draw_line(painter, QPointF(_LEFT_PX, baseline), line, lowered)


class ThreadRows(QListView):
    """As high as all its rows: what lies around it scrolls.

    Attributes:
        chosen: With the `Turn` to unfold.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turns = ThreadModel(self)
        self._delegate = ThreadDelegate(self)
        set_up_rows(self, "thread_rows", "")
        self.setModel(self._turns)
        self.setItemDelegate(self._delegate)
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
        """Show these rows.

        Args:
            rows: From the top down.
            what: They are, for screen readers: "Earlier questions".
        """
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
        return self._delegate.row_height

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
        """Scroll the current turn; its cards may still be on their way.

        Args:
            place: See the property; `None` is its beginning.
        """
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
