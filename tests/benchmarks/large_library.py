"""A library of any size out of a small real one: real segments varied, nothing embedded or read.

Each round copies every document under a new id. Runs of digits and one word in twenty are changed,
the same way throughout a copy, so that part numbers stay themselves within it and the vocabulary
grows as it does with real siblings. Vectors are turned by some 16 degrees.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import Document, DocumentId
from desktop_qa.core.folders import FileRecord
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.segment import IndexedSegment, make_segment_id
from desktop_qa.index.records import IndexRow
from desktop_qa.index.store import Store
from desktop_qa.library.sync import fingerprint

_NOISE = 0.3
"""Length of the random vector added to each of length 1."""

_WORD = re.compile(r"[A-Za-z]{5,}|\d{2,}")


@dataclass(frozen=True)
class Original:
    """A document as the small library holds it, without its words and drawings."""

    document: Document
    segments: tuple[IndexedSegment, ...]
    vectors: npt.NDArray[np.float32]


class Variation:
    """The changes of one copy: the same word always becomes the same other word."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._changed: dict[str, str] = {}
        self._generator = np.random.default_rng(number)

    def document_id(self, original: DocumentId) -> DocumentId:
        return DocumentId(hashlib.sha256(f"{original} {self._number}".encode()).hexdigest()[:16])

    def text(self, text: str) -> str:
        return _WORD.sub(self._change, text)

    def _change(self, match: re.Match[str]) -> str:
        word = match.group()
        if word not in self._changed:
            digest = hashlib.sha256(f"{word.lower()} {self._number}".encode()).digest()
            if word.isdigit():
                changed = str(int.from_bytes(digest, "big") % 10 ** len(word)).zfill(len(word))
            elif digest[0] < 13:
                letter = chr(ord("a") + digest[1] % 26)
                changed = word[:-2] + letter + word[-1]
            else:
                changed = word
            self._changed[word] = changed
        return self._changed[word]

    def vectors(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        noise = self._generator.standard_normal(vectors.shape, np.float32)
        turned = vectors + noise * np.float32(_NOISE / vectors.shape[1] ** 0.5)
        varied: npt.NDArray[np.float32] = turned / np.linalg.norm(turned, axis=1, keepdims=True)
        return varied

    def copy(self, original: Original) -> Original:
        document_id = self.document_id(original.document.id)
        document = replace(
            original.document,
            id=document_id,
            paths=tuple(map(self.text, original.document.paths)),
            title=self.text(original.document.title),
            part_numbers=tuple(map(self.text, original.document.part_numbers)),
        )
        segments = tuple(self._segment(indexed, document) for indexed in original.segments)
        return Original(document, segments, self.vectors(original.vectors))

    def _segment(self, indexed: IndexedSegment, document: Document) -> IndexedSegment:
        segment = indexed.segment
        terms: dict[str, int] = {}
        for term, count in indexed.terms:
            changed = self.text(term)
            terms[changed] = terms.get(changed, 0) + count
        return IndexedSegment(
            replace(
                segment,
                id=make_segment_id(document.id, segment.ordinal),
                document_id=document.id,
                metadata=replace(
                    segment.metadata,
                    document_title=document.title,
                    part_numbers=document.part_numbers,
                ),
                text=self.text(segment.text),
                embedded_text=self.text(segment.embedded_text),
                lexical_text=self.text(segment.lexical_text),
            ),
            tuple(sorted(terms.items())),
            tuple(sorted({self.text(keyword) for keyword in indexed.keywords})),
        )


def originals(library: Path) -> list[Original]:
    """Read a small library whole."""
    with contextlib.closing(Store.open(library)) as store:
        found = []
        for rows, vectors in store.iter_index_parts(n_rows=1):
            document_id = rows[0].document_id
            document = replace(
                store.document(document_id), blocks=(), tables=(), figures=(), markdown=""
            )
            segments = tuple(
                IndexedSegment(segment, _counted(row), tuple(row.keywords))
                for segment, row in zip(store.segments_of(document_id), rows, strict=True)
            )
            found.append(Original(document, segments, vectors.copy()))
        return found


def _counted(row: IndexRow) -> tuple[tuple[str, int], ...]:
    return tuple(zip(row.terms, row.counts.tolist(), strict=True))


def copies(documents: Sequence[Original]) -> Iterator[Original]:
    """Vary documents again and again."""
    for number in itertools.count(1):
        yield from map(Variation(number).copy, documents)


def save(store: Store, made: Original) -> None:
    """Store a copy as an ingest stores a document."""
    store.save_document(
        made.document, (), made.segments, made.vectors, DocumentState.READY, fingerprint()
    )


def make_large_library(folder: Path, small: Path, n_segments: int) -> int:
    """Fill a new library with at least so many segments; returns how many documents it has.

    The first documents are those of the small library as they are: questions find their answers.
    """
    found = originals(small)
    made = itertools.chain(found, copies(found))
    return _fill(folder, made, n_segments)


def make_wide_library(folder: Path, small: Path, n_documents: int) -> None:
    """Fill a new library with many documents of a few segments: its list is long, nothing else.

    They vary those of a small library, and still say how many pages they have.
    """
    few = [
        replace(one, segments=one.segments[:4], vectors=one.vectors[:4]) for one in originals(small)
    ]
    _fill(folder, itertools.islice(copies(few), n_documents))


def _fill(folder: Path, documents: Iterable[Original], enough: float = math.inf) -> int:
    """Save documents in twelve folders, until there are enough segments; returns how many."""
    n_documents = 0
    with contextlib.closing(Store.open(folder)) as store:
        source = store.add_source(folder / "documents")
        for made in documents:
            save(store, made)
            name = made.document.paths[0].rsplit("/", 1)[-1]
            path = f"{n_documents % 12:02d}/{n_documents:06d} {name}"
            store.put_files(source.id, [FileRecord(path, 1, 1, made.document.id)])
            n_documents += 1
            enough -= len(made.segments)
            if enough <= 0:
                break
    return n_documents
