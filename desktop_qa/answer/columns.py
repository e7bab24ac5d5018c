"""What the columns of a table mean: parameter, condition, value and unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.document import Table, TableCell


class ColumnRole(StrEnum):
    """What a column holds."""

    LABEL = "label"
    SYMBOL = "symbol"
    CONDITION = "condition"
    MIN = "min"
    TYP = "typ"
    MAX = "max"
    VALUE = "value"
    UNIT = "unit"
    NOTE = "note"


_NAMES_A_ROW = re.compile(r"^(parameters?|characteristics?|specifications?)\b", re.IGNORECASE)
"""What a header begins with whose column names the rows: "Parameter (condition)"."""

_ROLES: tuple[tuple[ColumnRole, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        (ColumnRole.UNIT, r"^units?\b"),
        (ColumnRole.MIN, r"\bmin(imum)?\b\.?"),
        (ColumnRole.TYP, r"\b(typ(ical)?|nom(inal)?)\b\.?"),
        (ColumnRole.MAX, r"\bmax(imum)?\b\.?"),
        (ColumnRole.CONDITION, r"\bconditions?\b"),
        (ColumnRole.SYMBOL, r"^(sym(bol)?s?|abbreviation)\b\.?"),
        (ColumnRole.NOTE, r"^(notes?|comments?|remarks?|reference)\b"),
        (ColumnRole.VALUE, r"^(values?|ratings?|limits?)\b"),
        (ColumnRole.LABEL, r"\b(parameters?|characteristics?|description|name|item)\b"),
    )
)
_BOUND_PATTERNS = {role: pattern for role, pattern in _ROLES if role.value in ("min", "typ", "max")}
BOUNDS = (ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX)


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table read by column.

    Attributes:
        headers: Text of the header of each column, several header rows joined.
        roles: Role of each column; the first column is a label when nothing else is known.
    """

    headers: tuple[str, ...]
    roles: tuple[ColumnRole, ...]

    @property
    def has_bounds(self) -> bool:
        """True for a table of characteristics: with MIN, TYP or MAX."""
        return any(role in BOUNDS for role in self.roles)

    def of(self, *roles: ColumnRole) -> tuple[int, ...]:
        """Indices of the columns with one of the roles."""
        return tuple(i for i, role in enumerate(self.roles) if role in roles)


def read_columns(table: Table, grid: list[list[TableCell | None]]) -> TableColumns:
    """Name the columns of a table from its header rows.

    Args:
        table: With its header cells marked.
        grid: Of `table.grid()`.
    """
    n_header_rows = table.n_header_rows
    headers = []
    for column in range(table.n_columns):
        texts = (grid[row][column] for row in range(n_header_rows))
        # A row over the whole table ("Unless otherwise noted ...") names no column.
        parts = dict.fromkeys(
            cell.text
            for cell in texts
            if cell is not None and cell.text and cell.column_span < table.n_columns
        )
        headers.append(" ".join(parts))
    return TableColumns(tuple(headers), _roles(headers))


def _roles(headers: list[str]) -> tuple[ColumnRole, ...]:
    roles = [_role(header) for header in headers]
    _part_bounds(headers, roles)
    has_bounds = any(role in BOUNDS for role in roles)
    first = next((i for i, header in enumerate(headers) if header), 0)
    filled = []
    for index, role in enumerate(roles):
        if role is not None:
            filled.append(role)
        elif index <= first or (has_bounds and not headers[index]):
            filled.append(ColumnRole.LABEL)
        else:
            filled.append(ColumnRole.CONDITION if has_bounds else ColumnRole.VALUE)
    return tuple(filled)


def _role(header: str) -> ColumnRole | None:
    if _NAMES_A_ROW.match(header):
        return ColumnRole.LABEL
    return next((role for role, pattern in _ROLES if pattern.search(header)), None)


def _part_bounds(headers: list[str], roles: list[ColumnRole | None]) -> None:
    """Give the columns under one header of several bounds ("MIN TYP") one bound each, in order."""
    for index, header in enumerate(headers):
        if index and headers[index - 1] == header:
            continue
        found = [
            (m.start(), role) for role, p in _BOUND_PATTERNS.items() if (m := p.search(header))
        ]
        named = [role for _start, role in sorted(found)]
        run = [i for i in range(index, len(headers)) if headers[i] == header]
        if len(run) == len(named) > 1:
            for column, role in zip(run, named, strict=True):
                roles[column] = role


def unique_texts(cells: list[TableCell | None]) -> list[str]:
    """Texts of cells in order, each spanning cell and each repeated text once."""
    return list(dict.fromkeys(cell.text for cell in cells if cell is not None and cell.text))
