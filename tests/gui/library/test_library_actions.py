"""Libraries that are pointed at and are none, and known ones that are not there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from desktop_qa.gui.libraries.libraries_link import LibrariesLink
from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.paths import DATABASE_NAME
from tests.gui.patient_bot import press


def banner(window: QWidget) -> Banner:
    (shown,) = window.message_area.banners
    return shown


def test_a_library_is_opened_and_made_only_where_that_was_wanted(
    host, service, source_folder, monkeypatch, tmp_path
):
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
    qtbot, settings, service, make_application, tmp_path
):
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
    host, tmp_path, service
):
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


def test_the_library_opened_last_stands_first_and_once(settings):
    recent = RecentLibraries(settings)
    for folder in ("a", "b", "a"):
        recent.add(RecentLibrary(folder, (f"/documents/{folder}",)))
    assert [entry.folder for entry in RecentLibraries(settings).entries] == ["a", "b"]


def test_a_forgotten_library_is_not_offered(settings):
    recent = RecentLibraries(settings)
    recent.add(RecentLibrary("a", ()))
    recent.remove("a")
    assert recent.entries == ()


def test_settings_that_cannot_be_read_count_as_none(settings):
    for nonsense in ("{", "[1]", '[["a"]]', "null"):
        settings.setValue("libraries/recent", nonsense)
        assert RecentLibraries(settings).entries == ()


def test_a_library_is_called_after_its_folders():
    assert RecentLibrary("/libraries/x-1", ("/documents/datasheets",)).name == "datasheets"
    assert RecentLibrary("/libraries/x-1", ("/a/datasheets", "/b")).name == "datasheets + 1"
    assert RecentLibrary("/libraries/mine", ()).name == "mine"
