from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.gui.status_line import StatusLine, duration_text, progress_text
from tests.gui.fake_service import STATUSES, make_progress
from tests.gui.patient_bot import on_screen


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
def test_durations_read_as_people_say_them(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_what_is_not_known_yet_is_left_out() -> None:
    progress = make_progress(pages_per_second=0.0, seconds_left=None)
    assert progress_text(progress) == "31 of 51 documents"


def test_slow_reading_keeps_a_digit() -> None:
    assert "1.4 pages/s" in progress_text(make_progress(pages_per_second=1.42))


def test_idle_shows_neither_bar_nor_buttons(qtbot: QtBot) -> None:
    line = on_screen(qtbot, StatusLine(), 1000, 28)
    line.show_progress(make_progress())
    assert line.bar.isVisible()
    assert line.pause_button.isVisible()
    line.show_idle("51 documents ready", STATUSES)
    assert not line.bar.isVisible()
    assert not line.cancel_button.isVisible()
    assert line.activity_label.text() == "51 documents ready"
    assert line.attention_button.text() == "1 needs attention"
    assert line.privacy_button.text() == "Offline"


def test_a_long_activity_does_not_widen_the_window(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_progress(make_progress(activity="Reading"))
    width = line.minimumSizeHint().width()
    line.show_progress(make_progress(activity="Reading " + "x" * 500))
    assert line.minimumSizeHint().width() == width


def test_a_narrow_line_says_the_numbers_without_the_bar(qtbot: QtBot) -> None:
    line = on_screen(qtbot, StatusLine())
    line.show_progress(make_progress(activity="Reading page 34 of 60 of a_long_name.pdf"))
    line.resize(455, 28)
    assert line.width() == 455
    assert not line.bar.isVisible()
    assert line.progress_label.isVisible()
    assert line.pause_button.width() < 40
    line.resize(1366, 28)
    assert line.bar.isVisible()
    line.show_idle("", ())
    assert not line.bar.isVisible()
