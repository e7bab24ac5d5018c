"""Numbered headings, found by their sequence before tables and figures can claim their words."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boilerplate import is_contents_line
from desktop_qa.parse.heading_style import MAX_LEVEL, Heading, Style, body_style, style_of
from desktop_qa.parse.heading_text import (
    MAX_HEADING_LINES,
    chapter_number,
    is_capitals,
    is_continued,
    label_length,
    may_be_heading,
    number_key,
)
from desktop_qa.parse.lines import Line, letter_zone, make_line, upright_lines

Number = tuple[int, ...]
"""A number part by part, letters of appendices above all digits: "A.2" is (1001, 2)."""

_REGISTER = re.compile(r"^REGISTER\s+((?:\d{1,2}|[A-Z])[-–]\d{1,3})\s*:", re.IGNORECASE)
_FIRST_APPENDIX = number_key("A")
_MAY_LEAD = re.compile(r"\d|[A-Z]\.\d|chapter\b|appendix\b", re.IGNORECASE)
_MIN_CHAIN = 3
_MAX_JUMP = 2
"""Chapters that may be missing between two of a sequence."""

MIN_STEP = 2.0
"""Sizes between the baselines of two headings that have text between them."""

_LABEL_GAP_IN_SIZES = 7.0
"""Between "7.5" and its title."""

_WORD_GAP_IN_SIZES = 1.6


@dataclass(frozen=True, slots=True)
class _Candidate:
    page_no: int
    number: Number
    lines: tuple[Line, ...]
    style: Style
    is_prominent: bool
    weight: float
    is_known: bool = False


def find_numbered(
    fragments: Mapping[int, Sequence[Line]],
    known: Sequence[Heading] = (),
    *,
    skip_pages: frozenset[int] = frozenset(),
    contents_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find the headings whose numbers make one rising sequence through the document.

    Args:
        fragments: Runs of words of each page by page number, without furniture.
        known: Headings of the outline, whose words are no longer among the fragments.
        skip_pages: Pages without headings.
        contents_pages: Pages on which entries stand for the headings of other pages.

    Returns:
        Headings that are not known yet, in the order of their numbers.
    """
    candidates = _all_candidates(fragments, skip_pages, contents_pages)
    anchors = [
        _Candidate(h.page_no, number_key(number), h.lines, style_of(h.lines[0]), True, 4.0, True)
        for h in known
        if (number := chapter_number(h.text))
    ]
    chain = _rising_chain(sorted([*candidates, *anchors], key=lambda c: (c.page_no, c.number)))
    chosen = _trusted(chain)
    if len(chosen) < _MIN_CHAIN:
        return []
    levels = {number_key(n): h.level for h in known if (n := chapter_number(h.text))}
    found = [
        Heading(c.page_no, _level(c.number, levels), c.lines) for c in chosen if not c.is_known
    ]
    deepest = max(min(len(c.number), 2) for c in chosen)
    return [*found, *_registers(fragments, skip_pages | contents_pages, deepest + 1)]


def _all_candidates(
    fragments: Mapping[int, Sequence[Line]],
    skip_pages: frozenset[int],
    contents_pages: frozenset[int],
) -> list[_Candidate]:
    body = body_style(line for lines in fragments.values() for line in lines)
    return [
        candidate
        for page_no, lines in fragments.items()
        if page_no not in skip_pages
        for candidate in _candidates(page_no, lines, body, is_contents=page_no in contents_pages)
    ]


def _registers(
    fragments: Mapping[int, Sequence[Line]], skip_pages: frozenset[int], level: int
) -> list[Heading]:
    """Find the headings of registers, "REGISTER 4-1: ...", which count by themselves."""
    found = []
    for page_no, lines in fragments.items():
        upright = upright_lines(lines) if page_no not in skip_pages else []
        for fragment in upright:
            match = _REGISTER.match(fragment.text)
            if match is None or not fragment.bold:
                continue
            row = _row_from(fragment, upright, n_label_words=2)
            rows = _with_lines_below(row, upright, True, n_label_words=2)
            is_title = attempt(Stage.HEADINGS, page_no, False, may_be_heading, rows)
            if not is_title or len(row.words) < 3:
                continue
            number = number_key(match[1].replace("–", "-").replace("-", "."))
            found.append(_Candidate(page_no, number, rows, style_of(row), True, 1.0))
    chain = _rising_chain(sorted(found, key=lambda c: (c.page_no, c.number)))
    return [Heading(c.page_no, level, c.lines) for c in chain]


