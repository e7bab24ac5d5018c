"""Numbers in words before a unit, in figures: "one and a half volts", "a quarter watt"."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENFOLD = "ten twenty thirty forty fifty sixty seventy eighty ninety"
SMALL_NUMBERS = {word: value for value, word in enumerate(_SMALL.split())}
"""Value of each word from zero to nineteen."""

_TENS = {word: 10 * value for value, word in enumerate(_TENFOLD.split(), start=1)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_PARTS = {
    "half": "0.5", "quarter": "0.25", "quarters": "0.25", "third": "0.333333", "tenth": "0.1",
    "tenths": "0.1", "eighth": "0.125",
}  # fmt: skip

_WORD = (
    "(?:"
    + "|".join((*SMALL_NUMBERS, *_TENS, *_SCALES, *_PARTS))
    + r"|an?|and|point|minus|of|\d+(?:\.\d+)?)"
)
_UNIT = (
    r"(?:(?:femto|pico|nano|micro|milli|kilo|mega|giga)?(?:volt|amp|ampere|watt|hertz|farad|henry"
    r"|henries|ohm|second|joule|tesla|pascal|met(?:re|er)|gram)s?|degrees?|percent|decibels?|bits?"
    r"|bytes?|minutes?|hours?|days?|years?|inch(?:es)?|mils?|lux|gauss|lsbs?"
    r"|kilohms?|megohms?|cycles|(?-i:[munpkMG]?(?:A|V|W|Hz|F|Ω)|[munp]s|dB|[munk]?(?:ohms?)))"
)
_GAP = r"[\s-]{1,3}"
_PHRASE = re.compile(
    # The bound keeps a text of number words only from being read again and again.
    rf"\b({_WORD}(?:{_GAP}{_WORD}){{0,7}}){_GAP}(?={_UNIT}\b)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:" + "|".join((*SMALL_NUMBERS, *_TENS, *_SCALES, *_PARTS)) + ")|"
    r"\ban? [a-z]{0,5}(?:volt|amp|watt|ohm|hertz)",
    re.IGNORECASE,
)


def numbers_in_figures(text: str) -> str:
    """Replace the numbers in words that stand before a unit; everything else stays.

    An article alone ("a volt") is one, where a whole unit word follows.
    """
    if not _TELLING.search(text):
        return text
    return _PHRASE.sub(_in_figures, text)


def _in_figures(match: re.Match[str]) -> str:
    words = re.split(r"[\s-]+", match[1].casefold())
    # Words before the number: "of a watt" in "three quarters of a watt", "and" of the sentence.
    start = 0
    while start < len(words) and words[start] in ("and", "of"):
        start += 1
    if _counts_amounts(words[start:]):
        return match.group()
    amount = _amount(words[start:])
    if amount is None:
        return match.group()
    before = " ".join(words[:start])
    return f"{before} {amount} ".lstrip()


def _counts_amounts(words: list[str]) -> bool:
    """Tell "two 5 V rails", which are not 7 V, from "3 million" and "2 and a half"."""
    pairs = pairwise(words)
    return any(
        (one in SMALL_NUMBERS or one in _TENS) and other[:1].isdigit() for one, other in pairs
    )


def _amount(words: list[str]) -> Decimal | None:
    """Return the number that some words spell, `None` when they spell none."""
    if not words or all(word[0].isdigit() for word in words):
        return None
    sign = -1 if words[0] == "minus" else 1
    words = [word for word in words if word not in ("minus", "of")]
    if "point" in words:
        return _with_point(words, sign)
    total, current, said = Decimal(0), Decimal(0), False
    for i, word in enumerate(words):
        if word in SMALL_NUMBERS or word in _TENS:
            current += SMALL_NUMBERS.get(word, _TENS.get(word, 0))
        elif word[0].isdigit():
            current += Decimal(word)
        elif word in _SCALES:
            total, current = total + max(current, Decimal(1)) * _SCALES[word], Decimal(0)
        elif word in _PARTS:
            current = _with_part(current, word, words[:i])
        elif word == "a" or word == "an":
            if i == 0 and len(words) == 1:
                current = Decimal(1)
            continue
        else:
            continue
        said = True
    if not said and words not in (["a"], ["an"]):
        return None
    return sign * (total + current)


def _with_part(current: Decimal, part: str, before: list[str]) -> Decimal:
    """Add a half to "one and a", multiply "three" by quarters."""
    share = Decimal(_PARTS[part])
    if current and "and" not in before:
        return current * share
    return current + share


def _with_point(words: list[str], sign: int) -> Decimal | None:
    at = words.index("point")
    whole, part = words[:at], words[at + 1 :]
    spelled = [w if w.isdigit() else str(SMALL_NUMBERS.get(w, "")) for w in part]
    before = _amount(whole) if any(w in SMALL_NUMBERS or w in _TENS for w in whole) else None
    if not all(spelled) or not spelled or (before is None and not (whole and whole[0].isdigit())):
        return None
    figures = before if before is not None else Decimal(whole[0])
    return sign * Decimal(f"{figures}.{''.join(spelled)}")
