"""The operands that a question names, and what it wants done with them.

Each operand is told by its own words in the context of the question: what one phrase leaves unsaid
("than the typical one") is what the other says, without the words that stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.laws import (
    metric_in,
    names_of,
    relation_words,
    relations_in,
    with_signs,
)
from desktop_qa.augment.quantities import plain_periods, without_periods
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.phrases import words_of

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_DEFINED = re.compile(
    r"\b(?:defin|calculat|comput|measur)\w*\b[^.?;]*?\bas\b:?\s+(?P<right>[^.?;]+)", re.IGNORECASE
)
_SIGNS = re.compile(r"\s*([()/÷×*])\s*|\s([-–−+])\s")
_LAYOUT = re.compile(
    r",?\s*\(?\b(?:in|as|to|with|and)\s+(?:(?:a|units?\s+of|the\s+nearest|round\w*\s+to)\s+)*"
    r"(?:percent\w*|%|USD|(?:\w+\s+)?(?:decimal|place|digit)s?|(?:m|b)illions?|thousands?)"
    r"(?:\s+(?:places?|\w*illions))?(?!\s+of\b)\)?",
    re.IGNORECASE,
)
"""How the result is to be written, which is no part of what is asked."""

_ASKS = re.compile(r"(?:^|[,:]\s*)(?:by\s+)?(?:what|which|how)\b", re.IGNORECASE)
_SHARE_OF = re.compile(
    r"\b(?:percent\w*|share|fraction|proportion|portion|part)\s+of\s+(?P<b>.+?)\s+(?:is|are|was|were"
    r"|does|do|did|makes?|made|came|comes|that|which|from)\s+(?P<a>.+)",
    re.IGNORECASE,
)
_AS_SHARE = re.compile(
    r"(?P<a>.+?)\s+as\s+an?\s+(?:percent\w*|%|share|fraction)\s+of\s+(?P<b>.+)", re.IGNORECASE
)
_FROM_TO = re.compile(r"\bfrom\s+(?P<b>.+?)\s+to\s+(?P<a>.+)", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\b(?:between|of|from|subtract(?:ing)?)\s+(?P<a>.{3,160}?)\s+(?:and|to|from|over)\s+(?P<b>.{3,})",
    re.IGNORECASE,
)
_THAN = re.compile(
    r"^(?P<a>.{3,200}?)\b(?:than|compared\s+(?:to|with)|versus|vs\.?|relative\s+to|divided\s+by|minus"
    r"|above|below|over)\s+(?P<b>.{3,})",
    re.IGNORECASE,
)
_AND = re.compile(r"\s(?:and|plus|as\s+well\s+as|together\s+with)\s+(?!\d|both\b)", re.IGNORECASE)
_NOUN_PHRASE_ENDS = ("IN", "VBZ", "VBP", "VBD", "VB", "MD", "WP", "WDT", "WRB", "TO", ",", ":", ".")
_COUNT = re.compile(
    rf"\b(?P<number>(?i:{'|'.join(SMALL_NUMBERS)}|both|pair|dozen)|[2-9]|[1-9]\d{{1,2}})\s+(?:of\s+)?"
    r"(?:\w+\s+){0,2}?(?:[A-Z]\w*\d[\w-]*|(?:these|them|those|parts|devices|chips|sensors|units"
    r"|pieces|modules|channels)\b)"
)
_WHOSE = re.compile(r"^.*?\b(?:[A-Z][\w&.]*\s+)*[A-Z][\w&.]*['’]s?\s+(?=\w)")
_SHORT_PHRASE = 7
_UNTELLING = frozenset(
    terms_of(
        "the its a an one that value both typical maximum minimum max min typ nominal of is it "
        "lowest highest largest smallest same device part at 25 c v ma in when with during for"
    )
)
"""Words of a phrase that do not say what the value is of."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words that speak of one operand.

    Attributes:
        text: Its own words; empty for those of the whole question.
        year: Its period, "" for none.
        names: That its row may bear, where it is known what it is.
        distinct: Words that the other operand lacks.
        others: Words that speak of the other operand alone.
    """

    text: str
    year: str = ""
    names: tuple[str, ...] = ()
    distinct: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question wants computed.

    Attributes:
        right: The expression; the operands are v1, v2 ... in it.
        name: What the result is called, "" for nothing but its expression.
        relation: What is done with two operands that the question names itself.
    """

    right: str
    phrases: tuple[Phrase, ...]
    name: str = ""
    relation: str = ""
    is_percent: bool = False


