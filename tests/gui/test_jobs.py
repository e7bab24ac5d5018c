from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import pytest

from desktop_qa.core.errors import Cancelled, DesktopQaError, QuestionError
from desktop_qa.core.lifeline import end_with_parent
from desktop_qa.core.progress import IngestProgress
from desktop_qa.gui.jobs import JobRunner
from desktop_qa.service.client import ServiceClient
from tests.gui.fake_service import make_progress


@pytest.fixture
def runner(service) -> Iterator[JobRunner]:
    made = JobRunner(service)
    made.start()
    yield made
    made.close()


def test_a_result_arrives_on_the_gui_thread(qtbot, runner, service):
    seen: list[tuple[str, str]] = []
    runner.run(
        "statuses", on_result=lambda value: seen.append((value, threading.current_thread().name))
    )
    service.answer("statuses", "rows")
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("rows", threading.main_thread().name)]


def test_a_failure_carries_the_sentence_and_the_hint(qtbot, runner, service):
    seen: list[DesktopQaError] = []
    runner.run("ask", "Why?", on_failure=seen.append)
    service.fail("ask", QuestionError("Nothing is indexed yet.", "Wait a moment."))
    qtbot.waitUntil(lambda: bool(seen))
    assert (seen[0].message, seen[0].hint) == ("Nothing is indexed yet.", "Wait a moment.")


def test_progress_may_come_often_before_the_result(qtbot, runner, service):
    moments: list[IngestProgress] = []
    results: list[object] = []
    runner.run("sync", on_progress=moments.append, on_result=results.append)
    for n_done in range(3):
        service.progress(make_progress(n_done=n_done))
    service.answer("sync", "report")
    qtbot.waitUntil(lambda: bool(results))
    assert [moment.n_done for moment in moments] == [0, 1, 2]


def test_a_thousand_results_are_all_delivered(qtbot, runner, service):
    service.replies["statuses"] = None
    seen: list[object] = []
    for _ in range(1000):
        runner.run("statuses", on_result=seen.append)
    qtbot.waitUntil(lambda: len(seen) == 1000)
    assert seen == [None] * 1000


def test_a_crash_fails_open_jobs_and_the_service_can_start_again(qtbot, runner, service, caplog):
    failures: list[DesktopQaError] = []
    with caplog.at_level(logging.WARNING):
        runner.run("ask", "Why?", on_failure=failures.append)
        with qtbot.waitSignal(runner.crashed) as crash:
            service.crash("exit code -9")
    assert crash.args == ["exit code -9"]
    assert "stopped working" in failures[0].message
    qtbot.waitUntil(lambda: not runner.is_running)
    runner.start()
    assert service.n_starts == 2
    results: list[object] = []
    runner.run("statuses", on_result=results.append)
    service.answer("statuses", "rows")
    qtbot.waitUntil(lambda: results == ["rows"])


def _deaf(_connection: Connection) -> None:
    """Run a service that reads nothing and never ends by itself."""
    end_with_parent()
    threading.Event().wait()


@pytest.fixture
def deaf() -> Iterator[tuple[JobRunner, BaseProcess]]:
    """A runner over a process that answers nothing."""
    # Other tests of the session may keep a process of their own.
    before = set(multiprocessing.active_children())
    runner = JobRunner(ServiceClient(_deaf))
    runner.start()
    (process,) = set(multiprocessing.active_children()) - before
    yield runner, process
    runner.close()
    process.kill()
    process.join()


@pytest.mark.process
def test_a_killed_service_fails_every_open_job_within_two_seconds(qtbot, deaf, caplog):
    runner, process = deaf
    failures: list[DesktopQaError] = []
    for question in ("Why?", "How?", "When?"):
        runner.run("ask", question, on_failure=failures.append)
    with caplog.at_level(logging.WARNING):
        process.kill()
        qtbot.waitUntil(lambda: len(failures) == 3, timeout=2000)
    assert {failure.message for failure in failures} == {"The library stopped working."}


@pytest.mark.process
def test_what_is_asked_of_a_dead_service_fails_at_once(qtbot, deaf, caplog):
    runner, process = deaf
    with caplog.at_level(logging.WARNING), qtbot.waitSignal(runner.crashed):
        process.kill()
    failures: list[DesktopQaError] = []
    numbers = {runner.run("ask", question, on_failure=failures.append) for question in "ab"}
    assert len(numbers) == 2
    assert not failures  # the caller has the number first
    qtbot.waitUntil(lambda: len(failures) == 2, timeout=2000)
    assert failures[0].message == "The library is not running."


@pytest.mark.process
def test_what_is_asked_while_the_jobs_of_a_dead_service_fail_fails_too(qtbot, deaf, caplog):
    runner, process = deaf
    failures: list[DesktopQaError] = []

    def ask_again(_error: DesktopQaError) -> None:
        runner.run("ask", "Why?", on_failure=failures.append)

    runner.run("ask", "Why?", on_failure=ask_again)
    with caplog.at_level(logging.WARNING):
        process.kill()
        qtbot.waitUntil(lambda: len(failures) == 1, timeout=2000)
    assert isinstance(failures[0], Cancelled)  # the user was told


@pytest.mark.process
def test_closing_takes_less_than_a_second_when_the_service_does_not_listen(deaf):
    runner, process = deaf
    # More than a pipe holds: what is sent last does not go through either.
    filling = ("ask", "?" * 10_000_000)
    threading.Thread(target=runner.run, args=filling, daemon=True).start()
    started = time.monotonic()
    runner.close()
    assert time.monotonic() - started < 1.0
    assert process.is_alive()
    assert process not in multiprocessing.active_children()  # Python would wait for its end


def test_nothing_is_called_after_closing(qtbot, runner, service):
    seen: list[object] = []
    runner.run("statuses", on_result=seen.append)
    service.answer("statuses", "rows")
    runner.close()
    qtbot.wait(50)
    assert seen == []
    assert service.is_closed
    qtbot.waitUntil(lambda: not runner.is_running)
