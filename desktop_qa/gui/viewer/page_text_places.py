"""Points and offsets in the text of a page: which character is meant, which word, which line.

Plain geometry over `PageText`, no widgets. An offset stands between two characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.page_text import PageText, TextLine

_WORD = re.compile(r"\w+(?:[-.,'’/_]\w+)*")
_SIDEWAYS_WEIGHT = 3.0
"""Beside a column its neighbour is near; below its last line it is still this column."""

_SAME_COLUMN_SHARE = 0.25
_LINE_WEIGHT = 4.0
"""A point a little beside a line belongs to it, though another line ends nearer by."""


def offset_at(page: PageText, x: float, y: float, near: int | None = None) -> int:
    """Return the offset that a point means.

    Args:
        page: With at least one line.
        x: Points as displayed.
        y: Points as displayed.
        near: An offset whose column counts first where there is no text under the point: where a
            drag began.
    """
    line = _line_under(page, x, y)
    if line is None:
        line = _line_near(page, x, y, near)
        ahead = _ahead(line, x, y)
        if ahead:
            return line.end if ahead > 0 else line.first
    return offset_in_line(page, line, page.along(line, x, y))


def _line_under(page: PageText, x: float, y: float) -> TextLine | None:
    """Return the line under a point; where boxes overlap, the one whose middle is nearest."""
    under = [line for line in page.lines if _distance(line.bbox, x, y) == (0.0, 0.0)]
    if not under:
        return None
    return min(under, key=lambda line: _from_middle(line, x, y))


def _from_middle(line: TextLine, x: float, y: float) -> float:
    box = line.bbox
    if line.angle in (90, 270):
        return abs(x - (box.left + box.right) / 2)
    return abs(y - (box.top + box.bottom) / 2)


def _line_near(page: PageText, x: float, y: float, near: int | None) -> TextLine:
    columns: dict[int, list[TextLine]] = {}
    for line in page.lines:
        columns.setdefault(line.column, []).append(line)
    home = page.lines[page.line_index(near)].column if near is not None else None

    def far(column: int) -> float:
        dx, dy = _distance(_around(line.bbox for line in columns[column]), x, y)
        if column == home:
            return _SAME_COLUMN_SHARE * (dx + dy)
        return _SIDEWAYS_WEIGHT * dx + dy

    lines = columns[min(columns, key=far)]

    def beside(line: TextLine) -> float:
        dx, dy = _distance(line.bbox, x, y)
        return _LINE_WEIGHT * dx + dy if line.angle in (90, 270) else dx + _LINE_WEIGHT * dy

    return min(lines, key=beside)


def _ahead(line: TextLine, x: float, y: float) -> int:
    """Return 1 for a point more than a line below a line as it reads, -1 for one above it."""
    box = line.bbox
    below = {
        0: y - box.bottom,
        90: box.left - x,
        180: box.top - y,
        270: x - box.right,
    }[line.angle]
    height = box.width if line.angle in (90, 270) else box.height
    if below > height:
        return 1
    return -1 if below < -2 * height else 0


def _around(boxes: Iterable[BoundingBox]) -> BoundingBox:
    first, *others = boxes
    for box in others:
        first = first.union(box)
    return first


def _distance(box: BoundingBox, x: float, y: float) -> tuple[float, float]:
    return max(box.left - x, 0.0, x - box.right), max(box.top - y, 0.0, y - box.bottom)


def offset_in_line(page: PageText, line: TextLine, along: float) -> int:
    """Return the offset in a line nearest to a distance in its direction."""
    for offset in range(line.first, line.end):
        if along < (page.starts[offset] + page.ends[offset]) / 2:
            return offset
    return line.end


def caret_box(page: PageText, offset: int) -> BoundingBox:
    """Return the line without width at which a caret stands, points as displayed.

    Args:
        page: With at least one line.
        offset: 0 to the length of the text.
    """
    at = along_of(page, offset)
    return page.box_along(page.lines[page.line_index(offset)], at, at)


def word_at(page: PageText, offset: int) -> tuple[int, int]:
    """Return the word at an offset; a sign that is no word is one by itself."""
    line = page.lines[page.line_index(offset)]
    text = page.text[line.first : line.end]
    at = min(offset - line.first, len(text) - 1)
    for match in _WORD.finditer(text):
        if match.start() <= at < match.end() or match.end() == offset - line.first:
            return line.first + match.start(), line.first + match.end()
    return line.first + at, line.first + at + 1


def line_at(page: PageText, offset: int) -> tuple[int, int]:
    """Return the line that an offset stands in."""
    line = page.lines[page.line_index(offset)]
    return line.first, line.end


def paragraph_at(page: PageText, offset: int) -> tuple[int, int]:
    """Return the paragraph that an offset stands in."""
    block = page.lines[page.line_index(offset)].block
    lines = [line for line in page.lines if line.block == block]
    return lines[0].first, lines[-1].end


def next_word(page: PageText, offset: int) -> int | None:
    """Return where the next word begins; None when there is none on this page."""
    for match in _WORD.finditer(page.text, offset):
        if match.start() > offset:
            return match.start()
    return None if offset >= len(page.text) else len(page.text)


def previous_word(page: PageText, offset: int) -> int | None:
    """Return where the word before begins; None when there is none on this page."""
    found = [match.start() for match in _WORD.finditer(page.text, 0, offset)]
    if found:
        return found[-1]
    return None if offset <= 0 else 0


def line_step(page: PageText, offset: int, step: int, goal: float | None) -> int | None:
    """Return the offset a line further; None when the page has no further line.

    Args:
        page: With at least one line.
        offset: Where the caret stands.
        step: 1 for down, -1 for up.
        goal: Distance along the line that the caret keeps; its own when None.
    """
    index = page.line_index(offset) + step
    if not 0 <= index < len(page.lines):
        return None
    along = goal if goal is not None else along_of(page, offset)
    return offset_in_line(page, page.lines[index], along)


def along_of(page: PageText, offset: int) -> float:
    """Return how far along its line an offset stands."""
    line = page.lines[page.line_index(offset)]
    return page.starts[offset] if offset < line.end else page.ends[line.end - 1]


def block_stretches(page: PageText, box: BoundingBox) -> list[tuple[TextLine, int, int]]:
    """Return the parts of lines whose characters have their middles in a rectangle."""
    found = []
    for line in page.lines:
        middle = line.bbox
        inside = (
            box.left <= (middle.left + middle.right) / 2 <= box.right
            if line.angle in (90, 270)
            else box.top <= (middle.top + middle.bottom) / 2 <= box.bottom
        )
        if not inside:
            continue
        ends = sorted(
            (page.along(line, box.left, box.top), page.along(line, box.right, box.bottom))
        )
        within = [
            offset
            for offset in range(line.first, line.end)
            if ends[0] <= (page.starts[offset] + page.ends[offset]) / 2 <= ends[1]
        ]
        if within and page.text[within[0] : within[-1] + 1].strip():
            found.append((line, within[0], within[-1] + 1))
    return found
