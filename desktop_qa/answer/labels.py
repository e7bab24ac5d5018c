"""What rows are called, so that rows of several documents can be told to mean the same.

A name is a set of stemmed words. Some words tell rows apart that are else alike ("high side",
"low side").
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from desktop_qa.core.note_marks import NOTE_MARK
from desktop_qa.index.terms import terms_of

_ABBREVIATIONS = (
    (re.compile(r"\bHS\b"), "highside"),
    (re.compile(r"\bLS\b"), "lowside"),
    (re.compile(r"\bpower[\s-]?down\b", re.I), "power-down"),
    (re.compile(r"\bshut[\s-]down\b", re.I), "shutdown"),
    (re.compile(r"\bstand[\s-]by\b", re.I), "standby"),
    (re.compile(r"\bwake[\s-]?up\b", re.I), "wake-up"),
    (re.compile(r"\bstart[\s-]?up\b", re.I), "start-up"),
    (re.compile(r"\bturn[\s-]on\b", re.I), "turn-on"),
    (re.compile(r"\blow[\s-]power\b", re.I), "lowpower"),
    (re.compile(r"\blow[\s-]level\b", re.I), "low lowlevel"),
    (re.compile(r"\bhigh[\s-]level\b", re.I), "high highlevel"),
    (re.compile(r"\bhigh[\s-]side\b", re.I), "highside"),
    (re.compile(r"\blow[\s-]side\b", re.I), "lowside"),
    (re.compile(r"\bon[\s-]?resistance\b", re.I), "on-resistance resistance"),
    (re.compile(r"\bI\s?[2²]\s?C\b|\bI2C\b", re.I), "I2C"),
    (re.compile(r"\bnon[\s-]?linearity\b", re.I), "nonlinearity"),
    (re.compile(r"\bover[\s-]?current\b|\bOCP\b", re.I), "overcurrent"),
    (re.compile(r"\bunder[\s-]?voltage\b", re.I), "undervoltage"),
    (re.compile(r"\bopamps?\b|\bop[\s-]amps?\b", re.I), "amplifier"),
)
_SYMBOL_CHARACTERS = re.compile(r"[^A-Za-z0-9θΔ∆+/]+")

_OPPOSITES = """
highside/lowside high/low lowpower/normal rise/fall rising/falling input/output source/sink
positive/negative dominant/recessive minimum/maximum gyroscope/accelerometer
accelerometer/magnetometer gyroscope/magnetometer magnetic/acceleration ambient/junction
junction/storage ambient/storage case/ambient case/board board/ambient top/bottom top/bot
charge/discharge set/hold setup/hold pressure/temperature pressure/humidity temperature/humidity
integral/differential standby/sleep transmit/receive start/stop voltage/current line/load
common/differential
"""
_WEAK = frozenset(terms_of("range value level total device mode per each typical nominal rated"))
"""Words of names that tell little."""


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """Return the stemmed words of a name, abbreviations of the trade written out."""
    text = NOTE_MARK.sub(" ", text)
    for pattern, written in _ABBREVIATIONS:
        text = pattern.sub(written, text)
    return tuple(dict.fromkeys(terms_of(text)))


def symbol_key(symbol: str) -> str:
    """Return a symbol so that "V_DD", "VDD" and "Vdd(1)" are one."""
    symbol = NOTE_MARK.sub("", symbol).replace("∆", "Δ").replace("Δ", "D")
    return _SYMBOL_CHARACTERS.sub("", symbol).upper()


@lru_cache(maxsize=16384)
def telling_words(name: str, around: str = "") -> frozenset[str]:
    """Return the stems of a name without those that tell little.

    Args:
        name: Of a row.
        around: Title of its rows, looked at where the name alone says too little: "Voltage" under
            "Internal reference" and under "Reference input" are two.
    """
    own = frozenset(stems(name)) - _WEAK
    return own if len(own) > 1 else own | (frozenset(stems(around)) - _WEAK)


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    pairs = (pair.split("/") for pair in _OPPOSITES.split())
    return tuple((stems(one)[0], stems(other)[0]) for one, other in pairs)


@lru_cache(maxsize=65536)
def contradict(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two names say the opposite of each other: "rise time" and "fall time"."""
    return any(
        first in a and second not in a and second in b and first not in b
        for first, second in _pairs()
        for a, b in ((one, other), (other, one))
    )


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two names have in common (Dice), 0 to 1."""
    n_words = len(one) + len(other)
    return 2.0 * len(one & other) / n_words if n_words else 0.0
