"""Selecting and finding in an open document: `python -m tests.benchmarks.bench_page_text FOLDER`.

FOLDER is the shared folder with `library/TI_ADS1261.pdf`. Each figure is the median of five runs,
by the clock and in processor time of the text process, which alone counts on a busy machine; the
cold ones have a process of their own. A document of 1000 pages is made.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pymupdf

from desktop_qa.core.page_text import TextQuery, TextSpan
from desktop_qa.service.page_texts import PageTexts

N_RUNS = 5
Cost = tuple[float, float]
"""Seconds by the clock, and of the processor."""

RARE, FREQUENT, ABSENT = "noise-free bits", "the", "zebra crossing"


def make_thousand_pages(path: Path) -> Path:
    """Write 1000 pages of 45 lines."""
    document = pymupdf.open()
    for number in range(1, 1001):
        page = document.new_page()
        lines = [
            f"Line {line} of page {number}: the converter holds its last value until the next one"
            for line in range(45)
        ]
        page.insert_text((56, 80), lines, fontsize=9)
    document.save(path, deflate=True)
    document.close()
    return path


def search(texts: PageTexts, path: str, words: str) -> tuple[int, float, float]:
    """Return the number of places, and the seconds to the first part and to all."""
    start = time.perf_counter()
    n_hits, page_no, first = 0, 1, 0.0
    while True:
        found = texts.find(path, TextQuery(words), page_no)
        first = first or time.perf_counter() - start
        n_hits += len(found.hits)
        if found.next_page is None:
            return n_hits, first, time.perf_counter() - start
        page_no = found.next_page


def cpu(texts: PageTexts) -> float:
    """Return the processor time of the text process so far, seconds."""
    child = texts._child
    return child.processor_s() if child is not None else 0.0


def timed(texts: PageTexts, act: Callable[[], object]) -> Cost:
    """Return how long something takes, by the clock and in processor time."""
    start, before = time.perf_counter(), cpu(texts)
    act()
    return time.perf_counter() - start, cpu(texts) - before


def say(name: str, costs: list[Cost]) -> None:
    """Print medians in milliseconds."""
    clock = 1000 * statistics.median(cost[0] for cost in costs)
    worst = 1000 * max(cost[0] for cost in costs)
    processor = 1000 * statistics.median(cost[1] for cost in costs)
    print(f"  {name:<42} {clock:7.0f} ms, worst {worst:6.0f}; processor {processor:6.0f} ms")


def measure(name: str, path: str, n_pages: int) -> None:
    """Print all figures of a document."""
    print(f"{name} ({n_pages} pages)")
    costs: dict[str, list[Cost]] = {}
    for _ in range(N_RUNS):
        texts = PageTexts()
        cost = timed(texts, partial(texts.page_text, path, 1))
        costs.setdefault("first page, process started for it", []).append(cost)
        cost = timed(texts, partial(texts.page_text, path, 2))
        costs.setdefault("next page", []).append(cost)
        texts.close()
        for words in (RARE, FREQUENT, ABSENT):
            texts = PageTexts()
            texts.outline(path)
            found: list[tuple[int, float, float]] = []
            cost = timed(texts, lambda: found.append(search(texts, path, words)))  # noqa: B023
            label = f"all of “{words}”, nothing read yet"
            costs.setdefault(label, []).append(cost)
            costs.setdefault(f"  its first part, {found[0][0]} places", []).append(
                (found[0][1], 0.0)
            )
            texts.close()
    for label, values in costs.items():
        say(label, values)
    texts = PageTexts()
    for words in (RARE, FREQUENT, ABSENT):
        search(texts, path, words)
        again = [timed(texts, partial(search, texts, path, words)) for _ in range(N_RUNS)]
        say(f"all of “{words}” again", again)
    start, page_no, n_chars = time.perf_counter(), 1, 0
    while page_no:
        part = texts.copy(path, TextSpan(page_no, 0, n_pages, None))
        n_chars += len(part.text)
        page_no = part.next_page or 0
    print(f"  all text copied: {n_chars:,} characters in {time.perf_counter() - start:.2f} s")
    texts.close()


def main() -> None:
    """Measure the datasheet and the made document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    shared = parser.parse_args().shared
    datasheet = shared / "library" / "TI_ADS1261.pdf"
    measure(datasheet.name, str(datasheet), 91)
    with tempfile.TemporaryDirectory() as folder:
        made = make_thousand_pages(Path(folder) / "thousand.pdf")
        measure("made document", str(made), 1000)


if __name__ == "__main__":
    main()
