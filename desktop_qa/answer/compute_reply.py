"""How a calculation is shown: the formula with its numbers, the result, then each input cited."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from desktop_qa.answer.claims import resting_on
from desktop_qa.answer.conditions import differing_conditions
from desktop_qa.answer.formulas import Formula, evaluate, filled
from desktop_qa.answer.measures import (
    COUNTED,
    Measure,
    UnitsDoNotFitError,
    converted,
    dimension,
    in_base,
    named_unit,
    shown,
)
from desktop_qa.answer.operands import Reading
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.retrieve.answer_kind import BOUND_NAMES

_MAX_INPUTS = 8
_NO_UNITS = "a h m min cycles bits bit degree degrees percent %"
"""Units that stand behind "in" and "to" as words."""

_IN_UNIT = re.compile(
    r"\b(?:in(?:to)?|to|as|how\s+many)\s+(?:deg(?:rees?)?\s+)?(?P<unit>[°]?[µμA-Za-zΩ%]{1,12}(?:/[A-Za-z]{1,6})?)"
    r"(?![\w/])",
    re.IGNORECASE,
)
_OF_SCALE = {name: scale for scale, name in COUNTED.items()}
_IN_SCALE = re.compile(
    rf"\bin\s+(?:[A-Z]{{2,3}}\s+)?(?:[A-Z]{{3}}|dollars|[$€£])?\s*(?P<scale>(?i:{'|'.join(_OF_SCALE)}))s?\b"
)
_DECIMALS = re.compile(rf"\b(?P<number>\d|{'|'.join(SMALL_NUMBERS)})\s+decimal", re.IGNORECASE)


def asked_unit(text: str) -> str:
    """Return the unit that a question wants its result in, "" for none."""
    for match in _IN_UNIT.finditer(text):
        unit = str(match["unit"]).replace("μ", "µ")
        unit = f"µ{unit[1:]}" if unit.startswith("u") and len(unit) in (2, 3) else unit
        if named_unit(unit) is not None and unit.casefold() not in _NO_UNITS.split():
            return unit
    return ""


def asked_scale(text: str) -> str:
    """Return what a question wants an amount counted in, as `COUNTED` has it; "" for nothing."""
    match = _IN_SCALE.search(text)
    return match["scale"].casefold() if match else ""


def computed(
    task: AnswerTask,
    read: Formula,
    values: Mapping[str, Reading],
    sides: Sequence[str],
    *,
    unit: str = "",
    is_percent: bool = False,
    printed: Statement | None = None,
    beside: Formula | None = None,
) -> Reply | None:
    """Evaluate a formula and cite its inputs; None where the units do not fit.

    Args:
        task: The question.
        read: The formula.
        values: Of its symbols, in the order in which they are cited.
        sides: Of the equation, before the one with numbers; symbols in the last are explained.
        unit: Of what shall come out, "" for any.
        is_percent: The result is told in per cent.
        printed: Cited for the formula itself, whose symbols the document explains.
        beside: Of a rate the amount, of an amount its rate, told behind.
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
        return not_computed(why, inputs)
    if unit and dimension(result.unit) != dimension(unit):
        return None
    other = ""
    if beside is not None and result.unit != "percent":
        with suppress(UnitsDoNotFitError, ZeroDivisionError):
            more = evaluate(beside, measures)
            more = more if is_percent else Measure(100 * in_base(more), "percent")
            other = f" ({_as_wanted(task.query.text, more)})"
    if is_percent:
        result = Measure(100 * in_base(result), "percent")
    cited = _cited(inputs, printed)
    given = dict.fromkeys(str(r.measure) for r in inputs if r.statement is None)
    named = [side.replace(" - ", " − ") for side in (*sides, filled(read, measures))]
    equation = (*named, f"**{_as_wanted(task.query.text, result)}**{other}")
    said = [f"{' = '.join(equation)}."]
    if cited and given:
        verb = "comes" if len(given) == 1 else "come"
        said.append(f"{' and '.join(given)} {verb} from the question.")
    meant = "; ".join(f"{s} is the {r.described}" for s, r in values.items() if r.statement)
    if meant and printed is None and sides[-1] == read.text:
        said.append(f"Here {meant}.")
    text = " ".join(dict.fromkeys((*said, *_remarks(inputs))))
    if not cited:
        return Reply(text, equation=equation, is_sure=True)
    main = resting_on(text, cited, equation=equation)
    return Reply("", (main, *cited[:_MAX_INPUTS]), named=how_named(inputs))


def how_named(inputs: Sequence[Reading]) -> float:
    """Return how surely values are those that a question names, 0 to 1; its own surely are.

    What one document states by one name in two tables may be a stock and what it changed by.
    """
    tables: dict[tuple[str, str], set[object]] = {}
    for reading in inputs:
        if reading.statement is not None:
            document_id, place = reading.segment.place
            name = (reading.called or (reading.name,))[0]
            tables.setdefault((document_id, name), set()).add(place)
    n_of_one = sum(len(own) == 1 for own in tables.values())
    share = (1 + n_of_one / len(tables)) / 2 if tables else 1.0
    return share * math.prod(reading.named for reading in inputs)


def _as_wanted(text: str, result: Measure) -> str:
    """Write a result in the unit and with the decimals that a question asks for, where they fit."""
    with suppress(UnitsDoNotFitError):
        if unit := asked_unit(text):
            return str(converted(result, unit))
    if result.unit in COUNTED.values() and (scale := asked_scale(text)):
        result = Measure(in_base(result) / _OF_SCALE[scale], scale)
    if (match := _DECIMALS.search(text)) is None:
        return shown(result)
    number = match["number"].casefold()
    return shown(result, SMALL_NUMBERS.get(number) or int(number))


def lacking(what: str, known: Sequence[Reading], printed: Statement | None = None) -> Reply:
    """Say which value was not found, and which were."""
    found = "; ".join(f"the {r.described}, {r.measure}" for r in dict.fromkeys(known))
    return not_computed(f"no value was found for {what}. Found was {found}", known, printed)


def not_computed(why: str, inputs: Sequence[Reading], printed: Statement | None = None) -> Reply:
    """Say why nothing is computed, with the inputs that were found."""
    sentence, cited = f"This cannot be computed: {why}.", _cited(inputs, printed)
    if not cited:
        return Reply(sentence, is_sure=True)
    return Reply(statements=(resting_on(sentence, cited), *cited))


def _cited(inputs: Sequence[Reading], printed: Statement | None) -> list[Statement]:
    found = (printed, *(reading.statement for reading in inputs))
    return list(dict.fromkeys(one for one in found if one is not None))


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
