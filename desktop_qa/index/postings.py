"""An inverted index in NumPy arrays: from a key (a term, a code) to the rows that hold it.

Each addition is a block sorted by key; small blocks are merged into the ones before them, so that a
lookup visits few blocks, however many documents were added one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
CountArray = npt.NDArray[np.uint16]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Block:
    """Postings sorted by key number: those of `keys[i]` lie in `starts[i]:starts[i + 1]`."""

    keys: IntArray
    starts: npt.NDArray[np.intp]
    rows: IntArray
    counts: CountArray

    @classmethod
    def sort(cls, numbers: IntArray, rows: IntArray, counts: CountArray) -> _Block:
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        firsts = np.flatnonzero(np.diff(numbers, prepend=-1))
        return cls(numbers[firsts], np.append(firsts, len(numbers)), rows[order], counts[order])

    def numbers(self) -> IntArray:
        return np.repeat(self.keys, np.diff(self.starts))


class Postings:
    """Keys, and the rows and counts of each."""

    def __init__(self) -> None:
        # A key met for the first time gets the next number.
        self._number_of: defaultdict[str, int] = defaultdict()
        self._number_of.default_factory = self._number_of.__len__
        self._blocks: list[_Block] = []

    def append(
        self, first_row: int, keys: Sequence[Sequence[str]], counts: Iterable[CountArray]
    ) -> None:
        """Add rows.

        Args:
            first_row: Number of the first of them.
            keys: Distinct keys of each row.
            counts: How often each of them occurs in its row, same order.
        """
        lengths = np.fromiter((len(of_row) for of_row in keys), np.intp, len(keys))
        if not lengths.sum():
            return
        number_of = self._number_of.__getitem__
        numbers = np.concatenate(
            [np.fromiter(map(number_of, of_row), np.int32, len(of_row)) for of_row in keys]
        )
        rows = np.repeat(np.arange(first_row, first_row + len(keys), dtype=np.int32), lengths)
        self._blocks.append(_Block.sort(numbers, rows, np.concatenate(list(counts))))
        while len(self._blocks) > 1 and 2 * len(self._blocks[-1].rows) >= len(
            self._blocks[-2].rows
        ):
            self._merge_last_two()

    def _merge_last_two(self) -> None:
        last, before = self._blocks.pop(), self._blocks.pop()
        self._blocks.append(
            _Block.sort(
                np.concatenate((before.numbers(), last.numbers())),
                np.concatenate((before.rows, last.rows)),
                np.concatenate((before.counts, last.counts)),
            )
        )

    def keep(self, mask: BoolArray) -> None:
        """Drop the rows where the mask is False and move the others up."""
        moved = (np.cumsum(mask) - 1).astype(np.int32)
        blocks = []
        for block in self._blocks:
            kept = mask[block.rows]
            if kept.any():
                rows = moved[block.rows[kept]]
                blocks.append(_Block.sort(block.numbers()[kept], rows, block.counts[kept]))
        self._blocks = blocks

    def get(self, key: str) -> tuple[IntArray, CountArray]:
        """Return the rows that hold a key, each once, and how often they do."""
        number = self._number_of.get(key, -1)
        rows, counts = [np.zeros(0, np.int32)], [np.zeros(0, np.uint16)]
        for block in self._blocks:
            at = int(np.searchsorted(block.keys, number))
            if at < len(block.keys) and block.keys[at] == number:
                part = slice(block.starts[at], block.starts[at + 1])
                rows.append(block.rows[part])
                counts.append(block.counts[part])
        return np.concatenate(rows), np.concatenate(counts)

    def number_of(self, key: str) -> int | None:
        """Return a key's place in `frequencies`; `None` for a key never met."""
        return self._number_of.get(key)

    def frequencies(self) -> npt.NDArray[np.int64]:
        """Return the number of rows that hold each key, by key number; 0 for keys gone."""
        frequencies = np.zeros(len(self._number_of), np.int64)
        for block in self._blocks:
            frequencies[block.keys] += np.diff(block.starts)
        return frequencies

    def group_frequencies(self, group_of_row: IntArray) -> dict[str, int]:
        """Return for each key in use the number of distinct groups (documents) of its rows."""
        n_groups = int(group_of_row.max(initial=-1)) + 1
        pairs = [
            block.numbers().astype(np.int64) * n_groups + group_of_row[block.rows]
            for block in self._blocks
        ]
        if not pairs:
            return {}
        numbers = np.unique(np.concatenate(pairs)) // n_groups
        frequencies = np.bincount(numbers, minlength=len(self._number_of)).tolist()
        return {key: n for key, n in zip(self._number_of, frequencies, strict=True) if n}
