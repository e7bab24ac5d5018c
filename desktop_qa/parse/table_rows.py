"""Which lines of a table make a row: all divisions of a band weighed, the best taken.

Between two rules, or in a table without any, each line of text may begin a row or go on in the one
above it. A division is scored by what it makes of the lines: texts that go on where they were cut,
one value in a cell, rows that have a name and a value. The best one is found by dynamic programming
over the lines, so that what one column shows of a row holds for all of them.

Sub-names: "Collector Cutoff Current" has "TIP29A" under it in its cell, and "TIP29B" in the next
row begins where "TIP29A" does; or the first stands on the name's own line, behind a gap. So does
what gives the same quantity at the ends of the lines: "Rise Time VCC = 2 V", "(Pin 5) VCC = 4.5 V".
The name is given a row of its own, as a heading, so that it says nothing of "TIP29A" to the rows
below.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.parse.page import StyledWord
from desktop_qa.parse.table_columns import cut_spanning
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_roles import names_bound
from desktop_qa.parse.table_text import TextLine, continues, is_open, is_value, text_lines, text_of

MAX_LINES = 14
"""Of one row, and rows under one name; longer texts are not set in cells beside values."""

_MIN_RULED_BANDS = 4
_MIN_STACKED = 3
_MAX_LINES_OF_BAND = 2.5
"""On average; rules farther apart part groups of rows."""

_TIGHT = 0.15
"""Of the font size above the least leading: lines farther apart are not of one text."""

_MAX_LEADING = 2.0
"""In sizes; of one text, whatever else stands in the band."""

_TOLD = -2.0
"""Below this score two lines are surely two texts."""

_MAX_CODE = 20
_MIN_COMPLETE = 3
_MAX_COLUMNS = 2
"""Columns that are counted for a sign; more say no more."""

_INDENT_PT = 3.5
_QUANTITY = re.compile(r"([^\W\d]\w*\)?)\s?[=<>≤≥]")
_DIGITS = re.compile(r"\d+")


WEIGHTS = {
    "tight": 0.25,  # lines at the least leading of the band
    "loose": -6.0,  # for each font size of more leading
    "goes_on": 2.5,  # a text that was cut: in a word's middle, in a bracket, behind a comma
    "restyled": -3.0,  # another weight, or capitals above small letters
    "begins": -0.7,  # the lower line begins as a name or a number does
    "full": 1.2,  # the upper line had no room for the next word
    "room": -3.0,  # it had
    "indented": -0.5,  # the lower line is set in, as sub-rows are
    "repeats": -3.0,  # it is the upper one again, digits aside
    "spanned": -6.0,  # the upper line heads several columns
    "opens": -1.0,  # the lower line has a text in a column that the upper one leaves empty
    "second_value": -3.0,  # two values in a cell
    "complete": -6.0,  # two lines that each fill every column: texts do not wrap in all of them
    "no_value": -0.5,  # a row without values in a table of values
    "no_name": -2.5,  # a row without name and values
    "heads": 2.0,  # a row without values over one that is set in
    "ruled": -1.5,  # a row more where rules already part the rows
    "span": 2.5,  # what a text beside several rows costs
    "told": 1.0,  # something else beside the lines tells them apart already
    "tall": -2.5,  # of a cell drawn beside several rows: lines that fit no better are two texts
    "unlike": -2.0,  # two values or levels, which are no text that wraps
    "overlap": -4.0,  # both give the same quantity: two conditions
    "disjoint": 1.0,  # they give different ones, as one condition does
    "fewer": 6.0,  # the column has nothing but these lines, and fewer than the band has values
    "recurs": 0.5,  # the upper line stands elsewhere in the column, the lower one does not
    # it opens a band of values in which something else is printed once: a name that others share
    # is not the whole of it
    "shared": 3.0,
}
"""What a sign is worth for two lines being of one row, or a row being one.

Chosen by hand, then by steps of one weight at a time on gold cells of three libraries.
"""


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines on one baseline, by column.

    Attributes:
        spans: Number of columns of each.
        n_values: Lines in columns of values that are one; levels where there are no values.
    """

    lines: dict[int, TextLine]
    spans: dict[int, int]
    n_values: int


