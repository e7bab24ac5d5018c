"""Formulas, of the trade or printed by the document, with their symbols looked up.

A symbol gets its value from the question or from the documents. Its unit decides which values may
stand for it, the words of the question which of them is meant. A formula of which a symbol stays
without value is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.answer.compute_reply import calculated, in_words, missing, result_of
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.formulas import Formula, evaluate, read_formulas, with_numbers
from desktop_qa.answer.laws import Symbol, kind_of, laws, says, target_unit
from desktop_qa.answer.measures import (
    Measure,
    PlacedMeasure,
    UnitsDoNotFitError,
    dimension,
    is_equal,
    measures_in,
    plain_number,
)
from desktop_qa.answer.operands import NAMED, Reading, Request, given_value, look_up, weights_of
from desktop_qa.answer.prose import body, sentences
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import ColumnRole
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.index.lexical import terms_of

_LETTERS: tuple[tuple[str, Symbol], ...] = (
    (r"ESR|R[θthΘ_]{0,2}(?!θ|th)", Symbol("ohm", "resistance")),
    (r"R?[θΘΨ]|Rth", Symbol("delta_degree_Celsius/watt", "thermal resistance")),
    (r"T[AJBC](?![a-z])|T_?(?:J|A|TOP|BOARD)|T$|Temp", Symbol("delta_degree_Celsius")),
    (r"[Δ∆]?V|FSR", Symbol("volt", "voltage")),
    (r"[Δ∆]?I", Symbol("ampere", "current")),
    (r"C(?!ode|ount)", Symbol("farad", "capacitance")),
    (r"L(?!SB)", Symbol("henry", "inductance")),
    (r"[fƒF]", Symbol("hertz", "frequency")),
    (r"P", Symbol("watt", "power")),
    (r"[tTτ]", Symbol("second", "time")),
)
"""What the letter that a printed symbol begins with stands for."""

_COUNT = re.compile(
    r"(?<![\w.])(\d+)(?:\s|-)?(?:bits?|clock\s+cycles|clocks|cycles|samples|pulses)\b", re.I
)
_TYPED_SYMBOL = re.compile(r"\b[A-Z][A-Za-z]{0,2}[A-Z0-9][A-Z0-9a-z]{0,6}\b")
"""A symbol as people type it: "RISET", "R1", "CSS", "VREF"."""

_NO_INPUTS = frozenset({"percent", "bit", "clock_cycle"})
_PLAIN = re.compile(r"[^A-Za-z0-9θΨ]+")
_STATED = 0.6
_MAX_SECTIONS = 8
_MAX_DOCUMENTS = 2
_MIN_COVERAGE = 0.25
_OF_SYMBOLS = 0.15
"""For each symbol of a printed formula that the question names itself."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A formula with what it is and where it stands.

    Attributes:
        unit: Of the result, "" for any.
        fit: How well it fits the question; laws that it must name the occasion of fit better.
        evidence: What prints it; `None` for a law of the trade.
    """

    formula: Formula
    unit: str
    symbols: Mapping[str, Symbol]
    fit: float
    evidence: Evidence | None = None
    line: str = ""


@dataclass(frozen=True, slots=True)
class _Bound:
    """A formula with the values found for its symbols."""

    source: _Source
    values: Mapping[str, Reading]

    @property
    def lacking(self) -> list[str]:
        return [s for s in self.source.symbols if s not in self.values]

    @property
    def uses_question(self) -> bool:
        return any(r.statement is None for r in self.values.values())

    @property
    def is_explicit(self) -> bool:
        """True when every value is given in the question or bears a name that it says."""
        return all(r.statement is None or r.named >= NAMED for r in self.values.values())

    @property
    def score(self) -> float:
        values = self.values.values()
        score = sum(r.score for r in values) / len(values) + self.source.fit
        score += 0.05 * sum(r.statement is None for r in values)
        return score + 0.2 * sum(r.statement is not None and r.named >= NAMED for r in values)


def formula_calculation(task: AnswerTask) -> Reply | None:
    """Compute by a formula: one whose values are all named, a printed one, any other that fits."""
    unit = target_unit(task.query.text)
    given = measures_in(task.query.text)
    values = _Values(task, given)
    of_trade = [
        _Source(law.formula, law.unit, law.symbols, 0.5 * bool(law.when))
        for law in laws()
        if law.unit == unit and (not law.when or says(task.query.text, law.when))
    ]
    if of_trade and given and values.is_stated(unit):
        return None
    by_trade = [values.of(source) for source in of_trade]
    whole = [b for b in by_trade if not b.lacking and not _leaves_out(b, given)]
    whole = sorted((b for b in whole if b.uses_question or b.is_explicit), key=lambda b: -b.score)
    if explicit := [b for b in whole if b.is_explicit]:
        return _computed(task, explicit[0])
    printed = [values.of(source) for source in _printed(task, unit)]
    for bound in printed:
        if not bound.lacking and (bound.uses_question or not given):
            if (reply := _computed(task, bound)) is not None:
                return reply
    if whole:
        return _computed(task, whole[0])
    return next((r for b in (*printed, *by_trade) if (r := _lacking(task, b))), None)


def _leaves_out(bound: _Bound, given: Sequence[PlacedMeasure]) -> bool:
    """Tell whether a value of the question is neither an input nor a condition of one."""
    used = [r.measure for r in bound.values.values() if r.statement is None]
    conditions = [r.condition for r in bound.values.values() if r.statement is not None]
    return any(
        not any(is_equal(placed.measure, other) for other in used)
        and not any(condition_fit(c, placed.measure) == 1.0 for c in conditions)
        for placed in given
        if placed.measure.unit not in _NO_INPUTS
        and dimension(placed.measure.unit) != dimension("delta_degree_Celsius")
    )


class _Values:
    """Finds the values of symbols, in the question and in the documents."""

    def __init__(self, task: AnswerTask, given: Sequence[PlacedMeasure]) -> None:
        self._task = task
        self._text = plain_quantities(task.query.text)
        self._placed = given
        self._given = list(dict.fromkeys(placed.measure for placed in given))
        self._found: dict[Symbol, list[Reading]] = {}

    def is_stated(self, unit: str) -> bool:
        """Tell whether a document gives the very value under the conditions of the question."""
        return any(
            r.score >= _STATED and all(condition_fit(r.condition, g) == 1.0 for g in self._given)
            for r in self._stated(Symbol(unit))[:1]
        )

    def of(self, source: _Source) -> _Bound:
        """Find a value for each symbol of a formula; those that it assigns itself come first."""
        found = {s: r for s in source.symbols if (r := self._assigned(s)) is not None}
        for name, symbol in source.symbols.items():
            if name in found:
                continue
            if source.evidence is None:
                reading = self._meant(symbol, found)
            else:
                rivals = [s for s, k in source.symbols.items() if k == symbol and s not in found]
                own = self._left(symbol, found) if symbol.unit else []
                is_only = len(own) == 1 and len(rivals) == 1
                reading = given_value(own[0], name) if is_only else None
                reading = reading or self._printed(name, symbol, source.evidence)
            if reading is not None:
                found[name] = reading
        return _Bound(source, found)

    def _left(self, symbol: Symbol, taken: Mapping[str, Reading]) -> list[Measure]:
        used = {r.measure for r in taken.values()}
        kind = kind_of(symbol.unit)
        return [m for m in self._given if dimension(m.unit) == kind and m not in used]

    def _assigned(self, symbol: str) -> Reading | None:
        """Read "R1 = 10 kΩ", "R1 of 10 kΩ" and "10 kΩ for R1" in the question."""
        name = r"\W?".join(re.escape(part) for part in _PLAIN.split(symbol.strip("_)")) if part)
        is_before = re.compile(rf"(?<!\w){name}\)?\s*(?:=|of|is|at|:|being)?\s*$", re.I)
        is_behind = re.compile(rf"\s*(?:for|as|at|on|in)?\s*(?:the\s+)?{name}(?!\w)", re.I)
        for placed in self._placed if len(symbol) > 1 else ():
            before, after = self._text[: placed.start], self._text[placed.end :]
            if is_before.search(before) or is_behind.match(after):
                return given_value(placed.measure, symbol)
        plain = re.search(
            rf"(?<!\w){name}\s*(?:=|of|is)\s*(\d+(?:\.\d+)?)(?![\w.])", self._text, re.I
        )
        return given_value(plain_number(float(plain[1]), plain[1]), symbol) if plain else None

    def _meant(self, symbol: Symbol, taken: Mapping[str, Reading]) -> Reading | None:
        """Return what stands for a symbol of a law: what the question names, then what it gives."""
        if symbol.unit == "count" and (counts := _COUNT.findall(self._text)):
            return given_value(plain_number(float(counts[0]), counts[0]), "number")
        used = {r.name.casefold() for r in taken.values()}
        found = [r for r in self._stated(symbol) if r.name.casefold() not in used]
        named = [r for r in found if r.named >= NAMED and len(terms_of(r.name)) > 1]
        if named:
            # Where several rows bear the name, the conditions of the question tell them apart.
            longest = max(named, key=lambda r: len(set(terms_of(r.name))))
            return next(r for r in named if r.name.casefold() == longest.name.casefold())
        own = self._left(symbol, taken) if symbol.unit != "count" else []
        return given_value(own[0]) if own else next(iter(found), None)

    def _stated(self, symbol: Symbol) -> list[Reading]:
        """Return the values of the documents that may stand for a symbol, best first."""
        if symbol not in self._found:
            weights = weights_of(self._task)
            weight = max(weights.values(), default=1.0)
            is_thermal = symbol.unit.endswith("/watt")
            if is_thermal or symbol.unit == "ampere_hour":
                weights = {term: 0.3 * w for term, w in weights.items()}
            own = weight if is_thermal else 0.3 * weight
            weights |= {t: max(weights.get(t, 0.0), own) for t in terms_of(symbol.words)}
            request = Request(
                text=f"{self._task.query.text} {symbol.words if is_thermal else ''}",
                terms=QuestionTerms(weights),
                kind=kind_of(symbol.unit),
                given=tuple(self._given),
            )
            self._found[symbol] = look_up(self._task, request)
        return self._found[symbol]

    def _printed(self, name: str, symbol: Symbol, evidence: Evidence) -> Reading | None:
        """Return what a document gives for a symbol that it prints.

        That is the value of a row or sentence that bears the symbol or a name that it shortens
        (VREF, "Reference voltage"), else the only value of its kind in the formula's section.
        """
        words = f"{name.replace('_', ' ')} {symbol.words}"
        request = Request(
            text=words,
            terms=QuestionTerms(dict.fromkeys(terms_of(words), 1.0)),
            kind=kind_of(symbol.unit) if symbol.unit else "",
            given=tuple(self._given),
            document_ids=(evidence.segment.document_id,),
        )
        found = [r for r in look_up(self._task, request, 0.0) if r.statement is not None]
        wanted = _PLAIN.sub("", name).casefold()
        bearing = [r for r in found if r.statement and wanted in _symbols(r.statement.text)]
        # A minimum or a rating says between what a value lies, not which it is.
        nominal = [r for r in found if r.bound in (None, ColumnRole.TYP)]
        shortened = [r for r in nominal if symbol.unit and _shortens(name, r.name)]
        own = (*bearing, *shortened)
        return own[0] if own else self._of_section(symbol, evidence.segment)

    def _of_section(self, symbol: Symbol, segment: Segment) -> Reading | None:
        """Return the only value of a kind that the formula's section states in a sentence."""
        found: dict[float, Reading] = {}
        for own in self._task.source.section(segment) if symbol.unit else ():
            for sentence in sentences(body(own)):
                if "=" in sentence and read_formulas(sentence):
                    continue
                for placed in measures_in(sentence):
                    same = dimension(placed.measure.unit) == kind_of(symbol.unit)
                    quoted = _quoted(self._task, own, sentence) if same else None
                    if quoted is not None and not placed.in_range:
                        reading = Reading(
                            placed.measure, "value stated there", 0.6, statement=quoted
                        )
                        found.setdefault(placed.measure.amount, reading)
        return next(iter(found.values())) if len(found) == 1 else None


