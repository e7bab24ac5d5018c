"""Whether a part number is one of a library's: a member, a near miss or unknown, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from desktop_qa.augment.codes import (
    CodeMatch,
    expand_code,
    family_pattern,
    family_prefix,
    has_wildcard,
    letters_before,
    normalize_code,
    respelled,
    rest_behind,
    stems_of,
    without_letters,
)
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.part_index import DocumentEntry, PartIndex, starting_with

Holders = Callable[[str], Mapping[DocumentId, int]]

_MIN_LISTED = 2
_MIN_WHOLE = 4
"""Characters of a code that may be the end of a longer one."""

_PACKING = re.compile(r"[#,].*")


class Members:
    """Finds the documents that a code is of; usable from several threads.

    Args:
        index: The part numbers of the documents.
        vocabulary: The codes of their texts in normal form.
        holders: From such a code to the documents that hold it, with the number of their segments
            that do.
    """

    def __init__(self, index: PartIndex, vocabulary: Iterable[str], holders: Holders) -> None:
        self._index, self._holders = index, holders
        self._words = sorted(vocabulary)

    def find(self, code: str) -> AskedCode:
        """Tell what a code is to the library: of which documents it is, or what is like it."""
        return replace(self._find(_PACKING.sub("", code) or code), code=code)

    def _find(self, code: str) -> AskedCode:
        matches = self._index.matches(code)
        exact = tuple(e.document_id for e, m in matches if m is CodeMatch.EXACT)
        if exact:
            return AskedCode(code, Standing.PART, exact)
        fitting = tuple(
            e.document_id
            for e, _m in matches
            if not _is_of_other_maker(code, e) and self._lists_member(code, e)
        )
        if fitting:
            return AskedCode(code, Standing.FAMILY, fitting)
        pieces = expand_code(code)
        found = (way(piece) for way in (self._variant, self._cut) for piece in pieces)
        return next(filter(None, found), None) or self._miss(code)

    def _variant(self, code: str) -> AskedCode | None:
        """Find the longest part that a code goes on from, in the documents that print it if any.

        What stands behind a part may be its package or grade, or another part that nobody can tell
        from it by its letters: who prints it not is told.
        """
        for stem, rest, entries in self._stems(code):
            documents = tuple(entry.document_id for entry in entries)
            printing = tuple(d for d in documents if d in self._holders(normalize_code(code)))
            standing = Standing.LISTED if printing else Standing.READ_AS
            part = self._index.printed(stem)
            return AskedCode(code, standing, printing or documents, part, rest)
        return None

    def _stems(self, code: str) -> Iterator[tuple[str, str, list[DocumentEntry]]]:
        """Yield the parts that a code begins with, the longest first, and what is behind them.

        Members of families are parts. A digit goes on with a number unless a hyphen is typed.
        """
        normal = normalize_code(code)
        holders: defaultdict[str, list[DocumentEntry]] = defaultdict(list)
        for entry in self._index.candidates(code):
            members = (family_pattern(family).match(normal) for family in _families(entry))
            fitting = (m.group() for m in members if m and self._lists_member(m.group(), entry))
            for stem in {*stems_of(entry.codes), *fitting}:
                if normal.startswith(stem) and normal != stem:
                    holders[stem].append(entry)
        for stem in sorted(holders, key=len, reverse=True):
            typed = rest_behind(code, stem)
            if (rest := normalize_code(typed)) and not (typed[0].isdigit() and stem[-1].isdigit()):
                yield stem, rest, holders[stem]

    def _cut(self, code: str) -> AskedCode | None:
        """Find the parts that letters end or a series begins: CD4511 of the CD4511BC, LS166.

        Letters at the end are packing or grade, IRFR3806PbF; what goes on with digits is another
        part, and so may be what goes on with letters from letters, unless its document prints the
        shorter one, too: TIP31C of the TIP31CG. What stands before a whole code is maker and range:
        DM74LS166, SN54LS166.
        """
        normal = normalize_code(code)
        parts = [
            p for p in self._index.going_on(code) if rest_behind(p, normal).strip("- ").isalpha()
        ]
        if not normal[-1:].isdigit():
            printing = self._holders(normal)
            parts = [p for p in parts if not printing.keys().isdisjoint(self._find(p).documents)]
        if not parts:
            is_whole = len(normal) >= _MIN_WHOLE and not normal.isalpha() and not normal.isdigit()
            parts = list(self._index.ending(code)) if is_whole else []
        if not parts:
            return None
        documents = dict.fromkeys(d for part in parts for d in self._find(part).documents)
        rest = rest_behind(parts[0], normal)
        return AskedCode(code, Standing.SHORT, tuple(documents), parts[0], rest)

    def _lists_member(self, code: str, entry: DocumentEntry) -> bool:
        """Tell whether a family of a document has a member, by what its text lists.

        The sheet of the L78XX prints L7805 and L7812: L7807 is none of them. A text that lists
        none, or one, says nothing; one that its own part numbers list is enough.
        """
        asked: set[str] = set()
        listed: set[str] = set()
        own_members: set[str] = set()
        for own in _families(entry):
            pattern, family = family_pattern(own), normalize_code(own)
            own_members.update(filter(pattern.fullmatch, stems_of(entry.codes)))
            pieces = [p for c in expand_code(code) for p in (c, *respelled(c, (own,)))]
            fitting = (pattern.match(normalize_code(piece)) for piece in pieces)
            if normalize_code(code) == family_prefix(own):
                return True
            asked.update(match.group() for match in fitting if match)
            for keyword in starting_with(self._words, family_prefix(own)):
                member = pattern.match(keyword)
                if member and keyword != family and entry.document_id in self._holders(keyword):
                    listed.add(member.group())
        members = own_members or listed
        is_open = not own_members and len(listed) < _MIN_LISTED
        return is_open or not asked.isdisjoint(members)

    def _miss(self, code: str) -> AskedCode:
        """Say of a code that is in no document what comes nearest and in what it differs."""
        near = next(iter(self._index.nearest(code)), "")
        if rest := rest_behind(near, normalize_code(code)):
            return AskedCode(code, Standing.SHORT, (), near, rest)
        return AskedCode(code, Standing.OTHER_BASE if near else Standing.UNKNOWN, (), near)


def _is_of_other_maker(code: str, entry: DocumentEntry) -> bool:
    """Tell whether a document prints the number of a code with other letters before it."""
    letters, number = letters_before(code), normalize_code(without_letters(code))
    return bool(letters) and any(
        letters_before(own) not in ("", letters)
        and number.startswith(normalize_code(without_letters(own)))
        for own in entry.codes
    )


def _families(entry: DocumentEntry) -> Iterator[str]:
    return (c for own in entry.codes for c in expand_code(own) if has_wildcard(c))
