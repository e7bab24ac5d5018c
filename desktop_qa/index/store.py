"""The library's one source of truth: documents, segments, files, history, in one SQLite file.

Chroma and the indexes in memory are rebuilt from it. Every method may be called from any thread of
the process; each writing method is one short transaction, so a question's history never waits long
for an ingest. All of them may raise `LibraryError` and its kinds (`desktop_qa.index.database`).
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import Document, DocumentId, PageFailure, PageWords, Provenance
from desktop_qa.core.errors import (
    LibraryError,
    LibraryLockedError,
    LibraryProtectedError,
    NotStoredError,
)
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.readings import KeptReadings
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    IndexedSegment,
    Segment,
    SegmentId,
    SegmentKind,
)
from desktop_qa.index.database import Database
from desktop_qa.index.embedder import is_foreign_model
from desktop_qa.index.index_rows import IndexRows, new_stamp
from desktop_qa.index.journal import Journal
from desktop_qa.index.mark_rows import MarkRows
from desktop_qa.index.reading_notes import (
    INSERT_READINGS,
    ReadingNote,
    Readings,
    forget_note,
    readings_row,
)
from desktop_qa.index.records import (
    KIND_NUMBERS,
    FloatMatrix,
    PendingDocument,
    compress,
    decompress,
    pack,
    pack_keywords,
    pack_terms,
    pack_words,
    unpack,
    unpack_words,
)
from desktop_qa.index.source_files import SourceFiles

_UNFINISHED = (DocumentState.READING, DocumentState.INDEXING)

_SELECT_STATUS = (
    "SELECT d.id, f.path, s.folder, d.state, d.reason, d.hint, d.title, d.vendor,"
    " d.part_numbers, d.revision, d.n_pages, d.n_segments, d.n_tables, d.n_figures,"
    " d.page_failures, d.fingerprint, d.added_at FROM documents d"
    " LEFT JOIN files f ON f.document_id = d.id LEFT JOIN sources s ON s.id = f.source_id"
)
_SEGMENT_COLUMNS = (
    "id, document_id, ordinal, kind, element, metadata, provenances, n_tokens, text,"
    " embedded_text, lexical_text, boilerplate"
)

_INDEX_COLUMNS = "document_id, ordinal, boilerplate, terms, keywords, embedding, kind"

_INSERT_STAMP = "INSERT INTO index_stamps (document_id, stamp) VALUES (?, ?)"

_DOCUMENT_COLUMNS = (
    "id, state, reason, hint, title, vendor, part_numbers, revision, n_pages, n_segments, n_tables,"
    " n_figures, page_failures, fingerprint, added_at, document"
)
_UPSERT_DOCUMENT = (
    f"INSERT INTO documents ({_DOCUMENT_COLUMNS}) VALUES ({', '.join('?' * 16)})"
    " ON CONFLICT (id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _DOCUMENT_COLUMNS.split(", ")[1:])
)
"""`added_at` is the time at which what is stored of the document was."""

_STATUS_ORDER = "ORDER BY f.source_id IS NULL, f.source_id, f.path, d.id"
_N_DOCUMENTS_KEPT = 16
"""Decoded, for the next question is mostly about the same; a report of 150 pages takes 0.1 s."""


@lru_cache(maxsize=_N_DOCUMENTS_KEPT)
def _decoded(document: bytes) -> Document:
    """Decode what was stored; known by its bytes, so that what is read anew is decoded anew."""
    return unpack(decompress(document), Document)


class Store(SourceFiles, Journal, IndexRows, MarkRows, Readings):
    """An open library; made by `Store.open`, ended by `close`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(
        cls, folder: Path, read_only: bool = False, *, fall_back_to_reading: bool = False
    ) -> Store:
        """Open a library; it is made when the folder holds none.

        Args:
            folder: Of the library.
            read_only: Never write.
            fall_back_to_reading: Open it for reading when it is there and cannot be written.

        Raises:
            LibraryLockedError: When another process writes to it; open it for reading then.
            LibraryProtectedError: When its folder cannot be written; open it for reading then.
            DiskFullError: When there is no space to make it.
            LibraryError: When the folder cannot be written, or the library is damaged or newer
                than this program.
        """
        try:
            return cls(Database(folder, read_only=read_only))
        except (LibraryLockedError, LibraryProtectedError) as error:
            if not fall_back_to_reading:
                raise
            return cls(Database(folder, read_only=True, barrier=error))

    def close(self) -> None:
        """Close it and give the library free; does nothing the second time."""
        self._database.close()

    @property
    def folder(self) -> Path:
        """Where the library lives."""
        return self._database.folder

    @property
    def read_only(self) -> bool:
        """True when every writing method raises."""
        return self._database.read_only

    @property
    def barrier(self) -> LibraryError | None:
        """What is in the way of writing, when that was tried and the library is read only."""
        return self._database.barrier

    def require_writable(self) -> None:
        """Refuse when the library is open for reading only, and say why.

        Raises:
            LibraryError: Of the kind of what is in the way.
        """
        self._database.require_writable()

    # Documents and their states

    def set_state(
        self,
        document_id: DocumentId,
        state: DocumentState,
        reason: str = "",
        hint: str = "",
        *,
        fingerprint: str | None = None,
    ) -> None:
        """Move a document to a state; one that failed loses what was indexed of it before.

        Args:
            document_id: Of a known document.
            state: New state.
            reason: One sentence for the user: why it failed or is partial.
            hint: What to do about it.
            fingerprint: What the document was read with, so that a failure gets another try after
                a change of the parser; else it is kept.
        """
        with self._changing() as connection:
            connection.execute(
                "UPDATE documents SET state = ?, reason = ?, hint = ?,"
                " fingerprint = coalesce(?, fingerprint) WHERE id = ?",
                (state, reason, hint, fingerprint, document_id),
            )
            if state is DocumentState.FAILED:
                _delete_content(connection, document_id)
                connection.execute(
                    "UPDATE documents SET n_segments = 0, n_tables = 0, n_figures = 0,"
                    " page_failures = '[]', document = NULL WHERE id = ?",
                    (document_id,),
                )

    def save_document(
        self,
        document: Document,
        page_words: Sequence[PageWords],
        segments: Sequence[IndexedSegment],
        embeddings: FloatMatrix,
        state: DocumentState,
        fingerprint: str,
        *,
        reason: str = "",
        hint: str = "",
        readings: KeptReadings | None = None,
    ) -> None:
        """Store everything about a document at once; what was stored before is replaced.

        Args:
            document: As parsed; only its id must be known to the store or not.
            page_words: Of every page that was read.
            segments: In order of their ordinals.
            embeddings: Shape (n_segments, dimensions), row by row those of `segments`.
            state: READY or PARTIAL.
            fingerprint: Of the parser, segmenter and model that made it.
            reason: Why it is partial.
            hint: What to do about it.
            readings: Where a model has read it: `document` is the one of both that is in use.
        """
        if len(segments) != len(embeddings):
            msg = f"{len(segments)} segments but {len(embeddings)} embeddings"
            raise ValueError(msg)
        # Packed before the transaction begins: other writers wait only for the disk.
        row = _document_row(document, segments, state, fingerprint, reason, hint)
        words = [(document.id, page.page_no, pack_words(page)) for page in page_words]
        texts = [_segment_row(indexed.segment) for indexed in segments]
        matrix = np.ascontiguousarray(embeddings, np.float32)
        indexes = [_index_row(*pair) for pair in zip(segments, matrix, strict=True)]
        kept = None if readings is None else readings_row(readings)
        with self._changing() as connection:
            _delete_content(connection, document.id)
            connection.execute(_UPSERT_DOCUMENT, row)
            if kept is not None:
                connection.execute(INSERT_READINGS, kept)
            connection.executemany("INSERT INTO page_words VALUES (?, ?, ?)", words)
            connection.executemany(
                f"INSERT INTO segments ({_SEGMENT_COLUMNS}) VALUES ({', '.join('?' * 12)})", texts
            )
            connection.executemany(
                f"INSERT INTO segment_indexes ({_INDEX_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                indexes,
            )
            connection.execute(_INSERT_STAMP, (document.id, new_stamp()))

    def remove_document(self, document_id: DocumentId) -> None:
        """Remove a document, everything about it, and the record of its files."""
        with self._changing() as connection:
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
            forget_note(connection, document_id)

    def reset_unfinished(self) -> None:
        """Put documents that were being worked on when the program ended back to waiting."""
        with self._changing() as connection:
            connection.execute(
                "UPDATE documents SET state = ? WHERE state IN (?, ?)",
                (DocumentState.WAITING, *_UNFINISHED),
            )

    def pending(self) -> tuple[PendingDocument, ...]:
        """Return the waiting documents that have files, in the order of their first files."""
        rows = self._database.rows(
            "SELECT d.id, f.path, s.folder FROM documents d"
            " JOIN files f ON f.document_id = d.id JOIN sources s ON s.id = f.source_id"
            " WHERE d.state = ? ORDER BY f.source_id, f.path",
            (DocumentState.WAITING,),
        )
        found: dict[DocumentId, list[tuple[str, Path]]] = {}
        for document_id, path, folder in rows:
            found.setdefault(document_id, []).append((path, Path(folder, path)))
        return tuple(
            PendingDocument(key, tuple(p for p, _ in files), tuple(p for _, p in files))
            for key, files in found.items()
        )

    def statuses(self, fingerprint: str = "") -> tuple[DocumentStatus, ...]:
        """Return every document as the library panel shows it, in the order of first files.

        Args:
            fingerprint: Of the present parser, segmenter and model: a document made by another is
                marked stale. Empty marks none.
        """
        rows = self._database.rows(f"{_SELECT_STATUS} {_STATUS_ORDER}")
        found: dict[DocumentId, list[Any]] = {}
        for row in rows:
            found.setdefault(row[0], []).append(row)
        for hidden in self.hidden_documents():
            found.pop(hidden, None)
        notes = self.reading_notes()
        none = ReadingNote()
        return tuple(
            _status_of(of_document, fingerprint, notes.get(document_id, none))
            for document_id, of_document in found.items()
        )

    def status(self, document_id: DocumentId, fingerprint: str = "") -> DocumentStatus | None:
        """Return one document as the library panel shows it; `None` when it is unknown."""
        query = f"{_SELECT_STATUS} WHERE d.id = ? {_STATUS_ORDER}"
        rows = self._database.rows(query, (document_id,))
        if not rows or (rows[0][1] is None and self.is_hidden(document_id)):
            return None
        return _status_of(rows, fingerprint, self.reading_note(document_id))

    def documents_without_files(self) -> tuple[DocumentId, ...]:
        """Return documents whose last file is gone: to be removed.

        One that the user took out is not among them as long as that can be undone.
        """
        rows = self._database.rows(
            "SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM files) ORDER BY id"
        )
        hidden = self.hidden_documents()
        return tuple(document_id for (document_id,) in rows if document_id not in hidden)

    # What was read

    def document(self, document_id: DocumentId) -> Document:
        """Return a parsed document with the paths its bytes have now.

        Raises:
            NotStoredError: When it is unknown or not read yet.
        """
        row = self._database.row("SELECT document FROM documents WHERE id = ?", (document_id,))
        if row is None or row[0] is None:
            raise NotStoredError(document_id)
        document = _decoded(row[0])
        paths = tuple(path for _folder, path in self.places(document_id))
        return replace(document, paths=paths or document.paths)

    def page_words(self, document_id: DocumentId, page_no: int) -> PageWords:
        """Return the words of a page in reading order; none when the page was not read."""
        row = self._database.row(
            "SELECT words FROM page_words WHERE document_id = ? AND page_no = ?",
            (document_id, page_no),
        )
        return PageWords(page_no, ()) if row is None else unpack_words(row[0], page_no)

    def word_counts(self, document_id: DocumentId) -> dict[int, int]:
        """Return the number of words on each page that was read, by page number."""
        rows = self._database.rows(
            "SELECT page_no, words FROM page_words WHERE document_id = ?", (document_id,)
        )
        return {page_no: len(unpack_words(words, page_no).words) for page_no, words in rows}

    def segment(self, segment_id: SegmentId) -> Segment:
        """Return a segment.

        Raises:
            NotStoredError: When it is unknown.
        """
        found = self.segments((segment_id,))
        if not found:
            raise NotStoredError(segment_id)
        return found[0]

    def segments(self, segment_ids: Sequence[SegmentId]) -> tuple[Segment, ...]:
        """Return segments in the order asked for, without those that are gone by now."""
        query = f"SELECT {_SEGMENT_COLUMNS} FROM segments WHERE id = ?"
        with self._database.read() as connection:
            rows = [connection.execute(query, (key,)).fetchone() for key in segment_ids]
        return tuple(_segment_of(row) for row in rows if row is not None)

    def segments_of(self, document_id: DocumentId) -> tuple[Segment, ...]:
        """Return the segments of a document by ordinal."""
        rows = self._database.rows(
            f"SELECT {_SEGMENT_COLUMNS} FROM segments WHERE document_id = ? ORDER BY ordinal",
            (document_id,),
        )
        return tuple(_segment_of(row) for row in rows)


