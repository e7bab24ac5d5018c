"""A conversation as a thread: one turn whole, the others folded above and below it."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop_qa.gui.answers.answer_parts import AnswerParts
from desktop_qa.gui.comparison.comparison_view import ComparisonView
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn, TurnState
from desktop_qa.gui.conversations.thread_rows import ThreadRow, ThreadRows
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.timers import single_shot

_BESIDE_TABLE_PX = 190
"""What stands over and under a comparison that fills the pane."""

_TRIES = 4


class ThreadView(QObject):
    """Folds the turns, and keeps the place in the one that is whole.

    Attributes:
        turn_chosen: With the `Turn` to unfold.
    """

    turn_chosen = Signal(object)

    def __init__(
        self,
        scroll_area: QScrollArea,
        whole: QWidget,
        parts: AnswerParts,
        earlier: ThreadRows,
        later: ThreadRows,
    ) -> None:
        super().__init__(scroll_area)
        self._area = scroll_area
        self._whole = whole
        self._parts = parts
        self.earlier = earlier
        self.later = later
        self._earlier_turns: tuple[Turn, ...] = ()
        self._later_turns: tuple[Turn, ...] = ()
        self._wanted: int | None = None
        self._tries = single_shot(self, self._on_try_due)
        self._n_tries = 0
        earlier.chosen.connect(lambda index: self.turn_chosen.emit(self._earlier_turns[index]))
        later.chosen.connect(lambda index: self.turn_chosen.emit(self._later_turns[index]))
        scroll_area.verticalScrollBar().rangeChanged.connect(self._reach)
        scroll_area.verticalScrollBar().actionTriggered.connect(self._on_user_scrolled)
        scroll_area.viewport().installEventFilter(self)

    def show(self, conversation: Conversation) -> None:
        """Fold all turns but the current one."""
        turns, current = conversation.turns, conversation.current
        place = turns.index(current) if current in turns else len(turns)
        self._earlier_turns, self._later_turns = tuple(turns[:place]), tuple(turns[place + 1 :])
        self.earlier.show_rows([row_of(turn) for turn in self._earlier_turns], "Earlier questions")
        self.later.show_rows([row_of(turn) for turn in self._later_turns], "Later questions")

    # The place

    @property
    def _anchor(self) -> int:
        """Place of the scroll bar at which the current turn begins; one folded row peeks out."""
        if not self._earlier_turns:
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

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.earlier.apply_theme(theme, sizes)
        self.later.apply_theme(theme, sizes)


def row_of(turn: Turn) -> ThreadRow:
    """Return a turn folded."""
    if turn.state is TurnState.ASKING:
        return ThreadRow(turn.question.text, waiting_words(turn))
    line = " ".join(turn.excerpt.split())
    pieces = turn.view.evidence if turn.view is not None else ()
    lowered = _lowered(line, tuple(piece.symbols for piece in pieces if piece.symbols))
    return ThreadRow(turn.question.text, line, turn.state is TurnState.FAILED, lowered)


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
