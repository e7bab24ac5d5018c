"""Words into visual lines: scripts and fractions stay in theirs, markers keep their text.

Read line by line a fraction falls apart, and the formula says something else. A bar is told from
other short rules by what stands around it: words above and below, centred, and an operator beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.folding import Vocabulary, is_broken
from desktop_qa.parse.boxes import union_of
from desktop_qa.parse.characters import raised
from desktop_qa.parse.grouping import gathered, in_runs
from desktop_qa.parse.page import Rule, StyledWord

_SCRIPT_GAP_IN_SIZES = 0.12
"""A smaller gap between a word and a shifted smaller one makes them one word: V and OS."""

_SPACE_IN_SIZES = 0.5
_MAX_SCRIPT_LENGTH = 12

_MIN_WORDS_OVER = 3
"""So many words are a line of their own where they are printed over another."""

_BULLETS = "•●◦○▪■□▸►➢➤✓–—-−*·‣◆❖⬧❍→o§"
MARKER = re.compile(rf"^(?:[{re.escape(_BULLETS)}]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)])$")
"""What leads the items of a list."""

_MARKER_GAP_IN_SIZES = 4.0

_MONOSPACE = ("courier", "consol", "mono", "lucidaconsole", "menlo")
_MIN_CODE_SHARE = 0.75
"""Of a line's characters, of fixed width."""

_TAB_IN_SIZES = 12.0
"""White between a command and its operands or comment."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side, left to right, in the style of most characters of its lead.

    Attributes:
        baseline: Of the largest words, points from the top.
    """

    words: tuple[StyledWord, ...]
    bbox: BoundingBox
    size: float
    baseline: float
    font: str
    bold: bool
    italic: bool
    color: int

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def lead(self) -> str:
        """Its text without the bracket that ends it."""
        return " ".join(word.text for word in lead_of(self.words))

    @property
    def left(self) -> float:
        """Left edge in points."""
        return self.bbox.left

    @property
    def right(self) -> float:
        """Right edge in points."""
        return self.bbox.right


def make_line(words: Sequence[StyledWord]) -> Line:
    """Join words, at least one, into a line, sorted in the direction in which they read."""
    ordered = tuple(sorted(words, key=_ALONG.get(words[0].angle, lambda word: word.bbox.left)))
    main = _main_word(lead_of(ordered))
    return Line(
        ordered,
        union_of(word.bbox for word in ordered),
        round(main.size, 1),
        main.baseline,
        main.font,
        main.bold,
        main.italic,
        main.color,
    )


def lead_of(words: tuple[StyledWord, ...]) -> tuple[StyledWord, ...]:
    """Return a line without the bracket that ends it: titles have conditions in other type."""
    if not words[-1].text.endswith(")"):
        return words
    opened = [index for index, word in enumerate(words) if word.text.startswith("(")]
    return words[: opened[-1]] or words if opened else words


_ALONG: dict[int, Callable[[StyledWord], float]] = {
    90: lambda word: word.bbox.top,
    180: lambda word: -word.bbox.right,
    270: lambda word: -word.bbox.bottom,
}
"""What grows from word to word in a line, by its direction."""


def _main_word(words: Sequence[StyledWord]) -> StyledWord:
    """First word in the look of most characters."""
    first = words[0]
    if all(w.size == first.size and w.font == first.font and w.color == first.color for w in words):
        return first
    weights: Counter[tuple[float, str, bool, bool, int]] = Counter()
    for word in words:
        weights[_look(word)] += len(word.text)
    look = max(weights.items(), key=lambda item: (item[1], item[0]))[0]
    return next(word for word in words if _look(word) == look)


def _look(word: StyledWord) -> tuple[float, str, bool, bool, int]:
    return round(word.size, 1), word.font, word.bold, word.italic, word.color


def group_fragments(words: Iterable[StyledWord]) -> list[Line]:
    """Group the words of each line of the engine: the smallest runs to lay out."""
    by_line: dict[int, list[StyledWord]] = {}
    for word in words:
        by_line.setdefault(word.line_no, []).append(word)
    return [make_line(run) for run in by_line.values()]


def parted(line: Line, gap: float) -> Iterator[Line]:
    """Part a line where white of more than `gap` sizes of its type stands between its words."""
    starts = [
        at
        for at, (before, word) in enumerate(pairwise(line.words), 1)
        if word.bbox.left - before.bbox.right > gap * line.size
    ]
    for start, end in pairwise([0, *starts, len(line.words)]):
        yield make_line(line.words[start:end])


