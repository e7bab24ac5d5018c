"""The text process: pages, bookmarks and searches of the documents that are open in the viewer.

One child holds the files that were read last. It answers at once whatever the library is busy
with, and a file that crashes or hangs it costs only its own page: the child is replaced, and the
page is passed over from then on.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import signal
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from desktop_qa.core.errors import DesktopQaError, UnreadableDocumentError
from desktop_qa.core.lifeline import end_with_parent, give_way
from desktop_qa.core.page_text import (
    CopiedText,
    DocumentOutline,
    FoundText,
    PageText,
    TextQuery,
    TextSpan,
)

if TYPE_CHECKING:
    from desktop_qa.parse.page_text import TextFile

logger = logging.getLogger(__name__)

TIME_LIMIT_S = 20.0
"""For one page; the slowest of the real datasheets takes 0.2 s."""

START_LIMIT_S = 90.0
"""For the process to come up: 0.4 s, and a minute on a machine that is out of memory."""

MEMORY_LIMIT_BYTES = 1024**3
_MAX_FILES = 4
_POLL_S = 0.25


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file as it was when it was asked for; another size or time is another file."""

    path: str
    password: str
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class _Request:
    id: int
    file: OpenedFile
    method: str
    arguments: tuple[Any, ...]
    skipped: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Ready:
    """The process is up, or is through with a page that it read ahead."""


@dataclass(frozen=True, slots=True)
class _PageStarted:
    file: OpenedFile
    page_no: int


@dataclass(frozen=True, slots=True)
class _Reply:
    id: int
    value: Any
    error: DesktopQaError | None = None


# In the child


def serve(connection: Connection) -> None:
    """Answer requests until the pipe closes; the entry of the child process."""
    end_with_parent()
    give_way(2)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A page is thousands of small objects without cycles: looking through them took a sixth.
    gc.set_threshold(100_000, 10, 10)
    # With the engine, so that the time of its import is not taken for that of a page.
    from desktop_qa.parse import page_text as _engine  # noqa: F401

    with contextlib.suppress(EOFError, OSError):
        connection.send(_Ready())
        _Worker(connection).run()


@dataclass(slots=True)
class _Worker:
    connection: Connection
    files: OrderedDict[OpenedFile, TextFile] = field(default_factory=OrderedDict)
    skipped: dict[OpenedFile, frozenset[int]] = field(default_factory=dict)

    def run(self) -> None:
        """Answer; between the requests read ahead in the file that was asked for last."""
        is_ahead = False
        while True:
            if not is_ahead or self.connection.poll():
                request: _Request = self.connection.recv()
                self.connection.send(self._reply(request))
                is_ahead = bool(self.files)
            else:
                is_ahead = self._read_ahead()

    def _read_ahead(self) -> bool:
        file = next(reversed(self.files))
        skipped = self.skipped.get(file, frozenset())

        def started(page_no: int) -> None:
            self.connection.send(_PageStarted(file, page_no))

        is_more = self.files[file].prepare_next(skipped, started)
        self.connection.send(_Ready())
        return is_more

    def _reply(self, request: _Request) -> _Reply:
        try:
            return _Reply(request.id, self._value(request))
        except DesktopQaError as error:
            return _Reply(request.id, None, error)
        except MemoryError:
            problem = "Its text needs too much memory."
            return _Reply(request.id, None, UnreadableDocumentError(problem))
        except Exception as error:  # one bad file must cost only itself
            logger.exception("The text of %s cannot be read", Path(request.file.path).name)
            problem = f"Its text could not be read ({type(error).__name__}: {error})."
            return _Reply(request.id, None, UnreadableDocumentError(problem))

    def _value(self, request: _Request) -> Any:
        text_file = self._opened(request.file)
        self.skipped[request.file] = request.skipped

        def started(page_no: int) -> None:
            self.connection.send(_PageStarted(request.file, page_no))

        match request.method:
            case "page":
                (page_no,) = request.arguments
                started(page_no)
                return text_file.page(page_no, request.skipped)
            case "outline":
                return text_file.outline()
            case "find":
                query, first_page = request.arguments
                return text_file.find(query, first_page, request.skipped, started)
            case _:
                (span,) = request.arguments
                return text_file.copy(span, request.skipped, started)

    def _opened(self, file: OpenedFile) -> TextFile:
        from desktop_qa.parse.page_text import TextFile

        known = self.files.get(file)
        if known is None:
            for other in [one for one in self.files if one.path == file.path]:
                self.files.pop(other).close()
            known = self.files[file] = TextFile(Path(file.path), file.password)
            if len(self.files) > _MAX_FILES:
                self.files.popitem(last=False)[1].close()
        self.files.move_to_end(file)
        return known


# In the library's process


