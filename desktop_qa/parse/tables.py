"""Tables of a page, with and without rules, and their joining over pages."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median_high

import numpy as np

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.amounts import is_telling
from desktop_qa.parse.boxes import share_covered, union_of
from desktop_qa.parse.captions import table_label
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.page import PageContent, Rule, rule_along
from desktop_qa.parse.table_amounts import find_statements
from desktop_qa.parse.table_captions import (
    Notes,
    Title,
    find_notes,
    find_titles,
    read_title,
    reference_marks,
    starts_note,
    strip_continued,
    without_conditions,
)
from desktop_qa.parse.table_columns import (
    PageRow,
    line_runs,
    page_rows,
    split_columns,
)
from desktop_qa.parse.table_grid import (
    MERGE_DISTANCE,
    Lattice,
    LineGroup,
    Slot,
    build_lattice,
    cluster,
    collect_lines,
    extent,
    find_grids,
    join_over_bands,
)
from desktop_qa.parse.table_roles import MAX_HEAD, count_header_rows
from desktop_qa.parse.table_rows import part_stacked_heads, segment_bands
from desktop_qa.parse.table_text import bbox_of, is_value, join_lines_of_text, leaders, text_lines
from desktop_qa.parse.table_unruled import (
    MAX_ROW_GAP,
    SAME_EXTENT,
    find_unruled,
    rows_between,
    rule_levels,
)
from desktop_qa.parse.turned_pages import Turn, places_back, text_direction

_NO_NOTES = Notes((), ())

MARGIN = 0.115
"""Share of the page's height at top and bottom that running headers and footers take."""

MAX_HEAD_ROWS = 3
"""Of a grid that may hold the names of columns and nothing else."""

MAX_REPEATED_WORDS = 60
"""Of a heading and its conditions, repeated over the next part of a table."""


def find_tables(
    page: PageContent,
    headings: Sequence[BoundingBox] = (),
    lines: LineGroup | None = None,
) -> tuple[FoundTable, ...]:
    """Find the tables of a page, from top to bottom.

    The rules above and below a heading are of two tables, or of a table and the page's header.
    """
    angle = text_direction(page.words, MIN_TURNED)
    if angle not in (90, 270):
        return _find_upright(page, headings, lines)
    upright = _turned_upright(page, angle)
    return tuple(_turned_back(t, page, angle) for t in _find_upright(upright, ()))


def _find_upright(
    page: PageContent,
    headings: Sequence[BoundingBox],
    lines: LineGroup | None = None,
) -> tuple[FoundTable, ...]:
    lines = lines or collect_lines(page)
    lattices = sorted(_lattices(page, lines, headings), key=lambda one: (one.ys[0], one.xs[0]))
    used = {i for lattice in lattices for slot in lattice.slots for i in slot.words}
    used.update(i for lattice in lattices for i in lattice.title)
    notes = []
    for lattice in lattices:
        found = attempt(
            Stage.TABLES, page.page_no, _NO_NOTES, _notes_of, page, lattice, frozenset(used)
        )
        notes.append(found)
        used.update(found.word_indices)
    boxes = [lattice.bbox for lattice in lattices]
    places = [
        union_of([box, *(page.words[i].bbox for i in found.word_indices)])
        for box, found in zip(boxes, notes, strict=True)
    ]
    untitled: list[Title | None] = [None] * len(lattices)
    find = partial(find_titles, page, boxes, places, frozenset(used))
    titles = attempt(Stage.TABLES, page.page_no, untitled, find)
    tables = [
        attempt(Stage.TABLES, page.page_no, None, _trusted_table, page, *parts)
        for parts in zip(lattices, notes, titles, strict=True)
    ]
    kept = [table for table in tables if table is not None]
    return tuple(_with_neighbourhood(page, table) for table in kept)


def _notes_of(page: PageContent, lattice: Lattice, used: frozenset[int]) -> Notes:
    marks = reference_marks(page.words, [i for s in lattice.slots for i in s.words])
    return find_notes(page, lattice.bbox, used, marks)


def _trusted_table(
    page: PageContent, lattice: Lattice, notes: Notes, title: Title | None
) -> FoundTable | None:
    if lattice.title and (title is None or not title.label):
        title = read_title(text_lines(page.words, lattice.title))
    table = _make_table(page, lattice, notes, title)
    return table if _is_trusted(page, table, lattice) else None


