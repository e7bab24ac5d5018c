"""From the first start to the first answer, by clicks, over the real library's process."""

from __future__ import annotations

import sys
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.empty_state import (
    SAMPLE_FOLDER,
    EmptyState,
    StartPage,
    example_questions,
)
from desktop_qa.paths import asset
from desktop_qa.service.client import ServiceClient
from tests.gui.fake_service import make_status
from tests.gui.patient_bot import on_screen

_PATIENCE_MS = 480_000


def sample_status(file: str, *parts: str) -> DocumentStatus:
    path = str(asset(SAMPLE_FOLDER) / file)
    return make_status(file, path=path, part_numbers=parts)


@pytest.mark.process
def test_the_sample_library_leads_to_a_cited_answer_by_two_clicks(qtbot, make_application, capsys):
    started = time.monotonic()
    application = make_application(ServiceClient())
    window, session = application.window, application.session
    qtbot.waitUntil(lambda: application.runner.is_running)
    assert window.stack.currentWidget() is window.empty_state

    qtbot.mouseClick(window.empty_state.sample_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.start_page.examples), timeout=_PATIENCE_MS)
    assert not [d for d in window.findChildren(QDialog) if d.isVisible()]
    example = window.start_page.examples[0]
    assert session.is_syncing  # others are read while the first is asked about
    assert "can be asked about already" in window.start_page.text.text()
    views: list[object] = []
    session.turn_ended.connect(lambda _conversation, turn: views.append(turn.view))
    qtbot.mouseClick(example, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(views), timeout=_PATIENCE_MS)
    seconds = time.monotonic() - started
    with capsys.disabled():
        sys.stdout.write(f"\nfirst answer after {seconds:.1f} s\n")
    view = views[0]
    assert view.answer.status is AnswerStatus.ANSWERED
    assert view.answer.citations
    session.cancel_sync()
    qtbot.waitUntil(lambda: not session.is_syncing, timeout=_PATIENCE_MS)


def test_only_questions_that_can_be_answered_already_are_offered():
    first = sample_status("ORLUNDA_ORA217.pdf", "ORA217")
    other = sample_status("ORLUNDA_ORL3310.pdf", "ORL3310")
    begun = example_questions([first], is_all_read=False)
    assert len(begun) == 1
    assert "ORA217" in begun[0]
    assert len(example_questions([first, other], is_all_read=False)) == 2
    assert len(example_questions([first, other])) == 4


def test_a_library_of_ones_own_is_asked_about_its_parts_or_else_its_titles():
    parts = [make_status(f"{p}.pdf", part_numbers=(p,)) for p in ("OPA4197", "ADS1115")]
    questions = example_questions(parts)
    assert "OPA4197" in questions[0]
    assert "ADS1115" in questions[1]
    book = make_status("guide.pdf", title="Safety Guide", part_numbers=())
    assert example_questions([book]) == ("What is “Safety Guide” about?",)
    assert example_questions([]) == ()


def test_questions_that_are_offered_stay_where_they_are_while_more_come(qtbot):
    page = StartPage()
    qtbot.addWidget(page)
    first = sample_status("ORLUNDA_ORA217.pdf", "ORA217")
    waiting = make_status("w.pdf", DocumentState.WAITING)
    page.show_statuses([first, waiting])
    before = page.examples[0]
    page.show_statuses([first, sample_status("ORLUNDA_ORL3310.pdf", "ORL3310"), waiting])
    assert len(page.examples) == 2
    assert page.examples[0] is before
    page.show_statuses([])
    assert page.examples == ()
    assert "no PDFs" in page.text.text()
    page.show_statuses([], is_reading=True)
    assert "Looking for PDFs" in page.text.text()
    page.show_statuses([make_status("locked.pdf", DocumentState.FAILED)], is_reading=True)
    assert "None of these PDFs could be read" in page.text.text()


def test_a_click_leaves_the_empty_state_at_once_and_an_example_is_asked_by_one(
    qtbot, window, service
):
    # A click leaves the empty state at once and a failure brings it back.
    qtbot.mouseClick(window.empty_state.sample_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is window.splitter
    assert window.start_page.isVisibleTo(window)
    assert not window.answer_panel.isVisibleTo(window)
    error = LibraryError("The disk is full.", "Free some space.")
    service.fail("open_library", error, until=window.session.opening_failed)
    assert window.stack.currentWidget() is window.empty_state
    (banner,) = window.message_area.banners
    assert (banner.notice.message, banner.notice.hint) == ("The disk is full.", "Free some space.")

    # An example is asked by one click and what is typed stays.
    service.open(window.session)
    window.ask_box.edit.setPlainText("half a thought")
    example = window.start_page.examples[0]
    qtbot.mouseClick(example, Qt.MouseButton.LeftButton)
    assert service.questions[-1].text == example.toolTip()
    assert window.ask_box.edit.toPlainText() == "half a thought"


def test_the_first_run_is_reached_by_keyboard(qtbot):
    state = on_screen(qtbot, EmptyState())
    state.setFocus()
    assert state.title.text() == "Drop a folder of PDFs here"
    assert state.focusProxy() is state.add_button
    with qtbot.waitSignal(state.add_button.clicked):
        qtbot.keyClick(state.add_button, Qt.Key.Key_Space)
    with qtbot.waitSignal(state.sample_button.clicked):
        qtbot.keyClick(state.sample_button, Qt.Key.Key_Space)
    for button in (state.add_button, state.sample_button):
        assert button.toolTip()
