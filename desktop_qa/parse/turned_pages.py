"""Pages that lie on their side as displayed: read upright, and what was found turned back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from desktop_qa.core.document import BoundingBox, PageWords, ParseResult, Provenance, Word
from desktop_qa.parse.page import StyledWord

_MIN_SHARE = 0.95
"""Share of the words that run one way; a table on its side has upright running lines around."""

_MIN_WORDS = 4

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Turn:
    """How a page was turned to be read.

    Attributes:
        angle: Direction of its text as displayed, degrees clockwise: 90, 180 or 270.
        width: Of the page once upright, points.
        height: Of the page once upright, points.
    """

    angle: int
    width: float
    height: float

    def box_as_displayed(self, box: BoundingBox) -> BoundingBox:
        """Move a rectangle of the upright page to where it is displayed."""
        width, height = self.width, self.height
        if self.angle == 90:
            return BoundingBox(height - box.bottom, box.left, height - box.top, box.right)
        if self.angle == 270:
            return BoundingBox(box.top, width - box.right, box.bottom, width - box.left)
        return BoundingBox(
            width - box.right, height - box.bottom, width - box.left, height - box.top
        )

    @property
    def size_as_displayed(self) -> tuple[float, float]:
        """Width and height in points."""
        upright = self.width, self.height
        return upright if self.angle == 180 else (upright[1], upright[0])


def text_direction(words: Sequence[StyledWord], min_share: float = _MIN_SHARE) -> int:
    """Return the direction of a page's text, clockwise: 0 unless so much of it lies on a side."""
    angles = Counter(word.angle for word in words)
    if not angles:
        return 0
    angle, n_words = max(angles.items(), key=lambda item: (item[1], -item[0]))
    is_all = n_words >= max(_MIN_WORDS, min_share * len(words))
    return angle if is_all and angle in (90, 180, 270) else 0


def turn_back(result: ParseResult, turns: Mapping[int, Turn]) -> ParseResult:
    """Move everything that was found on turned pages to where it is displayed."""
    if not turns:
        return result
    document = result.document
    sizes = list(document.page_sizes)
    for page_no, turn in turns.items():
        sizes[page_no - 1] = turn.size_as_displayed
    words = (_words_back(page, turns.get(page.page_no)) for page in result.page_words)
    return replace(
        result,
        document=replace(places_back(document, turns), page_sizes=tuple(sizes)),
        page_words=tuple(words),
    )


def _words_back(page: PageWords, turn: Turn | None) -> PageWords:
    if turn is None:
        return page
    words = tuple(Word(word.text, turn.box_as_displayed(word.bbox)) for word in page.words)
    return PageWords(page.page_no, words)


def places_back(value: T, turns: Mapping[int, Turn]) -> T:
    """Copy a value of any depth with the provenances of turned pages moved."""
    moved: Any = value
    if isinstance(value, Provenance):
        turn = turns.get(value.page_no)
        moved = value if turn is None else replace(value, bbox=turn.box_as_displayed(value.bbox))
    elif isinstance(value, tuple):
        moved = tuple(places_back(item, turns) for item in value)
    elif is_dataclass(value) and not isinstance(value, (type, BoundingBox)):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        moved = replace(value, **{k: places_back(part, turns) for k, part in parts.items()})
    return moved  # type: ignore[no-any-return]
