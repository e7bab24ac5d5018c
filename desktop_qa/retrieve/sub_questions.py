"""The questions that one question is answered as: its parts, or its readings."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question, normalize_code
from desktop_qa.core.answer import Query, QuestionType

MAX_READINGS = 4
"""Answered; more than these are only offered."""

_ANSWERED_WHOLE = frozenset(
    (
        QuestionType.CHOICE,
        QuestionType.MULTIPLE_CHOICE,
        QuestionType.JUDGEMENT,
        QuestionType.FILL_IN,
        QuestionType.CALCULATION,
        QuestionType.REWRITE,
        QuestionType.SUMMARY,
        QuestionType.COMPARE,
    )
)
"""What is to be done with the answer needs all of it at once."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A question to be answered by itself.

    Attributes:
        question: Complete.
        label: Leads its line; empty for none.
        reading: Of a part of a question; `None` for what an ambiguous one may mean.
    """

    question: str
    label: str = ""
    reading: Query | None = None


def sub_questions(query: Query) -> tuple[SubQuestion, ...]:
    """Return the questions that a question is answered as, two or more, or none.

    A comparison of documents is one question: its answer sets them side by side.
    """
    is_apart = len({part.document_ids for part in query.parts}) > 1
    is_whole = query.type in _ANSWERED_WHOLE and not (
        query.type == QuestionType.COMPARE and is_apart
    )
    if is_whole or query.options:
        return ()
    if len(query.parts) > 1:
        return tuple(SubQuestion(part.text, reading=part) for part in query.parts)
    if len(query.readings) > 1 and not query.document_ids:
        readings = query.readings[:MAX_READINGS]
        labels = [_label(reading, query.text) for reading in readings]
        return tuple(map(SubQuestion, readings, labels))
    return ()


def _label(reading: str, question: str) -> str:
    """Return the part number that a reading has and the question has not."""
    asked = {normalize_code(code) for code in codes_in_question(question)}
    new = (code for code in codes_in_question(reading) if normalize_code(code) not in asked)
    return next(new, "")
