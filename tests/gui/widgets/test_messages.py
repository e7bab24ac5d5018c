from __future__ import annotations

import gc
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QShortcut
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget, QWidgetItem

from desktop_qa.core.errors import FolderError
from desktop_qa.core.question import Question
from desktop_qa.gui.widgets.find_bar import FindBar
from desktop_qa.gui.widgets.messages import (
    MessageArea,
    Notice,
    NoticeAction,
    NoticeLevel,
    announce,
    spoken_answer,
)
from tests.gui.patient_bot import on_screen
from tests.gui.sample_answers import table_answer
from tests.helpers import said as words

Said = list[tuple[str, bool]]
_ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def area(qtbot) -> MessageArea:
    return on_screen(qtbot, MessageArea(), 600, 200)


def messages(area: MessageArea) -> list[str]:
    return [banner.notice.message for banner in area.banners]


def test_an_error_shows_its_sentence_and_hint_as_plain_text(area):
    area.post(Notice.of_error(FolderError("No folder <b>x</b>.", "Choose another.")))
    labels = [label for label in area.findChildren(QLabel) if label.text()]
    assert [label.text() for label in labels] == ["No folder <b>x</b>.", "Choose another."]
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)


def test_a_notice_replaces_the_one_with_its_key(area):
    area.post(Notice(NoticeLevel.WARNING, "first", key="request"))
    area.post(Notice(NoticeLevel.WARNING, "other"))
    area.post(Notice(NoticeLevel.WARNING, "second", key="request"))
    assert messages(area) == ["other", "second"]
    area.withdraw("request")
    assert messages(area) == ["other"]


def test_the_oldest_gives_way_when_there_are_many(area):
    for number in range(5):
        area.post(Notice(NoticeLevel.INFORMATION, str(number)))
    assert messages(area) == ["2", "3", "4"]


def test_an_action_is_performed_once_and_closes_the_banner(qtbot, area):
    done: list[str] = []
    action = NoticeAction("Locate …", lambda: done.append("located"))
    area.post(Notice(NoticeLevel.WARNING, "moved", actions=(action,)))
    (button,) = area.banners[0].action_buttons
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == ["located"]
    assert messages(area) == []


def test_a_long_path_is_wrapped_and_widens_nothing(area):
    width = area.minimumSizeHint().width()
    path = "/media/drive/" + "_".join(["a-long-name"] * 30) + ".pdf"
    area.post(Notice(NoticeLevel.WARNING, f"{path} is not there.", path))
    assert area.minimumSizeHint().width() < width + 200
    (label,) = (b for b in area.findChildren(QLabel) if b.objectName() == "banner_message")
    assert label.text().replace("\u200b", "") == f"{path} is not there."
    assert label.heightForWidth(400) > label.heightForWidth(4000)


def test_a_very_long_message_is_cut_and_whole_in_its_tool_tip(area):
    text = "word " * 500
    area.post(Notice(NoticeLevel.ERROR, text))
    (label,) = (b for b in area.findChildren(QLabel) if b.objectName() == "banner_message")
    assert len(label.text()) < 420
    assert label.toolTip() == text


def test_a_notice_is_reached_by_tab_and_closed_by_escape(qtbot, area):
    done: list[str] = []
    area.post(Notice(NoticeLevel.WARNING, "moved", actions=(NoticeAction("Do", done.clear),)))
    (banner,) = area.banners
    (button,) = banner.action_buttons
    qtbot.waitUntil(banner._close_button.isVisible)
    area.activateWindow()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    assert area.focusWidget() is banner._close_button
    qtbot.keyClick(banner._close_button, Qt.Key.Key_Escape)
    assert area.banners == ()


def test_escape_in_a_notice_is_kept_from_the_window(qtbot, area):
    stopped: list[str] = []
    QShortcut(Qt.Key.Key_Escape, area, lambda: stopped.append("question"))
    area.post(Notice(NoticeLevel.WARNING, "moved"))
    (banner,) = area.banners
    qtbot.waitUntil(banner._close_button.isVisible)
    area.activateWindow()
    banner._close_button.setFocus()
    qtbot.waitUntil(banner._close_button.hasFocus)
    qtbot.keyClick(banner._close_button, Qt.Key.Key_Escape)
    assert area.banners == ()
    assert stopped == []
    qtbot.keyClick(area, Qt.Key.Key_Escape)
    assert stopped == ["question"]


