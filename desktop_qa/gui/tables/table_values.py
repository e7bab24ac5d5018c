"""What a cell of a table is worth, for sorting: numbers with prefixes, ranges, codes."""

from __future__ import annotations

import re

Value = tuple[float, float]
"""The lower and the upper end, in the base unit of its kind; the same for a single number."""

NaturalKey = tuple[tuple[int, int, str], ...]

_SIGNS = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "μ": "µ", "Ω": "Ω",
                        "\u00a0": " ", "\u2009": " ", "\u202f": " "})  # fmt: skip
_PREFIXES = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "k": 1e3,
             "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}  # fmt: skip
_BASES = (
    "VRMS|VPP|Vrms|Vpp|V|A|W|Hz|s|sec|Ω|ohms?|Ohms?|OHMS?|F|H|J|C|N|Pa|g|m|SPS|sps|bps|bit/s|bits?"
    "|Bytes?|bytes?|B|S|lx|T"
)
_ALONE = frozenset("pnuµkMG")
"""Prefixes that stand for their unit: 4.7k, 100n."""
_SECONDS = {"min": 60.0, "h": 3600.0, "hr": 3600.0, "day": 86400.0, "days": 86400.0}
_UNIT = re.compile(rf"^(?P<prefix>[fpnuµmkKMGT]?)(?P<base>{_BASES})(?![A-Za-z])")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?"
_FIRST = re.compile(
    rf"^(?:[<>≤≥~≈=]+|±|\+/-|typ\.?|max\.?|min\.?|up to|about)?\s*(?P<sign>[-+±]?)\s?"
    rf"(?P<number>(?=[\d.]){_NUMBER})(?P<power>\s?[×x*]\s?10\^?(?P<exponent>[-+⁻⁺]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+))?"
    r"\s?(?P<rest>.*)$",
    re.DOTALL,
)
_BETWEEN = re.compile(
    r"\s(?:to|and|…)\s|\s?\.\.\.?\s?|(?<=[\dA-DF-Za-df-zµΩ%])\s?-\s?(?=\d)|\s-\s(?=[-+]?\d)"
)
_HEX = re.compile(r"^(?:0x([0-9A-Fa-f_]+)|([0-9A-Fa-f]*\d[0-9A-Fa-f]*)h)\b")
_DEVIATION = re.compile(r"^(?:±|\+/-)\s?[\d.]+\s?")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_DIGITS = re.compile(r"(\d+)")


def value_of(text: str, unit: str = "") -> Value | None:
    """Return what a text is worth: "10 nA" is 1e-8, "2.7 V to 5.5 V" lies between two values.

    Args:
        text: Of a cell, as printed.
        unit: Of its row, for a number that stands without one.

    Returns:
        `None` when the text does not begin with a number. A deviation ("±25") is its size, hex
        codes ("1Fh") are numbers.
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
    own = _DEVIATION.sub("", match["rest"]).strip()
    return number * _factor(own if _factor_known(own) else unit)


def _factor_known(unit: str) -> bool:
    return _UNIT.match(unit) is not None or unit in _SECONDS or unit in _ALONE


def _factor(unit: str) -> float:
    unit = unit.translate(_SIGNS).strip()
    if unit in _SECONDS:
        return _SECONDS[unit]
    if unit in _ALONE:
        return _PREFIXES[unit]
    match = _UNIT.match(unit)
    return _PREFIXES.get(match["prefix"], 1.0) if match is not None else 1.0


def natural_key(text: str) -> NaturalKey:
    """Return a key by which "Pin 9" stands before "Pin 10"; case does not count."""
    pieces = _DIGITS.split(" ".join(text.split()).casefold())
    return tuple(
        (1, int(piece), "") if piece.isdigit() and piece.isascii() else (0, 0, piece)
        for piece in pieces
        if piece
    )
