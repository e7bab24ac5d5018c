"""Reading children: parse and augment one document at a time, out of harm's way.

A PDF can crash the engine, hang it, or take all memory. So each child is a process of its own with
a time limit for each page and a memory limit, watched by its parent, killed when it exceeds them
and replaced. A page that kills its child is read without its drawings at the next try, which is
what mostly took the time or the memory; one that kills it again is skipped and becomes a page
failure. Only a document that cannot be read at all fails.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from desktop_qa.core.document import Document, DocumentId, PageFailure, ParseResult
from desktop_qa.core.errors import Cancelled, UnreadableDocumentError
from desktop_qa.core.glossary import GlossaryEntry
from desktop_qa.core.lifeline import end_with_parent, give_way
from desktop_qa.core.segment import IndexedSegment, Segment
from desktop_qa.core.stages import Stage, attempt, noting_failures

logger = logging.getLogger(__name__)

PAGE_TIME_LIMIT_S = 45.0
"""The slowest page of the real library takes about 2 s; a page of this length hangs."""

MEMORY_LIMIT_BYTES = 2 * 1024**3
MAX_LOST_PAGES = 5
"""Pages that may kill a child twice before the document is given up."""

MAX_HEAVY_PAGES = 5
"""Pages that may kill a child once before all that follow are read without their drawings."""

_WHOLE_LIMIT_S_PER_PAGE = 0.1
"""Added to the limit for work on all pages at once, which takes about 0.01 s for each."""

_MIN_PAGE_SHARE = 0.25
"""Share of the memory limit that a page takes when it is to blame, and not the document."""

_POLL_S = 0.25
_PRINT_HINT = "Try to print it to a new PDF; the other documents are not affected."


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A document to read; its password goes through the pipe and is printed nowhere."""

    path: Path
    document_id: DocumentId
    files: tuple[str, ...]
    figures_folder: Path | None
    skip_pages: tuple[tuple[int, str], ...] = ()
    light_pages: tuple[tuple[int, str], ...] = ()
    ignore_outline: bool = False
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document read and cut into segments, with the words it teaches, ready to be stored."""

    result: ParseResult
    segments: tuple[IndexedSegment, ...]
    glossary: tuple[GlossaryEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class _PageStarted:
    page_no: int
    n_pages: int


@dataclass(frozen=True, slots=True)
class _WholeStarted:
    n_pages: int


@dataclass(frozen=True, slots=True)
class _Failed:
    message: str
    hint: str


def read(
    job: ReadJob, on_page: Callable[[int, int], None], on_whole: Callable[[int], None]
) -> ReadDocument:
    """Read a document in this process: the child's own work.

    Args:
        job: What to read.
        on_page: Called with page number and page count before each page.
        on_whole: Called with the page count before work on all pages at once.

    Raises:
        UnreadableDocumentError: When the document as a whole cannot be read.
    """
    from desktop_qa.augment.glossary import learn_glossary
    from desktop_qa.augment.index_keys import index_keys
    from desktop_qa.augment.segmenter import segment_document
    from desktop_qa.index.lexical import count_terms
    from desktop_qa.parse.document import read_document
    from desktop_qa.tokens import count_tokens

    def indexed(segment: Segment) -> IndexedSegment:
        page_no = next(iter(segment.metadata.page_nos), 0)
        terms = attempt(Stage.TERMS, page_no, (), count_terms, segment.lexical_text)
        return IndexedSegment(segment, terms, index_keys(segment, result.document))

    with noting_failures(job.path.name) as failures:
        result = read_document(
            job.path,
            job.document_id,
            job.files,
            job.figures_folder,
            on_page,
            skip_pages=dict(job.skip_pages),
            light_pages=dict(job.light_pages),
            ignore_outline=job.ignore_outline,
            on_whole=on_whole,
            password=job.password,
        )
        on_whole(len(result.document.page_sizes))
        segments = segment_document(result.document, count_tokens, page_words=result.page_words)
        read = ReadDocument(
            result,
            tuple(map(indexed, segments)),
            attempt(Stage.GLOSSARY, 0, (), learn_glossary, result.document),
        )
    return replace(read, result=_with_failures(result, failures()))


def _with_failures(result: ParseResult, failures: tuple[PageFailure, ...]) -> ParseResult:
    """Add the steps that failed to what the document tells of its pages."""
    every = sorted([*result.document.page_failures, *failures], key=lambda one: one.page_no)
    return replace(result, document=replace(result.document, page_failures=tuple(every)))


def _child_main(connection: Connection) -> None:
    """Serve jobs until the pipe closes."""
    end_with_parent()
    give_way(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            job: ReadJob = connection.recv()
        except (EOFError, OSError):
            return

        def report(page_no: int, n_pages: int) -> None:
            connection.send(_PageStarted(page_no, n_pages))

        def report_whole(n_pages: int) -> None:
            connection.send(_WholeStarted(n_pages))

        outcome: ReadDocument | _Failed
        try:
            outcome = read(job, report, report_whole)
        except UnreadableDocumentError as error:
            outcome = _Failed(error.message, error.hint)
        except (FileNotFoundError, PermissionError) as error:
            outcome = _Failed(
                f"The file could not be opened ({error.strerror}).",
                "It may have been removed while it was being read; press Refresh.",
            )
        except OSError as error:
            outcome = _Failed(
                f"Reading or writing failed ({error.strerror}).",
                "Check the free space on the disk, then retry.",
            )
        except MemoryError:
            outcome = _Failed("Reading it needs too much memory.", "Split it into smaller files.")
        except Exception as error:  # one bad file must cost only itself
            logger.exception("Reading %s failed", job.path.name)
            outcome = _Failed(
                f"Reading it failed unexpectedly ({type(error).__name__}: {error}).",
                "Report it with the log; the other documents are not affected.",
            )
        connection.send(outcome)


class ReadingChild:
    """The parent's handle of one child; used by one thread at a time."""

    def __init__(
        self,
        *,
        page_time_limit_s: float = PAGE_TIME_LIMIT_S,
        memory_limit_bytes: int = MEMORY_LIMIT_BYTES,
    ) -> None:
        self._page_time_limit_s = page_time_limit_s
        self._memory_limit_bytes = memory_limit_bytes
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._suspended = False

    def read(
        self,
        job: ReadJob,
        on_page: Callable[[int, int], None],
        *,
        is_paused: Callable[[], bool],
        is_cancelled: Callable[[], bool],
    ) -> ReadDocument:
        """Read a document; what killed the child is left out at the next try.

        Raises:
            UnreadableDocumentError: When the document cannot be read.
            Cancelled: When `is_cancelled` turned true; the child is gone then.
        """
        trouble = _Trouble(dict(job.light_pages), dict(job.skip_pages))
        while True:
            attempt = replace(
                job,
                skip_pages=tuple(trouble.skipped.items()),
                light_pages=tuple(trouble.light.items()),
            )
            try:
                return self._attempt(attempt, on_page, is_paused, is_cancelled)
            except _ChildLost as lost:
                logger.warning("%s: page %d: %s", job.path.name, lost.page_no, lost.reason)
                if not trouble.allows_another_try(lost):
                    raise UnreadableDocumentError(
                        f"Reading it was given up: {lost.reason}.", lost.hint
                    ) from lost

    def _attempt(
        self,
        job: ReadJob,
        on_page: Callable[[int, int], None],
        is_paused: Callable[[], bool],
        is_cancelled: Callable[[], bool],
    ) -> ReadDocument:
        connection = self._started()
        connection.send(job)
        work = _Work(limit_s=2 * self._page_time_limit_s)
        while True:
            if is_cancelled():
                self.kill()
                raise Cancelled
            if self._follow_pause(is_paused()):
                work.deadline += _POLL_S
            try:
                message = connection.recv() if connection.poll(_POLL_S) else None
            except (EOFError, OSError) as error:
                self.kill()
                raise work.lost("it crashed the PDF reader") from error
            match message:
                case _PageStarted():
                    work = self._page_started(message)
                    on_page(message.page_no, message.n_pages)
                case _WholeStarted():
                    limit_s = self._page_time_limit_s + _WHOLE_LIMIT_S_PER_PAGE * message.n_pages
                    work = _Work(limit_s, 0, message.n_pages)
                case ReadDocument():
                    return message
                case _Failed():
                    raise UnreadableDocumentError(message.message, message.hint)
            self._check_limits(work)

    def _page_started(self, message: _PageStarted) -> _Work:
        limit_s, n_bytes = self._page_time_limit_s, self._resident_bytes()
        return _Work(limit_s, message.page_no, message.n_pages, n_bytes)

    def _check_limits(self, work: _Work) -> None:
        if time.monotonic() > work.deadline:
            self.kill()
            raise work.lost(f"it took more than {work.limit_s:.0f} s")
        n_bytes = self._resident_bytes()
        if n_bytes <= self._memory_limit_bytes:
            return
        self.kill()
        limit = f"{self._memory_limit_bytes / 1024**3:.1f} GB of memory"
        grown = n_bytes - work.n_bytes_before
        is_page = work.page_no and grown > _MIN_PAGE_SHARE * self._memory_limit_bytes
        if is_page or not work.n_pages:
            raise work.lost(f"it took more than {limit}")
        raise _ChildLost(
            0,
            work.n_pages,
            f"its {work.n_pages} pages take more than {limit}",
            "Split it into smaller files and add those.",
        )

    def _started(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._connection is None:
            self.kill()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(
                target=_child_main, args=(theirs,), name="desktop-qa-reader", daemon=True
            )
            self._process.start()
            theirs.close()
            self._connection = ours
        return self._connection

    def _follow_pause(self, paused: bool) -> bool:
        """Stop or continue the child's process, so that a pause works inside a page too."""
        if paused != self._suspended and self._process is not None and self._process.pid:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(self._process.pid)
                process.suspend() if paused else process.resume()
            self._suspended = paused
        return paused

    def _resident_bytes(self) -> int:
        if self._process is None or not self._process.pid:
            return 0
        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def kill(self) -> None:
        """End the child at once; the next job starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
        if self._connection is not None:
            self._connection.close()
        self._process, self._connection, self._suspended = None, None, False


def parse_in_child(
    path: Path, document_id: DocumentId, *, ignore_outline: bool = False
) -> Document:
    """Parse one file in a child of its own, without figures.

    Raises:
        UnreadableDocumentError: When it cannot be read.
    """
    child = ReadingChild()
    try:
        job = ReadJob(path, document_id, (path.name,), None, ignore_outline=ignore_outline)
        read_document = child.read(
            job, lambda _page_no, _n_pages: None, is_paused=_never, is_cancelled=_never
        )
        return read_document.result.document
    finally:
        child.kill()


def _never() -> bool:
    return False


@dataclass(slots=True)
class _Work:
    """What a child is at.

    Attributes:
        limit_s: It may take.
        page_no: 0 for work on the document as a whole.
        n_pages: 0 until they are counted.
        n_bytes_before: Resident when it began.
    """

    limit_s: float
    page_no: int = 0
    n_pages: int = 0
    n_bytes_before: int = 0
    deadline: float = 0.0

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.limit_s

    def lost(self, reason: str) -> _ChildLost:
        """Return the signal that the child did not survive this work."""
        return _ChildLost(self.page_no, self.n_pages, reason, _PRINT_HINT)


@dataclass(slots=True)
class _Trouble:
    """The pages of a document that cost a child: reasons by page number."""

    light: dict[int, str]
    skipped: dict[int, str]

    def allows_another_try(self, lost: _ChildLost) -> bool:
        """Note what to leave out at the next try; False when there is nothing left to try."""
        page_no = lost.page_no
        if page_no == 0 or page_no in self.skipped:
            return False
        if page_no in self.light:
            if len(self.skipped) >= MAX_LOST_PAGES:
                return False
            self.skipped[page_no] = lost.reason
            return True
        self.light[page_no] = lost.reason
        if len(self.light) == MAX_HEAVY_PAGES:
            rest = range(page_no + 1, lost.n_pages + 1)
            self.light |= dict.fromkeys(rest, f"for {MAX_HEAVY_PAGES} pages before were too heavy")
        return True


class _ChildLost(Exception):  # noqa: N818 - internal signal, never leaves this module
    def __init__(self, page_no: int, n_pages: int, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.page_no = page_no
        self.n_pages = n_pages
        self.reason = reason
        self.hint = hint
