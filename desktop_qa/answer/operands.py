"""The two values that a question sets against each other, told apart by its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.answer.reply import AnswerTask
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
_SHORT_PHRASE = 7
_UNTELLING = frozenset(
    terms_of(
        "the its a an one that value both typical maximum minimum max min typ nominal of is it "
        "lowest highest largest smallest same device part at 25 c v ma in when with during for"
    )
)
"""Words of a phrase that do not say what the value is of."""


@dataclass(frozen=True, slots=True)
class Operand:
    """The words that speak of one of the two values, and of the other.

    Attributes:
        own: Words of its own phrase.
        distinct: Those of them that the other phrase lacks.
        others: Words of the other phrase that do not speak of this value.
    """

    text: str
    own: frozenset[str]
    distinct: frozenset[str]
    others: frozenset[str]
    document_ids: tuple[DocumentId, ...] = ()


def relation_of(text: str) -> Relation | None:
    """Return what the question asks of two values."""
    return next((relation for relation, p in _RELATIONS if p.search(text)), None)


def operands_of(task: AnswerTask, relation: Relation) -> tuple[Operand, Operand] | None:
    """Tell the two values of a question apart, by its documents or by its phrases."""
    text = task.query.text
    documents = task.query.document_ids
    if len(documents) == 2:
        words = frozenset(task.terms.weights)
        return (
            Operand(text, words, frozenset(), frozenset(), documents[:1]),
            Operand(text, words, frozenset(), frozenset(), documents[1:]),
        )
    phrases = _phrases(text, relation)
    if phrases is None:
        return None
    first, second = (frozenset(terms_of(phrase)) for phrase in phrases)
    return (
        Operand(
            phrases[0],
            first,
            first - second - _UNTELLING
            if len(phrases[0].split()) <= _SHORT_PHRASE
            else frozenset(),
            _contrast(second, first, phrases[0]),
            documents,
        ),
        Operand(
            phrases[1],
            second,
            second - first - _UNTELLING,
            _parallel(phrases[0], phrases[1]),
            documents,
        ),
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
