from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.widgets.find_bar import FindBar

_ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    host = QWidget()
    qtbot.addWidget(host)
    return host


@pytest.fixture
def bar(qtbot: QtBot, host: QWidget) -> FindBar:
    bar, edit = FindBar(host), QPlainTextEdit("Gain gain regain gain_1 GAIN.", host)
    column = QVBoxLayout(host)
    column.addWidget(bar)
    column.addWidget(edit)
    bar.search_in(edit)
    host.show()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    bar.begin()
    return bar


def test_case_and_whole_words_narrow_the_search_by_their_buttons(
    qtbot: QtBot, bar: FindBar
) -> None:
    qtbot.keyClicks(bar.words_edit, "gain")
    assert bar.count_label.text() == "1 of 5"
    qtbot.mouseClick(bar.word_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text() == "1 of 3"
    qtbot.mouseClick(bar.case_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text() == "1 of 1"
    qtbot.mouseClick(bar.word_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text().endswith("of 3")


def test_case_and_whole_words_have_keys_that_type_nothing(qtbot: QtBot, bar: FindBar) -> None:
    qtbot.keyClicks(bar.words_edit, "Gain")
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_M, _ALT)
    assert bar.case_button.isChecked()
    assert bar.count_label.text() == "1 of 1"
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_W, _ALT)
    assert bar.word_button.isChecked()
    assert bar.words_edit.text() == "Gain"


def test_what_is_nowhere_is_marked_so(qtbot: QtBot, bar: FindBar) -> None:
    qtbot.keyClicks(bar.words_edit, "zebra")
    assert bar.count_label.text() == "Not found"
    assert bar.count_label.property("missing") is True
    bar.words_edit.clear()
    assert bar.count_label.text() == ""
    assert bar.count_label.property("missing") is False
