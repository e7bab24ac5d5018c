"""Tables of a page, with and without rules, and their joining over pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_align import split_unruled_bands
from desktop_qa.parse.table_captions import find_notes, find_title, reference_marks, strip_continued
from desktop_qa.parse.table_columns import merge_crossed, split_columns
from desktop_qa.parse.table_grid import Lattice, Slot, build_lattice, find_grids
from desktop_qa.parse.table_header import count_header_rows
from desktop_qa.parse.table_lines import collect_lines
from desktop_qa.parse.table_rows import split_stacked_rows
from desktop_qa.parse.table_shape import drop_empty, is_regular, is_table
from desktop_qa.parse.table_text import join_lines_of_text, text_lines

from desktop_qa.parse.table_unruled import find_unruled


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The part of a table that stands on one page.

    Attributes:
        cells: Rows and columns count within this part.
        word_indices: Into `page.words`: cells, caption and notes.
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


def find_tables(page: PageContent) -> tuple[FoundTable, ...]:
    """Find the tables of a page, from top to bottom."""
    lattices = _lattices(page)
    taken = frozenset(i for lattice in lattices for slot in lattice.slots for i in slot.words)
    found: list[FoundTable] = []
    used = taken
    for lattice in sorted(lattices, key=lambda one: (one.ys[0], one.xs[0])):
        table = _make_table(page, lattice, used)
        used |= table.word_indices
        found.append(table)
    return tuple(found)


def _lattices(page: PageContent) -> list[Lattice]:
    lattices: list[Lattice] = []
    lines = collect_lines(page)
    for horizontals, verticals in find_grids(lines):
        lattice = build_lattice(horizontals, verticals)
        if lattice is None:
            continue
        _place_words(page, lattice)
        merge_crossed(lattice, page.words)
        is_titled = partial(_is_titled, page, lattice)
        if not is_regular(lattice, horizontals, verticals, is_titled):
            continue
        drop_empty(lattice)
        if not is_table(page, lattice, is_titled) or _is_inside_another(lattice, lattices):
            continue
        split_columns(lattice, page.words)
        split_unruled_bands(lattice, page.words)
        split_stacked_rows(lattice, page.words)
        lattices.append(lattice)
    lattices.extend(find_unruled(page, lines, [lattice.bbox for lattice in lattices]))
    return lattices


def _is_titled(page: PageContent, lattice: Lattice) -> bool:
    taken = frozenset(i for slot in lattice.slots for i in slot.words)
    return find_title(page, lattice.bbox, taken) is not None


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
        x = (word.bbox.left + word.bbox.right) / 2
        y = (word.bbox.top + word.bbox.bottom) / 2
        column = _interval(lattice.xs, x)
        row = _interval(lattice.ys, y)
        if column is not None and row is not None:
            owner[row, column].words.append(index)


def _interval(borders: Sequence[float], value: float) -> int | None:
    if not borders[0] <= value <= borders[-1]:
        return None
    for k in range(len(borders) - 1):
        if value <= borders[k + 1]:
            return k
    return None


def _make_table(page: PageContent, lattice: Lattice, used: frozenset[int]) -> FoundTable:
    lines = {id(slot): text_lines(page.words, slot.words) for slot in lattice.slots}
    texts = {key: join_lines_of_text([line.text for line in of]) for key, of in lines.items()}
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
                provenances=tuple(Provenance(page.page_no, box) for box in boxes),
            )
        )
    cells.sort(key=lambda cell: (cell.row, cell.column))
    words = {i for slot in lattice.slots for i in slot.words}
    marks = reference_marks(page.words, words)
    notes, note_words = find_notes(page, lattice.bbox, used, marks)
    notes_bottom = max((page.words[i].bbox.bottom for i in note_words), default=0.0)
    title = find_title(page, lattice.bbox, used | frozenset(note_words), notes_bottom)
    words.update(note_words, title.word_indices if title else ())
    return FoundTable(
        page_no=page.page_no,
        bbox=lattice.bbox,
        cells=tuple(cells),
        n_rows=lattice.n_rows,
        n_columns=lattice.n_columns,
        n_header_rows=n_header,
        label=title.label if title else "",
        caption=title.caption if title else "",
        notes=tuple(notes),
        word_indices=frozenset(words),
    )


def join_continued(
    tables: Sequence[FoundTable],
) -> list[tuple[Table, list[FoundTable]]]:
    """Join the parts of tables that run over pages; a repeated header is dropped.

    Args:
        tables: All parts of a document, by page and position.

    Returns:
        Tables in the order of their first part, each with its parts.
    """
    groups: list[list[FoundTable]] = []
    for table in tables:
        if groups and _goes_on(groups[-1][-1], table):
            groups[-1].append(table)
        else:
            groups.append([table])
    return [(_join(group), group) for group in groups]


def _goes_on(first: FoundTable, second: FoundTable) -> bool:
    if second.page_no != first.page_no + 1 or second.n_columns != first.n_columns:
        return False
    if second.label and first.label and _fold(second.label) != _fold(first.label):
        return False
    if second.label and second.label == first.label:
        return True
    _caption, continued = strip_continued(second.caption)
    if continued:
        return True
    if second.label:
        return False
    same_place = (
        abs(first.bbox.left - second.bbox.left) < 12
        and abs(first.bbox.right - second.bbox.right) < 12
    )
    headers = _header(first), _header(second)
    return same_place and (headers[0] == headers[1] or not headers[1])


def _fold(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(".:")


def _header(table: FoundTable) -> tuple[str, ...]:
    return tuple(_fold(cell.text) for cell in table.cells if cell.is_header)


def _join(parts: list[FoundTable]) -> Table:
    first = parts[0]
    cells: list[TableCell] = []
    n_rows = 0
    for part in parts:
        n_dropped = 0
        if part is not first and _header(part) == _header(first):
            n_dropped = part.n_header_rows
        offset = n_rows - n_dropped
        cells.extend(
            replace(cell, row=cell.row + offset, is_header=cell.is_header and part is first)
            for cell in part.cells
            if cell.row >= n_dropped
        )
        n_rows += part.n_rows - n_dropped
    caption, _continued = strip_continued(first.caption)
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return Table(
        label=first.label,
        caption=caption,
        description="",
        n_rows=n_rows,
        n_columns=first.n_columns,
        cells=tuple(cells),
        notes=tuple(notes),
        provenances=tuple(Provenance(part.page_no, part.bbox) for part in parts),
    )
