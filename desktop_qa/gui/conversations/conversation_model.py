"""The conversations that are open: their turns, what is unfinished in them, which one is shown."""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from desktop_qa.core.answer_blocks import words_of
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.history import HistoryItem, HistoryState
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.library.scope_model import ScopeEntry

MOST_OPEN = 12
"""Conversations at a time; tabs beyond that tell nobody anything."""

NEW_TITLE = "New conversation"
_MOST_CLOSED = 20
_MOST_TITLE = 80
_MOST_EXCERPT = 240
_LEAD = re.compile(
    r"^\W*(?:please\s+|(?:can|could)\s+you\s+)?(?:(?:tell|show|give)\s+me\s+)?"
    r"(?:(?:what|which|who|where)(?:['’]s|\s+(?:is|are|was|does|do))"
    r"|how\s+(?:do|can|should|must|to)(?:\s+(?:I|you|we))?)?\s*(?:(?:the|an?)\s+)?(?=\w)",
    re.IGNORECASE,
)
_new_moment = itertools.count(1).__next__


class TurnState(StrEnum):
    """How far a question is."""

    ASKING = "asking"
    ANSWERED = "answered"
    FAILED = "failed"


class ConversationState(StrEnum):
    """What the dot of a conversation's tab says."""

    QUIET = "quiet"
    BUSY = "busy"
    NEWS = "news"


@dataclass(slots=True, eq=False)
class Turn:
    """A question of a conversation with what came of it.

    Attributes:
        view: Its answer; `None` until it is answered, or fetched from the history.
        error: Why there is none.
        history_id: Its number in the history, 0 when it is not kept.
        excerpt: The beginning of its answer.
        compared: Documents that are set side by side, of a comparison.
        looks: "This page" and "here" mean what the viewer shows.
        request_id: Of the library's process while it is under way there.
        is_waiting: The question of another conversation is answered first.
        waits_for: What has to be there before it can be asked, said to the user.
        before: What was shown when it was asked.
        marker: The citation that the viewer shows of it.
        is_seen: It was on screen with its answer.
        scroll: Place of the scroll bar in pixels below the question, `None` for its beginning.
    """

    question: Question
    state: TurnState = TurnState.ASKING
    view: AnswerView | None = None
    error: DesktopQaError | None = None
    history_id: int = 0
    excerpt: str = ""
    compared: tuple[DocumentId, ...] = ()
    looks: bool = True
    request_id: int = 0
    is_waiting: bool = False
    waits_for: str = ""
    before: Turn | None = None
    marker: int | None = None
    is_seen: bool = False
    scroll: int | None = None

    @classmethod
    def of(cls, item: HistoryItem) -> Turn:
        """Return the turn of a row of the history; its answer is to be fetched."""
        failed = item.state is HistoryState.FAILED
        error = DesktopQaError(item.excerpt) if failed else None
        state = TurnState.FAILED if failed else TurnState.ANSWERED
        question = Question(item.question)
        return cls(question, state, error=error, history_id=item.id, excerpt=item.excerpt)

    def take_answer(self, view: AnswerView) -> None:
        """Be answered."""
        self.state, self.view, self.error = TurnState.ANSWERED, view, None
        self.history_id = view.answer.history_id or self.history_id
        self.excerpt = words_of(view.answer.blocks)[:_MOST_EXCERPT]
        self.request_id, self.is_waiting = 0, False

    def take_failure(self, error: DesktopQaError) -> None:
        """Fail; the question stays."""
        self.state, self.error, self.excerpt = TurnState.FAILED, error, error.message
        self.request_id, self.is_waiting = 0, False


