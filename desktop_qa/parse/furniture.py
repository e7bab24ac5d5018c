"""What recurs from page to page: running headers and footers, page numbers, decoration."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from statistics import median

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.captions import figure_label
from desktop_qa.parse.heading_style import is_continued
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent, Rule
from desktop_qa.parse.table_grid import join_lines

_HEAD_SHARE = 0.13
_FOOT_SHARE = 0.88
"""Shares of the page's height within which furniture stands, if repetition says no more."""

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"[-–|\s]*(\d{1,4})[-–|\s]*$")
_NEVER_CONTENT = re.compile(
    r"^(?:https?://|www\.)\S+$|submit documentation feedback|product folder links?\s*:|"
    r"copyright ©|© .{0,30}(?:inc|gmbh|ltd)|"
    r"all information provided in this document is subject to legal disclaimers",
    re.IGNORECASE,
)

_USUAL_SHARE, _USUAL_SIDE_SHARE = 0.4, 0.5
"""Of the pages, and of the left or right ones: what recurs on more of them runs through them."""

_SAME_PLACE_PT = 1.6
"""Between the baselines of what recurs at one place; left and right pages differ a little."""

_MIN_PART = 5
"""Pages of a part that others are appended to."""

_MIN_GRID_SHARE = 0.1
"""Of the page's height; the frame of a running header is no taller."""

_MIN_UPRIGHTS = 3
"""That part columns; two are the border of a page."""

_MAX_DEPTH_SHARE = 0.3
"""Of the height, to which lines that recur on so many pages may widen the zones."""


def find_furniture(
    pages: Sequence[PageContent], fragments: Sequence[Sequence[Line]]
) -> list[frozenset[int]]:
    """Find the `line_no` of the engine lines of each page that are furniture.

    A line near the top or bottom is furniture when its text, digits aside, recurs on many pages,
    or is a bare page number. What shares its height, or stands between it and the edge of the
    page, belongs to it: running chapter titles differ from page to page.
    """
    fragments = [_outside_grids(*of) for of in zip(pages, fragments, strict=True)]
    texts: dict[tuple[str, bool], dict[int, str]] = defaultdict(dict)
    baselines: dict[tuple[str, bool], dict[int, float]] = defaultdict(dict)
    zones = _zones(pages, fragments)
    offset = _page_number_offset(pages, fragments, zones)
    for index, (page, lines) in enumerate(zip(pages, fragments, strict=True)):
        for line in lines:
            if (zone := zones.of(line, page)) is not None:
                texts[_pattern(line), zone][index] = "".join(line.text.split())
                baselines[_pattern(line), zone][index] = line.baseline
    seen = {key: _recurring(of_pages) for key, of_pages in texts.items()}
    through = {
        key for key, on in seen.items() if key[0] and _runs_through(on, len(pages), baselines[key])
    }
    places = _usual_places(pages, fragments, seen, zones)
    found = []
    for page, of_page in zip(pages, fragments, strict=True):
        lines = _without_captions(of_page)
        sure = {True: list[Line](), False: list[Line]()}
        for line in lines:
            zone = zones.of(line, page)
            if zone is None or is_continued(line.text):
                continue
            if number := _BARE_NUMBER.match(line.text):
                if int(number[1]) - page.page_no == offset and not _leads_title(line, lines):
                    sure[zone].append(line)
                continue
            pattern = _pattern(line)
            running = bool(pattern) and (zone, round(line.baseline)) in places
            running |= (pattern, zone) in through
            running |= bool(pattern) and _counts_pages(texts[pattern, zone])
            if running or _NEVER_CONTENT.search(line.text):
                sure[zone].append(line)
        found.append(frozenset(_with_neighbours(page, lines, sure, zones)))
    return found