def _delete_content(connection: sqlite3.Connection, document_id: DocumentId) -> None:
    """Delete what was read from a document, inside the caller's transaction."""
    for table in ("page_words", "segments", "segment_indexes", "index_stamps", "model_readings"):
        connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))


def _document_row(
    document: Document,
    segments: Sequence[IndexedSegment],
    state: DocumentState,
    fingerprint: str,
    reason: str,
    hint: str,
) -> tuple[object, ...]:
    """Return the values of `_UPSERT_DOCUMENT`."""
    return (
        document.id,
        state,
        reason,
        hint,
        document.title,
        document.vendor,
        msgspec.json.encode(document.part_numbers).decode(),
        document.revision,
        len(document.page_sizes),
        len(segments),
        len(document.tables),
        len(document.figures),
        msgspec.json.encode(document.page_failures).decode(),
        fingerprint,
        time.time(),
        compress(pack(document)),
    )


def _status_of(rows: Sequence[Any], fingerprint: str, note: ReadingNote) -> DocumentStatus:
    """Make one status of a document's rows, one for each of its files."""
    first = rows[0]
    files = tuple(row[1] for row in rows if row[1] is not None)
    state = DocumentState(first[3])
    return DocumentStatus(
        document_id=first[0],
        file=files[0] if files else "",
        files=files,
        path=_absolute(first[2], first[1]) if files else "",
        state=state,
        reason=first[4],
        hint=first[5],
        title=first[6],
        vendor=first[7],
        part_numbers=msgspec.json.decode(first[8], type=tuple[str, ...]),
        revision=first[9],
        n_pages=first[10],
        n_pages_read=first[10] if state.is_searchable else 0,
        n_segments=first[11],
        n_tables=first[12],
        n_figures=first[13],
        page_failures=msgspec.json.decode(first[14], type=tuple[PageFailure, ...]),
        stale=bool(fingerprint and first[15] not in ("", fingerprint) and state.is_final),
        other_model=is_foreign_model(first[15]),
        read_by=first[15],
        read_at=first[16],
        date=note.date,
        reading=note.reading,
        page_starts=note.page_starts,
    )


