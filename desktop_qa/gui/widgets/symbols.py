"""Symbols with a subscript, as the pages of a document set them, found again in its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from desktop_qa.core.view import EvidenceView


class Symbols:
    """Finds what stands lower than its line: "OS" of VOS.

    Args:
        bases: By word, what is not lowered of it.
    """

    def __init__(self, bases: Mapping[str, str] | None = None) -> None:
        self._bases = dict(bases or {})
        longest_first = sorted(self._bases, key=lambda word: (-len(word), word))
        whole = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<![\w.])(?:{whole})(?![\w(])") if whole else None

    @classmethod
    def of(cls, pieces: Iterable[EvidenceView]) -> Symbols:
        """Take the symbols of all pieces; one that two documents part differently is left out."""
        return cls.of_pairs(symbol for piece in pieces for symbol in piece.symbols)

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Symbols:
        """Take words with what is not lowered of each; one that is parted in two ways has none."""
        found: dict[str, str] = {}
        torn: set[str] = set()
        for word, base in pairs:
            if found.setdefault(word, base) != base:
                torn.add(word)
        return cls({word: base for word, base in found.items() if word not in torn})

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return (start, length) of the parts of a text that stand lower."""
        if self._pattern is None:
            return []
        spans = []
        for match in self._pattern.finditer(text):
            n_base = len(self._bases[match.group()])
            spans.append((match.start() + n_base, len(match.group()) - n_base))
        return spans
