"""The flow of a page: what is text, caption, heading, table or figure, in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.core.folding import fold
from desktop_qa.parse.boxes import padded, union_of
from desktop_qa.parse.captions import Caption, is_caption
from desktop_qa.parse.figures import FoundFigure
from desktop_qa.parse.grouping import gathered
from desktop_qa.parse.heading_style import (
    MAX_HEADING_LINES,
    Heading,
    Style,
    heading_number,
    is_capitals,
    is_continued,
    style_of,
)
from desktop_qa.parse.headings import FlowLine, goes_on_flush
from desktop_qa.parse.layout import Column, Element, Item, find_columns
from desktop_qa.parse.lines import MARKER, Line, letter_zone, make_line, parted
from desktop_qa.parse.page import Drawing, PageContent, StyledWord
from desktop_qa.parse.paragraphs import box_of
from desktop_qa.parse.table_captions import conditions_in, starts_note, without_conditions
from desktop_qa.parse.table_roles import head_roles
from desktop_qa.parse.table_text import is_value
from desktop_qa.parse.tables import FoundTable

_NEAR_PT = 60.0
_SERVED_PT = 110.0
_MIN_MARK_PT = 8.0
_MAX_RULE_PT, _MIN_RULE_LENGTH_PT = 4.0, 100.0
_MAX_MARKS = 4000
_TITLE_GAP_PT = 20.0
_TITLE_REACH_PT, _MIN_SIDE_PT = 30.0, 60.0
"""From the title of a plot to its frame, and the least side of that."""

_SAME_ROW_PT = 3.0
_MIN_LETTERS, _MAX_PLOT_TITLE = 7, 60
_MAX_REGISTER_ROWS = 8
"""Of the bits of a register with its title as a figure's caption."""


@dataclass(frozen=True, slots=True)
class FilledGrid:
    """A grid of rules with words in `n_filled` of its cells, and no table."""

    bbox: BoundingBox
    n_filled: int


@dataclass(slots=True)
class PageFlow:
    """A page while it is laid out.

    Attributes:
        content: Without the furniture's words.
        header: Furniture at the top.
        footer: Furniture at the bottom.
        fragments: Runs of words that belong to no heading of the outline.
    """

    content: PageContent
    header: list[Line] = field(default_factory=list)
    footer: list[Line] = field(default_factory=list)
    fragments: list[Line] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    tables: list[FoundTable] = field(default_factory=list)
    grids: list[FilledGrid] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    figures: list[FoundFigure] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)

    def table_words(self, table: FoundTable) -> list[StyledWord]:
        """Words that a table consumed, in the engine's order."""
        return [self.content.words[index] for index in sorted(table.word_indices)]

    def table_box(self, table: FoundTable) -> BoundingBox:
        """Place of a table with its caption and notes."""
        return union_of([table.bbox, *(word.bbox for word in self.table_words(table))])


def is_drawing(table: FoundTable, captions: Sequence[Caption], drawings: Sequence[Drawing]) -> bool:
    """Tell a drawing that was taken for a table: plots in a frame, the pins of a package."""
    if any(table.bbox.contains_center(caption.bbox) for caption in captions):
        return not _has_named_columns(table)
    if table.label or table.caption:
        return False
    texts = [cell.text for cell in table.cells if cell.text]
    near = any(_is_near(table.bbox, caption.bbox) for caption in captions)
    if near and _has_named_columns(table):
        return False
    if len({cell.row for cell in table.cells}) <= _MAX_REGISTER_ROWS and any(
        _is_title_of(caption, table, drawings) for caption in captions
    ):
        return True
    short = sum(len(text) <= 8 for text in texts)
    return near and short > 0.8 * len(texts)


def _has_named_columns(table: FoundTable) -> bool:
    """Tell a table by heads that name roles, or stand over values or states; plots have neither.

    A table's cells may refer to figures as captions do, and a figure may hold a table.
    """
    heads = [cell for cell in table.cells if cell.is_header and cell.text]
    columns = {cell.column for cell in heads}
    texts = [c.text for c in table.cells if c.text and not c.is_header and c.column in columns]
    n_rows = table.n_rows - table.n_header_rows
    recur = 2 * len(set(texts)) <= len(texts)
    n_given = len(texts) if recur else sum(map(is_value, texts))
    is_full = n_rows > 3 and n_given > 0.9 * table.n_columns * n_rows
    return is_full or sum(bool(head_roles(cell.text)) for cell in heads) > 2


def _is_title_of(caption: Caption, table: FoundTable, drawings: Sequence[Drawing]) -> bool:
    """Tell whether a figure's caption right above or below a grid has no other drawing."""
    box, place = caption.bbox, table.bbox
    above = box.top < place.top
    gap = place.top - box.bottom if above else box.top - place.bottom
    if min(box.right, place.right) <= max(box.left, place.left) or not -3 < gap < _TITLE_GAP_PT:
        return False
    # On the other side of the caption.
    other = (
        BoundingBox(box.left, box.top - _NEAR_PT, box.right, box.top)
        if above
        else BoundingBox(box.left, box.bottom, box.right, box.bottom + _NEAR_PT)
    )
    return not any(d.has_curves and other.intersection_area(d.bbox) > 0 for d in drawings)


