"""A server on 127.0.0.1 that sends exactly the bytes that a test gives it."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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


class ScriptedServer:
    """Answers each request with the next reply, or with what a function makes of it.

    Attributes:
        requests: All that came, whole, in their order.
        was_left: Set when the other side closed its connection during a HOLD.
        n_connections: All that were opened.
    """

    def __init__(
        self,
        *replies: Reply,
        by: Callable[[Request], Reply] | None = None,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        blurts: bytes = b"",
    ) -> None:
        """Prepare the server.

        Args:
            replies: One for each request.
            by: Makes the reply to each request instead.
            port: Any free one when 0.
            tls: With the server's own certificate.
            blurts: Is sent before anything was read, and is all that is sent.
        """
        self.requests: list[Request] = []
        self.was_left = threading.Event()
        self.n_connections = 0
        self._replies = list(replies)
        self._by = by
        self._port = port
        self._tls = tls
        self._blurts = blurts
        self._is_ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._fault: BaseException | None = None

    @property
    def port(self) -> int:
        return self._port

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_ready.wait(PATIENCE_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_S)
        if self._fault is not None and error is None:
            raise self._fault

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(
            self._answer, "127.0.0.1", self._port, ssl=self._tls, limit=2**25
        )
        self._port = server.sockets[0].getsockname()[1]
        self._is_ready.set()
        await self._stop.wait()
        server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.n_connections += 1
        try:
            if self._blurts:
                writer.write(self._blurts)
                await reader.read()
                return
            request = await self._request(reader)
            self.requests.append(request)
            reply = self._by(request) if self._by is not None else self._replies.pop(0)
            for step in reply:
                if step is CUT:
                    writer.transport.abort()
                    return
                if step is HOLD:
                    await reader.read()
                    self.was_left.set()
                elif isinstance(step, bytes):
                    writer.write(step)
                    await writer.drain()
                    # So that the other side gets it by itself.
                    await asyncio.sleep(0.005)
                else:
                    assert isinstance(step, float)
                    await asyncio.sleep(step)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.was_left.set()
        except asyncio.CancelledError:
            pass  # the test has ended
        except (AssertionError, IndexError, ValueError, KeyError) as fault:
            self._fault = fault
        finally:
            writer.close()

    @staticmethod
    async def _request(reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, path, _ = first.split(" ")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        content = await reader.readexactly(int(headers.get("content-length", "0")))
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


def row(content: object) -> bytes:
    """One line of an answer of Ollama."""
    return f"{json.dumps(content, ensure_ascii=False)}\n".encode()
