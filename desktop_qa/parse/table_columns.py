"""Words as runs: the rows of a page, and the columns of a table that no rule divides."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median_high

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.lines import has_even_pitch
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_roles import names_bound
from desktop_qa.parse.table_text import TextLine, baseline_of, bbox_of, is_value, leaders

RUN_GAP = 0.62
"""Of the font size; a gap this wide may be a border, a space in a text never is."""

BORDER_GAP = 0.4
"""The same where a border is known to be: more than a space between words."""

GUTTER_GAP = 0.95
"""Of the font size; the least median gap at a border that nothing but the texts shows."""

_MAX_SPANNING = 2
"""Rows at the top that a head over columns may stand in."""

_ALIGNED = 2.2
_MAX_OVERHANG = 0.3
"""Share of a text's width that may stand in the neighbouring column."""

_BULLETS = frozenset("•·●○▪■□–—-*◦➢→►✓")


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one line with only spaces between them."""

    left: float
    right: float
    words: tuple[int, ...]
    size: float
    text: str


def line_runs(
    words: Sequence[StyledWord],
    line: TextLine,
    gap: float = RUN_GAP,
    borders: Sequence[float] = (),
) -> list[Run]:
    """Cut a line where the gap between words exceeds `gap` times the font size.

    At the `borders` of columns a smaller gap is enough.
    """
    runs: list[list[int]] = []
    right = 0.0
    for index in line.words:
        box = words[index].bbox
        is_bordered = any(right - 1 <= x <= box.left + 1 for x in borders)
        if runs and box.left - right <= (BORDER_GAP if is_bordered else gap) * line.size:
            runs[-1].append(index)
        else:
            runs.append([index])
        right = max(right, box.right)
    return [run_of(words, run, line.size) for run in runs]


def run_of(
    words: Sequence[StyledWord], indices: Sequence[int], size: float, between: str = " "
) -> Run:
    """Make a run of words, at least one, in the order in which they are read."""
    box = bbox_of(words, indices)
    text = between.join(words[i].text for i in indices)
    return Run(box.left, box.right, tuple(indices), size, text)


def split_columns(lattice: Lattice) -> None:
    """Divide slots of equal extent at borders and gutters that their texts agree on."""
    for column, span in sorted({(s.column, s.column_span) for s in lattice.slots}, reverse=True):
        own = (s for s in lattice.slots if (s.column, s.column_span) == (column, span) and s.words)
        group = sorted(own, key=lambda slot: slot.row)
        texts = [(s.row, line) for s in group for line in lattice.lines_of(s)]
        inner = lattice.xs[column + 1 : column + span]
        lines = [line_runs(lattice.words, line, borders=inner) for _row, line in texts]
        if not lines:
            continue
        heads = itertools.takewhile(
            lambda text: text[0] < _MAX_SPANNING and not is_value(text[1].text), texts
        )
        n_heads = len(list(heads))
        borders = [
            lattice.xs[k]
            for k in range(column + 1, column + span)
            if _holds(lattice, k, lines, group)
        ]
        edges = [lattice.xs[column], *borders, lattice.xs[column + span]]
        # The gaps within one cell are its own affair.
        for left, right in itertools.pairwise(edges) if len(group) > 1 else ():
            borders.extend(_gutters(left, right, lines, n_heads))
        if borders:
            _divide(lattice, group, sorted(borders))


def _holds(lattice: Lattice, k: int, lines: list[list[Run]], group: list[Slot]) -> bool:
    """Tell whether a border drawn elsewhere in the table divides these slots too."""
    x = lattice.xs[k]
    crossing = sum(any(run.left < x - 1 and run.right > x + 1 for run in runs) for runs in lines)
    if crossing > 0.25 * len(lines):
        return False
    both = sum(runs[0].right <= x + 1 and runs[-1].left >= x - 1 for runs in lines)
    if both >= max(2, 0.25 * len(lines)) or both == len(lines):
        return True
    n_values = sum(is_value(run.text) for runs in lines for run in runs)
    if n_values < 0.6 * sum(len(runs) for runs in lines):
        return False
    top = min(slot.row for slot in group)
    ends = [s for s in lattice.slots if s.row < top and s.last_column == k - 1 and s.words]
    starts = [s for s in lattice.slots if s.row < top and s.column == k and s.words]
    return bool(ends and starts) and not all(_is_shared(s, lattice) for s in group)


def _is_shared(slot: Slot, lattice: Lattice) -> bool:
    """Tell a value in the middle of several columns, which is theirs together.

    Of limits ("Min", "Typ", "Max") it is one of them.
    """
    covered = range(slot.column, slot.last_column + 1)
    heads = [s for s in lattice.slots if s.row < slot.row and s.column in covered]
    return (
        all(is_value(line.text) for line in lattice.lines_of(slot))
        and not any(names_bound(lattice.words[i].text) for s in heads for i in s.words)
        and _is_centered_over(slot, lattice)
    )


def _gutters(left: float, right: float, lines: list[list[Run]], n_heads: int) -> list[float]:
    """Find the strips between two borders that texts leave free on either side of them.

    The first `n_heads` lines may stand across what is parted below them.
    """
    inside = [
        [run for run in runs if left - 1 <= (run.left + run.right) / 2 <= right + 1]
        for runs in lines
    ]
    found: list[tuple[float, float]] = []
    for first in range(n_heads + 1):
        below = [runs for runs in inside[first:] if runs]
        strips = _free_strips(left, below, 0.12 * len(below))
        for strip, (end, _) in itertools.pairwise([*strips, (right, right)]):
            pairs = [pair for runs in below for pair in _across(runs, strip)]
            # What stands behind the next strip is of a farther column.
            near = [(a, b) for a, b in pairs if b.left < end]
            is_new = not any(strip[0] < high and low < strip[1] for low, high in found)
            is_headed = not first or _spans_names(inside[first - 1], below, strip, near)
            if is_new and is_headed and _is_gutter(pairs, near, len(below)):
                found.append(strip)
    return [(low + high) / 2 for low, high in found]


def _across(runs: Sequence[Run], strip: tuple[float, float]) -> list[tuple[Run, Run]]:
    """Return the neighbours in a line that stand on either side of a strip."""
    low, high = strip
    return [(a, b) for a, b in itertools.pairwise(runs) if a.right <= high and b.left >= low]


def _spans_names(
    head: Sequence[Run],
    below: Sequence[Sequence[Run]],
    strip: tuple[float, float],
    near: Sequence[tuple[Run, Run]],
) -> bool:
    """Tell whether a head stands over a strip, and names of its columns on both sides below it."""
    low, high = strip
    if not any(min(run.right, high) - max(run.left, low) > (high - low) / 2 for run in head):
        return False
    line = next((runs for runs in below if runs[0].left < low), [])
    names = [pair for pair in _across(line, strip) if pair in near]
    return bool(names) and not any(is_value(run.text) for run in names[0])


def _free_strips(left: float, lines: list[list[Run]], allowed: float) -> list[tuple[float, float]]:
    """Find where next to no line has text; a head such as "Typ" is a column by itself."""
    events = sorted(
        event
        for runs in lines
        for run in runs
        for weight in (1 + (allowed if names_bound(run.text) else 0),)
        for event in ((run.left, weight), (run.right, -weight))
    )
    strips = []
    depth, start = 0.0, left
    for x, change in events:
        before = depth
        depth += change
        if before <= allowed < depth and x - start >= 2 and start > left:
            strips.append((start, x))
        if depth <= allowed < before:
            start = x
    return strips


def _is_gutter(pairs: list[tuple[Run, Run]], near: list[tuple[Run, Run]], n_lines: int) -> bool:
    if any(names_bound(a.text) and names_bound(b.text) for a, b in pairs):
        return True
    if len(pairs) < max(2, 0.2 * n_lines) or len(near) < 2:
        return False
    if median_high((b.left - a.right) / max(a.size, b.size) for a, b in pairs) < GUTTER_GAP:
        # Dense tables: nearly every line has the gap, and at the same place.
        starts = _most_common([b.left for _a, b in pairs])
        return len(pairs) >= max(4, 0.6 * n_lines) and starts >= 0.95 * len(pairs)
    if all(a.text in _BULLETS for a, _b in pairs):
        return False
    aligned = max(
        _most_common([b.left for _a, b in near]),
        _most_common([b.right for _a, b in near]),
        _most_common([(b.left + b.right) / 2 for _a, b in near]),
    )
    return aligned >= 0.6 * len(near)


def _most_common(values: list[float]) -> int:
    """Count the values around the most frequent one."""
    ordered = sorted(values)
    best = start = 0
    for end, value in enumerate(ordered):
        while value - ordered[start] > 2 * _ALIGNED:
            start += 1
        best = max(best, end - start + 1)
    return best


def _divide(lattice: Lattice, group: list[Slot], borders: list[float]) -> None:
    """Insert the borders that are new and cut the slots of the group at all of them."""
    for x in borders:
        if not any(abs(x - known) < 0.01 for known in lattice.xs):
            _insert_border(lattice, x)
    cuts = [k for k, x in enumerate(lattice.xs) if any(abs(x - new) < 0.01 for new in borders)]
    members = {id(slot) for slot in group}
    rest = [slot for slot in lattice.slots if id(slot) not in members]
    lattice.slots = rest + [piece for slot in group for piece in _cut_slot(slot, cuts, lattice)]


def _insert_border(lattice: Lattice, x: float) -> None:
    """Add a border of columns; the slots that it crosses span one column more."""
    k = next(index for index, known in enumerate(lattice.xs) if known > x)
    lattice.xs.insert(k, x)
    for slot in lattice.slots:
        if slot.column >= k:
            slot.column += 1
        elif slot.column + slot.column_span >= k:
            slot.column_span += 1


def _cut_slot(slot: Slot, cuts: Sequence[int], lattice: Lattice) -> list[Slot]:
    """Cut a slot at the borders that none of its runs crosses."""
    borders = [lattice.xs[k] for k in cuts if slot.column < k <= slot.last_column]
    lines = lattice.lines_of(slot)
    runs = [run for line in lines for run in line_runs(lattice.words, line, borders=borders)]
    inner = [
        k
        for k in cuts
        if slot.column < k <= slot.last_column
        and not any(_crosses(run, lattice.xs[k]) for run in runs)
    ]
    edges = [slot.column, *inner, slot.column + slot.column_span]
    pieces = [Slot(slot.row, a, slot.row_span, b - a) for a, b in itertools.pairwise(edges)]
    if _is_shared(slot, lattice):
        return [slot]
    for run in runs:
        center = (run.left + run.right) / 2
        piece = next(
            (p for p in pieces if center <= lattice.xs[p.column + p.column_span]), pieces[-1]
        )
        piece.words.extend(run.words)
    is_over_all = slot.row < _MAX_SPANNING and _is_centered_over(slot, lattice, 0.1)
    return [slot] if is_over_all else pieces


def _crosses(run: Run, x: float) -> bool:
    """Tell whether a text stands on both sides of a border; a little of it may reach over."""
    reach = max(1.0, _MAX_OVERHANG * (run.right - run.left))
    return run.left < x - reach and run.right > x + reach


def cut_spanning(lattice: Lattice, first: int, end: int) -> None:
    """Cut the slots of rows of one line that span columns at the borders that their text leaves.

    A column is cut for a whole band only where none of its lines crosses the border; what one line
    crosses need not hold for the next one. Texts that all stand before the same border are of a
    cell that is wide.
    """
    spanning: dict[tuple[int, int], list[Slot]] = {}
    for slot in lattice.slots:
        if first <= slot.row < end and slot.row_span == 1 < slot.column_span and slot.words:
            spanning.setdefault((slot.column, slot.column_span), []).append(slot)
    for (column, span), group in spanning.items():
        cuts = range(column + 1, column + span)
        pieces = [piece for slot in group for piece in _cut_slot(slot, cuts, lattice)]
        filled = [piece for piece in pieces if piece.words]
        if len({piece.column for piece in filled}) > 1 or all(
            is_value(lattice.text_of(piece)) for piece in filled
        ):
            gone = {id(slot) for slot in group}
            lattice.slots = [s for s in lattice.slots if id(s) not in gone] + pieces


def _is_centered_over(slot: Slot, lattice: Lattice, reach: float = 0.03) -> bool:
    """Tell a text in the middle of its columns ("LM124A" over min, typ and max).

    Within `reach`, a share of their width.
    """
    left, right = lattice.xs[slot.column], lattice.xs[slot.column + slot.column_span]
    lines = [line_runs(lattice.words, line) for line in lattice.lines_of(slot)]
    off = [abs((run.left + run.right) - (left + right)) / 2 for runs in lines for run in runs]
    return bool(off) and max(off) < reach * (right - left)


CELL_GAP = 1.0
"""Of the font size; the least gap between texts of two columns."""


_LEVEL = 0.3
"""Of the font size: baselines that differ by no more are one row's."""

