"""The units that datasheets and people write, each with its factor to a base unit.

Symbols are looked up as written, then in lower case: "mA" and "ma" are one, and "mhz" is a
megahertz, for nobody asks for millihertz. Ohms keep their case: mΩ and MΩ are both printed.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache

_PREFIXES = {
    "f": "1e-15", "p": "1e-12", "n": "1e-9", "u": "1e-6", "m": "1e-3", "": "1",
    "k": "1e3", "K": "1e3", "M": "1e6", "G": "1e9", "T": "1e12",
}  # fmt: skip
_PREFIX_WORDS = {
    "femto": "f", "pico": "p", "nano": "n", "micro": "u", "milli": "m", "": "",
    "kilo": "k", "mega": "M", "giga": "G",
}  # fmt: skip

_SYMBOLS = {
    "V": "v", "Vpp": "vpp", "VPP": "vpp", "Vp-p": "vpp", "VP-P": "vpp", "A": "a", "W": "w",
    "Hz": "hz", "HZ": "hz", "F": "f", "H": "h",
    "Ω": "ohm", "ohm": "ohm", "ohms": "ohm", "Ohm": "ohm", "Ohms": "ohm", "s": "s", "sec": "s",
    "J": "j", "T": "t", "Pa": "pa", "bar": "bar", "m": "m", "g": "g", "Ah": "ah", "Wh": "wh",
    "bps": "bps", "b/s": "bps", "bit/s": "bps", "bits/s": "bps", "Bd": "bps", "baud": "bps",
    "sps": "sps", "SPS": "sps", "S/s": "sps", "dps": "dps", "eV": "ev", "cd": "cd", "lm": "lm",
}  # fmt: skip
_FEW_PREFIXES = {
    "A": "fpnumk", "W": "pnumkM", "F": "pnum", "H": "num", "m": "num", "g": "umk", "s": "pnum",
    "bps": "kKMG", "b/s": "kKMG", "bit/s": "kKMG", "bits/s": "kKMG", "Bd": "kM", "sps": "kKMG",
    "SPS": "kKMG", "S/s": "kKMG", "Hz": "mkKMGT", "HZ": "kKMG", "J": "pnumk", "eV": "mkM",
    "sec": "num", "bar": "m", "T": "num", "Pa": "hkMG", "Ah": "mu", "Wh": "mk", "dps": "m",
    "baud": "k", "cd": "m", "lm": "m",
}  # fmt: skip
"""Where not all prefixes are in use: "Gs", "kF" and "Mm" are something else."""

_WORDS = {
    "volt": "v", "amp": "a", "ampere": "a", "watt": "w", "hertz": "hz", "farad": "f",
    "henry": "h", "henrie": "h", "ohm": "ohm", "second": "s", "joule": "j", "tesla": "t",
    "pascal": "pa", "metre": "m", "meter": "m", "gram": "g",
}  # fmt: skip
# oC and qC: degree signs of fonts whose encoding a PDF does not tell.
_PLAIN: dict[str, tuple[str, str]] = {
    "°C": ("1", "degc"), "°c": ("1", "degc"), "oC": ("1", "degc"), "qC": ("1", "degc"),
    "degC": ("1", "degc"), "deg C": ("1", "degc"),
    "deg": ("1", "degc"), "degrees": ("1", "degc"), "degree": ("1", "degc"),
    "degrees C": ("1", "degc"), "degrees c": ("1", "degc"), "degree C": ("1", "degc"),
    "degrees celsius": ("1", "degc"), "degrees Celsius": ("1", "degc"), "celsius": ("1", "degc"),
    "Celsius": ("1", "degc"), "°F": ("1", "degf"), "°": ("1", "degc"),
    "degrees centigrade": ("1", "degc"), "deg c": ("1", "degc"), "mK": ("1e-3", "degc"),
    "%": ("1", "%"), "percent": ("1", "%"), "%RH": ("1", "%"), "% RH": ("1", "%"),
    "ppm": ("1", "ppm"), "ppb": ("1e-3", "ppm"),
    "dB": ("1", "db"), "db": ("1", "db"), "decibel": ("1", "db"), "decibels": ("1", "db"),
    "dBm": ("1", "dbm"), "dbm": ("1", "dbm"), "dBi": ("1", "dbi"), "dBc": ("1", "dbc"),
    "LSB": ("1", "lsb"), "LSBs": ("1", "lsb"), "lsb": ("1", "lsb"), "lsbs": ("1", "lsb"),
    "lx": ("1", "lx"), "lux": ("1", "lx"), "klx": ("1e3", "lx"), "klux": ("1e3", "lx"),
    "psi": ("6894.757", "pa"), "atm": ("101325", "pa"), "rpm": ("1", "rpm"),
    "gauss": ("1e-4", "t"), "Gauss": ("1e-4", "t"), "mgauss": ("1e-7", "t"),
    "mil": ("0.0000254", "m"), "mils": ("0.0000254", "m"), "inch": ("0.0254", "m"),
    "inches": ("0.0254", "m"), "cm": ("1e-2", "m"), "hPa": ("100", "pa"),
    "min": ("60", "s"), "minute": ("60", "s"), "minutes": ("60", "s"), "mins": ("60", "s"),
    "hour": ("3600", "s"), "hours": ("3600", "s"), "hrs": ("3600", "s"), "hr": ("3600", "s"),
    "day": ("86400", "s"), "days": ("86400", "s"), "week": ("604800", "s"),
    "weeks": ("604800", "s"), "year": ("1", "year"), "h": ("3600", "s"),
    "kilohm": ("1e3", "ohm"), "kilohms": ("1e3", "ohm"), "megohm": ("1e6", "ohm"),
    "megohms": ("1e6", "ohm"), "years": ("1", "year"),
    "yr": ("1", "year"), "yrs": ("1", "year"), "cycles": ("1", "cycle"), "mho": ("1", "s/v"),
    "AΩ": ("1", "a*ohm"), "VA": ("1", "w"),
    "bit": ("1", "bit"), "bits": ("1", "bit"), "Bit": ("1", "bit"), "Bits": ("1", "bit"),
    "byte": ("8", "bit"), "bytes": ("8", "bit"), "Byte": ("8", "bit"), "Bytes": ("8", "bit"),
    "√Hz": ("1", "√hz"), "rtHz": ("1", "√hz"), "√hz": ("1", "√hz"), "√": ("1", "√hz"),
    "samples per second": ("1", "sps"), "samples/s": ("1", "sps"), "bits per second": ("1", "bps"),
}  # fmt: skip

_KIND_OF_VALUE = re.compile(r"(?<=[VvW])\s?(?:rms|RMS|dc|DC|ac|AC)\b|(?<=A)(?:rms|RMS|dc|ac)\b")
"""Behind a unit: "mAdc" and "V rms" are counted as what they are of; an "ADC" is none."""

_FACTORS_TO_BASE = {"bar": ("100000", "pa"), "m": ("1", "m")}


def _memory_units() -> dict[str, tuple[Decimal, str]]:
    """Bits and bytes count in powers of two behind K, M and G."""
    units = {}
    for prefix, factor in (("k", 1024), ("K", 1024), ("M", 1024**2), ("G", 1024**3)):
        for name in ("bit", "bits", "Bit", "Bits", "b"):
            units[prefix + name] = (Decimal(factor), "bit")
        for name in ("B", "byte", "bytes", "Byte", "Bytes"):
            units[prefix + name] = (Decimal(8 * factor), "bit")
    return units


@cache
def _written() -> dict[str, tuple[Decimal, str]]:
    """Return every spelling with its factor and base unit."""
    units: dict[str, tuple[Decimal, str]] = {}
    for symbol, base in _SYMBOLS.items():
        factor, name = _FACTORS_TO_BASE.get(symbol, ("1", base))
        allowed = _FEW_PREFIXES.get(symbol, "fpnumkKMGT")
        for prefix, scale in _PREFIXES.items():
            if not prefix or prefix in allowed:
                units[prefix + symbol] = (Decimal(scale) * Decimal(factor), name)
    for word, base in _WORDS.items():
        for long, prefix in _PREFIX_WORDS.items():
            for plural in ("", "s"):
                units[long + word + plural] = (Decimal(_PREFIXES[prefix]), base)
    units.update(_memory_units())
    units.update({name: (Decimal(f), base) for name, (f, base) in _PLAIN.items()})
    return units


@cache
def _typed() -> dict[str, tuple[Decimal, str]]:
    """Return the spellings in lower case; where two fall together, what people mean."""
    units: dict[str, tuple[Decimal, str]] = {}
    for name, value in sorted(_written().items(), key=lambda item: item[0] != item[0].lower()):
        units.setdefault(name.lower(), value)
    for symbol, base in (("hz", "hz"), ("bps", "bps"), ("sps", "sps"), ("baud", "bps")):
        units[f"m{symbol}"] = (Decimal("1e6"), base)
    for letter in "ftjc":
        units.pop(letter, None)
    for name in ("mbit", "mbits", "mb"):
        units[name] = (Decimal(1024**2), "bit")
    return units


@lru_cache(maxsize=16384)
def unit_of(text: str, *, is_typed: bool = True) -> tuple[Decimal, str] | None:
    """Return the factor to the base unit, and that unit; `None` for what is no unit.

    Typed letters may be large or small; in print a "Min" is no minute and an "M" no metre.
    """
    text = _KIND_OF_VALUE.sub("", text.strip().replace("-ohm", "ohm"))
    found = _written().get(text) or (_typed().get(text.lower()) if is_typed else None)
    if found is not None or "/" not in text:
        return found
    above, _slash, below = text.partition("/")
    first = unit_of(above, is_typed=is_typed)
    second = unit_of(below.strip("()"), is_typed=is_typed)
    if first is None or second is None:
        return None
    return first[0] / second[0], f"{first[1]}/{second[1]}"
