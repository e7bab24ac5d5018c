"""Rows of a grid that are not of its table: its title, the text of a page's frame, a second head.

Many makers print a table's title into the first row of its grid; some draw a frame round the whole
page, text and tables alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_captions import is_label, starts_note
from desktop_qa.parse.table_conditions import without_conditions
from desktop_qa.parse.table_grid import Lattice
from desktop_qa.parse.table_roles import MAX_HEAD
from desktop_qa.parse.table_text import is_value, text_lines

MAX_TITLE_LINES = 3
"""Of a title with its conditions; a row across the table that holds more is text in a frame."""

MIN_SHARED_HEADS = 2
"""Heads of the table that stand again under a row across it begin a second table, where they are
half of the row."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What a row of a grid holds; `across` when that is one text over the whole width."""

    words: tuple[int, ...]
    texts: tuple[str, ...]
    across: bool
    n_lines: int

    @property
    def is_free(self) -> bool:
        """True for notes, conditions and other text that names no table."""
        return (
            self.n_lines > MAX_TITLE_LINES
            or starts_note(self.texts[0])
            or not without_conditions(self.texts[0])
        )

    @property
    def are_heads(self) -> bool:
        """True when the row may name columns: short texts, none of them a number."""
        return len(self.texts) > 1 and not any(
            len(text) > MAX_HEAD or (is_value(text) and any(map(str.isdigit, text)))
            for text in self.texts
        )


def part_lattice(page: PageContent, lattice: Lattice) -> list[Lattice]:
    """Part a grid into its tables, each with the words of its title row.

    Args:
        page: With the words.
        lattice: With the words in its slots, without empty rows and columns.

    Returns:
        From top to bottom; the lattice itself where it is one table and no more.
    """
    if lattice.n_header is not None:
        return [lattice]  # how it was found told where it begins and ends
    rows = [_row(page, lattice, row) for row in range(lattice.n_rows)]
    end = len(rows)
    while end > 1 and rows[end - 1].across and rows[end - 1].is_free:
        end -= 1
    parts: list[Lattice] = []
    first, title = 0, tuple[int, ...]()
    heads: set[str] = set()
    for index, row in enumerate(rows[:end]):
        below = next((one for one in rows[index:end] if not one.across), None)
        if not heads and below is not None:
            heads = set(below.texts)
        begins = index == first or (below is not None and _share_heads(heads, below))
        is_title = row.across and (
            is_label(row.texts[0]) or (below is not None and below.are_heads)
        )
        if not (row.across and begins and (row.is_free or is_title)):
            continue
        if index > first:
            parts.append(_rows_of(lattice, first, index, title))
            title = ()
        title = () if row.is_free else (*title, *row.words)
        first = index + 1
    parts.append(_rows_of(lattice, first, end, title))
    return [part for part in parts if part.n_rows > 1] or [lattice]


def _share_heads(heads: set[str], row: _Row) -> bool:
    n_shared = len(heads & set(row.texts))
    return n_shared >= MIN_SHARED_HEADS and 2 * n_shared >= len(row.texts)


def _row(page: PageContent, lattice: Lattice, row: int) -> _Row:
    slots = tuple(s for s in lattice.slots if s.row <= row <= s.last_row and s.words)
    texts = tuple(" ".join(page.words[i].text for i in slot.words) for slot in slots)
    is_whole = len(slots) == 1 and slots[0].column_span == lattice.n_columns
    # The white between "Table 5." and its title may be taken for a border of columns.
    is_labelled = 0 < len(slots) <= 2 and slots[0].column == 0 and is_label(" ".join(texts))
    across = (
        lattice.n_columns > 1
        and (is_whole or is_labelled)
        and all(slot.row_span == 1 for slot in slots)
        and sum(map(str.isalpha, texts[0])) > 2
        and not is_value(texts[0])
    )
    words = [index for slot in slots for index in slot.words]
    n_lines = len(text_lines(page.words, words)) if across else 0
    return _Row(tuple(words), (" ".join(texts),) if across else texts, across, n_lines)


def _rows_of(lattice: Lattice, first: int, end: int, title: tuple[int, ...]) -> Lattice:
    """Return some rows of a lattice as one of their own."""
    slots = []
    for slot in lattice.slots:
        start, last = max(slot.row, first), min(slot.last_row, end - 1)
        if start <= last:
            slots.append(replace(slot, row=start - first, row_span=last - start + 1))
    return Lattice(
        list(lattice.xs), lattice.ys[first : end + 1], slots, lattice.soft[first:end], title
    )
