"""Headings: from the outline when there is one, else from type size, boldness and numbering."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import split_heading_number
from desktop_qa.parse.captions import is_caption
from desktop_qa.parse.lines import Line, letter_zone

MAX_LEVEL = 6
_MAX_HEADING_LENGTH = 160
MAX_HEADING_LINES = 3

_NUMBERED = re.compile(
    r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,5}|[A-Z](?:\.\d{1,2}){1,4})\.?\s+"
    r"(?P<title>[\w(“\"'<±].*)$"
)
_CHAPTER_WORD = re.compile(r"^(?:chapter|appendix|section|part)\s+[\dA-Z]{1,3}\b", re.IGNORECASE)
_UNIT = re.compile(
    r"^(?:[µumkMGnp]?(?:V|A|W|Hz|F|H|s|Ω|B|b)|°C|ppm|dB|bits?|kSPS|SPS|LSB|%|x|×|to|[–-])\b"
)
_NEVER = re.compile(
    r"^(?:notes?|caution|warning|attention|important|tip)\b[\s\d]*:?$|^equation\s+[\dA-Z]|"
    r"^(?:register|example|listing)\s+\d+[-–.]?\d*\s*:|[(（](?:continued|cont(?:'?d)?\.?|接下页|续)[)）]$|@|https?:|www\.",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"^(?:table of )?contents(?: page)?$|^目录$|^index$|^(?:list of )?(?:tables|figures)$",
    re.IGNORECASE,
)


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


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A line of running text with what surrounds it.

    Attributes:
        column: Number of the column within the page.
        gap_above: Points between its letters and those of the line above; large at the top.
        gap_below: The same below; large above a table or figure and at the end of a column.
    """

    page_no: int
    column: int
    line: Line
    gap_above: float
    gap_below: float


Style = tuple[float, bool, str, int, bool]


def style_of(line: Line) -> Style:
    """Size to half a point, boldness, font without its subset tag, colour, capitals."""
    font = line.font.split("+")[-1].split(",")[0].split("-")[0]
    return round(line.size * 2) / 2, line.bold, font, line.color, _is_capitals(line.text)


