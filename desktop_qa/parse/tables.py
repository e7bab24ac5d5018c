"""Tables of a page, with and without rules, and their joining over pages."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from desktop_qa.core.document import BoundingBox, Provenance, TableCell
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_captions import (
    Notes,
    Title,
    find_notes,
    find_titles,
    reference_marks,
)
from desktop_qa.parse.table_columns import merge_crossed, split_columns
from desktop_qa.parse.table_grid import Lattice, Slot, build_lattice, find_grids
from desktop_qa.parse.table_header import count_header_rows
from desktop_qa.parse.table_join import FoundTable, join_continued
from desktop_qa.parse.table_lines import Line, LineSet, collect_lines
from desktop_qa.parse.table_rows import segment_bands
from desktop_qa.parse.table_shape import drop_empty, is_regular, is_table, is_trusted
from desktop_qa.parse.table_text import bbox_of, join_lines_of_text, text_lines
from desktop_qa.parse.table_turned import turn_back, turn_upright, turned_angle
from desktop_qa.parse.table_unruled import find_unruled

__all__ = ["FoundTable", "find_tables", "join_continued"]

_NO_NOTES = Notes((), ())

MARGIN = 0.115
"""Share of the page's height at top and bottom that running headers and footers take."""

MAX_REPEATED_WORDS = 60
"""Of a heading and its conditions, repeated over the next part of a table."""


def find_tables(
    page: PageContent, headings: Sequence[BoundingBox] = (), lines: LineSet | None = None
) -> tuple[FoundTable, ...]:
    """Find the tables of a page, from top to bottom.

    Args:
        page: Its words, without those of known headings.
        headings: Where those headings stand: the rules above and below one are of two tables, or
            of a table and the page's header.
        lines: Of the page, where they are known.
    """
    angle = turned_angle(page)
    if not angle:
        return _find_upright(page, lines or collect_lines(page), headings)
    upright = turn_upright(page, angle)
    found = _find_upright(upright, collect_lines(upright))
    return tuple(turn_back(table, page, angle) for table in found)


def _find_upright(
    page: PageContent, lines: LineSet, headings: Sequence[BoundingBox] = ()
) -> tuple[FoundTable, ...]:
    lattices = sorted(_lattices(page, lines, headings), key=lambda one: (one.ys[0], one.xs[0]))
    used = {i for lattice in lattices for slot in lattice.slots for i in slot.words}
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
    titles = attempt(
        Stage.TABLES, page.page_no, untitled, find_titles, page, boxes, places, frozenset(used)
    )
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
    table = _make_table(page, lattice, notes, title)
    return table if is_trusted(page, table, lattice) else None


def _lattices(page: PageContent, lines: LineSet, headings: Sequence[BoundingBox]) -> list[Lattice]:
    lattices: list[Lattice] = []
    frames: list[Lattice] = []
    for grid in find_grids(lines):
        lattice = attempt(
            Stage.TABLES, page.page_no, None, _lattice_of, page, *grid, lattices, frames
        )
        if lattice is not None:
            lattices.append(lattice)
    taken = [one.bbox for one in lattices]
    unruled = partial(find_unruled, page, lines, taken, frames, headings)
    lattices.extend(attempt(Stage.TABLES, page.page_no, [], unruled))
    return lattices


def _lattice_of(
    page: PageContent,
    horizontals: Sequence[Line],
    verticals: Sequence[Line],
    others: Sequence[Lattice],
    frames: list[Lattice],
) -> Lattice | None:
    """Read a grid of rules as a table; one of a single column is noted as a frame."""
    lattice = build_lattice(horizontals, verticals)
    if lattice is None:
        return None
    _place_words(page, lattice)
    merge_crossed(lattice, page.words)
    is_titled = partial(_is_titled, page, lattice)
    if not is_regular(lattice, horizontals, verticals, is_titled):
        return None
    drop_empty(lattice)
    if lattice.n_columns == 1:
        frames.append(lattice)
    if not is_table(page, lattice, is_titled) or _is_inside_another(lattice, others):
        return None
    split_columns(lattice, page.words)
    segment_bands(lattice, page.words)
    return lattice


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
    for index, word in enumerate(page.words):
        if word.angle != 0:
            continue
        # The middle decides: a text may touch a border, and subscripts reach over it.
        x = (word.bbox.left + word.bbox.right) / 2
        y = (word.bbox.top + word.bbox.bottom) / 2
        place = bisect.bisect_left(lattice.ys, y) - 1, bisect.bisect_left(lattice.xs, x) - 1
        if place in owner:
            owner[place].words.append(index)


def _make_table(
    page: PageContent, lattice: Lattice, notes: Notes, title: Title | None
) -> FoundTable:
    lines = {id(slot): text_lines(page.words, slot.words) for slot in lattice.slots}
    texts = {key: join_lines_of_text([line.text for line in of]) for key, of in lines.items()}
    n_header = count_header_rows(lattice, page.words, texts, page.fills, titled=title is not None)
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
                provenances=tuple(Provenance(page.page_no, box) for box in boxes),
            )
        )
    cells.sort(key=lambda cell: (cell.row, cell.column))
    words = {i for slot in lattice.slots for i in slot.words}
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
