"""Frames of thin rules around figures and their captions, which are no part of the drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.page import Drawing, PageContent, Rule

_MIN_RULE_PT = 40.0
_MIN_SIDE_PT = 50.0
"""A box that is smaller belongs to a block diagram."""

_MAX_THICKNESS_PT = 3.0
_ON_RULE_PT = 2.0
_MAX_BREAK_PT = 3.0
_MIN_PIECE_PT = 6.0
"""Shorter strokes are steps of curves; a page has thousands of them."""

_SAME_LINE_PT = 1.2
_MIN_POKE_PT = 4.0
_BESIDE_PT = 16.0
"""Between a caption and the frame of its drawing that it stands above or below."""

_MAX_ITEMS_OF_FRAME = 12


@dataclass(frozen=True, slots=True)
class Frame:
    """The area that rules enclose around the drawing of one caption.

    Attributes:
        caption: Index of the caption.
        encloses: True when the caption stands within the frame, False when beside it.
    """

    bbox: BoundingBox
    caption: int
    encloses: bool


@dataclass(slots=True)
class Frames:
    """The frames of a page and the rules they are made of."""

    cells: list[Frame] = field(default_factory=list)
    horizontals: list[Rule] = field(default_factory=list)
    verticals: list[Rule] = field(default_factory=list)

    def is_part(self, drawing: Drawing) -> bool:
        """Tell whether a drawing is one of the rules or a box that is made of them."""
        box = drawing.bbox
        if drawing.has_curves or drawing.n_items > _MAX_ITEMS_OF_FRAME:
            return False
        if box.height < _MAX_THICKNESS_PT and box.width > 2 * box.height:
            middle = (box.top + box.bottom) / 2
            return _lies_on(self.horizontals, middle, box.left, box.right)
        if box.width < _MAX_THICKNESS_PT:
            middle = (box.left + box.right) / 2
            return _lies_on(self.verticals, middle, box.top, box.bottom)
        return all(
            _lies_on(self.horizontals, y, box.left, box.right) for y in (box.top, box.bottom)
        ) and all(_lies_on(self.verticals, x, box.top, box.bottom) for x in (box.left, box.right))

    def frame_of(self, box: BoundingBox) -> Frame | None:
        """Return the frame that a drawing lies in."""
        return next((cell for cell in self.cells if cell.bbox.contains_center(box)), None)


def _lies_on(rules: Iterable[Rule], position: float, start: float, end: float) -> bool:
    return any(
        abs(rule.position - position) < _ON_RULE_PT
        and start > rule.start - _MAX_BREAK_PT
        and end < rule.end + _MAX_BREAK_PT
        for rule in rules
    )


def find_frames(page: PageContent, captions: Sequence[Caption], *, captions_above: bool) -> Frames:
    """Find the rules that enclose captions with their drawings, and frames beside captions.

    Args:
        page: With its rules.
        captions: Of figures on this page.
        captions_above: Side of the frames beside captions.
    """
    frames = Frames()
    if not captions:
        return frames
    horizontals = _joined((r for r in page.rules if r.horizontal), page.width)
    verticals = _joined((r for r in page.rules if not r.horizontal), page.height)
    cells: list[Frame] = []
    for index, caption in enumerate(captions):
        cell = _cell_around(caption.bbox, horizontals, verticals)
        if cell is not None:
            frames.horizontals += cell[:2]
            frames.verticals += cell[2:]
            cells.append(Frame(_area(cell), index, encloses=True))
    _add_rules_between(frames, horizontals, verticals)
    cells = [cell for cell in cells if _is_of_one(cell, captions, page)]
    beside = []
    for index, caption in enumerate(captions):
        if not caption.label:
            continue  # the frame below the title of a plot is the plot's, with labels around it
        for gap, area in _boxes_beside(caption.bbox, horizontals, verticals, below=captions_above):
            beside.append((gap, Frame(area, index, encloses=False)))
    claims = Counter(frame.bbox for _gap, frame in beside)
    for _gap, frame in sorted(beside, key=lambda pair: pair[0]):
        taken = claims[frame.bbox] > 1 or any(
            cell.caption == frame.caption or cell.bbox.intersection_area(frame.bbox) > 0
            for cell in cells
        )
        if not taken and _is_of_one(frame, captions, page):
            cells.append(frame)
    frames.cells = cells
    return frames


def _is_of_one(cell: Frame, captions: Sequence[Caption], page: PageContent) -> bool:
    inside = [i for i, c in enumerate(captions) if cell.bbox.contains_center(c.bbox)]
    if inside != ([cell.caption] if cell.encloses else []):
        return False
    marks = [*(d.bbox for d in page.drawings), *(i.bbox for i in page.images)]
    if not cell.encloses and any(_pokes_out(mark, cell.bbox) for mark in marks):
        return False
    return any(_is_inside(mark, cell.bbox) for mark in marks)


def _pokes_out(mark: BoundingBox, area: BoundingBox) -> bool:
    """True for the wires of a block and the ticks of a plot, which are drawings themselves."""
    is_rule = min(mark.width, mark.height) < _MAX_THICKNESS_PT and (
        max(mark.width, mark.height) > 0.8 * max(area.width, area.height)
    )
    if is_rule or mark.width > 0.95 * area.width:
        return False
    touches = (
        mark.left < area.right + 1
        and mark.right > area.left - 1
        and mark.top < area.bottom + 1
        and mark.bottom > area.top - 1
    )
    outside = (
        mark.left < area.left - _MIN_POKE_PT
        or mark.right > area.right + _MIN_POKE_PT
        or mark.top < area.top - _MIN_POKE_PT
        or mark.bottom > area.bottom + _MIN_POKE_PT
    )
    return touches and outside


def _is_inside(mark: BoundingBox, area: BoundingBox) -> bool:
    return (
        mark.left > area.left + _ON_RULE_PT
        and mark.right < area.right - _ON_RULE_PT
        and mark.top > area.top + _ON_RULE_PT
        and mark.bottom < area.bottom - _ON_RULE_PT
    )


def _joined(rules: Iterable[Rule], extent: float) -> list[Rule]:
    """Join rules that go on each other.

    Short ones are left out, and those that run off the page: limits of a plot, which are clipped.
    """
    joined: list[Rule] = []
    for group in _collinear(rules):
        group.sort(key=lambda rule: rule.start)
        last = group[0]
        for rule in group[1:]:
            if rule.start < last.end + _MAX_BREAK_PT:
                last = replace(last, end=max(last.end, rule.end))
            else:
                joined.append(last)
                last = rule
        joined.append(last)
    return [
        rule
        for rule in joined
        if rule.end - rule.start >= _MIN_RULE_PT
        and rule.start > -_MAX_BREAK_PT
        and rule.end < extent + _MAX_BREAK_PT
    ]


def _collinear(rules: Iterable[Rule]) -> Iterator[list[Rule]]:
    group: list[Rule] = []
    long = (rule for rule in rules if rule.end - rule.start >= _MIN_PIECE_PT)
    for rule in sorted(long, key=lambda rule: rule.position):
        if group and rule.position - group[0].position > _SAME_LINE_PT:
            yield group
            group = []
        group.append(rule)
    if group:
        yield group


def _cell_around(
    caption: BoundingBox, horizontals: Sequence[Rule], verticals: Sequence[Rule]
) -> tuple[Rule, Rule, Rule, Rule] | None:
    """Return the nearest rules above, below, left and right that make a closed cell."""
    beside = [v for v in verticals if v.start < caption.top + 2 and v.end > caption.bottom - 2]
    left = max(
        (v for v in beside if v.position < caption.left + 3),
        key=lambda v: v.position,
        default=None,
    )
    right = min(
        (v for v in beside if v.position > caption.right - 3),
        key=lambda v: v.position,
        default=None,
    )
    if left is None or right is None:
        return None
    across = [
        h
        for h in horizontals
        if h.start < left.position + _MAX_BREAK_PT
        and h.end > right.position - _MAX_BREAK_PT
        and max(left.start, right.start) - _MAX_BREAK_PT < h.position
        and h.position < min(left.end, right.end) + _MAX_BREAK_PT
    ]
    middle = (caption.top + caption.bottom) / 2
    top = max((h for h in across if h.position < middle), key=lambda h: h.position, default=None)
    bottom = min((h for h in across if h.position > middle), key=lambda h: h.position, default=None)
    if top is None or bottom is None:
        return None
    return top, bottom, left, right


def _boxes_beside(
    caption: BoundingBox, horizontals: Sequence[Rule], verticals: Sequence[Rule], *, below: bool
) -> Iterator[tuple[float, BoundingBox]]:
    """Yield frames that begin right below a caption, or end right above it, with the distance."""
    for edge in horizontals:
        gap = edge.position - caption.bottom if below else caption.top - edge.position
        if not -2 < gap < _BESIDE_PT or edge.end - edge.start < _MIN_SIDE_PT:
            continue
        if edge.start < caption.right and edge.end > caption.left:
            area = _box_on(edge, horizontals, verticals, downwards=below)
            if area is not None:
                yield gap, area


def _box_on(
    edge: Rule, horizontals: Sequence[Rule], verticals: Sequence[Rule], *, downwards: bool
) -> BoundingBox | None:
    """Return the box of which a rule is the upper (or lower) side."""
    left, right = (
        next((v for v in verticals if _meet(v, edge, x, downwards=downwards)), None)
        for x in (edge.start, edge.end)
    )
    if left is None or right is None:
        return None
    far = (left.end + right.end) / 2 if downwards else (left.start + right.start) / 2
    other = next((h for h in horizontals if _are_parallel(h, edge, far)), None)
    if other is None:
        return None
    return _area((edge, other, left, right) if downwards else (other, edge, left, right))


def _meet(vertical: Rule, edge: Rule, x: float, *, downwards: bool) -> bool:
    near = vertical.start if downwards else vertical.end
    return (
        abs(vertical.position - x) < _MAX_BREAK_PT
        and abs(near - edge.position) < _MAX_BREAK_PT
        and vertical.end - vertical.start >= _MIN_SIDE_PT
    )


def _are_parallel(rule: Rule, edge: Rule, position: float) -> bool:
    return (
        abs(rule.position - position) < _MAX_BREAK_PT
        and abs(rule.start - edge.start) < _MAX_BREAK_PT
        and abs(rule.end - edge.end) < _MAX_BREAK_PT
    )


def _area(rules: tuple[Rule, Rule, Rule, Rule]) -> BoundingBox:
    top, bottom, left, right = rules
    return BoundingBox(left.position, top.position, right.position, bottom.position)


def _add_rules_between(
    frames: Frames, horizontals: Sequence[Rule], verticals: Sequence[Rule]
) -> None:
    """Take in the rules of the same grid: those that reach from rule to rule."""
    if not frames.horizontals:
        return
    frames.verticals += [v for v in verticals if _reaches_over(v, frames.horizontals)]
    frames.horizontals += [h for h in horizontals if _reaches_over(h, frames.verticals)]


def _reaches_over(rule: Rule, others: Sequence[Rule]) -> bool:
    crossing = [
        o.position
        for o in others
        if o.start - _MAX_BREAK_PT < rule.position < o.end + _MAX_BREAK_PT
        and rule.start - _MAX_BREAK_PT < o.position < rule.end + _MAX_BREAK_PT
    ]
    return bool(crossing) and (
        min(crossing) < rule.start + _MAX_BREAK_PT and max(crossing) > rule.end - _MAX_BREAK_PT
    )
