"""The open library as the window knows it: what is asked of the service and what came back.

The widgets hold none of this; they listen to the session and call its methods. Everything here
runs on the GUI thread; `JobRunner` is where it leaves and comes back.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.progress import DocumentStatus, IngestProgress, IngestReport
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.asking.asking_session import AskingSession
from desktop_qa.gui.jobs import FailureCallback, JobRunner, ProgressCallback, ResultCallback
from desktop_qa.gui.widgets.messages import Notice, NoticeAction, NoticeLevel

logger = logging.getLogger(__name__)

_LIBRARY, _SYNC = "library", "sync"
"""What `forget` drops of the library that was opened last, and of its indexing."""

_MAX_RESTARTS = 3
_RESTART_WINDOW_S = 120.0

_Opening = tuple[Path, Path | None, str, tuple[str, ...]]
"""What a library was opened with, see `open_library`: a process that is another does it again."""


class LibrarySession(AskingSession):
    """One library at a time: opening it, keeping it in step with its folders; asked as its base is.

    Attributes:
        leaving: The open library is about to be closed, perhaps for another: what is still to be
            written into it is to be sent now.
        library_opened: With the `LibraryView`; also after a source was added or relocated.
        library_closed: No library is open any more.
        opening_failed: With the error; the library that was open before stays.
        statuses_changed: With (changed statuses, ids of removed documents).
        sync_started: Indexing begins.
        sync_progressed: With `IngestProgress`.
        sync_finished: With the `IngestReport`, or None when it failed.
        sources_changed: With the `SourceSettings` that the next question follows.
        notice_posted: With a `Notice` for the message area.
        news_arrived: With (topic, value) of what the library tells unasked.
    """

    leaving = Signal()
    library_opened = Signal(object)
    library_closed = Signal()
    opening_failed = Signal(object)
    statuses_changed = Signal(object, object)
    sync_started = Signal()
    sync_progressed = Signal(object)
    sync_finished = Signal(object)
    sources_changed = Signal(object)
    notice_posted = Signal(object)
    news_arrived = Signal(str, object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(runner, parent)
        self._statuses: dict[DocumentId, DocumentStatus] = {}
        self._numbers: Counter[str] = Counter()
        self._sync_is_due = False
        self._opening: _Opening | None = None
        self._restarts: list[float] = []
        self.library: LibraryView | None = None
        self.is_syncing = False
        self.is_paused = False
        runner.crashed.connect(self._on_service_crashed)
        runner.news_arrived.connect(self.news_arrived)

    @property
    def statuses(self) -> tuple[DocumentStatus, ...]:
        """The documents of the library, in the order they were reported."""
        return tuple(self._statuses.values())

    def status(self, document_id: DocumentId | None) -> DocumentStatus | None:
        """Return a document as it was reported last, None when it is not in the library."""
        return self._statuses.get(document_id) if document_id is not None else None

    def status_of_file(self, path: Path | None) -> DocumentStatus | None:
        """Return the document that is read from a file, None when it is not in the library."""
        wanted = str(path) if path is not None else None
        return next((one for one in self._statuses.values() if one.path == wanted), None)

    @property
    def folder(self) -> str:
        """Folder of the library that is open; empty when none is."""
        return self.library.folder if self.library is not None else ""

    @property
    def can_write(self) -> bool:
        """True while a library is open, and not for reading only."""
        return self.library is not None and not self.library.read_only

    # Opening

    def open_library(
        self,
        folder: Path,
        source: Path | None = None,
        name: str = "",
        more: tuple[str, ...] = (),
    ) -> None:
        """Open or create a library and bring it up to date.

        Args:
            folder: Where the library lives.
            source: A folder of documents to add to it.
            name: What it shall be called; empty leaves its name as it is.
            more: Further folders and single PDF files to add to it.
        """
        self.leaving.emit()
        self.forget(_LIBRARY)
        self._opening = folder, source, name, more
        self.is_opening = True
        self._runner.run(
            "open_library",
            str(folder),
            str(source) if source is not None else None,
            *((name, more) if name or more else ()),
            on_result=self._unless_forgotten(_LIBRARY, self._on_library_opened),
            on_failure=self._unless_forgotten(_LIBRARY, self._on_opening_failed),
        )

    def close_library(self, when_closed: Callable[[], None]) -> None:
        """Give the library free; the window then has none until one is opened.

        `when_closed` is called when nobody holds the library any more.
        """
        self.leaving.emit()
        self.forget(_LIBRARY)
        self._leave_library(is_first=False)
        self._opening = None
        self.library = None
        self._statuses = {}
        self.is_opening = False
        self._forget_sync()
        self._runner.run("close_library", on_result=lambda _none: when_closed())
        self.library_closed.emit()

    def change(self, method: str, *arguments: object) -> None:
        """Have the library changed by a method that returns its new view, and follow that."""
        self._runner.run(
            method,
            *arguments,
            on_result=self._unless_forgotten(_LIBRARY, self._on_library_opened),
            on_failure=self._on_request_failed,
        )

    def read_again(self, document_ids: tuple[DocumentId, ...]) -> None:
        """Read documents once more; until they are read, they are found as they were."""
        self.change("read_again", document_ids)

    def _on_library_opened(self, view: LibraryView) -> None:
        is_another = self.library is None or self.library.folder != view.folder
        if is_another:
            self._forget_sync()
            self._leave_library(is_first=self.library is None)
        self.library = view
        self.is_opening = False
        # What was to be added is: it may be taken out again before the process is another.
        self._opening = Path(view.folder), None, "", ()
        self._statuses = {status.document_id: status for status in view.statuses}
        if is_another:
            mode = "for reading" if view.read_only else "for writing"
            logger.info("A library of %d documents is open %s", len(view.statuses), mode)
        self.library_opened.emit(view)
        if not view.read_only:
            self.sync()
        self.send_questions_in_wait()

    def _on_opening_failed(self, error: DesktopQaError) -> None:
        self.is_opening = False
        self.opening_failed.emit(error)
        self._on_request_failed(error)
        self._fail_questions_in_wait(error)
        opened = Path(self.library.folder) if self.library is not None else None
        if opened is not None and self._opening is not None and self._opening[0] != opened:
            # The process has let go of it, and of its indexing, to open the other.
            self.open_library(opened)

    def _on_request_failed(self, error: DesktopQaError) -> None:
        if not isinstance(error, Cancelled):
            self.notice_posted.emit(Notice.of_error(error, key="request"))

    # Indexing

    def sync(self) -> None:
        """Bring the index in step with the folders; once more when it is at work already."""
        if self.library is None or self.library.read_only:
            return
        if self.is_syncing:
            self._sync_is_due = True
            return
        self.is_syncing, self.is_paused, self._sync_is_due = True, False, False
        self.sync_started.emit()
        self.forget(_SYNC)
        self._runner.run(
            "sync",
            on_result=self._unless_forgotten(_SYNC, self._on_sync_finished),
            on_failure=self._unless_forgotten(_SYNC, self._on_sync_failed),
            on_progress=self._unless_forgotten(_SYNC, self._on_sync_progressed),
        )

    def _forget_sync(self) -> None:
        """Listen no more to the indexing of a library that is left."""
        self.forget(_SYNC)
        self.is_syncing = self.is_paused = False

    def pause_or_resume(self) -> None:
        """Hold the indexing, or let it go on."""
        if self.is_syncing:
            self._runner.run("resume" if self.is_paused else "pause")
            self.is_paused = not self.is_paused

    def cancel_sync(self) -> None:
        """Stop the indexing; what is done stays, Refresh takes up the rest."""
        if self.is_syncing:
            self._sync_is_due = False
            self._runner.run("cancel_sync")

    def _on_sync_progressed(self, progress: IngestProgress) -> None:
        self.is_paused = progress.paused
        self.take(progress.changed, progress.removed)
        self.sync_progressed.emit(progress)

    def take(self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]) -> None:
        """Take documents as they are now, and tell of it."""
        for document_id in removed:
            self._statuses.pop(document_id, None)
        for status in changed:
            self._statuses[status.document_id] = status
        if changed or removed:
            self.statuses_changed.emit(changed, removed)

    def _on_sync_finished(self, report: IngestReport) -> None:
        self._end_sync(report)
        if self._sync_is_due and not report.cancelled:
            self.sync()

    def _on_sync_failed(self, error: DesktopQaError) -> None:
        self._end_sync(None)
        self._on_request_failed(error)

    def _end_sync(self, report: IngestReport | None) -> None:
        self.is_syncing = self.is_paused = False
        if self.is_opening:
            return  # it was stopped for that; what is opened is indexed anew
        self.sync_finished.emit(report)
        if self.library is not None:
            come = self._unless_forgotten(_LIBRARY, self._on_statuses)
            self._runner.run("statuses", on_result=come)

    def _on_statuses(self, statuses: tuple[DocumentStatus, ...]) -> None:
        # The rows are compared with the store's once more: a lost message must not leave a row
        # at "reading" for ever.
        present = {status.document_id for status in statuses}
        gone = tuple(known for known in self._statuses if known not in present)
        changed = tuple(s for s in statuses if self._statuses.get(s.document_id) != s)
        self.take(changed, gone)

    # Preferred sources

    @property
    def source_settings(self) -> SourceSettings:
        """The preferred sources of the open library."""
        return self.library.source_settings if self.library is not None else SourceSettings()

    def set_source_settings(self, sources: SourceSettings) -> None:
        """Prefer other sources; shown at once, and as they were when they cannot be kept."""
        if self.library is None:
            return
        folder, before = self.folder, self.library.source_settings
        self._show_sources(sources)

        def failed(error: DesktopQaError) -> None:
            if folder == self.folder:
                self._show_sources(before)
            self._on_request_failed(error)

        self._runner.run("set_source_settings", sources, on_failure=failed)

    def _show_sources(self, sources: SourceSettings) -> None:
        if self.library is not None:
            self.library = replace(self.library, source_settings=sources)
            self.sources_changed.emit(sources)

    def request(
        self,
        method: str,
        *arguments: object,
        on_result: ResultCallback,
        on_failure: FailureCallback | None = None,
        latest: str = "",
    ) -> None:
        """Call a method of the service; without `on_failure` the user is told of an error.

        Of requests with one name in `latest` only the last one's outcome comes.

        What comes after another library was opened is dropped.
        """
        library = self.folder
        failed = on_failure or self._unless_forgotten(_LIBRARY, self._on_request_failed)
        if latest:
            self.forget(latest)
            on_result = self._unless_forgotten(latest, on_result)
            failed = self._unless_forgotten(latest, failed)

        def came(value: object) -> None:
            if library == self.folder:
                on_result(value)

        self._runner.run(method, *arguments, on_result=came, on_failure=failed)

    def forget(self, latest: str) -> None:
        """Drop what is still to come of requests with this name."""
        self._numbers[latest] += 1

    def _unless_forgotten(self, latest: str, act: Callable[[Any], None]) -> Callable[[Any], None]:
        """Return what does something with an outcome, but nothing once it was forgotten."""
        number = self._numbers[latest]

        def done(outcome: object) -> None:
            if number == self._numbers[latest]:
                act(outcome)

        return done

    def request_of_file(
        self,
        path: Path | None,
        method: str,
        *arguments: object,
        otherwise: object,
        on_result: ResultCallback,
    ) -> None:
        """Ask for something of a file; of one that is not read, or fails, it is `otherwise`."""
        status = self.status_of_file(path)
        if status is None or not status.has_content:
            on_result(otherwise)
            return
        self.request(
            method,
            *(status.document_id, *arguments),
            on_result=on_result,
            on_failure=lambda _error: on_result(otherwise),
        )

    def start(
        self,
        method: str,
        *arguments: object,
        on_result: ResultCallback | None = None,
        on_failure: FailureCallback | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> int:
        """Call a method that is about no open library; its outcome comes whatever is opened.

        Returns:
            The request's id, for `cancel`.
        """
        failed = on_failure or self._on_request_failed
        return self._runner.run(
            method, *arguments, on_result=on_result, on_failure=failed, on_progress=on_progress
        )

    def cancel(self, request_id: int) -> None:
        """Stop what `start` began; its `on_failure` is then called with `Cancelled`."""
        self._runner.cancel(request_id)

    # The service

    def _on_service_crashed(self, reason: str) -> None:
        now = time.monotonic()
        self._restarts = [then for then in self._restarts if now - then < _RESTART_WINDOW_S]
        if len(self._restarts) < _MAX_RESTARTS:
            self._restarts.append(now)
            notice = Notice(
                NoticeLevel.WARNING,
                "The library stopped working and was started again.",
                "Nothing is lost; indexing goes on where it was.",
                key="request",
                passes=True,
            )
            self._restart()
        else:
            again = NoticeAction("Start again", self._restart)
            message = "The library stopped working several times."
            hint = f"{reason} Your documents are untouched."
            notice = Notice(NoticeLevel.ERROR, message, hint, (again,), key="request")
        self.notice_posted.emit(notice)

    def _restart(self) -> None:
        self._forget_sync()
        self._give_all_up()
        self._runner.start()
        if self._opening is not None:
            self.open_library(*self._opening)
