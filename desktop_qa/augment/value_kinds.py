"""What kinds of value a segment gives: their dimensions, and the limits its table has columns for.

Whoever asks how long looks for seconds, and whoever asks for a worst case for a column of maxima.
The marks found here stand beside a segment's critical keywords in the index, led by a sign that no
keyword can begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from desktop_qa.augment.units import unit_of
from desktop_qa.core.segment import Segment, SegmentKind

MARK = "~"
"""Leads the marks of this module; normal forms of keywords hold letters, digits and "+"."""

LIMITS: Mapping[str, re.Pattern[str]] = {
    "min": re.compile(r"\bmin(?:imum)?\b", re.IGNORECASE),
    "typ": re.compile(r"\b(?:typ(?:ical)?|nom(?:inal)?)\b", re.IGNORECASE),
    "max": re.compile(r"\bmax(?:imum)?\b", re.IGNORECASE),
}
"""Columns that tell a table of limits; makers write them out or cut them short."""

LIMITED = "limits"
"""The mark of a table that has at least two of these columns: a specification."""

_DIMENSIONS: Mapping[str, Iterable[str]] = {
    "time": ("s",),
    "current": ("a",),
    "voltage": ("v", "vpp"),
    "frequency": ("hz", "sps", "bps", "rpm"),
    "resistance": ("ohm",),
    "temperature": ("degc", "degf"),
    "thermal resistance": ("degc/w", "K/W"),
    "power": ("w", "dbm"),
    "noise": ("v/√hz", "a/√hz", "g/√hz", "dps/√hz"),
    "share": ("%", "lsb", "ppm", "db", "%FS", "%FSR", "ppm/degc", "v/v"),
    "capacitance": ("f",),
    "inductance": ("h",),
    "length": ("m",),
    "information": ("bit",),
    "light": ("lx",),
    "pressure": ("pa",),
    "magnetic field": ("t", "G"),
    "acceleration": ("g", "m/s2", "m/s²", "lsb/g", "g/lsb", "mg/digit"),
    "angular rate": ("dps", "lsb/dps"),
}
"""Base units (`units.unit_of`), and units as printed that are none's."""

_DIMENSION_OF = {unit: name for name, units in _DIMENSIONS.items() for unit in units}
_AMBIGUOUS = frozenset(("T", "kT", "KT", "t", "min", "F", "f", "H", "h", "a", "K"))
"""Alone: temperature in most tables, a column, levels, a letter, a thousand."""

# A unit stands behind its number, or alone in a cell or in brackets.
_UNIT = re.compile(
    r"(?:(?<=\d)\s?|(?<=\d\))\s?|(?<=\|\s)|(?<=[(\[/]))([°A-Za-zµμ%ΩΩ][\w%ΩΩ°/√²]*)(?![\w])"
)
_CHARACTERS = str.maketrans("µμ\u2126", "uuΩ")
_UNIT_AT_LINE_END = re.compile(r"(?<=\s)([°A-Za-zµμ%ΩΩ][\w%ΩΩ°/√²]*)$", re.MULTILINE)


def dimensions_in(text: str, *, at_line_ends: bool = False) -> frozenset[str]:
    """Return the dimensions of the units in a text: "time" for "25 µs", "current" for "| mA".

    Rows of tables end with theirs: `at_line_ends` the last word of a line may be a unit.
    """
    found = set(_UNIT.findall(text))
    if at_line_ends:
        found.update(_UNIT_AT_LINE_END.findall(text))
    return frozenset(
        dimension for unit in found if (dimension := _dimension(unit.rstrip("/"))) is not None
    )


@lru_cache(maxsize=4096)
def _dimension(unit: str) -> str | None:
    if unit in _AMBIGUOUS:
        return None
    known = unit_of(unit.translate(_CHARACTERS), is_typed=False)
    name = _DIMENSION_OF.get(known[1] if known is not None else unit)
    return name if name is not None or "/" not in unit else _dimension(unit.split("/", 1)[0])


def marks_of(segment: Segment) -> tuple[str, ...]:
    """Return the marks of a segment for the keyword index, sorted: "~time", "~max", "~limits"."""
    is_table = segment.kind is SegmentKind.TABLE
    found = {f"{MARK}{name}" for name in dimensions_in(segment.text, at_line_ends=is_table)}
    if is_table:
        # Notes below a table say "maximum" of anything.
        body = segment.text.split("\n(", 1)[0]
        limits = [name for name, pattern in LIMITS.items() if pattern.search(body)]
        found.update(f"{MARK}{name}" for name in limits)
        if len(limits) > 1:
            found.add(MARK + LIMITED)
    return tuple(sorted(found))
