"""Vectors kept on the disk by what they were made of, so that no text is embedded twice."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from desktop_qa.core.errors import LibraryError
from desktop_qa.index.embedder import (
    EMBEDDING_DIMENSIONS,
    MODEL_FINGERPRINT,
    Embedder,
    FloatMatrix,
    FloatVector,
    never,
)
from desktop_qa.library.ingest import EMBEDDING_STEP

_N_ASKED = 500
"""Keys of one SELECT; SQLite takes 999 parameters at the least."""


def _silent(_n_done: int, _n_texts: int) -> None:
    return None


class CachedEmbedder:
    """An `Embedder` that asks the model only for texts that it has not seen before.

    Each step of texts is committed when it is embedded: what was done before an interruption is
    kept. Its `close` does nothing, because the libraries of several variants share it and each of
    them closes its own; `end` ends the model.
    """

    def __init__(
        self,
        file: Path,
        embedder: Embedder,
        on_progress: Callable[[int, int], None] = _silent,
    ) -> None:
        """Open a cache.

        Args:
            file: SQLite; made when missing.
            embedder: Embeds what is new.
            on_progress: Told how many of the new texts are embedded, and how many there are.

        Raises:
            LibraryError: When the file cannot be opened.
        """
        self._embedder = embedder
        self._on_progress = on_progress
        self._model = MODEL_FINGERPRINT.encode()
        self._lock = threading.Lock()
        self.n_embedded = 0
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(file, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                " WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error) as error:
            raise LibraryError(
                f"The cache of vectors {file} cannot be opened ({error}).",
                "Delete it: it is made anew, which takes some minutes.",
            ) from error

    def end(self) -> None:
        """End the model and close the file."""
        self._embedder.close()
        self._connection.close()

    def close(self) -> None:
        """Do nothing; see `end`."""

    def warm_up(self) -> None:
        """Do nothing: often the model is not needed at all."""

    def keep(self, texts: Sequence[str], vectors: FloatMatrix) -> None:
        """Keep vectors that are known already, shape (n_texts, dimensions)."""
        rows = [
            (self._key(text), np.ascontiguousarray(vector, np.float32).tobytes())
            for text, vector in zip(texts, vectors, strict=True)
        ]
        with self._lock, self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def embed_documents(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatMatrix:
        """Return shape (n_texts, dimensions), float32; new texts by the embedder.

        Raises:
            Cancelled: When `is_cancelled` turned true; what is embedded by then is kept.
            LibraryError: When the model fails.
        """
        known = self._known(texts)
        # Of about the same length, so that little of a step is padding.
        new = sorted({text for text in texts if text not in known}, key=len)
        for start in range(0, len(new), EMBEDDING_STEP):
            step = new[start : start + EMBEDDING_STEP]
            vectors = self._embedder.embed_documents(step, is_cancelled)
            self.keep(step, vectors)
            self.n_embedded += len(step)
            known.update(zip(step, vectors, strict=True))
            self._on_progress(start + len(step), len(new))
        if not texts:
            return np.zeros((0, EMBEDDING_DIMENSIONS), np.float32)
        return np.stack([known[text] for text in texts])

    def embed_passages(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatMatrix:
        """Return shape (n_texts, dimensions), float32; not kept, they depend on the question."""
        return self._embedder.embed_passages(texts, is_cancelled)

    def relevances(
        self, question: str, statements: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatVector:
        """Return shape (n_statements,), float32; not kept, they depend on the question."""
        return self._embedder.relevances(question, statements, is_cancelled)

    def embed_query(self, text: str, is_cancelled: Callable[[], bool] = never) -> FloatVector:
        """Return shape (dimensions,), float32."""
        known = self._known((text,))
        if text in known:
            return known[text]
        vector = self._embedder.embed_query(text, is_cancelled)
        self.keep((text,), vector[np.newaxis])
        return vector

    def _known(self, texts: Sequence[str]) -> dict[str, FloatVector]:
        text_of = {self._key(text): text for text in texts}
        keys = list(text_of)
        found: dict[str, FloatVector] = {}
        for start in range(0, len(keys), _N_ASKED):
            part = keys[start : start + _N_ASKED]
            marks = ", ".join("?" * len(part))
            with self._lock:
                rows = self._connection.execute(
                    f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part
                ).fetchall()
            found.update((text_of[key], np.frombuffer(blob, np.float32)) for key, blob in rows)
        return found

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._model + b"\0" + text.encode("utf-8", "replace")).digest()
