"""Rules that stand in a bitmap: old sheets have their words as text and all lines as one image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import ImagePlace, Rule
from desktop_qa.parse.vectors import MAX_RULE_THICKNESS

DPI = 150
"""At which a page is drawn for it; a hair line of a scan is one pixel wide."""

_MIN_SHARE = 0.25
"""Of a page that a bitmap covers before its lines may be those of tables."""

_MIN_RUN_PT = 14.0
"""Of ink in one row of pixels; strokes of letters are shorter."""

_DARK = 200
"""Grey, of 255, below which a pixel is ink."""


def ruled_bitmaps(
    images: Sequence[ImagePlace], width: float, height: float
) -> Sequence[ImagePlace]:
    """Return the bitmaps of a page of words that are large enough to hold its tables' lines.

    Args:
        images: Of the page.
        width: Of the page, in points.
        height: As `width`.
    """
    page = BoundingBox(0.0, 0.0, width, height)
    return [i for i in images if page.intersection_area(i.bbox) >= _MIN_SHARE * page.area]


def find_rules(ink: NDArray[np.uint8]) -> Iterator[Rule]:
    """Find the straight thin lines of a page drawn in grey at `DPI`, across and upright.

    A line that is not quite straight comes in pieces; whoever joins lines joins them.

    Args:
        ink: (rows, columns); 0 is black.
    """
    scale = DPI / 72
    dark = ink < _DARK
    thick = round(MAX_RULE_THICKNESS * scale)
    shortest = round(_MIN_RUN_PT * scale)
    for horizontal, pixels in ((True, dark), (False, dark.T)):
        long = _within_runs(pixels, shortest)
        # An area of ink is no line; where a line crosses, the pixels beside it go on.
        bars = _within_runs(pixels.T, thick + 1).T & long
        thin = long & ~_within_runs(bars, shortest)
        for row, start, end in _runs(thin).tolist():
            if end - start >= shortest:
                yield Rule(horizontal, (row + 0.5) / scale, start / scale, end / scale, 1 / scale)


def _runs(pixels: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return (row, start, end) of each run of set pixels; the end is behind the last."""
    edges = np.diff(np.pad(pixels, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    return np.stack([rows, starts, ends], axis=1)


def _within_runs(pixels: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """Keep the pixels of runs along the rows that are at least so long."""
    runs = _runs(pixels)
    kept = runs[runs[:, 2] - runs[:, 1] >= length]
    change = np.zeros((pixels.shape[0], pixels.shape[1] + 1), dtype=np.int8)
    change[kept[:, 0], kept[:, 1]] = 1
    change[kept[:, 0], kept[:, 2]] -= 1
    return np.cumsum(change, axis=1, dtype=np.int8)[:, :-1].astype(bool)
