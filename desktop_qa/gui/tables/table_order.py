"""Which rows of a table are shown in which order, without Qt: sorted within groups, narrowed.

What a cell is worth for that: numbers with prefixes, ranges, codes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from desktop_qa.augment.units import unit_of
from desktop_qa.core.gaps import is_gap
from desktop_qa.gui.library.library_words import natural_key
from desktop_qa.gui.tables.table_layout import TableGrid

Value = tuple[float, float]
"""The lower and the upper end, in the base unit of its kind; the same for a single number."""

_Key = tuple[int, float, float, str]
_Sorted = TypeVar("_Sorted")

_SIGNS = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "μ": "u", "µ": "u",
                        "Ω": "Ω", "\u00a0": " ", "\u2009": " ", "\u202f": " "})  # fmt: skip
_ALONE = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "k": 1e3, "M": 1e6, "G": 1e9}
"""Prefixes that stand for their unit: 4.7k, 100n."""
_UNIT = re.compile(r"[A-Za-zΩ°%][^\s,;()]*")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?"
_FIRST = re.compile(
    rf"^(?:[<>≤≥~≈=]+|±|\+/-|typ\.?|max\.?|min\.?|up to|about)?\s*(?P<sign>[-+±]?)\s?"
    rf"(?P<number>(?=[\d.]){_NUMBER})(?P<power>\s?[×x*]\s?10\^?(?P<exponent>[-+⁻⁺]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+))?"
    r"\s?(?P<rest>.*)$",
    re.DOTALL,
)
_BETWEEN = re.compile(
    r"\s(?:to|and|…)\s|\s?\.\.\.?\s?|(?<=[\dA-DF-Za-df-zΩ%])\s?-\s?(?=\d)|\s-\s(?=[-+]?\d)"
)
_HEX = re.compile(r"^(?:0x([0-9A-Fa-f_]+)|([0-9A-Fa-f]*\d[0-9A-Fa-f]*)h)\b")
_DEVIATION = re.compile(r"^(?:±|\+/-)\s?[\d.]+\s?")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


@dataclass(frozen=True, slots=True)
class Sorting:
    """A column, and in which direction its values go."""

    column: int
    is_descending: bool = False

    @classmethod
    def next(cls, now: Sorting | None, column: int) -> Sorting | None:
        """Return what follows by another click: ascending, descending, the document's order."""
        if now is None or now.column != column:
            return cls(column)
        return None if now.is_descending else cls(column, is_descending=True)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Rows as they are shown, header rows first.

    `n_matching` of the `n_body` rows hold the words, headings of groups not counted; `notes` say
    what the order does not do: "within groups".
    """

    rows: tuple[int, ...]
    n_matching: int
    n_body: int
    notes: tuple[str, ...] = ()


def arranged(
    grid: TableGrid, rows: Sequence[int], sorting: Sorting | None = None, words: str = ""
) -> Arrangement:
    """Arrange some rows of a table, ascending, header rows among them.

    Rows that share a cell stay together, and all stay under the heading of their group; a heading
    goes when no row of its group is left. Each word must stand in a row, in any column and case.
    """
    header = tuple(row for row in rows if row < grid.n_header_rows)
    if sorting is None and not words.strip():
        n_body = len(rows) - len(header)
        return Arrangement(tuple(rows), n_body, n_body)
    sections = grid.sections([row for row in rows if row >= grid.n_header_rows])
    n_body = sum(len(block) for _, blocks in sections for block in blocks)
    wanted = words.casefold().split()
    shown: list[int] = []
    n_matching = 0
    for heading, blocks in sections:
        left = [[row for row in block if _holds(grid, row, wanted)] for block in blocks]
        if wanted and heading is not None and _holds(grid, heading, wanted):
            left = blocks
        left = [block for block in left if block]
        n_matching += sum(map(len, left))
        if heading is not None and (left or not wanted):
            shown.append(heading)
        ordered = _sorted(grid, left, sorting) if sorting is not None else left
        shown += [row for block in ordered for row in block]
    notes = _notes(sections) if sorting is not None else ()
    return Arrangement((*header, *shown), n_matching, n_body, notes)


def _notes(sections: Sequence[tuple[int | None, list[list[int]]]]) -> tuple[str, ...]:
    notes = []
    if len(sections) > 1:
        notes.append("within groups")
    if any(len(block) > 1 for _, blocks in sections for block in blocks):
        notes.append("rows that share a cell stay together")
    return tuple(notes)


def _holds(grid: TableGrid, row: int, words: Sequence[str]) -> bool:
    if not words:
        return True
    cells = grid.rows[row]
    text = " ".join([cell.text for cell in cells if cell is not None]).casefold()
    return all(word in text for word in words)


def _sorted(
    grid: TableGrid, blocks: Sequence[Sequence[int]], sorting: Sorting
) -> list[Sequence[int]]:
    """Sort blocks by their best row, and the rows of each unless a cell over some would be torn."""
    keyed: list[tuple[_Key | None, Sequence[int]]] = []
    for block in blocks:
        rows = _in_order([(_key_of(grid, row, sorting.column), row) for row in block], sorting)
        is_whole = grid.is_evenly_joined(block)
        keyed.append((rows[0][0], [row for _, row in rows] if is_whole else block))
    return [block for _, block in _in_order(keyed, sorting)]


def _in_order(
    keyed: Sequence[tuple[_Key | None, _Sorted]], sorting: Sorting
) -> list[tuple[_Key | None, _Sorted]]:
    """Sort by keys; what says nothing stays last in both directions."""
    said = [(key, one) for key, one in keyed if key is not None]
    said.sort(key=lambda pair: pair[0], reverse=sorting.is_descending)
    return [*said, *(pair for pair in keyed if pair[0] is None)]


def _key_of(grid: TableGrid, row: int, column: int) -> _Key | None:
    """Return what a row is sorted by: numbers by value before words; `None` where it is silent."""
    text = grid.text(row, column)
    if is_gap(text):
        return None
    unit_column = grid.unit_column
    unit = grid.text(row, unit_column) if unit_column not in (None, column) else ""
    value = value_of(text, unit)
    if value is not None:
        return 0, *value, ""
    return 1, 0.0, 0.0, natural_key(text)


def value_of(text: str, unit: str = "") -> Value | None:
    """Return what a text is worth: "10 nA" is 1e-8, "2.7 V to 5.5 V" lies between two values.

    A number without a unit has that of its row. A deviation ("±25") is its size, hex codes ("1Fh")
    are numbers; None when the text does not begin with one.
    """
    text = " ".join(text.translate(_SIGNS).split())
    code = _HEX.match(text)
    if code is not None:
        number = float(int((code.group(1) or code.group(2)).replace("_", ""), 16))
        return number, number
    parts = _BETWEEN.split(text, maxsplit=1)
    last_unit = _unit_of(parts[-1]) or unit
    low = _number(parts[0], last_unit)
    if low is None:
        return None
    high = _number(parts[1], last_unit) if len(parts) > 1 else None
    return low, low if high is None else high


def _unit_of(text: str) -> str:
    match = _FIRST.match(text.strip())
    return _DEVIATION.sub("", match["rest"]).strip() if match is not None else ""


def _number(text: str, unit: str) -> float | None:
    match = _FIRST.match(text.strip())
    if match is None:
        return None
    try:
        number = float(match["number"].replace(",", ""))
        if match["exponent"]:
            number *= 10.0 ** int(match["exponent"].translate(_RAISED))
    except (ValueError, OverflowError):
        return None
    if match["sign"] == "-":
        number = -number
    factor = _factor(_DEVIATION.sub("", match["rest"]))
    return number * (factor or _factor(unit) or 1.0)


def _factor(unit: str) -> float | None:
    """Return what the unit is worth that a text begins with, in its base unit."""
    match = _UNIT.match(unit.translate(_SIGNS).strip())
    if match is None:
        return None
    known = unit_of(match.group(), is_typed=False)
    return _ALONE.get(match.group(), float(known[0]) if known is not None else None)
