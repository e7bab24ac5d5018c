"""Words whose end stands lower than their line: VOS is V with the subscript OS.

A page's words are kept whole, without what is lowered in them. What is left to see is that a word
reaches below the others of its line; which of its letters do, the field's own habit tells: one
letter is the quantity, or a unit of volts, and the rest says which one is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from desktop_qa.core.document import Word

_LEAST_DROP = 0.06
_MOST_DROP = 0.45
"""Of the height of the line: less is rounding, more is a word of another line."""
_SAME_TOP = 0.04
_SYMBOL = re.compile(
    r"^(?P<base>[µμmnk]?V(?=(?:PP|P-P|RMS|DC|AC)$)|A(?=(?:OL|CL|V|VOL)$)|P(?!G)"
    r"|[CEGIKLQRSTVZefgirtvyθψΨφ])"
    r"(?P<lowered>[A-Za-z0-9θ][A-Za-z0-9θ/]*(?:\([A-Za-z0-9+/-]+\))?|\([A-Za-z0-9+/-]+\))$"
)


def lowered_words(words: Sequence[Word]) -> dict[str, str]:
    """Return, by word of a page that has a subscript, what is not lowered of it."""
    found: dict[str, str] = {}
    balance: Counter[str] = Counter()
    for line in _lines(words):
        usual = median(word.bbox.bottom for word in line)
        for word in line:
            symbol = _SYMBOL.match(_bare(word.text))
            if symbol is not None:
                drop = (word.bbox.bottom - usual) / max(usual - word.bbox.top, 1e-6)
                found[symbol.group()] = symbol["base"]
                balance[symbol.group()] += 1 if _LEAST_DROP < drop < _MOST_DROP else -1
    # What stands level more often than not was lowered by chance: beside larger type, in a formula.
    return {word: base for word, base in found.items() if balance[word] > 0}


def _bare(text: str) -> str:
    text = text.strip(",;:.=")
    if text.startswith("(") and not text.endswith(")"):
        return text[1:]
    if text.endswith(")") and "(" not in text:
        return text[:-1]
    return text


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Part words into runs with one upper edge; a line of a single word tells nothing."""
    lines: list[list[Word]] = []
    for word in words:
        height = word.bbox.height
        if lines and abs(word.bbox.top - lines[-1][-1].bbox.top) <= _SAME_TOP * height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [line for line in lines if len(line) > 2]
