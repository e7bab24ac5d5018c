"""Cuts a text into the terms of the lexical index: the same for segments and questions.

Datasheets decide the rules: a quantity must be found however it is spaced ("500mA", "500 mA",
"16-bit"), a part number whole and without its package suffix ("DRV8833C"), a micro sign however it
was typed ("µV", "uV"), and a pin with its sign ("IN+").
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from desktop_qa.core.folding import LIKE_SIGNS

_STEMMER = Stemmer.Stemmer("english")

_FUNCTION_WORDS = """
    a about after again all also am an and any are as at be because been before being between
    both but by can could did do does doing during each for from further had has have having he her
    here hers him his how i if in into is it its itself just me more most my of on once only or
    other our ours own please same shall she should so some such than that the their theirs them
    then there these they this those to too very was we were what when where whether which while
    who whom whose why will with would you your yours
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

# Parts that change the sense of the word they are joined to: "pull-up", "non-inverting".
_JOINING = "on off up down in out over under through non pre re de co anti sub multi self auto"
_PARTICLES = frozenset(_JOINING.split())

_UNITS = (
    r"(?:[fpnumk]?(?:v|a|w|s|f|h|j)|[kmg]?hz|[km]?ohms?|[mucnk]?m|[mk]?g|[kmgt]?(?:b|bits?|bytes?)"
    r"|db[mcvi]?|pp[mb]|lsbs?|[kmg]?bps|[kmg]?sps|rpm|[hkm]?pa|m?bar|psi|mils?|min|[cfk]|vpp|vrms"
    r"|vdc|vac|lx|x|%)"
)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)*|\.\d+"
_TOKEN = re.compile(
    rf"""(?P<sign>(?<![\w)\].-])-(?=\.?\d))?
    (?:(?P<number>(?<![\w.]){_NUMBER})
       (?:[ -]?(?P<unit>{_UNITS})(?!\w|-[a-z]) | (?!\w|\.\d))
      |(?P<word>[^\W_]+(?:[_-][^\W_]+)*)(?P<bracket>\([a-z]{{1,4}}\))?(?P<polarity>[+-](?!\w))?)
    """,
    re.VERBOSE,
)
_PLURAL_UNIT = re.compile(r"(?<=ohm|bit|lsb|mil)s$|(?<=byte)s$")
_LABEL = re.compile(r"\d{1,3}-\d{1,3}(?![\w.-])")
_QUANTITY = re.compile(r"(\d+)([a-z]{2,5})")
_PART_NUMBER = re.compile(r"([a-z]{2,}\d{3,})[a-z]{1,4}\d?")

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_INVISIBLE = dict.fromkeys(map(ord, "™®©\u00ad\u200b\u200c\u200d\ufeff"), "")
_CHARACTERS = _DASHES | _INVISIBLE | LIKE_SIGNS
_MICRO = re.compile(r"μ(?=[a-z])")
_DEGREE = re.compile(r"° ?(?=[cf]\b)")
_POSSESSIVE = re.compile(r"['’]s\b")


def fold(text: str) -> str:
    """Return the text in lower case with one dash, one micro sign and one ohm for all of theirs."""
    text = unicodedata.normalize("NFKC", text.translate(_CHARACTERS)).translate(_DASHES)
    # Before the case is folded: a capital omega is the unit, a small one the angular frequency.
    text = text.replace("Ω", "ohm").casefold()
    text = _MICRO.sub("u", text)
    text = _DEGREE.sub("", text)
    return _POSSESSIVE.sub("", text).replace("i/o", "io")


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    if len(word) > 3 and word.isascii() and word.isalpha():
        return str(_STEMMER.stemWord(word))
    return word


def terms_of(text: str) -> list[str]:
    """Return the terms of a segment or a question in order, repeated as often as they occur."""
    folded = fold(text)
    terms: list[str] = []
    for match in _TOKEN.finditer(folded):
        if match["number"]:
            terms.extend(_number_terms(match, folded))
        else:
            terms.extend(_word_terms(match["word"]))
            if match["bracket"]:
                terms.extend(_bracket_terms(match["word"], match["bracket"][1:-1]))
            elif match["polarity"] and len(match["word"]) <= 4:
                terms.append(match["word"] + match["polarity"])
    return terms


def count_terms(text: str) -> tuple[tuple[str, int], ...]:
    """Return each term of a text with its count, sorted by term."""
    return tuple(sorted(Counter(terms_of(text)).items()))


def _number_terms(match: re.Match[str], folded: str) -> Iterator[str]:
    number = match["number"].replace(",", "")
    number = (match["sign"] or "") + (f"0{number}" if number.startswith(".") else number)
    yield number
    unit = match["unit"]
    if unit:
        unit = _PLURAL_UNIT.sub("", unit)
        if unit not in STOP_WORDS and unit != "%":
            yield _stem(unit)
        yield number + unit
    elif label := _LABEL.match(folded, match.start("number")):
        yield label.group()


def _word_terms(word: str) -> Iterator[str]:
    if "-" not in word and "_" not in word:
        if word not in STOP_WORDS:
            yield from _part_terms(word)
        return
    parts = re.split("[-_]", word)
    joined = "".join(parts)
    # Joined too: "RS-485" and "RS485", "V_IN" and "VIN", "pull-up" and "pullup" are the same.
    if "_" in word or any(c.isdigit() for c in joined) or not _PARTICLES.isdisjoint(parts):
        yield _stem(joined)
    for part in parts:
        if part not in STOP_WORDS:
            yield from _part_terms(part)


def _part_terms(word: str) -> Iterator[str]:
    yield _stem(word)
    if word.isalpha() or word.isdigit():
        return
    if quantity := _QUANTITY.fullmatch(word):
        yield quantity[1]
        yield _stem(quantity[2])
    elif part_number := _PART_NUMBER.fullmatch(word):
        yield part_number[1]


def _bracket_terms(word: str, inner: str) -> Iterator[str]:
    """RDS(on) is written RDSON elsewhere, and "input(s)" are inputs."""
    if inner not in STOP_WORDS and inner != "s":
        yield _stem(inner)
    yield _stem(re.sub("[-_]", "", word) + inner)
