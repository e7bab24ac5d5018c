"""Acronyms and symbols that sentences explain in brackets.

The method is that of A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text", Pacific Symposium on Biocomputing 8 (2003) 451-462.
Two things are added for datasheets: a short form must look like one (a capital after the first
letter, or a digit), since datasheets put units and remarks in brackets; and a symbol may name its
quantity first, so that the V of VOS stands for the last word of "input offset voltage".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_qa.augment.names import MAX_NAME_WORDS, is_symbol

_BRACKET = re.compile(r"\(([^()]{2,60})\)")
_CLAUSE_END = re.compile(r"[;,]")
_UNIT_LIST = """
    mA uA nA pA kA mV uV nV kV mW kW uW MHz kHz GHz Hz ms us ns ps pF nF uF mF mH uH nH kOhm MOhm
    dB dBm dBc ppm SPS kSPS MSPS bps kbps Mbps Pa hPa kPa mbar Vpp Vrms VDC VAC RMS rms
    MB KB kB GB Mb Kb Kbit Mbit mAh Ah Nm mm cm um nm µA µV µW µs µF µH mg dps lx lux rpm ksps Msps
"""
_UNITS = frozenset(_UNIT_LIST.split())
_STOP = re.compile(
    r"(?:a|an|and|as|at|by|can|for|from|if|in|is|it|of|on|or|see|the|this|to)\b", re.I
)
_MAX_SHORT_LENGTH = 10

QUANTITIES = {
    "v": ("voltage", "velocity"),
    "i": ("current",),
    "r": ("resistance", "resistor"),
    "c": ("capacitance", "capacitor"),
    "l": ("inductance", "inductor"),
    "f": ("frequency", "bandwidth"),
    "ƒ": ("frequency",),
    "t": ("time", "temperature", "delay", "period"),
    "p": ("power", "pressure", "dissipation"),
    "q": ("charge",),
    "b": ("field", "density"),
    "z": ("impedance",),
}
"""What the first letter of a symbol stands for (ISO 80000)."""


def find_acronyms(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the short and the long form of each pair that a sentence explains.

    Args:
        sentence: One sentence; long forms are not looked for beyond it.
    """
    for bracket in _BRACKET.finditer(sentence):
        inner = bracket.group(1).strip()
        before = sentence[: bracket.start()].rstrip()
        head = _CLAUSE_END.split(inner)[0].strip()
        if len(head.split()) <= 2 and len(head) <= _MAX_SHORT_LENGTH and head == inner:
            if is_short_form(head):
                long_form = _long_form_before(head, before)
                if long_form:
                    yield head, long_form
            continue
        # "LDO (low-dropout regulator)": the bracket holds the long form.
        word = before.split()[-1] if before else ""
        if is_short_form(word):
            words = head.split()[: _max_words(word)]
            long_form = best_long_form(word, " ".join(words))
            if long_form and long_form == head:
                yield word, long_form


def is_short_form(text: str) -> bool:
    """Tell whether a text can be an acronym or a symbol: "LDO", "I²C", "VOS"; not "typical"."""
    words = text.split()
    return (
        1 <= len(words) <= 2
        and sum(c.isalnum() for c in text) >= 2
        and 2 <= len(text) <= _MAX_SHORT_LENGTH
        and text[0].isalnum()
        and not text[0].isdigit()
        and text not in _UNITS
        and all(is_symbol(word) for word in words)
    )


def _max_words(short: str) -> int:
    """Return min(|A| + 5, 2 |A|), the length of the long form in words."""
    n_characters = sum(c.isalnum() for c in short)
    return min(n_characters + 5, 2 * n_characters)


def _long_form_before(short: str, before: str) -> str:
    words = re.split(r"[,;:()\[\]]\s*", before)[-1].split()
    words = words[-_max_words(short) :]
    return best_long_form(short, " ".join(words)) or quantity_name(short, words)


def best_long_form(short: str, text: str) -> str:
    """Return the shortest end of a text that a short form abbreviates, "" when there is none.

    Each letter of the short form, from the last to the first, is matched with the next letter to
    the left; the first one must begin a word (Schwartz and Hearst, findBestLongForm).
    """
    start = _start_of_letters(short, text)
    long_form = text[start:] if start >= 0 else ""
    return long_form if _is_long_form(short, long_form) else ""


def _start_of_letters(letters: str, text: str) -> int:
    """Return where the last words begin that hold the letters in order, -1 when none do."""
    letters = "".join(c for c in letters.casefold() if c.isalpha() or c in "0123456789")
    text = text.casefold()
    position = len(text) - 1
    for index in range(len(letters) - 1, -1, -1):
        while position >= 0 and (
            text[position] != letters[index]
            or (index == 0 and position > 0 and text[position - 1].isalnum())
        ):
            position -= 1
        if position < 0:
            return -1
        position -= 1
    return text.rfind(" ", 0, position + 1) + 1


def _is_long_form(short: str, long_form: str) -> bool:
    words = long_form.split()
    return (
        len(long_form) > len(short)
        and not _STOP.match(long_form)
        and short not in words
        and len(words) <= min(_max_words(short), MAX_NAME_WORDS + 1)
        and not any(is_symbol(word) for word in words)
        and (len(words) > 1 or len(long_form) >= 2 * len(short))
    )


def contradicts_quantity(symbol: str, name: str) -> bool:
    """Tell whether a name ends with another quantity than its symbol starts with.

    A row that pairs the pin VIN with "Sink current" gives a condition, not a name.
    """
    own = QUANTITIES.get(symbol[0].casefold())
    head = name.split()[-1].casefold()
    if own is None or any(head.startswith(noun) for noun in own):
        return False
    return any(head.startswith(noun) for nouns in QUANTITIES.values() for noun in nouns)


def explains(symbol: str, name: str) -> bool:
    """Tell whether a name holds the letters of its symbol, or the quantity it starts with."""
    own = QUANTITIES.get(symbol[0].casefold(), ())
    words = name.casefold().split()
    return bool(best_long_form(symbol, name)) or any(
        word.startswith(noun) for word in words for noun in own
    )


def quantity_name(symbol: str, words: list[str]) -> str:
    """Return the name of a symbol that starts with its quantity: VOS, "input offset voltage".

    Args:
        symbol: As in the bracket.
        words: Before the bracket; the last one must be the quantity.

    Returns:
        The shortest end of the words that explains the whole symbol, "" when there is none.
    """
    if len(words) < 2:
        return ""
    nouns = QUANTITIES.get(symbol[0].casefold(), ())
    quantity = words[-1].casefold()
    if not any(quantity.startswith(noun) for noun in nouns):
        return ""
    modifiers = " ".join(words[:-1])
    start = _start_of_letters(symbol[1:], modifiers)
    return f"{modifiers[start:]} {words[-1]}" if start >= 0 else ""
