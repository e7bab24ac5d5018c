"""Formulas that the document itself prints, with their symbols resolved and evaluated.

A symbol is resolved from what the question gives under that name or as the only value of its kind,
then from a table row or a sentence that bears the symbol, then from the only value of its kind in
the formula's own section. A formula with a symbol that stays open is not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.answer.asked_unit import as_asked
from desktop_qa.answer.compute_inputs import Reading, Request, look_up, weights_of
from desktop_qa.answer.compute_reply import calculated, missing
from desktop_qa.answer.formulas import Formula, evaluate, read_formulas, with_numbers
from desktop_qa.answer.laws import kind_of, target_unit
from desktop_qa.answer.measures import (
    Measure,
    PlacedMeasure,
    UnitsDoNotFitError,
    dimension,
    measures_in,
    plain_number,
)
from desktop_qa.answer.prose import body, sentences
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import ColumnRole, DocumentId
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.index.lexical import terms_of

_KINDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"^(?:ESR|R[θthΘ_]{0,2}(?!θ|th))", "ohm"),
        (r"^(?:R?[θΘΨ]|Rth)", "delta_degree_Celsius/watt"),
        (r"^(?:T[AJBC](?![a-z])|T_?(?:J|A|TOP|BOARD)|T$|Temp)", "delta_degree_Celsius"),
        (r"^[Δ∆]?V", "volt"),
        (r"^[Δ∆]?I", "ampere"),
        (r"^C(?!ode|ount)", "farad"),
        (r"^L(?!SB)", "henry"),
        (r"^[fƒF](?!SR)", "hertz"),
        (r"^P", "watt"),
        (r"^[tTτ]", "second"),
        (r"^FSR", "volt"),
    )
)
_KIND_WORDS = {"volt": "voltage", "ampere": "current", "second": "time", "hertz": "frequency"}
_MAX_SECTIONS = 8
_MAX_DOCUMENTS = 2
_SYMBOL = re.compile(r"\b[A-Z][A-Za-z]{0,2}[A-Z0-9][A-Z0-9a-z]{0,6}\b")
"""A symbol as people type it: "RISET", "R1", "CSS", "VREF"."""

_OF_SYMBOLS = 0.15
"""For each symbol of a formula that the question names itself."""

_MIN_COVERAGE = 0.25
_SAFE = re.compile(r"[^A-Za-z0-9θΨ]+")


@dataclass(frozen=True, slots=True)
class _Printed:
    """A formula where it stands, with how well its surroundings fit the question."""

    formula: Formula
    evidence: Evidence
    line: str
    coverage: float


def printed_calculation(task: AnswerTask) -> Reply | None:
    """Evaluate a formula that the documents print for what is asked."""
    given = measures_in(task.query.text)
    unit = target_unit(task.query.text)
    lacking: Reply | None = None
    for printed in sorted(_formulas(task), key=lambda p: -p.coverage):
        kind = _unit_of_symbol(printed.formula.left)
        if unit and kind and kind_of(unit) != kind_of(kind):
            continue
        values = _Resolver(task, printed, given).values()
        open_symbols = [s for s in printed.formula.symbols if s not in values]
        from_question = any(r.statement is None for r in values.values())
        if open_symbols:
            if lacking is None and from_question and len(open_symbols) == 1:
                lacking = _lacking(task, printed, values, open_symbols[0])
            continue
        if given and not from_question:
            continue
        reply = _computed(task, printed, values, unit)
        if reply is not None:
            return reply
    return lacking


def _formulas(task: AnswerTask) -> Iterator[_Printed]:
    """Yield the formulas of the sections that were found, each once."""
    weights = QuestionTerms(weights_of(task))
    seen: set[tuple[DocumentId, str, str]] = set()
    named = set(_SYMBOL.findall(task.query.text))
    sections = [
        (item, segment)
        for item in task.usable[:_MAX_SECTIONS]
        if item.segment.kind is SegmentKind.TEXT
        for segment in task.source.section(item.segment)
    ]
    sections += [(_evidence(segment), segment) for segment in _elsewhere(task)]
    for item, segment in sections:
        lines = [line.strip() for line in body(segment).split("\n") if line.strip()]
        for index, line in enumerate(lines):
            for formula in read_formulas(line):
                key = (segment.document_id, formula.left, formula.text)
                if key in seen:
                    continue
                seen.add(key)
                near = (*lines[max(0, index - 3) : index], *segment.metadata.section_path[-1:])
                coverage = weights.coverage([*terms_of(" ".join(near)), *terms_of(line)])
                coverage += _OF_SYMBOLS * len(named & set(formula.symbols))
                if coverage >= _MIN_COVERAGE:
                    evidence = item if segment.id == item.segment.id else _evidence(segment)
                    yield _Printed(formula, evidence, line, coverage)


def _elsewhere(task: AnswerTask) -> Iterator[Segment]:
    """Yield the texts of the named documents that print a symbol which the question names."""
    named = set(_SYMBOL.findall(task.query.text))
    if not named:
        return
    for document_id in task.query.document_ids[:_MAX_DOCUMENTS]:
        for segment in task.source.segments_of(document_id):
            is_text = segment.kind is SegmentKind.TEXT and "=" in segment.text
            if is_text and named & set(_SYMBOL.findall(segment.text)):
                yield segment


def _evidence(segment: Segment) -> Evidence:
    return Evidence(0, segment, 0.0, ())


def _unit_of_symbol(symbol: str) -> str:
    """Guess by its letter what a symbol stands for, "" when it may be anything."""
    return next((unit for pattern, unit in _KINDS if pattern.search(symbol)), "")


class _Resolver:
    """Finds the values of one formula's symbols."""

    def __init__(self, task: AnswerTask, printed: _Printed, given: Sequence[PlacedMeasure]) -> None:
        self._task = task
        self._printed = printed
        self._given = list(given)

    def values(self) -> dict[str, Reading]:
        """Return what was found for each symbol."""
        symbols = self._printed.formula.symbols
        found = {s: reading for s in symbols if (reading := self._assigned(s)) is not None}
        for symbol in symbols:
            if symbol not in found and (reading := self._only_given(symbol, symbols, found)):
                found[symbol] = reading
        for symbol in symbols:
            if symbol not in found and (reading := self._stated(symbol)):
                found[symbol] = reading
        return found

    def _assigned(self, symbol: str) -> Reading | None:
        """Read "R1 = 10 kΩ", "R1 of 10 kΩ" and "10 kΩ for R1" in the question."""
        name = r"\W?".join(re.escape(part) for part in _SAFE.split(symbol.strip("_)")) if part)
        text = plain_quantities(self._task.query.text)
        for placed in self._given:
            before, after = text[: placed.start], text[placed.end :]
            if re.search(
                rf"(?<!\w){name}\)?\s*(?:=|of|is|at|:|being)?\s*$", before, re.I
            ) or re.match(
                rf"\s*(?:for|as|at|on|in)?\s*(?:the\s+)?{name}(?!\w)", after, re.IGNORECASE
            ):
                return Reading(placed.measure, symbol, 1.0, named=1.0)
        plain = re.search(rf"(?<!\w){name}\s*(?:=|of|is)\s*(\d+(?:\.\d+)?)(?![\w.])", text, re.I)
        if plain is not None:
            return Reading(plain_number(float(plain[1]), plain[1]), symbol, 1.0, named=1.0)
        return None

    def _only_given(
        self, symbol: str, symbols: Sequence[str], found: Mapping[str, Reading]
    ) -> Reading | None:
        """Take the question's only value of the symbol's kind, when no other symbol may have it."""
        unit = _unit_of_symbol(symbol)
        if not unit:
            return None
        kind = kind_of(unit)
        taken = {reading.measure for reading in found.values()}
        own = [p.measure for p in self._given if dimension(p.measure.unit) == kind]
        own = [measure for measure in dict.fromkeys(own) if measure not in taken]
        rivals = [s for s in symbols if s not in found and _unit_of_symbol(s) == unit]
        if len(own) == 1 and len(rivals) == 1:
            return Reading(own[0], symbol, 0.9, named=1.0)
        return None

    def _stated(self, symbol: str) -> Reading | None:
        unit = _unit_of_symbol(symbol)
        return self._by_symbol(symbol, unit) or (self._of_section(unit) if unit else None)

    def _by_symbol(self, symbol: str, unit: str) -> Reading | None:
        """Return the value of a row or sentence that bears the symbol."""
        wanted = _SAFE.sub("", symbol).casefold()
        terms = QuestionTerms(dict.fromkeys(terms_of(symbol.replace("_", " ")), 1.0))
        request = Request(
            text=f"{symbol} {self._task.query.text}",
            terms=terms,
            kind=kind_of(unit) if unit else "",
            given=tuple(p.measure for p in self._given),
            document_ids=(self._printed.evidence.segment.document_id,),
        )
        for reading in look_up(self._task, request):
            if reading.statement is None:
                continue
            words = {
                _SAFE.sub("", w).casefold() for w in re.split(r"[\s,;=:]+", reading.statement.text)
            }
            if wanted in words:
                return reading
        return self._by_name(symbol, unit) if unit else None

    def _by_name(self, symbol: str, unit: str) -> Reading | None:
        """Return the value of a row whose name the symbol shortens: VREF, "Reference voltage"."""
        word = _KIND_WORDS.get(unit)
        if word is None:
            return None
        request = Request(
            text=self._task.query.text,
            terms=QuestionTerms(dict.fromkeys(terms_of(word), 1.0)),
            kind=kind_of(unit),
            document_ids=(self._printed.evidence.segment.document_id,),
            is_thorough=True,
        )
        of_cells = [r for r in look_up(self._task, request) if r.statement and r.statement.cells]
        # A minimum or a rating says between what a value lies, not which it is.
        nominal = [r for r in of_cells if r.bound in (None, ColumnRole.TYP)]
        return next((r for r in nominal if _shortens(symbol, r.name)), None)

    def _of_section(self, unit: str) -> Reading | None:
        """Return the only value of a kind that the formula's section states in a sentence."""
        kind = kind_of(unit)
        found: dict[Measure, tuple[Segment, str]] = {}
        for segment in self._task.source.section(self._printed.evidence.segment):
            for sentence in sentences(body(segment)):
                if "=" in sentence and read_formulas(sentence):
                    continue
                for placed in measures_in(sentence):
                    if dimension(placed.measure.unit) == kind and not placed.in_range:
                        found.setdefault(placed.measure, (segment, sentence))
        if len({measure.amount for measure in found}) != 1:
            return None
        measure, (segment, sentence) = next(iter(found.items()))
        run = QuoteLocator(self._task.source.words(segment)).find(sentence)
        if not run:
            return None
        statement = Statement(sentence, _evidence(segment), (tuple(run),), (), 0.6, 0.6)
        return Reading(measure, "value stated there", 0.6, statement=statement)


