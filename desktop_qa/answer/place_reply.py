"""What stands at a place that the question names: a page, a section, a table, a figure."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.exact import chosen_reply
from desktop_qa.answer.prose import figure_statement, opening_statements
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.structure_facts import place_statement
from desktop_qa.answer.trust import stands_there
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import SegmentKind

_MAX_STATEMENTS = 6
_MIN_COVERAGE = 0.6


def place_reply(task: AnswerTask) -> Reply | None:
    """Answer from the place itself; `None` when no place is named or it was not found."""
    placed = [item for item in task.usable if stands_there(item)]
    if not task.query.structure_refs or not placed:
        return None
    order = ranked(task, candidates(task, placed))
    specific = [s for s in order if s.coverage >= _MIN_COVERAGE]
    if task.terms.weights and specific and (reply := chosen_reply(task, specific)):
        return reply
    statements = _overview(task, placed)
    if not statements:
        return None
    lead = without_datasheet_text(task.query, task.evidence)
    return Reply(lead, tuple(statements))


def _overview(task: AnswerTask, placed: Sequence[Evidence]) -> list[Statement]:
    """Name the tables and figures of the place, and quote how its sections begin."""
    statements: dict[str, Statement] = {}
    named_kinds = {ref.kind for ref in task.query.structure_refs}
    for item in placed:
        if item.segment.kind is SegmentKind.TEXT:
            continue
        caption = figure_statement(task.terms, item, task.source)
        is_named = item.segment.kind in named_kinds or bool(item.segment.metadata.caption)
        if caption is None and is_named:
            caption = place_statement(item, task.source)
        if caption is not None:
            statements.setdefault(caption.text.casefold(), caption)
    for opening in opening_statements(placed, task.terms, task.source, _MAX_STATEMENTS):
        statements.setdefault(opening.text.casefold(), opening)
    return list(statements.values())[:_MAX_STATEMENTS]
