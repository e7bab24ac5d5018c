"""What is reckoned over the rows of one table: how many there are, the largest, the smallest."""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_qa.answer.cells import RowQuestion, row_statements
from desktop_qa.answer.claims import resting_on
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import in_base, same_kind
from desktop_qa.answer.operands import cell_measure
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.row_tables import parts_of
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.table_rows import table_rows
from desktop_qa.core.answer import Asked, Evidence, Route, StructureRef
from desktop_qa.core.document import Table
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_COUNT = re.compile(
    r"\bhow\s+many\s+(?P<what>(?:[\w/-]+\s+){0,3}?)(?:rows?|entries|lines|items)\b", re.IGNORECASE
)
EXTREME = re.compile(
    r"\b(?:(?P<least>smallest|lowest|least|shortest|minimum|slowest|fewest|lightest|narrowest|coldest)"
    r"|largest|highest|most|greatest|longest|biggest|maximum|fastest|widest|hottest)\b",
    re.IGNORECASE,
)


def table_reckoning(task: AnswerTask) -> Reply | None:
    """Count the rows of a table that the question names, or find its largest or smallest value."""
    count, extreme = _COUNT.search(task.query.text), EXTREME.search(task.query.text)
    refs = [
        ref for ref in task.query.structure_refs
        if ref.kind == SegmentKind.TABLE and (ref.asked is Asked.CONTENT or count)
    ]  # fmt: skip
    for item in task.evidence:
        is_named = any(hit.route is Route.STRUCTURE for hit in item.hits)
        table = task.source.table(item.segment) if is_named else None
        if table is None or not any(_is_meant(table, ref) for ref in refs):
            continue
        if count is not None:
            return _counted(task, table, item, count["what"])
        if extreme is not None:
            return _extreme(task, table, item, is_least=bool(extreme["least"]))
    return None


def _is_meant(table: Table, ref: StructureRef) -> bool:
    number = re.sub(r"^\s*table\s*", "", table.label, flags=re.IGNORECASE).strip(" .:").casefold()
    return bool(ref.first and number == ref.first.casefold()) or bool(ref.title)


def _rows(task: AnswerTask, item: Evidence) -> dict[int, Statement]:
    """Return the statements of a table's rows by their index, of all segments that show it."""
    asked = RowQuestion(task.query.text, QuestionTerms({}))
    return {
        statement.row: statement
        for part in parts_of(item, task.source)
        for statement in row_statements(asked, part, task.source)
    }


def _counted(task: AnswerTask, table: Table, item: Evidence, what: str) -> Reply:
    wanted = set(terms_of(what))
    columns = read_columns(table)
    rows = [row for row in table_rows(table, columns) if wanted <= set(terms_of(row.text))]
    about = f" with {what.strip()}" if wanted else ""
    plural = "s" if len(rows) != 1 else ""
    text = f"{_name(table) or 'The table'}: **{len(rows)}** row{plural}{about}."
    shown = tuple(replace(row, text=text) for row in _rows(task, item).values())[:1]
    return Reply("" if shown else text, shown, is_sure=True)


def _extreme(task: AnswerTask, table: Table, item: Evidence, *, is_least: bool) -> Reply | None:
    """Find the largest or smallest value of the column that the question names."""
    columns, statements = read_columns(table), _rows(task, item)
    column = columns.asked_for(task.terms)
    measured = [
        (measure, statements[row.index])
        for row in table_rows(table, columns)
        for candidate in (range(table.n_columns) if column is None else [column])
        if row.index in statements and (measure := cell_measure(row, candidate)) is not None
    ]
    if not measured or not all(same_kind(m, measured[0][0]) for m, _row in measured):
        return None
    best, row = (min if is_least else max)(measured, key=lambda pair: in_base(pair[0]))
    head = columns.headers[column] if column is not None else "value"
    which = "smallest" if is_least else "largest"
    name = _name(table) or "the table"
    text = f"The {which} {head} of {len(measured)} in {name}: **{best}**."
    return Reply(statements=(resting_on(text, [row]), row), is_sure=True)


def _name(table: Table) -> str:
    return f"{table.label} {table.caption}".strip()
