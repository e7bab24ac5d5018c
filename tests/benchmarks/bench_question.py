"""Time whole questions over a library: read, embedded, ranked; and answered.

    python -m tests.benchmarks.bench_question ../shared/eval/dev.jsonl --library LIB

Each run asks every question of the bank once, one after the other, as a person's next question
comes when the last is answered. The first pass warms the model and is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from desktop_qa.evaluate.bank import read_bank
from desktop_qa.library import Library


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("banks", type=Path, nargs="+")
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--runs", type=int, default=5)
    options = arguments.parse_args()
    questions = [q.question for bank in options.banks for q in read_bank(bank)]
    library = Library.open(options.library, read_only=True)
    try:
        for name, ask in (("retrieved", library.retrieve), ("answered", library.ask)):
            _seconds(questions, ask)
            runs = [_seconds(questions, ask) for _ in range(options.runs)]
            p50, p95 = (
                [float(np.percentile(seconds, share)) for seconds in runs] for share in (50, 95)
            )
            print(
                f"{name}, {len(questions)} questions, median of {options.runs} runs:"
                f" p50 {1000 * statistics.median(p50):.0f} ms,"
                f" p95 {1000 * statistics.median(p95):.0f} ms"
                f" (p95 of the runs {', '.join(f'{1000 * value:.0f}' for value in p95)})"
            )
    finally:
        library.close()


def _seconds(questions: Sequence[str], ask: Callable[[str], object]) -> list[float]:
    seconds = []
    for question in questions:
        started = time.perf_counter()
        ask(question)
        seconds.append(time.perf_counter() - started)
    return seconds


if __name__ == "__main__":
    main()