@dataclass(slots=True, eq=False)
class Conversation:
    """Questions that go on from each other.

    Attributes:
        id: What the history calls it.
        name: Given by the user; empty for a title taken from the first question.
        first_question: Of all turns, known before they are fetched.
        draft: Typed and not asked yet.
        scope: What the next question searches.
        current: The turn that is shown whole.
        wanted: Number in the history of the turn to show once they are fetched; 0 is the last.
        is_loaded: False until its turns were fetched from the history.
        has_news: An answer came while another conversation was shown.
        asks_alone: The next question does not go on from those before.
        shown_at: The greater, the later it was shown.
    """

    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    name: str = ""
    first_question: str = ""
    draft: str = ""
    scope: tuple[ScopeEntry, ...] = ()
    turns: list[Turn] = field(default_factory=list)
    current: Turn | None = None
    wanted: int = 0
    is_loaded: bool = True
    has_news: bool = False
    asks_alone: bool = False
    shown_at: int = field(default_factory=_new_moment)

    @property
    def title(self) -> str:
        """What its tab says."""
        return self.name or short_title(self.whole_first_question) or NEW_TITLE

    @property
    def whole_first_question(self) -> str:
        """The question that it began with."""
        if self.turns and self.is_loaded:
            return self.turns[0].question.text
        return self.first_question or (self.turns[0].question.text if self.turns else "")

    @property
    def asking(self) -> Turn | None:
        """The question under way, waiting ones too."""
        return next((turn for turn in self.turns if turn.state is TurnState.ASKING), None)

    @property
    def state(self) -> ConversationState:
        """Whether a question is under way, or an answer came unseen."""
        if self.asking is not None:
            return ConversationState.BUSY
        return ConversationState.NEWS if self.has_news else ConversationState.QUIET

    @property
    def is_blank(self) -> bool:
        """True when nothing was done in it yet."""
        return not (self.turns or self.draft.strip() or self.name) and self.is_loaded

    @property
    def answered(self) -> list[Turn]:
        """The turns that have an answer."""
        return [turn for turn in self.turns if turn.state is TurnState.ANSWERED]

    @property
    def origin(self) -> Turn | None:
        """The answered turn that the next question goes on from: the one shown, else the latest."""
        answered = self.answered
        if self.current in answered:
            return self.current
        return answered[-1] if answered else None

    def neighbour(self, step: int) -> Turn | None:
        """Return the turn so many after the one shown."""
        if self.current not in self.turns:
            return self.turns[-1] if self.turns and step < 0 else None
        index = self.turns.index(self.current) + step
        return self.turns[index] if 0 <= index < len(self.turns) else None

    def add(self, turn: Turn) -> None:
        """Append a question, which is one of this conversation then, and show it."""
        turn.question = replace(turn.question, conversation=self.id)
        turn.before = self.current
        self.turns.append(turn)
        self.current = turn

    def take_back(self, turn: Turn) -> None:
        """Leave out a question that was stopped; what was shown before is shown again."""
        if turn in self.turns:
            self.turns.remove(turn)
        if self.current is turn:
            before = turn.before
            last = self.turns[-1] if self.turns else None
            self.current = before if before in self.turns else last
        if not self.draft.strip():
            self.draft = turn.question.text

    def insert(self, turn: Turn) -> Turn:
        """Put a turn of the history among the others, where it was asked."""
        later = (n for n, one in enumerate(self.turns) if one.history_id > turn.history_id)
        asking = (n for n, one in enumerate(self.turns) if one.state is TurnState.ASKING)
        self.turns.insert(min(*later, *asking, len(self.turns), len(self.turns)), turn)
        return turn

    def take_up(self, items: Iterable[HistoryItem]) -> None:
        """Put the turns of the history before those of today, each once."""
        known = {turn.history_id for turn in self.turns if turn.history_id}
        earlier = [Turn.of(item) for item in items if item.id not in known]
        self.turns[:0] = earlier
        self.turns.sort(key=lambda turn: turn.history_id or float("inf"))
        self.is_loaded = True
        if self.current is None and self.turns:
            wanted = (turn for turn in self.turns if turn.history_id == self.wanted)
            self.current = next(wanted, self.turns[-1])
            # The viewer stays where it is until the user goes somewhere.
            self.current.is_seen = True
        if not self.turns:
            self.first_question = ""

    def drop(self, history_ids: Iterable[int]) -> bool:
        """Leave out turns that were deleted from the history; True when there was one."""
        gone = set(history_ids) - {0}
        kept = [turn for turn in self.turns if turn.history_id not in gone]
        if len(kept) == len(self.turns):
            return False
        self.turns = kept
        if self.current not in kept:
            self.current = kept[-1] if kept else None
        if not kept:
            self.first_question = ""
        return True


