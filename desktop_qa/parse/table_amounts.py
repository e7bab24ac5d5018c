"""Tables of amounts without rules: statements, whose numbers line up down their columns.

What marks them is how money is written: thousands parted, a currency before the number, brackets
for a loss, a share in per cent. A row of such amounts needs no rule: each stands over the next, and
the heads over them are centred on the columns that they name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from statistics import median_high

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.amounts import (
    NUMBER,
    is_amount,
    is_blank,
    is_period,
    is_telling,
    period_of,
    scale_of,
)
from desktop_qa.parse.page import Fill, PageContent, Rule, StyledWord
from desktop_qa.parse.table_columns import PageRow, Run, run_of
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_text import continues

_CURRENCY = re.compile(r"(?:US|C|A|HK)?[$€£¥](?=$|\()\(?")
_CLOSING = re.compile(r"[)%*†‡]+|(?:\([a-z]\))+")
_AMOUNT = re.compile(rf"{NUMBER}|[—–-]+%?|\*+|n/?[am]", re.IGNORECASE)
_MARK = re.compile(r"(?:\(\w{1,2}\),?)+|\w")
_YEAR = re.compile(r"(?:19|20)\d\d(?![\d,.])")

_MAX_ROW_GAP = 4.5
"""Of the font size, between baselines: blank lines part the sections of a statement."""

_MAX_NAMELESS_GAP = 2.2
"""The same of a row that no name leads: a sum, not the number of the page."""

_MAX_LABELS = 5
"""Rows of names in succession: more of them are a text."""

_MAX_HEAD_ROWS = 6
_MAX_HEAD_GAP = 1.6
"""Of the font size; white over one text that is a title of the page, not of the table."""

_MAX_FAR_GAP = 3.5
"""The same over heads of several columns, and over the scale ("in millions")."""

_TIGHT = 1.2
"""Lines of one text are set no further apart than this, as against the closest of the table."""

_MAX_LEAD_ROWS = 3
"""Lines over a table whose words may say its scale."""

_WRAP_LEADING = 1.45
_MIN_TELLING = 3
_RAISED = 0.85
"""Of the size of a row: the marks of its notes are smaller."""

_MAX_MARK_GAP = 1.2
"""Of the font size, between a number and its mark."""

_MAX_NAME_WORDS = 8
"""Of half the names: lines of running text beside a table are longer."""

_MIN_TEXTS = 0.3
"""Share of the rows that a column of texts among the amounts fills."""

_MAX_OFF_CENTER = 0.3
"""Of the distance of two columns: a line less centred on any of them is a title of the page."""

_COST_UNCOVERED_PT = 4.0
"""For a column that no head of a row stands over, against points off a column's middle."""


@dataclass(slots=True)
class _Row:
    """A row of the page: names on the left, then amounts.

    An amount is a number as printed, with its currency, brackets and marks.
    """

    row: PageRow
    names: list[Run]
    amounts: list[Run]


