from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import aclosing
from typing import Any

import pytest

from desktop_qa.llm.client import stream
from desktop_qa.llm.errors import ModelErrorKind
from desktop_qa.llm.messages import Delta, FinishReason, ModelQuestion
from desktop_qa.llm.model_thread import ModelThread
from desktop_qa.llm.profile import Profile
from tests.llm.asking import KEY, QUESTION, profile_of
from tests.llm.scripted_server import (
    DONE,
    HOLD,
    PATIENCE_S,
    ScriptedServer,
    delta,
    head,
    page,
    says,
)


class Heard:
    """What came of a question, in order."""

    def __init__(self) -> None:
        self.all: queue.Queue[tuple[str, Any]] = queue.Queue()

    def next(self) -> tuple[str, Any]:
        return self.all.get(timeout=PATIENCE_S)

    def ask(self, thread: ModelThread, profile: Profile) -> Future[None]:
        async def listen() -> None:
            deltas = stream(
                profile,
                KEY,
                ModelQuestion(QUESTION, 200),
                lambda notice: self.all.put(("notice", notice)),
            )
            async with aclosing(deltas):
                async for one in deltas:
                    self.all.put(("delta", one))

        return thread.call(listen)


@pytest.fixture
def thread() -> Iterator[ModelThread]:
    thread = ModelThread()
    yield thread
    thread.close()
    assert not [one for one in threading.enumerate() if one.name == "models"]


def test_answer_comes_in_order_and_ends_once(thread):
    heard = Heard()
    with ScriptedServer([head(), delta(content="5 "), delta(content="V"), DONE]) as server:
        heard.ask(thread, profile_of(server)).result(timeout=PATIENCE_S)
    assert heard.next() == ("delta", Delta("5 "))
    assert heard.next() == ("delta", Delta("V"))
    assert heard.next() == ("delta", Delta(finish_reason=FinishReason.STOP))
    assert heard.all.empty()


def test_error_in_the_middle_comes_once_after_what_came(thread):
    heard = Heard()
    with ScriptedServer([head(), delta(content="5 ")]) as server:
        answer = heard.ask(thread, profile_of(server))
        error = answer.exception(timeout=PATIENCE_S)
    assert error.kind is ModelErrorKind.BROKEN
    assert heard.next() == ("delta", Delta("5 "))
    assert heard.all.empty()


def test_notice_comes_before_the_answer(thread):
    heard = Heard()
    busy = page(429, {"error": "Slow down"}, "Retry-After: 0")
    with ScriptedServer(busy, says("5")) as server:
        heard.ask(thread, profile_of(server)).result(timeout=PATIENCE_S)
    assert [heard.next()[0] for _ in range(3)] == ["notice", "delta", "delta"]


def test_stopped_question_closes_its_connection_and_says_nothing_more(thread):
    heard = Heard()
    with ScriptedServer([head(), delta(content="5 "), HOLD]) as server:
        answer = heard.ask(thread, profile_of(server))
        assert heard.next()[0] == "delta"
        answer.cancel()
        assert server.was_left.wait(PATIENCE_S)
    thread.close()
    assert heard.all.empty()


def test_question_stopped_before_any_answer_closes_its_connection(thread):
    heard = Heard()
    with ScriptedServer([HOLD]) as server:
        answer = heard.ask(thread, profile_of(server))
        while not server.requests:
            assert not server.was_left.wait(0.01)
        answer.cancel()
        answer.cancel()
        assert server.was_left.wait(PATIENCE_S)
    thread.close()
    assert heard.all.empty()


def test_question_stopped_at_once_says_nothing(thread):
    heard = Heard()
    with ScriptedServer(by=lambda _: says("5")) as server:
        for _ in range(20):
            heard.ask(thread, profile_of(server)).cancel()
        thread.close()
    assert heard.all.empty()


def test_two_questions_are_answered_at_the_same_time(thread):
    slow, fast = Heard(), Heard()
    with (
        ScriptedServer([HOLD]) as held,
        ScriptedServer(says("5")) as server,
    ):
        slow_answer = slow.ask(thread, profile_of(held))
        fast.ask(thread, profile_of(server)).result(timeout=PATIENCE_S)
        assert [fast.next()[0] for _ in range(2)] == ["delta", "delta"]
        assert slow.all.empty()
        thread.close()
        assert slow_answer.cancelled()
        assert held.was_left.wait(PATIENCE_S)
    assert slow.all.empty()


def test_closed_thread_takes_no_question_and_closing_twice_is_no_error():
    thread = ModelThread()
    thread.close()
    thread.close()
    with pytest.raises(RuntimeError):
        thread.call(_nothing)


def test_other_work_ends_with_its_result(thread):
    assert thread.call(_nothing).result(timeout=PATIENCE_S) == "nothing"


def test_fault_of_the_program_is_logged_and_told_as_one(thread, caplog):
    async def fails() -> str:
        raise ZeroDivisionError

    with caplog.at_level("ERROR"):
        error = thread.call(fails).exception(timeout=PATIENCE_S)
    assert error.kind is ModelErrorKind.UNEXPECTED
    assert "ZeroDivisionError" in caplog.text


async def _nothing() -> str:
    return "nothing"


def test_no_thread_runs_before_the_first_question():
    ModelThread()
    assert not [one for one in threading.enumerate() if one.name == "models"]
