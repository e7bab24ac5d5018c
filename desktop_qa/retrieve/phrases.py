"""Noun phrases and verbs of a question, from its parts of speech."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from desktop_qa.augment.grammar import Word, parse
from desktop_qa.augment.quantities import find_quantities
from desktop_qa.index.lexical import terms_of

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_WITHIN = (*_NOUNS, "JJ", "JJR", "JJS", "VBG", "CD", "ADD", "AFX", "FW", "XX", "``", "''")
_MARKS = ("°", '"', "“", "”")
_OF_EACH = ("all", "each", "every")
FINITE = ("VBZ", "VBP", "VBD", "MD")
_HYPHEN = re.compile(r"(?<=[^\W_])-(?=[^\W_])")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun with the words before it that say which: "typical quiescent current", "page 5".

    Attributes:
        head: Its last noun, in lower case and without the plural's s.
        article: The word before it when that is a determiner, in lower case.
    """

    start: int
    end: int
    text: str
    head: str
    article: str


@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[Word, ...]:
    """Parse a question; a word with hyphens and a quantity are one word each."""
    plain = text
    for quantity in find_quantities(text):
        n = quantity.end - quantity.start
        plain = f"{plain[: quantity.start]}{'9' * n}{plain[quantity.end :]}"
    return parse(_HYPHEN.sub("_", plain))


@lru_cache(maxsize=256)
def phrases_of(text: str) -> tuple[Phrase, ...]:
    """Find the noun phrases of a question in order, quantities apart."""
    words = words_of(text)
    found: list[Phrase] = []
    run: list[Word] = []
    article = ""
    for word in (*words, Word("", len(text), "", "", 0)):
        # Behind a name in capitals "register" is taken for a verb.
        is_noun = word.tag in ("VBP", "VB") and len(word.text) > 3
        is_noun = is_noun and bool(run) and run[-1].text.isupper()
        is_value = word.tag == "CD" and len(word.text) > 1 and set(word.text) == {"9"}
        if (word.tag in _WITHIN or is_noun) and not is_value and word.text not in _MARKS:
            run.append(word)
            continue
        if any(one.tag in _NOUNS for one in run):
            while run[-1].tag not in (*_NOUNS, "CD", "VBP", "VB"):
                run.pop()
            start, end = run[0].start, run[-1].start + len(run[-1].text)
            head = next(one for one in reversed(run) if one.tag != "CD").text.lower()
            if head.endswith("s") and not head.endswith("ss"):
                head = head[:-1]
            found.append(Phrase(start, end, text[start:end], head, article))
        run = []
        article = word.text.lower() if word.tag in ("DT", "PRP$", "WDT") else ""
    return tuple(found)


def asked_for_several(text: str) -> frozenset[str]:
    """Return the terms of the first noun of which a question asks for several.

    That is a plural, or "every command". What begins with "how" or "when" asks for one.
    """
    words = words_of(text)
    if not words or words[0].tag == "WRB":
        return frozenset()
    plural = {w.start + len(w.text) for w in words if w.tag in ("NNS", "NNPS")}
    several = (p for p in phrases_of(text) if p.end in plural or p.article in _OF_EACH)
    return frozenset(terms_of(next((p.head for p in several), "")))


def is_sentence(text: str) -> bool:
    """Tell whether a text has a finite verb, or begins with an imperative."""
    words = words_of(text)
    return any(word.tag in FINITE for word in words) or bool(words and words[0].tag == "VB")
