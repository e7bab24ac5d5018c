"""Tables of a page, with and without rules, and their joining over pages."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from desktop_qa.core.document import BoundingBox, Provenance, TableCell
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.amounts import is_telling
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_amounts import find_statements
from desktop_qa.parse.table_captions import (
    Notes,
    Title,
    find_notes,
    find_titles,
    read_title,
    reference_marks,
    starts_note,
)
from desktop_qa.parse.table_columns import merge_crossed, part_at_heads, split_columns
from desktop_qa.parse.table_frame import part_lattice
from desktop_qa.parse.table_grid import (
    MERGE_DISTANCE,
    Lattice,
    Slot,
    build_lattice,
    extent,
    find_grids,
    join_over_bands,
)
from desktop_qa.parse.table_header import count_header_rows
from desktop_qa.parse.table_join import FoundTable, join_continued
from desktop_qa.parse.table_lines import Line, LineSet, collect_lines
from desktop_qa.parse.table_page_rows import PageRow, page_rows, text_of
from desktop_qa.parse.table_regions import MAX_ROW_GAP, SAME_EXTENT, rows_between, rule_levels
from desktop_qa.parse.table_rows import part_stacked_heads, segment_bands
from desktop_qa.parse.table_shape import drop_empty, is_regular, is_table, is_trusted
from desktop_qa.parse.table_text import bbox_of, join_lines_of_text, leaders, text_lines
from desktop_qa.parse.table_turned import turn_back, turn_upright, turned_angle
from desktop_qa.parse.table_unruled import find_unruled

__all__ = [
    "FoundTable",
    "find_group_headings",
    "find_tables",
    "join_continued",
    "titles_stand_above",
]

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
    captions_above: bool | None = None,
    lines: LineSet | None = None,
) -> tuple[FoundTable, ...]:
    """Find the tables of a page, from top to bottom.

    Args:
        page: Its words, without those of known headings.
        headings: Where those headings stand: the rules above and below one are of two tables, or
            of a table and the page's header.
        captions_above: On which side of its tables the document has their titles, once that is
            known from all of its pages.
        lines: Of the page, where they are known.
    """
    angle = turned_angle(page)
    if not angle:
        return _find_upright(page, headings, captions_above, lines)
    upright = turn_upright(page, angle)
    return tuple(turn_back(t, page, angle) for t in _find_upright(upright, (), captions_above))


def titles_stand_above(pages: Iterable[Sequence[FoundTable]]) -> bool | None:
    """Tell on which side most tables have their labels; None where none or as many say either."""
    sides = Counter(table.label_below for page in pages for table in page if table.label)
    return None if sides[True] == sides[False] else sides[False] > sides[True]


def _find_upright(
    page: PageContent,
    headings: Sequence[BoundingBox],
    captions_above: bool | None,
    lines: LineSet | None = None,
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
    places = [
        lattice.bbox.union(bbox_of(page.words, found.word_indices))
        if found.word_indices
        else lattice.bbox
        for lattice, found in zip(lattices, notes, strict=True)
    ]
    boxes = [lattice.bbox for lattice in lattices]
    untitled: list[Title | None] = [None] * len(lattices)
    find = partial(find_titles, page, boxes, places, frozenset(used), captions_above)
    titles = attempt(Stage.TABLES, page.page_no, untitled, find)
    tables = [
        attempt(Stage.TABLES, page.page_no, None, _trusted_table, page, *parts)
        for parts in zip(lattices, notes, titles, strict=True)
    ]
    kept = [table for table in tables if table is not None]
    return tuple(_with_neighbourhood(page, table, kept) for table in kept)


def _notes_of(page: PageContent, lattice: Lattice, used: frozenset[int]) -> Notes:
    marks = reference_marks(page.words, [i for s in lattice.slots for i in s.words])
    return find_notes(page, lattice.bbox, used, marks)


def _trusted_table(
    page: PageContent, lattice: Lattice, notes: Notes, title: Title | None
) -> FoundTable | None:
    if lattice.title and (title is None or not title.label):
        title = read_title(page, lattice.title)
    table = _make_table(page, lattice, notes, title)
    return table if is_trusted(page, table, lattice) else None


def find_group_headings(page: PageContent) -> list[BoundingBox]:
    """Find the texts that stand across ruled tables between their rows: no headings of the text."""
    return [
        bbox_of(page.words, slot.words)
        for lattice in _ruled(page, collect_lines(page), [])
        for slot in lattice.slots
        if slot.words and slot.row > 0 and slot.column_span == lattice.n_columns
    ]


def _lattices(page: PageContent, lines: LineSet, headings: Sequence[BoundingBox]) -> list[Lattice]:
    frames: list[Lattice] = []
    lattices = _without_statements(page, _ruled(page, lines, frames), frames)
    small = [one for one in lattices if one.n_rows <= MAX_HEAD_ROWS]
    rows = page_rows(page, ()) if small else []
    heads = []
    for one in small:
        levels = rule_levels(lines, [other.bbox for other in lattices if other is not one])
        if _are_heads(one, page.words, rows, levels):
            heads.append(one)
    lattices = [one for one in lattices if one not in heads]
    taken = [one.bbox for one in lattices]
    unruled = partial(find_unruled, page, lines, taken, frames, headings, heads)
    for lattice in attempt(Stage.TABLES, page.page_no, [], unruled):
        lattices += part_lattice(page, lattice)
    return lattices + [one for one in heads if not _is_inside_another(one, lattices)]


def _are_heads(
    lattice: Lattice,
    words: Sequence[StyledWord],
    rows: Sequence[PageRow],
    levels: Sequence[Line],
) -> bool:
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
    if starts_note(text_of(words, band[0])):
        return False
    runs = [run for row in band for run in row.runs]
    is_row = len(runs) > len(band) or end - box.bottom < MAX_ROW_GAP * band[0].size
    borders = lattice.xs[1:-1]
    return is_row and not any(run.left < x - 1 < x + 1 < run.right for run in runs for x in borders)


def _ruled(page: PageContent, lines: LineSet, frames: list[Lattice]) -> list[Lattice]:
    """Read the grids of a page, the smallest first: a larger one may frame it, or hold it."""
    grids = join_over_bands(find_grids(lines), page.words)
    lattices: list[Lattice] = []
    for grid in sorted(grids, key=lambda group: extent(group).area):
        found = attempt(Stage.TABLES, page.page_no, [], _lattices_of, page, *grid, lattices, frames)
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
    if not any(_is_of_amounts(page, lattice) for lattice in lattices):
        return lattices
    statements = attempt(Stage.TABLES, page.page_no, [], _statements_of, page)
    left_out = [
        lattice
        for lattice in lattices
        if _is_of_amounts(page, lattice)
        and any(
            one.bbox.intersection_area(lattice.bbox) > 0
            and one.ys[0] < lattice.ys[0]
            and sum(lattice.ys[-2:]) / 2 < one.ys[-1]
            for one in statements
        )
    ]
    frames += left_out
    return [lattice for lattice in lattices if lattice not in left_out]


def _statements_of(page: PageContent) -> list[Lattice]:
    return find_statements(page, page_rows(page, ()))


def _is_of_amounts(page: PageContent, lattice: Lattice) -> bool:
    """Tell whether some words of a grid are written as amounts are."""
    return any(is_telling(page.words[i].text) for slot in lattice.slots for i in slot.words)


def _lattices_of(
    page: PageContent,
    horizontals: Sequence[Line],
    verticals: Sequence[Line],
    smaller: Sequence[Lattice],
    frames: list[Lattice],
) -> list[Lattice]:
    """Read a grid of rules as tables; one of a single column is noted as a frame."""
    lattice = build_lattice(horizontals, verticals)
    if lattice is None:
        return []
    _place_words(page, lattice)
    merge_crossed(lattice, page.words)
    is_titled = partial(_is_titled, page, lattice)
    if not is_regular(lattice, horizontals, verticals, is_titled):
        return []
    drop_empty(lattice)
    if lattice.n_columns == 1:
        frames.append(lattice)
    if not is_table(page, lattice, is_titled):
        return []
    parts = part_lattice(page, lattice)
    parts = [part for part in parts if not _is_frame(part, smaller)]
    for part in parts:
        if len(parts) > 1:
            drop_empty(part)
        part_stacked_heads(part, page.words)
        split_columns(part, page.words)
        part_at_heads(part, page.words)
        segment_bands(part, page.words)
    return parts


def _is_titled(page: PageContent, lattice: Lattice) -> bool:
    taken = frozenset(i for slot in lattice.slots for i in slot.words)
    return find_titles(page, [lattice.bbox], [lattice.bbox], taken) != [None]


def _is_inside_another(lattice: Lattice, others: Sequence[Lattice]) -> bool:
    box = lattice.bbox
    return any(box.intersection_area(other.bbox) > 0.5 * box.area for other in others)


def _place_words(page: PageContent, lattice: Lattice) -> None:
    owner: dict[tuple[int, int], Slot] = {}
    for slot in lattice.slots:
        for row in range(slot.row, slot.last_row + 1):
            for column in range(slot.column, slot.last_column + 1):
                owner[row, column] = slot
    # Turned words come last: they head the rows beside them where nothing else stands in the cell.
    for index in sorted(range(len(page.words)), key=lambda i: page.words[i].angle != 0):
        word = page.words[index]
        # The middle decides: a text may touch a border, and subscripts reach over it.
        x = (word.bbox.left + word.bbox.right) / 2
        y = (word.bbox.top + word.bbox.bottom) / 2
        place = bisect.bisect_left(lattice.ys, y) - 1, bisect.bisect_left(lattice.xs, x) - 1
        home = owner.get(place)
        if home is None or (word.angle and (home.row_span == 1 or _holds_upright(page, home))):
            continue
        home.words.append(index)


def _holds_upright(page: PageContent, slot: Slot) -> bool:
    return any(page.words[i].angle == 0 for i in slot.words)


def _make_table(
    page: PageContent, lattice: Lattice, notes: Notes, title: Title | None
) -> FoundTable:
    lines = {id(slot): text_lines(page.words, slot.words) for slot in lattice.slots}
    texts = {key: join_lines_of_text([line.text for line in of]) for key, of in lines.items()}
    n_header = lattice.n_header
    if n_header is None:
        n_header = count_header_rows(lattice, page.words, texts, page.fills)
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


def _with_neighbourhood(
    page: PageContent, table: FoundTable, tables: Sequence[FoundTable]
) -> FoundTable:
    """Note whether the table begins and ends the text of its page, footnotes aside."""
    used = frozenset[int]().union(*(one.word_indices for one in tables))
    sizes = sorted(page.words[i].size for i in table.word_indices)
    small = 0.9 * sizes[len(sizes) // 2] if sizes else 0.0
    n_above = 0
    n_below = 0
    # A repeated heading ("... (continued)") may stand as high as a running header.
    continued = False
    for index, word in enumerate(page.words):
        y = (word.bbox.top + word.bbox.bottom) / 2
        if word.angle == 0 and y < table.bbox.top:
            text = word.text.casefold()
            continued |= "continued" in text or "cont'd" in text
        if word.angle != 0 or not MARGIN * page.height < y < (1 - MARGIN) * page.height:
            continue
        other = index in used and index not in table.word_indices
        if y < table.bbox.top and (other or index not in used):
            n_above += 1
        elif y > table.bbox.bottom and word.size > small and (other or index not in used):
            n_below += 1
    opens = not n_above or (continued and n_above < MAX_REPEATED_WORDS)
    return replace(table, opens_page=opens, closes_page=n_below == 0)
