from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import aclosing

import pytest

from desktop_qa.llm.client import stream
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import ModelQuestion
from desktop_qa.llm.model_thread import ModelThread
from tests.llm.asking import KEY, QUESTION, profile_of
from tests.llm.scripted_server import HOLD, PATIENCE_S, ScriptedServer, delta, head, page, says


class Heard:
    """What came of a question, in order."""

    def __init__(self) -> None:
        self.all: queue.Queue[object] = queue.Queue()

    def ask(self, thread: ModelThread, server: ScriptedServer) -> Future[None]:
        async def listen() -> None:
            question = ModelQuestion(QUESTION, 200)
            deltas = stream(profile_of(server), KEY, question, self.all.put)
            async with aclosing(deltas):
                async for one in deltas:
                    self.all.put(one)

        return thread.call(listen)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def thread() -> Iterator[ModelThread]:
    thread = ModelThread()
    yield thread
    thread.close()
    assert not [one for one in threading.enumerate() if one.name == "models"]


def test_notice_comes_before_the_answer(thread, heard):
    busy = page(429, {"error": "Slow down"}, "Retry-After: 0")
    with ScriptedServer(busy, says("5")) as server:
        heard.ask(thread, server).result(timeout=PATIENCE_S)
    kinds = [type(one).__name__ for one in heard.all.queue]
    assert kinds == ["ServerNotice", "Delta", "Delta"]


@pytest.mark.parametrize("said", [(), (head(), delta(content="5 "))])
def test_stopped_question_closes_its_connection_and_says_nothing_more(thread, heard, said):
    with ScriptedServer([*said, HOLD]) as server:
        answer = heard.ask(thread, server)
        if said:
            heard.all.get(timeout=PATIENCE_S)
        while not server.requests:
            assert not server.was_left.wait(0.01)
        answer.cancel()
        answer.cancel()
        assert server.was_left.wait(PATIENCE_S)
    thread.close()
    assert heard.all.empty()


def test_question_stopped_at_once_says_nothing(thread, heard):
    with ScriptedServer(by=lambda _: says("5")) as server:
        for _ in range(20):
            heard.ask(thread, server).cancel()
        thread.close()
    assert heard.all.empty()


def test_two_questions_are_answered_at_the_same_time(thread, heard):
    with ScriptedServer([HOLD]) as held, ScriptedServer(says("5")) as server:
        slow_answer = heard.ask(thread, held)
        fast = Heard()
        fast.ask(thread, server).result(timeout=PATIENCE_S)
        assert fast.all.qsize() == 2
        assert heard.all.empty()
        thread.close()
        assert slow_answer.cancelled()
        assert held.was_left.wait(PATIENCE_S)
    assert heard.all.empty()


def test_closed_thread_takes_no_question_and_closing_twice_is_no_error():
    thread = ModelThread()
    thread.close()
    thread.close()
    with pytest.raises(RuntimeError):
        thread.call(_nothing)


async def _nothing() -> str:
    return "nothing"


def test_other_work_ends_with_its_result(thread):
    assert thread.call(_nothing).result(timeout=PATIENCE_S) == "nothing"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (ZeroDivisionError(), ModelErrorKind.UNEXPECTED),
        (ModelError(ModelErrorKind.BROKEN, "It broke off.", "Ask again."), ModelErrorKind.BROKEN),
    ],
)
def test_what_a_call_ends_with_is_told_and_a_fault_of_the_program_logged(
    thread, caplog, fault, kind
):
    async def fails() -> str:
        raise fault

    with caplog.at_level("ERROR"):
        error = thread.call(fails).exception(timeout=PATIENCE_S)
    assert error.kind is kind
    assert ("ZeroDivisionError" in caplog.text) is (kind is ModelErrorKind.UNEXPECTED)


def test_no_thread_runs_before_the_first_question():
    ModelThread()
    assert not [one for one in threading.enumerate() if one.name == "models"]


_AT_EXIT = """
import asyncio
from desktop_qa.llm.model_thread import ModelThread
thread = ModelThread()
thread.call(lambda: asyncio.sleep(600))
print("asked")
"""


@pytest.mark.process
def test_question_under_way_does_not_keep_the_program_from_ending():
    done = subprocess.run(
        [sys.executable, "-c", _AT_EXIT], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("asked\n", "")