_SMALL, _TOUCH = 0.85, 0.4
"""Of the font size: marks of notes are smaller, and stand no further behind a text."""

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

    @property
    def text(self) -> str:
        """Of its runs from the left."""
        return " ".join(run.text for run in self.runs)

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
    parts = sorted((baseline_of(page.words, indices), indices) for indices in by_line.values())

    def is_level(row: list[tuple[float, list[int]]], part: tuple[float, list[int]]) -> bool:
        return part[0] - row[0][0] <= _LEVEL * max(page.words[i].size for i in part[1])

    rows = [[i for _baseline, of in row for i in of] for row in in_runs(parts, is_level)]
    read = _with_marks(page.words, [page_row(page.words, indices) for indices in rows])
    pieces = [_pieces(page.words, row) for row in read]
    starts = Counter(round(piece.left) for of in pieces for piece in of)
    return _parted_lists(
        [
            replace(
                row,
                runs=_parted(row, of, starts) if len(of) > len(row.runs) else row.runs,
                dots=tuple(
                    dot.bbox.left
                    for dot in dots
                    if abs(dot.baseline - row.baseline) <= _LEVEL * row.size
                ),
            )
            for row, of in zip(read, pieces, strict=True)
        ]
    )


def _with_marks(words: Sequence[StyledWord], rows: Sequence[PageRow]) -> list[PageRow]:
    """Put raised marks of notes into the rows that they stand in."""
    joined: list[PageRow] = []
    for row in rows:
        if joined and _is_raised(joined[-1], row):
            indices = [i for one in (joined.pop(), row) for run in one.runs for i in run.words]
            row = page_row(words, indices)
        joined.append(row)
    return joined


