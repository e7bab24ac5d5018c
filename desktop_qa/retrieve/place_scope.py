"""Patterns of places inside of documents: `/OPA4197.pdf#page=12`, the rest as in `retrieve.scope`.

#page=12, #page=12-14     what stands on these pages
#segments=40-43,47        segments by their ordinals: a table, a figure, a section
#whole                    all of it; asked as if the question named the document
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import Segment, SegmentId

_PLACE = re.compile(
    r"#(?:page=(?P<first>\d{1,6})(?:-(?P<last>\d{1,6}))?"
    r"|segments=(?P<ordinals>\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*)|(?P<whole>whole))$"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a document.

    Attributes:
        pages: First and last page; `None` for other places.
        ordinals: Of segments.
        is_whole: The document as it is.
    """

    pages: tuple[int, int] | None = None
    ordinals: frozenset[int] = frozenset()
    is_whole: bool = False

    def holds(self, segment: Segment) -> bool:
        """Tell whether a segment stands there."""
        if self.is_whole:
            return True
        if self.pages is None:
            return segment.ordinal in self.ordinals
        first, last = self.pages
        return any(first <= page_no <= last for page_no in segment.metadata.page_nos)


def split_place(pattern: str) -> tuple[str, Place | None]:
    """Return what a pattern means without its place, and the place."""
    match = _PLACE.search(pattern)
    if match is None:
        return pattern, None
    base = pattern[: match.start()]
    if match["first"]:
        first = int(match["first"])
        return base, Place(pages=(first, int(match["last"] or first)))
    if match["ordinals"]:
        return base, Place(ordinals=frozenset(_ordinals(match["ordinals"])))
    return base, Place(is_whole=True)


def _ordinals(text: str) -> Iterable[int]:
    for run in text.split(","):
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def page_pattern(document: str, page_no: int) -> str:
    """Return the pattern of a page."""
    return f"{document}#page={page_no}"


def segments_pattern(document: str, ordinals: Iterable[int]) -> str:
    """Return the pattern of some segments."""
    runs: list[list[int]] = []
    for ordinal in sorted(ordinals):
        if runs and ordinal == runs[-1][1] + 1:
            runs[-1][1] = ordinal
        else:
            runs.append([ordinal, ordinal])
    texts = (str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f"{document}#segments={','.join(texts)}"


def place_words(place: Place) -> str:
    """Return what a place is called in front of "of" and its document; empty for all of it."""
    if place.pages is not None:
        first, last = place.pages
        return f"page {first}" if first == last else f"pages {first}–{last}"
    return "" if place.is_whole else "a part"


@dataclass(frozen=True, slots=True)
class Within:
    """What patterns with places leave of a library.

    Attributes:
        document_ids: Documents of which only a part is meant, or that are meant as a whole.
        segment_ids: Segments that are left of those of which a part is meant.
        empty: Patterns whose place holds nothing.
    """

    document_ids: tuple[DocumentId, ...] = ()
    segment_ids: tuple[SegmentId, ...] = ()
    empty: tuple[str, ...] = ()


def within(
    patterns: Sequence[str],
    documents_of: Callable[[str], Sequence[DocumentId]],
    segments_of: Callable[[DocumentId], Sequence[Segment]],
) -> Within:
    """Find the segments that patterns with places mean.

    Args:
        patterns: Some with a place, some without.
        documents_of: The documents of a pattern without a place.
        segments_of: The segments of a document.
    """
    split = [split_place(pattern) for pattern in patterns]
    free = {d for base, place in split if place is None for d in documents_of(base)}
    found: dict[SegmentId, None] = {}
    documents: dict[DocumentId, None] = {}
    empty = []
    for pattern, (base, place) in zip(patterns, split, strict=True):
        if place is None:
            continue
        n_before = len(found)
        for document_id in documents_of(base):
            if document_id in free:
                continue
            documents[document_id] = None
            own = segments_of(document_id)
            found |= dict.fromkeys(segment.id for segment in own if place.holds(segment))
        if len(found) == n_before and not place.is_whole:
            empty.append(pattern)
    return Within(tuple(documents), tuple(found), tuple(empty))
