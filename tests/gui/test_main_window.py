from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.application import Application
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.status_line import StatusLine, duration_text, progress_text
from desktop_qa.paths import DATABASE_NAME
from tests.gui.fake_service import (
    QUESTION,
    STATUSES,
    FakeService,
    make_answer_view,
    make_library,
    make_progress,
    make_report,
    make_status,
)
from tests.gui.patient_bot import ask, on_screen, told
from tests.gui.sample_answers import READINGS, clarifying_answer


def test_the_service_starts_after_the_first_picture_with_the_folder_named_or_the_library_used_last(
    qtbot, qapp, settings, plain_looks, make_application, tmp_path
):
    # The service starts after the first picture and ends with the window.
    service = FakeService()
    application = Application(qapp, service, settings)
    qtbot.addWidget(application.window)
    assert service.n_starts == 0
    application.window.show()
    qtbot.waitUntil(lambda: service.n_starts == 1)
    application.window.close()
    assert service.is_closed
    application.close()

    # A folder of the command line is opened.
    service = FakeService()
    application = make_application(service, tmp_path)
    qtbot.waitUntil(lambda: bool(service.arguments_of("open_library")))
    assert service.arguments_of("open_library")[0][1] == str(tmp_path)

    # The library used last is opened at the next start.
    (tmp_path / DATABASE_NAME).touch()
    service.open(application.session, make_library(folder=str(tmp_path)))
    application.window.close()
    next_service = FakeService()
    make_application(next_service)
    qtbot.waitUntil(lambda: bool(next_service.arguments_of("open_library")))
    assert next_service.arguments_of("open_library") == [(str(tmp_path), None)]


def test_a_folder_without_documents_is_said_where_there_is_one_and_a_moved_one_located(
    window, service, tmp_path, monkeypatch
):
    for has_folder in (False, True):
        view = make_library((), folder=f"/libraries/{has_folder}")
        service.open(window.session, view if has_folder else replace(view, sources=()))
        service.finish(window.session, make_report(documents=0))
        said = [t.startswith("There are no PDF files in this folder.") for t in told(window)]
        assert any(said) == has_folder

    # A moved folder is reported with a way to locate it.
    service.open(window.session, make_library(exists=False))
    banner = window.message_area.banners[-1]
    assert "“datasheets” is not where it was" in banner.notice.message
    monkeypatch.setattr(window.libraries, "choose", lambda _title: tmp_path)
    banner.action_buttons[0].click()
    assert service.arguments_of("relocate_source") == [("/documents/datasheets", str(tmp_path))]


def test_an_answer_leads_to_its_places_is_stopped_and_outlives_a_crash(
    qtbot, open_window, service, caplog
):
    ask(qtbot, open_window, QUESTION)
    service.reply(open_window.session, make_answer_view())
    # An answer stands with its evidence and leads to its places.
    assert [question.text for question in service.questions] == [QUESTION]
    panel = open_window.answer_panel
    assert panel.question_label.text() == QUESTION
    assert "±25 µV" in panel.answer_text.toPlainText()
    assert open_window.evidence_panel.current_key == "cited"
    assert [card.view.marker for card in open_window.evidence_panel.shown_cards] == [1, 2]
    qtbot.waitUntil(lambda: panel.answer_text.active_marker == 1)
    assert open_window.pdf_panel.path == Path("/documents/TI_OPA4197.pdf")
    assert open_window.ask_box.edit.toPlainText() == ""
    # A citation shows its place, in a viewer that was hidden as well.
    open_window.action("show_viewer").trigger()
    assert open_window.document_pane.isHidden()
    panel.answer_text.citation_clicked.emit(2)
    assert not open_window.document_pane.isHidden()
    assert panel.answer_text.active_marker == 2
    cards = open_window.evidence_panel.shown_cards
    assert [card.view.marker for card in cards if card.path_button.is_active] == [2]
    status = open_window.library_panel.current_status
    assert status.file == "TI_OPA4197.pdf"
    # A mark on the page shows its evidence.
    panel.answer_text.citation_clicked.emit(1)
    open_window.evidence_panel.tabs.setCurrentIndex(1)
    open_window.pdf_panel.view.highlight_clicked.emit(2)
    assert panel.answer_text.active_marker == 2
    assert open_window.evidence_panel.current_key == "text"

    # Its height follows its width: where a bar made it narrower, the two never came to rest.
    content = open_window.answer_scroll.widget()
    width = content.width()
    for height in range(open_window.minimumHeight(), 1600, 100):
        open_window.resize(open_window.width(), height)
        QApplication.processEvents()
        assert content.width() == width

    # Stop gives the question up and a crash is told and the library opened again.
    ask(qtbot, open_window, "And at 125 °C?")
    assert open_window.ask_box.ask_button.text() == "Stop"
    open_window.ask_box.ask_button.click()
    assert service.cancelled == [service.last_id("ask")]
    # At once, whatever the library's process is in the middle of.
    assert open_window.ask_box.ask_button.text() == "Ask"
    assert open_window.answer_panel.question_label.text() == QUESTION
    assert open_window.ask_box.edit.toPlainText() == "And at 125 °C?"
    answers: list[AnswerView] = []
    open_window.session.turn_ended.connect(lambda _conversation, turn: answers.append(turn.view))
    service.answer("ask", make_answer_view("And at 125 °C?"))  # it was on its way
    ask(qtbot, open_window, "Next?")
    service.reply(open_window.session, make_answer_view("Next?"))
    assert [view.answer.question for view in answers] == ["Next?"]

    ask(qtbot, open_window, "And now?")
    with caplog.at_level(logging.WARNING), qtbot.waitSignal(open_window.session.notice_posted):
        service.crash()
    qtbot.waitUntil(lambda: len(service.arguments_of("open_library")) == 2)
    lost, started = told(open_window)
    assert lost == "The library stopped working. Your question is still in the box: ask it again."
    assert started.startswith("The library stopped working and was started again.")


