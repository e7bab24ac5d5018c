"""Areas of a page that may hold a table without a grid, and the rows of text in them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox, split_heading_number
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_alignment import AlignedBlock, find_aligned
from desktop_qa.parse.table_captions import begins_note, is_label
from desktop_qa.parse.table_columns import Run
from desktop_qa.parse.table_lines import Line, LineSet
from desktop_qa.parse.table_page_rows import PageRow, narrowed, text_of
from desktop_qa.parse.table_roles import names_column, names_limits

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
class Region:
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


def drawn_areas(
    page: PageContent, verticals: Iterable[Line], taken: Sequence[BoundingBox]
) -> list[BoundingBox]:
    """Places that belong to figures: curves, images, upright lines that are of no table's grid."""
    areas = [d.bbox for d in page.drawings if d.has_curves and d.bbox.height > 12]
    areas.extend(image.bbox for image in page.images if not _is_background(page, image.bbox))
    areas.extend(
        BoundingBox(line.position - 0.5, line.start, line.position + 0.5, line.end)
        for line in verticals
        if line.drawn and line.length > 16
    )
    return [box for box in areas if not any(one.contains_center(box) for one in taken)]


def _is_background(page: PageContent, box: BoundingBox) -> bool:
    """Tell the picture of a scanned page, which lies under its words, from a figure."""
    return 2 * sum(box.contains_center(word.bbox) for word in page.words) > len(page.words)


def rule_levels(lines: LineSet, taken: Sequence[BoundingBox]) -> list[Line]:
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
    levels: list[Line] = []
    for line in free:
        last = levels[-1] if levels else None
        if last and line.position - last.position <= 2 and line.start - last.end <= 30:
            levels[-1] = Line(last.position, min(last.start, line.start), max(last.end, line.end))
        else:
            levels.append(line)
    return [level for level in levels if level.length >= MIN_RULE]


def find_regions(
    words: Sequence[StyledWord],
    rows: Sequence[PageRow],
    levels: Sequence[Line],
    headings: Sequence[BoundingBox],
    obstacles: Sequence[BoundingBox],
) -> Iterator[Region]:
    """Yield what may be a table: rows that rules of one width enclose, then texts that line up.

    Columns with few texts stand under their heads; where that is another table's or a drawing's
    place, the block without them is left.

    Args:
        words: Of the page.
        rows: Of its free words.
        levels: Its rules across.
        headings: Places of known headings.
        obstacles: Places of other tables and of figures.
    """
    for chain in _rule_chains(words, rows, levels, [*obstacles, *headings]):
        region = _ruled_region(words, rows, chain)
        if region is not None:
            yield region
    for block in find_aligned(words, rows, headings):
        first, left, right = _with_heads(words, rows, block)
        heads = _heading_runs(words, rows[first])
        if heads and heads[0].left < right and heads[-1].right > left:
            wide = min(left, heads[0].left - 2), max(right, heads[-1].right + 2)
            if wide != (left, right):
                yield _aligned_region(words, rows, levels, block, (first, *wide))
        yield _aligned_region(words, rows, levels, block, (first, left, right))


def _rule_chains(
    words: Sequence[StyledWord],
    rows: Sequence[PageRow],
    levels: Sequence[Line],
    obstacles: Sequence[BoundingBox],
) -> Iterator[list[Line]]:
    """Yield rules of one extent, two or more, with rows that look tabular between them."""
    used: set[int] = set()
    for k, first in enumerate(levels):
        if k in used:
            continue
        chain = [first]
        for j, level in enumerate(levels[k + 1 :], k + 1):
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
                or not _is_tabular_band(words, rows, chain, level)
                or (len(chain) == 1 and _is_title_band(rows, first, level))
            ):
                break
            chain.append(level)
            used.add(j)
        if len(chain) > 1:
            yield chain


