"""Values of cells as numbers with a unit: "±4.5 mV", "–0.3 11.8", "2.7 ~ 3.6V".

A number is kept as printed and in the base unit of its kind; what is no number ("VDD + 0.3",
"Internally limited") is kept as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from desktop_qa.augment.quantities import parse_number, plain_quantities
from desktop_qa.augment.units import unit_of
from desktop_qa.core.document import ColumnRole
from desktop_qa.core.gaps import is_gap
from desktop_qa.core.note_marks import NOTE_MARK

_MORE_SIGNS = str.maketrans({"∼": "~", "～": "~", "…": "...", "＋": "+"})
_NUMBER = (
    r"(?:[+-]\s?|±\s?|\+/-\s?|[<>≤≥]\s?)?"
    r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|[1-9]\d{0,2}(?: \d\d0)+(?!\d)|\d+(?:[.,]\d+)?|\.\d+)"
)
_UNIT = r"(?:%\s?of\s[A-Za-z]+|[%°√A-Za-zΩ][A-Za-zΩ°√%/()\-]{0,16}(?:\s?/\s?[A-Za-z°√]{1,8})?)"
_VALUE = re.compile(
    rf"(?:max\.?|min\.?|typ\.?|up to|approx\.?)?\s*(?P<low>{_NUMBER})\s*(?P<first>{_UNIT})?"
    r"(?:\s*(?:\bto\b|~|\.\.\.|\. \. \.|-(?=\s)|(?<=\d)-(?=\d)|(?<=\d)\s(?=[^%°A-Za-zΩ]+$))\s*"
    rf"(?P<high>{_NUMBER})\s*(?P<unit>{_UNIT})?)?(?:\s?\(.*\))?"
)
_FORMULA = re.compile(
    r"(?<![A-Za-z])(?:[VI](?:[A-Z_]\w*|in|out|dd|cc|ss|ref)|T[AJ]|GND|ODR)(?![a-z])"
)
_ADDRESS = re.compile(r"^(?:[01]{7}b?|0x[0-9A-Fa-f]{2})(?:\s?\(.*\))?$")
_FOOTNOTES = re.compile(rf"(?<!\s)(?:(?!\s?\[|\s\*){NOTE_MARK.pattern})+$", re.IGNORECASE)
"""A number in square brackets is that of a bit ("spi3w_en[0]"), "0.23 *" half of a product."""

_OF_FULL_SCALE = re.compile(r"^%\s*(?:of\s*)?(?:fsr?|full[ -]scale(?: range)?)\b.*$", re.IGNORECASE)
_BOUND = re.compile(r"\s?(?:max|typ|min)\b")
_SQUARE_ROOT = re.compile(
    r"sqrt\s*\(?\s*Hz\s*\)?|rt\s?\(?Hz\)?|√\s*\(?Hz\)?|Hz\s?1/2", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Amount:
    """One value of a parameter.

    Attributes:
        role: MIN, TYP, MAX or VALUE for what is no bound.
        text: As printed, with its unit.
        value: In the base unit of its kind, with its sign; the magnitude of "±5"; `None` for what
            is no number.
        unit: The base unit; the unit as printed when it is not known; empty for none.
    """

    role: ColumnRole
    text: str
    value: float | None
    unit: str


def plain(text: str) -> str:
    """Return a text with one sign for each dash, micro, ohm, degree and space."""
    return " ".join(plain_quantities(text).translate(_MORE_SIGNS).split())


def without_footnote(text: str) -> str:
    """Return a text without the marks of footnotes at its end."""
    return _FOOTNOTES.sub("", text).strip()


@lru_cache(maxsize=8192)
def base_unit(text: str) -> tuple[float, str]:
    """Return the factor to the base unit of a unit as printed, and that unit.

    A unit that is not known is its own base: it is equal only to itself.
    """
    unit = plain(without_footnote(text)).strip(" .,;")
    if is_no_unit(unit):
        return 1.0, ""
    if _OF_FULL_SCALE.match(unit):
        return 1.0, "%fs"
    unit = re.sub(r"[°o]\s?/\s?s\b|deg(?:rees)?/s(?:ec)?\b", "dps", unit)
    if re.fullmatch(r"degrees?|deg", unit, re.IGNORECASE):
        return 1.0, "degree"
    found = _known_unit(unit)
    return (float(found[0]), found[1]) if found is not None else (1.0, unit.casefold())


def _known_unit(text: str) -> tuple[Decimal, str] | None:
    """Return the factor and base of a unit, which may stand beside a bound."""
    unit = re.sub(r"\s*/\s*", "/", _SQUARE_ROOT.sub("√Hz", text.strip()))
    own = (unit, unit.replace(" ", ""), _BOUND.sub("", unit))
    found = (unit_of(spelled.replace("(", "").replace(")", "")) for spelled in own)
    return next((one for one in found if one is not None), None)


def is_no_unit(text: str) -> bool:
    """Tell whether a cell of units gives none; "nA" is one, and "NA" beside values is a gap."""
    return is_gap(text) and unit_of(text.strip()) is None


def read_amounts(text: str, unit: str, role: ColumnRole) -> tuple[Amount, ...]:
    """Read what a cell states.

    Args:
        text: Of the cell.
        unit: Of its row or header; what stands in the cell itself goes before.
        role: Of its column; a range in a column that is no single bound has a MIN and a MAX.

    Returns:
        One amount, two for a range, none for a gap.
    """
    shown = without_footnote(" ".join(text.split()))
    if is_gap(shown):
        return ()
    flat = re.sub(r"(?<=[A-Za-z])\s*/\s*(?=[A-Za-z√°])", "/", plain(shown))
    if _ADDRESS.match(flat):
        return (Amount(role, shown, None, "address"),)
    match = _VALUE.fullmatch(flat)
    own = (match["unit"] or match["first"] or "") if match else ""
    # What stands behind a number may be a word of a sentence.
    if match and (not own or _known_unit(own) is not None or _OF_FULL_SCALE.match(own)):
        if match["high"] is None:
            return (_amount(match["low"], own or unit, role),)
        bounds = ((match["low"], ColumnRole.MIN), (match["high"], ColumnRole.MAX))
        return tuple(_amount(number, own or unit, bound) for number, bound in bounds)
    if _FORMULA.search(shown):
        return (Amount(role, _with_unit(shown, unit), None, base_unit(unit)[1]),)
    return (Amount(role, shown, None, ""),)


def _amount(number: str, unit: str, role: ColumnRole) -> Amount:
    parsed = parse_number(re.sub(r"[<>≤≥]", "", number))
    factor, base = base_unit(unit)
    # 12 digits leave out the noise of binary fractions.
    value = None if parsed is None else float(f"{float(parsed) * factor:.12g}")
    return Amount(role, _with_unit(number, unit), value, base)


def _with_unit(number: str, unit: str) -> str:
    unit = without_footnote(unit)
    if unit.startswith("u") and unit_of(unit) is not None:
        unit = f"µ{unit[1:]}"
    if is_no_unit(unit) or number.casefold().endswith(unit.casefold()):
        return number
    return f"{number}{unit}" if unit.startswith("%") else f"{number} {unit}"
