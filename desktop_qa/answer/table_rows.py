"""The body rows of a table, read once: for the exact answer and for comparisons alike.

A row has what it is about (a name, a symbol, the title it stands under), the condition it holds
under, and cells under columns. Which cells are values, and of which part, its columns tell; a
value is read by bound, as printed and as a number in the base unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.answer.amounts import Amount, is_no_unit, read_amounts, without_footnote
from desktop_qa.answer.columns import TableColumns, unique_texts
from desktop_qa.answer.part_mentions import PartMentions
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import ColumnRole, Table, TableCell
from desktop_qa.core.gaps import is_gap
from desktop_qa.parse.table_roles import head_roles

MIN_CONFIDENCE = 0.5
"""Of a cell: below it the row is shown as printed, and no value of it is stated. One thing that
does not fit, or a column that is rather another (`parse/table_reading.py`)."""

_FORMULA = re.compile("[\u239b-\u23b3]")
"""Pieces of tall brackets: a formula that was set like a table reads as nonsense in a sentence."""

_SYMBOL = re.compile(r"[A-Za-zθΔ∆ψƒηλτΘΨΦδ][\w()/,+–.θΔ∆\-]{0,13}(?:\s[–-]\s\w{1,6})?")
_LETTER = re.compile(r"[^\W\d]")
_LONE_SYMBOL = re.compile(r"(?=(?:.*[A-Z0-9]){2}).{1,10}")
_CODE = re.compile(r"\w{1,3}")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A body row.

    Attributes:
        index: In the table's grid.
        cells: Of the row, a spanning cell in every place it covers.
        columns: It stands under.
        name: What it is about, in words; empty for a row that has a symbol only.
        symbol: Printed beside the name, or in its place.
        above: What heads it: titles of the rows it stands among, and a name printed once for
            several, outermost first.
        condition: Under which it holds; empty when none is named.
        unit: Of its column of units; that of the row above where a name is printed for several.
        numbers: Printed beside a name in words, each under its head: "Pin = 4".
    """

    index: int
    cells: tuple[TableCell | None, ...]
    columns: TableColumns
    name: str
    symbol: str
    above: tuple[TableCell, ...]
    condition: str
    unit: str
    numbers: str = ""

    @property
    def label(self) -> str:
        """What stands in the columns of names; a symbol follows in brackets."""
        both = f"{self.name} ({self.symbol})"
        return both if self.name and self.symbol else self.name or self.symbol

    @property
    def group(self) -> str:
        """The words that head it; empty when there are none."""
        return ", ".join(cell.text.rstrip(": ") for cell in self.above)

    @property
    def names_above(self) -> tuple[TableCell, ...]:
        """What heads it in the column of its name: of "1N5061", which voltage of it is meant."""
        names = self.columns.of(ColumnRole.SUBJECT)
        return tuple(c for c in self.above if c.column in names and c.column_span == 1)

    @property
    def subject(self) -> str:
        """What it is about: its label, else the title of its group."""
        return self.label or self.group

    @property
    def text(self) -> str:
        """All words of it, and of the title it stands under."""
        return " ".join((self.group, *unique_texts(self.cells)))

    def values(
        self, parts: PartMentions
    ) -> Iterator[tuple[str, tuple[Amount, ...], tuple[TableCell, ...]]]:
        """Yield what the row states for a part, under each head that it has a value under.

        The head is a part, a mode or a parameter; behind it come amounts, at least one, by bound,
        and the cells that hold them.
        """
        for head, indices in self.columns.values(parts):
            amounts: list[Amount] = []
            kept: list[TableCell] = []
            held = [c for i in indices if (c := self.cells[i]) is not None and not is_gap(c.text)]
            # A cell over several columns is one value and no bound.
            for cell in {id(cell): cell for cell in held}.values():
                own = [i for i in indices if self.cells[i] is cell]
                unit = self.unit or head_unit(self.columns.leaves[own[0]])
                if cell.confidence >= MIN_CONFIDENCE:
                    amounts += read_amounts(cell.text, unit, self.columns.bound_of(own))
                    kept.append(cell)
            if len(amounts) > 1 and len({a.role for a in amounts}) == 1:
                amounts, kept = amounts[:1], kept[:1]
            if amounts:
                yield head, tuple(amounts), tuple(kept)


