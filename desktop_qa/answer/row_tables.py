"""The small table under a table answer: the rows it was read from, with their header."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.reply import DraftCell, DraftTable
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import TableCell
from desktop_qa.core.word_places import PlacedWord

_MAX_COLUMNS = 12


def row_tables(statements: Sequence[Statement], source: EvidenceSource) -> tuple[DraftTable, ...]:
    """Return a table for each table that rows were stated of, in the order of the statements."""
    by_table: dict[tuple[str, int], list[Statement]] = {}
    for statement in statements:
        element = statement.evidence.segment.element
        if statement.cells and element is not None:
            key = (statement.evidence.segment.document_id, element.index)
            by_table.setdefault(key, []).append(statement)
    drafts = (_row_table(own, source) for own in by_table.values())
    return tuple(draft for draft in drafts if draft is not None)


def _row_table(statements: Sequence[Statement], source: EvidenceSource) -> DraftTable | None:
    segment = statements[0].evidence.segment
    table = source.table(segment)
    if table is None or not statements[0].cells:
        return None
    grid = table.grid()
    columns = read_columns(table)
    # The label cell of a row may span others; the last cell quoted is a value of the row itself.
    indices = sorted({max(row for row, _column in s.cells) for s in statements})
    kept = _kept_columns(grid, indices)
    if len(kept) > _MAX_COLUMNS:
        return None
    by_row = {max(row for row, _column in s.cells): s for s in statements}
    rows = []
    for index in indices:
        statement = by_row[index]
        words = source.words(statement.evidence.segment)
        rows.append(tuple(_cell(grid[index][c], statement, words) for c in kept))
    title = " ".join(part for part in (table.label, table.caption) if part)
    headers = tuple(columns.headers[c] for c in kept)
    title = title or "".join(segment.metadata.section_path[-1:])
    return DraftTable(TableUse.ROWS, title, headers, tuple(rows))


def _kept_columns(grid: list[list[TableCell | None]], rows: Sequence[int]) -> list[int]:
    """Columns with something in one of the rows; of a spanning cell the first."""
    kept: list[int] = []
    seen: set[tuple[int, ...]] = set()
    for column in range(len(grid[0]) if grid else 0):
        cells = tuple(id(grid[row][column]) for row in rows)
        if cells in seen or not any((cell := grid[row][column]) and cell.text for row in rows):
            continue
        seen.add(cells)
        kept.append(column)
    return kept


def _cell(cell: TableCell | None, statement: Statement, words: Sequence[PlacedWord]) -> DraftCell:
    if cell is None or not cell.text:
        return DraftCell("")
    run = cell_words(cell, words)
    is_quoted = (cell.row, cell.column) in statement.cells
    if not run or not is_quoted:
        return DraftCell(cell.text)
    quoted = Statement(
        cell.text, statement.evidence, (tuple(run),), ((cell.row, cell.column),), 1.0, 1.0
    )
    return DraftCell(cell.text, quoted, is_stated=cell.text in _stated(statement))


def _stated(statement: Statement) -> str:
    """The bold part of a statement: its values."""
    return " ".join(statement.text.split("**")[1::2])
