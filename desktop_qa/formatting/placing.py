"""Puts what a model wrote back onto the words of the pages; what has no place is not taken.

A heading is one or more whole lines. Each cell of a table is a run of words, the cells stand in
rows and columns, and nearly all words in the rectangle around them belong to a cell: a table of
which the model left a row out, or to which it added one, has no place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from desktop_qa.core.document import BoundingBox, PageWords, Word, split_heading_number
from desktop_qa.core.folding import fold, fold_for_matching
from desktop_qa.formatting.lines import PageLine, box_of, text_of
from desktop_qa.formatting.markdown_reader import SaidHeading, SaidTable

_MAX_HEADING_LINES = 4
_MAX_FOREIGN = 0.1
"""Share of the words in a table's rectangle that belong to none of its cells."""

_MAX_GAP = 3.0
"""Between two words of one cell, in heights of the line."""

_MIN_SIDE = 2


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading on its page; `indices` are those of its words among the words of the page."""

    page_no: int
    indices: tuple[int, ...]
    level: int


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell on its page; without words it is empty, and the box is that of the grid."""

    row: int
    column: int
    indices: tuple[int, ...]
    bbox: BoundingBox


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table on its page, with its first row as heads.

    Attributes:
        title: The words of the line above it that the model calls its title; may be empty.
    """

    page_no: int
    n_rows: int
    n_columns: int
    cells: tuple[PlacedCell, ...]
    title: tuple[int, ...] = ()

    @property
    def bbox(self) -> BoundingBox:
        """The rectangle around its cells."""
        return box_of([cell.bbox for cell in self.cells])

    @property
    def indices(self) -> frozenset[int]:
        """Of the words in its cells."""
        return frozenset(index for cell in self.cells for index in cell.indices)


Placed = PlacedHeading | PlacedTable


def place(
    said: Iterable[SaidHeading | SaidTable],
    lines: Sequence[PageLine],
    pages: Mapping[int, PageWords],
) -> tuple[list[Placed], int]:
    """Place what was said of some lines onto them, in reading order.

    Args:
        said: In the order of the text.
        lines: Of the window.
        pages: Of the document, by page number.

    Returns:
        What has a place, in the order in which it was said, and how much has none.
    """
    placed: list[Placed] = []
    n_said = n_next = 0
    grids = [
        _Grid(page_no, pages[page_no].words, [i for line in of_page for i in line.indices])
        for page_no, of_page in groupby(lines, key=lambda line: line.page_no)
    ]
    for one in said:
        n_said += 1
        if isinstance(one, SaidHeading):
            found = _heading_lines(one.text, lines, n_next)
            if found is not None:
                own = lines[found.start : found.stop]
                indices = tuple(index for line in own for index in line.indices)
                placed.append(PlacedHeading(own[0].page_no, indices, one.level))
                n_next = found.stop
            continue
        table = next(filter(None, (grid.placed(one.rows) for grid in grids)), None)
        if table is not None:
            title = _heading_lines(one.title, lines, 0) if one.title else None
            placed.append(_titled(table, lines[title.start : title.stop] if title else ()))
    return placed, n_said - len(placed)


def _titled(table: PlacedTable, lines: Sequence[PageLine]) -> PlacedTable:
    """Give a table its title where that stands above it on the same page."""
    is_above = lines and all(
        line.page_no == table.page_no and line.words[0].bbox.bottom <= table.bbox.top + 1
        for line in lines
    )
    own = tuple(index for line in lines for index in line.indices) if is_above else ()
    return replace(table, title=own)


# Headings


def _heading_lines(text: str, lines: Sequence[PageLine], start: int) -> range | None:
    """Return which whole lines a heading is, the first ones at or behind `start`.

    As it is written, else whatever the case and the dashes, else without its number on one side.
    """
    ways: tuple[tuple[Callable[[str], str], Callable[[str], str]], ...] = (
        (_squeezed, _squeezed),
        (fold_for_matching, fold_for_matching),
        (fold_for_matching, _without_number),
        (_without_number, fold_for_matching),
    )
    for read_text, read_lines in ways:
        wanted = read_text(text)
        if not wanted:
            continue
        for first in range(start, len(lines)):
            found = _lines_that_say(wanted, lines, first, read_lines)
            if found is not None:
                return found
    return None


def _lines_that_say(
    wanted: str, lines: Sequence[PageLine], first: int, read: Callable[[str], str]
) -> range | None:
    words: list[Word] = []
    for end in range(first, min(first + _MAX_HEADING_LINES, len(lines))):
        if lines[end].page_no != lines[first].page_no:
            break
        words += lines[end].words
        said = read(text_of(words))
        if said == wanted:
            return range(first, end + 1)
        if len(said) > len(wanted):
            break
    return None


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _without_number(text: str) -> str:
    return fold_for_matching(split_heading_number(text)[1])


# Tables


class _Grid:
    """The words of a page, or of its part in a window, in which tables are looked for."""

    def __init__(self, page_no: int, words: Sequence[Word], own: Sequence[int]) -> None:
        self._page_no = page_no
        self._words = words
        self._own = own
        self._text = ""
        self._found: dict[str, list[tuple[int, ...]]] = {}
        self._boxes: dict[tuple[int, ...], BoundingBox] = {}
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        for position, index in enumerate(own):
            folded = fold(words[index].text)
            if folded:
                self._starts[len(self._text)] = position
                self._text += folded
                self._ends[len(self._text)] = position

    def placed(self, rows: Sequence[Sequence[str]]) -> PlacedTable | None:
        """Return a table of these rows; `None` where they do not stand on the page."""
        kept = [column for column in zip(*rows, strict=True) if any(map(fold, column))]
        rows = [row for row in zip(*kept, strict=True) if any(map(fold, row))]
        if len(rows) < _MIN_SIDE or len(rows[0]) < _MIN_SIDE:
            return None
        runs = {
            (i, k): self._runs(fold(text))
            for i, row in enumerate(rows)
            for k, text in enumerate(row)
            if fold(text)
        }
        chosen = self._chosen(runs)
        if chosen is None or not self._is_table(chosen):
            return None
        return PlacedTable(
            self._page_no, len(rows), len(rows[0]), self._cells(chosen, len(rows), len(rows[0]))
        )

    def _runs(self, wanted: str) -> list[tuple[int, ...]]:
        """Return each run of words that says this and stands together."""
        if wanted in self._found:
            return self._found[wanted]
        found = self._found[wanted] = []
        at = self._text.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            if at in self._starts and end in self._ends:
                run = tuple(self._own[self._starts[at] : self._ends[end] + 1])
                if all(self._stand_together(*pair) for pair in pairwise(run)):
                    found.append(run)
            at = self._text.find(wanted, at + 1)
        return found

    def _stand_together(self, before: int, index: int) -> bool:
        one, other = self._words[before].bbox, self._words[index].bbox
        if min(one.bottom, other.bottom) > max(one.top, other.top):
            return other.left - one.right <= _MAX_GAP * one.height
        return 0 <= other.top - one.top <= _MAX_GAP * one.height

    def _box(self, run: tuple[int, ...]) -> BoundingBox:
        if run not in self._boxes:
            self._boxes[run] = box_of([self._words[index].bbox for index in run])
        return self._boxes[run]

    def _chosen(
        self, runs: Mapping[tuple[int, int], Sequence[tuple[int, ...]]]
    ) -> dict[tuple[int, int], tuple[int, ...]] | None:
        """Choose a run for each cell, the surest first, near those of its row and column."""
        chosen: dict[tuple[int, int], tuple[int, ...]] = {}
        used: set[int] = set()
        rows: dict[int, BoundingBox] = {}
        columns: dict[int, BoundingBox] = {}

        def distance(place: tuple[int, int], run: tuple[int, ...]) -> float:
            box, row, column = self._box(run), rows.get(place[0]), columns.get(place[1])
            down = _gap(box.top, box.bottom, row.top, row.bottom) if row else 0.0
            across = _gap(box.left, box.right, column.left, column.right) if column else 0.0
            return down + across

        for place in sorted(runs, key=lambda place: (len(runs[place]), place)):
            free = [run for run in runs[place] if used.isdisjoint(run)]
            if not free:
                return None
            run = min(free, key=lambda one: distance(place, one))
            chosen[place] = run
            used.update(run)
            box = self._box(run)
            rows[place[0]] = rows[place[0]].union(box) if place[0] in rows else box
            columns[place[1]] = columns[place[1]].union(box) if place[1] in columns else box
        return chosen

    def _is_table(self, chosen: Mapping[tuple[int, int], tuple[int, ...]]) -> bool:
        boxes = {place: self._box(run) for place, run in chosen.items()}
        for (i, k), box in boxes.items():
            right = min((n for m, n in boxes if m == i and n > k), default=None)
            below = min((m for m, n in boxes if n == k and m > i), default=None)
            if right is not None and boxes[i, right].left < box.right:
                return False
            if below is not None and boxes[below, k].top < box.bottom - box.height / 2:
                return False
        whole = box_of(list(boxes.values()))
        inside = {i for i, word in enumerate(self._words) if whole.contains_center(word.bbox)}
        taken = {index for run in chosen.values() for index in run}
        return len(inside - taken) <= _MAX_FOREIGN * len(inside)

    def _cells(
        self, chosen: Mapping[tuple[int, int], tuple[int, ...]], n_rows: int, n_columns: int
    ) -> tuple[PlacedCell, ...]:
        boxes = {place: self._box(run) for place, run in chosen.items()}
        rows = [box_of([box for (m, _n), box in boxes.items() if m == i]) for i in range(n_rows)]
        columns = [
            box_of([box for (_m, n), box in boxes.items() if n == k]) for k in range(n_columns)
        ]
        return tuple(
            PlacedCell(
                i,
                k,
                chosen.get((i, k), ()),
                boxes.get((i, k))
                or BoundingBox(columns[k].left, rows[i].top, columns[k].right, rows[i].bottom),
            )
            for i in range(n_rows)
            for k in range(n_columns)
        )


def _gap(first: float, last: float, other_first: float, other_last: float) -> float:
    """Return how far two stretches are apart, 0 where they overlap."""
    return max(first - other_last, other_first - last, 0.0)
