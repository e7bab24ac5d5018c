"""The log window by mouse and key, and the report for a fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.gui.help.help_link import HelpLink
from desktop_qa.gui.help.help_windows import LogWindow
from desktop_qa.gui.session import LibrarySession
from desktop_qa.paths import log_folder
from tests.gui.fake_service import FakeService

_LINES = (
    "2026-01-01 00:00:00.000 | INFO | window | desktop_qa.gui | started",
    "2026-01-01 00:00:01.000 | WARNING | library | desktop_qa.library.reader | page 3 lost",
    "2026-01-01 00:00:02.000 | ERROR | library | desktop_qa.service | Request ask failed",
)


@pytest.fixture
def help_link(make_parts: Callable[..., QWidget]) -> HelpLink:
    log_folder().mkdir(parents=True)
    (log_folder() / "window.log").write_text("\n".join(_LINES) + "\n")
    return HelpLink(make_parts())


@pytest.fixture
def log(help_link: HelpLink) -> LogWindow:
    help_link.show_log()
    assert help_link.log_window.isVisible()
    return help_link.log_window


def test_lines_are_filtered_by_level_and_words_and_copied(qtbot: QtBot, log: LogWindow) -> None:
    assert log.view.toPlainText().count("\n") == 2
    qtbot.keyClick(log.level_box, Qt.Key.Key_Down)
    assert [line.message for line in log.shown] == ["page 3 lost", "Request ask failed"]
    qtbot.keyClicks(log.search_edit, "PAGE")
    assert log.count_label.text() == "1 of 3 lines"
    qtbot.mouseClick(log.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().endswith("page 3 lost")


def test_new_lines_are_followed_unless_switched_off(qtbot: QtBot, log: LogWindow) -> None:
    log._timer.setInterval(20)
    with (log_folder() / "window.log").open("a") as stream:
        stream.write(_LINES[0].replace("00:00.000", "00:03.000").replace("started", "more") + "\n")
    qtbot.waitUntil(lambda: "more" in log.view.toPlainText())
    qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    assert not log._timer.isActive()
    qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    assert log._timer.isActive()
    log.close()
    assert not log._timer.isActive()


def test_diagnostics_are_copied_without_names_of_documents(
    qtbot: QtBot, help_link: HelpLink, service: FakeService
) -> None:
    service.replies |= {
        "measure_library": LibrarySize(1000, 200, 30),
        "folders": (FolderState(str(Path.home() / "sheets"), True, 4),),
    }
    help_link.copy_diagnostics()
    area = help_link._messages
    qtbot.waitUntil(lambda: any("copied" in b.notice.message for b in area.banners))
    text = QGuiApplication.clipboard().text()
    assert "4 documents (1 failed, 1 indexing, 1 reading, 1 ready)" in text
    assert "bytes: 1000 text, 200 index, 30 figures" in text
    assert "offscreen" in text
    for name in ("OPA4197", "internal_spec", "password", str(Path.home()), "sheets"):
        assert name not in text


def test_diagnostics_without_a_library_say_so(
    qtbot: QtBot, session: LibrarySession, log: LogWindow
) -> None:
    session.library = None
    qtbot.mouseClick(log.diagnostics_button, Qt.MouseButton.LeftButton)
    assert "none is open" in QGuiApplication.clipboard().text()
