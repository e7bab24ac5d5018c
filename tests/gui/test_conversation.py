"""The window's conversation: questions go on from each other until another one begins."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop_qa.core.question import Question
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import QUESTION, FakeService, make_answer_view, make_library


def conversations(service: FakeService) -> list[str]:
    return [question.conversation for question in service.questions]


def answered(qtbot: QtBot, window: MainWindow, service: FakeService, question: str) -> None:
    window.session.ask(Question(question))
    with qtbot.waitSignal(window.session.question_answered):
        service.answer("ask", make_answer_view(question))


def test_questions_of_a_window_are_one_conversation(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    answered(qtbot, open_window, service, QUESTION)
    answered(qtbot, open_window, service, "and at 125 °C?")
    first, second = conversations(service)
    assert first == second != ""
    assert [question.alone for question in service.questions] == [False, False]


def test_a_new_conversation_begins_with_the_start_page_and_the_keyboard_in_the_box(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    answered(qtbot, open_window, service, QUESTION)
    action = open_window.action("new_conversation")
    assert action.shortcut().toString() == "Ctrl+Shift+N"
    action.trigger()
    assert open_window.start_page.isVisibleTo(open_window)
    assert not open_window.answer_panel.isVisibleTo(open_window)
    answered(qtbot, open_window, service, "and at 125 °C?")
    first, second = conversations(service)
    assert first != second
    assert open_window.answer_panel.isVisibleTo(open_window)


def test_a_follow_up_can_be_asked_alone(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    answered(qtbot, open_window, service, QUESTION)
    open_window.questions.ask("what about the package?", alone=True)
    assert service.questions[-1].text == "what about the package?"
    assert service.questions[-1].alone
    assert len(set(conversations(service))) == 1


def test_another_library_has_a_conversation_of_its_own(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    before = open_window.session.conversation
    open_window.session.library_opened.emit(open_window.session.library)
    assert open_window.session.conversation == before
    with qtbot.waitSignal(open_window.session.library_opened):
        service.replies["open_library"] = make_library(folder="/libraries/other")
        open_window.session.open_library(Path("/libraries/other"))
    assert open_window.session.conversation != before
