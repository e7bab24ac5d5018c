"""The earlier questions of each conversation, at hand for a follow-up."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque

from desktop_qa.core.answer import Answer
from desktop_qa.core.question import Question
from desktop_qa.index.store import Store
from desktop_qa.retrieve.follow_up import Turn

_MAX_CONVERSATIONS = 64
_MAX_TURNS = 8
"""Of each conversation; a follow-up goes back to the question before it."""


class Conversations:
    """Remembers the latest turns; what it has forgotten it takes from the history of the library.

    Usable from several threads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._turns: OrderedDict[str, deque[Turn]] = OrderedDict()

    def before(self, question: Question) -> tuple[Turn, ...]:
        """Return the turns that a question may go on from, the latest last.

        The one that it names is the last of them, whichever conversation that belongs to, while it
        is kept; else it is the latest of its own.

        Raises:
            LibraryError: When the history cannot be read.
        """
        if question.alone:
            return ()
        origin = question.goes_on_from
        stored = self._store.turns_until(origin, _MAX_TURNS) if origin else ()
        return tuple(map(Turn.of, stored)) or self._turns_of(question.conversation)

    def _turns_of(self, conversation: str) -> tuple[Turn, ...]:
        if not conversation:
            return ()
        with self._lock:
            known = self._turns.get(conversation)
        if known is None:
            stored = self._store.conversation(conversation, _MAX_TURNS)
            known = deque(map(Turn.of, stored), _MAX_TURNS)
            self._keep(conversation, known)
        return tuple(known)

    def add(self, answer: Answer) -> None:
        """Remember an answer as the latest turn of its conversation."""
        if not answer.conversation:
            return
        known = deque(self._turns_of(answer.conversation), _MAX_TURNS)
        known.append(Turn.of(answer))
        self._keep(answer.conversation, known)

    def forget(self) -> None:
        """Forget every turn; what is still in the history is taken from there when it is needed."""
        with self._lock:
            self._turns.clear()

    def _keep(self, conversation: str, turns: deque[Turn]) -> None:
        with self._lock:
            self._turns[conversation] = turns
            self._turns.move_to_end(conversation)
            while len(self._turns) > _MAX_CONVERSATIONS:
                self._turns.popitem(last=False)
