"""Figures: bitmaps and clusters of vector drawings with their labels and captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boxes import (
    clear_of,
    distance,
    encloses,
    join_near,
    overlap,
    padded,
    share_covered,
    union_of,
    within,
)
from desktop_qa.parse.captions import Caption, table_label
from desktop_qa.parse.clusters import Cluster, Frame, find_clusters, find_frames
from desktop_qa.parse.lines import MARKER, Line, join_markers
from desktop_qa.parse.page import Drawing, PageContent

_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 36.0, 24.0
_MIN_CAPTIONED_PT = 14.0
_MIN_UNCAPTIONED_AREA_PT2 = 3500.0
_MAX_LABELS_OF_BARE_FRAME = 10
_RULE_PT = 1.5
"""Of a frame, which is left out of the figure's place and image."""

_EDGE_PT = 6.0
"""Between the left edges of a table and of its title."""

_MIN_BITMAP_SHARE = 0.9
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
        frame: Area between the rules around the figure and its caption, when there are some.
    """

    page_no: int
    bbox: BoundingBox
    caption: Caption | None
    line_nos: frozenset[int]
    frame: BoundingBox | None = None


def find_figures(
    page: PageContent,
    fragments: Sequence[Line],
    captions: Sequence[Caption],
    tables: Sequence[BoundingBox],
    *,
    captions_above: bool = False,
) -> list[FoundFigure]:
    """Find the figures of a page, top to bottom, among words of no table and no furniture."""
    finder = _Finder(page, fragments, captions, tables, captions_above=captions_above)
    finder.match()
    # One that fails costs itself alone: its words stay text.
    found = (
        attempt(Stage.FIGURES, page.page_no, None, make)
        for make in (*finder.captioned(), *finder.alone())
    )
    kept = _disjoint([figure for figure in found if figure is not None])
    return sorted(kept, key=lambda figure: (figure.bbox.top, figure.bbox.left))


class _Finder:
    """The figures of one page; the methods are called once, in the order they stand."""

    def __init__(
        self,
        page: PageContent,
        fragments: Sequence[Line],
        captions: Sequence[Caption],
        tables: Sequence[BoundingBox],
        *,
        captions_above: bool,
    ) -> None:
        self._page = page
        self._captions = captions
        self._places = [caption.bbox for caption in captions]
        self._tables = tables
        self._above = captions_above
        in_caption = {line.words[0].line_no for caption in captions for line in caption.lines}
        self._text = [f for f in fragments if f.words[0].line_no not in in_caption]
        self._running = _running_text(self._text, page.drawings)
        self._labels = [
            f
            for f in self._text
            if f.words[0].line_no not in self._running
            and not any(_is_title_of(f, table) for table in tables)
        ]
        self._prose = [f.bbox for f in self._text if f.words[0].line_no in self._running]
        self._frames = find_frames(page, captions, captions_above=captions_above)
        self._framed = {frame.caption: frame for frame in self._frames.cells}
        self._parts: dict[int, list[Cluster]] = {}
        self._cores: dict[int, BoundingBox] = {}
        self._free: list[Cluster] = []

    def match(self) -> None:
        """Sort the drawings by caption; those without one stay free."""
        captions = self._captions
        for cluster in find_clusters(
            self._page,
            self._tables,
            captions,
            self._frames,
            self._prose,
            captions_above=self._above,
        ):
            frame = self._frames.frame_of(cluster.bbox)
            index = frame.caption if frame is not None else self._caption_of(cluster.bbox)
            if index is None:
                self._free.append(cluster)
            else:
                self._parts.setdefault(index, []).append(cluster)
        for index, parts in self._parts.items():
            kept = _of_one_side(parts, captions[index])
            self._free += [part for part in parts if part not in kept]
            self._parts[index] = kept
        for index, caption in enumerate(captions):
            if index not in self._parts:
                parts = self._beside_alone(caption)
                self._free = [cluster for cluster in self._free if cluster not in parts]
                if parts:
                    self._parts[index] = parts
        self._take_in_more()

    def _take_in_more(self) -> None:
        """Add what belongs to a drawing though no caption is near: strips, a second half."""
        open_parts = [pair for pair in self._parts.items() if pair[0] not in self._framed]
        for _index, parts in open_parts:
            self._take_stacked(parts)
        for index, parts in open_parts:
            self._take_beside(parts, self._captions[index])
        self._cores = {i: union_of(part.bbox for part in of) for i, of in self._parts.items()}

    def _caption_of(self, box: BoundingBox) -> int | None:
        """Return the nearest caption, one on the side where captions stand before all others."""
        best, best_cost = None, (True, _MAX_CAPTION_DISTANCE_PT)
        for index, caption in enumerate(self._captions):
            if index in self._framed:
                continue
            shared = min(box.right, caption.bbox.right) - max(box.left, caption.bbox.left)
            if shared < 0.25 * min(box.width, caption.bbox.width):
                continue
            middle = (caption.bbox.top + caption.bbox.bottom) / 2
            above = middle < (box.top + box.bottom) / 2
            distance = box.top - caption.bbox.bottom if above else caption.bbox.top - box.bottom
            other_side = above != self._above
            if distance > (_MAX_DISTANCE_OTHER_SIDE_PT if other_side else _MAX_CAPTION_DISTANCE_PT):
                continue
            cost = other_side, max(distance, 0.0)
            if cost < best_cost:
                best, best_cost = index, cost
        return best

    def _other_places(self, caption: Caption) -> list[BoundingBox]:
        return [other.bbox for other in self._captions if other is not caption]

    def _beside_alone(self, caption: Caption) -> list[Cluster]:
        """Find, among the free drawings, what a caption names that it does not lie above or below.

        A short caption may stand between drawings side by side, or at the margin where its drawing
        stands in the middle; running text parts it from other drawings.
        """
        box = caption.bbox
        near = []
        for cluster in self._free:
            gap = cluster.bbox.top - box.bottom if self._above else box.top - cluster.bbox.bottom
            is_mark = cluster.bbox.width > _MIN_MARK_PT and cluster.bbox.height > _MIN_MARK_PT
            if is_mark and -2 < gap < _MAX_CAPTION_DISTANCE_PT:
                near.append((gap, cluster))
        if not near:
            return []
        gap, first = min(near, key=lambda pair: pair[0])
        row = [
            c
            for _gap, c in near
            if min(c.bbox.bottom, first.bbox.bottom) - max(c.bbox.top, first.bbox.top)
            > 0.5 * min(c.bbox.height, first.bbox.height)
        ]
        whole = union_of(c.bbox for c in row)
        others = self._other_places(caption)
        if not whole.left < (box.left + box.right) / 2 < whole.right:
            others += self._prose
            if gap > _MAX_DISTANCE_ASIDE_PT:
                return []
        between = whole.union(box)
        return [] if any(between.intersection_area(other) > 0 for other in others) else row

    def _take_stacked(self, parts: list[Cluster]) -> None:
        """Take in the drawings that follow each other closely: the strips of one diagram."""
        obstacles = [*self._tables, *self._prose, *self._places]
        while True:
            box = union_of(part.bbox for part in parts)
            near = [
                c
                for c in self._free
                if distance(c.bbox, box) < _STACKED_PT
                and min(c.bbox.right, box.right) - max(c.bbox.left, box.left)
                > 0.5 * min(c.bbox.width, box.width)
                and not any(c.bbox.union(box).intersection_area(o) > 0 for o in obstacles)
            ]
            if not near:
                return
            parts += near
            self._free = [c for c in self._free if c not in near]

    def _take_beside(self, parts: list[Cluster], caption: Caption) -> None:
        """Take in the parts of a wide figure that its short, centred caption does not reach."""
        middle = (caption.bbox.left + caption.bbox.right) / 2
        # A caption beside this one has its own drawings.
        if abs(middle - self._page.width / 2) > 30 or any(
            abs(other.top - caption.bbox.top) < 60 for other in self._other_places(caption)
        ):
            return
        box = union_of(part.bbox for part in parts)
        taken = [
            c
            for c in self._free
            if min(box.bottom, c.bbox.bottom) - max(box.top, c.bbox.top) > 0.5 * c.bbox.height
        ]
        parts += taken
        self._free = [c for c in self._free if c not in taken]

    def captioned(self) -> Iterator[Callable[[], FoundFigure]]:
        """Yield what makes the figures with a caption."""
        for index, core in self._cores.items():
            if index in self._framed:
                yield partial(self._in_frame, self._framed[index], core)
            elif core.width >= _MIN_CAPTIONED_PT and core.height >= _MIN_CAPTIONED_PT:
                others = [other for key, other in self._cores.items() if key != index]
                others += self._tables
                yield partial(self._labelled, core, self._captions[index], others)

    def alone(self) -> Iterator[Callable[[], FoundFigure]]:
        """Yield what makes the figures without a caption."""
        taken = [*self._prose, *self._tables]
        captioned = list(self._cores.values())
        alone: list[BoundingBox] = []
        details: list[BoundingBox] = []
        for cluster in self._free:
            if _is_figure_by_itself(cluster, self._page, taken, self._labels):
                alone.append(cluster.bbox)
            elif cluster.bbox.area < _MIN_UNCAPTIONED_AREA_PT2 and not cluster.is_plain:
                details.append(cluster.bbox)
        boxes = join_near(alone, details, [*taken, *captioned, *self._places])
        for box in boxes:
            if not any(overlap(box, core) > 0.5 for core in captioned):
                apart = [other for other in boxes if other is not box]
                yield partial(self._labelled, box, None, [*captioned, *apart, *self._tables])

    def _labelled(
        self, core: BoundingBox, caption: Caption | None, others: Sequence[BoundingBox]
    ) -> FoundFigure:
        if caption is None and self._is_bitmap(core):
            inside = frozenset(
                f.words[0].line_no for f in self._labels if core.contains_center(f.bbox)
            )
            return FoundFigure(self._page.page_no, core, None, inside)
        box, inside = with_labels(core, caption, self._labels, self._captions, others)
        return FoundFigure(self._page.page_no, clear_of(box, self._places), caption, inside)

    def _is_bitmap(self, core: BoundingBox) -> bool:
        """True for a screenshot or photograph: what labels it is part of it."""
        images = (image.bbox for image in self._page.images)
        return share_covered(core, images) > _MIN_BITMAP_SHARE

    def _in_frame(self, frame: Frame, core: BoundingBox) -> FoundFigure:
        """Take the drawings of a frame with the words in it."""
        caption = self._captions[frame.caption]
        holds_table = any(map(frame.bbox.contains_center, self._tables))
        text = self._labels if frame.encloses or holds_table else self._text
        words = [f for f in text if frame.bbox.contains_center(f.bbox)]
        # The number of a drawing may stand in the row of its caption.
        row = replace(frame.bbox, top=caption.bbox.top, bottom=caption.bbox.bottom)
        labels = [f.bbox for f in words if not row.contains_center(f.bbox)]
        inner = padded(frame.bbox, -_RULE_PT)
        box = within(union_of([core, *labels]), inner if frame.encloses else frame.bbox)
        inside = frozenset(f.words[0].line_no for f in words)
        return FoundFigure(
            self._page.page_no,
            clear_of(box, self._places),
            caption,
            inside,
            inner if frame.encloses else None,
        )


def _of_one_side(parts: Sequence[Cluster], caption: Caption) -> list[Cluster]:
    """Keep what stands on the side of a caption where its larger drawings do, or beside it."""
    under = [part for part in parts if part.bbox.top >= caption.bbox.bottom]
    over = [part for part in parts if part.bbox.bottom <= caption.bbox.top]
    if not under or not over:
        return list(parts)
    areas = [sum(part.bbox.area for part in side) for side in (under, over)]
    other = over if areas[0] > areas[1] else under
    return [part for part in parts if part not in other]


def _is_title_of(line: Line, table: BoundingBox) -> bool:
    """Tell a bold line that begins right above a table's edge: no label of the drawing over it."""
    return (
        line.bold
        and abs(line.left - table.left) < _EDGE_PT
        and -_RULE_PT < table.top - line.baseline < line.size
    )


