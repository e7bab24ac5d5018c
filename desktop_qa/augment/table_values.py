"""Values of tables, where the number stands in one cell and its unit in another.

"500" under MAX and "mA" under UNIT are the value "0.5a"; so is "500" under "Current (mA)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.augment.quantities import is_unit, value_of
from desktop_qa.core.document import ColumnRole, Table, TableCell

_UNIT_IN_HEAD = re.compile(
    r"[(\[]\s*(?:in\s)?([^()\[\]]{1,12}(?:\([^()]*\))?)\s*[)\]]|,\s*([^,\s]{1,8})$"
)
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+"
_NUMBER_CELL = re.compile(
    rf"(?:[~≈<>≤≥=]\s?)?(?P<first>[±+\-–−]?\s?(?:{_NUMBER}))"
    rf"(?:\s?(?:to|\.\.\.?|…|/|–|-)\s?(?P<last>[±+\-–−]?\s?(?:{_NUMBER})))?(?:\s?\(\d\))*"
)
_MAX_CELL_LENGTH = 30

_Row = Sequence[TableCell | None]


def table_values(table: Table, first_row: int = 0, n_rows: int | None = None) -> frozenset[str]:
    """Return the values of some body rows whose unit stands in another cell, as `find_values` does.

    The unit of a number is the one in its row's column of units; without one, what the column's
    header says in brackets or behind a comma.
    """
    grid = table.grid()
    n_header = min(table.n_header_rows, table.n_rows)
    body = range(max(first_row, n_header), table.n_rows)
    if n_rows is not None:
        body = range(body.start, min(first_row + n_rows, table.n_rows))
    unit_columns = [i for i, c in enumerate(table.columns) if c.role is ColumnRole.UNIT]
    header_units = [
        next(filter(None, map(head_unit, reversed(table.texts(heads)))), "")
        for heads in table.heads()
    ]
    found: set[str] = set()
    for row in body:
        for column in range(table.n_columns):
            text = _text(grid[row][column])
            if not text or len(text) > _MAX_CELL_LENGTH or column in unit_columns:
                continue
            unit = _row_unit(grid[row], unit_columns, column) or header_units[column]
            if unit:
                found.update(_cell_values(text, unit))
    found.discard("")
    return frozenset(found)


def _cell_values(text: str, unit: str) -> tuple[str, ...]:
    match = _NUMBER_CELL.fullmatch(text)
    if match is None:
        return ()
    return tuple(value_of(number, unit) for number in match.group("first", "last") if number)


def _text(cell: TableCell | None) -> str:
    return " ".join(cell.text.split()) if cell is not None else ""


def _row_unit(row: _Row, unit_columns: Sequence[int], column: int) -> str:
    """Return the unit behind a column, or the last one before it."""
    behind = [c for c in unit_columns if c > column]
    for candidate in (*behind, *reversed(unit_columns)):
        text = _text(row[candidate])
        if is_unit(text):
            return text
    return ""


def head_unit(head: str) -> str:
    """Return the unit that a head names: "Current (mA)", "Delay, ms", "kHz"; "" for none."""
    match = _UNIT_IN_HEAD.search(head)
    named = (match[1] or match[2] or "").strip() if match else head.strip()
    # A lone capital heads a column as a name; "V" and "A" do so far more often than as units.
    return named if is_unit(named) and (match is not None or len(named) > 1) else ""
