"""Several of the same: "what do four of them draw together?"."""

from __future__ import annotations

import re

from desktop_qa.answer.asked_unit import as_asked
from desktop_qa.answer.compute_inputs import Reading, Request, look_up, weights_of
from desktop_qa.answer.compute_reply import calculated
from desktop_qa.answer.measures import measures_in, multiply, plain_number
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS

_NUMBERS = SMALL_NUMBERS | {"both": 2, "pair": 2, "dozen": 12}
_HOW_MANY = re.compile(
    r"\b(?P<number>(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|both|pair)|[2-9]|[1-9]\d{1,2})"
    r"\s+(?:of\s+(?:these|them|the|those)\s+)?(?:such\s+|identical\s+)?(?:\w+\s+){0,2}?"
    r"(?P<what>[A-Z]\w*\d[\w-]*|parts|devices|chips|sensors|units|pieces|modules|channels|amplifiers"
    r"|drivers|regulators|converters|of\s+(?:these|them))\b"
)
_TOGETHER = re.compile(
    r"\b(?:together|in\s+total|altogether|combined|in\s+all|total|sum|all\s+of\s+them)\b",
    re.IGNORECASE,
)


def multiple_calculation(task: AnswerTask) -> Reply | None:
    """Multiply a value that the documents state by the number of parts in the question."""
    text = task.query.text
    match = _HOW_MANY.search(text)
    if match is None or not _TOGETHER.search(text):
        return None
    number = _NUMBERS.get(match["number"].casefold()) or int(match["number"])
    request = Request(
        text=text,
        terms=QuestionTerms(weights_of(task)),
        given=tuple(placed.measure for placed in measures_in(text)),
        document_ids=task.query.document_ids,
    )
    found = [r for r in look_up(task, request) if r.measure.unit]
    if not found or found[0].score < _FITS:
        return None
    return _multiplied(task, number, found[0])


_FITS = 0.6


def _multiplied(task: AnswerTask, number: int, reading: Reading) -> Reply:
    count = plain_number(float(number), str(number))
    result = multiply(count, reading.measure)
    name = reading.described
    total = as_asked(result, task.query.text)
    equation = (f"{number} × {name}", f"{number} × {reading.measure}", total)
    return calculated(task, equation, [reading])
