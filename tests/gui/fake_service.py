"""A library's process that lives in the test: it records requests and says what it is told to."""

from __future__ import annotations

import itertools
import queue
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from pytestqt.wait_signal import SignalBlocker

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.document import DocumentId, Table
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentState, DocumentStatus, IngestProgress, IngestReport
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, LibraryView, SourceFolder
from desktop_qa.service.messages import Crashed, Failure, Message, Progress, Result
from tests.gui.patient_bot import PATIENCE_MS
from tests.helpers.made_answers import citations_of, make_answer, make_evidence, place
from tests.helpers.said import said
from tests.helpers.sample_documents import make_cells

if TYPE_CHECKING:
    from desktop_qa.gui.main_window import MainWindow
    from desktop_qa.gui.session import LibrarySession

QUESTION = "What is the typical input offset voltage of the OPA4197?"


class FakeService:
    """Has the methods of `ServiceClient`.

    Attributes:
        requests: (id, method, arguments) in the order they came.
        cancelled: Ids whose cancelling was asked for.
        replies: Method -> value answered at once; methods without one wait for `answer`.
        n_starts: How often the process was started.
    """

    def __init__(self) -> None:
        self._messages: queue.Queue[Message | None] = queue.Queue()
        self._ids = itertools.count(1)
        self.requests: list[tuple[int, str, tuple[Any, ...]]] = []
        self.cancelled: list[int] = []
        self.replies: dict[str, Any] = {"pause": None, "resume": None}
        self.n_starts = 0
        self.is_closed = False

    def start(self) -> None:
        self.n_starts += 1

    def request(self, method: str, *arguments: Any) -> int:
        request_id = next(self._ids)
        self.requests.append((request_id, method, arguments))
        if method in self.replies:
            self._messages.put(Result(request_id, self.replies[method]))
        return request_id

    def cancel(self, request_id: int) -> None:
        self.cancelled.append(request_id)

    def receive(self) -> Message | None:
        return self._messages.get()

    def close(self, timeout_s: float = 3.0) -> None:
        self.is_closed = True
        self._messages.put(None)

    # What the test makes it say

    def last_id(self, method: str) -> int:
        return next(i for i, name, _ in reversed(self.requests) if name == method)

    @property
    def questions(self) -> list[Question]:
        """What was asked, in the order in which it came."""
        return [question for (question,) in self.arguments_of("ask")]

    def arguments_of(self, method: str) -> list[tuple[Any, ...]]:
        return [arguments for _, name, arguments in self.requests if name == method]

    def answer(self, method: str, value: Any, *, until: Any = None) -> None:
        self.say(Result(self.last_id(method), value), until)

    def fail(self, method: str, error: DesktopQaError, *, until: Any = None) -> None:
        self.say(Failure(self.last_id(method), error), until)

    def progress(self, progress: IngestProgress, *, until: Any = None) -> None:
        self.say(Progress(self.last_id("sync"), progress), until)

    def report(self, method: str, progress: Any) -> None:
        self.say(Progress(self.last_id(method), progress))

    def open(self, session: LibrarySession, library: LibraryView | None = None) -> None:
        """Open the library that the session asked for, or some, and wait until it has it."""
        library = library or make_library()
        if not session.is_opening:
            session.open_library(Path(library.folder))
        self.answer("open_library", library, until=session.library_opened)

    def finish(self, session: LibrarySession, report: IngestReport | None = None) -> None:
        """End the indexing, and wait until the session knows."""
        self.answer("sync", report or make_report(), until=session.sync_finished)

    def reply(self, session: LibrarySession, view: AnswerView, method: str = "ask") -> None:
        """Answer the latest question, and wait until the session has the answer."""
        self.answer(method, view, until=session.turn_ended)

    def crash(self, reason: str = "exit code -9") -> None:
        self.say(Crashed(reason))

    def say(self, message: Message, until: Any = None) -> None:
        """Send a message, and wait for the signal that shall come of it, if one is named."""
        if until is None:
            self._messages.put(message)
            return
        with SignalBlocker(timeout=PATIENCE_MS) as blocker:
            blocker.connect(until)
            self._messages.put(message)


