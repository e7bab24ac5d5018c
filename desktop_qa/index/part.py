"""A part of the indexes: some whole documents with all that is searched of them, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.index.postings import BoolArray, IntArray, Postings, key_of, keys_of
from desktop_qa.index.records import FloatMatrix, IndexRow

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Rows of whole documents, in the order of documents and of their ordinals.

    Attributes:
        documents: Each once.
        stamps: What the store gave each of them when it was saved, shape (n_documents,).
        bounds: Rows of document i are `bounds[i]:bounds[i + 1]`.
        ordinals: Shape (n_rows,).
        kinds: As `KIND_NUMBERS` has them, shape (n_rows,).
        boilerplate: Shape (n_rows,).
        lengths: Terms of each row, repeated ones too, shape (n_rows,).
        keyword_texts: In the order of `keywords.keys`, each ended by a line feed, UTF-8.
        vectors: Shape (n_rows, n_dimensions); zeros where the row has none to compare with.
    """

    documents: tuple[DocumentId, ...]
    stamps: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    ordinals: IntArray
    kinds: npt.NDArray[np.int8]
    boilerplate: BoolArray
    lengths: IntArray
    terms: Postings
    keywords: Postings
    keyword_texts: npt.NDArray[np.uint8]
    vectors: FloatMatrix

    @classmethod
    def of_rows(
        cls, stamps: Mapping[DocumentId, int], rows: Sequence[IndexRow], vectors: FloatMatrix
    ) -> Part:
        """Index rows that stand document by document.

        Args:
            stamps: Of every document of the rows, at least.
            rows: At least one.
            vectors: Row by row those of `rows`.
        """
        documents = tuple(dict.fromkeys(row.document_id for row in rows))
        starts = [
            i for i, row in enumerate(rows) if i == 0 or row.document_id != rows[i - 1].document_id
        ]
        if len(starts) != len(documents):
            msg = "rows of a document are apart"
            raise ValueError(msg)
        n = len(rows)
        keywords = Postings.of_rows(
            [keys_of(row.keywords) for row in rows],
            [np.ones(len(row.keywords), np.uint16) for row in rows],
        )
        texts = {key_of(text): text for row in rows for text in row.keywords}
        return cls(
            documents,
            np.array([stamps[document] for document in documents], np.int64),
            np.array([*starts, n], np.int64),
            np.fromiter((row.ordinal for row in rows), np.int32, n),
            np.fromiter((row.kind for row in rows), np.int8, n),
            np.fromiter((row.boilerplate for row in rows), np.bool_, n),
            np.fromiter((row.counts.sum(dtype=np.int64) for row in rows), np.int32, n),
            Postings.of_rows([keys_of(row.terms) for row in rows], [row.counts for row in rows]),
            keywords,
            pack_texts([texts[key] for key in sorted(texts)]),
            np.ascontiguousarray(vectors, np.float32),
        )

    @classmethod
    def merge(cls, parts: Sequence[Part], kept: Sequence[BoolArray | None]) -> Part:
        """Join parts into one, in their order.

        Args:
            parts: At least one.
            kept: For each, False for the documents to leave out; `None` keeps all. Of all parts
                together one document at least is kept.
        """
        rows_kept = [
            None if mask is None else np.repeat(mask, np.diff(part.bounds))
            for part, mask in zip(parts, kept, strict=True)
        ]
        n_rows = [
            len(part.ordinals) if mask is None else int(mask.sum())
            for part, mask in zip(parts, rows_kept, strict=True)
        ]
        offsets = [0, *np.cumsum(n_rows).tolist()]
        keywords = Postings.merge(_moved([part.keywords for part in parts], offsets, rows_kept))
        lengths = [np.diff(part.bounds) for part in parts]
        return cls(
            tuple(
                document
                for part, mask in zip(parts, kept, strict=True)
                for i, document in enumerate(part.documents)
                if mask is None or mask[i]
            ),
            _joined([part.stamps for part in parts], kept),
            np.concatenate((np.zeros(1, np.int64), np.cumsum(_joined(lengths, kept)))),
            _joined([part.ordinals for part in parts], rows_kept),
            _joined([part.kinds for part in parts], rows_kept),
            _joined([part.boilerplate for part in parts], rows_kept),
            _joined([part.lengths for part in parts], rows_kept),
            Postings.merge(_moved([part.terms for part in parts], offsets, rows_kept)),
            keywords,
            _merge_texts(parts, keywords),
            _joined([part.vectors for part in parts], rows_kept),
        )

    def __len__(self) -> int:
        return len(self.ordinals)

    def document_of_row(self) -> IntArray:
        """Return for each row which of `documents` it is of."""
        return np.repeat(np.arange(len(self.documents), dtype=np.int32), np.diff(self.bounds))

    def keyword_list(self) -> list[str]:
        """Return the keywords in the order of their keys."""
        return unpack_texts(self.keyword_texts)


def pack_texts(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return texts without line feeds as bytes, each ended by one."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)


def unpack_texts(packed: npt.NDArray[np.uint8]) -> list[str]:
    """Undo `pack_texts`."""
    return packed.tobytes().decode().split("\n")[:-1]


def _merge_texts(parts: Sequence[Part], merged: Postings) -> npt.NDArray[np.uint8]:
    """Return the keywords that are left, in the order of the merged keys."""
    texts = [text for part in parts for text in part.keyword_list()]
    keys = np.concatenate([part.keywords.keys for part in parts])
    keys, firsts = np.unique(keys, return_index=True)
    left = firsts[np.isin(keys, merged.keys, assume_unique=True)]
    return pack_texts([texts[i] for i in left.tolist()])


def _moved(
    pieces: Sequence[Postings], offsets: Sequence[int], kept: Sequence[BoolArray | None]
) -> list[Postings]:
    return [
        piece.moved(start, mask) for piece, start, mask in zip(pieces, offsets, kept, strict=False)
    ]


def _joined(
    arrays: Sequence[npt.NDArray[Scalar]], kept: Sequence[BoolArray | None]
) -> npt.NDArray[Scalar]:
    return np.concatenate(
        [array if mask is None else array[mask] for array, mask in zip(arrays, kept, strict=True)]
    )
