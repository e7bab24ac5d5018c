"""Formulas of the trade: what is asked for is computed from what is given and what is stated.

A symbol gets its value from the question or from the documents. The units decide which values may
stand for it, the words of the question which of them is meant. A formula of which a symbol stays
without value is not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.answer.asked_unit import as_asked
from desktop_qa.answer.compute_inputs import (
    Reading,
    Request,
    look_up,
    weights_of,
)
from desktop_qa.answer.compute_reply import calculated, in_words, missing
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.formulas import evaluate, with_numbers
from desktop_qa.answer.laws import LAWS, Law, Symbol, kind_of, law_formula, target_unit
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    dimension,
    is_equal,
    measures_in,
    plain_number,
)
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.index.lexical import terms_of

_NAMED = 0.99
_NO_INPUTS = frozenset({"percent", "bit", "clock_cycle"})
_STATED = 0.6
_EXPLICIT = 0.75
"""Score of a value that the question gives, when nothing it names is stated by a document."""


_COUNT = re.compile(
    r"(?<![\w.])(\d+)(?:\s|-)?(?:bits?|clock\s+cycles|clocks|cycles|samples|pulses)\b", re.I
)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A law with a value for each of its symbols."""

    law: Law
    values: Mapping[str, Reading]
    score: float

    @property
    def is_explicit(self) -> bool:
        """True when every value is given in the question or bears a name that it says."""
        return all(r.statement is None or r.named >= _NAMED for r in self.values.values())


def law_calculation(task: AnswerTask, *, only_explicit: bool = False) -> Reply | None:
    """Compute by a formula of the trade.

    Args:
        task: The question.
        only_explicit: Use only values that the question gives or names.
    """
    unit = target_unit(task.query.text)
    laws = [
        law for law in LAWS
        if law.unit == unit and (not law.when or re.search(law.when, task.query.text, re.I))
    ]  # fmt: skip
    if not laws:
        return None
    given = [placed.measure for placed in measures_in(task.query.text)]
    stated = _Stated(task, tuple(given))
    if _is_stated(unit, given, stated):
        return None
    bound = [b for law in laws if (b := _bind(law, given, stated, task.query.text)) is not None]
    bound = [b for b in bound if not _leaves_out(b, given)]
    if only_explicit:
        bound = [b for b in bound if b.is_explicit]
    bound = [b for b in bound if any(r.statement is None for r in b.values.values())
             or b.is_explicit]  # fmt: skip
    if not bound:
        return None if only_explicit else _lacking(laws, given, stated)
    return _computed(task, max(bound, key=lambda b: b.score))


def _leaves_out(bound: _Bound, given: Sequence[Measure]) -> bool:
    """Tell whether a value of the question is neither an input nor a condition of one."""
    used = [r.measure for r in bound.values.values() if r.statement is None]
    conditions = [r.condition for r in bound.values.values() if r.statement is not None]
    return any(
        not any(is_equal(measure, other) for other in used)
        and not any(condition_fit(c, measure) == 1.0 for c in conditions)
        for measure in given
        if measure.unit not in _NO_INPUTS
        and dimension(measure.unit) != dimension("delta_degree_Celsius")
    )


def _is_stated(unit: str, given: Sequence[Measure], stated: _Stated) -> bool:
    """Tell whether a document gives the very value under the conditions of the question."""
    found = stated.of(Symbol(unit))[:1]
    return bool(given) and any(
        r.score >= _STATED and all(condition_fit(r.condition, g) == 1.0 for g in given)
        for r in found
    )


class _Stated:
    """Values of the documents by kind, looked up once for each."""

    def __init__(self, task: AnswerTask, given: tuple[Measure, ...]) -> None:
        self._task = task
        self._given = given
        self._found: dict[tuple[str, str], list[Reading]] = {}

    def of(self, symbol: Symbol) -> list[Reading]:
        """Return the values that may stand for a symbol, best first."""
        key = (symbol.unit, symbol.words)
        if key not in self._found:
            self._found[key] = self._look_up(symbol)
        return self._found[key]

    def _look_up(self, symbol: Symbol) -> list[Reading]:
        weights = weights_of(self._task)
        weight = max(weights.values(), default=1.0)
        is_thermal = symbol.unit.endswith("/watt")
        if is_thermal or symbol.unit == "ampere_hour":
            weights = {term: 0.3 * w for term, w in weights.items()}
        if symbol.words and not is_thermal:
            weight *= 0.3
        weights |= {t: max(weights.get(t, 0.0), weight) for t in terms_of(symbol.words)}
        request = Request(
            text=f"{self._task.query.text} {symbol.words if is_thermal else ''}",
            terms=QuestionTerms(weights),
            kind=kind_of(symbol.unit),
            given=self._given,
            document_ids=self._task.query.document_ids,
        )
        return look_up(self._task, request)


