"""Critical keywords: which segments and documents hold a code, and how many of a question's."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.index.index_state import IndexState
from desktop_qa.index.postings import key_of


class KeywordIndex(Mapping[str, int]):
    """Keywords in normal form over the rows of a state, with the number of documents of each.

    Single keywords are looked up without listing all of them; the list is made when asked for.
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state

    def matches(self, keywords: Iterable[str]) -> npt.NDArray[np.float32]:
        """Count how many of some keywords each segment holds: |C| of HiQA, Eq. 2.

        Args:
            keywords: In normal form; one given twice counts once.

        Returns:
            Shape (n_rows,), in row order.
        """
        state = self._state
        counts = np.zeros(state.starts[-1], np.float32)
        for keyword in dict.fromkeys(keywords):
            for number, rows, _ in state.holding(key_of(keyword), lambda part: part.keywords):
                counts[state.starts[number] + rows] += 1
        return state.dense(counts)

    def holders(self, keyword: str) -> dict[DocumentId, int]:
        """Return the documents that hold a keyword, with the number of their segments that do."""
        found: dict[DocumentId, int] = {}
        for part_no, rows, _ in self._state.holding(key_of(keyword), lambda part: part.keywords):
            one = self._state.parts[part_no]
            if one.rows_kept is not None:
                rows = rows[one.rows_kept[rows]]
            places = np.searchsorted(one.part.bounds, rows, side="right") - 1
            numbers, counts = np.unique(places, return_counts=True)
            for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
                found[one.part.documents[number]] = count
        return found

    def __getitem__(self, keyword: str) -> int:
        n_documents = len(self.holders(keyword))
        if not n_documents:
            raise KeyError(keyword)
        return n_documents

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def items(self) -> ItemsView[str, int]:
        """Return all keywords with their numbers of documents."""
        return self._all.items()

    @cached_property
    def _all(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        for one in self._state.parts:
            numbers = one.part.keywords.group_frequencies(one.part.document_of_row(), one.rows_kept)
            for text, number in zip(one.part.keyword_list(), numbers.tolist(), strict=True):
                if number:
                    totals[text] = totals.get(text, 0) + number
        return totals