def years_in(text: str) -> list[str]:
    """Return the years of the periods of a text in order, each once."""
    return list(dict.fromkeys(_YEAR.findall(plain_periods(text))))


def is_defined(text: str) -> bool:
    """Tell whether a question says itself how what it wants is computed."""
    return _DEFINED.search(text) is not None


def sought(text: str, *, n_documents: int = 0) -> Sought | None:
    """Read what a question wants computed of values that it names; None where it names none."""
    asked = asked_part(text)
    relations = relations_in(asked)
    years = years_in(asked)
    metric = metric_in(asked)
    relations = relations_in(asked.replace(metric[1], " ")) if metric else relations
    if defined := _DEFINED.search(text):
        name = metric[1] if metric else ""
        return _over_years(defined["right"], years[-1:], name, is_percent="percent" in relations)
    if metric is not None:
        of, name = metric
        near = min(years, key=lambda y: abs(asked.find(y) - asked.find(name)), default="")
        whole = _period(asked, relations, years)
        relation = _of_two_years(relations, years)
        if relation and not whole:
            return _between_years(of.expression, years, relation, name, is_percent=of.is_percent)
        return _over_years(of.expression, whole or [near], name, is_percent=of.is_percent)
    plain = _LAYOUT.sub("", asked)
    if share := _AS_SHARE.search(_ASKS.sub("", plain)):
        share_of = f"{_bare(share['a'])} / {_bare(share['b'])}"
        return _over_years(share_of, _period(asked, relations, years) or years[-1:], "", True)
    if len(years) > 1 and (whole := _period(asked, relations, years)):
        return _over_years(_subject(plain), whole)
    if relation := _of_two_years(relations, years):
        return _between_years(_subject(plain), years, relation)
    if (match := _COUNT.search(plain)) and "sum" in relations:
        number = match["number"].casefold()
        count = {"both": 2, "pair": 2, "dozen": 12}.get(number) or SMALL_NUMBERS.get(number)
        return Sought(f"{count or int(number)} × v1", (Phrase(""),), relation="multiple")
    pair = _of_two(plain, asked, relations, n_documents)
    if pair is None and years and len(names := names_of(subject := _subject(plain))) > 1:
        return Sought("v1", (Phrase(subject, years[-1], names),))
    return pair


def asked_part(text: str) -> str:
    """Return the sentence that asks, from its asking word on."""
    sentences = re.split(r"(?<=[a-z\d)][.?!])\s+(?=[A-Z])", text.strip())
    asking = next((s for s in sentences if s.endswith("?")), sentences[0])
    match = _ASKS.search(asking)
    return (asking[match.start() :] if match else asking).lstrip(" ,:").rstrip(" ?.")


def _period(asked: str, relations: Sequence[str], years: Sequence[str]) -> list[str]:
    """Return the years over which an average is asked for."""
    if "average" not in relations or len(years) < 2 or "growth" in relations:
        return []
    return [str(year) for year in range(int(min(years)), int(max(years)) + 1)][:12]


def _of_two_years(relations: Sequence[str], years: Sequence[str]) -> str:
    """Return how the values of two years are set against each other, "" where they are not."""
    if len(years) != 2:
        return "change" if len(years) == 1 and {"change", "percent"} <= set(relations) else ""
    for relation in ("growth", "ratio"):
        if relation in relations:
            return relation
    if "change" in relations and "percent" in relations:
        return "change"
    return "difference" if {"change", "difference"} & set(relations) else ""


