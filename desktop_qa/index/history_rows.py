"""Rows of the history: how a question is kept, found by its words, and read again."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.core.history import CitedDocument, HistoryItem, HistoryState
from desktop_qa.index.records import HistoryRecord, decompress
from desktop_qa.index.schema import has_full_text
from desktop_qa.index.stored_answers import decoded, plain_words

_EXCERPT_CHARACTERS = 240
ITEM_COLUMNS = (
    "e.id, e.asked_at, e.question, e.state,"
    f" substr(CASE e.state WHEN 'failed' THEN e.error ELSE e.text END, 1, {_EXCERPT_CHARACTERS}),"
    " e.seconds, e.conversation, coalesce(f.verdict, 0), coalesce(f.comment, '')"
)
_RECORD_COLUMNS = (
    "e.id, e.asked_at, e.question, e.state, e.error, e.conversation, e.documents, e.timings,"
    " e.seconds, coalesce(f.verdict, 0), coalesce(f.comment, ''), h.settings, h.answer"
)
FEEDBACK = "LEFT JOIN feedback f ON f.history_id = e.id"
RECORDS = (
    f"SELECT {_RECORD_COLUMNS} FROM history_entries e JOIN history h ON h.id = e.id {FEEDBACK}"
    " WHERE e.deleted_at IS NULL"
)
# Scripts that are written without spaces: the full-text index takes a run of them for one word.
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"\w")


def insert_question(
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


def searched_text(answer: Answer) -> str:
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


def cited_documents(connection: sqlite3.Connection, answer: Answer) -> list[CitedDocument]:
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


@dataclass(frozen=True, slots=True)
class Search:
    """A search as two statements: `page` also takes a limit and an offset, `count` does not."""

    page: str
    count: str
    values: tuple[str, ...] = ()


def search_for(connection: sqlite3.Connection, words: str) -> Search:
    """Return how a library finds the questions that hold all words, newest first."""
    wanted = words.split()
    if wanted and _has_word_index(connection) and not _UNSPACED.search(words):
        return _by_index(wanted)
    holds = " AND (e.question LIKE ? ESCAPE '\\' OR e.text LIKE ? ESCAPE '\\')" * len(wanted)
    patterns = tuple(pattern for word in wanted for pattern in [_like(word)] * 2)
    where = f"WHERE e.deleted_at IS NULL{holds}"
    return Search(
        f"SELECT {ITEM_COLUMNS} FROM history_entries e {FEEDBACK} {where}"
        " ORDER BY e.id DESC LIMIT ? OFFSET ?",
        f"SELECT count(*) FROM history_entries e {where}",
        patterns,
    )


def of_conversation(conversation: str, limit: int) -> Search:
    """Return how a library finds the latest questions of a conversation, newest first."""
    # The second condition lets SQLite take the index, which leaves out what is in none.
    where = "WHERE e.conversation = ? AND e.conversation != '' AND e.deleted_at IS NULL"
    return Search(
        f"SELECT {ITEM_COLUMNS} FROM history_entries e {FEEDBACK} {where}"
        f" ORDER BY e.id DESC LIMIT {limit:d}",
        f"SELECT count(*) FROM history_entries e {where}",
        (conversation,),
    )


def _by_index(wanted: Sequence[str]) -> Search:
    # Quoted, each word is what it is and no operator; a star takes it as a beginning. What has
    # neither letters nor digits is in no index and finds nothing.
    terms = ['"' + word.replace('"', '""') + '"*' for word in wanted if _WORD.search(word)]
    any_at_all = "" if terms else " AND 0"
    # In the order of the index, so that a page reads a page's worth of entries and no more.
    page = (
        f"SELECT {ITEM_COLUMNS} FROM history_words w JOIN history_entries e ON e.id = w.rowid"
        f" {FEEDBACK} WHERE w.history_words MATCH ? AND e.deleted_at IS NULL{any_at_all}"
        " ORDER BY w.rowid DESC LIMIT ? OFFSET ?"
    )
    count = (
        f"SELECT count(*) FROM history_words WHERE history_words MATCH ?{any_at_all}"
        " AND rowid NOT IN (SELECT id FROM history_entries WHERE deleted_at IS NOT NULL)"
    )
    return Search(page, count, (" ".join(terms) or '""',))


def _like(word: str) -> str:
    escaped = re.sub(r"([\\%_])", r"\\\1", word)
    return f"%{escaped}%"


def _has_word_index(connection: sqlite3.Connection) -> bool:
    query = "SELECT count(*) FROM sqlite_schema WHERE name = 'history_words'"
    return bool(connection.execute(query).fetchone()[0]) and has_full_text(connection)


def item_of(row: Sequence[Any]) -> HistoryItem:
    """Return what a row of `ITEM_COLUMNS` holds."""
    number, asked_at, question, state, excerpt, *rest = row
    state = HistoryState(state)
    words = excerpt if state is HistoryState.FAILED else plain_words(excerpt)
    return HistoryItem(number, asked_at, question, state, words, *rest)


def record_of(row: Sequence[Any]) -> HistoryRecord:
    """Return what a row of `RECORDS` holds.

    Raises:
        MsgspecError: When the answer is not as this version writes it.
        LibraryError: When its bytes are damaged.
        ValueError: When what stands beside it cannot be read.
    """
    number, asked_at, question, state, error, conversation, documents, timings = row[:8]
    seconds, verdict, comment, settings, blob = row[8:]
    answer = None
    if blob:
        # Earlier versions kept answers as they are.
        content = blob if blob[:1] == b"{" else decompress(blob)
        answer = replace(decoded(content), history_id=number)
    return HistoryRecord(
        id=number,
        asked_at=asked_at,
        question=question,
        state=HistoryState(state),
        answer=answer,
        error=error,
        conversation=conversation,
        documents=msgspec.json.decode(documents, type=tuple[CitedDocument, ...]),
        timings=json.loads(timings),
        settings=json.loads(settings),
        seconds=seconds,
        verdict=verdict,
        comment=comment,
    )
