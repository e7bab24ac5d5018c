"""The window comes back as it was left, and well whatever was kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.question import Question
from desktop_qa.gui.application import Application
from desktop_qa.gui.arrangement import PaneButton, n_with_room
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.screens import bring_onto_screen, onto_screens, resize_within_screen
from desktop_qa.gui.widgets.theme import DARK, LIGHT, ThemeChoice, look
from tests.gui.fake_service import FakeService
from tests.gui.sample_answers import table_answer

ROOM = QRect(0, 0, 1920, 1040)
SECOND = QRect(1920, 0, 1366, 728)
HALF, SLIM, WIDE = 683, 455, 1366


@pytest.fixture
def start(qtbot, qapp, settings, plain_looks) -> Callable[[], tuple[Application, MainWindow]]:
    """Start the window once more over the same settings."""

    def start() -> tuple[Application, MainWindow]:
        application = Application(qapp, FakeService(), settings)
        qtbot.addWidget(application.window)
        application.window.show()
        qtbot.waitExposed(application.window)
        return application, application.window

    return start


Start = Callable[[], tuple[Application, MainWindow]]


def close(application: Application) -> None:
    application.window.close()
    application.close()


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (QRect(100, 100, 800, 600), QRect(100, 100, 800, 600)),
        (QRect(2000, 50, 800, 600), QRect(2000, 50, 800, 600)),
        # Its screen is gone: into the middle of the main one, no larger than that.
        (QRect(4000, 50, 800, 600), QRect(560, 220, 800, 600)),
        (QRect(0, -3000, 4000, 3000), ROOM),
        # Only its lower edge can be seen: no hand can take it by its title.
        (QRect(100, -590, 800, 600), QRect(560, 220, 800, 600)),
    ],
)
def test_a_window_is_where_a_hand_can_take_it(frame, expected):
    assert onto_screens(frame, [ROOM, SECOND]) == expected


def test_widths_and_theme_come_back_and_a_window_off_screen_is_brought_back(start):
    # Widths and hidden panes come back.
    application, window = start()
    window.splitter.setSizes([250, 300, 300])
    width = window.splitter.sizes()[0]
    window.action("show_answer").setChecked(False)
    close(application)
    application, window = start()
    assert window.splitter.widget(1).isHidden()
    window.action("show_answer").setChecked(True)
    assert window.splitter.sizes()[0] == pytest.approx(width, abs=8)
    assert min(window.splitter.sizes()) > 100
    close(application)

    # The theme chosen is kept.
    application, window = start()
    window.action("theme_dark").trigger()
    assert look.theme is DARK
    close(application)
    application, window = start()
    assert look.theme is DARK
    assert window.action("theme_dark").isChecked()
    window.action("theme_light").trigger()
    assert look.theme is LIGHT
    close(application)

    # A window outside of every screen is brought back.
    application, window = start()
    window.setGeometry(90_000, 90_000, 900, 600)
    bring_onto_screen(window)
    assert QGuiApplication.primaryScreen().availableGeometry().contains(window.geometry().center())
    close(application)

    # The answer lends its width to pages with something beside them.
    application, window = start()
    window.resize(1366, 768)
    window.stack.setCurrentWidget(window.splitter)
    window.splitter.setSizes([272, 525, 567])
    before = window.splitter.sizes()
    pages = window.pdf_panel
    pages.show_side_bar(True, without_pages=True)
    during = window.splitter.sizes()
    assert during[0] == before[0]
    assert during[2] > before[2]
    assert during[1] >= 400
    pages.show_side_bar(False)
    assert window.splitter.sizes() == before
    pages.show_side_bar(True, without_pages=True)
    window.splitter.setSizes([272, 480, 612])
    chosen = window.splitter.sizes()
    pages.show_side_bar(False)
    assert window.splitter.sizes() == chosen
    close(application)


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"not a state",
        b"\x00\x00\x00\xff" * 40,
        bytes(range(256)) * 20,
    ],
)
def test_a_damaged_state_gives_the_window_of_a_first_start(start, settings, kept):
    for key in ("window/geometry", "window/panes"):
        settings.setValue(key, QByteArray(kept))
    settings.setValue("window/n_panes", 3)
    settings.setValue("window/side_bar", "no such tab")
    settings.setValue("window/theme", "no such theme")
    application, window = start()
    assert window.width() >= window.minimumSizeHint().width()
    assert min(window.splitter.sizes()) > 100
    assert application.keeper.choice is ThemeChoice.SYSTEM
    close(application)


def test_widths_of_a_version_with_other_panes_are_not_taken_nor_a_window_without_any(
    start, settings
):
    application, window = start()
    window.splitter.setSizes([700, 300, 300])
    close(application)
    settings.setValue("window/n_panes", 4)
    for name in ("library", "answer", "viewer"):
        settings.setValue(f"window/show_{name}_action", "hidden")
    application, window = start()
    assert all(window.action(f"show_{n}").isChecked() for n in ("library", "answer", "viewer"))
    assert window.splitter.sizes()[0] < 400
    close(application)


def test_no_window_is_larger_than_its_screen(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    resize_within_screen(window, 90_000, 300)
    assert (window.width(), window.height()) == (room.width(), 300)


def shown(window: MainWindow) -> set[str]:
    return {name.removeprefix("show_") for name, pane in window.panes().items() if pane.isVisible()}


def widen(window: MainWindow, qtbot: QtBot, width: int) -> None:
    window.resize(width, 700)
    qtbot.waitUntil(lambda: window.splitter.width() == width)


def press(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(window, key)


@pytest.fixture
def wide(open_window, qtbot) -> MainWindow:
    open_window.activateWindow()
    widen(open_window, qtbot, WIDE)
    open_window.ask_box.setFocus()
    return open_window


@pytest.mark.parametrize(
    ("room", "expected"), [(0, 1), (340, 1), (620, 1), (621, 2), (841, 2), (842, 3), (2000, 3)]
)
def test_panes_come_one_by_one_with_the_room(room, expected):
    assert n_with_room((340, 280, 220), 1, room) == expected


def test_panes_fold_for_want_of_room_and_come_back_as_they_were(wide, qtbot):
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
    wide, qtbot, settings
):
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


def test_the_switch_shows_and_hides_the_panes_but_the_last_one_stays(wide, qtbot):
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


def test_what_is_shown_in_a_narrow_window_is_what_is_wanted(wide, qtbot, service):
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