class OpenConversations:
    """The conversations in the order of their tabs; there is always one, and one is shown."""

    def __init__(self) -> None:
        self.all: list[Conversation] = [Conversation()]
        self.active = self.all[0]
        self._closed: list[tuple[int, Conversation]] = []

    @property
    def active_index(self) -> int:
        """Place of the one that is shown."""
        return self.all.index(self.active)

    @property
    def can_reopen(self) -> bool:
        """True when a closed one can come back."""
        return bool(self._closed)

    def of_id(self, conversation: str) -> Conversation | None:
        """Return an open conversation by what the history calls it."""
        return next((one for one in self.all if one.id == conversation), None)

    def turn_of(self, history_id: int) -> tuple[Conversation | None, Turn | None]:
        """Return the turn of a number in the history, with the open conversation it is in."""
        for conversation in self.all:
            for turn in conversation.turns:
                if turn.history_id == history_id:
                    return conversation, turn
        return None, None

    def show(self, conversation: Conversation) -> None:
        """Make one the active one."""
        self.active = conversation
        conversation.has_news = False
        conversation.shown_at = _new_moment()

    def open(self, conversation: Conversation, index: int | None = None) -> None:
        """Add a conversation and show it; the one that was not used for longest gives way.

        It stands behind the others unless its index is given.
        """
        if self.active.is_blank and index is None:
            # Nobody misses an empty tab.
            self.all[self.active_index] = conversation
        else:
            self.all.insert(len(self.all) if index is None else index, conversation)
        self.show(conversation)
        while len(self.all) > MOST_OPEN:
            idle = [one for one in self.all if one is not conversation and one.asking is None]
            self.close(min(idle or self.all[:-1], key=lambda one: one.shown_at))

    def close(self, conversation: Conversation) -> None:
        """Take a conversation away; it can be opened again."""
        index = self.all.index(conversation)
        self.all.remove(conversation)
        if not conversation.is_blank:
            self._closed = [*self._closed, (index, conversation)][-_MOST_CLOSED:]
        if not self.all:
            self.all.append(Conversation(scope=conversation.scope))
        if self.active is conversation:
            self.show(self.all[min(index, len(self.all) - 1)])

    def reopen(self) -> Conversation | None:
        """Bring the one back that was closed last, where it was."""
        if not self._closed:
            return None
        index, conversation = self._closed.pop()
        if self.active.is_blank:
            self.all.remove(self.active)
        self.open(conversation, min(index, len(self.all)))
        return conversation

    def move(self, before: int, after: int) -> None:
        """Put the conversation of one place at another."""
        self.all.insert(after, self.all.pop(before))

    def replace(self, conversations: Sequence[Conversation], active: int = 0) -> None:
        """Have others open: those of another library, or none."""
        self.all = list(conversations[:MOST_OPEN]) or [Conversation()]
        self._closed = []
        self.show(self.all[active] if 0 <= active < len(self.all) else self.all[0])

    def clear(self) -> None:
        """Forget all turns, of closed ones too; what is typed and not asked stays."""
        kept = [one for one in self.all if one.draft.strip()]
        fresh = [Conversation(draft=one.draft, scope=one.scope) for one in kept]
        active = kept.index(self.active) if self.active in kept else 0
        self.replace(fresh, active)


def short_title(question: str) -> str:
    """Name a conversation by its first question, without the words that all questions share."""
    words = " ".join(question.split())
    rest = _LEAD.sub("", words, count=1).rstrip(" ?.!") or words
    if len(rest) > _MOST_TITLE:
        rest = rest[: _MOST_TITLE - 1].rstrip() + "…"
    return rest[:1].upper() + rest[1:]
