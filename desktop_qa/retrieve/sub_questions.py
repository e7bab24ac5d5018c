"""The questions that one question is answered as: its parts, or its readings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question, normalize_code
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.retrieve.anaphora import name_in, resolved
from desktop_qa.retrieve.part_names import PartNames
from desktop_qa.retrieve.question_frame import frame_of

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

_POINTER = re.compile(
    r"\b(?:that|this|the\s+same|those|these)\s+(?P<noun>[a-z]+?)(?P<plural>s?)\b(?!\s+(?:is|are)\b)"
    r"|\b(?P<their>their|its)\b|\b(?P<them>they|them|it)\b",
    re.IGNORECASE,
)
_NAMED_IN_CLAUSE = re.compile(
    r"\b(?:which|what|the|an?)\s+(?P<noun>(?:[\w-]+\s+){0,2}?[a-z]+)(?=\s+(?:that|which|of|in|for|puts?"
    r"|does|do|is|are|has|have|must|can|sets?|selects?|starts?|,)|\s*[,?]|\s*$)",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"\s+(?P<noun>(?:[\w-]+\s+){0,3}?[\w-]+)(?=\s+(?:is|are|was|must|can|may|should|do|does|has|have|I|at"
    r"|in|on|with|when|while|for|to|and|you|we)\b|\s*[?.,;]|\s*$)",
)
_COMPLEMENT = re.compile(
    r"\b(?:is|are)\s+(?:the\s+)?(?P<noun>(?:[\w-]+\s+){0,2}[a-z]+s)\s*\??\s*$", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_OWN_NOUN = re.compile(r"\b(?:the|an?)\s+[a-z][\w-]+", re.IGNORECASE)


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
        if _compares([part.text for part in query.parts]):
            return ()
        return tuple(SubQuestion(part.text, reading=part) for part in query.parts)
    if len(query.readings) > 1 and not query.document_ids:
        readings = query.readings[:MAX_READINGS]
        labels = [_label(reading, query.text) for reading in readings]
        return tuple(map(SubQuestion, readings, labels))
    return ()


def _compares(parts: Sequence[str]) -> bool:
    """Tell whether the parts ask the same of several documents."""
    topics = {part.partition(": ")[2] for part in parts}
    return len(topics) == 1 and "" not in topics


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
    lead, colon, clause = part.rpartition(": ")
    match = _POINTER.search(clause)
    if match is None or _OWN_NOUN.search(clause[: match.start()]):
        return part
    if match["noun"]:
        said = _described(match["noun"], before) or name_in(match["noun"], answer)
        said = f"the {said}" if said and not said.startswith("the ") else said
        identifier = _IDENTIFIER.search(answer)
        if identifier is not None and said:
            said = f"{said} ({identifier.group()})"
    else:
        said = _things(before) if match["their"] or match["them"] else ""
    if not said:
        return _resolved(part, before, answer, names)
    if match["their"]:
        rest = clause[match.end() :]
        owned = _OWNED.match(rest)
        noun, tail = (owned["noun"], rest[owned.end() :]) if owned is not None else ("", rest)
        new = f"{clause[: match.start()]}the {noun} of {said}{tail}"
    else:
        new = f"{clause[: match.start()]}{said}{clause[match.end() :]}"
    return f"{lead}{colon}{new}"


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


def _resolved(part: str, before: str, answer: str, names: PartNames) -> str:
    """Complete a part as a follow-up of the part before it."""
    lead, _, clause = part.rpartition(": ")
    frame = frame_of(before, names)
    documents = [document for named in frame.parts for document in named.documents]
    complete = resolved(clause, frame, answer, names.kinds_of(documents))
    if complete == clause:
        return part
    is_more = re.search(r"\w", _without_parts(lead, names)) is not None
    return f"{lead}: {complete}" if is_more else complete[:1].upper() + complete[1:]


def _without_parts(text: str, names: PartNames) -> str:
    for part in reversed(names.find(text)):
        text = f"{text[: part.start]}{text[part.end :]}"
    return text


def _described(noun: str, clause: str) -> str:
    """Return how a clause calls something, with what it says of it: "mode that measures ..."."""
    match = re.search(
        rf"\b(?:the|an?|which|what)\s+(?P<whole>(?:[\w-]+\s+){{0,2}}{noun}\b[^,?]*)", clause, re.I
    )
    return match["whole"].strip() if match is not None else ""


def _things(clause: str) -> str:
    """Return the plural that a clause asks for: "strapping pins"."""
    complement = _COMPLEMENT.search(clause)
    if complement is not None:
        return f"the {complement['noun']}"
    match = _NAMED_IN_CLAUSE.search(clause)
    is_plural = match is not None and match["noun"].endswith("s")
    return f"the {match['noun']}" if match is not None and is_plural else ""
