"""Figures: bitmaps and clusters of vector drawings with their labels and captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent

_CELL_PT = 6.0
"""Drawings nearer than one or two of these cells belong to one cluster."""

_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 36.0, 24.0
_MIN_UNCAPTIONED_AREA_PT2 = 3500.0
_MAX_CAPTION_DISTANCE_PT = 130.0
_LABEL_REACH_PT = 16.0
_HEAD_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Caption:
    """The lines of a figure's caption."""

    label: str
    text: str
    lines: tuple[Line, ...]
    bbox: BoundingBox


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """A figure on a page.

    Attributes:
        bbox: Of the drawing with its labels, without the caption.
        caption: None for a figure without one.
        line_nos: Engine lines inside, which are no text of the page.
    """

    page_no: int
    bbox: BoundingBox
    caption: Caption | None
    line_nos: frozenset[int]


@dataclass(slots=True)
class _Cluster:
    bbox: BoundingBox
    n_items: int
    has_curves: bool
    has_image: bool

    def add(self, other: _Cluster) -> None:
        """Take in another drawing."""
        self.bbox = self.bbox.union(other.bbox)
        self.n_items += other.n_items
        self.has_curves |= other.has_curves
        self.has_image |= other.has_image


def find_figures(
    page: PageContent,
    fragments: Sequence[Line],
    captions: Sequence[Caption],
    tables: Sequence[BoundingBox],
    *,
    captions_above: bool = False,
) -> list[FoundFigure]:
    """Find the figures of a page, top to bottom.

    Args:
        page: With its drawings and images.
        fragments: Runs of words that belong to no table and are no furniture.
        captions: Of figures on this page.
        tables: Places of the tables: their rules are no drawing.
        captions_above: Side on which this document sets its captions.
    """
    clusters = _find_clusters(page, tables)
    in_caption = {line.words[0].line_no for caption in captions for line in caption.lines}
    text = [f for f in fragments if f.words[0].line_no not in in_caption]
    by_caption: dict[int, list[_Cluster]] = {}
    free: list[_Cluster] = []
    for cluster in clusters:
        index = _caption_of(cluster.bbox, captions, tables, captions_above)
        if index is not None:
            by_caption.setdefault(index, []).append(cluster)
        elif _is_figure_by_itself(cluster, page):
            free.append(cluster)
    found = []
    for index, parts in by_caption.items():
        box = _union(part.bbox for part in parts)
        if box.width >= _MIN_WIDTH_PT and box.height >= _MIN_HEIGHT_PT:
            found.append(_with_labels(page, box, captions[index], text, captions))
    for box in _joined(cluster.bbox for cluster in free):
        if not any(_overlap(box, figure.bbox) > 0.5 for figure in found):
            found.append(_with_labels(page, box, None, text, captions))
    return sorted(_disjoint(found), key=lambda figure: (figure.bbox.top, figure.bbox.left))


def _find_clusters(page: PageContent, tables: Sequence[BoundingBox]) -> list[_Cluster]:
    raster = _Raster(page)
    wide, high = 0.93 * page.width, 0.85 * page.height
    long = 0.6 * page.width
    for drawing in page.drawings:
        box = drawing.bbox
        width, height = box.right - box.left, box.bottom - box.top
        if (width > wide and height > high) or (min(width, height) < 3 and max(width, height) > long):
            continue
        raster.add(box, drawing.n_items, drawing.has_curves, has_image=False)
    for image in page.images:
        box = image.bbox
        if (
            min(image.width_px, image.height_px) > 16
            and box.area < 0.9 * page.width * page.height
        ):
            raster.add(box, 1, has_curves=False, has_image=True)
    return raster.clusters(tables)


class _Raster:
    """Joins drawings over a coarse raster of the page: linear in their number."""

    def __init__(self, page: PageContent) -> None:
        self._n_columns = int(page.width / _CELL_PT) + 3
        self._n_rows = int(page.height / _CELL_PT) + 3
        self._pieces: dict[tuple[int, int, int, int], _Cluster] = {}

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
            self._pieces[key] = _Cluster(box, n_items, has_curves, has_image)
        else:
            known.add(_Cluster(box, n_items, has_curves, has_image))

    def clusters(self, tables: Sequence[BoundingBox]) -> list[_Cluster]:
        """Join pieces whose cells meet; the rules of tables are left out."""
        pieces = [
            (key, piece)
            for key, piece in self._pieces.items()
            if not _inside_any(piece.bbox, tables)
        ]
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
                    if other != index:
                        parent[root(index)] = root(other)
        joined: dict[int, _Cluster] = {}
        for index, (_key, piece) in enumerate(pieces):
            if (known := joined.get(root(index))) is None:
                joined[root(index)] = piece
            else:
                known.add(piece)
        return list(joined.values())


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


