"""The model process: the only place where torch and sentence-transformers are imported.

Importing them takes seconds and stalls every thread of the importing process, so they live in a
child. It answers one request after the other, questions before documents, until its pipe closes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from desktop_qa.core.lifeline import end_with_parent, give_way

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """Texts of one batch; an urgent one (a question) is served before those that wait."""

    id: int
    texts: tuple[str, ...]
    urgent: bool


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """Vectors of a batch, shape (n_texts, 384), float32, of length 1."""

    request_id: int
    vectors: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedFailure:
    """A batch that could not be embedded, and why."""

    request_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class ModelLoaded:
    """The model is in memory."""


@dataclass(frozen=True, slots=True)
class ModelMissing:
    """The model cannot be loaded, and why; the child ends after this."""

    reason: str


Reply = EmbedResult | EmbedFailure | ModelLoaded | ModelMissing


class _Model(Protocol):
    def encode(self, texts: Sequence[str], **options: Any) -> npt.NDArray[np.float32]: ...


def serve(connection: Connection, model_path: str) -> None:
    """Embed what comes through the pipe until it closes; the entry of the child process."""
    end_with_parent()
    # Before the reading children, because questions wait for it.
    give_way(5)
    # Ctrl+C in a terminal reaches the whole group; the parent decides when the child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # the parent's stdout carries JSON
    try:
        model = _load(model_path)
    except Exception as error:  # whatever a broken installation raises must reach the user
        logger.exception("The embedding model cannot be loaded")
        _send(connection, ModelMissing(f"{type(error).__name__}: {error}"))
        return
    _send(connection, ModelLoaded())
    with contextlib.suppress(EOFError, OSError):
        _serve_requests(connection, model)


def _load(model_path: str) -> _Model:
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        TRANSFORMERS_VERBOSITY="error",
        TOKENIZERS_PARALLELISM="false",
        TQDM_DISABLE="1",
        # Waiting threads that spin take the cores from the reading children: measured beside one
        # of them, 8 segments per second of processor time spinning and 12 to 14 without.
        OMP_WAIT_POLICY="PASSIVE",
        KMP_BLOCKTIME="0",
    )
    import tqdm.std  # type: ignore[import-untyped]

    # Its lock between processes would be reported as leaked on stderr when the child is killed.
    tqdm.std.TqdmDefaultWriteLock.mp_lock = None
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(os.cpu_count() or 1)
    torch.set_grad_enabled(False)
    model: _Model = SentenceTransformer(model_path, device="cpu", local_files_only=True)
    _embed(model, ("warm up",))
    return model


def _embed(model: _Model, texts: tuple[str, ...]) -> npt.NDArray[np.float32]:
    vectors = model.encode(
        texts, batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False
    )
    return np.ascontiguousarray(vectors, np.float32)


def _serve_requests(connection: Connection, model: _Model) -> None:
    waiting: list[EmbedRequest] = []
    while True:
        while not waiting or connection.poll():
            waiting.append(connection.recv())
        # `min` keeps the order of arrival among equals.
        request = min(waiting, key=lambda waiting_request: not waiting_request.urgent)
        waiting.remove(request)
        reply: Reply
        try:
            reply = EmbedResult(request.id, _embed(model, request.texts))
        except (MemoryError, RuntimeError, ValueError) as error:
            logger.exception("A batch of %d texts cannot be embedded", len(request.texts))
            reply = EmbedFailure(request.id, f"{type(error).__name__}: {error}")
        connection.send(reply)


def _send(connection: Connection, reply: Reply) -> None:
    with contextlib.suppress(BrokenPipeError, OSError):
        connection.send(reply)
