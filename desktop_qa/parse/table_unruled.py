"""Tables without a grid: found by heads, a title, rules above and below, or texts in line."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_high

from desktop_qa.core.document import BoundingBox, split_heading_number
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.captions import table_label
from desktop_qa.parse.page import PageContent, Rule
from desktop_qa.parse.table_amounts import find_statements
from desktop_qa.parse.table_captions import begins_note
from desktop_qa.parse.table_columns import (
    PageRow,
    Run,
    is_listing,
    narrowed,
    page_rows,
    run_of,
    split_columns,
)
from desktop_qa.parse.table_grid import Lattice, LineGroup, Slot, cluster
from desktop_qa.parse.table_roles import is_distinct, names_column, names_limits
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
    lines: LineGroup,
    taken: Sequence[BoundingBox],
    frames: Sequence[Lattice],
    headings: Sequence[BoundingBox] = (),
    heads: Sequence[Lattice] = (),
) -> list[Lattice]:
    """Find tables outside of the grids that were found before, in the free words of a page.

    Boxes and grids that are no tables have borders of one as their upright sides; the borders of
    grids that are heads only go on below. Words of headings are not among the page's any more.
    """
    rows = page_rows(page, taken)
    if len(rows) < MIN_ROWS:
        return []
    sides = [side for frame in frames for side in frame.xs]
    uprights = [v for v in lines.verticals if not any(abs(v.position - x) < 1 for x in sides)]
    known = [*taken, *(head.bbox for head in heads)]
    drawn = _drawn_areas(page, uprights, known)
    found = [
        one
        for one in attempt(Stage.TABLES, page.page_no, [], find_statements, page, rows)
        if not any(map(_region_of(one, rows).is_crossed_by, drawn))
    ]
    taken = [*taken, *(one.bbox for one in found)]
    obstacles = [*taken, *drawn]
    levels = rule_levels(lines, taken)
    for region in _find_regions(rows, levels, headings, obstacles):
        if any(region.overlaps(lattice.bbox) for lattice in found):
            continue
        if any(map(region.is_crossed_by, obstacles)):
            continue
        lattice = attempt(Stage.TABLES, page.page_no, None, _read, page, region, heads)
        if lattice is not None:
            found.append(lattice)
    return found


def _region_of(lattice: Lattice, rows: Sequence[PageRow]) -> _Region:
    """Return the place of a statement, each word by itself: a stroke may part "98 $"."""
    box = lattice.bbox
    inside = []
    for row in rows_between(rows, box.left, box.right, box.top, box.bottom):
        indices = [i for run in row.runs for i in run.words]
        runs = tuple(run_of(lattice.words, [i], row.size) for i in indices)
        inside.append(replace(row, runs=runs))
    return _Region(box.left, box.right, tuple(inside), (box.top, box.bottom))


def _read(page: PageContent, region: _Region, heads: Sequence[Lattice] = ()) -> Lattice | None:
    n_led, n_pages = _count_led(page, region)
    if n_pages > max(2, n_led):
        return None  # a table of contents
    evidence = _ENOUGH / 2 if region.is_ruled else 0.0
    if n_led > MAX_LED_BY_CHANCE:
        evidence = _CERTAIN
    # The letters of a listing line up, too.
    if 2 * sum(is_listing(page.words, row) for row in region.rows) > len(region.rows):
        evidence -= _ENOUGH / 2
    of = [head for head in heads if region.overlaps(head.bbox)]
    return _build(page, region, evidence, of[0].xs[1:-1] if of else ())


def _build(
    page: PageContent, region: _Region, evidence: float, borders: Sequence[float] = ()
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
    lattice = Lattice(page.words, [region.left - 1, *borders, region.right + 1], ys, slots)
    if not borders:
        _part_at_dots(lattice, region)
    split_columns(lattice)
    if lattice.n_columns < 2 or not _is_convincing(page, lattice, evidence):
        return None
    _join_between_rules(lattice, region)
    return lattice


def _is_convincing(page: PageContent, lattice: Lattice, evidence: float) -> bool:
    """Weigh what tells a table from text that happens to have gaps.

    The `evidence` is what title, leading dots and rules say.
    """
    cells = [slot for slot in lattice.slots if slot.words]
    texts = [lattice.text_of(slot) for slot in cells]
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
    named = sum(heads) > 1 or (evidence > 0 and is_distinct(lattice, 0, page.fills))
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


def _part_at_dots(lattice: Lattice, region: _Region) -> None:
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


def _count_led(page: PageContent, region: _Region) -> tuple[int, int]:
    """Count the rows in which dots lead from one text to another, and to the number of a page."""
    led = [row for row in region.rows if any(region.left < dot < region.right for dot in row.dots)]
    n_pages = sum(page.words[row.runs[-1].words[-1]].text.isdecimal() for row in led)
    return len(led) - n_pages, n_pages


def _join_between_rules(lattice: Lattice, region: _Region) -> None:
    """Join lines into rows, never over a rule; the headings above the first rule are one row."""
    breaks = {0, lattice.n_rows}
    for position in cluster(region.rules, 3.0):
        above = sum(row.baseline < position + 1 for row in region.rows)
        breaks.add(above)
    edges = sorted(breaks)
    n_bands = len(edges) - 1
    kinds = column_kinds(lattice)
    is_ruled = are_bands_rows(lattice.n_rows, n_bands)
    bands = []
    for index in range(n_bands - 1, -1, -1):
        first, end = edges[index], edges[index + 1]
        if end - first <= 4 and index == 0 and n_bands > 1 and _are_headings(lattice, first, end):
            for row in range(end - 2, first - 1, -1):
                join_rows(lattice, row)
            n_rows = 1
        else:
            n_rows = join_into_rows(lattice, first, end, kinds, is_ruled=is_ruled)
        bands.append(n_rows)
    span_bands(lattice, bands[::-1], kinds, is_ruled=is_ruled)


def _are_headings(lattice: Lattice, first: int, end: int) -> bool:
    texts = [lattice.text_of(s) for s in lattice.slots if first <= s.row < end and s.words]
    spanning = any(s.column_span > 1 for s in lattice.slots if first <= s.row < end and s.words)
    return not spanning and not any(is_value(text) for text in texts)


MIN_RULE = 80.0
"""Points; shorter rules underline words."""

SAME_EXTENT = 7.0
"""Points by which the ends of a table's rules may differ."""