@dataclass(frozen=True, slots=True)
class ColumnKinds:
    """What the whole of a table tells of its columns.

    Attributes:
        values: Those in which most lines are values.
        codes: Others in which each line is a word or code.
        early: Share of the lines that end early, `whole` of the texts that are of all rows of their
            band, as `_habits` learns them.
    """

    values: frozenset[int]
    codes: frozenset[int]
    often: Mapping[int, frozenset[str]]
    early: Mapping[int, float]
    whole: Mapping[int, float]

    def are_levels(self, column: int, lines: Iterable[TextLine]) -> bool:
        """Tell whether each line is a code of one letter: nothing wraps behind so few."""
        return column in self.codes and all(len(line.text) == 1 for line in lines)


def segment_bands(lattice: Lattice) -> None:
    """Divide each row of a ruled lattice that holds several rows of text.

    A text that stands once beside the rows of its band (the parameter, the unit) spans them.
    """
    kinds = column_kinds(lattice)
    tall = [slot for slot in lattice.slots if slot.row_span > 1 and slot.words]
    n_bands = lattice.n_rows
    bands = [
        [s for s in lattice.slots if s.row == row and s.row_span == 1 and s.words]
        for row in range(n_bands)
    ]
    baselines = [
        [line.baseline for line in text_lines(lattice.words, [i for s in band for i in s.words])]
        for band in bands
    ]
    is_ruled = are_bands_rows(sum(map(len, baselines)), n_bands)
    row = 0
    for band, levels in zip(bands, baselines, strict=True):
        n_rows = 1
        names = row == 0 and not any(is_value(lattice.words[i].text) for s in band for i in s.words)
        if len(levels) > 1 and not names and _is_stacked(lattice, band, kinds):
            explode_row(lattice, row, levels)
            end = row + len(levels)
            cut_spanning(lattice, row, end)
            n_rows = join_into_rows(lattice, row, end, kinds, is_ruled=is_ruled)
            _span_band(lattice, row, row + n_rows, kinds, is_ruled=is_ruled)
        row += n_rows
    for slot in tall:
        _part_tall(lattice, slot, kinds)
    set_out_sub_names(lattice, kinds.values)


def _part_tall(lattice: Lattice, slot: Slot, kinds: ColumnKinds) -> None:
    """Part a cell beside several rows that has a text for each of them, or for some together."""
    lines = lattice.lines_of(slot)
    rows = [_Row({slot.column: line}, {slot.column: slot.column_span}, 0) for line in lines]
    beside = {
        row
        for s in lattice.slots
        if s.column in kinds.values and s.words
        for row in range(max(s.row, slot.row), min(s.last_row, slot.last_row) + 1)
    }
    cuts = {0, *_Links(rows, lattice, kinds, len(beside)).cuts()}
    levels = {row: _level(lattice, row) for row in range(slot.row, slot.last_row + 1)}
    is_told = any(
        slot.row < s.row <= slot.last_row and s.words and s.column not in kinds.values
        for s in lattice.slots
    )
    if not is_told and len(lines) == len(levels):
        cuts = set(range(len(lines)))  # nothing else tells the rows apart
    starts: list[int] = []
    for k in sorted(cuts):
        far = 0.5 if lines[-1].bbox.left - lines[0].bbox.left > _INDENT_PT else 0.2
        near = [r for r, y in levels.items() if abs(y - lines[k].baseline) < far * lines[k].size]
        if near:
            starts.append(near[0])
        elif k:
            return
    if len(starts) < len(cuts):
        cuts = {0, *sorted(cuts)[2:]}
    if len(starts) < 2 or len(set(starts)) < len(starts):
        return
    lattice.slots.remove(slot)
    if starts[0] > slot.row:
        above = starts[0] - slot.row
        lattice.slots.append(Slot(slot.row, slot.column, above, slot.column_span))
    edges = [*sorted(cuts), len(lines)]
    for (a, b), start, end in zip(
        itertools.pairwise(edges), starts, [*starts[1:], slot.last_row + 1], strict=True
    ):
        of = [i for line in lines[a:b] for i in line.words]
        lattice.slots.append(Slot(start, slot.column, end - start, slot.column_span, of))


