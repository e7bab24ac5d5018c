"""Does a gold text stand in an answer, with numbers at word bounds?"""

from __future__ import annotations

import re
from functools import lru_cache

from desktop_qa.core.folding import fold, undo_hyphenation

_DIGIT_BEFORE = r"(?<![^\W_])(?<!\d[.,])"
_DIGIT_AFTER = r"(?!\d)(?![.,]\d)"


def stands_in(gold: str, answer: str) -> bool:
    """Tell whether an answer holds a gold text, both folded.

    A number at either end of the gold text must be a whole number of the answer: "82" stands
    neither in "1820" nor in "8.82" nor in "R82"; "25" stands in "25µs".
    """
    pattern = _pattern(gold)
    return pattern is not None and pattern.search(_spaced(answer)) is not None


@lru_cache(maxsize=4096)
def _pattern(gold: str) -> re.Pattern[str] | None:
    folded = fold(gold)
    if not folded:
        return None
    # The answer keeps its spaces, because they are where its words end; the gold text may be
    # set with other spaces.
    body = r"\s*".join(re.escape(character) for character in folded)
    before = _DIGIT_BEFORE if folded[0].isdigit() else ""
    after = _DIGIT_AFTER if folded[-1].isdigit() else ""
    return re.compile(before + body + after)


@lru_cache(maxsize=64)
def _spaced(answer: str) -> str:
    """Fold word by word, and keep one space between words."""
    # A table's cell borders end words as spaces do.
    words = undo_hyphenation(answer).replace("|", " ").split()
    return " ".join(folded for folded in map(fold, words) if folded)
