"""Numbers with units that can be reckoned with: the one place where the unit library is used.

`augment.units` knows how datasheets spell a unit; pint knows what units are made of, which of them
combine and what comes out. Celsius temperatures are reckoned as differences, as in T = P x R_th +
T_A; only a conversion to another scale moves the zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_qa.augment.quantities import find_quantities, plain_quantities
from desktop_qa.augment.units import unit_of
from desktop_qa.core.document import ColumnRole

if TYPE_CHECKING:
    import pint

_BASES = {
    "v": "volt", "vpp": "volt", "a": "ampere", "w": "watt", "hz": "hertz", "f": "farad",
    "h": "henry", "ohm": "ohm", "s": "second", "j": "joule", "t": "tesla", "pa": "pascal",
    "m": "meter", "g": "gram", "ah": "ampere_hour", "wh": "watt_hour", "bps": "bit/second",
    "sps": "hertz", "ev": "electron_volt", "cd": "candela", "lm": "lumen",
    "degc": "delta_degree_Celsius", "degf": "delta_degree_Fahrenheit", "%": "percent",
    "ppm": "ppm", "db": "level_db", "dbm": "level_dbm", "dbi": "level_dbi", "dbc": "level_dbc",
    "lsb": "code_step", "lx": "lux", "rpm": "rpm", "year": "year", "cycle": "clock_cycle",
    "bit": "bit", "√hz": "hertz**0.5", "dps": "turn_rate",
}  # fmt: skip
"""Base units of `augment.units` as pint names them; levels in dB can only be added."""

_OWN_UNITS = (
    "level_db = [level]", "level_dbm = [level_of_power]", "level_dbi = [level_of_antenna]",
    "level_dbc = [level_of_carrier]", "code_step = [code_step]", "clock_cycle = []",
    "turn_rate = [turn_rate]", "thousand = 1e3", "million = 1e6", "billion = 1e9",
)  # fmt: skip

_SHOWN = (
    "volt", "ampere", "watt", "hertz", "farad", "henry", "ohm", "second", "joule", "tesla",
    "pascal", "meter", "coulomb", "bit/second", "siemens", "volt/second", "watt/meter**2", "lux",
)  # fmt: skip
"""Units a result is shown in, with a prefix that leaves one to three digits before the point."""

_WITHOUT_PREFIX = {
    "delta_degree_Celsius": "°C", "delta_degree_Celsius/watt": "°C/W",
    "delta_degree_Celsius/volt": "°C/V", "level_db": "dB", "level_dbm": "dBm", "bit": "bits",
    "level_dbi": "dBi", "level_dbc": "dBc", "code_step": "LSB", "turn_rate": "°/s",
    "turn_rate/code_step": "°/s per LSB", "lux/code_step": "lx per LSB",
}  # fmt: skip
COUNTED = {1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}
"""What amounts of reports are counted in."""

_SCALES = {
    "degree_Fahrenheit": ("°F", r"(?:°|deg(?:rees?)?)\s?F|fahrenheit"),
    "degree_Celsius": ("°C", r"(?:°|deg(?:rees?)?)\s?C|celsius|centigrade"),
    "kelvin": ("K", r"K|kelvins?"),
}
"""Scales of temperature: as they are shown, and as people write them."""


class UnitsDoNotFitError(Exception):
    """Units that cannot be added, compared or converted into each other."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount in a unit of pint's; two are equal wherever they were read.

    Attributes:
        text: As it was read: "180 mV".
        in_range: True for each number of a range or list that shares one unit.
        bound: MIN, TYP or MAX where its column or the words before it say so, and were looked at.
    """

    amount: float
    unit: str = ""
    text: str = ""
    in_range: bool = field(default=False, compare=False)
    bound: ColumnRole | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.text or shown(self)


@dataclass(frozen=True, slots=True)
class PlacedMeasure:
    """A measure where it stands in a text, in characters of `plain_quantities(text)`."""

    measure: Measure
    start: int
    end: int


@cache
def _registry() -> pint.UnitRegistry[Any]:
    import pint  # a third of a second with its definitions; most questions need none

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry()
    for definition in _OWN_UNITS:
        registry.define(definition)
    return registry


@cache
def _pint_unit(base: str) -> str | None:
    """Return pint's name for a base unit of `augment.units`, also for quotients; None if none."""
    if base in _BASES:
        return _BASES[base]
    for sign in ("*", "/"):
        above, found, below = base.partition(sign)
        if found:
            first, second = _pint_unit(above), _pint_unit(below)
            return f"({first}){sign}({second})" if first and second else None
    return None