def part_stacked_heads(lattice: Lattice) -> None:
    """Part the first row where heads stand under one that spans them, in one ruled cell."""
    band = [s for s in lattice.slots if s.row == 0 and s.row_span == 1 and s.words]
    for slot in band:
        lines = lattice.lines_of(slot)
        n_bounds = sum(names_bound(lattice.words[i].text) for i in lines[-1].words)
        if len(lines) > 1 and lattice.n_rows > 1 and n_bounds > 1:
            explode_row(lattice, 0, [lines[0].baseline, lines[-1].baseline])
            return


def _is_stacked(lattice: Lattice, band: Sequence[Slot], kinds: ColumnKinds) -> bool:
    """Tell whether a ruled cell of a band holds several values, or names each on its line."""
    n_stacks = n_levels = 0
    for slot in band:
        lines = lattice.lines_of(slot)
        # A line that ends open has its other end on the next one: they are one value.
        n_values = sum(is_value(line.text) and not is_open(line.text) for line in lines)
        if (slot.column in kinds.values and n_values > 1) or n_values >= _MIN_STACKED:
            return True
        is_alike = len({_shape(line) for line in lines}) <= 0.5 * len(lines)
        n_stacks += (slot.column in kinds.codes or is_alike) and len(lines) >= _MIN_STACKED
        n_levels += len(lines) > 1 and kinds.are_levels(slot.column, lines)
    return n_stacks > 1 or n_levels > 0


def column_kinds(lattice: Lattice) -> ColumnKinds:
    """Tell the columns of values and of codes from those of texts, which are wrapped."""
    texts: dict[int, list[str]] = {}
    for slot in lattice.slots:
        if slot.column_span == 1:
            texts.setdefault(slot.column, []).extend(line.text for line in lattice.lines_of(slot))
    values = frozenset(c for c, of in texts.items() if sum(map(is_value, of)) >= 0.5 * len(of) > 0)
    codes = frozenset(
        c
        for c, of in texts.items()
        if c not in values
        and sum(len(t) <= _MAX_CODE and " " not in t for t in of) >= 0.7 * len(of)
    )
    often = {c: frozenset(t for t, n in Counter(of).items() if n > 1) for c, of in texts.items()}
    return ColumnKinds(values, codes, often, *_habits(lattice, values, codes))


def _habits(
    lattice: Lattice, values: frozenset[int], codes: frozenset[int]
) -> tuple[dict[int, float], ...]:
    """Learn from the bands that can be read in one way only how texts stand in each column.

    Returns:
        Share of the lines that go on in the next one though they have room for its first word; and
        of the texts beside several values that stand beside all of the band.
    """
    n_values = [0] * lattice.n_rows
    n_names = [0] * lattice.n_rows
    cells = [(slot, lattice.lines_of(slot)) for slot in lattice.slots if slot.words]
    for slot, lines in cells:
        if slot.column in values and slot.row_span == 1:
            n_values[slot.row] = max(n_values[slot.row], sum(is_value(li.text) for li in lines))
        n_names[slot.row] += len(lines) * (slot.column == 0 and 0 not in codes)
    wraps: dict[int, list[bool]] = {}
    spans: dict[int, list[bool]] = {}
    for slot, lines in cells:
        rows = slice(slot.row, slot.last_row + 1)
        beside = sum(n_values[rows])
        if slot.column in values or not 0 < beside <= MAX_LINES or not _is_tight(lines):
            continue
        # Where each row has a name of its own, so may what stands beside some of them.
        are_named = sum(n_names[rows]) >= beside > 1
        if beside == 1 or (len(lines) < beside and not are_named):
            wraps.setdefault(slot.column, []).extend(
                not _is_full(lattice.xs[slot.last_column + 1], a, b)
                for a, b in itertools.pairwise(lines)
                if not continues(a.text, b.text)
            )
        go_on = all(continues(a.text, b.text) for a, b in itertools.pairwise(lines))
        are_alike = len(set(map(_shape, lines))) < len(lines)
        if beside > 1 and not are_named and (len(lines) < beside or go_on or are_alike):
            spans.setdefault(slot.column, []).append(not are_alike)
    return _shares(wraps), _shares(spans)


