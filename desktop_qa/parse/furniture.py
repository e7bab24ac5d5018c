"""Page furniture: running headers, footers and page numbers, found by their repetition."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from statistics import median

from desktop_qa.parse.captions import figure_label
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent

_HEAD_SHARE = 0.13
_FOOT_SHARE = 0.88
"""Shares of the page's height within which furniture stands, if repetition says no more."""

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"[-–|\s]*(\d{1,4})[-–|\s]*$")
_NEVER_CONTENT = re.compile(
    r"submit documentation feedback|product folder links?\s*:|copyright ©|© .{0,30}(?:inc|gmbh|ltd)"
    r"|all information provided in this document is subject to legal disclaimers",
    re.IGNORECASE,
)

_PAGE_COUNTER = re.compile(r"\bpage\s*# \d+$")
"""An addendum of a few pages counts them apart ("Addendum-Page 2")."""

_FREQUENT_SHARE = 0.3
"""Share of the pages on which a line recurs that makes it furniture by itself."""

_MIN_RULES_OF_GRID = 3
"""Rules down that part columns; a frame round the page has two."""

_USUAL_SHARE = 0.5
_MAX_DEPTH_SHARE = 0.3
"""Of the height, to which lines that recur on so many pages may widen the zones."""


def find_furniture(
    pages: Sequence[PageContent], fragments: Sequence[Sequence[Line]]
) -> list[frozenset[int]]:
    """Find the engine lines of each page that are furniture.

    A line near the top or bottom is furniture when its text, digits aside, recurs on many pages,
    or is a bare page number. What shares its height, or stands between it and the edge of the
    page, belongs to it: running chapter titles differ from page to page.

    Args:
        pages: Of the document, in order.
        fragments: Runs of words of each page.

    Returns:
        For each page the `line_no` of its furniture.
    """
    texts: dict[tuple[str, bool], dict[int, str]] = defaultdict(dict)
    fragments = [_outside_grids(*of) for of in zip(pages, fragments, strict=True)]
    zones = _zones(pages, fragments)
    offset = _page_number_offset(pages, fragments, zones)
    for index, (page, lines) in enumerate(zip(pages, fragments, strict=True)):
        for line in lines:
            if (zone := zones.of(line, page)) is not None:
                texts[_pattern(line), zone][index] = "".join(line.text.split())
    seen = {key: _recurring(of_pages) for key, of_pages in texts.items()}
    places = _usual_places(pages, fragments, seen, zones)
    needed = max(2 if len(pages) < 8 else 3, _FREQUENT_SHARE * len(pages))
    found = []
    for page, of_page in zip(pages, fragments, strict=True):
        lines = _without_captions(of_page)
        sure = {True: list[Line](), False: list[Line]()}
        for line in lines:
            zone = zones.of(line, page)
            if zone is None:
                continue
            if number := _BARE_NUMBER.match(line.text):
                if int(number[1]) - page.page_no == offset and not _leads_title(line, lines):
                    sure[zone].append(line)
                continue
            pattern = _pattern(line)
            n_seen = len(seen[pattern, zone]) if pattern else 0
            running = bool(pattern) and (zone, round(line.baseline)) in places
            running |= n_seen > 1 and bool(_PAGE_COUNTER.search(pattern))
            if n_seen >= needed or running or _NEVER_CONTENT.search(line.text):
                sure[zone].append(line)
        found.append(frozenset(_with_neighbours(page, lines, sure, zones)))
    return found


def _outside_grids(page: PageContent, lines: Sequence[Line]) -> list[Line]:
    """Leave out the heads of ruled tables, which recur where a table goes on over pages."""
    body = _HEAD_SHARE * page.height, _FOOT_SHARE * page.height
    down = [r for r in page.rules if not r.horizontal and r.start < body[1] and r.end > body[0]]
    if len(down) < _MIN_RULES_OF_GRID:
        return list(lines)
    return [
        line
        for line in lines
        if body[0] < line.baseline < body[1]
        or sum(r.start < line.baseline < r.end for r in down) < _MIN_RULES_OF_GRID
    ]


def _recurring(texts: Mapping[int, str]) -> set[int]:
    """Tell on which pages a line recurs: in the same words, or with numbers that count pages.

    The title of a table that names another part on each page is alike in all but the numbers.

    Args:
        texts: By index of the page; alike, digits aside.
    """
    n_pages = Counter(texts.values())
    pairs = [
        (after - before, [int(n) for n in re.findall(r"\d+", texts[before])], texts[after])
        for before, after in itertools.pairwise(sorted(texts))
    ]
    n_counted = sum(
        all(
            b - a in (0, step)
            for a, b in zip(numbers, map(int, re.findall(r"\d+", text)), strict=False)
        )
        for step, numbers, text in pairs
    )
    if n_counted >= 0.5 * len(pairs):
        return set(texts)
    return {index for index, text in texts.items() if n_pages[text] > 1}


def _leads_title(number: Line, lines: Sequence[Line]) -> bool:
    """Tell the number of a chapter from that of a page by its title in the same large type."""
    body = median(line.size for line in lines)
    return number.size > 1.1 * body and any(
        abs(line.baseline - number.baseline) < 1
        and abs(line.size - number.size) < 0.3
        and 0 < line.left - number.right < 5 * number.size
        for line in lines
    )


