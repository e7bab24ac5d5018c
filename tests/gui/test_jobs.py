from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import DesktopQaError, QuestionError
from desktop_qa.core.progress import IngestProgress
from desktop_qa.gui.jobs import JobRunner
from tests.gui.fake_service import FakeService, make_progress


@pytest.fixture
def runner(qtbot: QtBot, service: FakeService) -> Iterator[JobRunner]:
    made = JobRunner(service)
    made.start()
    yield made
    made.close()


def test_a_result_arrives_on_the_gui_thread(
    qtbot: QtBot, runner: JobRunner, service: FakeService
) -> None:
    seen: list[tuple[str, str]] = []
    runner.run(
        "statuses", on_result=lambda value: seen.append((value, threading.current_thread().name))
    )
    service.answer("statuses", "rows")
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("rows", threading.main_thread().name)]


def test_arguments_reach_the_service(runner: JobRunner, service: FakeService) -> None:
    runner.run("ask", "Why?", ("a",))
    assert service.arguments_of("ask") == [("Why?", ("a",))]


def test_a_failure_carries_the_sentence_and_the_hint(
    qtbot: QtBot, runner: JobRunner, service: FakeService
) -> None:
    seen: list[DesktopQaError] = []
    runner.run("ask", "Why?", on_failure=seen.append)
    service.fail("ask", QuestionError("Nothing is indexed yet.", "Wait a moment."))
    qtbot.waitUntil(lambda: bool(seen))
    assert (seen[0].message, seen[0].hint) == ("Nothing is indexed yet.", "Wait a moment.")


def test_progress_may_come_often_before_the_result(
    qtbot: QtBot, runner: JobRunner, service: FakeService
) -> None:
    moments: list[IngestProgress] = []
    results: list[object] = []
    runner.run("sync", on_progress=moments.append, on_result=results.append)
    for n_done in range(3):
        service.progress(make_progress(n_done=n_done))
    service.answer("sync", "report")
    qtbot.waitUntil(lambda: bool(results))
    assert [moment.n_done for moment in moments] == [0, 1, 2]


def test_a_thousand_results_are_all_delivered(
    qtbot: QtBot, runner: JobRunner, service: FakeService
) -> None:
    service.replies["statuses"] = None
    seen: list[object] = []
    for _ in range(1000):
        runner.run("statuses", on_result=seen.append)
    qtbot.waitUntil(lambda: len(seen) == 1000)
    assert seen == [None] * 1000


def test_a_crash_fails_open_jobs_and_the_service_can_start_again(
    qtbot: QtBot, runner: JobRunner, service: FakeService, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[DesktopQaError] = []
    with caplog.at_level(logging.WARNING):
        runner.run("ask", "Why?", on_failure=failures.append)
        with qtbot.waitSignal(runner.crashed) as crash:
            service.crash("exit code -9")
    assert crash.args == ["exit code -9"]
    assert "started again" in failures[0].message
    qtbot.waitUntil(lambda: not runner.is_running)
    runner.start()
    assert service.n_starts == 2
    results: list[object] = []
    runner.run("statuses", on_result=results.append)
    service.answer("statuses", "rows")
    qtbot.waitUntil(lambda: results == ["rows"])


def test_nothing_is_called_after_closing(
    qtbot: QtBot, runner: JobRunner, service: FakeService
) -> None:
    seen: list[object] = []
    runner.run("statuses", on_result=seen.append)
    service.answer("statuses", "rows")
    runner.close()
    qtbot.wait(50)
    assert seen == []
    assert service.is_closed
    assert not runner.is_running
