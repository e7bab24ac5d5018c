"""All that a library knows of one document, for a person to read."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.document import PageFailure
from desktop_qa.core.progress import DocumentStatus


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file that holds the bytes of a document.

    Attributes:
        path: Absolute.
        source: The source folder it is in, absolute.
        size_bytes: None when the file is not there.
        changed_at: Seconds since the epoch; 0.0 when the file is not there.
    """

    path: str
    source: str
    size_bytes: int | None
    changed_at: float


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """A document as it was read, and its files as they are now.

    Attributes:
        status: Title, vendor, parts, revision, date, state, counts, when and by what it was read.
        places: Its files, the first one first.
        kind: What it is: "datasheet", "manual"; empty when that does not show.
        n_words: On all pages.
        pages_without_text: 1-based numbers of pages on which no word was found.
        problems: Of pages, by page.
        seconds: That reading and indexing it took; 0.0 when it was not noted.
        kept_bytes: That its figures and its text take in the library's folder, beside its index.
    """

    status: DocumentStatus
    places: tuple[FilePlace, ...]
    kind: str
    n_words: int
    pages_without_text: tuple[int, ...]
    problems: tuple[PageFailure, ...]
    seconds: float
    kept_bytes: int
