"""The statements of an annual report, found by what their rows name, and the items in them.

A balance sheet is the table that names more of the items of balance sheets than any other of its
document: however it is titled, and whatever the search finds for one of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.amounts import without_footnote
from desktop_qa.answer.cells import RowQuestion, row_statements
from desktop_qa.answer.laws import BALANCE_SHEET, Item, items_of
from desktop_qa.answer.operands import Reading, cell_readings
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import DocumentId, Table
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.index.lexical import terms_of

_LEAST_ITEMS, _LEAST_SHARE = 2, 0.5
"""Items that a table names which is a statement, and their share of those of the best: a balance
sheet may be two tables, and notes repeat some of its rows."""

_MAX_DOCUMENTS = 6


def statement_readings(
    task: AnswerTask,
    item: Item,
    year: str,
    last: str,
    alike: Callable[[Sequence[Reading]], list[Reading]],
) -> list[Reading] | None:
    """Read an item in the statements of the reports that a question means.

    Args:
        task: The question.
        item: Of a known statement.
        year: Of its period, "" for any.
        last: The last year of what is asked, whose report is read before others.
        alike: Keeps the values whose rows are called as the item is.

    Returns:
        Its values in the first table that has it: its statement before tables that repeat some of
        its rows. Empty where none has it, `None` where there is no such statement.
    """
    asked = RowQuestion(f"{item.names[0]} {year}", QuestionTerms({}))
    is_there = False
    for document_id in _meant(task, last):
        own = (e.score for e in task.usable if e.segment.document_id == document_id)
        score = max(own, default=0.0)
        for parts in _statement_tables(task, document_id, item.statement):
            is_there = True
            rows = (
                [
                    reading
                    for reading in cell_readings(task, statement, asked.text)
                    if reading.is_as_asked and reading.measure.unit != "percent"
                ]
                for part in parts
                for statement in row_statements(asked, Evidence(0, part, score, ()), task.source)
            )
            # Of a year and its last quarter, which end on one day, the year is the larger.
            found = [max(row, key=lambda r: abs(r.measure.amount)) for row in rows if row]
            if kept := alike(found) or _fullest(found, item):
                return [replace(reading, named=1.0) for reading in kept]
    return [] if is_there else None


def _fullest(found: Sequence[Reading], item: Item) -> list[Reading]:
    """Return the value of the row that says least beside a name of the item.

    "Depreciation and amortization of property and equipment" is the one of a cash flow statement.
    """
    names = [set(terms_of(name)) for name in item.names]
    told = [
        (len(set(terms_of(reading.called[0]))), n, reading)
        for n, reading in enumerate(found)
        if any(name <= set(terms_of(reading.called[0])) for name in names if len(name) > 1)
    ]
    return [min(told)[2]] if told else []


def _meant(task: AnswerTask, year: str) -> list[DocumentId]:
    """Return the reports that a question means, those first whose title says the year."""
    query = task.query
    found = (evidence.segment.document_id for evidence in task.usable)
    meant = dict.fromkeys(query.document_ids or query.made_by or found)

    def is_of_year(document_id: DocumentId) -> bool:
        segments = task.source.segments_of(document_id)
        return bool(year) and any(year in s.metadata.document_title for s in segments[:1])

    return sorted(meant, key=lambda one: not is_of_year(one))[:_MAX_DOCUMENTS]


def _statement_tables(
    task: AnswerTask, document_id: DocumentId, title: str
) -> Iterator[list[Segment]]:
    """Yield the segments of each table that may be a statement, the one with most items first."""
    tables: dict[int, list[Segment]] = {}
    for segment in task.source.segments_of(document_id):
        if segment.kind is SegmentKind.TABLE and segment.element is not None:
            tables.setdefault(segment.element.index, []).append(segment)
    named = {
        index: _row_names(table)
        for index, parts in tables.items()
        if (table := task.source.table(parts[0])) is not None
    }

    def n_items(index: int, of_title: str) -> int:
        return sum(
            any(name <= row for name in names for row in named[index])
            for names in items_of(of_title)
        )

    # A table of the discussion may repeat all of a statement; statements stand beside each other.
    sheet = max(named, key=lambda index: n_items(index, BALANCE_SHEET), default=0)
    held = {index: n for index in named if (n := n_items(index, title)) >= _LEAST_ITEMS}
    least = _LEAST_SHARE * max(held.values(), default=0)
    for index in sorted(held, key=lambda index: (-held[index], abs(index - sheet))):
        if held[index] >= least:
            yield tables[index]


def _row_names(table: Table) -> set[frozenset[str]]:
    texts = (without_footnote(cell.text) for cell in table.cells if cell.column == 0)
    return {frozenset(terms_of(text)) for text in texts}