def _is_figure_by_itself(
    cluster: Cluster,
    page: PageContent,
    text: Sequence[BoundingBox],
    labels: Sequence[Line],
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
    if share_covered(box, text) > 0.25:
        return False
    if cluster.has_image or (cluster.has_curves and cluster.n_items >= 12):
        return True
    # Without a curve it may be a table that was not recognised, whose words must not be lost.
    n_labels = sum(box.contains_center(line.bbox) for line in labels)
    return cluster.n_items >= 20 and n_labels <= _MAX_LABELS_OF_BARE_FRAME


def _disjoint(figures: Sequence[FoundFigure]) -> list[FoundFigure]:
    """Drop a figure that lies within another one; a word belongs to one figure only."""
    kept: list[FoundFigure] = []
    taken: frozenset[int] = frozenset()
    for figure in sorted(figures, key=lambda f: (f.caption is None, -f.bbox.area)):
        if figure.caption is None and any(overlap(figure.bbox, other.bbox) > 0.7 for other in kept):
            continue
        kept.append(replace(figure, line_nos=figure.line_nos - taken))
        taken |= figure.line_nos
    return kept


_MAX_CAPTION_DISTANCE_PT = 130.0
_MAX_DISTANCE_OTHER_SIDE_PT = 30.0
"""On the side where the page's captions do not stand."""

_MIN_MARK_PT = 8.0
_MAX_DISTANCE_ASIDE_PT = 60.0
_STACKED_PT = 40.0


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


def _running_text(fragments: Sequence[Line], drawings: Sequence[Drawing]) -> frozenset[int]:
    """Return the `line_no` of sentences, lists and notes, which label nothing.

    What stands in a box of its own belongs to that.
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
        if encloses(place, padded(box, -1)):
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
        other.words[0].angle in (90, 270)
        and line.right <= other.left
        and other.right <= nearest.left + 1
        and other.bbox.top < middle < other.bbox.bottom
        for other in text
    )
    return None if between else nearest


def _is_nearer(label: BoundingBox, others: Iterable[BoundingBox], core: BoundingBox) -> bool:
    """True when another drawing of the page is nearer to a label than this one."""
    own = distance(label, core)
    return any(distance(label, other) < own for other in others)


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
