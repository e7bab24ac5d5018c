"""Calculations: values of the question and of the documents, put together by code."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from desktop_qa.answer.compute_catalogue import law_calculation
from desktop_qa.answer.compute_convert import conversion, stated_in_another_unit
from desktop_qa.answer.compute_multiple import multiple_calculation
from desktop_qa.answer.compute_pairs import pair_calculation
from desktop_qa.answer.compute_printed import printed_calculation
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import QuestionType

_LACKING = ("This cannot be computed", "This would be")
_ASKS_PLAINLY = re.compile(
    r"calculat|comput|work out|convert|factor|ratio|percent|%|times|power|energy|heat|dissipat"
    r"|battery|differ|\bsum\b|how (?:many|much) (?:more|less|higher|lower|longer|shorter)",
    re.IGNORECASE,
)
"""What only a calculation answers: a value that is missing is then said, and no other given."""

_WAYS: tuple[Callable[[AnswerTask], Reply | None], ...] = (
    conversion,
    multiple_calculation,
    pair_calculation,
    partial(law_calculation, only_explicit=True),
    printed_calculation,
    law_calculation,
)


def calculation(task: AnswerTask) -> Reply | None:
    """Answer a question whose answer stands nowhere and can be computed; None for any other."""
    if task.query.type in (QuestionType.TABLE, QuestionType.FACT):
        return stated_in_another_unit(task)
    if task.query.type != QuestionType.CALCULATION:
        return None
    for way in _WAYS:
        reply = way(task)
        if reply is not None:
            is_given = not _lacks_a_value(reply) or bool(_ASKS_PLAINLY.search(task.query.text))
            return reply if is_given else None
    return None


def _lacks_a_value(reply: Reply) -> bool:
    return bool(reply.statements) and reply.statements[0].text.startswith(_LACKING)
