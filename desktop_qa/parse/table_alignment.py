"""Tables that nothing but their texts shows: runs that line up down several rows, side by side.

A column is a thread of runs that begin, end or are centred at one place (as in T. Kieninger and
A. Dengel, The T-Recs Table Recognition and Analysis System, DAS 1998); threads that share rows are
one table.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_columns import Run
from desktop_qa.parse.table_page_rows import PageRow
from desktop_qa.parse.table_text import is_value

ALIGNED = 2.2
"""Points by which the ends of runs in one column may differ."""

MAX_GAP = 3.2
"""Of the font size, between the baselines of two runs of one column."""

_MOST = 0.6

MIN_SHARED = 3
"""Rows that two columns side by side share."""

MAX_LABEL = 22.0
"""Sizes of the font, of half the runs of a column that another follows; running text is wider."""


@dataclass(slots=True, eq=False)
class _Thread:
    """Runs that line up, by the index of their row."""

    at: float
    baseline: float
    runs: dict[int, Run] = field(default_factory=dict)

    @property
    def left(self) -> float:
        return min(run.left for run in self.runs.values())

    @property
    def right(self) -> float:
        return max(run.right for run in self.runs.values())

    def between(self, first: int, last: int) -> list[Run]:
        """Return its runs in some rows: text above and below may begin or end where they do."""
        return [run for k, run in self.runs.items() if first <= k <= last]


@dataclass(frozen=True, slots=True)
class AlignedBlock:
    """Columns side by side: the sides of the block, and the first and last of its rows."""

    left: float
    right: float
    first: int
    last: int


def find_aligned(
    words: Sequence[StyledWord], rows: Sequence[PageRow], headings: Sequence[BoundingBox]
) -> Iterator[AlignedBlock]:
    """Yield the blocks of two columns and more that line up over three rows, the largest first.

    Args:
        words: Of the page.
        rows: Of the page, from top to bottom.
        headings: Places of known headings: two columns that begin under two of them are not of
            one table.
    """
    threads = _longest_threads(words, rows)
    shared: dict[tuple[int, int], list[int]] = defaultdict(list)
    of: dict[int, _Thread] = {}
    for k, row in enumerate(rows):
        for a, b in itertools.pairwise(row.runs):
            one, other = threads.get((k, a)), threads.get((k, b))
            if one is not None and other is not None and not _is_parted(a, b, row, headings):
                shared[id(one), id(other)].append(k)
                of[id(one)], of[id(other)] = one, other
    group = {key: {key} for key in of}
    for (left_key, right_key), at in shared.items():
        names = of[left_key].between(at[0], at[-1])
        shorter = min(len(names), len(of[right_key].between(at[0], at[-1])))
        if len(at) >= MIN_SHARED and 2 * len(at) >= shorter and not _is_running_text(names):
            joined = group[left_key] | group[right_key]
            group.update(dict.fromkeys(joined, joined))
    tables = {id(one): one for one in group.values() if len(one) > 1}.values()
    for members in sorted(tables, key=lambda one: -sum(len(of[key].runs) for key in one)):
        columns = [of[key] for key in members]
        counts = Counter(k for column in columns for k in column.runs)
        full = [k for k, n in counts.items() if n > 1]
        first, last = min(full), max(full)
        inside = [run for column in columns for run in column.between(first, last)]
        left, right = min(run.left for run in inside), max(run.right for run in inside)
        over = [
            run
            for row in rows[first : last + 1]
            for run in row.runs
            if run.left < right
            and run.right > left
            and run.right - run.left <= MAX_LABEL * run.size
        ]
        left, right = min(run.left for run in over) - 2, max(run.right for run in over) + 2
        yield AlignedBlock(left, right, first, last)


def _is_running_text(runs: Sequence[Run]) -> bool:
    widths = sorted(map(_width, runs))
    return widths[len(widths) // 2] > MAX_LABEL


def _width(run: Run) -> float:
    """Width in sizes of the font."""
    return (run.right - run.left) / run.size


def _is_parted(a: Run, b: Run, row: PageRow, headings: Sequence[BoundingBox]) -> bool:
    """Tell whether a heading above begins between two runs: a column of the page begins there."""
    above = [box for box in headings if box.bottom < row.baseline and box.right > a.left]
    return any(
        a.right < box.left + ALIGNED
        and box.left < b.left + 2 * row.size
        and not any(one.top > box.bottom and one.left < a.right for one in above)
        for box in above
    )


def _longest_threads(
    words: Sequence[StyledWord], rows: Sequence[PageRow]
) -> dict[tuple[int, Run], _Thread]:
    """Return for each run the longest thread that it is of."""
    open_threads: tuple[list[_Thread], ...] = ([], [], [])
    best: dict[tuple[int, Run], list[_Thread]] = {}
    for k, row in enumerate(rows):
        reach = MAX_GAP * row.size
        for kind, of in enumerate(open_threads):
            of[:] = [one for one in of if row.baseline - one.baseline <= reach]
            for run in row.runs:
                at = (run.left, run.right, (run.left + run.right) / 2)[kind]
                near = [t for t in of if abs(t.at - at) <= ALIGNED and k not in t.runs]
                if near:
                    thread = min(near, key=lambda t: abs(t.at - at))
                else:
                    thread = _Thread(at, row.baseline)
                    of.append(thread)
                thread.runs[k] = run
                thread.baseline = row.baseline
                best.setdefault((k, run), []).append(thread)
    threads = {id(thread): thread for of in best.values() for thread in of}.values()
    for key, led in itertools.chain(_led_threads(rows), _named_threads(words, rows, threads)):
        best[key].append(led)
    longest = {key: max(of, key=lambda one: len(one.runs)) for key, of in best.items()}
    return {key: one for key, one in longest.items() if len(one.runs) >= MIN_SHARED}


def _named_threads(
    words: Sequence[StyledWord], rows: Sequence[PageRow], threads: Iterable[_Thread]
) -> Iterator[tuple[tuple[int, Run], _Thread]]:
    """Yield the texts before values that line up, one below the other however far in."""
    for thread in threads:
        values = [k for k, run in thread.runs.items() if _is_value(words, run)]
        if len(values) < max(MIN_SHARED, _MOST * len(thread.runs)):
            continue
        names = _Thread(thread.left, 0.0)
        for k in values:
            before = [one for one in rows[k].runs if one.right < thread.left]
            if before:
                names.runs[k] = before[-1]
        yield from (((k, run), names) for k, run in names.runs.items())


def _is_value(words: Sequence[StyledWord], run: Run) -> bool:
    return is_value(" ".join(words[i].text for i in run.words))


def _led_threads(rows: Sequence[PageRow]) -> Iterator[tuple[tuple[int, Run], _Thread]]:
    """Yield the names that dots lead from, one below the other however far in, and the values."""
    lists: list[tuple[_Thread, _Thread]] = []
    for k, row in enumerate(rows):
        for a, b in itertools.pairwise(row.runs):
            if not any(a.right <= dot < b.left for dot in row.dots):
                continue
            for names, values in lists:
                is_near = row.baseline - names.baseline <= MAX_GAP * row.size
                if is_near and k not in names.runs and names.left < a.right < values.right:
                    break
            else:
                names, values = _Thread(a.left, 0.0), _Thread(b.left, 0.0)
                lists.append((names, values))
            for thread, run in ((names, a), (values, b)):
                thread.runs[k], thread.baseline = run, row.baseline
                yield (k, run), thread
