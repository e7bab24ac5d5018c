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
from concurrent.futures import Future, wait
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa import libraries
from desktop_qa.core.answer_table import AnswerTable, CellSource
from desktop_qa.core.errors import DesktopQaError, LibraryError, QuestionError
from desktop_qa.core.lifeline import end_with_parent
from desktop_qa.core.question import Question
from desktop_qa.core.search_view import SearchRequest
from desktop_qa.core.segment import SegmentId
from desktop_qa.library.ingest import IngestControl
from desktop_qa.library_journal import strike_out
from desktop_qa.log_files import start_logging
from desktop_qa.service.folders import FolderRequests
from desktop_qa.service.lanes import Job, Lane, Methods
from desktop_qa.service.messages import Failure, Message, News, Request, Result
from desktop_qa.service.models import ModelRequests
from desktop_qa.service.page_texts import PageTexts

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
        self._connection = connection
        self._send_lock = threading.Lock()
        self._library: Library | None = None
        self._control = IngestControl()
        self._jobs: dict[int, Job] = {}
        self._under_way: dict[int, Future[None]] = {}
        self._folders = FolderRequests(
            self._require_library,
            lambda topic, value: self._send(News(topic, value)),
            lambda: self._library is not None,
        )
        self._models = ModelRequests(self._require_library)
        self._texts = PageTexts()
        self._text_lane = Lane(
            "text",
            _calls(lambda: self._texts, "page_text", "outline", find_text="find", copy_text="copy"),
        )
        self._beside_ingest = self._lanes_beside_ingest()
        self._long = (
            Lane(
                "library",
                {
                    "open_library": self._open_library,
                    "close_library": lambda _job: self._close_library(),
                    "sync": self._sync,
                    "read_again": self._folders.change(lambda of, ids: of.read_again(ids)),
                    "unlock": self._folders.change(lambda of, *which: of.unlock(*which)),
                },
            ),
            Lane("libraries", _methods_of_whole_libraries()),
        )
        self._immediate: Methods = {
            "pause": lambda _job: self._control.pause(),
            "resume": lambda _job: self._control.resume(),
            "cancel_sync": lambda _job: self._control.cancel(),
            "cancel": lambda _job, request_id: self._cancel(request_id),
        }

    def _lanes_beside_ingest(self) -> tuple[Lane, ...]:
        """Return the lanes of what is asked of the open library, but for its ingest."""
        calls = partial(_calls, self._require_library)
        answer: Methods = {
            "ask": self._ask,
            "compare": self._compare,
            **calls("statuses", "set_source_settings", "feedback"),
            **calls("delete_history", "restore_history", "clear_history"),
            # Small writes that must not wait for an ingest.
            **self._folders.changes,
        }
        document: Methods = {
            **calls(
                "structure",
                "tables_on_page",
                "markdown",
                "history_entry",
                "conversation_items",
                history_page="history",
            ),
            **self._exports(
                "export_markdown", "export_history", "export_conversation", "export_view"
            ),
            "export_table": _export_table,
            **self._folders.readings,
        }
        typing: Methods = {
            "suggest": self._suggest,
            "search": self._search,
            "search_marks": self._search_marks,
        }
        marks: Methods = {
            **calls("marks", "save_mark", "delete_marks", "restore_marks"),
            **self._exports("export_marks"),
        }
        care: Methods = {
            **calls(
                "details",
                remove_documents="remove",
                restore_documents="restore",
                removed_documents="removed",
            ),
            "removed_among": lambda _job, paths: self._require_library().removed_among(
                [Path(path) for path in paths]
            ),
        }
        evidence: Methods = {
            "similar_segments": self._similar_segments,
            "export_cells": _export_cells,
        }
        return (
            Lane("answer", answer, finishes=True),
            Lane("document", document),
            Lane("search", typing, 2, overtaking=typing),
            # What was typed or taken out last must not be lost.
            Lane("mark", marks, finishes=True),
            Lane("care", care, finishes=True),
            Lane("evidence", evidence, overtaking=("similar_segments",)),
            Lane("reading", self._models.readings),
            # A new question while one before it still closes its connection.
            Lane("model", self._models.questions, 2),
            Lane("server", self._models.of_servers, 2),
        )

    def _exports(self, *names: str) -> Methods:
        """Return what has the open library write one of its things to a file."""

        def export_of(name: str) -> Callable[..., Any]:
            def export(_job: Job, what: object, target: str, replace: bool = False) -> Any:
                write = getattr(self._require_library(), name)
                return write(what, Path(target), replace=replace)

            return export

        return {name: export_of(name) for name in names}

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
        for job in list(self._jobs.values()):
            job.cancelled.set()
        for lane in self._beside_ingest:
            lane.end()
        self._models.close()
        self._texts.close()
        self._text_lane.end()
        # All is written that was asked for; what else is at work goes on at the next start.
        deadline = threading.Timer(_STOPPING_S, os._exit, (0,))
        deadline.daemon = True
        deadline.start()
        for lane in self._long:
            lane.end()
        deadline.cancel()
        self._folders.stop()
        if self._library is not None:
            self._library.close()

    def _dispatch(self, request: Request) -> None:
        job = Job(request, self._send)
        if request.method in self._immediate:
            self._perform(job, self._immediate[request.method])
            return
        self._jobs[request.id] = job
        if request.method in ("open_library", "close_library"):
            self._control.cancel()
        for lane in (*self._beside_ingest, self._text_lane, *self._long):
            if request.method in lane.methods:
                future = lane.submit(job, self._perform)
                if lane in self._beside_ingest:
                    self._under_way[request.id] = future
                    future.add_done_callback(lambda _: self._under_way.pop(request.id, None))
                return
        self._perform(job, self._unknown)

    def _perform(self, job: Job, method: Callable[..., Any]) -> None:
        request, started = job.request, time.monotonic()
        try:
            value = method(job, *request.arguments)
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
            self._jobs.pop(request.id, None)

    def _send(self, message: Message) -> None:
        with self._send_lock:
            try:
                self._connection.send(message)
            except (BrokenPipeError, OSError):
                logger.debug("The window is gone")

    def _unknown(self, _job: Job, *_arguments: Any) -> None:
        raise LibraryError("The window asked for something the library does not know.")

    def _cancel(self, request_id: int) -> None:
        job = self._jobs.get(request_id)
        if job is not None:
            job.cancelled.set()

    def _require_library(self) -> Library:
        if self._library is None:
            raise QuestionError(
                "There is no library yet.", "Add a folder of documents, then ask again."
            )
        return self._library

    def _open_library(
        self,
        _job: Job,
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

    def _sync(self, job: Job) -> Any:
        self._control.reset()
        report = self._require_library().sync(job.tell, self._control)
        logger.info(
            "%d documents, %d partly read, %d failed, %d pages",
            *(report.documents, len(report.partial), len(report.failed), report.pages),
        )
        return report

    def _ask(self, job: Job, question: Question) -> Any:
        library = self._require_library()
        job.check()
        answer = library.ask(question, job.cancelled.is_set)
        return library.drawn(answer)

    def _compare(
        self,
        job: Job,
        names: tuple[str, ...],
        parameters: tuple[str, ...] = (),
        conversation: str = "",
    ) -> Any:
        library, stop = self._require_library(), job.cancelled.is_set
        answer = library.compare(names, parameters, conversation=conversation, is_cancelled=stop)
        return library.drawn(answer)

    def _suggest(self, job: Job, text: str, caret: int) -> Any:
        return () if job.cancelled.is_set() else self._require_library().suggestions(text, caret)

    def _search(self, job: Job, request: SearchRequest) -> Any:
        job.check()
        return self._require_library().search(request)

    def _search_marks(self, job: Job, segment_id: SegmentId, text: str) -> Any:
        job.check()
        return self._require_library().search_marks(segment_id, text)

    def _similar_segments(self, job: Job, segment_id: SegmentId) -> Any:
        return self._require_library().similar_segments(
            segment_id, is_cancelled=job.cancelled.is_set
        )


def _calls(of: Callable[[], object], *names: str, **named: str) -> Methods:
    """Return what calls methods of one thing.

    Args:
        of: Returns it, such as the library that is open by then.
        names: Methods that the window calls as the thing does.
        named: Others, by the window's name for them.
    """

    def call_of(name: str) -> Callable[..., Any]:
        return lambda _job, *arguments: getattr(of(), name)(*arguments)

    wanted = {name: name for name in names} | named
    return {asked: call_of(name) for asked, name in wanted.items()}


def _methods_of_whole_libraries() -> Methods:
    """Return what is asked of libraries that are not open; a move takes minutes."""
    return {
        "libraries_overview": lambda _job, *arguments: libraries.overview(*arguments),
        "measure_library": lambda _job, folder: libraries.measure(Path(folder)),
        "rename_library": lambda _job, folder, name: libraries.rename_library(Path(folder), name),
        "move_library": lambda job, old, new: libraries.move_library(
            Path(old), Path(new), job.tell, job.cancelled.is_set
        ),
        "confirm_move": lambda _job, old: strike_out(old),
        "delete_library": lambda _job, folder: libraries.set_aside(Path(folder)),
        "put_back_library": lambda _job, deleted: libraries.put_back(deleted),
        "purge_library": lambda _job, deleted: libraries.purge(deleted),
        "recover_libraries": lambda _job: libraries.recover(),
    }


def _export_table(
    _job: Job, table: AnswerTable, sources: dict[int, CellSource], target: str
) -> None:
    from desktop_qa.answer_export.table_csv import write_csv

    write_csv(table, sources, Path(target))


def _export_cells(_job: Job, rows: list[list[str]], target: str, for_excel: bool = True) -> None:
    from desktop_qa.answer_export.table_csv import write_cells

    write_cells(rows, Path(target), for_excel=for_excel)
