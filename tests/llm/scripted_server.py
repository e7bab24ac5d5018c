"""A server on 127.0.0.1 that sends exactly the bytes that a test gives it."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer
from types import TracebackType
from typing import Any, Self

PATIENCE_S = 30.0

CUT = object()
"""A step of a reply: reset the connection."""

HOLD = object()
"""A step of a reply: send nothing until the other side closes."""

Reply = Sequence[object]
"""Bytes to be sent, each by itself, floats of seconds to wait, CUT and HOLD; then the end."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    content: bytes = field(repr=False)

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class ScriptedServer(ThreadingTCPServer):
    """Answers each request with the next reply, or with what a function makes of it.

    Attributes:
        requests: All that came, whole, in their order.
        was_left: Set when the other side closed its connection during a HOLD.
        n_connections: All that were opened.
    """

    request_queue_size = 100

    def __init__(
        self,
        *replies: Reply,
        by: Callable[[Request], Reply] | None = None,
        tls: ssl.SSLContext | None = None,
        blurts: bytes = b"",
    ) -> None:
        """Prepare the server.

        Args:
            replies: One for each request.
            by: Makes the reply to each request instead.
            tls: With the server's own certificate.
            blurts: Is sent before anything was read, and is all that is sent.
        """
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        self.port: int = self.server_address[1]
        self.requests: list[Request] = []
        self.was_left = threading.Event()
        self._replies = list(replies)
        self._by = by
        self._tls = tls
        self._blurts = blurts
        self._connections: list[socket.socket] = []
        self._is_over = threading.Event()
        self._fault: BaseException | None = None

    @property
    def n_connections(self) -> int:
        return len(self._connections)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,)).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self.shutdown()
        for one in self._connections:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.server_close()
        if self._fault is not None and error is None:
            raise self._fault

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        if self._tls is not None:
            # The hands are shaken in the connection's own thread, by its first read.
            connection = self._tls.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        self._connections.append(connection)
        return connection, address

    def finish_request(self, connection: socket.socket, _address: object) -> None:
        try:
            self._answer(connection)
        except OSError:
            self.was_left.set()
        except (AssertionError, IndexError, ValueError, KeyError) as fault:
            self._fault = fault

    def _answer(self, connection: socket.socket) -> None:
        if self._blurts:
            connection.sendall(self._blurts)
            connection.recv(1)
            return
        request = self._request(connection)
        self.requests.append(request)
        reply = self._by(request) if self._by is not None else self._replies.pop(0)
        for step in reply:
            if step is CUT:
                # Without lingering, closing resets.
                off = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, off)
                connection.close()
                return
            if step is HOLD:
                while connection.recv(1024):
                    pass
                self.was_left.set()
            elif isinstance(step, bytes):
                connection.sendall(step)
                # So that the other side gets it by itself.
                time.sleep(0.005)
            else:
                assert isinstance(step, float)
                self._is_over.wait(step)

    @staticmethod
    def _request(connection: socket.socket) -> Request:
        with connection.makefile("rb") as stream:
            first = stream.readline().decode("latin-1")
            headers = {}
            while line := stream.readline().decode("latin-1").strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            n_bytes = int(headers.get("content-length", "0"))
            content = stream.read(n_bytes)
        if not first.endswith("\n") or len(content) < n_bytes:
            raise ConnectionResetError
        method, path, _ = first.split(" ")
        return Request(method, path, headers, content)


def head(status: int = 200, kind: str = "text/event-stream", *headers: str) -> bytes:
    """The head of a reply that ends with its connection."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def page(status: int, content: object, *headers: str, kind: str = "application/json") -> Reply:
    """A whole reply, of JSON unless it is given as text."""
    text = content if isinstance(content, str) else json.dumps(content)
    return [head(status, kind, *headers) + text.encode()]


def event(content: object) -> bytes:
    """One server-sent event, as OpenAI writes it."""
    return f"data: {json.dumps(content, ensure_ascii=False)}\n\n".encode()


DONE = b"data: [DONE]\n\n"


def delta(finish: str | None = None, **said: object) -> bytes:
    """One piece of an answer as an event."""
    choice = {"index": 0, "delta": said, "finish_reason": finish}
    return event({"id": "x", "object": "chat.completion.chunk", "choices": [choice]})


def says(*texts: str) -> Reply:
    """A whole answer, which comes in these pieces."""
    return [head(), *(delta(content=text) for text in texts), delta("stop"), DONE]


def row(content: object) -> bytes:
    """One line of an answer of Ollama."""
    return f"{json.dumps(content, ensure_ascii=False)}\n".encode()
