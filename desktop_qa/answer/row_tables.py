"""The table under an answer: the rows it was read from with their header, or a whole one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.reply import CitedCell
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import DocumentId, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.retrieve.places import by_element

_MAX_COLUMNS, _MAX_ROWS = 12, 40


def row_tables(statements: Sequence[Statement], source: StoredEvidence) -> tuple[AnswerTable, ...]:
    """Return a table for each table that rows were stated of, in the order of the statements."""
    by_table: dict[tuple[DocumentId, object], dict[int, Statement]] = {}
    for one in statements:
        if one.cells:
            by_table.setdefault(one.evidence.segment.place, {})[one.row] = one
    drafts = []
    for own in by_table.values():
        rows = {index: (own[index].evidence, own[index]) for index in sorted(own)}
        drafts.append(_drawn(next(iter(own.values())).evidence, rows, source))
    return tuple(draft for draft in drafts if draft is not None)


def whole_table(item: Evidence, source: StoredEvidence) -> AnswerTable | None:
    """Return the table that a segment shows a part of; `None` when it is too wide."""
    rows = {
        row: (part, None)
        for part in parts_of(item, source)
        if (shown := part.segment.element) is not None
        for row in range(shown.first_row, shown.first_row + shown.n_rows)
    }
    return _drawn(item, rows, source)


def parts_of(item: Evidence, source: StoredEvidence) -> list[Evidence]:
    """Return the pieces of the table that one of them shows, in the order of its rows.

    Those beside it are of no rank.
    """
    own = item.segment
    tables = by_element(source.segments_of(own.document_id), SegmentKind.TABLE)
    parts = tables.get(own.element.index, []) if own.element is not None else []
    return [item if part.id == own.id else Evidence(0, part, 0.0, ()) for part in parts]


def _drawn(
    item: Evidence,
    rows: Mapping[int, tuple[Evidence, Statement | None]],
    source: StoredEvidence,
) -> AnswerTable | None:
    """Draw rows of a table, each with what it is cited from and, of one that is stated, how."""
    table = source.table(item.segment)
    if table is None:
        return None
    grid, shown = table.grid(), dict(list(rows.items())[:_MAX_ROWS])
    # Columns with something in one of the rows; those of spanning cells stand as one.
    columns: dict[tuple[int, ...], list[int]] = {}
    for column in range(table.n_columns):
        if any((cell := grid[row][column]) and cell.text for row in shown):
            columns.setdefault(tuple(id(grid[row][column]) for row in shown), []).append(column)
    kept = tuple(own[0] for own in columns.values())
    if len(kept) > _MAX_COLUMNS:
        return None
    segments = {own.segment.id: own.segment for own, _statement in shown.values()}
    words = {one.id: source.words(one) for one in segments.values()}
    drawn: list[tuple[AnswerCell, ...]] = []
    headings, said = table.headings(), set(rows)
    for row, (own, statement) in shown.items():
        # What heads rows stands above the first of them: "Domestic" tells two of one name apart.
        for head in headings[row] or ():
            if head.row not in said:
                said.add(head.row)
                title = _cell(head, own, statement, words[own.segment.id])
                at = head.column if head.column in kept else kept[0]
                drawn.append(tuple(title if c == at else AnswerCell("") for c in kept))
        drawn.append(
            tuple(_cell(grid[row][c], own, statement, words[own.segment.id]) for c in kept)
        )
    caption = " ".join(part for part in (table.label, table.caption) if part)
    paths = (segment.metadata.section_path[-1:] for segment in segments.values())
    headers = read_columns(table).headers
    heads = (dict.fromkeys((headers[own[0]], headers[own[-1]])) for own in columns.values())
    n_more = len(rows) - len(shown)
    return AnswerTable(
        TableUse.ROWS,
        caption or "".join(next(paths, ())),
        tuple(" … ".join(filter(None, both)) for both in heads),
        tuple(drawn),
        notes=(f"{n_more} more rows stand in the document.",) if n_more else (),
    )


def _cell(
    cell: TableCell | None,
    item: Evidence,
    statement: Statement | None,
    words: Sequence[PlacedWord],
) -> AnswerCell:
    """Draw a cell, cited where it is quoted; of a whole table all are."""
    if cell is None or not cell.text:
        return AnswerCell("")
    place = (cell.row, cell.column)
    is_quoted = statement is None or place in statement.cells
    run = tuple(cell_words(cell, words)) if is_quoted else ()
    if not run:
        return AnswerCell(cell.text)
    stated = " ".join(one.text for one in statement.stated) if statement is not None else ""
    quoted = Statement(cell.text, item, (run,), (place,), 1.0, 1.0)
    return CitedCell(cell.text, is_stated=cell.text in stated, statement=quoted)
