"""Completes a part number that is being typed, be one letter of it wrong."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from desktop_qa.augment.codes import expand_code, has_wildcard, normalize_code
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.part_index import starting_with
from desktop_qa.retrieve.spelling import LETTERS_AND_DIGITS, slips

_LEAST_FOR_INSIDE = 3
_LEAST_FOR_TYPO = 5
_MAX_CODE_LENGTH = 24


class PartCompletion:
    """The part numbers of a library's documents in order; immutable."""

    def __init__(self, statuses: Iterable[DocumentStatus]) -> None:
        found: dict[str, tuple[str, dict[str, None]]] = {}
        for status in (one for one in statuses if one.is_indexed):
            for code in (c for own in status.part_numbers for c in expand_code(own)):
                if not has_wildcard(code):
                    _printed, titles = found.setdefault(normalize_code(code), (code, {}))
                    titles[status.title or status.file] = None
        self._normals = sorted(found)
        self._parts = found

    def complete(self, typed: str, limit: int) -> list[tuple[str, tuple[str, ...], bool]]:
        """Return parts that a beginning may mean, those that begin with it first.

        The first letter is held to be right: it is what people are surest of.

        Args:
            typed: What stands at the caret.
            limit: How many at most.

        Returns:
            Each as a document prints it, with the titles of the documents about it, and whether it
            holds what was typed; False when one letter was taken for another.
        """
        normal = normalize_code(typed)
        if not normal or len(normal) > _MAX_CODE_LENGTH:
            return []
        found = dict.fromkeys(self._begun(normal, limit), True)
        if len(found) < limit and len(normal) >= _LEAST_FOR_INSIDE:
            found |= dict.fromkeys((own for own in self._normals if normal in own), True)
        if not found and len(normal) >= _LEAST_FOR_TYPO:
            near = (s for s in slips(normal, LETTERS_AND_DIGITS) if s[0] == normal[0])
            found = dict.fromkeys((o for s in near for o in self._begun(s, limit)), False)
        some = ((*self._parts[own], is_held) for own, is_held in islice(found.items(), limit))
        return [(printed, tuple(titles), is_held) for printed, titles, is_held in some]

    def _begun(self, prefix: str, limit: int) -> list[str]:
        return list(islice(starting_with(self._normals, prefix), limit))
