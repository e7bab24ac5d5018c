"""Fractions of formulas: what stands above and below a bar becomes "(a × b)/(2 × c)" in its line.

Read line by line a fraction falls apart, and the formula says something else. A bar is told from
other short rules by what stands around it: words above and below, centred, and an operator beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import Rule, StyledWord

_MIN_BAR_PT, _MAX_BAR_PT = 4.0, 280.0
_MAX_THICKNESS_PT = 1.2
_OVERHANG_PT = 2.5
_MAX_OFF_CENTER = 0.14
"""Of the bar's length; terms are centred on it."""

_MIN_COVERED = 0.4
"""Share of the bar's length that the longer term takes."""

_BESIDE_PT = 16.0
_AXIS = 0.3
"""Height of the bar over the baseline of its line, in sizes."""

_MAX_BARS = 200
"""A page with more such rules holds drawings, not formulas."""

_OPERATORS = frozenset("=+−-–×∗*·⋅∙/≈≤≥±")


@dataclass(frozen=True, slots=True)
class _Bar:
    left: float
    right: float
    y: float

    @property
    def length(self) -> float:
        return self.right - self.left

    @property
    def center(self) -> float:
        return (self.left + self.right) / 2


def join_fractions(words: Sequence[StyledWord], rules: Sequence[Rule]) -> tuple[StyledWord, ...]:
    """Set each fraction of a page as one word in its line.

    Args:
        words: Of the page, scripts joined.
        rules: Of the page.
    """
    bars = _bars(rules)
    if not bars:
        return tuple(words)
    left = list(words)
    # From the inside out: a fraction within a fraction is a word of the outer one's terms.
    for bar in sorted(bars, key=lambda one: one.length):
        fraction = _fraction(bar, left, bars)
        if fraction is not None:
            word, parts = fraction
            position = min(i for i, one in enumerate(left) if any(one is part for part in parts))
            left = [one for one in left if not any(one is part for part in parts)]
            left.insert(min(position, len(left)), word)
    return tuple(left)


def _bars(rules: Sequence[Rule]) -> list[_Bar]:
    """Return rules that could be the bar of a fraction: short, thin, and no side of a box."""
    found: dict[tuple[int, int, int], _Bar] = {}
    for rule in rules:
        is_short = _MIN_BAR_PT <= rule.end - rule.start <= _MAX_BAR_PT
        if rule.horizontal and is_short and rule.thickness <= _MAX_THICKNESS_PT:
            key = round(rule.start), round(rule.end), round(rule.position)
            found.setdefault(key, _Bar(rule.start, rule.end, rule.position))
    if len(found) > _MAX_BARS:
        return []
    vertical = [rule for rule in rules if not rule.horizontal and rule.end - rule.start > 2.5]
    return [
        bar
        for bar in found.values()
        if not any(
            v.start - 1.5 <= bar.y <= v.end + 1.5
            and bar.left - 1.5 <= v.position <= bar.right + 1.5
            for v in vertical
        )
    ]


def _fraction(
    bar: _Bar, words: Sequence[StyledWord], bars: Sequence[_Bar]
) -> tuple[StyledWord, list[StyledWord]] | None:
    """Return the fraction over a bar and the words it is made of."""
    near = [
        word
        for word in words
        if not word.angle
        and bar.left - _OVERHANG_PT <= word.bbox.left
        and word.bbox.right <= bar.right + _OVERHANG_PT
        and abs(word.baseline - bar.y) < 2.6 * word.size
    ]
    above = _nearest([word for word in near if word.baseline <= bar.y - 0.3], bar, over=True)
    below = _nearest(
        [word for word in near if word.baseline - 0.6 * word.size >= bar.y - 1.0], bar, over=False
    )
    if not above or not below or not _are_terms(bar, above, below):
        return None
    parts = [*above, *below]
    beside = _beside(bar, words, parts)
    if beside is None and not any(
        _is_inside(bar, other) and _beside(other, words, ()) is not None for other in bars
    ):
        return None
    return _joined(bar, above, below, beside), parts


def _nearest(words: Sequence[StyledWord], bar: _Bar, *, over: bool) -> list[StyledWord]:
    """Return the row of words next to the bar, left to right; empty when it is too far."""
    if not words:
        return []
    if over:
        first = max(words, key=lambda word: word.baseline)
        gap = bar.y - first.baseline
    else:
        first = min(words, key=lambda word: word.baseline)
        gap = first.baseline - 0.72 * first.size - bar.y
    if gap > 0.9 * first.size:
        return []
    row = [word for word in words if abs(word.baseline - first.baseline) < 0.5 * first.size]
    return sorted(row, key=lambda word: word.bbox.left)


def _are_terms(bar: _Bar, above: Sequence[StyledWord], below: Sequence[StyledWord]) -> bool:
    longest = 0.0
    for term in (above, below):
        left = min(word.bbox.left for word in term)
        right = max(word.bbox.right for word in term)
        longest = max(longest, right - left)
        if abs((left + right) / 2 - bar.center) > max(3.0, _MAX_OFF_CENTER * bar.length):
            return False
    return longest >= _MIN_COVERED * bar.length


def _beside(
    bar: _Bar, words: Sequence[StyledWord], parts: Sequence[StyledWord]
) -> StyledWord | None:
    """Return the word of the formula that stands before or behind the bar, at its height."""
    found: list[tuple[float, StyledWord]] = []
    for word in words:
        if word.angle or any(word is part for part in parts):
            continue
        if abs(word.baseline - (bar.y + _AXIS * word.size)) > 0.35 * word.size:
            continue
        gap = (
            bar.left - word.bbox.right if word.bbox.left < bar.left else word.bbox.left - bar.right
        )
        if -2.0 <= gap <= _BESIDE_PT and _OPERATORS & {word.text[-1:], word.text[:1]}:
            # The word before the bar gives its line; what follows may be set in another one.
            found.append((gap + (100.0 if word.bbox.left > bar.left else 0.0), word))
    return min(found, key=lambda item: item[0])[1] if found else None


def _is_inside(bar: _Bar, other: _Bar) -> bool:
    """Tell whether a bar stands in a term of another one."""
    return (
        other.length > bar.length
        and other.left - _OVERHANG_PT <= bar.left
        and bar.right <= other.right + _OVERHANG_PT
        and 2.0 < abs(other.y - bar.y) < 30.0
    )


def _joined(
    bar: _Bar,
    above: Sequence[StyledWord],
    below: Sequence[StyledWord],
    beside: StyledWord | None,
) -> StyledWord:
    line = beside or above[0]
    baseline = beside.baseline if beside else bar.y + _AXIS * above[0].size
    box = BoundingBox(
        min(bar.left, *(word.bbox.left for word in (*above, *below))),
        min(word.baseline - 0.8 * word.size for word in above),
        max(bar.right, *(word.bbox.right for word in (*above, *below))),
        max(word.baseline + 0.25 * word.size for word in below),
    )
    return replace(
        line,
        text=f"{_term(above)}/{_term(below)}",
        bbox=box,
        baseline=baseline,
        space_before=True,
    )


def _term(words: Sequence[StyledWord]) -> str:
    text = " ".join(word.text for word in words)
    is_plain = all(char.isalnum() or char in "._µμΩ%°" for char in text)
    return text if is_plain else f"({text})"
