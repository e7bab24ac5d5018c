"""Which rows name the columns of a table, and what its columns hold: all of them weighed together.

A hidden Markov model over the columns from left to right: what a column is called and what stands
in it are its emissions, the order in which makers set columns its transitions. The best sequence
of roles is taken (Viterbi), its posterior is the confidence (forward and backward sums): L. R.
Rabiner, A Tutorial on Hidden Markov Models, Proc. IEEE 77 (1989), sections III.A and III.B, with
scores in the place of log probabilities.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import BOUNDS, IDENTITY, ColumnRole, TableColumn
from desktop_qa.core.note_marks import NOTE_MARK, without_note_marks
from desktop_qa.parse.page import Fill, StyledWord
from desktop_qa.parse.table_grid import Lattice, Slot
from desktop_qa.parse.table_text import is_value
from desktop_qa.paths import asset

_ROLES = tuple(ColumnRole)
_DATA = (*BOUNDS, ColumnRole.VALUE)
_NAMED = 6.0
"""Score of a head that is made of a role's words."""

_UNNAMED_BOUND = -8.0
"""Of MIN, TYP and MAX without such a head: nothing else tells a minimum from a maximum."""

_OTHERWISE_NAMED = -3.0
"""Of SUBJECT and CONDITION behind the first column, under a head that names something else."""

_BESIDE_LIMITS = -3.0
"""Of VALUE before the limits, and between their unit and the conditions: what stands there says
what they are of, or when they hold."""

_AMID_LIMITS = -2.0
"""Of CONDITION among the limits: what has none there is measured, too."""

_UNMEASURED = -4.0
"""Of UNIT where no cell is a value: the letters are levels ("H", "L")."""

_AT = re.compile(r"at\b|@", re.IGNORECASE)
"""What begins the head of a column that says when its neighbours hold: "at IF (mA)"."""

_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_WORDS = re.compile(r"[^\W_]+")
MAX_HEAD = 60
"""Characters; a longer text describes, it does not name a column."""

