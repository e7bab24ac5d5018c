"""Gold cells of tables, read by hand, against the tables that were extracted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.folding import fold
from desktop_qa.core.note_marks import NOTE_MARK
from desktop_qa.evaluate.bank import read_lines
from desktop_qa.evaluate.structure.count import NONE, Count, Counts


@dataclass(frozen=True, slots=True)
class GoldPath:
    """The identity of a cell as the page prints it: headings above its row and its column.

    Attributes:
        row: Group headings, parameter, sub-row, condition, outermost first.
        column: Spanning heads, then its own.
        may: What names the row as well and need not be there: symbol, item or pin number, address.
    """

    row: tuple[str, ...]
    column: tuple[str, ...]
    may: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldCell:
    """A cell by the words of its row and of its column's header; `path` where it was written."""

    row: str
    column: str
    value: str
    page_no: int
    path: GoldPath | None = None


@dataclass(frozen=True, slots=True)
class GoldTable:
    """Cells of one table and the pages it runs over."""

    file: str
    pages: tuple[int, ...]
    cells: tuple[GoldCell, ...]


@dataclass(frozen=True, slots=True)
class CellCounts(Counts):
    """Gold cells found, and how much of what they mean.

    Attributes:
        cells: Value under its own head, in a row that holds the words of its label.
        identities: Value with its whole path, no word less and none too many.
        continued: Those of tables that run over pages, found in one joined table.
    """

    cells: Count = NONE
    identities: Count = NONE
    continued: Count = NONE


class _Cell(msgspec.Struct):
    row: str
    column: str
    value: str
    page: int | None = None


class _Table(msgspec.Struct):
    file: str
    page: int
    cells: tuple[_Cell, ...]
    id: str = ""
    pages: tuple[int, ...] = ()


class _Identity(msgspec.Struct):
    id: str
    cell: int
    path: GoldPath
    may: tuple[str, ...] = ()


def read_gold_tables(file: Path, paths: Path | None = None) -> list[GoldTable]:
    """Read a bank of tables.

    Args:
        file: The bank; a line a table.
        paths: A line for each cell with its whole identity: {"id": of the table, "cell": index,
            "path": {"row": [...], "column": [...]}, "may"?: [...]}.

    Raises:
        BankError: When a file cannot be read or a line of it is not what it should be.
    """
    identities: dict[tuple[str, int], GoldPath] = {}
    if paths is not None:
        hint = "Each line is a JSON object with id, cell and path (row, column)."
        for _where, one in read_lines(paths, _Identity, hint):
            identities[one.id, one.cell] = replace(one.path, may=one.may)
    hint = "Each line is a JSON object with file, page and cells (row, column, value)."
    return [
        GoldTable(
            table.file,
            table.pages or (table.page,),
            tuple(
                GoldCell(
                    *(cell.row, cell.column, cell.value, cell.page or table.page),
                    identities.get((table.id, index)),
                )
                for index, cell in enumerate(table.cells)
            ),
        )
        for _where, table in read_lines(file, _Table, hint)
    ]


def compare_tables(
    gold: Sequence[GoldTable], tables: Sequence[Table]
) -> tuple[CellCounts, list[tuple[GoldTable, GoldCell]], list[tuple[GoldCell, str]]]:
    """Look for each gold cell among the tables of its document.

    Returns:
        The counts, the cells that were not found, and those found without their whole identity,
        with the nearest that was read.
    """
    counts, missed, unnamed = CellCounts(), [], []
    for table in gold:
        near = [t for t in tables if {p.page_no for p in t.provenances} & {*table.pages}]
        for cell in table.cells:
            holders = [t for t in near if _holds(t, cell)]
            counts += CellCounts(cells=Count(int(bool(holders)), 1))
            if len(table.pages) > 1:
                whole = any({*table.pages} <= {p.page_no for p in t.provenances} for t in holders)
                counts += CellCounts(continued=Count(int(whole), 1))
            if cell.path is not None:
                read = _nearest(near, cell)
                counts += CellCounts(identities=Count(int(not read), 1))
                if read:
                    unnamed.append((cell, read))
            if not holders:
                missed.append((table, cell))
    return counts, missed, unnamed


def _holds(table: Table, gold: GoldCell) -> bool:
    """Tell whether a cell equals the value, its row has the label's, its column the header's words.

    Cells that span rows or columns count in each of them.
    """
    return any(_holds_folded(table, gold, mark) for mark in (_plain, fold))


def _holds_folded(table: Table, gold: GoldCell, mark: Callable[[str], str]) -> bool:
    grid = table.grid()
    headings = grid[: table.n_header_rows]
    value = mark(gold.value)
    parts = [NOTE_MARK.sub("", part) for part in (*gold.row.split(" | "), gold.column)]
    *labels, columns = ([mark(word) for word in part.split()] for part in parts)
    for row in grid:
        row_text = " ".join(dict.fromkeys(cell.text for cell in row if cell))
        for k, cell in enumerate(row):
            if cell is None or mark(cell.text) != value:
                continue
            named = mark(" ".join((row_text, *table.texts(cell.row_path))))
            if not all(label in named for part in labels for label in part):
                continue
            over = dict.fromkeys(
                [c.text for of in headings if (c := of[k])] + [*table.texts(cell.column_path)]
            )
            heading = mark(" ".join(over))
            if all(column in heading for column in columns):
                return True
    return False


def _nearest(tables: Sequence[Table], gold: GoldCell) -> str:
    """Return "" when a cell has the value and the whole identity, else what the nearest one has."""
    path = gold.path
    assert path is not None
    value = _plain(gold.value)
    best, least = "no cell with this value", 1 << 30
    for table in tables:
        for cell in table.cells:
            if value not in (_plain(cell.text), fold(cell.text)):
                continue
            column = table.texts(cell.column_path)
            for row in _row_paths(table, cell):
                off = _distance(row, path.row, path.may) + _distance(
                    column, tuple(dict.fromkeys(path.column)), ()
                )
                if not off:
                    return ""
                if off < least:
                    best, least = f"{' | '.join(row)} // {' | '.join(column)}", off
    return best


def _row_paths(table: Table, cell: TableCell) -> set[tuple[str, ...]]:
    """Paths of the rows that a cell stands in: it is printed once for all of them."""
    rows = range(cell.row, cell.row + cell.row_span)
    own = table.cells.index(cell)
    of_rows = {
        table.texts(tuple(index for index in other.row_path if index != own))
        for other in table.cells
        if other.row in rows and other.row_span == 1 and other.row_path and cell.row_span > 1
    }
    return {table.texts(cell.row_path), *of_rows}


def _distance(read: Sequence[str], wanted: Sequence[str], may: Sequence[str]) -> int:
    """Count the characters of a path that are missing or too many, in any order of its parts.

    A raised digit may be a note's mark or belong to its name (I²C).
    """
    return min(
        _characters_off(list(map(mark, read)), list(map(mark, wanted)), may)
        for mark in (_plain, fold)
    )


def _characters_off(read: Sequence[str], wanted: Sequence[str], may: Sequence[str]) -> int:
    rest = "".join(read)
    missing = 0
    for texts, is_needed in ((wanted, True), ([_plain(text) for text in may], False)):
        for text in sorted(texts, key=len, reverse=True):
            if text in rest:
                rest = rest.replace(text, "\n", 1)
            elif is_needed:
                missing += len(text)
    return missing + sum(char.isalnum() for char in rest)


def _plain(text: str) -> str:
    """Fold a text without its marks of footnotes."""
    return fold(NOTE_MARK.sub("", text))
