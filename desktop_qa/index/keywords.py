"""Critical keywords: which segments and documents hold a code, and how many of a question's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.index.postings import Postings
from desktop_qa.index.records import IndexRow
from desktop_qa.index.rows import SegmentTable


class KeywordIndex:
    """Keywords in normal form over the rows of a `SegmentTable` that is changed along with it."""

    def __init__(self, table: SegmentTable) -> None:
        self._table = table
        self._postings = Postings()
        self._n_rows = 0
        self._vocabulary: Mapping[str, int] | None = None

    def __len__(self) -> int:
        return self._n_rows

    def append(self, rows: Sequence[IndexRow]) -> None:
        """Add segments after the last row."""
        self._postings.append(
            self._n_rows,
            [row.keywords for row in rows],
            (np.ones(len(row.keywords), np.uint16) for row in rows),
        )
        self._n_rows += len(rows)
        self._vocabulary = None

    def keep(self, mask: npt.NDArray[np.bool_]) -> None:
        """Drop the rows where the mask is False, shape (n_rows,)."""
        self._postings.keep(mask)
        self._n_rows = int(mask.sum())
        self._vocabulary = None

    def matches(self, keywords: Iterable[str]) -> npt.NDArray[np.float64]:
        """Count how many of some keywords each segment holds: |C| of HiQA, Eq. 2.

        Args:
            keywords: In normal form; one given twice counts once.

        Returns:
            Shape (n_rows,), in row order.
        """
        counts = np.zeros(self._n_rows)
        for keyword in dict.fromkeys(keywords):
            counts[self.rows_with(keyword)] += 1
        return counts

    def rows_with(self, keyword: str) -> npt.NDArray[np.int32]:
        """Return the rows of the segments that hold a keyword."""
        return self._postings.get(keyword)[0]

    def documents_with(self, keyword: str) -> tuple[DocumentId, ...]:
        """Return the documents that hold a keyword anywhere."""
        return self._table.document_ids_at(self.rows_with(keyword))

    def vocabulary(self) -> Mapping[str, int]:
        """Return every keyword of the library with the number of documents that hold it."""
        if self._vocabulary is None:
            self._vocabulary = self._postings.group_frequencies(self._table.document_numbers)
        return self._vocabulary
