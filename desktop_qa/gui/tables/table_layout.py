"""What belongs together in a table, which rows are shown, how columns share the width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice

from desktop_qa.core.document import Table, TableCell

_UNIT_HEADINGS = frozenset(("unit", "units"))
Row = list[TableCell | None]
_MAX_ROWS = 9
_ROWS_AROUND = 1
_LONGEST_SYMBOL = 5
_SIGN_BEFORE_DIGIT = re.compile(r"([-–−±+~<>≤≥])(?=[\d.])")
_WORD_JOINER = "\u2060"
_NUMBER = re.compile(r"^[^A-Za-z]{0,4}\d[\d.,\s]*([A-Za-zµμΩ°%/]{0,4})$|^[–—-]$")


class TableGrid:
    """Reads a table's cells by place; `rows` have the cell that covers each column."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.n_rows, self.n_columns = table.n_rows, table.n_columns
        self.n_header_rows = table.n_header_rows
        self.rows: list[Row] = table.grid()
        self._wide = [c for c in table.cells if c.row_span > 1 or c.column_span > 1]

    def text(self, row: int, column: int) -> str:
        """Return the words at a place."""
        cell = self.rows[row][column]
        return cell.text if cell is not None else ""

    def _beginning(self, row: int) -> list[TableCell]:
        """Return the cells whose first place is in a row."""
        places = enumerate(self.rows[row])
        return [c for column, c in places if c is not None and (c.row, c.column) == (row, column)]

    @cached_property
    def rows_with_spans(self) -> frozenset[int]:
        """Rows that a cell over several rows or columns touches."""
        return frozenset(row for c in self._wide for row in range(c.row, c.row + c.row_span))

    def is_group_heading(self, row: int) -> bool:
        """Tell whether a row of the body is a heading over those below it: "OFFSET VOLTAGE"."""
        if row < self.n_header_rows or self.n_columns < 2:
            return False
        said = [cell for cell in self._beginning(row) if cell.text.strip()]
        if len(said) != 1 or any(cell is not None and cell.row < row for cell in self.rows[row]):
            return False
        (only,) = said
        if only.column_span >= self.n_columns:
            return True
        if only.column or self.n_columns <= 2 or row + 1 >= self.n_rows:
            return False
        # Not where the row below has words in its first column alone, too.
        return any(cell.text.strip() and cell.column for cell in self._beginning(row + 1))

    def sections(self, rows: Sequence[int]) -> list[tuple[int | None, list[list[int]]]]:
        """Part ascending rows of the body by their headings, and what shares a cell into blocks.

        Each section is the row of its heading, or None, and blocks of rows in their order.
        """
        sections: list[tuple[int | None, list[list[int]]]] = []
        joined_until, touched = -1, self.rows_with_spans
        for row in rows:
            if self.is_group_heading(row):
                sections.append((row, []))
                joined_until = -1
                continue
            if not sections:
                sections.append((None, []))
            blocks = sections[-1][1]
            if blocks and row <= joined_until:
                blocks[-1].append(row)
            else:
                blocks.append([row])
            if row not in touched:
                continue
            ends = (c.row + c.row_span - 1 for c in self.rows[row] if c is not None)
            joined_until = max(joined_until, row - 1, *ends)
        return sections

    def is_evenly_joined(self, block: Sequence[int]) -> bool:
        """Tell whether each cell over several rows of a block covers all of it."""
        first, last = min(block), max(block)
        cells = (cell for row in block for cell in self.rows[row] if cell is not None)
        tall = [cell for cell in cells if cell.row_span > 1]
        return all(cell.row <= first and cell.row + cell.row_span - 1 >= last for cell in tall)

    @cached_property
    def unit_column(self) -> int | None:
        """The column that says in which unit the numbers of a row are."""
        for row in range(self.n_header_rows):
            for cell in self._beginning(row):
                if cell.text.strip(" ()[]").casefold() in _UNIT_HEADINGS:
                    return cell.column
        return None


def is_number_like(text: str) -> bool:
    """Tell whether a cell holds a value, perhaps with a sign and a short unit."""
    return _NUMBER.match(text.strip()) is not None


def unbroken(text: str) -> str:
    """Return a text for drawing in which no line ends between a sign and its number."""
    return _SIGN_BEFORE_DIGIT.sub(rf"\1{_WORD_JOINER}", text)


def rows_shown(
    table: Table, rows: tuple[int, int], cited: Iterable[tuple[int, int]]
) -> tuple[int, ...]:
    """Return the rows to show at first, ascending: header rows, then those around the cited cells.

    All of the evidence, rows[0] to rows[1] - 1 of the table, when they are few.
    """
    grid = TableGrid(table)
    n_header = grid.n_header_rows
    body = range(max(rows[0], n_header), min(rows[1], table.n_rows))
    if not body:
        body = range(n_header, table.n_rows)
    header = range(min(n_header, table.n_rows))
    cited_rows = sorted({row for row, _ in cited if n_header <= row < table.n_rows})
    if len(body) <= _MAX_ROWS and all(row in body for row in cited_rows):
        return (*header, *body)
    if not cited_rows:
        return (*header, *body[:_MAX_ROWS])
    wanted: set[int] = set()
    for row in cited_rows:
        for near in range(row - _ROWS_AROUND, row + _ROWS_AROUND + 1):
            if near in body or near in cited_rows:
                wanted.add(near)
        above = range(row - 1, n_header - 1, -1)
        wanted.update(islice(filter(grid.is_group_heading, above), 1))
    return (*header, *sorted(wanted))


def row_names(table: Table, rows: tuple[int, int]) -> tuple[str, ...]:
    """Return what the rows from rows[0] to rows[1] - 1 are called, each name once."""
    names: dict[int, str] = {}
    for cell in sorted(table.cells, key=lambda cell: cell.column):
        in_piece = rows[0] <= cell.row < rows[1] and not cell.is_header
        text = " ".join(cell.text.split())
        if in_piece and any(character.isalpha() for character in text):
            known = names.get(cell.row, "")
            # The name of a symbol stands behind it: "VOS", "Input offset voltage".
            is_symbol = bool(known) and len(known) <= _LONGEST_SYMBOL and " " not in known
            if cell.column == 0 or (cell.column == 1 and is_symbol):
                names[cell.row] = text
    return tuple(dict.fromkeys(names[row] for row in sorted(names)))


def widen_for_spans(widths: Sequence[int], spans: Iterable[tuple[int, int, int]]) -> list[int]:
    """Return the widths with which the cells over several columns find room too.

    Each span is its first column, the number of columns and the width needed.
    """
    widened = list(widths)
    for first, n_columns, needed in spans:
        columns = range(first, min(first + n_columns, len(widened)))
        lacking = needed - sum(widened[column] for column in columns)
        for index, column in enumerate(columns):
            if lacking > 0:
                share = lacking // (len(columns) - index)
                widened[column] += share
                lacking -= share
    return widened


def column_widths(widest: Sequence[int], longest_word: Sequence[int], available: int) -> list[int]:
    """Share a width in pixels among columns as browsers do.

    All are `widest`, on one line, when there is room; else the rest is shared by need, none
    narrower than its longest word, so the sum may exceed what is available.
    """
    total, least = sum(widest), sum(longest_word)
    if total <= available:
        extra = available - total
        widths = [wide + extra * wide // max(total, 1) for wide in widest]
    elif least >= available:
        return list(longest_word)
    else:
        room = available - least
        need = total - least
        widths = [
            word + room * (wide - word) // need
            for wide, word in zip(widest, longest_word, strict=True)
        ]
    if widths:
        widths[-1] += available - sum(widths)
    return widths
