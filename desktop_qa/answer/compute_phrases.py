"""The operands that a question names, and what it wants done with them.

Each operand is told by its own words in the context of the question: what one phrase leaves unsaid
("than the typical one") is what the other says, without the words that stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.laws import (
    NO_ITEM,
    Item,
    item_of,
    metric_in,
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
    r"(?:percent\w*\b|%|USD|(?:\w+\s+)?(?:decimal|place|digit)s?|(?:m|b)illions?|thousands?)"
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
_WHOSE = re.compile(r"^.*?\b[\w&.]*[A-Z][\w&.]*['’]s?\s+(?=\w)")
_ENDS = re.compile(
    r"(?:[\s(,:]|\b(?:between|from|to|and|the|of|for|in|at|over|end|year|an?|together|combined"
    r"|altogether|in all|compared))+$",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"^(?:[\s(,:]|\b(?:the|an?|is|are|was|were|did|do|does|by|of|from|many|much|end|amount|[mb]illions?"
    r"|(?:\w+[\s-])?years?|average|mean|its)\b)+",
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
class Phrase:
    """The words that speak of one operand.

    Attributes:
        text: Its own words; empty for those of the whole question.
        year: Its period, "" for none.
        item: What its row may be called, where that is known.
        distinct: Words that the other operand lacks.
        others: Words that speak of the other operand alone.
    """

    text: str
    year: str = ""
    item: Item = NO_ITEM
    distinct: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    @property
    def is_item(self) -> bool:
        """True for an item of a report: of a period, or one that statements are known to have."""
        return bool(self.year or self.item.statement)


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
    metric = metric_in(asked)
    relations = relations_in(asked.replace(metric[1], " ") if metric else asked)
    stated = years_in(asked)
    how, years = _over_time(relations, stated)
    plain = _LAYOUT.sub("", asked)
    share = _AS_SHARE.search(_ASKS.sub("", plain))
    name = metric[1] if metric else ""
    if defined := _DEFINED.search(text):
        return _of_years(defined["right"], stated[-1:], "", name, "percent" in relations)
    if metric is not None:
        near = min(stated, key=lambda year: abs(asked.find(year) - asked.find(name)), default="")
        return _of_years(metric[0].expression, years or [near], how, name, metric[0].is_percent)
    if share is not None:
        share_of = f"{_bare(share['a'])} / {_bare(share['b'])}"
        return _of_years(share_of, years or stated[-1:], how, is_percent=True)
    if how:
        return _of_years(_subject(plain), years, how, is_percent=how in ("growth", "change"))
    if (match := _COUNT.search(plain)) and "sum" in relations:
        number = match["number"].casefold()
        count = {"both": 2, "pair": 2, "dozen": 12}.get(number) or SMALL_NUMBERS.get(number)
        return Sought(f"{count or int(number)} × v1", (Phrase(""),))
    pair = _of_two(plain, asked, relations, n_documents)
    if pair is None and stated and (item := item_of(subject := _subject(plain))).statement:
        return Sought("v1", (Phrase(subject, stated[-1], item),))
    return pair


def asked_part(text: str) -> str:
    """Return the sentence that asks, from its asking word on."""
    sentences = re.split(r"(?<=[a-z\d)][.?!])\s+(?=[A-Z])", text.strip())
    asking = next((s for s in sentences if s.endswith("?")), sentences[0])
    match = _ASKS.search(asking)
    return (asking[match.start() :] if match else asking).lstrip(" ,:").rstrip(" ?.")


def _over_time(relations: Sequence[str], years: Sequence[str]) -> tuple[str, list[str]]:
    """Return how the values of several years are put together, and those years from the first."""
    said = set(relations)
    if len(years) == 1 and {"change", "percent"} <= said:
        return "change", [str(int(years[0]) - 1), years[0]]
    if len(years) < 2:
        return "", []
    span = [str(year) for year in range(int(min(years)), int(max(years)) + 1)][-12:]
    if "average" in said and "growth" not in said:
        return "average", span
    how = next((one for one in ("growth", "ratio") if one in said), "")
    if not how and said & {"change", "difference"}:
        how = "change" if {"change", "percent"} <= said else "difference"
    return (how, [span[0], span[-1]]) if how and len(years) == 2 else ("", [])


def _of_years(
    expression: str, years: Sequence[str], how: str, name: str = "", is_percent: bool = False
) -> Sought | None:
    """Put an expression in words, as it is in each of some years, together."""
    phrases: list[Phrase] = []
    order = years if how == "average" else years[::-1]
    each = [_with_operands(expression, year, phrases) for year in order or [""]]
    each = [f"({one})" if " " in one and each[1:] else one for one in each]
    last, first = each[0], each[-1]
    rights = {"": last, "average": f"({' + '.join(each)}) / {len(each)}"}
    if each[1:]:
        rights |= {"ratio": f"{last} / {first}", "difference": f"{last} - {first}"}
        is_share = is_percent and bool(name)  # its change is told in percentage points
        rights["change"] = rights["difference"] if is_share else f"({last} - {first}) / {first}"
        rights["growth"] = f"({last} / {first})^(1 / {int(years[-1]) - int(years[0])}) - 1"
    is_percent = is_percent or how in ("growth", "change")
    return Sought(rights[how], tuple(phrases), name, how, is_percent) if phrases[1:] else None


def _with_operands(expression: str, year: str, phrases: list[Phrase]) -> str:
    """Write an expression in words with symbols; "average" is the mean of a year and the last."""

    def symbol(text: str, own_year: str) -> str:
        phrase = Phrase(_bare(text), own_year, item_of(_bare(text)))
        if phrase not in phrases:
            phrases.append(phrase)
        return f"v{phrases.index(phrase) + 1}"

    parts = []
    for piece in map(str.strip, filter(None, _SIGNS.split(with_signs(expression)))):
        own = years_in(piece) or ([year] if year else [])
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
    plain = _ENDS.sub("", _WHOSE.sub("", without_periods(plain_periods(text))))
    return _BEGINS.sub("", plain)


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
    others = second - first if first else first
    own, last = _bare(found[0]), _bare(found[1]).split()[-1:]
    item = Item((f"{own} {last[0]}", own) if own and last and is_short else ())
    if relation in ("sum", "percent"):  # "hardware and services revenue": the revenue of hardware
        others -= frozenset(terms_of(" ".join(last)))
    else:
        item = Item(item.names[1:])
    return (
        Phrase(found[0], "", item, first - second if is_short else frozenset(), others),
        Phrase(found[1], "", Item((_bare(found[1]),)), second - first, _parallel(*found)),
    )


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
