"""The engine's characters into the text of a page: lines, columns and paragraphs, with places.

Nothing is interpreted beyond the order of reading; what the viewer shows is what can be selected.
The parser's own columns (`parse.layout`) stand on tables and figures that were found before. For
the viewer there is a hundredth of that time, and what counts is that a selection in one column
never takes from the other.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.page_text import CELL_BREAK, PageLink, PageText, TextLine, TextProblem
from desktop_qa.parse.characters import raised, repair
from desktop_qa.parse.grouping import gathered
from desktop_qa.parse.turned_pages import Turn
from desktop_qa.parse.vectors import IDENTITY, Matrix, transform_box

_FLAG_SUPERSCRIPT = 1
_FLAG_BOLD = 1 << 4
_TOUCHING_IN_SIZES = 0.12
"""A script this near to its word belongs to it."""

_CELL_GAP_IN_SIZES = 1.6
"""White within a row that tells cells, not words."""

_PARAGRAPH_STEP_IN_SIZES = 1.75
_SHORT_LINE_SHARE = 0.72
"""Of the column's width: a line that ends earlier ends its paragraph."""

_SAME_SIZE = 0.12
_ITEM = re.compile(r"[•●■▪◆○–—✓➢*]\s|\(?(?:\d{1,2}|[a-z])[.)]\s")
_BROKEN_WORD = re.compile("[^\\W\\d_]{2,}[-\u00ad\u2010]$")
_EXPANDED = re.compile("[ﬀ-ﬆĳŉǆǉǌĲǄǇǊ]")


_Box = tuple[float, float, float, float]


@dataclass(slots=True)
class _Fragment:
    """A run of characters of the engine, turned so that it reads from left to right.

    Attributes:
        left: And the other edges: around all that is not white space.
        head: Upper end of its letters; boxes of fonts overlap from line to line, these do not.
        foot: Lower end of its letters.
        bins: The strips of the page that it touches, as bits.
    """

    angle: int
    chars: list[str] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = -1.0
    bottom: float = 0.0
    size: float = 0.0
    baseline: float = 0.0
    bold: bool = False
    head: float = 0.0
    foot: float = 0.0
    bins: int = 0

    def add(self, text: str, box: _Box) -> None:
        """Add what a glyph stands for; the letters of a ligature share its width."""
        if text.isspace():
            # At the start of a line, and after another, a space says nothing.
            if not self.chars or self.chars[-1] == " ":
                return
            text = " "
        else:
            self.cover(box)
        left, _top, right, _bottom = box
        width = (right - left) / len(text)
        for index, char in enumerate(text):
            if not char.isascii() and unicodedata.combining(char) and self.chars:
                whole = unicodedata.normalize("NFC", self.chars[-1] + char)
                if len(whole) == 1:
                    self.chars[-1] = whole
                    continue
            self.chars.append(char)
            self.starts.append(left + index * width)
            self.ends.append(left + (index + 1) * width)

    def cover(self, box: _Box) -> None:
        """Grow around a glyph."""
        left, top, right, bottom = box
        if self.right < self.left:
            self.left, self.top, self.right, self.bottom = box
            return
        self.left, self.top = min(self.left, left), min(self.top, top)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)

    def end(self) -> None:
        """Leave out white space at the end, and measure where the letters stand."""
        while self.chars and self.chars[-1] == " ":
            self.chars.pop()
            self.starts.pop()
            self.ends.pop()
        self.head = self.baseline - 0.72 * self.size
        self.foot = self.baseline + 0.2 * self.size
        first = max(int(self.head / _BIN_PT), 0)
        last = max(int(self.foot / _BIN_PT), first)
        self.bins = ((1 << (last - first + 1)) - 1) << first

    @property
    def text(self) -> str:
        """All its characters."""
        return "".join(self.chars)


