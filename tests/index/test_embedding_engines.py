"""Both engines of the embedded model: equal vectors, and no torch beside onnxruntime."""

from __future__ import annotations

import contextlib
import itertools
import logging
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_qa.index import embedding_engines
from desktop_qa.index.embedder import ModelProcess, is_foreign_model
from desktop_qa.index.embedding_engines import OnnxEngine, load_engine, n_threads
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens, model_folder

_ODD = (
    "",
    " \n\t ",
    "Ω",
    "µA",
    "ADS1115ADS1115" * 40,
    "0x1F 0b1010 −40 °C … 125 °C ±0.5 % ≤ 3.3 V",
    "電源電圧は3.3Vです。動作温度範囲 -40〜85℃",
    "전원 전압은 3.3V입니다",
    "该器件的静态电流为 5 微安。" * 30,
    "ما هو تيار السكون؟",
    "naïve café, Größe, A\u030angstro\u0308m",
    "🙂 🔋 5 V 👩\u200d🔧",
    "zero\u200bwidth\u00a0space\ufeff and \x00 \x07 control",
    "<b>not markup</b> [MASK] [SEP] [CLS] [PAD] [UNK]",
)
_SUBJECTS = ("The supply current", "Table 5-2. Register map", "I2C address", "The reset pin of U1")
_VERBS = ("is specified", "must be set", "rises monotonically", "was removed in revision B")
_ENDS = ("at 25 °C.", "before power-up; see section 7.3.1.", "from 1.8 V to 5.5 V", "(typical) |")


def _texts() -> list[str]:
    """336 texts, from nothing to twice of what the model reads."""
    sentences = [" ".join(words) for words in itertools.product(_SUBJECTS, _VERBS, _ENDS)]
    chance = random.Random(22)
    sizes = [*(chance.randint(1, 5) for _ in range(220)), *[40] * 24]
    long = [" ".join(chance.choices(sentences, k=size)) for size in sizes]
    # Texts that stand among others, too, are padded otherwise and must come out the same.
    return [*_ODD, *sentences, *long, *_ODD]


@pytest.fixture(scope="module")
def vectors() -> dict[str, npt.NDArray[np.float32]]:
    """Of the same texts, by engine; each in the process that the program gives it."""
    found = {}
    for engine in ("onnxruntime", "sentence-transformers"):
        with contextlib.closing(ModelProcess(engine=engine)) as model:
            found[engine] = model.embed_documents(_texts())
    return found


@pytest.mark.process
def test_both_engines_give_equal_vectors_of_any_text(vectors):
    lengths = [count_tokens(text) for text in _texts()]
    assert min(lengths) == 0
    assert sum(length > MAX_EMBEDDED_TOKENS for length in lengths) > 20
    ours, reference = vectors["onnxruntime"], vectors["sentence-transformers"]
    assert ours.shape == reference.shape == (336, 384)
    assert ours.dtype == np.float32
    cosines = (ours * reference).sum(axis=1)
    assert cosines.min() >= 0.9999
    assert np.abs(ours - reference).max() < 1e-5


@pytest.mark.process
def test_a_text_has_the_same_nearest_three_with_either_engine(vectors):
    distinct = [i for i, text in enumerate(_texts()) if i == _texts().index(text)]
    nearest = []
    for found in vectors.values():
        likeness = found[distinct] @ found[distinct].T
        nearest.append([set(row[:3]) for row in np.argsort(-likeness, axis=1, kind="stable")])
    assert nearest[0] == nearest[1]


_STATED = (
    "ABC1 regulator > Electrical characteristics: Dropout voltage, IOUT = 1 A: max 0.5 V.",
    "ABC1 low-dropout regulator > Electrical characteristics: Output voltage noise: typ 30 µV.",
    "ABC1 low-dropout regulator > Ordering information: Reels hold 2,500 parts. "
    + "And so on. " * 60,
    "",
)


