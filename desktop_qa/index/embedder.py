"""Turns texts into vectors, in a process of its own."""

from __future__ import annotations

import contextlib
import itertools
import logging
import multiprocessing
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import psutil

from desktop_qa.core.errors import Cancelled, LibraryError
from desktop_qa.index.embedder_process import (
    EmbedFailure,
    EmbedRequest,
    EmbedResult,
    ModelLoaded,
    ModelMissing,
    Reply,
    serve,
)
from desktop_qa.index.embedding_engines import MAX_PAIR_TOKENS, EngineName
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens, model_folder, windows_of

logger = logging.getLogger(__name__)

FloatMatrix = npt.NDArray[np.float32]
FloatVector = npt.NDArray[np.float32]

MODEL_FINGERPRINT = "all-MiniLM-L6-v2/0.1.0"
"""Name and version of the model: vectors of another one cannot be compared with its own.

Not of the engine: both give equal vectors, and a library of either is up to date.
"""

_MODEL_MARK = "model "
"""Stands before the model in the fingerprint of a document."""

EMBEDDING_DIMENSIONS = 384

MEMORY_LIMIT_BYTES = 2 * 1024**3
BATCH_TIME_LIMIT_S = 180.0
"""A batch takes a tenth of a second; on sentence-transformers the first one waits ten for torch."""

MAX_QUERY_WINDOWS = 4
"""Of a question longer than the model reads: as much as one batch."""

MAX_BATCH_TOKENS = 512
"""Padded tokens of a batch: a question waits for at most one of them.

On two cores 1024 took 4 % more processor time a text, and 6 % more of it was padding.
"""

MAX_BATCH_TEXTS = 32

N_CACHED_QUERIES = 256
N_CACHED_PASSAGES = 4096
N_CACHED_RELEVANCES = 4096
_POLL_S = 0.2


class Embedder(Protocol):
    """What turns texts into vectors of length 1; its methods may be called from any thread."""

    def embed_documents(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = ...
    ) -> FloatMatrix:
        """Return shape (n_texts, n_dimensions), float32, in the order of the texts."""
        ...

    def embed_query(self, text: str, is_cancelled: Callable[[], bool] = ...) -> FloatVector:
        """Return what documents are searched by, shape (n_dimensions,), float32.

        It is comparable with the vectors of documents, not with those of other questions.
        """
        ...

    def embed_passages(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = ...
    ) -> FloatMatrix:
        """Embed short texts that a question waits for, shape (n_texts, 384), rows of length 1."""

    def relevances(
        self, question: str, statements: Sequence[str], is_cancelled: Callable[[], bool] = ...
    ) -> FloatVector:
        """Return the log odds that each statement answers a question, shape (n_statements,)."""
        ...

    def warm_up(self) -> None:
        """Start loading whatever takes time; returns at once."""
        ...

    def close(self) -> None:
        """Free what it holds; calls under way fail."""
        ...


_K = TypeVar("_K")
_V = TypeVar("_V")


def never() -> bool:
    """Cancel nothing."""
    return False


class _ChildLostError(Exception):
    """The child ended before it answered; never leaves this module."""


