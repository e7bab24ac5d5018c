"""The words of a page as rows of runs: what tables without a grid are found in."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_columns import RUN_GAP, Run, line_runs
from desktop_qa.parse.table_text import TextLine, bbox_of

CELL_GAP = 1.0
"""Of the font size; the least gap between texts of two columns."""


MIN_STARTS = 4
"""Runs that begin at one place show a column there."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """The runs of text on one baseline of the page, or of one of its columns."""

    runs: tuple[Run, ...]
    baseline: float
    size: float
    bbox: BoundingBox
    bold: bool

    def within(self, left: float, right: float) -> tuple[Run, ...]:
        """Runs that lie between two positions."""
        return tuple(run for run in self.runs if run.left >= left - 4 and run.right <= right + 4)


def page_rows(page: PageContent, taken: Sequence[BoundingBox]) -> list[PageRow]:
    """Gather the free words of a page into rows of runs, from top to bottom."""
    by_line: dict[int, list[int]] = {}
    for index, word in enumerate(page.words):
        if word.angle == 0 and not any(box.contains_center(word.bbox) for box in taken):
            by_line.setdefault(word.line_no, []).append(index)
    parts = sorted((_main_baseline(page.words, indices), indices) for indices in by_line.values())
    rows: list[list[int]] = []
    last = 0.0
    for baseline, indices in parts:
        size = max(page.words[i].size for i in indices)
        if rows and baseline - last <= 0.3 * size:
            rows[-1].extend(indices)
        else:
            rows.append(list(indices))
            last = baseline
    read = [page_row(page.words, indices) for indices in rows]
    starts = Counter(round(run.left) for row in read for run in row.runs)
    return [_cut_at_starts(page.words, row, starts) for row in read]


def _cut_at_starts(words: Sequence[StyledWord], row: PageRow, starts: Counter[int]) -> PageRow:
    """Cut runs at narrower gaps where many other runs of the page begin."""
    runs: list[Run] = []
    for run in row.runs:
        pieces = [[run.words[0]]]
        for before, index in itertools.pairwise(run.words):
            left = words[index].bbox.left
            is_wide = left - words[before].bbox.right > RUN_GAP * row.size
            if is_wide and starts[round(left)] >= MIN_STARTS:
                pieces.append([])
            pieces[-1].append(index)
        if len(pieces) == 1:
            runs.append(run)
            continue
        for piece in pieces:
            box = bbox_of(words, piece)
            runs.append(Run(box.left, box.right, tuple(piece), run.size))
    return PageRow(tuple(runs), row.baseline, row.size, row.bbox, row.bold)


def _main_baseline(words: Sequence[StyledWord], indices: Sequence[int]) -> float:
    main = max(indices, key=lambda i: (words[i].size, -words[i].bbox.left))
    return words[main].baseline


def page_row(words: Sequence[StyledWord], indices: Sequence[int]) -> PageRow:
    """Make a row of words on one baseline."""
    ordered = sorted(indices, key=lambda i: words[i].bbox.left)
    size = sorted(words[i].size for i in ordered)[len(ordered) // 2]
    box = bbox_of(words, ordered)
    line = TextLine(ordered, _main_baseline(words, ordered), size, box, "")
    runs = tuple(line_runs(words, line, CELL_GAP))
    bold = sum(words[i].bold for i in ordered) > 0.8 * len(ordered)
    return PageRow(runs, line.baseline, size, box, bold)


def narrowed(row: PageRow, runs: tuple[Run, ...]) -> PageRow:
    """Return a row with some of its runs."""
    box = BoundingBox(
        min(run.left for run in runs), row.bbox.top, max(run.right for run in runs), row.bbox.bottom
    )
    return PageRow(runs, row.baseline, row.size, box, row.bold)


def text_of(words: Sequence[StyledWord], row: PageRow) -> str:
    """Text of a row from the left."""
    return " ".join(words[i].text for run in row.runs for i in run.words)
