"""What the reader has before the eyes while asking: what "this page" and "here" mean."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance


@dataclass(frozen=True, slots=True)
class Viewed:
    """What the viewer shows.

    Attributes:
        document_id: `None` while no document of the library is open.
        page_no: 1-based page that is read; 0 when there is none.
        page_label: Its printed number, empty when it is that of the page.
        y: How far down the page is read, in points from its top.
        part: Of the page that is on screen; `None` when it is not known.
        places: Where the selected text stands; empty when nothing is selected.
        words: The selected text.
    """

    document_id: DocumentId | None = None
    page_no: int = 0
    page_label: str = ""
    y: float = 0.0
    part: BoundingBox | None = None
    places: tuple[Provenance, ...] = ()
    words: str = ""
