"""An inverted index in NumPy arrays: from a key (a term, a code) to the rows that hold it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
CountArray = npt.NDArray[np.uint16]
KeyArray = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]


@lru_cache(maxsize=1 << 18)
def key_of(text: str) -> int:
    """Return the number that a term or a code goes by, below 2**64.

    A hash and no place in a list: indexes made apart agree on it, and none of them has to keep the
    texts. Among ten million texts two share a number with a probability of 3 in a million.
    """
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def keys_of(texts: Iterable[str]) -> KeyArray:
    """Return the numbers of some texts, in their order."""
    return np.fromiter(map(key_of, texts), np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Postings that never change, sorted by key; those of `keys[i]` are `starts[i]:starts[i + 1]`.

    Attributes:
        keys: Ascending, each once, shape (n_keys,).
        starts: Shape (n_keys + 1,).
        rows: Ascending within a key, each once.
        counts: How often the key occurs in that row.
    """

    keys: KeyArray
    starts: npt.NDArray[np.int64]
    rows: IntArray
    counts: CountArray

    @classmethod
    def of_rows(cls, keys: Sequence[KeyArray], counts: Sequence[CountArray]) -> Postings:
        """Index the rows 0, 1, ...

        Args:
            keys: Distinct keys of each row.
            counts: How often each of them occurs in its row, same order.
        """
        lengths = np.fromiter((len(of_row) for of_row in keys), np.int64, len(keys))
        numbers = np.concatenate([np.zeros(0, np.uint64), *keys])
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        firsts = firsts_of(numbers)
        return cls(
            numbers[firsts],
            np.append(firsts, len(numbers)),
            np.repeat(np.arange(len(keys), dtype=np.int32), lengths)[order],
            np.concatenate([np.zeros(0, np.uint16), *counts])[order],
        )

    @classmethod
    def merge(cls, pieces: Sequence[Postings]) -> Postings:
        """Join indexes whose rows follow one another, as `moved` numbers them."""
        keys = np.concatenate([piece.keys for piece in pieces])
        lengths = np.concatenate([np.diff(piece.starts) for piece in pieces])
        offsets = np.cumsum([0, *(len(piece.rows) for piece in pieces)])
        starts = np.concatenate(
            [piece.starts[:-1] + offset for piece, offset in zip(pieces, offsets, strict=False)]
        )
        # Sorting is by key alone and stable, so that the rows of a key stay in order.
        order = np.argsort(keys, kind="stable")
        keys, lengths, starts = keys[order], lengths[order], starts[order]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        source = np.repeat((starts - (ends - lengths)).astype(np.int64), lengths)
        source += np.arange(total)
        firsts = firsts_of(keys)
        return cls(
            keys[firsts],
            np.append((ends - lengths)[firsts], total),
            np.concatenate([piece.rows for piece in pieces])[source],
            np.concatenate([piece.counts for piece in pieces])[source],
        )

    def moved(self, offset: int, kept: BoolArray | None = None) -> Postings:
        """Number the rows anew, from `offset` on.

        Args:
            offset: New number of the first row that is kept.
            kept: False for rows to leave out; `None` keeps all.
        """
        if kept is None:
            return Postings(self.keys, self.starts, self.rows + np.int32(offset), self.counts)
        new_rows = (np.cumsum(kept) - 1 + offset).astype(np.int32)
        stays = kept[self.rows]
        n_before = np.concatenate((np.zeros(1, np.int64), np.cumsum(stays)))
        starts = n_before[self.starts]
        used = np.diff(starts) > 0
        return Postings(
            self.keys[used],
            np.append(starts[:-1][used], starts[-1]),
            new_rows[self.rows[stays]],
            self.counts[stays],
        )

    def frequencies(self) -> IntArray:
        """Return the number of rows of each key."""
        return np.diff(self.starts).astype(np.int32)

    def frequencies_within(self, first_row: int, end_row: int) -> IntArray:
        """Return how many of some rows hold each key, shape (n_keys,)."""
        inside = np.flatnonzero((self.rows >= first_row) & (self.rows < end_row))
        of_key = np.searchsorted(self.starts, inside, side="right") - 1
        return np.bincount(of_key, minlength=len(self.keys)).astype(np.int32)

    def place(self, key: int) -> int | None:
        """Return the place of a key in `keys`; `None` when no row holds it."""
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        return at if at < len(self.keys) and int(self.keys[at]) == key else None

    def at(self, place: int) -> tuple[IntArray, CountArray]:
        """Return the rows of a key by its place, and how often each of them holds it."""
        part = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.rows[part], self.counts[part]

    def group_frequencies(self, group_of_row: IntArray, kept: BoolArray | None) -> IntArray:
        """Return for each key in how many groups (documents) it occurs, shape (n_keys,).

        Args:
            group_of_row: Ascending.
            kept: False for rows that do not count; `None` counts all.
        """
        groups = group_of_row[self.rows]
        is_new = np.ones(len(groups), np.int64)
        is_new[1:] = groups[1:] != groups[:-1]
        is_new[self.starts[:-1]] = 1
        if kept is not None:
            # A document stays or goes as a whole, so the first of its rows tells.
            is_new[~kept[self.rows]] = 0
        n_before = np.concatenate((np.zeros(1, np.int64), np.cumsum(is_new)))
        return np.diff(n_before[self.starts]).astype(np.int32)


def firsts_of(keys: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Return where each key begins in an array in which equal ones stand together."""
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(is_first).astype(np.int64)
