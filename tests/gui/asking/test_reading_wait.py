"""A question asked before there is anything to search waits for it, and is then asked by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_qa.core.progress import DocumentState
from desktop_qa.gui.conversations.conversation_model import TurnState
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import (
    FakeService,
    make_answer_view,
    make_library,
    make_progress,
    make_report,
    make_status,
)
from tests.gui.patient_bot import ask

_STATUSES = tuple(
    make_status(f"{part}.pdf", DocumentState.WAITING, part_numbers=(part,))
    for part in ("ORA217", "ORL3305")
)


@pytest.fixture
def reading(window: MainWindow, service: FakeService) -> MainWindow:
    """A window with a library of which nothing is read yet."""
    service.open(window.session, make_library(_STATUSES))
    return window


def reopen(window: MainWindow, service: FakeService, name: str) -> None:
    """Open another library of which nothing is read yet, and forget what was asked for."""
    service.requests.clear()
    service.open(window.session, make_library(_STATUSES, folder=f"/libraries/{name}"))


def becomes_ready(window: MainWindow, service: FakeService, part: str) -> None:
    service.progress(
        make_progress(changed=(make_status(f"{part}.pdf"),)), until=window.session.statuses_changed
    )


def test_a_question_is_asked_as_soon_as_the_first_document_is_ready(
    qtbot: QtBot, reading: MainWindow, service: FakeService
) -> None:
    ask(qtbot, reading, "how do I update the firmware?")
    assert service.arguments_of("ask") == []
    waiting = reading.answer_panel.question_label
    assert waiting.text() == "how do I update the firmware?"
    (turn,) = reading.session.conversations.active.turns
    assert "asked as soon as one is ready" in turn.waits_for
    assert reading.ask_box.ask_button.text() == "Stop"
    becomes_ready(reading, service, "ORA217")
    assert [question.text for question in service.questions] == ["how do I update the firmware?"]
    assert turn.waits_for == ""
    service.reply(reading.session, make_answer_view(turn.question.text))
    assert turn.state is TurnState.ANSWERED
    assert reading.ask_box.edit.toPlainText() == ""
    # Once something can be searched no question waits.
    ask(qtbot, reading, "what is the output of the ORL3305?")
    assert len(service.arguments_of("ask")) == 2


def test_a_held_question_waits_for_its_document_or_the_end_and_stays_with_its_library(
    qtbot: QtBot, reading: MainWindow, service: FakeService
) -> None:
    # A held question is stopped and stays in the box.
    ask(qtbot, reading, "why?")
    qtbot.mouseClick(reading.ask_box.ask_button, Qt.MouseButton.LeftButton)
    assert reading.session.conversations.active.turns == []
    assert reading.ask_box.edit.toPlainText() == "why?"
    becomes_ready(reading, service, "ORA217")
    assert service.arguments_of("ask") == []

    # A held question about a document waits for that one.
    reopen(reading, service, "second")
    ask(qtbot, reading, "how do I set the output of the ORL3305?")
    becomes_ready(reading, service, "ORA217")
    assert service.arguments_of("ask") == []
    (turn,) = reading.session.conversations.active.turns
    assert turn.waits_for.startswith("ORL3305.pdf is not read yet.")
    becomes_ready(reading, service, "ORL3305")
    assert len(service.arguments_of("ask")) == 1

    # A held question is asked when reading ends and says when it rests.
    reopen(reading, service, "third")
    ask(qtbot, reading, "why?")
    (turn,) = reading.session.conversations.active.turns
    service.progress(make_progress(paused=True), until=reading.session.sync_progressed)
    assert turn.waits_for.startswith("Reading is paused.")
    service.finish(reading.session, make_report(documents=0, cancelled=True))
    assert len(service.arguments_of("ask")) == 1

    # A held question does not go to another library.
    reopen(reading, service, "fourth")
    ask(qtbot, reading, "why?")
    left = reading.session.conversations.active
    service.open(reading.session, make_library(folder="/libraries/other"))
    assert service.arguments_of("ask") == []
    assert left.draft == "why?"
    assert reading.session.conversations.active.turns == []


def test_the_first_answer_after_the_start_says_why_it_takes_longer(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    open_window.questions.slow_timer.setInterval(0)
    ask(qtbot, open_window, "why?")
    said = open_window.answer_panel.answer_text
    qtbot.waitUntil(lambda: "first question after the start takes longer" in said.toPlainText())
    service.reply(open_window.session, make_answer_view("why?"))
    ask(qtbot, open_window, "and then?")
    assert not open_window.questions.slow_timer.isActive()
