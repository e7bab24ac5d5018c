"""What is reckoned over the rows of one table: how many there are, the largest, the smallest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.cells import table_statements
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import Measure, in_base, same_kind
from desktop_qa.answer.operands import cell_measure
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Asked, Evidence, Route, StructureRef
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.index.lexical import terms_of

_COUNT = re.compile(
    r"\bhow\s+many\s+(?P<what>(?:[\w/-]+\s+){0,3}?)(?P<unit>rows?|entries|lines|items)\b",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    r"\b(?P<least>smallest|lowest|least|shortest|minimum|slowest)\b"
    r"|\b(?P<most>largest|highest|most|greatest|longest|biggest|maximum|fastest)\b",
    re.IGNORECASE,
)


def table_reckoning(task: AnswerTask) -> Reply | None:
    """Count the rows of a table that the question names, or find its largest or smallest value."""
    text = task.query.text
    count, extreme = _COUNT.search(text), _EXTREME.search(text)
    refs = [
        ref for ref in task.query.structure_refs
        if ref.kind == SegmentKind.TABLE and (ref.asked is Asked.CONTENT or count)
    ]  # fmt: skip
    if not refs or not (count or extreme):
        return None
    found = _named_table(task, refs)
    if found is None:
        return None
    table, item = found
    if count is not None:
        return _counted(task, table, item, count["what"])
    least = extreme is not None and extreme["least"] is not None
    return _extreme(task, table, item, is_least=least)


def _named_table(task: AnswerTask, refs: Sequence[StructureRef]) -> tuple[Table, Evidence] | None:
    """Return the table of the evidence that was found by its number or title."""
    for item in task.evidence:
        if item.segment.kind is not SegmentKind.TABLE:
            continue
        if not any(hit.route is Route.STRUCTURE for hit in item.hits):
            continue
        table = task.source.table(item.segment)
        if table is not None and any(_is_meant(table, ref) for ref in refs):
            return table, item
    return None


def _is_meant(table: Table, ref: StructureRef) -> bool:
    number = re.sub(r"^\s*table\s*", "", table.label, flags=re.IGNORECASE).strip(" .:").casefold()
    return bool(ref.first and number == ref.first.casefold()) or bool(ref.title)


def _body(table: Table) -> list[tuple[int, list[TableCell | None]]]:
    """Return the rows that give something with their index, without those that title others."""
    rows = zip(table.grid(), table.headings(), strict=True)
    return [(index, cells) for index, (cells, above) in enumerate(rows) if above is not None]


def _counted(task: AnswerTask, table: Table, item: Evidence, what: str) -> Reply | None:
    rows = _body(table)
    wanted = set(terms_of(what))
    if wanted:
        rows = [
            (index, cells) for index, cells in rows
            if wanted <= set(terms_of(" ".join(c.text for c in cells if c is not None)))
        ]  # fmt: skip
    name = " ".join(part for part in (table.label, table.caption) if part) or "The table"
    about = f" with {what.strip()}" if wanted else ""
    text = f"{name}: **{len(rows)}** row{'s' if len(rows) != 1 else ''}{about}."
    quote = _caption(task, table, item)
    if quote is None:
        return Reply(text, is_sure=True)
    return Reply(statements=(replace(quote, text=text),), is_sure=True)


def _caption(task: AnswerTask, table: Table, item: Evidence) -> Statement | None:
    """Quote the caption of the table, or its first cell."""
    locator = QuoteLocator(task.source.words(item.segment))
    first = next((cell.text for cell in table.cells if cell.text), "")
    for text in (table.caption, f"{table.label} {table.caption}", first):
        run = locator.find(text) if text.strip() else []
        if run:
            return Statement(text, item, (tuple(run),), (), 1.0, 1.0)
    return None


def _extreme(task: AnswerTask, table: Table, item: Evidence, *, is_least: bool) -> Reply | None:
    """Find the largest or smallest value of the column that the question names."""
    columns = read_columns(table)
    column = columns.asked_for(task.terms)
    measured: list[tuple[int, Measure]] = []
    for index, cells in _body(table):
        candidates = [column] if column is not None else range(table.n_columns)
        for candidate in candidates:
            measure = cell_measure(cells, columns, candidate)
            if measure is not None:
                measured.append((index, measure))
    if not measured or not all(same_kind(m, measured[0][1]) for _index, m in measured):
        return None
    choose = min if is_least else max
    index, best = choose(measured, key=lambda pair: in_base(pair[1]))
    statement = _row(task, item, index)
    which = "smallest" if is_least else "largest"
    name = f"{table.label} {table.caption}".strip() or "the table"
    head = columns.headers[column] if column is not None else "value"
    text = f"The {which} {head} of {len(measured)} in {name}: **{best}**."
    if statement is None:
        return None
    main = Statement(text, statement.evidence, (), (), 1.0, 1.0, rests_on=(statement,))
    return Reply(statements=(main, statement), is_sure=True)


def _row(task: AnswerTask, item: Evidence, index: int) -> Statement | None:
    """Quote a row by its index in the table, whichever segment shows it."""
    segment = item.segment
    for other in task.source.segments_of(segment.document_id):
        element = other.element
        if other.kind is not SegmentKind.TABLE or element is None or segment.element is None:
            continue
        if element.index != segment.element.index:
            continue
        if not element.first_row <= index < element.first_row + element.n_rows:
            continue
        evidence = item if other.id == segment.id else Evidence(0, other, 0.0, ())
        for statement in table_statements(
            task.query.text, QuestionTerms({}), evidence, task.source
        ):
            if statement.cells and max(row for row, _column in statement.cells) == index:
                return statement
    return None