def _runs_through(on: set[int], n_pages: int, baselines: Mapping[int, float]) -> bool:
    """Tell what recurs at one place on most pages, or on most left or right ones.

    The first page may differ; what leads from there on may end where others are appended.

    Args:
        on: Indices of the pages on which it stands.
        n_pages: Of the document.
        baselines: By index of the page, points; empty when it is known to stand at one place.
    """
    if baselines and len(on) < n_pages:
        near = ({j for j in on if abs(baselines[i] - baselines[j]) < _SAME_PLACE_PT} for i in on)
        on = max(near, key=len, default=set())
    if len(on) < (2 if n_pages < 8 else 3):
        return False
    if min(on) < 2 and len(on) >= _MIN_PART:
        n_pages = max(on) + 1
    sides = [range(first, n_pages, 2) for first in (1, 2)]
    return len(on) > _USUAL_SHARE * n_pages or any(
        sum(index in on for index in side) > max(_USUAL_SIDE_SHARE * len(side), 1) for side in sides
    )


def _counts_pages(texts: Mapping[int, str]) -> bool:
    """Tell a line that ends with the number of its page (0-based index), or within its part."""
    ends = [(index, re.search(r"\d+$", texts[index])) for index in sorted(texts)]
    return len(ends) > 1 and all(
        a and b and int(b[0]) - int(a[0]) == after - before
        for (before, a), (after, b) in itertools.pairwise(ends)
    )


