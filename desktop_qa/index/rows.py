"""The order of segments that all indexes share, so that scores add up row by row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, make_segment_id
from desktop_qa.index.index_state import IndexState
from desktop_qa.index.part import Part

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]
RowArray = npt.NDArray[np.intp]
Scores = npt.NDArray[np.floating]


class SegmentTable:
    """Row number of each segment, and what is known of a row; rows are dense from 0.

    The rows of a document follow one another by ordinal. Row numbers, and numbers of documents,
    hold for one state only.
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state

    def __len__(self) -> int:
        return self._state.n_rows

    @cached_property
    def segment_ids(self) -> Sequence[SegmentId]:
        """Segment of each row; made when asked for, a million strings would be 80 MB."""
        return SegmentIds(self)

    @cached_property
    def document_numbers(self) -> IntArray:
        """Place of each row's document in the order of documents, shape (n_rows,), ascending."""
        bounds = self._state.bounds
        return np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))

    @cached_property
    def ordinals(self) -> IntArray:
        """Place of each row's segment in its document, 0-based, shape (n_rows,)."""
        return self._state.gather(_ordinals, np.int32)

    @cached_property
    def kinds(self) -> npt.NDArray[np.int8]:
        """Kind of each row as `kind_number` has it, shape (n_rows,)."""
        return self._state.gather(_kinds, np.int8)

    @cached_property
    def boilerplate(self) -> BoolArray:
        """True for legal, ordering and packaging matter, shape (n_rows,)."""
        return self._state.gather(_boilerplate, np.bool_)

    def segment_id(self, row: int) -> SegmentId:
        """Return the segment of a row."""
        return make_segment_id(self.document_of(row), int(self.ordinals[row]))

    def row_of(self, segment_id: SegmentId) -> int | None:
        """Return the row of a segment; `None` when it is not indexed."""
        document_id, _, ordinal = segment_id.rpartition(":")
        number = self._state.number_of.get(DocumentId(document_id))
        if number is None or not ordinal.isdecimal():
            return None
        start, end = self._bounds[number : number + 2]
        row = start + int(np.searchsorted(self.ordinals[start:end], int(ordinal)))
        return row if row < end and self.ordinals[row] == int(ordinal) else None

    def document_of(self, row: int) -> DocumentId:
        """Return the document that a row belongs to."""
        return self._state.document_ids[bisect_right(self._bounds, row) - 1]

    @cached_property
    def _bounds(self) -> list[int]:
        """The bounds of the documents as a list: one of them is found ten times as fast."""
        return [int(bound) for bound in self._state.bounds]

    def document_at(self, number: int) -> DocumentId:
        """Return a document by its number."""
        return self._state.document_ids[number]

    def mask_of(self, document_ids: Iterable[DocumentId]) -> BoolArray:
        """Return True for each row of these documents, shape (n_rows,)."""
        mask = np.zeros(len(self), np.bool_)
        for document_id in document_ids:
            number = self._state.number_of.get(document_id)
            if number is not None:
                start, end = self._bounds[number : number + 2]
                mask[start:end] = True
        return mask

    def rows_of(self, document_id: DocumentId) -> RowArray:
        """Return the rows of a document, ascending."""
        number = self._state.number_of.get(document_id)
        if number is None:
            return np.zeros(0, np.intp)
        start, end = self._bounds[number : number + 2]
        return np.arange(start, end)


class SegmentIds(Sequence[SegmentId]):
    """The ids of all rows as a sequence that holds none of them."""

    def __init__(self, table: SegmentTable) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, row: int) -> SegmentId: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[SegmentId]: ...

    def __getitem__(self, row: int | slice) -> SegmentId | Sequence[SegmentId]:
        if isinstance(row, slice):
            return [self._table.segment_id(i) for i in range(*row.indices(len(self)))]
        n = len(self)
        if not -n <= row < n:
            raise IndexError(row)
        return self._table.segment_id(int(row) % n)

    def __iter__(self) -> Iterator[SegmentId]:
        table = self._table
        for number, ordinal in zip(
            table.document_numbers.tolist(), table.ordinals.tolist(), strict=True
        ):
            yield make_segment_id(table.document_at(number), ordinal)


def best_rows(scores: Scores, k: int) -> RowArray:
    """Return the k rows of the highest scores, best first, ties by row.

    What a stable sort of all of them begins with, at a tenth of its time over 100 000 rows.
    """
    n = len(scores)
    if k < n:
        least = np.partition(scores, n - k)[n - k]
        candidates = np.flatnonzero(scores >= least)
    else:
        candidates = np.arange(n)
    order = np.argsort(-scores[candidates], kind="stable")
    return candidates[order[:k]]


def best_mean(
    scores: Scores, document_numbers: npt.NDArray[np.integer], k: int, fill: float | None = None
) -> npt.NDArray[np.float64]:
    """Return the mean of the best k rows of each document.

    Args:
        scores: Shape (n,).
        document_numbers: Ascending, shape (n,): the rows of a document follow one another.
        k: At least 1.
        fill: Stands in for the rows that a document of less than k rows lacks; the lowest score of
            all when `None`.

    Returns:
        By document number, shape (highest number + 1,); `fill` for a number without rows.
    """
    if scores.size == 0:
        return np.zeros(0)
    lowest = float(scores.min()) if fill is None else fill
    is_first = np.ones(len(scores), np.bool_)
    is_first[1:] = document_numbers[1:] != document_numbers[:-1]
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.append(starts, len(scores)))
    left = np.array(scores, copy=True)
    total = np.zeros(len(starts))
    for n_taken in range(k):
        best = np.maximum.reduceat(left, starts)
        total += np.where(sizes > n_taken, best, lowest)
        if n_taken + 1 < k:
            # The best row of each document is taken out, one of them when several are equal.
            holders = np.flatnonzero(left == np.repeat(best, sizes))
            numbers = document_numbers[holders]
            is_new = np.ones(len(holders), np.bool_)
            is_new[1:] = numbers[1:] != numbers[:-1]
            left[holders[is_new]] = -np.inf
    means = np.full(int(document_numbers[-1]) + 1, lowest)
    means[document_numbers[starts]] = total / k
    return means


def _ordinals(part: Part) -> IntArray:
    return part.ordinals


def _kinds(part: Part) -> npt.NDArray[np.int8]:
    return part.kinds


def _boilerplate(part: Part) -> BoolArray:
    return part.boilerplate
