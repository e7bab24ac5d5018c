"""Things that a sentence lists: "The ten peripherals with DMA are SPI2, SPI3, ... and RMT"."""

from __future__ import annotations

import re
from itertools import pairwise

_SEPARATOR = re.compile(
    r",\s*(?:and\s+then|and|or|then)\s+|,\s+|;\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+"
)
_MAX_ITEM_WORDS = 7
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|will|would|must|should|shall|does|do|goes|used|not"
    r"|provided|which|that|it|they|you)\b|\.{3}",
    re.IGNORECASE,
)
_MIN_ITEMS = 3


def enumeration_in(sentence: str) -> tuple[str, tuple[str, ...]]:
    """Return what stands before the longest list of short things in a sentence, and the list.

    The list is empty where there is none of three things.
    """
    best: tuple[str, tuple[str, ...]] = ("", ())
    for start in _starts(sentence):
        items = _items(sentence[start:].strip())
        if len(items) >= max(len(best[1]), _MIN_ITEMS):
            best = (sentence[:start].strip().rstrip(":"), items)
    return best


def _starts(sentence: str) -> list[int]:
    words = re.finditer(
        r"\b(?:are|is|includes?|including|comprises?|consists?\s+of|supports?|provides?|such\s+as|namely"
        r"|order|contains?|has|have)\b\s*:?\s+(?:the\s+following\s*:?\s+)?|:\s+",
        sentence,
        re.IGNORECASE,
    )
    return [match.end() for match in words]


def _items(rest: str) -> tuple[str, ...]:
    """Cut the text behind a lead at its commas; nothing when it is a clause and no list."""
    text = re.split(r"(?<=[a-z0-9)])\.\s|\.$", rest)[0]
    items = [part.strip(" .;") for part in _SEPARATOR.split(text)]
    items = [item for item in items if item]
    short = [
        item for item in items if len(item.split()) <= _MAX_ITEM_WORDS and not _CLAUSE.search(item)
    ]
    return tuple(items) if items and len(short) == len(items) else ()


_UNUSED = re.compile(r"^(?:x|[-\u2013\u2014]|0|1|reserved|unused|n/a|u-0|rsvd)$", re.IGNORECASE)


def bit_names_in(text: str) -> tuple[str, ...]:
    """Return the names of the bits of a register that is drawn as a row under its bit numbers.

    "7 6 5 4 3 2 1 0 WPEN X X X BP1 BP0 WEL WIP" has as many names as numbers; those that stand for
    nothing (X, -, reserved) are left out.
    """
    words = text.split()
    for start in range(len(words)):
        n = 0
        while start + n < len(words) and words[start + n].isdecimal():
            n += 1
        numbers = [int(word) for word in words[start : start + n]]
        if n >= 4 and all(a - b == 1 for a, b in pairwise(numbers)) and numbers[-1] % 8 == 0:
            names = words[start + n : start + 2 * n]
            kept = tuple(name for name in names if not _UNUSED.match(name))
            return kept if len(names) == n else ()
    return ()
