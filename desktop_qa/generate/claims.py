"""What the words around a number claim of it, and which way a sentence is turned."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from desktop_qa.core.document import ColumnRole
from desktop_qa.generate.stated_numbers import Number
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset

_N_BEHIND = 3
"""Words behind a number that may say its bound: "5 mA at most"."""

_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE_END = re.compile(r"[;:.](?=\s)|,(?=\s)|\s(?:but|while|whereas|with)\s")
_ANSWERING = re.compile(r"^\W*(?:yes|no)\b\s*[,:;.–—-]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Words:
    bounds: tuple[tuple[ColumnRole, re.Pattern[str]], ...]
    hedged: re.Pattern[str]
    denial: re.Pattern[str]
    opposites: Mapping[str, frozenset[str]]
    own: frozenset[str]


@cache
def _words() -> _Words:
    content: dict[str, Any] = tomllib.loads(
        asset("resources/vocabulary/claims.toml").read_text(encoding="utf-8")
    )
    denial = "|".join(content["denial"]["words"])
    no = f"(?:{denial})"

    def pattern(texts: list[str]) -> re.Pattern[str]:
        both = "|".join(text.replace("{no}", no) for text in texts)
        return re.compile(rf"(?<!\w)(?:{both})(?!\w)", re.IGNORECASE)

    bounds = tuple((ColumnRole(name), pattern(texts)) for name, texts in content["bounds"].items())
    opposites: dict[str, set[str]] = {}
    for one, other in (pair.split() for pair in content["opposites"]["pairs"]):
        for word, against in ((one, other), (other, one)):
            opposites.setdefault(_stem(word), set()).add(_stem(against))
    of_bounds = (text for texts in content["bounds"].values() for text in texts)
    said = " ".join((*of_bounds, *content["hedges"]["words"], denial))
    return _Words(
        bounds,
        re.compile(rf"{pattern(content['hedges']['words']).pattern}\s*[$€£¥±]?\s?$", re.IGNORECASE),
        pattern(content["denial"]["words"]),
        {word: frozenset(others) for word, others in opposites.items()},
        frozenset(terms_of(re.sub(r"\\.|[^\w\s']", " ", said))),
    )


def bound_of(text: str, numbers: Sequence[Number], i: int) -> ColumnRole | None:
    """Return the bound that a number is said to be; None where nothing says it.

    What stands nearest before it goes first, then a few words behind it.

    Args:
        text: Of the sentence.
        numbers: All of the sentence, in order.
        i: Which of them.
    """
    before = numbers[i - 1].end if i else 0
    behind = numbers[i + 1].start if i + 1 < len(numbers) else len(text)
    ahead = text[before : numbers[i].start]
    clauses = [match.end() for match in _CLAUSE_END.finditer(ahead)]
    if clauses and before:
        ahead = ahead[clauses[-1] :]
    after = _CLAUSE_END.split(text[numbers[i].end : behind], maxsplit=1)[0]
    return _nearest(ahead) or _nearest(" ".join(after.split()[:_N_BEHIND]))


def _nearest(text: str) -> ColumnRole | None:
    """Return the bound that is named last, the longer of two that end together."""
    named = [(role, match) for role, own in _words().bounds for match in own.finditer(text)]
    last = max(named, key=lambda one: (one[1].end(), len(one[1].group())), default=None)
    return last[0] if last is not None else None


def is_rough(text: str, start: int) -> bool:
    """Tell whether a number is meant roughly, by the words right before it."""
    return _words().hedged.search(text[:start]) is not None


def is_denied(text: str) -> bool:
    """Tell whether a sentence denies anything; "No, ..." answers only."""
    said = _ANSWERING.sub("", text).strip()
    for _role, pattern in _words().bounds:
        said = pattern.sub("", said)  # "no more than" is a bound
    matches = _words().denial.finditer(said)
    # A capital inside a sentence is a name: "set the alert to Never".
    return any(not match.group()[0].isupper() or match.start() == 0 for match in matches)


def stems_in(text: str) -> frozenset[str]:
    """Return the stems of all words of a text, of those that name nothing too."""
    return frozenset(map(_stem, _WORD.findall(text.casefold())))


def opposite_in(said: frozenset[str], stated: frozenset[str]) -> str:
    """Return a stem of what is stated that turns round what is said; "" for none.

    Args:
        said: Stems of a sentence (`stems_in`).
        stated: Stems of what it is held against.
    """
    against = {o for stem in said - stated for o in _words().opposites.get(stem, ())}
    return min(against & stated - said, default="")


@lru_cache(16384)
def _stem(word: str) -> str:
    return next(iter(terms_of(word)), word)


def is_of_claims(term: str) -> bool:
    """Tell whether a term belongs to bounds, hedges or denial and so names nothing itself."""
    return term in _words().own
