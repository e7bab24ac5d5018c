"""The model process: the only place where an embedding model is loaded.

Importing torch takes seconds and stalls every thread of the importing process, and a batch keeps
the cores busy, so the model lives in a child. It answers one request after the other, questions
before documents, until its pipe closes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_qa.core.lifeline import end_with_parent, give_way
from desktop_qa.index.embedding_engines import EmbeddingEngine, EngineName, load_engine

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """Texts of one batch; an urgent one (a question) is served before those that wait.

    Attributes:
        id: Of the reply to it; the process that sends it gives one.
        question: What each text may answer; `None` when their vectors are wanted.
        is_search: The texts are questions, documents are searched by their vectors.
    """

    texts: tuple[str, ...]
    urgent: bool
    question: str | None = None
    is_search: bool = False
    id: int = 0


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """Vectors of a batch, shape (n_texts, 384), float32, of length 1.

    With a question: the log odds that each text answers it, shape (n_texts,), float32.
    """

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


def serve(connection: Connection, model_path: str, engine_name: EngineName) -> None:
    """Embed what comes through the pipe until it closes; the entry of the child process."""
    end_with_parent()
    # Before the reading children, because questions wait for it.
    give_way(5)
    # Ctrl+C in a terminal reaches the whole group; the parent decides when the child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # the parent's stdout carries JSON
    # Of the tokenizer's own threads; a batch is cut into tokens in a hundredth of its time.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with contextlib.suppress(EOFError, OSError):
        try:
            engine = load_engine(engine_name, Path(model_path))
        except Exception as error:  # whatever a broken installation raises must reach the user
            logger.exception("The embedding model cannot be loaded")
            connection.send(ModelMissing(f"{type(error).__name__}: {error}"))
            return
        connection.send(ModelLoaded())
        _serve_requests(connection, engine)


def _serve_requests(connection: Connection, engine: EmbeddingEngine) -> None:
    waiting: list[EmbedRequest] = []
    while True:
        while not waiting or connection.poll():
            waiting.append(connection.recv())
        # `min` keeps the order of arrival among equals.
        request = min(waiting, key=lambda waiting_request: not waiting_request.urgent)
        waiting.remove(request)
        reply: Reply
        try:
            reply = EmbedResult(request.id, _computed(engine, request))
        except (MemoryError, RuntimeError, ValueError) as error:
            logger.exception("A batch of %d texts cannot be embedded", len(request.texts))
            reply = EmbedFailure(request.id, f"{type(error).__name__}: {error}")
        connection.send(reply)


def _computed(engine: EmbeddingEngine, request: EmbedRequest) -> npt.NDArray[np.float32]:
    if request.question is not None:
        return engine.relevances(request.question, request.texts)
    return engine.embed(request.texts, is_search=request.is_search)
