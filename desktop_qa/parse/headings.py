"""Headings: from the outline when there is one, else from type size, boldness and numbering."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_qa.core.document import split_heading_number
from desktop_qa.parse.captions import is_caption
from desktop_qa.parse.lines import Line, letter_zone, make_line
from desktop_qa.parse.page import OutlineEntry

MAX_LEVEL = 6
_MAX_HEADING_LENGTH = 160
_MAX_HEADING_LINES = 3

_NUMBERED = re.compile(
    r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,5}|[A-Z](?:\.\d{1,2}){1,4})\.?\s+(?P<title>\S.*)$"
)
_CHAPTER_WORD = re.compile(r"^(?:chapter|appendix|section|part)\s+[\dA-Z]{1,3}\b", re.IGNORECASE)
_UNIT = re.compile(
    r"^(?:[µumkMGnp]?(?:V|A|W|Hz|F|H|s|Ω|B|b)|°C|ppm|dB|bits?|kSPS|SPS|LSB|%|x|×|to|[–-])\b"
)
_NEVER = re.compile(
    r"^(?:notes?|caution|warning|attention|important|tip)\b[\s\d]*:?$|^equation\s+[\dA-Z]|"
    r"^(?:register|example|listing)\s+\d+[-–.]?\d*\s*:|\((?:continued|cont(?:'?d)?\.?)\)$|@|https?:|www\.",
    re.IGNORECASE,
)
_NO_CHAPTER = re.compile(r"^(?:figure|fig\.|table|equation|example|photo)\s*[\dA-Z]", re.IGNORECASE)
_CONTENTS = re.compile(r"^(?:table of )?contents$|^目录$|^index$", re.IGNORECASE)


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


def fold_heading(text: str) -> str:
    """Letters and digits alone, folded: outlines and pages differ in the rest."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in normal if char.isalnum())


def chapters_of(outline: Iterable[OutlineEntry]) -> list[OutlineEntry]:
    """Leave out figures, tables and footnotes, which some outlines list among the chapters."""
    entries = [e for e in outline if e.title and not _NO_CHAPTER.match(e.title)]
    if not entries:
        return []
    top_level = min(entry.level for entry in entries)
    return [
        OutlineEntry(entry.level - top_level + 1, entry.title, entry.page_no, entry.top)
        for entry in entries
        if len(fold_heading(entry.title)) >= 2 and len(entry.title) <= 200
    ]


def match_outline(
    outline: Sequence[OutlineEntry], fragments: dict[int, Sequence[Line]]
) -> list[Heading]:
    """Find the words of the page that each outline entry names.

    Args:
        outline: Chapters only.
        fragments: Runs of words of each page by page number.

    Returns:
        Headings of the entries that were found, in the order of the outline.
    """
    candidates: dict[int, list[_Candidate]] = {}
    used: dict[int, set[int]] = {}
    headings = []
    for entry in outline:
        best: _Candidate | None = None
        for page_no in (entry.page_no, entry.page_no + 1, entry.page_no - 1):
            if best is not None or page_no not in fragments:
                continue
            if page_no not in candidates:
                candidates[page_no] = list(_candidates(page_no, fragments[page_no]))
            free = [c for c in candidates[page_no] if not used.get(page_no, set()) & c.line_nos]
            best = _best_match(entry, free)
        if best is not None:
            used.setdefault(best.page_no, set()).update(best.line_nos)
            headings.append(Heading(best.page_no, min(entry.level, MAX_LEVEL), best.lines))
    return headings


@dataclass(frozen=True, slots=True)
class _Candidate:
    page_no: int
    lines: tuple[Line, ...]
    key: str
    key_without_number: str
    number: str
    line_nos: frozenset[int]


def _candidates(page_no: int, fragments: Sequence[Line]) -> Iterable[_Candidate]:
    """Every run of fragments that could be a heading: a row, or up to three rows."""
    upright = sorted(
        (f for f in fragments if not f.words[0].angle), key=lambda f: (f.baseline, f.left)
    )
    rows: list[list[Line]] = []
    for fragment in upright:
        for row in reversed(rows[-8:]):
            gap = fragment.left - row[-1].right
            same = abs(row[-1].baseline - fragment.baseline) < 0.3 * fragment.size
            if same and -2 < gap < 5 * fragment.size:
                row.append(fragment)
                break
        else:
            rows.append([fragment])
    runs = [run for row in rows for run in _runs(row)]
    for lines in runs:
        first = make_line([word for fragment in lines for word in fragment.words])
        stack = [first]
        yield _candidate(page_no, stack)
        for _ in range(_MAX_HEADING_LINES - 1):
            below = _line_below(stack[-1], first, rows)
            if below is None:
                break
            stack.append(below)
            yield _candidate(page_no, stack)


def _runs(row: Sequence[Line]) -> Iterable[Sequence[Line]]:
    for start in range(len(row)):
        for end in range(start + 1, min(start + 4, len(row)) + 1):
            yield row[start:end]


def _line_below(line: Line, first: Line, rows: Sequence[Sequence[Line]]) -> Line | None:
    for row in rows:
        for start in range(len(row)):
            below = row[start]
            step = below.baseline - line.baseline
            if (
                0.7 * line.size < step < 1.9 * line.size
                and abs(below.size - first.size) < 0.6
                and below.bold == first.bold
                and below.left < first.right
                and below.left > first.left - 60
            ):
                return make_line([w for fragment in row[start:] for w in fragment.words])
    return None


def _candidate(page_no: int, lines: Sequence[Line]) -> _Candidate:
    text = " ".join(line.text for line in lines)
    number, title = split_heading_number(text)
    return _Candidate(
        page_no,
        tuple(lines),
        fold_heading(text),
        fold_heading(title),
        number,
        frozenset(word.line_no for line in lines for word in line.words),
    )


