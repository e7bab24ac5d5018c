"""Tables without a grid: found by their headings, their title, or rules above and below."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_amounts import find_statements
from desktop_qa.parse.table_columns import Run, split_columns
from desktop_qa.parse.table_grid import Lattice, Slot, cluster
from desktop_qa.parse.table_header import is_distinct
from desktop_qa.parse.table_lines import LineSet
from desktop_qa.parse.table_page_rows import PageRow, is_listing, page_rows
from desktop_qa.parse.table_regions import (
    MIN_ROWS,
    MIN_TITLED_ROWS,
    Region,
    drawn_areas,
    find_regions,
    is_title_row,
    rows_between,
    rule_levels,
)
from desktop_qa.parse.table_roles import names_column
from desktop_qa.parse.table_rows import (
    are_bands_rows,
    column_kinds,
    join_into_rows,
    join_rows,
    span_bands,
)
from desktop_qa.parse.table_text import is_value

_ENOUGH = 1.0
"""Of witnesses to a table: texts line up in pin-outs, axes, lists and addresses, too."""

_CERTAIN = 2.0
"""Of dots that lead from texts to others, however long these are."""

_MIN_VALUES = 0.15
"""Share of the cells that are values which speaks for a table."""

_MIN_SHORT = 0.5
"""Share of the cells that are short; fewer of them are columns of running text."""

MAX_LED_BY_CHANCE = 2
"""Rows with dots between their texts that are no list."""

_NAME = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"[<>≤≥±~+\-–−]*\.?\d")
_SHORT, _SHORT_LABEL = 24, 30
"""Characters."""

MAX_UNIT = 4
"""Characters of the words that stand with a number."""


def find_unruled(
    page: PageContent,
    lines: LineSet,
    taken: Sequence[BoundingBox],
    frames: Sequence[Lattice],
    headings: Sequence[BoundingBox] = (),
    heads: Sequence[Lattice] = (),
) -> list[Lattice]:
    """Find tables outside of the grids that were found before.

    Args:
        page: Its free words are looked at.
        lines: All straight lines of the page.
        taken: Rectangles of the tables found by their grids.
        frames: Boxes and grids that are no tables; their upright sides are borders of one.
        headings: Places of headings whose words are not among the page's any more.
        heads: Grids that hold no more than the names of columns; their borders go on below.
    """
    rows = page_rows(page, taken)
    if len(rows) < MIN_ROWS:
        return []
    sides = [side for frame in frames for side in frame.xs]
    uprights = [v for v in lines.verticals if not any(abs(v.position - x) < 1 for x in sides)]
    known = [*taken, *(head.bbox for head in heads)]
    drawn = drawn_areas(page, uprights, known)
    found = [
        one
        for one in attempt(Stage.TABLES, page.page_no, [], find_statements, page, rows)
        if not any(map(_region_of(one, page.words, rows).is_crossed_by, drawn))
    ]
    taken = [*taken, *(one.bbox for one in found)]
    obstacles = [*taken, *drawn]
    levels = rule_levels(lines, taken)
    for region in find_regions(page.words, rows, levels, headings, obstacles):
        if any(region.overlaps(lattice.bbox) for lattice in found):
            continue
        if any(map(region.is_crossed_by, obstacles)):
            continue
        lattice = attempt(Stage.TABLES, page.page_no, None, _read, page, rows, region, heads)
        if lattice is not None:
            found.append(lattice)
    return found


def _region_of(lattice: Lattice, words: Sequence[StyledWord], rows: Sequence[PageRow]) -> Region:
    """Return the place of a statement, each word by itself: a stroke may part "98 $"."""
    box = lattice.bbox
    inside = []
    for row in rows_between(rows, box.left, box.right, box.top, box.bottom):
        indices = [i for run in row.runs for i in run.words]
        runs = (Run(words[i].bbox.left, words[i].bbox.right, (i,), row.size) for i in indices)
        inside.append(replace(row, runs=tuple(runs)))
    return Region(box.left, box.right, tuple(inside), (box.top, box.bottom))


def _read(
    page: PageContent, rows: Sequence[PageRow], region: Region, heads: Sequence[Lattice] = ()
) -> Lattice | None:
    n_led, n_pages = _count_led(page, region)
    if n_pages > max(2, n_led):
        return None  # a table of contents
    evidence = _ENOUGH / 2 if region.is_ruled else 0.0
    if n_led > MAX_LED_BY_CHANCE:
        evidence = _CERTAIN
    elif _is_titled_region(page, rows, region):
        evidence = _ENOUGH
    # The letters of a listing line up, too.
    if 2 * sum(is_listing(page.words, row) for row in region.rows) > len(region.rows):
        evidence -= _ENOUGH / 2
    of = [head for head in heads if region.overlaps(head.bbox)]
    return _build(page, region, evidence, of[0].xs[1:-1] if of else ())


def _is_titled_region(page: PageContent, rows: Sequence[PageRow], region: Region) -> bool:
    """Tell whether a "Table 3" stands closely above or below."""
    return any(
        (-4 < region.top - row.bbox.bottom < 30 or -4 < row.bbox.top - region.bottom < 30)
        and row.bbox.left < region.right
        and row.bbox.right > region.left
        and is_title_row(page.words, row)
        for row in rows
    )


def _build(
    page: PageContent, region: Region, evidence: float, borders: Sequence[float] = ()
) -> Lattice | None:
    """Make a lattice with one row for each line, find the columns, then rejoin wrapped texts."""
    rows = region.rows
    if len(rows) < MIN_ROWS and evidence < _ENOUGH:
        return None
    middles = [(a.baseline + b.bbox.top) / 2 for a, b in itertools.pairwise(rows)]
    ys = [region.top - 1, *middles, region.bottom + 1]
    if any(b <= a for a, b in itertools.pairwise(ys)):
        return None
    slots = [
        Slot(k, 0, 1, len(borders) + 1, [i for run in row.runs for i in run.words])
        for k, row in enumerate(rows)
    ]
    lattice = Lattice([region.left - 1, *borders, region.right + 1], ys, slots)
    if not borders:
        _part_at_dots(lattice, region)
    split_columns(lattice, page.words)
    if lattice.n_columns < 2 or not _is_convincing(page, lattice, evidence):
        return None
    _join_between_rules(lattice, region, page.words)
    return lattice


def _is_convincing(page: PageContent, lattice: Lattice, evidence: float) -> bool:
    """Weigh what tells a table from text that happens to have gaps.

    Args:
        page: With words and shading.
        lattice: Divided into rows and columns.
        evidence: What title, leading dots and rules say.
    """
    cells = [slot for slot in lattice.slots if slot.words]
    texts = [" ".join(page.words[i].text for i in slot.words) for slot in cells]
    n_columns = lattice.n_columns
    n_parted = sum(n > 1 for n in Counter(slot.row for slot in cells).values())
    # What goes on under a later column is of the row above.
    n_begun = len({slot.row for slot in cells if slot.column == 0})
    if n_parted < max(MIN_TITLED_ROWS, 0.5 * n_begun, 0.4 * lattice.n_rows):
        return False
    # The states of a truth table: few texts again and again, no cell empty.
    is_short = [len(text) <= _SHORT for text in texts]
    is_full = len(cells) >= 0.9 * n_columns * lattice.n_rows and all(is_short)
    if n_columns > 2 and is_full and 2 * len(set(texts)) <= len(texts):
        return True
    if n_parted > 2 and _holds_quantities(cells, texts, lattice):
        return True
    labels = [len(t) <= _SHORT_LABEL for t, s in zip(texts, cells, strict=True) if s.column == 0]
    is_list = evidence < _ENOUGH and sum(labels) < 0.8 * len(labels)
    if n_columns == 2 and (n_parted < MIN_ROWS or is_list):
        return False
    n_values = sum(map(is_value, texts))
    heads = [names_column(t) for t, s in zip(texts, cells, strict=True) if s.row < 2]
    first = [names_column(t) for t, s in zip(texts, cells, strict=True) if s.row == cells[0].row]
    # Bold type alone also sets off the first line of an address.
    named = sum(heads) > 1 or (evidence > 0 and is_distinct(lattice, 0, page.words, page.fills))
    evidence += 0.5 * (n_values >= _MIN_VALUES * len(texts)) + 0.5 * named
    evidence += 0.5 * (len(first) == n_columns > 2 and all(first))
    return evidence >= _CERTAIN or (
        evidence >= _ENOUGH
        and (sum(is_short) >= _MIN_SHORT * len(texts) or n_values >= 0.1 * len(texts))
    )


def _holds_quantities(cells: Sequence[Slot], texts: Sequence[str], lattice: Lattice) -> bool:
    """Tell rows of a name and a quantity.

    Axes of plots have numbers, but no names before them; pages of chapters and pins of a package
    are counted up or down.
    """
    is_named = False
    for column in range(lattice.n_columns):
        of = [t for t, s in zip(texts, cells, strict=True) if s.column == column]
        quantities = [text for text in of if _is_quantity(text)]
        counted = [int(text) for text in quantities if text.isdecimal()]
        is_count = len(counted) > 0.8 * len(quantities) and (
            sorted(counted) in (counted, counted[::-1])
        )
        if is_named and len(quantities) >= max(3, 0.6 * len(of)) and not is_count:
            return True
        is_named |= sum(_NAME.search(text) is not None for text in of) >= 0.6 * len(of) > 1
    return False


def _is_quantity(text: str) -> bool:
    """Tell a number with its unit, or a range; an address goes on with longer words."""
    first, *others = text.split()
    return _NUMBER.match(first) is not None and all(
        len(word) <= MAX_UNIT or any(map(str.isdigit, word)) for word in others
    )


def _part_at_dots(lattice: Lattice, region: Region) -> None:
    """Part names from values where dots lead from most to the other, however long they are."""
    led: dict[int, float] = {}
    for k, row in enumerate(region.rows):
        dots = [dot for dot in row.dots if region.left < dot < region.right]
        behind = [run.left for run in row.runs if dots and run.left > dots[0]]
        if behind:
            led[k] = behind[0] - 1
    if len(led) <= MAX_LED_BY_CHANCE or 2 * len(led) < sum(
        len(row.runs) > 1 for row in region.rows
    ):
        return
    border = min(led.values())
    lattice.xs.insert(1, border)
    lattice.slots = []
    for k, row in enumerate(region.rows):
        at = led.get(k, border)
        names = [i for run in row.runs for i in run.words if run.left < at]
        values = [i for run in row.runs for i in run.words if run.left >= at]
        span = 1 + (not values and row.bbox.right > border)
        lattice.slots.append(Slot(k, 0, 1, span, names))
        if span == 1:
            lattice.slots.append(Slot(k, 1, 1, 1, values))


def _count_led(page: PageContent, region: Region) -> tuple[int, int]:
    """Count the rows in which dots lead from one text to another, and to the number of a page."""
    led = [row for row in region.rows if any(region.left < dot < region.right for dot in row.dots)]
    n_pages = sum(page.words[row.runs[-1].words[-1]].text.isdecimal() for row in led)
    return len(led) - n_pages, n_pages


def _join_between_rules(lattice: Lattice, region: Region, words: Sequence[StyledWord]) -> None:
    """Join lines into rows, never over a rule; the headings above the first rule are one row."""
    breaks = {0, lattice.n_rows}
    for position in cluster(region.rules, 3.0):
        above = sum(row.baseline < position + 1 for row in region.rows)
        breaks.add(above)
    edges = sorted(breaks)
    n_bands = len(edges) - 1
    kinds = column_kinds(lattice, words)
    is_ruled = are_bands_rows(lattice.n_rows, n_bands)
    bands = []
    for index in range(n_bands - 1, -1, -1):
        first, end = edges[index], edges[index + 1]
        if (
            end - first <= 4
            and index == 0
            and n_bands > 1
            and _are_headings(lattice, first, end, words)
        ):
            for row in range(end - 2, first - 1, -1):
                join_rows(lattice, row)
            n_rows = 1
        else:
            n_rows = join_into_rows(lattice, first, end, words, kinds, is_ruled=is_ruled)
        bands.append(n_rows)
    span_bands(lattice, bands[::-1], words, kinds, is_ruled=is_ruled)


def _are_headings(lattice: Lattice, first: int, end: int, words: Sequence[StyledWord]) -> bool:
    texts = [
        " ".join(words[i].text for i in s.words)
        for s in lattice.slots
        if first <= s.row < end and s.words
    ]
    spanning = any(s.column_span > 1 for s in lattice.slots if first <= s.row < end and s.words)
    return not spanning and not any(is_value(text) for text in texts)
