"""Calculations: values of the question and of the documents, put together by code.

Items of reports are looked up one by one, in their periods. Two values of a data sheet are sought
with the whole question, and the two are chosen that together carry most of its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

from desktop_qa.answer.compute_convert import conversion
from desktop_qa.answer.compute_formulas import formula_calculation
from desktop_qa.answer.compute_reply import asked_scale, computed, how_named, lacking
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.figures import ITEM, FigureReader, Operand, Sought, years_in
from desktop_qa.answer.financial_statements import Statements, of_item, row_readings
from desktop_qa.answer.formulas import evaluate, filled, formula
from desktop_qa.answer.laws import FALLS, Item, metric_in, relation_words, relations_in
from desktop_qa.answer.measures import COUNTED, Measure, in_base, is_equal, measures_in, same_kind
from desktop_qa.answer.operands import Reading, given_value, look_up, weights_of
from desktop_qa.answer.ranking import title_terms, weights_in_use
from desktop_qa.answer.relevance import QuestionTerms, question_terms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.periods import length_said
from desktop_qa.core.answer import QuestionType
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import BOUND_NAMES

_OF_TABLE = -3.0
"""In log odds, for items that stand in two documents, two tables or under two scales."""


def calculation(task: AnswerTask) -> Reply | None:
    """Answer a question whose answer stands nowhere and can be computed; None for any other."""
    what = FigureReader(task).sought()
    may_convert = (QuestionType.CALCULATION, QuestionType.TABLE, QuestionType.FACT)
    if task.query.type in may_convert and (reply := conversion(task)) is not None:
        return reply
    if task.query.type == QuestionType.CALCULATION:
        reply = _expression(task, what) if what is not None else None
        if reply is not None or (reply := formula_calculation(task)) is not None:
            return reply
    elif what is not None and what.is_defined:
        # A figure or an item that the trade or the question defines is asked for in any words.
        reply = _expression(task, what)
        first = reply.statements[:1] if reply is not None else ()
        if any(one.equation or what.is_item for one in first):
            return reply
    known = row_readings(task) if what is None else []
    return _reckoned(task, Sought(ITEM), known) if known else None


def _expression(task: AnswerTask, what: Sought) -> Reply | None:
    """Compute what is asked of values that the question names."""
    if what.may_be_stated and (stated := _stated(task, what)):
        # Of a company that no document is of another's figure is none.
        is_known = bool(task.query.named_documents)
        return _reckoned(task, Sought(ITEM), stated[:1]) if is_known else None
    if not what.operands:
        chosen = _named_values(task, what)
        if not chosen:
            return None
        # They are what the question names as far as they carry its words.
        said = weights_of(task).coverage(set[str]().union(*map(_words, chosen)))
        first = replace(chosen[0], named=chosen[0].named * said)
        return _computed(task, what, [first, *chosen[1:]])
    chosen, missing = _of_operands(task, what)
    # A share may be told where its parts are not: "approximately 56 %".
    is_told = what.is_percent and not (what.name or what.relation)
    return _reckoned(task, what, chosen) if chosen else None if is_told else missing


def figure_of(task: AnswerTask, *, is_trend: bool) -> tuple[float, Reply] | None:
    """Compute the figure that a question names, or how much it grew; None for another question.

    Returns:
        Its amount, and how it was computed.
    """
    reader = FigureReader(task)
    for is_row in (False, True):
        what = reader.sought(is_trend=is_trend, is_row=is_row)
        operands = what.operands if what is not None else ()
        if what is None or not operands:
            continue
        chosen = _of_operands(task, what)[0]
        reply = _reckoned(task, what, chosen) if chosen else None
        read = formula(what.name or "result", what.right)
        if reply is not None and read is not None and reply.statements[0].equation:
            values = {f"v{n}": reading.measure for n, reading in enumerate(chosen, start=1)}
            return evaluate(read, values).amount, reply
    return None


def _of_operands(task: AnswerTask, what: Sought) -> tuple[list[Reading], Reply | None]:
    """Choose a value for each operand; where one is missing there is none, and it is said."""
    statements = Statements(task, [operand.period for operand in what.operands])
    found = _of_periods(task, what.operands, statements)
    if not all(found) and any(operand.part for operand in what.operands):
        # Of what seems to be a part not all is told: that the whole is meant is not sure.
        whole = _of_periods(task, [replace(one, part="") for one in what.operands], statements)
        found = [[replace(r, named=r.named / 2) for r in own] for own in whole]
    missed = [o for o, own in zip(what.operands, found, strict=True) if not own]
    if not missed:
        last = max(operand.period[-4:] for operand in what.operands)
        chosen = _together(task, last, found)
        # Two items that one cell would have to give are not both found.
        cells = {(r.segment.place, r.statement.cells[-1]) for r in chosen if r.statement}
        return chosen if len(cells) == len(chosen) else [], None
    known = [own[0] for own in found if own]
    phrase = f"{missed[0].item.names[0]} {missed[0].period}".strip()
    is_one = len({operand.item for operand in missed}) == 1
    return [], lacking(f"“{phrase}”", known) if known and is_one else None


def _reckoned(task: AnswerTask, what: Sought, chosen: Sequence[Reading]) -> Reply | None:
    """State an item, or compute what is done with several."""
    scale = asked_scale(task.query.text)
    chosen = _in_one_scale(chosen)
    if what.is_item and chosen[0].measure.unit in (scale or chosen[0].measure.unit, ""):
        # What a second table repeats is said once.
        said = {str(r.measure): one for r in reversed(chosen) if (one := r.statement) is not None}
        return Reply("", tuple(said.values())[::-1], named=how_named(chosen))
    scales = {r.measure.unit for r in chosen}
    # An amount whose scale is not known is put together with none that is counted in millions.
    return _computed(task, what, chosen) if len(scales) < 2 else None


def _in_one_scale(chosen: Sequence[Reading]) -> Sequence[Reading]:
    """Count what one row of a report gives for two periods alike; a table may not say its scale."""
    scales = {r.measure.unit for r in chosen} - {""}
    rows = {(_place(r)[0], r.called[:1]) for r in chosen}
    if len(scales) != 1 or len(rows) > 1 or scales.isdisjoint(COUNTED.values()):
        return chosen
    (unit,) = scales
    return [
        r
        if r.measure.unit
        else replace(r, measure=Measure(r.measure.amount, unit, f"{r.measure} {unit}"))
        for r in chosen
    ]


def _stated(task: AnswerTask, what: Sought) -> list[Reading]:
    """Return where a document gives the very figure: the "non-GAAP operating margin" of a year."""
    text, share = task.query.text, relation_words(("percent",))
    own, said = set(terms_of(what.name)), set(terms_of(text))
    found = [
        r
        for r in look_up(task, text, weights_of(task))
        if r.is_as_asked
        and (r.measure.unit == "percent") is what.is_percent
        and any(own <= set(terms_of(share.sub(" ", name))) <= said for name in r.called)
    ]
    n_values = len({r.measure.amount for r in found})
    return [replace(r, named=1.0 / n_values) for r in found]


def _named_values(task: AnswerTask, what: Sought) -> list[Reading]:
    """Return the value that is multiplied, or the two values that are put together.

    They stand in the order in which the question tells them, else the larger is the first.
    """
    text, documents = task.query.text, task.query.document_ids
    given, terms = [placed.measure for placed in measures_in(text)], weights_of(task)
    scopes = [(one,) for one in documents] if len(documents) == 2 else [documents]
    found = [look_up(task, text, terms, given=given, document_ids=scope) for scope in scopes]
    years = years_in(text)
    if years:
        found = [[r for r in own if r.is_as_asked or r.bound is not None] for own in found]
    if not what.relation:
        return found[0][:1]
    first = [] if years else found[0][:1]
    spelled = [given_value(g) for r in first for g in given if not condition_fit(r.condition, g)]
    pairs = product(*found) if found[1:] else combinations((*found[0], *spelled), 2)
    rated = [(odds, pair) for pair in pairs if (odds := _rated(terms, *pair)) is not None]
    if not rated:
        return []
    pair = sorted(max(rated, key=lambda one: one[0])[1], key=lambda r: -in_base(r.measure))
    own, others = _own_place(text, *pair), _own_place(text, *pair[::-1])
    is_later = what.relation in ("ratio", "change") and 0 < others < own
    is_lower = what.relation == "ratio" and " than " in text
    is_lower = is_lower and not FALLS.isdisjoint(relations_in(text))
    if is_later != (is_lower or what.relation == "percent"):
        pair.reverse()
    return pair if own or others else []


def _rated(terms: QuestionTerms, one: Reading, other: Reading) -> float | None:
    """Return what speaks for two values, each as if it carried the words of both."""
    percents = {reading.measure.unit == "percent" for reading in (one, other)}
    is_same = is_equal(one.measure, other.measure)
    if is_same or len(percents) > 1 or not same_kind(one.measure, other.measure):
        return None
    own = [_words(one), _words(other)]
    both = terms.coverage(own[0] | own[1])
    more = sum(both - terms.coverage(words) for words in own)
    return one.odds + other.odds + weights_in_use()["words"] * more


def _words(reading: Reading) -> set[str]:
    """Return the words that a value stands among, its bound and its document's name with them."""
    if reading.statement is None:
        return set(terms_of(str(reading.measure)))
    place = reading.segment.metadata.context_line()
    said = f"{reading.name} {reading.condition} {place} {BOUND_NAMES.get(reading.bound, '')}"
    return {*reading.statement.terms, *terms_of(said)}


