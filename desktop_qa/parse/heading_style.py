"""What reads as a heading, how headings are set, and the level that says of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop_qa.core.document import split_heading_number
from desktop_qa.parse.boilerplate import is_contents_line
from desktop_qa.parse.captions import is_caption
from desktop_qa.parse.characters import REPLACEMENT, letters_of
from desktop_qa.parse.lines import Line, lead_of

_MAX_LENGTH = 160
MAX_HEADING_LINES = 3

_NUMBERED = re.compile(
    r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,5}|[A-Z](?:\.\d{1,2}){1,4})\.?\s+"
    r"(?P<title>[\w(“\"'<±].*)$"
)
_UNIT = re.compile(
    r"^(?:[µumkMGnp]?(?:V|A|W|Hz|F|H|s|Ω|B|b)|°C|ppm|dB|bits?|kSPS|SPS|%|x|×|to|[–-])\b(?!\.\w|\(|/[A-Z])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_NEVER = re.compile(
    r"^(?:notes?|caution|warning|attention|important|tip)\b[\s\d]*(?::|$)|^equation\s+[\dA-Z]|"
    r"^(?:example|listing)\s+\d+[-–.]?\d*\s*:|@|https?:|www\.",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"[(（](?:continued|cont(?:'?d)?\.?|接下页|续)[)）]$", re.IGNORECASE)
_CHAPTER_WORD = re.compile(r"^(?:chapter|appendix|section|part)\s+[\dA-Z]{1,3}\b", re.IGNORECASE)
_CHAPTER = re.compile(
    r"^(?:chapter|appendix)\s+(?P<number>\d{1,2}|[A-Z])(?:[.:]?\s+|\s*[–—-]\s+)(?=\w)",
    re.IGNORECASE,
)
_KIND_OF_DOCUMENT = re.compile(
    r"^(?:(?:(?:preliminary|product|technical|objective|short|advance|final)\s+)*data\s?sheet|"
    r"(?:preliminary|product|technical|objective|advance)\s+(?:specifications?|data|information))"
    r"(?:\s+(?:version|revision|rev\.?))?(?:\s*v?\d+(?:\.\d+)*|\s[A-Z])?$|"
    r"^(?:version|revision)\s*v?(?:\d+(?:\.\d+)*|[A-Z])$|"
    r"^rev(?:ision|\.)?\s*\d.*\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_PART = re.compile(r"^(?=[\w+/-]*\d)[\w+/-]+$")
_PACKAGE = re.compile(r"^(?:[A-Z]*(?:DIP|SO|SOIC|SOP|QFN|DFN|SOT|BGA|LGA)\b[/,]?)+$")
_CONTENTS = re.compile(
    r"^(?:table of )?contents(?: page)?$|^目录$|^index$|^(?:list of )?(?:tables|figures)$",
    re.IGNORECASE,
)


def is_capitals(text: str) -> bool:
    """True for a text of at least four letters, nearly all of them capitals."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 4 and sum(char.isupper() for char in letters) > 0.85 * len(letters)


def heading_number(text: str) -> str:
    """Number that leads a heading; empty for values with units and the like."""
    match = _NUMBERED.match(text)
    if match is None or _UNIT.match(match["title"]) or not _WORD.search(match["title"]):
        return ""
    # Names of commands begin in lower case; under a short number that is a sentence.
    if match["title"][0].islower() and match["number"].count(".") < 2:
        return ""
    parts = match["number"].split(".")
    if parts[0] == "0" or any(len(part) > 1 and part.startswith("0") for part in parts):
        return ""
    return match["number"].removesuffix(".0")


def chapter_number(text: str) -> str:
    """Number of a heading, that of "Chapter 3. Basics" and "Appendix A: Tables" included."""
    match = _CHAPTER.match(text)
    return match["number"].upper() if match else heading_number(text)


def label_length(text: str) -> int:
    """Words before a title: 1 for "7.5", 3 for "Appendix A -"."""
    match = _CHAPTER.match(text)
    return len(match[0].split()) if match else 1


def number_key(number: str) -> tuple[int, ...]:
    """Parts of a number such as "7.5.1" for comparing; letters come after all digits."""
    parts = number.rstrip(".").split(".")
    return tuple(
        int(part) if part.isdigit() else 1000 + ord(part[0].upper()) - 64 for part in parts
    )


