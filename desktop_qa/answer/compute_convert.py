"""Conversions: a quantity of the question, or one that a document states, in another unit."""

from __future__ import annotations

import re

from desktop_qa.answer.compute_reply import calculated, missing
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
from desktop_qa.augment.units import unit_of
from desktop_qa.index.lexical import terms_of

_INTO = re.compile(
    r"\b(?:in(?:to)?|to|as)\s+(?:(?:degrees?|deg)\s+)?(?P<unit>(?:fahrenheit|celsius|centigrade|kelvins?)"
    r"|[°]?[µμA-Za-zΩ%]{1,12}(?:/[A-Za-z]{1,6})?)\s*(?=[?.!,;]|$|\b(?:is|are|for|at|of|please)\b)"
    r"|\bhow\s+many\s+(?P<many>[µμA-Za-zΩ]{1,12})\s+(?:is|are|does|do|in|make|equal)\b",
    re.IGNORECASE,
)
_AT_END = re.compile(r"\bin\s+(?P<unit>[µμ]?[A-Za-zΩ°]{1,4}(?:/[A-Za-z]{1,3})?)\s*[?.]?\s*$")
_SURE = 0.8
_ASKING = frozenset(terms_of("convert express give write many much"))
_NO_UNITS = frozenset(["a", "h", "min", "typ", "max", "mode", "total", "%", "percent"])


def conversion(task: AnswerTask) -> Reply | None:
    """Convert what the question gives, or what it asks for, into the unit it names."""
    text = plain_quantities(task.query.text)
    unit = _wanted_unit(text)
    if not unit:
        return None
    given = [placed for placed in measures_in(text) if not placed.in_range]
    rest = text
    for placed in reversed(given):
        rest = rest[: placed.start] + rest[placed.end :]
    about = [t for t in terms_of(_INTO.sub(" ", rest)) if t in task.terms.weights]
    is_told = set(about) <= _ASKING and not task.query.document_ids
    if len(given) == 1 and is_told:
        return _of_the_question(given[0].measure, unit)
    return _of_a_document(task, unit, tuple(placed.measure for placed in given))


def stated_in_another_unit(task: AnswerTask) -> Reply | None:
    """Convert a plain value when the question ends in a unit that the document does not use.

    Only a row that the question surely means is converted: "... at 31.25 Hz in mA?".
    """
    match = _AT_END.search(task.query.text)
    unit = _wanted_unit(f"in {match['unit']}") if match and task.query.document_ids else ""
    if not match or not unit:
        return None
    given = tuple(p.measure for p in measures_in(task.query.text[: match.start()]))
    return _of_a_document(task, unit, given, _SURE)


def _wanted_unit(text: str) -> str:
    for match in _INTO.finditer(text):
        unit: str = (match["unit"] or match["many"]).replace("μ", "µ")
        if temperature_scale(unit) is not None or unit_of(unit.replace("µ", "u")) is not None:
            if unit.startswith("u") and len(unit) in (2, 3):
                unit = f"µ{unit[1:]}"
            if unit.casefold() not in _NO_UNITS:
                return unit
    return ""


def _of_the_question(measure: Measure, unit: str) -> Reply:
    try:
        result = converted(measure, unit)
    except UnitsDoNotFitError:
        said = f"{measure} cannot be converted into {unit}: they measure different things."
        return Reply(said, is_sure=True)
    sides = (str(measure), f"**{result}**")
    return Reply(f"{' = '.join(sides)}.", equation=sides, is_sure=True)


def _of_a_document(
    task: AnswerTask, unit: str, given: tuple[Measure, ...], least: float = 0.0
) -> Reply | None:
    """Convert the value that the question asks for, when it is stated in another unit."""
    terms = QuestionTerms(weights_of(task))
    found = look_up(task, Request(task.query.text, terms, _kind_of(unit), given))
    if found and found[0].score >= least:
        best = found[0]
        if least and best.measure.text.endswith(f" {unit}"):
            return None
        name = f"{best.described[:1].upper()}{best.described[1:]}"
        equation = (f"{name}: {best.measure}", str(converted(best.measure, unit)))
        return calculated(task, equation, [best])
    other = [] if found or least else look_up(task, Request(task.query.text, terms, "", given))
    if not other or other[0].score < _SURE:
        return None
    sentence = (
        f"This cannot be given in {unit}: the {other[0].described} is stated as "
        f"{other[0].measure}, which measures something else."
    )
    return missing(sentence, other[:1])


def _kind_of(unit: str) -> str:
    if temperature_scale(unit) is not None:
        return dimension("kelvin")
    placed = measures_in(f"1 {unit}")
    return dimension(placed[0].measure.unit) if placed else ""
