"""What stands at a place that the question names: a page, a section, a table, a figure."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.candidates import candidates, located
from desktop_qa.answer.exact import chosen_reply
from desktop_qa.answer.prose import figure_statement, sentence_pieces
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
    for item in sorted(placed, key=lambda one: one.segment.kind is SegmentKind.TEXT):
        if item.segment.kind is SegmentKind.TEXT:
            said = (located(one, task) for one in sentence_pieces(task.terms, item))
            first = next(filter(None, said), None)
        else:
            first = figure_statement(task.terms, item, task.source)
            first = first or place_statement(item, task.source)
        if first is not None:
            statements.setdefault(first.text.casefold(), first)
    return list(statements.values())[:_MAX_STATEMENTS]
