"""Headings that were found, against the outline of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from desktop_qa.core.document import BlockKind, Document, split_heading_number
from desktop_qa.evaluate.structure.count import NONE, Count, Counts
from desktop_qa.evaluate.structure.words import fold_word
from desktop_qa.parse.page import OutlineEntry

_NO_CHAPTER = re.compile(
    r"^(?:figure|fig\.|table|equation|example|photo|note|footnote)s?\s*[(\[]?[\dA-Z]?[\d.\-–]+",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"^(?:table of contents|contents|list of (?:figures|tables))$", re.IGNORECASE
)
_MIN_LIKENESS = 0.9
"""Outlines spell a heading a little otherwise than the page now and then."""

_MAX_PAGES_OFF = 1


@dataclass(frozen=True, slots=True)
class HeadingEntry:
    """A heading as the outline has it, or as it was found."""

    title: str
    level: int
    page_no: int


@dataclass(frozen=True, slots=True)
class HeadingCounts(Counts):
    """Outline entries found, found headings that are in the outline, levels right of the found."""

    recall: Count = NONE
    precision: Count = NONE
    level: Count = NONE


def outlined_headings(outline: Iterable[OutlineEntry]) -> list[HeadingEntry]:
    """Chapters of an outline; its figures, tables, footnotes and contents lists are none."""
    entries = [
        entry
        for entry in outline
        if len(fold_word(entry.title)) >= 2
        and not _NO_CHAPTER.match(entry.title)
        and not _CONTENTS.match(entry.title.strip())
    ]
    top = min((entry.level for entry in entries), default=1)
    return [HeadingEntry(e.title, e.level - top + 1, e.page_no) for e in entries]


def found_headings(document: Document) -> list[HeadingEntry]:
    """Headings of a document in reading order."""
    return [
        HeadingEntry(block.text, block.level, block.provenances[0].page_no)
        for block in document.blocks
        if block.kind is BlockKind.SECTION_HEADER and block.provenances
    ]


def compare_headings(
    wanted: Sequence[HeadingEntry], found: Sequence[HeadingEntry]
) -> tuple[HeadingCounts, list[HeadingEntry], list[HeadingEntry]]:
    """Pair headings of the same title, page within one; each serves once.

    Returns:
        The counts; the outline's entries that were missed; the found that are in no outline.
    """
    pairs = sorted(
        (-likeness, abs(w.page_no - f.page_no), i, k)
        for i, w in enumerate(wanted)
        for k, f in enumerate(found)
        if abs(w.page_no - f.page_no) <= _MAX_PAGES_OFF
        and (likeness := _likeness(w.title, f.title)) >= _MIN_LIKENESS
    )
    of_wanted: dict[int, int] = {}
    of_found: set[int] = set()
    for _unlikeness, _pages_off, i, k in pairs:
        if i not in of_wanted and k not in of_found:
            of_wanted[i] = k
            of_found.add(k)
    n_level = sum(wanted[i].level == found[k].level for i, k in of_wanted.items())
    counts = HeadingCounts(
        Count(len(of_wanted), len(wanted)),
        Count(len(of_found), len(found)),
        Count(n_level, len(of_wanted)),
    )
    missed = [w for i, w in enumerate(wanted) if i not in of_wanted]
    extra = [f for k, f in enumerate(found) if k not in of_found]
    return counts, missed, extra


def _likeness(a: str, b: str) -> float:
    key_a, key_b = fold_word(a), fold_word(b)
    if key_a == key_b:
        return 1.0
    bare_a, bare_b = (fold_word(split_heading_number(text)[1]) for text in (a, b))
    if bare_a and bare_a == bare_b:
        return 0.98
    matcher = SequenceMatcher(None, key_a, key_b, autojunk=False)
    if matcher.real_quick_ratio() < _MIN_LIKENESS or matcher.quick_ratio() < _MIN_LIKENESS:
        return 0.0
    numbers = [split_heading_number(text)[0] for text in (a, b)]
    if all(numbers) and numbers[0] != numbers[1]:
        return 0.0
    return matcher.ratio()
