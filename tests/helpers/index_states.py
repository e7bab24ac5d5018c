"""States of the indexes made by hand, without a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from desktop_qa.core.document import DocumentId
from desktop_qa.index.index_state import IndexState, LivePart
from desktop_qa.index.part import Part
from desktop_qa.index.records import IndexRow
from tests.helpers.sample_documents import SampleDocument


def rows_of_terms(document: str, corpus: Sequence[Sequence[str]]) -> list[IndexRow]:
    """Make a document whose segments have these terms."""
    rows = []
    for ordinal, terms in enumerate(corpus):
        counted = Counter(terms)
        counts = np.array(list(counted.values()), np.uint16)
        rows.append(IndexRow(DocumentId(document), ordinal, list(counted), counts, ()))
    return rows


def part_of(rows: Sequence[IndexRow]) -> Part:
    """Make a part; its vectors are drawn from its documents."""
    stamps = dict.fromkeys((row.document_id for row in rows), 1)
    generator = np.random.default_rng(sum("".join(stamps).encode()))
    vectors = generator.normal(size=(len(rows), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Part.of_rows(stamps, rows, vectors)


def part_of_sample(sample: SampleDocument) -> Part:
    """Make a part of one document."""
    rows = [IndexRow.of(indexed) for indexed in sample.segments]
    return Part.of_rows({sample.document.id: 1}, rows, sample.embeddings)


def state_of(parts: Iterable[Part]) -> IndexState:
    """Add parts one after the other."""
    state = IndexState()
    for part in parts:
        state = state.added(LivePart.whole(part))
    return state
