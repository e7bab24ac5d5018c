"""A conversation as a thread: one turn whole, the others folded above and below it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from desktop_qa.gui.answers.answer_parts import AnswerParts
from desktop_qa.gui.comparison.comparison_view import ComparisonView
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn, TurnState
from desktop_qa.gui.widgets.row_painting import small_font
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
        lowered: Parts of the line that stand lower, (start, length) each.
    """

    turn: Turn
    line: str
    is_failed: bool = False
    lowered: tuple[tuple[int, int], ...] = ()

    @property
    def question(self) -> str:
        """What was asked."""
        return self.turn.question.text


class ThreadRows(QWidget):
    """Draws the rows itself and only those on screen: two hundred cost no more than two.

    Attributes:
        chosen: With the `Turn` to unfold.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ThreadRow, ...] = ()
        self._hovered = -1
        self._focused = -1
        self._question_font = QFont(self.font())
        self._question_font.setPixelSize(look.sizes.text_px)
        self._line_font = small_font(self.font())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_rows(self, rows: Iterable[ThreadRow], what: str) -> None:
        """Show these rows.

        Args:
            rows: From the top down.
            what: They are, for screen readers: "Earlier questions".
        """
        shown = tuple(rows)
        if shown != self.rows:
            self.rows = shown
            self._hovered = self._focused = -1
            self.updateGeometry()
            self.update()
        self.setAccessibleName(f"{what}: {len(shown)}")
        self.setVisible(bool(shown))

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        lines = (QFontMetrics(font).height() for font in (self._question_font, self._line_font))
        return sum(lines) + _GAP_PX + 2 * _PADDING_PX

    def row_rect(self, index: int) -> QRect:
        """Return where a row is drawn."""
        return QRect(0, index * self.row_height, self.width(), self.row_height)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(200, self.row_height * len(self.rows))

    def minimumSizeHint(self) -> QSize:
        """Return the height of all rows, and any width."""
        return QSize(0, self.row_height * len(self.rows))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows that are asked for."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = max(event.rect().top() // self.row_height, 0)
        last = min(event.rect().bottom() // self.row_height, len(self.rows) - 1)
        for index in range(first, last + 1):
            self._paint_row(painter, index)
        painter.end()

    def _paint_row(self, painter: QPainter, index: int) -> None:
        rect, row, theme = self.row_rect(index), self.rows[index], look.theme
        if index == self._hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(rect).adjusted(0, 1, 0, -1), 7, 7)
        if index == self._focused and self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5), 7, 7)
        self._paint_fold(painter, rect)
        width = rect.width() - _LEFT_PX - _PADDING_PX
        metrics = QFontMetrics(self._question_font)
        baseline = rect.top() + _PADDING_PX + metrics.ascent()
        painter.setFont(self._question_font)
        painter.setPen(QColor(theme.text))
        question = " ".join(row.question.split())
        painter.drawText(_LEFT_PX, baseline, metrics.elidedText(question, _ELIDE, width))
        below = QFontMetrics(self._line_font)
        baseline += metrics.descent() + _GAP_PX + below.ascent()
        painter.setFont(self._line_font)
        painter.setPen(QColor(theme.error if row.is_failed else theme.dim))
        line = below.elidedText(row.line, _ELIDE, width)
        # The sign for what is left out stands for no letter of the line.
        n_kept = len(line) if line == row.line else len(line) - 1
        lowered = [(start, length) for start, length in row.lowered if start + length <= n_kept]
        draw_line(painter, QPointF(_LEFT_PX, baseline), line, lowered)

    def _paint_fold(self, painter: QPainter, rect: QRect) -> None:
        pen = QPen(QColor(look.theme.dim), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        middle = rect.top() + _PADDING_PX + QFontMetrics(self._question_font).height() / 2
        tip = QPointF(9, middle)
        painter.drawPolyline([tip + QPointF(-3.5, -3.5), tip, tip + QPointF(-3.5, 3.5)])

    def index_at(self, y: float) -> int:
        """Return the row at a height, -1 for none."""
        index = int(y // self.row_height)
        return index if 0 <= index < len(self.rows) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which row a click unfolds."""
        self._hover(self.index_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show none."""
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if index >= 0 else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Unfold a row."""
        index = self.index_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self.chosen.emit(self.rows[index].turn)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the last row from below, at the first from above."""
        super().focusInEvent(event)
        is_from_below = event.reason() == Qt.FocusReason.BacktabFocusReason
        self._focus(len(self.rows) - 1 if is_from_below else max(self._focused, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no focus."""
        super().focusOutEvent(event)
        self.update()

    def _focus(self, index: int) -> None:
        if 0 <= index < len(self.rows):
            self._focused = index
            row = self.rows[index]
            self.setAccessibleDescription(f"{row.question}\n{row.line}")
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go along the rows, and unfold one."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if key in steps and not event.modifiers():
            self._focus(self._focused + steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._focused >= 0:
                self.chosen.emit(self.rows[self._focused].turn)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show a whole question in the tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.index_at(event.pos().y())
            if index >= 0:
                words = html.escape(self.rows[index].question, quote=False)
                QToolTip.showText(event.globalPos(), f"<p>{words}</p>", self)
            return True
        return super().event(event)


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