def find_group_headings(page: PageContent) -> list[BoundingBox]:
    """Find the texts that stand across ruled tables between their rows: no headings of the text."""
    return [
        bbox_of(page.words, slot.words)
        for lattice in _ruled(page, collect_lines(page), [])
        for slot in lattice.slots
        if slot.words and slot.row > 0 and slot.column_span == lattice.n_columns
    ]


def _lattices(
    page: PageContent, lines: LineGroup, headings: Sequence[BoundingBox]
) -> list[Lattice]:
    frames: list[Lattice] = []
    lattices = _without_statements(page, _ruled(page, lines, frames), frames)
    small = [one for one in lattices if one.n_rows <= MAX_HEAD_ROWS]
    rows = page_rows(page, ()) if small else []
    heads = []
    for one in small:
        levels = rule_levels(lines, [other.bbox for other in lattices if other is not one])
        if _are_heads(one, rows, levels):
            heads.append(one)
    lattices = [one for one in lattices if one not in heads]
    taken = [one.bbox for one in lattices]
    unruled = partial(find_unruled, page, lines, taken, frames, headings, heads)
    for lattice in attempt(Stage.TABLES, page.page_no, [], unruled):
        lattices += _part_lattice(lattice)
    return lattices + [one for one in heads if not _is_inside_another(one, lattices)]


def _are_heads(lattice: Lattice, rows: Sequence[PageRow], levels: Sequence[Rule]) -> bool:
    """Tell a grid that is the head of a table whose body no grid shows.

    A rule as wide closes what stands under it in the same columns.
    """
    box = lattice.bbox
    below = (
        level.position
        for level in levels
        if level.position > box.bottom + MERGE_DISTANCE
        and max(abs(level.start - box.left), abs(level.end - box.right)) <= SAME_EXTENT
    )
    end = next(below, box.bottom)
    band = rows_between(rows, box.left, box.right, box.bottom, end)
    if not band or band[0].bbox.top - box.bottom > band[0].size:
        return False
    if starts_note(band[0].text):
        return False
    runs = [run for row in band for run in row.runs]
    is_row = len(runs) > len(band) or end - box.bottom < MAX_ROW_GAP * band[0].size
    borders = lattice.xs[1:-1]
    return is_row and not any(run.left < x - 1 < x + 1 < run.right for run in runs for x in borders)


def _ruled(page: PageContent, lines: LineGroup, frames: list[Lattice]) -> list[Lattice]:
    """Read the grids of a page, the smallest first: a larger one may frame it, or hold it."""
    grids = join_over_bands(find_grids(lines), page.words)
    lattices: list[Lattice] = []
    for grid in sorted(grids, key=lambda group: extent(group).area):
        found = attempt(Stage.TABLES, page.page_no, [], _lattices_of, page, grid, lattices, frames)
        lattices = [*(one for one in lattices if not _is_inside_another(one, found)), *found]
    return lattices


def _is_frame(lattice: Lattice, smaller: Sequence[Lattice]) -> bool:
    """Tell what has fewer cells between its rules than the grids inside it."""
    inner = [one for one in smaller if _is_inside_another(one, [lattice])]
    return sum(map(_n_filled, inner)) > _n_filled(lattice)


def _n_filled(lattice: Lattice) -> int:
    return sum(bool(slot.words) for slot in lattice.slots)


def _without_statements(
    page: PageContent, lattices: list[Lattice], frames: list[Lattice]
) -> list[Lattice]:
    """Make frames of grids that are shading and rules among or under the rows of a statement."""
    if not any(map(_is_of_amounts, lattices)):
        return lattices
    statements: list[Lattice] = attempt(
        Stage.TABLES, page.page_no, [], lambda: find_statements(page, page_rows(page, ()))
    )
    left_out = [
        lattice
        for lattice in lattices
        if _is_of_amounts(lattice)
        and any(
            one.bbox.intersection_area(lattice.bbox) > 0
            and one.ys[0] < lattice.ys[0]
            and sum(lattice.ys[-2:]) / 2 < one.ys[-1]
            for one in statements
        )
    ]
    frames += left_out
    return [lattice for lattice in lattices if lattice not in left_out]


