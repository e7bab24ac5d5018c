"""Who does not see the window hears what has changed in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_qa.core.question import Question
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.messages import (
    MessageArea,
    Notice,
    NoticeLevel,
    announce,
    spoken_answer,
)
from tests.gui.fake_service import FakeService
from tests.gui.sample_answers import table_answer
from tests.helpers import said as words

Said = list[tuple[str, bool]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Collect what a screen reader is given to say, and whether at once."""
    words: Said = []

    def hear(event: QAccessibleAnnouncementEvent) -> None:
        is_urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
        words.append((event.message(), is_urgent))

    monkeypatch.setattr("desktop_qa.gui.widgets.messages.QAccessible.updateAccessibility", hear)
    return words


def test_an_answer_is_read_without_the_signs_of_its_form() -> None:
    answer = replace(
        table_answer().answer,
        blocks=words.said("Offset\n- typ **±25 µV**, max ±100 µV [1][2]\n\n1. at 5 V [3]"),
    )
    assert spoken_answer(answer) == "Answer: Offset typ ±25 µV, max ±100 µV 1. at 5 V"


def test_long_words_are_cut_between_two(qtbot: QtBot, said: Said) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    announce(label, "offset " * 200)
    assert said[0][0].endswith("offset …")
    assert len(said[0][0]) <= 402


def test_what_went_wrong_is_said_at_once(qtbot: QtBot, said: Said) -> None:
    area = MessageArea()
    qtbot.addWidget(area)
    area.post(Notice(NoticeLevel.INFORMATION, "OPA4197 was removed.", "The file stays."))
    area.post(Notice(NoticeLevel.ERROR, "The disk is full."))
    assert said == [("OPA4197 was removed. The file stays.", False), ("The disk is full.", True)]


def test_an_answer_is_said_when_it_comes(
    open_window: MainWindow, qtbot: QtBot, service: FakeService, said: Said
) -> None:
    view = table_answer()
    open_window.session.ask(Question("What is the offset voltage?"))
    service.answer("ask", view)
    qtbot.waitUntil(lambda: (spoken_answer(view.answer), False) in said)
