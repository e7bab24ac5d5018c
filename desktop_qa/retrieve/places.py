"""How well a segment fits a place that a question names: 1.0 at the place itself, less around it.

Titles are compared with the library's own headings and captions by their words; house styles and
small changes ("maximum ratings" for "Absolute Maximum Ratings") must not matter.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from desktop_qa.augment.codes import is_part_number
from desktop_qa.core.answer import Asked, PlaceKind, StructureRef
from desktop_qa.core.document import split_heading_number
from desktop_qa.core.segment import Segment
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset
from desktop_qa.retrieve.structure_refs import element_number

MIN_PLACE = 0.5
"""From here on a segment stands at the place; below it only near."""

_SUBSECTION = 0.9
_AROUND = 0.4
_MENTION = 0.3
_OTHER_PLACE = 0.7
_MIN_COVERAGE = 0.6

LABEL = re.compile(
    r"\s*(table|figure|fig\.?)\s*((?:[A-Z][-.])?\d+(?:[-.–]\d+)*[a-z]?)\b", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"\(\d+\)|\bcontinued\b|\(cont\.?\)", re.IGNORECASE)
_NOUNS = frozenset(
    terms_of("table figure section chapter diagram drawing plot graph chart curve picture image "
             "illustration schematic photo photograph circuit")
)  # fmt: skip


@cache
def _drawings() -> tuple[tuple[frozenset[str], ...], ...]:
    """Return the terms of the names that each kind of drawing goes by."""
    text = asset("resources/vocabulary/drawings.toml").read_text(encoding="utf-8")
    kinds = tomllib.loads(text)["drawing"]
    return tuple(tuple(_terms(name) for name in kind["names"]) for kind in kinds)


def by_element(segments: Iterable[Segment], kind: str) -> dict[int, list[Segment]]:
    """Group the segments that show tables, or figures, by the one they show, in their order."""
    found: dict[int, list[Segment]] = {}
    for segment in segments:
        if segment.kind == kind and segment.element is not None:
            found.setdefault(segment.element.index, []).append(segment)
    return found


def place_scores(
    segments: Sequence[Segment], refs: Sequence[StructureRef], n_pages: int = 0
) -> list[float]:
    """Score how well the segments of one document fit the places named, each in [0, 1].

    Args:
        segments: All of one document, by ordinal.
        refs: From `find_structure_refs`.
        n_pages: Of the document, for pages counted from the end.
    """
    wanted = [ref for ref in refs if ref.asked is Asked.CONTENT]
    columns = [_with_surroundings(segments, ref, n_pages) for ref in wanted]
    return [max(fits) for fits in zip(*columns, strict=True)] or [0.0] * len(segments)


def _with_surroundings(segments: Sequence[Segment], ref: StructureRef, n_pages: int) -> list[float]:
    """Score the place, or what is nearest to it when the document has no such place."""
    scores = [place_score(segment, ref, n_pages) for segment in segments]
    if not ref.first or any(scores):
        return scores
    if ref.kind == PlaceKind.SECTION:
        above = ref.first
        while "." in above and not any(scores):
            above = above.rpartition(".")[0]
            scores = [_AROUND * (s.metadata.section_number.lower() == above) for s in segments]
    elif ref.kind in (PlaceKind.TABLE, PlaceKind.FIGURE):
        noun = "table" if ref.kind == PlaceKind.TABLE else r"fig(?:ure|\.)"
        label = re.escape(ref.first).replace(r"\-", "[-.–]")
        mention = re.compile(rf"\b{noun}\s*{label}(?![-.]?\d)", re.IGNORECASE)
        scores = [_MENTION * bool(mention.search(segment.text)) for segment in segments]
    return scores


def place_score(segment: Segment, ref: StructureRef, n_pages: int = 0) -> float:
    """Score how well a segment fits one place: 1.0 at the place itself, 0.0 elsewhere."""
    if ref.asked is not Asked.CONTENT:
        return 0.0
    pages = segment.metadata.page_nos
    if ref.kind == PlaceKind.PAGE:
        first, last = (
            int(n) if int(n) > 0 else n_pages + 1 + int(n) for n in (ref.first, ref.last)
        )
        return float(any(max(first, 1) <= page_no <= max(last, 1) for page_no in pages))
    if ref.kind == PlaceKind.DOCUMENT:
        return 0.9 * (pages[:1] == (1,))
    is_section = ref.kind == PlaceKind.SECTION
    score = _section_score(segment, ref) if is_section else _element_score(segment, ref)
    if ref.within is None or score == 0.0:
        return score
    room = place_score(segment, ref.within, n_pages)
    if ref.first or ref.title:  # it is known by its own name; where it stands is beside the point
        return score * (1.0 if room else _OTHER_PLACE)
    return min(score, room)


def _section_score(segment: Segment, ref: StructureRef) -> float:
    metadata = segment.metadata
    number = metadata.section_number.lower().rstrip(".")
    if ref.first and number == ref.first:
        return 1.0
    if ref.first and number.startswith(f"{ref.first}."):
        return _SUBSECTION
    best = 0.0
    for depth, heading in enumerate(reversed(metadata.section_path) if ref.title else ()):
        # An appendix is found by its letter, not by the word.
        if not ref.first or heading.lower().startswith(ref.title):
            fit = title_fit(ref.title, split_heading_number(heading)[1] or heading)
            best = max(best, fit if depth == 0 else _SUBSECTION * fit)
    return best


def _element_score(segment: Segment, ref: StructureRef) -> float:
    metadata = segment.metadata
    if ref.first:
        label = LABEL.match(metadata.caption)
        if label is None:
            return 0.0
        kind = PlaceKind.TABLE if label[1].lower() == "table" else PlaceKind.FIGURE
        return float(kind == ref.kind and element_number(label[2]) == ref.first)
    if segment.kind.value != ref.kind:
        return 0.0
    if not ref.title:
        return 1.0
    caption = LABEL.sub("", metadata.caption, count=1).lstrip(" .:–—-")
    below = "".join(metadata.section_path[-1:])
    fit = title_fit(ref.title, split_heading_number(below)[1] or below)
    return max(title_fit(ref.title, caption), 0.95 * fit)


def title_fit(asked: str, title: str) -> float:
    """Score how well the words asked for name a heading or caption, in [0, 1].

    1.0 when both have the same words; words of the title beyond those asked cost up to 0.3, and
    with less than 0.6 of the words asked nothing is left. Known names of drawings stand for each
    other ("pinout" and "Pin Configuration").
    """
    own = _terms(title)
    return max((_overlap(words, own) for words in _asked_terms(asked)), default=0.0)


@lru_cache(maxsize=256)
def _asked_terms(asked: str) -> tuple[frozenset[str], ...]:
    """Return the words asked for, and those of each name that means the same."""
    whole = _terms(asked)
    found = [whole - _NOUNS or whole, whole]
    for names in _drawings():
        own = max((name for name in names if name <= whole), key=len, default=None)
        if own is not None:
            extra = whole - own - _NOUNS
            found += [name | extra for name in names if name != own]
    return tuple(terms for terms in dict.fromkeys(found) if terms)


@lru_cache(maxsize=8192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(_FOOTNOTE.sub(" ", text)))


def _overlap(asked: frozenset[str], own: frozenset[str]) -> float:
    shared = asked & own
    coverage = len(shared) / len(asked)
    if coverage < _MIN_COVERAGE:
        return 0.0
    # The part's own number is in many captions, and names none of them.
    n_beyond = sum(not is_part_number(term) for term in own - asked - _NOUNS)
    if len(asked) == 1:  # one word is in many titles: it names the short ones
        return 1.0 / (1.0 + 0.5 * n_beyond)
    return coverage * coverage * (0.7 + 0.3 * len(shared) / (len(shared) + n_beyond))
