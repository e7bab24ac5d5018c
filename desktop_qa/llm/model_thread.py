"""The one thread that waits for models, so that no other does.

Callbacks run in it, and are to hand on what they get (a queued signal) and return.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.llm.errors import ModelError, ModelErrorKind

logger = logging.getLogger(__name__)

T = TypeVar("T")

_CLOSE_S = 5.0


class Handle:
    """One question or other call under way; every method may be called from any thread."""

    def __init__(self) -> None:
        # A callback may stop its own call.
        self._lock = threading.RLock()
        self._is_over = False
        self._future: Future[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether no callback comes any more."""
        return self._is_over

    def stop(self) -> None:
        """End the call: its connection is closed, and no callback comes after this returns.

        It waits for nothing but a callback that is running in this very moment.
        """
        with self._lock:
            self._is_over = True
            if self._future is not None:
                self._future.cancel()

    def _run(self, future: Future[None]) -> None:
        with self._lock:
            self._future = future
            if self._is_over:
                future.cancel()

    def _tell(self, callback: Callable[[T], None], value: T) -> None:
        with self._lock:
            if not self._is_over:
                self._is_over = True
                callback(value)


class ModelThread:
    """Asks models in a thread of its own, which begins with the first question.

    It ends with `close`, or by itself when the program ends.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closing: asyncio.Event | None = None
        self._handles: set[Handle] = set()
        self._is_closed = False

    def call(
        self,
        work: Callable[[], Coroutine[Any, Any, T]],
        on_end: Callable[[T], None],
        on_error: Callable[[DesktopQaError], None],
    ) -> Handle:
        """Do something with models here: ask one, list them, probe one; returns at once.

        Args:
            work: Makes the coroutine, such as `lambda: models(profile, key)`; called in the thread.
            on_end: Takes its result. Either this or `on_error` is called, once, and neither after
                `Handle.stop`.
            on_error: Takes what went wrong.
        """
        handle = Handle()

        async def told() -> None:
            try:
                result = await work()
            except DesktopQaError as error:
                handle._tell(on_error, error)
            except Exception:
                logger.exception("A model could not be asked")
                handle._tell(on_error, _unexpected())
            else:
                handle._tell(on_end, result)

        with self._lock:
            loop = self._running_loop()
            self._handles.add(handle)
            future = asyncio.run_coroutine_threadsafe(told(), loop)
        future.add_done_callback(lambda _: self._handles.discard(handle))
        handle._run(future)
        return handle

    def close(self) -> None:
        """Stop every call and end the thread; no callback comes after this returns."""
        with self._lock:
            self._is_closed = True
            loop, closing, thread = self._loop, self._closing, self._thread
            handles = tuple(self._handles)
        for handle in handles:
            handle.stop()
        if loop is None or closing is None or thread is None:
            return
        atexit.unregister(self.close)
        if thread.is_alive():
            loop.call_soon_threadsafe(closing.set)
            if thread is not threading.current_thread():
                thread.join(_CLOSE_S)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._is_closed:
            raise RuntimeError("the thread of the models is closed")
        if self._loop is None:
            is_ready = threading.Event()
            # A daemon, or the interpreter would wait for it before it calls `close`.
            self._thread = threading.Thread(
                target=self._serve, args=(is_ready,), name="models", daemon=True
            )
            self._thread.start()
            is_ready.wait()
            atexit.register(self.close)
        assert self._loop is not None
        return self._loop

    def _serve(self, is_ready: threading.Event) -> None:
        async def until_closed() -> None:
            self._loop = asyncio.get_running_loop()
            self._closing = asyncio.Event()
            is_ready.set()
            await self._closing.wait()

        # Its end cancels every call, and waits until their connections are closed.
        asyncio.run(until_closed())


def _unexpected() -> ModelError:
    return ModelError(
        ModelErrorKind.UNEXPECTED,
        "The model could not be asked: a fault of this program.",
        "The log has the details.",
    )
