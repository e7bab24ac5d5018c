"""The part of the store that notes of each document how it was read, and by whom.

What lists show beside its row is kept among the notes of the library: a column of `documents` would
stand behind the parsed document itself, and a list of all documents would read through them all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from desktop_qa.core.document import Document, DocumentId, ReadingScore
from desktop_qa.core.page_names import PageStarts, page_starts
from desktop_qa.core.readings import KeptReadings, ModelReading
from desktop_qa.index.database import Database, damaged
from desktop_qa.index.records import compress, decompress, pack, unpack
from desktop_qa.index.schema import READINGS_SCHEMA

INSERT_READINGS = (
    "INSERT INTO model_readings (document_id, note, offline, by_model) VALUES (?, ?, ?, ?)"
)
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


class Readings:
    """Notes of the library, of how documents were read, and what models made of them."""

    _database: Database

    def meta(self, key: str) -> str | None:
        """Return a note about the library as a whole."""
        row = self._database.row("SELECT value FROM meta WHERE key = ?", (key,))
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep a note about the library as a whole."""
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def reading_notes(self) -> Mapping[DocumentId, ReadingNote]:
        """Return the notes of all documents."""
        rows = self._database.rows(
            "SELECT key, value FROM meta WHERE key >= ? AND key < ?", (_PREFIX, _END)
        )
        return {DocumentId(key[len(_PREFIX) :]): _note(value) for key, value in rows}

    def reading_note(self, document_id: DocumentId) -> ReadingNote:
        """Return the note of a document; an empty one when there is none."""
        value = self.meta(_PREFIX + document_id)
        return ReadingNote() if value is None else _note(value)

    def note_reading(self, document_id: DocumentId, note: ReadingNote) -> None:
        """Keep a note, in place of an earlier one."""
        self.set_meta(_PREFIX + document_id, msgspec.json.encode(note).decode())

    def documents_without_note(self) -> tuple[DocumentId, ...]:
        """Return the documents that were read before such notes were kept."""
        rows = self._database.rows(
            "SELECT id FROM documents WHERE n_segments > 0"
            " AND ? || id NOT IN (SELECT key FROM meta)",
            (_PREFIX,),
        )
        return tuple(row[0] for row in rows)

    # Readings beside the one that is searched; gone when the document is read anew

    def model_reading(self, document_id: DocumentId) -> ModelReading | None:
        """Return what is known of a model's reading; `None` where there is none."""
        row = self._row(document_id, "note")
        if row is None:
            return None
        try:
            return msgspec.json.decode(row[0], type=ModelReading)
        except msgspec.MsgspecError as error:
            raise damaged(error) from error

    def kept_readings(self, document_id: DocumentId) -> KeptReadings | None:
        """Return both readings of a document; `None` where no model has read it."""
        note = self.model_reading(document_id)
        row = self._row(document_id, "offline, by_model")
        if note is None or row is None:
            return None
        offline, by_model = (unpack(decompress(blob), Document) for blob in row)
        return KeptReadings(offline, by_model, note)

    def _row(self, document_id: DocumentId, columns: str) -> tuple[bytes, ...] | None:
        query = f"SELECT {columns} FROM model_readings WHERE document_id = ?"
        row: tuple[bytes, ...] | None = self._database.row(
            query, (document_id,), since=READINGS_SCHEMA
        )
        return row


def forget_note(connection: sqlite3.Connection, document_id: DocumentId) -> None:
    """Remove the note of a document, inside the caller's transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_PREFIX + document_id,))


def _note(value: str) -> ReadingNote:
    try:
        return msgspec.json.decode(value, type=ReadingNote)
    except msgspec.MsgspecError:  # of another version: as good as none
        return ReadingNote()


def readings_row(kept: KeptReadings) -> tuple[object, ...]:
    """Return the values of `INSERT_READINGS`."""
    note = msgspec.json.encode(kept.note)
    blobs = (compress(pack(document)) for document in (kept.offline, kept.by_model))
    return (kept.offline.id, note, *blobs)