def _is_tight(lines: Sequence[TextLine]) -> bool:
    """Tell whether lines follow each other at one leading, as those of a text do."""
    gaps = [b.baseline - a.baseline for a, b in itertools.pairwise(lines)]
    size = lines[0].size
    return not gaps or max(gaps) <= min([*gaps, _MAX_LEADING * size]) + _TIGHT * size


def _shares(seen: Mapping[int, Sequence[bool]]) -> dict[int, float]:
    """Return the share of each column in which something is seen, less where little is."""
    return {column: sum(of) / (len(of) + 1) for column, of in seen.items()}


def are_bands_rows(n_lines: int, n_bands: int) -> bool:
    """Tell whether rules part the rows of a table, not only groups of them."""
    return n_bands > _MIN_RULED_BANDS and n_lines <= _MAX_LINES_OF_BAND * n_bands


def join_into_rows(
    lattice: Lattice, first: int, end: int, kinds: ColumnKinds, *, is_ruled: bool = False
) -> int:
    """Join rows `first` to `end` - 1, of one line each, into the rows of the table; count them.

    Where rules part most rows of the table, more rows are unlikely.
    """
    rows: list[_Row] = []
    above: dict[int, TextLine] = {}
    for row in range(first, end):
        rows.append(_row_of(lattice, row, kinds, above))
        above |= rows[-1].lines
    links = _Links(rows, lattice, kinds)
    starts = _best_division(rows, links, is_ruled=is_ruled)
    for row in range(len(rows) - 1, 0, -1):
        if row not in starts:
            join_rows(lattice, first + row - 1)
    for link in links.spanning():
        _join_texts(
            lattice, rows[link.upper].lines[link.column], rows[link.lower].lines[link.column]
        )
    return len(starts)


def _join_texts(lattice: Lattice, above: TextLine, line: TextLine) -> None:
    """Make one cell of the two that hold the lines of a text beside several rows."""
    upper = next(slot for slot in lattice.slots if above.words[0] in slot.words)
    lower = next(slot for slot in lattice.slots if line.words[0] in slot.words)
    if upper is lower or (upper.column, upper.column_span) != (lower.column, lower.column_span):
        return
    upper.words.extend(lower.words)
    upper.row_span = lower.last_row - upper.row + 1
    lattice.slots = [
        slot
        for slot in lattice.slots
        if slot is upper
        or slot.last_column < upper.column
        or slot.column > upper.last_column
        or not upper.row <= slot.row <= upper.last_row
    ]


def _row_of(lattice: Lattice, row: int, kinds: ColumnKinds, above: Mapping[int, TextLine]) -> _Row:
    slots = [slot for slot in lattice.slots if slot.row == row and slot.words]
    lines = {slot.column: lattice.lines_of(slot)[0] for slot in slots}
    spans = {slot.column: slot.column_span for slot in slots}
    n_values = sum(
        (
            column in kinds.values
            and not _is_rest_of_value(line.text)
            and not (column in above and is_open(above[column].text))
        )
        or (not kinds.values and kinds.are_levels(column, (line,)))
        for column, line in lines.items()
    )
    return _Row(lines, spans, n_values)


