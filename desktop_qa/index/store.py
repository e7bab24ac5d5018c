"""The library's one source of truth: documents, segments, files, history, in one SQLite file.

Chroma and the indexes in memory are rebuilt from it. Every method may be called from any thread of
the process; each writing method is one short transaction, so a question's history never waits long
for an ingest. All of them may raise `LibraryError` and its kinds (`desktop_qa.index.database`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from desktop_qa.core.document import Document, DocumentId, PageWords
from desktop_qa.core.errors import (
    LibraryError,
    LibraryLockedError,
    LibraryProtectedError,
    NotStoredError,
)
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.readings import KeptReadings
from desktop_qa.core.segment import IndexedSegment, Segment, SegmentId
from desktop_qa.index.database import Database
from desktop_qa.index.document_rows import (
    INDEX_COLUMNS,
    INSERT_STAMP,
    SEGMENT_COLUMNS,
    UPSERT_DOCUMENT,
    delete_content,
    document_row,
    index_row,
    segment_of,
    segment_row,
    status_of,
)
from desktop_qa.index.index_rows import IndexRows, new_stamp
from desktop_qa.index.journal import Journal
from desktop_qa.index.mark_rows import MarkRows
from desktop_qa.index.model_readings import ModelReadings, insert_readings, readings_row
from desktop_qa.index.outline_rows import OutlineRows
from desktop_qa.index.reading_notes import ReadingNote, ReadingNotes, forget_note
from desktop_qa.index.records import (
    Counts,
    FloatMatrix,
    PendingDocument,
    decompress,
    pack_words,
    unpack,
    unpack_words,
)
from desktop_qa.index.removed_files import RemovedFiles
from desktop_qa.index.source_choices import SourceChoices
from desktop_qa.index.source_files import SourceFiles

_UNFINISHED = (DocumentState.READING, DocumentState.INDEXING)

_SELECT_STATUS = (
    "SELECT d.id, f.path, s.folder, d.state, d.reason, d.hint, d.title, d.vendor,"
    " d.part_numbers, d.revision, d.n_pages, d.n_segments, d.n_tables, d.n_figures,"
    " d.page_failures, d.fingerprint, d.added_at FROM documents d"
    " LEFT JOIN files f ON f.document_id = d.id LEFT JOIN sources s ON s.id = f.source_id"
)
_STATUS_ORDER = "ORDER BY f.source_id IS NULL, f.source_id, f.path, d.id"
_N_DOCUMENTS_KEPT = 16
"""Decoded, for the next question is mostly about the same; a report of 150 pages takes 0.1 s."""


@lru_cache(maxsize=_N_DOCUMENTS_KEPT)
def _decoded(document: bytes) -> Document:
    """Decode what was stored; known by its bytes, so that what is read anew is decoded anew."""
    return unpack(decompress(document), Document)


class Store(
    SourceFiles,
    SourceChoices,
    Journal,
    IndexRows,
    OutlineRows,
    MarkRows,
    RemovedFiles,
    ReadingNotes,
    ModelReadings,
):
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
        n_pages: int | None = None,
        fingerprint: str | None = None,
    ) -> None:
        """Move a document to a state; one that failed loses what was indexed of it before.

        Args:
            document_id: Of a known document.
            state: New state.
            reason: One sentence for the user: why it failed or is partial.
            hint: What to do about it.
            n_pages: When it became known; else it is kept.
            fingerprint: What the document was read with, so that a failure gets another try after
                a change of the parser; else it is kept.
        """
        with self._database.write() as connection:
            connection.execute(
                "UPDATE documents SET state = ?, reason = ?, hint = ?,"
                " n_pages = coalesce(?, n_pages), fingerprint = coalesce(?, fingerprint)"
                " WHERE id = ?",
                (state, reason, hint, n_pages, fingerprint, document_id),
            )
            if state is DocumentState.FAILED:
                delete_content(connection, document_id)
                connection.execute(
                    "UPDATE documents SET n_segments = 0, n_tables = 0, n_figures = 0,"
                    " page_failures = '[]', document = NULL WHERE id = ?",
                    (document_id,),
                )
        self._documents_revision += 1

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
        row = document_row(document, segments, state, fingerprint, reason, hint)
        words = [(document.id, page.page_no, pack_words(page)) for page in page_words]
        texts = [segment_row(indexed.segment) for indexed in segments]
        matrix = np.ascontiguousarray(embeddings, np.float32)
        indexes = [index_row(*pair) for pair in zip(segments, matrix, strict=True)]
        kept = None if readings is None else readings_row(readings)
        with self._database.write() as connection:
            delete_content(connection, document.id)
            connection.execute(UPSERT_DOCUMENT, row)
            if kept is not None:
                insert_readings(connection, kept)
            connection.executemany("INSERT INTO page_words VALUES (?, ?, ?)", words)
            connection.executemany(
                f"INSERT INTO segments ({SEGMENT_COLUMNS}) VALUES ({', '.join('?' * 12)})", texts
            )
            connection.executemany(
                f"INSERT INTO segment_indexes ({INDEX_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                indexes,
            )
            connection.execute(INSERT_STAMP, (document.id, new_stamp()))
        self._documents_revision += 1

    def remove_document(self, document_id: DocumentId) -> None:
        """Remove a document, everything about it, and the record of its files."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
            forget_note(connection, document_id)
        self._documents_revision += 1

    def reset_unfinished(self) -> int:
        """Put documents that were being worked on when the program ended back to waiting."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "UPDATE documents SET state = ? WHERE state IN (?, ?)",
                (DocumentState.WAITING, *_UNFINISHED),
            )
        self._documents_revision += 1
        return cursor.rowcount

    def pending(self) -> tuple[PendingDocument, ...]:
        """Return the waiting documents that have files, in the order of their first files."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT d.id, f.path, s.folder FROM documents d"
                " JOIN files f ON f.document_id = d.id JOIN sources s ON s.id = f.source_id"
                " WHERE d.state = ? ORDER BY f.source_id, f.path",
                (DocumentState.WAITING,),
            ).fetchall()
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
        with self._database.read() as connection:
            rows = connection.execute(f"{_SELECT_STATUS} {_STATUS_ORDER}").fetchall()
        found: dict[DocumentId, list[Any]] = {}
        for row in rows:
            found.setdefault(row[0], []).append(row)
        for hidden in self.hidden_documents():
            found.pop(hidden, None)
        notes = self.reading_notes()
        none = ReadingNote()
        return tuple(
            status_of(of_document, fingerprint, notes.get(document_id, none))
            for document_id, of_document in found.items()
        )

    def status(self, document_id: DocumentId, fingerprint: str = "") -> DocumentStatus | None:
        """Return one document as the library panel shows it; `None` when it is unknown."""
        query = f"{_SELECT_STATUS} WHERE d.id = ? {_STATUS_ORDER}"
        with self._database.read() as connection:
            rows = connection.execute(query, (document_id,)).fetchall()
        if not rows or (rows[0][1] is None and self.is_hidden(document_id)):
            return None
        return status_of(rows, fingerprint, self.reading_note(document_id))

    def documents_without_files(self) -> tuple[DocumentId, ...]:
        """Return documents whose last file is gone: to be removed.

        One that the user took out is not among them as long as that can be undone.
        """
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM files)"
                " ORDER BY id"
            ).fetchall()
        return self.without_hidden([row[0] for row in rows])

    # What was read

    def document(self, document_id: DocumentId) -> Document:
        """Return a parsed document with the paths its bytes have now.

        Raises:
            NotStoredError: When it is unknown or not read yet.
        """
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT document FROM documents WHERE id = ?", (document_id,)
            ).fetchone()
            paths = connection.execute(
                "SELECT path FROM files WHERE document_id = ? ORDER BY source_id, path",
                (document_id,),
            ).fetchall()
        if row is None or row[0] is None:
            raise NotStoredError(document_id)
        document = _decoded(row[0])
        return replace(document, paths=tuple(path for (path,) in paths) or document.paths)

    def page_words(self, document_id: DocumentId, page_no: int) -> PageWords:
        """Return the words of a page in reading order; none when the page was not read."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT words FROM page_words WHERE document_id = ? AND page_no = ?",
                (document_id, page_no),
            ).fetchone()
        return PageWords(page_no, ()) if row is None else unpack_words(row[0], page_no)

    def word_counts(self, document_id: DocumentId) -> dict[int, int]:
        """Return the number of words on each page that was read, by page number."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT page_no, words FROM page_words WHERE document_id = ?", (document_id,)
            ).fetchall()
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
        query = f"SELECT {SEGMENT_COLUMNS} FROM segments WHERE id = ?"
        with self._database.read() as connection:
            rows = [connection.execute(query, (key,)).fetchone() for key in segment_ids]
        return tuple(segment_of(row) for row in rows if row is not None)

    def segments_of(self, document_id: DocumentId) -> tuple[Segment, ...]:
        """Return the segments of a document by ordinal."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {SEGMENT_COLUMNS} FROM segments WHERE document_id = ? ORDER BY ordinal",
                (document_id,),
            ).fetchall()
        return tuple(segment_of(row) for row in rows)

    # The library as a whole

    def counts(self) -> Counts:
        """Return what the library holds."""
        with self._database.read() as connection:
            totals = connection.execute(
                "SELECT count(*), (SELECT count(*) FROM files), total(n_pages), total(n_segments),"
                " total(n_tables), total(n_figures) FROM documents"
            ).fetchone()
            by_state = connection.execute(
                "SELECT state, count(*) FROM documents GROUP BY state ORDER BY state"
            ).fetchall()
        documents, files, pages, segments, tables, figures = map(int, totals)
        return Counts(documents, files, pages, segments, tables, figures, dict(by_state))

    def size_on_disk(self) -> int:
        """Return the bytes of all files in the library's folder."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def meta(self, key: str) -> str | None:
        """Return a note about the library as a whole."""
        with self._database.read() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep a note about the library as a whole."""
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
