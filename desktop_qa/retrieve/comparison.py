"""What a question that ranks or filters asks for.

Read from the words alone: which documents are named is known to the query.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from desktop_qa.augment.quantities import find_quantities, find_values, plain_quantities
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.phrases import Phrase, phrases_of, words_of


class Direction(StrEnum):
    """Which end of a ranking is asked for, or on which side of a limit."""

    HIGHEST = "highest"
    LOWEST = "lowest"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question that ranks, or filters.

    Attributes:
        parameter: What it does it by, as typed.
        device_class: Words for the class of devices meant; empty when none is named.
        direction: Of a ranking or limit.
        limit: Of a filter, as typed ("100 uA"); empty for a ranking.
        bound: MIN, TYP or MAX where the question names one.
        condition: Values that the parameter is asked at ("at 500 mA"), in the normal form of
            `find_values`.
    """

    parameter: str
    device_class: str = ""
    direction: Direction = Direction.LOWEST
    limit: str = ""
    bound: ColumnRole | None = None
    condition: tuple[str, ...] = ()


_LOW = frozenset(("low", "small", "least", "less", "few", "narrow", "short", "slow", "tini"))
"""Comparatives and superlatives without their endings."""

_SUPERLATIVES = ("JJS", "RBS")
_COMPARATIVES = ("JJR", "RBR")
_LIMIT = re.compile(
    r"\b(?:(?P<upper>under|below|(?:less|lower|smaller) than|at most|(?:no|not) more than|up to"
    r"|max(?:imum)?(?: of)?)|over|above|(?:more|greater|higher) than|at least|(?:no|not) less than"
    r"|min(?:imum)?(?: of)?|or better than)\s+(?P<value>[±+-]?\d.*)",
    re.IGNORECASE | re.DOTALL,
)
_COMPARE = re.compile(
    r"\b(?:compar(?:e|ed|es|ing|ison)|differ(?:s|ence|ences|ent|ing)?|versus|vs\.?|contrast)(?!\w)",
    re.IGNORECASE,
)
_LINKS = frozenset(["IN", "TO", "CC", "DT", "VBZ", "VBP", "MD", ",", ":", "."])
_OF_TASK = {"difference", "comparison", "table", "side", "respect", "term", "case", "data_sheet"}
_FAST = ("fastest", "best", "faster", "better")
_ENDING = re.compile(r"(?<=\w)(?:est|er)$")
_FAST_IS_SHORT = frozenset(terms_of("time delay latency duration"))
_MAX_CHARACTERS = 2000


def read_comparison(text: str, codes: Iterable[str], n_documents: int) -> Comparison | None:
    """Read what a question ranks or filters by; `None` when it does neither.

    Args:
        text: As typed.
        codes: The part numbers in it, as typed.
        n_documents: Documents that it names.
    """
    text = " ".join(text[:_MAX_CHARACTERS].split())
    codes = tuple(codes)
    found = _filter(text, n_documents) or _ranking(text, codes, n_documents)
    return found if n_documents != 1 else None


def _without_bound(text: str, phrase: Phrase) -> str:
    """Return a noun phrase without what says which of its values: "maximum", "lowest", "two"."""
    return " ".join(
        text[word.start : word.start + len(word.text)]
        for word in words_of(text)
        if phrase.start <= word.start < phrase.end
        and word.tag not in (*_SUPERLATIVES, *_COMPARATIVES, "CD")
        and not limits_in(word.text)
    )


def _parameters(text: str, codes: Iterable[str]) -> list[Phrase]:
    """Return what a question names beside its parts and what these are: "LM66200 ideal diodes"."""
    ends = [m.end() for c in codes for m in re.finditer(re.escape(c), text, re.IGNORECASE)]
    found = []
    for phrase in phrases_of(text):
        end = max((end for end in ends if end <= phrase.end), default=-1)
        between = [w.tag for w in words_of(text) if end <= w.start < phrase.start]
        is_of_part = end >= 0 and len(between) < 3 and _LINKS.isdisjoint(between)
        name = _without_bound(text, phrase)
        is_said = phrase.head not in _OF_TASK and bool(terms_of(name))
        if is_said and not is_of_part and not _is_class(name):
            found.append(phrase)
    return found


