"""The part of the store that remembers what was asked, and how the answers pleased.

A question is one row of `history_entries`, which is listed and searched, and one of `history`,
which holds the answer whole. Deleting marks a row and hides it, so that it can be taken back;
`purge_history` ends that.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import LibraryError, NotStoredError
from desktop_qa.core.history import HistoryItem, HistoryState
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.index.database import Database
from desktop_qa.index.history_rows import (
    RECORDS,
    cited_documents,
    insert_question,
    item_of,
    of_conversation,
    record_of,
    search_for,
    searched_text,
)
from desktop_qa.index.records import FeedbackRecord, HistoryRecord, compress, decompress
from desktop_qa.index.stored_answers import decoded_said, encoded, encoded_said

logger = logging.getLogger(__name__)

_IDS_AT_ONCE = 500
"""SQLite takes 999 parameters in a statement at least."""


class Journal:
    """Questions with their answers, and thumbs."""

    _database: Database

    # Keeping

    def add_history(
        self,
        answer: Answer,
        settings: Mapping[str, Any] | None = None,
        asked_at: float | None = None,
        *,
        conversation: str = "",
        timings: Mapping[str, float] | None = None,
    ) -> int:
        """Keep an answer as it is and return its number.

        Args:
            answer: With its citations and evidence.
            settings: What it was made with; JSON values only.
            asked_at: Seconds since the epoch; now when not given.
            conversation: Which it belongs to; the answer's own when empty.
            timings: Seconds by stage.
        """
        blob = compress(encoded(answer))
        words = searched_text(answer)
        with self._database.write() as connection:
            return insert_question(
                connection,
                question=answer.question,
                asked_at=asked_at,
                blob=blob,
                settings=settings,
                timings=timings,
                state=answer.status.value,
                seconds=answer.seconds,
                conversation=conversation or answer.conversation,
                documents=cited_documents(connection, answer),
                text=words,
            )

    def add_failed_question(
        self,
        question: str,
        error: str,
        settings: Mapping[str, Any] | None = None,
        *,
        conversation: str = "",
        seconds: float = 0.0,
    ) -> int:
        """Keep a question that got no answer and return its number.

        Args:
            question: As it was asked.
            error: Why it failed and what to do, as the user was told.
            settings: What it was asked with; JSON values only.
            conversation: Which it belongs to.
            seconds: Until it failed.
        """
        with self._database.write() as connection:
            return insert_question(
                connection,
                question=question,
                blob=b"",
                settings=settings,
                state=HistoryState.FAILED.value,
                seconds=seconds,
                conversation=conversation,
                error=error,
            )

    # Finding

    def conversation(self, conversation: str, limit: int = 20) -> tuple[Answer, ...]:
        """Return the latest answers of a conversation, the newest last."""
        return tuple(record.answer for record in self.turns(conversation, limit) if record.answer)

    def turns(self, conversation: str, limit: int = 1000) -> tuple[HistoryRecord, ...]:
        """Return the latest turns of a conversation, failed ones too, the newest last."""
        if not conversation:
            return ()
        query = f"{RECORDS} AND e.conversation = ? AND e.conversation != ''"
        found = self._records(f"{query} ORDER BY e.id DESC LIMIT ?", (conversation, limit))
        return tuple(found)[::-1]

    def turns_until(self, history_id: int, limit: int = 20) -> tuple[Answer, ...]:
        """Return the answers of a conversation up to one of them, that one last.

        Args:
            history_id: Of a question; of one that is in no conversation it is the only one.
            limit: How many at most.
        """
        query = (
            f"{RECORDS} AND (e.id = ? OR (e.id < ? AND e.conversation != '' AND e.conversation ="
            " (SELECT conversation FROM history_entries WHERE id = ?))) ORDER BY e.id DESC LIMIT ?"
        )
        found = self._records(query, (history_id, history_id, history_id, limit))
        return tuple(record.answer for record in found if record.answer)[::-1]

    def conversation_items(self, conversation: str, limit: int) -> tuple[HistoryItem, ...]:
        """Return the latest questions of a conversation as a list shows them, the newest last."""
        if not self._database.has_history or not conversation:
            return ()
        search = of_conversation(conversation, limit)
        with self._database.read() as connection:
            rows = connection.execute(search.page, search.values).fetchall()
        return tuple(item_of(row) for row in rows)[::-1]

    def history_entry(self, history_id: int) -> HistoryRecord:
        """Return a question with its answer as it was.

        Raises:
            NotStoredError: When there is none of this number, or its answer cannot be read.
        """
        for record in self._records(f"{RECORDS} AND e.id = ?", (history_id,)):
            return record
        raise NotStoredError(history_id)

    def search_history(
        self, words: str = "", limit: int = 100, offset: int = 0
    ) -> tuple[HistoryItem, ...]:
        """Return the questions that hold all words, or whose answers do, the newest first.

        Args:
            words: Each may be the beginning of a word; empty finds all.
            limit: How many at most.
            offset: How many to leave out.
        """
        if not self._database.has_history:
            return ()
        with self._database.read() as connection:
            search = search_for(connection, words)
            rows = connection.execute(search.page, (*search.values, limit, offset)).fetchall()
        return tuple(item_of(row) for row in rows)

    def count_history(self, words: str = "") -> int:
        """Return how many questions `search_history` finds."""
        if not self._database.has_history:
            return 0
        with self._database.read() as connection:
            search = search_for(connection, words)
            row = connection.execute(search.count, search.values).fetchone()
        return int(row[0])

    def history_ids(self, ids: Iterable[int]) -> set[int]:
        """Return those of the numbers that are in the history, hidden ones too."""
        wanted = list(ids)
        known: set[int] = set()
        with self._database.read() as connection:
            for start in range(0, len(wanted), _IDS_AT_ONCE):
                some = wanted[start : start + _IDS_AT_ONCE]
                query = f"SELECT id FROM history WHERE id IN ({', '.join('?' * len(some))})"
                known.update(number for (number,) in connection.execute(query, some))
        return known

    def _records(self, query: str, values: Sequence[Any]) -> Iterator[HistoryRecord]:
        if not self._database.has_history:
            return
        with self._database.read() as connection:
            rows = connection.execute(query, values).fetchall()
        for row in rows:
            try:
                yield record_of(row)
            except (msgspec.MsgspecError, LibraryError, ValueError) as error:
                # It stays in the database; a later version may know how to read it.
                logger.warning("Answer %d of the history cannot be shown: %s", row[0], error)

    # What models said

    def keep_said(self, history_id: int, said: ModelSaid) -> None:
        """Keep what a model said of a question; what one said of it before is replaced.

        Nothing is kept where the question was deleted meanwhile.
        """
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO model_answers (history_id, said)"
                " SELECT id, ? FROM history WHERE id = ?",
                (compress(encoded_said(said)), history_id),
            )

    def model_said(self, history_id: int) -> ModelSaid | None:
        """Return what a model said of a question, `None` when none was asked."""
        if not self._database.has_model_answers:
            return None
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT said FROM model_answers WHERE history_id = ?", (history_id,)
            ).fetchone()
        if row is None:
            return None
        try:
            return decoded_said(decompress(row[0]))
        except (msgspec.MsgspecError, LibraryError, ValueError) as error:
            logger.warning("What a model said of %d cannot be shown: %s", history_id, error)
            return None

    # Forgetting

    def delete_history(self, history_ids: Sequence[int]) -> int:
        """Hide questions until `restore_history` or `purge_history`; return how many."""
        return self._mark(history_ids, "?", "deleted_at IS NULL", (time.time(),))

    def restore_history(self, history_ids: Sequence[int]) -> int:
        """Take back `delete_history` and return how many came back."""
        return self._mark(history_ids, "NULL", "deleted_at IS NOT NULL", ())

    def _mark(self, ids: Sequence[int], value: str, where: str, values: Sequence[float]) -> int:
        n_marked = 0
        with self._database.write() as connection:
            for start in range(0, len(ids), _IDS_AT_ONCE):
                some = ids[start : start + _IDS_AT_ONCE]
                marks = ", ".join("?" * len(some))
                n_marked += connection.execute(
                    f"UPDATE history_entries SET deleted_at = {value}"
                    f" WHERE {where} AND id IN ({marks})",
                    (*values, *some),
                ).rowcount
        return n_marked

    def purge_history(self) -> int:
        """Remove what was deleted for good and return how many there were."""
        deleted = "SELECT id FROM history_entries WHERE deleted_at IS NOT NULL"
        with self._database.write() as connection:
            n_deleted = int(connection.execute(f"SELECT count(*) FROM ({deleted})").fetchone()[0])
            if n_deleted:
                connection.execute(f"DELETE FROM feedback WHERE history_id IN ({deleted})")
                # The entries follow: their rows and words go with those of `history`.
                connection.execute(f"DELETE FROM history WHERE id IN ({deleted})")
        return n_deleted

    def clear_history(self) -> int:
        """Remove every question for good, with its answer and thumb; return how many."""
        with self._database.write() as connection:
            n_removed = int(connection.execute("SELECT count(*) FROM history").fetchone()[0])
            connection.execute("DELETE FROM feedback")
            connection.execute("DELETE FROM history_entries")
            connection.execute("DELETE FROM history")
        return n_removed

    # Thumbs

    def set_feedback(self, history_id: int, verdict: int, comment: str = "") -> None:
        """Keep how an answer pleased; what was said of it before is replaced.

        Args:
            history_id: Of a question.
            verdict: 1 is up, -1 is down; 0 without a comment takes the thumb back.
            comment: The user's own words.

        Raises:
            NotStoredError: When there is no such question.
        """
        if verdict not in (-1, 0, 1):
            msg = f"a verdict is -1, 0 or 1, not {verdict}"
            raise ValueError(msg)
        with self._database.write() as connection:
            query = "SELECT 1 FROM history_entries WHERE id = ? AND deleted_at IS NULL"
            if connection.execute(query, (history_id,)).fetchone() is None:
                raise NotStoredError(history_id)
            connection.execute("DELETE FROM feedback WHERE history_id = ?", (history_id,))
            if verdict or comment.strip():
                connection.execute(
                    "INSERT INTO feedback (history_id, verdict, comment, at) VALUES (?, ?, ?, ?)",
                    (history_id, verdict, comment.strip(), time.time()),
                )

    def feedback(self) -> tuple[FeedbackRecord, ...]:
        """Return the latest word on each answer, in the order in which they were given."""
        if not self._database.has_history:
            return ()
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT f.id, f.history_id, f.verdict, f.comment, f.at FROM feedback f"
                " JOIN history_entries e ON e.id = f.history_id WHERE e.deleted_at IS NULL"
                " ORDER BY f.id"
            ).fetchall()
        return tuple(FeedbackRecord(*row) for row in rows)
