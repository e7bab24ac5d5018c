"""In which order the lines of a page are read: columns, rows in them, parts side by side in rows.

The parser's own columns (`parse.layout`) stand on tables and figures that were found before. For
the viewer there is a hundredth of that time, and what counts is that a selection in one column
never takes from the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

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
class Piece:
    """A run of characters, turned so that it reads from left to right.

    Attributes:
        index: The caller's.
        top: Of its letters; boxes of fonts overlap from line to line, these do not.
        bottom: Of its letters.
    """

    index: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def bins(self) -> int:
        """The strips of the page that it touches, as bits."""
        first = max(int(self.top / _BIN_PT), 0)
        last = max(int(self.bottom / _BIN_PT), first)
        return ((1 << (last - first + 1)) - 1) << first


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """Rows read from top to bottom, each from left to right; numbers are the caller's indices."""

    left: float
    right: float
    rows: tuple[tuple[int, ...], ...]


def read_order(pieces: Sequence[Piece]) -> list[ReadColumn]:
    """Sort what stands on a page into columns in reading order."""
    with_bins = [(piece, piece.bins) for piece in pieces]
    return [_column(group) for group in _cut(with_bins, 0) if group]


_Binned = tuple[Piece, int]


def _cut(pieces: list[_Binned], depth: int) -> list[list[Piece]]:
    gutter = _gutter(pieces) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [[piece for piece, _bins in pieces]]
    crossing = sorted(
        (p for p in pieces if p[0].left < gutter < p[0].right), key=lambda p: p[0].top
    )
    beside = [p for p in pieces if not p[0].left < gutter < p[0].right]
    groups: list[list[Piece]] = []
    wide: list[_Binned] = []
    for index in range(len(crossing) + 1):
        end = crossing[index][0].top if index < len(crossing) else float("inf")
        band = [p for p in beside if _middle(p[0]) < end]
        beside = [p for p in beside if _middle(p[0]) >= end]
        left = [p for p in band if p[0].right <= gutter]
        right = [p for p in band if p[0].right > gutter]
        if left and right and not _is_one_row(left, right):
            # What stands above the columns may have columns of its own.
            groups += [*_cut(wide, depth + 1), *_cut(left, depth + 1), *_cut(right, depth + 1)]
            wide = []
        else:
            wide += band
        if index < len(crossing):
            wide.append(crossing[index])
    return [*groups, *_cut(wide, depth + 1)]


def _middle(piece: Piece) -> float:
    return (piece.top + piece.bottom) / 2


def _is_one_row(left: list[_Binned], right: list[_Binned]) -> bool:
    """A single row that the gutter happens to cross: a heading's number and its title."""
    return len(left) == 1 and len(right) == 1 and bool(left[0][1] & right[0][1])


def _gutter(pieces: list[_Binned]) -> float | None:
    """Return the left edge of a right column, if there is one."""
    if len(pieces) < 2 * _MIN_STARTS:
        return None
    left = min(piece.left for piece, _bins in pieces)
    right = max(piece.right for piece, _bins in pieces)
    width = right - left
    if width < _MIN_WIDTH_PT:
        return None
    starts = Counter(round(piece.left) for piece, _bins in pieces)
    best, best_score = None, 0.0
    for edge, n_starts in starts.items():
        if n_starts < _MIN_STARTS or not left + 0.2 * width < edge < left + 0.85 * width:
            continue
        score = _score(pieces, edge - _EDGE_SLACK_PT, left, right)
        if score > best_score:
            best, best_score = edge - _EDGE_SLACK_PT, score
    return best


def _score(pieces: list[_Binned], x: float, left: float, right: float) -> float:
    """Rate a gutter by the strips with running text on both sides, less those it would cut."""
    before = after = crossing = 0
    for piece, bins in pieces:
        if piece.right <= x:
            before |= bins
        elif piece.left >= x:
            after |= bins
        else:
            crossing |= bins
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
            (piece.right - piece.left) * (bins & both).bit_count()
            for piece, bins in pieces
            if (piece.right <= x if is_left else piece.left >= x)
        )
        if filled < _MIN_FILLED * width * n_both:
            return 0.0
    return n_both - n_crossed + min(gutter, 20.0) / 100


def _white(pieces: list[_Binned], x: float, both: int) -> float:
    """Return how wide the white strip left of x is for nine lines of ten."""
    gaps = sorted(x - piece.right for piece, bins in pieces if piece.right <= x and bins & both)
    return gaps[len(gaps) // 10]


def _column(pieces: list[Piece]) -> ReadColumn:
    rows: list[list[Piece]] = []
    # Tall ones first: a subscript stays in its line though it stands lower.
    for piece in sorted(pieces, key=lambda p: (round(p.bottom), p.left)):
        row = _row_of(piece, rows)
        if row is None:
            rows.append([piece])
        else:
            row.append(piece)
    rows.sort(key=lambda row: _middle(max(row, key=lambda p: p.bottom - p.top)))
    return ReadColumn(
        min(piece.left for piece in pieces),
        max(piece.right for piece in pieces),
        tuple(tuple(p.index for p in sorted(row, key=lambda p: p.left)) for row in rows),
    )


def _row_of(piece: Piece, rows: list[list[Piece]]) -> list[Piece] | None:
    best, best_shared = None, 0.0
    height = piece.bottom - piece.top
    for row in rows[-_ROWS_BACK:]:
        main = max(row, key=lambda p: p.bottom - p.top)
        shared = min(piece.bottom, main.bottom) - max(piece.top, main.top)
        needed = 0.5 * min(height, main.bottom - main.top)
        if shared > needed and shared > best_shared and not _covers(row, piece):
            best, best_shared = row, shared
    return best


def _covers(row: list[Piece], piece: Piece) -> bool:
    """True when the piece stands above, below or upon the row, not beside it."""
    return any(
        min(other.right, piece.right) - max(other.left, piece.left)
        > 0.5 * min(other.right - other.left, piece.right - piece.left)
        for other in row
    )
