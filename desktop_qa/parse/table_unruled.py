"""Tables without a grid: found by their headings, their title, or rules above and below."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_amounts import find_statements
from desktop_qa.parse.table_columns import split_columns
from desktop_qa.parse.table_grid import Lattice, Slot, cluster
from desktop_qa.parse.table_lines import LineSet
from desktop_qa.parse.table_page_rows import PageRow, page_rows
from desktop_qa.parse.table_regions import (
    MIN_ROWS,
    MIN_TITLED_ROWS,
    Region,
    aligned,
    between_rules,
    drawn_areas,
    is_title_row,
    rows_between,
    rule_levels,
    under_headings,
)
from desktop_qa.parse.table_roles import names_column
from desktop_qa.parse.table_rows import (
    are_bands_rows,
    column_kinds,
    join_into_rows,
    join_labels,
    join_rows,
    span_bands,
)
from desktop_qa.parse.table_text import is_value


class Evidence(Enum):
    """What led to a region, from the surest."""

    NAMED = auto()
    """A title, or the heads of columns."""

    RULED = auto()
    """Rules above and below."""

    ALIGNED = auto()
    """Texts that line up; so do those of pin-outs, axes, lists and addresses."""


_NAME = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"[<>≤≥±~+\-–−]*\.?\d")
MAX_UNIT = 4
"""Characters of the words that stand with a number."""


def find_unruled(
    page: PageContent,
    lines: LineSet,
    taken: Sequence[BoundingBox],
    frames: Sequence[Lattice],
    headings: Sequence[BoundingBox] = (),
) -> list[Lattice]:
    """Find tables outside of the grids that were found before.

    Args:
        page: Its free words are looked at.
        lines: All straight lines of the page.
        taken: Rectangles of the tables found by their grids.
        frames: Boxes with rules across but none down.
        headings: Places of headings whose words are not among the page's any more.
    """
    rows = page_rows(page, taken)
    if len(rows) < MIN_ROWS:
        return []
    found = attempt(Stage.TABLES, page.page_no, [], find_statements, page, rows)
    taken = [*taken, *(lattice.bbox for lattice in found)]
    in_frames = (
        attempt(Stage.TABLES, page.page_no, None, _in_frame, page, rows, frame, taken)
        for frame in frames
    )
    framed = [lattice for lattice in in_frames if lattice is not None]
    found += framed
    taken = [*taken, *(lattice.bbox for lattice in framed)]
    obstacles = [*taken, *drawn_areas(page, lines.verticals, taken)]
    levels = rule_levels(lines, taken)
    parted = [*obstacles, *headings]
    named = ((region, Evidence.NAMED) for region in under_headings(page, rows, levels))
    ruled = ((region, Evidence.RULED) for region in between_rules(page, rows, levels, parted))
    by_texts = (
        (region, Evidence.ALIGNED) for region in aligned(page.words, rows, levels, headings)
    )
    for region, evidence in itertools.chain(ruled, by_texts, named):
        if any(region.overlaps(lattice.bbox) for lattice in found):
            continue
        if any(region.overlaps(box) and not region.has_between(box) for box in obstacles):
            continue
        lattice = attempt(Stage.TABLES, page.page_no, None, _read, page, rows, region, evidence)
        if lattice is not None:
            found.append(lattice)
    return found


def _read(
    page: PageContent, rows: Sequence[PageRow], region: Region, evidence: Evidence
) -> Lattice | None:
    # Under a title may stand a listing, whose comments line up.
    if evidence is Evidence.RULED and _is_titled_region(page, rows, region):
        evidence = Evidence.NAMED
    return _build(page, region, evidence)


def _in_frame(
    page: PageContent, rows: Sequence[PageRow], frame: Lattice, taken: Sequence[BoundingBox]
) -> Lattice | None:
    """Read the rows of a frame that is ruled across only."""
    box = frame.bbox
    inside = rows_between(rows, box.left, box.right, box.top, box.bottom)
    if frame.n_rows < 2 or len(inside) < MIN_ROWS:
        return None
    if any(box.intersection_area(other) > 0 for other in taken):
        return None
    region = Region(box.left, box.right, tuple(inside), tuple(frame.ys))
    drawn = [d.bbox for d in page.drawings if d.has_curves and d.bbox.height > 12]
    if any(region.overlaps(one) for one in drawn):
        return None
    return _read(page, rows, region, Evidence.RULED)


def _is_titled_region(page: PageContent, rows: Sequence[PageRow], region: Region) -> bool:
    """Tell whether a "Table 3" stands closely above or below."""
    return any(
        (-4 < region.top - row.bbox.bottom < 30 or -4 < row.bbox.top - region.bottom < 30)
        and row.bbox.left < region.right
        and row.bbox.right > region.left
        and is_title_row(page.words, row)
        for row in rows
    )


def _build(page: PageContent, region: Region, evidence: Evidence) -> Lattice | None:
    """Make a lattice with one row for each line, find the columns, then rejoin wrapped texts."""
    rows = region.rows
    if len(rows) < MIN_ROWS and evidence is not Evidence.NAMED:
        return None
    middles = [(a.baseline + b.bbox.top) / 2 for a, b in itertools.pairwise(rows)]
    ys = [region.top - 1, *middles, region.bottom + 1]
    if any(b <= a for a, b in itertools.pairwise(ys)):
        return None
    slots = [
        Slot(k, 0, 1, 1, [i for run in row.runs for i in run.words]) for k, row in enumerate(rows)
    ]
    lattice = Lattice([region.left - 1, region.right + 1], ys, slots)
    split_columns(lattice, page.words)
    if lattice.n_columns < 2 or not _is_convincing(page.words, lattice, evidence):
        return None
    _join_between_rules(lattice, region, page.words)
    return lattice


def _is_convincing(words: Sequence[StyledWord], lattice: Lattice, evidence: Evidence) -> bool:
    """Tell a table from text that happens to have gaps, and from a table of contents.

    Args:
        words: Of the page.
        lattice: Divided into rows and columns.
        evidence: What led to it.
    """
    cells = [slot for slot in lattice.slots if slot.words]
    texts = [" ".join(words[i].text for i in slot.words) for slot in cells]
    n_parted = sum(n > 1 for n in Counter(slot.row for slot in cells).values())
    if n_parted < MIN_TITLED_ROWS or n_parted < 0.5 * lattice.n_rows or _has_leaders(texts):
        return False
    n_values = sum(map(is_value, texts))
    n_short = sum(len(text) <= 24 for text in texts)
    if n_parted > 2 and _holds_quantities(cells, texts, lattice):
        return True
    if evidence is Evidence.NAMED and lattice.n_columns == 2:
        labels = [t for t, s in zip(texts, cells, strict=True) if s.column == 0]
        n_short_labels = sum(len(label) <= 30 for label in labels)
        return n_short_labels >= 0.8 * len(labels) and n_parted > 2
    if evidence is Evidence.NAMED:
        return n_values >= 0.1 * len(texts) or n_short >= 0.6 * len(texts)
    heads = [t for t, s in zip(texts, cells, strict=True) if s.row == cells[0].row]
    if len(heads) == lattice.n_columns > 2 and all(map(names_column, heads)):
        return n_short >= 0.6 * len(texts)
    if n_values < 0.15 * len(texts):
        return False
    if evidence is Evidence.RULED and lattice.n_columns == 2:
        return n_short >= 0.5 * len(texts) and n_parted > 2
    n_named = sum(names_column(t) for t, s in zip(texts, cells, strict=True) if s.row < 2)
    return n_named > 1 or (evidence is Evidence.RULED and n_values >= 0.4 * len(texts))


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


def _has_leaders(texts: Sequence[str]) -> bool:
    """Tell a table of contents by its dots."""
    n_dotted = sum("...." in text or ". . ." in text for text in texts)
    return n_dotted > 2 and n_dotted > 0.1 * len(texts)


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
            join_labels(lattice, first, first + n_rows, words)
        bands.append(n_rows)
    if is_ruled:
        span_bands(lattice, bands[::-1], words, kinds)


def _are_headings(lattice: Lattice, first: int, end: int, words: Sequence[StyledWord]) -> bool:
    texts = [
        " ".join(words[i].text for i in s.words)
        for s in lattice.slots
        if first <= s.row < end and s.words
    ]
    spanning = any(s.column_span > 1 for s in lattice.slots if first <= s.row < end and s.words)
    return not spanning and not any(is_value(text) for text in texts)
