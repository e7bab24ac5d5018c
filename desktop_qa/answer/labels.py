"""What rows are called, so that rows of several documents can be told to mean the same.

A name is a set of stemmed words. Some words tell rows apart that are else alike ("high side",
"low side").
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import combinations

from desktop_qa.core.note_marks import NOTE_MARK
from desktop_qa.index.terms import terms_of

_COMPOUNDS = """
power_down shut_down stand_by wake_up start_up turn_on low_power low_level high_level high_side
low_side over_current under_voltage non_linearity
"""
_COMPOUND = re.compile(rf"\b(?:{'|'.join(_COMPOUNDS.split())})\b".replace("_", r"[\s-]"), re.I)
_SIDE = re.compile(r"\b[HL]S\b")
_SYMBOL_CHARACTERS = re.compile(r"[^A-Za-z0-9θΔ∆+/]+")

_OPPOSITES = """
highside/lowside highlevel/lowlevel high/low lowpower/normal rise/fall rising/falling input/output
source/sink positive/negative dominant/recessive minimum/maximum set/hold setup/hold top/bottom
gyroscope/accelerometer/magnetometer magnetic/acceleration ambient/junction/storage/case/board
pressure/temperature/humidity charge/discharge standby/sleep transmit/receive start/stop
voltage/current line/load integral/differential common/differential
"""
_WEAK = frozenset(terms_of("range value level total device mode per each typical nominal rated"))
"""Words of names that tell little."""


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """Return the stemmed words of a name, each compound as one word however it is written."""
    text = NOTE_MARK.sub(" ", text)
    text = _SIDE.sub(lambda match: "highside" if match[0] == "HS" else "lowside", text)
    text = _COMPOUND.sub(lambda match: re.sub(r"[\s-]", "", match[0]), text)
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
    groups = (map(stems, group.split("/")) for group in _OPPOSITES.split())
    return tuple((one[0], other[0]) for own in groups for one, other in combinations(own, 2))


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
