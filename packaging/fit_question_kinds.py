"""Fit the kinds of questions on their examples: `python packaging/fit_question_kinds.py`.

Reads `resources/question_kinds.toml`, writes `resources/question_kinds.npz`, and prints how many
examples are read as their kind when they are left out.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.core.answer import QuestionType
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.paths import asset
from desktop_qa.retrieve.question_kinds import (
    SHARE_OF_MEANING,
    KindModel,
    masked,
    word_vector,
    words_and_pairs,
)

RIDGE = 1.0
"""Of the penalty on weights: 0.3 to 1 are alike when examples are left out, 0.1 is worse."""

Examples = Sequence[tuple[QuestionType, str]]
FloatArray = npt.NDArray[np.float32]


def examples() -> list[tuple[QuestionType, str]]:
    """Read the examples, each with its kind."""
    content = tomllib.loads(asset("resources/question_kinds.toml").read_text(encoding="utf-8"))
    return [(QuestionType(kind), text) for kind, texts in content.items() for text in texts]


def fit(given: Examples, vectors: FloatArray) -> tuple[KindModel, float]:
    """Fit a ridge regression in which every kind weighs the same.

    Args:
        given: The examples.
        vectors: Of the masked examples, rows of length 1.

    Returns:
        The model, and the share of examples read as their kind when left out, mean over kinds.
    """
    kinds = tuple(dict.fromkeys(kind for kind, _ in given))
    plain = [masked(text) for _, text in given]
    n_with = Counter(word for text in plain for word in words_and_pairs(text))
    places = {w: n for n, w in enumerate(sorted(w for w, count in n_with.items() if count > 1))}
    idf = np.array([np.log(len(given) / n_with[word]) for word in places], np.float32)
    words = np.stack([word_vector(text, places, idf) for text in plain])
    right = np.array([kinds.index(kind) for kind, _ in given])
    wanted = np.full((len(given), len(kinds)), -1.0 / (len(kinds) - 1))
    wanted[np.arange(len(given)), right] = 1.0
    likeness = SHARE_OF_MEANING * vectors @ vectors.T + (1 - SHARE_OF_MEANING) * words @ words.T
    sizes = np.bincount(right)[right]
    inverse = np.linalg.inv(likeness + RIDGE * np.diag(sizes / len(given) * len(kinds)))
    duals = inverse @ wanted
    left_out = (wanted - duals / np.diag(inverse)[:, None]).argmax(axis=1)
    model = KindModel(
        kinds,
        places,
        idf,
        ((1 - SHARE_OF_MEANING) * words.T @ duals).astype(np.float32),
        (SHARE_OF_MEANING * vectors.T @ duals).astype(np.float32),
    )
    shares = [float((left_out[right == n] == n).mean()) for n in range(len(kinds))]
    return model, sum(shares) / len(shares)


def main() -> None:
    """Fit and write."""
    given = examples()
    embedder = ModelProcess()
    try:
        vectors = embedder.embed_passages([masked(text) for _, text in given])
    finally:
        embedder.close()
    model, share = fit(given, vectors)
    np.savez_compressed(
        asset("resources/question_kinds.toml").with_suffix(".npz"),
        kinds=np.array(model.kinds),
        words=np.array(list(model.places)),
        idf=model.idf.astype(np.float16),
        of_words=model.of_words.astype(np.float16),
        of_meaning=model.of_meaning.astype(np.float16),
    )
    sys.stdout.write(f"{len(given)} examples, {share:.3f} of them read as their kind when left out")


if __name__ == "__main__":
    main()