class _Child:
    """One life of the model process: requests go in, futures come true."""

    def __init__(self, engine: EngineName) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        # A daemon, so that a parent that forgets `close` can still end; when the parent is killed
        # the pipe closes and the child ends by itself.
        self._process = context.Process(
            target=serve,
            args=(theirs, str(model_folder()), engine),
            name="desktop-qa-model",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._pending: dict[int, Future[FloatMatrix]] = {}
        self._lost_because: Exception | None = None
        self.loaded = threading.Event()
        self._reader = threading.Thread(target=self._read, name="model-replies", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def is_lost(self) -> bool:
        return self._lost_because is not None

    def submit(self, request: EmbedRequest) -> Future[FloatMatrix]:
        future: Future[FloatMatrix] = Future()
        with self._lock:
            if self._lost_because is not None:
                future.set_exception(self._lost_because)
                return future
            request = replace(request, id=next(self._ids))
            self._pending[request.id] = future
            # A send that fails is answered by the reader: the pipe has closed.
            with contextlib.suppress(OSError):
                self._connection.send(request)
        return future

    def _read(self) -> None:
        reason: Exception = _ChildLostError("it ended unexpectedly")
        try:
            while True:
                reply: Reply = self._connection.recv()
                match reply:
                    case ModelLoaded():
                        self.loaded.set()
                    case ModelMissing():
                        reason = LibraryError(
                            f"The embedding model cannot be loaded ({reply.reason}).",
                            "Install the program again.",
                        )
                    case EmbedResult() | EmbedFailure():
                        self._answer(reply)
        except (EOFError, OSError):
            with self._lock:
                self._lost_because = reason
                pending, self._pending = self._pending, {}
            for future in pending.values():
                future.set_exception(reason)

    def _answer(self, reply: EmbedResult | EmbedFailure) -> None:
        with self._lock:
            future = self._pending.pop(reply.request_id, None)
        if future is None:
            return
        if isinstance(reply, EmbedResult):
            future.set_result(reply.vectors)
        else:
            future.set_exception(
                LibraryError(
                    f"The embedding model failed ({reply.reason}).",
                    "Close other programs if memory is short, then try again.",
                )
            )

    def resident_bytes(self) -> int:
        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def end(self) -> None:
        """Kill the child, which keeps nothing, and free the pipe; what is pending fails."""
        self._process.kill()
        self._process.join(timeout=3)
        self._reader.join(timeout=3)
        self._connection.close()


class ModelProcess:
    """The embedding model in a child process, shared by ingest and questions.

    The child is started by the first call or by `warm_up`, watched for memory and time, and
    started anew when it is lost. Vectors of both engines are equal but for rounding.
    """

    def __init__(self, *, engine: EngineName = "onnxruntime") -> None:
        self._engine: EngineName = engine
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False
        self._queries: OrderedDict[str, FloatVector] = OrderedDict()
        self._passages: OrderedDict[str, FloatVector] = OrderedDict()
        self._relevances: OrderedDict[tuple[str, str], float] = OrderedDict()

    @property
    def pid(self) -> int | None:
        """Of the running child, for watchers of memory."""
        child = self._child
        return None if child is None or child.is_lost else child.pid

    @property
    def is_loaded(self) -> bool:
        """True when the next call does not have to wait for the model to load."""
        child = self._child
        return child is not None and child.loaded.is_set() and not child.is_lost

    def warm_up(self) -> None:
        """Start loading the model; returns at once.

        Raises:
            LibraryError: When the model is not installed.
        """
        self._running_child()

    def close(self) -> None:
        """End the child; calls under way fail, later ones too."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.end()

    def embed_documents(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatMatrix:
        """Embed the texts of a document; the same texts give the same vectors, bit by bit.

        Args:
            texts: Each of at most `tokens.MAX_EMBEDDED_TOKENS`; the model does not see the rest of
                a longer one, which is logged.
            is_cancelled: Asked several times a second.

        Returns:
            Shape (n_texts, 384), float32, rows of length 1.

        Raises:
            Cancelled: When `is_cancelled` turned true.
            LibraryError: When the model fails, or its process was lost twice.
        """
        lengths = [count_tokens(text) for text in texts]
        n_too_long = sum(length > MAX_EMBEDDED_TOKENS for length in lengths)
        if n_too_long:
            logger.warning(
                "%d of %d texts exceed the %d tokens the model reads; their ends are not embedded",
                n_too_long,
                len(texts),
                MAX_EMBEDDED_TOKENS,
            )
        return self._in_batches(texts, lengths, False, is_cancelled)

    def embed_passages(
        self, texts: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatMatrix:
        """Embed texts that a question waits for, before all documents that wait.

        The latest ones are remembered: questions on one document compare the same sentences.

        Args:
            texts: The model reads `tokens.MAX_EMBEDDED_TOKENS` of each.
            is_cancelled: Asked several times a second.

        Returns:
            Shape (n_texts, 384), float32, rows of length 1.

        Raises:
            Cancelled: When `is_cancelled` turned true.
            LibraryError: When the model fails, or its process was lost twice.
        """
        vectors = self._remembered(
            self._passages,
            N_CACHED_PASSAGES,
            texts,
            lambda new: self._in_batches(new, [count_tokens(t) for t in new], True, is_cancelled),
        )
        return np.stack(vectors) if vectors else np.zeros((0, EMBEDDING_DIMENSIONS), np.float32)

    def embed_query(self, text: str, is_cancelled: Callable[[], bool] = never) -> FloatVector:
        """Embed what is searched for, before all documents that wait; the latest are remembered.

        By a model of its own (`embedding_engines`): two questions are compared by
        `embed_passages`. What is longer than the model reads has the mean direction of its pieces.

        Returns:
            Shape (384,), float32, of length 1, read-only.

        Raises:
            Cancelled: When `is_cancelled` turned true.
            LibraryError: When the model fails, or its process was lost twice.
        """
        return self._remembered(
            self._queries, N_CACHED_QUERIES, [text], lambda _: [self._of_query(text, is_cancelled)]
        )[0]

    def _of_query(self, text: str, is_cancelled: Callable[[], bool]) -> FloatVector:
        pieces = windows_of(text, MAX_EMBEDDED_TOKENS, MAX_QUERY_WINDOWS)
        request = EmbedRequest(tuple(pieces), urgent=True, is_search=True)
        vectors, _ = self._request(request, is_cancelled, 1)
        vector: FloatVector = vectors[0]
        if len(pieces) > 1:
            vector = vectors.mean(axis=0)
            vector /= max(float(np.linalg.norm(vector)), 1e-9)
        vector.setflags(write=False)
        return vector

    def relevances(
        self, question: str, statements: Sequence[str], is_cancelled: Callable[[], bool] = never
    ) -> FloatVector:
        """Compare statements with a question, before all documents that wait.

        The latest ones are remembered: an answer is chosen and trusted by the same statements.

        Args:
            question: The model reads `embedding_engines.MAX_QUESTION_TOKENS` of it.
            statements: Of both together it reads `MAX_PAIR_TOKENS`.
            is_cancelled: Asked several times a second.

        Returns:
            The log odds that each answers the question, shape (n_statements,), float32.

        Raises:
            Cancelled: When `is_cancelled` turned true.
            LibraryError: When the model fails, or its process was lost twice.
        """

        def compare(new: list[str]) -> FloatVector:
            lengths = [min(count_tokens(f"{question} {text}"), MAX_PAIR_TOKENS) for text in new]
            return self._in_batches(new, lengths, True, is_cancelled, question)

        keys = [(question, statement) for statement in statements]
        odds = self._remembered(
            self._relevances, N_CACHED_RELEVANCES, keys, lambda new: compare([t for _, t in new])
        )
        return np.array(odds, np.float32)

    def _remembered(
        self,
        memory: OrderedDict[_K, _V],
        n_most: int,
        keys: Sequence[_K],
        compute: Callable[[list[_K]], Iterable[_V]],
    ) -> list[_V]:
        """Return the values of keys, computed where they are not remembered; keep the latest."""
        with self._lock:
            known = {key: memory[key] for key in keys if key in memory}
        new = [key for key in dict.fromkeys(keys) if key not in known]
        known.update(zip(new, compute(new) if new else (), strict=True))
        with self._lock:
            for key in known:
                memory[key] = known[key]
                memory.move_to_end(key)
            while len(memory) > n_most:
                memory.popitem(last=False)
        return [known[key] for key in keys]

    def _in_batches(
        self,
        texts: Sequence[str],
        lengths: Sequence[int],
        urgent: bool,
        is_cancelled: Callable[[], bool],
        question: str | None = None,
    ) -> FloatMatrix:
        """Embed texts, or compare them with a question."""
        shape = (len(texts),) if question is not None else (len(texts), EMBEDDING_DIMENSIONS)
        found = np.zeros(shape, np.float32)
        n_restarts = 1
        for batch in batches_of(lengths):
            request = EmbedRequest(tuple(texts[i] for i in batch), urgent, question)
            found[batch], n_restarts = self._request(request, is_cancelled, n_restarts)
        return found

    def _request(
        self, request: EmbedRequest, is_cancelled: Callable[[], bool], n_restarts: int
    ) -> tuple[FloatMatrix, int]:
        """Embed or compare one batch; also return how many restarts are left to the caller."""
        while True:
            child = self._running_child()
            try:
                return self._wait(child, child.submit(request), is_cancelled), n_restarts
            except _ChildLostError as lost:
                if self._closed:
                    raise Cancelled from lost
                logger.warning("The model process was lost: %s", lost)
                if n_restarts == 0:
                    raise LibraryError(
                        f"The embedding model failed twice: {lost}.",
                        "Close other programs if memory is short, then try again.",
                    ) from lost
                n_restarts -= 1

    def _wait(
        self, child: _Child, future: Future[FloatMatrix], is_cancelled: Callable[[], bool]
    ) -> FloatMatrix:
        deadline = time.monotonic() + BATCH_TIME_LIMIT_S
        while True:
            if is_cancelled():
                raise Cancelled
            try:
                return future.result(timeout=_POLL_S)
            except TimeoutError:
                self._check_limits(child, deadline)

    def _check_limits(self, child: _Child, deadline: float) -> None:
        reason = ""
        if time.monotonic() > deadline:
            reason = f"a batch took more than {BATCH_TIME_LIMIT_S:.0f} s"
        elif child.resident_bytes() > MEMORY_LIMIT_BYTES:
            reason = f"it took more than {MEMORY_LIMIT_BYTES / 1024**3:.1f} GB of memory"
        if reason:
            child.end()
            raise _ChildLostError(reason)

    def _running_child(self) -> _Child:
        with self._lock:
            if self._closed:
                raise Cancelled("The embedding model is closed.")
            if self._child is not None and self._child.is_lost:
                self._child.end()
                self._child = None
            if self._child is None:
                self._child = _Child(self._engine)
            return self._child


def batches_of(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield indices of texts of similar length, so that little of a batch is padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        padded = min(lengths[batch[0] if batch else index], MAX_EMBEDDED_TOKENS) + 2
        is_full = len(batch) == MAX_BATCH_TEXTS or (len(batch) + 1) * padded > MAX_BATCH_TOKENS
        if batch and is_full:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def embedding_model(fingerprint: str) -> str:
    """Return the part of a document's fingerprint that names the model; empty when none does."""
    return fingerprint.partition(_MODEL_MARK)[2].partition(";")[0].strip()


def is_foreign_model(fingerprint: str) -> bool:
    """Tell whether the vectors of a document are those of another model than the present one."""
    return embedding_model(fingerprint) not in ("", MODEL_FINGERPRINT)


def of_present_model(fingerprint: str) -> str:
    """Return a document's fingerprint as it is once its vectors are of the present model."""
    model = embedding_model(fingerprint)
    return fingerprint.replace(_MODEL_MARK + model, _MODEL_MARK + MODEL_FINGERPRINT)


def differs_in_model_only(fingerprint: str, present: str) -> bool:
    """Tell whether a document would be read the same today, and only embedded otherwise."""
    return is_foreign_model(fingerprint) and of_present_model(fingerprint) == present