def _own_place(text: str, one: Reading, other: Reading) -> int:
    """Return where a question first says, from 1, what one value has and the other has not."""
    own = _words(one) - _words(other)
    return next((n for n, term in enumerate(terms_of(text), start=1) if term in own), 0)


def _of_periods(
    task: AnswerTask, operands: Sequence[Operand], statements: Statements
) -> list[list[Reading]]:
    """Look up items of reports; of one item in several periods the rows that tell it in all."""
    items = [statements.of_part(one.item, one.part) for one in operands]
    pairs = list(zip(items, operands, strict=True))
    found = [_of_period(task, item, one.period, statements) for item, one in pairs]
    chosen = []
    for item, own in zip(items, found, strict=True):
        if not item.statement:
            same = ({r.called for r in found[n]} for n, one in enumerate(items) if one == item)
            in_all = set.intersection(*same)
            own = of_item(task, item, [r for r in own if r.called in in_all] or own)
        chosen.append(own)
    return chosen


def _of_period(task: AnswerTask, item: Item, period: str, statements: Statements) -> list[Reading]:
    """Return the values that may be of an item; a value of another period is none."""
    stated = statements.readings(item, period)
    if stated is not None:
        return stated
    reports = statements.reports_of(period)
    if reports == ():
        return []
    # The company asked for may be known by the title alone of what was found first.
    title = {t for one in task.usable[:1] for t in title_terms(one) if t.isalpha()}
    whose = [word for word in task.query.text.split() if title.intersection(terms_of(word))]
    headed = statements.as_headed(period, reports[0]) if reports else period
    said = f"{length_said(task.query.text)} {headed}"
    text = " ".join((*whose, *item.names[:3], said, item.statement))
    terms = question_terms(replace(task.query, text=" ".join(item.names)), task.idf)
    is_share = metric_in(item.names[0]) is not None
    found = [
        r
        for r in look_up(task, text, terms, "dimensionless", (), reports or ())
        if (r.measure.unit != "percent" or is_share) and (r.is_as_asked or not period)
    ]
    # A row of a statement is as good as the best that was found.
    odds = max((r.odds for r in found), default=0.0)
    rows = [replace(r, odds=odds) for r in statements.rows(item, period)]
    return of_item(task, item, [*rows, *found]) if item.statement else [*rows, *found]


