"""Tables that run over pages: which parts belong together, and one table out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.table_captions import strip_continued
from desktop_qa.parse.table_grid import cluster

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
    """Join the parts of tables that run over pages; a repeated header is dropped.

    Args:
        tables: All parts of a document, by page and position.

    Returns:
        Tables in the order of their first part, each with its parts.
    """
    groups: list[list[FoundTable]] = []
    for table in tables:
        goes_on = bool(groups) and attempt(
            Stage.TABLES, table.page_no, False, _goes_on, groups[-1], table
        )
        if goes_on:
            groups[-1].append(table)
        else:
            groups.append([table])
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
    """Unite the columns of the parts, each measured from its own left side.

    Returns:
        None when the parts have columns that do not fit into one another.
    """
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
    box = cell.provenances[0].bbox
    for place in cell.provenances[1:]:
        box = box.union(place.bbox)
    left, right = box.left - part.bbox.left, box.right - part.bbox.left
    for k in range(column, end):
        if borders[k] - _EDGE <= left and right <= borders[k + 1] + _EDGE:
            return k, k + 1
    return column, end
