"""Time whole questions over a library: read, embedded, ranked; and answered.

    python -m tests.benchmarks.bench_question ../shared/eval/dev.jsonl --library LIB

Each run opens the library anew, so that no vector of a question is remembered, warms the model with
one question of its own and asks every question of the banks once, one after the other.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import read_bank
from desktop_qa.library.facade import Library

_N_RUNS = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("banks", type=Path, nargs="+")
    arguments.add_argument("--library", type=Path, required=True)
    options = arguments.parse_args()
    questions = [Question(q.question) for bank in options.banks for q in read_bank(bank)]
    for name in ("retrieve", "ask"):
        runs = [_run(options.library, name, questions) for _ in range(_N_RUNS)]
        p50, p95 = ([float(np.percentile(run, share)) for run in runs] for share in (50, 95))
        print(
            f"{name}, {len(questions)} questions, median of {_N_RUNS} runs:"
            f" p50 {1000 * statistics.median(p50):.0f} ms,"
            f" p95 {1000 * statistics.median(p95):.0f} ms"
            f" (p95 of the runs {', '.join(f'{1000 * value:.0f}' for value in p95)})"
        )


def _run(folder: Path, name: str, questions: Sequence[Question]) -> list[float]:
    """Return the seconds of each question."""
    with closing(Library.open(folder, read_only=True)) as library:
        library.ask(Question("Is the model awake?"))
        return _seconds(questions, getattr(library, name))


def _seconds(questions: Sequence[Question], ask: Callable[[Question], object]) -> list[float]:
    seconds = []
    for question in questions:
        started = time.perf_counter()
        ask(question)
        seconds.append(time.perf_counter() - started)
    return seconds


if __name__ == "__main__":
    main()
