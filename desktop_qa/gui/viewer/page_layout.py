"""How the pages are set out and where they stand on the canvas: plain geometry, no widgets.

Three coordinate systems meet here and nowhere else: points on a page as displayed (what a
`Provenance` has), fractions of a page (what survives zooming, turning and resizing), and the
canvas in logical pixels (what scrolls).

The canvas holds all pages in every mode. Where pages are turned, each spread (a page, or a pair)
has a stretch of the canvas at least as high as the window to itself, so that no other is seen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QTransform

from desktop_qa.core.document import BoundingBox, Provenance

MIN_FACTOR = 0.1
MAX_FACTOR = 16.0
MIN_FITTED_FACTOR = 0.01
"""A page of 200 inches still fits into a window; nobody chooses such a size by hand."""
FULL_TURN = 360
QUARTER_TURN = 90
_TURNS = {
    0: QTransform(),
    90: QTransform(0, 1, -1, 0, 1, 0),
    180: QTransform(-1, 0, 0, -1, 1, 1),
    270: QTransform(0, -1, 1, 0, 0, 1),
}
"""From the fractions of an upright page to those of one that is turned clockwise."""
_STEPS = (
    *(0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0),
    *(4.0, 6.0, 8.0, 12.0, 16.0),
)
_SAME = 0.01
"""A size this near to a step counts as on it."""

MARGIN = 28
"""Left and right of the widest page, so that a citation's number has room beside it."""
LINE_PX = 48
"""A key for a line scrolls by so much."""
GAP = 14
"""Above, between and below the pages."""
_MAX_CANVAS_PX = 1_500_000_000
"""Scroll bars count in 32 bits."""


class ZoomMode(StrEnum):
    """What the size of the pages follows."""

    FIT_WIDTH = "fit_width"
    FIT_PAGE = "fit_page"
    FACTOR = "factor"


@dataclass(frozen=True, slots=True)
class Zoom:
    """How large the pages are; a factor of 1.0 is the size on paper and counts in FACTOR alone."""

    mode: ZoomMode = ZoomMode.FIT_WIDTH
    factor: float = 1.0


class PageMode(StrEnum):
    """Which pages are on screen together.

    CONTINUOUS has all pages one below the other; the others turn page by page, or pair by pair.
    COVER_AND_PAIRS is a book: the first page stands alone on the right.
    """

    CONTINUOUS = "continuous"
    SINGLE = "single"
    PAIRS = "pairs"
    COVER_AND_PAIRS = "cover_and_pairs"

    @property
    def has_pairs(self) -> bool:
        """True when two pages stand side by side."""
        return self in (PageMode.PAIRS, PageMode.COVER_AND_PAIRS)


@dataclass(frozen=True, slots=True)
class PageArrangement:
    """How a document is shown, apart from the place; `rotation` is in degrees clockwise."""

    mode: PageMode = PageMode.CONTINUOUS
    zoom: Zoom = Zoom()
    rotation: int = 0

    def turned(self, quarter_turns: int) -> PageArrangement:
        """Return it with the pages turned clockwise, for negative numbers the other way."""
        return replace(self, rotation=(self.rotation + QUARTER_TURN * quarter_turns) % FULL_TURN)

    def to_text(self) -> str:
        """Write it in one line, to be kept in settings."""
        return f"{self.mode} {self.zoom.mode} {self.zoom.factor:.4f} {self.rotation}"

    @classmethod
    def from_text(cls, text: str) -> PageArrangement:
        """Read what `to_text` wrote; a ValueError says that it did not."""
        mode, zoom_mode, factor, rotation = text.split(" ")
        return cls(PageMode(mode), Zoom(ZoomMode(zoom_mode), float(factor)), int(rotation))