def right_of(line: Line, others: Iterable[Line], reach: float) -> list[Line]:
    """Return what begins right of a line on its baseline, within a `reach` in sizes of its type."""
    beside = (
        other
        for other in others
        if abs(other.baseline - line.baseline) < reach * line.size and other.left > line.left
    )
    return sorted(beside, key=lambda other: other.left)


def join_markers(fragments: Iterable[Line]) -> list[Line]:
    """Join the marker of a list's item with the words beside it: no column parts them."""
    rest = list(fragments)
    joined = []
    for marker in [f for f in rest if len(f.words) == 1 and MARKER.match(f.text)]:
        beside = [f for f in rest if _is_led_by(f, marker)]
        if beside:
            item = min(beside, key=lambda f: f.left)
            rest = [f for f in rest if f is not marker and f is not item]
            joined.append(make_line([*marker.words, *item.words]))
    return [*rest, *joined]


def _is_led_by(item: Line, marker: Line) -> bool:
    gap = item.left - marker.right
    return (
        abs(item.baseline - marker.baseline) < 0.3 * marker.size
        and 0 < gap < _MARKER_GAP_IN_SIZES * marker.size
    )


def has_even_pitch(word: StyledWord) -> bool:
    """Tell a word of a monospaced font by the font's name."""
    return any(name in word.font.lower() for name in _MONOSPACE)


def is_monospaced(line: Line) -> bool:
    """True for a line of code; a name or path in it leaves a sentence one."""
    n_chars = sum(len(w.text) for w in line.words)
    n_fixed = sum(len(w.text) for w in line.words if has_even_pitch(w))
    return n_fixed > _MIN_CODE_SHARE * n_chars


def join_code(fragments: Sequence[Line]) -> list[Line]:
    """Join what stands side by side in type of fixed width: its columns are tabs of one line."""
    code = [f for f in fragments if is_monospaced(f) and not f.words[0].angle]
    if len(code) < 2:
        return list(fragments)

    def is_behind(row: Sequence[Line], fragment: Line) -> bool:
        last = row[-1]
        return (
            abs(fragment.baseline - last.baseline) < 0.3 * last.size
            and -1 < fragment.left - last.right < _TAB_IN_SIZES * last.size
        )

    rows = in_runs(sorted(code, key=lambda f: (round(f.baseline), f.left)), is_behind)
    known = {id(fragment) for fragment in code}
    return [*(f for f in fragments if id(f) not in known), *map(_joined_row, rows)]


def group_lines(fragments: Iterable[Line]) -> list[Line]:
    """Join the fragments of one column that stand side by side, top to bottom.

    A fragment belongs to a row when the heights of their letters share half of the smaller one,
    so that a subscript stays in its line though its baseline is lower.
    """
    rows = gathered(sorted(fragments, key=lambda f: (-f.size, f.baseline)), _row_of)
    return sorted(map(_joined_row, rows), key=lambda line: (line.baseline, line.left))


def _joined_row(row: Sequence[Line]) -> Line:
    return make_line([word for part in row for word in part.words]) if len(row) > 1 else row[0]


def _row_of(fragment: Line, rows: list[list[Line]]) -> list[Line] | None:
    top, bottom = letter_zone(fragment)
    best, best_shared = None, 0.0
    for row in rows:
        row_top, row_bottom = letter_zone(row[0])
        shared = min(bottom, row_bottom) - max(top, row_top)
        needed = 0.5 * min(bottom - top, row_bottom - row_top)
        if shared > needed and shared > best_shared and not _covers(row, fragment):
            best, best_shared = row, shared
    return best


def _covers(row: Sequence[Line], fragment: Line) -> bool:
    """True when the fragment stands above, below or upon the words of the row, not beside them."""
    return any(
        min(other.right, fragment.right) - max(other.left, fragment.left)
        > 0.5 * min(other.bbox.width, fragment.bbox.width)
        and (
            abs(other.baseline - fragment.baseline) > 0.25 * other.size
            or min(len(other.words), len(fragment.words)) >= _MIN_WORDS_OVER
        )
        for other in row
    )


def upright_lines(fragments: Iterable[Line]) -> list[Line]:
    """Return the lines that are not turned, from the top down."""
    return sorted(
        (f for f in fragments if not f.words[0].angle), key=lambda f: (f.baseline, f.left)
    )


