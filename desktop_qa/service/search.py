"""What the window may ask while somebody types: suggestions and searches, the latest of each.

They have threads of their own, so that no question, export or ingest holds them up. What was typed
over meanwhile is not looked for any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.search_view import SearchRequest
from desktop_qa.core.segment import SegmentId

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


class SearchRequests:
    """Answers the window's requests about what is being typed.

    Attributes:
        methods: By name.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._lane = ThreadPoolExecutor(2, thread_name_prefix="search-lane")
        self._latest: dict[str, int] = {}
        self.methods: dict[str, Callable[..., Any]] = {
            "suggest": self._suggest,
            "search": self._search,
            "search_marks": self._marks,
        }

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """Note that a request came; an earlier one of its kind that still waits is out of date."""
        with self._lock:
            self._latest[method] = request_id
        return self._lane

    def end(self) -> None:
        """See `Requests`."""
        self._lane.shutdown(wait=True, cancel_futures=True)

    def _is_overtaken(self, method: str, request_id: int) -> bool:
        with self._lock:
            return self._latest.get(method, request_id) != request_id

    def _suggest(self, request_id: int, text: str, caret: int) -> Any:
        if self._is_overtaken("suggest", request_id):
            return ()
        return self._library().suggestions(text, caret)

    def _search(self, request_id: int, request: SearchRequest) -> Any:
        if self._is_overtaken("search", request_id):
            raise Cancelled
        return self._library().search(request)

    def _marks(self, request_id: int, segment_id: SegmentId, text: str) -> Any:
        if self._is_overtaken("search_marks", request_id):
            raise Cancelled
        return self._library().search_marks(segment_id, text)