def _between_years(
    expression: str,
    years: Sequence[str],
    relation: str,
    name: str = "",
    *,
    is_percent: bool = False,
) -> Sought | None:
    last = max(years)
    first = min(years) if len(years) > 1 else str(int(last) - 1)
    late, one = _with_operands(expression, last, [])
    early, both = _with_operands(expression, first, one)
    late, early = (f"({side})" if " " in side else side for side in (late, early))
    if relation == "growth":
        right = f"({late} / {early})^(1 / {int(last) - int(first)}) - 1"
    elif relation == "change" and not is_percent:
        right = f"({late} - {early}) / {early}"
    else:
        right = f"{late} {'/' if relation == 'ratio' else '-'} {early}"
    is_percent = is_percent or relation in ("growth", "change")
    return Sought(right, tuple(both), name, relation if both[1:] else "", is_percent)


def _over_years(
    expression: str, years: Sequence[str], name: str = "", is_percent: bool = False
) -> Sought | None:
    """Read an expression in words, for each of some years: the mean of all."""
    phrases: list[Phrase] = []
    rights = []
    for year in years or [""]:
        right, phrases = _with_operands(expression, year, phrases)
        rights.append(right)
    total = " + ".join(f"({r})" if " " in r and rights[1:] else r for r in rights)
    right = f"({total}) / {len(rights)}" if rights[1:] else total
    return Sought(right, tuple(phrases), name, is_percent=is_percent) if phrases[1:] else None


def _with_operands(expression: str, year: str, known: Sequence[Phrase]) -> tuple[str, list[Phrase]]:
    """Write an expression in words with symbols; "average" is the mean of a year and the last."""
    phrases = list(known)

    def symbol(text: str, own_year: str) -> str:
        bare = _bare(text)
        phrase = Phrase(bare, own_year, names_of(bare))
        if phrase not in phrases:
            phrases.append(phrase)
        return f"v{phrases.index(phrase) + 1}"

    parts = []
    for piece in _SIGNS.split(with_signs(expression)):
        text = (piece or "").strip()
        if not text or re.fullmatch(r"[()/÷×*+–−-]|[\d.]+", text):
            parts.append(text)
            continue
        own = years_in(text) or ([year] if year else [])
        if text.casefold().startswith("average ") and own:
            first, last = int(min(own)) - (len(own) == 1), int(max(own))
            each = [symbol(text[8:], str(one)) for one in range(first, last + 1)][:12]
            parts.append(f"(({' + '.join(each)}) / {len(each)})")
        else:
            parts.append(symbol(text, own[-1] if own else ""))
    return " ".join(filter(None, parts)).replace("( ", "(").replace(" )", ")"), phrases


def _bare(text: str) -> str:
    """Return a phrase without its period, articles and what joins it to others."""
    plain = _WHOSE.sub("", without_periods(plain_periods(text)))
    plain = re.sub(
        r"(?:[\s(,:]|\b(?:between|from|to|and|the|of|for|in|at|over|end|year|an?))+$", "", plain
    )
    return re.sub(
        r"^(?:[\s(,:]|\b(?:the|an?|is|are|was|were|did|do|does|by|of|many|much|end|amount|[mb]illions?|(?:\w+[\s-])?years?|average|mean|its)\b)+",
        "",
        plain,
    )


def _subject(plain: str) -> str:
    """Return what a question speaks of, without its asking words and what is done with values."""
    done = relation_words(("growth", "average", "percent", "ratio", "difference", "change"))
    said = _ASKS.sub(" ", without_periods(plain_periods(plain)))
    words = [word for word in done.sub(" ", said).split() if terms_of(word)]
    return _bare(" ".join(words)) or plain