def letter_zone(line: Line) -> tuple[float, float]:
    """Top and bottom of the letters; boxes of fonts overlap from line to line, these do not."""
    return line.baseline - 0.72 * line.size, line.baseline + 0.2 * line.size


def join_scripts(words: Sequence[StyledWord]) -> tuple[StyledWord, ...]:
    """Join a word, the sub- or superscript that touches it, and what touches that: I, 2 and C."""
    scripts = [i for i, word in enumerate(words) if not word.angle]
    pairs = [i for i in range(1, len(words)) if _goes_on(words[i - 1], words[i])]
    of_text = {*pairs, *(i - 1 for i in pairs)}
    ends: dict[int, list[int]] = {}
    starts: dict[int, list[int]] = {}
    for index in scripts:
        ends.setdefault(round(words[index].bbox.right), []).append(index)
        starts.setdefault(round(words[index].bbox.left), []).append(index)
    joined = dict(enumerate(words))
    for index in scripts:
        script = words[index]
        if index in of_text:
            continue
        base = _base(words, index, ends)
        if base not in joined or index not in joined:
            continue
        joined[base] = _joined(joined[base], joined.pop(index))
        tail = _tail(script, words[base], words, starts)
        if tail in joined and tail != base:
            joined[base] = _joined(joined[base], joined.pop(tail))
    return tuple(joined[index] for index in sorted(joined))


def _goes_on(before: StyledWord, word: StyledWord) -> bool:
    """Tell words of a line of text from scripts, which stand alone."""
    gap = word.bbox.left - before.bbox.right
    is_same = before.line_no == word.line_no and before.size == word.size
    return is_same and abs(gap) < _SPACE_IN_SIZES * word.size


def _base(words: Sequence[StyledWord], index: int, ends: dict[int, list[int]]) -> int | None:
    """Word whose end a script touches."""
    left = round(words[index].bbox.left)
    near = (i for key in range(left - 2, left + 4) for i in ends.get(key, ()))
    return next((i for i in near if _is_script_of(words[i], words[index])), None)


def _tail(
    script: StyledWord,
    base: StyledWord,
    words: Sequence[StyledWord],
    starts: dict[int, list[int]],
) -> int | None:
    """Word on the base's line that touches the script's end."""
    right = script.bbox.right
    near = (i for key in range(round(right) - 1, round(right) + 2) for i in starts.get(key, ()))
    fitting = (
        i
        for i in near
        if abs(words[i].baseline - base.baseline) < 0.04 * base.size
        and abs(words[i].size - base.size) < 0.5
        and -0.1 * base.size < words[i].bbox.left - right < 0.1 * base.size
        and words[i].text[0].isalnum()
    )
    return next(fitting, None)


def _is_script_of(base: StyledWord, word: StyledWord) -> bool:
    if base.line_no == word.line_no or word.size > 0.87 * base.size:
        return False
    if len(word.text) > _MAX_SCRIPT_LENGTH:
        return False
    gap = word.bbox.left - base.bbox.right
    if not -0.25 * base.size < gap < _SCRIPT_GAP_IN_SIZES * base.size:
        return False
    shift = abs(word.baseline - base.baseline)
    return 0.04 * base.size < shift < 0.6 * base.size and any(c.isalnum() for c in base.text)


def _joined(base: StyledWord, word: StyledWord) -> StyledWord:
    is_raised = word.baseline < base.baseline - 0.15 * base.size and word.size < base.size
    text = raised(word.text) if is_raised else word.text
    return replace(base, text=base.text + text, bbox=base.bbox.union(word.bbox))


def joined_text(texts: Sequence[str], vocabulary: Vocabulary) -> str:
    """Join the texts of lines that follow each other; hyphenation at their ends is undone."""
    whole = ""
    for text in texts:
        if is_broken(whole, text):
            whole = vocabulary.join(whole, text)
        else:
            whole = f"{whole} {text}" if whole else text
    return whole


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


def join_fractions(words: Sequence[StyledWord], rules: Sequence[Rule]) -> tuple[StyledWord, ...]:
    """Set each fraction of a page, scripts joined, as one word in its line."""
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


