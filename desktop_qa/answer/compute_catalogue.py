"""Formulas of the trade: what is asked for is computed from what is given and what is stated.

A symbol gets its value from the question or from the documents. The units decide which values may
stand for it, the words of the question which of them is meant. A formula of which a symbol stays
without value is not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.compute_inputs import Reading, Request, look_up, weights_of
from desktop_qa.answer.compute_pairs import as_asked
from desktop_qa.answer.compute_reply import calculated, in_words, missing
from desktop_qa.answer.formulas import Formula, evaluate, formula, with_numbers
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    dimension,
    measures_in,
    plain_number,
)
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.index.lexical import terms_of

_NAMED = 0.99
_EXPLICIT = 0.75
"""Score of a value that the question gives, when nothing it names is stated by a document."""


@dataclass(frozen=True, slots=True)
class _Symbol:
    """What may stand for a symbol.

    Attributes:
        unit: Of its kind, as pint names it; "count" for a number without unit.
        words: That tables name it by, when the question does not.
    """

    unit: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Law:
    """A formula of the trade.

    Attributes:
        result: Symbol of what comes out.
        unit: Of the result.
        when: Words of the question without which it is not meant; with them it goes before others.
    """

    result: str
    unit: str
    right: str
    symbols: Mapping[str, _Symbol]
    when: str = ""


_V = _Symbol("volt", "voltage")
_I = _Symbol("ampere", "current")
_R = _Symbol("ohm", "resistance")
_T = _Symbol("second", "time")
_C = _Symbol("farad", "capacitance")
_P = _Symbol("watt", "power")
_F = _Symbol("hertz", "frequency")
_TEMPERATURE = _Symbol("delta_degree_Celsius", "ambient temperature")
_RTH = _Symbol("delta_degree_Celsius/watt", "junction-to-ambient thermal resistance RθJA theta JA")
_N = _Symbol("count", "resolution bits")
_DROP = r"\bfrom\b.+\bto\b|\binput\b.+\boutput\b|\bregulat\w+\b|\bdrops?\b|\bstep\w*\s+down\b"

LAWS: tuple[Law, ...] = (
    Law("P", "watt", "(V_in - V_out) × I", {"V_in": _V, "V_out": _V, "I": _I}, _DROP),
    Law("P", "watt", "V × I", {"V": _V, "I": _I}),
    Law("P", "watt", "I^2 × R", {"I": _I, "R": _R}),
    Law("P", "watt", "V^2 / R", {"V": _V, "R": _R}),
    Law(
        "P",
        "watt",
        "(T_J - T_A) / RθJA",
        {"T_J": _Symbol("delta_degree_Celsius", "maximum junction temperature"),
         "T_A": _TEMPERATURE, "RθJA": _RTH},
        r"\b(?:ambient|junction|dissipat\w*)\b",
    ),
    Law("E", "joule", "V × I × t", {"V": _V, "I": _I, "t": _T}),
    Law("E", "joule", "P × t", {"P": _P, "t": _T}),
    Law("E", "joule", "0.5 × C × V^2", {"C": _C, "V": _V}, r"\bcapacitor\b"),
    Law("t", "second", "Q / I", {"Q": _Symbol("ampere_hour", "capacity"), "I": _I}),
    Law("t", "second", "W / P", {"W": _Symbol("watt_hour", "capacity"), "P": _P}),
    Law("t", "second", "C × V / I", {"C": _C, "V": _V, "I": _I}, r"\b(?:charg\w*|ramp\w*|slew\w*)\b"),
    Law("τ", "second", "R × C", {"R": _R, "C": _C}, r"\b(?:time\s+constant|tau|RC)\b"),
    Law("t", "second", "N / f", {"N": _Symbol("count", "cycles"), "f": _F}),
    Law("T", "second", "1 / f", {"f": _F}, r"\b(?:period|cycle|interval|every|one)\b"),
    Law("f", "hertz", "1 / (2 × π × R × C)", {"R": _R, "C": _C},
        r"\b(?:cut\s?-?off|corner|filter|pole|bandwidth|-?3\s?dB)\b"),
    Law("f", "hertz", "1 / T", {"T": _T}),
    Law("T_J", "delta_degree_Celsius", "T_A + P × RθJA", {"T_A": _TEMPERATURE, "P": _P, "RθJA": _RTH},
        r"\b(?:junction|die|chip)\b"),
    Law("ΔT", "delta_degree_Celsius", "P × RθJA", {"P": _P, "RθJA": _RTH}),
    Law("V", "volt", "I × R", {"I": _I, "R": _R}),
    Law("V", "volt", "P / I", {"P": _P, "I": _I}),
    Law("LSB", "volt", "FSR / 2^N", {"FSR": _Symbol("volt", "full-scale range reference voltage"),
                                     "N": _N}, r"\b(?:lsb|step|code|bit|resolution)\b"),
    Law("V", "volt", "V_in × R_2 / (R_1 + R_2)", {"V_in": _V, "R_2": _R, "R_1": _R},
        r"\bdivider\b"),
    Law("I", "ampere", "V / R", {"V": _V, "R": _R}),
    Law("I", "ampere", "P / V", {"P": _P, "V": _V}),
    Law("I", "ampere", "Q / t", {"Q": _Symbol("ampere_hour", "capacity"), "t": _T}),
    Law("R", "ohm", "V / I", {"V": _V, "I": _I}),
    Law("R", "ohm", "1 / (2 × π × f × C)", {"f": _F, "C": _C}, r"\b(?:cut\s?-?off|filter|corner)\b"),
    Law("C", "farad", "t × I / V", {"t": _T, "I": _I, "V": _V}),
    Law("C", "farad", "1 / (2 × π × R × f)", {"R": _R, "f": _F}, r"\b(?:cut\s?-?off|filter|corner)\b"),
    Law("Q", "ampere_hour", "I × t", {"I": _I, "t": _T}, r"\b(?:capacity|mAh|Ah|battery)\b"),
    Law("N", "count", "f × t", {"f": _F, "t": _T}),
)  # fmt: skip
_TARGETS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (unit, re.compile(pattern, re.IGNORECASE))
    for unit, pattern in (
        ("joule", r"\b(?:energy|joules?|[mµun]J)\b"),
        ("delta_degree_Celsius", r"\b(?:temperature\s+rise|how\s+hot|junction\s+temperature|die\s+temperature"
         r"|(?:heat|warm)s?\s+up|temperature\s+(?:increase|of\s+the\s+(?:die|junction))"
         r"|degrees\s+(?:above|hotter|warmer))\b"),
        ("watt", r"\b(?:power|heat|dissipat\w*|watts?|m?W)\b"),
        ("second", r"\bhow\s+long\b|\b(?:battery\s+life|run\s*time|how\s+many\s+(?:\w?s|\w*seconds|minutes"
         r"|hours|days|weeks|months|years)|time\s+constant|charg\w+\s+time|start-?up\s+time"
         r"|(?:soft|slow)-?\s?start\s+time|duration|period|how\s+quickly|what\s+\w*\s?time)\b"),
        ("ohm", r"\b(?:what|which|how\s+(?:large|big|much))\s+(?:\w+\s+){0,3}?(?:resistors?|resistance)\b"
         r"|\bhow\s+many\s+(?:k|m)?(?:ohms?|Ω)\b|\bresistor\s+(?:value|do|must|should|is)\b"),
        ("farad", r"\b(?:what|which|how\s+(?:large|big|much))\s+(?:\w+\s+){0,3}?(?:capacitors?|capacitance)\b"
         r"|\bhow\s+many\s+[munpµ]?(?:F|farads?)\b|\bcapacitor\s+(?:value|do|must|should|is)\b"),
        ("ampere_hour", r"\b(?:how\s+many\s+m?Ah|what\s+(?:battery\s+)?capacity|how\s+much\s+charge)\b"),
        ("hertz", r"\b(?:cut\s?-?off|corner|what)\s+(?:\w+\s+)?frequency\b|\bbandwidth\b|\bsamples?\s+per"
         r"|\bhow\s+many\s+[kM]?Hz\b|\bwhat\s+(?:\w+\s+)?rate\b"),
        ("volt", r"\b(?:voltage|volts?|LSB|step\s+size|mV|per\s+(?:code|bit|step))\b"),
        ("ampere", r"\b(?:current|amps?|amperes?|[mµun]A)\b"),
        ("count", r"\bhow\s+many\s+(?:samples|conversions|measurements|cycles|pulses|bits)\b"),
    )
)  # fmt: skip
_ASKED_PART = re.compile(
    r"\b(?:what|which|how|calculate|compute|estimate|find|determine|give)\b[^,.;?]*", re.IGNORECASE
)
_COUNT = re.compile(
    r"(?<![\w.])(\d+)(?:\s|-)?(?:bits?|clock\s+cycles|clocks|cycles|samples|pulses)\b", re.I
)


@cache
def _formula(result: str, right: str) -> Formula:
    read = formula(result, right)
    if read is None:
        raise ValueError(f"{right} is no formula")
    return read


def kind_of(unit: str) -> str:
    """Return the dimension of a unit of the catalogue."""
    return "dimensionless" if unit == "count" else dimension(unit)


def target_unit(text: str) -> str:
    """Return the unit of what a question wants computed, "" when it does not say.

    The clause that asks decides before the rest: "With a 2000 mAh battery, how long ..." wants a
    time.
    """
    clauses = [match.group() for match in _ASKED_PART.finditer(text)]
    for clause in (*clauses, text):
        found = [
            (match.start(), order, unit)
            for order, (unit, pattern) in enumerate(_TARGETS)
            if (match := pattern.search(clause)) is not None
        ]
        if found:
            return min(found, key=lambda item: item[1])[2]
    return ""


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
    bound = [b for law in laws if (b := _bind(law, given, stated, task.query.text)) is not None]
    if only_explicit:
        bound = [b for b in bound if b.is_explicit]
    bound = [b for b in bound if any(r.statement is None for r in b.values.values())
             or b.is_explicit]  # fmt: skip
    if not bound:
        return None if only_explicit else _lacking(task, laws, given, stated)
    return _computed(task, max(bound, key=lambda b: b.score))


class _Stated:
    """Values of the documents by kind, looked up once for each."""

    def __init__(self, task: AnswerTask, given: tuple[Measure, ...]) -> None:
        self._task = task
        self._given = given
        self._found: dict[tuple[str, str], list[Reading]] = {}

    def of(self, symbol: _Symbol) -> list[Reading]:
        """Return the values that may stand for a symbol, best first."""
        key = (symbol.unit, symbol.words)
        if key not in self._found:
            self._found[key] = self._look_up(symbol)
        return self._found[key]

    def _look_up(self, symbol: _Symbol) -> list[Reading]:
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
    symbol: _Symbol,
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


def _lacking(
    task: AnswerTask, laws: Sequence[Law], given: Sequence[Measure], stated: _Stated
) -> Reply | None:
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
            sentence = (
                f"This would be {law.result} = {law.right}, but no {lacking[0].words or 'value'} was "
                f"found for it; {in_words(found) or 'the rest is given'}."
            )
            return missing(task, sentence, list(found.values()))
    return None


def _computed(task: AnswerTask, bound: _Bound) -> Reply | None:
    law = bound.law
    read = _formula(law.result, law.right)
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
        return missing(task, sentence, inputs) or Reply(sentence, is_sure=True)
    except UnitsDoNotFitError as error:
        sentence = f"{law.result} = {read.text} cannot be computed: {error}."
        return missing(task, sentence, inputs) or Reply(sentence, is_sure=True)
    equation = (
        f"{law.result} = {read.text} = {with_numbers(read, measures)} = "
        f"**{as_asked(result, task.query.text)}**"
    )
    words = in_words(bound.values)
    notes = [f"Here {words}."] if words else []
    return calculated(task, equation, inputs, notes)
