"""The step list of the best evidence that has one and speaks of the question."""

from __future__ import annotations

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.prose import procedure_statement
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import QuestionType

_N_SECTIONS = 4
_MIN_COVERAGE = 0.5


def procedure_reply(task: AnswerTask) -> Reply | None:
    """Answer a how-to question by a whole step list; `None` when none speaks of it."""
    if task.query.type != QuestionType.PROCEDURE:
        return None
    for item in task.usable[:_N_SECTIONS]:
        statement = procedure_statement(task.terms, item, task.source)
        if statement is not None and statement.coverage >= _MIN_COVERAGE:
            lead = without_datasheet_text(task.query, task.evidence)
            return Reply(lead, (statement,))
    return None
