"""Files are read on plain threads: a drive that does not answer must not hold up the window."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.viewer.page_cache import FileStamp

_BLOCK_BYTES = 1 << 20
"""Putting a block into Qt's array holds Python's global lock for less than a millisecond."""
_QUICK_MS, _SLOW_MS = 3, 30
_QUICK_LOOKS = 100
_ID_DIGITS = 16
_MAX_READS = 3


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it was read.

    Attributes:
        document_id: By which the library knows these bytes.
    """

    stamp: FileStamp
    document_id: DocumentId
    data: QByteArray = field(repr=False, compare=False)


Outcome = FileContent | FileStamp | OSError
"""What came of reading: the content, the stamp of a file that is unchanged, or what is wrong."""


class FileReader(QObject):
    """Reads files and tells what came of it on the GUI thread.

    The threads touch no Qt object that lives on: they leave what they have read in a queue, which
    is looked into while something is awaited. One that hangs on a dead drive is left to itself.

    Signals:
        came: Number of the request and its `Outcome`.
    """

    came = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done: deque[tuple[int, Outcome]] = deque()
        self._awaited: set[int] = set()
        self._last_number = 0
        self._n_looks = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    def read(self, path: Path, known: FileStamp | None = None) -> int:
        """Read a file, or only look at it when it still is what is known; returns a number."""
        self._last_number += 1
        number, done = self._last_number, self._done

        def run() -> None:
            done.append((number, _read(path, known)))

        self._awaited.add(number)
        # A daemon: the program ends though a drive does not answer.
        threading.Thread(target=run, name="file-reader", daemon=True).start()
        self._n_looks = 0
        self._timer.start(_QUICK_MS)
        return number

    def forget(self) -> None:
        """Await nothing any more."""
        self._awaited.clear()
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        self._n_looks += 1
        if self._n_looks == _QUICK_LOOKS:
            self._timer.setInterval(_SLOW_MS)
        while self._done:
            number, outcome = self._done.popleft()
            if number in self._awaited:
                self._awaited.discard(number)
                self.came.emit(number, outcome)
        if not self._awaited:
            self._timer.stop()


def _read(path: Path, known: FileStamp | None) -> Outcome:
    try:
        with path.open("rb") as file:
            for _ in range(_MAX_READS):
                before = _stamp(path, os.fstat(file.fileno()))
                if before == known:
                    return before
                data, digest = QByteArray(), hashlib.sha256()
                data.reserve(before.n_bytes)
                while block := file.read(_BLOCK_BYTES):
                    digest.update(block)
                    data.append(QByteArray(block))
                # Written to while it was read: what came is neither the old nor the new file.
                if _stamp(path, os.fstat(file.fileno())) == before or not file.seekable():
                    break
                file.seek(0)
        document_id = DocumentId(digest.hexdigest()[:_ID_DIGITS])
        return FileContent(before, document_id, data)
    except OSError as error:
        return error


def _stamp(path: Path, status: os.stat_result) -> FileStamp:
    return FileStamp(str(path), status.st_size, status.st_mtime_ns)
