"""Conversions: a quantity of the question, or one that a document states, in another unit."""

from __future__ import annotations

import re

from desktop_qa.answer.compute_inputs import Request, look_up, weights_of
from desktop_qa.answer.compute_reply import calculated, missing
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    converted,
    dimension,
    measures_in,
    temperature_scale,
)
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
_ASKS_ABOUT_A_VALUE = re.compile(
    r"^\W*(?:what(?:['’]s|\s+is|\s+are)?|convert|express|how\s+much\s+is|how\s+many|give|write|and)\W+"
    r"(?:is\s+|are\s+|me\s+)?(?:the\s+)?",
    re.IGNORECASE,
)


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
    about = _ASKS_ABOUT_A_VALUE.sub("", _INTO.sub(" ", rest))
    named = [term for term in terms_of(about) if term in task.terms.weights]
    if len(given) == 1 and not named and not task.query.document_ids:
        return _of_the_question(given[0].measure, unit)
    return _of_a_document(task, unit, tuple(placed.measure for placed in given))


def stated_in_another_unit(task: AnswerTask) -> Reply | None:
    """Convert a plain value when the question ends in a unit that the document does not use.

    Only a row that the question surely means is converted: "... at 31.25 Hz in mA?".
    """
    match = _AT_END.search(task.query.text)
    if match is None or not task.query.document_ids:
        return None
    unit = _wanted_unit(f"in {match['unit']}")
    text = task.query.text
    given = tuple(p.measure for p in measures_in(text[: match.start()]))
    if not unit:
        return None
    request = _request(task, unit, given)
    found = look_up(task, request)[:1]
    if not found or found[0].score < _SURE or found[0].measure.text.endswith(f" {unit}"):
        return None
    return _of_a_document(task, unit, given)


def _wanted_unit(text: str) -> str:
    for match in _INTO.finditer(text):
        unit = (match["unit"] or match["many"]).replace("μ", "µ")
        if temperature_scale(unit) is not None or unit_of(unit.replace("µ", "u")) is not None:
            if unit.startswith("u") and len(unit) in (2, 3):
                unit = f"µ{unit[1:]}"
            if unit in ("%", "percent"):
                continue
            is_word = unit.casefold() in ("a", "h", "min", "typ", "max", "mode", "total")
            if not is_word:
                return unit
    return ""


def _of_the_question(measure: Measure, unit: str) -> Reply:
    try:
        result = converted(measure, unit)
    except UnitsDoNotFitError:
        return Reply(
            f"{measure} cannot be converted into {unit}: they measure different things.",
            is_sure=True,
        )
    sides = (str(measure), f"**{result}**")
    return Reply(f"{' = '.join(sides)}.", equation=sides, is_sure=True)


def _of_a_document(task: AnswerTask, unit: str, given: tuple[Measure, ...]) -> Reply | None:
    """Convert the value that the question asks for, when it is stated in another unit."""
    request = _request(task, unit, given)
    found = look_up(task, request)
    if not found:
        return _wrong_unit(task, unit, request)
    best = found[0]
    name = best.described
    left = f"{name[:1].upper()}{name[1:]}: {best.measure}"
    return calculated(task, (left, str(converted(best.measure, unit))), [best])


def _request(task: AnswerTask, unit: str, given: tuple[Measure, ...]) -> Request:
    return Request(
        text=task.query.text,
        terms=QuestionTerms(weights_of(task)),
        kind=_kind_of(unit),
        given=given,
        document_ids=task.query.document_ids,
    )


def _wrong_unit(task: AnswerTask, unit: str, request: Request) -> Reply | None:
    """Say that what is stated cannot be given in the unit asked for."""
    other = look_up(task, Request(request.text, request.terms, "", request.given,
                                  request.document_ids))  # fmt: skip
    if not other or other[0].score < 0.8:
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