def _absolute(folder: str, file: str) -> str:
    """Return the path of a file by the system's own separators.

    Not by pathlib, which takes half of the time in which a list of thousands of documents is read.
    """
    inside = file if os.sep == "/" else file.replace("/", os.sep)
    return f"{folder.rstrip(os.sep)}{os.sep}{inside}"


def _segment_row(segment: Segment) -> tuple[object, ...]:
    """Return the values of `_SEGMENT_COLUMNS`."""
    return (
        segment.id,
        segment.document_id,
        segment.ordinal,
        segment.kind,
        None if segment.element is None else pack(segment.element),
        pack(segment.metadata),
        pack(segment.provenances),
        segment.n_tokens,
        segment.text,
        segment.embedded_text,
        segment.lexical_text,
        segment.boilerplate,
    )


def _index_row(indexed: IndexedSegment, vector: npt.NDArray[np.float32]) -> tuple[object, ...]:
    """Return the values of `_INDEX_COLUMNS`."""
    segment = indexed.segment
    return (
        segment.document_id,
        segment.ordinal,
        segment.boilerplate,
        pack_terms(indexed),
        pack_keywords(indexed.keywords),
        vector.tobytes(),
        KIND_NUMBERS[segment.kind],
    )


def _segment_of(row: Sequence[Any]) -> Segment:
    """Make a segment of its `_SEGMENT_COLUMNS`."""
    values = list(row)
    values[3] = SegmentKind(row[3])
    values[4] = None if row[4] is None else unpack(row[4], ElementRef)
    values[5] = unpack(row[5], CascadingMetadata)
    values[6] = unpack(row[6], tuple[Provenance, ...])
    values[11] = bool(row[11])
    return Segment(*values)
