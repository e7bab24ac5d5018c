"""A model's answer above that of the documents, as the library's process tells it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.model_said import Doubt, DoubtMark, ModelSaid
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.theme import DARK, look
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from tests.gui.fake_service import QUESTION, FakeService, make_answer_view
from tests.gui.models.conftest import Bench
from tests.helpers.said import said

PROFILE = Profile("Small", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
WORDS = "The offset is 25 µV. [1] It drifts by 9 µV. [3]"
SO_FAR = ModelSaid("Small", "qwen3:8b", "127.0.0.1", said("The offset is 25 µV. [1]"))
WHOLE = replace(
    SO_FAR,
    blocks=said(WORDS),
    doubts=(DoubtMark(0, 0, 20, 42, Doubt.UNSUPPORTED, "9 is not in it", "5 µV", 3),),
    is_over=True,
    seconds=4.2,
    n_tokens=31,
    price=0.0021,
)


@pytest.fixture
def asking(bench) -> Bench:
    bench.keep(PROFILE)
    bench.models.choice.choose("Small")
    return bench


def ask(
    qtbot: QtBot, window: Bench | MainWindow, service: FakeService, text: str = QUESTION
) -> None:
    n_before = len(service.arguments_of("ask_model"))
    window.session.ask(Question(text))
    service.reply(window.session, make_answer_view(text))
    qtbot.waitUntil(lambda: len(service.arguments_of("ask_model")) > n_before)


def with_said(said: ModelSaid) -> AnswerView:
    return replace(make_answer_view(), said=said)


def shown(window: Bench | MainWindow) -> str:
    return window.answer_panel.model_section.text.document().toPlainText()


def tell_whole(qtbot: QtBot, window: Bench | MainWindow, service: FakeService) -> None:
    service.answer("ask_model", with_said(WHOLE))
    qtbot.waitUntil(lambda: "9 µV" in shown(window))


def test_no_model_is_asked_where_none_is_chosen(bench, service):
    bench.session.ask(Question(QUESTION))
    service.reply(bench.session, make_answer_view())
    assert bench.answer_panel.model_section.isHidden()
    assert service.arguments_of("ask_model") == []


def test_the_answer_grows_above_the_one_of_the_documents(qtbot, asking, service):
    ask(qtbot, asking, service)
    answer, scope, profile = service.arguments_of("ask_model")[0]
    assert (answer.question, scope, profile) == (QUESTION, None, PROFILE)
    panel = asking.answer_panel
    assert not panel.documents_body.isHidden()
    assert "working" in panel.model_section.state_label.text()
    service.report("ask_model", SO_FAR)
    qtbot.waitUntil(lambda: "25 µV" in shown(asking))
    tell_whole(qtbot, asking, service)
    assert panel.model_section.state_label.text() == "4.2 s · 31 tokens · price 0.0021"
    assert "(the document: 5 µV)" in shown(asking)
    assert "±25" in panel.answer_text.document().toPlainText()


def test_a_sentence_that_is_not_borne_out_is_underlined_and_says_why(
    qtbot, asking, service, monkeypatch
):
    ask(qtbot, asking, service)
    tell_whole(qtbot, asking, service)
    text = asking.answer_panel.model_section.text
    cursor = QTextCursor(text.document())
    cursor.setPosition(shown(asking).index("drifts") + 1)
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    assert cursor.charFormat().underlineStyle() == wave
    cursor.setPosition(3)
    assert cursor.charFormat().underlineStyle() != wave
    reason = "Not borne out: 9 is not in it. The document says 5 µV [3]."
    assert reason in text.accessibleDescription()


def test_growing_in_steps_shows_what_showing_at_once_does(qtbot, asking, service):
    ask(qtbot, asking, service)
    section = asking.answer_panel.model_section
    lines = "A first line. [1]\n\n- one [1]\n- two [2]\n\nA last line of 9 µV. [2]"
    for end in range(1, len(lines)):
        section.text.grow(said(lines[:end]), (), section._symbols)
    section.text.grow(said(lines), (), section._symbols)
    grown = section.text.document().toPlainText()
    section.text.show_note("")
    section.text._grown = []
    section.text.grow(said(lines), (), section._symbols)
    assert section.text.document().toPlainText() == grown


def test_stop_keeps_what_was_said_and_later_words_are_not_shown(qtbot, asking, service):
    ask(qtbot, asking, service)
    service.report("ask_model", SO_FAR)
    qtbot.waitUntil(lambda: "25 µV" in shown(asking))
    asking.models.answers.stop()
    section = asking.answer_panel.model_section
    assert service.last_id("ask_model") in service.cancelled
    assert "stopped" in section.state_label.text()
    assert not section.ask_button.isHidden()
    service.report("ask_model", replace(SO_FAR, blocks=said("Something else.")))
    ended = replace(SO_FAR, is_over=True, was_stopped=True, seconds=1.5)
    service.answer("ask_model", with_said(ended))
    qtbot.waitUntil(lambda: section.state_label.text() == "1.5 s · stopped")
    assert "Something else" not in shown(asking)


def test_an_error_is_one_line_and_the_model_can_be_asked_again(qtbot, asking, service):
    ask(qtbot, asking, service)
    failed = replace(SO_FAR, blocks=(), is_over=True, error="No such model.", hint="Pull it.")
    service.answer("ask_model", with_said(failed))
    section = asking.answer_panel.model_section
    qtbot.waitUntil(lambda: section.message_label.text() == "No such model. Pull it.")
    assert not asking.answer_panel.documents_body.isHidden()
    qtbot.mouseClick(section.ask_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(service.arguments_of("ask_model")) == 2)
    tell_whole(qtbot, asking, service)
    assert section.message_label.isHidden()


def test_a_process_that_ends_under_way_is_told(qtbot, asking, service):
    ask(qtbot, asking, service)
    service.fail("ask_model", LibraryError("The library stopped working.", "Ask again."))
    section = asking.answer_panel.model_section
    qtbot.waitUntil(lambda: "The library stopped working." in section.message_label.text())


def test_a_new_question_stops_the_model(qtbot, asking, service):
    ask(qtbot, asking, service)
    request = service.last_id("ask_model")
    service.report("ask_model", SO_FAR)
    qtbot.waitUntil(lambda: "25 µV" in shown(asking))
    ask(qtbot, asking, service, "And the drift?")
    assert request in service.cancelled
    assert shown(asking) == ""


def test_one_key_folds_either(qtbot, asking, service):
    ask(qtbot, asking, service)
    tell_whole(qtbot, asking, service)
    panel = asking.answer_panel
    states = []
    for _ in range(3):
        asking.answer_panel.model_section.fold_next()
        states.append(
            (not panel.model_section.text.isHidden(), panel.documents_body.isVisibleTo(panel))
        )
    assert states == [(True, False), (False, True), (True, True)]


def test_what_a_model_says_leads_to_its_places_and_shows_in_its_conversation_alone(
    qtbot, open_window, service, tmp_path
):
    choice = open_window.models.choice
    choice.store = ProfileStore(tmp_path / "models.toml")
    choice.store.save(PROFILE)
    choice.choose("Small")
    # A marker opens its place and the copy holds the model.
    ask(qtbot, open_window, service)
    tell_whole(qtbot, open_window, service)
    with qtbot.waitSignal(open_window.citations.place_shown) as placed:
        open_window.answer_panel.model_section.text.citation_clicked.emit(2)
    assert placed.args[0].marker == 2
    open_window.answer_panel.copy_answer()
    copied = QGuiApplication.clipboard().text()
    assert "qwen3:8b (4.2 s · 31 tokens · price 0.0021):" in copied
    assert "Not borne out: 9 is not in it." in copied

    # What was looked up is evidence while the model writes.
    ask(qtbot, open_window, service)
    view = make_answer_view()
    fetched = replace(view.evidence[0], marker=9, is_cited=True)
    words = "The supply is 5 V. [9]"
    line = "Looked up: table 3 of ACM4197, page 5"
    so_far = replace(SO_FAR, blocks=said(words), fetched=(line,))
    news = replace(view, evidence=(*view.evidence, fetched), said=so_far)
    service.report("ask_model", news)
    qtbot.waitUntil(lambda: "5 V" in shown(open_window))
    section = open_window.answer_panel.model_section
    assert section.message_label.text() == line
    with qtbot.waitSignal(open_window.citations.place_shown) as placed:
        section.text.citation_clicked.emit(9)
    assert placed.args[0].marker == 9
    assert "writing" in section.state_label.text()
    tell_whole(qtbot, open_window, service)
    assert 9 not in {piece.marker for piece in open_window.answer_panel.view.evidence}

    # A stream never shows in another conversation.
    ask(qtbot, open_window, service)
    first = open_window.session.conversations.active
    open_window.session.new_conversation()
    service.report("ask_model", SO_FAR)
    service.answer("ask_model", with_said(WHOLE))
    turn = first.turns[-1]
    qtbot.waitUntil(lambda: turn.view is not None and turn.view.said is not None)
    assert open_window.answer_panel.model_section.isHidden()
    open_window.session.show_conversation(first)
    qtbot.waitUntil(lambda: "9 µV" in shown(open_window))
    assert not open_window.answer_panel.model_section.isHidden()


def test_chips_are_drawn_again_in_another_theme(qtbot, asking, service, monkeypatch):
    ask(qtbot, asking, service)
    tell_whole(qtbot, asking, service)
    text = asking.answer_panel.model_section.text
    monkeypatch.setattr(look, "theme", DARK)
    look.changed.emit()
    kind = QTextDocument.ResourceType.ImageResource.value
    chip = text.document().resource(kind, QUrl("chip:1"))
    assert chip.width() > 1  # not the empty image of what is missing
