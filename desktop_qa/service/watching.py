"""Follows source folders and tells when something in them is new, changed or gone.

One thread a folder. Where the system tells of changes (inotify, FSEvents, ReadDirectoryChangesW)
the thread sleeps until it is told; a network drive, or a folder with more subfolders than the
system watches, is looked at now and then instead, the seldomer the longer a look takes. Either way
news is passed on only when the files have been quiet for a while and keep their size: a copy under
way is not read half. Nothing here touches the library.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from watchdog.events import FileSystemEvent, FileSystemEventHandler

from desktop_qa.catalog import SUFFIXES, list_files
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.folders import WatchMode
from desktop_qa.library.source_drives import mount_point

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

logger = logging.getLogger(__name__)
# WORKAROUND https://github.com/gorakhargosh/watchdog/pull/963: an observer that is stopped between
# two looks calls that an error, in our log.
logging.getLogger("watchdog.observers.inotify").addFilter(
    lambda record: "thread is inactive" not in record.getMessage()
)

_NETWORK_SYSTEMS = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "webdav", "davfs", "9p"),
        *("afs", "ncpfs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.rclone"),
        *("fuse.davfs2", "fuse.gvfsd-fuse", "fuse.s3fs"),
    )
)
_MAX_REMEMBERED = 2000
"""Changed files that are looked at until they are quiet; more are only waited for."""


class FolderNews(StrEnum):
    """What happens to a folder."""

    CHANGED = "changed"
    AWAY = "away"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class WatchTimes:
    """Seconds between looks.

    Attributes:
        quiet_s: Without a change before news is passed on.
        poll_s: Between two looks at a folder that is not watched by the system, at least.
        poll_share: A look takes at most this share of the time.
        presence_s: Between two looks whether the folder is still there.
        return_s: Between two looks whether it is back.
    """

    quiet_s: float = 2.0
    poll_s: float = 30.0
    poll_share: float = 0.01
    presence_s: float = 20.0
    return_s: float = 5.0


TIMES = WatchTimes()

OnNews = Callable[[Path, FolderNews], None]


class FolderWatches:
    """The folders that are followed now; all methods may be called from any thread."""

    def __init__(self, on_news: OnNews) -> None:
        self._on_news = on_news
        self._lock = threading.Lock()
        self._watches: dict[Path, _FolderWatch] = {}

    def follow(self, folders: Iterable[Path]) -> None:
        """Follow these folders and no others; those followed already go on undisturbed."""
        wanted = set(folders)
        with self._lock:
            ended = [self._watches.pop(path) for path in set(self._watches) - wanted]
            for path in wanted - set(self._watches):
                self._watches[path] = _FolderWatch(path, self._on_news)
                self._watches[path].start()
        for watch in ended:
            watch.stop()

    def modes(self) -> dict[Path, WatchMode]:
        """Return how each folder is followed."""
        with self._lock:
            return {path: watch.mode for path, watch in self._watches.items()}

    def close(self) -> None:
        """Follow nothing any more."""
        self.follow(())


class _FolderWatch(threading.Thread):
    """Follows one folder until `stop`."""

    def __init__(self, folder: Path, on_news: OnNews) -> None:
        super().__init__(name="folder-watch", daemon=True)
        self._folder = folder
        self._on_news = on_news
        self._changed_lock = threading.Lock()
        self._changed: set[str] = set()
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._observer: BaseObserver | None = None
        self._seen: dict[str, tuple[int, int]] = {}
        self._look_s = 0.0
        self.mode = WatchMode.NATIVE

    def stop(self) -> None:
        """End soon; a look at a drive that does not answer is not waited for."""
        self._ended.set()
        self._wake.set()

    def run(self) -> None:
        """Wait for news and pass it on."""
        if self._is_there():
            self._begin()
        else:
            self.mode = WatchMode.AWAY
        while not self._ended.is_set():
            self._wake.wait(self._pause_s())
            self._wake.clear()
            if not self._ended.is_set():
                self._look()
        self._end_native()

    def _pause_s(self) -> float:
        if self.mode is WatchMode.AWAY:
            return TIMES.return_s
        if self.mode is WatchMode.POLLED:
            return max(TIMES.poll_s, self._look_s / TIMES.poll_share)
        return TIMES.presence_s

    def _look(self) -> None:
        if not self._is_there():
            if self.mode is not WatchMode.AWAY:
                self._end_native()
                self.mode = WatchMode.AWAY
                self._tell(FolderNews.AWAY)
        elif self.mode is WatchMode.AWAY:
            self._begin()
            self._tell(FolderNews.BACK)
        elif self.mode is WatchMode.POLLED:
            self._poll()
        elif self._take_changed() and self._settle():
            self._tell(FolderNews.CHANGED)

    def _is_there(self) -> bool:
        try:
            return self._folder.is_dir()
        except OSError:
            return False

    def _tell(self, news: FolderNews) -> None:
        if not self._ended.is_set():
            self._on_news(self._folder, news)

    # Told by the system

    def _begin(self) -> None:
        """Let the system tell, or take a first look where it cannot."""
        self.mode = WatchMode.NATIVE
        if is_on_network(self._folder) or not self._begin_native():
            # What comes after this look is news: the mode says so only once it was taken.
            self._seen = self._files()
            self.mode = WatchMode.POLLED

    def _begin_native(self) -> bool:
        # Two threads and an open file for each observer: not before a folder is watched.
        from watchdog.observers import Observer

        observer = Observer()
        observer.daemon = True
        try:
            observer.start()
            for root in (self._folder, *linked_folders(self._folder)):
                observer.schedule(_Handler(self), str(root), recursive=True)
        except OSError as error:
            logger.info("A folder is looked at now and then: %s", error.strerror)
            with contextlib.suppress(OSError, RuntimeError):
                observer.stop()
            return False
        self._observer = observer
        return True

    def _end_native(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=5)
            self._observer = None

    def on_event(self, path: str, is_folder: bool) -> None:
        """Remember a change; called by the observer's thread."""
        name = path.rsplit(os.sep, 1)[-1].lower()
        if not is_folder and (not name.endswith(SUFFIXES) or name.startswith((".", "~$"))):
            return
        with self._changed_lock:
            if len(self._changed) < _MAX_REMEMBERED:
                self._changed.add(path)
        self._wake.set()

    def _take_changed(self) -> set[str]:
        with self._changed_lock:
            changed, self._changed = self._changed, set()
        return changed

    def _settle(self) -> bool:
        """Wait until nothing changes any more; False when the watching ended before."""
        watched: set[str] = set()
        before: dict[str, tuple[int, int]] | None = None
        while not self._ended.wait(TIMES.quiet_s):
            more = self._take_changed()
            watched |= more
            now = _stamps(watched)
            if not more and now == before:
                return True
            before = now
        return False

    # Looked at now and then

    def _poll(self) -> None:
        files = self._files()
        if files == self._seen:
            return
        while not self._ended.wait(TIMES.quiet_s):
            again = self._files()
            if again == files:
                self._seen = files
                self._tell(FolderNews.CHANGED)
                return
            files = again

    def _files(self) -> dict[str, tuple[int, int]]:
        started = time.monotonic()
        try:
            return list_files(self._folder, self._ended.is_set)
        except DesktopQaError:  # gone in this moment, or stopped: the next look tells
            return dict(self._seen)
        finally:
            self._look_s = time.monotonic() - started


