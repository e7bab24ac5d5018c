"""How documents and segments become rows of the database, and come back."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import Document, DocumentId, PageFailure, Provenance
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    IndexedSegment,
    Segment,
    SegmentKind,
)
from desktop_qa.index.model_names import is_foreign_model
from desktop_qa.index.reading_notes import ReadingNote
from desktop_qa.index.records import (
    compress,
    kind_number,
    pack,
    pack_keywords,
    pack_terms,
    unpack,
)

# The order of everything: by the first file of each document, then by id for those without one.
DOCUMENT_ORDER = """
    SELECT d.id AS id, f.source_id, f.path FROM documents d
    LEFT JOIN files f ON f.document_id = d.id
    AND NOT EXISTS (SELECT 1 FROM files g WHERE g.document_id = d.id
                    AND (g.source_id, g.path) < (f.source_id, f.path))
    ORDER BY f.source_id IS NULL, f.source_id, f.path, d.id
"""

SEGMENT_COLUMNS = (
    "id, document_id, ordinal, kind, element, metadata, provenances, n_tokens, text,"
    " embedded_text, lexical_text, boilerplate"
)

INDEX_COLUMNS = "document_id, ordinal, boilerplate, terms, keywords, embedding, kind"

INSERT_STAMP = "INSERT INTO index_stamps (document_id, stamp) VALUES (?, ?)"

UPSERT_DOCUMENT = """
    INSERT INTO documents (id, state, reason, hint, title, vendor, part_numbers, revision, n_pages,
        n_segments, n_tables, n_figures, page_failures, fingerprint, added_at, document)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, reason = excluded.reason,
        hint = excluded.hint, title = excluded.title, vendor = excluded.vendor,
        part_numbers = excluded.part_numbers, revision = excluded.revision,
        n_pages = excluded.n_pages, n_segments = excluded.n_segments,
        n_tables = excluded.n_tables, n_figures = excluded.n_figures,
        page_failures = excluded.page_failures, fingerprint = excluded.fingerprint,
        added_at = excluded.added_at, document = excluded.document
"""
"""`added_at` is the time at which what is stored of the document was."""


def delete_content(connection: sqlite3.Connection, document_id: DocumentId) -> None:
    """Delete what was read from a document, inside the caller's transaction."""
    for table in ("page_words", "segments", "segment_indexes", "index_stamps", "model_readings"):
        connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))


def document_row(
    document: Document,
    segments: Sequence[IndexedSegment],
    state: DocumentState,
    fingerprint: str,
    reason: str,
    hint: str,
) -> tuple[object, ...]:
    """Return the values of `UPSERT_DOCUMENT`."""
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


def status_of(rows: Sequence[Any], fingerprint: str, note: ReadingNote) -> DocumentStatus:
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


def segment_row(segment: Segment) -> tuple[object, ...]:
    """Return the values of `SEGMENT_COLUMNS`."""
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


def index_row(indexed: IndexedSegment, vector: npt.NDArray[np.float32]) -> tuple[object, ...]:
    """Return the values of `INDEX_COLUMNS`."""
    segment = indexed.segment
    return (
        segment.document_id,
        segment.ordinal,
        segment.boilerplate,
        pack_terms(indexed),
        pack_keywords(indexed.keywords),
        vector.tobytes(),
        kind_number(segment.kind),
    )


def segment_of(row: Sequence[Any]) -> Segment:
    """Make a segment of its `SEGMENT_COLUMNS`."""
    return Segment(
        id=row[0],
        document_id=row[1],
        ordinal=row[2],
        kind=SegmentKind(row[3]),
        element=None if row[4] is None else unpack(row[4], ElementRef),
        metadata=unpack(row[5], CascadingMetadata),
        provenances=unpack(row[6], tuple[Provenance, ...]),
        n_tokens=row[7],
        text=row[8],
        embedded_text=row[9],
        lexical_text=row[10],
        boilerplate=bool(row[11]),
    )
