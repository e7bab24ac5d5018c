"""The part of the store that the indexes are built from: terms, keywords and vectors by segment."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, make_segment_id
from desktop_qa.index.database import Database
from desktop_qa.index.document_rows import DOCUMENT_ORDER
from desktop_qa.index.records import (
    FloatMatrix,
    IndexRow,
    unpack_keywords,
    unpack_matrix,
    unpack_terms,
)


def new_stamp() -> int:
    """Return a number that no other content of a document has had, below 2**63."""
    return secrets.randbits(63)


class IndexRows:
    """What the indexes keep of each segment, read without the texts."""

    _database: Database

    def index_stamps(self) -> dict[DocumentId, int]:
        """Return the documents that have segments, each with the stamp of what is stored of it.

        A stamp changes with every save, so that whoever keeps a copy sees what is out of date.
        """
        with self._database.read() as connection:
            rows = connection.execute("SELECT document_id, stamp FROM index_stamps").fetchall()
        return dict(rows)

    def document_ids(self) -> tuple[DocumentId, ...]:
        """Return every document in the order of first files: the order of all index rows."""
        with self._database.read() as connection:
            return tuple(row[0] for row in connection.execute(DOCUMENT_ORDER).fetchall())

    def iter_index_parts(self, n_rows: int = 5000) -> Iterator[tuple[list[IndexRow], FloatMatrix]]:
        """Yield what the indexes in memory are built from, by document and ordinal.

        In parts of whole documents, so that a large library is never in memory twice; rows and
        their vectors are read together, so that they match while another process writes.

        Args:
            n_rows: A part ends with the document that reaches it.
        """
        query = (
            "SELECT ordinal, kind, boilerplate, terms, keywords, embedding FROM segment_indexes"
            " WHERE document_id = ? ORDER BY ordinal"
        )
        rows: list[IndexRow] = []
        blobs: list[bytes] = []
        for document_id in self.document_ids():
            with self._database.read() as connection:
                found = connection.execute(query, (document_id,)).fetchall()
            for ordinal, kind, boilerplate, terms, keywords, embedding in found:
                codes = unpack_keywords(keywords)
                rows.append(
                    IndexRow(
                        document_id,
                        ordinal,
                        *unpack_terms(terms),
                        codes,
                        kind,
                        bool(boilerplate),
                    )
                )
                blobs.append(embedding)
            if len(rows) >= n_rows:
                yield rows, unpack_matrix(blobs)
                rows, blobs = [], []
        if rows:
            yield rows, unpack_matrix(blobs)

    def iter_index_rows(self) -> Iterator[IndexRow]:
        """Yield the rows of `iter_index_parts` one by one."""
        for rows, _ in self.iter_index_parts():
            yield from rows

    def embeddings(self) -> tuple[tuple[SegmentId, ...], FloatMatrix]:
        """Return all ids and their vectors, shape (n_segments, dimensions), as in the index rows.

        The matrix has no columns while the library is empty.
        """
        segment_ids: list[SegmentId] = []
        blobs: list[bytes] = []
        query = (
            "SELECT ordinal, embedding FROM segment_indexes WHERE document_id = ? ORDER BY ordinal"
        )
        for document_id in self.document_ids():
            with self._database.read() as connection:
                for ordinal, blob in connection.execute(query, (document_id,)):
                    segment_ids.append(make_segment_id(document_id, ordinal))
                    blobs.append(blob)
        return tuple(segment_ids), unpack_matrix(blobs)
