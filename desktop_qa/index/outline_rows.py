"""The part of the store that tells where segments stand, without their texts and places.

Reading only what is needed of the metadata is ten times as fast as making segments of the rows: the
outlines of 5000 documents take seconds, not minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.database import Database, damaged

PageArray = npt.NDArray[np.int32]

_IDS_AT_ONCE = 500


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


class OutlineRows:
    """Outlines of documents, texts that phrases are looked for in, questions asked before."""

    _database: Database

    def outline(self, document_id: DocumentId) -> DocumentOutline:
        """Return where the segments of a document stand; an empty outline when it has none."""
        query = "SELECT kind, metadata FROM segments WHERE document_id = ? ORDER BY ordinal"
        with self._database.read() as connection:
            rows = connection.execute(query, (document_id,)).fetchall()
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
        found: dict[SegmentId, str] = {}
        with self._database.read() as connection:
            for start in range(0, len(segment_ids), _IDS_AT_ONCE):
                ids = segment_ids[start : start + _IDS_AT_ONCE]
                marks = ", ".join("?" * len(ids))
                query = f"SELECT id, lexical_text FROM segments WHERE id IN ({marks})"
                found.update(connection.execute(query, ids).fetchall())
        return found

    def last_question(self) -> tuple[int, int]:
        """Return the number of the latest question and how many are kept: both change with them."""
        if not self._database.has_history:
            return 0, 0
        query = (
            "SELECT coalesce(max(id), 0), count(*) FROM history_entries WHERE deleted_at IS NULL"
        )
        with self._database.read() as connection:
            row = connection.execute(query).fetchone()
        return int(row[0]), int(row[1])

    def asked_questions(self, limit: int) -> Iterator[tuple[str, float]]:
        """Yield the latest questions that were answered, each once, with when, newest first."""
        if not self._database.has_history:
            return
        query = (
            "SELECT question, max(asked_at) FROM history_entries"
            " WHERE deleted_at IS NULL AND state = 'answered'"
            " GROUP BY question ORDER BY max(id) DESC LIMIT ?"
        )
        with self._database.read() as connection:
            rows = connection.execute(query, (limit,)).fetchall()
        yield from ((str(question), float(at)) for question, at in rows)


def _standing(blob: bytes) -> _Standing:
    try:
        return _DECODER.decode(blob)
    except msgspec.MsgspecError as error:
        raise damaged(error) from error
