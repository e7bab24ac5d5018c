"""The library in a process of its own, and the window's line to it.

The window's process holds widgets only. Importing Chroma, spaCy or NumPy in one of its threads
stalls the GUI by hundreds of milliseconds, and so does unpickling a parsed document; so the whole
library runs in one child process, which `ServiceClient` starts and speaks with over a pipe. The
child ends when the pipe closes, so a killed window leaves nothing behind.

In the child four lanes work: the library lane (opening, ingest: one at a time), the answer lane
(questions; the model process serves them before ingest), the document lane (structures, texts and
exports, so that no question waits for a slow disk) and the reader of the pipe itself, which carries
out pause, resume and cancel at once.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError, LibraryError, QuestionError
from desktop_qa.core.lifeline import end_with_parent
from desktop_qa.core.progress import IngestProgress
from desktop_qa.core.sources import SourceSettings
from desktop_qa.service_history import HistoryRequests

if TYPE_CHECKING:
    from desktop_qa.library import Library

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """A call of a method of the service; `id` comes back with each message about it."""

    id: int
    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A request ended well."""

    request_id: int
    value: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """A request failed in a way the user can understand."""

    request_id: int
    error: DesktopQaError


@dataclass(frozen=True, slots=True)
class Progress:
    """News from an ingest."""

    request_id: int
    progress: IngestProgress


@dataclass(frozen=True, slots=True)
class Crashed:
    """The service process ended by itself; every open request is lost."""

    reason: str


Message = Result | Failure | Progress | Crashed


class ServiceClient:
    """The window's end of the line; `request` and `cancel` are thread-safe and return at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_id = 1
        self._connection: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._closing = False

    def start(self) -> None:
        """Start the service process, again after it crashed."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), name="desktop-qa-service")
        process.start()
        theirs.close()
        with self._lock:
            self._connection, self._process = ours, process

    def request(self, method: str, *arguments: Any) -> int:
        """Send a request and return its id; the answer comes through `receive`."""
        with self._lock:
            request_id = self._next_id
            self._next_id += 1
            self._send(Request(request_id, method, arguments))
        return request_id

    def cancel(self, request_id: int) -> None:
        """Ask the service to stop working on a request; it then fails with `Cancelled`."""
        with self._lock:
            self._send(Request(0, "cancel", (request_id,)))

    def _send(self, request: Request) -> None:
        if self._connection is None:
            return
        try:
            self._connection.send(request)
        except (BrokenPipeError, OSError):
            logger.warning("The service is gone; the request %s is dropped", request.method)

    def receive(self) -> Message | None:
        """Wait for the next message; `None` after `close`. For one reading thread."""
        connection = self._connection
        if connection is None:
            return None
        try:
            received = connection.recv_bytes()
        except (EOFError, OSError):
            return None if self._closing else Crashed(self._epitaph())
        return _unpacked(received)

    def _epitaph(self) -> str:
        if self._process is not None:
            self._process.join(timeout=2)
            return f"The library service ended (exit code {self._process.exitcode})."
        return "The library service ended."

    def close(self, timeout_s: float = 3.0) -> None:
        """End the service; work under way is taken up again at the next start."""
        self._closing = True
        with self._lock:
            self._send(Request(0, "shutdown", ()))
        if self._process is not None:
            self._process.join(timeout=timeout_s)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(timeout=1)
        if self._connection is not None:
            self._connection.close()


