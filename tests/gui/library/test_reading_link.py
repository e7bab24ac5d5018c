"""Documents read again with a model: told before, shown while it reads, seen beside the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.readings import ModelReading, ReadBy, ReadingEstimate, ReadingProgress
from desktop_qa.gui.library.document_menu import DocumentMenu
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from tests.gui.fake_service import STATUSES, FakeService
from tests.gui.patient_bot import told
from tests.gui.structures import make_structure

HERE = Profile("Here", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
STATUS = STATUSES[0]
ESTIMATE = ReadingEstimate(1, 49, 12, 30000, 12000, None, 240.0)
NOTE = ModelReading("qwen3:8b", "127.0.0.1", 1.0, 200.0, 31, 9, 2, 0)
DONE = replace(STATUS, read_at=9.0)


@pytest.fixture
def window(open_window: MainWindow, tmp_path: Path) -> MainWindow:
    store = ProfileStore(tmp_path / "models.toml")
    store.save(HERE)
    open_window.models.choice.store = store
    open_window.models.choose("Here")
    return open_window


def begin(qtbot: QtBot, window: MainWindow, service: FakeService) -> list[str]:
    finish_sync(qtbot, window, service)
    n_before = len(service.arguments_of("read_by_model"))
    window.readings.offer((STATUS,))
    qtbot.waitUntil(lambda: len(service.arguments_of("estimate_reading")) > n_before)
    texts: list[str] = []
    service.answer("estimate_reading", ((STATUS.document_id,), ESTIMATE))
    press_when_there(qtbot, texts, "Read")
    qtbot.waitUntil(lambda: len(service.arguments_of("read_by_model")) > n_before)
    return texts


def finish_sync(qtbot: QtBot, window: MainWindow, service: FakeService) -> None:
    if window.session.is_syncing:
        service.fail("sync", Cancelled())
        qtbot.waitUntil(lambda: not window.session.is_syncing)


def press_when_there(qtbot: QtBot, texts: list[str], button: str) -> None:
    timer = QTimer()

    def press() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            timer.stop()
            texts.append(f"{box.text()} {box.informativeText()}")
            next(one for one in box.buttons() if one.text().replace("&", "") == button).click()

    timer.timeout.connect(press)
    timer.start(5)
    qtbot.waitUntil(lambda: bool(texts))


def notice(window: MainWindow) -> str:
    """What is said of readings by models."""
    return "".join(told(window, "read by a model"))


def test_a_reading_is_told_before_followed_stopped_and_its_fault_said(
    qtbot: QtBot, window: MainWindow, service: FakeService
) -> None:
    # A fault is told in one line.
    begin(qtbot, window, service)
    error = ModelError(ModelErrorKind.STALLED, "127.0.0.1 sent nothing.", "Look at the server.")
    service.fail("read_by_model", error)
    expected = "127.0.0.1 sent nothing. Look at the server. The offline reading stays."
    qtbot.waitUntil(lambda: notice(window) == expected)

    # What it takes is told before and progress while it reads.
    menu = DocumentMenu(window)
    menu.fill_for_document(STATUS)
    assert any(action.objectName() == "read_by_model" for action in menu.actions())
    menu.deleteLater()
    (text,) = begin(qtbot, window, service)
    assert "Shall qwen3:8b on this machine read OPA4197" in text
    assert "49 pages in 12 requests; about 30,000 tokens read" in text
    assert "about 4 min" in text
    service.report("read_by_model", ReadingProgress("TI_OPA4197.pdf", 7, 49, 900, 30.0, 180.0))
    line = window.status_line
    qtbot.waitUntil(lambda: "qwen3:8b reads TI_OPA4197.pdf" in line.activity_label.text())
    assert "page 7 of 49" in line.activity_label.text()
    assert line.pause_button.isHidden()
    assert line.cancel_button.toolTip() == "Cancel reading"
    service.answer("read_by_model", (DONE, NOTE))
    qtbot.waitUntil(lambda: "was read by qwen3:8b" in notice(window))
    assert "31 headings and 9 tables placed, 2 not found" in notice(window)
    assert window.session.status(STATUS.document_id) == DONE
    assert line.cancel_button.isHidden()

    # Stop leaves all as it was.
    begin(qtbot, window, service)
    window.status_line.cancel_button.click()
    assert service.cancelled[-1] == service.last_id("read_by_model")
    service.fail("read_by_model", Cancelled())
    qtbot.waitUntil(lambda: window.status_line.cancel_button.isHidden())
    assert window.session.status(STATUS.document_id) == DONE


def test_without_a_model_it_says_where_to_choose_one(
    window: MainWindow, service: FakeService
) -> None:
    window.models.choose("")
    window.readings.offer((STATUS,))
    assert "No language model is chosen." in notice(window)
    assert not service.arguments_of("estimate_reading")


def test_both_readings_are_seen_and_either_is_used(
    qtbot: QtBot, window: MainWindow, service: FakeService
) -> None:
    finish_sync(qtbot, window, service)
    window.resize(1366, 768)
    window.library_panel.select_document(STATUS.document_id)
    window.action("structure").trigger()
    panel = window.side_bar.structure_panel
    came = panel.tree.model().modelReset
    service.answer("structure", make_structure(), until=came)
    program, model = panel.reading_buttons.values()
    assert not program.isVisibleTo(panel)
    of_model = replace(make_structure(), read_by=ReadBy.MODEL, model_reading=NOTE)
    window.session.take((DONE,), ())
    service.answer("structure", of_model, until=came)
    assert [program.text(), model.text()] == ["Offline", "qwen3:8b"]
    assert model.isChecked()
    assert panel.use_button.isHidden()
    program.click()
    qtbot.waitUntil(
        lambda: service.arguments_of("structure")[-1] == (STATUS.document_id, ReadBy.PROGRAM)
    )
    service.answer("structure", replace(of_model, read_by=ReadBy.PROGRAM), until=came)
    assert program.isChecked()
    assert not model.isChecked()
    panel.use_button.click()
    assert service.arguments_of("use_reading") == [(STATUS.document_id, ReadBy.PROGRAM)]
