"""Headings by their type, by the sequence of their numbers, and by how they stand alone.

Numbered ones, and those that stand out again and again, are found before tables and figures can
claim their words.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boilerplate import is_contents_line
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.heading_style import (
    MAX_HEADING_LINES,
    MAX_LEVEL,
    Heading,
    Style,
    body_style,
    chapter_number,
    heading_number,
    is_appendix,
    is_capitals,
    is_continued,
    is_document_title,
    label_length,
    levels_of,
    may_be_heading,
    number_key,
    rank,
    style_of,
)
from desktop_qa.parse.lines import Line, lead_of, letter_zone, make_line, right_of, upright_lines

_LONG_LINE = 40
_MIN_USES = 3
_MIN_SHARE = 0.6
"""Of the lines in a style that stand alone, for it to be of headings."""

_COVER_WORDS = 120
"""A first page with fewer words and no paragraph is a cover: its large lines are no chapters."""


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


def find_by_typography(
    flow: Sequence[FlowLine],
    known: Sequence[Heading] = (),
    numbered: Sequence[Heading] = (),
    standing: Sequence[Heading] = (),
    *,
    title: str = "",
    skip_pages: frozenset[int] = frozenset(),
    contents_pages: frozenset[int] = frozenset(),
    may_have_cover: bool = True,
) -> list[Heading]:
    """Find headings by how they are set, among lines without tables, figures and furniture.

    With headings `known` of the outline only lines in exactly their styles count; a number must fit
    into the sequence of the `numbered` ones. On pages of contents only large bold lines count.

    Returns:
        The standing headings with their levels, then those that were found.
    """
    body = _body_of(flow, skip_pages | contents_pages)
    sure = [*known, *numbered]
    known_styles = levels_of(known)
    sequence = _Sequence(numbered)
    if may_have_cover and _has_cover(flow):
        flow = [item for item in flow if item.page_no > 1]
    groups = [
        group
        for group in _title_groups(flow, title)
        if group[0].page_no not in skip_pages
        and (group[0].page_no not in contents_pages or _is_no_entry(group, body))
        and sequence.admits(chapter_number(_text(group)), group[0].page_no)
    ]
    rare = set() if sequence.is_long else _rare_bold_styles(groups, flow, body)
    fonts = {style_of(heading.lines[0])[1:3] for heading in numbered if sequence.is_long}
    chosen = [
        group
        for group in groups
        if (_stands_out(group, body, sequence.is_long) or style_of(group[0].line) in rare)
        and (not known or style_of(group[0].line) in known_styles)
        and (not fonts or style_of(group[0].line)[1:3] in fonts)
    ]
    found = [Heading(group[0].page_no, 0, tuple(item.line for item in group)) for group in chosen]
    return rank([*standing, *found], sure, None if sequence.is_long else _text_span(flow))


def _title_groups(flow: Sequence[FlowLine], title: str) -> list[list[FlowLine]]:
    """Lines that read as a heading, those of one heading together."""
    groups = _groups(flow)
    entries = {
        id(group)
        for one, other in itertools.pairwise(groups)
        if _are_list_items(one, other)
        for group in (one, other)
    }
    return [
        group
        for group in groups
        if id(group) not in entries
        and attempt(Stage.HEADINGS, group[0].page_no, False, _is_title_group, group, title)
    ]


def _are_list_items(group: Sequence[FlowLine], following: Sequence[FlowLine]) -> bool:
    """Tell two entries of a numbered list, with nothing between them."""
    depths = {heading_number(_text(of)).count(".") for of in (group, following)}
    last, line = group[-1].line, following[0].line
    return (
        len(depths) == 1
        and all(heading_number(_text(of)) for of in (group, following))
        and group[-1].page_no == following[0].page_no
        and 0 < line.baseline - last.baseline < MIN_STEP * line.size
    )


def _is_title_group(group: Sequence[FlowLine], title: str) -> bool:
    return (
        may_be_heading([item.line for item in group])
        and not is_continued(_text(group))
        and not is_document_title(_text(group), group[0].page_no, title)
    )


def _body_of(flow: Sequence[FlowLine], aside: frozenset[int]) -> Style:
    """Style of the running text: of long lines, on pages that are not mere lists and drawings."""
    there = [item.line for item in flow if item.page_no not in aside]
    long = [line for line in there if len(line.text) >= _LONG_LINE]
    plain = [line for line in long if not line.bold]
    if len(plain) > 0.2 * len(long):
        long = plain  # a first page may list its features in bold
    return body_style(long or there or (item.line for item in flow))


def _text_span(flow: Sequence[FlowLine]) -> tuple[float, float] | None:
    """Left and right edge of the text of most pages, points; None without text."""
    long = [item.line for item in flow if len(item.line.text) >= _LONG_LINE]
    if not long:
        return None
    lefts = sorted(line.left for line in long)
    rights = sorted(line.right for line in long)
    return lefts[len(lefts) // 20], rights[-1 - len(rights) // 20]


class _Sequence:
    """The numbers of a document's headings: another one must fit in between."""

    _MIN_LENGTH = 5

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._numbers = [
            (heading.page_no, number_key(number))
            for heading in headings
            if (number := chapter_number(heading.text))
        ]

    @property
    def is_long(self) -> bool:
        """True when numbers tell most headings of the document."""
        return len(self._numbers) >= self._MIN_LENGTH

    def admits(self, number: str, page_no: int) -> bool:
        """Tell whether a heading with this number may stand on a page; True without a number."""
        if not number or not self.is_long:
            return True
        key = number_key(number)
        before = max((n for page, n in self._numbers if page < page_no), default=())
        after = min((n for page, n in self._numbers if page > page_no), default=(9999,))
        taken = any(n == key for _page, n in self._numbers)
        return (
            before < key < after
            and not taken
            and (len(key) > 1 or key[0] - 1 <= (before or key)[0])
        )


