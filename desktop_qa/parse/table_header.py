"""Which rows at the top of a table name its columns."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.parse.page import Fill, StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_roles import MAX_HEAD, names_column
from desktop_qa.parse.table_text import is_value

MAX_HEADER_ROWS = 5

_MAX_CODE = 3
"""Characters of a level or a mark, as truth tables hold them."""


def count_header_rows(
    lattice: Lattice,
    words: Sequence[StyledWord],
    texts: dict[int, str],
    fills: Sequence[Fill],
) -> int:
    """Count the rows at the top that name the columns.

    Args:
        lattice: Of the table.
        words: Of the page.
        texts: Text of each slot by `id(slot)`.
        fills: Shaded areas of the page.
    """
    n_max = min(MAX_HEADER_ROWS, lattice.n_rows - 1)
    first = row = _leading_titles(lattice, words, texts, fills)
    while row < n_max:
        filled = [slot for slot in lattice.slots if slot.row == row and texts[id(slot)]]
        if not filled or not (
            _names_columns(lattice, row, filled, words, texts, fills)
            if row == first
            else _goes_on(lattice, row, filled, words, texts, fills)
        ):
            break
        row += 1
    n_header = row if row > first else 0
    if n_header == 0 and n_max and _stands_over_values(lattice, texts):
        n_header = 1
    n_header = _through_spans(lattice, n_header, n_max)
    return _without_trailing_groups(lattice, n_header, texts)


def _leading_titles(
    lattice: Lattice, words: Sequence[StyledWord], texts: dict[int, str], fills: Sequence[Fill]
) -> int:
    """Count rows of one or two wide cells (a title, the conditions) above the row of headings."""
    for row in range(min(3, lattice.n_rows - 1)):
        filled = [s for s in lattice.slots if s.row == row and texts[id(s)]]
        if len(filled) > 2 or len(filled) == lattice.n_columns:
            names = sum(names_column(texts[id(s)]) for s in filled)
            is_header = _names_columns(lattice, row, filled, words, texts, fills)
            return row if row and names >= 0.5 * len(filled) and is_header else 0
    return 0


def _names_columns(
    lattice: Lattice,
    row: int,
    filled: list[Slot],
    words: Sequence[StyledWord],
    texts: dict[int, str],
    fills: Sequence[Fill],
) -> bool:
    """Tell the first row of heads."""
    n_values = _n_values(lattice, filled, texts)
    n_words = sum(names_column(texts[id(slot)]) for slot in filled)
    if _are_heads(n_words, n_values, len(filled)):
        return True
    if is_distinct(lattice, row, words, fills):
        return row == 0 or len(filled) >= 2
    if row or n_values or len(filled) < 2:
        return False
    is_short = all(len(texts[id(slot)]) <= MAX_HEAD for slot in filled)
    return (
        (n_words >= 1 and is_short)
        or any(_is_divided_below(lattice, slot) for slot in filled)
        or _stands_over_codes(lattice, filled, texts)
    )


def _goes_on(
    lattice: Lattice,
    row: int,
    filled: list[Slot],
    words: Sequence[StyledWord],
    texts: dict[int, str],
    fills: Sequence[Fill],
) -> bool:
    """Tell a further row of heads: names of registers, too, hold the words of headings."""
    n_values = _n_values(lattice, filled, texts)
    if is_distinct(lattice, row, words, fills) and len(filled) >= 2:
        return True
    if not _is_under_span(lattice, row):
        return False
    n_words = sum(names_column(texts[id(slot)]) for slot in filled)
    if _are_heads(n_words, n_values, len(filled)):
        return True
    # What has values or levels below it has a name in its row.
    is_nameless = not any(slot.column == 0 for slot in filled)
    return not n_values and (is_nameless or _stands_over_codes(lattice, filled, texts))


def _are_heads(n_words: int, n_values: int, n_filled: int) -> bool:
    return n_words >= max(2, 0.4 * n_filled) and n_values <= 0.3 * n_filled


def _n_values(lattice: Lattice, filled: Sequence[Slot], texts: dict[int, str]) -> int:
    """Count values; a temperature over several columns heads them."""
    return sum(is_value(texts[id(s)]) and not _is_divided_below(lattice, s) for s in filled)


def _is_divided_below(lattice: Lattice, slot: Slot) -> bool:
    """Tell whether a cell stands over two or more cells of the next row."""
    return (
        1 < slot.column_span < lattice.n_columns
        and sum(
            s.row == slot.last_row + 1
            and bool(s.words)
            and slot.column <= s.column <= slot.last_column
            for s in lattice.slots
        )
        > 1
    )


def _stands_over_values(lattice: Lattice, texts: dict[int, str]) -> bool:
    """Tell whether the first row holds words, and a column under it mostly values."""
    first = [texts[id(slot)] for slot in lattice.slots if slot.row == 0]
    if len(first) < 2 or not all(first) or any(is_value(text) for text in first):
        return False
    for column in range(1, lattice.n_columns):
        below = [texts[id(s)] for s in lattice.slots if s.row > 0 and s.column == column]
        filled = [text for text in below if text]
        if len(filled) > 1 and sum(map(is_value, filled)) >= 0.6 * len(filled):
            return True
    return False


def _stands_over_codes(lattice: Lattice, filled: Sequence[Slot], texts: dict[int, str]) -> bool:
    """Tell whether most cells of a row stand over a few codes, as levels are, and none is such."""
    below = [
        [
            text
            for s in lattice.slots
            if s.row > own.row and s.column == own.column and (text := texts[id(s)])
        ]
        for own in filled
    ]
    coded = [of for of in below if of and all(len(text) <= _MAX_CODE for text in of)]
    codes = {text for of in coded for text in of}
    return (
        2 * len(coded) > len(filled)
        and 2 * len(codes) <= sum(map(len, coded))
        and codes.isdisjoint(texts[id(own)] for own in filled)
    )


def _is_under_span(lattice: Lattice, row: int) -> bool:
    """Tell whether a cell of the row above stands over some, not all, of a row's cells."""
    return any(
        slot.last_row == row - 1 and 1 < slot.column_span < lattice.n_columns and slot.words
        for slot in lattice.slots
    )


