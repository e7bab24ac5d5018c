"""What a library knows of its documents, kept until it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.index.store import Store
from desktop_qa.retrieve.directory import Directory, directory_of
from desktop_qa.retrieve.revisions import newer_revisions
from desktop_qa.retrieve.search_index import SearchIndex


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """The documents of a library between two changes.

    Attributes:
        directory: What a question can name them by.
        newer: The newest revision of each document that is outdated.
    """

    statuses: tuple[DocumentStatus, ...]
    directory: Directory
    newer: Mapping[DocumentId, DocumentId]


class DocumentsReader:
    """Reads them anew when they changed, not for every question; usable from several threads."""

    def __init__(
        self, store: Store, index: SearchIndex, date_of: Callable[[DocumentId], str]
    ) -> None:
        self._store = store
        self._index = index
        self._date_of = date_of
        # With the time each document was read: a later version may read another date from it.
        self._dates: dict[tuple[DocumentId, float], str] = {}
        self._made: tuple[Mapping[str, int], int, KnownDocuments] | None = None

    def read(self) -> KnownDocuments:
        """Return the documents as they are now.

        Raises:
            LibraryError: When the library cannot be read.
        """
        vocabulary, revision = self._index.vocabulary, self._store.documents_revision
        made = self._made
        if made is None or made[0] is not vocabulary or made[1] != revision:
            known = self._known(self._store.statuses(), vocabulary)
            made = self._made = (vocabulary, revision, known)
        return made[2]

    def _known(
        self, statuses: Sequence[DocumentStatus], vocabulary: Mapping[str, int]
    ) -> KnownDocuments:
        read_at = {status.document_id: status.read_at for status in statuses}

        def date_of(document_id: DocumentId) -> str:
            key = document_id, read_at[document_id]
            if key not in self._dates:
                self._dates[key] = self._date_of(document_id)
            return self._dates[key]

        return KnownDocuments(
            tuple(statuses),
            directory_of(statuses, vocabulary, self._index.holders, self._index.text_holders),
            {old: new for old, (new, _n) in newer_revisions(statuses, date_of).items()},
        )