def _best_division(rows: Sequence[_Row], links: _Links, *, is_ruled: bool) -> list[int]:
    """Return the indices of the lines that begin a row, ascending."""
    has_values = any(row.n_values for row in rows)
    has_names = any(0 in row.lines for row in rows)
    best = [0.0]
    begin = [0]
    for end in range(1, len(rows) + 1):
        scores = [
            (
                best[start]
                + links.score(start, end)
                + _row_score(rows[start:end], has_values=has_values, has_names=has_names)
                + (WEIGHTS["heads"] if links.heads_next(start, end) else 0.0)
                + (WEIGHTS["ruled"] if is_ruled and start else 0.0),
                start,
            )
            for start in range(max(0, end - MAX_LINES), end)
        ]
        score, start = max(scores)
        best.append(score)
        begin.append(start)
    starts = []
    at = len(rows)
    while at:
        at = begin[at]
        starts.append(at)
    return starts[::-1]


def _row_score(lines: Sequence[_Row], *, has_values: bool, has_names: bool) -> float:
    n_with_values = sum(line.n_values > 0 for line in lines)
    score = WEIGHTS["second_value"] * max(0, n_with_values - 1)
    has_name = any(0 in line.lines for line in lines)
    if has_values and not n_with_values:
        score += WEIGHTS["no_value"]
    if has_names and not has_name and not n_with_values:
        score += WEIGHTS["no_name"]
    return score


@dataclass(frozen=True, slots=True)
class _Link:
    """Two lines of a column, one below the other; the score is for their being one text."""

    column: int
    upper: int
    lower: int
    score: float