def _is_of_amounts(lattice: Lattice) -> bool:
    """Tell whether some words of a grid are written as amounts are."""
    return any(is_telling(lattice.words[i].text) for slot in lattice.slots for i in slot.words)


def _lattices_of(
    page: PageContent,
    grid: LineGroup,
    smaller: Sequence[Lattice],
    frames: list[Lattice],
) -> list[Lattice]:
    """Read a grid of rules as tables; one of a single column is noted as a frame."""
    lattice = build_lattice(grid, page.words)
    if lattice is None:
        return []
    _place_words(lattice)
    is_titled = partial(_is_titled, page, lattice)
    if not _is_regular(lattice, grid, is_titled):
        return []
    _drop_empty(lattice)
    if lattice.n_columns == 1:
        frames.append(lattice)
    if not _is_table(page, lattice, is_titled):
        return []
    parts = _part_lattice(lattice)
    parts = [part for part in parts if not _is_frame(part, smaller)]
    for part in parts:
        if len(parts) > 1:
            _drop_empty(part)
        part_stacked_heads(part)
        split_columns(part)
        segment_bands(part)
    return parts


def _is_titled(page: PageContent, lattice: Lattice) -> bool:
    taken = frozenset(i for slot in lattice.slots for i in slot.words)
    return find_titles(page, [lattice.bbox], [lattice.bbox], taken) != [None]


def _is_inside_another(lattice: Lattice, others: Sequence[Lattice]) -> bool:
    box = lattice.bbox
    return any(box.intersection_area(other.bbox) > 0.5 * box.area for other in others)


def _place_words(lattice: Lattice) -> None:
    words = lattice.words
    owner: dict[tuple[int, int], Slot] = {}
    for slot in lattice.slots:
        for row in range(slot.row, slot.last_row + 1):
            for column in range(slot.column, slot.last_column + 1):
                owner[row, column] = slot
    # Turned words come last: they head the rows beside them where nothing else stands in the cell.
    for index in sorted(range(len(words)), key=lambda i: words[i].angle != 0):
        word = words[index]
        # The middle decides: a text may touch a border, and subscripts reach over it.
        x = (word.bbox.left + word.bbox.right) / 2
        y = (word.bbox.top + word.bbox.bottom) / 2
        place = bisect.bisect_left(lattice.ys, y) - 1, bisect.bisect_left(lattice.xs, x) - 1
        home = owner.get(place)
        if home is None or (
            word.angle and (home.row_span == 1 or any(words[i].angle == 0 for i in home.words))
        ):
            continue
        home.words.append(index)


def _make_table(
    page: PageContent, lattice: Lattice, notes: Notes, title: Title | None
) -> FoundTable:
    lines = {id(slot): lattice.lines_of(slot) for slot in lattice.slots}
    texts = {key: join_lines_of_text([line.text for line in of]) for key, of in lines.items()}
    n_header = lattice.n_header
    if n_header is None:
        n_header = count_header_rows(lattice, texts, page.fills)
    cells = []
    for slot in lattice.slots:
        boxes = [line.bbox for line in lines[id(slot)]] or [lattice.box_of(slot)]
        cells.append(
            TableCell(
                row=slot.row,
                column=slot.column,
                row_span=slot.row_span,
                column_span=slot.column_span,
                text=texts[id(slot)],
                is_header=slot.row < n_header,
                is_bold=bool(slot.words) and all(page.words[i].bold for i in slot.words),
                provenances=tuple(Provenance(page.page_no, box) for box in boxes),
            )
        )
    cells.sort(key=lambda cell: (cell.row, cell.column))
    words = {i for slot in lattice.slots for i in slot.words}
    words.update(i for i in leaders(page.words) if lattice.bbox.contains_center(page.words[i].bbox))
    words.update(notes.word_indices, title.word_indices if title else ())
    return FoundTable(
        page_no=page.page_no,
        bbox=lattice.bbox,
        cells=tuple(cells),
        n_rows=lattice.n_rows,
        n_columns=lattice.n_columns,
        n_header_rows=n_header,
        label=title.label if title else "",
        caption=title.caption if title else "",
        notes=notes.texts,
        word_indices=frozenset(words),
        column_borders=tuple(lattice.xs),
        scale_note=lattice.scale_note,
        label_below=bool(
            title and page.words[title.word_indices[0]].bbox.top > lattice.bbox.bottom
        ),
    )


