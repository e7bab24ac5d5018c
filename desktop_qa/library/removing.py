"""The part of the library that takes documents out of it and brings them back.

A removed document leaves lists, indexes and answers at once; its file is never touched, and passed
over from then on, whatever becomes of it. What was read of it stays hidden in the store until the
library is closed, so that taking the removal back reads nothing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.index.store import Store
from desktop_qa.library.sync import Synchronizer, fingerprint
from desktop_qa.retrieve.search_index import SearchIndex


class Removing:
    """Removed documents of a library; usable from several threads, also during an ingest."""

    _store: Store
    _index: SearchIndex
    _sync: Synchronizer

    def remove(self, document_ids: Sequence[DocumentId]) -> tuple[DocumentId, ...]:
        """Take documents out of the library and return those that were in it.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        with self._sync.change_lock:
            hidden = self._store.hide_documents(document_ids)
            self._index.remove(hidden)
            for document_id in hidden:
                self._sync.load_status(document_id)
        unreadable = tuple(one for one in document_ids if self._pass_over(one))
        return (*hidden, *unreadable)

    def _pass_over(self, document_id: DocumentId) -> bool:
        """Take out a file that could never be read; False when the id is that of a document."""
        errors = self._sync.file_errors
        error = next((one for one in errors if one.document_id == document_id), None)
        if error is None:
            return False
        for source in self._store.sources():
            # Which source it is in was not kept; to pass over what is not there does no harm.
            self._store.pass_over(source.id, error.path, document_id)
        self._sync.file_errors = tuple(one for one in errors if one is not error)
        return True

    def restore(self, document_ids: Sequence[DocumentId]) -> tuple[DocumentStatus, ...]:
        """Bring removed documents back.

        Returns:
            Those of which all that was read is still there: they are found again at once. The
            others are read by the next `sync`.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        with self._sync.change_lock:
            back = self._store.unhide_documents(document_ids)
            for document_id in self._store.stamp_again():
                self._index.reload(document_id)
            for document_id in back:
                self._sync.load_status(document_id)
        rows = (self._store.status(document_id, fingerprint()) for document_id in back)
        return tuple(row for row in rows if row is not None)

    def removed_among(self, paths: Sequence[Path]) -> tuple[RemovedDocument, ...]:
        """Return the removed documents of some files, or of files in some folders.

        Args:
            paths: What the user adds by hand and so wants back.
        """
        wanted = [path.expanduser().resolve() for path in paths]
        return tuple(
            one
            for one in self._store.removed_documents()
            if any(Path(file).is_relative_to(path) for file in one.paths for path in wanted)
        )

    def removed(self) -> tuple[RemovedDocument, ...]:
        """Return the removed documents, the latest first."""
        return self._store.removed_documents()

    def purge_removed(self) -> None:
        """Delete what was read of removed documents; does nothing for a reader."""
        if self._store.read_only:
            return
        for document_id in self._store.hidden_documents():
            with self._sync.change_lock:
                # Asked once more: it may have been brought back meanwhile.
                if self._store.is_hidden(document_id):
                    self._sync.forget(document_id)
