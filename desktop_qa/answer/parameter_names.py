"""What a row of characteristics is called, so that rows of several makers can be told to be one.

A name is a set of stemmed words. Some words tell rows apart that are else alike ("high side",
"low side"); the vocabulary of parameters brings together what makers call differently.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop_qa.core.note_marks import NOTE_MARK
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset

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

_OPPOSITES = (
    ("highside", "lowside"),
    ("high", "low"),
    ("lowpower", "normal"),
    ("rise", "fall"),
    ("rising", "falling"),
    ("input", "output"),
    ("source", "sink"),
    ("positive", "negative"),
    ("dominant", "recessive"),
    ("minimum", "maximum"),
    ("gyroscope", "accelerometer"),
    ("accelerometer", "magnetometer"),
    ("gyroscope", "magnetometer"),
    ("magnetic", "acceleration"),
    ("ambient", "junction"),
    ("junction", "storage"),
    ("ambient", "storage"),
    ("case", "ambient"),
    ("case", "board"),
    ("board", "ambient"),
    ("top", "bottom"),
    ("top", "bot"),
    ("charge", "discharge"),
    ("set", "hold"),
    ("setup", "hold"),
    ("pressure", "temperature"),
    ("pressure", "humidity"),
    ("temperature", "humidity"),
    ("integral", "differential"),
    ("standby", "sleep"),
    ("transmit", "receive"),
    ("start", "stop"),
    ("voltage", "current"),
    ("line", "load"),
    ("common", "differential"),
)
_WEAK = frozenset(terms_of("range value level total device mode per each typical nominal rated"))
"""Words of names that tell little."""


@dataclass(frozen=True, slots=True)
class KnownParameter:
    """An entry of the vocabulary.

    Attributes:
        rank: Its place in the order of a comparison.
        said: Of each name, its words; of each word, the stems that stand for it.
        units: Base units that it may have; any when empty.
        without: Stems that make it another parameter.
    """

    rank: int
    name: str
    said: tuple[tuple[frozenset[str], ...], ...]
    symbols: frozenset[str]
    units: frozenset[str]
    without: frozenset[str]


@dataclass(frozen=True, slots=True)
class NameKey:
    """A name as it is compared.

    Attributes:
        known: The entry of the vocabulary that it is; `None` for none.
        words: Its stems, without those that tell little.
        told_apart: Words of pairs of opposites that stand in it.
        symbol: Without indices' marks, in upper case.
    """

    known: KnownParameter | None
    words: frozenset[str]
    told_apart: frozenset[str]
    symbol: str


@cache
def known_parameters() -> tuple[KnownParameter, ...]:
    """Return the vocabulary of parameters in its order."""
    text = asset("resources/vocabulary/parameters.toml").read_text(encoding="utf-8")
    return tuple(
        KnownParameter(
            rank=rank,
            name=entry["name"],
            said=tuple(_alternatives(said) for said in entry["said"]),
            symbols=frozenset(symbol_key(symbol) for symbol in entry.get("symbols", ())),
            units=frozenset(entry.get("units", ())),
            without=frozenset(stems(word)[0] for word in entry.get("without", ()) if stems(word)),
        )
        for rank, entry in enumerate(tomllib.loads(text)["parameter"])
    )


def _alternatives(said: str) -> tuple[frozenset[str], ...]:
    wanted: list[frozenset[str]] = []
    for word in said.split():
        options = word.split("|")
        if len(options) > 1:
            wanted.append(frozenset(stem for option in options for stem in stems(option)[:1]))
        else:
            wanted += [frozenset((stem,)) for stem in stems(word)]
    return tuple(dict.fromkeys(wanted))


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
def name_key(name: str, symbol: str, context: str, unit: str) -> NameKey:
    """Read a name.

    Args:
        name: Of the row, in words.
        symbol: Of the row; empty for none.
        context: Heading of its rows and words of its condition that name a mode; looked at where
            the name alone says too little.
        unit: Base unit of its value.
    """
    own, around = frozenset(stems(name)), frozenset(stems(context))
    symbol = symbol_key(symbol)
    named = own | {symbol.lower()} if symbol else own
    known = _known(named | around, symbol, unit, must=named) if around else None
    known = known or _known(named, symbol, unit)
    words = own - _WEAK
    if len(words) < 2:
        # "Voltage" under "Internal reference" and under "Reference input" are two.
        words |= around - _WEAK
    if symbol and not own:
        words |= {symbol.lower()}
    return NameKey(known, words, _apart(own | around), symbol)


def _known(
    words: frozenset[str], symbol: str, unit: str, must: frozenset[str] = frozenset()
) -> KnownParameter | None:
    best: tuple[float, KnownParameter] | None = None
    for entry in known_parameters():
        if entry.units and unit not in entry.units:
            continue
        if not entry.without.isdisjoint(words):
            continue
        n_words = max(
            (
                len(said)
                for said in entry.said
                if all(not words.isdisjoint(options) for options in said)
                and (not must or any(not must.isdisjoint(options) for options in said))
            ),
            default=0,
        )
        score = float(n_words) + (0.5 if symbol in entry.symbols else 0.0)
        if n_words == 0 and (symbol not in entry.symbols or len(words - _WEAK) > 3):
            continue
        if best is None or score > best[0]:
            best = (score, entry)
    return best[1] if best else None


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    return tuple((stems(one)[0], stems(other)[0]) for one, other in _OPPOSITES)


def _apart(words: frozenset[str]) -> frozenset[str]:
    return words & {word for pair in _pairs() for word in pair}


def contradict(one: NameKey, other: NameKey) -> bool:
    """Tell whether two names say the opposite of each other: "rise time" and "fall time"."""
    for first, second in _pairs():
        for a, b in ((one, other), (other, one)):
            has_one = first in a.told_apart and second not in a.told_apart
            has_other = second in b.told_apart and first not in b.told_apart
            if has_one and has_other:
                return True
    return False


def likeness(one: NameKey, other: NameKey) -> float:
    """Score whether two names mean the same parameter, 0 to 1.

    Units and kinds of section are the caller's to check.
    """
    if contradict(one, other):
        return 0.0
    same_symbol = len(one.symbol) > 1 and one.symbol == other.symbol
    shared, total = len(one.words & other.words), len(one.words) + len(other.words)
    dice = 2.0 * shared / total if total else 0.0
    bonus = 0.08 if same_symbol else 0.0
    if one.known is not None and one.known is other.known:
        return min(0.7 + 0.25 * dice + bonus, 1.0)
    if one.known is not None and other.known is not None:
        return 0.0 if dice < 1.0 else 0.9
    for a, b in ((one, other), (other, one)):
        if a.known is not None and b.known is None and not a.known.without.isdisjoint(b.words):
            return 0.0
    if dice >= 0.99:
        return 1.0
    if same_symbol and dice >= 0.3:
        return 0.6 + 0.3 * dice
    return 0.95 * dice if dice >= 0.72 else 0.0


def asked_parameters(phrase: str, base_unit: str = "") -> tuple[KnownParameter, ...]:
    """Return the entries of the vocabulary that a person may mean, the surest first.

    Args:
        phrase: As typed: "quiescent current", "resolution".
        base_unit: Of a value in the question; empty for none.
    """
    words = frozenset(stems(phrase))
    found = []
    for entry in known_parameters():
        if base_unit and entry.units and base_unit not in entry.units:
            continue
        if not entry.without.isdisjoint(words):
            continue
        fitting = [
            len(said)
            for said in entry.said
            if all(not words.isdisjoint(options) for options in said)
        ]
        if fitting or symbol_key(phrase) in entry.symbols:
            found.append((max(fitting, default=1), entry))
    most = max((n for n, _entry in found), default=0)
    return tuple(entry for n, entry in found if n == most)


def known_by_unit(base_unit: str) -> tuple[KnownParameter, ...]:
    """Return what a value alone may be of: "16 bit" is a resolution before it is a memory."""
    fitting = [entry for entry in known_parameters() if base_unit in entry.units]
    return tuple(fitting[:1])