MAX_ROW_GAP = 2.6
"""Of the font size; white beyond it ends a table that no rule closes."""

MAX_BORDER = 1.0
"""Points; a wider box is no stroke."""

MAX_REACH = 4.0
"""Points by which further rows may stand out of a table."""

MIN_ROWS = 3
"""Fewer rows of text, headings counted, do not show columns."""

MIN_TITLED_ROWS = 2
"""Rows that do under a title and between rules."""


@dataclass(frozen=True, slots=True)
class _Region:
    """Rows of text that may be a table, with the heights of the rules between them.

    Attributes:
        is_ruled: Whether rules of its whole width enclose it.
    """

    left: float
    right: float
    rows: tuple[PageRow, ...]
    rules: tuple[float, ...]
    is_ruled: bool = False

    @property
    def top(self) -> float:
        """Upper end of the rows and rules."""
        return min([self.rows[0].bbox.top, *self.rules])

    @property
    def bottom(self) -> float:
        """Lower end of the rows and rules."""
        return max([self.rows[-1].bbox.bottom, *self.rules])

    def has_between(self, box: BoundingBox) -> bool:
        """Tell a stroke between two columns, which no text touches and which has text beside it."""
        inside = [row for row in self.rows if box.top < row.baseline < box.bottom]
        return (
            box.width <= MAX_BORDER
            and self.left < box.left < self.right
            and bool(inside)
            and not any(
                run.left < box.right and box.left < run.right for row in inside for run in row.runs
            )
        )

    def is_crossed_by(self, box: BoundingBox) -> bool:
        """Tell a drawing or another table in it, strokes between its columns left out."""
        return self.overlaps(box) and not self.has_between(box)

    def overlaps(self, box: BoundingBox) -> bool:
        """Tell whether a tenth of the smaller of both is shared."""
        own = BoundingBox(self.left, self.top, self.right, self.bottom)
        return own.intersection_area(box) > 0.1 * min(own.area, box.area)


