"""The words that label a drawing: axes, legends, notes; and running text, which labels nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import distance, union_of
from desktop_qa.parse.captions import Caption, table_label
from desktop_qa.parse.lines import MARKER, Line, join_markers
from desktop_qa.parse.page import Drawing

_LABEL_REACH_PT = 16.0
_AXIS_REACH_PT = 48.0
"""From the title of an axis, over its numbers, to the plot."""

_MIN_SAID = 5.0
"""Of a block of lines that is running text: about a short sentence."""

_SMALL_WORD, _CAPITAL_WORD, _LIST_MARK = 1.0, 0.5, 2.0
"""What words and list marks count: titles and labels are set in capitals, sentences are not."""

_BOXED, _TOUCHING = 0.25, 0.5
"""The same for what stands in a box of its own, as in a flow chart, or right at a stroke."""

_BLOCK_STEP = 1.5
_BLOCK_GAP = 2.5
_BLOCK_INDENT = 3.0
"""Of the size of the type, between the baselines, parts and edges of one block's lines."""

_TOUCH, _BOX_ROOM = 0.5, 4.0
"""Of the size of the type, between a stroke and what touches it, and within a box of its own."""

_MAX_ROUNDS = 5
"""A label may stand beside another label: so often a figure grows over its neighbours."""


def running_text(fragments: Sequence[Line], drawings: Sequence[Drawing]) -> frozenset[int]:
    """Find the fragments of running text, which label nothing: sentences, lists and notes.

    Args:
        fragments: Runs of words that may be labels.
        drawings: Of the page: what stands in a box of its own belongs to that.

    Returns:
        Their `line_no`.
    """
    numbers: set[int] = set()
    for block in _blocks(join_markers(f for f in fragments if not f.words[0].angle)):
        said = sum(map(_said, block))
        if said >= _MIN_SAID:
            said *= _share_of_text(block, drawings)
        if said >= _MIN_SAID or any(table_label(line.text) for line in block):
            numbers.update(word.line_no for line in block for word in line.words)
    return frozenset(numbers)


def _blocks(fragments: Iterable[Line]) -> Iterable[list[Line]]:
    """Group lines of one size that follow each other as the lines of a paragraph do."""
    blocks: list[list[Line]] = []
    open_blocks: list[list[Line]] = []
    for line in sorted(fragments, key=lambda f: (round(f.baseline), f.left)):
        open_blocks = [b for b in open_blocks if line.baseline - b[-1].baseline < 3 * b[-1].size]
        near = [b for b in open_blocks if any(_goes_on(above, line) for above in b[-4:])]
        for block in near[1:]:
            near[0] += block
            blocks.remove(block)
            open_blocks.remove(block)
        if near:
            near[0].append(line)
        else:
            blocks.append([line])
            open_blocks.append(blocks[-1])
    return blocks


def _goes_on(above: Line, line: Line) -> bool:
    size = line.size
    if abs(above.size - size) > 0.6:
        return False
    step = line.baseline - above.baseline
    if step < 0.3 * size:
        return line.left - above.right < _BLOCK_GAP * size
    if step > _BLOCK_STEP * size or min(above.right, line.right) <= max(above.left, line.left):
        return False
    off = abs((above.left + above.right) / 2 - (line.left + line.right) / 2)
    return abs(above.left - line.left) < _BLOCK_INDENT * size or off < size


def _said(line: Line) -> float:
    """How much a line says: its words, and the mark that makes it the item of a list."""
    said = _LIST_MARK * bool(len(line.words) > 1 and MARKER.match(line.words[0].text))
    for word in (word.text.strip("(),.;:") for word in line.words):
        if len(word) > 1 and word.replace("-", "").isalpha():
            said += _SMALL_WORD if word.islower() else _CAPITAL_WORD * (len(word) > 3)
    return said


def _share_of_text(block: Sequence[Line], drawings: Sequence[Drawing]) -> float:
    size = block[0].size
    box = union_of(line.bbox for line in block)
    share = 1.0
    for drawing in drawings:
        place = drawing.bbox
        if distance(place, box) > _TOUCH * size:
            continue
        if (
            place.left < box.left + 1
            and place.top < box.top + 1
            and place.right > box.right - 1
            and place.bottom > box.bottom - 1
        ):
            if place.width < 2 * box.width and place.height - box.height < _BOX_ROOM * size:
                return _BOXED
            continue
        share = _TOUCHING
    return share


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
    usual_size = median(line.size for line in text) if text else 0.0
    reaches = (2.0, *([_LABEL_REACH_PT] * (_MAX_ROUNDS if caption else 2)))
    for reach in reaches:
        n_before = len(inside)
        for line in text:
            line_no = line.words[0].line_no
            if line_no in inside or not _is_label(line, box, core, reach, caption, usual_size):
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
    line: Line,
    box: BoundingBox,
    core: BoundingBox,
    reach: float,
    caption: Caption | None,
    usual_size: float,
) -> bool:
    if not _is_beside(line.bbox, box, reach):
        return caption is not None and _is_between(line, core, caption)
    if box.contains_center(line.bbox) and reach < 5:
        return True
    if line.bold and line.baseline < core.top + 1 and _is_over(line, core, caption, usual_size):
        return False
    if line.words[0].angle in (90, 270):
        return True
    if box.intersection_area(line.bbox) > 0.5 * line.bbox.area:
        return True
    return len(line.text) <= 40 and line.size <= 12.0 and not line.text.endswith((".", ":"))


def _is_over(line: Line, core: BoundingBox, caption: Caption | None, usual_size: float) -> bool:
    """Tell the heading of what a drawing shows, or its title, from the first of its labels."""
    if line.size > 1.1 * (caption.lines[0].size if caption else usual_size):
        return True
    off = abs((line.left + line.right) / 2 - (core.left + core.right) / 2)
    return caption is None and off < 0.08 * core.width + 6


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
