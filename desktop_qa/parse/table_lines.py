"""Straight lines of a page made ready for finding grids: rules joined, edges of fills added."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import Fill, PageContent, Rule, StyledWord

JOIN_GAP = 3.2
"""Points; dotted lines and lines drawn cell by cell have smaller gaps, columns never do."""

POSITION_TOLERANCE = 1.2
"""Points; strokes closer than this, side by side, are one line."""

MIN_LENGTH = 5.0
"""Points; what is shorter after joining is a tick, a letter or a dash."""

MAX_FILLS = 1200
"""Pages with more filled rectangles are drawings; their edges would only cost time."""

MAX_LINES = 1500
"""In one direction; beyond it the page is a drawing and only the longest lines are looked at."""

HIGHLIGHT_MARGIN = 1.0
"""Points between a highlighted word and the end of its colour."""

LINE_FIT = 2.5
"""Points between the upper or lower end of a word and that of its highlight."""

THICK_RULE = 4.5
"""Points; a long filled rectangle up to this thick is read as a rule."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line, joined from its pieces; see `Rule`.

    Attributes:
        drawn: False for the edge of a fill.
    """

    position: float
    start: float
    end: float
    drawn: bool = True

    @property
    def length(self) -> float:
        """In points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class LineSet:
    """The horizontal and vertical lines of a page, each by position."""

    horizontals: tuple[Line, ...]
    verticals: tuple[Line, ...]


def collect_lines(page: PageContent) -> LineSet:
    """Join the page's rules and the visible edges of its fills into lines."""
    rules = [*page.rules, *_thick_rules(page.fills)]
    fills = _cell_fills(page)
    horizontals = join_lines((r.position, r.start, r.end) for r in rules if r.horizontal)
    verticals = join_lines((r.position, r.start, r.end) for r in rules if not r.horizontal)
    edges = list(_fill_edges(fills, page.words))
    horizontal_edges = join_lines((p, s, e) for horizontal, p, s, e in edges if horizontal)
    vertical_edges = join_lines((p, s, e) for horizontal, p, s, e in edges if not horizontal)
    return LineSet(
        _capped(horizontals, horizontal_edges),
        _capped(verticals, vertical_edges),
    )


def join_lines(pieces: Iterable[tuple[float, float, float]]) -> list[Line]:
    """Join (position, start, end) pieces that lie on one line with small gaps.

    Returns:
        Lines of at least `MIN_LENGTH`, by position and start.
    """
    lines: list[Line] = []
    for group in _by_position(sorted(pieces)):
        group.sort(key=lambda piece: piece[1])
        position, start, end = group[0]
        for next_position, next_start, next_end in group[1:]:
            if next_start - end <= JOIN_GAP:
                end = max(end, next_end)
                continue
            _keep(lines, position, start, end)
            position, start, end = next_position, next_start, next_end
        _keep(lines, position, start, end)
    return lines


def _keep(lines: list[Line], position: float, start: float, end: float) -> None:
    if end - start >= MIN_LENGTH:
        lines.append(Line(position, start, end))


def _by_position(
    pieces: list[tuple[float, float, float]],
) -> Iterable[list[tuple[float, float, float]]]:
    group: list[tuple[float, float, float]] = []
    for piece in pieces:
        if group and piece[0] - group[0][0] > POSITION_TOLERANCE:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _capped(drawn: list[Line], edges: list[Line]) -> tuple[Line, ...]:
    lines = [*drawn, *(Line(e.position, e.start, e.end, drawn=False) for e in edges)]
    if len(lines) > MAX_LINES:
        lines = sorted(lines, key=lambda line: -line.length)[:MAX_LINES]
    return tuple(sorted(lines, key=lambda line: (line.position, line.start)))


def _thick_rules(fills: Sequence[Fill]) -> Iterable[Rule]:
    for fill in fills:
        box = fill.bbox
        if box.height <= THICK_RULE and box.width > 60:
            yield Rule(True, (box.top + box.bottom) / 2, box.left, box.right, box.height)


def _cell_fills(page: PageContent) -> list[Fill]:
    """Leave out backgrounds of the page and what is too small for a cell."""
    page_area = page.width * page.height
    fills = [
        fill
        for fill in page.fills
        if fill.bbox.area < 0.6 * page_area
        and (fill.bbox.height > THICK_RULE or fill.bbox.width <= 60)
        and fill.bbox.width > 2
        and fill.bbox.height > 2
    ]
    return fills if len(fills) <= MAX_FILLS else []