_RELATION = re.compile(r"[=<>≤≥@]|±|°C|\d\s*to\s*[+\-–−]?\d", re.IGNORECASE)
_SYMBOL = re.compile(r"[A-Za-zα-ωΑ-ΩµΔ∆θ°][\w()/,+\-–−.αβγθΔ∆]{0,14}")
_UNIT = re.compile(
    r"(?:[kMGTmµμnp]?(?:V|A|W|Hz|Ω|Ω|ohms?|s|F|H|m|g|bps|B|Pa|J|K|C|LSB|SPS|Vpp|Vrms|bits?|eV|mho"
    r"|N|sec|Bd|baud|T|lm|cd|lx|VA)|°C?|%|ppm|dB\w{0,2}|min|mm|cm|inch|in|cycles?|years?|℃|Vdc|Adc"
    r"|[mµμn]?Adc|Vac|pins?|counts?)(?:[/·.\-√ ]*(?:√?[kMmµμn]?(?:V|A|W|Hz|s|°C|K|C|F|min|sec|cm|m"
    r"|µs|ms|℃)\d?))*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """A column as it is read: its head, all header rows joined, and the filled cells of its body.

    Attributes:
        own_head: The lowest of its heads.
        top_head: The highest of them, which may be that of neighbours, too.
        n_rows: Body rows, filled or not.
    """

    head: str
    own_head: str
    top_head: str
    body: tuple[str, ...]
    n_rows: int


def long_words(text: str) -> set[str]:
    """Return the words of a text that are no units or symbols, folded."""
    return set(_WORD.findall(text.casefold()))


@cache
def _head_words() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return what columns of each role, and others, are called, each name as its words."""
    with asset("resources/vocabulary/column_heads.toml").open("rb") as file:
        names = tomllib.load(file)
    return {role: tuple(tuple(n.split()) for n in of) for role, of in names.items()}


@lru_cache(4096)
def head_roles(head: str) -> Mapping[ColumnRole, float]:
    """Return the roles that a head names, each with a score; empty for a head that names none.

    The more of a head a role's words make up, the surer; the last word counts twice: it is what the
    words before it describe ("part marking", "pin name").
    """
    shares = {role: _share(head, _head_words()[role]) for role in ColumnRole}
    return {role: _NAMED * share for role, share in shares.items() if share}


@lru_cache(4096)
def names_column(text: str) -> bool:
    """Tell whether a text holds a word that columns are called by, whatever their role."""
    return bool(head_roles(text)) or _share(text, _head_words()["other"]) > 0


def _share(head: str, names: Sequence[tuple[str, ...]]) -> float:
    text = " ".join(without_note_marks(head).casefold().replace(".", " ").split())
    if len(text) > MAX_HEAD:
        return 0.0
    # A head in two languages says one thing twice.
    written = _share_written("".join(_NO_SPACES.findall(text)), names)
    own = [word.rstrip("0123456789") for word in _WORDS.findall(_NO_SPACES.sub(" ", text))]
    known = set(own) | {word.removesuffix("s") for word in own}  # "typ1" has a note's mark
    named = _share_named(own, [name for name in names if known.issuperset(name)])
    return max(written, named)


def _share_written(head: str, names: Sequence[tuple[str, ...]]) -> float:
    n_named = max((len(name[0]) for name in names if name[0] in head), default=0)
    return min(1.0, (n_named + 1) / len(head)) if n_named else 0.0


def _share_named(own: Sequence[str], names: Sequence[tuple[str, ...]]) -> float:
    named: set[int] = set()
    for name in names:
        for at in range(len(own) - len(name) + 1):
            if all(own[at + k] in (part, f"{part}s") for k, part in enumerate(name)):
                named.update(range(at, at + len(name)))
    return (len(named) + (len(own) - 1 in named)) / (len(own) + 1)


def is_unit(text: str) -> bool:
    """Tell whether a text is a unit and nothing else."""
    return _UNIT.fullmatch(text) is not None


def names_bound(head: str) -> bool:
    """Tell a head of a column of minimum, typical or maximum values, or of units."""
    roles = head_roles(head)
    return any(roles.get(role, 0.0) >= _NAMED for role in (*BOUNDS, ColumnRole.UNIT))


def names_limits(heads: Iterable[str]) -> bool:
    """Tell whether two heads are of limits or units, as over a table of characteristics."""
    return sum(map(names_bound, heads)) > 1


def read_roles(columns: Sequence[ColumnTexts]) -> tuple[TableColumn, ...]:
    """Return the role of each column with its posterior probability."""
    if not columns:
        return ()
    columns = _parted(columns)
    bounded = names_limits(column.own_head for column in columns)
    emissions = np.array(
        [_emissions(column, index, bounded=bounded) for index, column in enumerate(columns)]
    )
    if not any(map(is_value, itertools.chain.from_iterable(c.body for c in columns))):
        emissions[:, _ROLES.index(ColumnRole.UNIT)] += _UNMEASURED
    limits = [i for i, column in enumerate(columns) if bounded and names_bound(column.own_head)]
    if limits:
        units = [i for i in limits if ColumnRole.UNIT in head_roles(columns[i].own_head)]
        conditions = [
            i for i, c in enumerate(columns) if ColumnRole.CONDITION in head_roles(c.head)
        ]
        end = max(units, default=len(columns))
        first = columns[limits[0]]
        over = first.top_head if first.top_head != first.own_head else None
        start = next(i for i, c in enumerate(columns) if i == limits[0] or c.top_head == over)
        for beside in (slice(1, start), slice(end + 1, max(conditions, default=0))):
            emissions[beside, _ROLES.index(ColumnRole.VALUE)] += _BESIDE_LIMITS
        amid = slice(start, end)
        emissions[amid, _ROLES.index(ColumnRole.CONDITION)] += _AMID_LIMITS
    transitions = _transitions()
    roles = _viterbi(emissions, transitions)
    posterior = _posterior(emissions, transitions)
    return tuple(
        TableColumn(_ROLES[role], round(float(posterior[index, role]), 3))
        for index, role in enumerate(roles)
    )


def _parted(columns: Sequence[ColumnTexts]) -> list[ColumnTexts]:
    """Give the columns under one head of several bounds ("MIN TYP") one bound each, in order."""
    parted: list[ColumnTexts] = []
    for head, of in itertools.groupby(columns, key=lambda column: column.own_head):
        run, names = list(of), head.split()
        if len(run) == len(names) > 1 and all(map(names_bound, names)):
            run = [replace(c, head=name, own_head=name) for c, name in zip(run, names, strict=True)]
        parted += run
    return parted


def _emissions(column: ColumnTexts, index: int, *, bounded: bool) -> list[float]:
    named, own = dict(head_roles(column.head)), head_roles(column.own_head)
    named |= {role: score for role, score in own.items() if score > named.get(role, 0.0)}
    if bounded and _AT.match(column.own_head):
        named[ColumnRole.CONDITION] = _NAMED
    content = _content_scores(column, index, bounded=bounded)
    scores = []
    for role in _ROLES:
        score = named.get(role, 0.0) + content[role]
        if role in BOUNDS and not (role in named and (bounded or names_bound(column.own_head))):
            score += _UNNAMED_BOUND
        if role in (ColumnRole.SUBJECT, ColumnRole.CONDITION) and column.head and not named:
            score += _OTHERWISE_NAMED if index and not bounded else 0.0
        scores.append(score)
    return scores


def _content_scores(column: ColumnTexts, index: int, *, bounded: bool) -> dict[ColumnRole, float]:
    n = len(column.body)
    if not n:
        return dict.fromkeys(_ROLES, 0.0)
    texts = column.body

    def share(test: re.Pattern[str]) -> float:
        return sum(test.search(text) is not None for text in texts) / n

    values = sum(map(is_value, texts)) / n
    units = sum(map(is_unit, texts)) / n
    symbols = sum(_SYMBOL.fullmatch(text) is not None for text in texts) / n
    worded = share(_WORD)
    measured = is_value if bounded else is_unit
    relations = sum(_RELATION.search(t) is not None and not measured(t) for t in texts) / n
    length = min(sum(map(len, texts)) / n / 60, 1.5)
    filled = n / max(column.n_rows, 1)
    marks = sum(not NOTE_MARK.sub("", text).strip(" ,") for text in texts) / n
    first = 1.5 if index == 0 else 0.0
    sub_rows = 1.5 * worded if index and not column.head else 0.0
    return {
        ColumnRole.SUBJECT: 1.5 * worded
        - 2.5 * values
        + first
        + sub_rows
        - relations
        + 0.5 * filled
        - 0.5,
        ColumnRole.SYMBOL: 1.5 * symbols - 2.0 * worded - 2.0 * values - 1.5 + first,
        ColumnRole.CONDITION: 2.0 * relations
        + (0.5 if bounded else -1.0) * values
        - 0.5
        - (0.0 if index else 3.0),
        **dict.fromkeys(BOUNDS, 2.0 * values - length),
        ColumnRole.VALUE: 1.0 * values
        + 0.5
        + 0.5 * (index > 0)
        - units
        - (1.5 * worded if bounded else 0.0)
        - (4.0 * worded if index == 0 else 0.0),
        ColumnRole.UNIT: (5.0 if bounded else 3.0) * units - 2.0,
        ColumnRole.NOTE: length - 1.5 + 5.0 * marks,
    }


@cache
def _transitions() -> npt.NDArray[np.float64]:
    """Return the scores of one role behind another.

    Names come before values and units behind them; bounds rise from left to right.
    """
    order = {role: rank for rank, role in enumerate(BOUNDS)}
    scores = np.zeros((len(_ROLES), len(_ROLES)))
    for i, before in enumerate(_ROLES):
        for k, after in enumerate(_ROLES):
            if after is ColumnRole.SUBJECT and before not in IDENTITY:
                scores[i, k] -= 4.0
            if after is ColumnRole.SYMBOL and before not in IDENTITY:
                scores[i, k] -= 2.0
            if before in order and after in order and order[after] <= order[before]:
                scores[i, k] -= 0.5  # "LM124A min typ max | LM224A min typ max" begins again
            if before == after == ColumnRole.UNIT:
                scores[i, k] -= 2.0
            if before in _DATA and after is ColumnRole.UNIT:
                scores[i, k] += 0.5
    return scores


def _viterbi(emissions: npt.NDArray[np.float64], transitions: npt.NDArray[np.float64]) -> list[int]:
    best = emissions[0]
    back = []
    for emission in emissions[1:]:
        paths = best[:, None] + transitions
        back.append(paths.argmax(axis=0))
        best = paths.max(axis=0) + emission
    roles = [int(best.argmax())]
    for pointers in reversed(back):
        roles.append(int(pointers[roles[-1]]))
    return roles[::-1]


def _posterior(
    emissions: npt.NDArray[np.float64], transitions: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    forward = [emissions[0]]
    for emission in emissions[1:]:
        forward.append(np.logaddexp.reduce(forward[-1][:, None] + transitions, axis=0) + emission)
    backward = [np.zeros(len(_ROLES))]
    for emission in emissions[:0:-1]:
        backward.append(
            np.logaddexp.reduce(transitions + (emission + backward[-1])[None, :], axis=1)
        )
    joint = np.array(forward) + np.array(backward[::-1])
    joint -= joint.max(axis=1, keepdims=True)
    shares = np.exp(joint)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


MAX_HEADER_ROWS = 5

_MAX_CODE = 3
"""Characters of a level or a mark, as truth tables hold them."""

_MOST = 0.8
"""Share of the cells of a column that are values, where it holds values."""


def count_header_rows(lattice: Lattice, texts: dict[int, str], fills: Sequence[Fill]) -> int:
    """Count the rows at the top that name the columns; texts are by `id(slot)`."""
    n_max = min(MAX_HEADER_ROWS, lattice.n_rows - 1)
    first = row = _leading_titles(lattice, texts, fills)
    while row < n_max:
        filled = [slot for slot in lattice.slots if slot.row == row and texts[id(slot)]]
        if not filled or not (
            _names_columns(lattice, row, filled, texts, fills)
            if row == first
            else _goes_on(lattice, row, filled, texts, fills)
        ):
            break
        row += 1
    n_header = row if row > first else 0
    return _through_spans(lattice, n_header, n_max)


def _leading_titles(lattice: Lattice, texts: dict[int, str], fills: Sequence[Fill]) -> int:
    """Count rows of one or two wide cells (a title, the conditions) above the row of headings."""
    for row in range(min(3, lattice.n_rows - 1)):
        filled = [s for s in lattice.slots if s.row == row and texts[id(s)]]
        if len(filled) > 2 or len(filled) == lattice.n_columns:
            names = sum(names_column(texts[id(s)]) for s in filled)
            is_header = _names_columns(lattice, row, filled, texts, fills)
            return row if row and names >= 0.5 * len(filled) and is_header else 0
    return 0


def _names_columns(
    lattice: Lattice, row: int, filled: list[Slot], texts: dict[int, str], fills: Sequence[Fill]
) -> bool:
    """Tell the first row of heads."""
    n_values = _n_values(lattice, filled, texts)
    n_words = sum(names_column(texts[id(slot)]) for slot in filled)
    if _are_heads(n_words, n_values, len(filled)):
        return True
    if is_distinct(lattice, row, fills):
        return row == 0 or len(filled) >= 2
    if row or n_values or len(filled) < 2:
        return False
    is_short = all(len(texts[id(slot)]) <= MAX_HEAD for slot in filled)
    return (
        (n_words >= 1 and is_short)
        or any(_is_divided_below(lattice, slot) for slot in filled)
        or _stands_over_data(lattice, filled, texts)
    )


def _goes_on(
    lattice: Lattice, row: int, filled: list[Slot], texts: dict[int, str], fills: Sequence[Fill]
) -> bool:
    """Tell a further row of heads: names of registers, too, hold the words of headings."""
    n_values = _n_values(lattice, filled, texts)
    if is_distinct(lattice, row, fills) and len(filled) >= 2:
        return True
    if not _is_under_span(lattice, row):
        return False
    n_words = sum(names_column(texts[id(slot)]) for slot in filled)
    if _are_heads(n_words, n_values, len(filled)):
        return True
    # What has values or levels below it has a name in its row.
    is_nameless = not any(slot.column == 0 for slot in filled)
    return not n_values and (is_nameless or _stands_over_data(lattice, filled, texts))


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


def _stands_over_data(lattice: Lattice, filled: Sequence[Slot], texts: dict[int, str]) -> bool:
    """Tell whether most cells of a row stand over values or a few codes, and none is such a code.

    Levels in truth tables are codes; the caller has seen that the row holds no values.
    """
    below = [
        [
            text
            for s in lattice.slots
            if s.row > own.row and s.column == own.column and (text := texts[id(s)])
        ]
        for own in filled
    ]
    n_valued = sum(bool(of) and sum(map(is_value, of)) >= _MOST * len(of) for of in below)
    coded = [of for of in below if of and all(len(text) <= _MAX_CODE for text in of)]
    codes = {text for of in coded for text in of}
    are_few = 2 * len(codes) <= sum(map(len, coded))
    is_code = not codes.isdisjoint(texts[id(own)] for own in filled)
    return not is_code and len(filled) < 2 * max(n_valued, len(coded) if are_few else 0)


def _is_under_span(lattice: Lattice, row: int) -> bool:
    """Tell whether a cell of the row above stands over some, not all, of a row's cells."""
    return any(
        slot.last_row == row - 1 and 1 < slot.column_span < lattice.n_columns and slot.words
        for slot in lattice.slots
    )


def is_distinct(lattice: Lattice, row: int, fills: Sequence[Fill]) -> bool:
    """Tell whether a row looks other than the body: bold or shaded where the body is not."""
    in_row = [lattice.words[i] for s in lattice.slots if s.row == row for i in s.words]
    below = [lattice.words[i] for s in lattice.slots if s.row > row for i in s.words]
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
