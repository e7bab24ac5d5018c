"""The part of the store that remembers what was asked, and how the answers pleased.

A question is one row of `history_entries`, which is listed and searched, and one of `history`,
which holds the answer whole. Deleting marks a row and hides it, so that it can be taken back;
`purge_history` ends that.
"""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import LibraryError, NotStoredError
from desktop_qa.core.history import CitedDocument, HistoryItem, HistoryState
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.index.database import Database
from desktop_qa.index.records import FeedbackRecord, HistoryRecord, compress, decompress
from desktop_qa.index.schema import HISTORY_SCHEMA, MODELS_SCHEMA, has_full_text
from desktop_qa.index.stored_answers import (
    decoded,
    decoded_said,
    encoded,
    plain_words,
)

logger = logging.getLogger(__name__)

_EXCERPT_CHARACTERS = 240
_ITEM_COLUMNS = (
    "e.id, e.asked_at, e.question, e.state,"
    f" substr(CASE e.state WHEN 'failed' THEN e.error ELSE e.text END, 1, {_EXCERPT_CHARACTERS}),"
    " e.seconds, e.conversation, coalesce(f.verdict, 0), coalesce(f.comment, '')"
)
_RECORD_COLUMNS = f"{_ITEM_COLUMNS}, e.error, h.settings, e.timings, h.answer, e.documents"
_FEEDBACK = "LEFT JOIN feedback f ON f.history_id = e.id"
_RECORDS = (
    f"SELECT {_RECORD_COLUMNS} FROM history_entries e JOIN history h ON h.id = e.id {_FEEDBACK}"
    " WHERE e.deleted_at IS NULL"
)
# Scripts that are written without spaces: the full-text index takes a run of them for one word.
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class _Search:
    """A search as two statements: `page` also takes a limit and an offset, `count` does not."""

    page: str
    count: str
    values: tuple[str, ...] = ()


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
        words = _searched_text(answer)
        with self._database.write() as connection:
            return _insert_question(
                connection,
                question=answer.question,
                asked_at=asked_at,
                blob=blob,
                settings=settings,
                timings=timings,
                state=answer.status.value,
                seconds=answer.seconds,
                conversation=conversation or answer.conversation,
                documents=_cited_documents(connection, answer),
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
            return _insert_question(
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
        query = f"{_RECORDS} AND e.conversation = ? AND e.conversation != ''"
        found = self._records(f"{query} ORDER BY e.id DESC LIMIT ?", (conversation, limit))
        return tuple(found)[::-1]

    def turns_until(self, history_id: int, limit: int = 20) -> tuple[Answer, ...]:
        """Return the answers of a conversation up to one of them, that one last.

        Args:
            history_id: Of a question; of one that is in no conversation it is the only one.
            limit: How many at most.
        """
        query = (
            f"{_RECORDS} AND (e.id = ? OR (e.id < ? AND e.conversation != '' AND e.conversation ="
            " (SELECT conversation FROM history_entries WHERE id = ?))) ORDER BY e.id DESC LIMIT ?"
        )
        found = self._records(query, (history_id, history_id, history_id, limit))
        return tuple(record.answer for record in found if record.answer)[::-1]

    def conversation_items(self, conversation: str, limit: int) -> tuple[HistoryItem, ...]:
        """Return the latest questions of a conversation as a list shows them, the newest last."""
        # The second condition lets SQLite take the index, which leaves out what is in none.
        rows = self._database.rows(
            f"SELECT {_ITEM_COLUMNS} FROM history_entries e {_FEEDBACK} WHERE e.conversation = ?"
            " AND e.conversation != '' AND e.deleted_at IS NULL ORDER BY e.id DESC LIMIT ?",
            (conversation, limit),
            since=HISTORY_SCHEMA,
        )
        return tuple(_item_of(row) for row in rows)[::-1]

    def history_entry(self, history_id: int) -> HistoryRecord:
        """Return a question with its answer as it was.

        Raises:
            NotStoredError: When there is none of this number, or its answer cannot be read.
        """
        for record in self._records(f"{_RECORDS} AND e.id = ?", (history_id,)):
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
        search = self._search_for(words)
        values = (*search.values, limit, offset)
        rows = self._database.rows(search.page, values, since=HISTORY_SCHEMA)
        return tuple(_item_of(row) for row in rows)

    def count_history(self, words: str = "") -> int:
        """Return how many questions `search_history` finds."""
        search = self._search_for(words)
        row = self._database.row(search.count, search.values, since=HISTORY_SCHEMA)
        return int(row[0]) if row else 0

    def _search_for(self, words: str) -> _Search:
        """Return how this library finds the questions that hold all words, newest first."""
        wanted = words.split()
        with self._database.read() as connection:
            if wanted and not _UNSPACED.search(words) and _has_word_index(connection):
                return _by_index(wanted)
        return _row_by_row(wanted)

    def history_ids(self, ids: Iterable[int]) -> set[int]:
        """Return those of the numbers that are in the history, hidden ones too."""
        rows = self._database.rows_of("SELECT id FROM history WHERE id IN", list(ids))
        return {number for (number,) in rows}

    def last_question(self) -> tuple[int, int]:
        """Return the number of the latest question and how many are kept: both change with them."""
        query = (
            "SELECT coalesce(max(id), 0), count(*) FROM history_entries WHERE deleted_at IS NULL"
        )
        n_last, n_kept = self._database.row(query, since=HISTORY_SCHEMA) or (0, 0)
        return int(n_last), int(n_kept)

    def asked_questions(self, limit: int) -> list[str]:
        """Return the latest questions that were answered, each once, newest first."""
        query = (
            "SELECT question FROM history_entries"
            " WHERE deleted_at IS NULL AND state = 'answered'"
            " GROUP BY question ORDER BY max(id) DESC LIMIT ?"
        )
        rows = self._database.rows(query, (limit,), since=HISTORY_SCHEMA)
        return [str(question) for (question,) in rows]

    def _records(self, query: str, values: Sequence[Any]) -> Iterator[HistoryRecord]:
        for row in self._database.rows(query, values, since=HISTORY_SCHEMA):
            try:
                yield _record_of(row)
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
                (compress(encoded(said)), history_id),
            )

    def model_said(self, history_id: int) -> ModelSaid | None:
        """Return what a model said of a question, `None` when none was asked."""
        query = "SELECT said FROM model_answers WHERE history_id = ?"
        row = self._database.row(query, (history_id,), since=MODELS_SCHEMA)
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
        return self._database.set_deleted("history_entries", history_ids, time.time())

    def restore_history(self, history_ids: Sequence[int]) -> int:
        """Take back `delete_history` and return how many came back."""
        return self._database.set_deleted("history_entries", history_ids, None)

    def purge_history(self) -> int:
        """Remove what was deleted for good and return how many there were."""
        deleted = "SELECT id FROM history_entries WHERE deleted_at IS NOT NULL"
        with self._database.write() as connection:
            connection.execute(f"DELETE FROM feedback WHERE history_id IN ({deleted})")
            # The entries follow: their rows and words go with those of `history`.
            return connection.execute(f"DELETE FROM history WHERE id IN ({deleted})").rowcount

    def clear_history(self) -> int:
        """Remove every question for good, with its answer and thumb; return how many."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM feedback")
            connection.execute("DELETE FROM history_entries")
            return connection.execute("DELETE FROM history").rowcount

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
        rows = self._database.rows(
            "SELECT f.id, f.history_id, f.verdict, f.comment, f.at FROM feedback f"
            " JOIN history_entries e ON e.id = f.history_id WHERE e.deleted_at IS NULL"
            " ORDER BY f.id",
            since=HISTORY_SCHEMA,
        )
        return tuple(FeedbackRecord(*row) for row in rows)


def _insert_question(
    connection: sqlite3.Connection,
    *,
    question: str,
    blob: bytes,
    state: str,
    seconds: float,
    conversation: str,
    settings: Mapping[str, Any] | None = None,
    asked_at: float | None = None,
    error: str = "",
    documents: Sequence[CitedDocument] = (),
    timings: Mapping[str, float] | None = None,
    text: str = "",
) -> int:
    """Keep a question in both tables and return its number; see `Journal.add_history`."""
    now = time.time() if asked_at is None else asked_at
    made_with = json.dumps(dict(settings or {}))
    number = connection.execute(
        "INSERT INTO history (asked_at, question, answer, settings, seconds)"
        " VALUES (?, ?, ?, ?, ?)",
        (now, question, blob, made_with, seconds),
    ).lastrowid
    connection.execute(
        "INSERT INTO history_entries (id, asked_at, question, state, seconds, conversation, error,"
        " documents, timings, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(number, now, question, state, seconds, conversation, error),
            msgspec.json.encode(documents).decode(),
            json.dumps(dict(timings or {})),
            text,
        ),
    )
    return int(number or 0)


def _searched_text(answer: Answer) -> str:
    """Return what of an answer is searched: its text first, then its tables."""
    cells = (
        " ".join((table.title, *table.headers, *(cell.text for row in table.rows for cell in row)))
        for table in answer.tables
    )
    return "\n".join((answer.text, *([answer.read_as] if answer.read_as else ()), *cells))


def cited_ids(answer: Answer) -> tuple[DocumentId, ...]:
    """Return the documents that an answer shows: cited, compared or pictured, in its order."""
    by_marker = {item.marker: item.segment.document_id for item in answer.evidence}
    compared = (key for table in answer.tables for key in table.document_ids if key)
    pictured = (by_marker[marker] for marker in answer.figures if marker in by_marker)
    cited = (citation.document_id for citation in answer.citations)
    return tuple(dict.fromkeys((*cited, *compared, *pictured)))


def _cited_documents(connection: sqlite3.Connection, answer: Answer) -> list[CitedDocument]:
    """Return what an answer cites, with the files and the readings of now."""
    query = (
        "SELECT coalesce((SELECT path FROM files WHERE document_id = d.id"
        " ORDER BY source_id, path LIMIT 1), ''), d.fingerprint FROM documents d WHERE d.id = ?"
    )
    found = []
    for document_id in cited_ids(answer):
        file, fingerprint = connection.execute(query, (document_id,)).fetchone() or ("", "")
        found.append(CitedDocument(document_id, file, fingerprint))
    return found


def _row_by_row(wanted: Sequence[str]) -> _Search:
    holds = " AND (e.question LIKE ? ESCAPE '\\' OR e.text LIKE ? ESCAPE '\\')" * len(wanted)
    patterns = tuple(pattern for word in wanted for pattern in [_like(word)] * 2)
    where = f"WHERE e.deleted_at IS NULL{holds}"
    return _Search(
        f"SELECT {_ITEM_COLUMNS} FROM history_entries e {_FEEDBACK} {where}"
        " ORDER BY e.id DESC LIMIT ? OFFSET ?",
        f"SELECT count(*) FROM history_entries e {where}",
        patterns,
    )


def _by_index(wanted: Sequence[str]) -> _Search:
    # Quoted, each word is what it is and no operator; a star takes it as a beginning. What has
    # neither letters nor digits is in no index and finds nothing.
    terms = ['"' + word.replace('"', '""') + '"*' for word in wanted if _WORD.search(word)]
    any_at_all = "" if terms else " AND 0"
    # In the order of the index, so that a page reads a page's worth of entries and no more.
    page = (
        f"SELECT {_ITEM_COLUMNS} FROM history_words w JOIN history_entries e ON e.id = w.rowid"
        f" {_FEEDBACK} WHERE w.history_words MATCH ? AND e.deleted_at IS NULL{any_at_all}"
        " ORDER BY w.rowid DESC LIMIT ? OFFSET ?"
    )
    count = (
        f"SELECT count(*) FROM history_words WHERE history_words MATCH ?{any_at_all}"
        " AND rowid NOT IN (SELECT id FROM history_entries WHERE deleted_at IS NOT NULL)"
    )
    return _Search(page, count, (" ".join(terms) or '""',))


def _like(word: str) -> str:
    escaped = re.sub(r"([\\%_])", r"\\\1", word)
    return f"%{escaped}%"


def _has_word_index(connection: sqlite3.Connection) -> bool:
    query = "SELECT count(*) FROM sqlite_schema WHERE name = 'history_words'"
    return bool(connection.execute(query).fetchone()[0]) and has_full_text(connection)


def _item_of(row: Sequence[Any]) -> HistoryItem:
    """Return what a row of `_ITEM_COLUMNS` holds."""
    return HistoryItem(*_item_values(row))


def _item_values(row: Sequence[Any]) -> tuple[Any, ...]:
    number, asked_at, question, state, excerpt, *rest = row
    state = HistoryState(state)
    words = excerpt if state is HistoryState.FAILED else plain_words(excerpt)
    return (number, asked_at, question, state, words, *rest)


def _record_of(row: Sequence[Any]) -> HistoryRecord:
    """Return what a row of `_RECORDS` holds.

    Raises:
        MsgspecError: When the answer is not as this version writes it.
        LibraryError: When its bytes are damaged.
        ValueError: When what stands beside it cannot be read.
    """
    *item, error, settings, timings, blob, documents = row
    answer = None
    if blob:
        # Earlier versions kept answers as they are.
        content = blob if blob[:1] == b"{" else decompress(blob)
        answer = replace(decoded(content), history_id=row[0])
    return HistoryRecord(
        *_item_values(item),
        error=error,
        settings=json.loads(settings),
        timings=json.loads(timings),
        answer=answer,
        documents=msgspec.json.decode(documents, type=tuple[CitedDocument, ...]),
    )