class PageTexts:
    """The parent's handle of the text process; one request at a time, from any thread."""

    def __init__(
        self, *, time_limit_s: float = TIME_LIMIT_S, memory_limit_bytes: int = MEMORY_LIMIT_BYTES
    ) -> None:
        self._time_limit_s = time_limit_s
        self._memory_limit_bytes = memory_limit_bytes
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._next_id = 1
        self._lost: dict[OpenedFile, frozenset[int]] = {}
        self._at: _PageStarted | None = None
        self._suspect: _PageStarted | None = None
        self._is_starting = False
        self._is_closed = False

    def page_text(self, path: str, page_no: int, password: str = "") -> PageText:
        """Return the text of a page; one that cannot be read is empty and says why.

        Args:
            path: Of the file.
            page_no: 1-based.
            password: Of a protected file.

        Raises:
            UnreadableDocumentError: When the file cannot be opened.
        """
        text: PageText = self._ask(path, password, "page", page_no)
        return text

    def outline(self, path: str, password: str = "") -> DocumentOutline:
        """Return the bookmarks of a file and the labels of its pages; see `page_text`."""
        outline: DocumentOutline = self._ask(path, password, "outline")
        return outline

    def find(
        self, path: str, query: TextQuery, first_page: int = 1, password: str = ""
    ) -> FoundText:
        """Search a file from a page on for about a tenth of a second; see `page_text`."""
        found: FoundText = self._ask(path, password, "find", query, first_page)
        return found

    def copy(self, path: str, span: TextSpan, password: str = "") -> CopiedText:
        """Return the text of a stretch as it is copied, from its first page on; see `page_text`."""
        copied: CopiedText = self._ask(path, password, "copy", span)
        return copied

    def _ask(self, path: str, password: str, method: str, *arguments: Any) -> Any:
        file = _opened_file(path, password)
        with self._lock:
            while True:
                connection = self._started()
                request = _Request(
                    *(self._next_id, file, method, arguments),
                    self._lost.get(file, frozenset()),
                )
                self._next_id += 1
                try:
                    reply = self._exchange(connection, request)
                except _ProcessLost as lost:
                    self._pass_over(request, lost)
                    continue
                if reply.error is not None:
                    raise reply.error
                return reply.value

    def _exchange(self, connection: Connection, request: _Request) -> _Reply:
        # What the process was at ahead of time is told before the reply.
        limit_s = START_LIMIT_S if self._is_starting else self._time_limit_s
        deadline = time.monotonic() + limit_s
        try:
            connection.send(request)
            while True:
                message = connection.recv() if connection.poll(_POLL_S) else None
                if isinstance(message, _Ready | _PageStarted):
                    self._at = message if isinstance(message, _PageStarted) else None
                    self._is_starting = False
                    limit_s = self._time_limit_s
                    deadline = time.monotonic() + limit_s
                elif isinstance(message, _Reply) and message.id == request.id:
                    self._at = None
                    return message
                elif message is None and time.monotonic() > deadline:
                    raise _ProcessLost(f"it took more than {limit_s:.0f} s")
                elif message is None and self._resident_bytes() > self._memory_limit_bytes:
                    raise _ProcessLost("it took too much memory")
        except (EOFError, OSError) as error:
            raise _ProcessLost("it crashed the PDF reader") from error

    def _pass_over(self, request: _Request, lost: _ProcessLost) -> None:
        """Note the page that cost the process, so that it is not tried again.

        Raises:
            UnreadableDocumentError: When no page is to blame but the file.
        """
        at, self._at = self._at, None
        self._kill()
        if self._is_closed:
            raise UnreadableDocumentError("The program is being closed.")
        logger.warning("%s: %s", Path(request.file.path).name, lost)
        if at is None or at.page_no in self._lost.get(at.file, ()):
            raise UnreadableDocumentError(
                f"The text of {Path(request.file.path).name} cannot be read: {lost}.",
                "Its pages can be read; try to print it to a new PDF.",
            )
        self._lost[at.file] = self._lost.get(at.file, frozenset()) | {at.page_no}

    def _started(self) -> Connection:
        if self._is_closed:
            raise UnreadableDocumentError("The program is being closed.")
        if self._process is None or not self._process.is_alive() or self._connection is None:
            self._blame_what_was_read_ahead()
            self._kill()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(
                target=serve, args=(theirs,), name="desktop-qa-text", daemon=True
            )
            self._process.start()
            theirs.close()
            self._connection, self._is_starting = ours, True
        return self._connection

    def _blame_what_was_read_ahead(self) -> None:
        """Note the page that cost the process twice between requests: it would cost the next too.

        Once may be chance: the system ends processes when memory is short.
        """
        if self._connection is None:
            return
        at: _PageStarted | None = None
        with contextlib.suppress(EOFError, OSError):
            while self._connection.poll():
                message = self._connection.recv()
                at = message if isinstance(message, _PageStarted) else None
        suspect, self._suspect = self._suspect, at
        if at is not None and at == suspect:
            logger.warning("Page %d cost the process that reads ahead", at.page_no)
            self._lost[at.file] = self._lost.get(at.file, frozenset()) | {at.page_no}

    def _resident_bytes(self) -> int:
        if self._process is None or not self._process.pid:
            return 0
        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def close(self) -> None:
        """End the process; a request under way fails."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._kill()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
        if self._connection is not None:
            self._connection.close()
        self._process, self._connection = None, None


class _ProcessLost(Exception):  # noqa: N818 - internal signal, never leaves this module
    pass


def _opened_file(path: str, password: str) -> OpenedFile:
    try:
        status = Path(path).stat()
    except OSError as error:
        raise UnreadableDocumentError(
            f"{Path(path).name} is no longer there.",
            "It was moved, renamed or deleted; put it back or refresh the library.",
        ) from error
    return OpenedFile(path, password, status.st_size, status.st_mtime_ns)
