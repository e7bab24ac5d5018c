"""Sums, differences, ratios and percentages of two values that the question names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_qa.answer.columns import ColumnRole
from desktop_qa.answer.compute_inputs import (
    Reading,
    Request,
    bounds_in,
    look_up,
    weights_of,
)
from desktop_qa.answer.compute_reply import calculated, missing
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    add,
    converted,
    divide,
    in_base,
    is_equal,
    measures_in,
    same_kind,
    shown,
)
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.document import DocumentId
from desktop_qa.index.lexical import terms_of


class Relation(StrEnum):
    """What is asked of two values."""

    RATIO = "ratio"
    PERCENT = "percent"
    CHANGE = "change"
    DIFFERENCE = "difference"
    SUM = "sum"


_RELATIONS: tuple[tuple[Relation, re.Pattern[str]], ...] = tuple(
    (relation, re.compile(pattern, re.IGNORECASE))
    for relation, pattern in (
        (
            Relation.CHANGE,
            r"\b(?:by\s+)?(?:what|how\s+many|how\s+much)\s+(?:percent\w*|%)\s*(?!of\b).*\b(?:higher|lower"
            r"|larger|smaller|more|less|increase\w*|decrease\w*|rise\w*|drop\w*|fall\w*|grow\w*|change\w*"
            r"|faster|slower|greater|reduc\w*|sav\w+|above|below|over|exceed\w*|under)\b|\bpercent\w*\s+(?:change|increase|decrease)",
        ),
        (Relation.PERCENT, r"\b(?:percent\w*|share|fraction)\b|\bwhat\s+%"),
        (
            Relation.RATIO,
            r"\bfactor\b|\bhow\s+many\s+times\b|\bratio\b|\btimes\s+(?:higher|lower|larger|more|as"
            r"|smaller|faster|slower|less|greater|the)\b|\bdivided\s+by\b",
        ),
        (
            Relation.DIFFERENCE,
            r"\bdifference\b|\bhow\s+(?:much|many)\b.*\b(?:higher|lower|more|less|larger|smaller|wider"
            r"|longer|shorter|faster|slower|greater|better|worse|hotter|colder|heavier|lighter)\b.*"
            r"\bthan\b|\bminus\b|\bsubtract\w*\b|\bhow\s+far\s+apart\b|\bspan\b|\bheadroom\b|\bmargin\b",
        ),
        (
            Relation.SUM,
            r"\bsum\s+of\b|\bin\s+total\b|\btotal\b|\badd(?:ed)?\s+up\b|\btogether\b|\bcombined\b"
            r"|\baltogether\b|\bplus\b|\boverall\b|\bin\s+all\b",
        ),
    )
)
_LOWER = re.compile(
    r"\b(?:lower|less|smaller|shorter|slower|fewer|decrease\w*|drop\w*|fall\w*|reduc\w*|sav\w+)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:between|of|from|subtract(?:ing)?)\s+(?P<a>[^?;]{3,160}?)\s+(?:and|to|from|over)\s+(?P<b>[^?;]{3,})",
    re.IGNORECASE,
)
_THAN = re.compile(
    r"^(?P<a>.{3,200}?)\b(?:than|compared\s+(?:to|with)|versus|vs\.?|relative\s+to|divided\s+by|minus"
    r"|above|below|over)\s+(?P<b>[^?;]{3,})",
    re.IGNORECASE,
)
_AND = re.compile(r"\s(?:and|plus|as\s+well\s+as|together\s+with)\s+(?!\d|both\b)", re.IGNORECASE)
_BOUNDARY = re.compile(
    r"[,;:?!()]|\b(?:of|in|at|for|when|with|while|from|to|is|are|be|runs?|both|by|if|on|as|than|does"
    r"|do|must|can|will|draws?|needs?|what|how|which|has|have|using|over|under|during|together)\b",
    re.IGNORECASE,
)
_SIGNS: dict[Relation, str] = {
    Relation.RATIO: "/",
    Relation.PERCENT: "/",
    Relation.DIFFERENCE: "−",
    Relation.SUM: "+",
}
_MAX_CANDIDATES = 8
_SHORT_PHRASE = 7
_UNTELLING = frozenset(
    terms_of(
        "the its a an one that value both typical maximum minimum max min typ nominal of is it "
        "lowest highest largest smallest same device part"
    )
)
"""Words of a phrase that do not say what the value is of."""


@dataclass(frozen=True, slots=True)
class _Operand:
    """The words that speak of one of the two values, and of the other."""

    text: str
    own: frozenset[str]
    others: frozenset[str]
    document_ids: tuple[DocumentId, ...] = ()


def relation_of(text: str) -> Relation | None:
    """Return what the question asks of two values."""
    return next((relation for relation, p in _RELATIONS if p.search(text)), None)


def pair_calculation(task: AnswerTask) -> Reply | None:
    """Compute a sum, difference, ratio or percentage of two values that are named."""
    text = task.query.text
    relation = relation_of(text)
    if relation is None:
        return None
    operands = _operands(task, relation)
    if operands is None:
        return None
    given = tuple(placed.measure for placed in measures_in(text))
    candidates = [_candidates(task, operand, given) for operand in operands]
    pair = _best_pair(candidates[0], candidates[1], operands)
    if pair is None:
        return _incomplete(task, operands, candidates)
    return _computed(task, relation, pair)


def _operands(task: AnswerTask, relation: Relation) -> tuple[_Operand, _Operand] | None:
    text = task.query.text
    documents = task.query.document_ids
    if len(documents) == 2:
        words = frozenset(task.terms.weights)
        return (
            _Operand(text, words, frozenset(), documents[:1]),
            _Operand(text, words, frozenset(), documents[1:]),
        )
    phrases = _phrases(text, relation)
    if phrases is None:
        return None
    first, second = (frozenset(terms_of(phrase)) for phrase in phrases)
    return (
        _Operand(phrases[0], first, _contrast(second, first, phrases[0]), documents),
        _Operand(phrases[1], second, _parallel(phrases[0], phrases[1]), documents),
    )


def _contrast(other: frozenset[str], own: frozenset[str], phrase: str) -> frozenset[str]:
    """Return the words that only the other value is named by."""
    return other - own - _UNTELLING if _says_what(phrase) else frozenset()


def _parallel(before: str, after: str) -> frozenset[str]:
    """Return the words of the first value's phrase in whose place the second has others.

    "draws in normal mode than in suspend mode": normal; "the peak current ... than its sleep
    current": peak. What the second phrase leaves unsaid ("than the typical one") is the same.
    """
    own = frozenset(terms_of(after))
    if len(before.split()) <= _SHORT_PHRASE:
        return frozenset(terms_of(before)) - own if _says_what(after) else frozenset()
    preposition = re.match(
        r"\s*(?:it\s+\w+\s+)?(in|at|with|for|during|while|when|on)\b", after, re.I
    )
    if preposition is not None:
        same = re.findall(rf"\b{preposition[1]}\s+((?:[\w-]+\s*){{1,3}})", before, re.IGNORECASE)
        return frozenset(terms_of(same[-1])) - own if same else frozenset()
    nouns = [word for word in re.findall(r"[\w-]+", before) if set(terms_of(word)) & own]
    words = re.findall(r"[\w-]+", before)
    modifiers = {
        term
        for noun in nouns
        for word in words[max(0, words.index(noun) - 1) : words.index(noun)]
        for term in terms_of(word)
    }
    return frozenset(modifiers) - own - _UNTELLING


def _says_what(phrase: str) -> bool:
    """Tell whether a phrase names a thing, and not only a bound: "the typical one"."""
    return bool(set(terms_of(phrase)) - _UNTELLING)


def _phrases(text: str, relation: Relation) -> tuple[str, str] | None:
    """Return the words of the question that speak of the one value and of the other."""
    if relation is Relation.SUM:
        return _coordinated(text)
    if relation is Relation.PERCENT:
        match = re.search(
            r"(?:percent\w*|%|share|fraction)\s+of\s+(?P<b>[^?]+?)\s+(?:is|are|does|do|makes?\s+up)\s+"
            r"(?P<a>[^?]+)",
            text,
            re.IGNORECASE,
        )
        if match is not None:
            return match["a"], match["b"]
    if relation is Relation.CHANGE:
        match = re.search(r"\bfrom\s+(?P<b>[^?]+?)\s+to\s+(?P<a>[^?]+)", text, re.IGNORECASE)
        if match is not None:
            return match["a"], match["b"]
    for pattern in (_THAN, _BETWEEN) if " than " in text else (_BETWEEN, _THAN):
        match = pattern.search(text)
        if match is not None:
            return match["a"], match["b"]
    return _coordinated(text)


def _coordinated(text: str) -> tuple[str, str] | None:
    """Return the words on both sides of the "and" that joins two things."""
    for match in _AND.finditer(text):
        before = _BOUNDARY.split(text[: match.start()])[-1].strip()
        after = _BOUNDARY.split(text[match.end() :])[0].strip()
        if before and after and terms_of(before) and terms_of(after):
            return " ".join(before.split()[-5:]), " ".join(after.split()[:6])
    return None


def _candidates(task: AnswerTask, operand: _Operand, given: Sequence[Measure]) -> list[Reading]:
    """Return the values that an operand may be, best first; a value it spells out comes first."""
    spelled = [p.measure for p in measures_in(operand.text)]
    said = [t for t in terms_of(operand.text) if t in task.terms.weights and t.isalpha()]
    if len(spelled) == 1 and not operand.others and not said:
        return [Reading(spelled[0], "value of the question", 1.0, named=1.0)]
    weights = {
        term: weight * (2.0 if term in operand.own and operand.others else 1.0)
        for term, weight in weights_of(task).items()
        if term not in operand.others
    }
    bounds = bounds_in(operand.text) or bounds_in(task.query.text)
    request = Request(
        text=task.query.text,
        terms=QuestionTerms(weights),
        given=tuple(given),
        document_ids=operand.document_ids,
        bounds=bounds,
    )
    found = [_told_by_its_words(reading, operand) for reading in look_up(task, request)]
    if spelled and len(said) <= 2:
        found.append(Reading(spelled[0], "value of the question", 0.7, named=1.0))
    return sorted(found, key=lambda r: -r.score)[:_MAX_CANDIDATES]


def _told_by_its_words(reading: Reading, operand: _Operand) -> Reading:
    """Let the words that only one of the two values is named by decide which it is."""
    if reading.statement is None or not operand.others:
        return reading
    context = reading.statement.evidence.segment.metadata.context_line()
    told = set(terms_of(f"{reading.statement.text} {reading.condition} {context}"))
    own = operand.own - operand.others
    share = len(own & told) / len(own) if own else 0.0
    wrong = len(operand.others & told) / len(operand.others)
    return replace(reading, score=reading.score + 0.3 * share - 0.2 * wrong)


def _best_pair(
    firsts: Sequence[Reading], seconds: Sequence[Reading], operands: Sequence[_Operand]
) -> tuple[Reading, Reading] | None:
    """Choose the two values of one kind that together speak best of the question.

    Values of two documents should bear names of the same words; of one document, they must not be
    the same cell.
    """
    across = bool(operands[0].document_ids) and operands[0].document_ids != operands[1].document_ids
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
            if best is None or score > best[0]:
                best = (score, one, other)
    return (best[1], best[2]) if best is not None else None


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
    task: AnswerTask, operands: Sequence[_Operand], candidates: Sequence[Sequence[Reading]]
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
            return missing(task, sentence, found[:1])
    return None


def _computed(task: AnswerTask, relation: Relation, pair: tuple[Reading, Reading]) -> Reply | None:
    one, other = pair
    text = task.query.text
    if relation is Relation.SUM:
        result = add(one.measure, other.measure)
        return calculated(task, _equation(pair, "+", _as_asked(result, text)), pair)
    asks_for_lower = bool(_LOWER.search(text)) and " than " in text
    is_between = re.search(r"\bbetween\b", text, re.IGNORECASE) is not None
    is_smaller = in_base(one.measure) < in_base(other.measure)
    if relation is Relation.DIFFERENCE:
        if asks_for_lower or (is_smaller and (is_between or " than " not in text)):
            one, other = other, one
        result = add(one.measure, other.measure, -1)
        return calculated(task, _equation((one, other), "−", _as_asked(result, text)), (one, other))
    if asks_for_lower and relation is Relation.RATIO:
        one, other = other, one
    try:
        ratio = divide(one.measure, other.measure)
    except ZeroDivisionError:
        sentence = (
            f"This cannot be computed: the {other.described} is {other.measure}, and nothing can be "
            "divided by zero."
        )
        return missing(task, sentence, pair)
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
    return calculated(task, f"{_name(pair, '−')} = {inner} = **{percent} %**", pair)


def _equation(pair: tuple[Reading, Reading], sign: str, result: str) -> str:
    one, other = pair
    second = f"({other.measure})" if str(other.measure).startswith("-") else str(other.measure)
    return f"{_name(pair, sign)} = {one.measure} {sign} {second} = **{result}**"


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


_IN_UNIT = re.compile(
    r"\bin\s+([µμ]?[A-Za-zΩ°%]{1,12}(?:/[A-Za-z]{1,3})?)\b|\bhow\s+many\s+([µμ]?[A-Za-zΩ°]{1,12})\b"
)


def asked_unit(text: str) -> str:
    """Return the unit that a question wants its result in, "" for none."""
    for match in _IN_UNIT.finditer(text):
        unit = match[1] or match[2]
        if measures_in(f"1 {unit}") and unit.casefold() not in ("a", "in", "min", "m"):
            return unit
    return ""


def _as_asked(result: Measure, text: str) -> str:
    """Show a result in the unit asked for, when there is one that fits."""
    unit = asked_unit(text)
    if unit:
        try:
            return str(replace(converted(result, unit)))
        except UnitsDoNotFitError:
            return shown(result)
    return shown(result)


as_asked: Callable[[Measure, str], str] = _as_asked
_UNBOUNDED = ColumnRole.VALUE