def _drawn_areas(
    page: PageContent, verticals: Iterable[Rule], taken: Sequence[BoundingBox]
) -> list[BoundingBox]:
    """Places that belong to figures: curves, images, upright lines that are of no table's grid."""
    areas = [d.bbox for d in page.drawings if d.has_curves and d.bbox.height > 12]
    # The picture of a scanned page lies under its words, and is no figure.
    areas.extend(
        image.bbox
        for image in page.images
        if 2 * sum(image.bbox.contains_center(w.bbox) for w in page.words) <= len(page.words)
    )
    areas.extend(
        BoundingBox(line.position - 0.5, line.start, line.position + 0.5, line.end)
        for line in verticals
        if line.drawn and line.length > 16
    )
    return [box for box in areas if not any(one.contains_center(box) for one in taken)]


def rule_levels(lines: LineGroup, taken: Sequence[BoundingBox]) -> list[Rule]:
    """Join rules at one height into levels, left and right end; those of grids left out."""
    free = [
        line
        for line in lines.horizontals
        if not any(
            box.top - 3 <= line.position <= box.bottom + 3
            and line.start < box.right
            and line.end > box.left
            for box in taken
        )
    ]
    levels: list[Rule] = []
    for line in free:
        last = levels[-1] if levels else None
        if last and line.position - last.position <= 2 and line.start - last.end <= 30:
            start, end = min(last.start, line.start), max(last.end, line.end)
            levels[-1] = replace(last, start=start, end=end)
        else:
            levels.append(line)
    return [level for level in levels if level.length >= MIN_RULE]


def _find_regions(
    rows: Sequence[PageRow],
    levels: Sequence[Rule],
    headings: Sequence[BoundingBox],
    obstacles: Sequence[BoundingBox],
) -> Iterator[_Region]:
    """Yield what may be a table: rows that rules of one width enclose, then texts that line up.

    Columns with few texts stand under their heads; where that is another table's or a drawing's
    place, the block without them is left.
    """
    for chain in _rule_chains(rows, levels, [*obstacles, *headings]):
        region = _ruled_region(rows, chain)
        if region is not None:
            yield region
    for block in _find_aligned(rows, headings):
        headed = _with_heads(rows, block)
        heads = _heading_runs(rows[headed.first])
        if heads and heads[0].left < headed.right and heads[-1].right > headed.left:
            wide = replace(
                headed,
                left=min(headed.left, heads[0].left - 2),
                right=max(headed.right, heads[-1].right + 2),
            )
            if wide != headed:
                yield _aligned_region(rows, levels, wide)
        yield _aligned_region(rows, levels, headed)


def _rule_chains(
    rows: Sequence[PageRow], levels: Sequence[Rule], obstacles: Sequence[BoundingBox]
) -> Iterator[list[Rule]]:
    """Yield rules of one extent, two or more, with rows that look tabular between them."""
    used: set[int] = set()
    for k, first in enumerate(levels):
        if k in used:
            continue
        chain = [first]
        for own, level in _over_gaps(levels, k):
            if max(abs(level.start - first.start), abs(level.end - first.end)) > SAME_EXTENT:
                continue
            band = BoundingBox(
                level.start,
                chain[-1].position + 2,
                level.end,
                max(level.position, chain[-1].position + 4) - 2,
            )
            if (
                any(band.intersection_area(box) > 0 for box in obstacles)
                or not _is_tabular_band(rows, chain, level)
                or (len(chain) == 1 and _is_title_band(rows, first, level))
            ):
                break
            chain.append(level)
            used.update(own)
        if len(chain) > 1:
            yield chain


def _over_gaps(levels: Sequence[Rule], k: int) -> Iterator[tuple[list[int], Rule]]:
    """Yield the rules below one within its ends, each with its indices; cells in gaps span rows."""
    left, right = levels[k].start - SAME_EXTENT, levels[k].end + SAME_EXTENT
    own: list[int] = []
    whole = levels[k]
    for j in range(k + 1, len(levels)):
        level = levels[j]
        if level.start < left or level.end > right:
            continue
        if own and level.position - whole.position <= 2:
            start, end = min(whole.start, level.start), max(whole.end, level.end)
            own, whole = [*own, j], replace(whole, start=start, end=end)
            continue
        if own:
            yield own, whole
        own, whole = [j], level
    if own:
        yield own, whole