@dataclass(slots=True)
class _Columns:
    """Extents of the columns of amounts, from left to right."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def fits(self, amounts: Sequence[Run]) -> bool:
        """Tell whether no amount lies in two columns, and no two in one."""
        hit: set[int] = set()
        for amount in amounts:
            over = [
                k for k, (a, b) in enumerate(self.spans) if a < amount.right and amount.left < b
            ]
            if len(over) > 1 or hit & {*over}:
                return False
            hit.update(over)
        return True

    def add(self, amounts: Sequence[Run]) -> None:
        for amount in amounts:
            for k, (a, b) in enumerate(self.spans):
                if a < amount.right and amount.left < b:
                    self.spans[k] = min(a, amount.left), max(b, amount.right)
                    break
            else:
                self.spans.append((amount.left, amount.right))
        self.spans.sort()


_MIN_PERIODS = 2
"""Years or dates on a page that may hold a statement without an amount written as one."""


def find_statements(page: PageContent, rows: Sequence[PageRow]) -> list[Lattice]:
    """Find the tables of amounts of a page.

    Args:
        page: With its words, fills and rules.
        rows: Of its free words, from top to bottom.
    """
    texts = [word.text for word in page.words]
    if sum(map(is_telling, texts)) < _MIN_TELLING and sum(map(is_period, texts)) < _MIN_PERIODS:
        return []
    read = [_read_row(page.words, row) for row in rows]
    for one, below in itertools.pairwise(read):
        if _is_group_of_year(one, below):
            one.names, one.amounts = list(one.row.runs), []
    rules = _joined(page.rules)
    found: list[Lattice] = []
    end = 0
    for first, last, columns in _regions(read):
        body = read[first : last + 1]
        lattice = _Statement(page, rules, read[end:first], body, columns).lattice()
        if lattice is not None:
            end = last + 1
            found.append(lattice)
    return found


def _read_row(words: Sequence[StyledWord], row: PageRow) -> _Row:
    """Tell the amounts of a row from its names; a currency may stand far before its number."""
    names: list[Run] = []
    groups: list[list[int]] = []
    is_open = False
    for run in row.runs:
        kinds = [_kind(words[i], row.size) for i in run.words]
        is_rest = kinds[0] is _Kind.CLOSING and (
            not groups or is_open or _is_apart(words, groups[-1], run)
        )
        if None in kinds or (is_rest and len(kinds) == 1) or _is_range(words, run):
            names.append(run)
            if is_open:
                groups.pop()
            is_open = False
            continue
        for index, kind in zip(run.words, kinds, strict=True):
            if is_open or (kind is _Kind.CLOSING and groups):
                groups[-1].append(index)
            else:
                groups.append([index])
            is_open = kind is _Kind.OPENING
    if is_open:
        groups.pop()
    amounts = [run_of(words, of, row.size, "") for of in groups]
    while amounts and _is_name(amounts, names):
        first = amounts.pop(0)
        names.insert(0, run_of(words, first.words, row.size))
    return _Row(row, names, amounts)


def _is_apart(words: Sequence[StyledWord], amount: Sequence[int], run: Run) -> bool:
    """Tell a mark in a column of its own from one at its number; "%" may be set far from it."""
    gap = run.left - words[amount[-1]].bbox.right
    return gap > _MAX_MARK_GAP * run.size and "%" not in words[run.words[0]].text


def _is_range(words: Sequence[StyledWord], run: Run) -> bool:
    """Tell "0.75 - 5.82" from an amount beside the dash that stands for none."""
    texts = [words[i].text for i in run.words]
    return any(
        is_blank(dash) and is_amount(a) and is_amount(b)
        for a, dash, b in zip(texts, texts[1:], texts[2:], strict=False)
    )


class _Kind(Enum):
    """What a word is of an amount."""

    OPENING = auto()
    NUMBER = auto()
    CLOSING = auto()


def _kind(word: StyledWord, size: float) -> _Kind | None:
    is_mark = word.size < _RAISED * size and _MARK.fullmatch(word.text)
    if is_mark or _CLOSING.fullmatch(word.text):
        return _Kind.CLOSING
    if _CURRENCY.fullmatch(word.text) or word.text == "(":
        return _Kind.OPENING
    return _Kind.NUMBER if _AMOUNT.fullmatch(word.text) else None


def _is_name(amounts: Sequence[Run], names: Sequence[Run]) -> bool:
    """Tell the number that leads a name, and the year that is one, from the first amount."""
    first, *others = amounts
    if any(run.left > first.left for run in names):
        after = min((other.left for other in others), default=names[-1].right)
        return first.left < names[0].left < after
    is_year = _YEAR.match(first.text) is not None
    return (
        is_year
        and bool(others)
        and not names
        and not any(_YEAR.match(other.text) for other in others)
    )


def _is_group_of_year(one: _Row, below: _Row) -> bool:
    """Tell a year alone that heads rows from one that heads the column of an amount under it."""
    return (
        not one.names
        and len(one.amounts) == 1
        and _YEAR.match(one.amounts[0].text) is not None
        and not any(
            one.amounts[0].left < amount.right and amount.left < one.amounts[0].right
            for amount in below.amounts
        )
    )


def _regions(rows: Sequence[_Row]) -> Iterator[tuple[int, int, _Columns]]:
    """Yield first and last row of amounts of what goes on in the same columns, and these."""
    first = last = -1
    columns = _Columns()
    for k, one in enumerate(rows):
        is_heads = _has_periods_only(one) or (first < 0 and _has_marks_only(one))
        if first >= 0 and (is_heads or not _goes_on(rows, last, k, columns)):
            yield first, last, columns
            first = -1
        if one.amounts and not is_heads:
            if first < 0:
                first, columns = k, _Columns()
            last = k
            columns.add(one.amounts)
    if first >= 0:
        yield first, last, columns


def _has_periods_only(one: _Row) -> bool:
    """Tell heads from amounts: years, of which the first may be a date, "December 31, 2022"."""
    dates = [run for run in one.names if period_of([run.text], "") == run.text]
    is_alone = len(one.amounts) > 1 or (one.amounts and not one.names)
    is_headed = bool(one.amounts) and bool(is_alone or dates)
    return is_headed and all(_YEAR.match(a.text) for a in one.amounts)


def _has_marks_only(one: _Row) -> bool:
    """Tell heads with the marks of notes, "Shares (1)", from a row of losses."""
    return all(_MARK.fullmatch(amount.text) for amount in one.amounts) and any(
        amount.right < run.left for amount in one.amounts for run in one.names
    )


def _goes_on(rows: Sequence[_Row], last: int, k: int, columns: _Columns) -> bool:
    one, before = rows[k], rows[k - 1]
    reach = _MAX_ROW_GAP if one.names else _MAX_NAMELESS_GAP
    if one.row.baseline - before.row.baseline > reach * max(one.row.size, before.row.size):
        return False
    if one.amounts:
        return columns.fits(one.amounts)
    # However long, what ends in a colon leads the rows below it.
    leads = len(one.names) == 1 and one.names[0].text.endswith(":")
    in_columns = any(run.right > columns.spans[0][0] - 1 for run in one.names)
    return (leads or not in_columns) and k - last <= _MAX_LABELS


@dataclass(slots=True)
class _Band:
    """A row in the making.

    Attributes:
        texts: Words by first and last column of amounts; those of names are negative.
    """

    rows: list[PageRow]
    texts: dict[tuple[int, int], list[int]]
    is_amounts: bool = False


_WHOLE = -99
"""First column of a line over the whole table."""


class _Statement:
    """One table, from its rows of amounts."""

    def __init__(
        self,
        page: PageContent,
        rules: Sequence[Rule],
        above: Sequence[_Row],
        body: Sequence[_Row],
        columns: _Columns,
    ) -> None:
        self._page = page
        self._rules = rules
        self._words = page.words
        self._body = list(body)
        self._spans = _with_texts(columns.spans, body)
        pitches = [b[1] - a[1] for a, b in itertools.pairwise(self._spans)]
        self._pitch = pitch = median_high(pitches) if pitches else 75.0
        start = self._spans[0][0]
        near = [r.right for one in body for r in one.names if r.right < start]
        self._start = max(min(max(near, default=0.0) + 1, start - 1), start - 0.8 * pitch)
        self._right = self._spans[-1][1]
        self._heads, groups = self._heads_above(above)
        self._body[:0] = groups
        self._scale_note = self._scale_above(above[: len(above) - len(self._heads) - len(groups)])
        self._borders = self._name_borders()

    def _scale_above(self, above: Sequence[_Row]) -> str:
        """Return what the heads, or the lines right over them, say of the scale of all columns."""
        lines = [one.row.text for one in above[-_MAX_LEAD_ROWS:]]
        for one in self._heads:
            over = self._over_columns(one.row)
            runs = one.row.runs if len(over) < 2 else [r for r in one.row.runs if r not in over]
            lines.append(" ".join(run.text for run in runs))
        for k in reversed(range(len(lines) - 1)):
            if lines[k].count("(") > lines[k].count(")"):
                lines[k] += f" {lines.pop(k + 1)}"
        return next(filter(scale_of, reversed(lines)), "")

    def _heads_above(self, above: Sequence[_Row]) -> tuple[list[_Row], list[_Row]]:
        """Return the rows of heads, and the names of groups between them and the first amounts."""
        heads: list[_Row] = []
        groups: list[_Row] = []
        below = self._body[0]
        for one in reversed(above):
            gap = (below.row.bbox.top - one.row.bbox.bottom) / below.row.size
            is_scale = self._is_scale(one)
            is_alone = not is_scale and len(self._over_columns(one.row)) < 2
            if gap > (_MAX_HEAD_GAP if is_alone else _MAX_FAR_GAP):
                break
            if self._is_head(one) or is_scale:
                heads.insert(0, one)
                if len(heads) == _MAX_HEAD_ROWS:
                    break
            elif heads or one.amounts or one.row.bbox.right >= self._spans[0][0]:
                break
            else:
                groups.insert(0, one)
            below = one
        return heads, groups if heads else []

    def _is_scale(self, one: _Row) -> bool:
        text = one.row.text
        is_short = len(one.row.runs) == 1 and len(text.split()) <= 14
        return is_short and bool(scale_of(text)) and not text.endswith(":")

    def _is_head(self, one: _Row) -> bool:
        """Tell whether some runs stand over the columns; one alone must not reach out of them."""
        over = self._over_columns(one.row)
        if not over or any(is_telling(amount.text) for amount in one.amounts):
            return False
        if len(over) > 1:
            return over[-1].left < self._right
        is_centered = self._off_center(over[0]) <= _MAX_OFF_CENTER * self._pitch
        return is_centered and self._start - 3 < over[0].left

    def _over_columns(self, row: PageRow) -> list[Run]:
        first = sum(self._spans[0]) / 2
        return [r for r in row.runs if r.left + r.right > 2 * self._start or r.right > first]

    def _off_center(self, run: Run) -> float:
        """Points between the middle of a run and that of the columns it is set over best."""
        starts, ends = zip(*self._spans, strict=True)
        twice = run.left + run.right
        offs: list[float] = [abs(a + b - twice) for k, a in enumerate(starts) for b in ends[k:]]
        return min(offs) / 2

    def lattice(self) -> Lattice | None:
        """Return the table, or none where too little tells amounts from other numbers."""
        if not self._is_convincing():
            return None
        heads = self._head_lines()
        lines = heads + self._body_lines()
        names = [run for one in self._body for run in one.names if run.left < self._start]
        lefts = [run.left for run in names] + [one.row.bbox.left for one in self._heads]
        xs = [min([*lefts, self._start - 2]) - 1, *self._borders, self._start]
        for a, b in itertools.pairwise(self._spans):
            xs.append((a[1] + b[0]) / 2)
        if not names:
            xs = xs[1:]
        xs.append(max(self._right, *(one.row.bbox.right for one in self._heads), 0.0) + 1)
        return self._placed(lines, xs, len(heads))

    def _is_convincing(self) -> bool:
        texts = [a.text for one in self._body for a in one.amounts if not is_blank(a.text)]
        n_telling = sum(map(is_telling, texts))
        n_rows = sum(bool(one.amounts) for one in self._body)
        lengths = [len(one.names[0].words) for one in self._body if one.names]
        if not lengths:
            return False
        heads = [[run.text for run in one.row.runs] for one in self._heads]
        n_periods = max((sum(map(is_period, of)) for of in heads), default=0)
        has_scale = self._scale_note or any(scale_of(one.row.text) for one in self._heads)
        if n_periods > 1 or (n_periods > 0) + (n_telling > 0) + bool(has_scale) > 1:
            return len(texts) > 1
        if median_high(lengths) > _MAX_NAME_WORDS:
            return False
        # "$3F" is a number of base 16 to some: a currency alone is no amount.
        is_written = any(is_telling(text.lstrip("$€£¥")) or "." in text for text in texts)
        return is_written and n_telling >= max(_MIN_TELLING, 0.25 * len(texts)) and n_rows >= 2

    def _name_borders(self) -> list[float]:
        """Borders of further columns of names, where second texts of rows begin at one place."""
        rows = [one for one in self._body if one.amounts]
        second = sorted(
            run.left for one in rows for run in one.names[1:] if run.right < self._start + 2
        )
        borders: list[float] = []
        for left in second:
            if borders and left - borders[-1] < 12:
                continue
            n_here = sum(abs(other - left) < 3 for other in second)
            crossed = sum(r.left < left - 3 < r.right for one in self._body for r in one.names)
            if n_here >= max(2, 0.3 * len(rows)) and crossed <= 0.1 * len(self._body):
                borders.append(left - 2)
        return borders

    def _head_lines(self) -> list[_Band]:
        """Rows of heads, each over the columns it names; the lines of one head joined."""
        lines: list[_Band] = []
        below: tuple[PageRow, list[Run], list[tuple[int, int]]] | None = None
        leaves: dict[int, str] = {}
        for one in reversed(self._heads):
            line = _Band([one.row], {})
            if self._is_scale(one):
                line.texts[_WHOLE, len(self._spans) - 1] = list(one.row.runs[0].words)
            else:
                over = self._over_columns(one.row)
                aside = [run for run in one.row.runs if run not in over]
                over = [piece for run in over for piece in self._parted(run)]
                spans = self._under(one.row, over, below) or self._over(one.row, over, leaves)
                below = one.row, over, spans
                if not leaves:
                    leaves = {
                        k: run.text for run, (k, end) in zip(over, spans, strict=True) if k == end
                    }
                for run, span in zip(over, spans, strict=True):
                    line.texts.setdefault(span, []).extend(run.words)
                for run in aside:
                    line.texts.setdefault(self._place(run), []).extend(run.words)
            if lines and self._is_same_head(line, lines[0]):
                lines[0].rows[:0] = line.rows
                for span, indices in line.texts.items():
                    lines[0].texts.setdefault(span, [])[:0] = indices
            else:
                lines.insert(0, line)
        return lines

    def _parted(self, run: Run) -> list[Run]:
        """Part heads that are set closely over neighbouring columns ("FISCAL 2021 FISCAL 2020").

        Each piece must be set in the middle or at the right end of its own column, and better so
        than the whole over all of them.
        """
        pieces: list[list[int]] = [[]]
        columns: list[int] = []
        k = 0
        for index in run.words:
            box = self._words[index].bbox
            while k + 1 < len(self._spans) and box.left > self._spans[k][1] - 0.3 * run.size:
                k += 1
                if pieces[-1]:
                    pieces.append([])
            if not pieces[-1]:
                columns.append(k)
            pieces[-1].append(index)
        runs = [run_of(self._words, of, run.size) for of in pieces]
        offs = []
        for piece, column in zip(runs, columns, strict=True):
            a, b = self._spans[column]
            offs.append(min(abs(piece.left + piece.right - a - b) / 2, abs(piece.right - b)))
        if len(runs) < 2 or max(offs) > 0.8 * run.size or max(offs) > self._off_center(run):
            return [run]
        return runs

    def _under(
        self,
        row: PageRow,
        runs: Sequence[Run],
        below: tuple[PageRow, list[Run], list[tuple[int, int]]] | None,
    ) -> list[tuple[int, int]] | None:
        """Return the columns of the heads that a row close above begins, or none."""
        if below is None or not self._is_close(row, below[0]):
            return None
        whole = self._spans[0][0] + self._spans[-1][1]
        if len(runs) == 1 and (
            abs(runs[0].left + runs[0].right - whole) < 2 * _MAX_OFF_CENTER * self._pitch
        ):
            return None
        found = []
        for run in runs:
            spans = [s for b, s in zip(below[1], below[2], strict=True) if _is_over(run, b)]
            if not spans:
                return None
            found.append(spans[0])
        return found

    def _is_same_head(self, above: _Band, line: _Band) -> bool:
        """Tell whether a row of heads goes on in the next: close to it, over the same columns."""
        if not self._is_close(above.rows[-1], line.rows[0]):
            return False
        over = [span for span in above.texts if span[1] >= 0]
        return bool(over) and all(
            span in line.texts
            or not any(span[0] <= other[1] and other[0] <= span[1] for other in line.texts)
            for span in over
        )

    def _is_close(self, above: PageRow, below: PageRow) -> bool:
        """Tell whether two rows may be lines of one text: no wide white, no rule between them."""
        if below.baseline - above.baseline > _WRAP_LEADING * below.size:
            return False
        return not any(
            above.baseline < rule.position < below.bbox.top + 0.3 * below.size
            and rule.start < below.bbox.right
            and rule.end > max(below.bbox.left, self._start)
            for rule in self._rules
        )

    def _over(
        self, row: PageRow, runs: Sequence[Run], leaves: Mapping[int, str]
    ) -> list[tuple[int, int]]:
        """Return for each head of a row the first and last column that it stands over.

        The heads take columns side by side such that each is centred on its own as well as can
        be (dynamic programming); a line drawn under a head says it outright, and so do the lowest
        heads, by their columns, that are the same under each: "2023", "2022", "2023", "2022".
        """
        n = len(self._spans)
        rules = [self._underline(row, run) for run in runs]
        if not any(rules) and (again := self._over_each(runs, leaves)):
            return again
        best: dict[int, tuple[float, list[tuple[int, int]]]] = {0: (0.0, [])}
        for run, rule in zip(runs, rules, strict=True):
            after: dict[int, tuple[float, list[tuple[int, int]]]] = {}
            for free, (cost, taken) in best.items():
                for first in range(free, n):
                    for last in range(first, n):
                        off = abs(
                            (run.left + run.right) - (self._spans[first][0] + self._spans[last][1])
                        )
                        if rule is not None:
                            off = abs(self._spans[first][0] - rule.start)
                            off += abs(self._spans[last][1] - rule.end)
                        total = cost + off / 2 + _COST_UNCOVERED_PT * (first - free)
                        if last + 1 not in after or total < after[last + 1][0]:
                            after[last + 1] = total, [*taken, (first, last)]
            best = after
        if not best:  # more heads than columns
            return [self._nearest(run) for run in runs]
        ends = {
            k: (cost + _COST_UNCOVERED_PT * (n - k), taken) for k, (cost, taken) in best.items()
        }
        return min(ends.values(), key=lambda one: one[0])[1]

    def _over_each(self, runs: Sequence[Run], leaves: Mapping[int, str]) -> list[tuple[int, int]]:
        """Return the columns of heads with the same lowest heads under each, empty for others."""
        n, rest = divmod(len(self._spans), len(runs))
        if len(runs) < 2 or n < 2 or rest or len({*leaves.values()}) != n:
            return []
        spans = [(k, k + n - 1) for k in range(0, len(self._spans), n)]
        middles = [(self._spans[a][0] + self._spans[b][1]) / 2 for a, b in spans]
        offs = [abs((r.left + r.right) / 2 - x) for r, x in zip(runs, middles, strict=True)]
        is_again = all(leaves.get(k) == leaves.get(k % n, "") for k in range(len(self._spans)))
        return spans if is_again and max(offs) < 0.8 * self._pitch else []

    def _nearest(self, run: Run) -> tuple[int, int]:
        middle = (run.left + run.right) / 2
        k = min(
            range(len(self._spans)),
            key=lambda k: max(self._spans[k][0] - middle, middle - self._spans[k][1]),
        )
        return k, k

    def _underline(self, row: PageRow, run: Run) -> Rule | None:
        """Return the rule under a head alone: it ends where the head's columns do."""
        under = [
            rule
            for rule in self._rules
            if 0 <= rule.position - row.baseline < 0.9 * row.size
            and rule.start < run.left + 2
            and rule.end > run.right - 2
            and rule.start > self._start - row.size
        ]
        alone = [
            rule
            for rule in under
            if not any(
                other is not run and other.left < rule.end and other.right > rule.start
                for other in row.runs
            )
        ]
        return alone[0] if alone else None

    def _body_lines(self) -> list[_Band]:
        """Rows of names and amounts; a name over two lines is one."""
        lines: list[_Band] = []
        gaps = _steps(self._body)
        tight = min(gaps, default=0.0)
        pitch = median_high(_steps([one for one in self._body if one.amounts]) or [0.0])
        for one, gap in zip(self._body, [*gaps, 0.0], strict=True):
            line = _Band([one.row], {}, bool(one.amounts))
            for run in one.names:
                line.texts.setdefault(self._place(run), []).extend(run.words)
            for amount in one.amounts:
                line.texts.setdefault(self._nearest(amount), []).extend(amount.words)
            if lines and self._is_wrapped(lines[-1], line, tight, pitch, gap):
                lines[-1].rows += line.rows
                lines[-1].is_amounts |= line.is_amounts
                for span, indices in line.texts.items():
                    lines[-1].texts.setdefault(span, []).extend(indices)
            else:
                lines.append(line)
        return lines

    def _place(self, run: Run) -> tuple[int, int]:
        middle = (run.left + run.right) / 2
        if run.left >= self._start - 3 or middle > self._start:
            return self._nearest(run)
        k = sum(border <= run.left for border in self._borders) - 1 - len(self._borders)
        return k, k

    def _is_wrapped(
        self, above: _Band, line: _Band, tight: float, pitch: float, gap_below: float
    ) -> bool:
        """Tell whether a line goes on with the name above it, from shade, leading or words.

        Args:
            above: The row so far.
            line: The next line.
            tight: Points between the two lines of the table that are closest.
            pitch: Points between its rows of amounts.
            gap_below: Points from the line to the one below it, 0 for the last.
        """
        if above.is_amounts and line.is_amounts:
            return False
        upper, lower = above.rows[-1], line.rows[0]
        gap = lower.baseline - upper.baseline
        if gap > _WRAP_LEADING * lower.size:
            return False
        shades = [_shade(self._page.fills, row) for row in (upper, lower)]
        if shades[0] is not None and shades[1] is not None:
            return shades[0] == shades[1] and shades[0].height < 0.9 * pitch + 3 * lower.size
        if (shades[0] is None) != (shades[1] is None):
            return False
        if gap < min(0.85 * pitch, _TIGHT * tight):
            return line.is_amounts or not 0 < gap_below < gap / _TIGHT
        text, rest = upper.text, lower.text
        return not text.rstrip().endswith(":") and continues(text, rest)

    def _placed(self, lines: Sequence[_Band], xs: list[float], n_heads: int) -> Lattice | None:
        n_columns = len(xs) - 1
        offset = n_columns - len(self._spans)
        ys = [min(row.bbox.top for row in lines[0].rows) - 1]
        for a, b in itertools.pairwise(lines):
            below = max(row.baseline for row in a.rows)
            ys.append((below + min(row.bbox.top for row in b.rows)) / 2)
        ys.append(max(row.bbox.bottom for row in lines[-1].rows) + 1)
        if any(b <= a for a, b in [*itertools.pairwise(ys), *itertools.pairwise(xs)]):
            return None
        slots: list[Slot] = []
        for k, line in enumerate(lines):
            free = set(range(n_columns))
            for (first, last), indices in sorted(line.texts.items()):
                start = max(first + offset, 0)
                if first == _WHOLE:
                    start = 0  # a line over the whole table
                if start not in free:
                    slots[-1].words.extend(indices)
                    continue
                end = max(c for c in range(start, last + offset + 1) if c in free)
                slots.append(Slot(k, start, 1, end - start + 1, list(indices)))
                free -= set(range(start, end + 1))
            slots += [Slot(k, column, 1, 1) for column in sorted(free)]
        return Lattice(self._words, xs, ys, slots, n_header=n_heads, scale_note=self._scale_note)