def make_status(
    file: str, state: DocumentState = DocumentState.READY, **changes: Any
) -> DocumentStatus:
    fields: dict[str, Any] = {"vendor": "TI", "n_pages": 49, "path": f"/documents/{file}"} | changes
    return DocumentStatus(DocumentId(file), file, (file,), state=state, **fields)


STATUSES = (
    make_status("TI_OPA4197.pdf", part_numbers=("OPA4197",)),
    make_status("TI_ADS1115.pdf", DocumentState.INDEXING),
    make_status("BOSCH_BME280.pdf", DocumentState.READING, vendor="", n_pages=60, n_pages_read=34),
    make_status(
        "internal_spec.pdf",
        DocumentState.FAILED,
        vendor="",
        n_pages=0,
        reason="The file is protected by a password.",
        hint="Save a copy without the password.",
    ),
)


def make_library(
    statuses: tuple[DocumentStatus, ...] = STATUSES,
    *,
    folder: str = "/libraries/datasheets",
    source: str = "/documents/datasheets",
    read_only: bool = False,
    exists: bool = True,
    is_protected: bool = False,
) -> LibraryView:
    sources = (SourceFolder(source, exists),)
    read_only = read_only or is_protected
    return LibraryView(folder, sources, statuses, read_only, is_protected=is_protected)


def make_progress(**changes: Any) -> IngestProgress:
    fields: dict[str, Any] = {
        "n_done": 31,
        "n_documents": 51,
        "n_pages_done": 1000,
        "n_pages": 2000,
        "pages_per_second": 14.2,
        "seconds_left": 80.0,
        "paused": False,
        "activity": "Reading 34 of 60 pages of BOSCH_BME280.pdf",
    }
    return IngestProgress(**(fields | changes))


def make_report(**changes: Any) -> IngestReport:
    fields: dict[str, Any] = {
        "documents": 51,
        "pages": 2183,
        "segments": 100,
        "tables": 10,
        "figures": 5,
        "partial": (),
        "failed": (),
        "duplicates": (),
        "seconds": 12.0,
    }
    return IngestReport(**(fields | changes))


def make_table(n_rows: int = 4) -> Table:
    """PARAMETER | CONDITIONS | TYP, one name that spans two rows, then numbered rows."""
    rows = [("PARAMETER", "CONDITIONS", "TYP")]
    rows += [("Offset", "VS = 18 V", "±25"), ("^", "VCM = 1.5 V", "±10")]
    rows += [(f"Row {row}", "TA = 25 °C", str(row)) for row in range(3, n_rows)]
    cells = make_cells(rows[:n_rows], lambda row, _column: place(7, 100.0 + 12 * row))
    return Table("Table 6-7", "Offset", "", n_rows, 3, cells, (), place(7))


def make_answer_view(question: str = QUESTION, *, status: AnswerStatus | None = None) -> AnswerView:
    table = make_evidence(
        1,
        SegmentKind.TABLE,
        section_path=("OPA4197", "6 Specifications", "6.7 Electrical Characteristics"),
        page_no=7,
        table=make_table(),
        rows=(1, 4),
        cited_cells=((1, 2), (2, 2)),
        quotes=("±25", "±10"),
        places=place(7),
    )
    evidence = (table, make_evidence(2), make_evidence(3, is_cited=False, quotes=()))
    answer = make_answer(
        question,
        said("The typical input offset voltage is **±25 µV**. [1] The front page agrees. [2]"),
        citations=citations_of(evidence),
        status=status or AnswerStatus.ANSWERED,
        seconds=0.42,
        n_documents_searched=31,
        n_documents=51,
    )
    return AnswerView(answer, evidence)


def show_answer(window: MainWindow, service: FakeService, view: AnswerView) -> None:
    """Ask the question of an answer in a window and answer it."""
    window.session.ask(Question(view.answer.question))
    service.answer("ask", view)
    end = time.monotonic() + PATIENCE_MS / 1000
    while window.answer_panel.view is not view:
        assert time.monotonic() < end, "the answer did not come"
        QCoreApplication.processEvents()
