"""Conversations over the library's own process: the sample library, as a user has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from desktop_qa.gui.application import Application
from desktop_qa.gui.conversations.conversation_model import ConversationState
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.service.client import ServiceClient
from tests.conftest import SampleIngest

pytestmark = pytest.mark.process

OFFSET = "What is the typical input offset voltage of the ORA217?"
DROPOUT = "What is the dropout voltage of the ORL3305?"
TIMEOUT_MS = 120_000


def ask(qtbot: QtBot, window: MainWindow, question: str) -> None:
    window.ask_box.edit.setPlainText(question)
    with qtbot.waitSignal(window.session.turn_ended, timeout=TIMEOUT_MS):
        QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)


def opened(
    qtbot: QtBot, make_application: Callable[..., Application], library: Path
) -> Application:
    application = make_application(ServiceClient())
    qtbot.waitUntil(lambda: application.runner.is_running, timeout=TIMEOUT_MS)
    with qtbot.waitSignal(application.session.library_opened, timeout=TIMEOUT_MS):
        application.session.open_library(library)
    return application


def heading(window: MainWindow) -> str:
    return window.answer_panel.question_label.text()


def test_conversations_are_asked_side_by_side_closed_and_come_back(
    qtbot: QtBot,
    make_application: Callable[..., Application],
    sample_ingest: SampleIngest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import shutil

    library = tmp_path / "library"
    shutil.copytree(sample_ingest.library, library)
    application = opened(qtbot, make_application, library)
    window = application.window

    # Two conversations at a time: the second waits, both are answered, each in its own tab.
    window.ask_box.edit.setPlainText(OFFSET)
    QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)
    QTest.keyClick(window.ask_box.edit, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    ended: list[object] = []
    window.session.turn_ended.connect(lambda _conversation, turn: ended.append(turn.question.text))
    window.ask_box.edit.setPlainText(DROPOUT)
    QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(ended) == 2, timeout=TIMEOUT_MS)
    assert ended == [OFFSET, DROPOUT]
    assert heading(window) == DROPOUT
    assert [tab.state for tab in window.conversation_tabs.tabs] == [
        ConversationState.NEWS,
        ConversationState.QUIET,
    ]

    # A follow-up goes on from its own conversation.
    ask(qtbot, window, "and the ORL3310?")
    view = window.answer_panel.view
    assert "ORL3310" in view.answer.read_as
    assert "dropout" in view.answer.read_as
    window.action("previous_tab").trigger()
    ask(qtbot, window, "and the maximum?")
    view = window.answer_panel.view
    assert "ORA217" in view.answer.read_as

    # Closed and opened again: the same conversations, their answers from the history.
    titles = [tab.title for tab in window.conversation_tabs.tabs]
    window.close()
    again = opened(qtbot, make_application, library).window
    qtbot.waitUntil(lambda: again.answer_panel.view is not None, timeout=TIMEOUT_MS)
    assert [tab.title for tab in again.conversation_tabs.tabs] == titles
    assert heading(again) == "and the maximum?"
    assert [row.question for row in again.thread_view.earlier.rows] == [OFFSET]
    ask(qtbot, again, "and the minimum?")
    view = again.answer_panel.view
    assert "ORA217" in view.answer.read_as

    # Clearing the history leaves nothing to go on from.
    discard = QMessageBox.StandardButton.Discard
    monkeypatch.setattr(QMessageBox, "question", lambda *_arguments: discard)
    with qtbot.waitSignal(again.session.conversation_shown, timeout=TIMEOUT_MS):
        again.side_bar.history_panel.clear_action.trigger()
    assert again.answer_panel.view is None
    assert len(again.conversation_tabs.tabs) == 1
    ask(qtbot, again, "and the maximum?")
    assert "there is none in this conversation" in again.answer_panel.answer_text.toPlainText()
    assert again.answer_panel.retry_button.isVisible()
