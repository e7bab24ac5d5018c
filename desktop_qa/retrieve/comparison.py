"""What a question that compares asks for: whole parts, chosen parameters, a ranking or a filter.

Read from the words alone: which documents are named is known to the query.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from desktop_qa.augment.quantities import find_values
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset


class ComparisonKind(StrEnum):
    """What is wanted of a comparison."""

    WHOLE = "whole"
    CHOSEN = "chosen"
    RANKING = "ranking"
    FILTER = "filter"


class Direction(StrEnum):
    """Which end of a ranking is asked for, or on which side of a limit."""

    HIGHEST = "highest"
    LOWEST = "lowest"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question that compares.

    Attributes:
        parameters: What to compare, as typed; empty for all.
        device_class: Words for the class of devices meant; empty when none is named.
        direction: Of a ranking or limit.
        limit: Of a filter, in the normal form of `find_values`; empty for none.
        bound: "min", "typ" or "max" where the question names one.
        is_explicit: True when the question says that it wants a comparison, and not only names
            several parts.
        condition: Values that the parameter is asked at ("at 500 mA"), in the normal form of
            `find_values`.
        rest: Of whole parts, what the question says of them beside their numbers: what they are
            ("buck converters"), or a parameter after all ("supply current of the transceivers");
            of a filter, what stands before its limit.
    """

    kind: ComparisonKind
    parameters: tuple[str, ...] = ()
    device_class: str = ""
    direction: Direction = Direction.LOWEST
    limit: str = ""
    bound: str = ""
    is_explicit: bool = True
    rest: str = ""
    condition: tuple[str, ...] = ()


