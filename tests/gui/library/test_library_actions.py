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


def test_a_library_is_opened_and_made_only_where_that_was_wanted(
    window: MainWindow,
    service: FakeService,
    source_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    # A folder of documents is not made a library by opening it.
    monkeypatch.setattr(window.libraries, "choose", lambda _title: source_folder)
    window.action("open_library").trigger()
    assert not service.arguments_of("open_library")
    assert "There is no library" in banner(window).notice.message
    press(window, "Add Its Documents")
    ((_folder, source),) = service.arguments_of("open_library")
    assert source == str(source_folder)

    # A library that is pointed at is opened.
    (tmp_path / DATABASE_NAME).touch()
    monkeypatch.setattr(window.libraries, "choose", lambda _title: tmp_path)
    window.action("open_library").trigger()
    assert service.arguments_of("open_library")[1:] == [(str(tmp_path), None)]

    # A lost library is not looked for where none is.
    window.recent.add(RecentLibrary("/media/stick/library", ()))
    monkeypatch.setattr(window.libraries, "choose", lambda _title: source_folder)
    window.whole_libraries.choose_lost("/media/stick/library")
    assert len(service.arguments_of("open_library")) == 2
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


def test_what_is_gone_is_forgotten_when_that_is_wanted_and_the_sample_keeps_its_name(
    window: MainWindow, tmp_path: Path, service: FakeService
) -> None:
    # A library that is not there is forgotten only when that is wanted.
    window.recent.add(RecentLibrary(str(tmp_path), ()))
    window.libraries.open_recent(0)
    press(window, "Forget It")
    assert not window.recent.entries

    # The sample library has its name and keeps another one.
    window.libraries.open_sample()
    folder, _source, name, _more = service.arguments_of("open_library")[-1]
    assert name == "Sample library"
    Path(folder).mkdir(parents=True)
    (Path(folder) / DATABASE_NAME).touch()
    window.libraries.open_sample()
    assert len(service.arguments_of("open_library")[-1]) == 2
