"""Statements read: each amount with the headings over its row and column, scale, sign and period.

A statement names its groups by lines without amounts; what belongs to them is indented under them,
or ends at their total. Its columns are years, parts of a business or kinds of an amount.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop_qa.core.document import ColumnRole, Table, TableCell, TableColumn
from desktop_qa.parse.amounts import (
    exemptions,
    is_amount,
    is_blank,
    is_period,
    is_share,
    is_telling,
    period_of,
    scale_of,
    sign_of,
    speaks_of,
    value_of,
    without_scale,
)
from desktop_qa.parse.characters import letters_of
from desktop_qa.parse.table_roles import names_bound

_MIN_AMOUNTS = 0.6
"""Share of the cells behind the names that are amounts or blanks."""

_MIN_TELLING = 3
_SAME_INDENT_PT = 2.0
_ROUNDING = 0.05
"""Of the last place printed, for each row of a sum."""

_PRICED = re.compile(r"[$€£¥]\s?[\d.]")
_TOTAL = re.compile(r"(?:sub)?total|summe|insgesamt|gesamt|合計|小計|合计|小计", re.IGNORECASE)


def is_statement(table: Table) -> bool:
    """Tell a table of amounts from one of other values: by how its numbers are written."""
    n_header = table.n_header_rows
    heads = [cell.text for cell in table.cells if cell.row < n_header]
    if any(map(names_bound, heads)) or table.n_columns < 2:
        return False
    texts = [c.text for c in table.cells if c.text and c.row >= n_header and c.column]
    amounts = [text for text in texts if is_amount(text)]
    n_blank = sum(map(is_blank, texts))
    if not amounts or len(amounts) + n_blank < _MIN_AMOUNTS * len(texts):
        return False
    n_telling = sum(map(is_telling, amounts))
    n_periods = sum(map(is_period, heads))
    if n_periods > 1 or (n_telling and (n_periods or table.scale_note)):
        return True
    return n_telling >= max(_MIN_TELLING, 0.25 * len(amounts))


@dataclass(slots=True)
class _Group:
    """A heading of rows that are open still.

    Attributes:
        style: Rank (capitals, bold, plain, ended by a colon or dash) and its last sign.
        is_over_indented: Whether its first row is set further in; None before there is one.
        sums: Of the amounts under it by column, sums left out.
        n_rows: That the sums are made of.
    """

    index: int
    indent: float
    style: tuple[int, str]
    is_over_indented: bool | None = None
    sums: dict[int, float] = field(default_factory=dict)
    n_rows: int = 0


def read_statement(table: Table) -> Table:
    """Return a statement with roles, paths, and the scale, sign and period of each amount."""
    return _Statement(table).result()


class _Statement:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._grid = table.grid()
        self._index = {id(cell): index for index, cell in enumerate(table.cells)}
        n_header = table.n_header_rows
        self._n_header = n_header if n_header < table.n_rows else 0
        self._n_names = self._first_of_amounts()
        self._heads = [self._heads_over(column) for column in range(table.n_columns)]
        self._scaled = [self._scales_over(column) for column in range(table.n_columns)]
        lefts: dict[int, float] = {}
        for cell in table.cells:
            if cell.row >= self._n_header and not cell.column and cell.text and cell.provenances:
                place = cell.provenances[0]
                left = place.bbox.left
                lefts[place.page_no] = min(lefts.get(place.page_no, left), left)
        self._base = lefts
        of_columns = set(itertools.chain(*self._scaled))
        heads = (
            cell.text
            for k, cell in enumerate(table.cells)
            if cell.row < self._n_header and k not in of_columns
        )
        note = table.scale_note or next(filter(scale_of, heads), "")
        self._note = note or table.caption
        self._scale = scale_of(self._note) or 1
        self._left_out = exemptions(self._note)
        self._shares = {k for k in range(table.n_columns) if self._is_of_shares(k)}

    def _is_of_shares(self, column: int) -> bool:
        """Tell a column in per cent, which its first row alone may say, from one of amounts."""
        cells = [row[column] for row in self._grid[self._n_header :]]
        texts = [cell.text for cell in cells if cell is not None and is_amount(cell.text)]
        return any(map(is_share, texts)) and not any(
            is_telling(text) and not is_share(text) and sign_of(text) > 0 for text in texts
        )

    def _first_of_amounts(self) -> int:
        """First column, behind that of the names, that holds more amounts than texts."""
        columns = range(1, self._table.n_columns)
        return next((k for k in columns if self._share_of_amounts(k) > 0.5), 1)

    def _share_of_amounts(self, column: int) -> float:
        """Share of the cells that begin in a column and are amounts or blanks."""
        cells = dict.fromkeys(row[column] for row in self._grid[self._n_header :])
        texts = [c.text for c in cells if c is not None and c.text and c.column == column]
        return sum(is_amount(t) or is_blank(t) for t in texts) / max(len(texts), 1)

    def _heads_over(self, column: int) -> tuple[int, ...]:
        """Heads of a column; a line over the whole table, or of a scale only, names none."""
        heads: dict[int, None] = {}
        for row in self._grid[: self._n_header]:
            cell = row[column]
            if cell is None or not cell.text or cell.column_span >= self._table.n_columns:
                continue
            is_scale = scale_of(cell.text) and not without_scale(cell.text)
            if column >= self._n_names and is_scale and not is_period(cell.text):
                continue
            heads.setdefault(self._index[id(cell)])
        return tuple(heads)

    def _scales_over(self, column: int) -> tuple[int, ...]:
        """Heads of a column that say what its amounts are counted in, and not those of all."""
        n_amounts = self._table.n_columns - self._n_names
        cells = dict.fromkeys(row[column] for row in self._grid[: self._n_header])
        return tuple(
            self._index[id(cell)]
            for cell in cells
            if cell is not None
            and cell.column >= self._n_names
            and cell.column_span < n_amounts
            and scale_of(cell.text)
        )

    def _columns(self) -> tuple[TableColumn, ...]:
        columns = []
        for k in range(self._table.n_columns):
            share = self._share_of_amounts(k)
            is_name = k < self._n_names
            role = ColumnRole.SUBJECT if is_name else ColumnRole.VALUE
            columns.append(TableColumn(role, round(1 - share if is_name else share, 3)))
        return tuple(columns)

    def result(self) -> Table:
        cells = list(self._table.cells)
        columns = self._columns()
        groups: list[_Group] = []
        was_group = False
        for row in self._grid[self._n_header :]:
            own = dict.fromkeys(c for c in row if c is not None and c.text)
            names = [c for c in own if c.column < self._n_names]
            amounts = [c for c in own if c.column >= self._n_names]
            if names and not amounts:
                groups = self._entered(groups, names[0], nested=was_group)
                for cell in names:
                    index = self._index[id(cell)]
                    cells[index] = replace(
                        cells[index], row_path=tuple(group.index for group in groups[:-1])
                    )
                was_group = True
                continue
            was_group = False
            if names:
                self._leave(groups, self._indent(names[0]))
            values = {c.column: v for c in amounts if (v := value_of(c.text)) is not None}
            summed = _summed(groups, values)
            if summed is not None:
                del groups[summed + 1 :]
            above = [group.index for group in groups]
            for cell in own:
                index = self._index[id(cell)]
                of_row = [self._index[id(c)] for c in names if c is not cell]
                covered = range(
                    cell.column, min(cell.column + cell.column_span, self._table.n_columns)
                )
                read = replace(
                    cells[index],
                    row_path=(*above, *of_row),
                    column_path=tuple(dict.fromkeys(i for c in covered for i in self._heads[c])),
                    confidence=columns[cell.column].confidence,
                )
                cells[index] = self._valued(read) if cell.column >= self._n_names else read
            if names and groups and self._is_total(names[0].text, groups[-1]):
                groups.pop()
            if summed is None:
                _add(groups, values)
        confidence = sum(column.confidence for column in columns) / len(columns)
        return replace(
            self._table,
            cells=tuple(cells),
            columns=columns,
            confidence=round(confidence, 3),
            scale_note=self._note if self._scale > 1 else "",
        )

    def _indent(self, cell: TableCell) -> float:
        """Points from the left end of the names of the page."""
        if not cell.provenances:
            return 0.0
        place = cell.provenances[0]
        return place.bbox.left - self._base.get(place.page_no, place.bbox.left)

    def _entered(self, groups: Sequence[_Group], cell: TableCell, *, nested: bool) -> list[_Group]:
        """Return the headings that hold below a new one.

        One set further in goes under the last, and so does one of lower rank that is set as far
        in ("ASSETS", "Current assets", "Receivables:"); one of the same style takes the place.
        """
        indent, style = self._indent(cell), _style(cell)
        kept = [group for group in groups if group.indent <= indent + _SAME_INDENT_PT]
        same = [k for k, g in enumerate(kept) if g.style == style and self._is_level(g, indent)]
        if same and not (nested and same[-1] == len(kept) - 1):
            kept = kept[: same[0]]
        while kept and self._is_level(kept[-1], indent) and kept[-1].style[0] > style[0]:
            kept.pop()
        if kept and kept[-1].is_over_indented is None:
            kept[-1].is_over_indented = not self._is_level(kept[-1], indent)
        return [*kept, _Group(self._index[id(cell)], indent, style)]

    def _is_level(self, group: _Group, indent: float) -> bool:
        return abs(group.indent - indent) <= _SAME_INDENT_PT

    def _leave(self, groups: list[_Group], indent: float) -> None:
        """Take off the headings that a row further out ends; the first row tells how far in."""
        while groups and (
            groups[-1].indent > indent + _SAME_INDENT_PT
            or (groups[-1].is_over_indented and self._is_level(groups[-1], indent))
        ):
            groups.pop()
        for group in groups:
            if group.is_over_indented is None:
                group.is_over_indented = indent > group.indent + _SAME_INDENT_PT

    def _is_total(self, name: str, group: _Group) -> bool:
        """Tell whether a row sums up a group: "Total current assets", or its own name again."""
        heading = letters_of(self._table.cells[group.index].text)
        rest = letters_of(_TOTAL.sub("", name))
        return rest == heading or (not rest and _TOTAL.search(name) is not None)

    def _valued(self, cell: TableCell) -> TableCell:
        """Return an amount with its scale, sign and period."""
        names = self._table.texts(cell.row_path)
        heads = self._table.texts(cell.column_path)
        stub = " ".join(
            text
            for column in range(self._n_names)
            for text in map(without_scale, self._table.texts(self._heads[column]))
        )
        dated = (name for name in reversed(names) if period_of([name], "") == name)
        period = period_of(heads, stub) or next(dated, "")
        return replace(
            cell, scale=self._scale_of(cell, names, heads), sign=sign_of(cell.text), period=period
        )

    def _scale_of(self, cell: TableCell, names: Sequence[str], heads: Sequence[str]) -> int:
        """What an amount is counted in: its own row or head may say so, before the table."""
        if not is_amount(cell.text) or is_share(cell.text) or cell.column in self._shares:
            return 1
        scaled = self._table.texts(self._scaled[cell.column])
        for text in (*reversed(names), *reversed(scaled)):
            if own := scale_of(text):
                return own
        texts = [*names, " ".join(map(without_scale, heads))]
        left_out = {
            words: scale
            for words, scale in self._left_out.items()
            if any(speaks_of(text, words) for text in texts)
        }
        # Of "Common stock, $0.01 par value" the par value stands in the name, not in the cell.
        if not left_out or any(map(_PRICED.search, texts)):
            return self._scale
        return left_out[max(left_out, key=len)]


def _style(cell: TableCell) -> tuple[int, str]:
    last = cell.text.rstrip()[-1]
    if not (last.isalnum() or last in ")]"):
        return 3, last
    return (0 if cell.text.isupper() else 1 if cell.is_bold else 2), ""


def _summed(groups: Sequence[_Group], values: Mapping[int, float]) -> int | None:
    """Return the innermost group whose rows so far add up to a row, in each of its columns."""
    for k in reversed(range(len(groups))):
        group = groups[k]
        if (
            group.n_rows > 1
            and any(values.values())
            and all(
                abs(group.sums.get(column, 0.0) - value) <= _ROUNDING * group.n_rows
                for column, value in values.items()
            )
        ):
            return k
    return None


def _add(groups: Sequence[_Group], values: Mapping[int, float]) -> None:
    for group in groups:
        group.n_rows += bool(values)
        for column, value in values.items():
            group.sums[column] = group.sums.get(column, 0.0) + value
