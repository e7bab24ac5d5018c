"""Which lines of a table make a row: all divisions of a band weighed, the best taken.

Between two rules, or in a table without any, each line of text may begin a row or go on in the one
above it. A division is scored by what it makes of the lines: texts that go on where they were cut,
one value in a cell, rows that have a name and a value. The best one is found by dynamic programming
over the lines, so that what one column shows of a row holds for all of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_columns import cut_spanning, insert_border
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_roles import names_bound
from desktop_qa.parse.table_text import TextLine, continues, is_value, text_lines

MAX_LINES = 14
"""Of one row; longer texts are not set in cells beside values."""

_MIN_RULED_BANDS = 4
_MIN_STACKED = 3
_MAX_LINES_OF_BAND = 2.5
"""On average; rules farther apart part groups of rows."""

_TIGHT = 0.15
"""Of the font size above the least leading: lines farther apart are not of one text."""

_MAX_CODE = 20
_MIN_COMPLETE = 3
_MAX_COLUMNS = 2
"""Columns that are counted for a sign; more say no more."""

_INDENT_PT = 3.5
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class RowWeights:
    """What a sign is worth for two lines being of one row, or a row being one.

    Attributes:
        tight: Lines at the least leading of the band.
        loose: For each font size of more leading.
        goes_on: A text that was cut: in a word's middle, in a bracket, behind a comma.
        restyled: Another weight, or capitals above small letters.
        begins: The lower line begins as a name or a number does.
        full: The upper line had no room for the next word.
        room: It had.
        indented: The lower line is set in, as sub-rows are.
        repeats: It is the upper one again, digits aside.
        spanned: The upper line heads several columns.
        opens: The lower line has a text in a column that the upper one leaves empty.
        second_value: Two values in a cell.
        complete: Two lines that each fill every column: texts do not wrap in all of them.
        no_value: A row without values in a table of values.
        no_name: A row without name and values.
        heads: A row without values over one that is set in.
        ruled: A row more where rules already part the rows.
    """

    tight: float = 0.5
    loose: float = -6.0
    goes_on: float = 2.5
    restyled: float = -3.0
    begins: float = -0.7
    full: float = 1.2
    room: float = -3.0
    indented: float = -0.5
    repeats: float = -3.0
    spanned: float = -6.0
    opens: float = -1.0
    second_value: float = -3.0
    complete: float = -6.0
    no_value: float = -0.5
    no_name: float = -2.5
    heads: float = 2.0
    ruled: float = -1.5


WEIGHTS = RowWeights()
"""Chosen by hand, then by steps of one weight at a time on gold cells of three libraries."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines on one baseline, by column.

    Attributes:
        spans: Number of columns of each.
        n_values: Lines in columns of values that are one.
    """

    lines: dict[int, TextLine]
    spans: dict[int, int]
    n_values: int

    @property
    def baseline(self) -> float:
        return max((line.baseline for line in self.lines.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class ColumnKinds:
    """Columns in which most lines are values, and others in which each line is a word or code."""

    values: frozenset[int]
    codes: frozenset[int]


def segment_bands(lattice: Lattice, words: Sequence[StyledWord]) -> None:
    """Divide each row of a ruled lattice that holds several rows of text.

    A text that stands once beside the rows of its band (the parameter, the unit) spans them.

    Args:
        lattice: With a row for each band between rules.
        words: Of the page.
    """
    _part_spanning_labels(lattice, words)
    kinds = column_kinds(lattice, words)
    n_bands = lattice.n_rows
    bands = [
        [s for s in lattice.slots if s.row == row and s.row_span == 1 and s.words]
        for row in range(n_bands)
    ]
    baselines = [
        [line.baseline for line in text_lines(words, [i for s in band for i in s.words])]
        for band in bands
    ]
    is_ruled = are_bands_rows(sum(map(len, baselines)), n_bands)
    row = 0
    for band, levels in zip(bands, baselines, strict=True):
        n_rows = 1
        names = row == 0 and not any(is_value(_text(words, slot)) for slot in band)
        if len(levels) > 1 and not names and _is_stacked(band, kinds, words):
            explode_row(lattice, row, levels, words)
            end = row + len(levels)
            cut_spanning(lattice, words, row, end)
            n_rows = join_into_rows(lattice, row, end, words, kinds, is_ruled=is_ruled)
            join_labels(lattice, row, row + n_rows, words)
            if is_ruled:
                _span_band(lattice, row, row + n_rows, words, kinds)
        row += n_rows


def _part_spanning_labels(lattice: Lattice, words: Sequence[StyledWord]) -> None:
    """Part a cell beside several ruled rows that has a line for each, set in under the first."""
    for slot in [s for s in lattice.slots if s.row_span > 1 and s.words]:
        lines = text_lines(words, slot.words)
        if len(lines) != slot.row_span:
            continue
        borders = lattice.ys[slot.row : slot.last_row + 2]
        rows = [sum(y < line.baseline for y in borders) - 1 for line in lines]
        base = lines[0].bbox.left + _INDENT_PT
        if rows != list(range(slot.row_span)) or any(ln.bbox.left < base for ln in lines[1:]):
            continue
        _lead(lattice, slot, lines, words)


def part_stacked_heads(lattice: Lattice, words: Sequence[StyledWord]) -> None:
    """Part the first row where heads stand under one that spans them, in one ruled cell."""
    band = [s for s in lattice.slots if s.row == 0 and s.row_span == 1 and s.words]
    for slot in band:
        lines = text_lines(words, slot.words)
        if len(lines) > 1 and lattice.n_rows > 1 and _n_bounds(lines[-1], words) > 1:
            explode_row(lattice, 0, [lines[0].baseline, lines[-1].baseline], words)
            return


def _n_bounds(line: TextLine, words: Sequence[StyledWord]) -> int:
    return sum(names_bound(words[i].text) for i in line.words)


def _lead(
    lattice: Lattice, slot: Slot, lines: Sequence[TextLine], words: Sequence[StyledWord]
) -> None:
    """Give a name that leads sub-rows a column of its own, beside theirs."""
    x = min(line.bbox.left for line in lines[1:])
    sub_rows = [list(line.words) for line in lines]
    sub_rows[0] = [i for i in lines[0].words if words[i].bbox.left >= x - _INDENT_PT]
    leading = [i for i in lines[0].words if i not in sub_rows[0]]
    is_set = bool(sub_rows[0]) and abs(words[sub_rows[0][0]].bbox.left - x) < 2 * _INDENT_PT
    if (
        not leading
        or not is_set
        or not lattice.xs[slot.column] < x < lattice.xs[slot.last_column + 1]
    ):
        return
    lattice.slots.remove(slot)
    if not any(abs(border - x) < _INDENT_PT for border in lattice.xs):
        insert_border(lattice, x - 1)
        slot.column_span += 1
    column = max(k for k, border in enumerate(lattice.xs) if border < x)
    lattice.slots.append(Slot(slot.row, slot.column, slot.row_span, column - slot.column, leading))
    lattice.slots += [
        Slot(slot.row + k, column, 1, slot.last_column - column + 1, of_row)
        for k, of_row in enumerate(sub_rows)
    ]


def _is_stacked(band: Sequence[Slot], kinds: ColumnKinds, words: Sequence[StyledWord]) -> bool:
    """Tell whether a ruled cell of a band holds several values, or names each on its line."""
    n_stacks = 0
    for slot in band:
        lines = text_lines(words, slot.words)
        n_values = sum(is_value(line.text) for line in lines)
        if (slot.column in kinds.values and n_values > 1) or n_values >= _MIN_STACKED:
            return True
        is_alike = len({_shape(line) for line in lines}) <= 0.5 * len(lines)
        n_stacks += (slot.column in kinds.codes or is_alike) and len(lines) >= _MIN_STACKED
    return n_stacks > 1


def column_kinds(lattice: Lattice, words: Sequence[StyledWord]) -> ColumnKinds:
    """Tell the columns of values and of codes from those of texts, which are wrapped."""
    texts: dict[int, list[str]] = {}
    for slot in lattice.slots:
        if slot.column_span == 1:
            texts.setdefault(slot.column, []).extend(
                line.text for line in text_lines(words, slot.words)
            )
    values = frozenset(c for c, of in texts.items() if sum(map(is_value, of)) >= 0.5 * len(of) > 0)
    codes = frozenset(
        c for c, of in texts.items() if c not in values and sum(map(_is_code, of)) >= 0.7 * len(of)
    )
    return ColumnKinds(values, codes)


def _is_code(text: str) -> bool:
    return len(text) <= _MAX_CODE and " " not in text


def are_bands_rows(n_lines: int, n_bands: int) -> bool:
    """Tell whether rules part the rows of a table, not only groups of them."""
    return n_bands > _MIN_RULED_BANDS and n_lines <= _MAX_LINES_OF_BAND * n_bands


def join_into_rows(
    lattice: Lattice,
    first: int,
    end: int,
    words: Sequence[StyledWord],
    kinds: ColumnKinds,
    *,
    is_ruled: bool = False,
) -> int:
    """Join rows `first` to `end` - 1, of one line each, into the rows of the table.

    Args:
        lattice: Changed in place.
        first: First of the rows.
        end: Behind the last one.
        words: Of the page.
        kinds: Of the columns.
        is_ruled: True where rules part most rows of the table: more rows are then unlikely.

    Returns:
        Number of rows that are left.
    """
    rows = [_row_of(lattice, row, words, kinds) for row in range(first, end)]
    starts = _best_division(rows, lattice, words, kinds, is_ruled=is_ruled)
    for row in range(len(rows) - 1, 0, -1):
        if row not in starts:
            join_rows(lattice, first + row - 1)
    return len(starts)


def _row_of(lattice: Lattice, row: int, words: Sequence[StyledWord], kinds: ColumnKinds) -> _Row:
    slots = [slot for slot in lattice.slots if slot.row == row and slot.words]
    lines = {slot.column: text_lines(words, slot.words)[0] for slot in slots}
    spans = {slot.column: slot.column_span for slot in slots}
    n_values = sum(
        column in kinds.values and not _is_rest_of_value(line.text)
        for column, line in lines.items()
    )
    return _Row(lines, spans, n_values)


def _best_division(
    rows: Sequence[_Row],
    lattice: Lattice,
    words: Sequence[StyledWord],
    kinds: ColumnKinds,
    *,
    is_ruled: bool,
) -> set[int]:
    """Return the indices of the lines that begin a row."""
    joins = _Joins(rows, lattice, words, kinds)
    has_values = any(row.n_values for row in rows)
    best = [0.0]
    begin = [0]
    for end in range(1, len(rows) + 1):
        scores = [
            (
                best[start]
                + joins.across(start)
                + joins.inside(start, end)
                + _row_score(rows[start:end], has_values=has_values)
                + (WEIGHTS.heads if joins.heads_next(start, end) else 0.0)
                + (WEIGHTS.ruled if is_ruled and start else 0.0),
                start,
            )
            for start in range(max(0, end - MAX_LINES), end)
        ]
        score, start = max(scores)
        best.append(score)
        begin.append(start)
    starts = set()
    at = len(rows)
    while at:
        at = begin[at]
        starts.add(at)
    return starts


def _row_score(lines: Sequence[_Row], *, has_values: bool) -> float:
    n_with_values = sum(line.n_values > 0 for line in lines)
    score = WEIGHTS.second_value * max(0, n_with_values - 1)
    has_name = any(0 in line.lines for line in lines)
    if has_values and not n_with_values:
        score += WEIGHTS.no_value
    if not has_name and not n_with_values:
        score += WEIGHTS.no_name
    return score


class _Joins:
    """How well each line goes on the line above it, all columns together."""

    def __init__(
        self,
        rows: Sequence[_Row],
        lattice: Lattice,
        words: Sequence[StyledWord],
        kinds: ColumnKinds,
    ) -> None:
        self._rows = rows
        self._lattice = lattice
        self._words = words
        self._kinds = kinds
        gaps = [b.baseline - a.baseline for a, b in itertools.pairwise(rows) if a.lines and b.lines]
        self._least = min(gaps, default=0.0)
        self._scores = [0.0, *(self._score(a, b) for a, b in itertools.pairwise(rows))]

    def across(self, start: int) -> float:
        """Score of a row that begins at a line."""
        return -0.5 * self._scores[start]

    def inside(self, start: int, end: int) -> float:
        """Score of the lines `start` to `end` - 1 as one row."""
        return 0.5 * sum(self._scores[start + 1 : end])

    def heads_next(self, start: int, end: int) -> bool:
        """Tell whether lines without values lead one that is set in, and has some."""
        rows = self._rows
        if end == len(rows) or any(row.n_values for row in rows[start:end]):
            return False
        name, following = rows[start].lines.get(0), rows[end].lines.get(0)
        return (
            name is not None
            and following is not None
            and rows[end].n_values > 0
            and following.bbox.left - name.bbox.left > _INDENT_PT
            and not self._is_full(name, following, 0)
        )

    def _score(self, upper: _Row, lower: _Row) -> float:
        if not upper.lines or not lower.lines:
            return 0.0
        size = max(line.size for line in lower.lines.values())
        extra = (lower.baseline - upper.baseline - self._least) / max(size, 1.0)
        score = WEIGHTS.tight if extra < _TIGHT else WEIGHTS.loose * min(extra, 1.0)
        signs = {"spanned": 1} if _is_spanned(upper, lower) else {}
        n_columns = self._lattice.n_columns
        if n_columns >= _MIN_COMPLETE and len(upper.lines) == len(lower.lines) == n_columns:
            signs["complete"] = 1
        for column, line in lower.lines.items():
            above = upper.lines.get(column)
            if above is None:
                signs["opens"] = signs.get("opens", 0) + 1
            else:
                for sign in self._signs(above, line, column):
                    signs[sign] = signs.get(sign, 0) + 1
        for sign, n in signs.items():
            score += getattr(WEIGHTS, sign) * min(n, _MAX_COLUMNS)
        return score

    def _signs(self, above: TextLine, line: TextLine, column: int) -> Iterator[str]:
        if _style(above, self._words) != _style(line, self._words):
            yield "restyled"
        if column in self._kinds.values and _is_rest_of_value(line.text):
            yield "goes_on"
            return
        if column in self._kinds.values or column in self._kinds.codes:
            return  # counted for the row as a whole
        if continues(above.text, line.text) or above.text.count("(") > above.text.count(")"):
            yield "goes_on"
        elif line.text[:1].isupper() or line.text[:1].isdigit():
            yield "begins"
        if _shape(above) == _shape(line):
            yield "repeats"
        yield "full" if self._is_full(above, line, column) else "room"
        if column == 0 and line.bbox.left - above.bbox.left > _INDENT_PT:
            yield "indented"

    def _is_full(self, above: TextLine, line: TextLine, column: int) -> bool:
        right = next(
            (
                self._lattice.xs[slot.last_column + 1]
                for slot in self._lattice.slots
                if line.words[0] in slot.words
            ),
            self._lattice.xs[column + 1],
        )
        first_word = line.bbox.width / max(1, len(line.text)) * len(line.text.split()[0])
        return right - above.bbox.right < first_word + 0.8 * line.size


def _is_rest_of_value(text: str) -> bool:
    """Tell what stands under a value and says of what it is: "(Z axis)"."""
    return not is_value(text) and (text[0] == "(" or text[0].islower())


def _is_spanned(upper: _Row, lower: _Row) -> bool:
    """Tell whether a text of a line stands over two or more of the next."""
    return any(
        span > 1 and sum(column <= c < column + span for c in lower.lines) > 1
        for column, span in upper.spans.items()
    )


def _shape(line: TextLine) -> str:
    return _DIGITS.sub("0", line.text)


def _style(line: TextLine, words: Sequence[StyledWord]) -> tuple[bool, bool]:
    """Return whether a line is bold, and whether it is set in capitals as headings are."""
    letters = [char for char in line.text if char.isalpha()]
    return words[line.words[0]].bold, len(letters) > 4 and line.text.isupper()


def explode_row(
    lattice: Lattice, row: int, levels: Sequence[float], words: Sequence[StyledWord]
) -> None:
    """Make each baseline of a row a row of its own."""
    n_new = len(levels)
    slots: list[Slot] = []
    for slot in lattice.slots:
        if slot.row == row and slot.row_span == 1:
            pieces = [Slot(row + k, slot.column, 1, slot.column_span) for k in range(n_new)]
            for line in text_lines(words, slot.words):
                pieces[_nearest(levels, line.baseline)].words.extend(line.words)
            slots.extend(pieces)
            continue
        if slot.row > row:
            slot.row += n_new - 1
        elif slot.last_row >= row:
            slot.row_span += n_new - 1
        slots.append(slot)
    lattice.slots = slots
    borders = [(a + b) / 2 - 0.15 * (b - a) for a, b in itertools.pairwise(levels)]
    lattice.ys[row + 1 : row + 1] = borders


def _nearest(levels: Sequence[float], baseline: float) -> int:
    return min(range(len(levels)), key=lambda k: abs(levels[k] - baseline))


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


def join_labels(lattice: Lattice, first: int, end: int, words: Sequence[StyledWord]) -> None:
    """Let the name of a row go on beside the values of the next: one cell over both rows."""
    for row in range(end - 1, first, -1):
        for slot in [s for s in lattice.slots if s.row == row and s.column == 0 and s.words]:
            above = next(
                (s for s in lattice.slots if s.column == 0 and s.last_row == row - 1 and s.words),
                None,
            )
            if above is None or above.row < first or above.column_span != slot.column_span:
                continue
            upper, lower = text_lines(words, above.words)[-1], text_lines(words, slot.words)[0]
            if _style(upper, words) == _style(lower, words) and continues(upper.text, lower.text):
                above.words.extend(slot.words)
                above.row_span += slot.row_span
                lattice.slots.remove(slot)


def _span_band(
    lattice: Lattice,
    first: int,
    end: int,
    words: Sequence[StyledWord],
    kinds: ColumnKinds,
) -> None:
    """Let a text that is printed once for several rows of a band span them."""
    if end - first < 2:
        return
    for column in range(lattice.n_columns):
        own = sorted(
            (s for s in lattice.slots if s.column == column and first <= s.row < end),
            key=lambda slot: slot.row,
        )
        if len(own) < end - first or any(s.column_span > 1 or s.row_span > 1 for s in own):
            continue
        filled = [slot for slot in own if slot.words]
        is_one = len(filled) == 1
        if not filled or (column in kinds.values and not is_one):
            continue
        if column in kinds.values and is_value(_text(words, filled[0])):
            continue
        if column not in kinds.values and _is_one_text(filled, end - first, words):
            filled[0].words.extend(i for slot in filled[1:] for i in slot.words)
            gone = {id(slot) for slot in filled[1:]}
            lattice.slots = [s for s in lattice.slots if id(s) not in gone]
            own = [slot for slot in own if id(slot) not in gone]
            filled, is_one = filled[:1], True
        for slot, following in itertools.zip_longest(filled, filled[1:]):
            last = end - 1 if following is None else following.row - 1
            top = first if is_one else slot.row
            gone = {id(s) for s in own if top <= s.row <= last and s is not slot}
            lattice.slots = [s for s in lattice.slots if id(s) not in gone]
            slot.row, slot.row_span = top, last - top + 1


def _is_one_text(filled: Sequence[Slot], n_rows: int, words: Sequence[StyledWord]) -> bool:
    """Tell a wrapped text beside several rows of a band from a text for some of them."""
    if len(filled) == n_rows or filled[-1].row - filled[0].row != len(filled) - 1:
        return False
    lines = [line for slot in filled for line in text_lines(words, slot.words)]
    return all(
        abs(a.bbox.left - b.bbox.left) <= _INDENT_PT and _style(a, words) == _style(b, words)
        for a, b in itertools.pairwise(lines)
    )


def span_bands(
    lattice: Lattice,
    n_rows_of: Sequence[int],
    words: Sequence[StyledWord],
    kinds: ColumnKinds,
) -> None:
    """Let texts span the rows of their band.

    Args:
        lattice: Changed in place.
        n_rows_of: Number of rows of each band from the top, the header's included.
        words: Of the page.
        kinds: Of the columns.
    """
    first = 0
    for n_rows in n_rows_of:
        _span_band(lattice, first, first + n_rows, words, kinds)
        first += n_rows


def _text(words: Sequence[StyledWord], slot: Slot) -> str:
    return " ".join(words[i].text for i in slot.words)
