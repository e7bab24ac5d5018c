"""The part of the library that tells all it knows of one document."""

from __future__ import annotations

from pathlib import Path

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import NotReadError
from desktop_qa.index.store import Store
from desktop_qa.library.document_folders import DocumentFolders
from desktop_qa.library.sync import Synchronizer, fingerprint
from desktop_qa.retrieve.document_kinds import kind_of
from desktop_qa.retrieve.outlines import Outlines


class DocumentFacts:
    """Details of documents; usable from several threads."""

    _store: Store
    _sync: Synchronizer

    def details(self, document_id: DocumentId) -> DocumentDetails:
        """Return what is known of a document, also of one that could not be read.

        Raises:
            NotReadError: When it is not part of the library.
        """
        status = self._store.status(document_id, fingerprint())
        if status is None:
            errors = self._sync.file_errors
            status = next((one for one in errors if one.document_id == document_id), None)
        if status is None:
            raise NotReadError(
                "This document is not part of the library any more.", "Press Refresh."
            )
        n_words = self._store.word_counts(document_id)
        silent = (
            tuple(page for page in range(1, status.n_pages + 1) if not n_words.get(page))
            if status.has_content
            else ()
        )
        return DocumentDetails(
            status=status,
            places=tuple(_place(*one) for one in self._store.places(document_id)),
            kind=kind_of(status, Outlines(self._store)) if status.has_content else "",
            n_words=sum(n_words.values()),
            pages_without_text=silent,
            problems=tuple(sorted(status.page_failures, key=lambda failure: failure.page_no)),
            seconds=self._store.reading_note(document_id).seconds,
            kept_bytes=DocumentFolders(self._store.folder).size_bytes(document_id),
        )


def _place(source: str, path: str) -> FilePlace:
    file = Path(source, path)
    try:
        found = file.stat()
    except OSError:
        return FilePlace(str(file), source, None, 0.0)
    return FilePlace(str(file), source, found.st_size, found.st_mtime)