def _is_title_band(rows: Sequence[PageRow], upper: Rule, lower: Rule) -> bool:
    """Tell the lines between the rule of a page's head and a table: a title has one column."""
    inside = rows_between(rows, upper.start, upper.end, upper.position, lower.position)
    return bool(inside) and all(len(row.runs) == 1 for row in inside)


def _ruled_region(rows: Sequence[PageRow], chain: Sequence[Rule]) -> _Region | None:
    """Return the rows between the first and the last of some rules, with the heads over them.

    The rule of the page's foot is of the same extent in many: white or running text that no rule
    parts from it ends a table before it.
    """
    left, right = chain[0].start, chain[0].end
    inside = rows_between(rows, left, right, chain[0].position, chain[-1].position)
    rules = tuple(level.position for level in chain)
    for k, (a, b) in enumerate(itertools.pairwise(inside)):
        is_parted = any(a.baseline < rule < (b.bbox.top + b.baseline) / 2 for rule in rules)
        is_far = b.bbox.top - a.bbox.bottom > MAX_ROW_GAP * max(a.size, b.size)
        if not is_parted and (is_far or _is_running_text(b, inside[: k + 1], left, right)):
            del inside[k + 1 :]
            rules = tuple(rule for rule in rules if rule < b.baseline)
            break
    above = _headings_above(rows, left, right, chain[0].position)
    if len(inside) + len(above) < MIN_TITLED_ROWS:
        return None
    if inside and rules[-1] - inside[-1].bbox.bottom > MAX_ROW_GAP * inside[-1].size:
        rules = rules[:-1]
    if len(rules) < 2:
        return None
    return _Region(left, right, (*above, *inside), rules, is_ruled=True)


def _aligned_region(
    rows: Sequence[PageRow], levels: Sequence[Rule], block: _AlignedBlock
) -> _Region:
    """Return the rows of a block, the heads above it and what goes on below."""
    left, right = block.left, block.right
    top, bottom = rows[block.first].bbox.top, rows[block.last].bbox.bottom
    inside = rows_between(rows, left, right, top, bottom)
    above = _headings_above(rows[: block.first], left, right, top, alone=False)
    below = rows[block.last + 1 :]
    region = _grow(below, left, right, [*above, *inside])
    return _Region(left, right, tuple(region), _rules_of(region, levels, left, right))


def _with_heads(rows: Sequence[PageRow], block: _AlignedBlock) -> _AlignedBlock:
    """Return a block from the row that names its columns on, if there is one.

    Rows between that line up with others are of the table: names of groups, and their values.
    """
    left, right = block.left, block.right
    below = rows[block.first]
    for k in range(block.first, -1, -1):
        runs = tuple(run for run in rows[k].runs if run.left < right and run.right > left)
        if not runs:
            continue
        row = narrowed(rows[k], runs)
        is_far = below.bbox.top - row.bbox.bottom > MAX_ROW_GAP * row.size
        if is_far or _ends_table(row, [below], left, right):
            break
        left, right = min(left, row.bbox.left), max(right, row.bbox.right)
        if _heading_runs(row):
            return _AlignedBlock(left, right, k, block.last)
        below = row
    return block


def _rules_of(
    region: Sequence[PageRow], levels: Sequence[Rule], left: float, right: float
) -> tuple[float, ...]:
    """Return the heights of the rules that cross a region or close it."""
    return tuple(
        level.position
        for level in levels
        if region[0].bbox.top - 6 < level.position < region[-1].bbox.bottom + 8
        and level.start < right
        and level.end > left
    )


def rows_between(
    rows: Sequence[PageRow], left: float, right: float, top: float, bottom: float
) -> list[PageRow]:
    """Return the rows between two heights, each with its runs between two sides."""
    level = (row for row in rows if top - 1 < (row.bbox.top + row.bbox.bottom) / 2 < bottom + 1)
    return [narrowed(row, runs) for row in level if (runs := row.within(left, right))]


