"""Conversions: a quantity of the question, or one that a document states, in another unit."""

from __future__ import annotations

import re

from desktop_qa.answer.compute_reply import asked_unit, calculated
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    converted,
    dimension,
    measures_in,
    temperature_scale,
)
from desktop_qa.answer.operands import Request, look_up, weights_of
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.index.lexical import terms_of

_CONVERTS = re.compile(
    r"\b(?:in(?:to)?|to|as)\s+(?:deg\w*\s+)?\S+(?=\s*[?.!,;]|$|\s(?:is|are|for|at|of|please)\b)"
    r"|\bhow\s+many\s+\S+\s+(?:is|are|in|makes?|equals?)\b",
    re.IGNORECASE,
)
_AT_END = re.compile(r"\bin\s+\S{1,8}\s*[?.]?\s*$")
_ASKING = frozenset(terms_of("convert express give write many much"))
_SURE = 0.8


def conversion(task: AnswerTask) -> Reply | None:
    """Convert what the question gives, or what it asks for, into the unit it names."""
    text = plain_quantities(task.query.text)
    asked = next((m for m in _CONVERTS.finditer(text) if asked_unit(m[0])), None)
    if asked is None:
        return None
    unit = asked_unit(asked[0])
    given = [placed for placed in measures_in(text) if not placed.in_range]
    rest = text.replace(asked[0], " ")
    for written in (text[placed.start : placed.end] for placed in given):
        rest = rest.replace(written, " ")
    about = {term for term in terms_of(rest) if term in task.terms.weights} - _ASKING
    if len(given) == 1 and not about and not task.query.document_ids:
        return _of_the_question(given[0].measure, unit)
    return _of_a_document(task, unit, tuple(placed.measure for placed in given))


def stated_in_another_unit(task: AnswerTask) -> Reply | None:
    """Convert a plain value when the question ends in a unit that the document does not use.

    Only a row that the question surely means is converted: "... at 31.25 Hz in mA?".
    """
    match = _AT_END.search(task.query.text)
    unit = asked_unit(match[0]) if match is not None and task.query.document_ids else ""
    if match is None or not unit:
        return None
    given = tuple(p.measure for p in measures_in(task.query.text[: match.start()]))
    return _of_a_document(task, unit, given, _SURE)


def _of_the_question(measure: Measure, unit: str) -> Reply:
    try:
        sides = (str(measure), f"**{converted(measure, unit)}**")
    except UnitsDoNotFitError:
        said = f"{measure} cannot be converted into {unit}: they measure different things."
        return Reply(said, is_sure=True)
    return Reply(f"{' = '.join(sides)}.", equation=sides, is_sure=True)


def _of_a_document(
    task: AnswerTask, unit: str, given: tuple[Measure, ...], least: float = 0.0
) -> Reply | None:
    """Convert the value that the question asks for, when it is stated in another unit."""
    is_scale = temperature_scale(unit) is not None
    kind = dimension("kelvin" if is_scale else measures_in(f"1 {unit}")[0].measure.unit)
    request = Request(task.query.text, QuestionTerms(weights_of(task)), kind, given)
    found = [r for r in look_up(task, request)[:1] if r.statement and r.statement.coverage >= least]
    if not found or (least and found[0].measure.text.endswith(f" {unit}")):
        return None
    name = f"{found[0].described[:1].upper()}{found[0].described[1:]}"
    measure = found[0].measure
    return calculated(task, (f"{name}: {measure}", str(converted(measure, unit))), found)
