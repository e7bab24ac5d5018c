"""Documents and segments made up for tests: small, and complete in every field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    DocumentId,
    PageFailure,
    PageWords,
    Provenance,
    Table,
    TableCell,
    Word,
)
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    IndexedSegment,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.index.lexical import count_terms
from desktop_qa.index.store import Store

PLACE = Provenance(1, BoundingBox(72.1, 100.25, 300.5, 112.75))


@dataclass(frozen=True)
class SampleDocument:
    document: Document
    page_words: tuple[PageWords, ...]
    segments: tuple[IndexedSegment, ...]
    embeddings: npt.NDArray[np.float32]

    def save_in(self, store: Store, fingerprint: str = "f1") -> None:
        store.save_document(
            self.document,
            self.page_words,
            self.segments,
            self.embeddings,
            DocumentState.READY,
            fingerprint,
        )


def make_document(n_pages: int = 2, **changes: Any) -> Document:
    """An empty document, complete in every field; `changes` are the fields that matter."""
    fields: dict[str, Any] = {
        "id": DocumentId("0123456789abcdef"),
        "paths": ("xy1234.pdf",),
        "title": "XY1234 Operational Amplifier",
        "vendor": "Acme",
        "part_numbers": ("XY1234",),
        "revision": "B",
        "page_sizes": ((600.0, 800.0),) * n_pages,
        "page_labels": tuple(str(n + 1) for n in range(n_pages)),
        "blocks": (),
        "tables": (),
        "figures": (),
        "markdown": "",
        "page_failures": (),
        "parser_version": "1",
    }
    return Document(**(fields | changes))


def make_status(file: str, document_id: str = "", **changes: Any) -> DocumentStatus:
    """The line of a document that was read, called by its file unless told otherwise."""
    fields: dict[str, Any] = {
        "files": (file,),
        "path": f"/x/{file}",
        "state": DocumentState.READY,
        "n_segments": 3,
    }
    return DocumentStatus(DocumentId(document_id or file), file, **(fields | changes))


METADATA = CascadingMetadata("DQA1 Sensor", "Acme", ("DQA1",), "B", ("1 Overview",), "1", "", (1,))


def make_segment(
    document_id: str,
    ordinal: int,
    text: str,
    metadata: CascadingMetadata = METADATA,
    **changes: Any,
) -> Segment:
    """A segment whose texts are all alike, unless told otherwise."""
    own = DocumentId(document_id)
    fields: dict[str, Any] = {
        "kind": SegmentKind.TEXT,
        "element": None,
        "provenances": (PLACE,),
        "n_tokens": len(text.split()),
        "embedded_text": text,
        "lexical_text": text,
    }
    return Segment(
        make_segment_id(own, ordinal), own, ordinal, metadata=metadata, text=text,
        **(fields | changes),
    )  # fmt: skip


def make_cells(
    rows: Sequence[Sequence[str | None]],
    places: Callable[[int, int], tuple[Provenance, ...]] = lambda _row, _column: (),
    n_heads: int = 1,
) -> tuple[TableCell, ...]:
    """The cells of a table of texts; "<" goes on the one left of it, "^" or None the one above."""
    spans: dict[tuple[int, int], list[int]] = {}
    owners: dict[tuple[int, int], tuple[int, int]] = {}
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            owner = owners[r, c] = owners.get(
                (r, c - 1) if text == "<" else (r - 1, c) if text in ("^", None) else (r, c), (r, c)
            )
            spans[owner] = [r - owner[0] + 1, c - owner[1] + 1]
    return tuple(
        TableCell(r, c, down, right, rows[r][c] or "", r < n_heads, places(r, c))
        for (r, c), (down, right) in spans.items()
    )


def _segment(document_id: DocumentId, ordinal: int, text: str) -> IndexedSegment:
    is_text = ordinal % 2 == 0
    segment = make_segment(
        document_id,
        ordinal,
        text,
        kind=SegmentKind.TEXT if is_text else SegmentKind.TABLE,
        element=None if is_text else ElementRef(0, 1, 2),
        boilerplate="warranty" in text,
    )
    codes = sorted({word.casefold() for word in text.split() if any(c.isdigit() for c in word)})
    return IndexedSegment(segment, count_terms(text), tuple(codes))


def make_sample(
    name: str, texts: tuple[str, ...] = ("supply current 5 mA", "warranty of DQA1")
) -> SampleDocument:
    """Make a document of given segment texts; its vectors are drawn from its name."""
    document_id = DocumentId(name.encode().hex()[:16].ljust(16, "0"))
    cell = TableCell(0, 0, 1, 1, "5 mA", True, (PLACE,))
    document = make_document(
        id=document_id,
        paths=(f"{name}.pdf",),
        title=f"{name} Sensor",
        part_numbers=(name,),
        blocks=(Block(BlockKind.TEXT, "supply current", 0, (PLACE,)),),
        tables=(Table("Table 1", "Limits", "", 3, 1, (cell,), (), (PLACE,)),),
        markdown="# Sensor",
        page_failures=(PageFailure(2, "no text"),),
    )
    words = tuple(Word(word, PLACE.bbox) for word in " ".join(texts).split())
    generator = np.random.default_rng(sum(name.encode()))
    vectors = generator.normal(size=(len(texts), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    segments = tuple(_segment(document_id, i, text) for i, text in enumerate(texts))
    return SampleDocument(document, (PageWords(1, words), PageWords(2, ())), segments, vectors)