def table_rows(
    table: Table, columns: TableColumns, first: int = 0, end: int | None = None
) -> list[TableRow]:
    """Read the body rows from `first` to before `end`, with the titles they stand under."""
    rows: list[TableRow] = []
    unit = ""
    grid = table.grid()
    printed = _printed_units(grid, columns)
    for index, (cells, above) in enumerate(zip(grid, table.headings()[:end], strict=False)):
        if above is None or any(_FORMULA.search(text) for text in unique_texts(cells)):
            continue
        name, symbol, numbers = _named(cells, columns)
        own = printed[index] or _unit_of_name(cells, columns, printed)
        own = "" if is_no_unit(own) else without_footnote(own)
        unit = own or ("" if name or symbol else unit)
        held = [_under_head(cells[i], columns.leaves[i]) for i in columns.of(ColumnRole.CONDITION)]
        condition = ", ".join(text for text in dict.fromkeys(held) if text and text not in name)
        if index >= first:
            own_cells = tuple(cells)
            rows.append(
                TableRow(index, own_cells, columns, name, symbol, above, condition, unit, numbers)
            )
    return rows


def _printed_units(grid: Sequence[Sequence[TableCell | None]], columns: TableColumns) -> list[str]:
    """Return what stands in the columns of units in each row, a dash where there is no more."""
    units, found = columns.of(ColumnRole.UNIT), []
    for cells in grid:
        # A value may reach into the column of the units.
        own = [c.text for i in units if (c := cells[i]) and c.column in units and c.text]
        found.append(next((text for text in own if not is_no_unit(text)), "".join(own[:1])))
    return found


def _unit_of_name(
    cells: Sequence[TableCell | None], columns: TableColumns, printed: Sequence[str]
) -> str:
    """Return the unit that is printed once, in the middle, for the rows of a name over several."""
    names = (c for i in columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL) if (c := cells[i]))
    span = max(names, key=lambda cell: cell.row_span, default=None)
    if span is None:
        return ""
    found = {unit for unit in printed[span.row : span.row + span.row_span] if unit}
    return found.pop() if len(found) == 1 else ""


def _under_head(cell: TableCell | None, head: str) -> str:
    """Return what a cell says of its row: a number or code is what its head names, "VCC = 5 V"."""
    text = "" if cell is None or is_gap(cell.text) else cell.text
    named = head.partition("(")[0].strip()
    is_code = not _LETTER.search(text) or _CODE.fullmatch(text)
    if not text or not named or not is_code or ColumnRole.CONDITION in head_roles(head):
        return text
    return f"{named} = {text} {head_unit(head)}".strip()


def _named(cells: Sequence[TableCell | None], columns: TableColumns) -> tuple[str, str, str]:
    """Return what a row is about: its name, its symbol, and the numbers beside a name."""
    subjects = columns.of(ColumnRole.SUBJECT)
    names = unique_texts([cells[i] for i in subjects])
    # Makers number their parameters and pins: "20 | TWC | Internal write cycle time".
    numbers: list[str] = []
    if in_words := [text for text in names if _LETTER.search(text)]:
        names = in_words
        beside = [i for i in subjects if (c := cells[i]) and c.text and c.text not in in_words]
        numbers = [_under_head(cells[i], columns.leaves[i]) for i in beside]
    symbols = unique_texts([cells[i] for i in columns.of(ColumnRole.SYMBOL)])
    symbols = [text for text in symbols if text not in names]
    # A symbol in an unnamed first column ("VOS | Input offset voltage") is the shorter text.
    is_symbol = names and _SYMBOL.fullmatch(names[0])
    if is_symbol and (names[1:] or (not symbols and _LONE_SYMBOL.fullmatch(names[0]))):
        symbols, names = [names[0], *symbols], names[1:]
    return " ".join(names), ", ".join(symbols), ", ".join(dict.fromkeys(numbers))
