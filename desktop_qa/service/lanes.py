"""Lanes of the library's process: which requests wait for which, and how each ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

Methods = dict[str, Callable[..., Any]]
"""What can be asked for, by name; each takes the id of the request first."""


class Requests(Protocol):
    """Methods that the window may call, and where they are carried out."""

    @property
    def methods(self) -> Mapping[str, Callable[..., Any]]:
        """What can be asked for, by name."""

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """Return where a request that has just come is carried out."""

    def end(self) -> None:
        """End the lane: what waits is dropped, what is under way is waited for."""


class Lane:
    """Methods that are carried out one after the other."""

    def __init__(
        self, methods: Methods, lane: ThreadPoolExecutor, *, ends_what_waits: bool = False
    ) -> None:
        """Take the methods and their lane.

        Args:
            methods: By name.
            lane: Of one thread.
            ends_what_waits: What was asked for is still done at the end; for small writes, as
                questions beside them are cancelled by then.
        """
        self.methods = methods
        self._lane = lane
        self._drops = not ends_what_waits

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """See `Requests`."""
        return self._lane

    def end(self) -> None:
        """See `Requests`."""
        self._lane.shutdown(wait=True, cancel_futures=self._drops)