def _is_raised(marks: PageRow, row: PageRow) -> bool:
    """Tell whether small print over a row overlaps it, and all of it stands behind some text."""
    ends = [run.right for run in row.runs]
    return (
        marks.size < _SMALL * row.size
        and marks.bbox.bottom > row.bbox.top + 0.3 * marks.size
        and all(min(abs(m.left - end) for end in ends) <= _TOUCH * row.size for m in marks.runs)
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
        while first and not _crosses_gutter(rows[first - 1], left, right):
            first -= 1
        while last + 1 < len(rows) and not _crosses_gutter(rows[last + 1], left, right):
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


def _crosses_gutter(row: PageRow, left: float, right: float) -> bool:
    return any(run.left < right - 1 and run.right > left + 1 for run in row.runs)


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
            last = runs[-1]
            text = f"{last.text} {piece.text}"
            runs[-1] = Run(last.left, piece.right, last.words + piece.words, piece.size, text)
    return tuple(runs)


def page_row(words: Sequence[StyledWord], indices: Sequence[int]) -> PageRow:
    """Make a row of words on one baseline."""
    ordered = sorted(indices, key=lambda i: words[i].bbox.left)
    size = median_high(words[i].size for i in ordered)
    box = bbox_of(words, ordered)
    line = TextLine(ordered, baseline_of(words, ordered), size, box, "")
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
