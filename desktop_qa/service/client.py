"""The window's line to a process that runs the library; what that process needs stays in it."""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from desktop_qa.core.errors import LibraryError
from desktop_qa.service.messages import Crashed, Message, Request

_LAST_WORDS_S = 0.5
"""A service that has nothing to do ends within; the library is free when the window is gone."""


def _serve(connection: Connection) -> None:
    # Only the child reads the service: the window shall be on screen before anything else.
    from desktop_qa.service.library_service import serve

    serve(connection)


class ServiceClient:
    """The window's end of the line; `request` and `cancel` are thread-safe and return at once."""

    def __init__(self, serve: Callable[[Connection], None] = _serve) -> None:
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
        """Send a request and return its id; the answer comes through `receive`.

        Raises:
            LibraryError: When there is no service to take it.
        """
        with self._lock:
            request_id = self._next_id
            self._next_id += 1
            is_sent = self._send(Request(request_id, method, arguments))
        if not is_sent:
            hint = "Press Start again, or open the program again."
            raise LibraryError("The library is not running.", hint)
        return request_id

    def cancel(self, request_id: int) -> None:
        """Ask the service to stop working on a request; it then fails with `Cancelled`."""
        with self._lock:
            self._send(Request(0, "cancel", (request_id,)))

    def _send(self, request: Request) -> bool:
        if self._connection is None:
            return False
        try:
            self._connection.send(request)
        except OSError:
            return False
        return True

    def receive(self) -> Message | None:
        """Wait for the next message; `None` after `close`. For one reading thread."""
        connection = self._connection
        if connection is None:
            return None
        try:
            message: Message = connection.recv()
        except (EOFError, OSError):
            return None if self._closing else Crashed(self._epitaph())
        return message

    def _epitaph(self) -> str:
        if self._process is not None:
            self._process.join(timeout=1)
            return f"The library service ended (exit code {self._process.exitcode})."
        return "The library service ended."

    def close(self, timeout_s: float = _LAST_WORDS_S) -> None:
        """Ask the service to end, and leave it when it is busy: it ends by itself.

        What it was asked to write it writes first; ingest is taken up again at the next start.

        Args:
            timeout_s: How long to wait for its end.
        """
        self._closing = True
        # Sent by another thread: a service that does not read its pipe must not hold the window.
        threading.Thread(target=self._say_goodbye, name="goodbye", daemon=True).start()
        if self._process is not None:
            self._process.join(timeout=timeout_s)
            # At its end Python waits for every process it started; there is no other way to let go.
            multiprocessing.process._children.discard(self._process)  # type: ignore[attr-defined]

    def _say_goodbye(self) -> None:
        with self._lock:
            self._send(Request(0, "shutdown", ()))
