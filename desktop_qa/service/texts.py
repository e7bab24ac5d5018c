"""What the window may ask of the text of an open document."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from desktop_qa.service.page_texts import PageTexts


class TextRequests:
    """Answers what the viewer selects, finds and lists; no library is needed for it.

    Attributes:
        methods: By name.
    """

    def __init__(self) -> None:
        self._texts = PageTexts()
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="text-lane")
        self.methods: dict[str, Callable[..., Any]] = {
            "page_text": _without_id(self._texts.page_text),
            "outline": _without_id(self._texts.outline),
            "find_text": _without_id(self._texts.find),
            "copy_text": _without_id(self._texts.copy),
        }

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """See `Requests`."""
        return self._lane

    def end(self) -> None:
        """See `Requests`."""
        self._texts.close()
        self._lane.shutdown(wait=True, cancel_futures=True)


def _without_id(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(_request_id: int, *arguments: Any) -> Any:
        return method(*arguments)

    return call
