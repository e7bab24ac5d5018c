"""What the reader marked in documents: highlights, notes and cells that were read wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
class WrongCell:
    """A cell of a table that the reader reports as read wrongly; its mark quotes what was read.

    Attributes:
        table: What the table is called; empty, as row and column, when it has no name.
        row: The name of its row.
        column: The head of its column.
        instead: What the page says instead; empty when the reader did not say.
    """

    table: str
    row: str
    column: str
    instead: str = ""

    @property
    def place(self) -> str:
        """Table, row and column in one line."""
        return " › ".join(part for part in (self.table, self.row, self.column) if part)

    @property
    def sentence(self) -> str:
        """What is said of the cell wherever it is shown."""
        said = f": says “{self.instead}” instead" if self.instead else ""
        return f"Reported wrong{said}"


@dataclass(frozen=True, slots=True)
class ReadCell:
    """A cell as it was read, wherever it is shown: what a report is made of.

    Attributes:
        document_id: Of the bytes that were read.
        text: As read; empty when nothing was.
        places: At least one.
        name: What it is called; nothing is said instead yet.
    """

    document_id: DocumentId
    text: str
    places: tuple[Provenance, ...]
    name: WrongCell


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
        cell: Of a report that a cell was read wrongly; else `None`.
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
    cell: WrongCell | None = None


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
        """Tell whether what is said of it or its file name hold every one of some words."""
        cell = self.mark.cell
        said = f"{cell.sentence}\n{cell.place}" if cell is not None else ""
        text = f"{self.mark.note}\n{self.mark.quote}\n{self.mark.file}\n{said}".casefold()
        return all(word in text for word in words.casefold().split())


def reading_order(placed: PlacedMark) -> tuple[str, int, float, float, float]:
    """Key that sorts marks by file, then down the pages."""
    boxes = [place.bbox for place in placed.places if place.page_no == placed.page_no]
    top, left = min(((box.top, box.left) for box in boxes), default=(0.0, 0.0))
    return placed.mark.file, placed.page_no, top, left, placed.mark.made_at


def report_on(
    marks: Iterable[PlacedMark], document_id: DocumentId, places: Sequence[Provenance]
) -> PlacedMark | None:
    """Return the report of what stands at some places of a document; `None` without.

    All of the report stands there, or all that stands there is part of it: two readings that share
    a cell over several rows are two.
    """
    for placed in marks:
        is_here = placed.mark.cell is not None and placed.document_id == document_id
        if is_here and (_hold(places, placed.places) or _hold(placed.places, places)):
            return placed
    return None


def _hold(places: Sequence[Provenance], others: Sequence[Provenance]) -> bool:
    """Tell whether each of some places is of a cell of others: a word of it lies in its line."""
    return bool(others) and all(any(own.meets(other) for own in places) for other in others)
