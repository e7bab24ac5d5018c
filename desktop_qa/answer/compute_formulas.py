"""Formulas, of the trade or printed by the document, with their symbols looked up.

A symbol gets its value from the question or from the documents. Its unit decides which values may
stand for it, the words of the question which of them is meant. A formula of which a symbol stays
without value is not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_qa.answer.compute_reply import computed, lacking
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.formulas import Formula, read_formulas
from desktop_qa.answer.laws import Symbol, laws, says, symbol_of, target_unit
from desktop_qa.answer.measures import Measure, dimension, is_equal, measures_in
from desktop_qa.answer.operands import NAMED, Reading, given_value, look_up, weights_of
from desktop_qa.answer.prose import body, located_runs
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import ColumnRole
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.index.lexical import terms_of

_COUNT = re.compile(r"(?<![\w.])(\d+)[\s-]?(?:bits?|clock\s+cycles|clocks|cycles|samples|pulses)\b")
_NO_INPUTS = frozenset({"percent", "bit", "clock_cycle"})
_PLAIN = re.compile(r"[^A-Za-z0-9θΨ]+")
_MIN_COVERAGE = 0.25
_MOSTLY_NAMED = 0.5
"""Of the words of a row's name: below it, the question is about something else."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """A formula with the values found for its symbols, in their order.

    Attributes:
        printed: The line that prints it; `None` for a law of the trade.
    """

    formula: Formula
    values: Mapping[str, Reading]
    printed: Statement | None

    @property
    def is_whole(self) -> bool:
        return len(self.values) == len(self.formula.symbols)

    @property
    def uses_question(self) -> bool:
        return any(r.statement is None for r in self.values.values())

    @property
    def is_explicit(self) -> bool:
        """True when every value is given in the question or bears a name that it says."""
        return all(r.statement is None or r.named >= NAMED for r in self.values.values())


def formula_calculation(task: AnswerTask) -> Reply | None:
    """Compute by a formula: one whose values are all named, a printed one, any other that fits."""
    unit = target_unit(task.query.text)
    values = _Values(task)
    of_trade = {
        law: when for law, when in laws().items()
        if symbol_of(law.left).unit == unit and (not when or says(task.query.text, when))
    }  # fmt: skip
    if of_trade and values.given and values.is_stated(unit):
        return None
    by_trade = [values.bound(law) for law in sorted(of_trade, key=lambda law: not of_trade[law])]
    # More inputs that are known tell more of the question.
    by_trade.sort(key=lambda b: -len(b.values))
    whole = [b for b in by_trade if b.is_whole and not values.leaves_out(b)]
    explicit = [b for b in whole if b.is_explicit]
    printed = [] if explicit else _printed(task, unit, values)
    used = [b for b in printed if b.is_whole and (b.uses_question or not values.given)]
    usable = (*explicit, *used, *(b for b in whole if b.uses_question))
    replies = (_computed(task, b, unit) for b in usable)
    incomplete = (_lacking(b) for b in (*printed, *by_trade))
    return next((r for group in (replies, incomplete) for r in group if r is not None), None)


class _Values:
    """Finds the values of symbols, in the question and in the documents."""

    def __init__(self, task: AnswerTask) -> None:
        self._task = task
        self._text = plain_quantities(task.query.text)
        self._placed = measures_in(task.query.text)
        self.given = list(dict.fromkeys(placed.measure for placed in self._placed))
        self._found: dict[Symbol, list[Reading]] = {}

    def is_stated(self, unit: str) -> bool:
        """Tell whether a document gives the very value under the conditions of the question."""
        return any(
            r.named >= NAMED and all(condition_fit(r.condition, g) == 1.0 for g in self.given)
            for r in self._stated(Symbol(unit))[:1]
        )

    def leaves_out(self, bound: _Bound) -> bool:
        """Tell whether a value of the question is neither an input nor a condition of one."""
        temperature = dimension("delta_degree_Celsius")
        return any(
            not any(
                is_equal(given, r.measure) if r.statement is None
                else condition_fit(r.condition, given) == 1.0
                for r in bound.values.values()
            )
            for given in self.given
            if given.unit not in _NO_INPUTS and dimension(given.unit) != temperature
        )  # fmt: skip

    def bound(self, formula: Formula, printed: Statement | None = None) -> _Bound:
        """Find a value for each symbol of a formula; those that the question assigns come first."""
        symbols = {name: symbol_of(name) for name in formula.symbols}
        assigned = {s: r for s in symbols if (r := self._assigned(s)) is not None}
        found: dict[str, Reading] = {}
        for name, symbol in symbols.items():
            taken = assigned | found
            rivals = [s for s in symbols if symbols[s] == symbol and s not in taken]
            own = self._left(symbol, taken) if len(rivals) == 1 else []
            if name in assigned:
                reading: Reading | None = assigned[name]
            elif printed is None:
                reading = self._meant(symbol, taken)
            elif len(own) == 1:
                reading = given_value(own[0], name)
            else:
                reading = self._printed(name, symbol, printed.evidence.segment)
            if reading is not None:
                found[name] = reading
        return _Bound(formula, found, printed)

    def _left(self, symbol: Symbol, taken: Mapping[str, Reading]) -> list[Measure]:
        used = {r.measure for r in taken.values()}
        kind = dimension(symbol.unit) if symbol.unit not in ("", "count") else None
        return [m for m in self.given if dimension(m.unit) == kind and m not in used]

    def _assigned(self, symbol: str) -> Reading | None:
        """Read "R1 = 10 kΩ", "R1 of 10 kΩ" and "10 kΩ for R1" in the question."""
        name = r"\W?".join(re.escape(part) for part in _PLAIN.split(symbol.strip("_")) if part)
        for placed in self._placed if len(symbol) > 1 else ():
            before, after = self._text[: placed.start], self._text[placed.end :]
            if re.search(
                rf"(?<!\w){name}\)?\s*(?:=|of|is|at|:|being)?\s*$", before, re.I
            ) or re.match(rf"\s*(?:for|as|at|on|in)?\s*(?:the\s+)?{name}(?!\w)", after, re.I):
                return given_value(placed.measure, symbol)
        plain = rf"(?<!\w){name}\s*(?:=|of|is)\s*(\d+(?:\.\d+)?)(?![\w.])"
        match = re.search(plain, self._text, re.IGNORECASE)
        return given_value(Measure(float(match[1]), text=match[1]), symbol) if match else None

    def _meant(self, symbol: Symbol, taken: Mapping[str, Reading]) -> Reading | None:
        """Return what stands for a symbol of a law: what the question names, then what it gives."""
        if symbol.unit == "count" and (count := _COUNT.search(self._text)):
            return given_value(Measure(float(count[1]), text=count[1]), "number")
        used = {r.name.casefold() for r in taken.values()}
        found = [r for r in self._stated(symbol) if r.name.casefold() not in used]
        named = (r for r in found if r.named >= NAMED and len(terms_of(r.name)) > 1)
        own = (given_value(measure) for measure in self._left(symbol, taken))
        likely = (r for r in found if r.named >= _MOSTLY_NAMED)
        return next((r for group in (named, own, likely) for r in group), None)

    def _stated(self, symbol: Symbol) -> list[Reading]:
        """Return the values of the documents that may stand for a symbol, best first."""
        if symbol not in self._found:
            own = dict.fromkeys(terms_of(symbol.words), 1.0)
            terms = QuestionTerms(own | dict(weights_of(self._task).weights))
            text, kind = f"{self._task.query.text} {symbol.words}", dimension(symbol.unit)
            self._found[symbol] = look_up(self._task, text, terms, kind, self.given)
        return self._found[symbol]

    def _printed(self, name: str, symbol: Symbol, segment: Segment) -> Reading | None:
        """Return what a document gives for a symbol that it prints.

        That is the value of a row or sentence that bears the symbol or a name that it shortens
        (VREF, "Reference voltage"), else the only value of its kind in the formula's section.
        """
        words = f"{name.replace('_', ' ')} {symbol.words}"
        terms = QuestionTerms(dict.fromkeys(terms_of(words), 1.0))
        kind = dimension(symbol.unit) if symbol.unit else ""
        found = [
            (r, r.statement)
            for r in look_up(self._task, words, terms, kind, self.given, (segment.document_id,))
            if r.statement is not None and not read_formulas(r.statement.text)
        ]
        wanted = _PLAIN.sub("", name).casefold()
        bearing = [r for r, statement in found if wanted in _symbols(statement.text)]
        # A minimum or a rating says between what a value lies, not which it is.
        shortened = [
            r for r, _statement in found
            if kind and len(wanted) > 2 and r.bound in (None, ColumnRole.TYP)
            and any(word.startswith(wanted[1:]) for word in _symbols(r.name))
        ]  # fmt: skip
        section = {s.id for s in self._task.source.section(segment)} if kind else set()
        own = {r.measure.amount: r for r, s in found if s.evidence.segment.id in section}
        return next(iter((*bearing, *shortened, *(own.values() if len(own) == 1 else ()))), None)


def _symbols(text: str) -> set[str]:
    return {_PLAIN.sub("", word).casefold() for word in re.split(r"[\s,;=:]+", text)}


def _printed(task: AnswerTask, unit: str, values: _Values) -> list[_Bound]:
    """Return the formulas of the sections that were found, each once, best first."""
    weights = weights_of(task)
    found: dict[tuple[str, str], tuple[float, _Bound]] = {}
    own = [item.segment for item in task.usable if item.segment.kind is SegmentKind.TEXT]
    for segment in dict.fromkeys(s for one in own for s in task.source.section(one)):
        lines = [line.strip() for line in body(segment).split("\n") if line.strip()]
        for index, line in enumerate(lines):
            for formula in read_formulas(line):
                result = symbol_of(formula.left).unit
                near = (*lines[max(0, index - 3) : index + 1], *segment.metadata.section_path[-1:])
                fit = weights.coverage(terms_of(" ".join(near)))
                is_meant = not unit or not result or dimension(result) == dimension(unit)
                quoted = _quoted(task, segment, line) if fit >= _MIN_COVERAGE and is_meant else None
                key = formula.left, formula.text
                if quoted is not None and key not in found:
                    found[key] = fit, values.bound(formula, quoted)
    return [bound for _fit, bound in sorted(found.values(), key=lambda pair: -pair[0])]


def _quoted(task: AnswerTask, segment: Segment, text: str) -> Statement | None:
    own = (item for item in task.usable if item.segment.id == segment.id)
    evidence = next(own, Evidence(0, segment, 0.0, ()))
    runs = located_runs(text, task.source.words(segment))
    coverage = task.terms.coverage(terms_of(segment.lexical_text))
    return Statement(text, evidence, runs, (), coverage, coverage) if runs else None


def _computed(task: AnswerTask, bound: _Bound, unit: str) -> Reply | None:
    read = bound.formula
    unit = unit or symbol_of(read.left).unit
    return computed(
        task, read, bound.values, (read.left, read.text), unit=unit, printed=bound.printed
    )


def _lacking(bound: _Bound) -> Reply | None:
    """Say which value is missing where a formula fits the question but for one symbol."""
    missed = [symbol for symbol in bound.formula.symbols if symbol not in bound.values]
    known = list(bound.values.values())
    is_cited = bound.printed is not None or any(r.statement is not None for r in known)
    if len(missed) != 1 or not bound.uses_question or not is_cited:
        return None
    formula = f"{bound.formula.left} = {bound.formula.text}"
    return lacking(f"{missed[0]} in {formula}", known, bound.printed)
