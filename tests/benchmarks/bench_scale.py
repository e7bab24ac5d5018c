"""A library of many segments: opening, adding and removing a document, questions, memory.

    python -m tests.benchmarks.bench_scale --segments 100000 --library LIB --bank BANK.jsonl

The library is made of LIB's own segments, varied (see `large_library`), in a folder that is deleted
afterwards unless --keep names it; one that --keep names and that is large enough is used as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import psutil

from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import read_bank
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.index.index_state import best_mean, best_rows
from desktop_qa.index.lexical import terms_of
from desktop_qa.index.records import IndexRow
from desktop_qa.index.store import Store
from desktop_qa.index.vectors import FOLDER_NAME as CHROMA_FOLDER
from desktop_qa.index.vectors import VectorIndex, exact_similarities
from desktop_qa.library.facade import Library
from desktop_qa.retrieve.search_index import SearchIndex
from tests.benchmarks.large_library import Original, Variation, make_large_library, originals, save
from tests.helpers.hashing_embedder import HashingEmbedder

T = TypeVar("T")

_N_ADDED_SEGMENTS = 300
_N_ADDED = 12
_FRESH = 10**6
"""Number of the variation that the added documents are made by: one that no copy has."""


class Stopwatch:
    """Milliseconds by stage; those of the processor too, which others' work disturbs less."""

    def __init__(self) -> None:
        self._ms: dict[str, list[float]] = {}
        self._cpu_ms: dict[str, list[float]] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        started, cpu_started = time.perf_counter(), time.process_time()
        result = work()
        self._cpu_ms.setdefault(stage, []).append(1000 * (time.process_time() - cpu_started))
        self._ms.setdefault(stage, []).append(1000 * (time.perf_counter() - started))
        return result

    def report(self) -> None:
        for stage, ms in self._ms.items():
            p95, cpu_p95 = (float(np.quantile(x, 0.95)) for x in (ms, self._cpu_ms[stage]))
            print(
                f"  {stage:<34} p50 {statistics.median(ms):7.1f}  p95 {p95:7.1f}"
                f"  worst {max(ms):7.1f} ms;  processor p50"
                f" {statistics.median(self._cpu_ms[stage]):7.1f}  p95 {cpu_p95:7.1f} ms"
            )


class _Embedded(HashingEmbedder):
    """Gives the vectors that were computed before; the model is not part of what is measured."""

    def __init__(self, vectors: dict[str, npt.NDArray[np.float32]]) -> None:
        super().__init__()
        self._vectors = vectors

    def embed_query(self, text: str, *_: object) -> npt.NDArray[np.float32]:
        # A question without its part numbers: any vector of the same kind costs the same.
        return self._vectors.get(text, next(iter(self._vectors.values())))

    def relevances(
        self, _question: str, statements: Sequence[str], *_: object
    ) -> npt.NDArray[np.float32]:
        return np.zeros(len(statements), np.float32)


