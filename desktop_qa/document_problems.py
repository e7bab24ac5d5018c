"""What is said of documents that were read in part, and of files that were not read at all."""

from __future__ import annotations

import hashlib

from desktop_qa.catalog import FileError
from desktop_qa.core.document import DocumentId, PageFailure
from desktop_qa.core.progress import DocumentState, DocumentStatus


def partial_reason(failures: tuple[PageFailure, ...], n_pages: int) -> tuple[str, str]:
    """Return the sentence of the pages that are lost, else of those that lack something."""
    if not failures:
        return "", ""
    lost = [failure for failure in failures if not failure.has_text]
    worst = lost or failures
    which = f"Page {worst[0].page_no}" if len(worst) == 1 else f"{len(worst)} of {n_pages} pages"
    if not lost:
        verb = "was" if len(worst) == 1 else "were"
        return f"{which} {verb} {worst[0].reason}.", "All text is searched."
    return (
        f"{which} could not be read: {worst[0].reason}.",
        "The other pages are searched; scanned pages need OCR.",
    )


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
