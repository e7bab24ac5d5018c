"""What kinds of value a segment gives: their dimensions, and the limits its table has columns for.

Whoever asks how long looks for seconds, and whoever asks for a worst case for a column of maxima.
The marks found here stand beside a segment's critical keywords in the index, led by a sign that no
keyword can begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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

_PREFIXES = ("", "p", "n", "u", "µ", "μ", "m", "k", "K", "M", "G", "T")


def _scaled(*units: str) -> tuple[str, ...]:
    return tuple(prefix + unit for unit in units for prefix in _PREFIXES)


_UNITS: Mapping[str, Iterable[str]] = {
    "time": (*_scaled("s"), "sec", "second", "seconds", "minutes", "min", "h", "hour", "hours"),
    "current": _scaled("A", "Arms", "ARMS"),
    "voltage": _scaled("V", "Vrms", "VRMS", "Vpp", "VPP", "VDC", "VAC"),
    "frequency": (*_scaled("Hz", "SPS", "sps", "bps", "bit/s", "b/s", "Bd"), "rpm"),
    "resistance": _scaled("Ω", "Ω", "ohm", "ohms", "Ohm", "Ohms"),
    "temperature": ("°C", "°F", "K", "degC"),
    "thermal resistance": ("°C/W", "K/W"),
    "power": (*_scaled("W"), "dBm"),
    "noise": (*_scaled("V/√Hz", "A/√Hz", "g/√Hz", "V/rtHz"), "dps/√Hz", "°/s/√Hz"),
    "share": ("%", "LSB", "LSBs", "ppm", "dB", "%FS", "%FSR", "ppm/°C", "V/V"),
    "capacitance": _scaled("F"),
    "inductance": _scaled("H"),
    "length": ("mm", "mil", "mils", "inch", "cm", "μm", "µm"),
    "information": (*_scaled("B", "bit", "byte", "Bit", "Byte"), "bits", "bytes", "Bytes"),
    "light": ("lux", "lx", "klux"),
    "pressure": ("Pa", "hPa", "kPa", "MPa", "bar", "mbar", "psi"),
    "magnetic field": (*_scaled("T"), "gauss", "mgauss", "G"),
    "acceleration": ("g", "mg", "µg", "μg", "m/s2", "m/s²", "LSB/g", "mg/LSB", "mg/digit"),
    "angular rate": ("dps", "°/s", "mdps", "LSB/(°/s)", "LSB/°/s"),
}
_DIMENSION_OF = {unit: name for name, units in _UNITS.items() for unit in units}
# "T" alone is temperature in most tables, "min" a column, "K" a thousand, "H" and "F" are levels.
for _ambiguous in ("T", "kT", "KT", "min", "F", "H", "h"):
    _DIMENSION_OF.pop(_ambiguous, None)

# A unit stands behind its number, or alone in a cell or in brackets.
_UNIT = re.compile(
    r"(?:(?<=\d)\s?|(?<=\d\))\s?|(?<=\|\s)|(?<=[(\[/]))([°A-Za-zµμ%ΩΩ][\w%ΩΩ°/√²]*)(?![\w])"
)
_UNIT_AT_LINE_END = re.compile(r"(?<=\s)([°A-Za-zµμ%ΩΩ][\w%ΩΩ°/√²]*)$", re.MULTILINE)


def dimensions_in(text: str, *, at_line_ends: bool = False) -> frozenset[str]:
    """Return the dimensions of the units in a text: "time" for "25 µs", "current" for "| mA".

    Args:
        text: Of a segment, or what a question says of the unit it wants.
        at_line_ends: Also take the last word of a line for a unit, as rows of tables end.
    """
    found = set(_UNIT.findall(text))
    if at_line_ends:
        found.update(_UNIT_AT_LINE_END.findall(text))
    return frozenset(
        dimension for unit in found if (dimension := _dimension(unit.rstrip("/"))) is not None
    )


def _dimension(unit: str) -> str | None:
    known = _DIMENSION_OF.get(unit)
    if known is None and "/" in unit:
        return _DIMENSION_OF.get(unit.split("/", 1)[0])
    return known


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
