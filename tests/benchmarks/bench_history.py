"""How long a large history takes: `python -m tests.benchmarks.bench_history [N]`.

Keeps N answers (50 000) in a library of its own and prints milliseconds of what the window does.
"""

from __future__ import annotations

import contextlib
import random
import statistics
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path

from desktop_qa.core.answer import Citation, Evidence, Hit, Route
from desktop_qa.index.store import Store
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import make_sample

_N_RUNS = 20
_WORDS = (
    *("supply", "voltage", "current", "offset", "input", "output", "typical", "maximum", "range"),
    *("temperature", "drift", "noise", "bandwidth", "gain", "package", "reset", "register"),
    *("interface", "clock", "power", "dissipation", "thermal", "resistance"),
)


def main() -> None:
    """Fill a library, then time its list, its searches and its entries."""
    n_answers = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Store.open(Path(folder))) as store,
    ):
        started = time.perf_counter()
        last = fill(store, n_answers)
        kept = (time.perf_counter() - started) / n_answers
        size = sum(path.stat().st_size for path in store.folder.rglob("*")) / n_answers
        print(f"{n_answers} answers; {kept * 1000:.2f} ms and {size / 1024:.1f} KiB for each")
        for name, work in work_of(store, n_answers, last).items():
            seconds = timeit.repeat(work, number=1, repeat=_N_RUNS)
            print(f"{name:32} {statistics.median(seconds) * 1000:8.1f} ms")


def fill(store: Store, n_answers: int) -> int:
    """Keep answers with eight pieces of evidence, as long as real ones; return the last id."""
    draw = random.Random(1)
    segments = [indexed.segment for indexed in make_sample("DQA1", ("one " * 120,) * 8).segments]
    last = 0
    for number in range(n_answers):
        words = " ".join(draw.choices(_WORDS, k=80))
        part = f"PRT{draw.randrange(10_000):04d}"
        hit = Hit(segments[0].id, Route.VECTOR, 1, 0.9)
        evidence = tuple(Evidence(n, s, 0.9, (hit,)) for n, s in enumerate(segments, start=1))
        citation = Citation(
            1, segments[0].id, segments[0].document_id, segments[0].provenances, ("5 mA",)
        )
        question = f"What is the {draw.choice(_WORDS)} of the {part}?"
        text = said(f"{words} [1]")
        answer = make_answer(question, text, citations=(citation,), evidence=evidence)
        last = store.add_history(answer, {"top_k": 8}, asked_at=1e9 + 60 * number)
    return last


def work_of(store: Store, n_answers: int, last: int) -> dict[str, Callable[[], object]]:
    """Return what is timed by its name."""
    return {
        "first page": lambda: (store.search_history(limit=60), store.count_history()),
        "last page": lambda: store.search_history(limit=60, offset=n_answers - 60),
        "search, rare (one part)": lambda: found(store, "PRT0042"),
        "search, common (a word of most)": lambda: found(store, "supply"),
        "search, beginnings of words": lambda: found(store, "su vol PRT00"),
        "search, unspaced script": lambda: found(store, "电压"),
        "one entry": lambda: store.history_entry(last),
        "delete and take back": lambda: (
            store.delete_history((last,)),
            store.restore_history((last,)),
        ),
    }


def found(store: Store, words: str) -> object:
    """Do what a search of the window does."""
    return store.search_history(words, 60), store.count_history(words)


if __name__ == "__main__":
    main()
