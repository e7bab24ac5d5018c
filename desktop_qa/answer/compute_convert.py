"""Conversions: a quantity of the question, or one that a document states, in another unit."""

from __future__ import annotations

import re

from desktop_qa.answer.compute_reply import asked_unit, computed
from desktop_qa.answer.formulas import formula
from desktop_qa.answer.measures import dimension, measures_in, named_unit
from desktop_qa.answer.operands import given_value, look_up, weights_of
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import QuestionType
from desktop_qa.index.lexical import terms_of

_CONVERTS = re.compile(
    r"\b(?:in(?:to)?|to|as)\s+(?:deg\w*\s+)?\S+(?=\s*[?.!,;]|$|\s(?:is|are|for|at|of|please)\b)"
    r"|\bhow\s+many\s+\S+\s+(?:is|are|in|makes?|equals?)\b",
    re.IGNORECASE,
)
_ASKING = frozenset(terms_of("convert express give write many much"))
_SURE = 0.8


def conversion(task: AnswerTask) -> Reply | None:
    """Convert what the question gives, or what it asks for, into the unit it names.

    A plain value is converted when the question ends in a unit that the document does not use, and
    surely means its row: "... at 31.25 Hz in mA?".
    """
    text, is_plain = plain_quantities(task.query.text), task.query.type != QuestionType.CALCULATION
    asked = [m for m in _CONVERTS.finditer(text) if asked_unit(m[0])][-1:]
    if is_plain:
        asked = [m for m in asked if task.query.document_ids and not text[m.end() :].strip(" ?.")]
    if not asked:
        return None
    phrase = asked[0][0]
    unit = asked_unit(phrase)
    given = [placed for placed in measures_in(text) if not placed.measure.in_range]
    own = terms_of(" ".join((phrase, *(text[placed.start : placed.end] for placed in given))))
    about = set(terms_of(text)) & set(task.terms.weights) - {*own, *_ASKING}
    kind = dimension((named_unit(unit) or ("",))[0])
    measures = [placed.measure for placed in given]
    if len(given) == 1 and not about and not task.query.document_ids:
        if dimension(measures[0].unit) != kind:
            said = f"{measures[0]} cannot be converted into {unit}: they measure different things."
            return Reply(said, is_sure=True)
        found = [given_value(measures[0])]
    else:
        found = look_up(task, task.query.text, weights_of(task), kind, measures)[:1]
    if is_plain:
        found = [
            r for r in found
            if r.statement is not None and r.statement.coverage >= _SURE
            and not r.measure.text.endswith(f" {unit}")
        ]  # fmt: skip
    read = formula("result", "v1")
    if not found or read is None:
        return None
    name = found[0].described
    sides = (f"{name[:1].upper()}{name[1:]}",) if found[0].statement is not None else ()
    return computed(task, read, {"v1": found[0]}, sides)
