"""The part of the store that keeps both readings of documents that a language model has read."""

from __future__ import annotations

import sqlite3

import msgspec

from desktop_qa.core.document import Document, DocumentId
from desktop_qa.core.readings import KeptReadings, ModelReading
from desktop_qa.index.database import Database, damaged
from desktop_qa.index.records import compress, decompress, pack, unpack


class ModelReadings:
    """Readings beside the one that is searched; gone when the document is read anew."""

    _database: Database

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
        if not self._database.has_model_readings:
            return None
        with self._database.read() as connection:
            row: tuple[bytes, ...] | None = connection.execute(
                f"SELECT {columns} FROM model_readings WHERE document_id = ?", (document_id,)
            ).fetchone()
        return row


def readings_row(kept: KeptReadings) -> tuple[object, ...]:
    """Return the values of a row."""
    note = msgspec.json.encode(kept.note)
    blobs = (compress(pack(document)) for document in (kept.offline, kept.by_model))
    return (kept.offline.id, note, *blobs)


def insert_readings(connection: sqlite3.Connection, row: tuple[object, ...]) -> None:
    """Keep both readings, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO model_readings (document_id, note, offline, by_model) VALUES (?, ?, ?, ?)",
        row,
    )