class _Links:
    """How well each line of a column goes on the one above it, wherever the other columns stand.

    What is cut between two rows may still be one text, beside both of them.
    """

    def __init__(
        self,
        rows: Sequence[_Row],
        lattice: Lattice,
        kinds: ColumnKinds,
        n_beside: int = 0,
    ) -> None:
        self._rows = rows
        self._lattice = lattice
        self._kinds = kinds
        self._is_tall = n_beside > 0
        self._is_band = len(rows) <= MAX_LINES
        valued = [k for k, row in enumerate(rows) if row.n_values and kinds.values]
        n_values = n_beside or len(valued)
        at: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            for column in row.lines:
                at.setdefault(column, []).append(index)
        # Where each row has a name of its own, so may what stands beside some of them.
        are_named = not self._is_tall and len(at.get(0, ())) >= n_values
        self._are_named = are_named and 0 not in kinds.codes
        self._fewer = {
            c for c, of in at.items() if of[-1] - of[0] < len(of) < n_values and not are_named
        }
        self._once = {c for c, of in at.items() if len(of) < n_values}
        pairs = [(column, *pair) for column, of in at.items() for pair in itertools.pairwise(of)]
        gaps = [rows[k].lines[c].baseline - rows[i].lines[c].baseline for c, i, k in pairs]
        self._least = min(
            [*gaps, *(_MAX_LEADING * row.lines[c].size for row in rows for c in row.lines)],
            default=0.0,
        )
        self._links: list[list[_Link]] = [[] for _row in rows]
        for column, upper, lower in pairs:
            score = self._score(column, upper, lower)
            self._links[lower].append(_Link(column, upper, lower, score))
        self._joins = [0.0, *(self._row_signs(a, b) for a, b in itertools.pairwise(rows))]

    def score(self, start: int, end: int) -> float:
        """Score of the lines `start` to `end` - 1 as one row."""
        total = sum(self._joins[start + 1 : end])
        for links in self._links[start:end]:
            for link in links:
                total += link.score if link.upper >= start else max(0.0, self._across(link))
        return total

    def spanning(self) -> Iterator[_Link]:
        """Yield the links that hold between rows as well, from the bottom."""
        for links in reversed(self._links):
            yield from (link for link in links if self._across(link) > 0)

    def _across(self, link: _Link) -> float:
        """Return the score for one text beside two rows, which is likelier where others are."""
        if link.column in self._kinds.codes:
            return link.score - WEIGHTS["span"]
        is_told = (
            self._is_band and not self._are_named and any(map(self._tells, self._links[link.lower]))
        )
        return (
            link.score
            + (WEIGHTS["told"] if is_told else 0.0)
            - WEIGHTS["span"] * (1.0 - self._kinds.whole.get(link.column, 0.0))
        )

    def _tells(self, link: _Link) -> bool:
        """Tell whether two lines are surely two texts, so that they tell their rows apart."""
        above, line = (self._rows[k].lines[link.column].text for k in (link.upper, link.lower))
        if link.column in self._kinds.codes:
            is_name = link.column < min(self._kinds.values - {0}, default=0)
            return is_name and above != line
        return link.score < _TOLD and link.column not in self._kinds.values

    def cuts(self) -> list[int]:
        """Return the lines that begin a text, in rows of one column."""
        return [
            link.lower for links in self._links for link in links if link.score < WEIGHTS["tall"]
        ]

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
            and not _is_full(self._right_of(0, following), name, following)
        )

    def _row_signs(self, upper: _Row, lower: _Row) -> float:
        score = WEIGHTS["spanned"] if _is_spanned(upper, lower) else 0.0
        n_columns = self._lattice.n_columns
        if n_columns >= _MIN_COMPLETE and len(upper.lines) == len(lower.lines) == n_columns:
            score += WEIGHTS["complete"]
        n_opened = sum(column not in upper.lines for column in lower.lines)
        return score + WEIGHTS["opens"] * min(n_opened, _MAX_COLUMNS)

    def _score(self, column: int, upper: int, lower: int) -> float:
        above, line = self._rows[upper].lines[column], self._rows[lower].lines[column]
        if self._kinds.are_levels(column, (above, line)):
            return WEIGHTS["unlike"]
        extra = (line.baseline - above.baseline - self._least) / max(line.size, 1.0)
        score = WEIGHTS["tight"] if extra < _TIGHT else WEIGHTS["loose"] * min(extra, 1.0)
        is_remark = line.text[0] == "(" and not self._rows[lower].n_values and not self._is_tall
        goes_on = is_remark or continues(above.text, line.text)
        signs = self._signs(above, line, column, is_tight=extra < _TIGHT, goes_on=goes_on)
        return float(score + sum(self._worth(sign, column) for sign in signs))

    def _worth(self, sign: str, column: int) -> float:
        """Return the weight of a sign; room says nothing where lines are seen to end early."""
        share = self._kinds.early.get(column, 0.0) if sign == "room" else 0.0
        return WEIGHTS[sign] * (1.0 - share)

    def _signs(
        self, above: TextLine, line: TextLine, column: int, *, is_tight: bool, goes_on: bool
    ) -> Iterator[str]:
        if not goes_on and self._style(above) != self._style(line):
            yield "restyled"
        if column in self._kinds.values:
            is_rest = is_open(above.text) or _is_rest_of_value(line.text)
            yield "goes_on" if is_rest else "unlike"
            return
        if column in self._kinds.codes:
            if is_open(above.text):
                yield "goes_on"
            return
        often = self._kinds.often.get(column, frozenset())
        if above.text in often and line.text not in often:
            yield "recurs"
            opens = self._is_band and self._rows[0].lines.get(column) is above
            if opens and self._rows[0].n_values and self._once - {column}:
                yield "shared"
                return
        if goes_on:
            yield "goes_on"
        elif line.text[:1].isupper() or line.text[:1].isdigit():
            yield "begins"
        if _shape(above) == _shape(line):
            yield "repeats"
        given, more = (set(_QUANTITY.findall(one.text)) for one in (above, line))
        if given & more:
            yield "overlap"
        elif self._is_band and given and more:
            yield "disjoint"
        if self._is_band and column in self._fewer and is_tight:
            yield "fewer"
        if _is_full(self._right_of(column, line), above, line):
            yield "full"
        elif not (is_open(above.text) or (goes_on and line.text[0] == "(")):
            yield "room"
        if column == 0 and line.bbox.left - above.bbox.left > _INDENT_PT:
            yield "indented"

    def _style(self, line: TextLine) -> tuple[bool, bool]:
        """Return whether a line is bold, and whether it is set in capitals as headings are."""
        letters = [char for char in line.text if char.isalpha()]
        is_heading = len(letters) > 4 and line.text.isupper() and not _QUANTITY.search(line.text)
        return self._lattice.words[line.words[0]].bold, is_heading

    def _right_of(self, column: int, line: TextLine) -> float:
        return next(
            (
                self._lattice.xs[slot.last_column + 1]
                for slot in self._lattice.slots
                if line.words[0] in slot.words
            ),
            self._lattice.xs[column + 1],
        )


