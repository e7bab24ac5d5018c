"""The part of the library that takes up earlier conversations, and forgets them whole."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.history import HistoryItem
from desktop_qa.library.asking import Asker
from desktop_qa.library.past_questions import PastQuestions

MOST_TURNS = 200
"""Of a conversation that is taken up again; the earlier ones are in the history."""


class PastConversations(PastQuestions):
    """Earlier conversations of a library.

    What is deleted is no context of the next question either.
    """

    _asker: Asker

    def conversation_items(self, conversation: str) -> tuple[HistoryItem, ...]:
        """Return the latest questions of a conversation as a list shows them, the newest last."""
        return self._store.conversation_items(conversation, MOST_TURNS)

    def delete_history(self, history_ids: Sequence[int]) -> int:
        """See `PastQuestions.delete_history`."""
        n_deleted = super().delete_history(history_ids)
        self._asker.forget_conversations()
        return n_deleted

    def restore_history(self, history_ids: Sequence[int]) -> int:
        """See `PastQuestions.restore_history`."""
        n_restored = super().restore_history(history_ids)
        self._asker.forget_conversations()
        return n_restored

    def clear_history(self) -> int:
        """See `PastQuestions.clear_history`."""
        n_deleted = super().clear_history()
        self._asker.forget_conversations()
        return n_deleted