def _is_near(box: BoundingBox, caption: BoundingBox) -> bool:
    shared = min(box.right, caption.right) - max(box.left, caption.left)
    distance = max(caption.top - box.bottom, box.top - caption.bottom)
    return shared > 0 and distance < _NEAR_PT


def captions_stand_above(pages: Sequence[PageFlow]) -> dict[int, bool]:
    """Tell of each page, by number, whether its captions stand above the figures.

    The side on which more captions of the page find a drawing of their own; where both sides
    serve as well, the document's pages decide together: the drawing of a register may stand below
    its caption where plots stand above theirs.
    """
    served = {page.content.page_no: _captions_served(page) for page in pages}
    every_above = sum(above for above, _below in served.values())
    every_below = sum(below for _above, below in served.values())
    titled = {p.content.page_no for p in pages if p.captions and not p.captions[0].label}
    return {
        page_no: page_no in titled
        or above > below
        or (above == below and every_above > every_below)
        for page_no, (above, below) in served.items()
    }


def _captions_served(page: PageFlow) -> tuple[int, int]:
    """Count the captions with a drawing right below, and those with one right above."""
    if not page.captions or not page.captions[0].label:
        return 0, 0
    tables = [page.table_box(table) for table in page.tables]
    marks = _marks(page)
    others = [caption.bbox for caption in page.captions] + tables
    above = below = 0
    for caption in page.captions:
        box = caption.bbox
        beside = [o for o in others if o.right > box.left and o.left < box.right]
        first = min((o.top for o in beside if o.top > box.bottom - 2), default=page.content.height)
        last = max((o.bottom for o in beside if o.bottom < box.top + 2), default=0.0)
        under = BoundingBox(
            box.left, box.bottom + 1, box.right, min(first, box.bottom + _SERVED_PT) - 2
        )
        over = BoundingBox(box.left, max(last, box.top - _SERVED_PT) + 2, box.right, box.top - 1)
        above += any(under.intersection_area(padded(mark, 0.5)) > 0 for mark in marks)
        below += any(over.intersection_area(padded(mark, 0.5)) > 0 for mark in marks)
    return above, below


def _marks(page: PageFlow) -> list[BoundingBox]:
    """Places of what is drawn, without long rules and the tables'."""
    tables = [page.table_box(table) for table in page.tables]
    marks = [d.bbox for d in page.content.drawings[:_MAX_MARKS]]
    marks += [image.bbox for image in page.content.images]
    return [
        mark
        for mark in marks
        if max(mark.width, mark.height) > _MIN_MARK_PT
        and (mark.height > _MAX_RULE_PT or mark.width < _MIN_RULE_LENGTH_PT)
        and not any(table.contains_center(mark) for table in tables)
    ]


def titles_of_plots(page: PageFlow) -> list[Caption]:
    """Find the titles of drawings side by side, which are captions without a label.

    They are bold, of one style and end at one height, each with a drawing right below.
    """
    marks = _marks(page)
    lines = [f for f in page.fragments if f.bold and not f.words[0].angle]
    blocks = [block for block in _stacked(lines) if _heads_drawing(block, marks)]
    titles = [
        block
        for block in blocks
        if any(
            abs(block[-1].baseline - other[-1].baseline) < _SAME_ROW_PT
            and style_of(block[-1])[:3] == style_of(other[-1])[:3]
            for other in blocks
            if other is not block
        )
    ]
    styles = {style_of(block[-1])[:3] for block in titles}
    return [
        Caption("", " ".join(line.text for line in block), tuple(block), box_of(block))
        for block in blocks
        if style_of(block[-1])[:3] in styles
    ]


def _stacked(lines: Iterable[Line]) -> list[list[Line]]:
    """Group lines of one style that stand one below the other, flush or centred."""

    def above(line: Line, blocks: Sequence[list[Line]]) -> list[Line] | None:
        return next((block for block in blocks if goes_on_flush(line, block[-1])), None)

    return gathered(sorted(lines, key=lambda one: one.baseline), above)


def _heads_drawing(block: Sequence[Line], marks: Sequence[BoundingBox]) -> bool:
    """Tell whether something is drawn right below a title that is no longer than titles are."""
    box, text = box_of(block), " ".join(line.text for line in block)
    under = BoundingBox(box.left, box.bottom, box.right, box.bottom + _TITLE_REACH_PT)
    return (
        len(block) <= MAX_HEADING_LINES
        and all(len(line.text) <= _MAX_PLOT_TITLE for line in block)
        and block[0].text[0].isupper()
        and sum(map(str.isalpha, without_conditions(text))) >= _MIN_LETTERS
        and any(
            min(mark.width, mark.height) > _MIN_SIDE_PT
            and under.intersection_area(padded(mark, 0.5)) > 0
            and not box.intersection_area(mark) > 0
            for mark in marks
        )
    )


