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
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.phrases import Phrase, phrases_of


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
        rest: Of a filter, what stands before its limit.
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
_SUPERLATIVE = re.compile(rf"\b(?:{_HIGHEST}|{_LOWEST})\b", re.IGNORECASE)
_ASKS_WHICH = re.compile(r"\b(?:which|what|who)\b", re.IGNORECASE)
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
    r"\b(?:on|by|in\s+terms\s+of|with\s+(?:respect|regard)\s+to|regarding|concerning|as\s+to)\s",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:max|min|typ)(?:imum|ical)?\b|\bworst[- ]case\b|\bguaranteed\b", re.IGNORECASE
)
_LINKS = r"(?:in|on|for|by|of|with|at|as|to|and|or|is|are|has|have|regarding|concerning)\b"
_COUNTED = re.compile(r"^(?:two|three|four|five|\d+)\s+", re.IGNORECASE)
_OF_TASK = {"difference", "comparison", "table", "side", "respect", "term", "case", "data_sheet"}
_FAST_IS_SHORT = re.compile(r"\b(?:time|delay|latency|duration)\b", re.IGNORECASE)
_MAX_PARAMETERS = 6
_MAX_CHARACTERS = 2000


def read_comparison(text: str, codes: Iterable[str], n_documents: int) -> Comparison | None:
    """Read what a question compares; `None` when it compares nothing.

    Args:
        text: As typed.
        codes: The part numbers in it, as typed.
        n_documents: Documents that it names.
    """
    text = " ".join(text[:_MAX_CHARACTERS].split())
    if n_documents != 1:
        found = _filter(text, n_documents) or _ranking(text, tuple(codes), n_documents)
        if found is not None:
            return found
    if n_documents < 2 or not _COMPARE.search(text) or _SUPERLATIVE.search(text):
        # The largest of each is another value of each: the rows themselves say more.
        return None
    chosen = _parameters(text, codes)
    if not chosen:
        return Comparison(ComparisonKind.WHOLE)
    if len(chosen) > _MAX_PARAMETERS or re.search(r":|\?\s*\w", text):
        return None
    names = tuple(dict.fromkeys(_without_bound(phrase.text) for phrase in chosen))
    bound = _bound(" ".join(phrase.text for phrase in chosen))
    is_explicit = _ON.search(text) is not None
    return Comparison(ComparisonKind.CHOSEN, names, bound=bound, is_explicit=is_explicit)


def _parameters(text: str, codes: Iterable[str]) -> list[Phrase]:
    """Return what a question names beside its parts and what these are: "LM66200 ideal diodes"."""
    any_code = "|".join(map(re.escape, codes)) or r"(?!)"
    behind_part = re.compile(rf"(?:{any_code})\s+(?:(?!{_LINKS})[\w/-]+\s+){{0,2}}$", re.IGNORECASE)
    found = []
    for phrase in phrases_of(text):
        is_of_part = re.search(any_code, phrase.text, re.IGNORECASE) is not None
        is_of_part = is_of_part or behind_part.search(text[: phrase.start]) is not None
        name = _COUNTED.sub("", _without_bound(phrase.text))
        is_said = phrase.head not in _OF_TASK and bool(terms_of(name))
        if is_said and not is_of_part and not _is_class(name):
            found.append(phrase)
    return found