def may_be_heading(lines: Sequence[Line], *, any_case: bool = False) -> bool:
    """Tell whether lines read as a heading, however they are set.

    One in lower case, where not in `any_case`, is mostly the rest of a sentence.
    """
    text = " ".join(line.text for line in lines).strip()
    if len(lines) > MAX_HEADING_LINES or len(text) > _MAX_LENGTH or is_caption(text):
        return False
    number = chapter_number(text)
    if _NEVER.search(text) or not _is_bold_throughout(lines):
        return False
    if not number and (is_contents_title(text) or is_continued(text)):
        return False
    if text[-1] in ";,." or (text[-1] == ":" and "." not in number):
        return False
    lead = " ".join([*(line.text for line in lines[:-1]), lines[-1].lead])
    if not number and (_is_scattered(lead) or _is_symbol(lead) or _is_value(text)):
        return False
    if _is_gibberish(text) or is_contents_line(text):
        return False
    title = split_heading_number(text)[1] if number else text
    letters = sum(_weight(char) for char in title)
    if letters < 3 or letters < (0.3 if number else 0.45) * len(title.replace(" ", "")):
        return False
    is_begun = any_case or not text[0].islower() or _is_name(text)
    return bool(re.match(r"[\w(“\"']", text)) and is_begun


def is_appendix(text: str) -> bool:
    """True for "Appendix A: Revision History" and "Chapter 3 Registers"."""
    return bool(_CHAPTER_WORD.match(text))


def is_continued(text: str) -> bool:
    """True for a heading that is repeated on a further page: "... (continued)"."""
    return bool(_CONTINUED.search(text))


def is_document_title(text: str, page_no: int, title: str) -> bool:
    """Tell the name of the document, and of its kind, from a chapter of it."""
    if page_no > 2:
        return letters_of(text) == letters_of(title)  # a banner on the first page of each chapter
    return letters_of(text) in letters_of(title) or bool(_KIND_OF_DOCUMENT.match(text))


def _is_bold_throughout(lines: Iterable[Line]) -> bool:
    """A line that begins in bold and goes on in plain type is a paragraph.

    The number of a heading may be bold by itself.
    """
    return all(
        not line.bold
        or lead_of(line.words)[-1].bold
        or (bool(heading_number(line.text)) and len(line.words) > 1 and not line.words[1].bold)
        for line in lines
    )


def _is_scattered(text: str) -> bool:
    """Labels of a drawing: names of pins and their numbers."""
    words = text.split()
    return len(words) > 2 and sum(len(word) <= 2 for word in words) >= 0.5 * len(words)


def _is_symbol(text: str) -> bool:
    """The name of a part or a pin, a package, a formula: labels of drawings."""
    if " = " in text or text.endswith("="):
        return True
    if " " in text:
        return False
    return bool(_PART.match(text) or _PACKAGE.match(text))


def _is_value(text: str) -> bool:
    """True for what begins with a value: "3.3 V supply"."""
    match = re.match(r"[±+-]?\d+(?:\.\d+)?\s+(?=\S)", text)
    if match is None or text.startswith("A ", match.end()):
        return False  # "2 A longer title" is no current
    return bool(_UNIT.match(text[match.end() :]))


def _is_gibberish(text: str) -> bool:
    """Text of a font that does not say which letters it shows: signs and accents among letters."""
    strange = sum("\x80" <= char < "\u0250" or char == REPLACEMENT for char in text)
    return strange > 0.25 * len(text)


def _weight(char: str) -> int:
    """A letter counts once, an ideograph as the word it is."""
    return (2 if char > "\u2e80" else 1) if char.isalpha() else 0


def _is_name(text: str) -> bool:
    """Names such as iCoupler and nRF24L01 begin in lower case."""
    first = text.split()[0]
    return any(char.isupper() for char in first[1:])


def is_contents_title(text: str) -> bool:
    """True for "Contents", "Table of Contents" and the like."""
    return bool(_CONTENTS.match(split_heading_number(" ".join(text.split()))[1]))


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
    """Give headings their levels: by number, else by style; with a `span` centred ones first.

    Between numbered chapters a heading without number is one level deeper than its style: it
    cannot end a chapter. Before the first chapter the highest level is 1.
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
