"""What is offered while somebody types, and searches: over a real library and a large one.

    python -m tests.benchmarks.bench_typing --library LIB [--documents 5000]

The headings and parts of the large one are LIB's own, varied as `large_library` varies texts; it
exists in memory only. Searches are measured over LIB itself; give one that `bench_scale --keep`
made for a larger one.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.search_view import SearchRequest, SearchSort
from desktop_qa.index.index_rows import DocumentOutline
from desktop_qa.library.facade import Library
from desktop_qa.retrieve.part_completion import PartCompletion
from desktop_qa.retrieve.suggestions import HeadingIndex, suggest_parts
from tests.benchmarks.large_library import Variation

Outlined = list[tuple[DocumentStatus, DocumentOutline]]

_TYPED = (
    *("op", "opa", "opa41", "OPS4197", "drv88", "4197", "lm3", "what is the absolute max"),
    *("abs max rat", "elect", "electrical char", "pin conf", "supply volt", "recomm", "power"),
    *("What is the typical input offset vol", "thermal inf", "timing", "reg", "i2c add", "layout"),
)
_SEARCHES = (
    *("supply voltage", '"input offset voltage"', "offset -drift kind:table", "sleep OR standby"),
    *("vendor:TI kind:figure noise", '"the output"', "current page:5-10", "kind:table", "voltage"),
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--documents", type=int, default=5000)
    options = arguments.parse_args()
    library = Library.open(options.library, read_only=True)
    try:
        started = time.perf_counter()
        library.prepare_suggestions()
        print(f"prepared in {time.perf_counter() - started:.2f} s")
        _time("suggestions", library.suggestions, _TYPED)
        _measure_large(library, options.documents)
        library.read_question(Question("warm up"))
        for sort in (SearchSort.RELEVANCE, SearchSort.PAGE):
            _time(f"searches by {sort}", lambda text, s=sort: _search(library, text, s), _SEARCHES)
    finally:
        library.close()


def _search(library: Library, text: str, sort: SearchSort) -> None:
    try:
        library.search(SearchRequest(text, sort=sort))
    except QuestionError as error:
        print(f"   {text}: {error.message}")


def _measure_large(library: Library, n_documents: int) -> None:
    statuses = [status for status in library.statuses() if status.is_indexed]
    outlined = [(status, library._store.outline(status.document_id)) for status in statuses]
    large = list(_varied(outlined, n_documents))
    started = time.perf_counter()
    parts, headings = PartCompletion(s for s, _ in large), HeadingIndex(large)
    print(
        f"{n_documents} documents: {len(headings)} headings"
        f" in {time.perf_counter() - started:.1f} s"
    )
    _time("large parts", lambda typed: suggest_parts(parts, typed, 8), _TYPED)
    _time("large headings", lambda typed: headings.find(typed, 8), _TYPED)


def _varied(
    outlined: Outlined, n_documents: int
) -> Iterator[tuple[DocumentStatus, DocumentOutline]]:
    n_made = 0
    for number in count():
        variation = Variation(number)
        for status, outline in outlined:
            if n_made == n_documents:
                return
            n_made += 1
            yield (
                replace(
                    status,
                    document_id=DocumentId(f"{n_made}"),
                    part_numbers=tuple(map(variation.text, status.part_numbers)),
                ),
                replace(
                    outline,
                    headings=tuple(map(variation.text, outline.headings)),
                    captions=tuple(map(variation.text, outline.captions)),
                ),
            )


def _time(name: str, work: Callable[[str], object], texts: Sequence[str]) -> None:
    worst: tuple[float, str] = (0.0, "")
    medians = []
    for text in texts:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            work(text)
            times.append(1000 * (time.perf_counter() - started))
        medians.append(statistics.median(times))
        worst = max(worst, (medians[-1], text))
    print(
        f"{name}: median {statistics.median(medians):.1f} ms, worst {worst[0]:.1f} ms ({worst[1]})"
    )


if __name__ == "__main__":
    main()