def measures_in(text: str) -> list[PlacedMeasure]:
    """Find the numbers with a unit in a text, in order."""
    found = []
    plain = plain_quantities(text)
    for quantity in find_quantities(plain):
        unit = _pint_unit(quantity.base)
        if unit is None:
            continue
        written = re.sub(r"^u(?=.)", "µ", quantity.unit)
        text_of = f"{quantity.amount.normalize():f}{'' if written == '%' else ' '}{written}"
        amount = float(quantity.amount * quantity.factor)
        measure = Measure(amount, unit, text_of, quantity.in_range)
        found.append(PlacedMeasure(measure, quantity.start, quantity.end))
    return found


@cache
def dimension(unit: str) -> str:
    """Return what a unit measures, so that units of one kind give the same text.

    Celsius and kelvin are one kind; a number without unit is "dimensionless".
    """
    if not unit:
        return "dimensionless"
    powers = _registry().Quantity(1, unit).dimensionality
    # Sorted: pint keeps the order in which a unit was put together.
    return " ".join(f"{name}^{powers[name]:g}" for name in sorted(powers)) or "dimensionless"


def same_kind(one: Measure, other: Measure) -> bool:
    """Tell whether two measures can be added and compared."""
    return dimension(one.unit) == dimension(other.unit)


def is_equal(one: Measure, other: Measure, tolerance: float = 1e-6) -> bool:
    """Tell whether two measures are the same amount, whatever their units."""
    return same_kind(one, other) and math.isclose(
        in_base(one), in_base(other), rel_tol=tolerance, abs_tol=1e-18
    )


def in_base(measure: Measure) -> float:
    """Return the amount in the base units of its kind, for comparing."""
    quantity = _registry().Quantity(measure.amount, measure.unit or "dimensionless")
    return float(quantity.to_base_units().magnitude)


def reckoned(operation: Callable[..., Any], *measures: Measure) -> Measure:
    """Reckon with measures by a function of the module `operator`: `add`, `truediv`, `pow` ...

    Raises:
        UnitsDoNotFitError: When their units do not fit, or what comes out is no real number.
        ZeroDivisionError: When one is divided by 0.
    """
    quantities = [_registry().Quantity(m.amount, m.unit or "dimensionless") for m in measures]
    try:
        result = operation(*quantities)
    except (TypeError, OverflowError) as error:  # units that do not fit are a type error of pint's
        raise UnitsDoNotFitError(f"{' and '.join(map(str, measures))} do not fit") from error
    if isinstance(result.magnitude, complex):
        raise UnitsDoNotFitError(f"{measures[0]} has no such root")
    return Measure(float(result.magnitude), str(result.units).replace("dimensionless", ""))


def converted(measure: Measure, unit: str) -> Measure:
    """Convert a measure into a unit as people write it: "µA", "Fahrenheit", "hours".

    A temperature moves its zero: 125 °C is 257 °F.

    Raises:
        UnitsDoNotFitError: When the unit is unknown or measures something else.
    """
    name, factor = named_unit(unit) or ("", 1.0)
    if not name or dimension(name) != dimension(measure.unit):
        raise UnitsDoNotFitError(f"{measure} cannot be given in {unit}")
    sign, own = unit, measure.unit
    if name in _SCALES:
        sign, own = _SCALES[name][0], own.removeprefix("delta_")
    amount = float(_registry().Quantity(measure.amount, own).to(name).magnitude)
    text = f"{_digits(amount / factor, 6)}{'' if unit == '%' else ' '}{sign}"
    return Measure(amount, name.replace("degree_", "delta_degree_"), text)