def _is_figure_by_itself(cluster: _Cluster, page: PageContent) -> bool:
    box = cluster.bbox
    if box.bottom < _HEAD_SHARE * page.height or box.top > 0.93 * page.height:
        return False
    if box.width < _MIN_WIDTH_PT or box.height < _MIN_HEIGHT_PT:
        return False
    if cluster.has_image:
        return box.area > _MIN_UNCAPTIONED_AREA_PT2
    return cluster.has_curves and cluster.n_items >= 12 and box.area > _MIN_UNCAPTIONED_AREA_PT2


def _caption_of(
    box: BoundingBox,
    captions: Sequence[Caption],
    tables: Sequence[BoundingBox],
    captions_above: bool,
) -> int | None:
    best, best_cost = None, _MAX_CAPTION_DISTANCE_PT
    for index, caption in enumerate(captions):
        shared = min(box.right, caption.bbox.right) - max(box.left, caption.bbox.left)
        if shared < 0.25 * min(box.width, caption.bbox.width):
            continue
        middle = (caption.bbox.top + caption.bbox.bottom) / 2
        above = middle < (box.top + box.bottom) / 2
        distance = box.top - caption.bbox.bottom if above else caption.bbox.top - box.bottom
        cost = max(distance, 0.0) * (1.0 if above == captions_above else 4.0)
        if above != captions_above:
            cost += 12.0
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


def _with_labels(
    page: PageContent,
    box: BoundingBox,
    caption: Caption | None,
    text: Sequence[Line],
    captions: Sequence[Caption],
) -> FoundFigure:
    """Grow a drawing over the words that label it: axes, legends, notes before its caption."""
    inside: set[int] = set()
    core = box
    for reach in (2.0, _LABEL_REACH_PT, _LABEL_REACH_PT):
        for line in text:
            line_no = line.words[0].line_no
            if line_no in inside or not _is_label(line, box, core, reach, caption):
                continue
            grown = box.union(line.bbox)
            if any(grown.intersection_area(c.bbox) > 0.2 * c.bbox.area for c in captions):
                continue
            inside.add(line_no)
            box = grown
    return FoundFigure(page.page_no, box, caption, frozenset(inside))


def _is_label(
    line: Line, box: BoundingBox, core: BoundingBox, reach: float, caption: Caption | None
) -> bool:
    grown = BoundingBox(box.left - reach, box.top - reach, box.right + reach, box.bottom + reach)
    if not grown.contains_center(line.bbox):
        if caption is None:
            return False
        return _is_between(line, core, caption)
    if box.contains_center(line.bbox) and reach < 5:
        return True
    if line.words[0].angle in (90, 270):
        return True
    inside = box.intersection_area(line.bbox) > 0.5 * line.bbox.area
    return inside or (len(line.text) <= 40 and line.size <= 9.0 and not line.text.endswith("."))


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


def _union(boxes: Iterable[BoundingBox]) -> BoundingBox:
    first, *rest = boxes
    for box in rest:
        first = first.union(box)
    return first


def _joined(boxes: Iterable[BoundingBox]) -> list[BoundingBox]:
    """Join boxes that touch when grown by the space between parts of one drawing."""
    joined: list[BoundingBox] = []
    for box in boxes:
        current = box
        while True:
            near = [b for b in joined if _distance(b, current) < 14]
            if not near:
                break
            joined = [b for b in joined if b not in near]
            current = _union([current, *near])
        joined.append(current)
    return joined


def _distance(a: BoundingBox, b: BoundingBox) -> float:
    across = max(a.left - b.right, b.left - a.right, 0.0)
    down = max(a.top - b.bottom, b.top - a.bottom, 0.0)
    return max(across, down)


def _overlap(a: BoundingBox, b: BoundingBox) -> float:
    return a.intersection_area(b) / max(min(a.area, b.area), 1.0)


def _disjoint(figures: Sequence[FoundFigure]) -> list[FoundFigure]:
    """Drop a figure that lies within another one."""
    kept: list[FoundFigure] = []
    for figure in sorted(figures, key=lambda f: (f.caption is None, -f.bbox.area)):
        if not any(
            _overlap(figure.bbox, other.bbox) > 0.7 for other in kept if figure.caption is None
        ):
            kept.append(figure)
    return kept
