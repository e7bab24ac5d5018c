"""Captions that stand on the pages, against the tables and figures that were extracted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from desktop_qa.core.document import BoundingBox, Document, Figure, Table
from desktop_qa.evaluate.structure.count import NONE, Count, Counts
from desktop_qa.parse.plain import PlainLine, PlainPage

_CAPTION = re.compile(
    r"^(?P<kind>table|figure|fig\.?)\s*(?P<number>(?:[A-Z]{1,2}[-.]?)?\d{1,3}(?:[-–.]\d{1,3}){0,3})"
    r"(?P<after>\s*[.:)—–-]\s*|\s+|$)(?P<title>.*)$",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){5,}|(?:_\s?){6,}|(?:…\s?){2,}|(?:·\s?){6,}")
_SAYS = re.compile(r"(?:shows?|is|are|illustrates?|gives?|describes?|depicts?)\b")
_ENDS_SENTENCE = re.compile(r"[.:;!?)\]•]\s*$|^\W*$")
_MIN_LISTED = 4
"""Lines with leaders and page numbers that make a page a list of figures or tables."""

_E = TypeVar("_E", Table, Figure)

_MAX_OVERLAP = 0.02
_MIN_INK = 0.002
_MAX_PAGE_SHARE = 0.5
_MIN_PROSE_WORDS = 10
_MAX_PROSE_LINES = 5
"""Of notes in a figure that takes more than half of its page."""


@dataclass(frozen=True, slots=True)
class StandingCaption:
    """A caption on a page; `number` is "7-2" of "Table 7-2"."""

    is_table: bool
    number: str
    page_no: int
    bbox: BoundingBox
    text: str


@dataclass(frozen=True, slots=True)
class CaptionCounts(Counts):
    """Captions with their element, of all that stand on the pages.

    Attributes:
        tables: With a table of at least 2 x 2 cells.
        tables_of_any_size: With a table; registers are drawn as one row of bits by some makers.
        figures: With an inked image that is apart from its caption, and that takes more than half
            the page only where the drawing does: without text and captions in it.
        figures_on_half_page: The same without that exception.
    """

    tables: Count = NONE
    tables_of_any_size: Count = NONE
    figures: Count = NONE
    figures_on_half_page: Count = NONE


def standing_captions(pages: Iterable[PlainPage]) -> list[StandingCaption]:
    """Find the captions of tables and figures on the pages.

    A line that begins with "Table n" or "Figure n" is one, when it is not the continuation of a
    sentence, not a sentence about the figure, and not an entry of a list of figures.
    """
    found: list[StandingCaption] = []
    for page in pages:
        if sum(bool(_LEADERS.search(line.text)) for line in page.lines) >= _MIN_LISTED:
            continue
        for block in page.blocks:
            found += _captions_of(block, page)
    return found


def _captions_of(block: Sequence[PlainLine], page: PlainPage) -> Iterable[StandingCaption]:
    before: PlainLine | None = None
    for line in block:
        match = _CAPTION.match(line.text)
        if match and not _is_reference(match) and not _goes_on(before, line):
            yield StandingCaption(
                match["kind"].casefold() == "table",
                _number(match["number"]),
                page.page_no,
                line.bbox,
                line.text,
            )
        before = line


def _is_reference(match: re.Match[str]) -> bool:
    """Tell "Figure 2 shows ..." and "Table 3, ..." from a caption."""
    title, after = match["title"], match["after"].strip()
    if title[:1] in (",", ";") or _SAYS.match(title):
        return True  # "Figure 33., Figure 34. and ...", "Figure 25. shows ..."
    if not title and not after:
        return True  # a cell or a note that names a figure
    if after == ")":
        return True
    if after:
        # "... in Figure 3. The next sentence" stands in running text, a title is short.
        return title.rstrip().endswith(".") and len(title) > 90
    return title[:1].islower() or title[:1] in (",", ";", ".")


def _goes_on(before: PlainLine | None, line: PlainLine) -> bool:
    """Tell whether the line is the next one of the sentence above."""
    if before is None or _ENDS_SENTENCE.search(before.text):
        return False
    step = line.bbox.top - before.bbox.top
    height = max(before.bbox.height, 1.0)
    # A script makes a line of the same type higher.
    same_type = abs(before.bbox.height - line.bbox.height) < 0.3 * height
    beside = abs(before.bbox.left - line.bbox.left) < 3 * height
    return same_type and beside and 0.5 * height < step < 1.6 * height and len(before.text) > 30


def _number(text: str) -> str:
    return text.replace("–", "-").replace(".", "-").casefold()


def compare_captions(
    captions: Sequence[StandingCaption],
    document: Document,
    ink_of: Callable[[Figure], float],
    pages: Iterable[PlainPage],
) -> tuple[CaptionCounts, list[StandingCaption]]:
    """Look for the element of each caption.

    Args:
        captions: That stand on the pages; a number that stands on a page twice counts once.
        document: As it was read.
        ink_of: Share of inked pixels of a figure's image, 0 when it has none.
        pages: Of the document.

    Returns:
        The counts and the captions without element.
    """
    tables = _by_number(document.tables)
    figures = _by_number(document.figures)
    page_of = {page.page_no: page for page in pages}
    counts, missed = CaptionCounts(), []
    unique = {(c.is_table, c.number, c.page_no): c for c in reversed(captions)}
    for caption in sorted(unique.values(), key=lambda c: (c.page_no, c.bbox.top)):
        key = caption.number, caption.page_no
        if caption.is_table:
            here = tables.get(key, ())
            good = any(t.n_rows >= 2 and t.n_columns >= 2 for t in here)
            counts += CaptionCounts(Count(int(good), 1), Count(int(bool(here)), 1))
        else:
            page = page_of[caption.page_no]
            others = [c.bbox for c in captions if c.page_no == caption.page_no]
            inked = [
                f for f in figures.get(key, ()) if _is_apart(f, caption) and ink_of(f) >= _MIN_INK
            ]
            good = any(_is_drawing_alone(f, page, others) for f in inked)
            small = any(_is_at_most_half(f, page) for f in inked)
            counts += CaptionCounts(
                figures=Count(int(good), 1), figures_on_half_page=Count(int(small), 1)
            )
        if not good:
            missed.append(caption)
    return counts, missed


def _by_number(elements: Iterable[_E]) -> dict[tuple[str, int], list[_E]]:
    found: dict[tuple[str, int], list[_E]] = {}
    for element in elements:
        match = _CAPTION.match(element.label)
        if match:
            for page_no in {place.page_no for place in element.provenances}:
                found.setdefault((_number(match["number"]), page_no), []).append(element)
    return found


def _is_apart(figure: Figure, caption: StandingCaption) -> bool:
    """Tell whether the figure's rectangle is free of its caption."""
    touched = figure.provenances[0].bbox.intersection_area(caption.bbox)
    return touched <= _MAX_OVERLAP * caption.bbox.area


def _is_at_most_half(figure: Figure, page: PlainPage) -> bool:
    return figure.provenances[0].bbox.area <= _MAX_PAGE_SHARE * page.width * page.height


def _is_drawing_alone(figure: Figure, page: PlainPage, captions: Sequence[BoundingBox]) -> bool:
    """Tell a figure from a piece of the page: at most half of it, or without text and captions."""
    if _is_at_most_half(figure, page):
        return True
    box = figure.provenances[0].bbox
    if any(box.contains_center(caption) for caption in captions):
        return False
    inside = [line for line in page.lines if box.contains_center(line.bbox)]
    n_prose = sum(
        sum(word.text[1:].isalpha() and word.text[1:].islower() for word in line.words)
        >= _MIN_PROSE_WORDS
        for line in inside
    )
    return n_prose <= _MAX_PROSE_LINES
