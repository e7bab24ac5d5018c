"""What the window may ask of source folders, and how it hears that they changed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.core.drops import Dropped
from desktop_qa.core.errors import FolderError
from desktop_qa.core.folders import FolderState, WatchMode
from desktop_qa.core.view import LibraryView
from desktop_qa.service.dropped import sort_dropped
from desktop_qa.service.lanes import Job, Methods

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library
    from desktop_qa.service.watching import FolderWatches

_LOCK_LOOK_S = 1.0
"""Between two looks whether the process that writes to the library has ended."""

_END_S = 5.0
_IDLE_LOOK_S = 60.0
"""Between two looks whether there is time to try again what ran into a limit."""


class FolderRequests:
    """Answers the window's requests about source folders and follows the folders.

    Attributes:
        readings: By name, for a lane that no question holds up.
        changes: By name, for a lane that no ingest holds up; a `sync` then follows them.
    """

    def __init__(
        self,
        library: Callable[[], Library],
        tell: Callable[[str, object], None],
        is_open: Callable[[], bool],
    ) -> None:
        """Take the library, what sends news (topic, value) to the window, and if one is open."""
        self._is_open = is_open
        self._library = library
        self._tell = tell
        self._watches: FolderWatches | None = None
        self._looking: _Repeated | None = None
        self.readings: Methods = {
            "folders": self._folders,
            "count_exclusions": lambda _job, folder, patterns: library().count_exclusions(
                Path(folder), patterns
            ),
            "sort_dropped": self._sort_dropped,
        }
        self.changes: Methods = {
            "add_source": self.change(lambda to, folder: to.add_source(Path(folder))),
            "add_files": self.change(lambda to, files: to.add_files([Path(f) for f in files])),
            "relocate_source": self.change(
                lambda of, old, new: of.relocate_source(Path(old), Path(new))
            ),
            "set_folder_choices": self.change(
                lambda of, folder, choices: of.set_folder_choices(Path(folder), choices)
            ),
            "set_watching": self.change(lambda of, is_on: of.set_watching(is_on)),
            "remove_source": self.change(lambda of, folder: of.remove_source(Path(folder))),
            "rename": self.change(lambda of, name: of.rename(name)),
            "leave_sources": self._leave_sources,
        }

    def follow(self) -> None:
        """Follow the folders of the open library as the user wants it."""
        library = self._library()
        if library.read_only:
            self.stop()
            self._looking = _Repeated(
                "lock-watch", _LOCK_LOOK_S, partial(self._look_at_lock, library.folder)
            )
            return
        if self._watches is None:
            from desktop_qa.service.watching import FolderWatches

            self._watches = FolderWatches(
                lambda folder, news: self._tell(f"folder {news}", str(folder))
            )
        if self._looking is None:
            self._looking = _Repeated(
                "idle-watch", _IDLE_LOOK_S, partial(self._look_at_given_up, library)
            )
        is_watching = library.is_watching
        self._watches.follow(
            Path(source.folder)
            for source in library.source_views()
            if is_watching and source.choices.is_watched
        )

    def take_first(self, source: str | None, more: tuple[str, ...] = ()) -> None:
        """Take what a library is opened with: folders, and single files.

        A library that can only be read is open all the same; what it lacks is told as news.
        """
        library = self._library()
        wanted = [Path(path) for path in (*((source,) if source is not None else ()), *more)]
        if library.read_only:
            known = library.sources()
            left = [path for path in wanted if not any(map(path.is_relative_to, known))]
            if left:
                self._tell("not added", tuple(map(str, left)))
            return
        for path in wanted:
            if path.is_dir() or str(path) == source:
                library.add_source(path)
            else:
                library.add_files([path])

    def stop(self) -> None:
        """Follow nothing any more."""
        if self._looking is not None:
            self._looking.end()
            self._looking = None
        if self._watches is not None:
            self._watches.close()
            self._watches = None

    def _look_at_lock(self, folder: Path) -> bool:
        """Tell once when the process that writes to a library has ended."""
        from desktop_qa.index.library_lock import is_free

        if is_free(folder):
            self._tell("library free", str(folder))
            return False
        return True

    def _look_at_given_up(self, library: Library) -> bool:
        """Have what ran into a limit tried again while there is nothing else to do."""
        if library.is_watching and library.wants_another_try:
            for folder in library.sources()[:1]:
                self._tell("folder changed", str(folder))
        return True

    def _folders(self, _job: Job) -> tuple[FolderState, ...]:
        modes = self._watches.modes() if self._watches is not None else {}
        return tuple(
            replace(row, mode=modes.get(Path(row.folder), row.mode))
            if row.mode is not WatchMode.AWAY
            else row
            for row in self._library().folders()
        )

    def _sort_dropped(self, _job: Job, paths: tuple[str, ...], links: tuple[str, ...]) -> Dropped:
        known = self._library().taken_files() if self._is_open() else {}
        return sort_dropped(paths, links, known)

    def change(self, change: Callable[..., object]) -> Callable[..., LibraryView]:
        """Return what changes the open library, follows its folders, and shows it.

        Args:
            change: Takes the library, then the arguments of the request.
        """

        def changed(_job: Job, *arguments: Any) -> LibraryView:
            change(self._library(), *arguments)
            self.follow()
            return self._library().view()

        return changed

    def _leave_sources(self, _job: Job, library: str, folders: tuple[str, ...]) -> None:
        """Take folders out of the library that is open, if it is the one that is meant."""
        if not self._is_open() or str(self._library().folder) != library:
            return
        for folder in folders:
            with contextlib.suppress(FolderError):  # it left before
                self._library().remove_source(Path(folder))


class _Repeated(threading.Thread):
    """Looks at something now and then, until it has seen what it looks for or is ended."""

    def __init__(self, name: str, seconds: float, look: Callable[[], bool]) -> None:
        super().__init__(name=name, daemon=True)
        self._seconds = seconds
        self._look = look
        self._ended = threading.Event()
        self.start()

    def run(self) -> None:
        """Look for as long as `look` returns True."""
        while not self._ended.wait(self._seconds) and self._look():
            pass

    def end(self) -> None:
        """Look no more; a look under way is waited for."""
        self._ended.set()
        self.join(timeout=_END_S)
