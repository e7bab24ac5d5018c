"""Rectangles of drawings and text: their union, distance and what stands clear of what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_qa.core.document import BoundingBox

_SAME_DRAWING_PT = 14.0
_CLEARANCE_PT = 0.5
_MIN_LEFT_SHARE = 0.5
"""Of a box that is cut back from another; less would cut the drawing itself."""


def union_of(boxes: Iterable[BoundingBox]) -> BoundingBox:
    """Return the smallest box that holds all of them; there is at least one."""
    boxes = list(boxes)
    return BoundingBox(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def root_of(parents: list[int], index: int) -> int:
    """Return what all of the group of an index lead to; the way there is shortened."""
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def padded(box: BoundingBox, by: float) -> BoundingBox:
    """Grow a box on all sides, or shrink it where `by` is negative."""
    return BoundingBox(box.left - by, box.top - by, box.right + by, box.bottom + by)


def encloses(area: BoundingBox, box: BoundingBox) -> bool:
    """Tell whether a box lies in an area and reaches none of its sides."""
    return (
        area.left < box.left
        and box.right < area.right
        and area.top < box.top
        and box.bottom < area.bottom
    )


def distance(a: BoundingBox, b: BoundingBox) -> float:
    """White between two boxes in points, the larger of across and down; 0 where they meet."""
    across = max(a.left - b.right, b.left - a.right, 0.0)
    down = max(a.top - b.bottom, b.top - a.bottom, 0.0)
    return max(across, down)


def overlap(a: BoundingBox, b: BoundingBox) -> float:
    """Share of the smaller of two boxes that lies in the other."""
    return a.intersection_area(b) / max(min(a.area, b.area), 1.0)


def share_covered(box: BoundingBox, others: Iterable[BoundingBox]) -> float:
    """Share of a box that others cover, parts under several counted more than once."""
    return sum(box.intersection_area(other) for other in others) / max(box.area, 1.0)


def within(box: BoundingBox, area: BoundingBox) -> BoundingBox:
    """Cut a box at the edges of an area."""
    return BoundingBox(
        max(box.left, area.left),
        max(box.top, area.top),
        min(box.right, area.right),
        min(box.bottom, area.bottom),
    )


def clear_of(box: BoundingBox, others: Iterable[BoundingBox]) -> BoundingBox:
    """Cut a box back to the side of each other box (a caption) where most of it lies."""
    for other in others:
        if box.intersection_area(other) <= 0:
            continue
        cuts = [
            replace(box, bottom=other.top - _CLEARANCE_PT),
            replace(box, top=other.bottom + _CLEARANCE_PT),
            replace(box, right=other.left - _CLEARANCE_PT),
            replace(box, left=other.right + _CLEARANCE_PT),
        ]
        largest = max(cuts, key=lambda cut: cut.area)
        if largest.area > _MIN_LEFT_SHARE * box.area:
            box = largest
    return box


def join_near(
    drawings: Iterable[BoundingBox],
    details: Sequence[BoundingBox],
    obstacles: Sequence[BoundingBox],
) -> list[BoundingBox]:
    """Join drawings that only little white parts, and the details beside them."""
    joined: list[BoundingBox] = []
    for drawing in drawings:
        box, free = drawing, [*joined, *details]
        while True:
            near = [
                other
                for other in free
                if distance(other, box) < _SAME_DRAWING_PT
                and not any(_lies_between(o, box, other) for o in obstacles)
            ]
            if not near:
                break
            free = [other for other in free if other not in near]
            box = union_of([box, *near])
        joined = [box, *(other for other in joined if other in free)]
    return joined


def _lies_between(obstacle: BoundingBox, box: BoundingBox, other: BoundingBox) -> bool:
    covered = obstacle.intersection_area(box) + obstacle.intersection_area(other)
    return obstacle.intersection_area(box.union(other)) > covered