def lay_out(page: PageFlow) -> None:
    """Sort a page into columns of lines and elements."""
    captions = [figure.caption for figure in page.figures if figure.caption is not None]
    taken = {w.line_no for caption in captions for line in caption.lines for w in line.words}
    taken.update(number for figure in page.figures for number in figure.line_nos)
    lines = [f for f in page.fragments if f.words[0].line_no not in taken and not f.words[0].angle]
    elements = [
        Element(BlockKind.TABLE, index, page.table_box(table))
        for index, table in enumerate(page.tables)
    ]
    for index, figure in enumerate(page.figures):
        box = figure.bbox
        if figure.caption is not None:
            box = box.union(figure.caption.bbox)
        elements.append(Element(BlockKind.PICTURE, index, box))
    for index, heading in enumerate(page.headings):
        size = heading.lines[0].size
        elements.append(Element(BlockKind.SECTION_HEADER, index, box_of(heading.lines), size))
    page.columns = find_columns(lines, elements, page.content.rules, page.content.fills)


def flow_lines(pages: Iterable[PageFlow]) -> list[FlowLine]:
    """List the lines of all pages in reading order with the white around them."""
    flow = []
    for page in pages:
        for index, column in enumerate(page.columns):
            items = (None, *column.items, None)
            for above, item, below in zip(items, items[1:], items[2:], strict=False):
                if isinstance(item, Line):
                    gaps = _gap(above, item), _gap(item, below)
                    flow.append(FlowLine(page.content.page_no, index, item, *gaps))
    return flow


def _gap(above: Item | None, below: Item | None) -> float:
    """White between the letters of two lines, points; large beside what is no line."""
    if isinstance(above, Line) and isinstance(below, Line):
        return letter_zone(below)[0] - letter_zone(above)[1]
    return 1000.0


def set_aside_continued(page: PageFlow, before: PageFlow | None) -> None:
    """Move what a page repeats of the one before it to the page's header; both are laid out.

    That is "Electrical Characteristics (continued)", and the conditions below it when they stand
    on the page before in the same words.
    """
    known = set[str]()
    if before is not None:
        items = (item for column in before.columns for item in column.items)
        lines = (item for item in (*items, *before.header) if isinstance(item, Line))
        known = {fold(line.text) for line in lines}
    for column in page.columns:
        repeated: list[Line] = []
        for above, item in pairwise((None, *column.items)):
            if isinstance(item, Line) and (
                (item.bold and is_continued(item.text))
                or (above in repeated[-1:] and fold(item.text) in known)
            ):
                repeated.append(item)
        if repeated:
            page.header += repeated
            _take_out(page, repeated)


def insert_headings(page: PageFlow, headings: Sequence[Heading]) -> None:
    """Put headings that were found among the lines in their place as elements."""
    places: dict[int, Element | None] = {}
    for heading in headings:
        element = Element(BlockKind.SECTION_HEADER, len(page.headings), box_of(heading.lines))
        first, *others = map(id, heading.lines)
        places |= {first: element, **dict.fromkeys(others)}
        page.headings.append(heading)
    for number, column in enumerate(page.columns):
        replaced = (places.get(id(item), item) for item in column.items)
        items = tuple(item for item in replaced if item is not None)
        page.columns[number] = replace(column, items=items)


_BRACKETED = re.compile(r"[(\[]notes?\b[^)\]]*[)\]]", re.IGNORECASE)
"""A reference to notes below a title, which goes on with it."""

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
    for number, column in enumerate(page.columns):
        kept: list[Item] = []
        for item in column.items:
            if isinstance(item, Element) and _lacks_caption(page, item):
                title = _title_above(kept, item, body_size)
                if title:
                    del kept[len(kept) - len(title) :]
                    _adopt(page, item, title)
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


def _adopt(page: PageFlow, element: Element, title: Sequence[Line]) -> None:
    text = " ".join(line.text for line in title)
    if element.kind == BlockKind.PICTURE:
        figure = page.figures[element.index]
        caption = Caption("", text, tuple(title), box_of(title))
        page.figures[element.index] = replace(figure, caption=caption)
        return
    table = page.tables[element.index]
    words = {id(word) for line in title for word in line.words}
    indices = {i for i, word in enumerate(page.content.words) if id(word) in words}
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
                    _adopt(page, element, [*lines, *bracketed])
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
        or not (is_strong or title[0].isupper() or title[0].isdigit() or ord(title[0]) > 0x2E80)
        or any(len([*parted(line, _COLUMN_GAP)]) > 1 for line in lines)
    ):
        return False
    # Conditions in plain type are a line of their own, whatever words they begin with.
    if not is_strong and (text.endswith(":") or conditions_in(text)):
        return False
    long = [word for word in title.split() if len(word) > 3 and word[0].isalpha()]
    n_capitalised = sum(word[0].isupper() for word in long)
    return bool(long) and (is_strong or n_capitalised >= _MIN_CAPITALISED * len(long))


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
            return page.headings[item.index].text
    return ""