def _of_two(plain: str, asked: str, relations: Sequence[str], n_documents: int) -> Sought | None:
    """Read what is asked of two values that are told apart by their words or documents."""
    compares = any(word.tag in ("JJR", "RBR") for word in words_of(plain)) or "change" in relations
    relation = next((r for r in relations if r in ("percent", "ratio", "difference", "sum")), "")
    if relation == "percent" and compares and not _SHARE_OF.search(plain):
        relation = "change"
    elif relation in ("", "sum") and compares and re.search(r"\bhow (?:much|many)\b", asked, re.I):
        relation = "difference"
    if not relation:
        return None
    right = {"change": "(v1 - v2) / v2", "difference": "v1 - v2", "sum": "v1 + v2"}
    is_percent = relation in ("percent", "change")
    pair = (Phrase(""), Phrase("")) if n_documents == 2 else _told_apart(plain, relation)
    return pair and Sought(right.get(relation, "v1 / v2"), pair, "", relation, is_percent)


def _told_apart(plain: str, relation: str) -> tuple[Phrase, Phrase] | None:
    found = _phrases(plain, relation)
    if found is None:
        return None
    first, second = (_telling(phrase) for phrase in found)
    is_short = len(found[0].split()) <= _SHORT_PHRASE
    names = [_row_names(*found), _row_names(*found[::-1])]
    return (
        Phrase(
            found[0],
            "",
            names[0],
            first - second if is_short else frozenset(),
            (second - first) if first else first,
        ),
        Phrase(found[1], "", names[1], second - first, _parallel(*found)),
    )


def _row_names(phrase: str, other: str) -> tuple[str, ...]:
    """Return what a row of a report may be called: "hardware" of "hardware and services revenue"."""
    own, last = _bare(phrase), _bare(other).split()[-1:]
    return (own, " ".join((own, *last))) if 0 < len(own.split()) <= _SHORT_PHRASE else ()


def _telling(phrase: str) -> frozenset[str]:
    """Return the words of a phrase that say what the value is of."""
    return frozenset(terms_of(without_periods(plain_periods(phrase)))) - _UNTELLING


def _parallel(before: str, after: str) -> frozenset[str]:
    """Return the words of the first phrase in whose place the second has others.

    "draws in normal mode than in suspend mode": normal; "the peak current ... than its sleep
    current": peak. What the second phrase leaves unsaid ("than the typical one") is the same.
    """
    own = frozenset(terms_of(after))
    if len(before.split()) <= _SHORT_PHRASE:
        return _telling(before) - own if own - _UNTELLING else frozenset()
    preposition = re.match(
        r"\s*(?:it\s+\w+\s+)?(in|at|with|for|during|while|when|on)\b", after, re.I
    )
    if preposition is not None:
        same = re.findall(rf"\b{preposition[1]}\s+((?:[\w-]+\s*){{1,3}})", before, re.IGNORECASE)
        return frozenset(terms_of(same[-1])) - own if same else frozenset()
    words = re.findall(r"[\w-]+", before)
    nouns = [i for i, word in enumerate(words) if i and set(terms_of(word)) & own]
    return frozenset(t for i in nouns for t in terms_of(words[i - 1])) - own - _UNTELLING


def _phrases(text: str, relation: str) -> tuple[str, str] | None:
    """Return the words of the question that speak of the one value and of the other."""
    patterns = [_THAN, _BETWEEN] if " than " in text else [_BETWEEN, _THAN]
    patterns = {"sum": [], "percent": [_SHARE_OF, *patterns], "change": [_FROM_TO, *patterns]}.get(
        relation, patterns
    )
    for pattern in patterns:
        if match := pattern.search(text):
            return match["a"], match["b"]
    for match in _AND.finditer(text):
        before, after = _side(text[: match.start()], -1), _side(text[match.end() :], 1)
        if terms_of(before) and terms_of(after):
            return before, after
    return None


def _side(text: str, step: int) -> str:
    """Return the words of a text from its end, or its start, to the next that is no noun phrase."""
    words = words_of(text)[::step]
    end = next((i for i, w in enumerate(words) if w.tag in _NOUN_PHRASE_ENDS), len(words))
    kept = sorted(words[: min(end, 6)], key=lambda word: word.start)
    return text[kept[0].start : kept[-1].start + len(kept[-1].text)] if kept else ""