_HIGHEST = r"highest|largest|greatest|biggest|most|widest|longest|best|fastest"
_LOWEST = r"lowest|smallest|least|fewest|narrowest|shortest|slowest|tiniest"
_RANKING = re.compile(
    rf"\b(?:which|what|who)\b(?P<before>.*?)\b(?P<word>{_HIGHEST}|{_LOWEST})\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RANK_BY = re.compile(
    r"\b(?:rank|sort|order|list)\b(?P<before>.*?)\bby\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL
)
_OF_EACH = re.compile(
    r"\b(?:of|for|by|in|does|do)\s+(?:each|both)\b|\beach\s+(?:of|has|have|guarantee)|\bboth\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?P<word>under|below|less than|lower than|smaller than|at most|no more than|not more than"
    r"|up to|max(?:imum)?(?: of)?|over|above|more than|greater than|higher than|at least"
    r"|no less than|not less than|min(?:imum)?(?: of)?|or better than)\s+(?P<value>[±+-]?\d.*)",
    re.IGNORECASE | re.DOTALL,
)
_UPPER = re.compile(
    r"under|below|less than|lower|smaller|at most|no more|not more|up to|max", re.IGNORECASE
)
_COMPARE = re.compile(
    r"\b(?:compar(?:e|ed|es|ing|ison)|differ(?:s|ence|ences|ent|ing)?|versus|vs\.?|contrast)(?!\w)",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\b(?:on|by|in terms of|with (?:respect|regard) to|regarding|concerning|as to"
    r"|in (?:their|its))\s+"
    r"(?P<what>[^?.:;]+)",
    re.IGNORECASE,
)
_TASK_WORDS = re.compile(
    r"\b(?:please|compar\w*|compared with|comparison|differ\w*|between|versus|vs\.?|contrast|how|do"
    r"|does|did|what|are|is|the|a|an|and|or|with|to|from|two|three|four|five|both|all|these|those|them"
    r"|each|other|another|one|of|for|me|show|give|table|main|key|important|i|need|want|family|series"
    r"|against|side by side|can|you|tell|it|its|their|in|on|datasheets?|data sheets?)\b",
    re.IGNORECASE,
)
_AT_VALUE = re.compile(r"\s+(?:at|with|for)\s+[±+-]?\d.*$", re.IGNORECASE)
_LIST_MARK = re.compile(r"\s*(?:,|;|\band\b|\bas well as\b|&|\bor\b)\s*", re.IGNORECASE)
_PARAMETER_END = re.compile(
    r"[?!:;]|\.(?:\s|$)|,|\b(?:of|among|out of|from|in|at|between)\s+(?:the|these|those|all|my"
    r"|this|our|them|each|both)\b|\band\s+(?:what|which|how|compare|give|by)\b|\bhere\b",
    re.IGNORECASE,
)
_BOUNDS = (
    ("max", re.compile(r"\bmax(?:imum)?\b|\bworst[- ]case\b|\bguaranteed\b", re.IGNORECASE)),
    ("min", re.compile(r"\bmin(?:imum)?\b", re.IGNORECASE)),
    ("typ", re.compile(r"\btyp(?:ical)?\b", re.IGNORECASE)),
)
_FAST_IS_SHORT = re.compile(r"\b(?:time|delay|latency|duration)\b", re.IGNORECASE)
_MAX_PARAMETER_WORDS = 9
_MAX_CHARACTERS = 2000


def read_comparison(text: str, codes: Iterable[str], n_documents: int) -> Comparison | None:
    """Read what a question compares; `None` when it compares nothing.

    Args:
        text: As typed.
        codes: The part numbers in it, as typed.
        n_documents: Documents that it names.
    """
    text = " ".join(text[:_MAX_CHARACTERS].split())
    bare = _without(text, codes)
    if n_documents != 1:
        found = _filter(bare, n_documents) or _ranking(bare, n_documents)
        if found is not None:
            return found
    if n_documents < 2:
        return None
    return _of_named(bare)


def _without(text: str, codes: Iterable[str]) -> str:
    for code in sorted(codes, key=len, reverse=True):
        text = re.sub(re.escape(code), " ", text, flags=re.IGNORECASE)
    return re.sub(r"\s+([,?.;:])", r"\1", re.sub(r"(?:,\s*)+", ", ", " ".join(text.split())))


def _ranking(bare: str, n_documents: int) -> Comparison | None:
    match = _RANKING.search(bare) or _RANK_BY.search(bare)
    if match is None or _OF_EACH.search(bare):
        return None
    word = match.groupdict().get("word") or "highest"
    phrase = _phrase(match["rest"])
    device_class = class_in(match["before"]) or class_in(bare)
    if not phrase or (n_documents == 0 and not device_class):
        return None
    at = _AT_VALUE.search(phrase)
    condition = find_values(at.group()) if at else ()
    phrase = phrase[: at.start()].strip() if at else phrase
    is_high = re.fullmatch(_HIGHEST, word, re.IGNORECASE) is not None
    if word.casefold() in ("fastest", "best") and _FAST_IS_SHORT.search(phrase):
        is_high = False
    return Comparison(
        ComparisonKind.RANKING,
        (_without_bound(phrase),),
        device_class,
        Direction.HIGHEST if is_high else Direction.LOWEST,
        bound=_bound(phrase),
        condition=condition,
    )


def _filter(bare: str, n_documents: int) -> Comparison | None:
    match = _LIMIT.search(bare)
    if match is None:
        return None
    values = find_values(match["value"])
    before = bare[: match.start()]
    device_class = class_in(before) or class_in(bare)
    if not values or not device_class or n_documents > 0:
        return None
    phrase = re.split(r"\b(?:with|having|have|has|whose|that|where)\b", before, flags=re.I)[-1]
    phrase = _phrase(phrase) or _phrase(re.sub(r"^[^A-Za-z]*[\d.,]+\s*\S+", "", match["value"]))
    phrase = re.sub(r"^(?:an?|the|of|is|are|draw\w*)\s+|\s+(?:is|are|of)$", "", phrase).strip()
    if device_class.casefold() in phrase.casefold():
        phrase = ""
    direction = Direction.LOWEST if _UPPER.match(match["word"]) else Direction.HIGHEST
    return Comparison(
        ComparisonKind.FILTER,
        (_without_bound(phrase),) if phrase else (),
        device_class,
        direction,
        limit=values[0],
        bound=_bound(phrase),
        rest=before,
    )


def _of_named(bare: str) -> Comparison | None:
    is_explicit = _COMPARE.search(bare) is not None
    if not is_explicit:
        return None
    on = _ON.search(bare)
    if on is not None and (chosen := _listed(on["what"])):
        return Comparison(ComparisonKind.CHOSEN, chosen, bound=_bound(on["what"]))
    rest = " ".join(_TASK_WORDS.sub(" ", bare).split()).strip(" ,.?:;!-–'\"")
    if not terms_of(rest) or _is_class(rest):
        return Comparison(ComparisonKind.WHOLE, rest=_without_class(rest))
    rest = _without_any_device(rest)
    if len(rest.split()) > _MAX_PARAMETER_WORDS or "?" in rest or ":" in rest:
        return None
    chosen = _listed(rest)
    if re.search(rf"\b(?:{_HIGHEST}|{_LOWEST})\b", rest, re.IGNORECASE):
        # The largest of each is another value of each: the rows themselves say more.
        return None
    return Comparison(ComparisonKind.CHOSEN, chosen, bound=_bound(rest), is_explicit=False)


def _listed(text: str) -> tuple[str, ...]:
    pieces = (_without_bound(piece).strip(" ,.?:;") for piece in _LIST_MARK.split(text))
    return tuple(dict.fromkeys(piece for piece in pieces if terms_of(piece)))


def _phrase(text: str) -> str:
    """Return the parameter that a text begins with, up to where the clause ends."""
    end = _PARAMETER_END.search(text)
    phrase = (text[: end.start()] if end else text).strip(" ,.-–")
    words = phrase.split()
    return " ".join(words) if 0 < len(words) <= _MAX_PARAMETER_WORDS else ""


def _bound(text: str) -> str:
    return next((name for name, pattern in _BOUNDS if pattern.search(text)), "")


def _without_bound(text: str) -> str:
    for _name, pattern in _BOUNDS:
        text = pattern.sub(" ", text)
    return " ".join(text.split())


# Classes of devices


@cache
def _classes() -> tuple[tuple[tuple[str, ...], ...], ...]:
    text = asset("resources/vocabulary/device_classes.toml").read_text(encoding="utf-8")
    return tuple(
        tuple(tuple(terms_of(said)) for said in entry["said"])
        for entry in tomllib.loads(text)["class"]
    )


def class_in(text: str) -> str:
    """Return the words of the most specific class of devices that a text names; empty for none."""
    words = terms_of(_COMPARE.sub(" ", text))
    named = [
        (len(said), " ".join(said))
        for names in _classes()
        for said in names
        if _stands_in(said, words)
    ]
    return max(named, key=lambda item: item[0])[1] if named else ""


@lru_cache(maxsize=16384)
def kind_terms(title: str) -> frozenset[str]:
    """Return the terms of a title with those that its kind of part is called by as well."""
    words = terms_of(title)
    named = (
        names
        for names in _classes()[:-1]
        if any(_stands_in(said, words) or _is_within(said, title) for said in names)
    )
    return frozenset((*words, *(term for names in named for said in names for term in said)))


def _is_within(said: Sequence[str], title: str) -> bool:
    """Tell whether a name of a script without spaces stands in a title."""
    return not said[0].isascii() and said[0] in title


@cache
def one_word_kinds() -> frozenset[str]:
    """Return the words that name a kind of part by themselves; "sensor" is of many kinds."""
    *special, _sensor, _amplifier, _converter, _driver, _any = _classes()
    return frozenset(said[0] for names in special for said in names if len(said) == 1)


def names_of_class(device_class: str) -> tuple[tuple[str, ...], ...]:
    """Return the stemmed names of a class; none when it stands for any device."""
    words = tuple(device_class.split())
    classes = _classes()
    found = next((names for names in classes if words in names), ())
    return () if found == classes[-1] else found


def is_of_class(text: str, device_class: str) -> bool:
    """Tell whether a title or sentence names a class of devices."""
    words = terms_of(text)
    names = names_of_class(device_class)
    return not names or any(_stands_in(said, words) for said in names)


def _stands_in(said: Sequence[str], words: Sequence[str]) -> bool:
    n = len(said)
    return n > 0 and any(tuple(words[i : i + n]) == tuple(said) for i in range(len(words) - n + 1))


def _is_class(rest: str) -> bool:
    """Tell whether what is left of a question is only what the parts are: "buck converters".

    Words for any device ("chips") say nothing of what stands before them.
    """
    words = terms_of(_without_any_device(rest))
    *classes, _any_device = _classes()
    return not words or any(_ends_with(words, said) for names in classes for said in names)


def _without_class(rest: str) -> str:
    """Return what stands before the class of devices: a parameter, or what kind they are of."""
    words = rest.split()
    longest = max(
        (
            n
            for n in range(1, len(words) + 1)
            if tuple(terms_of(" ".join(words[-n:]))) in {s for names in _classes() for s in names}
        ),
        default=0,
    )
    return " ".join(words[: len(words) - longest])


def _ends_with(words: Sequence[str], said: Sequence[str]) -> bool:
    return len(said) > 0 and tuple(words[-len(said) :]) == tuple(said)


def _without_any_device(rest: str) -> str:
    words = rest.split()
    while words and any(tuple(terms_of(words[-1])) == said for said in _classes()[-1]):
        words.pop()
    return " ".join(words)
