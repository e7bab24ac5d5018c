"""Notices that the file of an open document was changed, moved or deleted."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.viewer.file_reader import FileContent, FileReader, Outcome
from desktop_qa.gui.viewer.page_cache import FileStamp
from desktop_qa.gui.widgets.timers import single_shot

_PAUSE_MS = 300
"""A file that is being written is looked at when this time has passed without a word of it."""


class FileState(StrEnum):
    """What became of a file since it was opened."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class FileWatch(QObject):
    """Watches one file; on drives that tell nothing, `look` does.

    Signals:
        state_changed: The `FileState` that it has now.
    """

    state_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = FileState.SAME
        self._stamp: FileStamp | None = None
        self._document_id: DocumentId | None = None
        self._number = 0
        self._reader = FileReader(self)
        self._reader.came.connect(self._on_reader_came)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_watcher_signal)
        self._watcher.directoryChanged.connect(self._on_watcher_signal)
        self._timer = single_shot(self, self.look, _PAUSE_MS)

    def watch(self, stamp: FileStamp | None, document_id: DocumentId | None) -> None:
        """Watch a file as it was read, in place of the former one; None watches nothing."""
        self._stamp, self._document_id = stamp, document_id
        self._number = 0
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
        if self._stamp is not None and not self._number:
            self._number = self._reader.read(Path(self._stamp.path), self._stamp)

    def _on_watcher_signal(self, _path: str) -> None:
        self._timer.start()

    def _on_reader_came(self, number: int, outcome: Outcome) -> None:
        if number != self._number or self._stamp is None:
            return
        self._number = 0
        if isinstance(outcome, FileStamp):
            self._set_state(FileState.SAME)
        elif isinstance(outcome, FileContent):
            self._see_content(outcome)
        elif isinstance(outcome, FileNotFoundError | NotADirectoryError):
            self._set_state(FileState.GONE)
        # Other errors come and go with a drive: the next look tells.

    def _see_content(self, content: FileContent) -> None:
        # Programs that save write a new file in place of the old one, which is watched no more.
        if content.stamp.path not in self._watcher.files():
            self._watcher.addPath(content.stamp.path)
        is_same = content.document_id == self._document_id
        if is_same:
            self._stamp = content.stamp
        self._set_state(FileState.SAME if is_same else FileState.CHANGED)

    def _set_state(self, state: FileState) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)
