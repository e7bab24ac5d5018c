"""The part of the store that indexes and outlines are made of, read without the texts.

Reading only what is needed of the metadata is ten times as fast as making segments of the rows: the
outlines of 5000 documents take seconds, not minutes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.database import Database, damaged
from desktop_qa.index.embedder import (
    EMBEDDING_DIMENSIONS,
    is_foreign_model,
    of_present_model,
)
from desktop_qa.index.records import (
    FloatMatrix,
    IndexRow,
    unpack_keywords,
    unpack_terms,
)

# The order of everything: by the first file of each document, then by id for those without one.
_DOCUMENT_ORDER = """
    SELECT d.id AS id, f.source_id, f.path FROM documents d
    LEFT JOIN files f ON f.document_id = d.id
    AND NOT EXISTS (SELECT 1 FROM files g WHERE g.document_id = d.id
                    AND (g.source_id, g.path) < (f.source_id, f.path))
    ORDER BY f.source_id IS NULL, f.source_id, f.path, d.id
"""

PageArray = npt.NDArray[np.int32]

_VECTOR_SIZE_BYTES = 4 * EMBEDDING_DIMENSIONS


def new_stamp() -> int:
    """Return a number that no other content of a document has had, below 2**63."""
    return secrets.randbits(63)


class _Standing(msgspec.Struct):
    """What is read of `CascadingMetadata`."""

    section_path: tuple[str, ...]
    caption: str
    page_nos: tuple[int, ...]


_DECODER = msgspec.msgpack.Decoder(_Standing)


@dataclass(frozen=True, slots=True, eq=False)
class DocumentOutline:
    """Where the segments of a document stand.

    Attributes:
        headings: Of its sections, each once, in reading order.
        captions: Of its tables, each once, in reading order.
        first_pages: 1-based page on which each segment begins, by ordinal; 0 when unknown.
        last_pages: Likewise the page on which it ends.
    """

    headings: tuple[str, ...]
    captions: tuple[str, ...]
    first_pages: PageArray
    last_pages: PageArray


class IndexRows:
    """What the indexes keep of each segment, and the outlines of documents."""

    _database: Database

    def index_stamps(
        self, document_ids: Sequence[DocumentId] | None = None
    ) -> dict[DocumentId, int]:
        """Return the documents that have segments, each with the stamp of what is stored of it.

        A stamp changes with every save, so that whoever keeps a copy sees what is out of date.

        Args:
            document_ids: Whose; `None` is all.
        """
        query = "SELECT document_id, stamp FROM index_stamps"
        if document_ids is None:
            return dict(self._database.rows(query))
        return dict(self._database.rows_of(f"{query} WHERE document_id IN", document_ids))

    def embedded_texts(self, document_id: DocumentId) -> list[str]:
        """Return what the vectors of a document are made of, by ordinal."""
        rows = self._database.rows(
            "SELECT embedded_text FROM segments WHERE document_id = ? ORDER BY ordinal",
            (document_id,),
        )
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
        rows = self._database.rows(
            "SELECT d.id, d.fingerprint FROM documents d JOIN index_stamps s"
            " ON s.document_id = d.id"
        )
        return frozenset(key for key, fingerprint in rows if is_foreign_model(fingerprint))

    def document_ids(self) -> tuple[DocumentId, ...]:
        """Return every document in the order of first files."""
        return tuple(row[0] for row in self._database.rows(_DOCUMENT_ORDER))

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
        found = self._database.rows(query, (document_id,))
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

    def outline(self, document_id: DocumentId) -> DocumentOutline:
        """Return where the segments of a document stand; an empty outline when it has none."""
        query = "SELECT kind, metadata FROM segments WHERE document_id = ? ORDER BY ordinal"
        rows = self._database.rows(query, (document_id,))
        headings: dict[str, None] = {}
        captions: dict[str, None] = {}
        first, last = [], []
        for kind, blob in rows:
            standing = _standing(blob)
            headings |= dict.fromkeys(standing.section_path)
            if kind == SegmentKind.TABLE and standing.caption:
                captions[standing.caption] = None
            pages = standing.page_nos or (0,)
            first.append(pages[0])
            last.append(pages[-1])
        return DocumentOutline(
            tuple(headings), tuple(captions), np.array(first, np.int32), np.array(last, np.int32)
        )

    def lexical_texts(self, segment_ids: Sequence[SegmentId]) -> dict[SegmentId, str]:
        """Return the words of segments, with those of their headings and all cells."""
        query = "SELECT id, lexical_text FROM segments WHERE id IN"
        return dict(self._database.rows_of(query, segment_ids))


def _matrix(blobs: Sequence[bytes]) -> FloatMatrix:
    """Stack vectors, shape (n, n_dimensions); zeros for one of another length."""
    zeros = bytes(_VECTOR_SIZE_BYTES)
    whole = [blob if len(blob) == _VECTOR_SIZE_BYTES else zeros for blob in blobs]
    return np.frombuffer(b"".join(whole), np.float32).reshape(-1, EMBEDDING_DIMENSIONS)


def _standing(blob: bytes) -> _Standing:
    try:
        return _DECODER.decode(blob)
    except msgspec.MsgspecError as error:
        raise damaged(error) from error