def _is_full(right: float, above: TextLine, line: TextLine) -> bool:
    """Tell whether a line had no room for the first word of the next, up to its cell's border."""
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


def explode_row(lattice: Lattice, row: int, levels: Sequence[float]) -> None:
    """Make each baseline of a row a row of its own."""
    n_new = len(levels)
    slots: list[Slot] = []
    for slot in lattice.slots:
        if slot.row == row and slot.row_span == 1:
            pieces = [Slot(row + k, slot.column, 1, slot.column_span) for k in range(n_new)]
            for line in lattice.lines_of(slot):
                off = [abs(level - line.baseline) for level in levels]
                pieces[off.index(min(off))].words.extend(line.words)
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


def _span_band(
    lattice: Lattice, first: int, end: int, kinds: ColumnKinds, *, is_ruled: bool
) -> None:
    """Let a text that is printed once for several rows of a band span them.

    It stands at the first of them, or amid them. What leaves the rows above it empty is amid them;
    alone between rules it is of all, wherever it stands.
    """
    if end - first < 2:
        return
    levels = [_level(lattice, row) for row in range(first, end)]
    valued = {
        row
        for s in lattice.slots
        if s.column in kinds.values and is_value(lattice.text_of(s))
        for row in range(s.row, s.last_row + 1)
    }
    are_data = valued.issuperset(range(first, end))
    keys = {(s.column, s.column_span) for s in lattice.slots if first <= s.row < end}
    for key in keys:
        own = sorted(
            (s for s in lattice.slots if (s.column, s.column_span) == key and first <= s.row < end),
            key=lambda slot: slot.row,
        )
        filled = [slot for slot in own if slot.words]
        if not filled or sum(slot.row_span for slot in own) != end - first:
            continue
        if key[0] in kinds.values and (len(filled) > 1 or is_value(lattice.text_of(filled[0]))):
            continue
        starts = [slot.row - first for slot in filled]
        lines = [lattice.lines_of(slot) for slot in filled]
        middles = [(of[0].baseline + of[-1].baseline) / 2 for of in lines]
        amid = _amid(levels, middles) if starts[0] and are_data else []
        is_headed = starts == [0] and end - first <= MAX_LINES
        if not amid and not is_ruled and not is_headed:
            continue
        starts = amid or ([0] if len(filled) == 1 else starts)
        gone = {id(slot) for slot in own if not slot.words}
        lattice.slots = [slot for slot in lattice.slots if id(slot) not in gone]
        if starts[0]:
            lattice.slots.append(Slot(first, key[0], starts[0], key[1]))
        for slot, start, last in zip(filled, starts, [*starts[1:], end - first], strict=True):
            slot.row, slot.row_span = first + start, last - start


def _level(lattice: Lattice, row: int) -> float:
    """Return where the first line of a row stands; only its own cells count, if it has some."""
    slots = [slot for slot in lattice.slots if slot.row == row and slot.words]
    own = [slot for slot in slots if slot.row_span == 1] or slots
    return min(
        (lattice.words[i].baseline for slot in own for i in slot.words), default=lattice.ys[row]
    )


def _amid(levels: Sequence[float], middles: Sequence[float]) -> list[int]:
    """Divide rows among texts so that each stands amid its own; empty where some would not."""
    n = len(levels)
    allowed = 0.3 * (levels[-1] - levels[0]) / (n - 1)
    reached: dict[int, list[int]] = {0: []}
    for middle in middles:
        reached = {
            end: [*starts, start]
            for start, starts in reached.items()
            for end in range(start + 1, n + 1)
            if abs((levels[start] + levels[end - 1]) / 2 - middle) <= allowed
        }
    return reached.get(n, [])