def _with_texts(
    spans: Sequence[tuple[float, float]], body: Sequence[_Row]
) -> list[tuple[float, float]]:
    """Return the columns with those of texts between or behind the amounts."""
    rows = [one for one in body if one.amounts]
    numbers = [a for one in rows for a in one.amounts if not is_blank(a.text)]
    solid = [(a, b) for a, b in spans if any(a <= one.left and one.right <= b for one in numbers)]
    if not solid:
        return list(spans)
    texts = _Columns()
    for one in rows:
        blank = [amount for amount in one.amounts if is_blank(amount.text)]
        texts.add([text for text in (*one.names, *blank) if text.left > solid[0][1]])
    kept = []
    for a, b in texts.spans:
        n = sum(any(a <= run.left and run.right <= b for run in one.names) for one in rows)
        is_blank_column = any(a <= c and d <= b for c, d in spans)
        if n >= max(2, _MIN_TEXTS * len(rows)) or is_blank_column:
            kept.append((a, b))
    free = [(a, b) for a, b in kept if not any(a < d and c < b for c, d in solid)]
    return sorted([*solid, *free])


def _steps(rows: Sequence[_Row]) -> list[float]:
    """Return the distances from baseline to baseline, points."""
    return [b.row.baseline - a.row.baseline for a, b in itertools.pairwise(rows)]


def _is_over(above: Run, below: Run) -> bool:
    """Tell whether a head is set in the middle of the one under it, or at its right end."""
    off = abs(above.left + above.right - below.left - below.right) / 2
    return off < 0.5 * above.size or abs(above.right - below.right) < 0.3 * above.size


def _joined(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules across, pieces that touch made one: a cell's width is drawn at a time."""
    lines: list[Rule] = []
    across = [rule for rule in rules if rule.horizontal]
    for rule in sorted(across, key=lambda one: (round(one.position), one.start)):
        last = lines[-1] if lines else None
        if last and round(last.position) == round(rule.position) and rule.start - last.end < 1:
            lines[-1] = replace(last, end=max(last.end, rule.end))
        else:
            lines.append(rule)
    return lines


def _shade(fills: Sequence[Fill], row: PageRow) -> BoundingBox | None:
    """Return the band of shading that a row stands on."""
    middle = (row.bbox.top + row.bbox.bottom) / 2
    x = row.bbox.left + 1
    boxes = [f.bbox for f in fills if f.bbox.left <= x <= f.bbox.right]
    inside = [box for box in boxes if box.top < middle < box.bottom]
    return min(inside, key=lambda box: box.height, default=None)
