"""Vector paths of the engine into rules, fills and drawings; the rules that stand in a bitmap.

Old sheets have their words as text and all lines as one image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.page import Drawing, Fill, ImagePlace, Rule, rule_along, sides_of

MAX_RULE_THICKNESS = 2.5
"""Points; a filled rectangle thinner than this is a line to the reader."""

MAX_PATHS_PER_PAGE = 30_000
"""Pages with more vector paths are maps and layouts of boards, not tables; seen: 180 000."""

_LONG_PATH = 24
"""Operators from which on a path is looked at before each of them is read."""

_MAX_SHORT_STEP_PT = 4.0
_STRAIGHT_PT = 0.7

Matrix = tuple[float, float, float, float, float, float]
"""From the engine's page coordinates to those displayed; plain floats, ten times the speed."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def transform_point(point: Any, matrix: Matrix) -> tuple[float, float]:
    """Move a point to where it is displayed."""
    x, y = point[0], point[1]
    if matrix == IDENTITY:
        return x, y
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def transform_box(rect: Any, matrix: Matrix) -> BoundingBox:
    """Move a rectangle, corners in any order, to where it is displayed."""
    x0, y0, x1, y1 = rect[0], rect[1], rect[2], rect[3]
    if matrix != IDENTITY:
        x0, y0 = transform_point((x0, y0), matrix)
        x1, y1 = transform_point((x1, y1), matrix)
    if x0 > x1:
        x0, x1 = x1, x0
    if y0 > y1:
        y0, y1 = y1, y0
    return BoundingBox(x0, y0, x1, y1)


