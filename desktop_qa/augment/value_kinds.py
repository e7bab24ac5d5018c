"""Of what dimensions the values of a text are: whoever asks how long looks for seconds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from desktop_qa.augment.units import unit_of

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
