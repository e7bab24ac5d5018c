"""Files are read and watched: a drive that does not answer must not hold up the window."""

from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QByteArray, QFileSystemWatcher, QObject, QTimer, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.widgets.timers import single_shot

_BLOCK_BYTES = 1 << 20
"""Putting a block into Qt's array holds Python's global lock for less than a millisecond."""
_QUICK_MS, _SLOW_MS = 3, 30
_QUICK_LOOKS = 100
_ID_DIGITS = 16
_MAX_READS = 3
_PAUSE_MS = 300
"""A file that is being written is looked at when this time has passed without a word of it."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file at one moment: when it is written again, its old images no longer count."""

    path: str
    n_bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it was read; the library knows its bytes by `document_id`."""

    stamp: FileStamp
    document_id: DocumentId
    data: QByteArray = field(repr=False, compare=False)


Outcome = FileContent | FileStamp | OSError
"""What came of reading: the content, the stamp of a file that is unchanged, or what is wrong."""


class FileReader(QObject):
    """Reads files on plain threads and tells what `came` of the last request on the GUI thread.

    The threads touch no Qt object that lives on: they leave what they have read where it is looked
    for while it is awaited. One that hangs on a dead drive is left to itself.
    """

    came = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done: list[Outcome] = []
        self._n_looks = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_reading(self) -> bool:
        """True while something is awaited."""
        return self._timer.isActive()

    def read(self, path: Path, known: FileStamp | None = None) -> None:
        """Read a file, or only look at it when it still is what is known; no other is awaited."""
        done: list[Outcome] = []
        self._done = done
        # A daemon: the program ends though a drive does not answer.
        read = threading.Thread(target=lambda: done.append(_read(path, known)), daemon=True)
        read.name = "file-reader"
        read.start()
        self._n_looks = 0
        self._timer.start(_QUICK_MS)

    def forget(self) -> None:
        """Await nothing any more."""
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        self._n_looks += 1
        if self._n_looks == _QUICK_LOOKS:
            self._timer.setInterval(_SLOW_MS)
        if self._done:
            self._timer.stop()
            self.came.emit(self._done[0])


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


class FileState(StrEnum):
    """What became of a file since it was opened."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class FileWatch(QObject):
    """Watches one file and tells its `FileState`; on drives that tell nothing, `look` does."""

    state_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = FileState.SAME
        self._stamp: FileStamp | None = None
        self._document_id: DocumentId | None = None
        self._reader = FileReader(self)
        self._reader.came.connect(self._on_reader_came)
        self._timer = single_shot(self, self.look, _PAUSE_MS)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        self._watcher.directoryChanged.connect(lambda _path: self._timer.start())

    def watch(self, stamp: FileStamp | None, document_id: DocumentId | None) -> None:
        """Watch a file as it was read, in place of the former one; None watches nothing."""
        self._stamp, self._document_id = stamp, document_id
        self._reader.forget()
        self._timer.stop()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)
        if stamp is not None:
            self._watcher.addPaths([stamp.path, str(Path(stamp.path).parent)])
        self._set_state(FileState.SAME)

    def look(self) -> None:
        """Look at the file; one look at a time, for a drive may not answer."""
        if self._stamp is not None and not self._reader.is_reading:
            self._reader.read(Path(self._stamp.path), self._stamp)

    def _on_reader_came(self, outcome: Outcome) -> None:
        if isinstance(outcome, FileStamp):
            self._set_state(FileState.SAME)
        elif isinstance(outcome, FileContent):
            # Programs that save write a new file in place of the old one, watched no more.
            if outcome.stamp.path not in self._watcher.files():
                self._watcher.addPath(outcome.stamp.path)
            is_same = outcome.document_id == self._document_id
            self._stamp = outcome.stamp if is_same else self._stamp
            self._set_state(FileState.SAME if is_same else FileState.CHANGED)
        elif isinstance(outcome, FileNotFoundError | NotADirectoryError):
            self._set_state(FileState.GONE)
        # Other errors come and go with a drive: the next look tells.

    def _set_state(self, state: FileState) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)
