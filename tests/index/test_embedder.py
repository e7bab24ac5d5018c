"""The real model in its real process: started once for all tests of this file."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil
import pytest

from desktop_qa.core.errors import Cancelled, LibraryError
from desktop_qa.index import embedder
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens

pytestmark = pytest.mark.process


def _kill(model: ModelProcess) -> int:
    assert model.pid is not None
    pid = model.pid
    child = psutil.Process(pid)
    child.kill()
    # Its parent's reader thread notices the closed pipe.
    _wait_until(lambda: model.pid != pid)
    return pid


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _wait_for_work(model: ModelProcess) -> None:
    """Wait until the process has a batch: no guess at how fast the machine is."""
    _wait_until(lambda: model._child is not None and bool(model._child._pending))


def test_similar_sentences_are_closer_and_vectors_have_length_one(model):
    texts = (
        "The supply current is 5 mA at 25 degrees.",
        "Typical power consumption of the device",
        "Legal notices and warranty conditions",
    )
    vectors = model.embed_documents(texts)
    question = model.embed_query("How much current does it draw?")
    assert vectors.shape == (3, embedder.EMBEDDING_DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    current, power, legal = (vectors @ question).tolist()
    assert current > power > legal
    assert current > 0.25


def test_a_question_in_other_words_is_near_to_what_is_printed(model):
    question = "How hot may it get before it dies?"
    printed = model.embed_documents(
        (
            "Absolute maximum ratings: junction temperature 150 °C",
            "Thermal pad: solder it to the ground plane",
        )
    )
    plain = printed @ model.embed_passages((question,))[0]
    fitted = printed @ model.embed_query(question)
    assert fitted[0] - fitted[1] > plain[0] - plain[1]


def test_the_parent_never_imports_torch(model):
    model.embed_query("torch?")
    assert "torch" not in sys.modules
    assert "sentence_transformers" not in sys.modules


def test_rows_follow_the_texts_whatever_their_lengths(model):
    texts = [f"register {i} " + "clock source " * (i * 7 % 40) for i in range(40)]
    together = model.embed_documents(texts)
    for i in (0, 13, 39):
        alone = model.embed_passages((texts[i],))[0]
        assert together[i] @ alone == pytest.approx(1.0, abs=1e-4)
    assert np.array_equal(together, model.embed_documents(texts))


def test_no_text_gives_no_rows(model):
    assert model.embed_documents(()).shape == (0, 384)


def test_the_last_token_within_the_limit_still_counts(model):
    words = " ".join(["current"] * (MAX_EMBEDDED_TOKENS - 1))
    assert count_tokens(f"{words} voltage") == MAX_EMBEDDED_TOKENS
    a, b = model.embed_documents((f"{words} voltage", f"{words} elephant"))
    assert not np.allclose(a, b, atol=1e-5)


def test_a_text_beyond_the_limit_is_told_in_the_log(model, caplog):
    with caplog.at_level(logging.WARNING):
        model.embed_documents(("short", "current " * (MAX_EMBEDDED_TOKENS + 1)))
    assert "1 of 2 texts exceed" in caplog.text


def test_a_known_question_is_remembered(model):
    first = model.embed_query("What is the slew rate?")
    assert model.embed_query("What is the slew rate?") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0.0


def test_the_end_of_a_long_question_counts(model):
    filler = "The device is specified for operation over the whole range. " * 30
    short = model.embed_query("How is the humidity sensor calibrated?")
    plain = model.embed_query(filler)
    long = model.embed_query(f"{filler} How is the humidity sensor calibrated?")
    assert float(np.linalg.norm(long)) == pytest.approx(1.0, abs=1e-5)
    assert float(long @ short) > float(plain @ short) + 0.02


def test_a_question_is_answered_while_a_long_batch_runs(model):
    texts = ["supply voltage of the analog section " * 30] * 120
    with ThreadPoolExecutor(1) as ingest:
        work = ingest.submit(model.embed_documents, texts)
        _wait_for_work(model)
        model.embed_query("And meanwhile, what is the reset value?")
        assert not work.done(), "the question waited for the whole batch"
        assert work.result().shape == (120, 384)


def test_embedding_stops_when_it_is_cancelled(model):
    cancelled = threading.Event()
    with ThreadPoolExecutor(1) as ingest:
        work = ingest.submit(
            model.embed_documents, ["supply voltage " * 100] * 200, cancelled.is_set
        )
        _wait_for_work(model)
        cancelled.set()
        # Without the cancel it would end with 200 vectors.
        with pytest.raises(Cancelled):
            work.result()


def test_a_killed_child_is_replaced_and_its_batch_repeated(model, caplog):
    texts = [f"threshold {i} of the comparator " * 12 for i in range(60)]
    expected = model.embed_documents(texts)
    with caplog.at_level(logging.WARNING), ThreadPoolExecutor(1) as ingest:
        work = ingest.submit(model.embed_documents, texts)
        _wait_for_work(model)
        killed = _kill(model)
        assert np.array_equal(work.result(), expected)
    assert model.pid != killed
    assert "was lost" in caplog.text


def test_a_child_that_takes_too_much_memory_is_given_up_with_a_hint(caplog, monkeypatch):
    monkeypatch.setattr(embedder, "MEMORY_LIMIT_BYTES", 1024**2)
    with caplog.at_level(logging.WARNING), contextlib.closing(ModelProcess()) as small:
        with pytest.raises(LibraryError, match="failed twice: it took more than") as caught:
            small.embed_documents(["supply current"])
        assert "memory" in caught.value.hint


def test_a_model_that_is_damaged_is_told_once(monkeypatch, tmp_path):
    monkeypatch.setattr(embedder, "model_folder", lambda: tmp_path)
    with (
        contextlib.closing(ModelProcess()) as broken,
        pytest.raises(LibraryError, match="cannot be loaded"),
    ):
        broken.embed_query("anything")


def test_nothing_is_embedded_after_closing():
    closed = ModelProcess()
    closed.close()
    with pytest.raises(Cancelled):
        closed.embed_query("late")
