"""Sums, differences, ratios and percentages of two values that the question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.asked_unit import as_asked
from desktop_qa.answer.compute_inputs import (
    Reading,
    Request,
    look_up,
    weights_of,
)
from desktop_qa.answer.compute_reply import calculated, missing
from desktop_qa.answer.conditions import differing_conditions
from desktop_qa.answer.measures import (
    Measure,
    add,
    divide,
    in_base,
    is_equal,
    measures_in,
    same_kind,
    shown,
)
from desktop_qa.answer.operands import Operand, Relation, operands_of, relation_of
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_LOWER = re.compile(
    r"\b(?:lower|less|smaller|shorter|slower|fewer|decrease\w*|drops?\b|dropp\w+|fall\w*|reduc\w*|sav\w+)\b",
    re.IGNORECASE,
)
_MAX_CANDIDATES = 8
_OF_ROW = 0.4
_OF_CONDITIONS = 0.25
"""Against two values of which each holds under another condition."""


def pair_calculation(task: AnswerTask) -> Reply | None:
    """Compute a sum, difference, ratio or percentage of two values that are named."""
    text = task.query.text
    relation = relation_of(text)
    if relation is None:
        return None
    operands = operands_of(task, relation)
    if operands is None:
        return None
    given = tuple(placed.measure for placed in measures_in(text))
    candidates = [_candidates(task, operand, given) for operand in operands]
    pair = _best_pair(candidates[0], candidates[1], operands)
    if pair is None:
        return _incomplete(operands, candidates)
    return _computed(task, relation, pair)


def _candidates(task: AnswerTask, operand: Operand, given: Sequence[Measure]) -> list[Reading]:
    """Return the values that an operand may be, best first; a value it spells out comes first."""
    spelled = [p.measure for p in measures_in(operand.text)]
    said = [t for t in terms_of(operand.text) if t in task.terms.weights and t.isalpha()]
    if len(spelled) == 1 and not operand.others and not said:
        return [Reading(spelled[0], "value of the question", 1.0, named=1.0)]
    weights = {
        term: weight * (2.0 if term in operand.distinct else 1.0)
        for term, weight in weights_of(task).items()
        if term not in operand.others
    }
    # Words that elsewhere say what is done ("power") tell one value from the other here.
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    weights |= {t: weights.get(t, mean) for t in operand.distinct if t[:1].isalpha()}
    bounds = limits_in(operand.text) or limits_in(task.query.text)
    request = Request(
        text=task.query.text,
        terms=QuestionTerms(weights),
        given=tuple(given),
        document_ids=operand.document_ids,
        bounds=bounds,
        is_thorough=bool(operand.others or operand.distinct),
    )
    found = [_told_by_its_words(reading, operand) for reading in look_up(task, request)]
    if spelled and len(said) <= 2:
        found.append(Reading(spelled[0], "value of the question", 0.7, named=1.0))
    return sorted(found, key=lambda r: -r.score)[:_MAX_CANDIDATES]


def _told_by_its_words(reading: Reading, operand: Operand) -> Reading:
    """Let the words that only one of the two values is named by decide which it is."""
    if reading.statement is None or not (operand.others or operand.distinct):
        return reading
    context = reading.statement.evidence.segment.metadata.context_line()
    told = set(terms_of(f"{reading.statement.text} {reading.condition} {context}"))
    distinct, others = operand.distinct, operand.others
    share = len(distinct & told) / len(distinct) if distinct else 0.0
    wrong = len(others & told) / len(others) if others else 0.0
    return replace(reading, score=reading.score + 0.3 * share - 0.2 * wrong)


def _best_pair(
    firsts: Sequence[Reading], seconds: Sequence[Reading], operands: Sequence[Operand]
) -> tuple[Reading, Reading] | None:
    """Choose the two values of one kind that together speak best of the question.

    Values of two documents should bear names of the same words; of one document, they must not be
    the same cell.
    """
    across = bool(operands[0].document_ids) and operands[0].document_ids != operands[1].document_ids
    is_one_row = not across and not operands[1].distinct  # "than the typical one"
    best: tuple[float, Reading, Reading] | None = None
    for one in firsts:
        for other in seconds:
            if not same_kind(one.measure, other.measure) or _is_same_cell(one, other):
                continue
            score = one.score + other.score
            score += 0.1 * _same_words(one.name, other.name)
            if not across and not _share_document(one, other):
                score -= 0.3
            if one.bound is other.bound:
                score += 0.05
            if is_one_row and _is_same_row(one, other):
                score += _OF_ROW
            if not across and differing_conditions(one.condition, other.condition):
                score -= _OF_CONDITIONS
            if best is None or score > best[0]:
                best = (score, one, other)
    return (best[1], best[2]) if best is not None else None


def _is_same_row(one: Reading, other: Reading) -> bool:
    if one.statement is None or other.statement is None:
        return False
    return one.statement.runs == other.statement.runs


def _is_same_cell(one: Reading, other: Reading) -> bool:
    if one.statement is None or other.statement is None:
        return one.statement is other.statement and is_equal(one.measure, other.measure)
    return (
        one.statement.evidence.segment.id == other.statement.evidence.segment.id
        and one.statement.cells[:1] == other.statement.cells[:1]
        and one.statement.text == other.statement.text
        and one.bound is other.bound
        and is_equal(one.measure, other.measure)
    )


def _share_document(one: Reading, other: Reading) -> bool:
    if one.statement is None or other.statement is None:
        return True
    return (
        one.statement.evidence.segment.document_id == other.statement.evidence.segment.document_id
    )


def _same_words(one: str, other: str) -> float:
    first, second = set(terms_of(one)), set(terms_of(other))
    return len(first & second) / len(first | second) if first | second else 0.0


def _incomplete(
    operands: Sequence[Operand], candidates: Sequence[Sequence[Reading]]
) -> Reply | None:
    """Say which of the two values was not found, when the other surely was."""
    for found, lacking, operand in (
        (candidates[0], candidates[1], operands[1]),
        (candidates[1], candidates[0], operands[0]),
    ):
        if found and found[0].score >= 0.75 and not lacking:
            what = " ".join(operand.text.split())[:80].strip(" ,.?")
            sentence = (
                f"This cannot be computed: no value was found for “{what}”. Found was "
                f"the {found[0].described}, {found[0].measure}."
            )
            return missing(sentence, found[:1])
    return None


def _computed(task: AnswerTask, relation: Relation, pair: tuple[Reading, Reading]) -> Reply | None:
    one, other = pair
    text = task.query.text
    if relation is Relation.SUM:
        result = add(one.measure, other.measure)
        return calculated(task, _equation(pair, "+", as_asked(result, text)), pair)
    asks_for_lower = bool(_LOWER.search(text)) and " than " in text
    is_between = re.search(r"\bbetween\b", text, re.IGNORECASE) is not None
    is_smaller = in_base(one.measure) < in_base(other.measure)
    if relation is Relation.DIFFERENCE:
        if asks_for_lower or (is_smaller and (is_between or " than " not in text)):
            one, other = other, one
        result = add(one.measure, other.measure, -1)
        return calculated(task, _equation((one, other), "−", as_asked(result, text)), (one, other))
    if asks_for_lower and relation is Relation.RATIO:
        one, other = other, one
    try:
        ratio = divide(one.measure, other.measure)
    except ZeroDivisionError:
        sentence = (
            f"This cannot be computed: the {other.described} is {other.measure}, and nothing can "
            "be divided by zero."
        )
        return missing(sentence, pair)
    return _shown_ratio(task, relation, (one, other), ratio)


def _shown_ratio(
    task: AnswerTask, relation: Relation, pair: tuple[Reading, Reading], ratio: Measure
) -> Reply:
    one, other = pair
    factor = in_base(ratio)
    if relation is Relation.RATIO:
        return calculated(task, _equation(pair, "/", f"{shown(Measure(factor))}"), pair)
    if relation is Relation.PERCENT:
        percent = shown(Measure(100 * factor))
        return calculated(task, _equation(pair, "/", f"{percent} %"), pair)
    percent = shown(Measure(100 * (factor - 1)))
    inner = f"({one.measure} − {other.measure}) / {other.measure}"
    return calculated(task, (_name(pair, "−"), inner, f"{percent} %"), pair)


def _equation(pair: tuple[Reading, Reading], sign: str, result: str) -> tuple[str, ...]:
    one, other = pair
    second = f"({other.measure})" if str(other.measure).startswith("-") else str(other.measure)
    return _name(pair, sign), f"{one.measure} {sign} {second}", result


def _name(pair: tuple[Reading, Reading], sign: str) -> str:
    """Name what is computed: "maximum supply voltage − minimum supply voltage"."""
    names = [_told_apart(reading) for reading in pair]
    if names[0] == names[1]:
        names = [f"{n} ({_document(reading)})" for n, reading in zip(names, pair, strict=True)]
    first, second = names
    return f"{first[:1].upper()}{first[1:]} {sign} {second}"


def _told_apart(reading: Reading) -> str:
    return reading.described


def _document(reading: Reading) -> str:
    if reading.statement is None:
        return "question"
    metadata = reading.statement.evidence.segment.metadata
    return metadata.part_numbers[0] if metadata.part_numbers else metadata.document_title
