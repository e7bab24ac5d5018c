"""Rows read off baselines, where no rule parts them: lines taken apart, wrapped texts rejoined."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_text import TextLine, continues, is_value, text_lines

MIN_LEVELS = 5
"""Baselines from which on a ruled band is taken for a group of unruled rows."""

_NAME_HEADINGS = frozenset(("parameter", "symbol", "name", "characteristic"))

_SAME_BASELINE = 0.45
_WRAP_LEADING = 1.45
"""Of the font size: lines farther apart than this are not one wrapped text."""


def split_unruled_bands(lattice: Lattice, words: Sequence[StyledWord]) -> None:
    """Divide bands between rules that hold many rows of aligned text."""
    row = 0
    while row < lattice.n_rows:
        band = [s for s in lattice.slots if s.row == row and s.row_span == 1 and s.words]
        levels = baselines(words, [i for s in band for i in s.words])
        if len(levels) < MIN_LEVELS or not _is_many_rows(words, band, levels):
            row += 1
            continue
        n_before = lattice.n_rows
        explode_row(lattice, row, levels, words)
        merge_wrapped_rows(lattice, row, row + len(levels), words)
        row += 1 + lattice.n_rows - n_before


def baselines(words: Sequence[StyledWord], indices: Sequence[int]) -> list[float]:
    """Return the baselines of the lines that words stand on, from top to bottom."""
    return [line.baseline for line in text_lines(words, indices)]


def _is_many_rows(words: Sequence[StyledWord], band: list[Slot], levels: list[float]) -> bool:
    """Tell rows from wrapped texts: three or more values, or two columns of short words, align."""
    columns = [text_lines(words, slot.words) for slot in band]
    n_filled = [0] * len(levels)
    for lines in columns:
        for line in lines:
            n_filled[nearest(levels, line.baseline)] += 1
    shared = {k for k, n in enumerate(n_filled) if n > 1}
    stacks = [
        [line for line in lines if nearest(levels, line.baseline) in shared] for lines in columns
    ]
    if any(sum(_is_single_value(line.text) for line in stack) >= 3 for stack in stacks):
        return True
    return sum(len(stack) >= 3 and is_short_stack(stack) for stack in stacks) >= 2


def _is_single_value(text: str) -> bool:
    return is_value(text) and not text.endswith(",")


def is_short_stack(lines: Sequence[TextLine]) -> bool:
    """Tell whether lines are words on their own: no one would wrap a text so."""
    texts = [line.text for line in lines]
    return all(len(text) <= 12 and " " not in text for text in texts) and not any(
        continues(a, b) for a, b in itertools.pairwise(texts)
    )


def nearest(levels: Sequence[float], baseline: float) -> int:
    """Index of the closest baseline."""
    return min(range(len(levels)), key=lambda k: abs(levels[k] - baseline))


def explode_row(
    lattice: Lattice, row: int, levels: list[float], words: Sequence[StyledWord]
) -> None:
    """Make each baseline of a row a row of its own."""
    n_new = len(levels)
    slots: list[Slot] = []
    for slot in lattice.slots:
        if slot.row == row and slot.row_span == 1:
            pieces = [Slot(row + k, slot.column, 1, slot.column_span) for k in range(n_new)]
            for line in text_lines(words, slot.words):
                pieces[nearest(levels, line.baseline)].words.extend(line.words)
            slots.extend(pieces)
            continue
        if slot.row > row:
            slot.row += n_new - 1
        elif slot.last_row >= row:
            slot.row_span += n_new - 1
        slots.append(slot)
    lattice.slots = slots
    borders = [(a + b) / 2 - 0.3 * (b - a) / 2 for a, b in itertools.pairwise(levels)]
    lattice.ys[row + 1 : row + 1] = borders


@dataclass(slots=True)
class _RowView:
    """The cells of a row in the making, by column, each with its last line."""

    lines: dict[int, TextLine]
    bold: bool

    @property
    def baseline(self) -> float:
        return max(line.baseline for line in self.lines.values())


def merge_wrapped_rows(lattice: Lattice, first: int, end: int, words: Sequence[StyledWord]) -> None:
    """Join rows `first` to `end` - 1, one line each, where a line goes on in the next one."""
    views = [_view(lattice, row, words) for row in range(first, end)]
    value_columns = _value_columns(views)
    leading = _median(
        [b.baseline - a.baseline for a, b in itertools.pairwise(views) if a.lines and b.lines]
    )
    groups: list[list[int]] = []
    state: _RowView | None = None
    for k, view in enumerate(views):
        if state is not None and _goes_on(state, view, lattice, value_columns, leading):
            groups[-1].append(first + k)
            state.lines.update(view.lines)
        else:
            groups.append([first + k])
            state = _RowView(dict(view.lines), view.bold)
    for group in reversed(groups):
        for row in reversed(group[1:]):
            join_rows(lattice, row - 1)


def _view(lattice: Lattice, row: int, words: Sequence[StyledWord]) -> _RowView:
    lines = {}
    for slot in lattice.slots:
        if slot.row == row and slot.words:
            lines[slot.column] = text_lines(words, slot.words)[-1]
    bold = bool(lines) and all(words[line.words[0]].bold for line in lines.values())
    return _RowView(lines, bold)


def _value_columns(views: Sequence[_RowView]) -> set[int]:
    """Find the columns in which each line is a value of its own."""
    n_filled: dict[int, int] = {}
    n_values: dict[int, int] = {}
    for view in views:
        for column, line in view.lines.items():
            n_filled[column] = n_filled.get(column, 0) + 1
            n_values[column] = n_values.get(column, 0) + is_value(line.text)
    stacks = {c: [v.lines[c] for v in views if c in v.lines] for c in n_filled}
    return {
        column
        for column, n in n_filled.items()
        if n_values[column] >= 0.5 * n or (n >= 3 and is_short_stack(stacks[column]))
    }


def _goes_on(
    above: _RowView, view: _RowView, lattice: Lattice, value_columns: set[int], leading: float
) -> bool:
    """Tell whether a line belongs to the row above it."""
    if not view.lines:
        return True
    if not above.lines or above.bold != view.bold:
        return False
    size = max(line.size for line in view.lines.values())
    gap = view.baseline - above.baseline
    if gap > max(_WRAP_LEADING * size, 1.05 * leading):
        return False
    if any(column in value_columns for column in view.lines):
        return False
    if any(column not in above.lines for column in view.lines):
        return False
    return all(
        _is_rest(above.lines[column], line, lattice, column) for column, line in view.lines.items()
    )


def _is_rest(above: TextLine, line: TextLine, lattice: Lattice, column: int) -> bool:
    """Tell whether a line is the rest of the one above: by its words, or because it was full."""
    if continues(above.text, line.text):
        return True
    if column > 0:
        return True
    first_word = line.bbox.width / max(1, len(line.text)) * len(line.text.split()[0])
    room = lattice.xs[column + 1] - above.bbox.right
    return room < first_word + 0.8 * line.size


def join_rows(lattice: Lattice, row: int) -> None:
    """Join a row with the one below it, slot by slot."""
    upper = {
        column: slot
        for slot in lattice.slots
        if slot.last_row == row
        for column in range(slot.column, slot.last_column + 1)
    }
    kept: list[Slot] = []
    for slot in lattice.slots:
        # A text over other columns than those above it goes where it begins.
        if slot.row == row + 1 and slot.row_span == 1 and slot.column in upper:
            upper[slot.column].words.extend(slot.words)
            continue
        if slot.row > row:
            slot.row -= 1
        elif slot.last_row > row:
            slot.row_span -= 1
        kept.append(slot)
    lattice.slots = kept
    del lattice.ys[row + 1]


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def extend_labels(lattice: Lattice, first_row: int, words: Sequence[StyledWord]) -> None:
    """Let the label of a row span the rows below it that have values but no label.

    A second column that names what is measured goes with the first; other empty cells are empty.
    """
    for row in range(max(1, first_row + 1), lattice.n_rows):
        of_row = {s.column: s for s in lattice.slots if s.row == row}
        if not any(s.words for s in of_row.values()) or not _extend(lattice, 0, first_row, of_row):
            continue
        if any(s.words for s in of_row.values() if s.column > 1) and _is_name(lattice, 1, words):
            _extend(lattice, 1, first_row, of_row)


def _extend(lattice: Lattice, column: int, first_row: int, of_row: Mapping[int, Slot]) -> bool:
    """Let the cell above cover the empty one of a row; tell whether it does."""
    label = of_row.get(column)
    if label is None or label.words or label.column_span > 1 or label.row_span > 1:
        return False
    above = next(
        (s for s in lattice.slots if s.column == column and s.last_row == label.row - 1), None
    )
    if above is None or not above.words or above.column_span > 1 or above.row < first_row:
        return False
    above.row_span += 1
    lattice.slots.remove(label)
    return True


def _is_name(lattice: Lattice, column: int, words: Sequence[StyledWord]) -> bool:
    """Tell a column of symbols or names by its heading."""
    texts = [
        words[i].text for s in lattice.slots if (s.row, s.column) == (0, column) for i in s.words
    ]
    return len(texts) == 1 and texts[0].casefold().rstrip("s.:") in _NAME_HEADINGS
