"""The words that label a drawing: axes, legends, notes; and running text, which labels nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import distance
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.lines import Line

_LABEL_REACH_PT = 16.0
_AXIS_REACH_PT = 48.0
"""From the title of an axis, over its numbers, to the plot."""

_MIN_REAL_WORDS = 2
"""Of a short line, for the next one to go on with it."""

_MAX_ROUNDS = 5
"""A label may stand beside another label: so often a figure grows over its neighbours."""


def running_text(fragments: Sequence[Line]) -> frozenset[int]:
    """Find the fragments of running text, which label nothing.

    Returns:
        Their `line_no`: rows with several real words, and the short rows that end or begin a
        paragraph with them.
    """
    rows: dict[tuple[int, float], list[Line]] = {}
    for fragment in fragments:
        if not fragment.words[0].angle:
            key = round(fragment.baseline), fragment.size
            rows.setdefault(key, []).append(fragment)
    running: list[Line] = []
    for row in rows.values():
        row.sort(key=lambda f: f.left)
        for run in _close_runs(row):
            n_words = sum(_is_real_word(word.text) for f in run for word in f.words)
            if n_words >= 4 and run[-1].right - run[0].left >= 110:
                running += run
    numbers = {f.words[0].line_no for f in running}
    starts: dict[tuple[int, float], list[float]] = {}
    for f in running:
        starts.setdefault((round(f.left / 3), f.size), []).append(f.baseline)
    # Down and up again: beside a picture a paragraph runs on in short lines.
    by_height = sorted(fragments, key=lambda f: f.baseline)
    for fragment in (*by_height, *reversed(by_height)):
        line_no, key = fragment.words[0].line_no, (round(fragment.left / 3), fragment.size)
        near = (b for left in (-1, 0, 1) for b in starts.get((key[0] + left, key[1]), ()))
        if line_no in numbers or not any(
            abs(fragment.baseline - b) < 1.6 * fragment.size for b in near
        ):
            continue
        numbers.add(line_no)
        if sum(_is_real_word(word.text) for word in fragment.words) >= _MIN_REAL_WORDS:
            starts.setdefault(key, []).append(fragment.baseline)
    return frozenset(numbers)


def _close_runs(row: Sequence[Line]) -> Iterable[list[Line]]:
    run: list[Line] = []
    for fragment in row:
        if run and fragment.left - run[-1].right > 2.5 * fragment.size:
            yield run
            run = []
        run.append(fragment)
    yield run


def _is_real_word(text: str) -> bool:
    return sum(char.islower() for char in text) >= 2 and text.strip("(),.;:").isalpha()


def with_labels(
    box: BoundingBox,
    caption: Caption | None,
    text: Sequence[Line],
    captions: Sequence[Caption],
    others: Sequence[BoundingBox],
) -> tuple[BoundingBox, frozenset[int]]:
    """Grow a drawing over the words that label it: axes, legends, notes before its caption."""
    inside: set[int] = set()
    core = box
    reaches = (2.0, *([_LABEL_REACH_PT] * (_MAX_ROUNDS if caption else 2)))
    for reach in reaches:
        n_before = len(inside)
        for line in text:
            line_no = line.words[0].line_no
            if line_no in inside or not _is_label(line, box, core, reach, caption):
                continue
            titled = _titled_by(line, text, (core, *others))
            if titled is not core if titled else _is_nearer(line.bbox, others, core):
                continue
            grown = box.union(line.bbox)
            if any(grown.intersection_area(c.bbox) > 0.2 * c.bbox.area for c in captions):
                continue
            inside.add(line_no)
            box = grown
        if reach == _LABEL_REACH_PT and len(inside) == n_before:
            break
    return box, frozenset(inside)


def _titled_by(
    line: Line, text: Sequence[Line], cores: Sequence[BoundingBox]
) -> BoundingBox | None:
    """Return the drawing whose left axis a turned line names, when drawings stand on both sides.

    The title of an axis stands left of its numbers, and may be no further from the plot before it.
    """
    if line.words[0].angle not in (90, 270):
        return None
    middle = (line.bbox.top + line.bbox.bottom) / 2
    beside = [core for core in cores if core.top < middle < core.bottom]
    right = [core for core in beside if 0 <= core.left - line.right <= _AXIS_REACH_PT]
    if not right or not any(core.right <= line.left + 1 for core in beside):
        return None
    nearest = min(right, key=lambda core: core.left)
    between = any(
        other is not line
        and other.words[0].angle in (90, 270)
        and line.right <= other.left
        and other.right <= nearest.left + 1
        and other.bbox.top < middle < other.bbox.bottom
        for other in text
    )
    return None if between else nearest


def _is_nearer(label: BoundingBox, others: Iterable[BoundingBox], core: BoundingBox) -> bool:
    """True when another drawing of the page is nearer to a label than this one."""
    own = distance(label, core)
    return own > 0 and any(distance(label, other) < own for other in others)


def _is_label(
    line: Line, box: BoundingBox, core: BoundingBox, reach: float, caption: Caption | None
) -> bool:
    if not _is_beside(line.bbox, box, reach):
        return caption is not None and _is_between(line, core, caption)
    if box.contains_center(line.bbox) and reach < 5:
        return True
    if caption is None and _is_title(line, core):
        return False
    if caption is not None and _is_heading(line, core, caption):
        return False
    if line.words[0].angle in (90, 270):
        return True
    if box.intersection_area(line.bbox) > 0.5 * line.bbox.area:
        return True
    return len(line.text) <= 40 and line.size <= 12.0 and not line.text.endswith((".", ":"))


def _is_heading(line: Line, core: BoundingBox, caption: Caption) -> bool:
    """A bold line above a drawing in larger type than its caption."""
    size = caption.lines[0].size
    return line.bold and line.baseline < core.top + 1 and line.size > 1.1 * size


def _is_title(line: Line, core: BoundingBox) -> bool:
    """A bold line centred above a drawing names it; it is no label of it."""
    off = abs((line.left + line.right) / 2 - (core.left + core.right) / 2)
    return line.bold and line.baseline < core.top + 1 and off < 0.08 * core.width + 6


def _is_beside(label: BoundingBox, box: BoundingBox, reach: float) -> bool:
    """True when a label reaches into a box that is grown on all sides."""
    middle = (label.top + label.bottom) / 2
    return (
        label.right > box.left - reach
        and label.left < box.right + reach
        and box.top - reach < middle < box.bottom + reach
    )


def _is_between(line: Line, core: BoundingBox, caption: Caption) -> bool:
    """A short line between a drawing and its caption: the title of an axis, a test condition."""
    top = min(core.bottom, caption.bbox.bottom)
    bottom = max(core.top, caption.bbox.top)
    middle = (line.bbox.top + line.bbox.bottom) / 2
    center = (line.bbox.left + line.bbox.right) / 2
    return (
        top <= middle <= bottom
        and core.left - 10 <= center <= core.right + 10
        and line.bbox.width <= core.width + 20
        and len(line.text) < 90
    )
