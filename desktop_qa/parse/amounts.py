"""Amounts as reports write them: scale, sign and period of a number in a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CURRENCIES = "$€£¥"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_MINUS = "-–−"

NUMBER = (
    rf"[{_CURRENCIES}]?[{_MINUS}+]?\(?[{_CURRENCIES}]?[{_MINUS}]?(?:{_DIGITS})\s?%?\)?\s?%?[*†‡]*"
)
"""Of a regular expression: "1,234", "$(5.2)", "(3.1)%"."""

_AMOUNT = re.compile(
    rf"(?:US|C|A|HK)?[{_CURRENCIES}]?\s?(?P<minus>[{_MINUS}])?(?P<open>\()?\s?[{_CURRENCIES}]?\s?"
    rf"(?P<minus_inside>[{_MINUS}])?(?P<digits>{_DIGITS})\s?(?P<share>%)?\s?(?P<close>\))?\s?"
    r"(?P<share_after>%)?(?:\s?(?:[*†‡]+|\(\w\)))*"
)
_TELLING = re.compile(rf"[{_CURRENCIES}]|\d,\d{{3}}|\(\d[\d,.]*[\d.]\)|\d\s?%|\d\)%")
_SCALES = (
    (1_000_000_000, r"billions?|bn|milliarden|mrd\.?|十亿|10億"),
    (1_000_000, r"millions?|mn|millionen|mio\.?|百万"),
    (1_000, r"thousands?|tausend|tsd\.?|000['’]?s|千"),
)
_IN = (
    r"(?:\bin|(?<=[$€£¥(])|^)\s*"
    r"(?:[$€£¥]|(?:US|U\.S\.)\s?(?:\$|dollars?)|dollars?|euros?)?\s*(?:of\s)?"
)
_STATED = [
    (scale, re.compile(rf"{_IN}(?:{words})(?![A-Za-z])", re.IGNORECASE)) for scale, words in _SCALES
]
_EXCEPTION = re.compile(r"\b(?:except|other than)\s+(?P<what>[^():;]*)", re.IGNORECASE)
_LISTED = re.compile(r",(?!\s*which\b)|\b(?:and|or)\b", re.IGNORECASE)
_OWN_SCALE = re.compile(r"\b(?:which|in)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_FILLERS = frozenset(
    ("for", "as", "noted", "amount", "data", "information", "number", "of", "count")
)
_BLANK = re.compile(r"(?:[$€£¥]\s?)?(?:[—–-]+\s?%?|\*+|n/?[am])", re.IGNORECASE)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
"""Of a regular expression, in whatever case: the name of a month, or its beginning."""

_YEAR = r"(?<![\d,.$])(?:19|20)\d\d(?![\d,.]*\d)"
_DATE = re.compile(rf"(?:{MONTH}\s+\d{{1,2}},?\s+)?{_YEAR}", re.IGNORECASE)
_DAY = re.compile(rf"\b{MONTH}\s+\d{{1,2}}\b(?!,?\s+\d{{4}})", re.IGNORECASE)


def is_telling(text: str) -> bool:
    """Tell a number written as an amount is: currency, parted thousands, brackets, per cent."""
    return _TELLING.search(text) is not None


def is_amount(text: str) -> bool:
    """Tell a cell of nothing but an amount."""
    return _AMOUNT.fullmatch(text.strip()) is not None


def is_blank(text: str) -> bool:
    """Tell the dash that stands for no amount, or none that means anything."""
    return _BLANK.fullmatch(text.strip()) is not None


def is_share(text: str) -> bool:
    """Tell an amount in per cent: no scale holds for it."""
    match = _AMOUNT.fullmatch(text.strip())
    return match is not None and bool(match["share"] or match["share_after"])


def sign_of(text: str) -> int:
    """Return -1 of an amount in brackets or behind a minus, else 1."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return 1
    return -1 if match["minus"] or match["minus_inside"] or match["open"] else 1


def value_of(text: str) -> float | None:
    """Return the number that an amount prints, with its sign and without its scale."""
    match = _AMOUNT.fullmatch(text.strip())
    return sign_of(text) * float(match["digits"].replace(",", "")) if match else None


def scale_of(text: str) -> int:
    """Return what amounts are counted in as a text says: 1000000 of "$ in millions".

    Returns:
        0 when the text does not say.
    """
    stated = [(m.start(), scale) for scale, one in _STATED if (m := one.search(text))]
    return min(stated)[1] if stated else 0


def without_scale(text: str) -> str:
    """Return a head without what it says of the scale: "Years ended December 31, (Millions)"."""
    rest = re.sub(r"\([^()]*\)", lambda m: "" if scale_of(m[0]) else m[0], text)
    rest = _EXCEPTION.sub("", rest)
    return "" if scale_of(rest) else " ".join(rest.split())


def exemptions(text: str) -> dict[tuple[str, ...], int]:
    """Return what a scale leaves out: the words of each, and what that is counted in.

    "in millions, except number of shares, which are in thousands, and per share data" leaves out
    "share", counted in thousands, and "per", "share", in ones.
    """
    start = min((m.start() for _scale, one in _STATED if (m := one.search(text))), default=0)
    match = _EXCEPTION.search(text, start)
    left_out = {
        tuple(word for word in _words(_OWN_SCALE.split(one)[0]) if word not in _FILLERS): one
        for one in (_LISTED.split(match["what"]) if match else ())
    }
    return {words: scale_of(one) or 1 for words, one in left_out.items() if words}


def speaks_of(text: str, words: Sequence[str]) -> bool:
    """Tell whether a name says words in their order: "shares used per share" is not "per share"."""
    said = _words(text)
    at = [said.index(word) if word in said else -1 for word in words]
    return -1 not in at and at == sorted(at)


def _words(text: str) -> list[str]:
    """Words without the s of the plural; compounds are one: nothing is counted in "share-based"."""
    text = text.casefold().replace("per-", "per ").replace("per share-", "per share ")
    words = _WORD.findall(text)
    return [word.removesuffix("s") for word in words]


def is_period(text: str) -> bool:
    """Tell a head that names a year or a date."""
    return _DATE.search(text) is not None


def period_of(heads: Sequence[str], stub: str) -> str:
    """Return the period that the heads of a column name, as printed.

    Args:
        heads: Of the column, outermost first: "2018" or "February 2, 2019".
        stub: Over the names of the rows. A day there, or in an outer head, completes a year:
            "Years ended December 31," and "2018".
    """
    named = next((head for head in reversed(heads) if is_period(head)), "")
    match = _DATE.search(named)
    if match is None:
        return ""
    for text in (stub, *heads):
        day = _DAY.search(text)
        if day is not None and re.fullmatch(_YEAR, match[0]):
            return f"{text[: day.end()].strip()}, {match[0]}"
    return match[0]