class ReadingPage:
    """One page on the way from the engine's characters to a `PageText`."""

    def __init__(self, matrix: Matrix, rotation: int, width: float, height: float) -> None:
        """Start a page, turned by `rotation` degrees clockwise; its size in points as displayed."""
        self._matrix = matrix
        self._is_turned = matrix != IDENTITY
        self._rotation = rotation
        self._width, self._height = width, height
        self._text: list[str] = []
        self._starts: array[float] = array("f")
        self._ends: array[float] = array("f")
        self._lines: list[TextLine] = []
        self._n_blocks = 0
        self._n_columns = 0

    def read(
        self,
        page_no: int,
        blocks: Sequence[Mapping[str, Any]],
        links: tuple[PageLink, ...],
    ) -> PageText:
        """Return the text of the engine's blocks in reading order."""
        upright: dict[int, list[_Fragment]] = {}
        slanted: list[_Fragment] = []
        for fragment, is_slanted in self._fragments(blocks):
            if is_slanted:
                slanted.append(fragment)
            else:
                upright.setdefault(fragment.angle, []).append(fragment)
        # The direction of most of the text first: labels of axes come after it.
        for angle, fragments in sorted(
            upright.items(), key=lambda item: -sum(len(f.chars) for f in item[1])
        ):
            self._lay_out(angle, fragments)
        for fragment in slanted:
            self._n_blocks += 1
            self._n_columns += 1
            self._add_line(fragment.angle, (fragment,))
        return PageText(
            page_no,
            self._width,
            self._height,
            "\n".join(self._text),
            self._starts,
            self._ends,
            tuple(self._lines),
            links,
            TextProblem.NONE if self._lines else TextProblem.BLANK,
        )

    # From the engine

    def _fragments(self, blocks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[_Fragment, bool]]:
        for block in blocks:
            for line in block.get("lines", ()):
                along = line["dir"]
                exact = math.degrees(math.atan2(along[1], along[0])) + self._rotation
                angle = round(exact / 90) * 90 % 360
                is_slanted = abs((exact - angle + 180) % 360 - 180) > 1.0
                fragment = _Fragment(angle)
                for span in line["spans"]:
                    if is_slanted:
                        yield from ((word, True) for word in self._words(span, angle))
                    else:
                        self._add_span(fragment, span)
                fragment.end()
                if fragment.chars:
                    yield fragment, False

    def _words(self, span: Mapping[str, Any], angle: int) -> Iterator[_Fragment]:
        """Yield the words of a slanted line; a box around the whole would cover half the page."""
        run: list[Any] = []
        for char in [*span["chars"], {"c": " "}]:
            if not char["c"].isspace():
                run.append(char)
            elif run:
                word = _Fragment(angle)
                self._add_span(word, {**span, "chars": run})
                run = []
                if word.chars:
                    yield word

    def _add_span(self, fragment: _Fragment, span: Mapping[str, Any]) -> None:
        chars = span["chars"]
        if not chars:
            return
        size = float(span["size"])
        if size > fragment.size:
            fragment.size = size
            fragment.bold = bool(span["flags"] & _FLAG_BOLD)
            fragment.baseline = self._across(chars[0]["origin"], fragment.angle)
        texts = _seen(chars, span)
        if not self._is_turned and fragment.angle == 0 and isinstance(texts, str):
            _add_plain(fragment, texts, [char["bbox"] for char in chars])
            return
        for char, text in zip(chars, texts, strict=True):
            if text:
                fragment.add(text, self._in_frame(char["bbox"], fragment.angle))

    def _in_frame(self, bbox: _Box, angle: int) -> _Box:
        """Turn a box of the engine so that its text runs from left to right."""
        if not angle and not self._is_turned:
            return bbox
        box = transform_box(bbox, self._matrix) if self._is_turned else BoundingBox(*bbox)
        if angle:
            box = Turn(360 - angle, self._width, self._height).box_as_displayed(box)
        return box.left, box.top, box.right, box.bottom

    def _across(self, origin: tuple[float, float], angle: int) -> float:
        x, y = origin
        return self._in_frame((x, y, x, y), angle)[1]

    def _displayed(self, box: _Box, angle: int) -> BoundingBox:
        place = BoundingBox(*box)
        if not angle:
            return place
        size = (self._width, self._height)
        return Turn(angle, *(size if angle == 180 else size[::-1])).box_as_displayed(place)

    # In reading order

    def _lay_out(self, angle: int, fragments: list[_Fragment]) -> None:
        for column in map(_column, filter(None, _cut(fragments, 0))):
            self._n_columns += 1
            above: Sequence[_Fragment] = ()
            for row in column.rows:
                if not above or _starts_block(above, row, column):
                    self._n_blocks += 1
                self._add_line(angle, row)
                above = row

    def _add_line(self, angle: int, parts: Sequence[_Fragment]) -> None:
        if self._starts:
            self._starts.append(self._ends[-1])
            self._ends.append(self._ends[-1])
        first = len(self._starts)
        chars: list[str] = []
        are_cells = _are_cells(parts)
        before: _Fragment | None = None
        for part in parts:
            if before is not None and (gap := _gap(before, part)) > _TOUCHING_IN_SIZES:
                chars.append(CELL_BREAK if are_cells and gap > _CELL_GAP_IN_SIZES else " ")
                self._starts.append(before.ends[-1])
                self._ends.append(max(part.starts[0], before.ends[-1]))
            chars += part.chars
            self._starts.extend(part.starts)
            self._ends.extend(part.ends)
            before = part
        box = (
            *(min(part.left for part in parts), min(part.top for part in parts)),
            *(max(part.right for part in parts), max(part.bottom for part in parts)),
        )
        self._text.append("".join(chars))
        end, place = len(self._starts), self._displayed(box, angle)
        self._lines.append(TextLine(first, end, place, angle, self._n_blocks, self._n_columns))


