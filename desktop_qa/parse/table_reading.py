"""A table read: which rows name columns, which name rows, and how sure that is.

A value means nothing without its place: every data cell is given the path of headings above its row
(group, parameter, sub-row, condition) and above its column (spanning heads, its own), as indices of
the cells that say them, so that each part of the path has its rectangle, too.

Sub-rows: under "Operating temperature" stand, set in, "LM224" and "LM124" with their values. A name
leads the rows right below that are set in, whether it has values of its own or not.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import (
    BOUNDS,
    IDENTITY,
    ColumnRole,
    Table,
    TableCell,
    TableColumn,
    split_heading_number,
)
from desktop_qa.core.folding import fold
from desktop_qa.parse.table_roles import (
    ColumnTexts,
    is_unit,
    long_words,
    names_bound,
    names_limits,
    read_roles,
)
from desktop_qa.parse.table_statements import is_statement, read_statement
from desktop_qa.parse.table_text import (
    holds_several,
    is_value,
    join_lines_of_text,
    number_of,
)

_Grid = Sequence[Sequence[TableCell | None]]

_MOSTLY_DISTINCT = 0.75
"""Share of rows with a name of their own from which on names are enough."""

_DOUBT, _SLIGHT_DOUBT = 0.4, 0.7
"""What is left of the confidence in a cell that does not fit, or hardly."""

_NUMBERS = (*BOUNDS, ColumnRole.VALUE)

_SAME_LEFT_PT = 3.5
"""Group headings that begin at one place are of one level."""

_SAME_MIDDLE_PT = 1.5
"""Names that are centred have one middle."""

_MIN_AT_BASE = 0.35
"""Share of the names that begin where the leftmost does: others are centred."""

_MIN_UPPER = 0.75
"""Share of capitals in a heading that is set in them ("DIGITAL INPUTS and OUTPUTS")."""


@dataclass(slots=True)
class _Group:
    """A heading inside a table.

    Attributes:
        indices: Of its cells: the name, and conditions beside it.
        is_plain: False for one in capitals or across the table, which outranks the others.
        left: Where it begins, in points.
        middle: Of its text, in points: headings that are centred begin anywhere.
        leads: True when the rows below it are set in: it ends with the first that is not. None
            before there is one.
    """

    indices: tuple[int, ...]
    is_plain: bool
    left: float
    middle: float
    leads: bool | None = None

    def outranks(self, other: _Group) -> bool:
        """Tell whether another heading stands under this one."""
        if self.is_plain != other.is_plain:
            return other.is_plain
        is_centered = abs(self.middle - other.middle) <= _SAME_LEFT_PT
        return self.left < other.left - _SAME_LEFT_PT and not is_centered


def read_table(table: Table) -> Table:
    """Return a table with the role of each column, and the path and confidence of each cell."""
    if is_statement(table):
        return read_statement(table)
    reading = _Reading(table)
    whole = reading.with_whole_names()
    return (reading if whole is table else _Reading(whole, reading.columns)).result()


class _Reading:
    def __init__(self, table: Table, columns: tuple[TableColumn, ...] = ()) -> None:
        self._table = table
        self._grid = table.grid()
        self._index = {id(cell): index for index, cell in enumerate(table.cells)}
        n_header = table.n_header_rows
        self._n_header = n_header if n_header < table.n_rows else 0
        self._heads = table.heads()
        self.columns = columns
        if not columns:
            self.columns = read_roles([self._texts_of(c) for c in range(table.n_columns)])
            self.columns = self._with_key(self.columns)
        self._subjects = self._of(ColumnRole.SUBJECT)
        self._identity = self._of(*IDENTITY)
        self._is_set_left = self._are_set_left()

    def _of(self, *roles: ColumnRole) -> list[int]:
        return [i for i, column in enumerate(self.columns) if column.role in roles]

    def _texts_of(self, column: int) -> ColumnTexts:
        heads = self._table.texts(self._heads[column])
        body = [
            cell
            for row in self._grid[self._n_header :]
            if (cell := row[column]) is not None and cell.column_span < self._table.n_columns
        ]
        texts = tuple(c.text for c in dict.fromkeys(body) if c.text)
        return ColumnTexts(
            " ".join(heads), *(heads[-1], heads[0]) if heads else ("", ""), texts, len(body)
        )

    def _with_key(self, columns: tuple[TableColumn, ...]) -> tuple[TableColumn, ...]:
        """Make sure that some column names the rows; of codes alone, the first that differ do."""
        roles = [column.role for column in columns]
        if ColumnRole.SUBJECT not in roles:
            # For want of a better, the column of symbols, else the first.
            first = roles.index(ColumnRole.SYMBOL) if ColumnRole.SYMBOL in roles else 0
            columns = _with_role(columns, first, ColumnRole.SUBJECT)
        names = [
            i for i, c in enumerate(columns) if c.role in (ColumnRole.SUBJECT, ColumnRole.SYMBOL)
        ]
        body = self._grid[self._n_header :]
        first = next(i for i in names if columns[i].role is ColumnRole.SUBJECT)
        are_parts = _n_distinct(body, names) == len(body) and _are_numbered(body, first)
        for index, column in enumerate(columns):
            texts = _texts(body, index)
            # What recurs before the name says of what it is, as groups of rows do.
            if column.role is ColumnRole.VALUE and index < first and _recur(body, index):
                columns = _with_role(columns, index, ColumnRole.CONDITION)
            # Conditions recur; numbers that no part needs are measured ("stand-off voltage").
            is_measured = 2 * len(set(texts)) > len(body) and all(map(is_value, texts))
            if column.role is ColumnRole.CONDITION and are_parts and is_measured:
                columns = _with_role(columns, index, ColumnRole.VALUE)
        # What stands right of a limit is given by the row, and does not name it.
        limits = (i for i, role in enumerate(roles) if role in BOUNDS)
        return self._until_rows_differ(columns, next(limits, len(roles)))

    def _until_rows_differ(
        self, columns: tuple[TableColumn, ...], end: int
    ) -> tuple[TableColumn, ...]:
        """Let further columns, before the `end`, name the rows where names do not tell them apart.

        One column that does is a number or an address; else those are taken as inputs whose states
        recur, as no measured values do, and with them those that stand under the same head or have
        the same states, as what follows from them has not.
        """
        body = [row for row in self._grid[self._n_header :] if not self._is_group(row)]
        key = [i for i, column in enumerate(columns) if column.role in IDENTITY]
        first = _texts(body, 0)
        recur = key[0] == 0 and 2 * len(set(first)) <= len(first)
        if are_states := recur and not any(map(long_words, first)):
            # Behind the inputs of a truth table stands what follows from them.
            key = [i for i in key if all(k in key for k in range(i))]
        n_best = _n_distinct(body, key)
        states = {ColumnRole.VALUE, *IDENTITY}
        others = [i for i in range(end) if columns[i].role in states and i not in key]
        for index in others if n_best < len(body) else ():
            is_key = _n_distinct(body, (), index) == len(body) and _are_numbered(body, index)
            if is_key and "." not in "".join(_texts(body, index)):  # which measured values have
                return _with_role(columns, index, ColumnRole.SYMBOL)
        if n_best > _MOSTLY_DISTINCT * len(body) and not are_states:
            return columns  # a name or two stand twice
        inputs = list(key)
        others = [i for i in others if i < self._end_of_inputs()]
        for index in others:
            n_now = _n_distinct(body, inputs, index)
            if n_now > n_best and _recur(body, index):
                inputs, n_best = [*inputs, index], n_now
        is_whole = n_best == len(body) and (are_states or inputs != key)
        if is_whole:
            inputs += self._like(body, inputs, others)
        for index in range(end):
            if index in inputs and index not in key:
                columns = _with_role(columns, index, ColumnRole.CONDITION)
            elif is_whole and index not in inputs and columns[index].role in IDENTITY:
                columns = _with_role(columns, index, ColumnRole.VALUE)
        return columns

    def _end_of_inputs(self) -> int:
        """Count the columns under heads as the first is, or before those of the last such head."""
        spans = [self._spanning(column) for column in range(self._table.n_columns)]
        last = next((span for span in reversed(spans) if span), ())
        of_inputs = {spans[0]} if spans[0] in ((), last) else {*spans} - {(), last}
        return len(list(itertools.takewhile(of_inputs.__contains__, spans)))

    def _spanning(self, column: int) -> tuple[int, ...]:
        """Heads over a column and its neighbours, above its own."""
        heads = self._heads[column][:-1]
        return tuple(
            i for i in heads if 1 < self._table.cells[i].column_span < self._table.n_columns
        )

    def _like(self, body: _Grid, inputs: Sequence[int], others: Sequence[int]) -> list[int]:
        """Return the columns that stand among the inputs of a truth table, or next to them."""
        states = [set(_texts(body, column)) for column in range(self._table.n_columns)]
        known = set[str]().union(*(states[i] for i in inputs))
        spans = {self._spanning(i) for i in inputs} - {()}
        found, last = list[int](), max(inputs)
        for index in (i for i in others if i not in inputs):
            after = states[index + 1] if index + 1 < len(states) else set()
            is_among = index < last or (index == last + 1 and not after <= known)
            if self._spanning(index) in spans or (is_among and states[index] <= known):
                found.append(index)
                last = max(index, last)
        return found

    def _is_group(self, row: Sequence[TableCell | None]) -> bool:
        """Tell a row that names and gives nothing: it heads the rows below it."""
        of_row = _filled(row)
        # A symbol or a unit that is printed once for a heading and its rows says nothing of it.
        begins = max((cell.row for cell in of_row), default=0)
        filled = [
            cell
            for cell in of_row
            if cell.row_span == 1
            or (self.columns[cell.column].role in _NUMBERS and is_value(cell.text))
            or (cell.row < begins and self.columns[cell.column].role is not ColumnRole.UNIT)
        ]
        if not filled or self._table.n_columns < 2 or any(is_value(c.text) for c in filled):
            return False
        first = filled[0]
        if first.row_span > 1 or sum(map(str.isalpha, first.text)) < 2:  # "L" is a level
            return False
        identity, subjects = self._of(*IDENTITY), self._of(ColumnRole.SUBJECT)
        covered = range(first.column, first.column + first.column_span)
        if row[0] is not first and not any(c in subjects for c in covered):
            return False
        # What has a text in another column of names is described there, and heads nothing.
        beside = set(identity) - set(subjects)
        return all(cell is first or cell.column in beside for cell in filled) and (
            len(filled) == 1 or len(identity) < self._table.n_columns
        )

    def result(self) -> Table:
        cells = list(self._table.cells)
        heads = list(self._heads)
        groups: list[_Group] = []
        named: dict[int, int] = {}
        done: set[int] = set()
        shared: list[tuple[int, int]] = []
        last_shared = 0
        for row_index in range(self._n_header, self._table.n_rows):
            row = self._grid[row_index]
            if self._repeats_heads(row):
                heads = self._heads_of(row, heads)
                groups, named = [], {}  # what stood above was a title, or another part's
                continue
            if self._is_group(row):
                new = self._group(row)
                groups = [*(group for group in groups if group.outranks(new)), new]
                named = {}
                done.update(new.indices)
                continue
            groups = self._still_led(groups, row)
            own = self._names_of(row, named)
            names = set(named.values())
            above = [i for group in groups if group.indices[0] not in names for i in group.indices]
            if (last := self._last_led(row, row_index)) > row_index:
                shared, last_shared = [n for n in own if self._is_of_row(n, row_index)], last
            elif row_index <= last_shared:
                own = [*(n for n in own if n[0] < shared[0][0]), *shared, *own] if shared else own
            for column, cell in enumerate(row):
                if cell is None or not cell.text or (index := self._index[id(cell)]) in done:
                    continue
                done.add(index)
                path = [*above, *(i for c, i in own if i != index and c != column)]
                covered = range(column, min(column + cell.column_span, self._table.n_columns))
                over = dict.fromkeys(
                    i
                    for c in covered
                    for i in heads[c]
                    if c == column or self.columns[c].role is not ColumnRole.UNIT
                )
                cells[index] = replace(
                    cells[index],
                    row_path=tuple(dict.fromkeys(path)),
                    column_path=tuple(over),
                    confidence=self._confidence(
                        row, column, bool(path) or column in self._identity
                    ),
                )
            if self._is_set_left and (name := self._own_name(row, row_index)):
                left = self._extent(name)[0]
                groups.append(_Group((self._index[id(name)],), True, left, left, leads=True))
        return replace(
            self._table,
            cells=tuple(self._with_doubts(cells)),
            columns=self.columns,
            confidence=round(sum(c.confidence for c in self.columns) / len(self.columns), 3),
        )

    def _are_set_left(self) -> bool:
        """Tell names that begin where the leftmost does, or are set in, from centred ones."""
        column = self._subjects[0]
        names = dict.fromkeys(row[column] for row in self._grid[self._n_header :])
        places = [
            self._extent(cell)
            for cell in names
            if cell and cell.text and cell.column == column and cell.column_span == 1
        ]
        middles = sorted((left + right) / 2 for left, right in places)
        n_centered = sum(abs(x - middles[len(middles) // 2]) < _SAME_MIDDLE_PT for x in middles)
        first = min((left for left, _right in places), default=0.0)
        n_first = sum(left - first <= _SAME_LEFT_PT for left, _right in places)
        return 2 * n_centered <= len(places) and n_first >= _MIN_AT_BASE * len(places)

    def _own_name(self, row: Sequence[TableCell | None], index: int) -> TableCell | None:
        """Return the name that begins in a row and may lead what is set in below it."""
        names = _filled(row, self._subjects)
        return next((one for one in names if one.row == index and long_words(one.text)), None)

    def _last_led(self, row: Sequence[TableCell | None], index: int) -> int:
        """Return the last row of those that a row without values heads beside their name."""
        own = [None if c is None or c.row_span > 1 else c for c in row]
        ends = [cell.row + cell.row_span - 1 for cell in _filled(row, self._identity)]
        return 0 if self._gives(own) else max(ends, default=0)

    def _is_of_row(self, name: tuple[int, int], row: int) -> bool:
        cell = self._table.cells[name[1]]
        is_condition = self.columns[name[0]].role is ColumnRole.CONDITION
        return is_condition and cell.row == row and cell.row_span == 1

    def _with_doubts(self, cells: Sequence[TableCell]) -> Iterator[TableCell]:
        """Doubt values that their paths do not tell apart, and those whose paths are not whole."""
        units = [
            " ".join(
                c.text for i, c in enumerate(row) if c and self.columns[i].role is ColumnRole.UNIT
            )
            for row in self._grid
        ]
        paths = [(*self._table.texts(cell.row_path), units[cell.row]) for cell in cells]
        twins: dict[tuple[int, tuple[str, ...]], set[str]] = {}
        for cell, path in zip(cells, paths, strict=True):
            twins.setdefault((cell.column, path), set()).add(cell.text)
        for cell, path in zip(cells, paths, strict=True):
            is_whole = all(text.count("(") == text.count(")") for text in path)
            is_number = self.columns[cell.column].role in _NUMBERS
            if is_number and not (is_whole and len(twins[cell.column, path] - {""}) <= 1):
                yield replace(cell, confidence=round(cell.confidence * _DOUBT, 3))
            else:
                yield cell

    def with_whole_names(self) -> Table:
        """Join names that go on beside the values of the rows below.

        Where symbols lead the rows, a row without one begins no parameter, unless it has another
        unit: what stands in its name is the rest of the one above.
        """
        symbol, subject = next(
            (
                (a, b)
                for a, b in itertools.pairwise(self._identity)
                if self.columns[a].role is ColumnRole.SYMBOL
                and self.columns[b].role is ColumnRole.SUBJECT
            ),
            (0, 0),
        )
        cells = list(self._table.cells)
        gone: set[int] = set()
        name: int | None = None
        units, unit = self._of(ColumnRole.UNIT), ""
        for row in self._grid[self._n_header :] if subject else ():
            mark, cell = row[symbol], row[subject]
            last, unit = unit, " ".join(c.text for i in units if (c := row[i]) is not None)
            is_head = self._repeats_heads(row) or (self._is_group(row) and not (mark and mark.text))
            is_other = mark is not None and not mark.text and unit not in ("", last)
            if mark is None or cell is None or is_head or is_other:
                name = None
            elif mark.text or not cell.text:
                is_name = mark.text and cell.text and mark.row_span == 1
                name = self._index[id(cell)] if is_name else None
            elif name is not None and cell.row_span == cell.column_span == 1:
                gone.add(self._index[id(cell)])
                cells[name] = replace(
                    cells[name],
                    text=join_lines_of_text([cells[name].text, cell.text]),
                    row_span=cell.row - cells[name].row + 1,
                    provenances=(*cells[name].provenances, *cell.provenances),
                )
        if not gone:
            return self._table
        return replace(self._table, cells=tuple(c for i, c in enumerate(cells) if i not in gone))

    def _gives(self, row: Sequence[TableCell | None]) -> bool:
        """Tell whether a row has a value."""
        values = [i for i in range(len(row)) if i not in self._identity]
        return bool(_filled(row, values))

    def _repeats_heads(self, row: Sequence[TableCell | None]) -> bool:
        return names_limits(cell.text for cell in _filled(row))

    def _heads_of(
        self, row: Sequence[TableCell | None], before: list[tuple[int, ...]]
    ) -> list[tuple[int, ...]]:
        """Heads that a later row of heads sets; a column that it leaves empty keeps its own.

        Limits alone, with no name that begins beside them, are a level below the heads so far.
        """
        own = [cell if cell and cell.text and cell.row_span == 1 else None for cell in row]
        is_level = not any(own[column] for column in self._identity)
        heads = []
        for kept, cell in zip(before, own if is_level else row, strict=True):
            if cell is None or not cell.text:
                heads.append(kept)
                continue
            is_replaced = kept and names_bound(self._table.cells[kept[-1]].text)
            above = kept[: -1 if is_replaced else None] if is_level else ()
            heads.append((*above, self._index[id(cell)]))
        return heads

    def _group(self, row: Sequence[TableCell | None]) -> _Group:
        of_row = _filled(row)
        symbol = ColumnRole.SYMBOL
        name = min(of_row, key=lambda c: (self.columns[c.column].role is symbol, c.column))
        identity = [c for c in of_row if c is name or self.columns[c.column].role in IDENTITY]
        # A condition beside several rows holds for them, not for all that the name heads.
        roles = {id(c): self.columns[c.column].role for c in identity}
        cells = [c for c in identity if c.row_span == 1 or roles[id(c)] is not ColumnRole.CONDITION]
        letters = [char for char in name.text if char.isalpha()]
        n_upper = sum(char.isupper() for char in letters)
        is_upper = n_upper >= _MIN_UPPER * len(letters) and not name.text.startswith("(")
        is_plain = not (is_upper or name.column_span == self._table.n_columns)
        indices = tuple(self._index[id(cell)] for cell in cells)
        left, right = self._extent(name)
        is_name = self._is_set_left and name.column_span == 1
        middle = left if is_name else (left + right) / 2
        return _Group(indices, is_plain, left, middle)

    def _extent(self, cell: TableCell) -> tuple[float, float]:
        """Return where a text begins and ends, from the left side of its page's part."""
        if not cell.provenances:
            return 0.0, 0.0
        place = cell.provenances[0]
        part = next(
            (p.bbox.left for p in self._table.provenances if p.page_no == place.page_no), 0.0
        )
        return left_of(cell) - part, place.bbox.right - part

    def _still_led(self, groups: list[_Group], row: Sequence[TableCell | None]) -> list[_Group]:
        """Return the headings that hold for a row; a name that is not set in ends what leads."""
        symbols = {self._index[id(cell)] for cell in _filled(row, self._of(ColumnRole.SYMBOL))}
        names = _filled(row, self._subjects)
        left = self._extent(names[0])[0] if names else None
        kept = []
        for group in groups:
            of_group = self._symbols_of(group)
            is_set_in = left is not None and left - group.left > _SAME_LEFT_PT
            if left is None:
                group.leads = group.is_plain or group.leads
            elif group.is_plain and group.leads is None:
                group.leads = is_set_in
            if symbols and of_group and not of_group & symbols:
                column = self._table.cells[group.indices[0]].column
                if not (is_set_in and self.columns[column].role is ColumnRole.SUBJECT):
                    continue
                # Of what stood beside the name, nothing holds for another symbol.
                group.indices = group.indices[:1]
            if left is None or not (group.is_plain and group.leads) or is_set_in:
                kept.append(group)
        return kept

    def _symbols_of(self, group: _Group) -> set[int]:
        """Symbols beside a group's name; a name alone, across the columns, is none."""
        columns = self._of(ColumnRole.SYMBOL)
        beside = group.indices if len(group.indices) > 1 else ()
        return {i for i in beside if self._table.cells[i].column in columns}

    def _names_of(
        self, row: Sequence[TableCell | None], named: dict[int, int]
    ) -> list[tuple[int, int]]:
        """Return (column, cell) of what names a row; a name printed once holds below it."""
        names = [c for c in self._subjects if (cell := row[c]) is not None and cell.text]
        fresh = [c for c in names if named.get(c) != self._index.get(id(row[c]))]
        if fresh:
            for column in self._identity:
                if column >= fresh[0] and self.columns[column].role is not ColumnRole.CONDITION:
                    named.pop(column, None)
        found = self._lead_of(row, names)
        for column in self._identity:
            cell = row[column]
            if cell is not None and cell.text:
                index = self._index[id(cell)]
                if self.columns[column].role is not ColumnRole.CONDITION:
                    named[column] = index
                found.append((column, index))
            elif column in named:
                found.append((column, named[column]))
        return found

    def _lead_of(
        self, row: Sequence[TableCell | None], names: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Return the name that leads a row: it has the symbol of both beside it, or more room."""
        name = row[names[0]] if names else None
        if name is None:
            return []
        for symbol in _filled(row, self._of(ColumnRole.SYMBOL)):
            parent = self._grid[symbol.row][names[0]]
            if symbol.row >= name.row or parent is None or parent is name or not parent.text:
                continue
            is_set_in = self._extent(name)[0] - self._extent(parent)[0] > _SAME_LEFT_PT
            # Names that share words are of one kind, and neither is the other's.
            are_alike = not long_words(name.text).isdisjoint(long_words(parent.text))
            if is_set_in or (not are_alike and _are_level(parent, symbol)):
                return [(names[0], self._index[id(parent)])]
        return []

    def _confidence(self, row: Sequence[TableCell | None], column: int, named: bool) -> float:
        """How surely the cell in a column of a row is what its path says.

        The role's posterior, less for each thing that does not fit: a text under MAX, a minimum
        above the maximum, several values in one cell, a value over several limits, a number under
        no head, a row without a name.
        """
        cell, role = row[column], self.columns[column].role
        assert cell is not None
        confidence = self.columns[column].confidence
        if role in IDENTITY:
            return 1.0 if named else _DOUBT  # which of the names it is changes nothing
        if not named:
            confidence *= _DOUBT
        if role is ColumnRole.NOTE:
            return round(confidence, 3)
        if role in BOUNDS and not is_value(cell.text):
            confidence *= _SLIGHT_DOUBT
        if role in _NUMBERS and holds_several(cell.text):
            confidence *= _DOUBT
        if role in BOUNDS and cell.column_span > 1 and is_value(cell.text):
            confidence *= _SLIGHT_DOUBT
        if is_value(cell.text) and self._n_header and not self._heads[column]:
            confidence *= _DOUBT
        if role in BOUNDS and not self._is_ordered(row, column):
            confidence *= _DOUBT
        return round(confidence, 3)

    def _is_ordered(self, row: Sequence[TableCell | None], column: int) -> bool:
        """Tell whether the minimum is no more than the maximum, beside a cell of either.

        A typical value may lie below the minimum (a set-up time); negative limits may be set by
        size ("-30 max" beside "-10 min").
        """
        numbers = {
            self.columns[c].role: number_of(cell.text)
            for c in range(max(column - 2, 0), min(column + 3, self._table.n_columns))
            if (cell := row[c]) is not None and self.columns[c].role in BOUNDS
        }
        low, high = numbers.get(ColumnRole.MIN), numbers.get(ColumnRole.MAX)
        n_sets = sum(c.role is ColumnRole.MIN for c in self.columns)
        if low is None or high is None or n_sets > 1:
            return True
        return low <= high or abs(low) <= abs(high)


def _are_level(cell: TableCell, other: TableCell) -> bool:
    """Tell whether the first lines of two cells stand beside each other."""
    boxes = [c.provenances[0].bbox for c in (cell, other) if c.provenances]
    middles = [(box.top + box.bottom) / 2 for box in boxes]
    return len(boxes) == 2 and abs(middles[0] - middles[1]) < 0.5 * boxes[0].height


def _with_role(
    columns: tuple[TableColumn, ...], index: int, role: ColumnRole
) -> tuple[TableColumn, ...]:
    changed = replace(columns[index], role=role)
    return (*columns[:index], changed, *columns[index + 1 :])


def _are_numbered(rows: _Grid, column: int) -> bool:
    """Tell a column of single words with digits: numbers of pins and parts, addresses."""
    return all(any(map(str.isdigit, t)) and " " not in t for t in _texts(rows, column))


def _recur(rows: _Grid, column: int) -> bool:
    """Tell whether a text, not the dash for none, stands in a column more than once."""
    texts = [text for text in _texts(rows, column) if text.strip("-–—−")]
    return len(set(texts)) < len(texts)


def _filled(
    row: Sequence[TableCell | None], columns: Sequence[int] | None = None
) -> list[TableCell]:
    """Return the cells of a row that hold text, each once, or those in some of its columns."""
    cells = dict.fromkeys(row) if columns is None else [row[column] for column in columns]
    return [cell for cell in cells if cell is not None and cell.text]


def _texts(rows: _Grid, column: int) -> list[str]:
    return [cell.text for row in rows if (cell := row[column]) is not None and cell.text]


def _n_distinct(rows: _Grid, names: Sequence[int], *columns: int) -> int:
    """Count what rows are told apart by; a name that is printed once holds below it."""
    named = dict.fromkeys(names, "")
    found = set()
    for row in rows:
        texts = [cell.text if (cell := row[c]) is not None else "" for c in (*names, *columns)]
        if any(texts[: len(names)]):
            named = dict(zip(names, texts, strict=False))
        found.add((*named.values(), *texts[len(names) :]))
    return len(found)


def left_of(cell: TableCell) -> float:
    """Return where a printed text begins, in points, behind a star that hangs before it."""
    box = cell.provenances[0].bbox
    mark, _, rest = cell.text.partition(" ")
    n_characters = len(cell.text) / len(cell.provenances)
    is_hung = bool(rest) and not mark.strip("*†‡•")
    return box.left + is_hung * box.width * (len(mark) + 1) / n_characters


_MAX_COLUMNS = 10
_MAX_UNITS = 8
_MAX_ROWS_NAMED = 4
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")


def describe_table(table: Table, heading: str) -> str:
    """Describe a table by its title, headers, units and the heading of its chapter."""
    number, chapter = split_heading_number(heading)
    subject = table.caption or table.label or chapter or "Table"
    parts = [subject.rstrip(" .:")]
    if chapter and fold(chapter) not in fold(subject):
        parts.append(f'in chapter "{f"{number} {chapter}".strip()}"')
    heads = dict.fromkeys(cell.text for cell in table.cells if cell.is_header and cell.text)
    if headers := list(heads):
        parts.append("by " + ", ".join(headers[:_MAX_COLUMNS]))
    if rows := _row_names(table):
        parts.append("with rows such as " + ", ".join(rows))
    if units := _units(table):
        parts.append("in " + ", ".join(units[:_MAX_UNITS]))
    return "; ".join(parts) + "."


def _row_names(table: Table) -> list[str]:
    """Return what the first rows are about."""
    names = (cell.text for cell in _body(table, ColumnRole.SUBJECT))
    kept = (name for name in names if 2 <= len(name) <= 60 and not is_value(name))
    return list(itertools.islice(dict.fromkeys(kept), _MAX_ROWS_NAMED))


def _body(table: Table, role: ColumnRole) -> Iterator[TableCell]:
    """Yield the filled cells of the columns of a role, from the top."""
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        if cell.text and not cell.is_header and table.columns[cell.column].role is role:
            yield cell


def _units(table: Table) -> list[str]:
    found = [cell.text for cell in _body(table, ColumnRole.UNIT)]
    heads = (_IN_BRACKETS.search(cell.text) for cell in table.cells if cell.is_header)
    named = (match[1] for match in heads if match is not None and is_unit(match[1]))
    return list(dict.fromkeys((*(unit for unit in found if not is_value(unit)), *named)))
