"""Where the segments of all documents stand, kept in memory and in step with the library."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.index.index_rows import DocumentOutline
from desktop_qa.index.store import Store


class Outlines:
    """Reads each document once, when it is needed or ahead of it; usable from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        # With the time each document was read: a later version may find other headings.
        self._known: dict[DocumentId, tuple[float, DocumentOutline]] = {}

    def of(self, status: DocumentStatus) -> DocumentOutline:
        """Return the outline of a document as it is stored now.

        Raises:
            LibraryError: When the library cannot be read.
        """
        known = self._known.get(status.document_id)
        if known is not None and known[0] == status.read_at:
            return known[1]
        outline = self._store.outline(status.document_id)
        with self._lock:
            self._known[status.document_id] = (status.read_at, outline)
        return outline

    def read_all(
        self, statuses: Iterable[DocumentStatus], is_stopped: Callable[[], bool]
    ) -> list[tuple[DocumentStatus, DocumentOutline]]:
        """Return the outlines of all documents that have segments; fewer when it is stopped.

        What has left the library is forgotten.

        Raises:
            LibraryError: When the library cannot be read.
        """
        found: list[tuple[DocumentStatus, DocumentOutline]] = []
        for status in statuses:
            if is_stopped():
                return found
            if status.is_indexed:
                found.append((status, self.of(status)))
        present = {status.document_id for status, _ in found}
        with self._lock:
            for gone in self._known.keys() - present:
                del self._known[gone]
        return found