def test_a_notice_that_stays_outlives_newer_ones(area):
    area.post(Notice(NoticeLevel.INFORMATION, "reading only", stays=True))
    for number in range(5):
        area.post(Notice(NoticeLevel.INFORMATION, str(number)))
    assert messages(area) == ["reading only", "3", "4"]


def test_a_passing_notice_waits_for_who_is_about_to_use_it(qtbot, area):
    area.activateWindow()
    undo = NoticeAction("Undo", lambda: None)
    area.post(Notice(NoticeLevel.INFORMATION, "removed", actions=(undo,), passes=True))
    (banner,) = area.banners
    (button,) = banner.action_buttons
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    banner.leave_unless_used()
    assert messages(area) == ["removed"]
    button.clearFocus()
    banner.leave_unless_used()
    assert messages(area) == []


def test_reading_the_banners_leaves_nothing_of_them_behind(area):
    """A layout's item that Python still holds is taken for the widget that comes in its place."""
    area.post(Notice(NoticeLevel.WARNING, "moved", key="a"))
    assert len(area.banners) == 1
    gc.collect()
    assert not [one for one in gc.get_objects() if issubclass(type(one), QWidgetItem)]


@pytest.fixture
def said(monkeypatch) -> Said:
    """Collect what a screen reader is given to say, and whether at once."""
    words: Said = []

    def hear(event: QAccessibleAnnouncementEvent) -> None:
        is_urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
        words.append((event.message(), is_urgent))

    monkeypatch.setattr("desktop_qa.gui.widgets.messages.QAccessible.updateAccessibility", hear)
    return words


def test_an_answer_is_read_without_the_signs_of_its_form():
    answer = replace(
        table_answer().answer,
        blocks=words.said("Offset\n- typ **±25 µV**, max ±100 µV [1][2]\n\n1. at 5 V [3]"),
    )
    assert spoken_answer(answer) == "Answer: Offset typ ±25 µV, max ±100 µV 1. at 5 V"


def test_long_words_are_cut_between_two(qtbot, said):
    label = QLabel()
    qtbot.addWidget(label)
    announce(label, "offset " * 200)
    assert said[0][0].endswith("offset …")
    assert len(said[0][0]) <= 402


def test_what_went_wrong_is_said_at_once(qtbot, said):
    area = MessageArea()
    qtbot.addWidget(area)
    area.post(Notice(NoticeLevel.INFORMATION, "OPA4197 was removed.", "The file stays."))
    area.post(Notice(NoticeLevel.ERROR, "The disk is full."))
    assert said == [("OPA4197 was removed. The file stays.", False), ("The disk is full.", True)]


def test_an_answer_is_said_when_it_comes(open_window, qtbot, service, said):
    view = table_answer()
    open_window.session.ask(Question("What is the offset voltage?"))
    service.answer("ask", view)
    qtbot.waitUntil(lambda: (spoken_answer(view.answer), False) in said)


@pytest.fixture
def host(qtbot) -> QWidget:
    host = QWidget()
    qtbot.addWidget(host)
    return host


@pytest.fixture
def bar(qtbot, host) -> FindBar:
    edit = QPlainTextEdit("Gain gain regain gain_1 GAIN.", host)
    bar = FindBar(edit, host)
    column = QVBoxLayout(host)
    column.addWidget(bar)
    column.addWidget(edit)
    host.show()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    bar.begin()
    return bar


def test_case_and_whole_words_narrow_the_search_by_their_buttons(qtbot, bar):
    qtbot.keyClicks(bar.words_edit, "gain")
    assert bar.count_label.text() == "1 of 5"
    qtbot.mouseClick(bar.word_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text() == "1 of 3"
    qtbot.mouseClick(bar.case_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text() == "1 of 1"
    qtbot.mouseClick(bar.word_button, Qt.MouseButton.LeftButton)
    assert bar.count_label.text().endswith("of 3")


def test_case_and_whole_words_have_keys_that_type_nothing(qtbot, bar):
    qtbot.keyClicks(bar.words_edit, "Gain")
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_M, _ALT)
    assert bar.case_button.isChecked()
    assert bar.count_label.text() == "1 of 1"
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_W, _ALT)
    assert bar.word_button.isChecked()
    assert bar.words_edit.text() == "Gain"


def test_what_is_nowhere_is_marked_so(qtbot, bar):
    qtbot.keyClicks(bar.words_edit, "zebra")
    assert bar.count_label.text() == "Not found"
    assert bar.count_label.property("missing") is True
    bar.words_edit.clear()
    assert bar.count_label.text() == ""
    assert bar.count_label.property("missing") is False
