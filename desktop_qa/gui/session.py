"""The open library as the window knows it: what is asked of the service and what came back.

The widgets hold none of this; they listen to the session and call its methods. Everything here
runs on the GUI thread; `JobRunner` is where it leaves and comes back.
"""

from __future__ import annotations

import logging
import time
import uuid
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.progress import DocumentStatus, IngestProgress, IngestReport
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.view import AnswerView, LibraryView
from desktop_qa.gui.jobs import FailureCallback, JobRunner, ResultCallback
from desktop_qa.gui.messages import Notice, NoticeAction, NoticeLevel

logger = logging.getLogger(__name__)

_MAX_RESTARTS = 3
_RESTART_WINDOW_S = 120.0


class LibrarySession(QObject):
    """One library at a time: opening it, keeping it in step with its folders, asking it.

    Attributes:
        library_opened: With the `LibraryView`; also after a source was added or relocated.
        opening_failed: With the error; the library that was open before stays.
        statuses_changed: With (changed statuses, ids of removed documents).
        sync_started: Indexing begins.
        sync_progressed: With `IngestProgress`.
        sync_finished: With the `IngestReport`, or None when it failed.
        question_asked: With the question.
        question_answered: With the `AnswerView`.
        question_failed: With (question, error); `Cancelled` when the user stopped it.
        conversation_started: What is asked now goes on from nothing that was asked before.
        sources_changed: With the `SourceSettings` that the next question follows.
        history_loaded: With the `HistoryEntry` tuple of the library.
        notice_posted: With a `Notice` for the message area.
    """

    library_opened = Signal(object)
    opening_failed = Signal(object)
    statuses_changed = Signal(object, object)
    sync_started = Signal()
    sync_progressed = Signal(object)
    sync_finished = Signal(object)
    question_asked = Signal(str)
    question_answered = Signal(object)
    question_failed = Signal(str, object)
    conversation_started = Signal()
    sources_changed = Signal(object)
    history_loaded = Signal(object)
    notice_posted = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._statuses: dict[DocumentId, DocumentStatus] = {}
        self._generation = 0
        self._sync_is_due = False
        self._ask_id = 0
        self._question_in_wait: tuple[str, tuple[str, ...], bool] | None = None
        self._last_opened: tuple[Path, Path | None] | None = None
        self._restarts: list[float] = []
        self.library: LibraryView | None = None
        self.conversation = uuid.uuid4().hex
        self.is_opening = False
        self.is_syncing = False
        self.is_paused = False
        runner.crashed.connect(self._on_service_crashed)

    @property
    def statuses(self) -> tuple[DocumentStatus, ...]:
        """The documents of the library, in the order they were reported."""
        return tuple(self._statuses.values())

    def status(self, document_id: DocumentId | None) -> DocumentStatus | None:
        """Return a document as it was reported last, None when it is not in the library."""
        return self._statuses.get(document_id) if document_id is not None else None

    @property
    def _folder(self) -> str:
        return self.library.folder if self.library is not None else ""

    @property
    def is_asking(self) -> bool:
        """True while a question is under way."""
        return self._ask_id != 0 or self._question_in_wait is not None

    # Opening

    def open_library(self, folder: Path, source: Path | None = None) -> None:
        """Open or create a library and bring it up to date.

        Args:
            folder: Where the library lives.
            source: A folder of documents to add to it.
        """
        self._generation += 1
        self._last_opened = (folder, source)
        self.is_opening = True
        self._runner.run(
            "open_library",
            str(folder),
            str(source) if source is not None else None,
            on_result=partial(self._on_library_opened, self._generation),
            on_failure=partial(self._on_opening_failed, self._generation),
        )

    def add_source(self, folder: Path) -> None:
        """Add a folder of documents to the open library."""
        self._runner.run(
            "add_source",
            str(folder),
            on_result=partial(self._on_library_opened, self._generation),
            on_failure=self._on_request_failed,
        )

    def relocate_source(self, old: Path, new: Path) -> None:
        """Tell the library where a source folder went."""
        self._runner.run(
            "relocate_source",
            str(old),
            str(new),
            on_result=partial(self._on_library_opened, self._generation),
            on_failure=self._on_request_failed,
        )

    def read_again(self, document_ids: tuple[DocumentId, ...]) -> None:
        """Read documents once more; until they are read, they are found as they were."""
        self._runner.run(
            "read_again",
            document_ids,
            on_result=partial(self._on_library_opened, self._generation),
            on_failure=self._on_request_failed,
        )

    def _on_library_opened(self, generation: int, view: LibraryView) -> None:
        if generation != self._generation:
            return
        is_another = self.library is None or self.library.folder != view.folder
        if is_another:
            self._ask_id = 0
            self.is_syncing = self.is_paused = False
            self.conversation = uuid.uuid4().hex
        self.library = view
        self.is_opening = False
        self._statuses = {status.document_id: status for status in view.statuses}
        self.library_opened.emit(view)
        if is_another:
            self._runner.run("history", on_result=self.history_loaded.emit)
        if not view.read_only:
            self.sync()
        if self._question_in_wait is not None:
            question, scope, alone = self._question_in_wait
            self._question_in_wait = None
            self._send(question, "ask", question, scope, self.conversation, alone)

    def _on_opening_failed(self, generation: int, error: DesktopQaError) -> None:
        if generation == self._generation:
            self.is_opening = False
            self.opening_failed.emit(error)
            self._on_request_failed(error)
            self._fail_question_in_wait(error)

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
        generation = self._generation
        self._runner.run(
            "sync",
            on_result=partial(self._on_sync_finished, generation),
            on_failure=partial(self._on_sync_failed, generation),
            on_progress=partial(self._on_sync_progressed, generation),
        )

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

    def _on_sync_progressed(self, generation: int, progress: IngestProgress) -> None:
        if generation != self._generation or not self.is_syncing:
            return
        self.is_paused = progress.paused
        self._merge(progress.changed, progress.removed)
        self.sync_progressed.emit(progress)

    def _merge(self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]) -> None:
        for document_id in removed:
            self._statuses.pop(document_id, None)
        for status in changed:
            self._statuses[status.document_id] = status
        if changed or removed:
            self.statuses_changed.emit(changed, removed)

    def _on_sync_finished(self, generation: int, report: IngestReport) -> None:
        if generation != self._generation:
            return
        self._end_sync(report)
        if self._sync_is_due and not report.cancelled:
            self.sync()

    def _on_sync_failed(self, generation: int, error: DesktopQaError) -> None:
        if generation != self._generation:
            return
        self._end_sync(None)
        self._on_request_failed(error)

    def _end_sync(self, report: IngestReport | None) -> None:
        self.is_syncing = self.is_paused = False
        self.sync_finished.emit(report)
        if self.library is not None:
            self._runner.run("statuses", on_result=partial(self._on_statuses, self._generation))

    def _on_statuses(self, generation: int, statuses: tuple[DocumentStatus, ...]) -> None:
        # The rows are compared with the store's once more: a lost message must not leave a row
        # at "reading" for ever.
        if generation == self._generation:
            present = {status.document_id for status in statuses}
            gone = tuple(known for known in self._statuses if known not in present)
            changed = tuple(s for s in statuses if self._statuses.get(s.document_id) != s)
            self._merge(changed, gone)

    # Asking

    def ask(self, question: str, scope: tuple[str, ...] = ()) -> None:
        """Ask the library in the current conversation; a question under way is given up for it.

        A question asked while the library is being opened waits for it.

        Args:
            question: Any text.
            scope: Patterns of what to search; empty is the whole library.
        """
        self._ask(question, scope, alone=False)

    def ask_alone(self, question: str, scope: tuple[str, ...] = ()) -> None:
        """Ask a question as it stands, though it looks like a follow-up; see `ask`."""
        self._ask(question, scope, alone=True)

    def new_conversation(self) -> None:
        """Let the next question go on from nothing that was asked before."""
        self.conversation = uuid.uuid4().hex
        self.conversation_started.emit()

    def _ask(self, question: str, scope: tuple[str, ...], *, alone: bool) -> None:
        if self._ask_id:
            self._runner.cancel(self._ask_id)
            self._ask_id = 0
        self.question_asked.emit(question)
        if self.is_opening:
            self._question_in_wait = (question, scope, alone)
        else:
            self._send(question, "ask", question, scope, self.conversation, alone)

    def _send(self, question: str, method: str, *arguments: Any) -> None:
        request_id = 0

        def answered(view: AnswerView) -> None:
            if self._ask_id == request_id:
                self._ask_id = 0
                self.question_answered.emit(view)

        def failed(error: DesktopQaError) -> None:
            if self._ask_id == request_id:
                self._ask_id = 0
                self.question_failed.emit(question, error)

        request_id = self._runner.run(method, *arguments, on_result=answered, on_failure=failed)
        self._ask_id = request_id

    def _fail_question_in_wait(self, error: DesktopQaError) -> None:
        if self._question_in_wait is not None:
            question = self._question_in_wait[0]
            self._question_in_wait = None
            self.question_failed.emit(question, error)

    def compare(self, document_ids: tuple[DocumentId, ...], question: str) -> None:
        """Have documents compared; it is under way, stopped and answered as a question is.

        Args:
            document_ids: Two or more, in the order of the columns.
            question: What the window calls it.
        """
        if self._ask_id:
            self._runner.cancel(self._ask_id)
        self._send(question, "compare", document_ids, (), self.conversation)
        self.question_asked.emit(question)

    def stop_asking(self) -> None:
        """Give up the question under way."""
        self._fail_question_in_wait(Cancelled())
        if self._ask_id:
            self._runner.cancel(self._ask_id)

    # Preferred sources

    @property
    def source_settings(self) -> SourceSettings:
        """The preferred sources of the open library."""
        return self.library.source_settings if self.library is not None else SourceSettings()

    def set_source_settings(self, sources: SourceSettings) -> None:
        """Prefer other sources; shown at once, and as they were when they cannot be kept."""
        if self.library is None:
            return
        before = self.library.source_settings
        self._show_sources(sources)

        def failed(error: DesktopQaError) -> None:
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
    ) -> None:
        """Call a method of the service; without `on_failure` the user is told of an error.

        What comes after another library was opened is dropped.
        """
        library = self._folder

        def came(value: object) -> None:
            if library == self._folder:
                on_result(value)

        failed = on_failure or self._on_request_failed
        self._runner.run(method, *arguments, on_result=came, on_failure=failed)

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
            )
            self._restart()
        else:
            again = NoticeAction("Start again", self._restart)
            message = "The library stopped working several times."
            hint = f"{reason} Your documents are untouched."
            notice = Notice(NoticeLevel.ERROR, message, hint, (again,), key="request")
        self.notice_posted.emit(notice)

    def _restart(self) -> None:
        self.is_syncing = self.is_paused = False
        self._ask_id = 0
        self._runner.start()
        if self._last_opened is not None:
            self.open_library(*self._last_opened)