def _is_title_band(rows: Sequence[PageRow], upper: Line, lower: Line) -> bool:
    """Tell the lines between the rule of a page's head and a table: a title has one column."""
    inside = rows_between(rows, upper.start, upper.end, upper.position, lower.position)
    return bool(inside) and all(len(row.runs) == 1 for row in inside)


def _ruled_region(
    words: Sequence[StyledWord], rows: Sequence[PageRow], chain: Sequence[Line]
) -> Region | None:
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
    return Region(left, right, (*above, *inside), rules, is_ruled=True)


def _aligned_region(
    words: Sequence[StyledWord],
    rows: Sequence[PageRow],
    levels: Sequence[Line],
    block: AlignedBlock,
    place: tuple[int, float, float],
) -> Region:
    """Return the rows of a block from the first row and between the sides that `place` gives."""
    first, left, right = place
    top, bottom = rows[first].bbox.top, rows[block.last].bbox.bottom
    inside = rows_between(rows, left, right, top, bottom)
    above = _headings_above(rows[:first], left, right, top, alone=False)
    if not above and first and _heads_group(rows[first - 1], inside, left, right):
        above = [rows[first - 1]]
    below = rows[block.last + 1 :]
    region = _grow(words, below, left, right, [*above, *inside])
    return Region(left, right, tuple(region), _rules_of(region, levels, left, right))


def _heads_group(row: PageRow, inside: Sequence[PageRow], left: float, right: float) -> bool:
    """Tell the name of the first group of rows by those of the next: as far left, as bold."""
    return (
        len(row.runs) == 1
        and row.bbox.right < right
        and inside[0].baseline - row.baseline < 1.5 * row.size
        and any(
            len(one.runs) == 1
            and abs(one.bbox.left - row.bbox.left) < 1
            and (one.bold, one.size) == (row.bold, row.size)
            for one in inside[1:-1]
        )
        and inside[0].bbox.left > row.bbox.left + 1
        and row.bbox.left > left - MAX_REACH
    )


def _with_heads(
    words: Sequence[StyledWord], rows: Sequence[PageRow], block: AlignedBlock
) -> tuple[int, float, float]:
    """Return the first row and the sides of a block, its heads counted where a row names columns.

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
        if is_far or _ends_table(words, row, [below], left, right):
            break
        left, right = min(left, row.bbox.left), max(right, row.bbox.right)
        if _heading_runs(words, row):
            return k, left, right
        below = row
    return block.first, block.left, block.right


def _rules_of(
    region: Sequence[PageRow], levels: Sequence[Line], left: float, right: float
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
    inside = []
    for row in rows:
        middle = (row.bbox.top + row.bbox.bottom) / 2
        if top - 1 < middle < bottom + 1:
            runs = row.within(left, right)
            if runs:
                inside.append(narrowed(row, runs))
    return inside


def _is_tabular_band(
    words: Sequence[StyledWord], rows: Sequence[PageRow], chain: Sequence[Line], lower: Line
) -> bool:
    """Tell whether the rows between the last rule of a chain and the next may be of its table."""
    upper = chain[-1]
    inside = rows_between(rows, upper.start, upper.end, upper.position, lower.position)
    if not inside:
        return lower.position - upper.position <= 14
    if any(is_title_row(words, row) or _is_heading(words, row, inside) for row in inside):
        return False
    above = rows_between(rows, upper.start, upper.end, chain[0].position, upper.position)
    if above and _is_first_note(words, inside[0], above):
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


def _is_heading(words: Sequence[StyledWord], row: PageRow, rows: Sequence[PageRow]) -> bool:
    """Tell a heading of the text by its size, or its number and bold type."""
    sizes = sorted(one.size for one in rows)
    if row.size > 1.2 * sizes[len(sizes) // 2]:
        return True
    text = " ".join(words[i].text for run in row.runs for i in run.words)
    return row.bold and split_heading_number(text)[0] != "" and len(row.runs) <= 2


def _headings_above(
    rows: Sequence[PageRow], left: float, right: float, top: float, *, alone: bool = True
) -> list[PageRow]:
    """Rows of headings that stand on the top rule, with no rule above them.

    Args:
        rows: Of the page.
        left: Of the table.
        right: Of the table.
        top: Of the rule, or of the first row.
        alone: Whether nothing may stand beside them.
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


