"""Calculations: values of the question and of the documents, put together by code."""

from __future__ import annotations

from collections.abc import Callable

from desktop_qa.answer.compute_convert import conversion, stated_in_another_unit
from desktop_qa.answer.compute_expressions import expression_calculation, is_defined
from desktop_qa.answer.compute_formulas import formula_calculation
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import QuestionType

_WAYS: tuple[Callable[[AnswerTask], Reply | None], ...] = (
    conversion,
    expression_calculation,
    formula_calculation,
)


def calculation(task: AnswerTask) -> Reply | None:
    """Answer a question whose answer stands nowhere and can be computed; None for any other."""
    if is_defined(task.query.text):
        return expression_calculation(task)
    if task.query.type in (QuestionType.TABLE, QuestionType.FACT):
        return stated_in_another_unit(task)
    if task.query.type != QuestionType.CALCULATION:
        return None
    return next((reply for way in _WAYS if (reply := way(task)) is not None), None)