def _symbols(text: str) -> set[str]:
    return {_PLAIN.sub("", word).casefold() for word in re.split(r"[\s,;=:]+", text)}


def _shortens(symbol: str, name: str) -> bool:
    """Tell whether a symbol is a quantity and the beginning of a name's word: VREF, "reference"."""
    end = _PLAIN.sub("", symbol)[1:].casefold()
    return len(end) > 1 and any(w.startswith(end) for w in re.findall(r"[a-z]+", name.casefold()))


def _of_letter(symbol: str) -> Symbol:
    return next((s for letters, s in _LETTERS if re.match(letters, symbol)), Symbol(""))


def _printed(task: AnswerTask, unit: str) -> list[_Source]:
    """Return the formulas of the sections that were found, each once, best first."""
    weights = QuestionTerms(weights_of(task))
    named = set(_TYPED_SYMBOL.findall(task.query.text))
    found: dict[tuple[str, str, str], _Source] = {}
    for segment in _sections(task, named):
        lines = [line.strip() for line in body(segment).split("\n") if line.strip()]
        for index, line in enumerate(lines):
            for formula in read_formulas(line):
                own = _of_letter(formula.left)
                near = (*lines[max(0, index - 3) : index], *segment.metadata.section_path[-1:])
                coverage = weights.coverage([*terms_of(" ".join(near)), *terms_of(line)])
                coverage += _OF_SYMBOLS * len(named & set(formula.symbols))
                is_meant = not unit or not own.unit or kind_of(own.unit) == kind_of(unit)
                if coverage >= _MIN_COVERAGE and is_meant:
                    symbols = {s: _of_letter(s) for s in formula.symbols}
                    evidence = next(
                        (e for e in task.usable if e.segment.id == segment.id),
                        Evidence(0, segment, 0.0, ()),
                    )
                    source = _Source(formula, unit or own.unit, symbols, coverage, evidence, line)
                    key = (segment.document_id, formula.left, formula.text)
                    found.setdefault(key, source)
    return sorted(found.values(), key=lambda source: -source.fit)


