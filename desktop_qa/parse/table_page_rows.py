"""The words of a page as rows of runs: what tables without a grid are found in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_columns import Run, line_runs
from desktop_qa.parse.table_text import TextLine, bbox_of

CELL_GAP = 1.0
"""Of the font size; the least gap between texts of two columns."""


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
    return [page_row(page.words, indices) for indices in rows]


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
