"""The part of the store that the indexes are built from: terms, keywords and vectors by segment."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId
from desktop_qa.index.database import Database
from desktop_qa.index.document_rows import DOCUMENT_ORDER
from desktop_qa.index.embedder import EMBEDDING_DIMENSIONS
from desktop_qa.index.model_names import is_foreign_model, of_present_model
from desktop_qa.index.records import (
    FloatMatrix,
    IndexRow,
    unpack_keywords,
    unpack_terms,
)

_VECTOR_SIZE_BYTES = 4 * EMBEDDING_DIMENSIONS


def new_stamp() -> int:
    """Return a number that no other content of a document has had, below 2**63."""
    return secrets.randbits(63)


class IndexRows:
    """What the indexes keep of each segment, read without the texts."""

    _database: Database

    def index_stamps(
        self, document_ids: Collection[DocumentId] | None = None
    ) -> dict[DocumentId, int]:
        """Return the documents that have segments, each with the stamp of what is stored of it.

        A stamp changes with every save, so that whoever keeps a copy sees what is out of date.

        Args:
            document_ids: Whose; `None` is all.
        """
        query = "SELECT document_id, stamp FROM index_stamps"
        with self._database.read() as connection:
            if document_ids is None:
                return dict(connection.execute(query).fetchall())
            rows = [
                row
                for key in document_ids
                for row in connection.execute(f"{query} WHERE document_id = ?", (key,))
            ]
        return dict(rows)

    def embedded_texts(self, document_id: DocumentId) -> list[str]:
        """Return what the vectors of a document are made of, by ordinal."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT embedded_text FROM segments WHERE document_id = ? ORDER BY ordinal",
                (document_id,),
            ).fetchall()
        return [row[0] for row in rows]

    def save_vectors(self, document_id: DocumentId, vectors: FloatMatrix) -> None:
        """Replace the vectors of a document's segments, in the order of their ordinals.

        Args:
            document_id: Of a document that has segments.
            vectors: Shape (n_segments, n_dimensions), of the present model.
        """
        matrix = np.ascontiguousarray(vectors, np.float32)
        with self._database.write() as connection:
            ordinals = connection.execute(
                "SELECT ordinal FROM segment_indexes WHERE document_id = ? ORDER BY ordinal",
                (document_id,),
            ).fetchall()
            if len(ordinals) != len(matrix):
                msg = f"{len(ordinals)} segments but {len(matrix)} embeddings"
                raise ValueError(msg)
            connection.executemany(
                "UPDATE segment_indexes SET embedding = ? WHERE document_id = ? AND ordinal = ?",
                [
                    (vector.tobytes(), document_id, ordinal)
                    for vector, (ordinal,) in zip(matrix, ordinals, strict=True)
                ],
            )
            connection.execute(
                "UPDATE index_stamps SET stamp = ? WHERE document_id = ?",
                (new_stamp(), document_id),
            )
            (fingerprint,) = connection.execute(
                "SELECT fingerprint FROM documents WHERE id = ?", (document_id,)
            ).fetchone()
            connection.execute(
                "UPDATE documents SET fingerprint = ? WHERE id = ?",
                (of_present_model(fingerprint), document_id),
            )

    def documents_of_other_models(self) -> frozenset[DocumentId]:
        """Return the documents whose vectors cannot be compared with those of the present model."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT d.id, d.fingerprint FROM documents d JOIN index_stamps s"
                " ON s.document_id = d.id"
            ).fetchall()
        return frozenset(key for key, fingerprint in rows if is_foreign_model(fingerprint))

    def document_ids(self) -> tuple[DocumentId, ...]:
        """Return every document in the order of first files."""
        with self._database.read() as connection:
            return tuple(row[0] for row in connection.execute(DOCUMENT_ORDER).fetchall())

    def iter_index_parts(
        self, document_ids: Sequence[DocumentId] | None = None, n_rows: int = 5000
    ) -> Iterator[tuple[list[IndexRow], FloatMatrix]]:
        """Yield what the indexes are built from, by document and ordinal.

        In parts of whole documents, so that a large library is never in memory twice; rows and
        their vectors are read together, so that they match while another process writes. A vector
        of another model or length is all zeros: nothing may be compared with it.

        Args:
            document_ids: Whose; `None` is all, in the order of first files.
            n_rows: A part ends with the document that reaches it.
        """
        foreign = self.documents_of_other_models()
        rows: list[IndexRow] = []
        blobs: list[bytes] = []
        for document_id in self.document_ids() if document_ids is None else document_ids:
            found, vectors = self._index_rows(document_id)
            rows += found
            blobs += (
                vectors if document_id not in foreign else [bytes(_VECTOR_SIZE_BYTES)] * len(found)
            )
            if len(rows) >= n_rows:
                yield rows, _matrix(blobs)
                rows, blobs = [], []
        if rows:
            yield rows, _matrix(blobs)

    def _index_rows(self, document_id: DocumentId) -> tuple[list[IndexRow], list[bytes]]:
        query = (
            "SELECT ordinal, kind, boilerplate, terms, keywords, embedding FROM segment_indexes"
            " WHERE document_id = ? ORDER BY ordinal"
        )
        with self._database.read() as connection:
            found = connection.execute(query, (document_id,)).fetchall()
        rows = [
            IndexRow(
                document_id,
                ordinal,
                *unpack_terms(terms),
                unpack_keywords(keywords),
                kind,
                bool(boilerplate),
            )
            for ordinal, kind, boilerplate, terms, keywords, _ in found
        ]
        return rows, [row[-1] for row in found]

    def embeddings(self) -> tuple[tuple[SegmentId, ...], FloatMatrix]:
        """Return all ids and their vectors, shape (n_segments, dimensions), row by row."""
        parts = list(self.iter_index_parts())
        ids = tuple(row.segment_id for rows, _ in parts for row in rows)
        return ids, np.concatenate([_matrix([]), *(vectors for _, vectors in parts)])


def _matrix(blobs: Sequence[bytes]) -> FloatMatrix:
    """Stack vectors, shape (n, n_dimensions); zeros for one of another length."""
    zeros = bytes(_VECTOR_SIZE_BYTES)
    whole = [blob if len(blob) == _VECTOR_SIZE_BYTES else zeros for blob in blobs]
    return np.frombuffer(b"".join(whole), np.float32).reshape(-1, EMBEDDING_DIMENSIONS)
