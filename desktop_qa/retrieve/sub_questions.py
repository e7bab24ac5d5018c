"""The questions that one question is answered as: its parts, or its readings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question, normalize_code
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.retrieve.follow_up import earlier, resolved
from desktop_qa.retrieve.part_names import PartNames

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

_IDENTIFIER = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


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


def linked(part: str, before: str, answer: str, names: PartNames) -> str:
    """Complete a part that points at the part before it, with what that one asked or found.

    "Which command puts it into the mode that measures every 30 seconds, and what current does that
    mode need?": the second is of the mode that the first describes.

    Args:
        part: A part of a composite question.
        before: The part before it.
        answer: Text of the answer of that part; empty when it has none.
        names: Of the library's parts.

    Returns:
        The part as it was when it points at nothing there.
    """
    lead, _, clause = part.rpartition(": ")
    complete = resolved(clause, earlier(before, names), _IDENTIFIER.findall(answer))
    if not complete:
        return part
    is_more = re.search(r"\w", _without_parts(lead, names)) is not None
    is_said = any(named.name in complete for named in names.find(lead))
    if lead and (is_more or not is_said):
        return f"{lead}: {complete}"
    return complete[:1].upper() + complete[1:]


def without_lead(part: str, names: PartNames) -> str:
    """Return a part without the condition before it, "" when nothing but part numbers is there.

    "For the MCP4728 with gain 2: what is the settling time?": the row that states it need not
    speak of the gain.
    """
    lead, colon, clause = part.rpartition(": ")
    own = dict.fromkeys(named.name for named in names.find(lead))
    says_more = re.search(r"\w{4}", _without_parts(lead, names)) is not None
    if not colon or not says_more:
        return ""
    if own:
        return f"{', '.join(own)}: {clause}"
    return clause[:1].upper() + clause[1:] if names.find(clause) else ""


def _without_parts(text: str, names: PartNames) -> str:
    for part in reversed(names.find(text)):
        text = f"{text[: part.start]}{text[part.end :]}"
    return text