def _is_capitals(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 4 and sum(char.isupper() for char in letters) > 0.85 * len(letters)


def body_style(lines: Iterable[Line]) -> Style:
    """Style of most characters."""
    weights: Counter[Style] = Counter()
    for line in lines:
        size, bold, font, color, _caps = style_of(line)
        weights[size, bold, font, color, False] += len(line.text)
    if not weights:
        return 10.0, False, "", 0, False
    return max(weights.items(), key=lambda item: (item[1], item[0]))[0]


def find_by_typography(
    flow: Sequence[FlowLine],
    known: Sequence[Heading] = (),
    *,
    title: str = "",
    skip_pages: frozenset[int] = frozenset(),
    contents_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find headings by how they are set.

    Args:
        flow: Lines of all pages in reading order, without tables, figures and furniture.
        known: Headings of the outline: then only lines in exactly their styles count.
        title: Of the document, which is no chapter of it.
        skip_pages: Pages without headings.
        contents_pages: Pages on which only large bold lines are headings, not the entries.
    """
    body = body_style(item.line for item in flow)
    known_styles = _levels_of_known(known)
    groups = [
        group
        for group in _groups(flow)
        if group[0].page_no not in skip_pages and _may_be_heading(group)
    ]
    rare = _rare_bold_styles(groups, flow, body)
    chosen = [
        group
        for group in groups
        if (_stands_out(group, body) or style_of(group[0].line) in rare)
        and (not known or style_of(group[0].line) in known_styles)
        and not _is_title(group, title)
        and (group[0].page_no not in contents_pages or _is_no_entry(group, body))
    ]
    levels = _levels(chosen, known_styles)
    return [
        Heading(group[0].page_no, level, tuple(item.line for item in group))
        for group, level in zip(chosen, levels, strict=True)
    ]


def _rare_bold_styles(
    groups: Sequence[Sequence[FlowLine]], flow: Sequence[FlowLine], body: Style
) -> set[Style]:
    """Find bold styles of the text's own size that serve as headings again and again."""
    alone: dict[Style, list[int]] = {}
    for group in groups:
        first, last = group[0], group[-1]
        spaced = first.gap_above > 0.45 * first.line.size and first.gap_above > last.gap_below + 0.5
        if len(group) == 1 and spaced and len(_text(group)) <= 70:
            alone.setdefault(style_of(first.line), []).append(first.page_no)
    n_lines = Counter(style_of(item.line) for item in flow)
    return {
        style
        for style, pages in alone.items()
        if style[1]
        and not body[1]
        and style[0] >= 0.95 * body[0]
        and len(pages) >= 3
        and len(set(pages)) >= 2
        and len(pages) >= 0.6 * n_lines[style]
    }


def _is_no_entry(group: Sequence[FlowLine], body: Style) -> bool:
    line, text = group[0].line, _text(group)
    return line.bold and line.size >= 1.12 * body[0] and not text[-1].isdigit()


def _groups(flow: Sequence[FlowLine]) -> list[list[FlowLine]]:
    """Join lines of one style that follow each other closely."""
    groups: list[list[FlowLine]] = []
    for item in flow:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and last.page_no == item.page_no
            and last.column == item.column
            and style_of(last.line)[:4] == style_of(item.line)[:4]
            and item.gap_above < 0.75 * item.line.size
            and not heading_number(item.line.text)
            and not (heading_number(last.line.text) and not last.line.bold)
        ):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _text(group: Sequence[FlowLine]) -> str:
    return " ".join(item.line.text for item in group)


def heading_number(text: str) -> str:
    """Number that leads a heading; empty for values with units and the like."""
    match = _NUMBERED.match(text)
    if match is None or _UNIT.match(match["title"]) or not _has_word(match["title"]):
        return ""
    # Names of commands begin in lower case; under a short number that is a sentence.
    if match["title"][0].islower() and match["number"].count(".") < 2:
        return ""
    parts = match["number"].split(".")
    if parts[0] == "0" or any(len(part) > 1 and part.startswith("0") for part in parts):
        return ""
    return match["number"].removesuffix(".0")


def _has_word(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2,}", text))


def _may_be_heading(group: Sequence[FlowLine]) -> bool:
    text = _text(group).strip()
    if len(group) > MAX_HEADING_LINES or len(text) > _MAX_HEADING_LENGTH or is_caption(text):
        return False
    if _NEVER.search(text) or is_contents_title(text) or not _is_bold_throughout(group):
        return False
    number = heading_number(text)
    if text[-1] in ";,." or (text[-1] == ":" and "." not in number):
        return False
    if not number and _is_scattered(text):
        return False
    title = split_heading_number(text)[1] if number else text
    letters = sum(_weight(char) for char in title)
    if letters < 3 or letters < (0.3 if number else 0.45) * len(title.replace(" ", "")):
        return False
    return bool(re.match(r"[\w(“\"']", text)) and (not text[0].islower() or _is_name(text))


def _is_bold_throughout(group: Sequence[FlowLine]) -> bool:
    """A line that begins in bold and goes on in plain type is a paragraph."""
    return all(not item.line.bold or item.line.words[-1].bold for item in group)


def _is_scattered(text: str) -> bool:
    """Labels of a drawing: names of pins and their numbers."""
    words = text.split()
    return len(words) > 2 and sum(len(word) <= 2 for word in words) >= 0.5 * len(words)


def _weight(char: str) -> int:
    """A letter counts once, an ideograph as the word it is."""
    return (2 if char > "\u2e80" else 1) if char.isalpha() else 0


def _is_name(text: str) -> bool:
    """Names such as iCoupler and nRF24L01 begin in lower case."""
    first = text.split()[0]
    return any(char.isupper() for char in first[1:])


def _stands_out(group: Sequence[FlowLine], body: Style) -> bool:
    line = group[0].line
    text = _text(group)
    size, bold, font, color, _caps = body
    larger = line.size >= 1.12 * size
    bolder = line.bold and not bold
    spaced = group[0].gap_above > 0.45 * line.size
    other = style_of(line)[2] != font or line.color != color
    number = heading_number(text)
    if number and bolder and spaced and line.size >= 0.8 * size:
        return True
    if line.size < 0.93 * size:
        return False
    if number or _CHAPTER_WORD.match(text):
        if number.count(".") >= 2 and spaced and group[-1].gap_below > 0.25 * line.size:
            return True
        return larger or bolder or (other and spaced)
    if line.size >= 1.3 * size or (larger and (bolder or other)):
        return True
    return bolder and _is_capitals(text) and spaced


def _is_title(group: Sequence[FlowLine], title: str) -> bool:
    """The name of the document on its first pages is no chapter."""
    text = _bare(_text(group))
    return group[0].page_no <= 2 and bool(text) and text in _bare(title)


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _levels_of_known(known: Sequence[Heading]) -> dict[Style, int]:
    votes: dict[Style, Counter[int]] = {}
    for heading in known:
        votes.setdefault(style_of(heading.lines[0]), Counter())[heading.level] += 1
    return {style: max(levels, key=lambda k: (levels[k], -k)) for style, levels in votes.items()}


def _levels(groups: Sequence[Sequence[FlowLine]], known: dict[Style, int]) -> list[int]:
    """Number of parts of the number; without one the level of its style."""
    by_style: dict[Style, Counter[int]] = {}
    for group in groups:
        if number := heading_number(_text(group)):
            key = style_of(group[0].line)
            by_style.setdefault(key, Counter())[number.count(".") + 1] += 1
    numbered = {s: max(c, key=lambda k: (c[k], -k)) for s, c in by_style.items()} | known
    ranks = _ranks([style_of(group[0].line) for group in groups], numbered)
    levels = []
    for group in groups:
        style = style_of(group[0].line)
        number = heading_number(_text(group))
        level = number.count(".") + 1 if number else numbered.get(style) or ranks[style]
        levels.append(min(max(level, 1), MAX_LEVEL))
    return levels


def _ranks(styles: Sequence[Style], numbered: dict[Style, int]) -> dict[Style, int]:
    """Rank styles without numbers by size, capitals first; rare ones take the rank below them."""
    counts = Counter(styles)
    free = sorted(
        {style for style in counts if style not in numbered}, key=lambda s: (-s[0], not s[4])
    )
    usual = [s for s in free if counts[s] >= max(2, 0.04 * len(styles))] or free
    looks = sorted({(s[0], s[4]) for s in usual}, key=lambda look: (-look[0], not look[1]))
    ranks = {}
    for style in free:
        larger = [level for s, level in numbered.items() if s[0] > style[0] + 0.3]
        if larger:
            ranks[style] = max(larger) + 1
        else:
            above = sum(1 for size, caps in looks if (-size, not caps) < (-style[0], not style[4]))
            ranks[style] = above + 1
    return ranks


def is_contents_title(text: str) -> bool:
    """True for "Contents", "Table of Contents" and the like."""
    return bool(_CONTENTS.match(split_heading_number(" ".join(text.split()))[1]))


def zone_gap(above: Line | None, line: Line) -> float:
    """White between the letters of two lines, points; large when nothing is above."""
    if above is None:
        return 1000.0
    return letter_zone(line)[0] - letter_zone(above)[1]
