"""Rows that no rule divides: stacked values on common baselines."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_text import TextLine, continues, is_value, text_lines

MAX_STACKED = 40
"""Rows in one ruled band."""


def split_stacked_rows(lattice: Lattice, words: Sequence[StyledWord]) -> Lattice:
    """Divide ruled rows in which several columns carry values on the same two or more baselines.

    A text that stands once beside the stacked values (the parameter, the unit) spans them all.
    """
    row = 0
    while row < lattice.n_rows:
        band = [s for s in lattice.slots if s.row == row and s.row_span == 1]
        anchors = _anchors([text_lines(words, slot.words) for slot in band])
        if len(anchors) < 2 or len(anchors) > MAX_STACKED:
            row += 1
            continue
        _divide(lattice, row, band, anchors, words)
        row += len(anchors)
    return lattice


def _anchors(columns: Sequence[list[TextLine]]) -> list[float]:
    """Find the baselines of the rows within a band; fewer than two when it is one row."""
    numeric = [lines for lines in columns if len(lines) > 1 and _is_numeric(lines)]
    if not numeric:
        return []
    size = max(line.size for lines in numeric for line in lines)
    tolerance = 0.45 * size
    anchors: list[float] = []
    for baseline in sorted(
        line.baseline for lines in columns if lines and _is_numeric(lines) for line in lines
    ):
        if not anchors or baseline - anchors[-1] > tolerance:
            anchors.append(baseline)
    aligned = sum(1 for lines in columns if _n_aligned(lines, anchors, tolerance) >= 2)
    return anchors if aligned >= 2 else []


def _is_numeric(lines: Sequence[TextLine]) -> bool:
    return all(is_value(line.text) for line in lines)


def _n_aligned(lines: Sequence[TextLine], anchors: Sequence[float], tolerance: float) -> int:
    return sum(
        1 for anchor in anchors if any(abs(line.baseline - anchor) <= tolerance for line in lines)
    )


def _divide(
    lattice: Lattice, row: int, band: list[Slot], anchors: list[float], words: Sequence[StyledWord]
) -> None:
    n_new = len(anchors)
    members = {id(slot) for slot in band}
    new_slots: list[Slot] = []
    for slot in lattice.slots:
        if id(slot) in members:
            new_slots.extend(_divide_slot(slot, anchors, words))
            continue
        if slot.row > row:
            slot.row += n_new - 1
        elif slot.last_row >= row:
            slot.row_span += n_new - 1
        new_slots.append(slot)
    size = max(
        (words[i].size for slot in band for i in slot.words),
        default=8.0,
    )
    borders = [anchor - 0.95 * size for anchor in anchors[1:]]
    lattice.ys[row + 1 : row + 1] = borders
    lattice.slots = new_slots


def _divide_slot(slot: Slot, anchors: list[float], words: Sequence[StyledWord]) -> list[Slot]:
    lines = text_lines(words, slot.words)
    n_rows = len(anchors)
    whole = Slot(slot.row, slot.column, n_rows, slot.column_span, slot.words)
    if not lines:
        return [Slot(slot.row + k, slot.column, 1, slot.column_span) for k in range(n_rows)]
    tolerance = 0.45 * max(line.size for line in lines)
    placed = _place(lines, anchors, tolerance)
    filled = sorted(set(placed))
    if _is_numeric(lines) and (len(lines) > 1 or n_rows > 4):
        pass
    elif len(filled) < 2 or _is_wrapped(lines, slot, n_rows, filled):
        return [whole]
    pieces = [Slot(slot.row + k, slot.column, 1, slot.column_span) for k in range(n_rows)]
    for line, k in zip(lines, placed, strict=True):
        pieces[k].words.extend(line.words)
    return pieces


def _place(lines: Sequence[TextLine], anchors: list[float], tolerance: float) -> list[int]:
    """Row of each line: the anchor on its baseline, else the last one above, else the first."""
    placed = []
    for line in lines:
        above = [k for k, anchor in enumerate(anchors) if anchor <= line.baseline + tolerance]
        placed.append(above[-1] if above else 0)
    return placed


def _is_wrapped(lines: Sequence[TextLine], slot: Slot, n_rows: int, filled: list[int]) -> bool:
    """Tell whether the lines of a slot are one wrapped text beside the stacked values."""
    pairs = itertools.pairwise(lines)
    if any(continues(a.text, b.text) for a, b in pairs) and n_rows <= 4:
        return True
    if slot.column == 0 and len(filled) < n_rows:
        return n_rows <= 4
    return len(lines) < n_rows and n_rows <= 3 and not _is_numeric(lines)
