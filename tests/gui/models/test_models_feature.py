"""The badge, what may leave the machine, and the dialog of the profiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_qa.core.figure_description import FigureDescription
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.models.models_dialog import ModelsDialog
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.local_servers import FoundServer
from desktop_qa.llm.messages import ListedModel
from desktop_qa.llm.model_files import read_model_file
from desktop_qa.llm.probe import Finding, Verdict
from desktop_qa.llm.profile import WHAT_LEAVES, Dialect, Profile
from tests.gui.fake_service import QUESTION, make_answer_view
from tests.gui.models.conftest import Bench
from tests.gui.patient_bot import answer_box
from tests.gui.pdf_files import write_picture
from tests.llm.gguf import gguf_head

HERE = Profile("Here", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
CLOUD = replace(HERE, name="Cloud", address="https://models.example/v1", model="large")
SO_FAR = FigureDescription("A plot of", "seer:7b", "127.0.0.1")
WHOLE = replace(SO_FAR, text="A plot of noise.", described_at=9.0)


@pytest.fixture
def window(bench) -> Bench:
    bench.keep(HERE, CLOUD)
    return bench


@pytest.fixture
def dialog(window) -> Iterator[ModelsDialog]:
    made = ModelsDialog(window.session, window.models.choice, window)
    made.show()
    yield made
    made.done(0)
    made.deleteLater()


def badge(window: Bench) -> str:
    return window.status_line.privacy_button.text()


def test_the_badge_says_what_leaves(window):
    assert badge(window) == "Offline"
    window.models.choose("Here")
    assert badge(window) == "Offline · qwen3:8b"
    answer_box("Not Now")
    window.models.choose("Cloud")
    assert badge(window) == "Offline · models.example not allowed"
    answer_box("Let It Go There")
    window.models.choose("Cloud")
    assert badge(window) == "Text goes to models.example"
    assert "large" in window.status_line.privacy_button.accessibleName()
    window.models.choice.withdraw(window.session.folder)
    assert badge(window) == "Offline · models.example not allowed"


def test_the_permission_names_all_that_leaves_here_and_in_the_terminal(window):
    said = answer_box("Not Now")
    window.models.choose("Cloud")
    assert all(line in said[0] for line in WHAT_LEAVES)


def test_nothing_is_sent_without_permission(window, service):
    window.models.choice.choose("Cloud")
    window.session.ask(Question(QUESTION))
    service.reply(window.session, make_answer_view())
    section = window.answer_panel.model_section
    assert "Nothing was sent" in section.message_label.text()
    assert not service.arguments_of("ask_model")
    answer_box("Let It Go There")
    section.ask_button.click()
    assert len(service.arguments_of("ask_model")) == 1


def test_the_menu_of_the_badge_has_every_profile(window):
    menu = window.status_line.privacy_button.menu()
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == [
        "No Language Model", "Here (qwen3:8b)", "Cloud (large)", "Language Models …",
    ]  # fmt: skip


def test_no_server_is_looked_for_before_the_dialog_opens(window, service):
    assert not service.arguments_of("find_models")


def test_a_server_found_here_becomes_a_profile(qtbot, dialog, service, window):
    found = FoundServer("Ollama", Dialect.OLLAMA, "http://127.0.0.1:11434", ("llama3", "qwen3"))
    service.answer("find_models", ((found,), ()))
    qtbot.waitUntil(lambda: dialog.servers.count() == 2)
    dialog.servers.setCurrentIndex(1)
    dialog.servers.activated.emit(1)
    dialog.model.setEditText("qwen3")
    dialog.name.setText("Mine")
    dialog.save_button.click()
    profile = window.models.choice.profile
    assert (profile.name, profile.model, profile.dialect) == ("Mine", "qwen3", Dialect.OLLAMA)


def test_an_address_is_spoken_to_and_its_models_are_listed(qtbot, dialog, service):
    dialog.add_button.click()
    assert not dialog.remove_button.isEnabled()
    dialog.address.setText("http://127.0.0.1:1234")
    dialog.address.editingFinished.emit()
    spoken = replace(HERE, dialect=Dialect.CHAT_COMPLETIONS, address="http://127.0.0.1:1234/v1")
    service.answer("list_models", (spoken, (ListedModel("small"), ListedModel("big"))))
    qtbot.waitUntil(lambda: dialog.model.count() == 2)
    assert dialog.address.text() == "http://127.0.0.1:1234/v1"
    assert dialog.model.currentText() == "small"


def test_what_is_found_out_is_kept_with_a_saved_profile(qtbot, dialog, service, window):
    dialog.list.setCurrentRow(1)
    spoken = replace(CLOUD, dialect=Dialect.CHAT_COMPLETIONS)
    service.answer("list_models", (spoken, (ListedModel("large"),)))
    qtbot.waitUntil(lambda: dialog.model.count() == 1)
    assert window.models.choice.profiles[1] == spoken
    dialog.test_button.click()
    good = Finding(True, "Yes.")
    service.answer("try_model", Verdict(good, speed=good, tools=good, schema=Finding(False, "No.")))
    known = replace(spoken, calls_tools=True, keeps_schema=False)
    qtbot.waitUntil(lambda: window.models.choice.profiles[1] == known)


def test_a_test_ends_in_a_verdict(qtbot, dialog, service):
    dialog.test_button.click()
    assert dialog.test_button.text() == "Stop"
    good = Finding(True, "It answers.")
    service.answer("try_model", Verdict(good, speed=Finding(False, "It writes nothing.")))
    qtbot.waitUntil(lambda: "✓ It answers." in dialog.words.text())
    assert "✗ It writes nothing." in dialog.words.text()
    assert dialog.test_button.text() == "Test"


def test_an_address_that_is_none_is_not_saved(dialog, window):
    dialog.add_button.click()
    dialog.address.setText("somewhere")
    dialog.model.setEditText("m")
    dialog.save_button.click()
    assert "cannot be understood" in dialog.words.text()
    assert len(window.models.choice.profiles) == 2


def test_a_key_goes_to_the_keyring_and_is_not_shown(dialog, service):
    dialog.list.setCurrentRow(1)
    dialog.key.setText("sk-secret")
    dialog.save_button.click()
    profile, key = service.arguments_of("keep_key")[-1]
    assert (profile.name, key) == ("Cloud", "sk-secret")
    assert dialog.key.text() == ""


def test_a_model_file_becomes_a_profile_that_is_offline(qtbot, dialog, service, window, tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf_head())
    service.answer("find_models", ((), (read_model_file(path, "GPT4All"),)))
    qtbot.waitUntil(lambda: dialog.servers.count() == 2)
    assert dialog.servers.itemText(1) == "small, a file of GPT4All"
    dialog.servers.activated.emit(1)
    assert "it fits" in dialog.words.text()
    assert not dialog.key.isEnabled()
    dialog.save_button.click()
    profile = window.models.choice.profile
    assert (profile.dialect, profile.address) == (Dialect.FILE, str(path))
    assert not profile.is_remote
    assert badge(window) == "Offline · small"


def test_what_comes_after_the_dialog_is_closed_is_dropped(qtbot, window, service):
    made = ModelsDialog(window.session, window.models.choice, window)
    made.show()
    request = service.last_id("find_models")
    made.done(0)
    assert request in service.cancelled
    found = FoundServer("Ollama", Dialect.OLLAMA, "http://127.0.0.1")
    service.answer("find_models", ((found,), ()))
    qtbot.waitUntil(lambda: not made._requests.get("find_models"))
    assert made.servers.itemText(0) == "Looking …"
    made.deleteLater()


@pytest.fixture
def figure(bench, tmp_path) -> FigureWindow:
    bench.keep(Profile("Here", Dialect.OLLAMA, "http://127.0.0.1:11434", "seer:7b"))
    bench.models.choose("Here")
    path = str(write_picture(tmp_path / "f.png"))
    view = replace(
        make_answer_view().evidence[0],
        kind=SegmentKind.FIGURE,
        table=None,
        caption="Figure 1. Noise",
        figure_path=path,
        vector_path=None,
    )
    window = FigureWindow(view.caption, path, "", bench)
    bench.models.describe_in(window, view)
    window.show()
    return window


def test_a_description_grows_and_says_whose_it_is(qtbot, figure, service):
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


def test_what_was_said_before_is_there_at_once(qtbot, figure, service):
    service.answer("kept_description", WHOLE)
    qtbot.waitUntil(lambda: figure.description.text() == WHOLE.text)


def test_it_can_be_stopped_and_a_failure_is_told(qtbot, figure, service):
    figure.describe_button.click()
    figure.describe_button.click()
    assert service.last_id("describe_figure") in service.cancelled
    assert figure.byline_label.text().startswith("Stopped")
    figure.describe_button.click()
    error = ModelError(ModelErrorKind.REFUSED, "It sees nothing.", "Choose one that sees.")
    service.fail("describe_figure", error)
    qtbot.waitUntil(lambda: figure.byline_label.text() == "It sees nothing. Choose one that sees.")


def test_a_window_that_closes_stops_its_model(figure, service):
    figure.describe_button.click()
    figure.close()
    assert service.last_id("describe_figure") in service.cancelled
    service.report("describe_figure", SO_FAR)


def test_without_a_model_the_dialog_is_opened(figure, bench, service, monkeypatch):
    opened: list[bool] = []
    bench.models.choose("")
    monkeypatch.setattr(bench.models, "show_dialog", lambda: opened.append(True))
    figure.describe_button.click()
    assert opened
    assert not service.arguments_of("describe_figure")


def test_what_a_stopped_model_still_says_is_no_part_of_the_next_description(qtbot, figure, service):
    figure.describe_button.click()
    figure.describe_button.click()
    service.answer("describe_figure", replace(WHOLE, text="Late."))
    figure.describe_button.click()
    service.report("describe_figure", SO_FAR)
    qtbot.waitUntil(lambda: figure.description.text() == SO_FAR.text)
    assert figure.describe_button.text() == "Stop"


def test_a_failure_leaves_what_was_said_before(qtbot, figure, service):
    service.answer("kept_description", WHOLE)
    qtbot.waitUntil(lambda: figure.description.text() == WHOLE.text)
    figure.describe_button.click()
    service.fail("describe_figure", ModelError(ModelErrorKind.REFUSED, "It sees nothing.", ""))
    qtbot.waitUntil(lambda: figure.byline_label.text().startswith("It sees nothing."))
    assert figure.description.text() == WHOLE.text
