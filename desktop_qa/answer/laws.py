"""The formulas of two trades, electronics and business, and the words that ask for them.

They lie in `resources/formulas.toml`: laws with the units that their symbols have, metrics as
expressions over items of annual reports, and the vocabulary of what is done with values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from desktop_qa.answer.formulas import Formula, formula
from desktop_qa.index.lexical import terms_of
from desktop_qa.paths import asset

_ASKED_PART = re.compile(
    r"\b(?:what|which|how|calculate|compute|estimate|find|determine|give)\b[^,.;?]*", re.IGNORECASE
)

RISES, FALLS = frozenset(("up", "higher")), frozenset(("down", "lower"))
"""Relations that say which way a value went, or should have gone."""

BALANCE_SHEET = "consolidated balance sheets"
"""Title of that statement in the file."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """What may stand for a symbol.

    Attributes:
        unit: Of its kind, as pint names it; "count" for a number without unit.
        words: That tables name it by, when the question does not.
    """

    unit: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that analysts compute: as it is called, its expression over items, and its form."""

    name: str
    expression: str
    is_percent: bool


@dataclass(frozen=True, slots=True)
class Item:
    """What a report states a value of.

    Attributes:
        names: That its row may bear, the one that the question says first.
        statement: Title of the statement it stands in, "" where it is not known.
        is_outflow: True for what is paid, and printed with a minus where others are received.
    """

    names: tuple[str, ...] = ()
    statement: str = ""
    is_outflow: bool = False


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(asset("resources/formulas.toml").read_text(encoding="utf-8"))


@cache
def laws() -> Mapping[Formula, tuple[str, ...]]:
    """Return the laws in their order, each with words of a question without which it is not meant.

    Raises:
        ValueError: When one cannot be read, which is a mistake in the file.
    """
    found = {}
    for law, when in _content()["laws"].items():
        left, _equals, right = law.partition(" = ")
        read = formula(left, right)
        if read is None:
            raise ValueError(f"{law} is no formula")
        found[read] = tuple(when)
    return found


def metric_in(text: str) -> Metric | None:
    """Return the metric that a text names, called as it stands there; the longest name counts."""
    found = [
        Metric(match[0], expression, form == "percent")
        for form, metrics in _content()["metrics"].items()
        for expression, names in metrics.items()
        for name in names
        if (match := _pattern((f"{name}s", name)).search(text)) is not None
    ]
    return max(found, key=lambda metric: len(metric.name), default=None)


def item_in(text: str) -> Item:
    """Return the item of a statement that a text names, by its longest name; one without for none.

    A figure that is named after an item is none: "inventory turnover".
    """
    named = [
        match[0]
        for _kind, _title, names in _items()
        for one in names
        if (match := _pattern((f"{one}s", one)).search(text)) is not None
    ]
    return Item() if metric_in(text) else item_of(max(named, key=len, default=""))


def item_of(words: str) -> Item:
    """Return the item of statements that words name; its first name is theirs."""
    own = frozenset(terms_of(words))
    for kind, title, names in _items():
        if any(own == frozenset(terms_of(name)) for name in names):
            called = tuple(dict.fromkeys((words, *names)))
            return Item(called, title, is_outflow=kind == "outflow")
    return Item((words,) if words else ())


@cache
def _items() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return of each item of statements their kind and their title, and its names."""
    return tuple(
        (kind, items["title"], (name, *others))
        for kind, items in _content()["statements"].items()
        for name, others in items.items()
        if name != "title"
    )


@cache
def statements() -> Mapping[str, Sequence[frozenset[frozenset[str]]]]:
    """Return the items of each statement of a report, by its title: of each the names' terms."""
    found: dict[str, list[frozenset[frozenset[str]]]] = {}
    for _kind, title, names in _items():
        found.setdefault(title, []).append(frozenset(frozenset(terms_of(n)) for n in names))
    return found


def says(text: str, words: Sequence[str]) -> bool:
    """Tell whether a text has one of some words; "*" stands for any ending, or a word or more."""
    return _pattern(tuple(words)).search(text) is not None


def relations_in(text: str) -> tuple[str, ...]:
    """Return what the words of a text say is done with values, in the order of the file."""
    return tuple(name for name, words in _content()["relations"].items() if says(text, words))


def relation_words(names: Iterable[str] | None = None) -> re.Pattern[str]:
    """Return a pattern of the words that say what is done with values."""
    relations = _content()["relations"]
    return _pattern(tuple(w for n in names or relations for w in relations[n]))


def with_signs(text: str) -> str:
    """Write the operators of an expression as signs: "a less b" is "a - b"."""
    for sign, words in _content()["operators"].items():
        text = _pattern(tuple(words)).sub(f" {sign} ", text)
    return text


def symbol_of(name: str) -> Symbol:
    """Return what a symbol may stand for, as the letters tell that it begins with."""
    entries = _content()["symbols"].items()
    return Symbol(*next((words for begins, words in entries if re.match(begins, name)), ("",)))


def target_unit(text: str) -> str:
    """Return the unit of what a question wants computed, "" when it does not say.

    The clause that asks decides before the rest: "With a 2000 mAh battery, how long ..." wants a
    time.
    """
    for clause in (*(match.group() for match in _ASKED_PART.finditer(text)), text):
        found = [
            (match.start(), order, unit)
            for order, (unit, words) in enumerate(_content()["targets"].items())
            if (match := _pattern(tuple(words)).search(clause)) is not None
        ]
        if found:
            return str(min(found)[2])
    return ""


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Read words of the file: a unit as it is spelled, anything else in any case."""
    found = []
    for word in sorted(words, key=len, reverse=True):
        one = re.escape(word).replace(r"\ \*\ ", r"\b.+\b").replace(r"\*", r"\w*")
        one = one.replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]?")
        is_unit = len(word) <= 3 and not word.islower()
        found.append(one if is_unit else f"(?i:{one})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(found)})(?!\w)")
