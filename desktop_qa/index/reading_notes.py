"""The part of the store that notes of each document what lists show beside its row.

Kept among the notes of the library: a column of `documents` would stand behind the parsed document
itself, and a list of all documents would read through them all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from desktop_qa.core.document import Document, DocumentId, ReadingScore
from desktop_qa.core.page_names import PageStarts, page_starts
from desktop_qa.index.database import Database

_PREFIX = "read:"
_END = "read;"
"""The first key behind all that begin with the prefix."""


@dataclass(frozen=True, slots=True)
class ReadingNote:
    """What is noted when a document was read.

    Attributes:
        date: Of its revision, "2018-03" or "2018-03-21"; empty when the pages do not say.
        seconds: That reading and indexing it took; 0 when nobody looked.
        n_given_up: Readings in a row that ran into a limit.
        reading: How well it was read; the doubts of a document that was read well stay with it.
        page_starts: Where the numbers that its pages print begin to count anew.
    """

    date: str = ""
    seconds: float = 0.0
    n_given_up: int = 0
    reading: ReadingScore | None = None
    page_starts: PageStarts = ()

    @classmethod
    def of(cls, document: Document, seconds: float = 0.0, n_given_up: int = 0) -> ReadingNote:
        """Make the note of a document."""
        reading = document.reading
        if reading is not None and not reading.is_doubtful:
            reading = ReadingScore(reading.score)
        return cls(document.date, seconds, n_given_up, reading, page_starts(document.page_labels))


class ReadingNotes:
    """Notes of documents that were read."""

    _database: Database

    def reading_notes(self) -> Mapping[DocumentId, ReadingNote]:
        """Return the notes of all documents."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT key, value FROM meta WHERE key >= ? AND key < ?", (_PREFIX, _END)
            ).fetchall()
        return {DocumentId(key[len(_PREFIX) :]): _note(value) for key, value in rows}

    def reading_note(self, document_id: DocumentId) -> ReadingNote:
        """Return the note of a document; an empty one when there is none."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT value FROM meta WHERE key = ?", (_PREFIX + document_id,)
            ).fetchone()
        return ReadingNote() if row is None else _note(row[0])

    def note_reading(self, document_id: DocumentId, note: ReadingNote) -> None:
        """Keep a note, in place of an earlier one."""
        value = msgspec.json.encode(note).decode()
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)", (_PREFIX + document_id, value)
            )

    def documents_without_note(self) -> tuple[DocumentId, ...]:
        """Return the documents that were read before such notes were kept."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE n_segments > 0"
                " AND ? || id NOT IN (SELECT key FROM meta)",
                (_PREFIX,),
            ).fetchall()
        return tuple(row[0] for row in rows)


def forget_note(connection: sqlite3.Connection, document_id: DocumentId) -> None:
    """Remove the note of a document, inside the caller's transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_PREFIX + document_id,))


def _note(value: str) -> ReadingNote:
    try:
        return msgspec.json.decode(value, type=ReadingNote)
    except msgspec.MsgspecError:  # of another version: as good as none
        return ReadingNote()
