"""The library in a process of its own, and the window's line to it.

The window's process holds widgets only. Importing Chroma, spaCy or NumPy in one of its threads
stalls the GUI by hundreds of milliseconds, and so does unpickling a parsed document; so the whole
library runs in one child process, which `client` starts and speaks with over a pipe. When the
pipe closes the child writes what it was asked to write and ends, so that no window waits for it and
a killed one leaves nothing behind.

In the child each kind of request has a lane, so that it waits for its own kind only: opening and
ingest one at a time; questions and small writes (the model process serves questions before ingest);
structures, texts and exports; whole libraries, which may take minutes to move; what is looked up
while somebody types; the reader's marks; the care for documents; pieces of evidence; language
models; documents that a model reads; and the text that the viewer selects and finds, in a process
of its own. The thread that reads the pipe carries out pause, resume and cancel at once, and touches
no file.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError, LibraryError, QuestionError
from desktop_qa.core.lifeline import end_with_parent
from desktop_qa.core.question import Question
from desktop_qa.core.readings import ReadBy
from desktop_qa.core.sources import SourceSettings
from desktop_qa.log_files import start_logging
from desktop_qa.service.documents import DocumentRequests
from desktop_qa.service.evidence import EvidenceRequests
from desktop_qa.service.folders import FolderRequests
from desktop_qa.service.history import HistoryRequests
from desktop_qa.service.lanes import Lane, Methods, Requests
from desktop_qa.service.libraries import LibraryRequests
from desktop_qa.service.marks import MarkRequests
from desktop_qa.service.messages import Failure, Message, News, Progress, Request, Result
from desktop_qa.service.models import ModelRequests
from desktop_qa.service.readings import ReadingRequests
from desktop_qa.service.search import SearchRequests
from desktop_qa.service.texts import TextRequests

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

logger = logging.getLogger(__name__)


_TOLD_FROM_S = 0.1
_LEAVING_S = 30.0
"""So long what was asked of a library is waited for before it is closed."""
_STOPPING_S = 2.0
"""So long an ingest may take to stop before the process ends; the next one takes it up."""
_LOCK_PATIENCE_S = 3.0
"""So long the process of a window that was just closed is waited for."""


def serve(connection: Connection) -> None:
    """Run the service until its pipe closes; the entry of the child process."""
    # Ctrl+C in a terminal reaches the whole group; the window decides when the service ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(_LEAVING_S)
    logging.basicConfig(level=logging.WARNING)
    log = start_logging("library")
    _Service(connection).run()
    if log is not None:
        log.stop()


def _await_free(folder: Path) -> None:
    """Give the process of a window that was closed a moment ago the time to write and end."""
    from desktop_qa.index.library_lock import LockState, lock_state

    until = time.monotonic() + _LOCK_PATIENCE_S
    while lock_state(folder) is LockState.TAKEN and time.monotonic() < until:
        time.sleep(0.05)


class _Service:
    """Dispatches requests to the lanes."""

    def __init__(self, connection: Connection) -> None:
        from desktop_qa.library.ingest import IngestControl

        self._connection = connection
        self._send_lock = threading.Lock()
        self._library: Library | None = None
        self._control = IngestControl()
        self._cancelled: dict[int, threading.Event] = {}
        self._library_lane = ThreadPoolExecutor(1, thread_name_prefix="library-lane")
        self._answer_lane = ThreadPoolExecutor(1, thread_name_prefix="answer-lane")
        self._document_lane = ThreadPoolExecutor(1, thread_name_prefix="document-lane")
        past = HistoryRequests(self._require_library)
        self._folders = FolderRequests(
            self._require_library,
            lambda topic, value: self._send(News(topic, value)),
            lambda: self._library is not None,
        )
        whole = LibraryRequests(
            lambda request_id, progress: self._send(Progress(request_id, progress)),
            lambda request_id: self._cancelled[request_id].is_set(),
        )
        library_methods: Methods = {
            "open_library": self._open_library,
            "close_library": lambda _request_id: self._close_library(),
            "sync": self._sync,
            "read_again": self._read_again,
            "unlock": self._unlock,
        }
        answer_methods: Methods = {
            "ask": self._ask,
            "compare": self._compare,
            **past.changes,
            "statuses": self._statuses,
            # Small writes that must not wait for an ingest.
            **self._folders.changes,
            "set_source_settings": self._set_source_settings,
        }
        document_methods: Methods = {
            "structure": self._structure,
            "tables_on_page": self._tables_on_page,
            "markdown": self._markdown,
            "export_markdown": self._export_markdown,
            **past.readings,
            **self._folders.readings,
        }
        models = ModelRequests(
            self._require_library,
            lambda request_id, said: self._send(Progress(request_id, said)),
            lambda request_id: self._cancelled[request_id].is_set(),
        )
        self._beside_ingest: tuple[Requests, ...] = (
            Lane(answer_methods, self._answer_lane, finishes=True),
            Lane(document_methods, self._document_lane),
            SearchRequests(self._require_library),
            MarkRequests(self._require_library),
            DocumentRequests(self._require_library),
            EvidenceRequests(self._require_library),
            ReadingRequests(
                self._require_library,
                lambda request_id, progress: self._send(Progress(request_id, progress)),
                lambda request_id: self._cancelled[request_id].is_set(),
                models,
            ),
            models,
        )
        self._under_way: dict[int, Future[None]] = {}
        self._quick: tuple[Requests, ...] = (*self._beside_ingest, TextRequests())
        self._long: tuple[Requests, ...] = (
            Lane(library_methods, self._library_lane),
            Lane(whole.methods, ThreadPoolExecutor(1, thread_name_prefix="libraries-lane")),
        )
        self._immediate: Methods = {
            "pause": lambda: self._control.pause(),
            "resume": lambda: self._control.resume(),
            "cancel_sync": lambda: self._control.cancel(),
            "cancel": self._cancel,
        }

    def run(self) -> None:
        """Read requests until the pipe closes or "shutdown" comes."""
        while True:
            try:
                request: Request = self._connection.recv()
            except (EOFError, OSError):
                break
            if request.method == "shutdown":
                break
            self._dispatch(request)
        self._control.cancel()
        for event in list(self._cancelled.values()):
            event.set()
        for requests in self._quick:
            requests.end()
        # All is written that was asked for; what else is at work goes on at the next start.
        deadline = threading.Timer(_STOPPING_S, os._exit, (0,))
        deadline.daemon = True
        deadline.start()
        for requests in self._long:
            requests.end()
        deadline.cancel()
        self._folders.stop()
        if self._library is not None:
            self._library.close()

    def _dispatch(self, request: Request) -> None:
        if request.method in self._immediate:
            self._perform(request, self._immediate[request.method], pass_id=False)
            return
        self._cancelled[request.id] = threading.Event()
        if request.method in ("open_library", "close_library"):
            self._control.cancel()
        for requests in (*self._quick, *self._long):
            if request.method in requests.methods:
                lane = requests.lane_of(request.method, request.id)
                future = lane.submit(self._perform, request, requests.methods[request.method])
                if requests in self._beside_ingest:
                    self._under_way[request.id] = future
                    future.add_done_callback(lambda _: self._under_way.pop(request.id, None))
                return
        self._perform(request, self._unknown)

    def _perform(self, request: Request, method: Callable[..., Any], pass_id: bool = True) -> None:
        started = time.monotonic()
        try:
            first = (request.id,) if pass_id else ()
            value = method(*first, *request.arguments)
        except DesktopQaError as error:
            logger.info("%s ended with %s", request.method, type(error).__name__)
            self._send(Failure(request.id, error))
        except Exception as error:  # a bug must reach the window as one, never end in silence
            logger.exception("Request %s failed", request.method)
            self._send(
                Failure(
                    request.id,
                    LibraryError(
                        f"Something unexpected went wrong: {type(error).__name__}: {error}",
                        "Try again; if it happens again, report it with the log.",
                    ),
                )
            )
        else:
            seconds = time.monotonic() - started
            # Pages are asked for by the dozen while somebody scrolls: only what takes time is told.
            level = logging.INFO if seconds >= _TOLD_FROM_S else logging.DEBUG
            logger.log(level, "%s done in %.2f s", request.method, seconds)
            if request.id:
                self._send(Result(request.id, value))
        finally:
            self._cancelled.pop(request.id, None)

    def _send(self, message: Message) -> None:
        with self._send_lock:
            try:
                self._connection.send(message)
            except (BrokenPipeError, OSError):
                logger.debug("The window is gone")

    def _unknown(self, _request_id: int, *_arguments: Any) -> None:
        raise LibraryError("The window asked for something the library does not know.")

    def _cancel(self, request_id: int) -> None:
        event = self._cancelled.get(request_id)
        if event is not None:
            event.set()

    def _require_library(self) -> Library:
        if self._library is None:
            raise QuestionError(
                "There is no library yet.", "Add a folder of documents, then ask again."
            )
        return self._library

    def _open_library(
        self,
        _request_id: int,
        folder: str,
        source: str | None = None,
        name: str = "",
        more: tuple[str, ...] = (),
    ) -> Any:
        from desktop_qa.library.facade import Library

        before = self._library
        if before is None or before.folder != Path(folder) or before.read_only:
            _await_free(Path(folder))
            # One that cannot be opened leaves the one before as it is.
            opened = Library.open(Path(folder), fall_back_to_reading=True)
            self._close_library()
            self._library = opened
            opened.warm_up()
        self._control.reset()
        self._folders.take_first(source, more)
        library = self._require_library()
        if name and not library.read_only:
            library.rename(name)
        self._folders.follow()
        return library.view()

    def _close_library(self) -> None:
        self._folders.stop()
        if self._library is not None:
            self._finish_requests()
            self._library.close()
            self._library = None

    def _finish_requests(self) -> None:
        """Carry out in a library what was asked of it: in the next it would mean something else.

        Nobody waits for its questions any more.
        """
        under_way = dict(self._under_way)
        for request_id in under_way:
            self._cancel(request_id)
        wait(under_way.values(), timeout=_LEAVING_S)

    def _sync(self, request_id: int) -> Any:
        self._control.reset()
        report = self._require_library().sync(
            lambda progress: self._send(Progress(request_id, progress)), self._control
        )
        logger.info(
            "%d documents, %d partly read, %d failed, %d pages",
            *(report.documents, len(report.partial), len(report.failed), report.pages),
        )
        return report

    def _read_again(self, _request_id: int, document_ids: tuple[str, ...]) -> Any:
        library = self._require_library()
        library.read_again(document_ids)
        return library.view()

    def _unlock(self, _request_id: int, document_id: DocumentId, password: str) -> Any:
        library = self._require_library()
        library.unlock(document_id, password)
        return library.view()

    def _set_source_settings(self, _request_id: int, sources: SourceSettings) -> Any:
        library = self._require_library()
        library.set_source_settings(sources)
        return library.source_settings

    def _structure(
        self, _request_id: int, document_id: DocumentId, by: ReadBy | None = None
    ) -> Any:
        return self._require_library().structure(document_id, by)

    def _tables_on_page(self, _request_id: int, document_id: DocumentId, page_no: int) -> Any:
        return self._require_library().tables_on_page(document_id, page_no)

    def _markdown(self, _request_id: int, document_id: DocumentId) -> Any:
        return self._require_library().markdown(document_id)

    def _export_markdown(
        self, _request_id: int, document_id: DocumentId, target: str, replace: bool = False
    ) -> Any:
        return self._require_library().export_markdown(document_id, Path(target), replace=replace)

    def _ask(self, request_id: int, question: Question) -> Any:
        library = self._require_library()
        event = self._cancelled[request_id]
        if event.is_set():
            raise Cancelled
        return library.ask_view(question, event.is_set)

    def _compare(
        self,
        request_id: int,
        names: tuple[str, ...],
        parameters: tuple[str, ...] = (),
        conversation: str = "",
    ) -> Any:
        library, event = self._require_library(), self._cancelled[request_id]
        return library.compare_view(
            names, parameters, conversation=conversation, is_cancelled=event.is_set
        )

    def _statuses(self, _request_id: int) -> Any:
        return self._require_library().statuses()
