"""A figure described by the chosen model, in its window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.core.figure_description import FigureDescription
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.profile import Dialect, Profile
from tests.gui.evidence.test_figure_window import picture
from tests.gui.fake_service import FakeService, make_answer_view
from tests.gui.models.conftest import Bench

SO_FAR = FigureDescription("A plot of", "seer:7b", "127.0.0.1")
WHOLE = replace(SO_FAR, text="A plot of noise.", described_at=9.0)


@pytest.fixture
def figure(bench: Bench, tmp_path: Path) -> FigureWindow:
    bench.keep(Profile("Here", Dialect.OLLAMA, "http://127.0.0.1:11434", "seer:7b"))
    bench.models.choose("Here")
    path = str(picture(tmp_path / "f.png"))
    view = replace(
        make_answer_view().evidence[0],
        kind=SegmentKind.FIGURE,
        table=None,
        caption="Figure 1. Noise",
        figure_path=path,
        vector_path=None,
    )
    window = FigureWindow(view.caption, path, "", bench)
    bench.models.figures.follow(window, view)
    window.show()
    return window


def test_a_description_grows_and_says_whose_it_is(
    qtbot: QtBot, figure: FigureWindow, service: FakeService
) -> None:
    assert figure.description.isHidden()
    figure.describe_button.click()
    ((asked, profile),) = service.arguments_of("describe_figure")
    assert (asked.caption, profile.model) == ("Figure 1. Noise", "seer:7b")
    assert figure.describe_button.text() == "Stop"
    service.report("describe_figure", SO_FAR)
    qtbot.waitUntil(lambda: figure.description.text() == SO_FAR.text)
    service.answer("describe_figure", WHOLE)
    qtbot.waitUntil(lambda: figure.description.text() == WHOLE.text)
    assert "not the document" in figure.byline_label.text()
    assert figure.describe_button.text() == "Describe"


def test_what_was_said_before_is_there_at_once(
    qtbot: QtBot, figure: FigureWindow, service: FakeService
) -> None:
    service.answer("kept_description", WHOLE)
    qtbot.waitUntil(lambda: figure.description.text() == WHOLE.text)


def test_it_can_be_stopped_and_a_failure_is_told(
    qtbot: QtBot, figure: FigureWindow, service: FakeService
) -> None:
    figure.describe_button.click()
    figure.describe_button.click()
    assert service.last_id("describe_figure") in service.cancelled
    assert figure.byline_label.text().startswith("Stopped")
    figure.describe_button.click()
    error = ModelError(ModelErrorKind.REFUSED, "It sees nothing.", "Choose one that sees.")
    service.fail("describe_figure", error)
    qtbot.waitUntil(lambda: figure.byline_label.text() == "It sees nothing. Choose one that sees.")


def test_a_window_that_closes_stops_its_model(figure: FigureWindow, service: FakeService) -> None:
    figure.describe_button.click()
    figure.close()
    assert service.last_id("describe_figure") in service.cancelled
    service.report("describe_figure", SO_FAR)


def test_without_a_model_the_dialog_is_opened(
    figure: FigureWindow,
    bench: Bench,
    service: FakeService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[bool] = []
    bench.models.choose("")
    monkeypatch.setattr(bench.models, "show_dialog", lambda: opened.append(True))
    figure.describe_button.click()
    assert opened
    assert not service.arguments_of("describe_figure")


def test_what_a_stopped_model_still_says_is_no_part_of_the_next_description(
    qtbot: QtBot, figure: FigureWindow, service: FakeService
) -> None:
    figure.describe_button.click()
    figure.describe_button.click()
    service.answer("describe_figure", replace(WHOLE, text="Late."))
    figure.describe_button.click()
    service.report("describe_figure", SO_FAR)
    qtbot.waitUntil(lambda: figure.description.text() == SO_FAR.text)
    assert figure.describe_button.text() == "Stop"


def test_a_failure_leaves_what_was_said_before(
    qtbot: QtBot, figure: FigureWindow, service: FakeService
) -> None:
    service.answer("kept_description", WHOLE)
    qtbot.waitUntil(lambda: figure.description.text() == WHOLE.text)
    figure.describe_button.click()
    service.fail("describe_figure", ModelError(ModelErrorKind.REFUSED, "It sees nothing.", ""))
    qtbot.waitUntil(lambda: figure.byline_label.text().startswith("It sees nothing."))
    assert figure.description.text() == WHOLE.text