def main() -> None:
    options = _options()
    logging.basicConfig(level=logging.WARNING)
    questions = [question.question for question in read_bank(options.bank)]
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        small = home / "small"
        shutil.copytree(options.library, small)
        with contextlib.closing(Store.open(small)):
            pass  # lifts a copy of an older library
        folder = options.keep or home / "large"
        _make(folder, small, options.segments)
        vectors = _embed(questions)
        print(f"resident before the library is opened: {_resident_mb():.0f} MB")
        _measure_open(folder)
        _measure_changes(folder, small)
        _measure_questions(folder, questions, vectors)
        if options.chroma:
            _measure_chroma(folder, vectors)
    print(f"resident in the end: {_resident_mb():.0f} MB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument("--library", type=Path, required=True, help="a small real library")
    parser.add_argument("--bank", type=Path, required=True, help="questions to ask")
    parser.add_argument("--keep", type=Path, help="where the large library is made and stays")
    parser.add_argument("--chroma", action="store_true", help="also fill and ask Chroma: minutes")
    return parser.parse_args()


def _make(folder: Path, small: Path, n_segments: int) -> None:
    if folder.is_dir():
        with contextlib.closing(Store.open(folder)) as store:
            if sum(s.n_segments for s in store.statuses()) >= n_segments:
                return
        raise SystemExit(f"{folder} holds another library.")
    started = time.perf_counter()
    n_documents = make_large_library(folder, small, n_segments)
    print(f"{n_documents} documents made in {time.perf_counter() - started:.0f} s")


def _embed(questions: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
    with contextlib.closing(ModelProcess()) as model:
        return {question: model.embed_query(question) for question in questions}


def _measure_open(folder: Path) -> None:
    shutil.rmtree(folder / "index", ignore_errors=True)
    with _opened(folder) as (index, seconds):
        print(f"{index.n_segments} segments in {index.n_documents} documents")
        print(f"first opening, indexes built from the store: {seconds:.2f} s")
    opened = []
    for _ in range(5):
        with _opened(folder) as (index, seconds):
            opened.append(seconds)
    size = sum(path.stat().st_size for path in (folder / "index").iterdir())
    print(
        f"opening: median {statistics.median(opened):.2f} s, worst {max(opened):.2f} s;"
        f" index on disk {size / 1e6:.0f} MB"
    )


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[tuple[SearchIndex, float]]:
    started = time.perf_counter()
    with contextlib.closing(Store.open(folder)) as store, _index_of(store) as index:
        snapshot = index.snapshot()
        snapshot.lexical.scores({"current": 1.0})
        yield index, time.perf_counter() - started


@contextlib.contextmanager
def _index_of(store: Store) -> Iterator[SearchIndex]:
    with contextlib.closing(SearchIndex(store)) as index:
        index.load()
        yield index


def _measure_changes(folder: Path, small: Path) -> None:
    """Add, replace and remove documents of 300 segments; the library stays as it was."""
    watch = Stopwatch()
    with contextlib.closing(Store.open(folder)) as store, _index_of(store) as index:
        added = list(islice(_documents_of(small, _N_ADDED_SEGMENTS), _N_ADDED))
        for stage in ("add a document to the index", "replace it"):
            for made in added:
                save(store, made)
                watch.time(stage, lambda made=made: _index_only(index, made))
                watch.time("  first scores after that", lambda: _score(index))
        for made in added:
            store.remove_document(made.document.id)
            watch.time("remove it", lambda made=made: index._parts.remove((made.document.id,)))
            watch.time("  first scores after that", lambda: _score(index))
    print(f"documents of {_N_ADDED_SEGMENTS} segments, Chroma not counted:")
    watch.report()


def _index_only(index: SearchIndex, made: Original) -> None:
    rows = [IndexRow.of(indexed) for indexed in made.segments]
    index._parts.replace(made.document.id, rows, made.vectors)


def _score(index: SearchIndex) -> None:
    snapshot = index.snapshot()
    snapshot.lexical.scores({"supply": 1.0, "current": 1.0})
    snapshot.keyword_counts(("opt3001",), ())


def _documents_of(small: Path, n_segments: int) -> Iterator[Original]:
    """Yield documents of exactly so many segments, in the words of the small library."""
    documents = [d for d in originals(small) if len(d.segments) >= n_segments]
    if not documents:
        raise SystemExit(f"No document of the small library has {n_segments} segments.")
    number = _FRESH
    while True:
        for original in documents:
            cut = Original(
                original.document,
                original.segments[:n_segments],
                original.vectors[:n_segments],
            )
            yield Variation(number).copy(cut)
        number += 1


def _measure_questions(
    folder: Path, questions: Sequence[str], vectors: dict[str, npt.NDArray[np.float32]]
) -> None:
    watch = Stopwatch()
    library = Library.open(folder, read_only=True, embedder=_Embedded(vectors))
    with contextlib.closing(library):
        library.retrieve(Question(questions[0]))
        for question in questions:
            watch.time(
                "a question, without its embedding",
                lambda q=question: library.retrieve(Question(q)),
            )
        for question in questions:
            asked = watch.time(
                "  of it: reading", lambda q=question: library.read_question(Question(q))
            )
            watch.time("  of it: ranking", lambda a=asked: library._retriever.retrieve(a.query, 10))
        index = library._index
        for question in questions:
            watch.time("its documents and codes", library._reader._documents.read)
            snapshot = index.snapshot()
            weights = dict.fromkeys(terms_of(question), 1.0)
            watch.time("lexical", lambda w=weights, s=snapshot: s.lexical.scores(w))
            similar = watch.time(
                "vectors, exact",
                lambda q=question, s=snapshot: exact_similarities(s.state, vectors[q]),
            )
            words = tuple(weights)
            watch.time("keywords", lambda k=words, s=snapshot: s.keyword_counts(k, ()))
            watch.time(
                "best three of each document",
                lambda v=similar, s=snapshot: best_mean(v, s.state.document_numbers, 3),
            )
            watch.time("best 200 rows", lambda v=similar: best_rows(v, 200))
        print(f"{len(questions)} questions:")
        watch.report()
        print(f"resident with the library open: {_resident_mb():.0f} MB")


def _measure_chroma(folder: Path, vectors: dict[str, npt.NDArray[np.float32]]) -> None:
    """Compare the approximate search with the exact one: time, and the share it finds."""
    watch = Stopwatch()
    with contextlib.closing(Store.open(folder)) as store, _index_of(store) as index:
        shutil.rmtree(folder / CHROMA_FOLDER, ignore_errors=True)
        started = time.perf_counter()
        index.check_chroma()
        print(f"Chroma filled in {time.perf_counter() - started:.0f} s")
        chroma: VectorIndex = index._chroma
        shares = []
        snapshot = index.snapshot()
        for vector in vectors.values():
            found = watch.time("Chroma, 1000 nearest", lambda v=vector: chroma.nearest(v, 1000))
            exact = watch.time("exact, all", lambda v=vector: exact_similarities(snapshot.state, v))
            best = {snapshot.state.segment_id(row) for row in best_rows(exact, 1000)}
            shares.append(len(best & {key for key, _ in found}) / len(best))
        watch.report()
        print(f"share of the 1000 nearest that Chroma finds: {statistics.mean(shares):.3f}")


def _resident_mb() -> float:
    return float(psutil.Process().memory_info().rss) / 1e6


if __name__ == "__main__":
    main()
