"""Ingest: from files to searchable documents, resumable at every step.

Reading children parse documents side by side; one lane embeds and stores them, one transaction a
document. A document is in the store whole or not at all, and ids come from content, so a process
that is killed anywhere goes on at the next start with nothing doubled and nothing missing.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import (
    Cancelled,
    DesktopQaError,
    GivenUpError,
    UnreadableDocumentError,
)
from desktop_qa.core.progress import DocumentState, DocumentStatus, IngestProgress
from desktop_qa.index.records import PendingDocument
from desktop_qa.library.reader import ReadDocument, ReadingChild, ReadJob
from desktop_qa.settings import ReadingSettings

if TYPE_CHECKING:
    from desktop_qa.library.sync import Synchronizer

logger = logging.getLogger(__name__)

EMBEDDING_STEP = 64
"""Segments between two looks at pause and cancel: about a second of work."""

_MAX_READ_AHEAD = 3
_PROGRESS_INTERVAL_S = 0.2


class IngestControl:
    """Pause, resume and cancel, from any thread."""

    def __init__(self) -> None:
        self._running = threading.Event()
        self._running.set()
        self._cancelled = threading.Event()

    def pause(self) -> None:
        """Hold the work where it stands."""
        self._running.clear()

    def resume(self) -> None:
        """Go on."""
        self._running.set()

    def cancel(self) -> None:
        """Stop; what is finished stays, the rest waits for the next time."""
        self._cancelled.set()

    def reset(self) -> None:
        """Forget a pause or cancel from before."""
        self._cancelled.clear()
        self._running.set()

    @property
    def is_paused(self) -> bool:
        """True between pause and resume."""
        return not self._running.is_set() and not self._cancelled.is_set()

    @property
    def is_cancelled(self) -> bool:
        """True once cancelled."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Wait while paused.

        Raises:
            Cancelled: When the user stopped the work.
        """
        while not self._running.wait(timeout=0.1):
            if self._cancelled.is_set():
                break
        if self._cancelled.is_set():
            raise Cancelled


@dataclass(slots=True)
class _Meter:
    """Counts pages and makes `IngestProgress` of them; guarded by a lock."""

    n_documents: int
    n_done: int
    started: float = field(default_factory=time.monotonic)
    n_pages_done: int = 0
    n_docs_done_now: int = 0
    reading: dict[DocumentId, tuple[int, int]] = field(default_factory=dict)

    def pages_per_second(self) -> float:
        elapsed = time.monotonic() - self.started
        return self.n_pages_done / elapsed if elapsed > 0.5 else 0.0


class Ingest:
    """One run over the pending documents; `run` blocks, on the library lane."""

    def __init__(
        self,
        target: Synchronizer,
        pending: list[PendingDocument],
        n_already_done: int,
        settings: ReadingSettings,
        control: IngestControl,
        on_progress: Callable[[IngestProgress], None],
    ) -> None:
        self._target = target
        self._pending = pending
        self._control = control
        self._settings = settings
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._meter = _Meter(n_already_done + len(pending), n_already_done)
        self._changed: dict[DocumentId, None] = {}
        self._last_report = 0.0
        self._activity = ""
        self._names = {p.document_id: p.files[0].rsplit("/", 1)[-1] for p in pending}

    def run(self) -> None:
        """Work until all pending documents are in a final state.

        Raises:
            Cancelled: When the user stopped it.
            LibraryError: When the library cannot be written, as when the disk is full.
        """
        if not self._pending:
            return
        jobs: queue.SimpleQueue[PendingDocument] = queue.SimpleQueue()
        for pending in self._pending:
            jobs.put(pending)
        done: queue.Queue[_Outcome | None] = queue.Queue(maxsize=_MAX_READ_AHEAD)
        stop = threading.Event()
        n_children = min(self._settings.n_children, len(self._pending))
        threads = [
            threading.Thread(
                target=self._read_all, args=(jobs, done, stop), name=f"reader-{n}", daemon=True
            )
            for n in range(n_children)
        ]
        for thread in threads:
            thread.start()
        try:
            for outcome in self._outcomes(done, n_children):
                self._finish(outcome)
            self._report(force=True)
        finally:
            stop.set()
            for thread in threads:
                thread.join(timeout=10)

    def _outcomes(self, done: queue.Queue[_Outcome | None], n_children: int) -> Iterator[_Outcome]:
        n_open = n_children
        while n_open:
            self._control.check()
            try:
                outcome = done.get(timeout=_PROGRESS_INTERVAL_S)
            except queue.Empty:
                self._report()
                continue
            if outcome is None:
                n_open -= 1
            else:
                yield outcome

    def _read_all(
        self,
        jobs: queue.SimpleQueue[PendingDocument],
        done: queue.Queue[_Outcome | None],
        stop: threading.Event,
    ) -> None:
        child = ReadingChild(self._settings)

        def is_cancelled() -> bool:
            return stop.is_set() or self._control.is_cancelled

        try:
            while not is_cancelled():
                try:
                    pending = jobs.get_nowait()
                except queue.Empty:
                    break
                outcome = self._read_one(child, pending, is_cancelled)
                if outcome is not None:
                    _put(done, outcome, is_cancelled)
        finally:
            child.kill()
            _put(done, None, stop.is_set)

    def _read_one(
        self, child: ReadingChild, pending: PendingDocument, is_cancelled: Callable[[], bool]
    ) -> _Outcome | None:
        document_id = pending.document_id

        def on_page(page_no: int, n_pages: int) -> None:
            with self._lock:
                # The parser goes over the pages more than once; a page counts the first time.
                before = self._meter.reading.get(document_id, (0, 0))[0]
                n_read = max(page_no - 1, before)
                self._meter.n_pages_done += n_read - before
                self._meter.reading[document_id] = (n_read, n_pages)
                self._changed[document_id] = None
                self._activity = (
                    f"Reading page {page_no} of {n_pages} of {self._names[document_id]}"
                )

        try:
            self._set_state(document_id, DocumentState.READING)
            folder = self._target.figures_folder(document_id)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            read = child.read(
                ReadJob(
                    *(pending.paths[0], document_id, pending.files, folder),
                    password=self._target.passwords.get(document_id, ""),
                ),
                on_page,
                is_paused=lambda: self._control.is_paused,
                is_cancelled=is_cancelled,
            )
        except Cancelled:
            return None
        except (DesktopQaError, OSError) as error:
            return _Outcome(pending, None, error)
        return _Outcome(pending, read, None)

    def _finish(self, outcome: _Outcome) -> None:
        document_id = outcome.pending.document_id
        if outcome.read is None:
            self._fail(document_id, outcome.error)
        elif not self._target.is_unchanged(outcome.pending.paths[0]):
            self._fail(document_id, _changed_while_read(outcome.pending.paths[0]))
        elif not self._target.keeps_what_it_has(outcome.read):
            self._store(document_id, outcome.read)
        with self._lock:
            done, n_pages = self._meter.reading.pop(document_id, (0, 0))
            self._meter.n_pages_done += n_pages - done
            self._meter.n_done += 1
            self._meter.n_docs_done_now += 1
            self._changed[document_id] = None
        self._report(force=True)

    def _store(self, document_id: DocumentId, read: ReadDocument) -> None:
        self._set_state(document_id, DocumentState.INDEXING)
        texts = [indexed.segment.embedded_text for indexed in read.segments]

        def tell(n_done: int) -> None:
            name = self._names[document_id]
            self._activity = f"Indexing {n_done} of {len(texts)} segments of {name}"
            self._report()

        embeddings = self._target.embed(texts, tell)
        self._target.save(read, embeddings)

    def _fail(self, document_id: DocumentId, error: Exception | None) -> None:
        if isinstance(error, GivenUpError):
            self._target.give_up(document_id, error)
            return
        if isinstance(error, UnreadableDocumentError):
            reason, hint = error.message, error.hint
        elif isinstance(error, DesktopQaError):
            raise error
        else:
            reason = f"Reading or writing failed ({error})."
            hint = "Check the free space and your rights on the library's folder, then retry."
        self._set_state(document_id, DocumentState.FAILED, reason, hint)

    def _set_state(
        self, document_id: DocumentId, state: DocumentState, reason: str = "", hint: str = ""
    ) -> None:
        self._target.set_state(document_id, state, reason, hint)
        with self._lock:
            self._changed[document_id] = None

    def _report(self, force: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._last_report < _PROGRESS_INTERVAL_S:
            return
        self._last_report = now
        with self._lock:
            changed, self._changed = list(self._changed), {}
            reading = dict(self._meter.reading)
        rows = []
        for document_id in changed:
            row = self._target.status(document_id)
            if row is not None:
                rows.append(_with_pages(row, reading.get(document_id)))
        self._on_progress(self._progress(tuple(rows), reading))

    def _progress(
        self,
        rows: tuple[DocumentStatus, ...],
        reading: dict[DocumentId, tuple[int, int]],
    ) -> IngestProgress:
        meter = self._meter
        speed = meter.pages_per_second()
        n_left = meter.n_documents - meter.n_done
        # Pages of the documents not opened yet are guessed from those done in this run.
        n_known = sum(n_pages for _done, n_pages in reading.values())
        n_counted = meter.n_docs_done_now + len(reading)
        mean = (meter.n_pages_done + n_known) / n_counted if n_counted else 0.0
        n_open = sum(n_pages - done for done, n_pages in reading.values())
        n_unopened = max(n_left - len(reading), 0)
        n_ahead = n_open + mean * n_unopened
        return IngestProgress(
            n_done=meter.n_done,
            n_documents=meter.n_documents,
            n_pages_done=meter.n_pages_done,
            n_pages=round(meter.n_pages_done + n_ahead),
            pages_per_second=speed,
            seconds_left=n_ahead / speed if speed > 0 and meter.n_pages_done > 20 else None,
            paused=self._control.is_paused,
            activity="Paused" if self._control.is_paused else self._activity,
            changed=rows,
        )


@dataclass(frozen=True, slots=True)
class _Outcome:
    pending: PendingDocument
    read: ReadDocument | None
    error: Exception | None


def _with_pages(row: DocumentStatus, pages: tuple[int, int] | None) -> DocumentStatus:
    if pages is None or row.state is not DocumentState.READING:
        return row
    return replace(row, n_pages_read=pages[0], n_pages=pages[1])


def _changed_while_read(path: Path) -> UnreadableDocumentError:
    if path.exists():
        return UnreadableDocumentError(
            "The file changed while it was being read.", "Press Refresh to read it again."
        )
    return UnreadableDocumentError(
        "The file was removed while it was being read.", "Put it back and press Refresh."
    )


def _put(
    done: queue.Queue[_Outcome | None], outcome: _Outcome | None, is_over: Callable[[], bool]
) -> None:
    """Hand an outcome on, unless nobody takes it any more."""
    while not is_over():
        with contextlib.suppress(queue.Full):
            done.put(outcome, timeout=0.2)
            return
