"""Headings by their type: size, boldness, capitals and the white around them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.heading_style import (
    Heading,
    Style,
    body_style,
    levels_of,
    rank,
    style_of,
)
from desktop_qa.parse.heading_text import (
    chapter_number,
    heading_number,
    is_appendix,
    is_capitals,
    is_continued,
    is_document_title,
    may_be_heading,
    number_key,
)
from desktop_qa.parse.lines import Line, letter_zone
from desktop_qa.parse.numbering import MIN_STEP

_LABEL = re.compile(
    r"^(?:equation|example|figure|table|photo)\s+[\dA-Z][\d.\-–]*\s*:$", re.IGNORECASE
)
_BULLETS = ("•", "·", "●", "■", "–", "▪", "◦")
_LONG_LINE = 40
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
    """Find headings by how they are set.

    Args:
        flow: Lines of all pages in reading order, without tables, figures and furniture.
        known: Headings of the outline: then only lines in exactly their styles count.
        numbered: Headings whose numbers make a sequence: a number must fit into it.
        standing: Headings that are known by their style; their levels are not.
        title: Of the document, which is no chapter of it.
        skip_pages: Pages without headings.
        contents_pages: Pages on which only large bold lines are headings, not the entries.
        may_have_cover: False for a first page with a table, whose words are not in the flow.

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
    labels = _rows_of_labels(flow)
    groups = _groups(flow)
    entries = {
        id(group)
        for one, other in itertools.pairwise(groups)
        if _are_items(one, other)
        for group in (one, other)
    }
    return [
        group
        for group in groups
        if id(group) not in entries
        and attempt(Stage.HEADINGS, group[0].page_no, False, _is_title, group, title)
        and not _is_beside(group[0], labels)
    ]


def _are_items(group: Sequence[FlowLine], following: Sequence[FlowLine]) -> bool:
    """Tell two entries of a numbered list, with nothing between them."""
    depths = {heading_number(_text(of)).count(".") for of in (group, following)}
    last, line = group[-1].line, following[0].line
    return (
        len(depths) == 1
        and all(heading_number(_text(of)) for of in (group, following))
        and group[-1].page_no == following[0].page_no
        and 0 < line.baseline - last.baseline < MIN_STEP * line.size
    )


def _is_title(group: Sequence[FlowLine], title: str) -> bool:
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
            and not _is_under_capitals(item.line.text, last.line.text)
            and not heading_number(item.line.text)
            and not (heading_number(last.line.text) and not last.line.bold)
        ):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


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


def _rows_of_labels(flow: Iterable[FlowLine]) -> dict[int, list[float]]:
    """Baselines of bullets, of "EQUATION 5-1:" and the like by page: their texts stand beside."""
    rows: dict[int, list[float]] = {}
    for item in flow:
        if _LABEL.match(item.line.text) or item.line.text.strip() in _BULLETS:
            rows.setdefault(item.page_no, []).append(item.line.baseline)
    return rows


def _is_beside(item: FlowLine, rows: dict[int, list[float]]) -> bool:
    return any(abs(item.line.baseline - row) < 2.5 for row in rows.get(item.page_no, ()))


def zone_gap(above: Line | None, line: Line) -> float:
    """White between the letters of two lines, points; large when nothing is above."""
    if above is None:
        return 1000.0
    return letter_zone(line)[0] - letter_zone(above)[1]
