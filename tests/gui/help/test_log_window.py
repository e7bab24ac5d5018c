"""The log window by mouse and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.gui.help.log_window import LogWindow
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.paths import log_folder
from tests.gui.fake_service import FakeService

_LINES = (
    "2026-01-01 00:00:00.000 | INFO | window | desktop_qa.gui | started",
    "2026-01-01 00:00:01.000 | WARNING | library | desktop_qa.library.reader | page 3 lost",
    "2026-01-01 00:00:02.000 | ERROR | library | desktop_qa.service | Request ask failed",
)


@pytest.fixture
def log(qtbot: QtBot, window: MainWindow) -> LogWindow:
    log_folder().mkdir(parents=True)
    (log_folder() / "window.log").write_text("\n".join(_LINES) + "\n")
    window.action("log").trigger()
    made = window.help.log_window
    assert made is not None
    assert made.isVisible()
    return made


def test_lines_are_filtered_by_level_and_words(qtbot: QtBot, log: LogWindow) -> None:
    assert log.view.toPlainText().count("\n") == 2
    qtbot.keyClick(log.level_box, Qt.Key.Key_Down)
    assert [line.message for line in log.shown] == ["page 3 lost", "Request ask failed"]
    qtbot.keyClicks(log.search_edit, "PAGE")
    assert "page 3 lost" in log.view.toPlainText()
    assert log.count_label.text() == "1 of 3 lines"


def test_new_lines_are_followed_unless_switched_off(qtbot: QtBot, log: LogWindow) -> None:
    log._timer.setInterval(20)
    file = log_folder() / "window.log"
    with file.open("a") as stream:
        stream.write(_LINES[0].replace("00:00.000", "00:03.000").replace("started", "more") + "\n")
    qtbot.waitUntil(lambda: "more" in log.view.toPlainText())
    qtbot.mouseClick(log.follow_box, Qt.MouseButton.LeftButton, pos=log.follow_box.rect().center())
    qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    if log.follow_box.isChecked():
        qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    assert not log._timer.isActive()
    log.close()
    assert not log._timer.isActive()


def test_lines_are_copied(qtbot: QtBot, log: LogWindow) -> None:
    log.level_box.setCurrentIndex(2)
    qtbot.mouseClick(log.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().endswith("Request ask failed")


def test_diagnostics_are_copied_without_names_of_documents(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    service.replies |= {
        "measure_library": LibrarySize(1000, 200, 30),
        "folders": (FolderState(str(Path.home() / "sheets"), True, 4),),
    }
    open_window.action("copy_diagnostics").trigger()
    area = open_window.message_area
    qtbot.waitUntil(lambda: any("copied" in b.notice.message for b in area.banners))
    text = QGuiApplication.clipboard().text()
    assert "4 documents (1 failed, 1 indexing, 1 reading, 1 ready)" in text
    assert "bytes: 1000 text, 200 index, 30 figures" in text
    assert "offscreen" in text
    for name in ("OPA4197", "internal_spec", "password", str(Path.home()), "sheets"):
        assert name not in text


def test_diagnostics_without_a_library_say_so(qtbot: QtBot, log: LogWindow) -> None:
    qtbot.mouseClick(log.diagnostics_button, Qt.MouseButton.LeftButton)
    assert "none is open" in QGuiApplication.clipboard().text()
