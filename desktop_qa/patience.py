"""Looks at drives that may never answer, without waiting for ever.

A dead network drive or a disk that fails holds up the thread that asks it for anything, and no
system lets go of such a thread before the drive answers. So a thread of its own asks, and is left
behind when nothing comes.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import TypeVar

from desktop_qa.core.errors import Cancelled

PATIENCE_S = 600.0
"""Of work without a sign of life."""

_LOOK_S = 0.25
_LONGEST_LOOK_S = 5.0

T = TypeVar("T")


class Patience:
    """Has work done on a thread of its own, and gives up on it; use it as a context."""

    def __init__(self, is_cancelled: Callable[[], bool]) -> None:
        """Take who may end the waiting."""
        self._is_cancelled = is_cancelled
        self._works: queue.SimpleQueue[Callable[[], None] | None] | None = None
        self._n_signs = 0

    def __enter__(self) -> Patience:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._works is not None:
            self._works.put(None)

    def sign_of_life(self) -> None:
        """Say, from within long work, that it goes on."""
        self._n_signs += 1

    def wait_for(self, do: Callable[[], T]) -> T:
        """Return what a function returns, or raise what it raises.

        Raises:
            TimeoutError: When there was no sign of life for too long.
            Cancelled: When that was asked for meanwhile.
        """
        if self._works is None:
            self._works = queue.SimpleQueue()
            threading.Thread(
                target=_do_all, args=(self._works,), name="patience", daemon=True
            ).start()
        future: Future[T] = Future()
        self._works.put(partial(_do, future, do))
        still_s, n_signs, looked_at = 0.0, self._n_signs, time.monotonic()
        while not wait((future,), _LOOK_S).done:
            now = time.monotonic()
            # Long looks apart are of a machine that slept.
            still_s += min(now - looked_at, _LONGEST_LOOK_S)
            looked_at = now
            if n_signs != self._n_signs:
                still_s, n_signs = 0.0, self._n_signs
            is_cancelled = self._is_cancelled()
            if is_cancelled or still_s > PATIENCE_S:
                self._works.put(None)  # should it ever come back
                self._works = None
                if is_cancelled:
                    raise Cancelled
                raise TimeoutError(f"its drive did not answer for {PATIENCE_S / 60:.0f} minutes")
        return future.result()


def _do(future: Future[T], do: Callable[[], T]) -> None:
    try:
        future.set_result(do())
    except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
        future.set_exception(error)


def _do_all(works: queue.SimpleQueue[Callable[[], None] | None]) -> None:
    while (work := works.get()) is not None:
        work()
