"""How the words of a search are found in texts: by their terms, phrases by their very words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop_qa.core.document import Provenance
from desktop_qa.core.word_places import PlacedWord, rectangles
from desktop_qa.index.terms import fold, terms_of
from desktop_qa.retrieve.search_language import SearchQuery

_TOKEN = re.compile(r"\w+")
_MARKED = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)*[+-]?|\S")
_JOINT = re.compile(r"[-_/\s]")


@dataclass(frozen=True, slots=True)
class WordTerms:
    """The terms that a word of a search is found by.

    Attributes:
        whole: Of the word as one; empty when it has none.
        parts: Of its pieces, which all must be there when the whole is not: "RS-485" is found as
            "rs485" and as "rs" with "485".
    """

    whole: str
    parts: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every term, each once."""
        return tuple(dict.fromkeys((self.whole, *self.parts) if self.whole else self.parts))


def word_terms(text: str) -> WordTerms:
    """Return the terms of a word; none for words that no index keeps, such as "the"."""
    terms = tuple(dict.fromkeys(terms_of(text)))
    if len(terms) < 2:
        return WordTerms("", terms)
    joined = _JOINT.sub("", fold(text))
    whole = joined if joined in terms else ""
    if whole and joined == fold(text) and not joined[0].isdigit():
        # A part number with its suffix also has the term without it, which says less.
        return WordTerms(whole, ())
    return WordTerms(whole, tuple(term for term in terms if term != whole))


def searched_terms(query: SearchQuery) -> dict[str, float]:
    """Return the terms that places are ranked by, with their weights."""
    return {
        term: 1.0
        for words in query.words()
        for term in (terms_of(words.text) if words.is_phrase else word_terms(words.text).all)
    }


def phrase_pattern(text: str) -> re.Pattern[str] | None:
    """Return what finds a phrase in a folded text; `None` when it has no words."""
    tokens = _TOKEN.findall(fold(text))
    if not tokens:
        return None
    pattern = re.escape(tokens[0])
    for before, token in pairwise(tokens):
        # A value and its unit stand apart or not.
        is_quantity = before[-1].isdigit() and token[0].isalpha()
        pattern += (r"\W*" if is_quantity else r"\W+") + re.escape(token)
    return re.compile(rf"(?<!\w){pattern}(?!\w)")


class Marker:
    """Finds what a search looks for in a text that a person reads."""

    def __init__(self, query: SearchQuery) -> None:
        self._terms = {
            term
            for words in query.words()
            if not words.is_phrase
            for term in word_terms(words.text).all
        }
        self._phrases = [_cut(fold(words.text)) for words in query.words() if words.is_phrase]

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Return the characters of a text that match, in order, apart; a phrase is one mark."""
        pieces = list(_MARKED.finditer(text))
        runs = self._runs([piece.group() for piece in pieces])
        return tuple((pieces[run[0]].start(), pieces[run[-1]].end()) for run in runs)

    def places(self, words: Sequence[PlacedWord]) -> tuple[Provenance, ...]:
        """Return the rectangles of the words of a page that match."""
        runs = self._runs([word.text for _page_no, word in words])
        return tuple(place for run in runs for place in rectangles([words[n] for n in run]))

    def _runs(self, pieces: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces that match: a word is a run, and so is a phrase."""
        hits = self._hits(pieces)
        runs: list[list[int]] = []
        for number in sorted(hits):
            if runs and hits[number] and hits.get(number - 1) == hits[number]:
                runs[-1].append(number)
            else:
                runs.append([number])
        return runs

    def _hits(self, pieces: Sequence[str]) -> dict[int, int]:
        """Return the pieces that match: 0 for a word, else the number of the run of a phrase."""
        found = {
            number: 0
            for number, piece in enumerate(pieces)
            if self._terms and not self._terms.isdisjoint(_terms_of_piece(piece))
        }
        if not self._phrases:
            return found
        tokens = [
            (token, number) for number, piece in enumerate(pieces) for token in _cut(fold(piece))
        ]
        texts = [token for token, _ in tokens]
        n_runs = 0
        for phrase in self._phrases:
            for start in _occurrences(texts, phrase):
                n_runs += 1
                found |= {tokens[i][1]: n_runs for i in range(start, start + len(phrase))}
        return found


@lru_cache(maxsize=1 << 15)
def _terms_of_piece(piece: str) -> frozenset[str]:
    """Return the terms of a piece of a text; the same pieces come again and again."""
    return frozenset(terms_of(piece))


def _cut(text: str) -> list[str]:
    """Cut a folded text into runs of digits and of letters: "5v" and "5 V" are the same then."""
    return re.findall(r"\d+|[^\W\d]+", text)


def _occurrences(texts: Sequence[str], phrase: Sequence[str]) -> Iterable[int]:
    if not phrase:
        return
    for start in range(len(texts) - len(phrase) + 1):
        if texts[start] == phrase[0] and list(texts[start : start + len(phrase)]) == list(phrase):
            yield start
