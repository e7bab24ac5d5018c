"""Expressions over values that the question names: each is looked up, then all are put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.compute_phrases import Phrase, Sought, is_defined, sought, years_in
from desktop_qa.answer.compute_reply import calculated, missing, result_of
from desktop_qa.answer.conditions import differing_conditions
from desktop_qa.answer.formulas import evaluate, filled, formula, with_numbers
from desktop_qa.answer.laws import relation_words, says_lower
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    in_base,
    is_equal,
    measures_in,
    reckoned,
    same_kind,
)
from desktop_qa.answer.operands import Reading, Request, given_value, likeness, look_up, weights_of
from desktop_qa.answer.relevance import QuestionTerms, question_terms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_MAX_CANDIDATES = 8
_OF_ROW, _OF_CONDITIONS, _OF_DOCUMENT, _OF_WORDS = 4.0, -2.5, -3.0, 3.0
"""In log odds, for two values: of one row, under different conditions, of two documents; and for
the words that only one of them is named by."""

_NEVER = 1000.0
_SURE = 0.75
_ALIKE = 0.5
"""Likeness of a row's name to an item's, below which it is another item."""


def expression_calculation(task: AnswerTask) -> Reply | None:
    """Compute what is asked of values that the question names."""
    text = task.query.text
    what = sought(text, n_documents=len(task.query.document_ids))
    if what is None or (what.name and not what.relation and _is_stated(task, what)):
        return None
    found = [_candidates(task, p, n) for n, p in enumerate(what.phrases)]
    if not all(found):
        return _incomplete(what, found)
    if what.right == "v1":
        stated = found[0][0].statement
        return Reply(statements=(stated,)) if stated is not None else None
    chosen = _together(found, what)
    scales = {r.measure.unit for r in chosen if r.statement is not None and what.phrases[0].is_item}
    # An amount whose scale is not known is put together with none that is counted in millions.
    return _computed(task, what, chosen) if chosen and len(scales) < 2 else None


def _is_stated(task: AnswerTask, what: Sought) -> bool:
    """Tell whether a document gives the very figure: the "non-GAAP operating margin" of a year."""
    if is_defined(task.query.text):
        return False
    text, share = task.query.text, relation_words(("percent",))
    own, said = set(terms_of(what.name)), set(terms_of(text))
    request = Request(text, QuestionTerms(weights_of(task)), names=(what.name,))
    return any(
        r.is_as_asked
        and (r.measure.unit == "percent") is what.is_percent
        and any(own <= set(terms_of(share.sub(" ", name))) <= said for name in r.called)
        for r in look_up(task, request)
    )


def _candidates(task: AnswerTask, phrase: Phrase, index: int) -> list[Reading]:
    """Return the values that a phrase may mean, best first; a value it spells out comes first."""
    if phrase.is_item:
        return _of_period(task, phrase)
    spelled = [p.measure for p in measures_in(phrase.text)]
    said = [t for t in terms_of(phrase.text) if t in task.terms.weights and t.isalpha()]
    if len(spelled) == 1 and not phrase.others and not said:
        return [given_value(spelled[0])]
    weights = {
        term: weight * (2.0 if term in phrase.distinct else 1.0)
        for term, weight in weights_of(task).items()
        if term not in phrase.others
    }
    # Words that elsewhere say what is done ("power") tell one value from the other here.
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    weights |= {t: weights.get(t, mean) for t in phrase.distinct if t[:1].isalpha()}
    documents = task.query.document_ids
    request = Request(
        text=_without(task.query.text, phrase.others),
        terms=QuestionTerms(weights),
        given=tuple(placed.measure for placed in measures_in(task.query.text)),
        document_ids=documents[index : index + 1] if len(documents) == 2 else documents,
        bounds=limits_in(phrase.text) or limits_in(task.query.text),
        names=phrase.item.names,
    )
    found = [_told_by_its_words(r, phrase) for r in look_up(task, request) if _is_of_year(r, task)]
    if spelled and len(said) <= 2:
        found.append(replace(given_value(spelled[0]), odds=found[-1].odds if found else 0.0))
    return sorted(found, key=lambda r: -r.odds)[:_MAX_CANDIDATES]


def _is_of_year(reading: Reading, task: AnswerTask) -> bool:
    """Tell whether a value is of the period asked for, where one is."""
    return reading.is_as_asked or reading.bound is not None or not years_in(task.query.text)


def _without(text: str, terms: frozenset[str]) -> str:
    return " ".join(w for w in text.split() if not (own := set(terms_of(w))) or own - terms)


def _of_period(task: AnswerTask, phrase: Phrase) -> list[Reading]:
    """Look up an item of a report; a value of another period is none."""
    item = phrase.item
    text = " ".join((*_titles(task), *item.names[:3], phrase.year, item.statement))
    terms = question_terms(replace(task.query, text=" ".join(item.names)), task.idf)
    found = look_up(task, Request(text, terms, kind="dimensionless", names=item.names))
    if item.is_outflow:
        found = [replace(r, measure=reckoned(abs, r.measure)) for r in found]
    alike = [r for r in found if likeness(r.called, item.names) >= _ALIKE]
    amounts = [r for r in alike if r.measure.unit != "percent"]
    return [r for r in amounts if r.is_as_asked or not phrase.year][:_MAX_CANDIDATES]


def _titles(task: AnswerTask) -> list[str]:
    """Return the words by which a question names its document."""
    title: set[str] = set()
    for item in task.usable[:1]:
        metadata = item.segment.metadata
        title |= set(terms_of(f"{metadata.document_title} {metadata.vendor}"))
    words = dict.fromkeys(task.query.text.split())
    return [
        w for w in words if (own := set(terms_of(w))) and own <= title and not re.search(r"\d", w)
    ]


def _told_by_its_words(reading: Reading, phrase: Phrase) -> Reading:
    """Let the words that only one of the two values is named by decide which it is."""
    if reading.statement is None or not (phrase.others or phrase.distinct):
        return reading
    context = reading.statement.evidence.segment.metadata.context_line()
    told = set(terms_of(f"{reading.statement.text} {reading.condition} {context}"))
    share = len(phrase.distinct & told) / max(len(phrase.distinct), 1)
    wrong = len(phrase.others & told) / max(len(phrase.others), 1)
    return replace(reading, odds=reading.odds + _OF_WORDS * (share - wrong))


def _together(found: Sequence[Sequence[Reading]], what: Sought) -> list[Reading]:
    """Choose a value for each operand that together speak best of the question.

    They should stand in one table: a cost is divided by the revenue of its own statement. Values
    of two documents should bear names of the same words; of one, they must not be the same cell.
    """
    best: tuple[float, list[Reading]] | None = None
    for first in found[0]:
        fits = [[(r.odds + _beside(first, r, what), r) for r in own] for own in found[1:]]
        chosen = [max(own, key=lambda pair: pair[0]) for own in fits]
        odds = first.odds + sum(odds for odds, _reading in chosen)
        if odds > -_NEVER and (best is None or odds > best[0]):
            best = (odds, [first, *(reading for _odds, reading in chosen)])
    return best[1] if best is not None else []


def _beside(one: Reading, other: Reading, what: Sought) -> float:
    """Return what speaks for a value beside another, in log odds."""
    own, others = _cell(one), _cell(other)
    is_pair = not what.phrases[0].is_item
    shares = {reading.measure.unit == "percent" for reading in (one, other)}
    is_same = own == others and is_equal(one.measure, other.measure)
    if is_pair and (is_same or len(shares) > 1 or not same_kind(one.measure, other.measure)):
        return -2 * _NEVER
    if is_pair and not what.phrases[0].text:
        return _same_words(one.name, other.name)
    odds = _OF_DOCUMENT * ((own[:1] != others[:1]) + (one.measure.unit != other.measure.unit))
    if not is_pair:
        return odds + _OF_DOCUMENT * (own[:2] != others[:2])
    odds += _same_words(one.name, other.name) + 0.5 * (one.bound is other.bound)
    if differing_conditions(one.condition, other.condition):
        odds += _OF_CONDITIONS
    is_one_row = not what.phrases[1].distinct and own[:3] == others[:3]  # "than the typical one"
    return odds + _OF_ROW * is_one_row


def _cell(reading: Reading) -> tuple[object, ...]:
    """Return where a value stands: document, table or segment, row or sentence, bound."""
    statement = reading.statement
    if statement is None:
        return ()
    segment = statement.evidence.segment
    place = segment.element.index if segment.element is not None else segment.id
    row = max(statement.cells)[0] if statement.cells else statement.text
    return segment.document_id, place, row, reading.bound


def _same_words(one: str, other: str) -> float:
    first, second = set(terms_of(one)), set(terms_of(other))
    return len(first & second) / len(first | second) if first | second else 0.0


def _incomplete(what: Sought, found: Sequence[Sequence[Reading]]) -> Reply | None:
    """Say which value was not found, when the others surely were."""
    known = [own[0] for own in found if own]
    lacking = [p for p, own in zip(what.phrases, found, strict=True) if not own]
    if not known or len({p.text for p in lacking}) != 1 or any(r.score < _SURE for r in known):
        return None
    phrase = " ".join(f"{lacking[0].text} {lacking[0].year}".split())[:80].strip(" ,.?")
    said = "; ".join(f"the {r.described}, {r.measure}" for r in dict.fromkeys(known))
    sentence = f"This cannot be computed: no value was found for “{phrase}”. Found was {said}."
    return missing(sentence, known)


def _computed(task: AnswerTask, what: Sought, chosen: Sequence[Reading]) -> Reply | None:
    readings = list(chosen)
    if what.relation in ("difference", "ratio") and len(readings) == 2:
        lower = says_lower(task.query.text)
        if what.relation == "difference":
            is_smaller = in_base(readings[0].measure) < in_base(readings[1].measure)
            is_between = not what.phrases[0].is_item and " than " not in task.query.text
            if lower or (is_smaller and is_between):
                readings.reverse()
        elif lower and " than " in task.query.text:
            readings.reverse()
    read = formula(what.name or "result", what.right)
    if read is None:
        return None
    values = {f"v{n}": reading.measure for n, reading in enumerate(readings, start=1)}
    try:
        result = evaluate(read, values)
    except ZeroDivisionError:
        zero = next((r for r in readings if r.measure.amount == 0), readings[-1])
        sentence = (
            f"This cannot be computed: the {zero.described} is {zero.measure}, and nothing can "
            "be divided by zero."
        )
        return missing(sentence, readings)
    except UnitsDoNotFitError:
        return None
    if what.is_percent:
        result = Measure(100 * in_base(result), "percent")
    names = filled(read, dict(zip(values, _names(readings), strict=True)))
    head = f"{what.name[:1].upper()}{what.name[1:]}"
    sides = (head, names) if head else (f"{names[:1].upper()}{names[1:]}",)
    equation = (*sides, with_numbers(read, values), result_of(task, result))
    return calculated(task, tuple(side.replace(" - ", " − ") for side in equation), readings)


def _names(readings: Sequence[Reading]) -> list[str]:
    """Name the values so that they can be told apart: by the document if by nothing else."""
    names = [reading.described for reading in readings]
    return [
        f"{name} ({_document(reading)})" if names.count(name) > 1 else name
        for name, reading in zip(names, readings, strict=True)
    ]


def _document(reading: Reading) -> str:
    if reading.statement is None:
        return "question"
    metadata = reading.statement.evidence.segment.metadata
    return metadata.part_numbers[0] if metadata.part_numbers else metadata.document_title