def test_the_window_fits_its_screen_tells_what_needs_attention_and_follows_the_indexing(
    open_window, service, qtbot
):
    # The window fits a small screen.
    assert open_window.minimumSizeHint().width() <= 1366
    assert open_window.minimumSizeHint().height() <= 700
    assert open_window.windowTitle() == "datasheets – Desktop QA"
    open_window.showMinimized()
    open_window.instances.come_to_front()
    assert not open_window.isMinimized()

    # What needs attention is counted and shown by a click.
    button = open_window.status_line.attention_button
    assert button.text() == "1 needs attention"
    button.click()
    panel = open_window.library_panel
    assert panel.count_label.text() == "1 of 4 documents"
    assert panel.detail_title.text() == "internal_spec: password"
    assert "protected by a password" in panel.detail_text.text()

    # Indexing is followed held and cancelled.
    done = make_status("TI_ADS1115.pdf", DocumentState.READY)
    service.progress(
        make_progress(changed=(done,), removed=(DocumentId("internal_spec.pdf"),)),
        until=open_window.session.sync_progressed,
    )
    line = open_window.status_line
    assert line.activity_label.text() == "Reading 34 of 60 pages of BOSCH_BME280.pdf"
    assert line.progress_label.text() == "31 of 51 documents · 14 pages/s · 1 min 20 s left"
    assert line.bar.value() == 500
    model = open_window.library_panel.model
    assert len(model.order) == 3
    assert done in model.order.statuses
    assert not line.attention_button.isVisible()
    line.pause_button.click()
    assert len(service.arguments_of("pause")) == 1
    assert line.pause_button.text() == "Resume"  # at once, before the library says so
    service.progress(make_progress(paused=True), until=open_window.session.sync_progressed)
    assert line.progress_label.text() == "31 of 51 documents · paused"
    line.pause_button.click()
    assert len(service.arguments_of("resume")) == 1
    assert line.pause_button.text() == "Pause"
    line.cancel_button.click()
    assert len(service.arguments_of("cancel_sync")) == 1
    service.finish(open_window.session, make_report(cancelled=True))
    assert line.activity_label.text() == "2 of 3 documents ready · 158 pages"
    assert not line.bar.isVisible()

    # A reading chosen is asked.
    ask(qtbot, open_window, "What is on page 5?")
    service.reply(open_window.session, clarifying_answer())
    open_window.answer_panel.readings.buttons[0].click()
    assert service.questions[-1].text == READINGS[0]
    assert open_window.answer_panel.question_label.text() == READINGS[0]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59, "59 s"),
        (80, "1 min 20 s"),
        (118, "2 min"),
        (183, "3 min"),
        (1500, "25 min"),
        (3720, "1 h 2 min"),
    ],
)
def test_durations_read_as_people_say_them(seconds, text):
    assert duration_text(seconds) == text