def _with_neighbourhood(page: PageContent, table: FoundTable) -> FoundTable:
    """Note whether the table begins and ends the text of its page, footnotes aside."""
    sizes = [page.words[i].size for i in table.word_indices]
    small = 0.9 * median_high(sizes) if sizes else 0.0
    top, bottom = MARGIN * page.height, (1 - MARGIN) * page.height
    heights = {
        i: (word.bbox.top + word.bbox.bottom) / 2
        for i, word in enumerate(page.words)
        if not word.angle
    }
    above = [page.words[i].text.casefold() for i, y in heights.items() if y < table.bbox.top]
    # A repeated heading ("... (continued)") may stand as high as a running header.
    continued = any("continued" in text or "cont'd" in text for text in above)
    others = [i for i, y in heights.items() if top < y < bottom and i not in table.word_indices]
    n_above = sum(heights[i] < table.bbox.top for i in others)
    opens = not n_above or (continued and n_above < MAX_REPEATED_WORDS)
    goes_on = any(heights[i] > table.bbox.bottom and page.words[i].size > small for i in others)
    return replace(table, opens_page=opens, closes_page=not goes_on)


_EDGE = 2.0
"""Points by which a text may reach over its column's border."""

SAME_WIDTH = 12.0
"""Points by which the widths of the parts may differ."""

SAME_BORDER = 5.0
"""Points by which the borders of columns may differ from page to page."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The part of a table that stands on one page.

    Attributes:
        cells: Rows and columns count within this part.
        word_indices: Into `page.words`: cells, caption and notes.
        column_borders: x of the borders, one more than columns.
        opens_page: True when no text of the page's own stands above it.
        closes_page: True when none stands below it.
        label_below: True when its title stands under it.
        conditions: Under which its values hold; see `core.document.Table`.
        scale_note: As in `core.document.Table`.
    """

    page_no: int
    bbox: BoundingBox
    cells: tuple[TableCell, ...]
    n_rows: int
    n_columns: int
    n_header_rows: int
    label: str
    caption: str
    notes: tuple[str, ...]
    word_indices: frozenset[int]
    column_borders: tuple[float, ...] = ()
    opens_page: bool = False
    closes_page: bool = False
    label_below: bool = False
    conditions: tuple[str, ...] = ()
    scale_note: str = ""


def join_continued(
    tables: Sequence[FoundTable],
) -> list[tuple[Table, list[FoundTable]]]:
    """Join the parts of tables that run over pages, by the first; a repeated header is dropped."""
    groups = in_runs(
        tables, lambda parts, t: attempt(Stage.TABLES, t.page_no, False, _goes_on, parts, t)
    )
    joined: list[tuple[Table, list[FoundTable]]] = []
    for group in groups:
        whole = attempt(Stage.TABLES, group[0].page_no, None, _join, group)
        if whole is not None:
            joined.append((whole, group))
        else:
            joined += [(_join([part]), [part]) for part in group]
    return joined


def _goes_on(parts: list[FoundTable], second: FoundTable) -> bool:
    """Tell whether a table is the next page's part of the one before it."""
    first, last = parts[0], parts[-1]
    if second.page_no != last.page_no + 1:
        return False
    repeats = _n_repeated_rows(second, first) > 0
    is_alike = repeats and all(part.n_columns == second.n_columns for part in parts)
    if not is_alike and (
        abs(last.bbox.width - second.bbox.width) > SAME_WIDTH
        or _common_borders([*parts, second]) is None
    ):
        return False
    caption, continued = strip_continued(second.caption)
    if second.opens_page and repeats and caption:
        continued |= fold(caption) == fold(first.caption)
    titled = next((part for part in parts if part.label), None)
    if second.label and titled and fold(second.label) != fold(titled.label):
        return False
    # A label of the second part alone stands below the whole table, or is another table's.
    if (second.label and titled) or continued:
        return True
    if second.label and not second.label_below:
        return False
    if not (second.opens_page and last.closes_page):
        return False
    if repeats or _header(second):
        return repeats
    return second.n_columns == last.n_columns and _is_same_grid(last, second)


def _is_same_grid(first: FoundTable, second: FoundTable) -> bool:
    shift = second.bbox.left - first.bbox.left
    pairs = zip(first.column_borders, second.column_borders, strict=False)
    return all(abs(b - shift - a) <= SAME_BORDER for a, b in pairs)


