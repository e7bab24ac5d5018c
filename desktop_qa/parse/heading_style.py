"""How headings are set, and the level that says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop_qa.parse.heading_text import chapter_number, heading_number, is_appendix, is_capitals
from desktop_qa.parse.lines import Line

MAX_LEVEL = 6
_SAME_SIZE_PT = 0.75
_MIN_NUMBERED = 2
_MIN_CENTRED = 4


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of one or more lines on a page.

    Attributes:
        level: 1 is a chapter.
        lines: Top to bottom.
    """

    page_no: int
    level: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The heading as on the page, its number included."""
        return " ".join(line.text for line in self.lines)


Style = tuple[float, bool, str, int, bool]


def style_of(line: Line) -> Style:
    """Size to half a point, boldness, font without its subset tag, colour, capitals."""
    font = line.font.split("+")[-1].split(",")[0].split("-")[0]
    return round(line.size * 2) / 2, line.bold, font, line.color, is_capitals(line.lead)


def body_style(lines: Iterable[Line]) -> Style:
    """Style of most characters."""
    weights: Counter[Style] = Counter()
    for line in lines:
        size, bold, font, color, _caps = style_of(line)
        weights[size, bold, font, color, False] += len(line.text)
    if not weights:
        return 10.0, False, "", 0, False
    return max(weights.items(), key=lambda item: (item[1], item[0]))[0]


def levels_of(headings: Iterable[Heading]) -> dict[Style, int]:
    """Most usual level of each style."""
    votes: dict[Style, Counter[int]] = {}
    for heading in headings:
        votes.setdefault(style_of(heading.lines[0]), Counter())[heading.level] += 1
    return {style: max(levels, key=lambda k: (levels[k], -k)) for style, levels in votes.items()}


def rank(
    found: Sequence[Heading],
    known: Sequence[Heading],
    span: tuple[float, float] | None = None,
) -> list[Heading]:
    """Give headings their levels: by number, else by style.

    Between numbered chapters a heading without number is one level deeper than its style: it
    cannot end a chapter. Before the first chapter the highest level is 1.

    Args:
        found: Headings without levels.
        known: Headings whose level is sure: those of an outline, those with numbers.
        span: Left and right edge of the text, when centred headings are to rank above others.
    """
    numbered = [replace(h, level=n.count(".") + 1) for h in found if (n := heading_number(h.text))]
    if len(numbered) + len(known) < _MIN_NUMBERED:
        numbered = []  # the mark of a footnote leads a heading here and there
    sure = levels_of([*numbered, *known])
    if len({h.page_no for h in found if _look(h, span)[2]}) < _MIN_CENTRED:
        span = None  # a few stand centred above a wide table
    ranks = _ranks(found, sure, span)
    divided = _divided_pages(known)
    ranked = []
    for heading in found:
        number, style = heading_number(heading.text), style_of(heading.lines[0])
        level = number.count(".") + 1 if number and numbered else sure.get(style)
        level = level or ranks[_look(heading, span)]
        inside = any(heading.page_no in pages for pages in divided)
        if inside and not number and style in sure and not is_appendix(heading.text):
            level += 1
        ranked.append(replace(heading, level=min(max(level, 1), MAX_LEVEL)))
    return _lifted(ranked, known)


def _divided_pages(known: Sequence[Heading]) -> list[range]:
    """Pages of the chapters that numbered sections divide, the last chapter aside."""
    chapters = sorted(
        (h.page_no, n) for h in known if h.level == 1 and (n := chapter_number(h.text))
    )
    parents = {n.split(".")[0] for h in known if "." in (n := heading_number(h.text))}
    return [
        range(page_no, following)
        for (page_no, number), (following, _number) in pairwise(chapters)
        if number in parents
    ]


def _lifted(found: Sequence[Heading], known: Sequence[Heading]) -> list[Heading]:
    """Raise the headings of the pages before the first chapter, which have none above them."""
    first = min((h.page_no for h in [*found, *known] if h.level == 1), default=0)
    before = [h.level for h in [*found, *known] if h.page_no < first]
    excess = min(before, default=1) - 1
    return [replace(h, level=h.level - excess) if h.page_no < first else h for h in found]


_Look = tuple[float, bool, bool]
"""Size in points, capitals, centred."""


def _look(heading: Heading, span: tuple[float, float] | None) -> _Look:
    line = heading.lines[0]
    size, _bold, _font, _color, capitals = style_of(line)
    if span is None:
        return size, capitals, False
    left, right = span
    off = abs((line.left + line.right) / 2 - (left + right) / 2)
    centred = off < 0.02 * (right - left) and line.left > left + 0.12 * (right - left)
    return size, capitals, centred


def _ranks(
    found: Sequence[Heading], sure: Mapping[Style, int], span: tuple[float, float] | None
) -> dict[_Look, int]:
    """Rank looks by size, centred ones and capitals first; rare ones rank below the usual."""
    free = [h for h in found if style_of(h.lines[0]) not in sure]
    counts = Counter(_look(h, span) for h in free)
    usual = {look for look in counts if counts[look] >= max(2, 0.04 * len(found))} or set(counts)
    # Some makers set the headings of the first page larger than those of the others.
    later = {_look(h, span) for h in free if h.page_no > 1}
    tiers = _tiers(usual & later or usual)
    ranks = {}
    for look in counts:
        larger = [
            level
            for style, level in sure.items()
            if style[0] > look[0] + 0.3 or _is_above((style[0], style[4], False), look)
        ]
        ranks[look] = max(larger) + 1 if larger else 1 + sum(_is_above(t, look) for t in tiers)
    return ranks


def _tiers(looks: Iterable[_Look]) -> list[_Look]:
    """Looks from the highest rank down; nearly equal sizes are one."""
    tiers: list[_Look] = []
    for look in sorted(looks, key=lambda k: (-k[0], not k[2], not k[1])):
        if not any(t[1:] == look[1:] and abs(t[0] - look[0]) < _SAME_SIZE_PT for t in tiers):
            tiers.append(look)
    return tiers


def _is_above(tier: _Look, look: _Look) -> bool:
    if abs(tier[0] - look[0]) >= _SAME_SIZE_PT:
        return tier[0] > look[0]
    return (tier[2], tier[1]) > (look[2], look[1])