def _ranking(text: str, codes: Sequence[str], n_documents: int) -> Comparison | None:
    # Of two, the lower one is the lowest.
    tags = _SUPERLATIVES if n_documents < 2 else (*_SUPERLATIVES, *_COMPARATIVES)
    words = words_of(text)
    asks = next((word.start for word in words if word.tag in ("WDT", "WP")), len(text))
    word = next((word for word in words if word.start >= asks and word.tag in tags), None)
    if word is None or any(one.text.lower() in ("each", "both") for one in words):
        return None
    start, said = word.start, word.text.casefold()
    device_class = class_in(text[:start]) or class_in(text)
    phrase = next((p for p in _parameters(text, codes) if p.end > start), None)
    if phrase is None or (n_documents == 0 and not device_class):
        return None
    is_short = said in _FAST and not _FAST_IS_SHORT.isdisjoint(terms_of(phrase.text))
    clause = re.split(r"[?.;]\s|,", text[phrase.end :])[0]
    return Comparison(
        _without_bound(text, phrase),
        device_class,
        Direction.LOWEST if _ENDING.sub("", said) in _LOW or is_short else Direction.HIGHEST,
        bound=_bound(" ".join(one for one in phrase.text.split() if one.casefold() != said)),
        condition=find_values(clause) if clause.split()[:1] in (["at"], ["with"], ["for"]) else (),
    )


def _filter(text: str, n_documents: int) -> Comparison | None:
    text = plain_quantities(text)
    match = _LIMIT.search(text) if n_documents == 0 else None
    if match is None:
        return None
    before, limits = text[: match.start()], find_quantities(match["value"])
    device_class = class_in(before) or class_in(text)
    if not limits or not device_class:
        return None
    named = [p for p in _parameters(text, ()) if p.end <= match.start()]
    name = _without_bound(text, named[-1]) if named else ""
    return Comparison(
        name or before,
        device_class,
        Direction.LOWEST if match["upper"] else Direction.HIGHEST,
        limit=f"{limits[0].amount:f} {limits[0].unit}",
        bound=_bound(named[-1].text) if named else None,
    )


def _bound(text: str) -> ColumnRole | None:
    return next(iter(limits_in(text)), None)


# Classes of devices


@cache
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the breadth of each class of devices and its names, each as its terms.

    The breadth is "general" for "sensor", which many classes are, "any" for "chip"; else empty.
    """
    text = asset("resources/vocabulary/device_classes.toml").read_text(encoding="utf-8")
    return tuple(
        (entry.get("breadth", ""), tuple(" ".join(terms_of(said)) for said in entry["said"]))
        for entry in tomllib.loads(text)["class"]
    )


@cache
def _names(*breadths: str) -> tuple[str, ...]:
    return tuple(said for breadth, own in _classes() if breadth in breadths for said in own)


def class_in(text: str) -> str:
    """Return the words of the most specific class of devices that a text names; empty for none."""
    words = f" {' '.join(terms_of(_COMPARE.sub(' ', text)))} "
    named = (said for said in _names("", "general", "any") if f" {said} " in words)
    return max(named, key=lambda said: len(said.split()), default="")


@lru_cache(maxsize=16384)
def kind_terms(title: str) -> frozenset[str]:
    """Return the terms of a title with those that its kind of part is called by as well."""
    words = frozenset(terms_of(title))

    def is_named(said: str) -> bool:
        # A name of a script without spaces stands anywhere in a title.
        is_within = not said.isascii() and said.split()[0] in title
        return is_within or words.issuperset(said.split())

    kinds = (own for breadth, own in _classes() if breadth != "any" and any(map(is_named, own)))
    return words.union(*(said.split() for own in kinds for said in own))


@cache
def one_word_kinds() -> frozenset[str]:
    """Return the words that name a kind of part by themselves; "sensor" is of many kinds."""
    return frozenset(said for said in _names("") if " " not in said)


@cache
def any_device_terms() -> frozenset[str]:
    """Return the words for any device: "chip", "part"."""
    return frozenset(" ".join(_names("any")).split())


def is_of_class(title: str, device_class: str) -> bool:
    """Tell whether a title names a part of a class of devices; "chip" stands for all."""
    words = frozenset(device_class.split())
    return words <= any_device_terms() or words <= kind_terms(title)


def _is_class(rest: str) -> bool:
    """Tell whether what is left of a question is only what the parts are: "buck converters".

    Words for any device ("chips") say nothing of what stands before them.
    """
    words = list(terms_of(rest))
    while words and words[-1] in any_device_terms():
        words.pop()
    said = f" {' '.join(words)}"
    return not words or any(said.endswith(f" {name}") for name in _names("", "general"))