def _add_plain(fragment: _Fragment, text: str, boxes: Sequence[_Box]) -> None:
    """Add upright text of one look whose characters all stand for themselves."""
    inner = text.strip(" ")
    if not inner or "  " in inner:
        for char, box in zip(text, boxes, strict=True):
            fragment.add(char, box)
        return
    first = text.index(inner)
    end = first + len(inner)
    if first:
        fragment.add(" ", boxes[first - 1])
    fragment.chars += inner
    fragment.starts += [box[0] for box in boxes[first:end]]
    fragment.ends += [box[2] for box in boxes[first:end]]
    fragment.cover(boxes[first])
    fragment.cover(boxes[end - 1])
    if end < len(text):
        fragment.add(" ", boxes[end])


def _seen(chars: Sequence[Mapping[str, Any]], span: Mapping[str, Any]) -> Sequence[str]:
    """Return what each character of a run stands for as it is seen; "" for nothing."""
    text = "".join(char["c"] for char in chars)
    if span["flags"] & _FLAG_SUPERSCRIPT:
        text = raised(text)
    font = str(span["font"])
    if text.isascii() and text.isprintable():
        return text
    repaired = repair(text, font)
    if len(repaired) == len(chars) == len(text):
        return [_unfolded(char) for char in repaired]
    return ["".join(map(_unfolded, repair(char, font))) for char in text]


def _unfolded(char: str) -> str:
    return unicodedata.normalize("NFKC", char) if _EXPANDED.match(char) else char


def _gap(left: _Fragment, right: _Fragment) -> float:
    """Return the white between two runs in sizes of the larger."""
    return (right.left - left.right) / max(left.size, right.size, 1.0)


def _are_cells(row: Sequence[_Fragment]) -> bool:
    """Tell cells of a row from the words of a line that is spaced out to the margin."""
    gaps = [_gap(left, right) for left, right in pairwise(row)]
    if len(gaps) < 2 or any(" " in part.chars for part in row):
        return any(gap > _CELL_GAP_IN_SIZES for gap in gaps)
    return max(gaps) > _CELL_GAP_IN_SIZES and max(gaps) > 1.2 * min(gaps)


def _starts_block(
    above: Sequence[_Fragment], row: Sequence[_Fragment], column: _ReadColumn
) -> bool:
    """Tell whether a line is another paragraph than the one above it."""
    last, first = _main(above), _main(row)
    size = max(last.size, first.size)
    if abs(last.size - first.size) > _SAME_SIZE * size or last.bold != first.bold:
        return True
    if first.baseline - last.baseline > _PARAGRAPH_STEP_IN_SIZES * size:
        return True
    if _are_cells(above) or _are_cells(row) or _ITEM.match(row[0].text):
        return True
    if _BROKEN_WORD.search(above[-1].text) and row[0].chars[0].islower():
        return False
    width = column.right - column.left
    return above[-1].right - column.left < _SHORT_LINE_SHARE * width


def _main(row: Sequence[_Fragment]) -> _Fragment:
    return max(row, key=lambda part: len(part.chars))


_BIN_PT = 3.0
_MIN_SUPPORT = 8
"""Bins with text on both sides that make a gutter: two to three lines."""

_MIN_GUTTER_PT = 5.0
_MIN_WIDTH_PT = 120.0
_MIN_STARTS = 3
"""Lines that start at the right column's edge."""

_EDGE_SLACK_PT = 1.5
_MIN_FILLED = 0.42
"""Share of a side's width that its rows must fill on average: cells of tables fill less."""

_MAX_CROSSED = 0.5
_MAX_DEPTH = 4
_ROWS_BACK = 8


@dataclass(frozen=True, slots=True)
class _ReadColumn:
    """Rows read from top to bottom, each from left to right."""

    left: float
    right: float
    rows: list[list[_Fragment]]


