"""Libraries that are pointed at and are none, and known ones that are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from desktop_qa.gui.application import Application
from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.paths import DATABASE_NAME
from tests.gui.fake_service import FakeService


def banner(window: MainWindow) -> Banner:
    (shown,) = window.message_area.banners
    return shown


def press(window: MainWindow, text: str) -> None:
    next(b for b in banner(window).action_buttons if b.text() == text).click()


def test_a_folder_of_documents_is_not_made_a_library_by_opening_it(
    window: MainWindow, service: FakeService, source_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.libraries, "choose", lambda _title: source_folder)
    window.action("open_library").trigger()
    assert not service.arguments_of("open_library")
    assert "There is no library" in banner(window).notice.message
    press(window, "Add Its Documents")
    ((_folder, source),) = service.arguments_of("open_library")
    assert source == str(source_folder)


def test_a_library_that_is_pointed_at_is_opened(
    window: MainWindow, service: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / DATABASE_NAME).touch()
    monkeypatch.setattr(window.libraries, "choose", lambda _title: tmp_path)
    window.action("open_library").trigger()
    assert service.arguments_of("open_library") == [(str(tmp_path), None)]


def test_a_lost_library_is_not_looked_for_where_none_is(
    window: MainWindow, service: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.recent.add(RecentLibrary("/media/stick/library", ()))
    monkeypatch.setattr(window.libraries, "choose", lambda _title: tmp_path)
    window.whole_libraries.choose_lost("/media/stick/library")
    assert not service.arguments_of("open_library")
    assert window.recent.known[0].folder == "/media/stick/library"


def test_the_library_of_a_drive_that_is_not_connected_is_said_at_the_start_and_stays_known(
    qtbot: QtBot,
    settings: QSettings,
    service: FakeService,
    make_application: Callable[..., Application],
    tmp_path: Path,
) -> None:
    # The place where the drive was mounted is an empty folder now.
    drive = tmp_path / "drive"
    drive.mkdir()
    RecentLibraries(settings).add(RecentLibrary(str(drive), ("/documents/datasheets",)))
    window = make_application(service).window
    qtbot.waitUntil(lambda: bool(window.message_area.banners))
    assert "is not there" in banner(window).notice.message
    assert str(drive) in banner(window).notice.hint
    assert not service.arguments_of("open_library")
    assert not list(drive.iterdir())
    window.libraries.open_recent(0)
    assert window.recent.entries[0].folder == str(drive)
    (drive / DATABASE_NAME).touch()
    window.libraries.open_recent(0)
    assert service.arguments_of("open_library") == [(str(drive), None)]


def test_a_library_that_is_not_there_is_forgotten_only_when_that_is_wanted(
    window: MainWindow, tmp_path: Path
) -> None:
    window.recent.add(RecentLibrary(str(tmp_path), ()))
    window.libraries.open_recent(0)
    press(window, "Forget It")
    assert not window.recent.entries


def test_the_sample_library_has_its_name_and_keeps_another_one(
    window: MainWindow, service: FakeService
) -> None:
    window.libraries.open_sample()
    folder, _source, name, _more = service.arguments_of("open_library")[-1]
    assert name == "Sample library"
    Path(folder).mkdir(parents=True)
    (Path(folder) / DATABASE_NAME).touch()
    window.libraries.open_sample()
    assert len(service.arguments_of("open_library")[-1]) == 2
