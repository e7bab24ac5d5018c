"""The window's end of the line to the library's process: requests go out, messages come in."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import pickle
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from desktop_qa.service.messages import Crashed, Message, Request

logger = logging.getLogger(__name__)


class ServiceLine:
    """The window's end of the line; `request` and `cancel` are thread-safe and return at once."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        """Take what the process runs."""
        self._serve = serve
        self._lock = threading.Lock()
        self._next_id = 1
        self._connection: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._closing = False

    def start(self) -> None:
        """Start the service process, again after it crashed."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs,), name="desktop-qa-service")
        process.start()
        theirs.close()
        with self._lock:
            self._connection, self._process = ours, process

    def request(self, method: str, *arguments: Any) -> int:
        """Send a request and return its id; the answer comes through `receive`."""
        with self._lock:
            request_id = self._next_id
            self._next_id += 1
            self._send(Request(request_id, method, arguments))
        return request_id

    def cancel(self, request_id: int) -> None:
        """Ask the service to stop working on a request; it then fails with `Cancelled`."""
        with self._lock:
            self._send(Request(0, "cancel", (request_id,)))

    def _send(self, request: Request) -> None:
        if self._connection is None:
            return
        try:
            self._connection.send(request)
        except (BrokenPipeError, OSError):
            logger.warning("The service is gone; the request %s is dropped", request.method)

    def receive(self) -> Message | None:
        """Wait for the next message; `None` after `close`. For one reading thread."""
        connection = self._connection
        if connection is None:
            return None
        try:
            received = connection.recv_bytes()
        except (EOFError, OSError):
            return None if self._closing else Crashed(self._epitaph())
        return _unpacked(received)

    def _epitaph(self) -> str:
        if self._process is not None:
            self._process.join(timeout=2)
            return f"The library service ended (exit code {self._process.exitcode})."
        return "The library service ended."

    def close(self, timeout_s: float = 3.0) -> None:
        """End the service; work under way is taken up again at the next start."""
        self._closing = True
        with self._lock:
            self._send(Request(0, "shutdown", ()))
        if self._process is not None:
            self._process.join(timeout=timeout_s)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(timeout=1)
        if self._connection is not None:
            self._connection.close()


def _unpacked(received: bytes) -> Message:
    """Unpickle a message without a stop of all threads in the middle of it.

    A structure of 10 000 rows is 40 000 objects; the garbage collector would look through
    everything several times while they come (up to 98 ms were seen, 22 ms without it).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        message: Message = pickle.loads(received)
    finally:
        if was_enabled:
            gc.enable()
    return message