class _Handler(FileSystemEventHandler):
    """What an observer calls; passes on what may change the documents of a folder."""

    _KINDS = frozenset(("created", "modified", "moved", "deleted", "closed"))

    def __init__(self, watch: _FolderWatch) -> None:
        self._watch = watch

    def dispatch(self, event: FileSystemEvent) -> None:
        """Take one event; a folder's own change of time says nothing that its files do not."""
        if event.event_type not in self._KINDS:
            return
        if event.is_directory and event.event_type == "modified":
            return
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                self._watch.on_event(os.fsdecode(path), event.is_directory)


def linked_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders that links below a folder lead to: the system does not follow them."""
    found: dict[Path, None] = {}
    for parent, names, _files in os.walk(folder):
        for name in names:
            path = Path(parent) / name
            if path.is_symlink():
                found[path.resolve()] = None
    return tuple(path for path in found if not path.is_relative_to(folder))


def is_on_network(folder: Path) -> bool:
    """Tell whether a folder is on a drive whose changes the system does not tell of."""
    if str(folder).startswith(("\\\\", "//")):
        return True
    mount = str(mount_point(folder))
    for partition in psutil.disk_partitions(all=True):
        if partition.mountpoint == mount:
            options = partition.opts.split(",")
            return partition.fstype.lower() in _NETWORK_SYSTEMS or "remote" in options
    return False


def _stamps(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    stamps = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = Path(path).stat()
            stamps[path] = (status.st_size, status.st_mtime_ns)
    return stamps
