"""Gold cells of tables, read by hand, against the tables that were extracted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.core.document import Table
from desktop_qa.core.folding import fold
from desktop_qa.evaluate.bank import BankError
from desktop_qa.evaluate.structure.count import NONE, Count


@dataclass(frozen=True, slots=True)
class GoldCell:
    """A cell by the words of its row and of its column's header."""

    row: str
    column: str
    value: str
    page_no: int


@dataclass(frozen=True, slots=True)
class GoldTable:
    """Cells of one table and the pages it runs over."""

    file: str
    pages: tuple[int, ...]
    cells: tuple[GoldCell, ...]


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Gold cells found; those of tables that run over pages, found in one joined table."""

    cells: Count = NONE
    continued: Count = NONE

    def __add__(self, other: CellCounts) -> CellCounts:
        return CellCounts(self.cells + other.cells, self.continued + other.continued)


def read_gold_tables(file: Path) -> list[GoldTable]:
    """Read a bank of tables.

    Raises:
        BankError: When the file cannot be read or a line of it is no gold table.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BankError(f"The bank {file} cannot be read: {error}.", "Check its path.") from error
    tables = []
    for line_no, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            tables.append(
                GoldTable(
                    entry["file"],
                    tuple(entry.get("pages") or (entry["page"],)),
                    tuple(
                        GoldCell(c["row"], c["column"], c["value"], c.get("page") or entry["page"])
                        for c in entry["cells"]
                    ),
                )
            )
        except (ValueError, KeyError, TypeError) as error:
            raise BankError(
                f"{file}, line {line_no}: no gold table ({type(error).__name__}: {error}).",
                "Each line is a JSON object with file, page and cells (row, column, value).",
            ) from error
    return tables


def compare_tables(
    gold: Sequence[GoldTable], tables: Sequence[Table]
) -> tuple[CellCounts, list[tuple[GoldTable, GoldCell]]]:
    """Look for each gold cell among the tables of its document.

    Returns:
        The counts and the cells that were not found.
    """
    counts, missed = CellCounts(), []
    for table in gold:
        near = [t for t in tables if {p.page_no for p in t.provenances} & {*table.pages}]
        for cell in table.cells:
            holders = [t for t in near if _holds(t, cell)]
            counts += CellCounts(cells=Count(int(bool(holders)), 1))
            if len(table.pages) > 1:
                whole = any({*table.pages} <= {p.page_no for p in t.provenances} for t in holders)
                counts += CellCounts(continued=Count(int(whole), 1))
            if not holders:
                missed.append((table, cell))
    return counts, missed


def _holds(table: Table, gold: GoldCell) -> bool:
    """Tell whether a cell equals the value, its row has the label's, its column the header's words.

    Cells that span rows or columns count in each of them.
    """
    grid = table.grid()
    headings = grid[: table.n_header_rows]
    value = fold(gold.value)
    labels = [fold(word) for part in gold.row.split(" | ") for word in part.split()]
    columns = [fold(word) for word in gold.column.split()]
    for row in grid:
        row_text = fold(" ".join(dict.fromkeys(cell.text for cell in row if cell)))
        if not all(label in row_text for label in labels):
            continue
        for k, cell in enumerate(row):
            if cell is None or fold(cell.text) != value:
                continue
            heading = fold(" ".join(dict.fromkeys(c.text for of in headings if (c := of[k]))))
            if all(column in heading for column in columns):
                return True
    return False
