"""What is offered while somebody types."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.question import Question
from desktop_qa.core.suggestion import Suggestion, SuggestionKind
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.asking.suggestion_link import SuggestionLink, heading_of
from desktop_qa.gui.widgets.boxes import in_column
from tests.gui.patient_bot import click_row, on_screen

PART = Suggestion(SuggestionKind.PART, "OPA4197", "Precision amplifier", 14, 17, ((0, 3),))
TABLE = Suggestion(SuggestionKind.TABLE, "OPA197 EMIRR", "TI_OPA4197.pdf", 14, 17, ((0, 3),))
QUESTION = Suggestion(SuggestionKind.QUESTION, "What is the OPA4197?", "", 0, 17, ((12, 15),))
TYPED = "What is an ic opa"


@pytest.fixture
def make_link(qtbot, make_parts, keeper) -> Callable[[], SuggestionLink]:
    """Make a box for questions at the foot of a pane, and what is offered above it."""

    def make() -> SuggestionLink:
        pane = make_parts(ask_box=AskBox())
        pane.answer_pane = pane
        column = in_column(pane)
        column.addStretch(1)
        column.addWidget(pane.ask_box)
        link = SuggestionLink(pane)
        pane.action("suggestions").toggled.connect(link.switch)
        on_screen(qtbot, pane, 500, 800)
        pane.activateWindow()
        pane.ask_box.setFocus()
        qtbot.waitUntil(pane.ask_box.edit.hasFocus)
        return link

    return make


@pytest.fixture
def link(make_link) -> SuggestionLink:
    return make_link()


@pytest.fixture
def offered(qtbot, link, service) -> SuggestionLink:
    """Something is typed and something offered."""
    service.replies["suggest"] = (PART, TABLE, QUESTION)
    qtbot.keyClicks(link._edit, TYPED)
    qtbot.waitUntil(link.list.isVisible)
    return link


def press(qtbot: QtBot, link: SuggestionLink, key: Qt.Key) -> None:
    qtbot.keyClick(link._edit, key)


def text_of(link: SuggestionLink) -> str:
    return link._edit.toPlainText()


def test_the_list_lies_above_the_text_and_takes_no_focus(offered, service):
    shown = offered.list
    below = shown.mapToGlobal(QPoint(0, shown.height())).y()
    assert below <= offered._box.mapToGlobal(QPoint(0, 0)).y()
    assert offered._edit.hasFocus()
    assert shown.chosen is None
    headings = [heading_of(shown.model.index(row, 0)) for row in range(3)]
    assert headings == ["Parts", "Tables", "Asked before"]
    assert text_of(offered) == TYPED
    assert service.arguments_of("suggest")[-1] == (TYPED, len(TYPED))
    assert len(service.arguments_of("suggest")) < len(TYPED)


def test_enter_without_a_choice_asks_what_is_typed(qtbot, offered):
    with qtbot.waitSignal(offered._box.asked) as asked:
        press(qtbot, offered, Qt.Key.Key_Return)
    assert asked.args == [Question(TYPED)]
    assert not offered.list.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Tab])
def test_a_part_completes_the_word_at_the_caret(qtbot, offered, key):
    press(qtbot, offered, Qt.Key.Key_Down)
    assert offered.list.chosen == PART
    with qtbot.assertNotEmitted(offered._box.asked):
        press(qtbot, offered, key)
    assert text_of(offered) == "What is an ic OPA4197"
    assert offered._edit.hasFocus()
    assert not offered.list.isVisible()
    offered._edit.undo()
    assert text_of(offered) == TYPED


def test_up_begins_at_the_nearest_row_and_a_question_takes_the_place_of_all(qtbot, offered):
    press(qtbot, offered, Qt.Key.Key_Up)
    assert offered.list.chosen == QUESTION
    press(qtbot, offered, Qt.Key.Key_Return)
    assert text_of(offered) == "What is the OPA4197?"


def test_beyond_the_ends_nothing_is_chosen(qtbot, offered):
    seen = []
    for _ in range(5):
        press(qtbot, offered, Qt.Key.Key_Down)
        seen.append(offered.list.chosen)
    assert seen == [PART, TABLE, QUESTION, None, PART]


def test_escape_closes_the_list_and_leaves_the_text(qtbot, offered):
    press(qtbot, offered, Qt.Key.Key_Escape)
    assert not offered.list.isVisible()
    assert text_of(offered) == TYPED


def test_a_click_takes_a_row(qtbot, offered):
    view = offered.list.view
    click_row(qtbot, view, view.model().index(1, 0))
    assert text_of(offered) == "What is an ic OPA197 EMIRR"
    assert offered._edit.hasFocus()


def test_tab_without_a_choice_goes_on_and_closes_the_list(qtbot, offered):
    press(qtbot, offered, Qt.Key.Key_Tab)
    assert text_of(offered) == TYPED
    assert not offered._edit.hasFocus()
    assert not offered.list.isVisible()


def test_what_comes_late_is_dropped(qtbot, link, service):
    qtbot.keyClicks(link._edit, "opa")
    qtbot.waitUntil(lambda: bool(service.arguments_of("suggest")))
    qtbot.keyClick(link._edit, Qt.Key.Key_Return)
    service.answer("suggest", (PART,))
    qtbot.wait(30)
    assert not link.list.isVisible()


def test_a_library_that_cannot_offer_says_nothing(qtbot, link, session, service):
    qtbot.keyClicks(link._edit, "opa")
    qtbot.waitUntil(lambda: bool(service.arguments_of("suggest")))
    with qtbot.assertNotEmitted(session.notice_posted, wait=30):
        service.fail("suggest", LibraryError("The library cannot be read."))
    assert not link.list.isVisible()


def test_nothing_is_offered_while_it_is_switched_off(qtbot, offered, service):
    offered.switch(False)
    assert not offered.list.isVisible()
    n_before = len(service.arguments_of("suggest"))
    qtbot.keyClicks(offered._edit, "41")
    qtbot.wait(150)
    assert len(service.arguments_of("suggest")) == n_before


def test_the_switch_is_remembered(make_link):
    first = make_link()
    assert first.is_on
    first.switch(False)
    again = make_link()
    assert not again.is_on
    assert not again._pane.findChild(QAction).isChecked()


def test_the_box_follows_the_height_of_its_pane(qtbot, link):
    link._pane.resize(500, 900)
    link._edit.setPlainText("\n".join("x" * 60))
    qtbot.waitUntil(lambda: link._edit.height() > 150)
    assert link._edit.height() <= link._pane.height() / 3
