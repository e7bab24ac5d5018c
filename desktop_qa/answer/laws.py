"""The formulas of the trade that values are put together by, and what questions want of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.formulas import Formula, formula
from desktop_qa.answer.measures import dimension


@dataclass(frozen=True, slots=True)
class Symbol:
    """What may stand for a symbol.

    Attributes:
        unit: Of its kind, as pint names it; "count" for a number without unit.
        words: That tables name it by, when the question does not.
    """

    unit: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Law:
    """A formula of the trade.

    Attributes:
        result: Symbol of what comes out.
        unit: Of the result.
        when: Words of the question without which it is not meant; with them it goes before others.
    """

    result: str
    unit: str
    right: str
    symbols: Mapping[str, Symbol]
    when: str = ""


_V = Symbol("volt", "voltage")
_I = Symbol("ampere", "current")
_R = Symbol("ohm", "resistance")
_T = Symbol("second", "time")
_C = Symbol("farad", "capacitance")
_P = Symbol("watt", "power")
_F = Symbol("hertz", "frequency")
_TEMPERATURE = Symbol("delta_degree_Celsius", "ambient temperature")
_RTH = Symbol("delta_degree_Celsius/watt", "junction-to-ambient thermal resistance RθJA theta JA")
_N = Symbol("count", "resolution bits")
_CUT_OFF = r"\b(?:cut\s?-?off|filter|corner)\b"
_DROP = r"\bfrom\b.+\bto\b|\binput\b.+\boutput\b|\bregulat\w+\b|\bdrops?\b|\bstep\w*\s+down\b"

LAWS: tuple[Law, ...] = (
    Law("P", "watt", "(V_in - V_out) × I", {"V_in": _V, "V_out": _V, "I": _I}, _DROP),
    Law("P", "watt", "V × I", {"V": _V, "I": _I}),
    Law("P", "watt", "I^2 × R", {"I": _I, "R": _R}),
    Law("P", "watt", "V^2 / R", {"V": _V, "R": _R}),
    Law(
        "P",
        "watt",
        "(T_J - T_A) / RθJA",
        {"T_J": Symbol("delta_degree_Celsius", "maximum junction temperature"),
         "T_A": _TEMPERATURE, "RθJA": _RTH},
        r"\b(?:ambient|junction|dissipat\w*)\b",
    ),
    Law("E", "joule", "V × I × t", {"V": _V, "I": _I, "t": _T}),
    Law("E", "joule", "P × t", {"P": _P, "t": _T}),
    Law("E", "joule", "0.5 × C × V^2", {"C": _C, "V": _V}, r"\bcapacitor\b"),
    Law("t", "second", "Q / I", {"Q": Symbol("ampere_hour", "capacity"), "I": _I}),
    Law("t", "second", "W / P", {"W": Symbol("watt_hour", "capacity"), "P": _P}),
    Law("t", "second", "C × V / I", {"C": _C, "V": _V, "I": _I},
        r"\b(?:charg\w*|ramp\w*|slew\w*)\b"),
    Law("τ", "second", "R × C", {"R": _R, "C": _C}, r"\b(?:time\s+constant|tau|RC)\b"),
    Law("t", "second", "N / f", {"N": Symbol("count", "cycles"), "f": _F}),
    Law("T", "second", "1 / f", {"f": _F}, r"\b(?:period|cycle|interval|every|one)\b"),
    Law("f", "hertz", "1 / (2 × π × R × C)", {"R": _R, "C": _C},
        r"\b(?:cut\s?-?off|corner|filter|pole|bandwidth|-?3\s?dB)\b"),
    Law("f", "hertz", "1 / T", {"T": _T}),
    Law("T_J", "delta_degree_Celsius", "T_A + P × RθJA",
        {"T_A": _TEMPERATURE, "P": _P, "RθJA": _RTH},
        r"\b(?:junction|die|chip)\b"),
    Law("ΔT", "delta_degree_Celsius", "P × RθJA", {"P": _P, "RθJA": _RTH}),
    Law("V", "volt", "I × R", {"I": _I, "R": _R}),
    Law("V", "volt", "P / I", {"P": _P, "I": _I}),
    Law("LSB", "volt", "FSR / 2^N", {"FSR": Symbol("volt", "full-scale range reference voltage"),
                                     "N": _N}, r"\b(?:lsb|step|code|bit|resolution)\b"),
    Law("V", "volt", "V_in × R_2 / (R_1 + R_2)", {"V_in": _V, "R_2": _R, "R_1": _R},
        r"\bdivider\b"),
    Law("I", "ampere", "V / R", {"V": _V, "R": _R}),
    Law("I", "ampere", "P / V", {"P": _P, "V": _V}),
    Law("I", "ampere", "Q / t", {"Q": Symbol("ampere_hour", "capacity"), "t": _T}),
    Law("R", "ohm", "V / I", {"V": _V, "I": _I}),
    Law("R", "ohm", "1 / (2 × π × f × C)", {"f": _F, "C": _C}, _CUT_OFF),
    Law("C", "farad", "t × I / V", {"t": _T, "I": _I, "V": _V}),
    Law("C", "farad", "1 / (2 × π × R × f)", {"R": _R, "f": _F}, _CUT_OFF),
    Law("Q", "ampere_hour", "I × t", {"I": _I, "t": _T}, r"\b(?:capacity|mAh|Ah|battery)\b"),
    Law("N", "count", "f × t", {"f": _F, "t": _T}),
)  # fmt: skip
_TARGETS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (unit, re.compile(pattern, re.IGNORECASE))
    for unit, pattern in (
        ("joule", r"\b(?:energy|joules?|[mµun]J)\b"),
        ("delta_degree_Celsius", r"\b(?:temperature\s+rise|how\s+hot|junction\s+temperature"
         r"|die\s+temperature|(?:heat|warm)s?\s+up|temperature\s+(?:increase|of\s+the\s+(?:die|junction))"
         r"|degrees\s+(?:above|hotter|warmer))\b"),
        ("watt", r"\b(?:power|heat|dissipat\w*|watts?|m?W)\b"),
        ("second", r"\bhow\s+long\b|\b(?:battery\s+life|run\s*time|how\s+many\s+(?:\w?s|\w*seconds"
         r"|minutes|hours|days|weeks|months|years)|time\s+constant|charg\w+\s+time|start-?up\s+time"
         r"|(?:soft|slow)-?\s?start\s+time|duration|period|how\s+quickly|what\s+\w*\s?time)\b"),
        ("ohm", r"\b(?:what|which|how\s+(?:large|big|much))\s+(?:\w+\s+){0,3}?"
         r"(?:resistors?|resistance)\b"
         r"|\bhow\s+many\s+(?:k|m)?(?:ohms?|Ω)\b|\bresistor\s+(?:value|do|must|should|is)\b"),
        ("farad", r"\b(?:what|which|how\s+(?:large|big|much))\s+(?:\w+\s+){0,3}?"
         r"(?:capacitors?|capacitance)\b"
         r"|\bhow\s+many\s+[munpµ]?(?:F|farads?)\b|\bcapacitor\s+(?:value|do|must|should|is)\b"),
        ("ampere_hour", r"\b(?:how\s+many\s+m?Ah"
         r"|what\s+(?:battery\s+)?capacity|how\s+much\s+charge)\b"),
        ("hertz", r"\b(?:cut\s?-?off|corner|what)\s+(?:\w+\s+)?frequency\b|\bbandwidth\b"
         r"|\bsamples?\s+per|\bhow\s+many\s+[kM]?Hz\b|\bwhat\s+(?:\w+\s+)?rate\b"),
        ("volt", r"\b(?:voltage|volts?|LSB|step\s+size|mV|per\s+(?:code|bit|step))\b"),
        ("ampere", r"\b(?:current|amps?|amperes?|[mµun]A)\b"),
        ("count", r"\bhow\s+many\s+(?:samples|conversions|measurements|cycles|pulses|bits)\b"),
    )
)  # fmt: skip
_ASKED_PART = re.compile(
    r"\b(?:what|which|how|calculate|compute|estimate|find|determine|give)\b[^,.;?]*", re.IGNORECASE
)


@cache
def law_formula(result: str, right: str) -> Formula:
    """Return a law as a formula that can be evaluated.

    Raises:
        ValueError: When it cannot be read, which is a mistake in this module.
    """
    read = formula(result, right)
    if read is None:
        raise ValueError(f"{right} is no formula")
    return read


def kind_of(unit: str) -> str:
    """Return the dimension of a unit of the catalogue."""
    return "dimensionless" if unit == "count" else dimension(unit)


def target_unit(text: str) -> str:
    """Return the unit of what a question wants computed, "" when it does not say.

    The clause that asks decides before the rest: "With a 2000 mAh battery, how long ..." wants a
    time.
    """
    clauses = [match.group() for match in _ASKED_PART.finditer(text)]
    for clause in (*clauses, text):
        found = [
            (match.start(), order, unit)
            for order, (unit, pattern) in enumerate(_TARGETS)
            if (match := pattern.search(clause)) is not None
        ]
        if found:
            return min(found, key=lambda item: item[1])[2]
    return ""
