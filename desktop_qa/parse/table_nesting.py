"""Sub-rows: rows whose label is indented belong to the row above them.

"Operating temperature" stands on a row of its own, and under it, indented, "LM224" and "LM124" with
their values. The label of the parent is made to span its sub-rows, in a column of its own, so that
each value keeps its parameter.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import Table, TableCell
from desktop_qa.parse.table_statements import is_statement

MIN_INDENT_PT = 3.5
MAX_INDENT_PT = 40.0
_SAME_LEFT_PT = 0.8
_MIN_AT_BASE = 0.35
"""Share of a column's labels that begin at its base: others are centred."""

_SAME_CENTER_PT = 2.5
_MAX_CENTERED = 0.5
_MAX_DEPTH = 2


@dataclass(frozen=True, slots=True)
class _Label:
    """A cell of a label column; `indent` and `center` in points from the column's base."""

    cell: TableCell
    indent: float
    center: float


def nest_sub_rows(table: Table) -> Table:
    """Let the label of each row span the indented rows below it.

    A column in which labels are indented becomes two: the parent's and the sub-rows'.
    """
    if is_statement(table):
        return table  # its sums are set further in than what they sum up
    column = depth = 0
    while column < table.n_columns and depth < _MAX_DEPTH:
        families = _families(table, column)
        if families:
            table = _split(table, column, families)
            depth += 1
        column += 1
    return table


def _families(table: Table, column: int) -> dict[TableCell, int]:
    """Find parents in a column.

    Returns:
        The parent's cell and the last row of its sub-rows.
    """
    labels = _labels(table, column)
    if len(labels) < 3 or not _is_set_left(labels):
        return {}
    filled = [(cell.row, cell.column) for cell in table.cells if cell.text and not cell.is_header]
    families: dict[TableCell, int] = {}
    parent: _Label | None = None
    last_row = -1
    for label, following in itertools.zip_longest(labels, labels[1:]):
        cell = label.cell
        if label.indent < MIN_INDENT_PT:
            parent, last_row = label, cell.row + cell.row_span - 1
            continue
        has_values = sum(char.isalpha() for char in cell.text) >= 2 and any(
            row == cell.row and of > cell.column + cell.column_span - 1 for row, of in filled
        )
        leads = following is not None and following.indent - label.indent >= MIN_INDENT_PT
        if parent is None or cell.row != last_row + 1 or not (has_values or leads):
            parent = None
            continue
        last_row = cell.row + cell.row_span - 1
        families[parent.cell] = last_row
    return families


def _labels(table: Table, column: int) -> list[_Label]:
    """Return the labels of a column from the top, a column of numbers has none."""
    cells = sorted(
        (
            cell
            for cell in table.cells
            if cell.column == column and not cell.is_header and cell.text and cell.provenances
        ),
        key=lambda cell: cell.row,
    )
    n_words = sum(sum(char.isalpha() for char in cell.text) >= 2 for cell in cells)
    if n_words < 0.7 * len(cells):
        return []
    bases: dict[int, float] = {}
    for cell in cells:
        page_no, left = cell.provenances[0].page_no, left_of(cell)
        bases[page_no] = min(bases.get(page_no, left), left)
    labels = []
    for cell in cells:
        first = cell.provenances[0]
        box, base = first.bbox, bases[first.page_no]
        for place in cell.provenances[1:]:
            box = box.union(place.bbox) if place.page_no == first.page_no else box
        # A first line that begins further right than the next is centred, not indented.
        indent = left_of(cell) - base if first.bbox.left - box.left < MIN_INDENT_PT else 0.0
        labels.append(_Label(cell, indent, (box.left + box.right) / 2 - base))
    return labels


def left_of(cell: TableCell) -> float:
    """Return where a printed text begins, in points, behind a star that hangs before it."""
    box = cell.provenances[0].bbox
    mark, _, rest = cell.text.partition(" ")
    n_characters = len(cell.text) / len(cell.provenances)
    is_hung = bool(rest) and not mark.strip("*†‡•")
    return box.left + is_hung * box.width * (len(mark) + 1) / n_characters


def _is_set_left(labels: Sequence[_Label]) -> bool:
    """Tell a column set to the left, with indents, from one that is centred."""
    centers = sorted(label.center for label in labels)
    middle = centers[len(centers) // 2]
    if sum(abs(c - middle) < _SAME_CENTER_PT for c in centers) > _MAX_CENTERED * len(centers):
        return False
    steps: list[float] = []
    for label in sorted(labels, key=lambda one: one.indent):
        if not steps or label.indent - steps[-1] > _SAME_LEFT_PT:
            steps.append(label.indent)
    if len(steps) < 2 or len(steps) > 3 or steps[1] < MIN_INDENT_PT or steps[-1] > MAX_INDENT_PT:
        return False
    at_base = sum(label.indent < MIN_INDENT_PT for label in labels)
    return at_base >= _MIN_AT_BASE * len(labels)


def _split(table: Table, column: int, families: dict[TableCell, int]) -> Table:
    """Give the parents of a column a column of their own."""
    sub_rows = {row for parent, last in families.items() for row in range(parent.row + 1, last + 1)}
    cells: list[TableCell] = []
    for cell in table.cells:
        if cell in families:
            rest = replace(
                cell,
                column=column + 1,
                text="",
                row_span=cell.row_span,
                provenances=cell.provenances[:1],
            )
            span = families[cell] - cell.row + 1
            cells += [replace(cell, row_span=span, column_span=1), rest]
        elif cell.column > column:
            cells.append(replace(cell, column=cell.column + 1))
        elif cell.column == column and cell.row in sub_rows:
            cells.append(replace(cell, column=column + 1))
        elif cell.column + cell.column_span > column:
            cells.append(replace(cell, column_span=cell.column_span + 1))
        else:
            cells.append(cell)
    cells.sort(key=lambda cell: (cell.row, cell.column))
    return replace(table, n_columns=table.n_columns + 1, cells=tuple(cells))
