"""Lanes of the library's process: which requests wait for which, and what a request is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from desktop_qa.core.errors import Cancelled
from desktop_qa.service.messages import Message, Progress, Request


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A request that is carried out, or waits for that.

    Attributes:
        request: As the window sent it.
        send: Sends to the window; thread-safe.
        cancelled: Set once nobody waits for what comes of it.
    """

    request: Request
    send: Callable[[Message], None]
    cancelled: threading.Event = field(default_factory=threading.Event)

    def tell(self, progress: Any) -> None:
        """Send what there is so far."""
        self.send(Progress(self.request.id, progress))

    def check(self) -> None:
        """Go on unless it was cancelled.

        Raises:
            Cancelled: When it was.
        """
        if self.cancelled.is_set():
            raise Cancelled


Methods = dict[str, Callable[..., Any]]
"""What can be asked for, by name; each takes its `Job` first, then the arguments of the request."""


class Lane:
    """Methods that wait for one another and for nothing else.

    Args:
        name: Of its threads.
        methods: What can be asked for, by name.
        n_threads: So many are carried out at a time.
        finishes: What waits at the end is carried out: there are small writes among it.
        overtaking: Methods of which a later request cancels the one before: it is typed over.
    """

    def __init__(
        self,
        name: str,
        methods: Methods,
        n_threads: int = 1,
        *,
        finishes: bool = False,
        overtaking: Collection[str] = (),
    ) -> None:
        self.methods = methods
        self._threads = ThreadPoolExecutor(n_threads, thread_name_prefix=f"{name}-lane")
        self._finishes = finishes
        self._overtaking = overtaking
        self._latest: dict[str, Job] = {}

    def submit(self, job: Job, perform: Callable[[Job, Callable[..., Any]], None]) -> Future[None]:
        """Have a job that has just come carried out by `perform`; for the one thread that reads."""
        method = job.request.method
        if method in self._overtaking:
            if method in self._latest:
                self._latest[method].cancelled.set()
            self._latest[method] = job
        return self._threads.submit(perform, job, self.methods[method])

    def end(self) -> None:
        """Wait for what is under way; drop what waits unless the lane finishes."""
        self._threads.shutdown(wait=True, cancel_futures=not self._finishes)
