"""What the reader marked in documents: highlights and notes, kept with the library."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.document import DocumentId, Provenance


class MarkColour(StrEnum):
    """The colours of a marker pen; amber is not among them, it says "this is the evidence"."""

    GREEN = "green"
    BLUE = "blue"
    ROSE = "rose"
    VIOLET = "violet"
    GREY = "grey"

    @property
    def label(self) -> str:
        """What a menu calls it."""
        return self.value.capitalize()


class MarkStanding(StrEnum):
    """What became of a mark's document since the mark was made."""

    HERE = "here"
    """The document is as it was."""
    FOUND_AGAIN = "found_again"
    """The file has other bytes now, and the same words stand in it once, on that page or near."""
    EARLIER = "earlier"
    """The file has other bytes now, and the words are not found in them, or several times."""
    GONE = "gone"
    """The file is not in the library any more."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Words of a document that the reader marked; the PDF itself is never written to.

    Attributes:
        id: Of the mark, made by whoever makes it.
        document_id: Of the bytes that were marked.
        file: Path relative to the source folder when it was marked.
        page_no: 1-based, of the first place.
        made_at: Seconds since the epoch.
        changed_at: Seconds since the epoch.
        places: One rectangle for each line, as a `Provenance` has it.
        quote: The marked words.
        note: The reader's own words.
    """

    id: str
    document_id: DocumentId
    file: str
    page_no: int
    colour: MarkColour
    made_at: float
    changed_at: float
    places: tuple[Provenance, ...]
    quote: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlacedMark:
    """A mark, and where it stands in the document as it is now.

    Attributes:
        document_id: The document to show; that of the mark when it is not in the library.
        path: Absolute path of its file; empty when it is not in the library.
        page_no: 1-based; that of the mark when its place is not known.
        places: Empty when its place is not known.
    """

    mark: Mark
    standing: MarkStanding
    document_id: DocumentId
    path: str
    page_no: int
    places: tuple[Provenance, ...]

    @property
    def name(self) -> str:
        """File name of its document."""
        return self.mark.file.rsplit("/", 1)[-1]

    def holds(self, words: str) -> bool:
        """Tell whether note, quote or file name hold every one of some words, in any case."""
        text = f"{self.mark.note}\n{self.mark.quote}\n{self.mark.file}".casefold()
        return all(word in text for word in words.casefold().split())


def reading_order(placed: PlacedMark) -> tuple[str, int, float, float, float]:
    """Key that sorts marks by file, then down the pages."""
    boxes = [place.bbox for place in placed.places if place.page_no == placed.page_no]
    top, left = min(((box.top, box.left) for box in boxes), default=(0.0, 0.0))
    return placed.mark.file, placed.page_no, top, left, placed.mark.made_at
