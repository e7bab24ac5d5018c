"""Libraries that are pointed at and are none, and known ones that are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.application import Application
from desktop_qa.gui.libraries.libraries_link import LibrariesLink
from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.paths import DATABASE_NAME
from tests.gui.fake_service import FakeService
from tests.gui.patient_bot import press


def banner(window: QWidget) -> Banner:
    (shown,) = window.message_area.banners
    return shown


def test_a_library_is_opened_and_made_only_where_that_was_wanted(
    host: QWidget,
    service: FakeService,
    source_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    # A folder of documents is not made a library by opening it.
    monkeypatch.setattr(host.libraries, "choose", lambda _title: source_folder)
    host.libraries.choose_library()
    assert not service.arguments_of("open_library")
    assert "There is no library" in banner(host).notice.message
    press(host.message_area, "Add Its Documents")
    ((_folder, source),) = service.arguments_of("open_library")
    assert source == str(source_folder)

    # A library that is pointed at is opened.
    (tmp_path / DATABASE_NAME).touch()
    monkeypatch.setattr(host.libraries, "choose", lambda _title: tmp_path)
    host.libraries.choose_library()
    assert service.arguments_of("open_library")[1:] == [(str(tmp_path), None)]

    # A lost library is not looked for where none is.
    host.recent.add(RecentLibrary("/media/stick/library", ()))
    monkeypatch.setattr(host.libraries, "choose", lambda _title: source_folder)
    LibrariesLink(host).choose_lost("/media/stick/library")
    assert len(service.arguments_of("open_library")) == 2
    assert host.recent.known[0].folder == "/media/stick/library"


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
    host: QWidget, tmp_path: Path, service: FakeService
) -> None:
    # A library that is not there is forgotten only when that is wanted.
    host.recent.add(RecentLibrary(str(tmp_path), ()))
    host.libraries.open_recent(0)
    press(host.message_area, "Forget It")
    assert not host.recent.entries

    # The sample library has its name and keeps another one.
    host.libraries.open_sample()
    folder, _source, name, _more = service.arguments_of("open_library")[-1]
    assert name == "Sample library"
    Path(folder).mkdir(parents=True)
    (Path(folder) / DATABASE_NAME).touch()
    host.libraries.open_sample()
    assert len(service.arguments_of("open_library")[-1]) == 2


def test_the_library_opened_last_stands_first_and_once(settings: QSettings) -> None:
    recent = RecentLibraries(settings)
    for folder in ("a", "b", "a"):
        recent.add(RecentLibrary(folder, (f"/documents/{folder}",)))
    assert [entry.folder for entry in RecentLibraries(settings).entries] == ["a", "b"]


def test_a_forgotten_library_is_not_offered(settings: QSettings) -> None:
    recent = RecentLibraries(settings)
    recent.add(RecentLibrary("a", ()))
    recent.remove("a")
    assert recent.entries == ()


def test_settings_that_cannot_be_read_count_as_none(settings: QSettings) -> None:
    for nonsense in ("{", "[1]", '[["a"]]', "null"):
        settings.setValue("libraries/recent", nonsense)
        assert RecentLibraries(settings).entries == ()


def test_a_library_is_called_after_its_folders() -> None:
    assert RecentLibrary("/libraries/x-1", ("/documents/datasheets",)).name == "datasheets"
    assert RecentLibrary("/libraries/x-1", ("/a/datasheets", "/b")).name == "datasheets + 1"
    assert RecentLibrary("/libraries/mine", ()).name == "mine"