def _level(number: Number, known: Mapping[Number, int]) -> int:
    """Depth of the number, counted from its nearest ancestor in the outline."""
    for length in range(len(number) - 1, 0, -1):
        if number[:length] in known:
            return min(known[number[:length]] + len(number) - length, MAX_LEVEL)
    return min(len(number), MAX_LEVEL)


def _candidates(
    page_no: int, fragments: Sequence[Line], body: Style, *, is_contents: bool
) -> Iterable[_Candidate]:
    upright = upright_lines(fragments)
    for fragment in upright:
        if _MAY_LEAD.match(fragment.text):
            find = partial(_candidate, page_no, fragment, upright, body, is_contents=is_contents)
            candidate = attempt(Stage.HEADINGS, page_no, None, find)
            if candidate is not None:
                yield candidate


def _candidate(
    page_no: int, fragment: Line, upright: Sequence[Line], body: Style, *, is_contents: bool
) -> _Candidate | None:
    line = _row_from(fragment, upright)
    number = chapter_number(line.text)
    if not number or _is_entry(fragment, upright, line):
        return None
    prominent = _is_prominent(line, body)
    if not prominent and number.count(".") < 2:
        return None
    stands_out = line.bold or line.size >= 1.12 * body[0]
    n_label_words = label_length(line.text)
    lines = _with_lines_below(line, upright, stands_out, n_label_words=n_label_words)
    text = " ".join(one.text for one in lines)
    if not may_be_heading(lines) or (not prominent and not _is_title_like(text)):
        return None
    weight = (1.0 if prominent else 0.5) * (0.2 if is_contents or is_continued(text) else 1.0)
    weight += max(line.size / body[0] - 1.0, 0.0)
    return _Candidate(page_no, number_key(number), lines, style_of(line), prominent, weight)


def _is_prominent(line: Line, body: Style) -> bool:
    size, bold, font, color, _caps = body
    larger = line.size >= 1.12 * size
    bolder = line.bold and not bold and line.size >= 0.8 * size
    other = style_of(line)[2] != font and line.color != color and line.size >= 0.93 * size
    return larger or bolder or other


def _is_title_like(text: str) -> bool:
    """A title in plain type is short and no sentence."""
    return len(text) <= 90 and text[-1] not in ".:;," and ". " not in text.partition(" ")[2]


def _row_from(first: Line, fragments: Sequence[Line], *, n_label_words: int = 1) -> Line:
    """Join a fragment with those that go on with it to the right."""
    words, last = list(first.words), first
    beside = sorted(
        (
            f
            for f in fragments
            if f is not first
            and abs(f.baseline - first.baseline) < 0.3 * first.size
            and f.left > first.left
        ),
        key=lambda f: f.left,
    )
    for fragment in beside:
        is_label = len(words) <= n_label_words
        reach = _LABEL_GAP_IN_SIZES if is_label else _WORD_GAP_IN_SIZES
        # Some makers set the number larger than its title.
        if abs(fragment.size - last.size) > (0.25 * last.size if is_label else 0.6):
            break
        if fragment.left - last.right > reach * first.size:
            break
        if fragment.bold != first.bold and not is_label:
            break
        words += fragment.words
        last = fragment
    return make_line(words)


def _is_entry(first: Line, fragments: Sequence[Line], row: Line) -> bool:
    """Tell an entry of a table of contents by the leaders that end it."""
    return is_contents_line(row.text) or any(
        is_contents_line(f.text)
        for f in fragments
        if abs(f.baseline - first.baseline) < 2.5 and 0 <= f.left - first.left < 320
    )


def _with_lines_below(
    first: Line, fragments: Sequence[Line], stands_out: bool, *, n_label_words: int = 1
) -> tuple[Line, ...]:
    """Add the lines that go on with the title: they hang under its first word or its number.

    Args:
        first: Number and title.
        fragments: Of the page, from its top.
        stands_out: By boldness or size; else only capitals tell the title from the text below.
        n_label_words: Words before the title.
    """
    lines = [first]
    title = first.words[n_label_words:]
    indent = title[0].bbox.left if title else first.left
    while len(lines) < MAX_HEADING_LINES:
        last = lines[-1]
        below = next((f for f in fragments if _goes_on(f, last, first, indent, stands_out)), None)
        if below is None:
            break
        lines.append(_row_from(below, fragments))
    return tuple(lines)


