"""The part numbers of a library's documents, so arranged that a question looks up few of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from desktop_qa.augment.codes import (
    CodeMatch,
    expand_code,
    family_prefix,
    has_wildcard,
    match_document,
    normalize_code,
    rest_behind,
    short_names,
    without_letters,
)
from desktop_qa.core.document import DocumentId

MAX_NEAREST = 3
MAX_DISTANCE = 2
_MIN_SHARED_PREFIX = 4
_N_AROUND = 20
_MAX_CODE_LENGTH = 24
"""Longer runs are no part numbers; the bound keeps the distance cheap."""


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """What a question can name a document by.

    Attributes:
        codes: Part numbers as printed: their hyphens tell a suffix from the part.
        files: Names of its files, without folders.
    """

    document_id: DocumentId
    codes: tuple[str, ...]
    title: str = ""
    vendor: str = ""
    files: tuple[str, ...] = ()


class PartIndex:
    """Which documents are about a part; immutable, usable from several threads."""

    def __init__(self, entries: Sequence[DocumentEntry]) -> None:
        self.entries = tuple(entries)
        self._holders: defaultdict[str, dict[int, None]] = defaultdict(dict)
        self._printed: dict[str, str] = {}
        for number, entry in enumerate(self.entries):
            for code in {c: None for own in entry.codes for c in expand_code(own)}:
                self._add(number, code)
        self._sorted = sorted(self._holders)
        self.prefixes = frozenset(
            filter(None, (_letters(normalize_code(c)) for e in self.entries for c in e.codes))
        )

    def _add(self, number: int, code: str) -> None:
        # A family is found by what stands before its wildcard.
        self._holders[family_prefix(code)][number] = None
        for base in short_names(code):
            self._holders[base][number] = None
            if printed := code[: len(code) - len(rest_behind(code, base))].rstrip("-/ "):
                self._printed.setdefault(base, printed)
        self._holders[family_prefix(without_letters(code))][number] = None
        if not has_wildcard(code):
            self._printed.setdefault(normalize_code(code), code)

    def matches(self, code: str) -> list[tuple[DocumentEntry, CodeMatch]]:
        """Return the documents that a code means by their part numbers, in the library's order.

        The same as `match_document` over all entries, without looking at each of them.
        """
        found: list[tuple[DocumentEntry, CodeMatch]] = []
        for entry in self.candidates(code):
            if (match := match_document(code, entry.codes)) is not CodeMatch.NONE:
                found.append((entry, match))
        return found

    def candidates(self, code: str) -> list[DocumentEntry]:
        """Return the documents with a part that a code begins with, or that begins with it."""
        numbers: set[int] = set()
        for asked in expand_code(code):
            for normal in {family_prefix(asked), family_prefix(without_letters(asked))}:
                starts = [normal[:length] for length in range(2, len(normal))]
                # What a document prints behind the code may be a suffix, or a family's members.
                for own in (*starts, *self._starting_with(normal)):
                    numbers.update(self._holders.get(own, ()))
        return [self.entries[number] for number in sorted(numbers)]

    def __contains__(self, code: object) -> bool:
        """Tell whether a code in normal form is a part of the library, as printed."""
        return code in self._printed

    def _starting_with(self, prefix: str) -> Iterator[str]:
        for i in range(bisect_left(self._sorted, prefix), len(self._sorted)):
            if not self._sorted[i].startswith(prefix):
                return
            yield self._sorted[i]

    def going_on(self, code: str) -> Iterator[str]:
        """Yield the library's parts that begin with a code and go on, as printed."""
        normal = normalize_code(code)
        return (
            self._printed[own]
            for own in self._starting_with(normal)
            if own != normal and own in self._printed
        )

    def printed(self, normal: str) -> str:
        """Return a part in normal form as it is printed."""
        return self._printed.get(normal, normal.upper())

    def endings(self) -> frozenset[str]:
        """Return the grades and versions that parts of the library are printed with."""
        codes = [code for entry in self.entries for own in entry.codes for code in expand_code(own)]
        return frozenset(normalize_code(c)[len(base) :] for c in codes for base in short_names(c))

    def nearest(self, code: str) -> tuple[str, ...]:
        """Return the library's parts that are spelled most like a code, at most three."""
        ranked: dict[str, tuple[int, int, str]] = {}
        for asked in expand_code(code):
            normal = normalize_code(asked)[:_MAX_CODE_LENGTH]
            min_shared = max(_MIN_SHARED_PREFIX, len(_letters(normal)) + 2)
            for own in self._neighbours(normal):
                shared = _shared(normal, own)
                distance = edit_distance(normal, own, MAX_DISTANCE)
                if distance <= MAX_DISTANCE or shared >= min_shared:
                    rank = (distance, -shared, own)
                    ranked[own] = min(ranked.get(own, rank), rank)
        # LM358 and LM358-N are one to choose.
        printed = {own: self._printed[own] for own in sorted(ranked, key=ranked.__getitem__)}
        plain = [c for c in printed.values() if short_names(c).isdisjoint(printed)]
        return tuple(plain[:MAX_NEAREST])

    def _neighbours(self, normal: str) -> set[str]:
        """Return parts among which the nearest are, so few that each can be measured.

        Those that one left-out character on their side and up to two on the other make equal, and
        those that stand around the code in the alphabet, with the same beginning.
        """
        found: set[str] = set()
        for once in (normal, *_shortened(normal)):
            for spelling in (once, *_shortened(once)):
                found.update(self._by_spelling.get(spelling, ()))
        at = bisect_left(self._sorted, normal)
        around = self._sorted[max(at - _N_AROUND, 0) : at + _N_AROUND]
        return found.union(own for own in around if own in self._printed)

    @cached_property
    def _by_spelling(self) -> Mapping[str, Sequence[str]]:
        """Parts by their spelling, whole and with one character left out."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for own in self._printed:
            for spelling in {own, *_shortened(own)}:
                found[spelling].append(own)
        return found


def _shortened(normal: str) -> list[str]:
    """Return a code with each of its characters left out in turn."""
    return [normal[:i] + normal[i + 1 :] for i in range(len(normal))]


def _letters(normal: str) -> str:
    """Return the letters a code begins with."""
    n = next((i for i, c in enumerate(normal) if not c.isalpha()), len(normal))
    return normal[:n]


def _shared(a: str, b: str) -> int:
    """Return the length of the common beginning."""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def edit_distance(a: str, b: str, limit: int) -> int:
    """Return the number of insertions, deletions, substitutions and swaps of neighbours.

    The optimal string alignment distance; `limit + 1` stands for every distance above the limit.
    """
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    start = _shared(a, b)
    a, b = a[start:], b[start:]
    end = _shared(a[::-1], b[::-1])
    a, b = a[: len(a) - end], b[: len(b) - end]
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)