def _unpacked(received: bytes) -> Message:
    """Unpickle a message without a stop of all threads in the middle of it.

    A structure of 10 000 rows is 40 000 objects; the garbage collector would look through
    everything several times while they come (up to 98 ms were seen, 22 ms without it).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        message: Message = pickle.loads(received)
    finally:
        if was_enabled:
            gc.enable()
    return message


def serve(connection: Connection) -> None:
    """Run the service until its pipe closes; the entry of the child process."""
    # Ctrl+C in a terminal reaches the whole group; the window decides when the service ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    logging.basicConfig(level=logging.WARNING)
    _Service(connection).run()


class _Service:
    """Dispatches requests to the lanes."""

    def __init__(self, connection: Connection) -> None:
        from desktop_qa.ingest import IngestControl

        self._connection = connection
        self._send_lock = threading.Lock()
        self._library: Library | None = None
        self._control = IngestControl()
        self._cancelled: dict[int, threading.Event] = {}
        self._library_lane = ThreadPoolExecutor(1, thread_name_prefix="library-lane")
        self._answer_lane = ThreadPoolExecutor(1, thread_name_prefix="answer-lane")
        self._document_lane = ThreadPoolExecutor(1, thread_name_prefix="document-lane")
        past = HistoryRequests(self._require_library)
        self._library_methods: dict[str, Callable[..., Any]] = {
            "open_library": self._open_library,
            "sync": self._sync,
            "add_source": self._add_source,
            "relocate_source": self._relocate_source,
            "read_again": self._read_again,
        }
        self._answer_methods: dict[str, Callable[..., Any]] = {
            "ask": self._ask,
            "compare": self._compare,
            "history": self._history,
            **past.changes,
            "statuses": self._statuses,
            "page_count": self._page_count,
            # A small write that must not wait for an ingest.
            "set_source_settings": self._set_source_settings,
        }
        self._document_methods: dict[str, Callable[..., Any]] = {
            "structure": self._structure,
            "markdown": self._markdown,
            "export_markdown": self._export_markdown,
            **past.readings,
        }
        self._immediate: dict[str, Callable[..., Any]] = {
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
        for event in self._cancelled.values():
            event.set()
        self._answer_lane.shutdown(wait=True, cancel_futures=True)
        self._document_lane.shutdown(wait=True, cancel_futures=True)
        self._library_lane.shutdown(wait=True, cancel_futures=True)
        if self._library is not None:
            self._library.close()

    def _dispatch(self, request: Request) -> None:
        if request.method in self._immediate:
            self._perform(request, self._immediate[request.method], pass_id=False)
            return
        self._cancelled[request.id] = threading.Event()
        if request.method in self._library_methods:
            if request.method == "open_library":
                self._control.cancel()
            method, lane = self._library_methods[request.method], self._library_lane
        elif request.method in self._document_methods:
            method, lane = self._document_methods[request.method], self._document_lane
        else:
            lane = self._answer_lane
            method = self._answer_methods.get(request.method, self._unknown)
        lane.submit(self._perform, request, method)

    def _perform(self, request: Request, method: Callable[..., Any], pass_id: bool = True) -> None:
        try:
            first = (request.id,) if pass_id else ()
            value = method(*first, *request.arguments)
        except DesktopQaError as error:
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

    def _open_library(self, _request_id: int, folder: str, source: str | None = None) -> Any:
        from desktop_qa.library import Library

        if self._library is not None and self._library.folder != Path(folder):
            self._library.close()
            self._library = None
        if self._library is None:
            self._library = Library.open(Path(folder), fall_back_to_reading=True)
            self._library.warm_up()
        self._control.reset()
        if source is not None:
            self._library.add_source(Path(source))
        return self._library.view()

    def _sync(self, request_id: int) -> Any:
        self._control.reset()
        return self._require_library().sync(
            lambda progress: self._send(Progress(request_id, progress)), self._control
        )

    def _add_source(self, _request_id: int, folder: str) -> Any:
        library = self._require_library()
        library.add_source(Path(folder))
        return library.view()

    def _relocate_source(self, _request_id: int, old: str, new: str) -> Any:
        library = self._require_library()
        library.relocate_source(Path(old), Path(new))
        return library.view()

    def _read_again(self, _request_id: int, document_ids: tuple[str, ...]) -> Any:
        library = self._require_library()
        library.read_again(document_ids)
        return library.view()

    def _set_source_settings(self, _request_id: int, sources: SourceSettings) -> Any:
        library = self._require_library()
        library.set_source_settings(sources)
        return library.source_settings

    def _structure(self, _request_id: int, document_id: DocumentId) -> Any:
        return self._require_library().structure(document_id)

    def _markdown(self, _request_id: int, document_id: DocumentId) -> Any:
        return self._require_library().markdown(document_id)

    def _export_markdown(
        self, _request_id: int, document_id: DocumentId, target: str, replace: bool = False
    ) -> Any:
        return self._require_library().export_markdown(document_id, Path(target), replace=replace)

    def _ask(
        self,
        request_id: int,
        question: str,
        scope: tuple[str, ...] = (),
        conversation: str = "",
        alone: bool = False,
    ) -> Any:
        library = self._require_library()
        event = self._cancelled[request_id]
        if event.is_set():
            raise Cancelled
        return library.ask_view(
            question,
            scope=scope,
            conversation=conversation,
            alone=alone,
            is_cancelled=event.is_set,
        )

    def _compare(
        self,
        request_id: int,
        names: tuple[str, ...],
        parameters: tuple[str, ...] = (),
        conversation: str = "",
    ) -> Any:
        library = self._require_library()
        event = self._cancelled[request_id]
        if event.is_set():
            raise Cancelled
        return library.compare_view(
            names, parameters, conversation=conversation, is_cancelled=event.is_set
        )

    def _history(self, _request_id: int) -> Any:
        return self._require_library().recent_answers()

    def _statuses(self, _request_id: int) -> Any:
        return self._require_library().statuses()

    def _page_count(self, _request_id: int) -> int:
        return sum(status.n_pages for status in self._require_library().statuses())
