"""The text of the pages as the viewer needs it: characters with their places, links, the outline.

A page's text is one string in reading order, so a place in it is a number; whatever is selected or
found is a pair of them. Coordinates are points with the origin at the top left of the page as
displayed, as those of a `Provenance`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from desktop_qa.core.document import BoundingBox

if TYPE_CHECKING:
    FloatArray = array[float]
else:
    FloatArray = array  # which Python 3.11 cannot be told what it holds of

CELL_BREAK = "\t"
"""Stands in a line where its parts are set far from each other: cells of a row."""


class TextProblem(StrEnum):
    """Why there is nothing, or nothing of use, to select on a page."""

    NONE = ""
    BLANK = "blank"
    SCANNED = "scanned"
    DRAWN = "drawn"
    GARBLED = "garbled"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a page.

    Attributes:
        first: Offset of its first character in `PageText.text`.
        end: One past its last character; a line break follows unless it is the last line.
        bbox: As displayed.
        angle: Direction in which it reads, degrees clockwise: 0, 90, 180 or 270.
        block: Lines of one paragraph share it; grows in reading order.
        column: Lines read one below the other share it; grows in reading order.
    """

    first: int
    end: int
    bbox: BoundingBox
    angle: int
    block: int
    column: int


@dataclass(frozen=True, slots=True)
class PageLink:
    """A place that can be clicked.

    Attributes:
        page_no: 1-based target in the same document; None for a target outside of it.
        top: Height of the target on its page in points; None for the page as a whole.
        address: Where it leads outside, as it stands in the file; empty for a target inside.
    """

    bbox: BoundingBox
    page_no: int | None
    top: float | None
    address: str


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page in reading order.

    Attributes:
        width: Of the page as displayed, points.
        text: Its lines, joined by line breaks.
        starts: Where each character of `text` begins in the direction of its line, points from
            the edge of the page at which lines of this direction begin.
        ends: Where it ends.
        problem: Why the text is missing or of no use.
    """

    page_no: int
    width: float
    height: float
    text: str
    starts: FloatArray
    ends: FloatArray
    lines: tuple[TextLine, ...]
    links: tuple[PageLink, ...] = ()
    problem: TextProblem = TextProblem.NONE

    def line_index(self, offset: int) -> int:
        """Return which line holds the character at an offset, or ends before it."""
        return max(bisect_right(self.lines, offset, key=lambda line: line.first) - 1, 0)

    def lines_between(self, start: int, end: int) -> Iterator[tuple[TextLine, int, int]]:
        """Yield the lines that a stretch of the text touches, each with its part of it."""
        if start >= end or not self.lines:
            return
        for index in range(self.line_index(start), len(self.lines)):
            line = self.lines[index]
            if line.first >= end:
                return
            first, last = max(start, line.first), min(end, line.end)
            if first < last:
                yield line, first, last

    def boxes(self, start: int, end: int) -> tuple[BoundingBox, ...]:
        """Return the rectangles of a stretch of the text, one for each line and cell."""
        found = []
        for line, first, last in self.lines_between(start, end):
            at = first
            for piece in self.text[first:last].split(CELL_BREAK):
                if piece:
                    end_at = at + len(piece)
                    start_at, stop_at = min(self.starts[at:end_at]), max(self.ends[at:end_at])
                    found.append(self.box_along(line, start_at, stop_at))
                at += len(piece) + 1
        return tuple(found)

    def box_along(self, line: TextLine, start: float, stop: float) -> BoundingBox:
        """Return the part of a line between two distances in its direction; see `along`."""
        box = line.bbox
        if line.angle == 90:
            return BoundingBox(box.left, start, box.right, stop)
        if line.angle == 180:
            return BoundingBox(self.width - stop, box.top, self.width - start, box.bottom)
        if line.angle == 270:
            return BoundingBox(box.left, self.height - stop, box.right, self.height - start)
        return BoundingBox(start, box.top, stop, box.bottom)

    def along(self, line: TextLine, x: float, y: float) -> float:
        """Return how far a point lies in the direction of a line; compare with `starts`."""
        if line.angle == 90:
            return y
        if line.angle == 180:
            return self.width - x
        return self.height - y if line.angle == 270 else x


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A bookmark.

    Attributes:
        parent: Index of the one it stands under among all of them, -1 for none.
        page_no: 1-based; None when it leads nowhere in this document.
        top: Height of its target in points as displayed; None for the page as a whole.
    """

    title: str
    parent: int
    page_no: int | None
    top: float | None


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Words to find in a document."""

    words: str
    whole_word: bool = False
    match_case: bool = False


@dataclass(frozen=True, slots=True)
class TextHit:
    """A place that holds the words: a stretch of a page's text, and its rectangles."""

    page_no: int
    start: int
    end: int
    boxes: tuple[BoundingBox, ...]

    def __reduce__(self) -> tuple[type[TextHit], tuple[object, ...]]:
        """Return what pickle makes it of again; see `BoundingBox`."""
        return TextHit, (self.page_no, self.start, self.end, self.boxes)


@dataclass(frozen=True, slots=True)
class FoundText:
    """A part of a search.

    Attributes:
        hits: In reading order.
        next_page: 1-based page from which to search on; None when the whole was searched.
        n_pages: Of the document.
        n_without_text: Of the pages of this part, those that hold no text that can be searched.
    """

    hits: tuple[TextHit, ...]
    next_page: int | None
    n_pages: int
    n_without_text: int


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of a document's text, from an offset on a page to an offset on another or the same.

    Attributes:
        first_page: 1-based.
        end: Offset on the last page, one past the last character; None for the end of the page.
    """

    first_page: int
    start: int
    last_page: int
    end: int | None


@dataclass(frozen=True, slots=True)
class CopiedText:
    """A part of a stretch of text as it is copied.

    Attributes:
        next_page: 1-based page from which to go on; None when all of it is there.
    """

    text: str
    next_page: int | None