def fold(text: str) -> str:
    """Reduce a text to what makes two headings equal."""
    return "".join(text.split()).casefold().rstrip(".:")


def _header(table: FoundTable) -> tuple[str, ...]:
    return tuple(fold(cell.text) for cell in table.cells if cell.is_header and cell.text)


def _n_repeated_rows(part: FoundTable, first: FoundTable) -> int:
    """Count the rows at the top of a part that repeat the heads of the first.

    Heads are compared as one text: on one page two columns may be read as one, or the first row
    below as another of heads.
    """
    heads = "".join(_header(part))
    if heads and heads == _top_rows(first, len(heads))[0]:
        return part.n_header_rows
    heads = "".join(_header(first))
    text, n_rows = _top_rows(part, len(heads))
    return n_rows if heads and heads == text else 0


def _top_rows(table: FoundTable, n_characters: int) -> tuple[str, int]:
    """Return the text of the first rows that have as many characters, and how many these are."""
    text = ""
    for row in range(table.n_rows):
        text += "".join(fold(cell.text) for cell in table.cells if cell.row == row)
        if len(text) >= n_characters:
            return text, row + 1
    return text, table.n_rows


def _common_borders(parts: Sequence[FoundTable]) -> list[float] | None:
    """Unite the columns of the parts, each from its own left side; None when they do not fit."""
    if not all(part.column_borders for part in parts):
        return None
    every = [x - part.bbox.left for part in parts for x in part.column_borders]
    borders = cluster(every, SAME_BORDER)
    n_most = max(part.n_columns for part in parts)
    if len(borders) - 1 > max(n_most + 2, round(1.3 * n_most)):
        return None
    for part in parts:
        places = [_nearest(borders, x - part.bbox.left) for x in part.column_borders]
        if len(set(places)) < len(places):
            return None
    return borders


def _nearest(borders: Sequence[float], x: float) -> int:
    return min(range(len(borders)), key=lambda k: abs(borders[k] - x))


def _join(parts: list[FoundTable]) -> Table:
    first = parts[0]
    borders = _common_borders(parts) if len(parts) > 1 else None
    cells: list[TableCell] = []
    n_rows = 0
    for part in parts:
        n_dropped = 0 if part is first else _n_repeated_rows(part, first)
        for cell in part.cells:
            if cell.row >= n_dropped:
                moved = replace(cell, row=cell.row + n_rows - n_dropped)
                if part is not first:
                    moved = replace(moved, is_header=False)
                cells.append(moved if borders is None else _fitted(moved, part, borders))
        n_rows += part.n_rows - n_dropped
    titled = next((part for part in parts if part.label), first)
    caption, _continued = strip_continued(titled.caption)
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return Table(
        label=titled.label,
        caption=caption,
        description="",
        n_rows=n_rows,
        n_columns=first.n_columns if borders is None else len(borders) - 1,
        cells=tuple(cells),
        notes=tuple(notes),
        provenances=tuple(Provenance(part.page_no, part.bbox) for part in parts),
        conditions=tuple(dict.fromkeys(one for part in parts for one in part.conditions)),
        scale_note=next((part.scale_note for part in parts if part.scale_note), ""),
    )


def _fitted(cell: TableCell, part: FoundTable, borders: Sequence[float]) -> TableCell:
    """Move a cell from the columns of its part to those of the whole table."""
    left = part.column_borders[cell.column] - part.bbox.left
    right = part.column_borders[cell.column + cell.column_span] - part.bbox.left
    column, end = _nearest(borders, left), _nearest(borders, right)
    if cell.column_span == 1 and end - column > 1 and cell.text:
        column, end = _own_column(cell, part, borders, column, end)
    return replace(cell, column=column, column_span=end - column)


def _own_column(
    cell: TableCell, part: FoundTable, borders: Sequence[float], column: int, end: int
) -> tuple[int, int]:
    """Find the column of the whole table that a cell stands in whose part has joined two."""
    box = union_of(place.bbox for place in cell.provenances)
    left, right = box.left - part.bbox.left, box.right - part.bbox.left
    for k in range(column, end):
        if borders[k] - _EDGE <= left and right <= borders[k + 1] + _EDGE:
            return k, k + 1
    return column, end


