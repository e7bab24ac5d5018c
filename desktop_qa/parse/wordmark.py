"""The maker's name where it is only drawn: letters of a logo, read by their shape.

Of page 1 the head and the foot are drawn, the words that the engine has painted over. Ink that
stands in a row is cut where it is thin, and the cuts are chosen so that the pieces look most like
letters of four common fonts, each piece stretched to a square: bold, wide and slanted letters look
alike then. A name is written in capitals or begins with one.
"""

from __future__ import annotations

import itertools
import string
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import root_of
from desktop_qa.parse.glyphs import drawn_glyphs
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.vectors import runs_in

_Floats = NDArray[np.float32]
_Ink = NDArray[np.bool_]

_DPI = 200
_SHARE = 0.2
"""Of the page: how much of its head and of its foot is looked at."""

_HEIGHTS_PT = (6.0, 40.0)
_MOST_ROWS = 12
"""A page whose text is outlines has hundreds; a logo is among the tallest."""

_SIDE = 16
_STRIP = 24
"""Pixels: of a letter's square, and of the height of a row that is read."""

_GLYPH_PX = 40
_INK = 128
"""Grey below which a pixel of a known letter is black; size of the letters."""

_SLANTS = (0.0, 0.12, 0.25)
_BLACK = 0.4
_THINNER = 0.6
"""Share of a pixel that ink covers when it is black, and when a row is read once more."""

_STEADY = 0.75
"""How alike (difflib) these readings are when the row is made of letters."""

_FONTS = ("hebo", "hebi", "helv", "tibo", "tiro")
_BOLDER = (0, 2)
"""Pixels of a glyph of 40 by which each font is drawn bolder as well."""

_LETTERS = string.ascii_letters
_BY_FREQUENCY = "etaoinsrhldcumfpgwybvkxjqz"
_RARER = 0.003
"""Taken for each place in the order of frequency: an O with a tail is an O before it is a Q."""

_SMALL_CAPITALS = 0.15
"""How far apart small capitals count beforehand: they are rare."""

_LIKE_NOTHING = 0.5
"""Likeness (cosine) at which a piece is as well no letter."""

_PER_LETTER = 0.05
"""Taken for each letter: U is read before LJ."""

_LEAST_LIKENESS = 0.6
_LEAST_OF_SHORT = 0.66
"""Mean likeness that a name needs, and one of three letters."""


@dataclass(frozen=True, slots=True)
class Wordmark:
    """Letters of one row, in capitals or beginning with one, and where they stand, points."""

    text: str
    bbox: BoundingBox


@dataclass(frozen=True, slots=True)
class _Alphabet:
    """Letters: shapes (n, side²), log of width over height, tops over and feet under the line."""

    letters: str
    shapes: _Floats
    widths: _Floats
    tops: _Floats
    feet: _Floats
    rarity: _Floats


def read_wordmarks(pdf: PdfFile, page_no: int, words: Sequence[BoundingBox]) -> list[Wordmark]:
    """Read rows of letters drawn at the head and the foot of a page (1-based), the tallest first.

    The places of the words that the engine has are left out.
    """
    width, height = pdf.page_size(page_no)
    scale = _DPI / 72
    rows = []
    for top in (0.0, (1 - _SHARE) * height):
        box = BoundingBox(0.0, top, width, top + _SHARE * height)
        grey = pdf.picture(page_no, box, _DPI)
        for word in words:
            lines = slice(*(max(round((y - top) * scale), 0) for y in (word.top, word.bottom + 1)))
            columns = slice(*(max(round(x * scale), 0) for x in (word.left, word.right + 1)))
            grey[lines, columns] = 255
        for ink in (grey < 150, grey >= 150):
            for x0, y0, x1, y1 in _rows(ink):
                place = (x0 / scale, top + y0 / scale, x1 / scale, top + y1 / scale)
                rows.append((BoundingBox(*map(float, place)), ink[y0:y1, x0:x1]))
    rows.sort(key=lambda row: -row[0].height)
    read = ((_read_row(ink), place) for place, ink in rows[:_MOST_ROWS])
    return [Wordmark(text, place) for text, place in read if text]


def _rows(ink: _Ink) -> Iterator[tuple[int, int, int, int]]:
    """Find what stands side by side and is about as tall: left, top, right, bottom in pixels."""
    low, high = (points * _DPI / 72 for points in _HEIGHTS_PT)
    rows: list[list[tuple[int, int, int, int]]] = []
    for box in sorted(_connected(ink)):
        height = box[3] - box[1]
        if not low <= height <= high or not 0.08 < (box[2] - box[0]) / height < 9:
            continue
        for row in rows:
            last = row[-1]
            heights = sorted((height, last[3] - last[1]))
            overlap = min(last[3], box[3]) - max(last[1], box[1])
            gap = box[0] - last[2]
            is_alike = overlap > 0.6 * heights[0] and heights[1] < 1.8 * heights[0]
            if is_alike and -0.5 * heights[1] < gap < 0.6 * heights[1]:
                row.append(box)
                break
        else:
            rows.append([box])
    for row in rows:
        lefts, tops, rights, bottoms = zip(*row, strict=True)
        if max(rights) - min(lefts) > 1.8 * (max(bottoms) - min(tops)):
            yield min(lefts), min(tops), max(rights), max(bottoms)


