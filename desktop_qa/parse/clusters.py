"""Drawings and bitmaps that lie close together, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import within
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.frames import Frames
from desktop_qa.parse.page import Drawing, PageContent

_CELL_PT = 6.0
"""Drawings nearer than one or two of these cells belong to one cluster."""

_MIN_SEEN_SHARE = 0.9
_MAX_ITEMS_OF_BACKGROUND = 8
"""Operators of a box around text: it frames a part of the page or shades a title."""

_MIN_FRAMED_LINES = 3
"""Of running text; a drawing may have a note of a line or two in its box."""


@dataclass(slots=True)
class Cluster:
    """Drawings that lie together.

    Attributes:
        n_items: Path operators.
        has_curves: True with curves or slanted lines.
        parts: What it was joined from, in the order of the page.
    """

    bbox: BoundingBox
    n_items: int
    has_curves: bool
    has_image: bool
    parts: list[Cluster] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """True for a box or a bar."""
        return not self.has_curves and self.n_items <= _MAX_ITEMS_OF_BACKGROUND

    def add(self, other: Cluster) -> None:
        """Take in another drawing."""
        self.bbox = self.bbox.union(other.bbox)
        self.n_items += other.n_items
        self.has_curves |= other.has_curves
        self.has_image |= other.has_image


def find_clusters(
    page: PageContent,
    tables: Sequence[BoundingBox],
    captions: Sequence[Caption],
    frames: Frames,
    text: Sequence[BoundingBox],
    *,
    captions_above: bool,
) -> list[Cluster]:
    """Join the drawings and bitmaps of a page that lie close together.

    Args:
        page: With its drawings.
        tables: Places of tables, whose rules are left out.
        captions: Those side by side keep the drawings above (or below) them apart.
        frames: Around figures; their rules are left out, what they hold stays apart.
        text: Places of running text: a box around some is a frame of the page.
        captions_above: Side on which the document sets its captions.
    """
    raster = _Raster(page)
    places = [caption.bbox for caption in captions]
    for drawing in page.drawings:
        if not _is_beside_figures(drawing, page, places, text, frames):
            raster.add(drawing.bbox, drawing.n_items, drawing.has_curves, has_image=False)
    for image in page.images:
        box = image.bbox
        is_small = min(image.width_px, image.height_px) <= 16
        if not (is_small or _covers(box, page) or _runs_off(box, page)):
            raster.add(box, 1, has_curves=False, has_image=True)
    clusters = raster.clusters(tables, _Lanes(captions, captions_above, frames))
    return [part for cluster in clusters for part in _split_at(cluster, captions)]


def _split_at(cluster: Cluster, captions: Sequence[Caption]) -> list[Cluster]:
    """Part the drawings above a caption from those below it, where none passes by it."""
    for caption in captions:
        middle = (caption.bbox.top + caption.bbox.bottom) / 2
        if not cluster.bbox.top < middle < cluster.bbox.bottom:
            continue
        if min(cluster.bbox.right, caption.bbox.right) <= max(cluster.bbox.left, caption.bbox.left):
            continue
        over = [part for part in cluster.parts if part.bbox.bottom <= middle]
        under = [part for part in cluster.parts if part.bbox.top >= middle]
        if over and under and len(over) + len(under) == len(cluster.parts):
            return [piece for half in (over, under) for piece in _split_at(_joined(half), captions)]
    return [cluster]


def _joined(parts: Sequence[Cluster]) -> Cluster:
    first, *rest = parts
    whole = Cluster(first.bbox, first.n_items, first.has_curves, first.has_image, [first])
    for part in rest:
        whole.add(part)
        whole.parts.append(part)
    return whole


def _covers(box: BoundingBox, page: PageContent) -> bool:
    return box.area >= 0.9 * page.width * page.height


def _runs_off(box: BoundingBox, page: PageContent) -> bool:
    """True for a bitmap of which the page shows a clipped part only: where is not known."""
    seen = within(box, BoundingBox(0.0, 0.0, page.width, page.height))
    return seen.area < _MIN_SEEN_SHARE * box.area


def _is_beside_figures(
    drawing: Drawing,
    page: PageContent,
    captions: Sequence[BoundingBox],
    text: Sequence[BoundingBox],
    frames: Frames,
) -> bool:
    """Tell rules of the page, frames around text and what runs off the page."""
    box = drawing.bbox
    width, height = box.right - box.left, box.bottom - box.top
    # The curve of a plot that is clipped on the page runs on beyond its edge.
    if box.bottom > page.height + 2 or box.top < -2:
        return True
    if box.right > page.width + 2 or box.left < -2:
        return True
    if min(width, height) < 4 and (width > 0.6 * page.width or height > 0.45 * page.height):
        return True
    if not drawing.has_curves and drawing.n_items <= _MAX_ITEMS_OF_BACKGROUND:
        if width > 0.7 * page.width and height > 0.7 * page.height:
            return True
        around = BoundingBox(box.left - 1, box.top - 1, box.right + 1, box.bottom + 1)
        if any(map(around.contains_center, captions)):
            return True
        if sum(map(around.contains_center, text)) >= _MIN_FRAMED_LINES:
            return True
    return frames.is_part(drawing)


class _Lanes:
    """Captions that stand side by side divide the page above (or below) them into lanes."""

    _REACH_PT = 330.0

    def __init__(self, captions: Sequence[Caption], captions_above: bool, frames: Frames) -> None:
        self._above = captions_above
        self._frames = frames
        rows: list[list[Caption]] = []
        for caption in sorted(captions, key=lambda c: c.bbox.top):
            if rows and abs(rows[-1][0].bbox.top - caption.bbox.top) < 14:
                rows[-1].append(caption)
            else:
                rows.append([caption])
        self._rows = [sorted(row, key=lambda c: c.bbox.left) for row in rows]
        self._borders: list[list[float]] = [[] for _ in rows]

    def measure(self, boxes: Sequence[BoundingBox]) -> None:
        """Set the borders of the lanes in the widest white between the drawings."""
        for index, row in enumerate(self._rows):
            if len(row) < 2:
                continue
            here = [box for box in boxes if self._row_of(box) == index]
            centers = [(c.bbox.left + c.bbox.right) / 2 for c in row]
            self._borders[index] = [_widest_gap(a, b, here) for a, b in pairwise(centers)]

    def _row_of(self, box: BoundingBox) -> int | None:
        """Index of the nearest row of captions on the side where they stand."""
        best, best_distance = None, self._REACH_PT
        middle = (box.top + box.bottom) / 2
        for index, row in enumerate(self._rows):
            edge = row[0].bbox.bottom if self._above else row[0].bbox.top
            distance = middle - edge if self._above else edge - middle
            if 0 <= distance < best_distance:
                best, best_distance = index, distance
        return best

    def lane_of(self, box: BoundingBox) -> tuple[int, int] | None:
        """Row and lane of a drawing; None where no captions stand side by side.

        A frame is a lane of its own.
        """
        frame = self._frames.frame_of(box)
        if frame is not None:
            return -1, frame.caption
        row = self._row_of(box)
        if row is None or not self._borders[row]:
            return None
        middle = (box.left + box.right) / 2
        return row, sum(border < middle for border in self._borders[row])

    def spans_several(self, box: BoundingBox) -> bool:
        """True for frames and rules around figures that stand side by side."""
        row = self._row_of(box)
        if row is None or self._frames.frame_of(box) is not None:
            return False
        margin = 12.0
        return any(
            box.left < border - margin and box.right > border + margin
            for border in self._borders[row]
        )


def _widest_gap(start: float, end: float, boxes: Sequence[BoundingBox]) -> float:
    """Middle of the widest strip between two places that no narrow drawing covers."""
    narrow = sorted(
        (box.left, box.right)
        for box in boxes
        if box.right > start and box.left < end and box.width < 1.2 * (end - start)
    )
    best, reached = (0.0, (start + end) / 2), start
    for left, right in [*narrow, (end, end)]:
        if left - reached > best[0]:
            best = left - reached, (left + reached) / 2
        reached = max(reached, right)
    return best[1]


class _Raster:
    """Joins drawings over a coarse raster of the page: linear in their number."""

    def __init__(self, page: PageContent) -> None:
        self._n_columns = int(page.width / _CELL_PT) + 3
        self._n_rows = int(page.height / _CELL_PT) + 3
        self._pieces: dict[tuple[int, int, int, int], Cluster] = {}

    def add(self, box: BoundingBox, n_items: int, has_curves: bool, *, has_image: bool) -> None:
        """Add a drawing; those that cover the same cells count as one from here on."""
        last_column, last_row = self._n_columns - 1, self._n_rows - 1
        key = (
            min(max(int(box.left / _CELL_PT), 0), last_column - 1),
            min(max(int(box.right / _CELL_PT) + 1, 1), last_column),
            min(max(int(box.top / _CELL_PT), 0), last_row - 1),
            min(max(int(box.bottom / _CELL_PT) + 1, 1), last_row),
        )
        known = self._pieces.get(key)
        if known is None:
            self._pieces[key] = Cluster(box, n_items, has_curves, has_image)
        else:
            known.add(Cluster(box, n_items, has_curves, has_image))

    def clusters(self, tables: Sequence[BoundingBox], lanes: _Lanes) -> list[Cluster]:
        """Join pieces whose cells meet; the rules of tables are left out."""
        pieces = [
            (key, piece)
            for key, piece in self._pieces.items()
            if not _inside_any(piece.bbox, tables)
        ]
        lanes.measure([piece.bbox for _key, piece in pieces])
        pieces = [(key, piece) for key, piece in pieces if not lanes.spans_several(piece.bbox)]
        lane_of = [lanes.lane_of(piece.bbox) for _key, piece in pieces]
        owner: dict[int, int] = {}
        parent = list(range(len(pieces)))

        def root(index: int) -> int:
            while parent[index] != index:
                parent[index] = parent[parent[index]]
                index = parent[index]
            return index

        for index, ((left, right, top, bottom), _piece) in enumerate(pieces):
            for row in range(top, bottom + 1):
                start = row * self._n_columns
                for cell in range(start + left, start + right + 1):
                    other = owner.setdefault(cell, index)
                    if other != index and lane_of[other] == lane_of[index]:
                        parent[root(index)] = root(other)
        joined: dict[int, list[Cluster]] = {}
        for index, (_key, piece) in enumerate(pieces):
            joined.setdefault(root(index), []).append(piece)
        return [_joined(parts) for parts in joined.values()]


def _inside_any(box: BoundingBox, places: Sequence[BoundingBox]) -> bool:
    for place in places:
        if (
            box.left > place.left - 4
            and box.right < place.right + 4
            and box.top > place.top - 4
            and box.bottom < place.bottom + 4
        ):
            return True
    return False
