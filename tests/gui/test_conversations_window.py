"""Several conversations in the window: each by itself, all kept, none in another's way."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from desktop_qa.core.errors import Cancelled, HistoryError, LibraryError
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView, PastQuestion
from desktop_qa.core.viewed import Viewed
from desktop_qa.gui.asking.ask_box import BoxMode
from desktop_qa.gui.conversations.conversation_model import NEW_TITLE, ConversationState
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.service.messages import Failure, Result
from tests.gui.fake_service import FakeService, make_answer_view, make_library
from tests.gui.patient_bot import entry
from tests.gui.sample_answers import comparison_answer
from tests.helpers.made_answers import make_item, make_past, with_answer

_CONTROL = Qt.KeyboardModifier.ControlModifier


def titles(window: MainWindow) -> list[str]:
    return [tab.title for tab in window.conversation_tabs.tabs]


def states(window: MainWindow) -> list[ConversationState]:
    return [tab.state for tab in window.conversation_tabs.tabs]


def kept_view(question: str, number: int, conversation: str = "") -> AnswerView:
    view = make_answer_view(question)
    return with_answer(view, history_id=number, conversation=conversation)


def ask(window: MainWindow, question: str) -> None:
    """Type a question and press Enter."""
    window.ask_box.edit.setPlainText(question)
    QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)


def answer(window: MainWindow, service: FakeService, question: str, number: int = 0) -> None:
    ask(window, question)
    service.reply(window.session, kept_view(question, number, window.session.conversation))


def heading(window: MainWindow) -> str:
    return window.answer_panel.question_label.text()


def talk(window: MainWindow, service: FakeService) -> MainWindow:
    """Begin two conversations, the second one shown."""
    answer(window, service, "What is the offset of the A1?", 1)
    answer(window, service, "and the B2?", 2)
    window.action("new_tab").trigger()
    answer(window, service, "What is the gain of the C3?", 3)
    return window


def talk_anew(window: MainWindow, service: FakeService, library: str) -> None:
    """Begin them in another library, as if nothing had been asked before."""
    service.requests.clear()
    service.cancelled.clear()
    service.open(window.session, make_library(folder=f"/libraries/{library}"))
    talk(window, service)


@pytest.fixture
def talking(open_window, service) -> MainWindow:
    """A window with two conversations, the second one shown."""
    return talk(open_window, service)


def test_tabs_keep_what_is_theirs_are_closed_named_and_come_back(qtbot, talking, service):
    # Closing can be undone and loses nothing.
    talking.ask_box.edit.setPlainText("unfinished")
    QTest.keyClick(talking.ask_box.edit, Qt.Key.Key_W, _CONTROL)
    tabs = talking.conversation_tabs
    assert tabs.undo_button.isVisible()
    qtbot.mouseClick(tabs.undo_button, Qt.MouseButton.LeftButton)
    assert titles(talking) == ["Offset of the A1", "Gain of the C3"]
    assert talking.ask_box.edit.toPlainText() == "unfinished"
    assert not tabs.undo_button.isVisible()

    # By key only from its own pane.
    talking.library_panel.filter_edit.setFocus()
    QTest.keyClick(talking.library_panel.filter_edit, Qt.Key.Key_W, _CONTROL)
    assert len(titles(talking)) == 2
    talking.answer_panel.answer_text.setFocus()
    QTest.keyClick(talking.answer_panel.answer_text, Qt.Key.Key_W, _CONTROL)
    assert len(titles(talking)) == 1

    # The last one leaves an empty one.
    talking.action("close_tab").trigger()
    assert talking.start_page.isVisibleTo(talking)
    assert not talking.action("close_tab").isEnabled()
    talking.action("reopen_tab").trigger()
    talking.action("reopen_tab").trigger()
    assert titles(talking) == ["Offset of the A1", "Gain of the C3"]

    # The conversation that is shown is what is exported.
    assert talking.history.conversation == talking.session.conversation
    talking.action("previous_tab").trigger()
    assert talking.history.conversation == talking.session.conversations.all[0].id
    talking.action("new_tab").trigger()
    assert not talking.action("export_answer").isEnabled()
    assert not talking.action("export_conversation").isEnabled()

    # A tab is named by its action and the menu of a tab closes the others.
    talking.session.show_conversation(talking.session.conversations.all[1])
    talking.action("rename_tab").trigger()
    edit = talking.conversation_tabs.name_edit
    qtbot.keyClicks(edit, "Bench")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert titles(talking)[1] == "Bench"
    assert talking.ask_box.edit.hasFocus()

    talking.action("new_tab").trigger()
    first = talking.conversation_tabs.tabs[0]
    entry(talking.conversations.menu_of(first), "Close Others").trigger()
    assert titles(talking) == ["Offset of the A1"]

    talk_anew(talking, service, "second")
    talking.ask_box.edit.setPlainText("unfinished")
    QTest.keyClick(talking.ask_box.edit, Qt.Key.Key_PageUp, _CONTROL)
    assert heading(talking) == "and the B2?"
    assert talking.ask_box.edit.toPlainText() == ""
    assert talking.ask_box.edit.hasFocus()
    talking.ask_box.edit.setPlainText("another")
    bar = talking.conversation_tabs.bar
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert talking.ask_box.edit.toPlainText() == "unfinished"
    assert talking.ask_box.edit.hasFocus()
    QTest.keyClick(talking.ask_box.edit, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert talking.ask_box.edit.toPlainText() == "another"

    talking.action("next_tab").trigger()
    (status, *_) = talking.session.statuses
    entry(talking.care.menu_of(status), "ask_only").trigger()
    assert talking.ask_box.scope == ("/TI_OPA4197.pdf",)
    talking.action("previous_tab").trigger()
    assert talking.ask_box.scope == ()
    talking.action("next_tab").trigger()
    assert talking.ask_box.scope == ("/TI_OPA4197.pdf",)
    talking.action("new_tab").trigger()
    assert talking.ask_box.scope == ("/TI_OPA4197.pdf",)

    # A search is no unfinished question of any conversation.
    talking.ask_box.edit.setPlainText("of the second")
    talking.action("previous_tab").trigger()
    talking.ask_box.edit.setPlainText("of the first")
    talking.action("search_mode").trigger()
    talking.ask_box.edit.setPlainText("words to be found")
    assert not talking.follow_up_hint.isVisible()
    talking.action("next_tab").trigger()
    assert talking.ask_box.mode is BoxMode.ASK
    assert talking.ask_box.edit.toPlainText() == "of the second"
    talking.action("previous_tab").trigger()
    assert talking.ask_box.edit.toPlainText() == "of the first"
    assert talking.follow_up_hint.isVisible()

    talk_anew(talking, service, "third")
    talking.resize(1200, 420)
    bar = talking.answer_scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    place = talking.thread_view.place
    assert place > 0
    talking.action("previous_tab").trigger()
    earlier = talking.thread_view.earlier
    qtbot.waitUntil(lambda: bar.value() == earlier.geometry().bottom() - earlier.row_height - 3)
    assert talking.thread_view.place == 0
    talking.action("next_tab").trigger()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    assert talking.thread_view.place == place

    text = talking.answer_panel.answer_text
    qtbot.waitUntil(lambda: text.active_marker == 1)
    text.citation_clicked.emit(2)
    talking.action("previous_tab").trigger()
    qtbot.waitUntil(lambda: text.active_marker == 1)
    talking.action("next_tab").trigger()
    qtbot.waitUntil(lambda: text.active_marker == 2)
    # A viewer that was hidden stays so.
    talking.action("show_viewer").trigger()
    talking.action("previous_tab").trigger()
    qtbot.waitUntil(lambda: text.active_marker == 1)
    assert talking.document_pane.isHidden()


def test_questions_go_on_fail_and_are_edited_and_compared_in_their_own_conversation(
    talking, service, qtbot
):
    # A question that is given up or fails is not lost.
    ask(talking, "slow?")
    talking.action("close_tab").trigger()
    assert service.cancelled == [service.last_id("ask")]
    talking.action("reopen_tab").trigger()
    assert talking.ask_box.edit.toPlainText() == "slow?"

    ask(talking, "why?")
    talking.ask_box.edit.setPlainText("typed since")
    error = LibraryError("The disk is full.", "Free some space.")
    service.fail("ask", error, until=talking.session.turn_ended)
    assert talking.ask_box.edit.toPlainText() == "typed since"
    qtbot.mouseClick(talking.answer_panel.retry_button, Qt.MouseButton.LeftButton)
    conversation = talking.session.conversation
    again = Question("why?", conversation=conversation, goes_on_from=3, looks_at=Viewed())
    assert service.questions[-1] == again
    service.reply(talking.session, kept_view("why?", 4))
    assert [row.question for row in talking.thread_view.earlier.rows] == [
        "What is the gain of the C3?"
    ]

    # A question goes on while another conversation is shown.
    service.cancelled.clear()
    ask(talking, "slow?")
    slow = service.last_id("ask")
    assert states(talking)[1] is ConversationState.BUSY
    talking.action("previous_tab").trigger()
    assert talking.ask_box.ask_button.text() == "Ask"
    assert not talking.action("stop").isEnabled()
    ask(talking, "second?")
    assert service.cancelled == []
    qtbot.waitUntil(
        lambda: talking.answer_panel.answer_text.toPlainText().startswith("Waiting: the question")
    )
    with qtbot.waitSignal(talking.session.turn_ended):
        service.say(Result(slow, kept_view("slow?", 4)))
    assert heading(talking) == "second?"
    assert talking.answer_panel.answer_text.toPlainText() == "Searching …"
    assert states(talking) == [ConversationState.BUSY, ConversationState.NEWS]
    service.reply(talking.session, kept_view("second?", 5))
    talking.action("next_tab").trigger()
    assert heading(talking) == "slow?"
    assert states(talking) == [ConversationState.QUIET, ConversationState.QUIET]

    # Asking again gives up the own question only.
    ask(talking, "first?")
    first = service.last_id("ask")
    talking.action("previous_tab").trigger()
    ask(talking, "other?")
    talking.action("next_tab").trigger()
    ask(talking, "second?")
    assert service.cancelled == [first]
    service.say(Failure(first, Cancelled()))
    service.reply(talking.session, kept_view("second?", 4))
    assert heading(talking) == "second?"
    earlier = [row.question for row in talking.thread_view.earlier.rows]
    assert earlier == ["What is the gain of the C3?", "why?", "slow?"]

    talk_anew(talking, service, "second")
    # Earlier turns are folded and unfolded by click.
    talking.action("previous_tab").trigger()
    earlier, later = talking.thread_view.earlier, talking.thread_view.later
    assert [row.question for row in earlier.rows] == ["What is the offset of the A1?"]
    place = QPoint(40, earlier.row_height // 2)
    qtbot.mouseClick(earlier.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heading(talking) == "What is the offset of the A1?"
    assert [row.question for row in later.rows] == ["and the B2?"]
    talking.action("next_answer").trigger()
    assert heading(talking) == "and the B2?"
    talking.answer_panel.back_button.click()
    assert heading(talking) == "What is the offset of the A1?"
    assert not talking.answer_panel.back_button.isEnabled()

    # A question is edited in its place and asked or asked again.
    talking.action("next_answer").trigger()
    talking.action("next_tab").trigger()
    # Escape takes an edit back and stops nothing.
    qtbot.mouseClick(talking.answer_panel.heading.edit_button, Qt.MouseButton.LeftButton)
    editor = talking.answer_panel.heading.editor
    qtbot.keyClicks(editor, "something else")
    n_asked = len(service.questions)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert talking.ask_box.edit.hasFocus()
    assert len(service.questions) == n_asked
    talking.action("previous_tab").trigger()
    QTest.keyClick(talking.ask_box.edit, Qt.Key.Key_F2)
    assert editor.toPlainText() == "and the B2?"
    qtbot.keyClicks(editor, "and the B3?")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    asked = service.questions[-1]
    assert (asked.text, asked.alone, asked.goes_on_from) == ("and the B3?", False, 1)
    service.reply(talking.session, kept_view("and the B3?", 4))
    assert [row.question for row in talking.thread_view.earlier.rows] == [
        "What is the offset of the A1?",
        "and the B2?",
    ]

    # The first of a conversation goes on from nothing.
    talking.action("next_tab").trigger()
    talking.answer_panel.heading.again_button.click()
    asked = service.questions[-1]
    assert (asked.text, asked.alone) == ("What is the gain of the C3?", True)
    assert asked.goes_on_from == 0
    assert not talking.answer_panel.heading.edit_button.isVisible()
    assert not talking.action("ask_again").isEnabled()

    talk_anew(talking, service, "third")
    # A comparison opens in a tab of its own with its table in place.
    ready = tuple(s for s in talking.session.statuses if s.has_content)
    talking.care.compare((ready[0], replace(ready[0], document_id=ready[0].document_id)))
    assert titles(talking)[2].startswith("Compare OPA4197 / ")
    service.reply(talking.session, comparison_answer(n_rows=30, n_documents=2), "compare")
    (table,) = talking.answer_panel.parts.tables
    qtbot.waitUntil(lambda: table.isVisibleTo(talking))
    talking.action("previous_tab").trigger()
    talking.care.compare((ready[0], ready[0]))
    assert len(titles(talking)) == 3
    assert talking.session.conversations.active_index == 2

    # The hint says what the next question goes on from.
    talking.session.show_conversation(talking.session.conversations.all[1])
    hint = talking.follow_up_hint
    assert hint.label.accessibleName() == "Goes on from: What is the gain of the C3?"
    qtbot.mouseClick(hint.button, Qt.MouseButton.LeftButton)
    assert hint.label.accessibleName().startswith("Asked alone")
    ask(talking, "and the D4?")
    assert service.questions[-1].alone
    assert not hint.isVisible()
    service.reply(talking.session, kept_view("and the D4?", 4))
    assert hint.label.accessibleName() == "Goes on from: and the D4?"
    ask(talking, "and the E5?")
    assert not service.questions[-1].alone
    assert service.questions[-1].goes_on_from == 0

    # An earlier turn that is shown.
    talking.action("previous_tab").trigger()
    talking.action("previous_answer").trigger()
    assert talking.follow_up_hint.label.accessibleName().endswith("offset of the A1?")
    ask(talking, "and at 5 V?")
    assert not service.questions[-1].alone
    assert service.questions[-1].goes_on_from == 1

    # Nothing, in an empty conversation.
    action = talking.action("new_conversation")
    assert action.shortcut().toString() == "Ctrl+Shift+N"
    action.trigger()
    assert not talking.follow_up_hint.isVisible()
    assert talking.start_page.isVisibleTo(talking)


def test_a_long_conversation_and_the_history_are_held_in_part_deleted_and_restored(
    qtbot, talking, service
):
    # Only so many answers are held the others are fetched.
    for number in range(50):
        answer(talking, service, f"Question {number}?", 100 + number)
    turns = talking.session.conversations.active.turns
    assert turns[1].view is None
    talking.questions.show_turn(turns[1])
    assert service.arguments_of("history_entry") == [(100,)]
    service.answer(
        "history_entry", past(100, "Question 0?"), until=talking.answer_panel.answer_shown
    )
    qtbot.waitUntil(lambda: talking.answer_panel.view is not None)
    assert heading(talking) == "Question 0?"

    # It is shown from its end.
    active = talking.session.conversations.active
    talking.session.show_conversation(active, again=True)
    talking.questions.show_turn(turns[-1])
    bar, rows = talking.answer_scroll.verticalScrollBar(), talking.thread_view.earlier
    assert len(rows.rows) == len(turns) - 1 == 50
    qtbot.waitUntil(lambda: bar.value() > 45 * rows.row_height)

    talk_anew(talking, service, "second")
    # What is deleted from the history leaves its conversation.
    talking.action("previous_tab").trigger()
    panel = talking.side_bar.history_panel
    panel.delete_requested.emit((make_item(2, "and the B2?"),))
    assert service.arguments_of("delete_history") == [((2,),)]
    service.answer("delete_history", 1, until=talking.session.conversation_shown)
    assert heading(talking) == "What is the offset of the A1?"
    assert panel.undo_bar.isVisibleTo(panel)
    panel.undo_requested.emit((2,))
    assert service.arguments_of("restore_history") == [((2,),)]
    service.answer("restore_history", 1, until=talking.session.conversation_shown)
    service.answer("conversation_items", (make_item(1, "What is?"), make_item(2, "and the B2?")))
    qtbot.waitUntil(lambda: len(talking.thread_view.later.rows) == 1)

    # An earlier question opens in its own conversation.
    first = talking.session.conversations.all[0]
    talking.history.open(make_item(1, "What is the offset of the A1?"))
    told = past(1, "What is the offset of the A1?")
    service.answer("history_entry", told, until=talking.session.conversation_shown)
    assert talking.session.conversation == first.id
    assert len(titles(talking)) == 2
    talking.history.open(make_item(77, "Old question?"))
    told = past(77, "Old question?", conversation="old")
    service.answer("history_entry", told, until=talking.session.conversation_shown)
    assert service.arguments_of("conversation_items")[-1] == ("old",)
    service.answer("conversation_items", (make_item(76, "Before?"), make_item(77, "Old question?")))
    qtbot.waitUntil(lambda: len(talking.thread_view.earlier.rows) == 1)
    assert titles(talking)[2] == "Before"
    ask(talking, "and then?")
    assert service.questions[-1].conversation == "old"


def past(number: int, question: str, **changes: object) -> PastQuestion:
    settings = {"settings": {"scope": ["/TI_OPA4197.pdf"]}} | changes
    return make_past(kept_view(question, number), id=number, **settings)


def test_conversations_come_back_with_their_library_at_each_start(qtbot, talking, make_application):
    # Conversations come back with their library at the next start.
    talking.ask_box.edit.setPlainText("unfinished")
    talking.action("previous_tab").trigger()
    talking.close()
    service = FakeService()
    window = make_application(service).window
    service.open(window.session)
    assert titles(window) == ["Offset of the A1", "Gain of the C3"]
    assert window.session.conversations.active_index == 0
    assert heading(window) == "What is the offset of the A1?"
    service.answer(
        "conversation_items",
        (make_item(1, "What is the offset of the A1?"), make_item(2, "and the B2?")),
    )
    qtbot.waitUntil(lambda: service.arguments_of("history_entry") == [(2,)])
    assert heading(window) == "and the B2?"
    with qtbot.waitSignal(window.questions.earlier.answer_loaded):
        settings = {"scope": ["/TI_OPA4197.pdf"], "prefer": ["vendor:TI"], "top_k": 3}
        service.answer("history_entry", past(2, "and the B2?", settings=settings))
    assert "±25 µV" in window.answer_panel.answer_text.toPlainText()
    assert [row.line for row in window.thread_view.earlier.rows] == ["It is 5 mA."]
    assert window.answer_panel.answer_text.active_marker is None
    assert len(service.arguments_of("conversation_items")) == 1
    window.action("next_tab").trigger()
    assert window.ask_box.edit.toPlainText() == "unfinished"
    assert len(service.arguments_of("conversation_items")) == 2
    window.action("previous_tab").trigger()
    window.action("ask_again").trigger()
    assert service.questions[-1] == Question(
        "and the B2?",
        ("/TI_OPA4197.pdf",),
        ("vendor:TI",),
        top_k=3,
        conversation=window.session.conversation,
        goes_on_from=1,
        looks_at=Viewed(),
    )

    # What is typed before the library is there is not lost.
    window.close()
    service = FakeService()
    window = make_application(service).window
    window.session.open_library(Path("/libraries/datasheets"))
    window.ask_box.edit.setPlainText("typed early")
    service.open(window.session)
    assert titles(window) == ["Offset of the A1", "Gain of the C3", NEW_TITLE]
    assert window.ask_box.edit.toPlainText() == "typed early"


def test_conversations_outlive_a_lost_answer_a_crash_and_another_library_but_not_the_history(
    talking, service, qtbot, caplog, settings, monkeypatch
):
    # An earlier answer that is gone says so and can be asked again.
    turn = talking.session.conversations.active.turns[0]
    turn.view = None
    talking.session.show_conversation(talking.session.conversations.active, again=True)
    error = HistoryError("There is no question number 3.", "")
    service.fail("history_entry", error, until=talking.questions.earlier.answer_loaded)
    assert "There is no question" in talking.answer_panel.answer_text.toPlainText()

    # A crash leaves the conversations as they are.
    ask(talking, "under way?")
    talking.action("previous_tab").trigger()
    with caplog.at_level(logging.WARNING), qtbot.waitSignal(talking.session.notice_posted):
        service.crash()
    qtbot.waitUntil(lambda: len(service.arguments_of("open_library")) == 2)
    service.open(talking.session)
    assert titles(talking) == ["Offset of the A1", "Gain of the C3"]
    assert states(talking) == [ConversationState.QUIET, ConversationState.NEWS]
    talking.action("next_tab").trigger()
    assert talking.ask_box.edit.toPlainText() == "under way?"

    # Tabs stay with their library.
    ask(talking, "under way?")
    for folder in ("/libraries/other", "/libraries/datasheets"):
        service.open(talking.session, make_library(folder=folder))
        if folder.endswith("other"):
            assert titles(talking) == [NEW_TITLE]
            assert talking.ask_box.edit.toPlainText() == ""
            assert not talking.session.is_asking
    assert titles(talking) == ["Offset of the A1", "Gain of the C3"]
    assert talking.ask_box.edit.toPlainText() == "under way?"

    # Clearing the history leaves no turn and no title.
    talking.ask_box.edit.setPlainText("unfinished")
    discard = QMessageBox.StandardButton.Discard
    monkeypatch.setattr(QMessageBox, "question", lambda *_arguments: discard)
    talking.side_bar.history_panel.clear_action.trigger()
    service.answer("clear_history", 3, until=talking.session.conversation_shown)
    assert titles(talking) == [NEW_TITLE]
    assert talking.ask_box.edit.toPlainText() == "unfinished"
    assert talking.answer_panel.view is None
    talking.conversations.keep()
    kept = [str(settings.value(key)) for key in settings.allKeys() if "conversations" in key]
    assert all("A1" not in text and "C3" not in text for text in kept)
