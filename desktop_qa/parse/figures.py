"""Figures: bitmaps and clusters of vector drawings with their labels and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.clusters import Cluster, find_clusters
from desktop_qa.parse.frames import Frame, find_frames
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent

_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 36.0, 24.0
_MIN_CAPTIONED_PT = 14.0
_MIN_MARK_PT = 8.0
_MAX_DISTANCE_ASIDE_PT = 60.0
_STACKED_PT = 40.0
_MIN_UNCAPTIONED_AREA_PT2 = 3500.0
_MAX_CAPTION_DISTANCE_PT = 130.0
_MAX_DISTANCE_OTHER_SIDE_PT = 30.0
"""On the side where the page's captions do not stand."""

_LABEL_REACH_PT = 16.0
_MAX_ROUNDS = 5
"""A label may stand beside another label: so often a figure grows over its neighbours."""

_MAX_LABELS_OF_BARE_FRAME = 10
_CLEARANCE_PT = 0.5
_MIN_LEFT_SHARE = 0.5
"""Of a box that is cut back from a caption; less would cut the drawing itself."""

_HEAD_SHARE = 0.12
_FIRST_HEAD_SHARE = 0.2
"""The first page leads with the maker's logo and a banner."""


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
    in_caption = {line.words[0].line_no for caption in captions for line in caption.lines}
    text = [f for f in fragments if f.words[0].line_no not in in_caption]
    running = running_text(text)
    labels = [f for f in text if f.words[0].line_no not in running]
    by_caption: dict[int, list[Cluster]] = {}
    free: list[Cluster] = []
    frames = find_frames(page, captions, captions_above=captions_above)
    framed = {frame.caption: frame for frame in frames.cells}
    for cluster in find_clusters(page, tables, captions, frames, captions_above=captions_above):
        frame = frames.frame_of(cluster.bbox)
        index = (
            frame.caption
            if frame is not None
            else _caption_of(cluster.bbox, captions, tables, captions_above, framed)
        )
        if index is not None:
            by_caption.setdefault(index, []).append(cluster)
        else:
            free.append(cluster)
    found = []
    prose = [f.bbox for f in text if f.words[0].line_no in running]
    for index, caption in enumerate(captions):
        if index not in by_caption:
            beside, free = _beside_alone(caption, captions, free, prose, captions_above)
            if beside:
                by_caption[index] = beside
    obstacles = [*tables, *prose, *(caption.bbox for caption in captions)]
    for index, parts in by_caption.items():
        if index not in framed:
            free = _take_stacked(parts, captions[index], free, obstacles)
    cores: dict[int, BoundingBox] = {}
    for index, parts in by_caption.items():
        if index not in framed:
            free = _take_beside(parts, captions[index], captions, free, page)
        cores[index] = _union(part.bbox for part in parts)
    for index, parts in by_caption.items():
        core = cores[index]
        if index in framed:
            found.append(_in_frame(page, framed[index], parts, captions, text, running))
        elif core.width >= _MIN_CAPTIONED_PT and core.height >= _MIN_CAPTIONED_PT:
            others = [other for key, other in cores.items() if key != index]
            found.append(_with_labels(page, core, captions[index], labels, captions, others))
    taken = [*prose, *tables]
    alone = [c.bbox for c in free if _is_figure_by_itself(c, page, taken, labels)]
    for box in _joined(alone):
        if not any(_overlap(box, figure.bbox) > 0.5 for figure in found):
            others = [*cores.values(), *(other for other in alone if _distance(other, box) > 0)]
            found.append(_with_labels(page, box, None, labels, captions, others))
    return sorted(_disjoint(found), key=lambda figure: (figure.bbox.top, figure.bbox.left))


def _in_frame(
    page: PageContent,
    frame: Frame,
    parts: Iterable[Cluster],
    captions: Sequence[Caption],
    text: Sequence[Line],
    running: frozenset[int],
) -> FoundFigure:
    """Take the drawings of a frame with the words in it."""
    caption = captions[frame.caption]
    words = [
        f
        for f in text
        if frame.bbox.contains_center(f.bbox)
        and not (frame.encloses and f.words[0].line_no in running)
    ]
    # The number of a drawing may stand in the row of its caption.
    rows = BoundingBox(frame.bbox.left, caption.bbox.top, frame.bbox.right, caption.bbox.bottom)
    labels = [f.bbox for f in words if not rows.contains_center(f.bbox)]
    box = _within(_union([*(part.bbox for part in parts), *labels]), frame.bbox)
    inside = frozenset(f.words[0].line_no for f in words)
    return FoundFigure(page.page_no, clear_of(box, captions), caption, inside)


