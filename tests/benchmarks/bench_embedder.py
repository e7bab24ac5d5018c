"""Both engines of the embedded model side by side: `python -m tests.benchmarks.bench_embedder LIB`.

LIB is an indexed library; its segments are embedded anew, in turns by onnxruntime and by
sentence-transformers, in their own processes, so that other work on the machine falls on both.
Then the vectors are compared: with each other, and with those that the library holds. With
`--segments 0` onnxruntime embeds the whole library, to be compared with what it holds.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psutil

from desktop_qa.index.embedder import ModelProcess
from desktop_qa.index.embedding_engines import EngineName
from desktop_qa.index.store import Store
from desktop_qa.library.ingest import EMBEDDING_STEP
from tests.helpers import command_line

_ENGINES: tuple[EngineName, ...] = ("onnxruntime", "sentence-transformers")
_TURNS = 4
_N_QUESTIONS = 20
_STARTS = 3
_START = """
import contextlib, psutil, time
from desktop_qa.index.embedder import ModelProcess
if __name__ == "__main__":
    with contextlib.closing(ModelProcess(engine={engine!r})) as model:
        model.embed_query("What is the slew rate?")
        seconds = time.time() - psutil.Process().create_time()
        child = psutil.Process(model.pid).memory_info().rss
        print(seconds, child / 1e6)
"""


def start(engine: EngineName, folder: Path) -> tuple[float, float]:
    """Seconds from a fresh process to its first embedded question; MB of the model process."""
    file = folder / "start.py"
    file.write_text(_START.format(engine=engine), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file)],
        env=command_line.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


class Contestant:
    """An engine in its process, and what it has used."""

    def __init__(self, engine: EngineName) -> None:
        self.engine = engine
        self.model = ModelProcess(engine=engine)
        self.model.embed_query("load it")
        self.seconds = 0.0
        self.processor_s = 0.0
        self.n_texts = 0
        self.waits: list[float] = []

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self.model.pid)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        before, started = self.process.cpu_times(), time.perf_counter()
        steps = range(0, len(texts), EMBEDDING_STEP)
        found = [self.model.embed_documents(texts[i : i + EMBEDDING_STEP]) for i in steps]
        self.seconds += time.perf_counter() - started
        after = self.process.cpu_times()
        self.processor_s += after.user + after.system - before.user - before.system
        self.n_texts += len(texts)
        return np.concatenate(found)

    def ask_beside(self, texts: Sequence[str]) -> None:
        """Embed questions while documents are embedded, and note how long each took."""
        with ThreadPoolExecutor(1) as ingest:
            work = ingest.submit(self.embed, texts)
            for i in range(_N_QUESTIONS):
                started = time.perf_counter()
                self.model.embed_query(f"What is the supply current of device {i}?")
                if not work.done():
                    self.waits.append(time.perf_counter() - started)
            work.result()

    def report(self) -> str:
        waits = sorted(self.waits) or [0.0]
        return (
            f"{self.engine}: {self.n_texts / self.seconds:.1f} segments/s,"
            f" {1000 * self.processor_s / self.n_texts:.1f} ms of processor time each,"
            f" {self.process.memory_info().rss / 1e6:.0f} MB; a question beside it"
            f" {1000 * statistics.median(waits):.0f} ms (median), {1000 * waits[-1]:.0f} ms (worst"
            f" of {len(waits)})"
        )


def compared(name: str, one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> str:
    return (
        f"{name}: {len(one)} vectors, least cosine {float((one * other).sum(axis=1).min()):.7f},"
        f" largest difference {float(np.abs(one - other).max()):.1e}"
    )


def _segments(library: Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    with contextlib.closing(Store.open(library, read_only=True)) as store:
        ids, vectors = store.embeddings()
        texts = [segment.embedded_text for segment in store.segments(ids)]
    return texts, vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--segments", type=int, default=480)
    options = parser.parse_args()
    texts, stored = _segments(options.library)
    if not options.segments:
        whole = Contestant("onnxruntime")
        with contextlib.closing(whole.model):
            print(compared("as stored", whole.embed(texts), stored))
            print(whole.report())
        return
    for engine in _ENGINES:
        runs = [start(engine, options.library) for _ in range(_STARTS)]
        seconds = [run[0] for run in runs]
        print(
            f"{engine}: first question {statistics.median(seconds):.2f} s after the start"
            f" ({min(seconds):.2f} to {max(seconds):.2f}), {runs[0][1]:.0f} MB"
        )
    chosen = random.Random(1).sample(range(len(texts)), min(options.segments, len(texts)))
    contestants = [Contestant(engine) for engine in _ENGINES]
    parts: dict[str, list[npt.NDArray[np.float32]]] = {engine: [] for engine in _ENGINES}
    for turn in range(_TURNS):
        share = [texts[i] for i in chosen[turn::_TURNS]]
        for contestant in contestants:
            parts[contestant.engine].append(contestant.embed(share))
    order = [i for turn in range(_TURNS) for i in chosen[turn::_TURNS]]
    ours, reference = (np.concatenate(parts[engine]) for engine in _ENGINES)
    print(compared("each other", ours, reference))
    print(compared("as stored", ours, stored[order]))
    for contestant in contestants:
        contestant.ask_beside([texts[i] for i in chosen[: 2 * EMBEDDING_STEP]])
        print(contestant.report())
        contestant.model.close()


if __name__ == "__main__":
    main()