def _is_highlight(
    box: BoundingBox,
    lefts: list[tuple[float, float, float]],
    rights: list[tuple[float, float, float]],
) -> bool:
    """Tell a marker's stroke over words from the shading of a cell, which leaves a margin."""
    if box.height > 22:
        return False
    return _at_word_edge(box, box.left, lefts) and _at_word_edge(box, box.right, rights)


def _is_filled_by_words(box: BoundingBox, words: Sequence[StyledWord]) -> bool:
    """Tell a bright marker's stroke, cut to the height of a line, from a coloured cell."""
    if box.height > 22:
        return False
    covered = 0.0
    for word in words:
        overlap = min(word.bbox.right, box.right) - max(word.bbox.left, box.left)
        if (
            overlap > 0
            and abs(word.bbox.top - box.top) < LINE_FIT
            and abs(word.bbox.bottom - box.bottom) < LINE_FIT
        ):
            covered += overlap
    return covered > 0.75 * box.width


def _at_word_edge(box: BoundingBox, x: float, edges: list[tuple[float, float, float]]) -> bool:
    first = bisect.bisect_left(edges, (x - HIGHLIGHT_MARGIN,))
    for edge, top, bottom in edges[first:]:
        if edge > x + HIGHLIGHT_MARGIN:
            return False
        overlap = min(bottom, box.bottom) - max(top, box.top)
        if overlap > 0.6 * (bottom - top) and bottom - top > 0.6 * box.height:
            return True
    return False


def _fill_edges(
    fills: Sequence[Fill], words: Sequence[StyledWord]
) -> Iterable[tuple[bool, float, float, float]]:
    """Yield (horizontal, position, start, end) of the edges that the eye sees.

    Word processors shade a cell by several rectangles of one colour (margins, lines of text);
    where the same colour goes on beyond an edge, there is no edge.
    """
    if not fills:
        return
    boxes = np.array([(f.bbox.left, f.bbox.top, f.bbox.right, f.bbox.bottom) for f in fills])
    colors = np.array([f.color for f in fills])
    hidden = _hidden_edges(boxes, colors)
    lefts = sorted((w.bbox.left, w.bbox.top, w.bbox.bottom) for w in words)
    rights = sorted((w.bbox.right, w.bbox.top, w.bbox.bottom) for w in words)
    for index, fill in enumerate(fills):
        # A part of a cell's shading may fit its words as a highlight does, but has neighbours.
        if not hidden[index].any() and _is_highlight(fill.bbox, lefts, rights):
            continue
        if max(fill.color) - min(fill.color) > 0.3 and _is_filled_by_words(fill.bbox, words):
            continue
        box: BoundingBox = fill.bbox
        edges = (
            (True, box.top, box.left, box.right),
            (True, box.bottom, box.left, box.right),
            (False, box.left, box.top, box.bottom),
            (False, box.right, box.top, box.bottom),
        )
        for side, edge in enumerate(edges):
            if not hidden[index, side]:
                yield edge


def _hidden_edges(boxes: NDArray[np.float64], colors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell for each fill and side (top, bottom, left, right) whether its colour goes on beyond."""
    same = (np.abs(colors[:, None, :] - colors[None, :, :]) < 0.02).all(axis=2)
    same = same & ~np.eye(len(boxes), dtype=bool)
    left, top, right, bottom = boxes.T
    outside = 0.8
    hidden = np.ones((len(boxes), 4), dtype=bool)
    for part in (0.12, 0.5, 0.88):
        x, y = left + part * (right - left), top + part * (bottom - top)
        points = (
            (x, top - outside),
            (x, bottom + outside),
            (left - outside, y),
            (right + outside, y),
        )
        for side, (px, py) in enumerate(points):
            inside = (
                (px[:, None] >= left - 0.1)
                & (px[:, None] <= right + 0.1)
                & (py[:, None] >= top - 0.1)
                & (py[:, None] <= bottom + 0.1)
            )
            hidden[:, side] &= (inside & same).any(axis=1)
    return hidden