MIN_FILLED = 0.25
"""Share of the cells with text; the grid of a plot has next to none."""

MIN_FILLED_UNTITLED = 0.42
"""The same where no title says that it is a table."""

MIN_FILLED_SURE = 0.85
"""The same that tells a table however its lines end."""

MAX_LOOSE_ENDS = 0.12
"""Share of line ends that meet nothing."""

MIN_CELLS = 6
"""Fewer cells do not show how full a grid is."""

MIN_PINS = 9
"""Of a package, for its numbers to be no values that happen to be counted."""

END_TOLERANCE = 4.0
SIDE = 6.0


def _drop_empty(lattice: Lattice) -> None:
    """Take out rows and columns that no cell of their own fills: double lines, margins."""
    for start, span, borders in (
        ("row", "row_span", lattice.ys),
        ("column", "column_span", lattice.xs),
    ):
        for index in range(len(borders) - 2, -1, -1):
            own = [s for s in lattice.slots if (getattr(s, start), getattr(s, span)) == (index, 1)]
            if len(borders) > 2 and not any(slot.words for slot in own):
                # The space goes to what stands before, where a wrapped text would come from.
                del borders[index]
                for slot in lattice.slots:
                    first, n = getattr(slot, start), getattr(slot, span)
                    if first > index:
                        setattr(slot, start, first - 1)
                    elif index < first + n:
                        setattr(slot, span, n - 1)
                lattice.slots = [slot for slot in lattice.slots if getattr(slot, span)]


def _is_regular(lattice: Lattice, grid: LineGroup, is_titled: Callable[[], bool]) -> bool:
    """Tell the lattice of a table, as drawn, from the wires of a diagram or the grid of a plot.

    The lines of a table end at other lines and most of its cells hold text. Measured on 51
    datasheets: tables have less than 7 % of loose ends and more than half of the cells filled
    (frames of bits a third, under a title), diagrams 10 % and more, and under 45 %.

    Empty rows and columns are still in it; `is_titled` is asked in doubt.
    """
    boxes = [(lattice.box_of(slot), bool(slot.words)) for slot in lattice.slots]
    cells = [filled for box, filled in boxes if box.width > 6 and box.height > 6.5]
    share = sum(cells) / max(1, len(cells))
    # Dashes and white between cells leave ends loose, too, where nearly every cell holds text.
    if len(cells) >= MIN_CELLS and share > MIN_FILLED_SURE:
        return True
    horizontals, verticals = grid
    if _loose_ends(verticals, horizontals, None) > MAX_LOOSE_ENDS:
        return False
    if _loose_ends(horizontals, verticals, lattice) > 3 * MAX_LOOSE_ENDS:
        return False
    return share >= MIN_FILLED_UNTITLED or (share >= MIN_FILLED and is_titled())


def _loose_ends(lines: Sequence[Rule], others: Sequence[Rule], lattice: Lattice | None) -> float:
    """Share of ends that meet no line across; ends at the lattice's sides are not loose."""
    positions = np.repeat([line.position for line in lines], 2)
    ends = np.array([end for line in lines for end in (line.start, line.end)])
    at, start, end = np.array([(o.position, o.start, o.end) for o in others]).T
    meets = (
        (np.abs(at[None, :] - ends[:, None]) <= END_TOLERANCE)
        & (start[None, :] - END_TOLERANCE <= positions[:, None])
        & (positions[:, None] <= end[None, :] + END_TOLERANCE)
    ).any(axis=1)
    if lattice is not None:
        meets |= np.abs(ends - lattice.xs[0]) < SIDE
        meets |= np.abs(ends - lattice.xs[-1]) < SIDE
    return float(1 - meets.mean())


def _is_table(page: PageContent, lattice: Lattice, is_titled: Callable[[], bool]) -> bool:
    """Tell a table from a frame, a plot, a diagram or a page's border.

    A single row (the bits of a register) is a table under a title.
    """
    if lattice.n_columns < 2:
        return False
    filled = [slot for slot in lattice.slots if slot.words]
    if lattice.n_rows == 1:
        return (len(filled) >= 4 or len(filled) == len(lattice.slots)) and is_titled()
    if len(filled) < 4:
        return False
    return _is_full(lattice) or not _holds_drawings(page, lattice, filled)