def _sections(task: AnswerTask, named: set[str]) -> Iterator[Segment]:
    """Yield the sections found, then the texts of named documents that print a symbol named."""
    for item in task.usable[:_MAX_SECTIONS]:
        if item.segment.kind is SegmentKind.TEXT:
            yield from task.source.section(item.segment)
    for document_id in task.query.document_ids[: _MAX_DOCUMENTS if named else 0]:
        for segment in task.source.segments_of(document_id):
            is_text = segment.kind is SegmentKind.TEXT and "=" in segment.text
            if is_text and named & set(_TYPED_SYMBOL.findall(segment.text)):
                yield segment


def _quoted(task: AnswerTask, segment: Segment, text: str) -> Statement | None:
    run = QuoteLocator(task.source.words(segment)).find(text)
    if not run:
        return None
    coverage = task.terms.coverage(terms_of(segment.lexical_text))
    return Statement(text, Evidence(0, segment, 0.0, ()), (tuple(run),), (), coverage, coverage)


def _of_formula(task: AnswerTask, source: _Source) -> list[Reading]:
    """Return the printed formula itself as something that is cited."""
    own = source.evidence and _quoted(task, source.evidence.segment, source.line)
    return [Reading(plain_number(0.0), "formula", 1.0, statement=own)] if own else []