def _is_tabular_band(rows: Sequence[PageRow], chain: Sequence[Rule], lower: Rule) -> bool:
    """Tell whether the rows between the last rule of a chain and the next may be of its table."""
    upper = chain[-1]
    inside = rows_between(rows, upper.start, upper.end, upper.position, lower.position)
    if not inside:
        return lower.position - upper.position <= 14
    if any(table_label(row.text) or _is_heading(row, inside) for row in inside):
        return False
    above = rows_between(rows, upper.start, upper.end, chain[0].position, upper.position)
    if above and _is_first_note(inside[0], above):
        return False
    width = upper.length
    # Running text begins at the left side; the rest of a wrapped cell hangs further in.
    inner = upper.start + 0.15 * width
    n_parted = sum(len(row.runs) > 1 or row.runs[0].left > inner for row in inside)
    n_wide = sum(
        len(row.runs) == 1 and row.bbox.width > 0.62 * width and row.runs[0].left <= inner
        for row in inside
    )
    if len(inside) == 1 and n_wide == 0:
        return True
    return n_parted >= 0.4 * len(inside) and n_wide <= 0.35 * len(inside)


def _is_heading(row: PageRow, rows: Sequence[PageRow]) -> bool:
    """Tell a heading of the text by its size, or its number and bold type."""
    if row.size > 1.2 * median_high(one.size for one in rows):
        return True
    text = row.text
    return row.bold and split_heading_number(text)[0] != "" and len(row.runs) <= 2


def _headings_above(
    rows: Sequence[PageRow], left: float, right: float, top: float, *, alone: bool = True
) -> list[PageRow]:
    """Rows of headings that stand on the top rule, or row, with no rule above them.

    Where they are to stand `alone`, nothing is beside them.
    """
    found: list[PageRow] = []
    for row in reversed(rows):
        if row.bbox.bottom > top + 2:
            continue
        runs = row.within(left, right)
        if not runs and not alone:
            continue
        if top - row.bbox.bottom > 0.9 * row.size or len(runs) < 2:
            break
        if alone and len(runs) < len(row.runs):
            break
        if any(len(run.words) > 4 for run in runs):
            break
        found.insert(0, narrowed(row, runs))
        top = row.bbox.top
    return found


def _heading_runs(row: PageRow) -> tuple[Run, ...]:
    """Return neighbouring runs, three or more, that are mostly words for columns."""
    texts = [run.text for run in row.runs]
    named = [
        len(run.words) <= 4 and names_column(text)
        for run, text in zip(row.runs, texts, strict=True)
    ]
    best: tuple[Run, ...] = ()
    for start, end in itertools.combinations(range(len(named) + 1), 2):
        share = sum(named[start:end])
        if not (named[start] and named[end - 1]):
            continue
        enough = share >= 3 or (share >= 2 and names_limits(texts[start:end]))
        if enough and share >= 0.6 * (end - start) and end - start > len(best):
            best = row.runs[start:end]
    return best


def _grow(
    rows: Sequence[PageRow], left: float, right: float, region: list[PageRow]
) -> list[PageRow]:
    """Take rows into a region from the top down while they stay in the columns of the table."""
    gap_before = 0.0
    for row in rows:
        runs = tuple(
            run for run in row.runs if run.right > left - MAX_REACH and run.left < right + MAX_REACH
        )
        if not runs:
            continue
        row = narrowed(row, runs)
        if region:
            gap = row.bbox.top - region[-1].bbox.bottom
            limit = max(MAX_ROW_GAP * row.size, 1.4 * gap_before)
            if gap > limit or _ends_table(row, region, left, right):
                break
            if len(region) < 4:
                gap_before = max(gap_before, gap)
        region.append(row)
    while len(region) > 1 and len(region[-1].runs) < 2 and not _hangs(region[:-1], region[-1]):
        region.pop()
    return region


def _hangs(above: Sequence[PageRow], row: PageRow) -> bool:
    """Tell whether the one run of a row goes on under one that is not the first of its row."""
    if row.baseline - above[-1].baseline > 1.45 * row.size:
        return False
    left = row.runs[0].left
    return any(abs(run.left - left) < 3 for one in above[-5:] for run in one.runs[1:])


