from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QWidget

from desktop_qa.core.question import Question
from desktop_qa.gui.conversations.conversation_model import (
    Conversation,
    ConversationState,
    Turn,
    TurnState,
)
from desktop_qa.gui.conversations.conversation_tabs import ConversationTabs, elided_title
from desktop_qa.gui.conversations.thread_view import ThreadRow, ThreadRows, row_of
from desktop_qa.gui.widgets import theme as themes
from tests.gui.fake_service import make_answer_view
from tests.gui.patient_bot import click_row, on_screen

TITLES = ("Offset of OPA4197", "Compare A / B", "Slew & rate <b>")


def conversations_of(*titles: str) -> list[Conversation]:
    return [
        Conversation(f"c{n}", title, first_question=f"What is {title}?", is_loaded=False)
        for n, title in enumerate(titles)
    ]


@pytest.fixture
def tabs(qtbot) -> ConversationTabs:
    made = on_screen(qtbot, ConversationTabs(), 640, 40)
    open_ones = conversations_of(*TITLES)
    made.show_tabs(open_ones, open_ones[0])
    return made


def middle(tabs: ConversationTabs, index: int) -> QPoint:
    return tabs.bar.tabRect(index).center()


def test_each_conversation_has_a_tab_whose_tip_is_the_whole_question(tabs):
    assert tabs.bar.count() == 3
    assert tabs.bar.tabText(0) == TITLES[0]
    assert tabs.bar.tabText(2) == "Slew && rate <b>"
    assert "What is Slew &amp; rate &lt;b&gt;?" in tabs.bar.tabToolTip(2)
    assert tabs.bar.accessibleTabName(1) == "Compare A / B"


def test_a_click_shows_a_conversation(qtbot, tabs):
    with qtbot.waitSignal(tabs.chosen) as chosen:
        qtbot.mouseClick(tabs.bar, Qt.MouseButton.LeftButton, pos=middle(tabs, 1))
    assert chosen.args == [tabs.tabs[1]]


def test_the_middle_button_and_the_cross_close(qtbot, tabs):
    with qtbot.waitSignal(tabs.closed) as closed:
        qtbot.mouseClick(tabs.bar, Qt.MouseButton.MiddleButton, pos=middle(tabs, 2))
    assert closed.args == [tabs.tabs[2]]
    with qtbot.waitSignal(tabs.closed) as closed:
        qtbot.mouseClick(tabs.bar.button_of(1), Qt.MouseButton.LeftButton)
    assert closed.args == [tabs.tabs[1]]


def test_a_double_click_names_a_tab_in_its_place(qtbot, tabs):
    qtbot.mouseDClick(tabs.bar, Qt.MouseButton.LeftButton, pos=middle(tabs, 1))
    edit = tabs.name_edit
    assert edit.isVisible()
    assert edit.selectedText() == TITLES[1]
    qtbot.keyClicks(edit, "  My   bench ")
    with qtbot.waitSignal(tabs.name_edit.named) as renamed:
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert renamed.args == [tabs.tabs[1], "My bench"]
    assert not edit.isVisible()


def test_escape_leaves_the_name_as_it_was(qtbot, tabs):
    tabs.rename(0)
    qtbot.keyClicks(tabs.name_edit, "other")
    with qtbot.assertNotEmitted(tabs.name_edit.named):
        qtbot.keyClick(tabs.name_edit, Qt.Key.Key_Escape)
    assert not tabs.name_edit.isVisible()


def test_a_tab_is_dragged_to_another_place(qtbot, tabs):
    start, end = middle(tabs, 0), middle(tabs, 2)
    qtbot.mousePress(tabs.bar, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 11):
        at = start + (end - start) * step / 10
        QTest.mouseMove(tabs.bar, at + QPoint(20, 0))
    qtbot.mouseRelease(tabs.bar, Qt.MouseButton.LeftButton, pos=end)
    assert [tab.id for tab in tabs.tabs] == ["c1", "c2", "c0"]


