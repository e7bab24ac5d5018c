"""What is offered while somebody types, in the whole window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.suggestion import Suggestion, SuggestionKind
from desktop_qa.gui.application import Application
from desktop_qa.gui.asking.suggestion_list import SuggestionList, heading_of
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import FakeService

PART = Suggestion(SuggestionKind.PART, "OPA4197", "Precision amplifier", 14, 17, ((0, 3),))
TABLE = Suggestion(SuggestionKind.TABLE, "OPA197 EMIRR", "TI_OPA4197.pdf", 14, 17, ((0, 3),))
QUESTION = Suggestion(SuggestionKind.QUESTION, "What is the OPA4197?", "", 0, 17, ((12, 15),))
TYPED = "What is an ic opa"


@pytest.fixture
def offered(qtbot: QtBot, open_window: MainWindow, service: FakeService) -> MainWindow:
    """A window in which something is typed and something offered."""
    open_window.resize(1300, 800)
    open_window.activateWindow()
    open_window.ask_box.setFocus()
    qtbot.waitUntil(open_window.ask_box.edit.hasFocus)
    service.replies["suggest"] = (PART, TABLE, QUESTION)
    qtbot.keyClicks(open_window.ask_box.edit, TYPED)
    qtbot.waitUntil(list_of(open_window).isVisible)
    return open_window


def list_of(window: MainWindow) -> SuggestionList:
    return window.suggestions.list


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(window.ask_box.edit, key)


def text_of(window: MainWindow) -> str:
    return window.ask_box.edit.toPlainText()


def test_the_list_lies_above_the_text_and_takes_no_focus(
    offered: MainWindow, service: FakeService
) -> None:
    shown = list_of(offered)
    below = shown.mapToGlobal(QPoint(0, shown.height())).y()
    assert below <= offered.ask_box.mapToGlobal(QPoint(0, 0)).y()
    assert offered.ask_box.edit.hasFocus()
    assert shown.chosen is None
    headings = [heading_of(shown.model.index(row, 0)) for row in range(3)]
    assert headings == ["Parts", "Tables", "Asked before"]
    assert text_of(offered) == TYPED
    assert service.arguments_of("suggest")[-1] == (TYPED, len(TYPED))


def test_one_question_goes_out_for_many_keys(offered: MainWindow, service: FakeService) -> None:
    assert len(service.arguments_of("suggest")) < len(TYPED)


def test_enter_without_a_choice_asks_what_is_typed(
    qtbot: QtBot, offered: MainWindow, service: FakeService
) -> None:
    press(qtbot, offered, Qt.Key.Key_Return)
    assert service.questions[0].text == TYPED
    assert not list_of(offered).isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Tab])
def test_a_part_completes_the_word_at_the_caret(
    qtbot: QtBot, offered: MainWindow, service: FakeService, key: Qt.Key
) -> None:
    press(qtbot, offered, Qt.Key.Key_Down)
    assert list_of(offered).chosen == PART
    press(qtbot, offered, key)
    assert text_of(offered) == "What is an ic OPA4197"
    assert offered.ask_box.edit.hasFocus()
    assert not list_of(offered).isVisible()
    assert not service.arguments_of("ask")
    offered.ask_box.edit.undo()
    assert text_of(offered) == TYPED


def test_up_begins_at_the_nearest_row_and_a_question_takes_the_place_of_all(
    qtbot: QtBot, offered: MainWindow
) -> None:
    press(qtbot, offered, Qt.Key.Key_Up)
    assert list_of(offered).chosen == QUESTION
    press(qtbot, offered, Qt.Key.Key_Return)
    assert text_of(offered) == "What is the OPA4197?"


def test_beyond_the_ends_nothing_is_chosen(qtbot: QtBot, offered: MainWindow) -> None:
    seen = []
    for _ in range(5):
        press(qtbot, offered, Qt.Key.Key_Down)
        seen.append(list_of(offered).chosen)
    assert seen == [PART, TABLE, QUESTION, None, PART]


def test_escape_closes_the_list_and_leaves_the_text(qtbot: QtBot, offered: MainWindow) -> None:
    press(qtbot, offered, Qt.Key.Key_Escape)
    assert not list_of(offered).isVisible()
    assert text_of(offered) == TYPED


def test_a_click_takes_a_row(qtbot: QtBot, offered: MainWindow) -> None:
    view = list_of(offered).view
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert text_of(offered) == "What is an ic OPA197 EMIRR"
    assert offered.ask_box.edit.hasFocus()


def test_tab_without_a_choice_goes_on_and_closes_the_list(
    qtbot: QtBot, offered: MainWindow
) -> None:
    press(qtbot, offered, Qt.Key.Key_Tab)
    assert text_of(offered) == TYPED
    assert not offered.ask_box.edit.hasFocus()
    assert not list_of(offered).isVisible()


def test_what_comes_late_is_dropped(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    edit = open_window.ask_box.edit
    edit.setFocus()
    qtbot.keyClicks(edit, "opa")
    qtbot.waitUntil(lambda: bool(service.arguments_of("suggest")))
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    service.answer("suggest", (PART,))
    qtbot.wait(30)
    assert not list_of(open_window).isVisible()


def test_a_library_that_cannot_offer_says_nothing(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    edit = open_window.ask_box.edit
    edit.setFocus()
    qtbot.keyClicks(edit, "opa")
    qtbot.waitUntil(lambda: bool(service.arguments_of("suggest")))
    service.fail("suggest", LibraryError("The library cannot be read."))
    qtbot.wait(30)
    assert not list_of(open_window).isVisible()
    said = [label.text() for label in open_window.message_area.findChildren(QLabel)]
    assert not any("cannot be read" in words for words in said)


def test_nothing_is_offered_while_it_is_switched_off(
    qtbot: QtBot, offered: MainWindow, service: FakeService
) -> None:
    offered.action("suggestions").trigger()
    assert not list_of(offered).isVisible()
    n_before = len(service.arguments_of("suggest"))
    qtbot.keyClicks(offered.ask_box.edit, "41")
    qtbot.wait(150)
    assert len(service.arguments_of("suggest")) == n_before


def test_the_switch_is_remembered(
    make_application: Callable[..., Application], settings: QSettings
) -> None:
    first = make_application(FakeService()).window
    assert first.action("suggestions").isChecked()
    first.action("suggestions").trigger()
    again = make_application(FakeService()).window
    assert not again.action("suggestions").isChecked()
    assert not again.suggestions.is_on


def test_the_box_follows_the_height_of_its_pane(qtbot: QtBot, open_window: MainWindow) -> None:
    edit = open_window.ask_box.edit
    open_window.resize(1300, 900)
    edit.setPlainText("\n".join("x" * 60))
    qtbot.waitUntil(lambda: edit.height() > 150)
    assert edit.height() <= open_window.height() / 3