def _best_match(entry: OutlineEntry, candidates: Sequence[_Candidate]) -> _Candidate | None:
    best, best_score = None, 0.0
    for candidate in candidates:
        score = _match_score(entry, candidate)
        if score > best_score:
            best, best_score = candidate, score
    return best


def _match_score(entry: OutlineEntry, candidate: _Candidate) -> float:
    """0 for no match; else higher for closer texts, larger type and the right height."""
    likeness = _likeness(*_keys(entry.title), candidate)
    if likeness == 0:
        return 0.0
    first = candidate.lines[0]
    score = 10.0 * likeness + min(first.size, 30) / 30 + (0.5 if first.bold else 0.0)
    if entry.top is not None:
        score += 1.0 - min(abs(first.bbox.top - entry.top) / 200, 1.0)
    return score


@lru_cache(maxsize=64)
def _keys(title: str) -> tuple[str, str, str]:
    number, bare = split_heading_number(title)
    return fold_heading(title), fold_heading(bare), number


def _likeness(wanted: str, bare: str, wanted_number: str, candidate: _Candidate) -> float:
    key = candidate.key
    if not key:
        return 0.0
    if key == wanted:
        return 1.0
    if bare and candidate.key_without_number == bare:
        return 0.9
    number = candidate.number
    if "." in number and number == wanted_number and candidate.lines[0].bold:
        return 0.6  # an outline in another language than the page
    extra = len(key) - len(wanted)
    if 0 < extra <= max(3, len(wanted) // 8) and key.startswith(wanted) and len(wanted) > 5:
        return 0.85
    if len(wanted) < 8 or abs(extra) > 0.2 * len(wanted) + 2:
        return 0.0
    ratio = difflib.SequenceMatcher(None, wanted, key, autojunk=False)
    if ratio.real_quick_ratio() < 0.88 or ratio.quick_ratio() < 0.88:
        return 0.0
    return 0.8 * ratio.ratio() if ratio.ratio() >= 0.88 else 0.0


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
    skip_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find headings by how they are set.

    Args:
        flow: Lines of all pages in reading order, without tables, figures and furniture.
        known: Headings of the outline: then only lines in exactly their styles count.
        skip_pages: Pages of contents.
    """
    body = body_style(item.line for item in flow)
    known_styles = _levels_of_known(known)
    groups = [
        group
        for group in _groups(flow)
        if group[0].page_no not in skip_pages and _may_be_heading(group)
    ]
    if known:
        chosen = [g for g in groups if style_of(g[0].line) in known_styles and _stands_out(g, body)]
    else:
        title = _title_size(flow)
        chosen = [g for g in groups if _stands_out(g, body) and not _is_title(g, title, body)]
    return [
        Heading(
            group[0].page_no,
            level,
            tuple(item.line for item in group),
        )
        for group, level in zip(chosen, _levels(chosen, known_styles), strict=True)
    ]


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
            and not _number_of(item.line.text)
        ):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _text(group: Sequence[FlowLine]) -> str:
    return " ".join(item.line.text for item in group)


def _number_of(text: str) -> str:
    match = _NUMBERED.match(text)
    if match is None or _UNIT.match(match["title"]) or not _has_word(match["title"]):
        return ""
    parts = match["number"].split(".")
    if any(len(part) > 1 and part.startswith("0") for part in parts[:1]):
        return ""
    return match["number"].removesuffix(".0")


def _has_word(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2,}", text)) and not text[0].islower()


def _may_be_heading(group: Sequence[FlowLine]) -> bool:
    text = _text(group).strip()
    if len(group) > _MAX_HEADING_LINES or len(text) > _MAX_HEADING_LENGTH or is_caption(text):
        return False
    number = _number_of(text)
    if _NEVER.search(text) or (text[-1] in ":;,." and (not number or text[-1] != ":")):
        return False
    title = split_heading_number(text)[1] if number else text
    letters = sum(_weight(char) for char in title)
    if letters < 3 or letters < (0.3 if number else 0.45) * len(title.replace(" ", "")):
        return False
    return bool(re.match(r"[\w(“\"']", text)) and (not text[0].islower() or _is_name(text))


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
    number = _number_of(text)
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


def _title_size(flow: Sequence[FlowLine]) -> float:
    sizes = [item.line.size for item in flow if item.page_no == flow[0].page_no] if flow else []
    return max(sizes, default=0.0)


def _is_title(group: Sequence[FlowLine], title_size: float, body: Style) -> bool:
    """The largest type of the first page names the document, not a chapter."""
    line = group[0].line
    return (
        group[0].page_no == 1
        and line.size >= title_size - 0.3
        and line.size >= 1.25 * body[0]
        and not _number_of(_text(group))
    )


def _levels_of_known(known: Sequence[Heading]) -> dict[Style, int]:
    votes: dict[Style, Counter[int]] = {}
    for heading in known:
        votes.setdefault(style_of(heading.lines[0]), Counter())[heading.level] += 1
    return {style: max(levels, key=lambda k: (levels[k], -k)) for style, levels in votes.items()}


def _levels(groups: Sequence[Sequence[FlowLine]], known: dict[Style, int]) -> list[int]:
    """Number of parts of the number; without one the level of its style."""
    by_style: dict[Style, Counter[int]] = {}
    for group in groups:
        if number := _number_of(_text(group)):
            key = style_of(group[0].line)
            by_style.setdefault(key, Counter())[number.count(".") + 1] += 1
    numbered = {s: max(c, key=lambda k: (c[k], -k)) for s, c in by_style.items()} | known
    ranks = _ranks([style_of(group[0].line) for group in groups], numbered)
    levels = []
    for group in groups:
        style = style_of(group[0].line)
        number = _number_of(_text(group))
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