def _bars(rules: Sequence[Rule]) -> list[Rule]:
    """Return rules that could be the bar of a fraction: short, thin, and no side of a box."""
    found: dict[tuple[int, int, int], Rule] = {}
    for rule in rules:
        is_short = _MIN_BAR_PT <= rule.length <= _MAX_BAR_PT
        if rule.horizontal and is_short and rule.thickness <= _MAX_THICKNESS_PT:
            key = round(rule.start), round(rule.end), round(rule.position)
            found.setdefault(key, rule)
    if len(found) > _MAX_BARS:
        return []
    vertical = [rule for rule in rules if not rule.horizontal and rule.length > 2.5]
    return [
        bar
        for bar in found.values()
        if not any(
            v.start - 1.5 <= bar.position <= v.end + 1.5
            and bar.start - 1.5 <= v.position <= bar.end + 1.5
            for v in vertical
        )
    ]


def _fraction(
    bar: Rule, words: Sequence[StyledWord], bars: Sequence[Rule]
) -> tuple[StyledWord, list[StyledWord]] | None:
    """Return the fraction over a bar and the words it is made of."""
    near = [
        word
        for word in words
        if not word.angle
        and bar.start - _OVERHANG_PT <= word.bbox.left
        and word.bbox.right <= bar.end + _OVERHANG_PT
        and abs(word.baseline - bar.position) < 2.6 * word.size
    ]
    above = _nearest([word for word in near if word.baseline <= bar.position - 0.3], bar, over=True)
    below = _nearest(
        [word for word in near if word.baseline - 0.6 * word.size >= bar.position - 1.0],
        bar,
        over=False,
    )
    if not above or not below or not _are_terms(bar, above, below):
        return None
    parts = [*above, *below]
    beside = _beside(bar, words, parts)
    if beside is None and not any(
        _is_inside(bar, other) and _beside(other, words, ()) is not None for other in bars
    ):
        return None
    return _joined_fraction(bar, above, below, beside), parts


def _nearest(words: Sequence[StyledWord], bar: Rule, *, over: bool) -> list[StyledWord]:
    """Return the row of words next to the bar, left to right; empty when it is too far."""
    if not words:
        return []
    if over:
        first = max(words, key=lambda word: word.baseline)
        gap = bar.position - first.baseline
    else:
        first = min(words, key=lambda word: word.baseline)
        gap = first.baseline - 0.72 * first.size - bar.position
    if gap > 0.9 * first.size:
        return []
    row = [word for word in words if abs(word.baseline - first.baseline) < 0.5 * first.size]
    return sorted(row, key=lambda word: word.bbox.left)


def _are_terms(bar: Rule, above: Sequence[StyledWord], below: Sequence[StyledWord]) -> bool:
    longest, middle = 0.0, (bar.start + bar.end) / 2
    for term in (above, below):
        left = min(word.bbox.left for word in term)
        right = max(word.bbox.right for word in term)
        longest = max(longest, right - left)
        if abs((left + right) / 2 - middle) > max(3.0, _MAX_OFF_CENTER * bar.length):
            return False
    return longest >= _MIN_COVERED * bar.length


def _beside(
    bar: Rule, words: Sequence[StyledWord], parts: Sequence[StyledWord]
) -> StyledWord | None:
    """Return the word of the formula that stands before or behind the bar, at its height."""
    found: list[tuple[float, StyledWord]] = []
    for word in words:
        if word.angle or any(word is part for part in parts):
            continue
        if abs(word.baseline - (bar.position + _AXIS * word.size)) > 0.35 * word.size:
            continue
        gap = (
            bar.start - word.bbox.right if word.bbox.left < bar.start else word.bbox.left - bar.end
        )
        if -2.0 <= gap <= _BESIDE_PT and _OPERATORS & {word.text[-1:], word.text[:1]}:
            # The word before the bar gives its line; what follows may be set in another one.
            found.append((gap + (100.0 if word.bbox.left > bar.start else 0.0), word))
    return min(found, key=lambda item: item[0])[1] if found else None


def _is_inside(bar: Rule, other: Rule) -> bool:
    """Tell whether a bar stands in a term of another one."""
    return (
        other.length > bar.length
        and other.start - _OVERHANG_PT <= bar.start
        and bar.end <= other.end + _OVERHANG_PT
        and 2.0 < abs(other.position - bar.position) < 30.0
    )


def _joined_fraction(
    bar: Rule,
    above: Sequence[StyledWord],
    below: Sequence[StyledWord],
    beside: StyledWord | None,
) -> StyledWord:
    line = beside or above[0]
    baseline = beside.baseline if beside else bar.position + _AXIS * above[0].size
    box = BoundingBox(
        min(bar.start, *(word.bbox.left for word in (*above, *below))),
        min(word.baseline - 0.8 * word.size for word in above),
        max(bar.end, *(word.bbox.right for word in (*above, *below))),
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
