"""The body rows of a table, read by the roles of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.columns import TableColumns, unique_texts
from desktop_qa.augment.quantities import find_values
from desktop_qa.augment.table_values import table_values
from desktop_qa.core.document import ColumnRole, Table, TableCell

_FORMULA = re.compile("[\u239b-\u23b3]")
"""Pieces of tall brackets: a formula that was set like a table reads as nonsense in a sentence."""

_MAX_SYMBOL_LENGTH = 12

Grid = list[list[TableCell | None]]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A body row.

    Attributes:
        index: In the table's grid.
        label: What it is about; a symbol follows in brackets.
        group: The title of the rows it stands among; empty when there is none.
        condition: Under which it holds; empty when none is named.
        texts: Texts of its cells, each once.
        values: Normal forms of the values in it, also those whose unit stands in another cell.
    """

    index: int
    label: str
    group: str
    condition: str
    texts: tuple[str, ...]
    values: frozenset[str]

    @property
    def subject(self) -> str:
        """What it is about: its label, else the title of its group."""
        return self.label or self.group

    @property
    def text(self) -> str:
        """All words of it, and of the title it stands under."""
        return " ".join((self.group, *self.texts))


def table_rows(
    table: Table, grid: Grid, columns: TableColumns, first: int, end: int
) -> list[TableRow]:
    """Read the body rows from `first` to before `end`, with the titles they stand under."""
    rows = []
    for index, above in enumerate(table.headings()[first:end], start=first):
        cells = grid[index]
        texts = unique_texts(cells)
        if above is None or any(_FORMULA.search(text) for text in texts):
            continue
        group = ", ".join(above)
        label = _label(cells, columns)
        condition = ", ".join(
            text
            for text in unique_texts([cells[i] for i in columns.of(ColumnRole.CONDITION)])
            if text not in label
        )
        values = frozenset(find_values(" ".join((group, *texts)))) | table_values(table, index, 1)
        rows.append(TableRow(index, label, group, condition, tuple(texts), values))
    return rows


def _label(cells: Sequence[TableCell | None], columns: TableColumns) -> str:
    names = unique_texts([cells[i] for i in columns.of(ColumnRole.SUBJECT)])
    symbols = [
        text
        for text in unique_texts([cells[i] for i in columns.of(ColumnRole.SYMBOL)])
        if text not in names
    ]
    # A symbol in an unnamed first column ("VOS | Input offset voltage") is the shorter text.
    if len(names) >= 2 and len(names[0]) <= _MAX_SYMBOL_LENGTH and " " not in names[0]:
        symbols, names = [names[0], *symbols], names[1:]
    label = " ".join(names)
    return f"{label} ({', '.join(symbols)})" if symbols and label else label or " ".join(symbols)
