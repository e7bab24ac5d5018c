"""Values as keywords: "half an amp", "0,5 A" and "500mA" are all "0.5a", "FY2019" is "year2019".

A number with a unit is written in its base unit as a plain decimal, a period as its year. Common
values (0 V, 25 °C) say little: whoever ranks by values weighs them by how rare they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import MAX_PREC, Context, Decimal, InvalidOperation
from functools import lru_cache

from desktop_qa.augment.periods import (
    BARE_YEAR,
    YEAR_PREFIX,
    plain_periods,
    values_of_periods,
)
from desktop_qa.augment.spoken_numbers import numbers_in_figures
from desktop_qa.augment.units import unit_of
from desktop_qa.core.folding import LIKE_SIGNS

_CHARACTERS = LIKE_SIGNS | str.maketrans(
    {
        "µ": "u", "μ": "u", "\u2126": "Ω", "℃": "°C", "−": "-", "‐": "-", "‑": "-", "‒": "-",
        "–": "-", "—": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "½": ".5", "¼": ".25",
        "¾": ".75", "⁄": "/",
    }
)  # fmt: skip

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?|\.\d+)"
_SIGN = r"(?:(?<![\w.)\]])[+-]\s?|±\s?|\+/-\s?)?"
_SEPARATOR = r"\s?(?:to|through|and|or|/|\.\.\.?|…|,\s(?:and|or)?|-|±|\+/-)\s?"
_LETTERS = "A-Za-zΩ√"
_UNIT = (
    r"(?:(?:degrees?|deg)\s(?:[CcFf]\b|[Cc]elsius|[Cc]entigrade)|(?:samples|bits)\sper\ssecond|%\s?RH"
    rf"|[%°√]?[{_LETTERS}]{{1,15}}(?:-ohms?)?(?:/\(?[°√%]?[{_LETTERS}]{{1,8}}\)?)?|[%°])"
    r"(?![A-Za-z0-9_])"
)
_QUANTITY = re.compile(
    rf"(?<![\w.,])(?P<others>(?:{_SIGN}{_NUMBER}{_SEPARATOR}){{0,5}})"
    rf"(?P<number>{_SIGN}{_NUMBER})[\s-]?(?P<unit>{_UNIT})",
)
_BARE_NUMBER = re.compile(rf"(?<![\w.,/-]){_NUMBER}(?![\w/-]|[.,]\d)")
_ONE_NUMBER = re.compile(rf"(?P<sign>[+-]?)\s?(?P<number>{_NUMBER})")
_LIST_MARK = re.compile(rf"(?P<mark>{_SEPARATOR})(?P<sign>[+-]?)\s?(?P<number>{_NUMBER})")
_PLACE_BEFORE = re.compile(
    r"(?:tables?|figures?|figs?\.?|sections?|pages?|pins?|steps?|notes?|equations?|eqs?\.?|chapters?"
    r"|rev\.?|revisions?|versions?)\s*$",
    re.IGNORECASE,
)

_INFIX_UNITS = {
    "V": ("1", "v"), "v": ("1", "v"), "R": ("1", "ohm"), "r": ("1", "ohm"), "k": ("1e3", "ohm"),
    "K": ("1e3", "ohm"), "M": ("1e6", "ohm"), "u": ("1e-6", "f"), "n": ("1e-9", "f"),
    "p": ("1e-12", "f"),
}  # fmt: skip
_INFIX_KINDS = {"F": "f", "H": "h", "Ω": "ohm", "f": "f"}
_INFIX = re.compile(r"(?<![\w.\-])(\d{1,3})([VvRrkKMunp])(\d{1,2})([FHΩf]?)(?![\w.])")
"""The unit stands in place of the point (IEC 60062): 3V3, 4k7, 2n2."""

_RESISTANCE = re.compile(
    rf"(?<![\w.,])({_NUMBER})\s?([kKM])(?=[\s-](?:resist|pull|pot|ohm|series|load|termination))"
)
_BARE_TEMPERATURE = re.compile(r"(?<![\w.,)\]])-(\d{2})(?![\w.,%]*\d|\s?[%A-Za-z°Ω]*[A-Z°%Ω])")
_FRACTION = re.compile(
    r"(?<![\w./])(?:(\d+)[\s-])?([1-7])/([248])(?=[\s-]?(?:watts?|W|LSBs?|lsb|inch|in)\b)"
)
_DIGIT = re.compile(r"\d")
_LAST_DECIMAL = Decimal("1e-12")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit where it stands in a text.

    Attributes:
        amount: As written, in `unit`.
        unit: As written, with "u" for the micro sign.
        factor: Of the unit to its base unit.
        base: Base unit, as `units.unit_of` names it.
        start: Index of its first character in the text after `plain_quantities`.
        end: Index behind its last character.
        in_range: True for each number of a range or list that shares one unit.
    """

    amount: Decimal
    unit: str
    factor: Decimal
    base: str
    start: int
    end: int
    in_range: bool = False


