"""The text process: pages, bookmarks and searches of the documents that are open in the viewer.

One child holds the files that were read last. It answers at once whatever the library is busy
with, and a file that crashes or hangs it costs only its own page: the child is replaced, and the
page is passed over from then on.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import threading
from array import array
from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_qa.child_process import ChildProcess, LimitExceeded
from desktop_qa.core.errors import DesktopQaError, UnreadableDocumentError
from desktop_qa.core.lifeline import end_with_parent, give_way
from desktop_qa.core.page_text import (
    CopiedText,
    FloatArray,
    FoundText,
    OutlineItem,
    PageText,
    TextQuery,
    TextSpan,
)

if TYPE_CHECKING:
    from desktop_qa.parse.page_text import TextFile

logger = logging.getLogger(__name__)

TIME_LIMIT_S = 20.0
"""Processor time for one page; the slowest of the real datasheets takes 0.2 s. As long by the
clock without any: somebody waits for the page."""

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


class _Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The process is up, or is through with a page that it read ahead."""


class _PageStarted(msgspec.Struct, frozen=True, tag="page"):
    file: OpenedFile
    page_no: int


class _Reply(msgspec.Struct, frozen=True, tag="reply"):
    """What was asked for, of the type in `_REPLIES`."""

    id: int
    value: msgspec.Raw


class _Refusal(msgspec.Struct, frozen=True, tag="refusal"):
    id: int
    message: str
    hint: str = ""


_Message = _Ready | _PageStarted | _Reply | _Refusal

_REPLIES: dict[str, Any] = {
    "page": PageText,
    "outline": tuple[OutlineItem, ...],
    "find": FoundText,
    "copy": CopiedText,
}


def _floats_to_bytes(value: Any) -> bytes:
    if isinstance(value, array):
        return value.tobytes()
    raise NotImplementedError(type(value))


def _floats_of_bytes(_kind: type, value: Any) -> FloatArray:
    floats = array("f")
    floats.frombytes(value)
    return floats


_encoder = msgspec.msgpack.Encoder(enc_hook=_floats_to_bytes)
_decoder: msgspec.msgpack.Decoder[_Message] = msgspec.msgpack.Decoder(_Message)


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
        worker = _Worker(connection)
        worker.send(_Ready())
        worker.run()


@dataclass(slots=True)
class _Worker:
    connection: Connection
    files: OrderedDict[OpenedFile, TextFile] = field(default_factory=OrderedDict)
    skipped: dict[OpenedFile, frozenset[int]] = field(default_factory=dict)

    def send(self, message: _Message) -> None:
        """Tell the parent."""
        self.connection.send_bytes(_encoder.encode(message))

    def run(self) -> None:
        """Answer; between the requests read ahead in the file that was asked for last."""
        is_ahead = False
        while True:
            if not is_ahead or self.connection.poll():
                request: _Request = self.connection.recv()
                self.send(self._reply(request))
                is_ahead = bool(self.files)
            else:
                is_ahead = self._read_ahead()

    def _read_ahead(self) -> bool:
        file = next(reversed(self.files))
        skipped = self.skipped.get(file, frozenset())

        def started(page_no: int) -> None:
            self.send(_PageStarted(file, page_no))

        is_more = self.files[file].prepare_next(skipped, started)
        self.send(_Ready())
        return is_more

    def _reply(self, request: _Request) -> _Reply | _Refusal:
        try:
            return _Reply(request.id, msgspec.Raw(_encoder.encode(self._value(request))))
        except DesktopQaError as error:
            return _Refusal(request.id, error.message, error.hint)
        except MemoryError:
            return _Refusal(request.id, "Its text needs too much memory.")
        except Exception as error:  # one bad file must cost only itself
            logger.exception("The text of %s cannot be read", Path(request.file.path).name)
            problem = f"Its text could not be read ({type(error).__name__}: {error})."
            return _Refusal(request.id, problem)

    def _value(self, request: _Request) -> Any:
        text_file = self._opened(request.file)
        self.skipped[request.file] = request.skipped

        def started(page_no: int) -> None:
            self.send(_PageStarted(request.file, page_no))

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

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
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

    def outline(self, path: str, password: str = "") -> tuple[OutlineItem, ...]:
        """Return the bookmarks of a file in order; see `page_text`."""
        outline: tuple[OutlineItem, ...] = self._ask(path, password, "outline")
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
                child = self._started()
                request = _Request(
                    *(self._next_id, file, method, arguments),
                    self._lost.get(file, frozenset()),
                )
                self._next_id += 1
                try:
                    return self._exchange(child, request)
                except _ProcessLost as lost:
                    self._pass_over(request, lost)

    def _exchange(self, child: ChildProcess, request: _Request) -> Any:
        # What the process was at ahead of time is told before the reply.
        limit_s = START_LIMIT_S if self._is_starting else TIME_LIMIT_S
        work = child.allowance(limit_s, limit_s)
        try:
            child.send(request)
            while True:
                message = self._message(child)
                match message:
                    case _Ready() | _PageStarted():
                        self._at = message if isinstance(message, _PageStarted) else None
                        self._is_starting = False
                        work = child.allowance(TIME_LIMIT_S, TIME_LIMIT_S)
                    case _Reply(id=request.id):
                        self._at = None
                        kind = _REPLIES[request.method]
                        return msgspec.msgpack.decode(
                            message.value, type=kind, dec_hook=_floats_of_bytes
                        )
                    case _Refusal(id=request.id):
                        self._at = None
                        raise UnreadableDocumentError(message.message, message.hint)
                    case None:
                        work.check(child.processor_s())
                        if child.resident_bytes() > MEMORY_LIMIT_BYTES:
                            raise _ProcessLost("it took too much memory")
        except LimitExceeded as error:
            raise _ProcessLost(str(error)) from error
        except (EOFError, OSError) as error:
            raise _ProcessLost("it crashed the PDF reader") from error
        except (msgspec.MsgspecError, ValueError) as error:
            raise _ProcessLost("what was read came back damaged") from error

    def _message(self, child: ChildProcess, timeout_s: float = _POLL_S) -> _Message | None:
        sent = child.receive(timeout_s)
        return None if sent is None else _decoder.decode(sent)

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

    def _started(self) -> ChildProcess:
        if self._is_closed:
            raise UnreadableDocumentError("The program is being closed.")
        if self._child is None or not self._child.is_alive:
            self._blame_what_was_read_ahead()
            self._kill()
            self._child, self._is_starting = ChildProcess(serve, "desktop-qa-text"), True
        return self._child

    def _blame_what_was_read_ahead(self) -> None:
        """Note the page that cost the process twice between requests: it would cost the next too.

        Once may be chance: the system ends processes when memory is short.
        """
        if self._child is None:
            return
        at: _PageStarted | None = None
        with contextlib.suppress(EOFError, msgspec.MsgspecError, ValueError):
            while True:
                message = self._message(self._child)
                if message is not None:
                    at = message if isinstance(message, _PageStarted) else None
        suspect, self._suspect = self._suspect, at
        if at is not None and at == suspect:
            logger.warning("Page %d cost the process that reads ahead", at.page_no)
            self._lost[at.file] = self._lost.get(at.file, frozenset()) | {at.page_no}

    def close(self) -> None:
        """End the process; a request under way fails."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()
        with self._lock:
            self._kill()

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()
        self._child = None


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