def _heading_runs(words: Sequence[StyledWord], row: PageRow) -> tuple[Run, ...]:
    """Return neighbouring runs, three or more, that are mostly words for columns."""
    texts = [" ".join(words[i].text for i in run.words) for run in row.runs]
    named = [
        len(run.words) <= 4 and names_column(text)
        for run, text in zip(row.runs, texts, strict=True)
    ]
    best: tuple[Run, ...] = ()
    for start, end in itertools.combinations(range(len(named) + 1), 2):
        share = sum(named[start:end])
        if not (named[start] and named[end - 1]) or any(
            len(run.words) > 5 for run in row.runs[start:end]
        ):
            continue
        enough = share >= 3 or (share >= 2 and names_limits(texts[start:end]))
        if enough and share >= 0.6 * (end - start) and end - start > len(best):
            best = row.runs[start:end]
    return best


def is_title_row(words: Sequence[StyledWord], row: PageRow) -> bool:
    """Tell whether a row is the title of a table."""
    return is_label(" ".join(words[i].text for run in row.runs for i in run.words))


def _grow(
    words: Sequence[StyledWord],
    rows: Sequence[PageRow],
    left: float,
    right: float,
    region: list[PageRow],
) -> list[PageRow]:
    """Take rows from the headings down while they stay in the columns of the table.

    Args:
        words: Of the page.
        rows: Under what is found.
        left: Of the table.
        right: Of the table.
        region: Rows that are of it already.
    """
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
            if gap > limit or _ends_table(words, row, region, left, right):
                break
            if len(region) < 4:
                gap_before = max(gap_before, gap)
        region.append(row)
    while len(region) > 1 and len(region[-1].runs) < 2 and not _hangs(region[:-1], region[-1]):
        region.pop()
    return region


def _hangs(above: Sequence[PageRow], row: PageRow) -> bool:
    """Tell whether the one run of a row goes on under one that is not the first of its row."""
    if len(row.runs) != 1 or not above or row.baseline - above[-1].baseline > 1.45 * row.size:
        return False
    left = row.runs[0].left
    return any(abs(run.left - left) < 3 for one in above[-5:] for run in one.runs[1:])


def _ends_table(
    words: Sequence[StyledWord], row: PageRow, region: Sequence[PageRow], left: float, right: float
) -> bool:
    """Tell whether a row is a title, a heading or a line of running text."""
    if is_title_row(words, row) or row.size > 1.25 * region[0].size:
        return True
    if _is_first_note(words, row, region):
        return True
    if len(row.runs) > 1:
        return any(run.right - run.left > 0.8 * (right - left) for run in row.runs)
    return _is_running_text(row, region, left, right)


def _is_running_text(row: PageRow, above: Sequence[PageRow], left: float, right: float) -> bool:
    """Tell a line that reaches over the columns from the rest of a wrapped cell."""
    is_wide = len(row.runs) == 1 and row.bbox.width > 0.62 * (right - left)
    return is_wide and not row.bold and not _hangs(above, row)


def _is_first_note(words: Sequence[StyledWord], row: PageRow, region: Sequence[PageRow]) -> bool:
    """Tell "(1)" and a text from rows of three columns and more that do not begin so."""
    texts = [text_of(words, one) for one in (*region, row)]
    return (
        begins_note(texts[-1])
        and (len(row.runs) == 1 or (len(row.runs) == 2 and len(row.runs[0].words) == 1))
        and max(len(one.runs) for one in region) > 2
        and not any(map(begins_note, texts[:-1]))
    )