def test_what_is_not_known_yet_is_left_out():
    progress = make_progress(pages_per_second=0.0, seconds_left=None)
    assert progress_text(progress) == "31 of 51 documents"


def test_slow_reading_keeps_a_digit():
    assert "1.4 pages/s" in progress_text(make_progress(pages_per_second=1.42))


def test_idle_shows_neither_bar_nor_buttons(qtbot):
    line = on_screen(qtbot, StatusLine(), 1000, 28)
    line.show_progress(make_progress())
    assert line.bar.isVisible()
    assert line.pause_button.isVisible()
    line.show_idle(STATUSES, "51 documents ready")
    assert not line.bar.isVisible()
    assert not line.cancel_button.isVisible()
    assert line.activity_label.text() == "51 documents ready"
    assert line.attention_button.text() == "1 needs attention"
    assert line.privacy_button.text() == "Offline"


def test_a_long_activity_does_not_widen_the_window(qtbot):
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_progress(make_progress(activity="Reading"))
    width = line.minimumSizeHint().width()
    line.show_progress(make_progress(activity="Reading " + "x" * 500))
    assert line.minimumSizeHint().width() == width


def test_a_narrow_line_says_the_numbers_without_the_bar(qtbot):
    line = on_screen(qtbot, StatusLine())
    line.show_progress(make_progress(activity="Reading page 34 of 60 of a_long_name.pdf"))
    line.resize(455, 28)
    assert line.width() == 455
    assert not line.bar.isVisible()
    assert line.progress_label.isVisible()
    assert line.pause_button.width() < 40
    line.resize(1366, 28)
    assert line.bar.isVisible()
    line.show_idle(())
    assert not line.bar.isVisible()


def entries(menu: QMenu) -> Iterator[QAction]:
    """Yield the entries of a menu, not of the menus in it."""
    yield from (action for action in menu.actions() if not action.isSeparator())


def menus(window: MainWindow) -> Iterator[QMenu]:
    """Yield the menus of the menu bar and those inside of them."""
    waiting = [*filter(None, map(QAction.menu, window.menuBar().actions()))]
    while waiting:
        menu = waiting.pop()
        yield menu
        waiting += filter(None, map(QAction.menu, menu.actions()))


def key_letter(text: str) -> str:
    """Return the letter behind "&"."""
    _, found, rest = text.replace("&&", "").partition("&")
    return rest[0].lower() if found else ""


def test_every_entry_says_what_it_does_does_something_and_has_a_key_of_its_own(window):
    # Every entry says what it does and its tool tip names its key.
    silent = [
        action.objectName()
        for menu in menus(window)
        for action in entries(menu)
        if action.menu() is None and action.objectName() and not action.statusTip()
    ]
    assert silent == []
    action = window.action("focus_ask")
    assert action.toolTip() == "Go to the box for questions (Ctrl+L)"
    assert all(menu.toolTipsVisible() for menu in menus(window))

    # Every action of the form stands in a menu and does something.
    shown = {action for menu in menus(window) for action in entries(menu)}
    named = [a for a in window.findChildren(QAction) if a.objectName().endswith("_action")]
    assert named
    assert [action.objectName() for action in named if action not in shown] == []
    connected = {name for one in window.features for name in one.actions()}
    by_window = {"quit", "full_screen", "show_library", "show_answer", "show_viewer"}
    known = connected | by_window
    assert {a.objectName().removesuffix("_action") for a in named} == known

    # Keys and the letters of a menu are used once.
    twice = {}
    for menu in menus(window):
        letters = Counter(key_letter(action.text()) for action in entries(menu))
        found = {letter: count for letter, count in letters.items() if letter and count > 1}
        if found:
            twice[menu.title()] = found
    assert twice == {}
    keys = Counter(action.shortcut().toString() for action in window.findChildren(QAction))
    assert [key for key, count in keys.items() if key and count > 1] == []

    # What needs a library cannot be done without one.
    for name in ("filter", "focus_ask", "history", "structure"):
        assert not window.action(name).isEnabled(), name
