from __future__ import annotations

from PySide6.QtCore import QSettings

from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary, library_name


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
    assert library_name("/libraries/x-1", ("/documents/datasheets",)) == "datasheets"
    assert library_name("/libraries/x-1", ("/a/datasheets", "/b")) == "datasheets + 1"
    assert library_name("/libraries/mine", ()) == "mine"