def _ranking(text: str, codes: tuple[str, ...], n_documents: int) -> Comparison | None:
    asks = _ASKS_WHICH.search(text)
    match = _SUPERLATIVE.search(text, asks.end()) if asks is not None else None
    by = _RANK_BY.search(text) if match is None else None
    if (match is None and by is None) or _OF_EACH.search(text):
        return None
    start = match.start() if match is not None else by.start("rest") if by is not None else 0
    device_class = class_in(text[:start]) or class_in(text)
    named = [p for p in _parameters(text, codes) if p.end > start]
    if not named or (n_documents == 0 and not device_class):
        return None
    end = named[0].end
    for phrase in named[1:]:
        if text[end : phrase.start].strip() != "of":
            break
        end = phrase.end
    name = _SUPERLATIVE.sub(" ", text[named[0].start : end])
    word = match.group().casefold() if match is not None else "highest"
    is_high = re.fullmatch(_HIGHEST, word) is not None
    if word in ("fastest", "best") and _FAST_IS_SHORT.search(name):
        is_high = False
    clause = re.split(r"[?.;]\s|,", text[end:])[0]
    return Comparison(
        ComparisonKind.RANKING,
        (_without_bound(name),),
        device_class,
        Direction.HIGHEST if is_high else Direction.LOWEST,
        bound=_bound(name),
        condition=find_values(clause) if re.match(r"\s+(?:at|with|for)\b", clause) else (),
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
    named = _parameters(before, ()) or _parameters(match["value"], ())
    phrase = named[-1].text if named else ""
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


def _bound(text: str) -> str:
    return next((str(role) for role in limits_in(text)), "")


def _without_bound(text: str) -> str:
    return " ".join(_BOUND.sub(" ", text).split())


# Classes of devices


@dataclass(frozen=True, slots=True)
class _DeviceClass:
    """A class of devices under the stemmed names that it has.

    Attributes:
        breadth: "general" for "sensor", which many classes are, "any" for "chip"; else empty.
    """

    names: tuple[tuple[str, ...], ...]
    breadth: str = ""


@cache
def _classes() -> tuple[_DeviceClass, ...]:
    text = asset("resources/vocabulary/device_classes.toml").read_text(encoding="utf-8")
    return tuple(
        _DeviceClass(
            tuple(tuple(terms_of(said)) for said in entry["said"]), entry.get("breadth", "")
        )
        for entry in tomllib.loads(text)["class"]
    )


def class_in(text: str) -> str:
    """Return the words of the most specific class of devices that a text names; empty for none."""
    words = terms_of(_COMPARE.sub(" ", text))
    named = [
        (len(said), " ".join(said))
        for one in _classes()
        for said in one.names
        if _stands_in(said, words)
    ]
    return max(named, key=lambda item: item[0])[1] if named else ""


@lru_cache(maxsize=16384)
def kind_terms(title: str) -> frozenset[str]:
    """Return the terms of a title with those that its kind of part is called by as well."""
    words = terms_of(title)
    named = (
        one.names
        for one in _classes()
        if one.breadth != "any"
        # A name of a script without spaces stands anywhere in a title.
        and any(
            _stands_in(said, words) or (not said[0].isascii() and said[0] in title)
            for said in one.names
        )
    )
    return frozenset((*words, *(term for names in named for said in names for term in said)))


@cache
def one_word_kinds() -> frozenset[str]:
    """Return the words that name a kind of part by themselves; "sensor" is of many kinds."""
    special = (said for one in _classes() if not one.breadth for said in one.names)
    return frozenset(said[0] for said in special if len(said) == 1)


@cache
def any_device_terms() -> frozenset[str]:
    """Return the words for any device: "chip", "part"."""
    return frozenset(
        term for one in _classes() if one.breadth == "any" for said in one.names for term in said
    )


def is_of_class(text: str, device_class: str) -> bool:
    """Tell whether a title or sentence names a class of devices; "chip" stands for all."""
    asked = tuple(device_class.split())
    own = next((one for one in _classes() if asked in one.names), None)
    words = terms_of(text)
    is_any = own is None or own.breadth == "any"
    return is_any or (own is not None and any(_stands_in(said, words) for said in own.names))


def _stands_in(said: Sequence[str], words: Sequence[str]) -> bool:
    n = len(said)
    return n > 0 and any(tuple(words[i : i + n]) == tuple(said) for i in range(len(words) - n + 1))


def _is_class(rest: str) -> bool:
    """Tell whether what is left of a question is only what the parts are: "buck converters".

    Words for any device ("chips") say nothing of what stands before them.
    """
    words = list(terms_of(rest))
    while words and words[-1] in any_device_terms():
        words.pop()
    return not words or any(
        tuple(words[-len(said) :]) == said
        for one in _classes()
        if one.breadth != "any"
        for said in one.names
    )
