"""Reading children: parse and augment one document at a time, out of harm's way.

A PDF can crash the engine, hang it, or take all memory. So each child is a process of its own with
limits, watched by its parent, killed when it exceeds them and replaced: processor time for each
page and for each step over all pages, time by the clock in which it stands still, and memory. What
ran into a limit is left out at the next try: the drawings of a page, then its tables, and only a
page whose words cannot be read is skipped and becomes a page failure; of a step over all pages its
figures, or keywords, and at last all but the words. Only a document that cannot be read
at all fails. The library tries again another time what was left out here (`library.sync`).
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from desktop_qa.catalog import document_id_of
from desktop_qa.child_process import (
    STALL_LIMIT_S,
    Allowance,
    ChildProcess,
    LimitExceeded,
    Stalled,
)
from desktop_qa.core.document import Document, DocumentId, PageFailure, ParseResult
from desktop_qa.core.errors import Cancelled, FolderError, GivenUpError, UnreadableDocumentError
from desktop_qa.core.lifeline import end_with_parent, give_way
from desktop_qa.core.segment import IndexedSegment, Segment
from desktop_qa.core.stages import Stage, attempt, noting_failures
from desktop_qa.settings import ReadingSettings

logger = logging.getLogger(__name__)

MAX_LOST_PAGES = 5
"""Pages that may be skipped before the document is given up."""

MAX_HEAVY_PAGES = 5
"""Pages that may kill a child before all that follow are read without their drawings (tables)."""

_MAX_STALLS = 2
"""Of a child, until the document is given up: each one takes ten minutes."""

_WHOLE_LIMIT_S_PER_PAGE = 0.1
"""Added to the limit for work on all pages at once, which takes about 0.01 s for each."""

_MIN_PAGE_SHARE = 0.25
"""Share of the memory limit that a page takes when it is to blame, and not the document."""

_POLL_S = 0.25
_PRINT_HINT = "Try to print it to a new PDF; the other documents are not affected."
_DRIVE_HINT = (
    "Check the drive that it lies on; it is tried again when Desktop QA starts, and when it has"
    " had nothing to do for a while."
)

_CAN_BE_LEFT_OUT = {
    Stage.FIGURES: "read without its figures",
    Stage.LAYOUT: "read without headings, tables and figures",
    Stage.KEYWORDS: "read without its keywords",
}
"""What is said of the pages when a step over all of them was left out."""


@dataclass(slots=True)
class Trouble:
    """What cost a child and is left out at the next try, with the reasons.

    Attributes:
        light: Pages by number of which no drawings are to be read.
        bare: Pages on which no tables are to be looked for.
        skipped: Pages that are not to be touched.
        left_out: Steps over all pages that are not to be done.
    """

    light: dict[int, str] = field(default_factory=dict)
    bare: dict[int, str] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)
    left_out: dict[Stage, str] = field(default_factory=dict)
    n_stalls: int = 0

    @property
    def is_any(self) -> bool:
        """True when something is left out."""
        return bool(self.light or self.left_out)

    def allows_another_try(self, lost: _ChildLost) -> bool:
        """Note what to leave out at the next try; False when there is nothing left to try."""
        self.n_stalls += lost.is_stall
        if self.n_stalls >= _MAX_STALLS or lost.step is Stage.OPENING:
            return False
        if lost.page_no == 0:
            step = lost.step if lost.step in _CAN_BE_LEFT_OUT else Stage.LAYOUT
            if step in self.left_out:
                return False
            self.left_out[step] = lost.reason
        elif lost.page_no not in self.light:
            self._note(self.light, lost, "drawings")
        elif lost.step is not Stage.PAGE and lost.page_no not in self.bare:
            self._note(self.bare, lost, "tables")
        elif lost.page_no in self.skipped or len(self.skipped) >= MAX_LOST_PAGES:
            return False
        else:
            self.skipped[lost.page_no] = lost.reason
        return True

    def _note(self, pages: dict[int, str], lost: _ChildLost, what: str) -> None:
        pages[lost.page_no] = lost.reason
        if len(pages) == MAX_HEAVY_PAGES:
            reason = f"for the {what} of {MAX_HEAVY_PAGES} pages before were too heavy"
            rest = range(lost.page_no + 1, lost.n_pages + 1)
            pages |= {page_no: reason for page_no in rest if page_no not in pages}


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A document to read; its password goes through the pipe and is printed nowhere."""

    path: Path
    document_id: DocumentId
    files: tuple[str, ...]
    figures_folder: Path | None
    trouble: Trouble = field(default_factory=Trouble)
    ignore_outline: bool = False
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document read and cut into segments, ready to be stored.

    Attributes:
        ran_into_limit: True when something was left out that another time may be read.
    """

    result: ParseResult
    segments: tuple[IndexedSegment, ...]
    ran_into_limit: bool = False


class _StepStarted(msgspec.Struct, frozen=True, tag="step"):
    step: Stage
    n_pages: int


class _PageStarted(msgspec.Struct, frozen=True, tag="page"):
    page_no: int
    n_pages: int


class _Done(msgspec.Struct, frozen=True, tag="done"):
    read: ReadDocument


class _Failed(msgspec.Struct, frozen=True, tag="failed"):
    message: str
    hint: str


_Message = _StepStarted | _PageStarted | _Done | _Failed

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[_Message] = msgspec.msgpack.Decoder(_Message)


def read(
    job: ReadJob,
    on_page: Callable[[int, int], None],
    on_step: Callable[[Stage, int], None],
) -> ReadDocument:
    """Read a document in this process: the child's own work.

    Args:
        job: What to read.
        on_page: Called with page number and page count before each page.
        on_step: Called with the page count before each step; what follows is work on all pages at
            once until `on_page` is called.

    Raises:
        UnreadableDocumentError: When the document as a whole cannot be read.
    """
    from desktop_qa.parse.document import read_document

    trouble = job.trouble
    with noting_failures(job.path.name) as failures:
        result = read_document(
            job.path,
            job.document_id,
            job.files,
            job.figures_folder,
            on_page,
            skip_pages=trouble.skipped,
            light_pages=trouble.light,
            bare_pages=trouble.bare,
            left_out=trouble.left_out,
            ignore_outline=job.ignore_outline,
            on_step=on_step,
            password=job.password,
        )
        read = augmented(result, trouble.left_out, on_step)
    document = result.document
    n_pages = len(document.page_sizes)
    every = _with_left_out(document.page_failures, trouble, n_pages)
    in_order = sorted([*every, *failures()], key=lambda failure: failure.page_no)
    document = replace(document, page_failures=tuple(in_order))
    return replace(read, result=replace(result, document=document))


def augmented(
    result: ParseResult,
    left_out: Container[Stage] = frozenset(),
    on_step: Callable[[Stage, int], None] = lambda _step, _n_pages: None,
) -> ReadDocument:
    """Cut a parsed document into segments, and find its keywords.

    Args:
        result: As parsed.
        left_out: Steps that are not to be done.
        on_step: Called with the page count before each step.
    """
    from desktop_qa.augment.keywords import find_keywords
    from desktop_qa.augment.segmenter import segment_document
    from desktop_qa.index.lexical import count_terms
    from desktop_qa.tokens import count_tokens

    document = result.document
    n_pages = len(document.page_sizes)
    on_step(Stage.SEGMENTS, n_pages)
    segments = segment_document(document, count_tokens, page_words=result.page_words)
    on_step(Stage.KEYWORDS, n_pages)

    def indexed(segment: Segment) -> IndexedSegment:
        page_no = next(iter(segment.metadata.page_nos), 0)
        terms = attempt(Stage.TERMS, page_no, (), count_terms, segment.lexical_text)
        text, has_keys = segment.lexical_text, Stage.KEYWORDS not in left_out
        keys = attempt(Stage.KEYWORDS, page_no, (), find_keywords, text) if has_keys else ()
        return IndexedSegment(segment, terms, keys)

    return ReadDocument(result, tuple(map(indexed, segments)))


def _with_left_out(
    failures: tuple[PageFailure, ...], trouble: Trouble, n_pages: int
) -> list[PageFailure]:
    """Add what is known here only: pages that are otherwise whole and lack a step."""
    lacking: dict[int, str] = {}
    for step, reason in trouble.left_out.items():
        for page_no in range(1, n_pages + 1):
            lacking.setdefault(page_no, f"{_CAN_BE_LEFT_OUT[step]}, {reason}")
    for page_no, reason in trouble.bare.items():
        lacking[page_no] = f"read without its drawings and tables, {reason}"
    known = {failure.page_no: failure for failure in failures}
    added = {n: PageFailure(n, reason, has_text=True) for n, reason in lacking.items()}
    merged = added | {n: one for n, one in known.items() if not one.has_text or n not in added}
    return list(merged.values())


def _child_main(connection: Connection) -> None:
    """Serve jobs until the pipe closes."""
    end_with_parent()
    give_way(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def send(message: _Message) -> None:
        connection.send_bytes(_encoder.encode(message))

    def on_page(page_no: int, n_pages: int) -> None:
        send(_PageStarted(page_no, n_pages))

    def on_step(step: Stage, n_pages: int) -> None:
        send(_StepStarted(step, n_pages))

    while True:
        try:
            job: ReadJob = connection.recv()
        except (EOFError, OSError):
            return

        try:
            outcome = _encoder.encode(_Done(read(job, on_page, on_step)))
        except UnreadableDocumentError as error:
            failed = _Failed(error.message, error.hint)
        except (FileNotFoundError, PermissionError) as error:
            failed = _Failed(
                f"The file could not be opened ({error.strerror}).",
                "It may have been removed while it was being read; press Refresh.",
            )
        except OSError as error:
            failed = _Failed(
                f"Reading or writing failed ({error.strerror}).",
                "Check the free space on the disk, then retry.",
            )
        except MemoryError:
            failed = _Failed("Reading it needs too much memory.", "Split it into smaller files.")
        except Exception as error:  # one bad file must cost only itself
            logger.exception("Reading %s failed", job.path.name)
            failed = _Failed(
                f"Reading it failed unexpectedly ({type(error).__name__}: {error}).",
                "Report it with the log; the other documents are not affected.",
            )
        else:
            connection.send_bytes(outcome)
            continue
        send(failed)


class ReadingChild:
    """The parent's handle of one child; used by one thread at a time."""

    def __init__(self, settings: ReadingSettings | None = None) -> None:
        """Take the limits; the usual ones when `None`."""
        limits = settings or ReadingSettings()
        self._page_time_limit_s = limits.page_time_limit_s
        self._memory_limit_bytes = limits.memory_limit_mb * 1024**2
        self._child: ChildProcess | None = None

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
            GivenUpError: When it ran into a limit and nothing is left to leave out.
            UnreadableDocumentError: When the document cannot be read.
            Cancelled: When `is_cancelled` turned true; the child is gone then.
        """
        trouble = job.trouble
        while True:
            try:
                read = self._attempt(job, on_page, is_paused, is_cancelled)
            except _ChildLost as lost:
                logger.warning(
                    "%s: %s, page %d: %s", job.path.name, lost.step, lost.page_no, lost.reason
                )
                if not trouble.allows_another_try(lost):
                    raise GivenUpError(
                        f"Reading it was given up: {lost.reason}.", lost.hint
                    ) from lost
            else:
                return replace(read, ran_into_limit=trouble.is_any)

    def _attempt(
        self,
        job: ReadJob,
        on_page: Callable[[int, int], None],
        is_paused: Callable[[], bool],
        is_cancelled: Callable[[], bool],
    ) -> ReadDocument:
        child = self._started()
        work = _Work(child.allowance(2 * self._page_time_limit_s, STALL_LIMIT_S), Stage.OPENING)
        unsent: ReadJob | None = job
        while True:
            if is_cancelled():
                self.kill()
                raise Cancelled
            paused = is_paused()
            child.follow_pause(paused)
            try:
                if unsent is not None:
                    child.send(unsent)
                    unsent = None
                message = self._message(child, job)
            except (EOFError, OSError) as error:
                self.kill()
                raise work.lost("it crashed the PDF reader") from error
            match message:
                case _PageStarted():
                    page = (message.page_no, message.n_pages)
                    allowance = child.allowance(self._page_time_limit_s, STALL_LIMIT_S)
                    work = _Work(allowance, work.step, *page, child.resident_bytes())
                    on_page(*page)
                case _StepStarted():
                    limit_s = self._page_time_limit_s + _WHOLE_LIMIT_S_PER_PAGE * message.n_pages
                    allowance = child.allowance(limit_s, STALL_LIMIT_S)
                    work = _Work(allowance, message.step, 0, message.n_pages)
                case _Done():
                    return message.read
                case _Failed():
                    raise UnreadableDocumentError(message.message, message.hint)
            self._check_limits(child, work, paused)

    def _message(self, child: ChildProcess, job: ReadJob) -> _Message | None:
        """Return what the child said; None when it said nothing for a moment.

        Raises:
            EOFError: When it has ended.
            GivenUpError: When it said something of another kind.
        """
        sent = child.receive(_POLL_S)
        if sent is None:
            return None
        try:
            message = _decoder.decode(sent)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            reason = str(error)
        else:
            if not isinstance(message, _Done) or message.read.result.document.id == job.document_id:
                return message
            reason = "another document"
        self.kill()
        logger.warning("%s: its reader sent what cannot be read: %s", job.path.name, reason)
        raise GivenUpError("Reading it was given up: what was read came back damaged.", _PRINT_HINT)

    def _check_limits(self, child: ChildProcess, work: _Work, is_paused: bool) -> None:
        try:
            work.allowance.check(child.processor_s(), is_paused=is_paused)
        except LimitExceeded as error:
            self.kill()
            raise work.lost(str(error), is_stall=isinstance(error, Stalled)) from error
        n_bytes = child.resident_bytes()
        if n_bytes <= self._memory_limit_bytes:
            return
        self.kill()
        limit = f"{self._memory_limit_bytes / 1024**3:.1f} GB of memory"
        grown = n_bytes - work.n_bytes_before
        is_page = work.page_no and grown > _MIN_PAGE_SHARE * self._memory_limit_bytes
        if is_page or not work.n_pages:
            raise work.lost(f"it took more than {limit}")
        raise _ChildLost(
            Stage.OPENING,
            0,
            work.n_pages,
            f"its {work.n_pages} pages take more than {limit}",
            "Split it into smaller files and add those.",
        )

    def _started(self) -> ChildProcess:
        if self._child is None or not self._child.is_alive:
            self.kill()
            self._child = ChildProcess(_child_main, "desktop-qa-reader")
        return self._child

    def kill(self) -> None:
        """End the child at once; the next job starts a new one."""
        if self._child is not None:
            self._child.kill()
        self._child = None


def read_file(
    file: Path, *, ignore_outline: bool = False, images_folder: Path | None = None
) -> Document:
    """Parse one file in a child process, without a library.

    Args:
        file: A PDF.
        ignore_outline: Find headings by type alone.
        images_folder: Where its figures are drawn, each under the name that its path ends with;
            none are when `None`.

    Raises:
        UnreadableDocumentError: When it cannot be read.
        FolderError: When there is no such file.
    """
    if not file.is_file():
        raise FolderError(f"There is no file {file}.", "Check the name and try again.")
    job = ReadJob(
        *(file, document_id_of(file), (file.name,), images_folder), ignore_outline=ignore_outline
    )
    child = ReadingChild()
    try:
        read_document = child.read(
            job,
            lambda _page_no, _n_pages: None,
            is_paused=lambda: False,
            is_cancelled=lambda: False,
        )
        return read_document.result.document
    finally:
        child.kill()


@dataclass(frozen=True, slots=True)
class _Work:
    """What a child is at.

    Attributes:
        allowance: What it may take.
        page_no: 0 for work on the document as a whole.
        n_pages: 0 until they are counted.
        n_bytes_before: Resident when it began.
    """

    allowance: Allowance
    step: Stage
    page_no: int = 0
    n_pages: int = 0
    n_bytes_before: int = 0

    def lost(self, reason: str, *, is_stall: bool = False) -> _ChildLost:
        """Return the signal that the child did not survive this work."""
        hint = _DRIVE_HINT if is_stall else _PRINT_HINT
        return _ChildLost(self.step, self.page_no, self.n_pages, reason, hint, is_stall)


@dataclass(eq=False)
class _ChildLost(Exception):  # noqa: N818 - internal signal, never leaves this module
    step: Stage
    page_no: int
    n_pages: int
    reason: str
    hint: str
    is_stall: bool = False
