"""How the pages are set out: one by one or in pairs, how large, which way up. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

MIN_FACTOR = 0.1
MAX_FACTOR = 16.0
MIN_FITTED_FACTOR = 0.01
"""A page of 200 inches still fits into a window; nobody chooses such a size by hand."""
FULL_TURN = 360
QUARTER_TURN = 90
_STEPS = (
    *(0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0),
    *(4.0, 6.0, 8.0, 12.0, 16.0),
)
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


class PageMode(StrEnum):
    """Which pages are on screen together.

    CONTINUOUS has all pages one below the other; the others turn page by page, or pair by pair.
    COVER_AND_PAIRS is a book: the first page stands alone on the right.
    """

    CONTINUOUS = "continuous"
    SINGLE = "single"
    PAIRS = "pairs"
    COVER_AND_PAIRS = "cover_and_pairs"

    @property
    def turns(self) -> bool:
        """True when pages are turned; False when all are scrolled through."""
        return self is not PageMode.CONTINUOUS

    @property
    def has_pairs(self) -> bool:
        """True when two pages stand side by side."""
        return self in (PageMode.PAIRS, PageMode.COVER_AND_PAIRS)


@dataclass(frozen=True, slots=True)
class PageArrangement:
    """Everything about how a document is shown, apart from the place that is read.

    Attributes:
        rotation: Degrees clockwise by which the pages are turned on screen: 0, 90, 180 or 270.
    """

    mode: PageMode = PageMode.CONTINUOUS
    zoom: Zoom = Zoom()
    rotation: int = 0

    def turned(self, quarter_turns: int) -> PageArrangement:
        """Return it with the pages turned clockwise, for negative numbers the other way."""
        return replace(self, rotation=(self.rotation + QUARTER_TURN * quarter_turns) % FULL_TURN)

    def to_text(self) -> str:
        """Write it in one line, to be kept in settings."""
        return f"{self.mode} {self.zoom.mode} {self.zoom.factor:.4f} {self.rotation}"

    @classmethod
    def from_text(cls, text: str) -> PageArrangement:
        """Read what `to_text` wrote; the default for anything else, be it damaged or newer."""
        try:
            mode, zoom_mode, factor, rotation = text.split(" ")
            zoom = Zoom(ZoomMode(zoom_mode), min(max(float(factor), MIN_FACTOR), MAX_FACTOR))
            read = cls(PageMode(mode), zoom, int(rotation))
        except ValueError:
            return cls()
        return read if read.rotation in range(0, FULL_TURN, QUARTER_TURN) else cls()


def spreads(mode: PageMode, n_pages: int) -> list[range]:
    """Return the indices of the pages that stand side by side, from the first to the last."""
    if not mode.has_pairs:
        return [range(index, index + 1) for index in range(n_pages)]
    first = [range(1)] if mode is PageMode.COVER_AND_PAIRS and n_pages else []
    return first + [range(i, min(i + 2, n_pages)) for i in range(len(first), n_pages, 2)]


def turned_size(size: tuple[float, float], rotation: int) -> tuple[float, float]:
    """Return width and height of a page that is turned on screen."""
    return (size[1], size[0]) if rotation % (2 * QUARTER_TURN) else size


def next_larger(factor: float) -> float:
    """Return the zoom step above a factor."""
    return next((step for step in _STEPS if step > factor * (1 + _SAME)), MAX_FACTOR)


def next_smaller(factor: float) -> float:
    """Return the zoom step below a factor."""
    return next((step for step in reversed(_STEPS) if step < factor * (1 - _SAME)), MIN_FACTOR)
