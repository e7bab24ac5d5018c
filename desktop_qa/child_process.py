"""A child process that reads files of strangers, and what a piece of its work may take.

What such a child sends is bytes of a known form and never a pickle: a file that takes over the
reader of PDFs in it could have any code run in its parent by one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import psutil

MAX_MESSAGE_BYTES = 1024**3
"""A datasheet of 91 pages takes 5 MB."""

STALL_LIMIT_S = 600.0

_MAX_UNREAD = 64
_LONGEST_LOOK_S = 5.0
_END_S = 5.0


class LimitExceeded(Exception):  # noqa: N818 - a signal to the one who watches, who tells why
    """A piece of work took more than it may; the text completes "Reading it was given up: "."""


class Stalled(LimitExceeded):
    """A piece of work stood still."""


@dataclass(slots=True)
class Allowance:
    """What a piece of work may take: processor time, and time by the clock in which it stands.

    On a busy machine a child of low priority is given a twentieth of a processor: the clock says
    nothing of its work. Only where it takes no processor time at all, it waits for something that
    may never come, such as a drive.

    Attributes:
        limit_s: Processor time.
        stall_limit_s: Time by the clock without any processor time.
        begun_s: Processor time of the child when the work began.
    """

    limit_s: float
    stall_limit_s: float
    begun_s: float
    _seen_s: float = field(init=False)
    _looked_at: float = field(init=False)
    _still_s: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._seen_s, self._looked_at = self.begun_s, time.monotonic()

    def check(self, processor_s: float, *, is_paused: bool = False) -> None:
        """Look at the work; call it at least every few seconds.

        Args:
            processor_s: Processor time of the child so far.
            is_paused: Whether the child has been told to stand still.

        Raises:
            LimitExceeded: When it took too much processor time.
            Stalled: When it stood still for too long.
        """
        if processor_s - self.begun_s > self.limit_s:
            raise LimitExceeded(f"it took more than {self.limit_s:.0f} s of processor time")
        now = time.monotonic()
        # A long look apart from the last one is of a machine that slept, or that was too busy for
        # its parent too.
        passed_s = min(now - self._looked_at, _LONGEST_LOOK_S)
        self._looked_at = now
        if processor_s > self._seen_s or is_paused:
            self._seen_s, self._still_s = processor_s, 0.0
            return
        self._still_s += passed_s
        if self._still_s > self.stall_limit_s:
            raise Stalled(f"it stood still for {_duration(self.stall_limit_s)}")


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} s"


class ChildProcess:
    """A started child and its pipe; used by one thread at a time, `kill` from any.

    A thread of its own reads the pipe: half a message, from a child that means ill or was stopped
    in the middle of it, holds up nobody.
    """

    def __init__(self, target: Callable[[Connection], None], name: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=target, args=(theirs,), name=name, daemon=True)
        self._process.start()
        theirs.close()
        self._statistics = psutil.Process(self._process.pid)
        self._is_suspended = False
        self._ending = threading.Lock()
        self._received: queue.Queue[bytes | None] = queue.Queue(_MAX_UNREAD)
        self._reader = threading.Thread(target=self._read, name=f"{name}-pipe", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._received.put(self._connection.recv_bytes(MAX_MESSAGE_BYTES))
        self._received.put(None)

    def send(self, request: Any) -> None:
        """Send the child something to do.

        Raises:
            OSError: When it has ended.
        """
        self._connection.send(request)

    def receive(self, timeout_s: float) -> bytes | None:
        """Return the next message; None when there is none in time.

        Raises:
            EOFError: When the child has ended, or sent more than a message may hold.
        """
        try:
            message = self._received.get(timeout=timeout_s)
        except queue.Empty:
            if self._reader.is_alive() or not self._received.empty():
                return None
            raise EOFError from None
        if message is None:
            raise EOFError
        return message

    @property
    def is_alive(self) -> bool:
        """False once it has ended."""
        return self._process.is_alive()

    def ends_within(self, timeout_s: float) -> bool:
        """Wait for the child to end; tell whether it did."""
        self._process.join(timeout_s)
        return not self._process.is_alive()

    def allowance(self, limit_s: float, stall_limit_s: float) -> Allowance:
        """Return what a piece of work that begins now may take."""
        return Allowance(limit_s, stall_limit_s, self.processor_s())

    def processor_s(self) -> float:
        """Return the processor time that it took so far, seconds."""
        try:
            times = self._statistics.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def resident_bytes(self) -> int:
        """Return the memory that it holds."""
        try:
            return int(self._statistics.memory_info().rss)
        except psutil.Error:
            return 0

    def follow_pause(self, is_paused: bool) -> None:
        """Stop or continue it, so that a pause works inside a page too."""
        if is_paused != self._is_suspended:
            with contextlib.suppress(psutil.Error):
                self._statistics.suspend() if is_paused else self._statistics.resume()
            self._is_suspended = is_paused

    def kill(self) -> None:
        """End it at once."""
        with self._ending:
            self._process.kill()
            self._process.join(timeout=_END_S)
            # What it still sent makes room for the end of the pipe.
            deadline = time.monotonic() + _END_S
            while self._reader.is_alive() and time.monotonic() < deadline:
                with contextlib.suppress(queue.Empty):
                    self._received.get_nowait()
                self._reader.join(timeout=0.01)
            self._connection.close()