def span_bands(
    lattice: Lattice, n_rows_of: Sequence[int], kinds: ColumnKinds, *, is_ruled: bool
) -> None:
    """Let texts span the rows of their band, the header's band included."""
    first = 0
    for n_rows in n_rows_of:
        _span_band(lattice, first, first + n_rows, kinds, is_ruled=is_ruled)
        first += n_rows
    set_out_sub_names(lattice, kinds.values)


_SAME_PLACE_PT = 1.5
_MIN_GAP = 1.0
"""In sizes, before a sub-name on the line of its name."""

_NUMBER = re.compile(r"[-+−–]?\d+(?:\.\d+)?")
_QUANTITY_SHAPE = re.compile(r"\w\s?[=<>≤≥]\s?0")
_NAME = re.compile(r"[^\W\d_]{4,}|\)$")
_WORD = re.compile(r"[^\W\d_]{4,}")
"""A symbol before its name has none."""


def set_out_sub_names(lattice: Lattice, values: frozenset[int]) -> None:
    """Give names that hold the first of their sub-names rows of their own.

    Columns before the first of values name the rows. Symbols may read as values.
    """
    for column in range(min(values - {0}, default=1)):
        labels = _labels(lattice, column)
        at = 0
        while at < len(labels):
            tails = _tails(labels[at:], lattice.words)
            if tails:
                heading = _set_out(lattice, labels[at], tails[0], values)
                for slot, tail in zip(labels[at + 1 :], tails[1:], strict=False):
                    heading.words.extend(i for i in slot.words if i not in tail)
                    slot.words = list(tail)
            at += max(1, len(tails))
        labels = _labels(lattice, column)
        for slot, below in reversed([*itertools.pairwise(labels)]):
            if below.row != slot.last_row + 1:
                continue
            sub = _first_sub_name(lattice.lines_of(slot), lattice.lines_of(below)[0], lattice.words)
            if sub:
                _set_out(lattice, slot, sub, values)


def _labels(lattice: Lattice, column: int) -> list[Slot]:
    own = (slot for slot in lattice.slots if slot.column == column and slot.words)
    return sorted(own, key=lambda slot: slot.row)


def _tails(labels: Sequence[Slot], words: Sequence[StyledWord]) -> list[list[int]]:
    """Return the ends of a name and of the texts below it that give one quantity, row by row."""
    lines = [text_lines(words, slot.words)[-1].words for slot in labels[:MAX_LINES]]
    first = lines[0]
    for k in range(1, len(first)):
        name, tails = text_of(words, first[:k]), [first[k:]]
        shape = _shape_of(words, tails[0])
        if is_open(name) or not (_QUANTITY_SHAPE.search(shape) and _NAME.search(name)):
            continue
        for above, slot, of in zip(labels, labels[1:], lines[1:], strict=False):
            j = next((j for j in range(len(of)) if _shape_of(words, of[j:]) == shape), len(of))
            rest = text_of(words, of[:j])
            goes_on = not rest or rest[0] == "(" or continues(name, rest)
            if j == len(of) or slot.row != above.last_row + 1 or not goes_on:
                break
            tails.append(of[j:])
        if len(tails) > 1 and len({text_of(words, tail) for tail in tails}) == len(tails):
            return tails
    return []


def _shape_of(words: Sequence[StyledWord], indices: Sequence[int]) -> str:
    return _NUMBER.sub("0", text_of(words, indices))


def _first_sub_name(
    lines: Sequence[TextLine], below: TextLine, words: Sequence[StyledWord]
) -> list[int]:
    """Return the words of a cell that stand as the name in the next row does, set in."""
    left = lines[0].bbox.left
    if below.bbox.left - left < _INDENT_PT:
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


def _set_out(lattice: Lattice, name: Slot, sub: Sequence[int], values: frozenset[int]) -> Slot:
    """Put a row for a name above the first of the rows that it stands beside, and return it."""
    row = name.row
    level = lattice.words[sub[0]].baseline
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
            is_beside = all(
                lattice.words[i].baseline < level - 0.5 * lattice.words[i].size for i in slot.words
            )
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
