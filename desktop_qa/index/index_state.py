"""All parts of the indexes as they are between two changes: a change makes a new state.

A question takes the state of the moment and scores it, however many documents come and go
meanwhile; nothing has to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.index.part import Part
from desktop_qa.index.postings import BoolArray, IntArray, KeyArray
from desktop_qa.index.records import FloatMatrix

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class LivePart:
    """A part without the documents that left it since it was made.

    Attributes:
        path: Its file; `None` while it is in memory only.
        kept: False for the documents that left, shape (n_documents,); `None` when none did.
        rows_kept: The same by row, shape (n_rows,).
        frequencies: Rows left of each term, in the order of `part.terms.keys`.
    """

    part: Part
    path: Path | None
    kept: BoolArray | None
    rows_kept: BoolArray | None
    frequencies: IntArray

    @classmethod
    def whole(cls, part: Part, path: Path | None = None) -> LivePart:
        """Take a part with all of its documents."""
        return cls(part, path, None, None, part.terms.frequencies())

    def without(self, places: Sequence[int]) -> LivePart:
        """Leave out documents, by their places in the part."""
        part = self.part
        kept = np.ones(len(part.documents), np.bool_) if self.kept is None else self.kept.copy()
        frequencies = self.frequencies
        for place in places:
            kept[place] = False
            frequencies = frequencies - part.terms.frequencies_within(
                int(part.bounds[place]), int(part.bounds[place + 1])
            )
        return replace(
            self,
            kept=kept,
            rows_kept=np.repeat(kept, np.diff(part.bounds)),
            frequencies=frequencies,
        )

    @property
    def n_rows(self) -> int:
        """Rows left."""
        return len(self.part) if self.rows_kept is None else int(self.rows_kept.sum())

    def places_left(self) -> list[int]:
        """Return the places of the documents left."""
        n = len(self.part.documents)
        return list(range(n)) if self.kept is None else np.flatnonzero(self.kept).tolist()

    def document_frequencies(self, keys: KeyArray) -> npt.NDArray[np.int64]:
        """Return the rows left that hold each of some terms."""
        at, found = self.part.terms.places(keys)
        frequencies = np.zeros(len(keys), np.int64)
        frequencies[found] = self.frequencies[at[found]]
        return frequencies


class IndexState:
    """Parts and what follows from them; rows are dense from 0, part after part."""

    def __init__(
        self, parts: Sequence[LivePart] = (), histogram: npt.NDArray[np.int64] | None = None
    ) -> None:
        self.parts = tuple(parts)
        self._histogram = histogram

    @classmethod
    def of(cls, parts: Iterable[LivePart], stamps: Mapping[DocumentId, int]) -> IndexState:
        """Take parts as far as they agree with the store.

        Args:
            parts: As read from the disk, in their order.
            stamps: Of every document that the store has now.
        """
        seen: set[DocumentId] = set()
        live = []
        for one in parts:
            stale = []
            for place in one.places_left():
                document = one.part.documents[place]
                if stamps.get(document) == one.part.stamps[place] and document not in seen:
                    seen.add(document)
                else:
                    stale.append(place)
            live.append(one.without(stale) if stale else one)
        return cls(live)

    def stamps(self) -> dict[DocumentId, int]:
        """Return the stamp of every document that is left."""
        return {
            one.part.documents[place]: int(one.part.stamps[place])
            for one in self.parts
            for place in one.places_left()
        }

    def added(self, part: LivePart) -> IndexState:
        """Append a whole part whose documents are in no other."""
        return IndexState(
            (*self.parts, part),
            self._moved_histogram(self, part.part.terms.keys, part.frequencies, 1),
        )

    def without(self, documents: Collection[DocumentId]) -> IndexState:
        """Leave out documents; unknown ones are passed over."""
        state = self
        for n, one in enumerate(self.parts):
            places = [
                place for place in one.places_left() if one.part.documents[place] in documents
            ]
            if places:
                left = one.without(places)
                lost = one.frequencies - left.frequencies
                used = np.flatnonzero(lost)
                state = IndexState(
                    (*state.parts[:n], left, *state.parts[n + 1 :]),
                    self._moved_histogram(state, one.part.terms.keys[used], lost[used], -1),
                )
        return state

    def with_parts(self, parts: Sequence[LivePart]) -> IndexState:
        """Take other parts that hold the same documents."""
        return IndexState(parts, self._histogram)

    @staticmethod
    def _moved_histogram(
        state: IndexState, keys: KeyArray, changes: npt.NDArray[np.integer], sign: int
    ) -> npt.NDArray[np.int64]:
        before = state.frequencies(keys)
        after = before + sign * changes.astype(np.int64)
        old = state.histogram
        size = max(len(old), int(after.max(initial=0)) + 1)
        histogram = np.zeros(size, np.int64)
        histogram[: len(old)] = old
        histogram -= np.bincount(before, minlength=size)
        histogram += np.bincount(after, minlength=size)
        histogram[0] = 0
        return histogram

    def frequencies(self, keys: KeyArray) -> npt.NDArray[np.int64]:
        """Return the number of rows that hold each of some terms."""
        total = np.zeros(len(keys), np.int64)
        for one in self.parts:
            total += one.document_frequencies(keys)
        return total

    @property
    def histogram(self) -> npt.NDArray[np.int64]:
        """At n the number of terms that n rows hold; 0 at 0."""
        if self._histogram is None:
            keys = np.concatenate(
                [np.zeros(0, np.uint64), *(one.part.terms.keys for one in self.parts)]
            )
            frequencies = np.concatenate(
                [np.zeros(0, np.int32), *(one.frequencies for one in self.parts)]
            )
            order = np.argsort(keys, kind="stable")
            keys, frequencies = keys[order], frequencies[order]
            is_first = np.ones(len(keys), np.bool_)
            is_first[1:] = keys[1:] != keys[:-1]
            firsts = np.flatnonzero(is_first)
            sums = np.zeros(0, np.int64)
            if len(firsts):
                sums = np.add.reduceat(frequencies, firsts, dtype=np.int64)
            self._histogram = np.bincount(sums, minlength=1)
            self._histogram[0] = 0
        return self._histogram

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """First row of each part among all rows, those that left included; then their number."""
        return (0, *np.cumsum([len(one.part) for one in self.parts]).tolist())

    @cached_property
    def _rows_left(self) -> npt.NDArray[np.intp] | None:
        if all(one.rows_kept is None for one in self.parts):
            return None
        return np.flatnonzero(
            np.concatenate(
                [
                    np.ones(len(one.part), np.bool_) if one.rows_kept is None else one.rows_kept
                    for one in self.parts
                ]
            )
        )

    @cached_property
    def n_rows(self) -> int:
        """Rows that are left."""
        return sum(one.n_rows for one in self.parts)

    def dense(self, of_all: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Return the values of the rows left, from those of all rows."""
        return of_all if self._rows_left is None else of_all[self._rows_left]

    def gather(
        self, column: Callable[[Part], npt.NDArray[Scalar]], kind: type[Scalar]
    ) -> npt.NDArray[Scalar]:
        """Return a column of all parts for the rows left, shape (n_rows,)."""
        return self.dense(
            np.concatenate([np.zeros(0, kind), *(column(one.part) for one in self.parts)])
        )

    @cached_property
    def document_ids(self) -> tuple[DocumentId, ...]:
        """The documents in the order of their rows."""
        return tuple(one.part.documents[place] for one in self.parts for place in one.places_left())

    @cached_property
    def bounds(self) -> npt.NDArray[np.int64]:
        """Rows of the i-th document are `bounds[i]:bounds[i + 1]`."""
        sizes = [np.diff(one.part.bounds)[one.places_left()] for one in self.parts]
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.concatenate([[0], *sizes])[1:])))

    @cached_property
    def number_of(self) -> Mapping[DocumentId, int]:
        """Place of each document in `document_ids`."""
        return {document: number for number, document in enumerate(self.document_ids)}

    def has_vectors(self) -> BoolArray:
        """Return True for each row whose vector can be compared with others, shape (n_rows,)."""
        parts = [one.part.vectors.any(axis=1) for one in self.parts]
        return self.dense(np.concatenate([np.zeros(0, np.bool_), *parts]))

    def vectors(self, rows: npt.NDArray[np.intp]) -> FloatMatrix:
        """Return the vectors of some rows, in ascending order of the rows."""
        places = rows if self._rows_left is None else self._rows_left[rows]
        found = []
        for one, start in zip(self.parts, self.starts, strict=False):
            inside = (places >= start) & (places < start + len(one.part))
            found.append(one.part.vectors[places[inside] - start])
        return np.concatenate(found) if found else np.zeros((0, 0), np.float32)
