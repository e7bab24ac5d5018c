"""Meanings of texts by their words alone, in place of the model's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.index.terms import terms_of


def word_vectors(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return a vector of length 1 for each text: equal words make texts alike."""
    words = [frozenset(terms_of(text)) for text in texts]
    every = sorted(frozenset().union(*words))
    rows = np.array([[float(w in own) for w in every] for own in words], dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True) if rows.size else np.ones((len(texts), 1))
    return np.asarray(rows / np.maximum(norms, 1e-9), dtype=np.float32)