def _is_full(lattice: Lattice) -> bool:
    """Tell rows and columns that hold text in each cell: neither plots nor diagrams do."""
    return min(lattice.n_rows, lattice.n_columns) > 2 and all(s.words for s in lattice.slots)


def _holds_drawings(page: PageContent, lattice: Lattice, filled: Sequence[Slot]) -> bool:
    """Curves and slanted lines in many of the cells belong to plots or a diagram."""
    box = lattice.bbox
    curved = _curves_in(page, box)
    if len(curved) < 2:
        return False
    spread = sum(min(one.area, box.area) for one in curved)
    if spread > 0.2 * box.area:
        return True
    n_drawn = sum(
        any(lattice.box_of(slot).contains_center(one) for one in curved) for slot in filled
    )
    return n_drawn > 0.4 * len(filled)


def _curves_in(page: PageContent, area: BoundingBox) -> list[BoundingBox]:
    boxes = [drawing.bbox for drawing in page.drawings if drawing.has_curves]
    return [box for box in boxes if max(box.width, box.height) > 4 and area.contains_center(box)]


def _is_trusted(page: PageContent, table: FoundTable, lattice: Lattice) -> bool:
    """Tell whether a table without title and headings is one all the same.

    Pin-outs, frames of bits and sheets of plots have neither; a table's rows are of plain cells.
    """
    if lattice.n_header is None and not table.label and _are_pins(page, lattice):
        return False
    if table.label or table.n_header_rows:
        return True
    filled = [slot for slot in lattice.slots if slot.words]
    n_plain = sum(slot.row_span == slot.column_span == 1 for slot in filled)
    is_whole = all(slot.words for slot in lattice.slots)
    if (lattice.n_rows < 3 or len(filled) < 8) and not is_whole:
        return False
    if n_plain < 0.65 * len(filled):
        return False
    if _n_foreign(page, lattice) > 0.3 * len(filled):
        return False
    return share_covered(lattice.bbox, (image.bbox for image in page.images)) <= 0.05


def _are_pins(page: PageContent, lattice: Lattice) -> bool:
    """Tell the pins of a package, counted round it: several in a row, no number missing."""
    lines = [line for slot in lattice.slots for line in lattice.lines_of(slot)]
    runs = [run.words for line in lines for run in line_runs(page.words, line)]
    texts = [page.words[i].text for i, *rest in runs if not rest]
    pins = sorted(int(text) for text in texts if text.isdecimal())
    is_counted = len(pins) >= MIN_PINS and pins == [*range(pins[0], pins[-1] + 1)]
    return is_counted and len(pins) > lattice.n_rows


def _n_foreign(page: PageContent, lattice: Lattice) -> int:
    """Count strokes inside a table that are none of its borders, and curves."""
    n_strokes = sum(
        rule.length > 8
        and lattice.bbox.contains_center(rule.bbox)
        and min(abs(rule.position - border) for border in borders) > 5
        for rule in page.rules
        for borders in [lattice.ys if rule.horizontal else lattice.xs]
    )
    return len(_curves_in(page, lattice.bbox)) + n_strokes


MAX_TITLE_LINES = 3
"""Of a title with its conditions; a row across the table that holds more is text in a frame."""

MIN_SHARED_HEADS = 2
"""Heads of the table that stand again under a row across it begin a second table, where they are
half of the row."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What a row of a grid holds; `across` when that is one text over the whole width."""

    words: tuple[int, ...]
    texts: tuple[str, ...]
    across: bool
    n_lines: int

    @property
    def is_free(self) -> bool:
        """True for notes, conditions and other text that names no table."""
        return (
            self.n_lines > MAX_TITLE_LINES
            or starts_note(self.texts[0])
            or not without_conditions(self.texts[0])
        )

    @property
    def are_heads(self) -> bool:
        """True when the row may name columns: short texts, none of them a number."""
        return len(self.texts) > 1 and not any(
            len(text) > MAX_HEAD or (is_value(text) and any(map(str.isdigit, text)))
            for text in self.texts
        )


