"""What the PDF engine saw on one page, free of the engine's own types."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox


@dataclass(frozen=True, slots=True)
class StyledWord:
    """A word with its look; coordinates as displayed (rotation and crop applied).

    Attributes:
        size: Font size in points of the largest glyph.
        baseline: Vertical position of the baseline of the first glyph, points from the top.
        angle: Direction of the text as displayed, degrees clockwise: 0, 90, 180, 270, or other.
        block_no: Block of the engine, a hint only.
        line_no: Line of the engine within the page, 0-based: words of one line share it.
        space_before: False where the word follows the one before it in its line with no space.
        color: sRGB as an integer.
        hidden: True for text that is laid on the page without being painted.
    """

    text: str
    bbox: BoundingBox
    size: float
    baseline: float
    font: str
    bold: bool
    italic: bool
    angle: int
    block_no: int
    line_no: int
    space_before: bool
    color: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin straight stroke or a filled rectangle thin enough to look like one.

    Attributes:
        horizontal: Else vertical.
        position: y of a horizontal rule, x of a vertical one.
        start: Smaller end along its direction.
        end: Larger end along its direction.
        thickness: In points.
        drawn: False for the edge of a fill.
    """

    horizontal: bool
    position: float
    start: float
    end: float
    thickness: float
    drawn: bool = True

    @property
    def length(self) -> float:
        """In points."""
        return self.end - self.start

    @property
    def bbox(self) -> BoundingBox:
        """Its middle line."""
        if self.horizontal:
            return BoundingBox(self.start, self.position, self.end, self.position)
        return BoundingBox(self.position, self.start, self.position, self.end)


def rule_along(box: BoundingBox) -> Rule:
    """Return a thin rectangle as the stroke that it looks like."""
    if box.width >= box.height:
        return Rule(True, (box.top + box.bottom) / 2, box.left, box.right, box.height)
    return Rule(False, (box.left + box.right) / 2, box.top, box.bottom, box.width)


def sides_of(box: BoundingBox, thickness: float, *, drawn: bool = True) -> tuple[Rule, ...]:
    """Return what bounds a rectangle above, below, left and right."""
    return (
        Rule(True, box.top, box.left, box.right, thickness, drawn),
        Rule(True, box.bottom, box.left, box.right, thickness, drawn),
        Rule(False, box.left, box.top, box.bottom, thickness, drawn),
        Rule(False, box.right, box.top, box.bottom, thickness, drawn),
    )


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled rectangle (a shaded cell, a bar of a plot); `color` is RGB in 0..1."""

    bbox: BoundingBox
    color: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A vector path of any kind, for finding figures.

    Attributes:
        n_items: Number of path operators.
        has_curves: True with Bezier curves or slanted lines: tables have none.
    """

    bbox: BoundingBox
    n_items: int
    has_curves: bool


@dataclass(frozen=True, slots=True)
class ImagePlace:
    """A bitmap on the page."""

    bbox: BoundingBox
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class PageContent:
    """Everything the layout works from; sizes in points as displayed.

    Attributes:
        undecoded: True when glyphs are seen of which each is a space to the engine.
        vertical: True when lines are written downwards, as ideographs may be.
    """

    page_no: int
    width: float
    height: float
    label: str
    words: tuple[StyledWord, ...]
    rules: tuple[Rule, ...]
    fills: tuple[Fill, ...]
    drawings: tuple[Drawing, ...]
    images: tuple[ImagePlace, ...]
    undecoded: bool = False
    vertical: bool = False

    @property
    def bbox(self) -> BoundingBox:
        """The sheet."""
        return BoundingBox(0.0, 0.0, self.width, self.height)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: level 1 is outermost; `top` is the height of its target when it is known."""

    level: int
    title: str
    page_no: int
    top: float | None
