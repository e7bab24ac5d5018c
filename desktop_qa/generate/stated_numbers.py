"""The numbers that a sentence or a cell states, in base units, and which of them are equal.

List numbers and markers are no numbers, nor are those inside the codes of parts. A year of the
calendar is one of its own kind. Money and counts may be told in thousands, millions and billions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from desktop_qa.augment.codes import is_part_number
from desktop_qa.augment.quantities import find_quantities, parse_number, plain_quantities
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS

YEAR = "year#"
"""Base of a year of the calendar; "10 years" are a time."""

TIMES = "times#"
"""Base of a ratio: "ten times", "two thirds"."""

_MICRO = re.compile(r"(?<=[\d ])u(?=[A-Za-zΩ])")
_THOUSANDS = re.compile(r"(?<![\d.,])([1-9]\d{0,2})((?: \d\d0)+)(?![\d.,])")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_PARTS = {"times": 1.0, "fold": 1.0, "thirds": 1 / 3, "quarters": 0.25, "fifths": 0.2}
_UNSAID_SCALES = (10**3, 10**6)
"""What reports count money in, where the page that is cited does not say it."""

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PLAIN = re.compile(
    rf"(?<![\w.,])(?<!\w-)(?P<currency>[$€£¥]\s?)?(?P<number>{_NUMBER})"
    rf"(?:[\s-]?(?P<scale>{'|'.join(_SCALES)})\b)?(?!\w|%|[.,]\d)"
)
_POINTS = re.compile(
    rf"(?<![\w.,])(?P<number>{_NUMBER})\s?(?:percentage (?:points?)|(?P<basis>basis points?|bp))\b"
)
_TIMES = re.compile(
    rf"(?<![\w.,])(?P<number>{_NUMBER}|{'|'.join(SMALL_NUMBERS)})(?:\s|-)?(?P<of>{'|'.join(_PARTS)})\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    rf"\b(?:{'|'.join(word for word, value in SMALL_NUMBERS.items() if value > 1)})\b",
    re.IGNORECASE,
)
"""From two on: "one" is rather a pronoun, and "zero" a level."""

_NOUN = re.compile(r"[\s-]([A-Za-z]{2,})")
_YEAR = re.compile(r"(?:19|20)\d\d")
_TOKEN = re.compile(r"(?<![\w.])(?=[\w/\-]*\d)(?=[\w/\-]*[A-Za-z])[\w/\-]*\w")
_PLACE = re.compile(
    r"(?:tables?|figures?|figs?\.?|sections?|pages?|steps?|notes?|chapters?|equations?)\s*$",
    re.IGNORECASE,
)
_MONEY = frozenset("$€£¥")
_SIGNED = frozenset({"degc", "degf"})
_MOST_OFF = 0.1
"""Of a value, for what is said roughly in one digit: "about 2 V" is not 2.4 V."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number where it is stated.

    Attributes:
        value: In the base unit, with its sign.
        base: As `units.unit_of` names it, a currency, `YEAR`, or empty for a count.
        raw: As printed, without unit and scale.
        step: Half of what its last digit stands for, in the base unit: 50 of "$4,500", rounded.
        n_digits: That say something of it: two of "4.5", "45" and "45,000".
        start: In the text after `plain`.
        end: Behind its last character.
        noun: Of a count, the word behind it: "pin" of "16-pin".
    """

    value: float
    base: str
    raw: float
    step: float
    n_digits: int
    start: int
    end: int
    noun: str = ""

    @property
    def kind(self) -> str:
        """What it is an amount of: that of "mV/°C" is that of "mV per degree"."""
        return self.base.partition("/")[0]


def plain(text: str) -> str:
    """Write a text as `numbers_in` reads it."""
    return _THOUSANDS.sub(lambda m: m[1] + m[2].replace(" ", ""), plain_quantities(text))


def as_printed(text: str) -> str:
    """Write a number from a text of `plain` with the sign of micro again."""
    return _MICRO.sub("µ", text)


def numbers_in(text: str, unit: str = "", scale: int = 1) -> tuple[Number, ...]:
    """Find the numbers of a text, in order.

    Args:
        text: From `plain`.
        unit: Of numbers that have none beside them: that of a row or a head.
        scale: What amounts are counted in where no word says it.
    """
    taken = [match.span() for match in _TOKEN.finditer(text) if is_part_number(match.group())]
    found: list[Number] = []
    for own in (
        _points(text), _times(text), _with_units(text), _plain(text, unit, scale), _spoken(text)
    ):  # fmt: skip
        read = [number for number in own if number is not None]
        new = [n for n in read if not any(a < n.end and n.start < b for a, b in taken)]
        found += new
        taken += [(number.start, number.end) for number in new]
    return tuple(sorted(found, key=lambda number: number.start))


def are_equal(said: Number, stated: Number, *, is_rough: bool = False) -> bool:
    """Tell whether a number that is said is one that a document states.

    The units must be of one kind; where one side prints none, the figures themselves may be equal.
    What is said may be rounded to the digits it has, from two of them on, to fewer where it is
    meant roughly. The sign counts for temperatures only: people leave that of currents out.
    """
    if YEAR in (said.base, stated.base):
        return said.base == stated.base and said.value == stated.value
    is_known = said.kind == stated.kind or said.base in _MONEY
    a, b = said.value, stated.value
    step = said.step
    if not is_known or not stated.base:
        if said.base and stated.base:
            return False
        if abs(a) != abs(b) and said.base not in _MONEY:
            factor = said.value / said.raw if said.raw else 1.0
            a, b, step = said.raw, stated.raw, said.step / factor
    if said.base not in _SIGNED:
        a, b = abs(a), abs(b)
    if said.base in _MONEY and not stated.base and stated.raw == stated.value:
        b = min((b, *(b * scale for scale in _UNSAID_SCALES)), key=lambda one: abs(a - one))
    off = abs(a - b)
    if off <= 1e-9 * max(abs(a), abs(b)):
        return True
    if is_rough and said.n_digits == 1:
        return off <= min(step, _MOST_OFF * abs(b))
    return off <= step * (1 + 1e-9) and (said.n_digits > 1) and stated.n_digits > said.n_digits


def _number(
    figures: str, factor: Decimal, base: str, start: int, end: int, noun: str = ""
) -> Number | None:
    """Return a number; None for figures that are none, such as "0,123,456"."""
    amount = parse_number(figures)
    if amount is None:
        return None
    digits = re.sub(r"[^\d.]", "", figures)
    whole, _point, part = digits.partition(".")
    n_zeros = 0 if part else len(whole) - len(whole.rstrip("0"))
    telling = (whole + part).lstrip("0")
    n_digits = max(len(telling if part else telling.rstrip("0")), 1)
    step = float(Decimal(10) ** (n_zeros - len(part)) / 2 * abs(factor))
    return Number(float(amount * factor), base, float(amount), step, n_digits, start, end, noun)


def _points(text: str) -> Iterator[Number | None]:
    for match in _POINTS.finditer(text):
        factor = Decimal("0.01") if match["basis"] else Decimal(1)
        yield _number(match["number"], factor, "%", *match.span())


def _times(text: str) -> Iterator[Number]:
    for match in _TIMES.finditer(text):
        word = match["number"].casefold()
        count = SMALL_NUMBERS.get(word)
        amount = parse_number(word) if count is None else Decimal(count)
        if amount is not None:
            value = float(amount) * _PARTS[match["of"].casefold()]
            yield Number(value, TIMES, value, value * 0.05, 2, *match.span())


def _with_units(text: str) -> Iterator[Number | None]:
    for quantity in find_quantities(text):
        figures = format(quantity.amount, "f")
        span = quantity.start, quantity.end
        printed = re.findall(_NUMBER, text[slice(*span)])
        own = next((p for p in printed if parse_number(p) == abs(quantity.amount)), figures)
        figures = f"-{own}" if quantity.amount < 0 and own[0] != "-" else own
        yield _number(figures, quantity.factor, quantity.base, *span)


def _plain(text: str, unit: str, scale: int) -> Iterator[Number | None]:
    for match in _PLAIN.finditer(text):
        if _PLACE.search(text, max(match.start() - 12, 0), match.start()):
            continue
        figures, currency = match["number"], (match["currency"] or "").strip()
        if _YEAR.fullmatch(figures) and not (currency or unit or match["scale"] or scale > 1):
            yield Number(float(figures), YEAR, float(figures), 0.0, 4, *match.span())
            continue
        counted = _SCALES[match["scale"]] if match["scale"] else scale
        if unit and not currency:
            known = numbers_in(f"{figures} {unit}")
            if len(known) == 1 and known[0].base:
                one = known[0]
                yield Number(one.value, one.base, one.raw, one.step, one.n_digits, *match.span())
                continue
        yield _number(figures, Decimal(counted), currency, *match.span(), _noun(text, match.end()))


def _noun(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    return match[1].casefold().removesuffix("s") if match else ""


def _spoken(text: str) -> Iterator[Number]:
    for match in _SPOKEN.finditer(text):
        value = float(SMALL_NUMBERS[match.group().casefold()])
        yield Number(
            value, "", value, 0.0, len(str(int(value))), *match.span(), _noun(text, match.end())
        )
