"""Where the pages stand on the canvas: plain geometry, no widgets.

Three coordinate systems meet here and nowhere else: points on a page as displayed (what a
`Provenance` has), fractions of a page (what survives zooming and resizing), and the canvas in
logical pixels (what scrolls).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize

from desktop_qa.core.document import BoundingBox

MARGIN = 28
"""Left and right of the widest page, so that a citation's number has room beside it."""
GAP = 14
"""Above, between and below the pages."""
MIN_FACTOR = 0.1
MAX_FACTOR = 8.0
_STEPS = (0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 8)
_SAME = 0.01
"""A size this near to a step counts as on it."""


class ZoomMode(StrEnum):
    """What the size of the pages follows."""

    FIT_WIDTH = "fit_width"
    FIT_PAGE = "fit_page"
    FACTOR = "factor"


@dataclass(frozen=True, slots=True)
class Zoom:
    """How large the pages are.

    Attributes:
        factor: 1.0 is the size on paper; counts in the mode FACTOR alone.
    """

    mode: ZoomMode = ZoomMode.FIT_WIDTH
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Anchor:
    """A spot on a page in fractions of its width and height; outside 0 to 1 lies beside it."""

    page_index: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """What is being read, and how far down in the window it stands.

    Attributes:
        depth: 0 at the top, 1 at the bottom of the window.
    """

    anchor: Anchor
    depth: float


START = ReadingPlace(Anchor(0, 0.5, 0.0), 0.0)
EYE_DEPTH = 1 / 3
"""How far down the eye is: cited places are brought here, and stay when the pane is resized."""


class PageLayout:
    """All pages one below the other, each centred; fitted pages are scaled one by one.

    Args:
        sizes: Width and height of each page in points as displayed.
        viewport: What is visible of the canvas, in logical pixels.
        zoom: What the scale follows.
        pixels_per_point: Logical pixels of a point at factor 1.
    """

    def __init__(
        self,
        sizes: tuple[tuple[float, float], ...],
        viewport: QSize,
        zoom: Zoom,
        pixels_per_point: float,
    ) -> None:
        self.sizes = sizes
        self._pixels_per_point = pixels_per_point
        self._scales = [self._scale(size, viewport, zoom) for size in sizes]
        widths = [
            max(round(size[0] * scale), 1) for size, scale in zip(sizes, self._scales, strict=True)
        ]
        heights = [
            max(round(size[1] * scale), 1) for size, scale in zip(sizes, self._scales, strict=True)
        ]
        self.width = max(viewport.width(), max(widths, default=0) + 2 * MARGIN)
        self._rects: list[QRect] = []
        self._tops: list[int] = []
        top = GAP
        for width, height in zip(widths, heights, strict=True):
            self._rects.append(QRect((self.width - width) // 2, top, width, height))
            self._tops.append(top)
            top += height + GAP
        self.height = top

    def _scale(self, size: tuple[float, float], viewport: QSize, zoom: Zoom) -> float:
        factor = zoom.factor
        if zoom.mode is not ZoomMode.FACTOR:
            fitted = (viewport.width() - 2 * MARGIN) / size[0]
            if zoom.mode is ZoomMode.FIT_PAGE:
                fitted = min(fitted, (viewport.height() - 2 * GAP) / size[1])
            factor = fitted / self._pixels_per_point
        return min(max(factor, MIN_FACTOR), MAX_FACTOR) * self._pixels_per_point

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return len(self.sizes)

    def factor(self, page_index: int) -> float:
        """Size of a page relative to paper."""
        return self._scales[page_index] / self._pixels_per_point

    def page_rect(self, page_index: int) -> QRect:
        """Where a page lies on the canvas."""
        return self._rects[page_index]

    def page_at(self, y: float) -> int:
        """Index of the page at a height of the canvas; in a gap the page above it."""
        return max(bisect_right(self._tops, y) - 1, 0)

    def visible(self, top: int, height: int) -> Iterator[int]:
        """Yield the indices of the pages that a strip of the canvas touches."""
        for page_index in range(self.page_at(top), self.n_pages):
            rect = self._rects[page_index]
            if rect.top() >= top + height:
                return
            if rect.bottom() >= top:
                yield page_index

    def most_visible(self, top: int, height: int) -> int:
        """Index of the page that fills most of a strip, the first of equals."""
        best, best_share = self.page_at(top + height // 2), 0
        for page_index in self.visible(top, height):
            rect = self._rects[page_index]
            share = min(rect.bottom() + 1, top + height) - max(rect.top(), top)
            if share > best_share:
                best, best_share = page_index, share
        return best

    def to_canvas(self, page_index: int, box: BoundingBox) -> QRectF:
        """Map a rectangle in points to the canvas."""
        rect = self._rects[page_index]
        # The page's rounded size, not its scale: a rectangle must sit on the drawn pixels.
        x_scale = rect.width() / self.sizes[page_index][0]
        y_scale = rect.height() / self.sizes[page_index][1]
        return QRectF(
            rect.left() + box.left * x_scale,
            rect.top() + box.top * y_scale,
            box.width * x_scale,
            box.height * y_scale,
        )

    def to_page(self, page_index: int, point: QPointF) -> QPointF:
        """Map a point of the canvas to points on a page."""
        rect = self._rects[page_index]
        width, height = self.sizes[page_index]
        return QPointF(
            (point.x() - rect.left()) * width / rect.width(),
            (point.y() - rect.top()) * height / rect.height(),
        )

    def anchor_at(self, point: QPointF) -> Anchor:
        """Name a point of the canvas so that it is found again after zooming."""
        page_index = self.page_at(point.y())
        rect = self._rects[page_index]
        return Anchor(
            page_index,
            (point.x() - rect.left()) / rect.width(),
            (point.y() - rect.top()) / rect.height(),
        )

    def point_of(self, anchor: Anchor) -> QPointF:
        """Find a named point on the canvas."""
        rect = self._rects[min(anchor.page_index, self.n_pages - 1)]
        return QPointF(rect.left() + anchor.x * rect.width(), rect.top() + anchor.y * rect.height())

    def place_at(self, offset: QPoint, viewport: QSize) -> ReadingPlace:
        """Name what is read when the top left corner of the window is at an offset."""
        top = self.anchor_at(offset.toPointF() + eye(viewport, 0.0))
        # At the top of a page the top is what should stay.
        if top.y * self.page_rect(top.page_index).height() < 1:
            return ReadingPlace(top, 0.0)
        return ReadingPlace(self.anchor_at(offset.toPointF() + eye(viewport, EYE_DEPTH)), EYE_DEPTH)

    def eye_on_page(self, place: ReadingPlace, viewport: QSize) -> tuple[int, float]:
        """Return the page number and the height on it in points that the eye is at."""
        point = self.point_of(place.anchor) + eye(viewport, EYE_DEPTH) - eye(viewport, place.depth)
        page_index = self.page_at(point.y())
        return page_index + 1, self.to_page(page_index, point).y()


def eye(viewport: QSize, depth: float) -> QPointF:
    """Return the point of the window at a depth; the gap over a page comes on top."""
    return QPointF(viewport.width() / 2, GAP + depth * (viewport.height() - GAP))


def next_larger(factor: float) -> float:
    """Return the zoom step above a factor."""
    return next((step for step in _STEPS if step > factor * (1 + _SAME)), MAX_FACTOR)


def next_smaller(factor: float) -> float:
    """Return the zoom step below a factor."""
    return next((step for step in reversed(_STEPS) if step < factor * (1 - _SAME)), MIN_FACTOR)
