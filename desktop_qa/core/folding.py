"""One folding for every comparison of texts: quotes, gold passages and answers meet in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_MARKDOWN_MARKS = re.compile(r"[*_`#|\\]")
_DASHES = re.compile("[\u002d\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\s*\n\s*(?=[a-z])")
_SPACE = re.compile(r"[\s\u200b\ufeff]+")
_HYPHENS = ("-", "\u00ad", "\u2010")
_BROKEN_WORD = re.compile(r"[^\W\d_]{2,}[-\u00ad\u2010]$")

LIKE_SIGNS = dict.fromkeys(map(ord, "\u00ba\u02da"), "°") | dict.fromkeys(
    map(ord, "\u2015\u23af\u2500"), "—"
)
"""For `str.translate`: what makers set for degrees, and for the dash of a cell without a value."""


def undo_hyphenation(text: str) -> str:
    """Join the two halves of words that were broken at a line's end."""
    return _LINE_END_HYPHEN.sub("", text)


def fold(text: str) -> str:
    """Fold a text so that the same words compare equal however they were set.

    Case, white space and Markdown marks go; dashes and minus signs become one; µ and μ, the ohm
    sign and Ω, signs of degrees, ligatures and full-width forms become one; hyphenation at line
    ends is undone.
    """
    # NFKC turns the micro sign into Greek mu, the ohm sign into Omega, and ligatures into letters.
    normal = unicodedata.normalize("NFKC", undo_hyphenation(text).translate(LIKE_SIGNS))
    return _SPACE.sub("", _MARKDOWN_MARKS.sub("", _DASHES.sub("-", normal.casefold())))


def fold_for_matching(text: str) -> str:
    """Fold, and leave dashes out: how a quote is found where hyphenation was undone."""
    return fold(text).replace("-", "")


def is_broken(before: str, after: str) -> bool:
    """Tell whether a line ends within a word that the next one goes on with."""
    return after[:1].islower() and _BROKEN_WORD.search(before) is not None


class Vocabulary:
    """The words of a text, which tell whether a hyphen at a line's end belongs to its word."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {_bare(word) for word in words if not word.endswith(_HYPHENS)}

    def join(self, before: str, after: str) -> str:
        """Join lines between which a word was broken: "a low-" and "power mode"."""
        stem, tail = _bare(before.split()[-1][:-1]), _bare(after.split()[0])
        is_compound = f"{stem}-{tail}" in self._words or (
            {stem, tail} <= self._words and len(tail) > 2
        )
        is_whole = stem + tail in self._words or not is_compound
        return (before[:-1] if is_whole else before) + after


def _bare(text: str) -> str:
    return text.strip(".,;:()[]\"'“”").lower().replace("\u00ad", "-").replace("\u2010", "-")
