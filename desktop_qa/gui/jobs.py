"""The only way to leave the GUI thread: requests to the library's process, answers as callbacks."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from desktop_qa.core.errors import Cancelled, DesktopQaError, LibraryError
from desktop_qa.service.messages import Crashed, Failure, Message, News, Progress, Result

if TYPE_CHECKING:
    from desktop_qa.service.client import ServiceClient

logger = logging.getLogger(__name__)

ResultCallback = Callable[[Any], None]
FailureCallback = Callable[[DesktopQaError], None]
ProgressCallback = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class _Job:
    method: str
    on_result: ResultCallback | None
    on_failure: FailureCallback | None
    on_progress: ProgressCallback | None


class JobRunner(QObject):
    """Sends requests and calls plain callbacks on the GUI thread.

    One reader thread waits on the pipe and hands each message over through one queued signal of
    this one object. (In PySide6 direct connections lost the result of fast jobs, and one QObject
    for each job crashed when it was collected.)

    Attributes:
        crashed: The service process ended by itself; every open job was failed before.
        news_arrived: With (topic, value) of what the service tells unasked.
    """

    crashed = Signal(str)
    news_arrived = Signal(str, object)
    _message_arrived = Signal(object)

    def __init__(self, service: ServiceClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._jobs: dict[int, _Job] = {}
        self._n_refused = 0
        self._is_up = False
        self._reader: threading.Thread | None = None
        self._closed = False
        self._message_arrived.connect(self._on_message_arrived, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Start the service and its reader; again after a crash."""
        self._service.start()
        self._is_up = True
        self._reader = threading.Thread(target=self._read, name="service-reader", daemon=True)
        self._reader.start()

    @property
    def is_running(self) -> bool:
        """True between `start` and the end of the service."""
        return self._reader is not None and self._reader.is_alive()

    def run(
        self,
        method: str,
        *arguments: Any,
        on_result: ResultCallback | None = None,
        on_failure: FailureCallback | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> int:
        """Ask the service for something and return the request's id.

        Args:
            method: A method of the service.
            arguments: Picklable.
            on_result: Called with the value; on the GUI thread like the others.
            on_failure: Called with the error; without it a failure is only logged.
            on_progress: Called with each `IngestProgress`, or `CopyProgress` of a move.
        """
        job = _Job(method, on_result, on_failure, on_progress)
        try:
            request_id = self._service.request(method, *arguments)
        except LibraryError as error:
            self._n_refused += 1
            request_id = -self._n_refused
            if not self._is_up:  # else `_on_crash` fails it, which is about to be called
                self._message_arrived.emit(Failure(request_id, error))
        self._jobs[request_id] = job
        return request_id

    def cancel(self, request_id: int) -> None:
        """Stop a request; its `on_failure` is then called with `Cancelled`."""
        self._service.cancel(request_id)

    def close(self) -> None:
        """Let go of the service, which ends by itself; no callback is called any more."""
        if self._closed:
            return
        self._closed = True
        self._jobs.clear()
        self._service.close()

    def _read(self) -> None:
        # On the reader thread: nothing here but the pipe and the signal. After `close` it reads on,
        # so that a service which has still to write does not wait with a full pipe.
        while (message := self._service.receive()) is not None:
            if not self._closed:
                self._message_arrived.emit(message)
            if isinstance(message, Crashed):
                return

    def _on_message_arrived(self, message: Message) -> None:
        if self._closed:
            return
        if isinstance(message, Progress):
            job = self._jobs.get(message.request_id)
            if job is not None and job.on_progress is not None:
                job.on_progress(message.progress)
        elif isinstance(message, Result):
            job = self._jobs.pop(message.request_id, None)
            if job is not None and job.on_result is not None:
                job.on_result(message.value)
        elif isinstance(message, Failure):
            self._fail(message.request_id, message.error)
        elif isinstance(message, News):
            self.news_arrived.emit(message.topic, message.value)
        else:
            self._on_crash(message.reason)

    def _fail(self, request_id: int, error: DesktopQaError) -> None:
        job = self._jobs.pop(request_id, None)
        if job is None:
            return
        if job.on_failure is None:
            logger.warning("%s failed: %s", job.method, type(error).__name__)
            return
        job.on_failure(error)

    def _on_crash(self, reason: str) -> None:
        logger.error("%s", reason)
        error = LibraryError(
            "The library stopped working.", "Your question is still in the box: ask it again."
        )
        for request_id in list(self._jobs):
            self._fail(request_id, error)
        self._is_up = False
        # What was asked because those failed: the user was told already.
        for request_id in list(self._jobs):
            self._fail(request_id, Cancelled())
        self.crashed.emit(reason)
