"""States of documents and the progress of an ingest: the same words in store, JSON and window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import PurePosixPath

from desktop_qa.core.document import DocumentId, PageFailure, ReadingScore
from desktop_qa.core.file_kinds import FileCount
from desktop_qa.core.page_names import PageStarts, page_label, page_name

SCANNED_DOCUMENT = "The PDF holds no text: its pages are scanned pictures."
"""The reason of a document that failed because it is a scan; stored with it, so it stays."""


class DocumentState(StrEnum):
    """`waiting -> reading -> indexing -> ready | partial | failed`."""

    WAITING = "waiting"
    READING = "reading"
    INDEXING = "indexing"
    READY = "ready"
    PARTIAL = "partial"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """True when no work is left to do on the document."""
        return self in (DocumentState.READY, DocumentState.PARTIAL, DocumentState.FAILED)

    @property
    def is_searchable(self) -> bool:
        """True when questions find the document."""
        return self in (DocumentState.READY, DocumentState.PARTIAL)


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """A row of the library panel: one document, however many files hold its bytes.

    Attributes:
        file: Path of the first file relative to its source folder, with "/" separators.
        files: All of them.
        path: Absolute path of the first file.
        n_pages: 0 until it is known.
        n_pages_read: Pages done while reading.
        stale: True when parser, segmenter or model changed since it was read.
        other_model: True when another embedding model made its vectors: they are compared with
            nothing, and the document is found by its words only.
        read_by: Parser, segmenter and model it was read by; empty before it was.
        read_at: Seconds since the epoch when it was read; when it came, before that.
        date: Of its revision, "2018-03" or "2018-03-21"; empty when it is not known.
        reading: How well it was read; `None` when nobody asked. Its doubts are told only of a
            document that was read with doubts.
        page_starts: Where the numbers that its pages print begin to count anew.
    """

    document_id: DocumentId
    file: str
    files: tuple[str, ...]
    path: str
    state: DocumentState
    reason: str = ""
    hint: str = ""
    title: str = ""
    vendor: str = ""
    part_numbers: tuple[str, ...] = ()
    revision: str = ""
    n_pages: int = 0
    n_pages_read: int = 0
    n_segments: int = 0
    n_tables: int = 0
    n_figures: int = 0
    page_failures: tuple[PageFailure, ...] = ()
    stale: bool = False
    other_model: bool = False
    read_by: str = ""
    read_at: float = 0.0
    date: str = ""
    reading: ReadingScore | None = None
    page_starts: PageStarts = ()

    def __reduce__(self) -> tuple[type[DocumentStatus], tuple[object, ...]]:
        """Return what pickle makes it of again, in a third of the time of its own way.

        The rows of a library of thousands come to the window in one message.
        """
        return DocumentStatus, tuple(getattr(self, name) for name in _STATUS_FIELDS)

    def page_name(self, page_no: int) -> str:
        """Return a page for people: "45 (PDF 47)" where it prints another number."""
        return page_name(page_no, page_label(self.page_starts, page_no))

    @property
    def names(self) -> set[str]:
        """What it may be called by: its id, and its files as `names_of_files` has them."""
        return {self.document_id, *names_of_files(self.files)}

    @property
    def is_scan(self) -> bool:
        """True when it is known, since it was read, to hold pictures of pages and no text."""
        return self.state is DocumentState.FAILED and self.reason == SCANNED_DOCUMENT

    @property
    def is_doubtful(self) -> bool:
        """True when it was read, and its pages tell that it was not read well."""
        return self.state.is_searchable and self.reading is not None and self.reading.is_doubtful

    @property
    def is_indexed(self) -> bool:
        """True when questions find it; one that is being read again is found as it was."""
        return self.n_segments > 0

    @property
    def has_content(self) -> bool:
        """True when there is something of it to show: it is read, or was before and waits."""
        return self.is_indexed or self.state.is_searchable


def names_of_files(files: Sequence[str]) -> set[str]:
    """Return what files are called: their paths, their names, and these without endings."""
    paths = [PurePosixPath(file) for file in files]
    return {*files, *(path.name for path in paths), *(path.stem for path in paths)}


_STATUS_FIELDS = tuple(field.name for field in fields(DocumentStatus))


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """A moment of an ingest; `None` where it is not known yet.

    Attributes:
        n_done: Documents in a final state, of `n_documents`.
        pages_per_second: Over this ingest.
        seconds_left: Estimate.
        changed: Rows whose state changed since the last message.
        removed: Documents that left the library since the last message.
        activity: A sentence: "Reading 34 of 60 pages of BOSCH_BME280.pdf".
    """

    n_done: int
    n_documents: int
    n_pages_done: int
    n_pages: int
    pages_per_second: float
    seconds_left: float | None
    paused: bool
    activity: str
    changed: tuple[DocumentStatus, ...] = ()
    removed: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The end of an ingest: counts, and what needs attention.

    Attributes:
        duplicates: Groups of files with the same bytes.
        read: Files that questions find, by kind.
        not_read: Files of the folders that are passed over, by kind and reason.
    """

    documents: int
    pages: int
    segments: int
    tables: int
    figures: int
    partial: tuple[DocumentStatus, ...]
    failed: tuple[DocumentStatus, ...]
    duplicates: tuple[tuple[str, ...], ...]
    seconds: float
    cancelled: bool = False
    read: tuple[FileCount, ...] = ()
    not_read: tuple[FileCount, ...] = ()
    doubtful: tuple[DocumentStatus, ...] = ()

    @property
    def scans(self) -> tuple[DocumentStatus, ...]:
        """Those that failed because they are scans without text."""
        return tuple(row for row in self.failed if row.is_scan)
