"""The one thread that waits for models, so that no other does."""

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


class ModelThread:
    """Asks models in a thread of its own, which begins with the first question.

    It ends with `close`, or by itself when the program ends.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Do something with models here: ask one, list them, probe one; returns at once.

        Args:
            work: Makes the coroutine, such as `lambda: models(profile, key)`; called in the thread.

        Returns:
            What comes of it, or the `DesktopQaError` that it ends with. To `cancel` it ends the
            call and closes its connection.
        """

        async def told() -> T:
            try:
                return await work()
            except DesktopQaError:
                raise
            except Exception:
                logger.exception("A model could not be asked")
                raise ModelError(
                    ModelErrorKind.UNEXPECTED,
                    "The model could not be asked: a fault of this program.",
                    "The log has the details.",
                ) from None

        with self._lock:
            loop = self._running_loop()
            return asyncio.run_coroutine_threadsafe(told(), loop)

    def close(self) -> None:
        """End every call and the thread, and wait until their connections are closed."""
        with self._lock:
            self._is_closed = True
            thread, self._thread = self._thread, None
        if thread is None or not thread.is_alive():
            return
        atexit.unregister(self.close)
        loop = self._runner.get_loop()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSE_S)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._is_closed:
            raise RuntimeError("the thread of the models is closed")
        loop = self._runner.get_loop()
        if self._thread is None:
            # A daemon, or the interpreter would wait for it before it calls `close`.
            self._thread = threading.Thread(target=self._serve, name="models", daemon=True)
            self._thread.start()
            atexit.register(self.close)
        return loop

    def _serve(self) -> None:
        # The end of the runner cancels every call, and waits until their connections are closed.
        with self._runner as runner:
            runner.get_loop().run_forever()
