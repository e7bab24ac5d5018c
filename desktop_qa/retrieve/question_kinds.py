"""How near a question is to those of each kind, in its words and in its meaning.

The examples in `resources/question_kinds.toml` are the only vocabulary. A ridge regression over
their words and word pairs (weighted by idf) and over their vectors gives a weight for each kind;
`packaging/fit_question_kinds.py` writes the weights to `resources/question_kinds.npz`. The grammar
of a question adds nothing to these two (docs/benchmarks).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.core.answer import QuestionType
from desktop_qa.paths import asset

FloatArray = npt.NDArray[np.float32]
Embed = Callable[[str], FloatArray]

SHARE_OF_MEANING = 0.6
"""Of the likeness of two questions; the rest is that of their words. Right at 0.5 to 0.7 alike."""

_MAX_CHARACTERS = 1000
"""The kind shows in the first words; a pasted text behind them has words of all kinds."""

_QUOTED = re.compile(r"[\"“][^\"”]{12,}[\"”]?")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d.,]*|[?!:;,%°]|_{2,}")


@dataclass(frozen=True, slots=True)
class KindModel:
    """Weights of a linear model.

    Attributes:
        places: Of each word and word pair in the rows of `of_words`.
        idf: Of each word and word pair, shape (n_words,).
        of_words: Shape (n_words, n_kinds).
        of_meaning: Shape (384, n_kinds).
    """

    kinds: tuple[QuestionType, ...]
    places: Mapping[str, int]
    idf: FloatArray
    of_words: FloatArray
    of_meaning: FloatArray

    def scores(self, text: str, embed: Embed | None = None) -> dict[QuestionType, float]:
        """Score each kind: about 1 for a question like its examples, about 0 for any other.

        Args:
            text: A question.
            embed: Gives the vector of a text, of length 1; its words alone count without.
        """
        plain = masked(text)
        scores = word_vector(plain, self.places, self.idf) @ self.of_words
        if embed is None:
            scores = scores / (1.0 - SHARE_OF_MEANING)
        else:
            scores = scores + embed(plain) @ self.of_meaning
        return dict(zip(self.kinds, map(float, scores), strict=True))


def masked(text: str) -> str:
    """Return a question without what only its subject is told by: part numbers and quotations."""
    plain = _QUOTED.sub(" QUOTED ", text[:_MAX_CHARACTERS])
    for code in sorted(codes_in_question(plain), key=len, reverse=True):
        plain = plain.replace(code, "Acme")
    return " ".join(plain.split())


def words_and_pairs(plain: str) -> frozenset[str]:
    """Return the words of a masked question and each two that follow on another; numbers are 0."""
    found = (match.group().casefold() for match in _WORD.finditer(plain))
    words = ["^", *("0" if word[0].isdigit() else word for word in found), "$"]
    return frozenset((*words[1:-1], *map(" ".join, pairwise(words))))


def word_vector(plain: str, places: Mapping[str, int], idf: FloatArray) -> FloatArray:
    """Return the weights of the known words of a masked question, of length 1 (0 for none)."""
    vector = np.zeros(len(places), np.float32)
    rows = [places[word] for word in words_and_pairs(plain) if word in places]
    vector[rows] = idf[rows]
    return vector / max(float(np.linalg.norm(vector)), 1e-6)


@cache
def kind_model() -> KindModel:
    """Read the weights."""
    with np.load(asset("resources/question_kinds.npz")) as stored:
        return KindModel(
            tuple(map(QuestionType, stored["kinds"].tolist())),
            {word: place for place, word in enumerate(stored["words"].tolist())},
            stored["idf"].astype(np.float32),
            stored["of_words"].astype(np.float32),
            stored["of_meaning"].astype(np.float32),
        )


def best_of(
    scores: Mapping[QuestionType, float], kinds: Iterable[QuestionType]
) -> tuple[QuestionType, float]:
    """Return the kind with the highest score among some, and the score."""
    return max(((kind, scores.get(kind, 0.0)) for kind in kinds), key=lambda pair: pair[1])
