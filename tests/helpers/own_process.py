"""Tests that stay in their own process: their documents are read there, and no child is started.

A reading child costs some seconds to start, many times what it reads in a test. That children are
watched, killed and replaced is held by the tests of the tiers `process` and `real`.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from desktop_qa.core.errors import Cancelled
from desktop_qa.library import reader
from desktop_qa.library.reader import ReadDocument, ReadingChild, ReadJob

_PAUSE_POLL_S = 0.01

# PyMuPDF may be used by one thread at a time, and an ingest reads with several.
_reading = threading.Lock()


class OwnProcess:
    """Keeps what runs in this process, while it is told so.

    Attributes:
        is_kept: True while a test of the tiers `unit` and `gui` is set up, runs and is torn down.
        attempts: Children that were refused since the test began.
    """

    def __init__(self) -> None:
        self.is_kept = False
        self.attempts: list[str] = []

    def install(self) -> None:
        """Stand before all that starts a process; once, for the whole session."""
        guard, read_in_child = self, ReadingChild.read
        start, open_process = BaseProcess.start, subprocess.Popen.__init__

        def guarded_start(process: BaseProcess) -> None:
            guard.check(process.name)
            start(process)

        def guarded_open(process: subprocess.Popen[Any], args: Any, *rest: Any, **kw: Any) -> None:
            guard.check(str(args))
            open_process(process, args, *rest, **kw)

        def guarded_read(child: ReadingChild, *args: Any, **kw: Any) -> ReadDocument:
            return (_read_here if guard.is_kept else read_in_child)(child, *args, **kw)

        BaseProcess.start = guarded_start  # type: ignore[method-assign]
        subprocess.Popen.__init__ = guarded_open  # type: ignore[method-assign,assignment]
        ReadingChild.read = guarded_read  # type: ignore[method-assign]

    def check(self, what: str) -> None:
        """Refuse to start a child.

        Raises:
            AssertionError: When the test that runs has said of itself that it starts none.
        """
        if self.is_kept:
            self.attempts.append(what)
            msg = f"starts a process: {what}; such a test is marked `process`"
            raise AssertionError(msg)


class Touch:
    """What a child that was taken over sends: unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self._path,)


def _read_here(
    _child: ReadingChild,
    job: ReadJob,
    on_page: Callable[[int, int], None],
    *,
    is_paused: Callable[[], bool],
    is_cancelled: Callable[[], bool],
) -> ReadDocument:
    def follow(page_no: int, n_pages: int) -> None:
        while is_paused() and not is_cancelled():
            time.sleep(_PAUSE_POLL_S)
        if is_cancelled():
            raise Cancelled
        on_page(page_no, n_pages)

    with _reading:
        return reader.read(job, follow, lambda *_: None)