def spreads(mode: PageMode, n_pages: int) -> list[range]:
    """Return the indices of the pages that stand side by side, from the first to the last."""
    step = 2 if mode.has_pairs else 1
    first = [range(1)] if mode is PageMode.COVER_AND_PAIRS and n_pages else []
    return first + [range(i, min(i + step, n_pages)) for i in range(len(first), n_pages, step)]


def next_larger(factor: float) -> float:
    """Return the zoom step above a factor."""
    return next((step for step in _STEPS if step > factor * (1 + _SAME)), MAX_FACTOR)


def next_smaller(factor: float) -> float:
    """Return the zoom step below a factor."""
    return next((step for step in reversed(_STEPS) if step < factor * (1 - _SAME)), MIN_FACTOR)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A spot on a page in fractions of its width and height; outside 0 to 1 lies beside it.

    The page is meant upright: the same ink has the same anchor however the view is turned.
    """

    page_index: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """What is being read, and how far down in the window it stands: 0 is its top, 1 its bottom."""

    anchor: Anchor
    depth: float


START = ReadingPlace(Anchor(0, 0.5, 0.0), 0.0)
EYE_DEPTH = 1 / 3
"""How far down the eye is: cited places are brought here, and stay when the pane is resized."""


class PageLayout:
    """All pages of a document on one canvas; fitted spreads are scaled one by one.

    Args:
        sizes: Width and height of each page in points as displayed.
        viewport: What is visible of the canvas, in logical pixels.
        pixels_per_point: Logical pixels of a point at factor 1.

    Attributes:
        turns_pages: One spread is seen at a time.
    """

    def __init__(
        self,
        sizes: tuple[tuple[float, float], ...],
        viewport: QSize,
        arrangement: PageArrangement,
        pixels_per_point: float,
    ) -> None:
        self.sizes = sizes
        self.rotation = arrangement.rotation
        self._mode = arrangement.mode
        self.turns_pages = self._mode is not PageMode.CONTINUOUS
        self._viewport = viewport
        self._pixels_per_point = pixels_per_point
        self._spreads = spreads(self._mode, len(sizes))
        turned = [(h, w) if self.rotation % 180 else (w, h) for w, h in sizes]
        limit = _MAX_CANVAS_PX / max(sum(height for _, height in turned), 1.0)
        self._scales: list[float] = []
        self._spread_index: list[int] = []
        self._rects: list[QRect] = []
        self._starts: list[int] = []
        self._stretches: list[int] = []
        spread_sizes: list[list[tuple[int, int]]] = []
        for number, pages in enumerate(self._spreads):
            beside = turned[pages.start : pages.stop]
            scale = min(self._scale(beside, arrangement.zoom), limit)
            self._scales += [scale] * len(pages)
            self._spread_index += [number] * len(pages)
            spread_sizes.append(
                [(max(round(w * scale), 1), max(round(h * scale), 1)) for w, h in beside]
            )
        # A page without a partner stands where it would in a pair.
        widths = [
            pages[0][0] + (GAP + pages[-1][0] if self._mode.has_pairs else 0)
            for pages in spread_sizes
        ]
        self.width = max(viewport.width(), max(widths, default=0) + 2 * MARGIN)
        self.height = self._stack(spread_sizes, widths)

    def _scale(self, pages: list[tuple[float, float]], zoom: Zoom) -> float:
        """Return the logical pixels of a point for the pages of a spread."""
        per_point = self._pixels_per_point
        if zoom.mode is ZoomMode.FACTOR:
            return min(max(zoom.factor, MIN_FACTOR), MAX_FACTOR) * per_point
        width = sum(width for width, _ in pages)
        room = self._viewport.width() - 2 * MARGIN
        if self._mode.has_pairs:
            # A page without a partner is as large as in a pair.
            width *= 2 / len(pages)
            room -= GAP
        fitted = room / width
        if zoom.mode is ZoomMode.FIT_PAGE:
            height = max(height for _, height in pages)
            fitted = min(fitted, (self._viewport.height() - 2 * GAP) / height)
        return min(max(fitted / per_point, MIN_FITTED_FACTOR), MAX_FACTOR) * per_point

    def _stack(self, spread_sizes: list[list[tuple[int, int]]], widths: list[int]) -> int:
        """Place the spreads one below the other; returns the height of the canvas."""
        start = 0
        for index, (pages, width) in enumerate(zip(spread_sizes, widths, strict=True)):
            height = max(height for _, height in pages)
            top, stretch = start + GAP, height + GAP
            if self.turns_pages:
                stretch = max(self._viewport.height(), height + 2 * GAP)
                top = start + (stretch - height) // 2
            self._starts.append(start if self.turns_pages else top)
            self._stretches.append(stretch)
            left = (self.width - width) // 2
            if self._mode is PageMode.COVER_AND_PAIRS and index == 0:
                left += pages[0][0] + GAP
            for page_width, page_height in pages:
                self._rects.append(QRect(left, top, page_width, page_height))
                left += page_width + GAP
            start += stretch
        return start if self.turns_pages and spread_sizes else start + GAP

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return len(self.sizes)

    def factor(self, page_index: int) -> float:
        """Size of a page relative to paper."""
        return self._scales[page_index] / self._pixels_per_point

    def pixels_per_point(self, page_index: int) -> float:
        """Logical pixels of a point on a page."""
        return self._scales[page_index]

    def page_rect(self, page_index: int) -> QRect:
        """Where a page lies on the canvas, turned as it is seen."""
        return self._rects[page_index]

    def upright_size(self, page_index: int) -> QSize:
        """Return the size of a page in logical pixels before it is turned on screen."""
        size = self._rects[page_index].size()
        return size.transposed() if self.rotation % 180 else size

    # Spreads

    def spread_of(self, page_index: int) -> range:
        """Return the indices of the pages that stand beside a page, its own among them."""
        return self._spreads[self._spread_index[page_index]]

    def spread_at(self, y: float) -> range:
        """Return the spread at a height of the canvas; in a gap the one above it."""
        return self._spreads[max(bisect_right(self._starts, y) - 1, 0)]

    def window_range(self, page_index: int) -> QRect:
        """Return where on the canvas the window may be while it shows a page."""
        if not self.turns_pages:
            return QRect(0, 0, self.width, self.height)
        spread = self._spread_index[page_index]
        start, stretch = self._starts[spread], self._stretches[spread]
        pages = self.spread_of(page_index)
        left = self._rects[pages[0]].left() - MARGIN
        right = self._rects[pages[-1]].left() + self._rects[pages[-1]].width() + MARGIN
        if right - left < self._viewport.width():
            left = (left + right - self._viewport.width()) // 2
            right = left + self._viewport.width()
        return QRect(max(left, 0), start, right - left, stretch)

    # Pages at places

    def page_under(self, point: QPointF) -> int:
        """Index of the page at a point of the canvas, or of the nearest one left or above."""
        if not self._spreads:
            return 0
        pages = self.spread_at(point.y())
        return pages[-1] if point.x() >= self._rects[pages[-1]].left() else pages[0]

    def seen(self, part: QRect) -> Iterator[int]:
        """Yield the indices of the pages that a part of the canvas touches."""
        for page_index in range(self.page_under(QPointF(0, part.top())), self.n_pages):
            rect = self._rects[page_index]
            if rect.top() > part.bottom():
                return
            if rect.intersects(part):
                yield page_index

    def most_visible(self, top: int, height: int) -> int:
        """Index of the page that fills most of a strip of the canvas, the first of equals."""
        strip = QRect(0, top, self.width, height)
        nearest = self.page_under(QPointF(0, top + height // 2))
        heights = {index: (self._rects[index] & strip).height() for index in self.seen(strip)}
        return max(heights, key=heights.__getitem__, default=nearest)

    # Points, fractions, canvas

    def to_canvas(self, page_index: int, box: BoundingBox) -> QRectF:
        """Map a rectangle in points to the canvas."""
        rect = QRectF(QPointF(box.left, box.top), QPointF(box.right, box.bottom))
        return self._from_points(page_index).mapRect(rect)

    def rects_on(self, page_index: int, places: Iterable[Provenance]) -> list[QRectF]:
        """Return the rectangles of those places that lie on a page, on the canvas."""
        on_page = [place.bbox for place in places if place.page_no == page_index + 1]
        return [self.to_canvas(page_index, box) for box in on_page]

    def heights(self, places: Iterable[Provenance]) -> list[tuple[float, int]]:
        """Return how far down the document places stand, 0 to 1, with their page numbers."""
        return [
            (
                self.to_canvas(place.page_no - 1, place.bbox).center().y() / self.height,
                place.page_no,
            )
            for place in places
            if 1 <= place.page_no <= self.n_pages
        ]

    def to_page(self, page_index: int, point: QPointF) -> QPointF:
        """Map a point of the canvas to points on a page."""
        return _back(self._from_points(page_index)).map(point)

    def anchor_at(self, point: QPointF) -> Anchor:
        """Name a point of the canvas so that it is found again after zooming and turning."""
        page_index = self.page_under(point)
        return Anchor(page_index, *_back(self._from_fractions(page_index)).map(point).toTuple())

    def point_of(self, anchor: Anchor) -> QPointF:
        """Find a named point on the canvas."""
        page_index = min(anchor.page_index, self.n_pages - 1)
        return self._from_fractions(page_index).map(QPointF(anchor.x, anchor.y))

    def _from_points(self, page_index: int) -> QTransform:
        """Lead from points on a page to the canvas."""
        width, height = self.sizes[page_index]
        # By the page's rounded size, not its scale: a rectangle must sit on the drawn pixels.
        return QTransform.fromScale(1 / width, 1 / height) * self._from_fractions(page_index)

    def _from_fractions(self, page_index: int) -> QTransform:
        """Lead from the fractions of an upright page to the canvas."""
        rect = self._rects[page_index]
        turned = _TURNS[self.rotation] * QTransform.fromScale(rect.width(), rect.height())
        return turned * QTransform.fromTranslate(rect.left(), rect.top())

    def upright_part(self, page_index: int, part: QRect) -> QRect:
        """Map a part of a page on the canvas to the upright page, in logical pixels."""
        upright = self.upright_size(page_index)
        turn = _back(self._from_fractions(page_index))
        turn *= QTransform.fromScale(upright.width(), upright.height())
        return turn.mapRect(QRectF(part)).toRect()

    # What is read

    def place_at(self, offset: QPoint, viewport: QSize) -> ReadingPlace:
        """Name what is read when the top left corner of the window is at an offset."""
        at_top = offset.toPointF() + eye(viewport, 0.0)
        top = self.anchor_at(at_top)
        # At the top of a page the top is what should stay.
        if at_top.y() - self._rects[top.page_index].top() < 1:
            return ReadingPlace(top, 0.0)
        return ReadingPlace(self.anchor_at(offset.toPointF() + eye(viewport, EYE_DEPTH)), EYE_DEPTH)

    def eye_on_page(self, place: ReadingPlace, viewport: QSize) -> tuple[int, float]:
        """Return the page number and the height on it in points that the eye is at."""
        point = self.point_of(place.anchor) + eye(viewport, EYE_DEPTH) - eye(viewport, place.depth)
        page_index = self.page_under(point)
        return page_index + 1, self.to_page(page_index, point).y()


def _back(way: QTransform) -> QTransform:
    return way.inverted()[0]


def eye(viewport: QSize, depth: float) -> QPointF:
    """Return the point of the window at a depth; the gap over a page comes on top."""
    return QPointF(viewport.width() / 2, GAP + depth * (viewport.height() - GAP))