def _ends_table(row: PageRow, region: Sequence[PageRow], left: float, right: float) -> bool:
    """Tell whether a row is a title, a heading or a line of running text."""
    if table_label(row.text) or row.size > 1.25 * region[0].size:
        return True
    if _is_first_note(row, region):
        return True
    if len(row.runs) > 1:
        return any(run.right - run.left > 0.8 * (right - left) for run in row.runs)
    return _is_running_text(row, region, left, right)


def _is_running_text(row: PageRow, above: Sequence[PageRow], left: float, right: float) -> bool:
    """Tell a line that reaches over the columns from the rest of a wrapped cell."""
    is_wide = len(row.runs) == 1 and row.bbox.width > 0.62 * (right - left)
    return is_wide and not row.bold and not _hangs(above, row)


def _is_first_note(row: PageRow, region: Sequence[PageRow]) -> bool:
    """Tell "(1)" and a text from rows of three columns and more that do not begin so."""
    texts = [one.text for one in (*region, row)]
    return (
        begins_note(texts[-1])
        and (len(row.runs) == 1 or (len(row.runs) == 2 and len(row.runs[0].words) == 1))
        and max(len(one.runs) for one in region) > 2
        and not any(map(begins_note, texts[:-1]))
    )


ALIGNED = 2.2
"""Points by which the ends of runs in one column may differ."""

MAX_GAP = 3.2
"""Of the font size, between the baselines of two runs of one column."""

_MOST = 0.6

MIN_SHARED = 3
"""Rows that two columns side by side share."""

MAX_LABEL = 22.0
"""Sizes of the font, of half the runs of a column that another follows; running text is wider."""


@dataclass(slots=True, eq=False)
class _Thread:
    """Runs that line up, by the index of their row."""

    at: float
    baseline: float
    runs: dict[int, Run] = field(default_factory=dict)

    @property
    def left(self) -> float:
        return min(run.left for run in self.runs.values())

    @property
    def right(self) -> float:
        return max(run.right for run in self.runs.values())

    def between(self, first: int, last: int) -> list[Run]:
        """Return its runs in some rows: text above and below may begin or end where they do."""
        return [run for k, run in self.runs.items() if first <= k <= last]


@dataclass(frozen=True, slots=True)
class _AlignedBlock:
    """Columns side by side: the sides of the block, and the first and last of its rows."""

    left: float
    right: float
    first: int
    last: int


def _find_aligned(
    rows: Sequence[PageRow], headings: Sequence[BoundingBox]
) -> Iterator[_AlignedBlock]:
    """Yield the blocks of two columns and more that line up over three rows, the largest first.

    Columns that begin under two headings are not of one table.
    """
    threads = _longest_threads(rows)
    shared: dict[tuple[_Thread, _Thread], list[int]] = defaultdict(list)
    for k, row in enumerate(rows):
        for a, b in itertools.pairwise(row.runs):
            one, other = threads.get((k, a)), threads.get((k, b))
            if one is not None and other is not None and not _is_parted(a, b, row, headings):
                shared[one, other].append(k)
    group = {thread: {thread} for pair in shared for thread in pair}
    for (left_column, right_column), at in shared.items():
        inside = left_column.between(at[0], at[-1])
        shorter = min(len(inside), len(right_column.between(at[0], at[-1])))
        width = median_high((run.right - run.left) / run.size for run in inside)
        if len(at) >= MIN_SHARED and 2 * len(at) >= shorter and width <= MAX_LABEL:
            joined = group[left_column] | group[right_column]
            group.update(dict.fromkeys(joined, joined))
    values = dict.fromkeys(one for one in threads.values() if _is_of_values(one))
    group = {**{one: {one} for one in values}, **group}
    tables = {id(one): one for one in group.values() if len(one) > 1 or one <= values.keys()}
    for columns in sorted(tables.values(), key=lambda of: -sum(len(one.runs) for one in of)):
        counts = Counter(k for column in columns for k in column.runs)
        valued = {k for column in columns if column in values for k in column.runs}
        full = [k for k, n in counts.items() if n > 1 or k in valued]
        first, last = min(full), max(full)
        inside = [run for column in columns for run in column.between(first, last)]
        left, right = min(run.left for run in inside), max(run.right for run in inside)
        names = _names_before(rows, full, left, headings)
        if len(columns) == 1 and not names:
            continue
        left = min([left, *names])
        over = [
            run
            for row in rows[first : last + 1]
            for run in row.runs
            if run.left < right
            and run.right > left
            and run.right - run.left <= MAX_LABEL * run.size
        ]
        left, right = min(run.left for run in over) - 2, max(run.right for run in over) + 2
        yield _AlignedBlock(left, right, first, last)