def named_unit(text: str) -> tuple[str, float] | None:
    """Return pint's name of the base unit that a text means, and the factor to it; None for none.

    Args:
        text: As people write units: "µA", "Fahrenheit", "hours".
    """
    for name, (_sign, spelled) in _SCALES.items():
        if re.fullmatch(spelled, text.strip(), re.IGNORECASE):
            return name, 1.0
    known = unit_of(text.replace("µ", "u").replace("μ", "u"))
    base = _pint_unit(known[1]) if known else None
    return (base, float(known[0])) if known and base else None


def shown(measure: Measure, decimals: int | None = None) -> str:
    """Write a result in the unit and with the digits that people would choose.

    At most four significant digits, unless a few more are exact; long times also in hours or days.

    Args:
        measure: The result.
        decimals: Of a number, a share or an amount of a report, where so many are asked for.
    """
    if measure.unit in ("", "percent", *COUNTED.values()):
        sign = "%" if measure.unit == "percent" else measure.unit
        return f"{_number(measure, decimals)} {sign}".strip()
    quantity = _registry().Quantity(measure.amount, measure.unit)
    if quantity.dimensionless:
        return shown(Measure(float(quantity.to("dimensionless").magnitude)), decimals)
    for name, symbol in _WITHOUT_PREFIX.items():
        if quantity.is_compatible_with(name):
            return f"{_digits(float(quantity.to(name).magnitude))} {symbol}"
    name = next((one for one in _SHOWN if quantity.is_compatible_with(one)), "")
    own = quantity.to(name).to_compact() if name else quantity.to_root_units()
    if name == "second" and abs(seconds := float(own.to(name).magnitude)) >= 300:
        return _long_time(seconds)
    return f"{_digits(float(own.magnitude))} {own.units:~P}"


def _number(measure: Measure, decimals: int | None) -> str:
    """Write a number; amounts of reports and whole ones from 10,000 with commas."""
    if decimals is not None:
        return f"{measure.amount:,.{decimals}f}"
    is_long = abs(measure.amount) >= 10_000 and measure.amount == int(measure.amount)
    if measure.unit in COUNTED.values() or is_long:
        return f"{measure.amount:,.3f}".rstrip("0").rstrip(".")
    if measure.unit == "percent":
        is_whole = math.isclose(measure.amount, round(measure.amount), rel_tol=1e-9)
        decimals = 0 if is_whole else 1 if abs(measure.amount) >= 1 else 2
        return f"{measure.amount:,.{decimals}f}"
    return _digits(measure.amount)


def _long_time(seconds: float) -> str:
    hours, days = seconds / 3600, seconds / 86400
    if abs(hours) < 1:
        return f"{_digits(seconds / 60)} min"
    long = f"{_digits(days / 365.25, 3)} years" if days > 730 else f"{_digits(days, 3)} days"
    return f"{_digits(hours)} h" + (f" (about {long})" if abs(hours) >= 72 else "")


def _digits(amount: float, significant: int = 4) -> str:
    """Write a number with some significant digits, or a few more where they are exact."""
    if not math.isfinite(amount):
        return "∞" if amount > 0 else "-∞"
    exact = f"{amount:.6g}"
    is_exact = math.isclose(float(exact), amount, rel_tol=1e-9)
    figures = float(exact) if is_exact else float(f"{amount:.{significant}g}")
    text = f"{figures:.12f}".rstrip("0").rstrip(".") if abs(figures) >= 1e-6 else f"{figures:g}"
    return "0" if text in ("", "-0") else text
