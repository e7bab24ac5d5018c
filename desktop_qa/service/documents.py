"""What the window may ask of single documents: details, taking them out, bringing them back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.core.document import DocumentId

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

_Ids = tuple[DocumentId, ...]


class DocumentRequests:
    """Answers the window's requests about documents.

    Attributes:
        methods: By name.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="care-lane")
        self.methods: dict[str, Callable[..., Any]] = {
            "details": self._details,
            "remove_documents": self._remove,
            "restore_documents": self._restore,
            "removed_among": self._removed_among,
            "removed_documents": self._removed,
        }

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """Return a lane of their own: neither a question nor an ingest holds them up."""
        return self._lane

    def end(self) -> None:
        """Do what was asked for: what was taken out last must not come back."""
        self._lane.shutdown(wait=True)

    def _details(self, _request_id: int, document_id: DocumentId) -> Any:
        return self._library().details(document_id)

    def _removed(self, _request_id: int) -> Any:
        return self._library().removed()

    def _remove(self, _request_id: int, document_ids: _Ids) -> Any:
        return self._library().remove(document_ids)

    def _restore(self, _request_id: int, document_ids: _Ids) -> Any:
        return self._library().restore(document_ids)

    def _removed_among(self, _request_id: int, paths: tuple[str, ...]) -> Any:
        return self._library().removed_among([Path(path) for path in paths])