def _goes_on(line: Line, last: Line, first: Line, indent: float, stands_out: bool) -> bool:
    if not 0.7 * last.size < line.baseline - last.baseline < 1.7 * last.size:
        return False
    if style_of(line)[:4] != style_of(first)[:4] or chapter_number(line.text):
        return False
    if letter_zone(line)[0] - letter_zone(last)[1] > 0.75 * first.size:
        return False
    capitals = is_capitals(first.text)
    if capitals and not line.text.isupper() and not line.text.startswith("("):
        return False
    is_chapter = label_length(first.text) > 1
    if indent - first.left > 8 and not is_chapter:
        return (stands_out or capitals) and abs(line.left - indent) < 3
    return stands_out and abs(line.left - first.left) < 3


def _rising_chain(ordered: Sequence[_Candidate]) -> list[_Candidate]:
    """Choose the weightiest sequence in which pages and numbers rise."""
    best: list[float] = []
    before: list[int] = []
    for k, candidate in enumerate(ordered):
        score, link = 0.0, -1
        for i in range(k):
            other = ordered[i]
            if other.number >= candidate.number or _step(other, candidate) <= 0:
                continue
            gain = best[i] + (0.5 if follows(other.number, candidate.number) else 0.0)
            if (
                candidate.number[0] - other.number[0] > _MAX_JUMP
                and candidate.number < _FIRST_APPENDIX
            ):
                gain -= 2.0
            if gain > score:
                score, link = gain, i
        best.append(score + candidate.weight)
        before.append(link)
    chain: list[_Candidate] = []
    k = max(range(len(best)), key=lambda index: best[index], default=-1)
    while k >= 0:
        chain.append(ordered[k])
        k = before[k]
    return chain[::-1]


def _step(one: _Candidate, other: _Candidate) -> float:
    """Return how far one stands above another of its column, sizes; endless elsewhere."""
    a, b = one.lines[0], other.lines[0]
    if one.page_no != other.page_no or a.bbox.left >= b.bbox.right or b.bbox.left >= a.bbox.right:
        return math.inf
    return (b.baseline - a.baseline) / a.size


def _are_items(one: _Candidate, following: _Candidate) -> bool:
    """Tell two entries of a list: numbers of one depth with nothing between them."""
    return len(one.number) == len(following.number) and _step(one, following) < MIN_STEP


def follows(number: Number, following: Number) -> bool:
    """Tell whether a number may come right after another: its child, its or an ancestor's next."""
    if following[:-1] == number and following[-1] in (0, 1):
        return True
    if following in (_FIRST_APPENDIX, (*_FIRST_APPENDIX, 1)):
        return number < _FIRST_APPENDIX
    depth = len(following)
    if depth > len(number) or following[:-1] != number[: depth - 1]:
        return False
    return following[-1] == number[depth - 1] + 1


def _trusted(chain: Sequence[_Candidate]) -> list[_Candidate]:
    """Keep what is set like others of its depth, or continues the sequence on both sides."""
    styles = Counter((len(c.number), c.style[:3]) for c in chain)
    numbers = {c.number for c in chain}
    trusted = []
    for k, candidate in enumerate(chain):
        beside = chain[max(k - 1, 0) : k + 2]
        if any(_are_items(a, b) for a, b in itertools.pairwise(beside)) and not candidate.is_known:
            continue
        n_links = int(k > 0 and follows(chain[k - 1].number, candidate.number))
        n_links += int(k + 1 < len(chain) and follows(candidate.number, chain[k + 1].number))
        n_alike = styles[len(candidate.number), candidate.style[:3]]
        has_parent = candidate.number[:-1] in numbers
        if candidate.is_prominent:
            good = n_alike > 2 or n_links == 2 or (n_alike == 2 and (n_links == 1 or has_parent))
        else:
            good = has_parent and n_links >= 1
        if good or candidate.is_known:
            trusted.append(candidate)
    return trusted