def test_the_dot_says_what_is_under_way_and_what_is_new(tabs):
    pictures = []
    open_ones = tabs.tabs
    for state in ConversationState:
        open_ones[1].has_news = state is ConversationState.NEWS
        open_ones[1].turns = [Turn(Question("?"))] if state is ConversationState.BUSY else []
        tabs.show_tabs(open_ones, open_ones[0])
        assert tabs.bar.button_of(1).state is state
        pictures.append(tabs.bar.button_of(1).grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]
    accent = themes.LIGHT.accent
    news = pictures[list(ConversationState).index(ConversationState.NEWS)]
    assert news.pixelColor(news.width() // 2, news.height() // 2).name() == accent
    assert tabs.bar.accessibleTabName(1) == "Compare A / B, with a new answer"


def test_many_tabs_share_the_room_then_scroll(tabs):
    wide = tabs.bar.tabRect(0).width()
    several = conversations_of(*[TITLES[0]] * 5)
    tabs.show_tabs(several, several[0])
    assert tabs.bar.tabRect(0).width() < wide
    assert tabs.bar.tabText(0).endswith("OPA4197")
    many = conversations_of(*[TITLES[0]] * 12)
    tabs.show_tabs(many, many[11])
    assert tabs.bar.width() <= tabs.width()
    assert tabs.new_button.geometry().right() < tabs.width()
    tabs.resize(2400, 40)
    assert tabs.bar.tabText(0) == TITLES[0]


def test_a_title_is_shortened_in_its_middle_and_keeps_its_last_word(tabs):
    metrics = QFontMetrics(tabs.font())

    def short(title: str, like: str) -> str:
        return elided_title(title, metrics, metrics.horizontalAdvance(like))

    title = "Typical input offset voltage of the OPA4197"
    assert short(title, title) == title
    assert short(title, "Typical input … OPA4197") == "Typical input … OPA4197"
    assert short(title, "Typic… OPA4197") == "Typic… OPA4197"
    assert short(title, "… OPA4197") == "… OPA4197"
    assert short(title, "OPA4197…") == "OPA4197"
    assert short(title, "OPA4…").startswith("OP")
    assert short("Incomprehensibilities", "Incomp…").endswith("…")
    assert short("", "x") == ""


def test_tabs_are_gone_along_by_key(qtbot, tabs):
    tabs.bar.setFocus()
    with qtbot.waitSignal(tabs.chosen) as chosen:
        qtbot.keyClick(tabs.bar, Qt.Key.Key_Right)
    assert chosen.args == [tabs.tabs[1]]


def test_a_row_of_tabs_does_not_widen_its_pane(tabs):
    many = conversations_of(*[TITLES[0]] * 12)
    tabs.show_tabs(many, many[0])
    assert tabs.minimumSizeHint().width() <= 200
    side = QTabBar.ButtonPosition.RightSide
    assert all(tabs.bar.tabButton(n, side) is not None for n in range(12))


# Folded turns


def row(question: str, line: str) -> ThreadRow:
    return ThreadRow(Turn(Question(question)), line)


@pytest.fixture
def rows(qtbot) -> ThreadRows:
    made = on_screen(qtbot, ThreadRows(), 500, 400)
    made.show_rows([row(f"Question {n}?", f"Answer {n}") for n in range(5)], "Earlier")
    return made


def test_a_row_is_unfolded_by_click_and_by_key(qtbot, rows):
    with qtbot.waitSignal(rows.chosen) as chosen:
        click_row(qtbot, rows, rows.model().index(3, 0))
    assert chosen.args == [rows.rows[3].turn]
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    spoken = rows.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Question 4?\nAnswer 4"
    with qtbot.waitSignal(rows.chosen) as chosen:
        qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert chosen.args == [rows.rows[4].turn]


def test_a_folded_answer_has_the_subscripts_of_its_pages(rows):
    made = make_answer_view()
    pieces = tuple(replace(piece, symbols=(("VOS", "V"),)) for piece in made.evidence)
    excerpt = "VOS is 25 µV."
    plain = row_of(Turn(Question("Offset?"), TurnState.ANSWERED, made, excerpt=excerpt))
    lowered = row_of(
        Turn(
            Question("Offset?"), TurnState.ANSWERED, replace(made, evidence=pieces), excerpt=excerpt
        )
    )
    assert (plain.lowered, lowered.line, lowered.lowered) == ((), plain.line, ((1, 3),))
    grabs = []
    for shown in (plain, lowered):
        rows.show_rows([shown], "Earlier")
        grabs.append(rows.grab().toImage())
    assert grabs[0] != grabs[1]


def test_two_hundred_rows_are_no_more_widgets_than_five_and_none_are_not_there(rows):
    n_widgets = len(rows.findChildren(QWidget))
    rows.show_rows([row(f"Question {n}?", "It is so.") for n in range(200)], "Earlier")
    assert len(rows.findChildren(QWidget)) == n_widgets
    rows.show_rows(rows.rows[:5], "Earlier")
    assert rows.sizeHint().height() == 5 * rows.row_height
    rows.show_rows((), "Earlier")
    assert not rows.isVisible()