def _part_lattice(lattice: Lattice) -> list[Lattice]:
    """Part a grid without empty rows and columns into its tables, from top to bottom.

    Each has the words of its title row; a grid that is one table and no more is returned as it is.
    """
    if lattice.n_header is not None:
        return [lattice]  # how it was found told where it begins and ends
    rows = [_row(lattice, row) for row in range(lattice.n_rows)]
    end = len(rows)
    while end > 1 and rows[end - 1].across and rows[end - 1].is_free:
        end -= 1
    parts: list[Lattice] = []
    first, title = 0, tuple[int, ...]()
    heads: set[str] = set()
    for index, row in enumerate(rows[:end]):
        below = next((one for one in rows[index:end] if not one.across), None)
        if not heads and below is not None:
            heads = set(below.texts)
        begins = index == first or (below is not None and _share_heads(heads, below))
        is_title = row.across and (
            table_label(row.texts[0]) or (below is not None and below.are_heads)
        )
        if not (row.across and begins and (row.is_free or is_title)):
            continue
        if index > first:
            parts.append(_rows_of(lattice, first, index, title))
            title = ()
        title = () if row.is_free else (*title, *row.words)
        first = index + 1
    parts.append(_rows_of(lattice, first, end, title))
    return [part for part in parts if part.n_rows > 1] or [lattice]


def _share_heads(heads: set[str], row: _Row) -> bool:
    n_shared = len(heads & set(row.texts))
    return n_shared >= MIN_SHARED_HEADS and 2 * n_shared >= len(row.texts)


def _row(lattice: Lattice, row: int) -> _Row:
    slots = tuple(s for s in lattice.slots if s.row <= row <= s.last_row and s.words)
    texts = tuple(lattice.text_of(slot) for slot in slots)
    is_whole = len(slots) == 1 and slots[0].column_span == lattice.n_columns
    # The white between "Table 5." and its title may be taken for a border of columns.
    is_labelled = (
        0 < len(slots) <= 2 and slots[0].column == 0 and table_label(" ".join(texts)) is not None
    )
    across = (
        lattice.n_columns > 1
        and (is_whole or is_labelled)
        and all(slot.row_span == 1 for slot in slots)
        and sum(map(str.isalpha, texts[0])) > 2
        and not is_value(texts[0])
    )
    words = [index for slot in slots for index in slot.words]
    n_lines = len(text_lines(lattice.words, words)) if across else 0
    return _Row(tuple(words), (" ".join(texts),) if across else texts, across, n_lines)


def _rows_of(lattice: Lattice, first: int, end: int, title: tuple[int, ...]) -> Lattice:
    """Return some rows of a lattice as one of their own."""
    slots = []
    for slot in lattice.slots:
        start, last = max(slot.row, first), min(slot.last_row, end - 1)
        if start <= last:
            slots.append(replace(slot, row=start - first, row_span=last - start + 1))
    ys = lattice.ys[first : end + 1]
    return replace(lattice, xs=list(lattice.xs), ys=ys, slots=slots, title=title)


MIN_TURNED = 0.6
"""Share of the page's words that lie on their side."""

_IGNORED = 45
_DESCENT = 0.22
"""Of the font size, from the lower edge of a word to its baseline."""


def _turned_upright(page: PageContent, angle: int) -> PageContent:
    """Turn a page so that words of an angle read from left to right; other words are ignored."""
    turned = Turn(360 - angle, page.width, page.height).box_as_displayed
    words = []
    for word in page.words:
        box = turned(word.bbox)
        words.append(
            replace(
                word,
                bbox=box,
                baseline=box.bottom - _DESCENT * word.size,
                angle=0 if word.angle == angle else _IGNORED,
            )
        )
    rules = [(rule, rule_along(turned(rule.bbox))) for rule in page.rules]
    return replace(
        page,
        width=page.height,
        height=page.width,
        words=tuple(words),
        rules=tuple(replace(r, thickness=of.thickness, drawn=of.drawn) for of, r in rules),
        fills=tuple(replace(fill, bbox=turned(fill.bbox)) for fill in page.fills),
        drawings=tuple(replace(drawing, bbox=turned(drawing.bbox)) for drawing in page.drawings),
        images=tuple(replace(image, bbox=turned(image.bbox)) for image in page.images),
    )


def _turned_back(table: FoundTable, page: PageContent, angle: int) -> FoundTable:
    """Move a table found on a page turned upright by an angle to where it stands on the page."""
    turn = Turn(angle, page.height, page.width)
    box = turn.box_as_displayed(table.bbox)
    return replace(places_back(table, {page.page_no: turn}), bbox=box, column_borders=())
