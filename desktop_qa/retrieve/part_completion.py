"""Completes a part number that is being typed, be one letter of it wrong."""

from __future__ import annotations

import string
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.augment.codes import expand_code, has_wildcard, normalize_code
from desktop_qa.core.progress import DocumentStatus

_ALPHABET = normalize_code(string.ascii_uppercase + string.digits)
_LAST = "\U0010ffff"
_LEAST_FOR_INSIDE = 3
_LEAST_FOR_TYPO = 5
_MAX_CODE_LENGTH = 24
_PER_SPELLING = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A part number of the library.

    Attributes:
        printed: As a document has it.
        titles: Of the documents about it.
    """

    printed: str
    titles: tuple[str, ...]


class PartCompletion:
    """The part numbers of a library's documents in order; immutable."""

    def __init__(self, statuses: Iterable[DocumentStatus]) -> None:
        printed: dict[str, str] = {}
        titles: dict[str, dict[str, None]] = {}
        for status in statuses:
            if not status.is_indexed:
                continue
            for own in status.part_numbers:
                for code in expand_code(own):
                    if has_wildcard(code):
                        continue
                    normal = normalize_code(code)
                    printed.setdefault(normal, code)
                    titles.setdefault(normal, {})[status.title or status.file] = None
        self._normals = sorted(printed)
        self._parts = [Part(printed[n], tuple(titles[n])) for n in self._normals]
        self._joined = "\n".join(self._normals)

    def __len__(self) -> int:
        return len(self._normals)

    def complete(self, typed: str, limit: int) -> list[tuple[Part, bool]]:
        """Return parts that a beginning may mean, those that begin with it first.

        Args:
            typed: What stands at the caret.
            limit: How many at most.

        Returns:
            Each with whether it holds what was typed; False when one letter was taken for another.
        """
        normal = normalize_code(typed)
        if not normal or len(normal) > _MAX_CODE_LENGTH:
            return []
        found: dict[int, bool] = {}
        for row in self._starting_with(normal, limit):
            found[row] = True
        if len(found) < limit and len(normal) >= _LEAST_FOR_INSIDE:
            for row in self._holding(normal, limit):
                found.setdefault(row, True)
        if not found and len(normal) >= _LEAST_FOR_TYPO:
            for row in self._nearly(normal, limit):
                found.setdefault(row, False)
        return [(self._parts[row], is_held) for row, is_held in list(found.items())[:limit]]

    def _starting_with(self, prefix: str, limit: int) -> range:
        first = bisect_left(self._normals, prefix)
        last = bisect_left(self._normals, prefix + _LAST)
        return range(first, min(last, first + limit))

    def _holding(self, needle: str, limit: int) -> list[int]:
        rows: list[int] = []
        position = self._joined.find(needle)
        while position >= 0 and len(rows) < limit:
            start = self._joined.rfind("\n", 0, position) + 1
            end = self._joined.find("\n", position)
            end = len(self._joined) if end < 0 else end
            rows.append(bisect_left(self._normals, self._joined[start:end]))
            position = self._joined.find(needle, end)
        return rows

    def _nearly(self, normal: str, limit: int) -> list[int]:
        """Return parts that begin with what was typed but for one letter.

        The first letter is held to be right: it is what people are surest of.
        """
        rows: dict[int, None] = {}
        for spelling in _one_letter_off(normal):
            rows |= dict.fromkeys(self._starting_with(spelling, _PER_SPELLING))
            if len(rows) >= limit:
                break
        return list(rows)[:limit]


def _one_letter_off(normal: str) -> Sequence[str]:
    """Return spellings with two letters swapped, one changed, left out or put in."""
    splits = [(normal[:i], normal[i:]) for i in range(1, len(normal) + 1)]
    found = [a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1]
    found += [a + c + b[1:] for a, b in splits if b for c in _ALPHABET]
    found += [a + b[1:] for a, b in splits if b]
    found += [a + c + b for a, b in splits for c in _ALPHABET]
    return list(dict.fromkeys(found))
