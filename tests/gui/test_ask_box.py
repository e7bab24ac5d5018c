from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from pytestqt.qtbot import QtBot

from desktop_qa.gui.ask_box import EMPTY_HINT, AskBox


@pytest.fixture
def box(qtbot: QtBot) -> AskBox:
    made = AskBox()
    qtbot.addWidget(made)
    made.resize(420, 120)
    made.show()
    return made


def test_enter_asks(qtbot: QtBot, box: AskBox) -> None:
    qtbot.keyClicks(box.edit, "  Why? ")
    with qtbot.waitSignal(box.asked) as asked:
        qtbot.keyClick(box.edit, Qt.Key.Key_Return)
    assert asked.args == ["Why?", ()]


def test_shift_enter_breaks_the_line(qtbot: QtBot, box: AskBox) -> None:
    qtbot.keyClicks(box.edit, "a")
    with qtbot.assertNotEmitted(box.asked):
        qtbot.keyClick(box.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(box.edit, "b")
    assert len(box.edit.toPlainText().splitlines()) == 2


def test_an_empty_question_gets_a_hint_until_something_is_typed(qtbot: QtBot, box: AskBox) -> None:
    with qtbot.assertNotEmitted(box.asked):
        qtbot.mouseClick(box.ask_button, Qt.MouseButton.LeftButton)
    assert box.hint_label.text() == EMPTY_HINT
    assert box.hint_label.isVisible()
    qtbot.keyClicks(box.edit, "W")
    assert not box.hint_label.isVisible()


def test_the_box_grows_to_five_lines(box: AskBox) -> None:
    heights = []
    for n_lines in (1, 3, 5, 9):
        box.edit.setPlainText("\n".join("x" * n_lines))
        heights.append(box.edit.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_up_and_down_recall_questions_in_an_empty_box(qtbot: QtBot, box: AskBox) -> None:
    for question in ("First?", "Second?"):
        box.remember(question)
    keys = Qt.Key
    seen = []
    for key in (keys.Key_Up, keys.Key_Up, keys.Key_Up, keys.Key_Down, keys.Key_Down):
        qtbot.keyClick(box.edit, key)
        seen.append(box.edit.toPlainText())
    assert seen == ["Second?", "First?", "First?", "Second?", ""]


def test_up_in_a_typed_question_moves_the_cursor_only(qtbot: QtBot, box: AskBox) -> None:
    box.remember("First?")
    qtbot.keyClicks(box.edit, "mine")
    qtbot.keyClick(box.edit, Qt.Key.Key_Up)
    assert box.edit.toPlainText() == "mine"


def test_the_button_stops_while_an_answer_is_sought(qtbot: QtBot, box: AskBox) -> None:
    box.set_asking(True)
    assert box.ask_button.text() == "Stop"
    with qtbot.waitSignal(box.stop_requested):
        qtbot.mouseClick(box.ask_button, Qt.MouseButton.LeftButton)


def test_what_was_typed_since_stays_when_the_answer_comes(box: AskBox) -> None:
    box.edit.setPlainText("The next one")
    box.clear_answered("The first one")
    assert box.edit.toPlainText() == "The next one"
    box.clear_answered("The next one")
    assert box.edit.toPlainText() == ""


def test_dropped_files_are_left_to_the_window(box: AskBox) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/documents")])
    assert not box.edit.canInsertFromMimeData(data)
    text = QMimeData()
    text.setText("a question")
    assert box.edit.canInsertFromMimeData(text)
