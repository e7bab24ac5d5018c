"""What a language model that sees says of a figure: its words, not the document's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FigureToDescribe:
    """A figure with what a model is told of it.

    Attributes:
        image: Absolute path of the PNG.
        caption: Of the document; may be empty.
        around: Text of the document around it and within it.
        place: File and page, for people.
    """

    image: str
    caption: str
    around: str
    place: str


@dataclass(frozen=True, slots=True)
class FigureDescription:
    """A model's description of a figure, so far or whole.

    Attributes:
        text: Plain text.
        model: As its server names it.
        host: Where it ran.
        described_at: Seconds since 1970; 0 while it is being written.
        was_cut: The model had no tokens left for the rest.
    """

    text: str
    model: str
    host: str
    described_at: float = 0.0
    was_cut: bool = False

    @property
    def byline(self) -> str:
        """Whose words these are."""
        cut = " It was cut short." if self.was_cut else ""
        return f"{self.model} says of this picture, not the document. No answer cites it.{cut}"