def _is_of_values(thread: _Thread) -> bool:
    values = [run for run in thread.runs.values() if is_value(run.text)]
    return len(values) >= max(MIN_SHARED, _MOST * len(thread.runs))


def _names_before(
    rows: Sequence[PageRow], full: Sequence[int], left: float, headings: Sequence[BoundingBox]
) -> list[float]:
    """Return where the texts before a block begin, one below the other however far in.

    Most rows have one, which names them: what stands before a few is of something else.
    """
    names = []
    for k in full:
        for a, b in itertools.pairwise(rows[k].runs):
            if a.right < left <= b.left and not _is_parted(a, b, rows[k], headings):
                names.append(((a.right - a.left) / rows[k].size, a.left))
    if len(names) < max(MIN_SHARED, len(full) / 2):
        return []
    if median_high(width for width, _left in names) > MAX_LABEL:
        return []
    return [at for _width, at in names]


def _is_parted(a: Run, b: Run, row: PageRow, headings: Sequence[BoundingBox]) -> bool:
    """Tell whether a heading above begins between two runs: a column of the page begins there."""
    above = [box for box in headings if box.bottom < row.baseline and box.right > a.left]
    return any(
        a.right < box.left + ALIGNED
        and box.left < b.left + 2 * row.size
        and not any(one.top > box.bottom and one.left < a.right for one in above)
        for box in above
    )


def _longest_threads(rows: Sequence[PageRow]) -> dict[tuple[int, Run], _Thread]:
    """Return for each run the longest thread that it is of."""
    open_threads: tuple[list[_Thread], ...] = ([], [], [])
    best: dict[tuple[int, Run], list[_Thread]] = {}
    for k, row in enumerate(rows):
        reach = MAX_GAP * row.size
        for kind, of in enumerate(open_threads):
            of[:] = [one for one in of if row.baseline - one.baseline <= reach]
            for run in row.runs:
                at = (run.left, run.right, (run.left + run.right) / 2)[kind]
                near = [t for t in of if abs(t.at - at) <= ALIGNED and k not in t.runs]
                if near:
                    thread = min(near, key=lambda t: abs(t.at - at))
                else:
                    thread = _Thread(at, row.baseline)
                    of.append(thread)
                thread.runs[k] = run
                thread.baseline = row.baseline
                best.setdefault((k, run), []).append(thread)
    for key, led in _led_threads(rows):
        best[key].append(led)
    longest = {key: max(of, key=lambda one: len(one.runs)) for key, of in best.items()}
    return {key: one for key, one in longest.items() if len(one.runs) >= MIN_SHARED}


def _led_threads(rows: Sequence[PageRow]) -> Iterator[tuple[tuple[int, Run], _Thread]]:
    """Yield the names that dots lead from, one below the other however far in, and the values."""
    lists: list[tuple[_Thread, _Thread]] = []
    for k, row in enumerate(rows):
        for a, b in itertools.pairwise(row.runs):
            if not any(a.right <= dot < b.left for dot in row.dots):
                continue
            for names, values in lists:
                is_near = row.baseline - names.baseline <= MAX_GAP * row.size
                if is_near and k not in names.runs and names.left < a.right < values.right:
                    break
            else:
                names, values = _Thread(a.left, 0.0), _Thread(b.left, 0.0)
                lists.append((names, values))
            for thread, run in ((names, a), (values, b)):
                thread.runs[k], thread.baseline = run, row.baseline
                yield (k, run), thread