def is_distinct(
    lattice: Lattice, row: int, words: Sequence[StyledWord], fills: Sequence[Fill]
) -> bool:
    """Tell whether a row looks other than the body: bold or shaded where the body is not."""
    in_row = [words[i] for s in lattice.slots if s.row == row for i in s.words]
    below = [words[i] for s in lattice.slots if s.row > row for i in s.words]
    if not in_row or not below:
        return False
    bold, bold_below = (sum(w.bold for w in group) / len(group) for group in (in_row, below))
    if bold > 0.8 and bold_below < 0.5:
        return True
    shade, shade_below = _shade(in_row, fills), _shade(below, fills)
    return shade > 0.8 and shade_below < 0.3


def _shade(group: Sequence[StyledWord], fills: Sequence[Fill]) -> float:
    sample = group[:: max(1, len(group) // 24)]
    shaded = sum(any(fill.bbox.contains_center(word.bbox) for fill in fills) for word in sample)
    return shaded / len(sample)


def _through_spans(lattice: Lattice, n_header: int, n_max: int) -> int:
    """A header cell that spans rows takes the rows beside it into the header."""
    while n_header:
        reach = max((s.last_row + 1 for s in lattice.slots if s.row < n_header), default=0)
        if reach <= n_header or reach > n_max:
            return n_header
        n_header = reach
    return n_header


def _without_trailing_groups(lattice: Lattice, n_header: int, texts: dict[int, str]) -> int:
    """A last header row that is one cell over all columns heads a group of rows instead."""
    while n_header > 1:
        last = [s for s in lattice.slots if s.last_row == n_header - 1 and texts[id(s)]]
        if len(last) != 1 or last[0].column_span < lattice.n_columns:
            break
        n_header -= 1
    return n_header
