"""Figures and tables that are shown with an answer.

HiQA (A.2) shows a figure with a text answer that it explains. It is shown here when a quoted
sentence names it, or when it stands in the section quoted and its caption speaks of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.reply import AnswerTask, DraftCell, DraftTable, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.trust import stands_there
from desktop_qa.core.answer import AnswerStatus, Asked, Evidence, PlaceKind, QuestionType
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import TableCell
from desktop_qa.core.segment import Segment, SegmentId, SegmentKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.index.lexical import terms_of

_EXPLAINED = frozenset(
    (
        QuestionType.FACT,
        QuestionType.DESCRIPTION,
        QuestionType.PROCEDURE,
        QuestionType.EXTRACTION,
        QuestionType.FIGURE,
        QuestionType.STRUCTURE,
        QuestionType.CROSS_PAGE,
        QuestionType.TABLE,
    )
)
_NAMED = re.compile(r"\bfig(?:ure)?s?\.?\s*(\d+(?:[-.–]\d+)*[a-z]?)\b", re.IGNORECASE)
_LABEL = re.compile(r"^\s*fig(?:ure)?\.?\s*(\d+(?:[-.–]\d+)*[a-z]?)\b", re.IGNORECASE)
_MAX_FIGURES = 3
_MIN_COVERAGE = 0.5
"""Of the question's weighted words in the caption of a figure that no sentence names."""

_N_EXPLAINED = 2
"""Statements whose section is looked at; the first answers, the others add to it."""

_MAX_ROWS, _MAX_COLUMNS = 40, 12


def illustrated(task: AnswerTask, reply: Reply) -> Reply:
    """Add the figures that explain a reply, and the table that the question asks to see."""
    if reply.status is not AnswerStatus.ANSWERED:
        return reply
    tables = reply.tables or tuple(_asked_tables(task))
    if task.query.type not in _EXPLAINED:
        return replace(reply, tables=tables)
    figures: dict[SegmentId, Evidence] = {item.segment.id: item for item in reply.figures}
    for item in _explaining(task, reply):
        if len(figures) >= max(_MAX_FIGURES, len(reply.figures)):
            break
        figures.setdefault(item.segment.id, item)
    return replace(reply, tables=tables, figures=tuple(figures.values()))


def _explaining(task: AnswerTask, reply: Reply) -> Iterator[Evidence]:
    """Yield figures that are answers themselves, that are named, and that fit; likeliest first."""
    texts = [s for s in reply.statements if s.evidence.segment.kind is SegmentKind.TEXT and s.runs]
    for statement in reply.statements:
        if statement.evidence.segment.kind is SegmentKind.FIGURE and statement.runs:
            yield statement.evidence
    for statement in texts:
        yield from _named(task, statement)
    for statement in texts[:_N_EXPLAINED]:
        yield from _beside(task, statement)


def _named(task: AnswerTask, statement: Statement) -> Iterator[Evidence]:
    """Yield the figures that a sentence points at: "as shown in Figure 8"."""
    labels = {_plain(label) for label in _NAMED.findall(statement.text)}
    if not labels:
        return
    for segment in task.source.segments_of(statement.evidence.segment.document_id):
        match = _LABEL.match(segment.metadata.caption)
        if segment.kind is SegmentKind.FIGURE and match and _plain(match.group(1)) in labels:
            labels.discard(_plain(match.group(1)))
            yield _evidence(task, segment)


def _beside(task: AnswerTask, statement: Statement) -> Iterator[Evidence]:
    """Yield the figures of the section quoted whose captions speak of the question."""
    quoted = statement.evidence.segment
    for segment in task.source.segments_of(quoted.document_id):
        if (
            segment.kind is SegmentKind.FIGURE
            and segment.metadata.caption
            and segment.metadata.section_path == quoted.metadata.section_path
            and task.terms.coverage(terms_of(segment.metadata.caption)) >= _MIN_COVERAGE
        ):
            yield _evidence(task, segment)


def _plain(label: str) -> str:
    return label.replace("–", "-").casefold()


def _evidence(task: AnswerTask, segment: Segment) -> Evidence:
    found = (item for item in task.evidence if item.segment.id == segment.id)
    return next(found, Evidence(0, segment, 0.0, ()))


def _asked_tables(task: AnswerTask) -> Iterator[DraftTable]:
    """Yield the tables that the question names ("show me table 7"), whole."""
    asks = any(
        ref.kind == PlaceKind.TABLE and ref.asked is Asked.CONTENT
        for ref in task.query.structure_refs
    )
    if not asks:
        return
    seen: set[tuple[str, int]] = set()
    for item in task.usable:
        element = item.segment.element
        if item.segment.kind is not SegmentKind.TABLE or element is None or not stands_there(item):
            continue
        key = (item.segment.document_id, element.index)
        if key not in seen and (draft := _whole_table(task, item)) is not None:
            seen.add(key)
            yield draft


def _whole_table(task: AnswerTask, item: Evidence) -> DraftTable | None:
    table = task.source.table(item.segment)
    if table is None or item.segment.element is None or table.n_columns > _MAX_COLUMNS:
        return None
    grid = table.grid()
    columns = read_columns(table)
    index = item.segment.element.index
    parts = [
        s
        for s in task.source.segments_of(item.segment.document_id)
        if s.kind is SegmentKind.TABLE and s.element is not None and s.element.index == index
    ]
    rows: list[tuple[DraftCell, ...]] = []
    for part in parts:
        element = part.element
        if element is None:
            continue
        words = task.source.words(part)
        evidence = _evidence(task, part)
        for row in range(element.first_row, element.first_row + element.n_rows):
            if row < len(grid) and len(rows) < _MAX_ROWS:
                rows.append(
                    tuple(
                        _cell(cell, row, column, evidence, words)
                        for column, cell in enumerate(grid[row])
                    )
                )
    left_out = table.n_rows - table.n_header_rows - len(rows)
    notes = (f"{left_out} more rows stand in the document.",) if left_out > 0 else ()
    title = " ".join(part for part in (table.label, table.caption) if part)
    title = title or "".join(item.segment.metadata.section_path[-1:])
    return DraftTable(TableUse.ROWS, title, tuple(columns.headers), tuple(rows), notes=notes)


def _cell(
    cell: TableCell | None,
    row: int,
    column: int,
    evidence: Evidence,
    words: Sequence[PlacedWord],
) -> DraftCell:
    """Draw a cell; one that spans others stands once and is repeated without its citation."""
    if cell is None or not cell.text:
        return DraftCell("")
    run = tuple(cell_words(cell, words)) if (cell.row, cell.column) == (row, column) else ()
    if not run:
        return DraftCell(cell.text)
    return DraftCell(cell.text, Statement(cell.text, evidence, (run,), ((row, column),), 1.0, 1.0))
