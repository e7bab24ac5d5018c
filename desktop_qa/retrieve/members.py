"""Whether a part number is one of a library's: a member, a near miss or unknown, and why."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property

from desktop_qa.augment.codes import (
    CodeMatch,
    expand_code,
    family_pattern,
    family_prefix,
    has_wildcard,
    normalize_code,
    rest_behind,
    stems_of,
)
from desktop_qa.augment.order_codes import GRADES, OrderGrammar, is_variant
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.part_index import MAX_DISTANCE, DocumentEntry, PartIndex, edit_distance

Holders = Callable[[str], Mapping[DocumentId, int]]

_MIN_SEGMENTS = 2
"""A sheet speaks of its own variants more than once: LM224A stands in 16 segments of the LM324's.
Where it stands once it may be another part that the sheet compares itself with."""

_MAX_LETTERS_BEFORE = 3
_MIN_LISTED = 2
_MIN_START = 4
_PACKING = re.compile(r"[#,].*")
_RUNS = re.compile(r"\d+|\D+")


class Members:
    """Finds the documents that a code is of; usable from several threads."""

    def __init__(
        self, index: PartIndex, vocabulary: Container[str], holders: Holders, listings: Holders
    ) -> None:
        """Take what is known of a library.

        Args:
            index: The part numbers of its documents.
            vocabulary: Codes that stand in its texts, in normal form.
            holders: From a code to the documents in whose text it stands, with the number of their
                segments that hold it.
            listings: The same of segments that list what can be ordered.
        """
        self._index = index
        self._vocabulary = vocabulary
        self._holders = holders
        self._listings = listings
        self._entries = {entry.document_id: entry for entry in index.entries}
        self._own: dict[tuple[DocumentId, str], Mapping[str, bool]] = {}

    def is_of(
        self, index: PartIndex, vocabulary: Container[str], holders: Holders, listings: Holders
    ) -> bool:
        """Tell whether this was made of these."""
        return (
            self._index is index
            and self._vocabulary is vocabulary
            and self._holders == holders
            and self._listings == listings
        )

    def find(self, code: str) -> AskedCode:
        """Tell what a code is to the library: of which documents it is, or what is like it."""
        matches = self._index.matches(code)
        for match, standing in (
            (CodeMatch.EXACT, Standing.PART),
            (CodeMatch.MEMBER, Standing.FAMILY),
        ):
            entries = [e for e, m in matches if m is match]
            if match is CodeMatch.MEMBER:
                entries = [e for e in entries if self._lists_member(code, e)]
            if entries:
                return AskedCode(code, standing, tuple(e.document_id for e in entries))
        for asked in expand_code(code):
            if found := self._variant(asked) or self._listed(asked):
                return found
        if matches and all(match is CodeMatch.ORDER for _entry, match in matches):
            return AskedCode(code, Standing.BUILT, tuple(e.document_id for e, _m in matches))
        return self._miss(code)

    def _variant(self, code: str) -> AskedCode | None:
        """Find the longest part that a code is a variant of."""
        by_stem: dict[str, list[DocumentEntry]] = {}
        for entry, stem in self._stems(code):
            by_stem.setdefault(stem, []).append(entry)
        plain = _PACKING.sub("", code)
        for stem in sorted(by_stem, key=len, reverse=True):
            typed = rest_behind(plain, stem)
            rest = normalize_code(typed)
            if not rest or (typed[0].isdigit() and stem[-1].isdigit()):
                continue
            printed = tuple(
                entry.document_id
                for entry in by_stem[stem]
                if self._is_printed(rest, entry.document_id, stem)
            )
            if printed:
                return AskedCode(code, Standing.LISTED, printed, stem, rest)
            if self._grammar.accepts(rest):
                documents = tuple(entry.document_id for entry in by_stem[stem])
                return AskedCode(code, Standing.BUILT, documents, stem, rest)
        return None

    def _is_printed(self, rest: str, document_id: DocumentId, stem: str) -> bool:
        own = self._printed(document_id, stem)
        return is_variant(rest, own, self._names) or any(
            own.get(rest[:n]) and self._grammar.goes_on(rest[n:]) for n in range(1, len(rest))
        )

    def _stems(self, code: str) -> Iterator[tuple[DocumentEntry, str]]:
        """Yield the parts that a code begins with, members of families included."""
        for asked in expand_code(code):
            normal = normalize_code(_PACKING.sub("", asked))
            for entry in self._index.candidates(asked):
                for stem in stems_of(entry.codes):
                    if normal.startswith(stem) and normal != stem:
                        yield entry, stem
                for family in _families(entry):
                    if (member := family_pattern(family).match(normal)) and self._lists_member(
                        member.group(), entry
                    ):
                        yield entry, member.group()

    def _listed(self, code: str) -> AskedCode | None:
        """Find the documents that list a code which begins like none of their parts.

        With letters before the part (CS82C55A), or one of a range of parts (1N4728A to 1N4761A).
        """
        normal = normalize_code(_PACKING.sub("", code))
        listed = self._listings(normal)
        found = tuple(
            document_id
            for document_id in self._holders(normal)
            if document_id in self._entries
            and (
                _is_between(normal, stems := stems_of(self._entries[document_id].codes))
                or (document_id in listed and _holds_part(normal, stems))
            )
        )
        return AskedCode(code, Standing.LISTED, found) if found else None

    def _printed(self, document_id: DocumentId, stem: str) -> Mapping[str, bool]:
        """Return what a document prints behind a part, and whether it is surely a variant."""
        known = self._own.get((document_id, stem))
        if known is None:
            known = self._own[document_id, stem] = {
                **dict.fromkeys(self._of_templates(document_id, stem), True),
                **{
                    keyword[len(stem) :]: n >= _MIN_SEGMENTS
                    or (
                        keyword[len(stem) :] not in self._names
                        and document_id in self._listings(keyword)
                    )
                    for keyword in self._starting_with(stem)
                    if keyword != stem and (n := self._holders(keyword).get(document_id, 0))
                },
            }
        return known

    def _of_templates(self, document_id: DocumentId, stem: str) -> Iterator[str]:
        """Yield what a document lists behind its part where the number is crossed: SN54LSXXXJ."""
        for keyword in self._starting_with(stem[:_MIN_START]):
            start, crossed, rest = keyword.partition("xx")
            is_of_part = crossed and len(start) < len(stem) and stem.startswith(start)
            if is_of_part and rest.strip("x") and document_id in self._listings(keyword):
                yield rest.lstrip("x")

    @cached_property
    def _names(self) -> frozenset[str]:
        """What makes another part of a part: grades, and what parts of the library differ by."""
        return GRADES.union(self._index.differences())

    @cached_property
    def _grammar(self) -> OrderGrammar:
        return OrderGrammar(
            (
                [
                    keyword[len(stem) :]
                    for keyword in self._starting_with(stem)
                    if keyword != stem and entry.document_id in self._listings(keyword)
                ]
                for entry in self._index.entries
                for stem in stems_of(entry.codes)
            ),
            self._names,
        )

    def _lists_member(self, code: str, entry: DocumentEntry) -> bool:
        """Tell whether a family of a document has a member, by what its text lists.

        The sheet of the L78XX prints L7805 and L7812: L7807 is none of them. A text that lists
        none, or one, says nothing.
        """
        asked: set[str] = set()
        listed: set[str] = set()
        for own in _families(entry):
            pattern, family = family_pattern(own), normalize_code(own)
            fitting = (pattern.match(normalize_code(c)) for c in expand_code(code))
            asked.update(match.group() for match in fitting if match)
            for keyword in self._starting_with(family_prefix(own)):
                member = pattern.match(keyword)
                if member and keyword != family and entry.document_id in self._holders(keyword):
                    listed.add(member.group())
        return len(listed) < _MIN_LISTED or not asked.isdisjoint(listed)

    def _starting_with(self, prefix: str) -> Iterable[str]:
        for i in range(bisect_left(self._words, prefix), len(self._words)):
            if not self._words[i].startswith(prefix):
                return
            yield self._words[i]

    @cached_property
    def _words(self) -> list[str]:
        return sorted(self._vocabulary) if isinstance(self._vocabulary, Iterable) else []

    def _miss(self, code: str) -> AskedCode:
        """Say of a code that is in no document what comes nearest and in what it differs."""
        stem = max((stem for _entry, stem in self._stems(code)), key=len, default="")
        rest = rest_behind(code, stem) if stem else ""
        if rest and not (rest[0].isdigit() and stem[-1].isdigit()):
            return AskedCode(code, Standing.OTHER_END, (), self._index.printed(stem), rest)
        for near in self._index.nearest(code):
            normal, own = normalize_code(code), normalize_code(near)
            if own.startswith(normal):
                return AskedCode(code, Standing.SHORT, (), near, near[len(code) :])
            if edit_distance(normal, own, MAX_DISTANCE) <= MAX_DISTANCE:
                return AskedCode(code, Standing.OTHER_BASE, (), near)
        return AskedCode(code, Standing.UNKNOWN)


def _families(entry: DocumentEntry) -> Iterator[str]:
    return (c for own in entry.codes for c in expand_code(own) if has_wildcard(c))


def _holds_part(normal: str, stems: Iterable[str]) -> bool:
    """Tell whether a code is one of the parts with letters before it."""
    return any(
        0 < (at := normal.find(stem)) <= _MAX_LETTERS_BEFORE and normal[:at].isalpha()
        for stem in stems
    )


def _is_between(normal: str, stems: Iterable[str]) -> bool:
    """Tell whether a code is like two parts but for one number, which is between theirs."""
    asked = _RUNS.findall(normal)
    below = above = False
    for stem in stems:
        runs = _RUNS.findall(stem)
        differing = [
            i for i, pair in enumerate(zip(asked, runs, strict=False)) if len(set(pair)) > 1
        ]
        if len(runs) != len(asked) or len(differing) != 1:
            continue
        own, number = runs[differing[0]], asked[differing[0]]
        if own.isdecimal() and number.isdecimal() and len(own) == len(number):
            below, above = below or own < number, above or own > number
    return below and above
