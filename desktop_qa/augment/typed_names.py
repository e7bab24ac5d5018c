"""Pins, registers, bits and commands that a question names in small letters or with gaps.

Documents print nSLEEP, STATUS1 and VBAT_REG; people type "pin nsleep", "the status1 register" and
"vbat reg". What the library prints as a name is looked up in its keyword vocabulary; an ordinary
word that happens to be printed in capitals somewhere ("LOAD", "READY") is not taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from desktop_qa.augment.code_words import PLAIN_WORDS, WORDS_BEFORE_NUMBERS
from desktop_qa.augment.codes import normalize_code
from desktop_qa.augment.quantities import is_unit

_WORD = re.compile(r"[^\W_]+(?:[_\-/][^\W_]+)*\+?|\+", re.UNICODE)
_ROLE_WORDS = """
    pin pins register registers reg bit bits field fields flag flags command commands signal
    signals terminal terminals opcode mnemonic interrupt
"""
_ROLES = frozenset(_ROLE_WORDS.split())

_OTHER_WORDS = """
    the this that these those which what its their his her our your each every any all some no
    one two three four enable disable set clear read write reset control status data address
    configuration config input output power supply ground clock first last same other another
    next only and or of in on at for to from by with is are was be do does has have how why when
    where value values mode unused open shutdown fault interrupt alert ready start stop sticky
    left right top bottom number description function level high low name names table
"""
_NO_NAMES = frozenset(_OTHER_WORDS.split())
"""Words beside "pin" and "register" that say something of it and do not name it."""

_SIGNAL_WORDS = "adc ch dac en gnd led mode pwm scl sda vcc vdd vin vout vref vss"
_SIGNALS = frozenset(_SIGNAL_WORDS.split())
_NO_NAMES_BESIDE_ROLES = _NO_NAMES | (WORDS_BEFORE_NUMBERS - _SIGNALS)

_MIN_PLAIN_LENGTH = 4
_MAX_WORDS = 400
"""Words of a question that are looked up; a pasted page is no list of names."""

_MAX_GAP = 1


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def folded(self) -> str:
        return self.text.casefold()


def names_in_question(
    question: str, vocabulary: Container[str], is_name: Callable[[str], bool]
) -> tuple[str, ...]:
    """Find the names that a library prints, however a person types them.

    Args:
        question: As typed.
        vocabulary: Keywords of the library in normal form.
        is_name: Tells of a word in normal form whether the library's text mostly prints it as a
            name; asked only of words of letters that nothing else marks as names.

    Returns:
        Normal forms, in order, each once.
    """
    words = [_Word(m.group(), m.start(), m.end()) for m in _WORD.finditer(question)][:_MAX_WORDS]
    found: dict[str, None] = {}
    skip = -1
    for i, word in enumerate(words):
        if i == skip:
            continue
        joined = _joined(words, i)
        if joined and joined in vocabulary:
            found[joined] = None
            skip = i + 1
            continue
        normal = normalize_code(word.text)
        if normal in vocabulary and _is_name(words, i, normal, is_name):
            found[normal] = None
    return tuple(found)


def _joined(words: list[_Word], i: int) -> str:
    """Return a word with the next, where together they may be one name: "v in", "rs 485", "in +".

    Not two ordinary words: "set up", "on time" and "at 25" are none.
    """
    if i + 1 == len(words) or words[i + 1].start - words[i].end > _MAX_GAP:
        return ""
    first, second = words[i].folded, words[i + 1].folded
    if second == "+":
        return normalize_code(first) + "+"
    if not re.fullmatch(r"[a-z]{1,8}", first) or first in ("a", "i"):
        return ""
    is_number = re.fullmatch(r"\d{1,4}[a-z]?", second) is not None
    if is_number:
        return (
            "" if first in WORDS_BEFORE_NUMBERS and first not in ("rs", "rev") else first + second
        )
    is_split_symbol = len(first) == 1 and 1 < len(second) <= 4
    return first + second if is_split_symbol and second.isalpha() else ""


def _is_name(words: list[_Word], i: int, normal: str, is_name: Callable[[str], bool]) -> bool:
    text = words[i].text
    if normal.upper() in PLAIN_WORDS or normal in _ROLES or len(normal) < 2 or normal.isdigit():
        return False
    if is_unit(text):
        return False
    if "_" in text or "/" in text or normal.endswith("+"):
        return True
    if any(c.isdigit() for c in normal):
        return any(c.isalpha() for c in normal) and normal not in WORDS_BEFORE_NUMBERS
    if any(c.isupper() for c in text[1:]):
        return True
    if normal in _NO_NAMES_BESIDE_ROLES:
        return False
    if any(word.folded in _ROLES for word in _neighbours(words, i)):
        return True
    is_ordinary = len(normal) < _MIN_PLAIN_LENGTH or normal in WORDS_BEFORE_NUMBERS
    return not is_ordinary and is_name(normal)


def _neighbours(words: list[_Word], i: int) -> Iterator[_Word]:
    if i > 0:
        yield words[i - 1]
    if i + 1 < len(words):
        yield words[i + 1]
