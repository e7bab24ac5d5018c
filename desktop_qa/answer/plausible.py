"""What is doubtful in the cells of a table: said beside the value, never decided silently.

Tables come out of a page with rows run together, spans that overlap and units lost. A cell that
cannot be read surely is quoted as it stands, with the reason; no value of it is picked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.answer.columns import TableColumns
from desktop_qa.core.document import BOUNDS, ColumnRole, Table, TableCell
from desktop_qa.core.note_marks import NOTE_MARK
from desktop_qa.parse.table_text import holds_several

MIN_CONFIDENCE = 0.5
"""Of a cell: below it the row is shown as printed, and no value of it is stated. One thing that
does not fit, or a column that is rather another (`parse/table_reading.py`)."""

MAX_QUOTED = 6
"""Values of a cell that are quoted; of more, how many there are is said."""

_NUMBER = re.compile(r"(?<![\w.])[-+\u2212\u2013\u00b1]?\s?(?:\d+(?:[.,\u2019]\d+)*|\.\d+)")
_HAS_UNIT = re.compile(r"\d\s?(?:[^\W\d_]|[%\u00b0\u03a9\u2126])")
_PLAIN_NUMBER = re.compile(r"[-+\u2212\u2013\u00b1]?\s?(?:\d+(?:[.,]\d+)*|\.\d+)")
_WITHOUT_UNIT = re.compile(
    r"\b(?:ratio|factor|number|count|bits?|code|address|index|gain|cycles?|channels?|resolution"
    r"|steps?|levels?|ratio|efficiency|class|grade|id|divider|exponent|samples?|endurance)\b",
    re.IGNORECASE,
)
"""Parameters that are stated as plain numbers."""

_VALUES = (*BOUNDS, ColumnRole.VALUE)


def as_printed(cells: Sequence[TableCell | None], chosen: Sequence[int]) -> str:
    """Return a row as the page prints it when a cell of it cannot be trusted; else "".

    Args:
        cells: The row of `Table.grid()`.
        chosen: Columns that were to be stated.
    """
    if all((cell := cells[i]) is None or cell.confidence >= MIN_CONFIDENCE for i in chosen):
        return ""
    texts = dict.fromkeys(cell for cell in cells if cell is not None and cell.text)
    return " | ".join(cell.text for cell in texts)


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a cell with their signs, footnote marks left out."""
    return [found.group().strip() for found in _NUMBER.finditer(NOTE_MARK.sub(" ", text))]


def doubts_of(
    cells: Sequence[TableCell | None],
    columns: TableColumns,
    index: int,
    label: str = "",
    overlapping: frozenset[tuple[int, int]] = frozenset(),
) -> str:
    """Say why the value in one column of a row cannot be read surely.

    Args:
        cells: The row of `Table.grid()`.
        columns: Of the table.
        index: Of the column.
        label: Of the row, which tells whether it has a unit at all.
        overlapping: From `overlapping_cells`.

    Returns:
        Words for brackets behind the value; "" when nothing is doubtful.
    """
    cell = cells[index]
    text = "" if cell is None else cell.text.strip()
    if cell is None or not text:
        return ""
    role = columns.roles[index]
    doubts = []
    if (cell.row, cell.column) in overlapping:
        doubts.append("cells of the table overlap here")
    if role in _VALUES and holds_several(text):
        n_values = len(numbers_in(text))
        doubts.append(
            f"the cell holds {n_values} values" if n_values > 2 else "the cell holds several values"
        )
    elif role in _VALUES and _lacks_unit(cells, columns, text, label):
        doubts.append("the table gives no unit")
    if role not in _VALUES and not columns.headers[index] and _PLAIN_NUMBER.fullmatch(text):
        doubts.append("its column has no name")
    return "; ".join(doubts)


def _lacks_unit(
    cells: Sequence[TableCell | None], columns: TableColumns, text: str, label: str
) -> bool:
    """Tell whether a plain number stands in a table with units, and has none."""
    units = columns.of(ColumnRole.UNIT)
    if not units or _HAS_UNIT.search(text) or not _PLAIN_NUMBER.fullmatch(text):
        return False
    own = [cell.text.strip() for i in units if (cell := cells[i]) is not None]
    return not any(own) and not _WITHOUT_UNIT.search(label)


def quoted_value(text: str) -> str:
    """Return a cell for a sentence: of many values the first, and how many there are."""
    numbers = numbers_in(text)
    if not holds_several(text) or len(numbers) <= MAX_QUOTED:
        return text
    return f"{' '.join(numbers[:MAX_QUOTED])} \u2026 ({len(numbers)} values)"


def overlapping_cells(table: Table) -> frozenset[tuple[int, int]]:
    """Return (row, column) of the cells whose spans cover a place that another one covers, too."""
    holders: dict[tuple[int, int], tuple[int, int]] = {}
    found: set[tuple[int, int]] = set()
    for cell in table.cells:
        own = (cell.row, cell.column)
        for row in range(cell.row, min(cell.row + cell.row_span, table.n_rows)):
            for column in range(cell.column, min(cell.column + cell.column_span, table.n_columns)):
                other = holders.setdefault((row, column), own)
                if other != own:
                    found |= {own, other}
    return frozenset(found)