def plain_quantities(text: str) -> str:
    """Write signs, degrees, micro and number words of a text the one way that numbers are read."""
    return numbers_in_figures(text.translate(_CHARACTERS))


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Find numbers with a unit in a plain text, in order; those of a range each on its own."""
    found: list[Quantity] = []
    for match, listed in _stated(text):
        unit = match["unit"]
        known = unit_of(unit) or unit_of(unit.partition("/")[0])
        if known is None:
            continue
        for number in (*listed, match["number"]):
            amount = parse_number(number)
            if amount is not None:
                start = match.start() if listed else match.start("number")
                found.append(
                    Quantity(amount, unit, known[0], known[1], start, match.end(), bool(listed))
                )
    return tuple(found)


def _stated(text: str) -> Iterator[tuple[re.Match[str], list[str]]]:
    """Yield what has a number and a word that may be its unit, with the numbers listed before."""
    for match in _QUANTITY.finditer(text):
        if match["unit"] == "a" and text[match.start("unit") - 1] == " ":
            continue  # the article: "3 a day"
        others = match["others"]
        is_place = _PLACE_BEFORE.search(text, max(match.start() - 12, 0), match.start())
        yield match, _listed(others) if others and not is_place else []


def find_values(text: str) -> tuple[str, ...]:
    """Find values with a unit, also in ranges ("-40 to 85 °C") and lists ("1.8/3.3 V"), and years.

    Returns:
        Number and base unit without a space ("0.5a", "-40degc", "400000hz"), the year of each
        period ("year2019" of "FY2019", "fiscal 2019", "Q3 2019", "February 2, 2019" and "2019")
        and the length of the shortest ("quarters1"), sorted, each once.
    """
    text = plain_quantities(text)
    if not _DIGIT.search(text):
        return ()
    text = plain_periods(_FRACTION.sub(_fraction, text))
    years = {match.end(): YEAR_PREFIX + match[0] for match in BARE_YEAR.finditer(text)}
    found: set[str] = set()
    for match, listed in _stated(text):
        value = _value(match["number"], match["unit"])
        found.add(value)
        if value:
            years.pop(match.end("number"), None)
        found.update(_value(number, match["unit"]) for number in listed)
    for whole, letter, part, kind in _INFIX.findall(text):
        factor, base = _INFIX_UNITS[letter]
        found.add(
            _normal(Decimal(f"{whole}.{part}") * Decimal(factor), _INFIX_KINDS.get(kind, base))
        )
    for number, letter in _RESISTANCE.findall(text):
        found.add(_value(number, f"{letter}Ω"))
    found.discard("")
    return tuple(sorted(found.union(years.values(), values_of_periods(text))))


def values_in_question(question: str) -> tuple[str, ...]:
    """Find the values and years a person asks about; a bare "-40" is a temperature."""
    text = question.translate(_CHARACTERS)
    cold = (f"-{match[1]}degc" for match in _BARE_TEMPERATURE.finditer(text))
    return tuple(dict.fromkeys((*find_values(question), *cold)))


def _fraction(match: re.Match[str]) -> str:
    whole, above, below = match.groups()
    return str(Decimal(whole or 0) + Decimal(above) / Decimal(below))


def _listed(others: str) -> list[str]:
    """Return the numbers before the last one, with their signs; a dash between two is none."""
    first = _ONE_NUMBER.search(others)
    if first is None:
        return []
    numbers = [first["sign"] + first["number"]]
    position = first.end()
    while more := _LIST_MARK.match(others, position):
        numbers.append(more["sign"] + more["number"])
        position = more.end()
    return numbers


@lru_cache(maxsize=65536)
def _value(number: str, unit: str) -> str:
    """Return the normal form of a number as written with its unit, "" where there is none."""
    known = unit_of(unit) or unit_of(unit.partition("/")[0])
    amount = parse_number(number)
    if known is None or amount is None:
        return ""
    return _normal(amount * known[0], known[1])


def value_of(number: str, unit: str) -> str:
    """Return the normal form of a number and a unit that stand in two cells, "" for no value."""
    return _value(number.translate(_CHARACTERS).strip(), unit.translate(_CHARACTERS).strip())


def n_held(asked: Iterable[str], stated: Collection[str]) -> int:
    """Count the values of a question that stand in a text.

    People leave out the sign that makers print before what flows or lies the other way, as of PNP
    transistors; that of a temperature tells two of them apart.
    """
    return sum(v in stated or (f"-{v}" in stated and not v.endswith("degc")) for v in asked)


def is_unit(text: str) -> bool:
    """Tell whether a cell holds nothing but a unit."""
    return bool(text) and unit_of(text.translate(_CHARACTERS).strip()) is not None


def parse_number(text: str) -> Decimal | None:
    """Read a number with a sign, thousands marks, and a decimal point or comma.

    A comma before exactly three digits parts thousands, unless a lone 0 stands before it; any
    other is a decimal comma, before which points part thousands. The sign of "±2" is dropped.
    """
    text = text.replace("±", "").replace("+/-", "").replace(" ", "").lstrip("+")
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", text):
        text = text.replace(",", "")
    elif "," in text:
        text = text.replace(".", "")
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return the numbers of a text without their units; those within codes are none."""
    found = (parse_number(match.group()) for match in _BARE_NUMBER.finditer(plain_quantities(text)))
    return frozenset(number for number in found if number is not None)


def _normal(amount: Decimal, base: str) -> str:
    """Write an amount without exponent and without zeros that say nothing; 12 decimals at most."""
    figures = format(amount, "f")
    if len(amount.as_tuple().digits) > 12:
        # The usual context has 28 digits in all: a key of 256 bits has 78 before the point.
        figures = format(amount.quantize(_LAST_DECIMAL, context=Context(prec=MAX_PREC)), "f")
    if "." in figures:
        figures = figures.rstrip("0").rstrip(".")
    return f"{'0' if figures in ('-0', '') else figures}{base}"
