"""Drawings and bitmaps that lie close together, joined; frames around them are no part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import TypeVar

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import distance, encloses, padded, root_of, within
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.page import Drawing, PageContent, Rule
from desktop_qa.parse.table_grid import join_lines

K = TypeVar("K")

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
    """

    bbox: BoundingBox
    n_items: int
    has_curves: bool
    has_image: bool

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

    Rules of tables, frames and boxes around running text are left out; captions side by side keep
    the drawings above (or below) them apart.
    """
    raster = _Raster(page)
    places = [caption.bbox for caption in captions]
    for drawing in page.drawings:
        if not _is_beside_figures(drawing, page, places, text, frames):
            raster.add(Cluster(drawing.bbox, drawing.n_items, drawing.has_curves, has_image=False))
    for image in page.images:
        box = image.bbox
        is_small = min(image.width_px, image.height_px) <= 16
        is_whole = box.area >= 0.9 * page.bbox.area
        # Where the whole is of which the page shows a clipped part only is not known.
        is_clipped = within(box, page.bbox).area < _MIN_SEEN_SHARE * box.area
        if not (is_small or is_whole or is_clipped):
            raster.add(Cluster(box, 1, has_curves=False, has_image=True))
    return raster.clusters(tables, _Lanes(captions, captions_above, frames))


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
    if not encloses(padded(page.bbox, 2), box):
        return True
    if min(width, height) < 4 and (width > 0.6 * page.width or height > 0.45 * page.height):
        return True
    if not drawing.has_curves and drawing.n_items <= _MAX_ITEMS_OF_BACKGROUND:
        if width > 0.7 * page.width and height > 0.7 * page.height:
            return True
        around = padded(box, 1)
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
        by_height = sorted(captions, key=lambda c: c.bbox.top)
        rows = in_runs(by_height, lambda row, c: abs(row[0].bbox.top - c.bbox.top) < 14)
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
            away = middle - edge if self._above else edge - middle
            if 0 <= away < best_distance:
                best, best_distance = index, away
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

    def add(self, piece: Cluster) -> None:
        """Add a drawing; those that cover the same cells count as one from here on."""
        box = piece.bbox
        last_column, last_row = self._n_columns - 1, self._n_rows - 1
        key = (
            min(max(int(box.left / _CELL_PT), 0), last_column - 1),
            min(max(int(box.right / _CELL_PT) + 1, 1), last_column),
            min(max(int(box.top / _CELL_PT), 0), last_row - 1),
            min(max(int(box.bottom / _CELL_PT) + 1, 1), last_row),
        )
        _take_in(self._pieces, key, piece)

    def clusters(self, tables: Sequence[BoundingBox], lanes: _Lanes) -> list[Cluster]:
        """Join pieces whose cells meet; the rules of tables are left out."""
        pieces = [
            (key, piece)
            for key, piece in self._pieces.items()
            if not any(encloses(padded(table, 4), piece.bbox) for table in tables)
        ]
        lanes.measure([piece.bbox for _key, piece in pieces])
        pieces = [(key, piece) for key, piece in pieces if not lanes.spans_several(piece.bbox)]
        lane_of = [lanes.lane_of(piece.bbox) for _key, piece in pieces]
        owner: dict[int, int] = {}
        parent = list(range(len(pieces)))
        for index, ((left, right, top, bottom), _piece) in enumerate(pieces):
            for row in range(top, bottom + 1):
                start = row * self._n_columns
                for cell in range(start + left, start + right + 1):
                    other = owner.setdefault(cell, index)
                    if other != index and lane_of[other] == lane_of[index]:
                        parent[root_of(parent, index)] = root_of(parent, other)
        joined: dict[int, Cluster] = {}
        for index, (_key, piece) in enumerate(pieces):
            _take_in(joined, root_of(parent, index), piece)
        return list(joined.values())


def _take_in(clusters: dict[K, Cluster], key: K, piece: Cluster) -> None:
    whole = clusters.setdefault(key, piece)
    if whole is not piece:
        whole.add(piece)


_MIN_RULE_PT = 40.0
_MIN_SIDE_PT = 50.0
"""A box that is smaller belongs to a block diagram."""

_MAX_THICKNESS_PT = 3.0
_ON_RULE_PT = 2.0
_MAX_BREAK_PT = 3.0
_MIN_PIECE_PT = 6.0
"""Shorter strokes are steps of curves; a page has thousands of them."""

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
    """Find the rules that enclose captions with their drawings, and frames beside captions."""
    frames = Frames()
    if not captions:
        return frames
    horizontals = _long_rules((r for r in page.rules if r.horizontal), page.width)
    verticals = _long_rules((r for r in page.rules if not r.horizontal), page.height)
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
    inner = padded(cell.bbox, -_ON_RULE_PT)
    return any(encloses(inner, mark) for mark in marks)


def _pokes_out(mark: BoundingBox, area: BoundingBox) -> bool:
    """True for the wires of a block and the ticks of a plot, which are drawings themselves."""
    is_rule = min(mark.width, mark.height) < _MAX_THICKNESS_PT and (
        max(mark.width, mark.height) > 0.8 * max(area.width, area.height)
    )
    if is_rule or mark.width > 0.95 * area.width:
        return False
    return distance(mark, area) < 1 and not encloses(padded(area, _MIN_POKE_PT), mark)


def _long_rules(rules: Iterable[Rule], extent: float) -> list[Rule]:
    """Join rules; short ones are left out, and limits of a plot, which run off the page."""
    return [
        line
        for line in join_lines(rule for rule in rules if rule.length >= _MIN_PIECE_PT)
        if line.length >= _MIN_RULE_PT
        and line.start > -_MAX_BREAK_PT
        and line.end < extent + _MAX_BREAK_PT
    ]


def _cell_around(
    caption: BoundingBox, horizontals: Sequence[Rule], verticals: Sequence[Rule]
) -> tuple[Rule, Rule, Rule, Rule] | None:
    """Return the nearest rules above, below, left and right that make a closed cell."""
    beside = [v for v in verticals if v.start < caption.top + 2 and v.end > caption.bottom - 2]
    position = attrgetter("position")
    left = max((v for v in beside if v.position < caption.left + 3), key=position, default=None)
    right = min((v for v in beside if v.position > caption.right - 3), key=position, default=None)
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
    top = max((h for h in across if h.position < middle), key=position, default=None)
    bottom = min((h for h in across if h.position > middle), key=position, default=None)
    if top is None or bottom is None:
        return None
    return top, bottom, left, right


def _boxes_beside(
    caption: BoundingBox, horizontals: Sequence[Rule], verticals: Sequence[Rule], *, below: bool
) -> Iterator[tuple[float, BoundingBox]]:
    """Yield frames that begin right below a caption, or end right above it, with the distance."""
    for edge in horizontals:
        gap = edge.position - caption.bottom if below else caption.top - edge.position
        is_near = -2 < gap < _BESIDE_PT and edge.length >= _MIN_SIDE_PT
        if not is_near or edge.start >= caption.right or edge.end <= caption.left:
            continue
        for other in horizontals:
            top, bottom = (edge, other) if below else (other, edge)
            start, end = top.position, bottom.position
            is_parallel = _meet(other.start - edge.start, other.end - edge.end)
            if not is_parallel or end - start < _MIN_SIDE_PT:
                continue
            left, right = (
                [v for v in verticals if _meet(v.position - x, v.start - start, v.end - end)]
                for x in (edge.start, edge.end)
            )
            if left and right:
                yield gap, _area((top, bottom, left[0], right[0]))
                break


def _meet(*offs: float) -> bool:
    """Tell whether rules that are so many points apart count as touching."""
    return max(map(abs, offs)) < _MAX_BREAK_PT


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