def _rare_bold_styles(
    groups: Sequence[Sequence[FlowLine]], flow: Sequence[FlowLine], body: Style
) -> set[Style]:
    """Find bold styles of the text's own size that serve as headings again and again."""
    alone = [
        (one.line, one.page_no)
        for one, *others in groups
        if not others
        and one.gap_above > max(0.45 * one.line.size, one.gap_below + 0.5)
        and len(one.line.text) <= 70
    ]
    return {
        style
        for style in _recurring_styles(alone, (item.line for item in flow))
        if style[1] and not body[1] and style[0] >= 0.95 * body[0]
    }


def _recurring_styles(uses: Iterable[tuple[Line, int]], lines: Iterable[Line]) -> set[Style]:
    """Find the styles of lines that serve as headings again and again.

    Args:
        uses: The lines that stand as headings do, each with its page.
        lines: All of the document: most of those in such a style stand so.
    """
    pages: dict[Style, list[int]] = defaultdict(list)
    for line, page_no in uses:
        pages[style_of(line)].append(page_no)
    n_lines = Counter(map(style_of, lines))
    return {
        style
        for style, on in pages.items()
        if len(on) >= _MIN_USES and len(set(on)) > 1 and len(on) >= _MIN_SHARE * n_lines[style]
    }


def _is_no_entry(group: Sequence[FlowLine], body: Style) -> bool:
    line, text = group[0].line, _text(group)
    return line.bold and line.size >= 1.12 * body[0] and not text[-1].isdigit()


def _groups(flow: Sequence[FlowLine]) -> list[list[FlowLine]]:
    """Join lines of one style that follow each other closely."""

    def goes_on(group: Sequence[FlowLine], item: FlowLine) -> bool:
        last = group[-1]
        return (
            last.page_no == item.page_no
            and last.column == item.column
            and style_of(last.line)[:4] == style_of(item.line)[:4]
            and item.gap_above < 0.75 * item.line.size
            and not _is_under_capitals(item.line.text, last.line.text)
            and not heading_number(item.line.text)
            and not (heading_number(last.line.text) and not last.line.bold)
        )

    return in_runs(flow, goes_on)


def _is_under_capitals(text: str, above: str) -> bool:
    """A title in small letters right under one in capitals is the next level's."""
    lower = sum(char.islower() for char in text)
    return is_capitals(above) and lower > 4 and text[0].isalnum()


def _text(group: Sequence[FlowLine]) -> str:
    return " ".join(item.line.text for item in group)


def _stands_out(group: Sequence[FlowLine], body: Style, is_numbered: bool) -> bool:
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
    if number or is_appendix(text):
        if number.count(".") >= 2 and spaced and group[-1].gap_below > 0.25 * line.size:
            return True
        return larger or bolder or (other and spaced)
    if line.size >= 1.3 * size or (larger and (bolder or other)):
        return True
    if not is_numbered and bolder and spaced and line.size >= 1.05 * size:
        return True
    if is_numbered and len(text.split()) == 1:
        return False  # a name in a glossary
    return bolder and style_of(line)[4] and spaced


def _has_cover(flow: Sequence[FlowLine]) -> bool:
    """Tell whether the first page of several is a cover."""
    first = [item.line for item in flow if item.page_no == 1]
    n_words = sum(len(line.words) for line in first)
    n_long = sum(len(line.text) >= _LONG_LINE for line in first)
    return n_words < _COVER_WORDS and n_long < 3 and any(item.page_no > 2 for item in flow)


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
    """Find the headings, not known yet, whose numbers make one rising sequence.

    On pages of contents entries stand for the headings of other pages.
    """
    body = body_style(line for lines in fragments.values() for line in lines)
    candidates = [
        candidate
        for page_no, lines in fragments.items()
        if page_no not in skip_pages
        for candidate in _candidates(page_no, lines, body, is_contents=page_no in contents_pages)
    ]
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
    if not number or is_contents_line(line.text):
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
    for fragment in right_of(first, fragments, 0.3):
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


