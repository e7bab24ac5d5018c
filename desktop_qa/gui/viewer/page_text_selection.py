"""Places in the texts of pages, and what is selected between two of them. No Qt.

An offset stands between two characters of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from desktop_qa.core.copied_text import copied_text
from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import PageText, TextLine, TextSpan

_WORD = re.compile(r"\w+(?:[-.,'’/_]\w+)*")
_SIDEWAYS_WEIGHT = 3.0
"""Beside a column its neighbour is near; below its last line it is still this column."""

_SAME_COLUMN_SHARE = 0.25
_LINE_WEIGHT = 4.0
"""A point a little beside a line belongs to it, though another line ends nearer by."""
END = 1 << 40
"""Offset of the end of a page whose text is not known yet."""


def offset_at(page: PageText, x: float, y: float, near: int | None = None) -> int:
    """Return the offset that a point means, in points as displayed; the page has a line.

    Where there is no text under the point the column of `near` counts first: there a drag began.
    """
    columns: dict[int, BoundingBox] = {}
    for line in page.lines:
        columns[line.column] = columns.get(line.column, line.bbox).union(line.bbox)
    home = page.lines[page.line_index(near)].column if near is not None else None

    def far(line: TextLine) -> tuple[float, float]:
        box, stands = line.bbox, line.angle in (90, 270)
        dx, dy = distance(box, x, y)
        if not dx and not dy:
            # Where boxes overlap, the one whose middle is nearest.
            middle = x - (box.left + box.right) / 2 if stands else y - (box.top + box.bottom) / 2
            return -1.0, abs(middle)
        beside, below = distance(columns[line.column], x, y)
        column = _SIDEWAYS_WEIGHT * beside + below
        if line.column == home:
            column = _SAME_COLUMN_SHARE * (beside + below)
        return column, (_LINE_WEIGHT * dx + dy if stands else dx + _LINE_WEIGHT * dy)

    line = min(page.lines, key=far)
    ahead = _ahead(line, x, y)
    if ahead:
        return line.end if ahead > 0 else line.first
    return offset_in_line(page, line, page.along(line, x, y))


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


def distance(box: BoundingBox, x: float, y: float) -> tuple[float, float]:
    """Return how far a point is beside a box, and how far over or under it; 0.0 inside."""
    return max(box.left - x, 0.0, x - box.right), max(box.top - y, 0.0, y - box.bottom)


def offset_in_line(page: PageText, line: TextLine, along: float) -> int:
    """Return the offset in a line nearest to a distance in its direction."""
    for offset in range(line.first, line.end):
        if along < (page.starts[offset] + page.ends[offset]) / 2:
            return offset
    return line.end


def caret_box(page: PageText, offset: int) -> BoundingBox:
    """Return the line without width at which a caret stands, in points as displayed."""
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
    """Return the offset a line further (1) or before (-1); None when the page has none.

    `goal` is the distance along the line that the caret keeps; its own when None.
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


@dataclass(frozen=True, slots=True, order=True)
class TextPosition:
    """A place between two characters of a document."""

    page_index: int
    offset: int


class Grain(IntEnum):
    """What a click selects, by how often it was clicked."""

    CHARACTER = 1
    WORD = 2
    LINE = 3
    PARAGRAPH = 4


class Unit(Enum):
    """What the caret moves by; of the last two it goes to an end."""

    CHARACTER = "character"
    WORD = "word"
    LINE = "line"
    PAGE = "page"
    OWN_LINE = "own line"
    DOCUMENT = "document"


PageSource = Callable[[int], PageText | None]
"""Returns the text of a page by its 0-based index; None while it is on the way."""

_GRAINS: dict[Grain, Callable[[PageText, int], tuple[int, int]]] = {
    Grain.WORD: word_at,
    Grain.LINE: line_at,
    Grain.PARAGRAPH: paragraph_at,
}


class PageNotReadError(Exception):
    """A movement leads to a page whose text is on the way; it is tried again when it is there."""

    def __init__(self, page_index: int) -> None:
        super().__init__(page_index)
        self.page_index = page_index