def _connected(ink: _Ink) -> list[tuple[int, int, int, int]]:
    """Return the boxes of connected ink: runs of each line are joined to those that touch above."""
    ys, starts, ends = runs_in(ink).T
    parent = list(range(len(ys)))
    firsts = np.searchsorted(ys, np.arange(ink.shape[0] + 1)).tolist()
    y_of, start_of, end_of = ys.tolist(), starts.tolist(), ends.tolist()
    for y in range(1, ink.shape[0]):
        above, run = firsts[y - 1], firsts[y]
        while above < firsts[y] and run < firsts[y + 1]:
            if start_of[above] <= end_of[run] and start_of[run] <= end_of[above]:
                a, b = sorted((root_of(parent, above), root_of(parent, run)))
                parent[b] = a
            if end_of[above] < end_of[run]:
                above += 1
            else:
                run += 1
    members: dict[int, list[int]] = defaultdict(list)
    for run in range(len(parent)):
        members[root_of(parent, run)].append(run)
    return [
        (min(start_of[r] for r in runs), y_of[runs[0]],
         max(end_of[r] for r in runs), y_of[runs[-1]] + 1)
        for runs in members.values()
    ]  # fmt: skip


def _read_row(ink: _Ink) -> str:
    """Read the letters of a row, empty when they look like none."""
    readings = [(*_read_strip(_strip(ink, slant)), slant) for slant in _SLANTS]
    value, text, likeness, slant = max(readings)
    if value <= 0:
        return ""
    _value, again, _likeness = _read_strip(_strip(ink, slant, _THINNER))
    least = _LEAST_LIKENESS if len(text) > 3 else _LEAST_OF_SHORT
    is_same = SequenceMatcher(None, text, again).ratio() >= _STEADY
    is_word = is_same and len(text) > 2 and len(set(text.casefold())) > 2
    return text if is_word and likeness >= least else ""


def _strip(ink: _Ink, slant: float, black: float = _BLACK) -> _Ink:
    """Bring a row to one height, upright when it slants."""
    height, width = ink.shape
    n_columns = max(1, round(width * _STRIP / height))
    ys = ((np.arange(2 * _STRIP) + 0.5) * height / (2 * _STRIP)).astype(int)
    xs = ((np.arange(2 * n_columns) + 0.5) * width / (2 * n_columns)).astype(int)
    shifted = xs[None, :] + np.rint(slant * (height / 2 - ys)).astype(int)[:, None]
    inside = (shifted >= 0) & (shifted < width)
    drawn = ink[ys[:, None], shifted.clip(0, width - 1)] & inside
    means: NDArray[np.float64] = drawn.reshape(_STRIP, 2, n_columns, 2).mean((1, 3))
    return means > black


def _read_strip(strip: _Ink) -> tuple[float, str, float]:
    """Cut a strip into the letters that it looks most like: value, letters, mean likeness."""
    heights = strip.sum(0)
    inner = range(1, len(heights))
    cuts = [0, *(x for x in inner if _may_cut(heights, x)), len(heights)]
    tops_at = np.where(heights > 0, strip.argmax(0), _STRIP).tolist()
    feet_at = np.where(heights > 0, _STRIP - strip[::-1].argmax(0), 0).tolist()
    pieces, boxes = [], []
    for i, start in enumerate(cuts):
        for j in range(i + 1, len(cuts)):
            end = cuts[j]
            if end - start > 1.9 * _STRIP:
                break
            if end - start < 2 or not (feet_at[start] and feet_at[end - 1]):
                continue
            top, foot = min(tops_at[start:end]), max(feet_at[start:end])
            if foot - top >= 0.3 * _STRIP:
                pieces.append((i, j))
                boxes.append((start, top, end, foot))
    if not pieces:
        return 0.0, "", 0.0
    known = _alphabet()
    lefts, tops, rights, feet = (column[:, None] for column in np.array(boxes, np.float32).T)
    of_width = np.log((rights - lefts) / (feet - tops))
    tops, feet = tops / _STRIP, feet / _STRIP
    alike = _squared(strip, boxes) @ known.shapes.T - 0.08 * np.abs(of_width - known.widths)
    alike -= known.rarity
    is_capital = np.array([letter.isupper() for letter in known.letters])
    is_later = np.array([i > 0 for i, _j in pieces])[:, None]
    readings = []
    for small in (0.0, 0.25):
        apart = np.abs(1 - feet) + np.abs(tops - small * is_later) + (small > 0) * _SMALL_CAPITALS
        readings.append(np.where(is_capital, alike - 0.3 * apart, -1.0))
    for line in (1.0, 0.78):
        apart = np.abs((line - tops) / line - known.tops) + np.abs(
            (feet - line) / line - known.feet
        )
        readings.append(np.where(is_later == is_capital, -1.0, alike - 0.5 * apart))
    return max(_best_cuts(reading, pieces, cuts, heights) for reading in readings)