class VectorReader:
    """Sorts the paths of one page; each counts as a drawing, its straight parts as rules."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self.rules: list[Rule] = []
        self.fills: list[Fill] = []
        self.drawings: list[Drawing] = []

    def read(self, paths: Sequence[dict[str, Any]]) -> None:
        """Read the paths of `Page.get_cdrawings`."""
        for path in paths[:MAX_PATHS_PER_PAGE]:
            if path["type"] in ("f", "s", "fs") and not _is_invisible(path):
                items = _filled_rectangle(path) or path["items"]
                curved = _is_curve(items) or self._read_items(items, path)
                box = transform_box(path["rect"], self._matrix)
                self.drawings.append(Drawing(box, len(items), curved))

    def _read_items(self, items: Sequence[tuple[Any, ...]], path: dict[str, Any]) -> bool:
        """Read the operators of a path; True when one is curved or slanted."""
        curved = False
        width = float(path.get("width") or 0.5)
        for item in items:
            kind = item[0]
            if kind == "l":
                curved |= not self._add_stroke(item[1], item[2], width)
            elif kind == "re":
                self._add_rectangle(transform_box(item[1], self._matrix), path, width)
            elif kind == "qu":
                corners = (*item[1][0], *item[1][3])
                self._add_rectangle(transform_box(corners, self._matrix), path, width)
            else:
                curved = True
        return curved

    def _add_stroke(self, start: Any, end: Any, thickness: float) -> bool:
        """Add a straight stroke; False when it is slanted."""
        x0, y0 = transform_point(start, self._matrix)
        x1, y1 = transform_point(end, self._matrix)
        wide, high = abs(x1 - x0), abs(y1 - y0)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if thickness > MAX_RULE_THICKNESS and max(wide, high) < thickness:
            # Some makers draw a border as a short dash with a pen as wide as the border is long.
            half = thickness / 2
            if high <= _STRAIGHT_PT:
                self.rules.append(Rule(False, x, y0 - half, y0 + half, wide))
            elif wide <= _STRAIGHT_PT:
                self.rules.append(Rule(True, y, x0 - half, x0 + half, high))
        elif high <= _STRAIGHT_PT:
            self.rules.append(Rule(True, y, min(x0, x1), max(x0, x1), thickness))
        elif wide <= _STRAIGHT_PT:
            self.rules.append(Rule(False, x, min(y0, y1), max(y0, y1), thickness))
        return high <= _STRAIGHT_PT or wide <= _STRAIGHT_PT

    def _add_rectangle(self, box: BoundingBox, path: dict[str, Any], width: float) -> None:
        if path["type"] != "s" and path.get("fill") is not None:
            if min(box.width, box.height) <= MAX_RULE_THICKNESS:
                self.rules.append(rule_along(box))
            else:
                red, green, blue = (float(c) for c in path["fill"][:3])
                self.fills.append(Fill(box, (red, green, blue)))
        if path["type"] != "f":
            self.rules += sides_of(box, width)


def _filled_rectangle(path: dict[str, Any]) -> list[tuple[Any, ...]]:
    """A rectangle filled along its lines (a marker's highlight) is a fill like any other."""
    items = path["items"]
    if path["type"] != "f" or not 3 <= len(items) <= 4:
        return []
    for item in items:
        if item[0] != "l":
            return []
        (x0, y0), (x1, y1) = item[1], item[2]
        if min(abs(x1 - x0), abs(y1 - y0)) > 0.1:
            return []
    return [("re", path["rect"])]


def _is_invisible(path: dict[str, Any]) -> bool:
    """White fills hide what is below; they are background, not drawing."""
    fill = path.get("fill")
    return path["type"] == "f" and fill is not None and min(fill) > 0.99


def _is_curve(items: Sequence[tuple[Any, ...]]) -> bool:
    """Tell the curve of a plot by its first operators: it has thousands, none a table's rule."""
    if len(items) < _LONG_PATH:
        return False
    n_slanted = n_short = 0
    for item in items[:_LONG_PATH]:
        if item[0] == "l":
            (x0, y0), (x1, y1) = item[1], item[2]
            dx, dy = abs(x1 - x0), abs(y1 - y0)
            n_slanted += dx > _STRAIGHT_PT and dy > _STRAIGHT_PT
            n_short += max(dx, dy) < _MAX_SHORT_STEP_PT
        elif item[0] == "c":
            n_slanted += 1
    return n_slanted > _LONG_PATH / 4 or n_short > 0.8 * _LONG_PATH


DPI = 150
"""At which a page is drawn for it; a hair line of a scan is one pixel wide."""

_MIN_SHARE = 0.25
"""Of a page that a bitmap covers before its lines may be those of tables."""

_MIN_RUN_PT = 14.0
"""Of ink in one row of pixels; strokes of letters are shorter."""

_DARK = 200
"""Grey, of 255, below which a pixel is ink."""


def ruled_bitmaps(images: Sequence[ImagePlace], sheet: BoundingBox) -> Sequence[ImagePlace]:
    """Return the bitmaps of a page of words that are large enough to hold its tables' lines."""
    return [i for i in images if sheet.intersection_area(i.bbox) >= _MIN_SHARE * sheet.area]


def pixels_of(drawn: Any) -> NDArray[np.uint8]:
    """Return the rows of a picture that the engine has drawn in grey; 0 is black."""
    pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)
    return pixels[:, : drawn.width]


def find_rules(ink: NDArray[np.uint8]) -> Iterator[Rule]:
    """Find the straight thin lines of a page drawn in grey at `DPI`; 0 is black.

    A line that is not quite straight comes in pieces; whoever joins lines joins them.
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
        for row, start, end in runs_in(thin).tolist():
            if end - start >= shortest:
                yield Rule(horizontal, (row + 0.5) / scale, start / scale, end / scale, 1 / scale)


def runs_in(pixels: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return (row, start, end) of each run of set pixels; the end is behind the last."""
    edges = np.diff(np.pad(pixels, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    return np.stack([rows, starts, ends], axis=1)


def _within_runs(pixels: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """Keep the pixels of runs along the rows that are at least so long."""
    runs = runs_in(pixels)
    kept = runs[runs[:, 2] - runs[:, 1] >= length]
    change = np.zeros((pixels.shape[0], pixels.shape[1] + 1), dtype=np.int8)
    change[kept[:, 0], kept[:, 1]] = 1
    change[kept[:, 0], kept[:, 2]] -= 1
    return np.cumsum(change, axis=1, dtype=np.int8)[:, :-1].astype(bool)