@pytest.mark.process
def test_both_engines_search_alike_and_find_statements_equally_relevant():
    found, questions = [], []
    for engine in ("onnxruntime", "sentence-transformers"):
        with contextlib.closing(ModelProcess(engine=engine)) as model:
            found.append(
                model.relevances("What is the dropout voltage of the ABC1 at 1 A?", _STATED)
            )
            assert model.relevances("Anything?", ()).shape == (0,)
            questions.append(model.embed_query("How many amps can it switch?"))
    assert np.allclose(questions[0], questions[1], atol=1e-5)
    assert np.abs(found[0] - found[1]).max() < 0.5  # integers beside floating point: 0.23
    assert found[0].argmax() == 0


def test_a_statement_is_as_relevant_in_every_batch():
    engine = load_engine("onnxruntime", model_folder())
    question = "dropout voltage " * 60
    alone = np.concatenate([engine.relevances(question, (one,)) for one in _STATED])
    assert np.array_equal(alone, engine.relevances(question, _STATED))


def test_a_document_embedded_by_sentence_transformers_before_is_not_stale():
    # As the version that knew no other engine wrote it.
    assert not is_foreign_model("parser 1; segmenter 1; model all-MiniLM-L6-v2/0.1.0")


def test_an_equal_text_has_an_equal_vector_in_every_batch():
    engine = load_engine("onnxruntime", model_folder())
    alone = np.concatenate([engine.embed((text,)) for text in _ODD])
    together = engine.embed(_ODD)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-6)
    assert np.abs(alone - together).max() < 1e-6


@pytest.mark.process
def test_the_embedded_model_runs_without_torch_in_its_process():
    # The process's own entry, whose pipe is closed after one request.
    code = """
import multiprocessing, sys
from desktop_qa.index.embedder_process import EmbedRequest, EmbedResult, ModelLoaded, serve
from desktop_qa.tokens import model_folder
ours, theirs = multiprocessing.Pipe()
ours.send(EmbedRequest(("What is the slew rate?",), True, id=1))
import threading
replies = []
def read():
    replies.extend((ours.recv(), ours.recv()))
    ours.close()
reader = threading.Thread(target=read)
reader.start()
serve(theirs, str(model_folder()), "onnxruntime")
reader.join()
assert [type(reply) for reply in replies] == [ModelLoaded, EmbedResult], replies
heavy = {"torch", "sentence_transformers", "transformers"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=sys.path[0]
    )
    assert done.returncode == 0, done.stderr


def test_sentence_transformers_takes_over_where_onnxruntime_cannot_be_loaded(monkeypatch, caplog):
    class Reference:
        def __init__(self, folder: Path) -> None:
            self.folder = folder

        def embed(self, texts: tuple[str, ...]) -> npt.NDArray[np.float32]:
            return np.zeros((len(texts), 384), np.float32)

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr(embedding_engines, "SentenceTransformersEngine", Reference)
    with caplog.at_level(logging.WARNING):
        engine = load_engine("onnxruntime", model_folder())
    assert isinstance(engine, Reference)
    assert engine.folder == model_folder()
    assert caplog.text.count("onnxruntime cannot be loaded") == 1


def test_a_batch_that_fails_is_an_error_that_the_process_outlives():
    engine = OnnxEngine(model_folder())
    # More positions than the model has: onnxruntime's own error, of no common kind.
    engine._tokenizer.no_truncation()
    with pytest.raises(RuntimeError, match="ONNXRuntimeError"):
        engine.embed(("current " * 600,))


@pytest.mark.parametrize(("wanted", "n"), [("1", 1), ("3", 3)])
def test_the_number_of_threads_is_that_of_the_environment(monkeypatch, wanted, n):
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert n_threads() == n
    assert OnnxEngine(model_folder())._session.get_session_options().intra_op_num_threads == n


@pytest.mark.parametrize("wanted", ["", "0", "4,2", "many"])
def test_a_number_of_threads_that_says_nothing_is_that_of_the_cores(monkeypatch, wanted):
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    monkeypatch.setattr("psutil.cpu_count", lambda logical: None if logical else 6)
    assert n_threads() == 6
