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
_NUMBERS = SMALL_NUMBERS | _TENS
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_PARTS = {
    "half": "0.5", "quarter": "0.25", "quarters": "0.25", "third": "0.333333", "tenth": "0.1",
    "tenths": "0.1", "eighth": "0.125",
}  # fmt: skip

_WORD = "(?:" + "|".join((*_NUMBERS, *_SCALES, *_PARTS)) + r"|an?|and|point|minus|of|\d+(?:\.\d+)?)"
_UNIT = (
    r"(?:(?:femto|pico|nano|micro|milli|kilo|mega|giga)?(?:volt|amp|ampere|watt|hertz|farad|henry"
    r"|henries|ohm|second|joule|tesla|pascal|met(?:re|er)|gram)s?|degrees?|percent|decibels?|bits?"
    r"|bytes?|minutes?|hours?|days?|weeks?|months?|years?|inch(?:es)?|mils?|lux|gauss|lsbs?"
    r"|kilohms?|megohms?|cycles|(?-i:[munpkMG]?(?:A|V|W|Hz|F|Ω)|[munp]s|dB|[munk]?(?:ohms?)))"
)
_GAP = r"[\s-]{1,3}"
_PHRASE = re.compile(
    # The bound keeps a text of number words only from being read again and again.
    rf"\b({_WORD}(?:{_GAP}{_WORD}){{0,7}}){_GAP}(?={_UNIT}\b)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:" + "|".join((*_NUMBERS, *_SCALES, *_PARTS)) + ")|"
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
    start = next((i for i, word in enumerate(words) if word not in ("and", "of")), len(words))
    amount = _amount(words[start:])
    return match[0] if amount is None else f"{' '.join(words[:start])} {amount} ".lstrip()


def _amount(words: list[str]) -> Decimal | None:
    """Return the number that some words spell; `None` for none, and for "two 5 V rails"."""
    counts_amounts = any(one in _NUMBERS and other[0].isdigit() for one, other in pairwise(words))
    if counts_amounts or all(word[0].isdigit() for word in words):
        return None
    told = [word for word in words if word not in ("minus", "of")]
    at = told.index("point") if "point" in told else len(told)
    amount = _sum(told[:at])
    if amount is not None and at < len(told):
        figures = [w if w.isdigit() else str(SMALL_NUMBERS.get(w, "")) for w in told[at + 1 :]]
        amount = amount + Decimal(f"0.{''.join(figures)}") if all(figures) and figures else None
    return -amount if amount is not None and words[0] == "minus" else amount


def _sum(words: list[str]) -> Decimal | None:
    """Return what words without a point come to: "one and a half", "three quarters", "a"."""
    if words in (["a"], ["an"]):
        return Decimal(1)
    total, current, is_said = Decimal(0), Decimal(0), False
    for i, word in enumerate(words):
        if word in _SCALES:
            total, current = total + max(current, Decimal(1)) * _SCALES[word], Decimal(0)
        elif word in _PARTS:
            # "Three quarters" are a product, "one and a half" is a sum.
            share, is_product = Decimal(_PARTS[word]), current and "and" not in words[:i]
            current = current * share if is_product else current + share
        elif word in _NUMBERS or word[0].isdigit():
            current += Decimal(_NUMBERS.get(word, word))
        else:
            continue
        is_said = True
    return total + current if is_said else None
