"""Columns of a characteristic table for one part: where its names, conditions and values stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.parameter_parts import AskedPart, Hold
from desktop_qa.answer.parameter_values import read_amounts
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import BOUNDS, ColumnRole, Table, TableCell

_BOUND = re.compile(r"\b(min|typ|nom|max)(?:imum|ical|inal)?\b", re.IGNORECASE)
_BOUND_ROLES = {
    "min": ColumnRole.MIN,
    "typ": ColumnRole.TYP,
    "nom": ColumnRole.TYP,
    "max": ColumnRole.MAX,
}
_PART_HEADER = re.compile(
    r"part\s*(?:number|no)|ordering\s+code|order\s+code|device|product|model|variant|型号|部件号",
    re.I,
)
_MAX_VALUE_COLUMNS = 12
_MIN_QUANTITIES = 0.12
"""Share of rows with a number and a unit from which a table is taken for a specification."""


@dataclass(frozen=True, slots=True)
class ParameterColumns:
    """Columns by what they hold.

    Attributes:
        values: Those that hold for the part.
        leaves: The lowest header of each column.
        header_units: Unit in the header of each column, "" for none.
        has_bounds: True when the values are MIN, TYP and MAX of one value.
        names_in_header: True when rows are parts and columns are parameters.
    """

    n_header_rows: int
    labels: tuple[int, ...]
    symbols: tuple[int, ...]
    conditions: tuple[int, ...]
    units: tuple[int, ...]
    values: tuple[int, ...]
    roles: tuple[ColumnRole, ...]
    headers: tuple[str, ...]
    leaves: tuple[str, ...]
    header_units: tuple[str, ...]
    has_bounds: bool
    names_in_header: bool

    def role_of(self, indices: Sequence[int]) -> ColumnRole:
        """Return the bound that a cell over some columns states; VALUE when that is not sure."""
        roles = {self.roles[i] for i in indices}
        if len(roles) > 1 or any(self.is_pair(i) for i in indices):
            return ColumnRole.VALUE
        role = roles.pop()
        return role if role in BOUNDS else ColumnRole.VALUE

    def bound_groups(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return runs of MIN, TYP and MAX with what heads each: "Fast mode" has its own three."""
        runs: list[list[int]] = []
        for index in self.values:
            rank = BOUNDS.index(self.roles[index]) if self.roles[index] in BOUNDS else -1
            last = self.roles[runs[-1][-1]] if runs else None
            last_rank = BOUNDS.index(last) if last in BOUNDS else -1
            is_next = bool(runs) and (
                rank > last_rank or self.leaves[index] == self.leaves[runs[-1][-1]]
            )
            if is_next:
                runs[-1].append(index)
            else:
                runs.append([index])
        return [(self._head(run), tuple(run)) for run in runs]

    def _head(self, run: Sequence[int]) -> str:
        header = self.headers[run[0]]
        return " ".join(_BOUND.sub(" ", header.removesuffix(self.leaves[run[0]])).split())

    def pair(self, index: int) -> tuple[ColumnRole, ...]:
        """Return the bounds that stand side by side in a column, in their order."""
        return tuple(_BOUND_ROLES[m.group(1).lower()] for m in _BOUND.finditer(self.leaves[index]))

    def is_pair(self, index: int) -> bool:
        """Tell whether a column holds two bounds side by side."""
        n_named = len(set(_BOUND.findall(self.leaves[index].lower())))
        return n_named > 1 and self.headers.count(self.headers[index]) == 1


def read_parameter_columns(table: Table, part: AskedPart) -> ParameterColumns | None:
    """Read the columns of a table; `None` when it holds no parameters of the part."""
    columns = read_columns(table)
    n_header_rows = table.n_header_rows
    leaves = tuple(table.texts(heads)[-1] if heads else "" for heads in table.heads())
    roles = list(columns.roles)
    for index, header in enumerate(columns.headers):
        # A first header that is a part number heads values: "ADS1015 | UNIT".
        if roles[index] is ColumnRole.SUBJECT and index > 0 and part.parts_in(header):
            roles[index] = ColumnRole.VALUE
    first_label = next((i for i, role in enumerate(roles) if role is ColumnRole.SUBJECT), None)
    if first_label is not None and _PART_HEADER.search(leaves[first_label]):
        for index in range(len(roles)):
            if index != first_label and roles[index] is not ColumnRole.NOTE:
                roles[index] = ColumnRole.VALUE
    if not any(role in (*BOUNDS, ColumnRole.VALUE) for role in roles) and len(roles) > 1:
        # "Items | Specifications": the last column holds the values, whatever it is called.
        roles[-1] = ColumnRole.VALUE
    bounds = [i for i, role in enumerate(roles) if role in BOUNDS]
    plain_values = [i for i, role in enumerate(roles) if role is ColumnRole.VALUE]
    values = _of_part(bounds or plain_values, columns.headers, part)
    if not values or len(values) > _MAX_VALUE_COLUMNS:
        return None
    labels = tuple(i for i, role in enumerate(roles) if role is ColumnRole.SUBJECT)
    names_in_header = bool(labels) and _PART_HEADER.search(leaves[labels[0]]) is not None
    has_units = ColumnRole.UNIT in roles
    if (
        not bounds
        and not has_units
        and not names_in_header
        and not _has_quantities(table.grid()[n_header_rows:], values)
    ):
        return None
    return ParameterColumns(
        n_header_rows=n_header_rows,
        labels=labels,
        symbols=tuple(i for i, role in enumerate(roles) if role is ColumnRole.SYMBOL),
        conditions=tuple(i for i, role in enumerate(roles) if role is ColumnRole.CONDITION),
        units=tuple(i for i, role in enumerate(roles) if role is ColumnRole.UNIT),
        values=values,
        roles=tuple(roles),
        headers=columns.headers,
        leaves=leaves,
        header_units=tuple(map(head_unit, leaves)),
        has_bounds=bool(bounds) and not names_in_header,
        names_in_header=names_in_header,
    )


def _of_part(indices: Sequence[int], headers: Sequence[str], part: AskedPart) -> tuple[int, ...]:
    """Leave out the columns of other parts; where the part has a column, those of its variants."""
    holds = {i: part.holds(headers[i]) for i in indices}
    kept = [i for i in indices if holds[i] is not Hold.NO]
    exact = [i for i in kept if part.parts_in(headers[i]) and holds[i] is Hold.YES]
    if exact:
        kept = [i for i in kept if holds[i] is Hold.YES and not part.is_other_part(headers[i])]
    return tuple(kept)


def _has_quantities(rows: Sequence[Sequence[TableCell | None]], values: Sequence[int]) -> bool:
    """Tell whether some rows state a number with a unit: a list of specifications."""
    n_rows = n_found = 0
    for cells in rows:
        texts = [cell.text for i in values if (cell := cells[i]) is not None and cell.text]
        if texts:
            n_rows += 1
            n_found += any(
                a.value is not None and a.unit
                for t in texts
                for a in read_amounts(t, "", ColumnRole.VALUE)
            ) or any(
                a.unit == "address" for t in texts for a in read_amounts(t, "", ColumnRole.VALUE)
            )
    return n_found > 1 and n_found >= _MIN_QUANTITIES * n_rows
