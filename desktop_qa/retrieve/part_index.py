"""The part numbers of a library's documents, so arranged that a question looks up few of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

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
from desktop_qa.retrieve.spelling import LETTERS_AND_DIGITS, slips

MAX_NEAREST = 3
_MIN_SHARED_PREFIX = 4
_N_AROUND = 20
_MAX_CODE_LENGTH = 24
"""Longer runs are no part numbers; the bound keeps the slips few."""


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
                for own in (*starts, *starting_with(self._sorted, normal)):
                    numbers.update(self._holders.get(own, ()))
        return [self.entries[number] for number in sorted(numbers)]

    def __contains__(self, code: object) -> bool:
        """Tell whether a code in normal form is a part of the library, as printed."""
        return code in self._printed

    def going_on(self, code: str) -> Iterator[str]:
        """Yield the library's parts that begin with a code and go on, as printed."""
        normal = normalize_code(code)
        return (
            self._printed[own]
            for own in starting_with(self._sorted, normal)
            if own != normal and own in self._printed
        )

    def ending(self, code: str) -> Iterator[str]:
        """Yield the library's parts that end with a code, behind a digit before letters or so."""
        normal = normalize_code(code)
        return (
            self._printed[own]
            for own in self._sorted
            if own.endswith(normal)
            and own in self._printed
            and own[: -len(normal)][-1:].isdigit() != normal[:1].isdigit()
            and own != normal
        )

    def printed(self, normal: str) -> str:
        """Return a part in normal form as it is printed."""
        return self._printed.get(normal, normal.upper())

    def siblings(self, code: str) -> tuple[str, ...]:
        """Return the library's parts that are one slip of the keys away from a code, as printed."""
        found: dict[str, None] = {}
        for asked in expand_code(code):
            normal = normalize_code(asked)[:_MAX_CODE_LENGTH]
            near = {own for own in slips(normal, LETTERS_AND_DIGITS) if own in self._printed}
            found |= dict.fromkeys(sorted(near, key=lambda own: (-n_shared(normal, own), own)))
        return tuple(self._printed[own] for own in found)

    def nearest(self, code: str) -> tuple[str, ...]:
        """Return the library's parts that are spelled most like a code, at most three.

        One slip of the keys away, or with the same letters and two characters more.
        """
        found = dict.fromkeys(self.siblings(code))
        for asked in expand_code(code):
            normal = normalize_code(asked)[:_MAX_CODE_LENGTH]
            min_shared = max(_MIN_SHARED_PREFIX, len(_letters(normal)) + 2)
            at = bisect_left(self._sorted, normal)
            around = [
                (-n_shared(normal, own), own)
                for own in self._sorted[max(at - _N_AROUND, 0) : at + _N_AROUND]
                if own in self._printed and n_shared(normal, own) >= min_shared
            ]
            found |= {self._printed[own]: None for _shared_length, own in sorted(around)}
        # LM358 and LM358-N are one to choose.
        plain = [c for c in found if short_names(c).isdisjoint(map(normalize_code, found))]
        return tuple(plain[:MAX_NEAREST])


def starting_with(words: Sequence[str], prefix: str) -> Iterator[str]:
    """Yield the sorted words that begin with a prefix."""
    following = islice(words, bisect_left(words, prefix), None)
    return takewhile(lambda word: word.startswith(prefix), following)


def _letters(normal: str) -> str:
    """Return the letters a code begins with."""
    return "".join(takewhile(str.isalpha, normal))


def n_shared(a: str, b: str) -> int:
    """Return the length of the common beginning."""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