def _computed(task: AnswerTask, bound: _Bound) -> Reply | None:
    read, inputs = bound.source.formula, list(bound.values.values())
    measures = {name: reading.measure for name, reading in bound.values.items()}
    try:
        result = evaluate(read, measures)
    except (UnitsDoNotFitError, ZeroDivisionError) as error:
        if bound.source.evidence is not None:
            return None
        zero = next((r for r in inputs if r.measure.amount == 0), inputs[0])
        why = (
            f"the {zero.described} is {zero.measure}, and nothing can be divided by zero"
            if isinstance(error, ZeroDivisionError)
            else str(error)
        )
        sentence = f"{read.left} = {read.text} cannot be computed: {why}."
        return missing(sentence, inputs) or Reply(sentence, is_sure=True)
    unit = bound.source.unit
    if unit and dimension(result.unit) != kind_of(unit):
        return None
    equation = (read.left, read.text, with_numbers(read, measures), result_of(task, result))
    words = in_words(bound.values) if bound.source.evidence is None else ""
    notes = [f"Here {words}."] if words else []
    return calculated(task, equation, [*_of_formula(task, bound.source), *inputs], notes)


def _lacking(task: AnswerTask, bound: _Bound) -> Reply | None:
    """Say which value is missing where a formula fits the question but for one symbol."""
    source, known = bound.source, list(bound.values.values())
    if len(bound.lacking) != 1 or not bound.uses_question:
        return None
    formula = f"{source.formula.left} = {source.formula.text}"
    if source.evidence is not None:
        sentence = (
            f"The document gives {formula}, but a value for {bound.lacking[0]} was found neither "
            "in the question nor in the document."
        )
        own = _of_formula(task, source)
        return missing(sentence, [*own, *known]) if own else None
    what = source.symbols[bound.lacking[0]].words or "value"
    words = in_words(bound.values)
    sentence = f"This would be {formula}, but no {what} was found for it; {words}."
    return missing(sentence, known) if words else None