def _bind(law: Law, given: Sequence[Measure], stated: _Stated, text: str) -> _Bound | None:
    """Choose a value for each symbol; None when one stays without."""
    values: dict[str, Reading] = {}
    left = [*given]
    counts = [m[1] for m in _COUNT.finditer(plain_quantities(text))]
    for name, symbol in law.symbols.items():
        reading = _value_for(symbol, left, counts, stated, values)
        if reading is None:
            return None
        values[name] = reading
        if reading.statement is None and reading.measure in left:
            left.remove(reading.measure)
    score = sum(reading.score for reading in values.values()) / len(values)
    score += 0.3 * sum(r.statement is None for r in values.values())
    score += 0.2 * sum(r.statement is not None and r.named >= _NAMED for r in values.values())
    if law.when:
        score += 0.5
    return _Bound(law, values, score)


def _value_for(
    symbol: Symbol,
    given: Sequence[Measure],
    counts: Sequence[str],
    stated: _Stated,
    taken: Mapping[str, Reading],
) -> Reading | None:
    """Return what stands for a symbol: what the question names, then what it gives."""
    kind = kind_of(symbol.unit)
    if symbol.unit == "count":
        if counts:
            return Reading(plain_number(float(counts[0]), counts[0]), "number", 1.0, named=1.0)
        return next(iter(stated.of(symbol)), None)
    own = [m for m in given if dimension(m.unit) == kind]
    used = {r.name.casefold() for r in taken.values()}
    found = [r for r in stated.of(symbol) if r.name.casefold() not in used]
    named = [r for r in found if r.named >= _NAMED and len(terms_of(r.name)) > 1]
    named.sort(key=lambda r: (-len(set(terms_of(r.name))), -r.score))
    if named:
        # Where several rows bear the name, the conditions of the question tell them apart.
        same = [r for r in named if r.name.casefold() == named[0].name.casefold()]
        return max(same, key=lambda r: r.score)
    if own:
        return Reading(own[0], "value of the question", _EXPLICIT, named=1.0)
    return found[0] if found else None


def _lacking(laws: Sequence[Law], given: Sequence[Measure], stated: _Stated) -> Reply | None:
    """Say which value is missing where a law fits what the question gives but for one symbol."""
    for law in laws:
        found: dict[str, Reading] = {}
        lacking = []
        left = list(given)
        for name, symbol in law.symbols.items():
            reading = _value_for(symbol, left, (), stated, found)
            if reading is None:
                lacking.append(symbol)
            else:
                found[name] = reading
                left = [m for m in left if m != reading.measure]
        uses_question = any(r.statement is None for r in found.values())
        if len(lacking) == 1 and uses_question and any(r.statement for r in found.values()):
            what, known = lacking[0].words or "value", in_words(found)
            formula = f"{law.result} = {law.right}"
            sentence = f"This would be {formula}, but no {what} was found for it; {known}."
            return missing(sentence, list(found.values()))
    return None


def _computed(task: AnswerTask, bound: _Bound) -> Reply | None:
    law = bound.law
    read = law_formula(law.result, law.right)
    measures = {name: reading.measure for name, reading in bound.values.items()}
    inputs = list(bound.values.values())
    try:
        result = evaluate(read, measures)
    except ZeroDivisionError:
        zero = next((r for r in inputs if r.measure.amount == 0), inputs[0])
        sentence = (
            f"{law.result} = {read.text} cannot be computed: the {zero.described} is "
            f"{zero.measure}, and nothing can be divided by zero."
        )
        return missing(sentence, inputs) or Reply(sentence, is_sure=True)
    except UnitsDoNotFitError as error:
        sentence = f"{law.result} = {read.text} cannot be computed: {error}."
        return missing(sentence, inputs) or Reply(sentence, is_sure=True)
    equation = (
        *(law.result, read.text, with_numbers(read, measures)),
        as_asked(result, task.query.text),
    )
    words = in_words(bound.values)
    notes = [f"Here {words}."] if words else []
    return calculated(task, equation, inputs, notes)