def _may_cut(heights: NDArray[np.int64], x: int) -> bool:
    """Tell whether letters may touch here: at the border of a blank or where the ink is thin."""
    before, here = heights[x - 1], heights[x]
    if (here == 0) != (before == 0):
        return True
    after = heights[x + 1] if x + 1 < len(heights) else here
    return bool(0 < here <= 0.5 * _STRIP and here <= before and here <= after)


def _best_cuts(
    alike: _Floats,
    pieces: Sequence[tuple[int, int]],
    cuts: Sequence[int],
    heights: NDArray[np.int64],
) -> tuple[float, str, float]:
    """Choose pieces side by side whose likeness over their widths is the most."""
    best_letter, likeness = alike.argmax(1), alike.max(1)
    ending: dict[int, list[int]] = defaultdict(list)
    for index, (_i, j) in enumerate(pieces):
        ending[j].append(index)
    # Of each cut: the value so far, the cut before it and the piece between, -1 for none.
    best = [(0.0, 0, -1)]
    for j in range(1, len(cuts)):
        width = (cuts[j] - cuts[j - 1]) / _STRIP
        is_blank = not heights[cuts[j - 1] : cuts[j]].any()
        options = [(best[j - 1][0] - (0.0 if is_blank else width), j - 1, -1)]
        for index in ending[j]:
            i = pieces[index][0]
            gain = (float(likeness[index]) - _LIKE_NOTHING) * max((cuts[j] - cuts[i]) / _STRIP, 0.3)
            options.append((best[i][0] + gain - _PER_LETTER, i, index))
        best.append(max(options))
    chosen: list[int] = []
    at = len(cuts) - 1
    while at > 0:
        _value, at, index = best[at]
        if index >= 0:
            chosen.insert(0, index)
    if not chosen:
        return 0.0, "", 0.0
    text = "".join(_alphabet().letters[best_letter[index]] for index in chosen)
    return best[-1][0], text, float(likeness[chosen].mean())


def _squared(ink: _Ink, boxes: Sequence[tuple[int, int, int, int]]) -> _Floats:
    """Stretch the shapes of boxes to squares, each a vector of length 1 and a mean of little."""
    lefts, tops, rights, bottoms = (column[:, None] for column in np.array(boxes).T)
    at = (np.arange(3 * _SIDE) + 0.5) / (3 * _SIDE)
    ys = (tops + at * (bottoms - tops)).astype(int)
    xs = (lefts + at * (rights - lefts)).astype(int)
    drawn = ink[ys[:, :, None], xs[:, None, :]].reshape(-1, _SIDE, 3, _SIDE, 3)
    squares = drawn.mean((2, 4), dtype=np.float32).reshape(-1, _SIDE**2)
    # An I fills its square: with a mean of nothing it would be like no shape.
    squares -= 0.9 * squares.mean(1, keepdims=True)
    vectors: _Floats = squares / np.linalg.norm(squares, axis=1, keepdims=True)
    return vectors


def _grown(ink: _Ink) -> _Ink:
    """Add the neighbours of each black pixel."""
    wide = np.pad(ink, 1)
    beside = wide[1:-1, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    return beside | wide[:-2, 1:-1] | wide[2:, 1:-1]


@lru_cache(maxsize=1)
def _alphabet() -> _Alphabet:
    """Draw the letters of the fonts that the engine brings."""
    shapes, widths, tops, feet = [], [], [], []
    for name, bolder in itertools.product(_FONTS, _BOLDER):
        tall = 0
        for _letter, grey in drawn_glyphs(name, _LETTERS, _GLYPH_PX):
            ink = grey < _INK
            for _pixel in range(bolder):
                ink = _grown(ink)
            ys, xs = (np.flatnonzero(ink.any(axis)) for axis in (1, 0))
            box = (int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1)
            tall = tall or 2 * _GLYPH_PX - box[1]  # of the first letter
            shapes.append(_squared(ink, [box])[0])
            widths.append(np.log((box[2] - box[0]) / (box[3] - box[1])))
            tops.append((2 * _GLYPH_PX - box[1]) / tall)
            feet.append((box[3] - 2 * _GLYPH_PX) / tall)
    rarity = [_RARER * _BY_FREQUENCY.index(letter.lower()) for letter in _LETTERS]
    n_fonts = len(_FONTS) * len(_BOLDER)
    columns = (
        np.array(column, np.float32) for column in (shapes, widths, tops, feet, rarity * n_fonts)
    )
    return _Alphabet(_LETTERS * n_fonts, *columns)
