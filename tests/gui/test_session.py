"""The session over a library's process that the test plays."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.jobs import JobRunner
from desktop_qa.gui.session import LibrarySession
from desktop_qa.service.messages import Result
from tests.gui.fake_service import (
    STATUSES,
    FakeService,
    make_answer_view,
    make_library,
    make_progress,
    make_report,
    make_status,
)

FIRST, OTHER = "/libraries/datasheets", "/libraries/other"


@pytest.fixture
def service() -> FakeService:
    made = FakeService()
    made.replies |= {"statuses": (), "close_library": None}
    return made


def open_library(session: LibrarySession, service: FakeService, folder: str) -> None:
    session.open_library(Path(folder))
    service.open(session, make_library(folder=folder))


def n_syncs(service: FakeService) -> int:
    return len(service.arguments_of("sync"))


def test_a_library_that_is_opened_again_while_it_is_indexed_is_indexed_on(session, service):
    assert session.is_syncing
    session.open_library(Path(FIRST), more=("/documents/more",))
    service.answer("sync", make_report(cancelled=True))  # the process stops it for the opening
    service.open(session, make_library(folder=FIRST))
    assert session.is_syncing
    assert n_syncs(service) == 2
    service.finish(session)
    assert not session.is_syncing


def test_when_another_library_cannot_be_opened_the_one_before_is_taken_up_again(
    qtbot, session, service
):
    session.open_library(Path(OTHER))
    service.answer("sync", make_report(cancelled=True))
    error = LibraryError("The library is damaged.", "Restore it.")
    service.fail("open_library", error, until=session.opening_failed)
    qtbot.waitUntil(lambda: len(service.arguments_of("open_library")) == 3)
    assert service.arguments_of("open_library")[-1][0] == FIRST
    service.open(session, make_library(folder=FIRST))
    assert session.is_syncing
    assert n_syncs(service) == 2


def test_a_library_that_cannot_be_taken_up_again_is_not_tried_for_ever(session, service):
    for _ in range(2):
        session.open_library(Path(FIRST))
        error = LibraryError("Its drive is gone.", "Connect it.")
        service.fail("open_library", error, until=session.opening_failed)
    assert len(service.arguments_of("open_library")) == 3


def test_what_the_indexing_of_the_library_before_says_changes_nothing(session, service):
    first_sync = service.last_id("sync")
    open_library(session, service, OTHER)
    assert service.last_id("sync") != first_sync
    service.say(Result(first_sync, make_report()))
    service.progress(make_progress(), until=session.sync_progressed)
    assert session.is_syncing


def test_a_process_that_is_started_again_opens_the_library_without_adding_folders_again(
    qtbot, session, service, caplog
):
    session.open_library(Path(OTHER), Path("/documents/datasheets"), more=("/documents/a.pdf",))
    service.open(session, make_library(folder=OTHER))
    with caplog.at_level(logging.WARNING):
        service.crash()
        qtbot.waitUntil(lambda: service.n_starts == 2)
    assert service.arguments_of("open_library")[-1] == (OTHER, None)


def test_a_process_that_ends_while_it_opens_a_library_is_told_all_of_it_again(
    qtbot, service, caplog
):
    runner = JobRunner(service)
    session = LibrarySession(runner, runner)
    runner.start()
    session.open_library(Path(OTHER), None, "Bench", ("/documents/a.pdf",))
    with caplog.at_level(logging.WARNING):
        service.crash()
        qtbot.waitUntil(lambda: service.n_starts == 2)
    first, again = service.arguments_of("open_library")
    assert again == first == (OTHER, None, "Bench", ("/documents/a.pdf",))
    runner.close()


def test_settings_that_cannot_be_kept_leave_those_of_another_library_alone(qtbot, session, service):
    session.set_source_settings(SourceSettings(("TI",)))
    session.open_library(Path(OTHER))
    other = SourceSettings(("Bosch",))
    with qtbot.waitSignal(session.library_opened):
        view = replace(make_library(folder=OTHER), source_settings=other)
        service.answer("open_library", view)
    service.fail(
        "set_source_settings", LibraryError("The disk is full.", ""), until=session.notice_posted
    )
    assert session.source_settings == other


def test_what_fails_because_another_library_is_opened_is_not_told(session, service):
    told: list[object] = []
    session.notice_posted.connect(told.append)
    session.request("structure", "x", on_result=lambda _view: None)
    session.open_library(Path(OTHER))
    service.fail("structure", LibraryError("The library is closed.", "Open it again."))
    service.open(session, make_library(folder=OTHER))
    assert told == []


def test_a_library_is_left_once_when_it_is_closed(qtbot, session):
    left: list[bool] = []
    session.library_left.connect(lambda: left.append(True))
    closed: list[bool] = []
    session.close_library(lambda: closed.append(True))
    qtbot.waitUntil(lambda: bool(closed))
    assert left == [True]
    assert session.library is None


def test_what_is_to_be_indexed_while_indexing_is_done_afterwards(session, service):
    session.sync()
    assert n_syncs(service) == 1
    service.finish(session)
    assert n_syncs(service) == 2


def test_documents_are_compared_with_the_store_when_indexing_ends(qtbot, session, service):
    final = tuple(make_status(s.file, DocumentState.READY) for s in STATUSES[:2])
    service.replies["statuses"] = final
    with qtbot.waitSignal(session.statuses_changed) as told:
        service.answer("sync", make_report())
    assert session.statuses == final
    changed, gone = told.args
    assert (changed, gone) == (final, tuple(s.document_id for s in STATUSES[2:]))


def test_a_new_question_voids_the_one_under_way(session, service):
    answers: list[AnswerView] = []
    session.turn_ended.connect(lambda _conversation, turn: answers.append(turn.view))
    session.ask(Question("First?"))
    first = service.last_id("ask")
    session.ask(Question("Second?"))
    assert service.cancelled == [first]
    service.reply(session, make_answer_view("Second?"))
    assert [view.answer.question for view in answers] == ["Second?"]


def test_a_question_asked_while_a_library_opens_waits_for_it(session, service):
    session.open_library(Path(OTHER))
    session.ask(Question("Why?"))
    assert service.questions == []
    service.open(session, make_library(folder=OTHER))
    assert [question.text for question in service.questions] == ["Why?"]
