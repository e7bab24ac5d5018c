"""Rows of the store: their types, and how they are packed."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import BoundingBox, DocumentId, PageWords, Word
from desktop_qa.core.history import CitedDocument, KeptQuestion
from desktop_qa.core.segment import IndexedSegment, SegmentId, SegmentKind, make_segment_id
from desktop_qa.index.database import damaged

FloatMatrix = npt.NDArray[np.float32]

_ZLIB_LEVEL = 3
"""Speed before size: a library is saved while it is being read."""

T = TypeVar("T")

TEXT_NUMBER, TABLE_NUMBER, FIGURE_NUMBER = range(3)
"""Kinds of segments as the indexes and their table keep them; the schema has them too."""

KIND_NUMBERS = {
    SegmentKind.TEXT: TEXT_NUMBER,
    SegmentKind.TABLE: TABLE_NUMBER,
    SegmentKind.FIGURE: FIGURE_NUMBER,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A folder whose documents are in the library; `folder` is absolute."""

    id: int
    folder: str


@dataclass(frozen=True, slots=True)
class PendingDocument:
    """A document to read.

    Attributes:
        files: Its files relative to their source folders, first one first.
        paths: The same, absolute.
    """

    document_id: DocumentId
    files: tuple[str, ...]
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What the indexes in memory keep of a segment.

    Attributes:
        terms: Distinct terms of its `lexical_text`.
        counts: How often each of them occurs, same order.
        keywords: Critical keywords in normal form.
        kind: As `KIND_NUMBERS` has it.
    """

    document_id: DocumentId
    ordinal: int
    terms: Sequence[str]
    counts: npt.NDArray[np.uint16]
    keywords: Sequence[str]
    kind: int = 0
    boilerplate: bool = False

    @classmethod
    def of(cls, indexed: IndexedSegment) -> IndexRow:
        """Take the row of a segment that was just read."""
        return cls(
            indexed.segment.document_id,
            indexed.segment.ordinal,
            [term for term, _ in indexed.terms],
            _counts(indexed),
            indexed.keywords,
            KIND_NUMBERS[indexed.segment.kind],
            indexed.segment.boilerplate,
        )

    @property
    def segment_id(self) -> SegmentId:
        """The segment it is of."""
        return make_segment_id(self.document_id, self.ordinal)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord(KeptQuestion):
    """A question that was asked, with its answer as it was.

    Attributes:
        answer: `None` when the question failed.
        documents: What the answer cites, as it was then; empty for answers of earlier versions.
    """

    answer: Answer | None
    documents: tuple[CitedDocument, ...]


@dataclass(frozen=True, slots=True)
class FeedbackRecord:
    """How an answer pleased: `verdict` is 1 for up, -1 for down, 0 for a comment alone."""

    id: int
    history_id: int
    verdict: int
    comment: str
    at: float


def pack(value: object) -> bytes:
    """Encode a value of the core as msgpack."""
    return msgspec.msgpack.encode(value)


def unpack(blob: bytes, kind: type[T]) -> T:
    """Decode what `pack` made.

    Raises:
        LibraryError: When the bytes are no such value.
    """
    try:
        return msgspec.msgpack.decode(blob, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(error) from error


def compress(blob: bytes) -> bytes:
    """Shrink a blob that is read rarely."""
    return zlib.compress(blob, _ZLIB_LEVEL)


def decompress(blob: bytes) -> bytes:
    """Undo `compress`.

    Raises:
        LibraryError: When the bytes are damaged.
    """
    try:
        return zlib.decompress(blob)
    except zlib.error as error:
        raise damaged(error) from error


class _Columns(msgspec.Struct, array_like=True, frozen=True):
    """Texts and numbers apart: one string and one array decode faster than a thousand objects."""

    texts: str
    numbers: bytes


def pack_words(page: PageWords) -> bytes:
    """Encode the words of a page; rectangles keep every digit."""
    boxes = [(w.bbox.left, w.bbox.top, w.bbox.right, w.bbox.bottom) for w in page.words]
    corners = np.asarray(boxes, np.float64).tobytes()
    return compress(pack(_Columns("\n".join(word.text for word in page.words), corners)))


def unpack_words(blob: bytes, page_no: int) -> PageWords:
    """Decode the words of a page.

    Raises:
        LibraryError: When the bytes are damaged.
    """
    columns = unpack(decompress(blob), _Columns)
    texts = columns.texts.split("\n") if columns.numbers else []
    boxes = np.frombuffer(columns.numbers, np.float64).reshape(-1, 4).tolist()
    if len(boxes) != len(texts):
        raise damaged("words without places")
    return PageWords(
        page_no,
        tuple(Word(text, BoundingBox(*box)) for text, box in zip(texts, boxes, strict=True)),
    )


def pack_terms(indexed: IndexedSegment) -> bytes:
    """Encode term counts so that an index of 100 000 segments is read in seconds."""
    texts = " ".join(term for term, _ in indexed.terms)
    return pack(_Columns(texts, _counts(indexed).tobytes()))


def unpack_terms(blob: bytes) -> tuple[list[str], npt.NDArray[np.uint16]]:
    """Decode terms and their counts.

    Raises:
        LibraryError: When the bytes are damaged.
    """
    columns = unpack(blob, _Columns)
    return columns.texts.split(" ") if columns.texts else [], np.frombuffer(
        columns.numbers, np.uint16
    )


def pack_keywords(keywords: Sequence[str]) -> bytes:
    """Encode keywords."""
    return "\n".join(keywords).encode()


def unpack_keywords(blob: bytes) -> list[str]:
    """Decode keywords."""
    return blob.decode().split("\n") if blob else []


def _counts(indexed: IndexedSegment) -> npt.NDArray[np.uint16]:
    return np.fromiter(
        (min(count, 65535) for _, count in indexed.terms), np.uint16, count=len(indexed.terms)
    )