class TextSelection:
    """The selection of one document.

    Attributes:
        caret: The end that moves; None when nothing was clicked or selected yet.
        block: The rectangle that is selected, if it is one.
    """

    def __init__(self, pages: PageSource) -> None:
        self._pages = pages
        self.n_pages = 0
        self._anchor: tuple[TextPosition, TextPosition] | None = None
        self.caret: TextPosition | None = None
        self._grain = Grain.CHARACTER
        self._goal: float | None = None
        self.block: Provenance | None = None

    # What is selected

    @property
    def _ends(self) -> tuple[TextPosition, TextPosition] | None:
        """Where it begins and where it ends; None for a rectangle and for nothing."""
        if self._anchor is None or self.caret is None:
            return None
        return min(self._anchor[0], self.caret), max(self._anchor[1], self.caret)

    @property
    def is_empty(self) -> bool:
        """True when no text is selected."""
        if self.block is not None:
            return not self.parts(self.block.page_no - 1)
        return self.span is None

    @property
    def page_range(self) -> range:
        """Indices of the pages that the selection stands on; the first when there is none."""
        if self.block is not None:
            return range(self.block.page_no - 1, self.block.page_no)
        ends = self._ends
        return range(ends[0].page_index, ends[1].page_index + 1) if ends else range(1)

    @property
    def span(self) -> TextSpan | None:
        """The stretch of text from its start to its end; None for a rectangle and for nothing."""
        start, end = self._ends or (None, None)
        if start is None or end is None or start == end:
            return None
        last = None if end.offset == END else end.offset
        return TextSpan(start.page_index + 1, start.offset, end.page_index + 1, last)

    def _stretch(self, page_index: int) -> tuple[int, int]:
        """Return the offsets of the selected text of a page; equal ones when there is none."""
        start, end = self._ends or (None, None)
        if start is None or end is None or not start.page_index <= page_index <= end.page_index:
            return 0, 0
        first = start.offset if page_index == start.page_index else 0
        return first, end.offset if page_index == end.page_index else END

    def parts(self, page_index: int) -> list[tuple[TextLine, int, int]]:
        """Return the parts of lines that are selected on a page, none before its text is known."""
        page = self._pages(page_index)
        if page is None:
            return []
        if self.block is None:
            return list(page.lines_between(*self._stretch(page_index)))
        is_here = self.block.page_no == page_index + 1
        return block_stretches(page, self.block.bbox) if is_here else []

    def boxes(self, page_index: int) -> tuple[BoundingBox, ...]:
        """Return the rectangles of the selected text of a page."""
        page, parts = self._pages(page_index), self.parts(page_index)
        return tuple(box for _, a, b in parts for box in page.boxes(a, b)) if page else ()

    def places(self) -> tuple[Provenance, ...]:
        """Return where the selection stands on the pages that are known."""
        return tuple(
            Provenance(index + 1, box) for index in self.page_range for box in self.boxes(index)
        )

    def text(self) -> str | None:
        """Return the selected text as it is copied; None while pages of it are on the way."""
        if self.is_empty:
            return ""
        pieces = []
        for index in self.page_range:
            page = self._pages(index)
            if page is None:
                return None
            if self.block is None:
                pieces.append(copied_text(page, *self._stretch(index)))
            else:
                pieces += ["\n".join(page.text[a:b].strip() for _, a, b in self.parts(index))]
        return "\n\n".join(piece for piece in pieces if piece)

    # By mouse

    def clear(self) -> None:
        """Select nothing and stand nowhere."""
        self._anchor = self.caret = self.block = self._goal = None
        self._grain = Grain.CHARACTER

    def begin(self, position: TextPosition, grain: Grain = Grain.CHARACTER) -> None:
        """Start at a place; a grain selects the word, line or paragraph around it."""
        self.block = self._goal = None
        self._grain = grain
        start, end = self._around(position)
        self._anchor, self.caret = (start, end), end

    def extend(self, position: TextPosition) -> None:
        """Select up to a place, by the grain that it was begun with."""
        if self._anchor is None:
            self.begin(position)
            return
        self.block = self._goal = None
        start, end = self._around(position)
        self.caret = start if start < self._anchor[0] else end

    def _around(self, position: TextPosition) -> tuple[TextPosition, TextPosition]:
        page = self._pages(position.page_index)
        grow = _GRAINS.get(self._grain)
        if grow is None or page is None or not page.lines:
            return position, position
        first, last = grow(page, min(position.offset, len(page.text)))
        return replace(position, offset=first), replace(position, offset=last)

    def select_block(self, place: Provenance) -> None:
        """Select what stands in a rectangle."""
        self.clear()
        self.block = place

    def select_all(self) -> None:
        """Select the whole document."""
        self.clear()
        if self.n_pages:
            self.begin(TextPosition(0, 0))
            self.caret = TextPosition(self.n_pages - 1, END)

    def select_page(self, page_index: int) -> None:
        """Select all of a page."""
        self.begin(TextPosition(page_index, 0))
        self.caret = TextPosition(page_index, END)

    # By key

    def move(self, unit: Unit, direction: int, *, extends: bool) -> None:
        """Move the caret on (1) or back (-1); the selection goes with it, or goes away.

        Raises:
            PageNotReadError: When it leads to a page whose text is on the way.
        """
        caret, ends = self.caret, self._ends
        if caret is None or ends is None:
            return
        if not extends and ends[0] != ends[1] and unit is Unit.CHARACTER:
            # As in every text: the caret goes to the end of what was selected.
            self.begin(ends[direction > 0])
            return
        length = len(self._text(caret.page_index).text)
        caret = replace(caret, offset=min(caret.offset, length))
        target, goal = self._target(caret, unit, direction)
        if extends:
            self._grain = Grain.CHARACTER
            self.extend(target)
        else:
            self.begin(target)
        self._goal = goal

    def _text(self, page_index: int) -> PageText:
        page = self._pages(page_index)
        if page is None:
            raise PageNotReadError(page_index)
        return page

    def _target(
        self, caret: TextPosition, unit: Unit, direction: int
    ) -> tuple[TextPosition, float | None]:
        if unit is Unit.DOCUMENT:
            last = self.n_pages - 1
            end = TextPosition(last, len(self._text(last).text)) if direction > 0 else None
            return end or TextPosition(0, 0), None
        page = self._text(caret.page_index)
        goal: float | None = None
        if unit in (Unit.LINE, Unit.PAGE):
            goal = self._goal
            if goal is None and page.lines:
                goal = along_of(page, caret.offset)
        offset = _moved(page, caret.offset, unit, direction, goal) if page.lines else None
        if offset is not None:
            return replace(caret, offset=offset), goal
        # To the nearest page with text; at the end it stays.
        index = caret.page_index + direction
        while 0 <= index < self.n_pages:
            other = self._text(index)
            if other.lines:
                here = page.line_index(caret.offset) if page.lines else 0
                return TextPosition(index, _entered(other, unit, direction, here, goal)), goal
            index += direction
        return caret, goal


def _moved(
    page: PageText, offset: int, unit: Unit, direction: int, goal: float | None
) -> int | None:
    """Return where a movement leads on a page; None when it leads to another one."""
    if unit is Unit.CHARACTER:
        return offset + direction if 0 <= offset + direction <= len(page.text) else None
    if unit is Unit.WORD:
        return (next_word if direction > 0 else previous_word)(page, offset)
    if unit is Unit.OWN_LINE:
        return line_at(page, offset)[direction > 0]
    return line_step(page, offset, direction, goal) if unit is Unit.LINE else None


def _entered(page: PageText, unit: Unit, direction: int, line: int, goal: float | None) -> int:
    """Return where a movement from a line of another page leads on this one."""
    if unit is Unit.PAGE:
        return page.lines[min(line, len(page.lines) - 1)].first
    if unit is Unit.LINE:
        edge = page.lines[0 if direction > 0 else -1]
        return line_step(page, edge.first, 0, goal) or 0
    return 0 if direction > 0 else len(page.text)
