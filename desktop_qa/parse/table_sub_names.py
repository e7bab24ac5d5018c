"""Sub-names: a name whose cell holds the first of the names that stand under it as well.

"Collector Cutoff Current" has "TIP29A" under it in its cell, and "TIP29B" in the next row begins
where "TIP29A" does; or the first stands on the name's own line, behind a gap. So does what gives
the same quantity at the ends of the lines: "Rise Time VCC = 2 V", "(Pin 5) VCC = 4.5 V". The name
is given a row of its own, as a heading, so that it says nothing of "TIP29A" to the rows below.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_text import TextLine, continues, is_open, text_lines

_MIN_INDENT_PT = 3.5
_SAME_PLACE_PT = 1.5
_MIN_GAP = 1.0
"""In sizes, before a sub-name on the line of its name."""

MAX_ROWS = 14
"""Under one name."""

_NUMBER = re.compile(r"[-+−–]?\d+(?:\.\d+)?")
_QUANTITY = re.compile(r"\w\s?[=<>≤≥]\s?0")
_NAME = re.compile(r"[^\W\d_]{4,}|\)$")
_WORD = re.compile(r"[^\W\d_]{4,}")
"""A symbol before its name has none."""


def set_out_sub_names(
    lattice: Lattice, words: Sequence[StyledWord], values: frozenset[int]
) -> None:
    """Give names that hold the first of their sub-names rows of their own.

    Args:
        lattice: Divided into rows; changed in place.
        words: Of the page.
        values: Columns of values; those before the first name the rows. Symbols may read as values.
    """
    for column in range(min(values - {0}, default=1)):
        labels = _labels(lattice, column)
        at = 0
        while at < len(labels):
            tails = _tails(labels[at:], words)
            if tails:
                heading = _set_out(lattice, labels[at], tails[0], words, values)
                for slot, tail in zip(labels[at + 1 :], tails[1:], strict=False):
                    heading.words.extend(i for i in slot.words if i not in tail)
                    slot.words = list(tail)
            at += max(1, len(tails))
        labels = _labels(lattice, column)
        for slot, below in reversed([*itertools.pairwise(labels)]):
            if below.row != slot.last_row + 1:
                continue
            sub = _first_sub_name(
                text_lines(words, slot.words), text_lines(words, below.words)[0], words
            )
            if sub:
                _set_out(lattice, slot, sub, words, values)


def _labels(lattice: Lattice, column: int) -> list[Slot]:
    own = (slot for slot in lattice.slots if slot.column == column and slot.words)
    return sorted(own, key=lambda slot: slot.row)


def _tails(labels: Sequence[Slot], words: Sequence[StyledWord]) -> list[list[int]]:
    """Return the ends of a name and of the texts below it that give one quantity, row by row."""
    lines = [text_lines(words, slot.words)[-1].words for slot in labels[:MAX_ROWS]]
    first = lines[0]
    for k in range(1, len(first)):
        name, tails = _text(words, first[:k]), [first[k:]]
        shape = _shape(words, tails[0])
        if is_open(name) or not (_QUANTITY.search(shape) and _NAME.search(name)):
            continue
        for above, slot, of in zip(labels, labels[1:], lines[1:], strict=False):
            j = next((j for j in range(len(of)) if _shape(words, of[j:]) == shape), len(of))
            rest = _text(words, of[:j])
            goes_on = not rest or rest[0] == "(" or continues(name, rest)
            if j == len(of) or slot.row != above.last_row + 1 or not goes_on:
                break
            tails.append(of[j:])
        if len(tails) > 1 and len({_text(words, tail) for tail in tails}) == len(tails):
            return tails
    return []


def _text(words: Sequence[StyledWord], indices: Sequence[int]) -> str:
    return " ".join(words[i].text for i in indices)


def _shape(words: Sequence[StyledWord], indices: Sequence[int]) -> str:
    return _NUMBER.sub("0", _text(words, indices))


def _first_sub_name(
    lines: Sequence[TextLine], below: TextLine, words: Sequence[StyledWord]
) -> list[int]:
    """Return the words of a cell that stand as the name in the next row does, set in."""
    left = lines[0].bbox.left
    if below.bbox.left - left < _MIN_INDENT_PT:
        return []
    for k in range(1, len(lines)):
        is_set_in = all(one.bbox.left > below.bbox.left - _SAME_PLACE_PT for one in lines[k:])
        if is_set_in and _is_near(lines[k].bbox.left, below.bbox.left):
            return [i for one in lines[k:] for i in one.words]
    first = lines[0].words
    # So far in nothing begins but under what it goes with.
    is_far = below.bbox.left > (left + lines[0].bbox.right) / 2
    for k in range(1, len(first)):
        if not any(_WORD.search(words[i].text) for i in first[:k]):
            continue
        gap = words[first[k]].bbox.left - words[first[k - 1]].bbox.right
        begins = _is_near(words[first[k]].bbox.left, below.bbox.left)
        ends = gap > _MIN_GAP * lines[0].size and _is_near(lines[0].bbox.right, below.bbox.right)
        if ends or (begins and (is_far or gap > _MIN_GAP * lines[0].size)):
            return first[k:]
    return []


def _is_near(a: float, b: float) -> bool:
    return abs(a - b) < _SAME_PLACE_PT


def _set_out(
    lattice: Lattice,
    name: Slot,
    sub: Sequence[int],
    words: Sequence[StyledWord],
    values: frozenset[int],
) -> Slot:
    """Put a row for a name above the first of the rows that it stands beside, and return it."""
    row = name.row
    level = words[sub[0]].baseline
    slots: list[Slot] = []
    for slot in lattice.slots:
        if slot is name:
            kept = [i for i in slot.words if i not in set(sub)]
            heading = Slot(row, slot.column, 1, slot.column_span, kept)
            slots.append(heading)
            slots.append(Slot(row + 1, slot.column, slot.row_span, slot.column_span, list(sub)))
            continue
        if slot.row > row:
            slot.row += 1
        elif slot.last_row > row or slot.row < row == slot.last_row:
            slot.row_span += 1
        elif slot.row == row:
            # What says something of the name holds for what stands under it.
            is_beside = all(words[i].baseline < level - 0.5 * words[i].size for i in slot.words)
            if slot.words and is_beside and slot.column not in values - {0}:
                slot.row_span += 1
            else:
                slots.append(Slot(row, slot.column, 1, slot.column_span))
                slot.row += 1
        slots.append(slot)
    lattice.slots = slots
    top, bottom = lattice.ys[row], lattice.ys[row + 1]
    lattice.ys.insert(row + 1, (top + bottom) / 2)
    return heading
