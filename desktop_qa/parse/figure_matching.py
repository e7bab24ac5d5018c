"""Which drawings a caption names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import distance, union_of
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.clusters import Cluster
from desktop_qa.parse.frames import Frame
from desktop_qa.parse.page import PageContent

_MAX_CAPTION_DISTANCE_PT = 130.0
_MAX_DISTANCE_OTHER_SIDE_PT = 30.0
"""On the side where the page's captions do not stand."""

_MIN_MARK_PT = 8.0
_MAX_DISTANCE_ASIDE_PT = 60.0
_STACKED_PT = 40.0


def caption_of(
    box: BoundingBox,
    captions: Sequence[Caption],
    tables: Sequence[BoundingBox],
    captions_above: bool,
    framed: Mapping[int, Frame],
) -> int | None:
    """Return the nearest caption, one on the side where captions stand before all others."""
    best, best_cost = None, (True, _MAX_CAPTION_DISTANCE_PT)
    for index, caption in enumerate(captions):
        if index in framed:
            continue
        shared = min(box.right, caption.bbox.right) - max(box.left, caption.bbox.left)
        if shared < 0.25 * min(box.width, caption.bbox.width):
            continue
        middle = (caption.bbox.top + caption.bbox.bottom) / 2
        above = middle < (box.top + box.bottom) / 2
        distance = box.top - caption.bbox.bottom if above else caption.bbox.top - box.bottom
        other_side = above != captions_above
        if distance > (_MAX_DISTANCE_OTHER_SIDE_PT if other_side else _MAX_CAPTION_DISTANCE_PT):
            continue
        cost = other_side, max(distance, 0.0)
        if cost < best_cost and not _is_cut_off(box, caption, captions, tables):
            best, best_cost = index, cost
    return best


def _is_cut_off(
    box: BoundingBox,
    caption: Caption,
    captions: Sequence[Caption],
    tables: Sequence[BoundingBox],
) -> bool:
    """True when a table or another caption stands between a drawing and a caption."""
    top = min(box.bottom, caption.bbox.bottom)
    bottom = max(box.top, caption.bbox.top)
    between = BoundingBox(
        max(box.left, caption.bbox.left), top, min(box.right, caption.bbox.right), bottom
    )
    others = [c.bbox for c in captions if c is not caption] + list(tables)
    return bottom > top and any(between.intersection_area(other) > 0 for other in others)


def beside_alone(
    caption: Caption,
    captions: Sequence[Caption],
    free: Sequence[Cluster],
    text: Sequence[BoundingBox],
    captions_above: bool,
) -> tuple[list[Cluster], list[Cluster]]:
    """Find what a caption names that it does not lie above or below.

    A short caption may stand between drawings side by side, or at the margin where its drawing
    stands in the middle.

    Args:
        caption: That has no drawing above or below.
        captions: All of the page.
        free: Drawings without a caption.
        text: Places of running text, which parts a caption from other drawings.
        captions_above: Side on which the page sets its captions.

    Returns:
        Drawings of the caption, and those that stay free.
    """
    box = caption.bbox
    near = []
    for cluster in free:
        gap = cluster.bbox.top - box.bottom if captions_above else box.top - cluster.bbox.bottom
        is_mark = cluster.bbox.width > _MIN_MARK_PT and cluster.bbox.height > _MIN_MARK_PT
        if is_mark and -2 < gap < _MAX_CAPTION_DISTANCE_PT:
            near.append((gap, cluster))
    if not near:
        return [], list(free)
    gap, first = min(near, key=lambda pair: pair[0])
    row = [
        c
        for _gap, c in near
        if min(c.bbox.bottom, first.bbox.bottom) - max(c.bbox.top, first.bbox.top)
        > 0.5 * min(c.bbox.height, first.bbox.height)
    ]
    whole = union_of(c.bbox for c in row)
    others = [c.bbox for c in captions if c is not caption]
    middle = (box.left + box.right) / 2
    between = whole.union(box)
    if not whole.left < middle < whole.right:
        others += text
        if gap > _MAX_DISTANCE_ASIDE_PT:
            return [], list(free)
    if any(between.intersection_area(other) > 0 for other in others):
        return [], list(free)
    return row, [c for c in free if c not in row]


def take_stacked(
    parts: list[Cluster],
    caption: Caption,
    free: Sequence[Cluster],
    obstacles: Sequence[BoundingBox],
) -> list[Cluster]:
    """Take in the drawings that follow each other closely: the strips of one diagram.

    Returns:
        Clusters that stay free.
    """
    rest = list(free)
    while True:
        box = union_of(part.bbox for part in parts)
        near = [
            c
            for c in rest
            if distance(c.bbox, box) < _STACKED_PT
            and min(c.bbox.right, box.right) - max(c.bbox.left, box.left)
            > 0.5 * min(c.bbox.width, box.width)
            and not any(c.bbox.union(box).intersection_area(o) > 0 for o in obstacles)
            and c.bbox.union(box).intersection_area(caption.bbox) <= 0
        ]
        if not near:
            return rest
        parts += near
        rest = [c for c in rest if c not in near]


def take_beside(
    parts: list[Cluster],
    caption: Caption,
    captions: Sequence[Caption],
    free: Sequence[Cluster],
    page: PageContent,
) -> list[Cluster]:
    """Take in the parts of a wide figure that its short, centred caption does not reach.

    Returns:
        Clusters that stay free.
    """
    middle = (caption.bbox.left + caption.bbox.right) / 2
    if abs(middle - page.width / 2) > 30:
        return list(free)
    box = union_of(part.bbox for part in parts)
    rest = []
    for cluster in free:
        shared = min(box.bottom, cluster.bbox.bottom) - max(box.top, cluster.bbox.top)
        # A caption beside this one has its own drawings.
        crowded = any(
            c is not caption and abs(c.bbox.top - caption.bbox.top) < 60 for c in captions
        )
        if shared > 0.5 * cluster.bbox.height and not crowded:
            parts.append(cluster)
        else:
            rest.append(cluster)
    return rest
