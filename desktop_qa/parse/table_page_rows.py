"""The words of a page as rows of runs: what tables without a grid are found in."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.lines import has_even_pitch
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_columns import Run, line_runs
from desktop_qa.parse.table_text import TextLine, bbox_of, leaders

CELL_GAP = 1.0
"""Of the font size; the least gap between texts of two columns."""


_LEVEL = 0.3
"""Of the font size: baselines that differ by no more are one row's."""

MIN_STARTS = 4
"""Texts of so many rows that begin at one place show a column there."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """The runs of text on one baseline of the page, or of one of its columns.

    Attributes:
        dots: Where dots begin that lead from one run to the next.
    """

    runs: tuple[Run, ...]
    baseline: float
    size: float
    bbox: BoundingBox
    bold: bool
    dots: tuple[float, ...] = ()

    def within(self, left: float, right: float) -> tuple[Run, ...]:
        """Runs that lie between two positions."""
        return tuple(run for run in self.runs if run.left >= left - 4 and run.right <= right + 4)


def page_rows(page: PageContent, taken: Sequence[BoundingBox]) -> list[PageRow]:
    """Gather the free words of a page into rows of runs, from top to bottom."""
    by_line: dict[int, list[int]] = {}
    dots: list[StyledWord] = []
    leading = leaders(page.words)
    for index, word in enumerate(page.words):
        if word.angle or any(box.contains_center(word.bbox) for box in taken):
            continue
        if index in leading:
            dots.append(word)
        else:
            by_line.setdefault(word.line_no, []).append(index)
    parts = sorted((_main_baseline(page.words, indices), indices) for indices in by_line.values())
    rows: list[list[int]] = []
    last = 0.0
    for baseline, indices in parts:
        size = max(page.words[i].size for i in indices)
        if rows and baseline - last <= _LEVEL * size:
            rows[-1].extend(indices)
        else:
            rows.append(list(indices))
            last = baseline
    read = [page_row(page.words, indices) for indices in rows]
    pieces = [_pieces(page.words, row) for row in read]
    starts = Counter(round(piece.left) for of in pieces for piece in of)
    return _parted_lists(
        [
            replace(
                row,
                runs=_parted(row, of, starts) if len(of) > len(row.runs) else row.runs,
                dots=tuple(d.bbox.left for d in dots if _is_beside(d.baseline, row)),
            )
            for row, of in zip(read, pieces, strict=True)
        ]
    )


def _parted_lists(rows: Sequence[PageRow]) -> list[PageRow]:
    """Part the rows of lists side by side: where dots lead to a value twice in some rows.

    White between the two holds as far up and down as no text crosses it.
    """
    gutters = [_gutter(row) for row in rows]
    parted: dict[int, float] = {}
    for k, gutter in enumerate(gutters):
        if gutter is None or k in parted:
            continue
        first = last = k
        left, right = gutter
        while first and not _crosses(rows[first - 1], left, right):
            first -= 1
        while last + 1 < len(rows) and not _crosses(rows[last + 1], left, right):
            last += 1
        n_led = sum(g is not None for g in gutters[first : last + 1])
        if n_led > 1:
            parted.update(dict.fromkeys(range(first, last + 1), (left + right) / 2))
    out = []
    for k, row in enumerate(rows):
        at = parted.get(k, row.bbox.left)
        sides = [
            tuple(run for run in row.runs if (run.left < at) is is_left)
            for is_left in (True, False)
        ]
        if not all(sides):
            out.append(row)
            continue
        for runs, is_left in zip(sides, (True, False), strict=True):
            dots = tuple(dot for dot in row.dots if (dot < at) is is_left)
            out.append(replace(narrowed(row, runs), dots=dots))
    return out


def _gutter(row: PageRow) -> tuple[float, float] | None:
    """Return the white between the value of a list and the name of the next beside it."""
    led = [
        (a, b)
        for a, b in itertools.pairwise(row.runs)
        if any(a.right <= dot < b.left for dot in row.dots)
    ]
    return (led[0][1].right, led[1][0].left) if len(led) > 1 else None


def _crosses(row: PageRow, left: float, right: float) -> bool:
    return any(run.left < right - 1 and run.right > left + 1 for run in row.runs)


def _is_beside(baseline: float, row: PageRow) -> bool:
    return abs(baseline - row.baseline) <= _LEVEL * row.size


def _pieces(words: Sequence[StyledWord], row: PageRow) -> list[Run]:
    """Cut a row at all gaps that may be borders."""
    indices = [i for run in row.runs for i in run.words]
    if is_listing(words, row):
        return list(row.runs)
    return line_runs(words, TextLine(indices, row.baseline, row.size, row.bbox, ""))


def _parted(row: PageRow, pieces: Sequence[Run], starts: Counter[int]) -> tuple[Run, ...]:
    """Part the runs of a row where texts of many rows begin."""
    whole = {run.words[0] for run in row.runs}
    runs: list[Run] = []
    for piece in pieces:
        if piece.words[0] in whole or starts[round(piece.left)] >= MIN_STARTS:
            runs.append(piece)
        else:
            runs[-1] = Run(runs[-1].left, piece.right, runs[-1].words + piece.words, piece.size)
    return tuple(runs)


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


def is_listing(words: Sequence[StyledWord], row: PageRow) -> bool:
    """Tell a row of a listing: letters of one width line up whatever they say."""
    indices = [i for run in row.runs for i in run.words]
    return 2 * sum(has_even_pitch(words[i]) for i in indices) > len(indices)


def narrowed(row: PageRow, runs: tuple[Run, ...]) -> PageRow:
    """Return a row with some of its runs."""
    box = BoundingBox(
        min(run.left for run in runs), row.bbox.top, max(run.right for run in runs), row.bbox.bottom
    )
    return replace(row, runs=runs, bbox=box)


def text_of(words: Sequence[StyledWord], row: PageRow) -> str:
    """Text of a row from the left."""
    return " ".join(words[i].text for run in row.runs for i in run.words)
