"""Finds short texts by the beginnings of their words: headings, captions, questions.

Immutable and in memory. A quarter of a million texts are searched in milliseconds: the postings of
a beginning of a word lie side by side, because the words are sorted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from desktop_qa.index.terms import fold

IdArray = npt.NDArray[np.int32]

_WORD = re.compile(r"\w+")
_LAST = "\U0010ffff"
_STARTS_BONUS = np.float32(4.0)
"""A text that begins with what was typed comes before those that only hold it."""

_INSIDE_COST = np.float32(3.0)
"""A text that holds what was typed only inside of a word comes after the others."""

_LEAST_INSIDE = 4
"""So many letters are looked for inside of words, too."""

_MAX_INSIDE = 60
_MAX_LOOKED_AT = 3000


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return _WORD.findall(fold(text))


def matching_spans(text: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return the characters of a text that match the beginnings of words, in order, apart."""
    spans = []
    for match in _WORD.finditer(text):
        own = fold(match.group())
        fitting = [word for word in words if own.startswith(word)]
        if fitting:
            length = min(max(map(len, fitting)), len(match.group()))
            spans.append((match.start(), match.start() + length))
    if not spans and words:
        # Found inside of a word.
        position = text.casefold().find(words[-1])
        if position >= 0:
            spans.append((position, position + len(words[-1])))
    return tuple(spans)


class WordIndex:
    """Texts with a score each; the best that hold all words come first."""

    def __init__(self, texts: Sequence[str], scores: Sequence[float]) -> None:
        """Index texts.

        Args:
            texts: Different from each other; found by their place here.
            scores: What a text is worth before anything is typed, higher first.
        """
        folded = [" ".join(words_of(text)) for text in texts]
        order = sorted(range(len(texts)), key=folded.__getitem__)
        self.texts = [texts[i] for i in order]
        self.places = order
        self._folded = [folded[i] for i in order]
        self._scores = np.array([scores[i] for i in order], np.float32)
        postings: dict[str, list[int]] = {}
        for number, text in enumerate(self._folded):
            for word in set(text.split()):
                postings.setdefault(word, []).append(number)
        self._words = sorted(postings)
        lengths = [len(postings[word]) for word in self._words]
        self._starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).tolist()
        self._rows = np.fromiter(
            (row for word in self._words for row in postings[word]), np.int32, sum(lengths)
        )
        self._joined = "\n".join(self._folded)
        self._offsets = np.cumsum([0, *(len(text) + 1 for text in self._folded)])

    def __len__(self) -> int:
        return len(self.texts)

    def find(self, words: Sequence[str], limit: int) -> list[int]:
        """Return the texts that hold words beginning with each of those given, best first.

        Args:
            words: As `words_of` cuts them; the beginning of each is enough.
            limit: How many at most.

        Returns:
            Places in `texts`.
        """
        if not words:
            return []
        rows = held = self._holding(words)
        if len(rows) < limit and len(words[-1]) >= _LEAST_INSIDE:
            rows = np.union1d(rows, self._inside(words)).astype(np.int32)
        if not len(rows):
            return []
        typed = " ".join(words)
        first = bisect_left(self._folded, typed)
        last = bisect_left(self._folded, typed + _LAST)
        scores = self._scores[rows] + _STARTS_BONUS * ((rows >= first) & (rows < last))
        if len(rows) > len(held):
            scores = scores - _INSIDE_COST * ~np.isin(rows, held)
        if len(rows) > limit:
            best = np.argpartition(-scores, limit)[:limit]
            rows, scores = rows[best], scores[best]
        return [int(row) for row in rows[np.argsort(-scores, kind="stable")]]

    def _holding(self, words: Sequence[str]) -> IdArray:
        found: IdArray | None = None
        # The longest word leaves the fewest to go through.
        for word in sorted(words, key=len, reverse=True):
            first = self._starts[bisect_left(self._words, word)]
            last = self._starts[bisect_left(self._words, word + _LAST)]
            rows = np.unique(self._rows[first:last])
            found = rows if found is None else np.intersect1d(found, rows, assume_unique=True)
            if not len(found):
                break
        return found if found is not None else np.zeros(0, np.int32)

    def _inside(self, words: Sequence[str]) -> IdArray:
        """Return texts that hold the last word somewhere inside of a word of theirs."""
        needle, others = words[-1], words[:-1]
        allowed = frozenset(self._holding(others).tolist()) if others else None
        found: list[int] = []
        n_looked_at = 0
        position = self._joined.find(needle)
        while position >= 0 and len(found) < _MAX_INSIDE and n_looked_at < _MAX_LOOKED_AT:
            n_looked_at += 1
            row = int(np.searchsorted(self._offsets, position, side="right")) - 1
            if allowed is None or row in allowed:
                found.append(row)
            position = self._joined.find(needle, int(self._offsets[row + 1]) - 1)
        return np.array(found, np.int32)