def _cut(pieces: list[_Fragment], depth: int) -> list[list[_Fragment]]:
    """Part what stands on a page at its gutters, into columns in reading order."""
    gutter = _gutter(pieces) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [pieces]
    crossing = sorted((p for p in pieces if p.left < gutter < p.right), key=lambda p: p.head)
    beside = [p for p in pieces if not p.left < gutter < p.right]
    groups: list[list[_Fragment]] = []
    wide: list[_Fragment] = []
    for index in range(len(crossing) + 1):
        end = crossing[index].head if index < len(crossing) else float("inf")
        band = [p for p in beside if _middle(p) < end]
        beside = [p for p in beside if _middle(p) >= end]
        left = [p for p in band if p.right <= gutter]
        right = [p for p in band if p.right > gutter]
        if left and right and not _is_one_row(left, right):
            # What stands above the columns may have columns of its own.
            groups += [*_cut(wide, depth + 1), *_cut(left, depth + 1), *_cut(right, depth + 1)]
            wide = []
        else:
            wide += band
        if index < len(crossing):
            wide.append(crossing[index])
    return [*groups, *_cut(wide, depth + 1)]


def _middle(piece: _Fragment) -> float:
    return (piece.head + piece.foot) / 2


def _is_one_row(left: list[_Fragment], right: list[_Fragment]) -> bool:
    """A single row that the gutter happens to cross: a heading's number and its title."""
    return len(left) == 1 and len(right) == 1 and bool(left[0].bins & right[0].bins)


def _gutter(pieces: list[_Fragment]) -> float | None:
    """Return the left edge of a right column, if there is one."""
    if len(pieces) < 2 * _MIN_STARTS:
        return None
    left = min(piece.left for piece in pieces)
    right = max(piece.right for piece in pieces)
    width = right - left
    if width < _MIN_WIDTH_PT:
        return None
    starts = Counter(round(piece.left) for piece in pieces)
    best, best_score = None, 0.0
    for edge, n_starts in starts.items():
        if n_starts < _MIN_STARTS or not left + 0.2 * width < edge < left + 0.85 * width:
            continue
        score = _score(pieces, edge - _EDGE_SLACK_PT, left, right)
        if score > best_score:
            best, best_score = edge - _EDGE_SLACK_PT, score
    return best


def _score(pieces: list[_Fragment], x: float, left: float, right: float) -> float:
    """Rate a gutter by the strips with running text on both sides, less those it would cut."""
    before = after = crossing = 0
    for piece in pieces:
        if piece.right <= x:
            before |= piece.bins
        elif piece.left >= x:
            after |= piece.bins
        else:
            crossing |= piece.bins
    both = before & after & ~crossing
    n_both = both.bit_count()
    n_crossed = (crossing & before & after).bit_count()
    if n_both < _MIN_SUPPORT or n_crossed > _MAX_CROSSED * n_both:
        return 0.0
    gutter = _white(pieces, x, both)
    if gutter < _MIN_GUTTER_PT:
        return 0.0
    sides = ((x - gutter - left, True), (right - x, False))
    for width, is_left in sides:
        filled = sum(
            (piece.right - piece.left) * (piece.bins & both).bit_count()
            for piece in pieces
            if (piece.right <= x if is_left else piece.left >= x)
        )
        if filled < _MIN_FILLED * width * n_both:
            return 0.0
    return n_both - n_crossed + min(gutter, 20.0) / 100


def _white(pieces: list[_Fragment], x: float, both: int) -> float:
    """Return how wide the white strip left of x is for nine lines of ten."""
    gaps = sorted(x - piece.right for piece in pieces if piece.right <= x and piece.bins & both)
    return gaps[len(gaps) // 10]


def _column(pieces: list[_Fragment]) -> _ReadColumn:
    # Tall ones first: a subscript stays in its line though it stands lower.
    rows = gathered(sorted(pieces, key=lambda p: (round(p.foot), p.left)), _row_of)
    rows.sort(key=lambda row: _middle(max(row, key=lambda p: p.foot - p.head)))
    return _ReadColumn(
        min(piece.left for piece in pieces),
        max(piece.right for piece in pieces),
        [sorted(row, key=lambda p: p.left) for row in rows],
    )


def _row_of(piece: _Fragment, rows: list[list[_Fragment]]) -> list[_Fragment] | None:
    best, best_shared = None, 0.0
    height = piece.foot - piece.head
    for row in rows[-_ROWS_BACK:]:
        main = max(row, key=lambda p: p.foot - p.head)
        shared = min(piece.foot, main.foot) - max(piece.head, main.head)
        needed = 0.5 * min(height, main.foot - main.head)
        if shared > needed and shared > best_shared and not _covers(row, piece):
            best, best_shared = row, shared
    return best


def _covers(row: list[_Fragment], piece: _Fragment) -> bool:
    """True when the piece stands above, below or upon the row, not beside it."""
    return any(
        min(other.right, piece.right) - max(other.left, piece.left)
        > 0.5 * min(other.right - other.left, piece.right - piece.left)
        for other in row
    )
