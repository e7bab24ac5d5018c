"""What is said of documents read in part, of files not read at all, and of all at the end."""

from __future__ import annotations

import hashlib
from collections import Counter

from desktop_qa.catalog import FileError
from desktop_qa.core.document import DocumentId, PageFailure
from desktop_qa.core.file_kinds import FileTally, counts_of, extension_of
from desktop_qa.core.progress import DocumentState, DocumentStatus, IngestReport


def partial_reason(failures: tuple[PageFailure, ...], n_pages: int) -> tuple[str, str]:
    """Return the sentence of the pages that are lost, else of those that lack something."""
    lost = [failure for failure in failures if failure.is_page_lost]
    light = [failure for failure in failures if failure.is_lack and failure.has_text]
    steps = [failure for failure in failures if failure.is_lack]
    if worst := lost or light:
        which = (
            f"Page {worst[0].page_no}" if len(worst) == 1 else f"{len(worst)} of {n_pages} pages"
        )
    if lost:
        return (
            f"{which} could not be read: {lost[0].reason}.",
            "The other pages are searched; scanned pages need OCR.",
        )
    if light:
        verb = "was" if len(light) == 1 else "were"
        return f"{which} {verb} {light[0].reason}.", "All text is searched."
    if steps:
        where = f"Page {steps[0].page_no}" if steps[0].page_no else "The document"
        return (
            f"{where}: {steps[0].reason} ({steps[0].error}).",
            "All other text is searched; report it with the log.",
        )
    return "", ""


def state_of(failures: tuple[PageFailure, ...]) -> DocumentState:
    """Return the state of a document that was read: partial when it lacks something."""
    is_whole = not any(failure.is_lack for failure in failures)
    return DocumentState.READY if is_whole else DocumentState.PARTIAL


def unreadable_file(error: FileError) -> DocumentStatus:
    """A file without readable bytes has no content to be identified by: its path serves."""
    digest = hashlib.sha256(error.path.encode()).hexdigest()[:16]
    return DocumentStatus(
        document_id=DocumentId(f"file-{digest}"),
        file=error.path,
        files=(error.path,),
        path=error.path,
        state=DocumentState.FAILED,
        reason=error.reason,
        hint=error.hint,
    )


def report_of(
    rows: tuple[DocumentStatus, ...],
    file_errors: tuple[DocumentStatus, ...],
    duplicates: tuple[tuple[str, ...], ...],
    passed_over: FileTally,
    seconds: float,
    cancelled: bool,
) -> IngestReport:
    """Sum up a run over the folders of a library.

    Args:
        rows: All documents.
        file_errors: Files that could not be read at all.
        duplicates: Groups of files with the same bytes.
        passed_over: Files of the folders that are not read.
        seconds: That the run took.
        cancelled: Whether the user stopped it.
    """
    read: FileTally = Counter(
        (None, extension_of(file)) for row in rows if row.state.is_searchable for file in row.files
    )
    usable = [row for row in rows if row.state.is_searchable]
    failed = [row for row in rows if row.state is DocumentState.FAILED]
    return IngestReport(
        documents=len(usable),
        pages=sum(row.n_pages for row in usable),
        segments=sum(row.n_segments for row in usable),
        tables=sum(row.n_tables for row in usable),
        figures=sum(row.n_figures for row in usable),
        partial=tuple(row for row in usable if row.state is DocumentState.PARTIAL),
        failed=(*failed, *file_errors),
        duplicates=duplicates,
        seconds=seconds,
        cancelled=cancelled,
        read=counts_of(read),
        not_read=counts_of(passed_over),
        doubtful=tuple(row for row in usable if row.is_doubtful),
    )
