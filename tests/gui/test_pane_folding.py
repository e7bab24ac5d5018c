"""A window too narrow for all its panes shows those that matter, each whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_qa.core.question import Question
from desktop_qa.gui.arrangement import PaneButton, n_with_room
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import FakeService
from tests.gui.sample_answers import table_answer

HALF, SLIM, WIDE = 683, 455, 1366


def shown(window: MainWindow) -> set[str]:
    return {name.removeprefix("show_") for name, pane in window.panes().items() if pane.isVisible()}


def widen(window: MainWindow, qtbot: QtBot, width: int) -> None:
    window.resize(width, 700)
    qtbot.waitUntil(lambda: window.splitter.width() == width)


def press(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(window, key)


@pytest.fixture
def wide(open_window: MainWindow, qtbot: QtBot) -> MainWindow:
    open_window.activateWindow()
    widen(open_window, qtbot, WIDE)
    open_window.ask_box.setFocus()
    return open_window


@pytest.mark.parametrize(
    ("room", "expected"), [(0, 1), (340, 1), (620, 1), (621, 2), (841, 2), (842, 3), (2000, 3)]
)
def test_panes_come_one_by_one_with_the_room(room: int, expected: int) -> None:
    assert n_with_room((340, 280, 220), 1, room) == expected


def test_panes_fold_for_want_of_room_and_come_back_as_they_were(
    wide: MainWindow, qtbot: QtBot
) -> None:
    # A folded pane comes when wanted and another goes.
    assert shown(wide) == {"answer", "viewer", "library"}
    widen(wide, qtbot, HALF)
    assert shown(wide) == {"answer", "viewer"}
    assert not wide.action("show_library").isChecked()
    assert all(pane.width() >= pane.minimumWidth() for pane in (wide.answer_pane, wide.pdf_panel))
    press(wide, Qt.Key.Key_F8)
    # The keyboard is in the box for questions: its pane stays.
    assert shown(wide) == {"answer", "library"}
    press(wide, Qt.Key.Key_F10)
    assert shown(wide) == {"answer", "viewer"}

    # Room brings the folded panes back as wide as they were.
    widen(wide, qtbot, WIDE)
    wide.splitter.setSizes([300, 500, 564])
    before = wide.splitter.sizes()
    widen(wide, qtbot, SLIM)
    assert shown(wide) == {"answer"}
    widen(wide, qtbot, HALF)
    widen(wide, qtbot, WIDE)
    assert wide.splitter.sizes() == before
    # One that the user put away stays away.
    press(wide, Qt.Key.Key_F8)
    widen(wide, qtbot, SLIM)
    widen(wide, qtbot, WIDE)
    assert shown(wide) == {"answer", "viewer"}


def test_the_keyboard_goes_to_the_pane_that_comes_and_what_is_folded_at_the_end_comes_again(
    wide: MainWindow, qtbot: QtBot, settings: QSettings
) -> None:
    widen(wide, qtbot, SLIM)
    press(wide, Qt.Key.Key_F8)
    assert shown(wide) == {"library"}
    assert wide.library_panel.tree.hasFocus()
    press(wide, Qt.Key.Key_F9)
    assert shown(wide) == {"answer"}
    assert wide.ask_box.isAncestorOf(wide.focusWidget())

    widen(wide, qtbot, SLIM)
    wide.close()
    for name in ("library", "answer", "viewer"):
        assert settings.value(f"window/show_{name}_action") == "shown"


def test_the_switch_shows_and_hides_the_panes_but_the_last_one_stays(
    wide: MainWindow, qtbot: QtBot
) -> None:
    buttons = wide.menuBar().findChildren(PaneButton)
    assert [button.isChecked() for button in buttons] == [True, True, True]
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert shown(wide) == {"answer", "viewer"}
    assert not buttons[0].isChecked()
    press(wide, Qt.Key.Key_F8)
    assert buttons[0].isChecked()

    for key in (Qt.Key.Key_F8, Qt.Key.Key_F10, Qt.Key.Key_F9):
        press(wide, key)
    assert shown(wide) == {"answer"}
    assert wide.action("show_answer").isChecked()


def test_what_is_shown_in_a_narrow_window_is_what_is_wanted(
    wide: MainWindow, qtbot: QtBot, service: FakeService
) -> None:
    # A document brought back into a narrow window has its width in a wide one.
    wide.tear_off.set_torn_off(True)
    widen(wide, qtbot, SLIM)
    assert not wide.side_bar.isVisible()
    wide.tear_off.set_torn_off(False)
    widen(wide, qtbot, WIDE)
    assert shown(wide) == {"answer", "viewer", "library"}
    assert wide.document_pane.width() > 400

    # An answer stays where one pane has room until its place is wanted.
    widen(wide, qtbot, SLIM)
    wide.session.ask(Question("What is the offset voltage?"))
    service.answer("ask", table_answer())
    view = table_answer().evidence[0]
    qtbot.waitUntil(lambda: wide.answer_panel.view is not None)
    wide.citations.place_shown.emit(view)
    assert shown(wide) == {"answer"}
    wide.answer_panel.answer_text.setFocus()
    wide.citations.place_shown.emit(view)
    assert shown(wide) == {"viewer"}