def _without_captions(lines: Sequence[Line]) -> list[Line]:
    """Leave out the captions of figures, which many pages of drawings have at their foot."""
    rows = [line.baseline for line in lines if figure_label(line.text)]
    return [line for line in lines if not any(abs(line.baseline - row) < 2.5 for row in rows)]


def _usual_places(
    pages: Sequence[PageContent],
    fragments: Sequence[Sequence[Line]],
    seen: Mapping[tuple[str, bool], set[int]],
    zones: _Zones,
) -> set[tuple[bool, int]]:
    """Heights at which the outermost lines of most pages stand, and mostly recur.

    A running title that is the chapter's may stand on one page only.
    """
    n_pages: Counter[tuple[bool, int]] = Counter()
    n_recurring: Counter[tuple[bool, int]] = Counter()
    for page, lines in zip(pages, fragments, strict=True):
        for zone in (True, False):
            of = [line for line in lines if zones.of(line, page) is zone]
            if not of:
                continue
            height = (min if zone else max)(line.baseline for line in of)
            place = zone, round(height)
            n_pages[place] += 1
            n_recurring[place] += any(
                abs(line.baseline - height) < 2.5
                and len(seen.get((_pattern(line), zone), ())) > 1
                and (_pattern(line) or not _leads_title(line, lines))
                for line in of
            )
    return {
        place
        for place, n in n_pages.items()
        if n >= max(3, 0.5 * len(pages)) and n_recurring[place] >= 0.6 * n
    }


def _page_number_offset(
    pages: Sequence[PageContent], fragments: Sequence[Sequence[Line]], zones: _Zones
) -> int | None:
    """Printed page number less the page's own: numbers on axes do not keep a distance."""
    offsets: Counter[int] = Counter()
    for page, lines in zip(pages, fragments, strict=True):
        numbers = {
            int(match[1])
            for line in lines
            if zones.of(line, page) is not None and (match := _BARE_NUMBER.match(line.text))
        }
        offsets.update(number - page.page_no for number in numbers)
    if not offsets:
        return None
    offset, n_pages = max(offsets.items(), key=lambda item: (item[1], -abs(item[0])))
    return offset if n_pages >= max(2, 0.2 * len(pages)) else None


def _with_neighbours(
    page: PageContent, lines: Sequence[Line], sure: dict[bool, list[Line]], zones: _Zones
) -> Iterator[int]:
    for line in lines:
        zone = zones.of(line, page)
        if zone is None or not sure[zone]:
            continue
        beside = any(abs(line.baseline - other.baseline) < 2.5 for other in sure[zone])
        # The title of a first page may stand above the line that recurs.
        beyond = page.page_no > 1 and (
            line.baseline < max(o.baseline for o in sure[True])
            if zone
            else line.baseline > min(o.baseline for o in sure[False])
        )
        if beside or beyond:
            yield line.words[0].line_no


@dataclass(frozen=True, slots=True)
class _Zones:
    """Shares of the height above and below which the furniture of a document stands."""

    head: float
    foot: float

    def of(self, line: Line, page: PageContent) -> bool | None:
        """True in the head of the page, False in its foot, None between."""
        if line.words[0].angle:
            return None
        if line.bbox.bottom < self.head * page.height:
            return True
        return False if line.bbox.top > self.foot * page.height else None


def _zones(pages: Sequence[PageContent], fragments: Sequence[Sequence[Line]]) -> _Zones:
    """Measure how far in lines recur at one height with nothing but such lines beyond them.

    Margins differ: what is printed small on a larger sheet has its furniture far from the edges.
    """
    upright = [
        [
            line
            for line in lines
            if not line.words[0].angle
            and not _MAX_DEPTH_SHARE < line.baseline / page.height < 1 - _MAX_DEPTH_SHARE
        ]
        for page, lines in zip(pages, fragments, strict=True)
    ]
    n_pages = Counter(place for lines in upright for place in {_place(line) for line in lines})
    needed = max(3, _USUAL_SHARE * len(pages))
    head, foot = _HEAD_SHARE, _FOOT_SHARE
    for page, lines in zip(pages, upright, strict=True):
        by_height = sorted(lines, key=lambda line: line.baseline)
        recurring = partial(_recurs, n_pages, needed)
        above = list(takewhile(recurring, by_height))
        below = list(takewhile(recurring, reversed(by_height)))
        if len(above) == len(lines):
            continue  # a page of which all recurs has no text to tell furniture from
        top = max((line.bbox.bottom for line in above), default=0.0)
        bottom = min((line.bbox.top for line in below), default=page.height)
        if top < _MAX_DEPTH_SHARE * page.height:
            head = max(head, (top + 1) / page.height)
        if bottom > (1 - _MAX_DEPTH_SHARE) * page.height:
            foot = min(foot, (bottom - 1) / page.height)
    return _Zones(head, foot)


def _recurs(n_pages: Mapping[tuple[str, int], int], needed: float, line: Line) -> bool:
    return n_pages[_place(line)] >= needed


def _place(line: Line) -> tuple[str, int]:
    return _pattern(line) or "#", round(line.baseline)


def _pattern(line: Line) -> str:
    """Text without spaces and numbers, and its size: a chapter is named like its running title.

    Empty for bare numbers, which recur for many reasons.
    """
    pattern = _DIGITS.sub("#", "".join(line.text.split())).lower()
    has_letters = any(char.isalpha() for char in pattern)
    return f"{pattern} {line.size:.0f}" if has_letters or pattern in ("#/#", "#|#") else ""