def _shortens(symbol: str, name: str) -> bool:
    """Tell whether a symbol is a quantity and the beginning of a name's word: VREF, "reference"."""
    end = _SAFE.sub("", symbol)[1:].casefold()
    words = re.findall(r"[a-z]+", name.casefold())
    return len(end) > 1 and any(word.startswith(end) for word in words)


def _formula_statement(task: AnswerTask, printed: _Printed) -> Statement | None:
    run = QuoteLocator(task.source.words(printed.evidence.segment)).find(printed.line)
    if not run:
        return None
    coverage = max(printed.coverage, task.terms.coverage(terms_of(
        f"{printed.evidence.segment.lexical_text}")))  # fmt: skip
    return Statement(printed.line, printed.evidence, (tuple(run),), (), coverage, printed.coverage)


def _computed(
    task: AnswerTask, printed: _Printed, values: Mapping[str, Reading], unit: str
) -> Reply | None:
    formula = printed.formula
    measures = {symbol: reading.measure for symbol, reading in values.items()}
    try:
        result = evaluate(formula, measures)
    except (UnitsDoNotFitError, ZeroDivisionError):
        return None
    kind = _unit_of_symbol(formula.left)
    expected = kind_of(unit) if unit else kind_of(kind) if kind else ""
    if expected and dimension(result.unit) != expected:
        return None
    equation = (
        *(formula.left, formula.text, with_numbers(formula, measures)),
        as_asked(result, task.query.text),
    )
    own = _formula_statement(task, printed)
    of_document = Reading(result, "formula", 1.0, statement=own) if own is not None else None
    inputs = [*([of_document] if of_document else []), *values.values()]
    return calculated(task, equation, inputs)


def _lacking(
    task: AnswerTask, printed: _Printed, values: Mapping[str, Reading], symbol: str
) -> Reply | None:
    own = _formula_statement(task, printed)
    if own is None:
        return None
    sentence = (
        f"The document gives {printed.formula.left} = {printed.formula.text}, but a value for "
        f"{symbol} was found neither in the question nor in the document."
    )
    formula = Reading(plain_number(0.0), "formula", 1.0, statement=own)
    return missing(sentence, [formula, *values.values()])
