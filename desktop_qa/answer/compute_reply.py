"""How a calculation is shown: the formula with its numbers, the result, then each input cited."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from desktop_qa.answer.claims import resting_on
from desktop_qa.answer.conditions import differing_conditions
from desktop_qa.answer.formulas import Formula, evaluate, filled
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    converted,
    dimension,
    in_base,
    named_unit,
    shown,
)
from desktop_qa.answer.operands import BOUND_NAMES, NAMED, Reading
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS

_MAX_INPUTS = 8
_NOT_WANTED = "a h in m min typ max mode total cycles bits bit degree degrees percent %"
_NO_UNITS = frozenset(_NOT_WANTED.split())
_IN_UNIT = re.compile(
    r"\b(?:in(?:to)?|to|as|how\s+many)\s+(?:deg(?:rees?)?\s+)?(?P<unit>[°]?[µμA-Za-zΩ%]{1,12}(?:/[A-Za-z]{1,6})?)"
    r"(?![\w/])",
    re.IGNORECASE,
)
_DECIMALS = re.compile(rf"\b(?P<number>\d|{'|'.join(SMALL_NUMBERS)})\s+decimal", re.IGNORECASE)


def asked_unit(text: str) -> str:
    """Return the unit that a question wants its result in, "" for none."""
    for match in _IN_UNIT.finditer(text):
        unit = str(match["unit"]).replace("μ", "µ")
        unit = f"µ{unit[1:]}" if unit.startswith("u") and len(unit) in (2, 3) else unit
        if named_unit(unit) is not None and unit.casefold() not in _NO_UNITS:
            return unit
    return ""


def computed(
    task: AnswerTask,
    read: Formula,
    values: Mapping[str, Reading],
    sides: Sequence[str],
    *,
    unit: str = "",
    is_percent: bool = False,
    cited: Sequence[Reading] = (),
    notes: Sequence[str] = (),
) -> Reply | None:
    """Evaluate a formula; None where the units do not fit.

    Args:
        task: The question.
        read: The formula.
        values: Of its symbols.
        sides: Of the equation: what is computed, with names.
        unit: Of what shall come out, "" for any.
        is_percent: The result is told in per cent.
        cited: Cited before the inputs.
        notes: See `calculated`.
    """
    measures = {symbol: reading.measure for symbol, reading in values.items()}
    inputs = list(values.values())
    try:
        result = evaluate(read, measures)
    except UnitsDoNotFitError:
        return None
    except ZeroDivisionError:
        zero = next((r for r in inputs if r.measure.amount == 0), inputs[-1])
        why = f"the {zero.described} is {zero.measure}, and nothing can be divided by zero"
        return missing(f"This cannot be computed: {why}.", inputs)
    if unit and dimension(result.unit) != dimension(unit):
        return None
    if is_percent:
        result = Measure(100 * in_base(result), "percent")
    equation = (*sides, filled(read, measures), _as_wanted(task.query.text, result))
    return calculated(task, equation, [*cited, *inputs], notes)


def _as_wanted(text: str, result: Measure) -> str:
    """Write a result in the unit and with the decimals that a question asks for, where they fit."""
    with suppress(UnitsDoNotFitError):
        if unit := asked_unit(text):
            return str(converted(result, unit))
    if (match := _DECIMALS.search(text)) is None:
        return shown(result)
    number = match["number"].casefold()
    return shown(result, SMALL_NUMBERS.get(number) or int(number))


def calculated(
    task: AnswerTask,
    equation: Sequence[str],
    inputs: Sequence[Reading],
    notes: Sequence[str] = (),
) -> Reply:
    """Return the reply of a calculation.

    Args:
        task: The question.
        equation: Its sides: what is computed, with names, with numbers; the result last.
        inputs: What it was made of, in the order of the equation.
        notes: Sentences on what is missing, assumed or different.
    """
    cited = [reading.statement for reading in inputs if reading.statement is not None]
    given = dict.fromkeys(str(r.measure) for r in inputs if r.statement is None)
    sides = (*(side.replace(" - ", " − ") for side in equation[:-1]), f"**{equation[-1]}**")
    text = f"{' = '.join(sides)}."
    if cited and given:
        verb = "comes" if len(given) == 1 else "come"
        text += f" {' and '.join(given)} {verb} from the question."
    text = " ".join((text, *dict.fromkeys((*notes, *_remarks(inputs)))))
    if not cited:
        return Reply(text, equation=sides, is_sure=True)
    main = resting_on(text, cited, equation=sides)
    listed = dict.fromkeys(cited[:_MAX_INPUTS])
    return Reply("", (main, *listed), is_sure=_is_sure(task, inputs))


def missing(sentence: str, inputs: Sequence[Reading]) -> Reply:
    """Say what a calculation lacks, with the inputs that were found."""
    cited = [reading.statement for reading in inputs if reading.statement is not None]
    if not cited:
        return Reply(sentence, is_sure=True)
    return Reply(statements=(resting_on(sentence, cited), *dict.fromkeys(cited)))


def _is_sure(task: AnswerTask, inputs: Sequence[Reading]) -> bool:
    """Tell whether the question names each input, and the document that each is read from."""
    named = {*task.query.document_ids, *task.query.made_by}
    return all(
        r.statement is None
        or (r.named >= NAMED and r.statement.evidence.segment.document_id in named)
        for r in inputs
    )


def _remarks(inputs: Sequence[Reading]) -> list[str]:
    """Say which inputs are not the bound asked for, and which hold under other conditions."""
    remarks = [
        f"No other value of the {r.name} is given than its {BOUND_NAMES[r.bound]}."
        for r in inputs
        if r.bound is not None and not r.is_as_asked
    ]
    for one, other in combinations([r for r in inputs if r.statement is not None], 2):
        different = differing_conditions(one.condition, other.condition)
        if different:
            remarks.append(
                f"Note that the two values hold under different conditions: {'; '.join(different)}."
            )
    return remarks
