"""Completes a part number that is being typed, be one letter of it wrong."""

from __future__ import annotations

import string
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_qa.augment.codes import expand_code, has_wildcard, normalize_code
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.spelling import slips

_ALPHABET = string.ascii_lowercase + string.digits
_LEAST_FOR_INSIDE = 3
_LEAST_FOR_TYPO = 5
_MAX_CODE_LENGTH = 24


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
        found: dict[str, Part] = {}
        for status in (one for one in statuses if one.is_indexed):
            for code in (c for own in status.part_numbers for c in expand_code(own)):
                if not has_wildcard(code):
                    known = found.get(normal := normalize_code(code), Part(code, ()))
                    titles = dict.fromkeys((*known.titles, status.title or status.file))
                    found[normal] = Part(known.printed, tuple(titles))
        self._normals = sorted(found)
        self._parts = found

    def complete(self, typed: str, limit: int) -> list[tuple[Part, bool]]:
        """Return parts that a beginning may mean, those that begin with it first.

        The first letter is held to be right: it is what people are surest of.

        Args:
            typed: What stands at the caret.
            limit: How many at most.

        Returns:
            Each with whether it holds what was typed; False when one letter was taken for another.
        """
        normal = normalize_code(typed)
        if not normal or len(normal) > _MAX_CODE_LENGTH:
            return []
        found = dict.fromkeys(self._starting_with(normal, limit), True)
        if len(found) < limit and len(normal) >= _LEAST_FOR_INSIDE:
            found |= dict.fromkeys((own for own in self._normals if normal in own), True)
        if not found and len(normal) >= _LEAST_FOR_TYPO:
            near = (s for s in slips(normal, _ALPHABET) if s[0] == normal[0])
            found = dict.fromkeys((o for s in near for o in self._starting_with(s, limit)), False)
        return [(self._parts[own], is_held) for own, is_held in found.items()][:limit]

    def _starting_with(self, prefix: str, limit: int) -> list[str]:
        first = bisect_left(self._normals, prefix)
        return [own for own in self._normals[first : first + limit] if own.startswith(prefix)]