def clear_of(box: BoundingBox, captions: Iterable[Caption]) -> BoundingBox:
    """Cut a box back to the side of each caption where most of it lies."""
    for caption in captions:
        other = caption.bbox
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


def _within(box: BoundingBox, area: BoundingBox) -> BoundingBox:
    """Cut a box at the edges of an area."""
    return BoundingBox(
        max(box.left, area.left),
        max(box.top, area.top),
        min(box.right, area.right),
        min(box.bottom, area.bottom),
    )


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
    for fragment in fragments:
        for left in (-1, 0, 1):
            near = starts.get((round(fragment.left / 3) + left, fragment.size), ())
            if any(abs(fragment.baseline - b) < 1.6 * fragment.size for b in near):
                numbers.add(fragment.words[0].line_no)
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


def _beside_alone(
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
        text: Places of running text, which parts a caption from other drawings.

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
    whole = _union(c.bbox for c in row)
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


def _take_stacked(
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
        box = _union(part.bbox for part in parts)
        near = [
            c
            for c in rest
            if _distance(c.bbox, box) < _STACKED_PT
            and min(c.bbox.right, box.right) - max(c.bbox.left, box.left)
            > 0.5 * min(c.bbox.width, box.width)
            and not any(c.bbox.union(box).intersection_area(o) > 0 for o in obstacles)
            and c.bbox.union(box).intersection_area(caption.bbox) <= 0
        ]
        if not near:
            return rest
        parts += near
        rest = [c for c in rest if c not in near]


def _take_beside(
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
    box = _union(part.bbox for part in parts)
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


def _is_figure_by_itself(
    cluster: Cluster, page: PageContent, text: Sequence[BoundingBox], labels: Sequence[Line]
) -> bool:
    """Tell a drawing from a logo, a frame around text and the decoration of a page."""
    box = cluster.bbox
    head = _HEAD_SHARE if page.page_no > 1 else _FIRST_HEAD_SHARE
    if box.bottom < head * page.height or box.top > 0.93 * page.height:
        return False
    if box.width < _MIN_WIDTH_PT or box.height < _MIN_HEIGHT_PT:
        return False
    if box.area < _MIN_UNCAPTIONED_AREA_PT2:
        return False
    covered = sum(box.intersection_area(one) for one in text)
    if covered > 0.25 * box.area:
        return False
    if cluster.has_image or (cluster.has_curves and cluster.n_items >= 12):
        return True
    # Without a curve it may be a table that was not recognised, whose words must not be lost.
    n_labels = sum(box.contains_center(line.bbox) for line in labels)
    return cluster.n_items >= 20 and n_labels <= _MAX_LABELS_OF_BARE_FRAME


def _caption_of(
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


def _with_labels(
    page: PageContent,
    box: BoundingBox,
    caption: Caption | None,
    text: Sequence[Line],
    captions: Sequence[Caption],
    others: Sequence[BoundingBox],
) -> FoundFigure:
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
            if _is_nearer(line.bbox, others, core):
                continue
            grown = box.union(line.bbox)
            if any(grown.intersection_area(c.bbox) > 0.2 * c.bbox.area for c in captions):
                continue
            inside.add(line_no)
            box = grown
        if reach == _LABEL_REACH_PT and len(inside) == n_before:
            break
    return FoundFigure(page.page_no, clear_of(box, captions), caption, frozenset(inside))


def _is_nearer(label: BoundingBox, others: Iterable[BoundingBox], core: BoundingBox) -> bool:
    """True when another drawing of the page is nearer to a label than this one."""
    own = _distance(label, core)
    return own > 0 and any(_distance(label, other) < own for other in others)


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


def _is_title(line: Line, core: BoundingBox) -> bool:
    """A bold line centred above a drawing names it; it is no label of it."""
    off = abs((line.left + line.right) / 2 - (core.left + core.right) / 2)
    return line.bold and line.baseline < core.top + 1 and off < 0.08 * core.width + 6


def _is_heading(line: Line, core: BoundingBox, caption: Caption) -> bool:
    """A bold line above a drawing in larger type than its caption."""
    size = caption.lines[0].size
    return line.bold and line.baseline < core.top + 1 and line.size > 1.1 * size


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
