"""What the window asks of the two readings of a document; a model that reads has a lane of its own.

It is told how far the model is after each round. A request that is stopped, and one that fails,
leaves the document as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.readings import ReadBy, ReadingProgress, together
from desktop_qa.llm.profile import Profile, ProfileStore
from desktop_qa.service.models import ModelRequests

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


class ReadingRequests:
    """Has documents read by models, one after the other.

    Attributes:
        methods: By name.
    """

    def __init__(
        self,
        library: Callable[[], Library],
        tell: Callable[[int, ReadingProgress], None],
        is_cancelled: Callable[[int], bool],
        models: ModelRequests,
    ) -> None:
        self._library = library
        self._tell = tell
        self._is_cancelled = is_cancelled
        self._models = models
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="reading-lane")
        self.methods: dict[str, Callable[..., Any]] = {
            "estimate_reading": self._estimate,
            "read_by_model": self._read,
            "use_reading": self._use,
        }

    def lane_of(self, _method: str, _request_id: int) -> ThreadPoolExecutor:
        """See `Requests`."""
        return self._lane

    def end(self) -> None:
        """See `Requests`; whoever ends it has cancelled what is under way."""
        self._lane.shutdown(wait=True, cancel_futures=True)

    def _estimate(
        self, _request_id: int, document_ids: tuple[DocumentId, ...], profile: Profile
    ) -> Any:
        """Return which documents can be read by a model, and what that takes.

        Raises:
            QuestionError: Why none can.
        """
        estimates, problem = {}, QuestionError("No document is chosen.")
        for document_id in document_ids:
            try:
                reading = self._library().reading_by_model(document_id, profile)
                estimates[document_id] = reading.estimate
            except QuestionError as error:
                problem = error
        if not estimates:
            raise problem
        return tuple(estimates), together(list(estimates.values()))

    def _read(self, request_id: int, document_id: DocumentId, profile: Profile) -> Any:
        """Have a document read, and return its row and what came of it.

        Raises:
            Cancelled: When it was stopped.
            DesktopQaError: When it failed.
        """
        from desktop_qa.library.reading_by_model import read_by_model

        library = self._library()
        reading = library.reading_by_model(document_id, profile)
        consent = ProfileStore().consent(library.folder, profile)
        key = self._models.key(profile)

        async def listen() -> None:
            async with aclosing(read_by_model(reading, key, consent)) as steps:
                async for step in steps:
                    self._tell(request_id, step)

        self._models.awaited(request_id, listen)
        note = library.keep_reading(reading, lambda: self._is_cancelled(request_id))
        return library.document_status(document_id), note

    def _use(self, _request_id: int, document_id: DocumentId, by: ReadBy) -> Any:
        """Search one of the two readings, and return the document's row."""
        library = self._library()
        library.use_reading(document_id, by)
        return library.document_status(document_id)
