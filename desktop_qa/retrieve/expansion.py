"""Words of the trade for a question: the symbols of what it names, the names of its symbols.

They are what the library's own documents teach (`index.glossary`). What is added weighs less than
what was asked, and nothing that was asked is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import zip_longest

from desktop_qa.augment.names import CAPITAL_WORDS, MAX_SYMBOL_LENGTH, is_symbol
from desktop_qa.core.document import DocumentId
from desktop_qa.index.glossary import Glossary, OtherName
from desktop_qa.index.glossary_table import symbol_key
from desktop_qa.index.terms import STOP_WORDS, terms_of

SYMBOL_WEIGHT = 0.5
NAME_WEIGHT = 0.15
MIN_CONFIDENCE = 0.2
"""Of what is added; a symbol of many meanings has less."""

MAX_TERMS = 12
_MAX_NAME_TERMS = 6
_MAX_NAMES = 2
"""Of one thing, of each kind."""

_MAX_WORDS = 200
"""Of a question; what stands further on is no question any more."""

_PUNCTUATION = ".,;:!?\"'“”‘’[]{}<>"
_OWNER = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class Expansion:
    """What else a question is searched by.

    Attributes:
        terms: Terms of the lexical index that the question does not have, with their weights in
            (0, 1), the heaviest first.
        also_searched: The names they come from as documents print them, the surest first.
    """

    terms: tuple[tuple[str, float], ...] = ()
    also_searched: tuple[str, ...] = ()


def expand(
    text: str,
    glossary: Glossary,
    documents: Collection[DocumentId] = (),
    codes: Collection[str] = (),
) -> Expansion:
    """Find the other names of what a question names.

    Args:
        text: The question as it is searched, without the part numbers that documents are found by.
        glossary: Of the library.
        documents: That the question names; what they call things comes first.
        codes: Part numbers of the question, which are no symbols.
    """
    text = " ".join(text.split()[:_MAX_WORDS])
    asked = terms_of(text)
    found: list[tuple[OtherName, float]] = []
    for name in _names_in(asked, glossary):
        found += _weighted(glossary.symbols_of(name, documents), SYMBOL_WEIGHT)
    for symbol in _symbols_in(text, codes):
        found += _weighted(glossary.names_of(symbol, documents), NAME_WEIGHT)
    return _collect(found, set(asked))


def _weighted(names: tuple[OtherName, ...], weight: float) -> list[tuple[OtherName, float]]:
    sure = [name for name in names if name.confidence >= MIN_CONFIDENCE]
    return [(name, weight * name.confidence) for name in sure[:_MAX_NAMES]]


def _names_in(terms: list[str], glossary: Glossary) -> tuple[str, ...]:
    """Return the names that stand in a question, without those inside another."""
    spans = [
        (start, end)
        for start in range(len(terms))
        for end in range(start + 2, min(start + _MAX_NAME_TERMS, len(terms)) + 1)
    ]
    known = glossary.known_names({" ".join(terms[start:end]) for start, end in spans})
    names: list[str] = []
    for name in sorted(known, key=lambda name: (-len(name.split()), name)):
        words = set(name.split())
        if not any(words <= set(longer.split()) for longer in names):
            names.append(name)
    return tuple(names)


def _symbols_in(text: str, codes: Collection[str]) -> tuple[str, ...]:
    """Return the keys of words that look like symbols, each once.

    Left out are makers ("ST's sensor") and conditions ("at VM = 5 V").
    """
    known = {symbol_key(code) for code in codes}
    words = text.replace("=", " = ").replace("/", " / ").split()
    found: dict[str, None] = {}
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        symbol = word.strip(_PUNCTUATION)
        symbol = symbol if "(" in symbol.strip("()") else symbol.strip("()")
        key = symbol_key(symbol) if len(symbol) <= MAX_SYMBOL_LENGTH else ""
        if after == "=" or _OWNER.search(word) or key in known or key in STOP_WORDS:
            continue
        if symbol.upper() not in CAPITAL_WORDS and key and is_symbol(symbol):
            found[key] = None
    return tuple(found)


def _collect(found: list[tuple[OtherName, float]], asked: set[str]) -> Expansion:
    weights: dict[str, float] = {}
    texts: dict[str, None] = {}
    for name, weight in sorted(found, key=lambda pair: -pair[1]):
        new = [term for term in terms_of(name.text) if term not in asked and len(term) > 1]
        fresh = [term for term in new if term not in weights]
        if not fresh or len(weights) + len(set(fresh)) > MAX_TERMS:
            continue
        # A name of many words is one name: it may not outweigh what was asked.
        weights.update(dict.fromkeys(fresh, weight / len(set(fresh)) ** 0.5))
        texts[name.text] = None
    terms = sorted(weights.items(), key=lambda item: -item[1])
    return Expansion(tuple((t, round(w, 3)) for t, w in terms), tuple(texts))
