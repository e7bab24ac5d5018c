"""A deterministic embedder without a model: words hashed into a vector."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.index.embedder import EMBEDDING_DIMENSIONS
from desktop_qa.index.lexical import terms_of


class HashingEmbedder:
    """Texts that share terms are similar; good enough to tell documents of a test apart."""

    def __init__(self) -> None:
        self.n_embedded = 0
        self.on_documents: Callable[[], object] = lambda: None

    def embed_documents(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = lambda: False
    ) -> npt.NDArray[np.float32]:
        self.n_embedded += len(texts)
        self.on_documents()
        return np.stack([self.embed_query(text) for text in texts])

    def embed_passages(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = lambda: False
    ) -> npt.NDArray[np.float32]:
        rows = [self.embed_query(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, EMBEDDING_DIMENSIONS), np.float32)

    def embed_query(
        self, text: str, is_cancelled: Callable[[], bool] = lambda: False
    ) -> npt.NDArray[np.float32]:
        vector = np.zeros(EMBEDDING_DIMENSIONS, np.float32)
        for term in terms_of(text):
            digest = hashlib.sha256(term.encode()).digest()
            vector[int.from_bytes(digest[:4], "big") % EMBEDDING_DIMENSIONS] += 1.0
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector

    def relevances(
        self,
        question: str,
        statements: Sequence[str],
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> npt.NDArray[np.float32]:
        return 10.0 * (self.embed_passages(statements) @ self.embed_query(question)) - 5.0

    def warm_up(self) -> None:
        return None

    def close(self) -> None:
        return None
