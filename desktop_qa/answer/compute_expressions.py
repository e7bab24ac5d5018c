"""Calculations: values of the question and of the documents, put together by code.

Items of reports are looked up one by one, in their periods. Two values of a data sheet are sought
with the whole question, and the two are chosen that together carry most of its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from desktop_qa.answer.compute_convert import conversion
from desktop_qa.answer.compute_formulas import formula_calculation
from desktop_qa.answer.compute_reply import computed, lacking
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.formulas import filled, formula
from desktop_qa.answer.laws import (
    Item,
    item_of,
    metric_in,
    relation_words,
    relations_in,
    with_signs,
)
from desktop_qa.answer.measures import in_base, is_equal, measures_in, reckoned, same_kind
from desktop_qa.answer.operands import (
    BOUND_NAMES,
    Reading,
    given_value,
    likeness,
    look_up,
    weights_of,
)
from desktop_qa.answer.ranking import weights_in_use
from desktop_qa.answer.relevance import QuestionTerms, question_terms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.augment.quantities import plain_periods, without_periods
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.core.answer import QuestionType
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.phrases import words_of

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_DEFINED = re.compile(
    r"\b(?:defin|calculat|comput|measur)\w*\b[^.?;]*?\bas\b:?\s+(?P<right>[^.?;]+)", re.IGNORECASE
)
_SIGNS = re.compile(r"\s*([()/÷×*])\s*|\s([-–−+])\s")
_ASKS = re.compile(r"(?:^|[,:]\s*)(?:by\s+)?(?:what|which|how)\b", re.IGNORECASE)
_AS_SHARE = re.compile(
    r"(?P<a>.+?)\s+as\s+an?\s+(?:percent\w*|%|share|fraction)\s+of\s+(?P<b>.+)", re.IGNORECASE
)
_COUNT = re.compile(
    rf"\b(?P<number>(?i:{'|'.join(SMALL_NUMBERS)}|both)|[1-9]\d{{0,2}})\s+(?:of\s+)?(?:\w+\s+){{0,2}}?"
    r"(?:[A-Z]\w*\d[\w-]*|(?:these|them|parts|devices|sensors)\b)"
)
_WHOSE = re.compile(r"^.*?\b[\w&.]*[A-Z][\w&.]*['’]s?\s+(?=\w)")
_AROUND_ITEMS = frozenset(
    terms_of(
        "many much end year amount million billion average mean over together combined altogether "
        f"compared percent % round decimal place digit USD unit {' '.join(SMALL_NUMBERS)}"
    )
)
"""Words before and behind the name of an item that are no part of it."""

_RIGHTS = {
    "change": "({0} - {1}) / {1}", "difference": "{0} - {1}", "lower": "{1} - {0}",
    "sum": "{0} + {1}", "ratio": "{0} / {1}", "percent": "{0} / {1}",
}  # fmt: skip
"""How two values are put together, the last or first named before the other."""

_MAX_CANDIDATES = 8
_OF_TABLE = -3.0
"""In log odds, for items that stand in two documents, two tables or under two scales."""

_ALIKE = 0.5
"""Likeness of a row's name to an item's, below which it is another item."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An item of a report with its period, "" for none."""

    item: Item
    year: str = ""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question wants computed.

    Attributes:
        right: The expression; the operands are v1, v2 ... in it.
        operands: Items; none for values that the question tells by its words alone.
        name: What the result is called, "" for nothing but its expression.
        relation: What is done with two values, or with those of several years.
    """

    right: str
    operands: tuple[Operand, ...] = ()
    name: str = ""
    relation: str = ""
    is_percent: bool = False


def calculation(task: AnswerTask) -> Reply | None:
    """Answer a question whose answer stands nowhere and can be computed; None for any other."""
    if _DEFINED.search(task.query.text):
        return _expression(task)
    if task.query.type in (QuestionType.TABLE, QuestionType.FACT):
        return conversion(task)
    if task.query.type != QuestionType.CALCULATION:
        return None
    ways = (conversion, _expression, formula_calculation)
    return next((reply for way in ways if (reply := way(task)) is not None), None)


def _expression(task: AnswerTask) -> Reply | None:
    """Compute what is asked of values that the question names."""
    text = task.query.text
    what = _sought(text)
    if what is None:
        return None
    is_metric = what.name and not what.relation and not _DEFINED.search(text)
    if is_metric and _is_stated(task, what):
        return None
    if not what.operands:
        chosen = _named_values(task, what)
        return _computed(task, what, chosen) if chosen else None
    found = [_of_period(task, operand) for operand in what.operands]
    missed = [o for o, own in zip(what.operands, found, strict=True) if not own]
    if missed:
        known = [own[0] for own in found if own]
        phrase = f"{missed[0].item.names[0]} {missed[0].year}".strip()
        is_one = len({operand.item for operand in missed}) == 1
        return lacking(f"“{phrase}”", known) if known and is_one else None
    if what.right == "v1":
        stated = found[0][0].statement
        return Reply(statements=(stated,)) if stated is not None else None
    chosen = _together(found)
    scales = {r.measure.unit for r in chosen}
    # An amount whose scale is not known is put together with none that is counted in millions.
    return _computed(task, what, chosen) if len(scales) < 2 else None


def _years_in(text: str) -> list[str]:
    """Return the years of the periods of a text in order, each once."""
    return list(dict.fromkeys(_YEAR.findall(plain_periods(text))))


def _sought(text: str) -> Sought | None:
    """Read what a question wants computed of values that it names; None where it names none."""
    asked = _asked_part(text)
    metric = metric_in(asked)
    relations = relations_in(asked.replace(metric.name, " ") if metric else asked)
    stated = _years_in(asked)
    how, years = _over_time(relations, stated)
    share = _AS_SHARE.search(_ASKS.sub("", asked))
    name = metric.name if metric else ""
    if defined := _DEFINED.search(text):
        return _of_years(defined["right"], stated[-1:], "", name, "percent" in relations)
    if metric is not None:
        near = min(stated, key=lambda year: abs(asked.find(year) - asked.find(name)), default="")
        return _of_years(metric.expression, years or [near], how, name, metric.is_percent)
    if share is not None:
        share_of = f"{_bare(share['a'])} / {_bare(share['b'])}"
        return _of_years(share_of, years or stated[-1:], how, is_percent=True)
    if how:
        return _of_years(_subject(asked), years, how)
    if (match := _COUNT.search(text)) and "sum" in relations:
        number = match["number"].casefold()
        count = 2 if number == "both" else SMALL_NUMBERS.get(number) or int(number)
        return Sought(f"{count} × v1")
    pair = _of_two(asked, relations)
    if pair is None and stated and (item := item_of(_subject(asked))).statement:
        return Sought("v1", (Operand(item, stated[-1]),))
    return pair


def _asked_part(text: str) -> str:
    """Return the sentence that asks, from its asking word on."""
    sentences = re.split(r"(?<=[a-z\d)][.?!])\s+(?=[A-Z])", text.strip())
    asking = next((s for s in sentences if s.endswith("?")), sentences[0])
    match = _ASKS.search(asking)
    return (asking[match.start() :] if match else asking).lstrip(" ,:").rstrip(" ?.")


def _over_time(relations: Sequence[str], years: Sequence[str]) -> tuple[str, list[str]]:
    """Return how the values of several years are put together, and those years from the first."""
    said = set(relations)
    is_change = {"change", "percent"} <= said
    if len(years) == 1 and is_change:
        return "change", [str(int(years[0]) - 1), years[0]]
    if len(years) < 2:
        return "", []
    span = [str(year) for year in range(int(min(years)), int(max(years)) + 1)][-12:]
    if "average" in said and "growth" not in said:
        return "average", span
    how = next((one for one in ("growth", "ratio") if one in said), "change" if is_change else "")
    if not how and said & {"change", "difference"}:
        how = "lower" if "lower" in said else "difference"
    return (how, [span[0], span[-1]]) if how and len(years) == 2 else ("", [])


def _of_years(
    expression: str, years: Sequence[str], how: str, name: str = "", is_percent: bool = False
) -> Sought | None:
    """Put an expression in words, as it is in each of some years, together."""
    operands: list[Operand] = []
    order = years if how == "average" else years[::-1]
    each = [_with_operands(expression, year, operands) for year in order or [""]]
    each = [f"({one})" if " " in one and each[1:] else one for one in each]
    last, first = each[0], each[-1]
    if how == "average":
        right = f"({' + '.join(each)}) / {len(each)}"
    elif how == "growth":
        right = f"({last} / {first})^(1 / {int(years[-1]) - int(years[0])}) - 1"
    elif how == "change" and is_percent and name:  # that of a share is told in percentage points
        right = _RIGHTS["difference"].format(last, first)
    else:
        right = _RIGHTS[how].format(last, first) if how else last
    is_percent = is_percent or how in ("growth", "change")
    return Sought(right, tuple(operands), name, how, is_percent) if operands[1:] else None


def _with_operands(expression: str, year: str, operands: list[Operand]) -> str:
    """Write an expression in words with symbols; "average" is the mean of a year and the last."""

    def symbol(text: str, own_year: str) -> str:
        operand = Operand(item_of(_bare(text)), own_year)
        if operand not in operands:
            operands.append(operand)
        return f"v{operands.index(operand) + 1}"

    parts = []
    for piece in map(str.strip, filter(None, _SIGNS.split(with_signs(expression)))):
        own = _years_in(piece) or ([year] if year else [])
        if not piece or re.fullmatch(r"[()/÷×*+–−-]|[\d.]+", piece):
            parts.append(piece)
        elif piece.casefold().startswith("average ") and own:
            span = range(int(min(own)) - (len(own) == 1), int(max(own)) + 1)[-12:]
            each = [symbol(piece[8:], str(one)) for one in span]
            parts.append(f"(({' + '.join(each)}) / {len(each)})")
        else:
            parts.append(symbol(piece, own[-1] if own else ""))
    right = re.sub(r"(?<=\() | (?=\))", "", " ".join(parts))
    return re.sub(r"\((v\d+|\(\([^()]*\) / \d+\))\)", r"\1", right)  # brackets round one thing


def _bare(text: str) -> str:
    """Return a phrase without its period, its owner, articles and what joins it to others."""
    words = _WHOSE.sub("", without_periods(plain_periods(text))).split()
    telling = [
        index for index, word in enumerate(words)
        if any(t not in _AROUND_ITEMS and not t.isdigit() for t in terms_of(word))
    ]  # fmt: skip
    return " ".join(words[telling[0] : telling[-1] + 1]).strip(" (,:") if telling else ""


def _subject(plain: str) -> str:
    """Return what a question speaks of, without its asking words and what is done with values."""
    done = relation_words(("growth", "average", "percent", "ratio", "difference", "change"))
    return _bare(done.sub(" ", _ASKS.sub(" ", plain))) or plain


def _of_two(plain: str, relations: Sequence[str]) -> Sought | None:
    """Read what is asked of two values that are told apart by their words or documents."""
    words = words_of(plain)
    compares = any(word.tag in ("JJR", "RBR") for word in words)
    how_much = re.search(r"\b(?P<by>by )?how (?:much|many)\b", plain, re.IGNORECASE)
    is_apart = how_much and (compares or (how_much["by"] and "change" in relations))
    relation = next((r for r in relations if r in ("percent", "ratio", "difference", "sum")), "")
    if relation == "percent" and (compares or "change" in relations):
        relation = "change"
    elif relation in ("", "sum") and is_apart:
        relation = "difference"
    elif relation == "sum" and not any(word.dependency == "conj" for word in words):
        return None
    if not relation:
        return None
    right = _RIGHTS[relation].format("v1", "v2")
    return Sought(right, (), "", relation, relation in ("percent", "change"))


def _is_stated(task: AnswerTask, what: Sought) -> bool:
    """Tell whether a document gives the very figure: the "non-GAAP operating margin" of a year."""
    text, share = task.query.text, relation_words(("percent",))
    own, said = set(terms_of(what.name)), set(terms_of(text))
    return any(
        r.is_as_asked
        and (r.measure.unit == "percent") is what.is_percent
        and any(own <= set(terms_of(share.sub(" ", name))) <= said for name in r.called)
        for r in look_up(task, text, weights_of(task))
    )


def _named_values(task: AnswerTask, what: Sought) -> list[Reading]:
    """Return the value that is multiplied, or the two values that are put together.

    They stand in the order in which the question tells them, else the larger is the first.
    """
    text, documents = task.query.text, task.query.document_ids
    given, terms = [placed.measure for placed in measures_in(text)], weights_of(task)
    scopes = [(one,) for one in documents] if len(documents) == 2 else [documents]
    found = [look_up(task, text, terms, given=given, document_ids=scope) for scope in scopes]
    years = _years_in(text)
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
    is_lower = what.relation == "ratio" and "lower" in relations_in(text) and " than " in text
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
    place = reading.statement.evidence.segment.metadata.context_line()
    said = f"{reading.name} {reading.condition} {place} {BOUND_NAMES.get(reading.bound, '')}"
    return {*reading.statement.terms, *terms_of(said)}


def _own_place(text: str, one: Reading, other: Reading) -> int:
    """Return where a question first says, from 1, what one value has and the other has not."""
    own = _words(one) - _words(other)
    return next((n for n, term in enumerate(terms_of(text), start=1) if term in own), 0)


def _of_period(task: AnswerTask, operand: Operand) -> list[Reading]:
    """Look up an item of a report; a value of another period is none."""
    item = operand.item
    # The company asked for may be known by the title alone of what was found first.
    first = [evidence.segment.metadata for evidence in task.usable[:1]]
    title = {t for m in first for t in terms_of(f"{m.document_title} {m.vendor}") if t.isalpha()}
    whose = [word for word in task.query.text.split() if title.intersection(terms_of(word))]
    text = " ".join((*whose, *item.names[:3], operand.year, item.statement))
    terms = question_terms(replace(task.query, text=" ".join(item.names)), task.idf)
    found = [
        replace(r, measure=reckoned(abs, r.measure)) if item.is_outflow else r
        for r in look_up(task, text, terms, kind="dimensionless")
        if r.measure.unit != "percent"
        and likeness(r.called, item.names) >= _ALIKE
        and (r.is_as_asked or not operand.year)
    ]
    return found[:_MAX_CANDIDATES]


def _together(found: Sequence[Sequence[Reading]]) -> list[Reading]:
    """Choose a value for each item: a cost is divided by the revenue of its own statement."""

    def beside(first: Reading, other: Reading) -> float:
        places = zip(_place(first), _place(other), strict=True)
        return other.odds + _OF_TABLE * sum(own != others for own, others in places)

    chosen = (
        [first, *(max(own, key=lambda r: beside(first, r)) for own in found[1:])]
        for first in found[0]
    )
    return max(chosen, key=lambda one: sum(beside(one[0], reading) for reading in one))


def _place(reading: Reading) -> tuple[object, object, str]:
    """Return the document that a value stands in, its table or segment there, and its scale."""
    assert reading.statement is not None
    segment = reading.statement.evidence.segment
    place = segment.element.index if segment.element is not None else segment.id
    return segment.document_id, (segment.document_id, place), reading.measure.unit


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
    return computed(task, read, values, sides, is_percent=what.is_percent)


def _document(reading: Reading) -> str:
    if reading.statement is None:
        return "question"
    metadata = reading.statement.evidence.segment.metadata
    return next(iter(metadata.part_numbers), metadata.document_title)