def _outside_grids(page: PageContent, lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out what stands between the columns of a tall grid: heads recur as tables go on."""
    uprights = [
        rule
        for rule in join_lines(rule for rule in page.rules if not rule.horizontal)
        if rule.length > _MIN_GRID_SHARE * page.height
    ]
    if len(uprights) < _MIN_UPRIGHTS:
        return lines
    return [line for line in lines if not _is_among(uprights, line)]


def _is_among(uprights: Sequence[Rule], line: Line) -> bool:
    at = [rule.position for rule in uprights if rule.start < line.baseline < rule.end]
    return len(at) >= _MIN_UPRIGHTS and at[0] < line.left and line.right < at[-1]


def _recurring(texts: Mapping[int, str]) -> set[int]:
    """Tell on which pages a line recurs: in the same words, or with numbers that count pages.

    The title of a table that names another part on each page is alike in all but the numbers.
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
    """Add what stands beside furniture or beyond it; lines that go on in the text stay."""
    text: list[Line] = []
    for line in sorted(lines, key=lambda one: abs(one.baseline - page.height / 2)):
        zone = zones.of(line, page)
        known = sure[zone] if zone is not None else []
        beside = any(abs(line.baseline - other.baseline) < 2.5 for other in known)
        # The title of a first page may stand above the line that recurs.
        beyond = page.page_no > 1 and any(
            line.baseline < other.baseline if zone else line.baseline > other.baseline
            for other in known
        )
        if line in known or ((beside or beyond) and not any(_goes_on(line, t) for t in text)):
            yield line.words[0].line_no
        else:
            text.append(line)


def _goes_on(line: Line, other: Line) -> bool:
    """Tell lines of one paragraph."""
    return (
        abs(line.left - other.left) < 2
        and abs(line.size - other.size) < 0.3
        and line.bold == other.bold
        and abs(line.baseline - other.baseline) < 1.4 * line.size
    )


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
    on: dict[tuple[str, int], set[int]] = defaultdict(set)
    for index, lines in enumerate(upright):
        for line in lines:
            on[_place(line)].add(index)
    usual = {place for place, of in on.items() if _runs_through(of, len(pages), {})}
    head, foot = _HEAD_SHARE, _FOOT_SHARE
    for page, lines in zip(pages, upright, strict=True):
        by_height = sorted(lines, key=lambda line: line.baseline)
        above = list(takewhile(lambda line: _place(line) in usual, by_height))
        below = list(takewhile(lambda line: _place(line) in usual, reversed(by_height)))
        if len(above) == len(lines):
            continue  # a page of which all recurs has no text to tell furniture from
        top = max((line.bbox.bottom for line in above), default=0.0)
        bottom = min((line.bbox.top for line in below), default=page.height)
        if top < _MAX_DEPTH_SHARE * page.height:
            head = max(head, (top + 1) / page.height)
        if bottom > (1 - _MAX_DEPTH_SHARE) * page.height:
            foot = min(foot, (bottom - 1) / page.height)
    return _Zones(head, foot)


def _place(line: Line) -> tuple[str, int]:
    return _pattern(line) or "#", round(line.baseline)


def _pattern(line: Line) -> str:
    """Text without spaces and numbers, and its size: a chapter is named like its running title.

    Empty for bare numbers, which recur for many reasons.
    """
    pattern = _DIGITS.sub("#", "".join(line.text.split())).lower()
    has_letters = any(char.isalpha() for char in pattern)
    return f"{pattern} {line.size:.0f}" if has_letters or pattern in ("#/#", "#|#", "#-#") else ""


_DRAWN_HEAD_SHARE = 0.15
_DRAWN_FOOT_SHARE = 0.88
"""Shares of the page's height within which drawings are decoration when they recur."""

_MIN_PAGES = 3
_MIN_SHARE = 0.25
"""Of the pages: those on the left and on the right may differ."""

_MIN_BORDER_SHARE = 0.5
"""Of the pages, for the rules around all that stands on them."""


def without_decoration(pages: Sequence[PageContent]) -> dict[int, PageContent]:
    """Leave out the drawings and bitmaps that recur, by page number.

    Drawings count at the head and the foot of the pages only: grids of registers and outlines of
    packages stand at the same place as well. A bitmap may recur anywhere, as watermarks do.
    """
    drawn = Counter(
        place
        for page in pages
        for place in {_place_of(d.bbox) for d in page.drawings if _is_at_edge(d.bbox, page)}
    )
    pictured = Counter(
        place for page in pages for place in {_place_of(i.bbox) for i in page.images}
    )
    ruled = Counter(place for page in pages for place in {_place_of(r.bbox) for r in page.rules})
    n_bordered = max(_MIN_PAGES, _MIN_BORDER_SHARE * len(pages))
    n_needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    return {
        page.page_no: replace(
            page,
            rules=tuple(r for r in page.rules if ruled[_place_of(r.bbox)] < n_bordered),
            drawings=tuple(
                d
                for d in page.drawings
                if not (_is_at_edge(d.bbox, page) and drawn[_place_of(d.bbox)] >= n_needed)
            ),
            images=tuple(i for i in page.images if pictured[_place_of(i.bbox)] < n_needed),
        )
        for page in pages
    }


def _is_at_edge(box: BoundingBox, page: PageContent) -> bool:
    return box.bottom < _DRAWN_HEAD_SHARE * page.height or box.top > _DRAWN_FOOT_SHARE * page.height


def _place_of(box: BoundingBox) -> tuple[int, int, int, int]:
    return round(box.left), round(box.top), round(box.right), round(box.bottom)


_NUMBER = re.compile(r"((?:[A-Z]{1,2}|\d{1,2})[-–])?(\d{1,4})")
_AROUND = "-–—|.:()[]"
_MIN_COUNTED = 3
"""Of a count: a running title has other numbers, of which two may follow each other by chance."""


def printed_numbers(furniture: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """Return what pages call themselves: "45", "F-12", "3-4", by their 1-based place in the file.

    It is a number that keeps its distance from the page's place in the file on several pages: a
    year or the number of pages stays the same. A page without one, between two of a count, is
    counted with them. Of several counts that a page is in, the longest one holds.
    """
    counts: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page_no, words in furniture.items():
        for word in words:
            match = _NUMBER.fullmatch(word.strip(_AROUND))
            if match is not None:
                counts[match[1] or "", int(match[2]) - page_no].add(page_no)
    labels: dict[int, str] = {}
    between: dict[int, str] = {}
    for (lead, distance), pages in sorted(counts.items(), key=lambda item: len(item[1])):
        if len(pages) < _MIN_COUNTED:
            continue
        for first, last in itertools.pairwise(sorted(pages)):
            between |= {n: f"{lead}{n + distance}" for n in range(first + 1, last)}
        labels |= {n: f"{lead}{n + distance}" for n in pages}
    return between | labels
