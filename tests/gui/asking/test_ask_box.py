from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl

from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.gui.asking.ask_box import EMPTY_HINT, AskBox, BoxMode
from desktop_qa.gui.asking.question_edit import MAX_CHARACTERS
from desktop_qa.gui.conversations.conversation_model import TurnState
from desktop_qa.gui.library.scope_model import ScopeEntry
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.theme import LIGHT, TextSizes, style_sheet
from tests.gui.fake_service import (
    FakeService,
    make_answer_view,
    make_library,
    make_progress,
    make_report,
    make_status,
)
from tests.gui.patient_bot import ask, on_screen

_STATUSES = tuple(
    make_status(f"{part}.pdf", DocumentState.WAITING, part_numbers=(part,))
    for part in ("ORA217", "ORL3305")
)


@pytest.fixture
def box(qtbot) -> AskBox:
    return on_screen(qtbot, AskBox(), 420, 120)


def test_enter_asks(qtbot, box):
    qtbot.keyClicks(box.edit, "  Why? ")
    with qtbot.waitSignal(box.asked) as asked:
        qtbot.keyClick(box.edit, Qt.Key.Key_Return)
    assert asked.args == [Question("Why?")]


def test_shift_enter_breaks_the_line(qtbot, box):
    qtbot.keyClicks(box.edit, "a")
    with qtbot.assertNotEmitted(box.asked):
        qtbot.keyClick(box.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(box.edit, "b")
    assert len(box.edit.toPlainText().splitlines()) == 2


def test_an_empty_question_gets_a_hint_until_something_is_typed(qtbot, box):
    with qtbot.assertNotEmitted(box.asked):
        qtbot.mouseClick(box.ask_button, Qt.MouseButton.LeftButton)
    assert box.hint_label.text() == EMPTY_HINT
    assert box.hint_label.isVisible()
    qtbot.keyClicks(box.edit, "W")
    assert not box.hint_label.isVisible()


def test_the_box_grows_to_five_lines(box):
    heights = []
    for n_lines in (1, 3, 5, 9):
        box.edit.setPlainText("\n".join("x" * n_lines))
        heights.append(box.edit.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_up_and_down_recall_questions_in_an_empty_box(qtbot, box):
    for question in ("First?", "Second?"):
        box.remember(question)
    keys = Qt.Key
    seen = []
    for key in (keys.Key_Up, keys.Key_Up, keys.Key_Up, keys.Key_Down, keys.Key_Down):
        qtbot.keyClick(box.edit, key)
        seen.append(box.edit.toPlainText())
    assert seen == ["Second?", "First?", "First?", "Second?", ""]


def test_up_in_a_typed_question_moves_the_cursor_only(qtbot, box):
    box.remember("First?")
    qtbot.keyClicks(box.edit, "mine")
    qtbot.keyClick(box.edit, Qt.Key.Key_Up)
    assert box.edit.toPlainText() == "mine"


def test_the_button_stops_while_an_answer_is_sought(qtbot, box):
    box.set_asking(True)
    assert box.ask_button.text() == "Stop"
    with qtbot.waitSignal(box.stop_requested):
        qtbot.mouseClick(box.ask_button, Qt.MouseButton.LeftButton)


def test_dropped_files_are_left_to_the_window(box):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/documents")])
    assert not box.edit.canInsertFromMimeData(data)
    text = QMimeData()
    text.setText("a question")
    assert box.edit.canInsertFromMimeData(text)


# Text that comes and goes


def test_the_box_grows_to_a_third_of_its_pane_and_then_scrolls(box):
    box.set_room(900)
    box.edit.setPlainText("\n".join("x" * 8))
    grown = box.edit.height()
    assert box.edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    box.edit.setPlainText("\n".join("x" * 60))
    assert grown < box.edit.height() <= 300
    assert box.edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
    box.set_room(300)
    assert box.edit.height() < grown


def test_a_long_paragraph_grows_the_box_as_soon_as_it_is_pasted(box):
    box.set_room(900)
    one_line = box.edit.height()
    data = QMimeData()
    data.setText("offset " * 2_000)  # one paragraph: its lines are broken by the box alone
    box.edit.insertFromMimeData(data)
    assert box.edit.height() > 5 * one_line


def test_a_short_question_is_seen_after_a_long_one_was_taken_away(box):
    box.setStyleSheet(style_sheet(LIGHT, TextSizes.around(13)))
    box.set_room(900)
    for text in ("offset " * 2_000, "\n" * 200 + "😀 الجهد"):
        data = QMimeData()
        data.setText(text)
        box.edit.insertFromMimeData(data)
        box.edit.replace_text("")
        box.edit.insertPlainText("What is it?")
        bar = box.edit.verticalScrollBar()
        assert bar.value() == bar.maximum() == 0
        assert box.edit.cursorRect().top() >= 0
        assert box.edit.cursorRect().bottom() <= box.edit.viewport().height()


def test_formatted_text_is_pasted_plain(box):
    data = QMimeData()
    data.setHtml("<b>Supply</b> <i>voltage</i><img src='file:///etc/passwd'>")
    box.edit.insertFromMimeData(data)
    assert box.edit.toPlainText().replace("\ufffc", "").strip() == "Supply voltage"


def test_a_long_paste_is_cut_with_a_sentence_and_undone(qtbot, box):
    qtbot.keyClicks(box.edit, "before")
    data = QMimeData()
    data.setText("offset " * 15_000)
    box.edit.insertFromMimeData(data)
    assert len(box.edit.toPlainText()) == MAX_CHARACTERS
    assert "only its beginning" in box.hint_label.text()
    box.edit.undo()
    assert box.edit.toPlainText() == "before"


def test_undo_brings_back_what_was_taken_away(qtbot, box):
    box.remember("First?")
    qtbot.keyClick(box.edit, Qt.Key.Key_Up)
    assert box.edit.toPlainText() == "First?"
    box.edit.replace_text("")
    assert box.edit.toPlainText() == ""
    box.edit.undo()
    assert box.edit.toPlainText() == "First?"


def test_backspace_in_front_takes_the_last_chip(qtbot, box):
    box.scope_bar.set_entries([ScopeEntry("/a", "a"), ScopeEntry("/b", "b")])
    qtbot.keyClicks(box.edit, "x")
    qtbot.keyClick(box.edit, Qt.Key.Key_Backspace)
    assert box.scope == ("/a", "/b")
    qtbot.keyClick(box.edit, Qt.Key.Key_Backspace)
    assert box.scope == ("/a",)


# Ask or search


def test_a_switch_makes_the_box_search(qtbot, box):
    qtbot.keyClicks(box.edit, "supply voltage")
    with qtbot.waitSignal(box.mode_changed) as changed:
        qtbot.mouseClick(box.mode_switch.buttons[BoxMode.SEARCH], Qt.MouseButton.LeftButton)
    assert changed.args == [BoxMode.SEARCH]
    assert box.ask_button.text().strip() == "Search"
    assert box.edit.toPlainText() == "supply voltage"
    with qtbot.waitSignal(box.searched) as searched, qtbot.assertNotEmitted(box.asked):
        qtbot.keyClick(box.edit, Qt.Key.Key_Return)
    assert searched.args == ["supply voltage"]


def test_each_mode_keeps_its_own_text(qtbot, box):
    qtbot.keyClicks(box.edit, "What is it?")
    box.set_mode(BoxMode.SEARCH)
    box.edit.replace_text("kind:table offset")
    box.set_mode(BoxMode.ASK)
    assert box.edit.toPlainText() == "What is it?"
    box.set_mode(BoxMode.SEARCH)
    assert box.edit.toPlainText() == "kind:table offset"


def test_the_arrow_keys_move_the_switch(qtbot, box):
    ask = box.mode_switch.buttons[BoxMode.ASK]
    ask.setFocus()
    qtbot.keyClick(ask, Qt.Key.Key_Right)
    assert box.mode is BoxMode.SEARCH


@pytest.fixture
def reading(window, service) -> MainWindow:
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


def test_a_question_is_asked_as_soon_as_the_first_document_is_ready(qtbot, reading, service):
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
    qtbot, reading, service
):
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


def test_the_first_answer_after_the_start_says_why_it_takes_longer(qtbot, open_window, service):
    open_window.questions.slow_timer.setInterval(0)
    ask(qtbot, open_window, "why?")
    said = open_window.answer_panel.answer_text
    qtbot.waitUntil(lambda: "first question after the start takes longer" in said.toPlainText())
    service.reply(open_window.session, make_answer_view("why?"))
    ask(qtbot, open_window, "and then?")
    assert not open_window.questions.slow_timer.isActive()