def _with_lines_below(
    first: Line, fragments: Sequence[Line], stands_out: bool, *, n_label_words: int = 1
) -> tuple[Line, ...]:
    """Add the lines that go on with the title: they hang under its first word or its number."""
    title = first.words[n_label_words:]
    indent = title[0].bbox.left if title else first.left

    def below(last: Line) -> Line | None:
        going_on = (f for f in fragments if _goes_on(f, last, first, indent, stands_out))
        return next((_row_from(fragment, fragments) for fragment in going_on), None)

    return _with_following(first, below)


def _with_following(first: Line, below: Callable[[Line], Line | None]) -> tuple[Line, ...]:
    lines = [first]
    while len(lines) < MAX_HEADING_LINES and (line := below(lines[-1])) is not None:
        lines.append(line)
    return tuple(lines)


def _goes_on(line: Line, last: Line, first: Line, indent: float, stands_out: bool) -> bool:
    if not 0.7 * last.size < line.baseline - last.baseline < 1.7 * last.size:
        return False
    if style_of(line)[:4] != style_of(first)[:4] or chapter_number(line.text):
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


_EDGE_PT = 2.5


def find_standing(
    fragments: Mapping[int, Sequence[Line]],
    *,
    title: str = "",
    skip_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find lines in styles that serve as headings again and again, without levels.

    Such a style is bold, no smaller than the text, and nearly all its lines stand alone at the
    left edge of a column, or centred, with white above.
    """
    pages = {
        number: upright_lines(of) for number, of in fragments.items() if number not in skip_pages
    }
    long = [f for of in pages.values() for f in of if len(f.text) >= _LONG_LINE and not f.bold]
    if not long:
        return []
    body = body_style(long)
    found = _alone_at_edges(pages, body, long)
    uses = ((line, heading.page_no) for heading in found for line in heading.lines)
    styles = _recurring_styles(uses, itertools.chain.from_iterable(pages.values()))
    return [
        heading
        for heading in found
        if style_of(heading.lines[0]) in styles
        and attempt(Stage.HEADINGS, heading.page_no, False, _is_standing_title, heading, title)
    ]


def _is_standing_title(heading: Heading, title: str) -> bool:
    return may_be_heading(heading.lines, any_case=True) and not is_document_title(
        heading.text, heading.page_no, title
    )


def _alone_at_edges(
    pages: Mapping[int, Sequence[Line]], body: Style, long: Sequence[Line]
) -> list[Heading]:
    edges = _edges(long)
    span = min(edges, default=0.0), max(line.right for line in long)
    return [
        Heading(page_no, 0, _with_flush_lines(line, lines))
        for page_no, lines in pages.items()
        for line in lines
        if _is_strong(line, body) and _stands_alone(line, lines, edges, span)
    ]


def _edges(lines: Iterable[Line]) -> list[float]:
    """Left edges at which much of the running text begins, points."""
    lefts = Counter(round(line.left) for line in lines)
    most = max(lefts.values(), default=0)
    return [float(left) for left, n in lefts.items() if n >= 0.15 * most]


def _is_strong(line: Line, body: Style) -> bool:
    return (
        line.bold
        and lead_of(line.words)[-1].bold
        and line.size >= 0.93 * body[0]
        and (is_capitals(line.lead) or line.size >= 1.05 * body[0])
        and not heading_number(line.text)
        and not is_continued(line.text)
    )


def _stands_alone(
    line: Line, lines: Sequence[Line], edges: Sequence[float], span: tuple[float, float]
) -> bool:
    middle = (line.left + line.right) / 2
    centred = abs(middle - (span[0] + span[1]) / 2) < 0.02 * (span[1] - span[0])
    at_edge = any(abs(line.left - edge) <= _EDGE_PT for edge in edges)
    if not (centred or at_edge or line.left < span[0]):
        return False
    above = -1000.0
    for other in lines:
        if other is line:
            continue
        if abs(other.baseline - line.baseline) < 2.5:
            gap = max(other.left - line.right, line.left - other.right)
            if gap < 2 * line.size or centred:
                return False
        shared = min(other.right, line.right) - max(other.left, line.left)
        if shared > 0 and other.baseline < line.baseline - 2.5:
            above = max(above, letter_zone(other)[1])
    return letter_zone(line)[0] - above > 0.45 * line.size


def _with_flush_lines(first: Line, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Add the lines that go on with a heading, flush or centred under it."""
    return _with_following(
        first, lambda last: next((line for line in lines if goes_on_flush(line, last)), None)
    )


def goes_on_flush(line: Line, last: Line) -> bool:
    """Tell whether a line goes on with the one above it, flush or centred, in the same type."""
    step = line.baseline - last.baseline
    middle = (line.left + line.right) / 2 - (last.left + last.right) / 2
    return (
        0.7 * last.size < step < 1.5 * last.size
        and style_of(line)[:4] == style_of(last)[:4]
        and is_capitals(line.lead) == is_capitals(last.lead)
        and (abs(line.left - last.left) < _EDGE_PT or abs(middle) < _EDGE_PT)
    )
