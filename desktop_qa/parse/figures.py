"""Figures: bitmaps and clusters of vector drawings with their labels and captions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boxes import clear_of, join_near, overlap, union_of, within
from desktop_qa.parse.captions import Caption
from desktop_qa.parse.clusters import Cluster, find_clusters
from desktop_qa.parse.figure_labels import running_text, with_labels
from desktop_qa.parse.figure_matching import beside_alone, caption_of, take_beside, take_stacked
from desktop_qa.parse.frames import Frame, find_frames
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent

P = ParamSpec("P")

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
    """Find the figures of a page, top to bottom.

    Args:
        page: With its drawings and images.
        fragments: Runs of words that belong to no table and are no furniture.
        captions: Of figures on this page.
        tables: Places of the tables: their rules are no drawing.
        captions_above: Side on which this document sets its captions.
    """
    finder = _Finder(page, fragments, captions, tables, captions_above=captions_above)
    finder.match()
    found = _disjoint([*finder.captioned(), *finder.alone()])
    return sorted(found, key=lambda figure: (figure.bbox.top, figure.bbox.left))


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
        self._running = running_text(self._text, page.drawings)
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
        captions, tables, above = self._captions, self._tables, self._above
        for cluster in find_clusters(
            self._page, tables, captions, self._frames, self._prose, captions_above=above
        ):
            frame = self._frames.frame_of(cluster.bbox)
            index = (
                frame.caption
                if frame is not None
                else caption_of(cluster.bbox, captions, tables, above, self._framed)
            )
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
                parts, self._free = beside_alone(caption, captions, self._free, self._prose, above)
                if parts:
                    self._parts[index] = parts
        self._take_in_more()

    def _take_in_more(self) -> None:
        """Add what belongs to a drawing though no caption is near: strips, a second half."""
        obstacles = [*self._tables, *self._prose, *self._places]
        open_parts = [pair for pair in self._parts.items() if pair[0] not in self._framed]
        for index, parts in open_parts:
            self._free = take_stacked(parts, self._captions[index], self._free, obstacles)
        for index, parts in open_parts:
            self._free = take_beside(
                parts, self._captions[index], self._captions, self._free, self._page
            )
        for index, parts in self._parts.items():
            self._cores[index] = union_of(part.bbox for part in parts)

    def captioned(self) -> Iterator[FoundFigure]:
        """Yield the figures with a caption."""
        for index, core in self._cores.items():
            if index in self._framed:
                yield from self._attempt(self._in_frame, self._framed[index], core)
            elif core.width >= _MIN_CAPTIONED_PT and core.height >= _MIN_CAPTIONED_PT:
                others = [other for key, other in self._cores.items() if key != index]
                others += self._tables
                yield from self._attempt(self._labelled, core, self._captions[index], others)

    def alone(self) -> Iterator[FoundFigure]:
        """Yield the figures without a caption."""
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
                yield from self._attempt(
                    self._labelled, box, None, [*captioned, *apart, *self._tables]
                )

    def _attempt(
        self, find: Callable[P, FoundFigure], *arguments: P.args, **options: P.kwargs
    ) -> Iterator[FoundFigure]:
        """Yield one figure, or none when it fails: its words stay text."""
        figure = attempt(Stage.FIGURES, self._page.page_no, None, find, *arguments, **options)
        if figure is not None:
            yield figure

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
        seen = sum(core.intersection_area(image.bbox) for image in self._page.images)
        return seen > _MIN_BITMAP_SHARE * core.area

    def _in_frame(self, frame: Frame, core: BoundingBox) -> FoundFigure:
        """Take the drawings of a frame with the words in it."""
        caption = self._captions[frame.caption]
        holds_table = any(map(frame.bbox.contains_center, self._tables))
        text = self._labels if frame.encloses or holds_table else self._text
        words = [f for f in text if frame.bbox.contains_center(f.bbox)]
        # The number of a drawing may stand in the row of its caption.
        row = replace(frame.bbox, top=caption.bbox.top, bottom=caption.bbox.bottom)
        labels = [f.bbox for f in words if not row.contains_center(f.bbox)]
        area = frame.bbox
        inner = BoundingBox(
            area.left + _RULE_PT,
            area.top + _RULE_PT,
            area.right - _RULE_PT,
            area.bottom - _RULE_PT,
        )
        box = within(union_of([core, *labels]), inner if frame.encloses else area)
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
    covered = sum(box.intersection_area(one) for one in text)
    if covered > 0.25 * box.area:
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
