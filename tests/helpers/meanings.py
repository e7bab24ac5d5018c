"""Meanings of texts by their words alone, in place of the model's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.index.terms import terms_of


@dataclass(frozen=True, slots=True)
class FixedMeaning:
    """Texts mean the same to every question, so that their order is decided by all else."""

    cosine: float = 0.3

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return word_vectors(texts)

    def similarities(self, _question: str, texts: Sequence[str]) -> Sequence[float]:
        return [self.cosine] * len(texts)

    def relevances(self, _question: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.0] * len(texts)


class WordMeaning(FixedMeaning):
    """Texts mean what their words say."""

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        asked = set(terms_of(question))
        words = [set(terms_of(text)) for text in texts]
        return [len(asked & w) / math.sqrt(len(asked) * len(w) or 1) for w in words]

    def relevances(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [10.0 * cosine - 5.0 for cosine in self.similarities(question, texts)]


def word_vectors(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return a vector of length 1 for each text: equal words make texts alike."""
    words = [frozenset(terms_of(text)) for text in texts]
    every = sorted(frozenset().union(*words))
    rows = np.array([[float(w in own) for w in every] for own in words], dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True) if rows.size else np.ones((len(texts), 1))
    return np.asarray(rows / np.maximum(norms, 1e-9), dtype=np.float32)
