"""The order of segments that all indexes in memory share, so that scores add up row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId
from desktop_qa.index.records import IndexRow

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]
RowArray = npt.NDArray[np.intp]


class SegmentTable:
    """Row number of each segment, and what is known of a row; rows are dense from 0.

    A removal moves the rows behind it up: row numbers hold only until the next change.
    """

    def __init__(self) -> None:
        self.segment_ids: list[SegmentId] = []
        self.boilerplate: BoolArray = np.zeros(0, np.bool_)
        self.kinds: npt.NDArray[np.int8] = np.zeros(0, np.int8)
        self.ordinals: IntArray = np.zeros(0, np.int32)
        self.document_numbers: IntArray = np.zeros(0, np.int32)
        self._row_of: dict[SegmentId, int] = {}
        # Numbers are never given twice, so that removing a document renumbers no other.
        self._number_of: dict[DocumentId, int] = {}
        self._document_ids: list[DocumentId] = []

    def __len__(self) -> int:
        return len(self.segment_ids)

    def append(self, rows: Sequence[IndexRow]) -> None:
        """Add segments after the last row."""
        first = len(self)
        self.segment_ids.extend(row.segment_id for row in rows)
        self._row_of.update((row.segment_id, first + i) for i, row in enumerate(rows))
        numbers = np.fromiter((self._number(row.document_id) for row in rows), np.int32, len(rows))
        self.document_numbers = np.concatenate((self.document_numbers, numbers))
        flags = np.fromiter((row.boilerplate for row in rows), np.bool_, len(rows))
        self.boilerplate = np.concatenate((self.boilerplate, flags))
        kinds = np.fromiter((row.kind for row in rows), np.int8, len(rows))
        self.kinds = np.concatenate((self.kinds, kinds))
        ordinals = np.fromiter((row.ordinal for row in rows), np.int32, len(rows))
        self.ordinals = np.concatenate((self.ordinals, ordinals))

    def _number(self, document_id: DocumentId) -> int:
        number = self._number_of.setdefault(document_id, len(self._document_ids))
        if number == len(self._document_ids):
            self._document_ids.append(document_id)
        return number

    def keep(self, mask: BoolArray) -> None:
        """Drop the rows where the mask is False, shape (n_rows,)."""
        kept = np.flatnonzero(mask).tolist()
        self.segment_ids = [self.segment_ids[row] for row in kept]
        self._row_of = {segment_id: row for row, segment_id in enumerate(self.segment_ids)}
        self.document_numbers = self.document_numbers[mask]
        self.boilerplate = self.boilerplate[mask]
        self.kinds = self.kinds[mask]
        self.ordinals = self.ordinals[mask]

    def row_of(self, segment_id: SegmentId) -> int | None:
        """Return the row of a segment; `None` when it is not indexed."""
        return self._row_of.get(segment_id)

    def document_of(self, row: int) -> DocumentId:
        """Return the document that a row belongs to."""
        return self._document_ids[int(self.document_numbers[row])]

    def mask_of(self, document_ids: Iterable[DocumentId]) -> BoolArray:
        """Return True for each row of these documents, shape (n_rows,)."""
        numbers = [self._number_of[d] for d in document_ids if d in self._number_of]
        return np.isin(self.document_numbers, np.asarray(numbers, np.int32))

    def rows_of(self, document_id: DocumentId) -> RowArray:
        """Return the rows of a document, ascending."""
        return np.flatnonzero(self.mask_of((document_id,)))

    def document_ids_at(self, rows: npt.NDArray[np.integer]) -> tuple[DocumentId, ...]:
        """Return the distinct documents of some rows, in the order in which they were indexed."""
        numbers = np.unique(self.document_numbers[rows])
        return tuple(self._document_ids[number] for number in numbers.tolist())


def best_mean(
    scores: npt.NDArray[np.float64],
    document_numbers: npt.NDArray[np.integer],
    k: int,
    fill: float | None = None,
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
