"""What the lanes of the library's process owe to each other when another library is opened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.question import Question
from desktop_qa.index.store import Store
from desktop_qa.library.facade import Library
from desktop_qa.service import library_service
from desktop_qa.service.lanes import Job, Lane
from desktop_qa.service.messages import Failure, Message, Request, Result

FIRST, OTHER = "/libraries/first", "/libraries/other"


class OpenLibrary:
    """A library that remembers what it was called; its questions end when they are cancelled."""

    is_watching = False
    read_only = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []
        self.is_asked = threading.Event()

    def warm_up(self) -> None: ...

    def close(self) -> None: ...

    def source_views(self) -> tuple[()]:
        return ()

    def rename(self, name: str) -> None:
        self.names.append(name)

    def view(self) -> str:
        return str(self.folder)

    def ask(self, _question: Question, is_cancelled: Callable[[], bool]) -> None:
        self.is_asked.set()
        while not is_cancelled():
            threading.Event().wait(0.01)
        raise Cancelled


class Pipe:
    """Keeps what is sent to the window."""

    def __init__(self) -> None:
        self.sent: dict[int, Message] = {}
        self._came = threading.Condition()

    def recv(self) -> Request:
        raise EOFError

    def send(self, message: Message) -> None:
        with self._came:
            if isinstance(message, Result | Failure):
                self.sent[message.request_id] = message
            self._came.notify_all()

    def outcome(self, request_id: int) -> Message:
        with self._came:
            assert self._came.wait_for(lambda: request_id in self.sent, timeout=60)
            return self.sent[request_id]


@pytest.fixture
def pipe() -> Pipe:
    return Pipe()


@pytest.fixture
def libraries(monkeypatch) -> dict[str, OpenLibrary]:
    """The libraries by folder, once they were opened."""
    made: dict[str, OpenLibrary] = {}

    def opened(folder: Path, **_settings: Any) -> OpenLibrary:
        return made.setdefault(str(folder), OpenLibrary(folder))

    monkeypatch.setattr(Library, "open", opened)
    return made


@pytest.fixture
def service(pipe, libraries) -> Iterator[Any]:
    made = library_service._Service(pipe)  # type: ignore[arg-type]
    made._dispatch(Request(1, "open_library", (FIRST,)))
    assert isinstance(pipe.outcome(1), Result)
    yield made
    for job in list(made._jobs.values()):
        job.cancelled.set()
    for lane in (*made._beside_ingest, made._text_lane, *made._long):
        lane.end()


def test_what_waits_behind_a_question_is_done_in_the_library_it_was_meant_for(
    service, pipe, libraries
):
    service._dispatch(Request(2, "ask", (Question("What is the offset?"),)))
    assert libraries[FIRST].is_asked.wait(timeout=60)
    service._dispatch(Request(3, "rename", ("Bench",)))
    service._dispatch(Request(4, "open_library", (OTHER,)))
    opened = pipe.outcome(4)
    assert opened.value == OTHER
    asked = pipe.outcome(2)
    assert isinstance(asked.error, Cancelled)
    assert isinstance(pipe.outcome(3), Result)
    assert libraries[FIRST].names == ["Bench"]
    assert libraries[OTHER].names == []


def test_what_waits_behind_a_question_is_done_before_the_end(service, pipe, libraries):
    service._dispatch(Request(2, "ask", (Question("What is the offset?"),)))
    assert libraries[FIRST].is_asked.wait(timeout=60)
    service._dispatch(Request(3, "rename", ("Bench",)))
    service.run()  # the window has closed the pipe
    assert libraries[FIRST].names == ["Bench"]


def test_what_is_asked_while_no_library_changes_is_not_waited_for(service, pipe, libraries):
    service._dispatch(Request(2, "ask", (Question("What is the offset?"),)))
    service._dispatch(Request(3, "open_library", (FIRST,)))
    assert isinstance(pipe.outcome(3), Result)
    assert 2 not in pipe.sent
    service._cancel(2)
    assert isinstance(pipe.outcome(2), Failure)


def test_a_later_request_overtakes_the_one_before_of_its_kind_alone():
    lane = Lane("typing", {"search": print, "suggest": print}, overtaking=("search",))
    names = ("search", "suggest", "search", "suggest")
    jobs = [Job(Request(n, name, ()), lambda _message: None) for n, name in enumerate(names)]
    for job in jobs:
        lane.submit(job, lambda _job, _method: None)
    lane.end()
    assert [job.cancelled.is_set() for job in jobs] == [True, False, False, False]
    with pytest.raises(Cancelled):
        jobs[0].check()
    jobs[2].check()


def test_whole_libraries_are_named_measured_and_moved(service, pipe, tmp_path):
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    Store.open(Path(old)).close()
    asked = (
        ("rename_library", (old, "Bench")),
        ("measure_library", (old,)),
        ("move_library", (old, new)),
        ("libraries_overview", ((new,),)),
    )
    for number, (method, arguments) in enumerate(asked, start=2):
        service._dispatch(Request(number, method, arguments))
    outcomes = [pipe.outcome(number) for number in range(2, 6)]
    assert all(isinstance(one, Result) for one in outcomes), outcomes
    assert "Bench" in [one.name for one in outcomes[-1].value]  # type: ignore[union-attr]
