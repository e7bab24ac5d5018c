"""Titles of tables and figures that carry no label, and what is said right above a table."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from desktop_qa.core.document import BlockKind
from desktop_qa.parse.captions import Caption, is_caption
from desktop_qa.parse.flow import PageFlow, insert_headings
from desktop_qa.parse.heading_style import Heading, Style, style_of
from desktop_qa.parse.heading_text import heading_number, is_capitals
from desktop_qa.parse.layout import Element, Item
from desktop_qa.parse.lines import MARKER, Line, make_line
from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.paragraphs import box_of
from desktop_qa.parse.table_captions import starts_note
from desktop_qa.parse.table_conditions import conditions_in, without_conditions

_BRACKETED = re.compile(r"[(\[]notes?\b[^)\]]*[)\]]", re.IGNORECASE)
"""A reference to notes below a title, which goes on with it."""

_SENTENCES = re.compile(r"[a-z]\.\s+[A-Z]")
"""Where one sentence ends and another begins: no title, in whatever type."""

_MAX_TITLE_LINES = 3
_MAX_TITLE, _MAX_STRONG_TITLE = 90, 160
"""Characters; the longer one stands out from the text by its type."""

_LARGER = 1.12
"""Of the size of running text, for a title that stands out by size."""

_MIN_CAPITALISED = 0.6
"""Share of the longer words of a title in plain type that begin with a capital."""

_MAX_SAID_LINES = 4
"""Of a paragraph that states conditions."""

_MAX_SAID_GAP_PT = 22.0
_MAX_HEADING_GAP_PT = 34.0
_COLUMN_GAP = 1.6
"""Of the size of the type; words farther apart stand in two columns."""

_LINE_GAP = 0.55
"""Of the size of the type; more white than that parts two paragraphs."""


def adopt_titles(page: PageFlow, body_size: float) -> None:
    """Give tables and figures without a caption the title that is centred above them.

    Args:
        page: Laid out.
        body_size: Of running text, points: what is much larger is a heading.
    """
    positions = {id(word): index for index, word in enumerate(page.content.words)}
    for number, column in enumerate(page.columns):
        kept: list[Item] = []
        for item in column.items:
            if isinstance(item, Element) and _lacks_caption(page, item):
                title = _title_above(kept, item, body_size)
                if title:
                    del kept[len(kept) - len(title) :]
                    _adopt(page, item, title, positions)
                    item = replace(item, bbox=item.bbox.union(box_of(title)))
            kept.append(item)
        page.columns[number] = replace(column, items=tuple(kept))


def _lacks_caption(page: PageFlow, element: Element) -> bool:
    if element.kind == BlockKind.TABLE:
        return not page.tables[element.index].caption and not page.tables[element.index].label
    return element.kind == BlockKind.PICTURE and page.figures[element.index].caption is None


def _title_above(items: Sequence[Item], element: Element, body_size: float) -> list[Line]:
    title: list[Line] = []
    top = element.bbox.top
    for item in reversed(items):
        if not isinstance(item, Line) or len(title) == _MAX_TITLE_LINES:
            break
        middle = (item.left + item.right) / 2
        off = abs(middle - (element.bbox.left + element.bbox.right) / 2)
        if (
            not item.bold
            or item.size > 1.15 * body_size
            or heading_number(item.text)
            or (item.text.isupper() and item.size > body_size)
            or top - item.baseline > (22 if not title else 1.6 * item.size)
            or off > 0.08 * element.bbox.width + 6
            or (element.kind == BlockKind.TABLE and item.left < element.bbox.left + 20)
            or len(item.text) > 90
            or (title and abs(item.size - title[0].size) > 0.3)
        ):
            break
        title.insert(0, item)
        top = item.baseline
    return title


def _adopt(
    page: PageFlow, element: Element, title: Sequence[Line], positions: dict[int, int]
) -> None:
    text = " ".join(line.text for line in title)
    if element.kind == BlockKind.PICTURE:
        figure = page.figures[element.index]
        caption = Caption("", text, tuple(title), box_of(title))
        page.figures[element.index] = replace(figure, caption=caption)
        return
    table = page.tables[element.index]
    indices = {positions[id(word)] for line in title for word in line.words}
    page.tables[element.index] = replace(
        table, caption=text, word_indices=table.word_indices | indices
    )


def name_tables(page: PageFlow, body_size: float, levels: Mapping[Style, int]) -> None:
    """Give each table what is printed between it and what stands before it.

    The lines right above a table name it where it has no title, and state under which conditions
    its values hold; a heading right above it is its title, and states conditions as well. A title
    that is set as headings of the document are heads the table as theirs do.

    Args:
        page: Laid out, with the headings among its items.
        body_size: Of running text, points.
        levels: Of the document's headings by their style; empty where others tell the headings.
    """
    positions = {id(word): index for index, word in enumerate(page.content.words)}
    tables = [
        item
        for column in page.columns
        for item in column.items
        if isinstance(item, Element) and item.kind == BlockKind.TABLE
    ]
    for element in tables:
        items = [item for column in page.columns for item in column.items]
        said: list[str] = []
        bracketed: list[Line] = []
        top = element.bbox.top
        for lines in _paragraphs_above(items, element):
            text = " ".join(line.text for line in lines)
            if top - lines[-1].bbox.bottom > _MAX_SAID_GAP_PT or starts_note(text):
                break
            top = lines[0].bbox.top
            if _BRACKETED.fullmatch(text):
                bracketed = lines
                continue
            if _lacks_caption(page, element) and _is_title(lines, body_size):
                lead = make_line(_lead(lines) or lines[0].words)
                if (level := levels.get(style_of(lead))) is None:
                    _adopt(page, element, [*lines, *bracketed], positions)
                    _take_out(page, [*lines, *bracketed])
                    top = -1.0
                else:
                    _put_heading(page, level, [*lines, *bracketed], lead)
                    said.insert(0, text)
                break
            if not conditions_in(text) or len(lines) > _MAX_SAID_LINES:
                break
            said.insert(0, text)
        heading = _heading_above(page, items, element, top)
        table = page.tables[element.index]
        stated = [c for text in (heading, table.caption, *said) for c in conditions_in(text)]
        stated += [c for note in table.notes for c in conditions_in(note, general=True)]
        page.tables[element.index] = replace(table, conditions=tuple(dict.fromkeys(stated)))


def _put_heading(page: PageFlow, level: int, lines: Sequence[Line], lead: Line) -> None:
    """Make a heading of the title above a table; conditions beside it in plain type stay text."""
    first = lines[0]
    n_lead = first.words.index(lead.words[-1]) + 1 if lead.words[-1] in first.words else 0
    if 0 < n_lead < len(first.words):
        parts = make_line(first.words[:n_lead]), make_line(first.words[n_lead:])
        for number, column in enumerate(page.columns):
            if first in column.items:
                at = column.items.index(first)
                items = (*column.items[:at], *parts, *column.items[at + 1 :])
                page.columns[number] = replace(column, items=items)
        lines = parts[:1]
    insert_headings(page, [Heading(page.content.page_no, level, tuple(lines))])


def _paragraphs_above(items: Sequence[Item], element: Element) -> Iterator[list[Line]]:
    """Yield the paragraphs over a table from its top upwards, until something else stands there."""
    box = element.bbox
    over = [
        item
        for item in items
        if item is not element
        and item.bbox.bottom < box.top + 3
        and min(item.bbox.right, box.right) - max(item.bbox.left, box.left) > 0
    ]
    paragraph: list[Line] = []
    for item in sorted(over, key=lambda one: -one.bbox.bottom):
        if not isinstance(item, Line):
            break
        if paragraph and (
            paragraph[0].bbox.top - item.bbox.bottom > _LINE_GAP * item.size
            or item.bold != paragraph[0].bold
            or abs(item.size - paragraph[0].size) > 0.6
            or bool(without_conditions(item.text)) != bool(without_conditions(paragraph[0].text))
        ):
            yield paragraph
            paragraph = []
        paragraph = [item, *paragraph]
    if paragraph:
        yield paragraph


def _words_of(lines: Sequence[Line]) -> list[StyledWord]:
    """List the words of a paragraph without the mark that leads it."""
    words = [word for line in lines for word in line.words]
    is_marked = MARKER.match(words[0].text) and not any(map(str.isalnum, words[0].text))
    return words[1:] if is_marked and len(words) > 1 else words


def _lead(lines: Sequence[Line]) -> list[StyledWord]:
    """List the bold words that a title begins with; what follows in plain type are conditions."""
    words = _words_of(lines)
    lead = list(takewhile(lambda word: word.bold, words))
    rest = " ".join(word.text for word in words[len(lead) :])
    return [] if _BRACKETED.sub("", without_conditions(rest)).strip() else lead


def _is_title(lines: Sequence[Line], body_size: float) -> bool:
    """Tell a title from running text and from the heads of columns."""
    words = _words_of(lines)
    text = " ".join(word.text for word in words)
    title = without_conditions(text)
    is_strong = bool(_lead(lines)) or is_capitals(title) or words[0].size >= _LARGER * body_size
    if (
        len(lines) > (_MAX_TITLE_LINES if is_strong else 2)
        or not 3 < len(title) <= (_MAX_STRONG_TITLE if is_strong else _MAX_TITLE)
        or {title[-1], text[-1]} & set(".;,")
        or is_caption(text)
        or _SENTENCES.search(text)
        or not (is_strong or title[0].isupper() or title[0].isdigit() or ord(title[0]) > 0x2E80)
        or any(_has_wide_gap(line) for line in lines)
    ):
        return False
    # Conditions in plain type are a line of their own, whatever words they begin with.
    if len(set(title)) < 4 or (not is_strong and (text.endswith(":") or conditions_in(text))):
        return False
    long = [word for word in title.split() if len(word) > 3 and word[0].isalpha()]
    n_capitalised = sum(word[0].isupper() for word in long)
    return bool(long) and (is_strong or n_capitalised >= _MIN_CAPITALISED * len(long))


def _has_wide_gap(line: Line) -> bool:
    return any(
        after.bbox.left - before.bbox.right > _COLUMN_GAP * line.size
        for before, after in itertools.pairwise(line.words)
    )


def _take_out(page: PageFlow, lines: Sequence[Line]) -> None:
    page.columns = [
        replace(column, items=tuple(item for item in column.items if item not in lines))
        for column in page.columns
    ]


def _heading_above(page: PageFlow, items: Sequence[Item], element: Element, top: float) -> str:
    """Return the heading that stands right above a table and its conditions."""
    for item in items:
        if (
            isinstance(item, Element)
            and item.kind == BlockKind.SECTION_HEADER
            and -3 < top - item.bbox.bottom < _MAX_HEADING_GAP_PT
            and min(item.bbox.right, element.bbox.right) > max(item.bbox.left, element.bbox.left)
        ):
            return " ".join(line.text for line in page.headings[item.index].lines)
    return ""