def _together(task: AnswerTask, last: str, found: Sequence[Sequence[Reading]]) -> list[Reading]:
    """Choose a value for each item: a cost is divided by the revenue of its own statement.

    The report of the last year is taken before others that give its figures, too. Of reports
    that the question does not name no two makers' are put together.
    """

    def beside(first: Reading, other: Reading) -> float:
        places = zip(_place(first), _place(other), strict=True)
        is_of_year = last in _place(other)[0]
        return other.odds + _OF_TABLE * (sum(a != b for a, b in places) - is_of_year)

    is_known = bool(task.query.named_documents)
    chosen = []
    for first in found[0]:
        others = [[r for r in own if is_known or _maker(r) == _maker(first)] for own in found[1:]]
        if all(others):
            chosen.append([first, *(max(own, key=lambda r: beside(first, r)) for own in others)])
    return max(chosen, key=lambda one: sum(beside(one[0], r) for r in one), default=[])


def _maker(reading: Reading) -> str:
    return reading.segment.metadata.vendor or reading.segment.document_id


def _place(reading: Reading) -> tuple[str, object, str]:
    """Return the title of the document that a value stands in, its table there, and its scale."""
    segment = reading.segment
    return segment.metadata.document_title, segment.place, reading.measure.unit


def _computed(task: AnswerTask, what: Sought, readings: Sequence[Reading]) -> Reply | None:
    read = formula(what.name or "result", what.right)
    if read is None:
        return None
    values = {f"v{n}": reading for n, reading in enumerate(readings, start=1)}
    described = [reading.described for reading in readings]
    # Values that nothing else tells apart are told apart by their documents.
    names = {
        symbol: f"{name} ({_document(reading)})" if described.count(name) > 1 else name
        for name, (symbol, reading) in zip(described, values.items(), strict=True)
    }
    first, *others = (*filter(None, [what.name]), filled(read, names))
    sides = (f"{first[:1].upper()}{first[1:]}", *others)
    beside = formula("result", what.beside) if what.beside else None
    return computed(task, read, values, sides, is_percent=what.is_percent, beside=beside)


def _document(reading: Reading) -> str:
    if reading.statement is None:
        return "question"
    metadata = reading.segment.metadata
    return next(iter(metadata.part_numbers), metadata.document_title)
