"""Several libraries by mouse and key: switched, named, moved, deleted, found again."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import LibraryLockedError
from desktop_qa.core.libraries import (
    CopyProgress,
    DeletedLibrary,
    LibraryFacts,
    LibraryPresence,
    LibrarySize,
)
from desktop_qa.gui.libraries import libraries_link
from desktop_qa.gui.libraries.libraries_link import LibrariesLink, LibrariesWindow, opened_text
from desktop_qa.gui.library.library_words import size_text
from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary
from desktop_qa.service.messages import Progress
from tests.gui.fake_service import make_library
from tests.gui.patient_bot import tab_stops

_OPEN = "/libraries/datasheets"
_OTHER = "/libraries/manuals-1"
_GONE = "/media/stick/old"
_FACTS = (
    LibraryFacts(_OPEN, LibraryPresence.THERE, "", ("/documents/datasheets",), 51, 2183),
    LibraryFacts(_OTHER, LibraryPresence.THERE, "Manuals", ("/a/m", "/b/n"), 7, 90),
    LibraryFacts(_GONE, LibraryPresence.GONE, problem=f"{_GONE} is not there."),
)


@pytest.fixture
def link(make_parts, settings) -> LibrariesLink:
    """What opens the list, without the rest of the window."""
    window = make_parts()
    window.recent, window.libraries = RecentLibraries(settings), Mock()
    for folder, source in ((_OPEN, "/documents/datasheets"), (_GONE, "/documents/old")):
        window.recent.add(RecentLibrary(folder, (source,)))
    return LibrariesLink(window)


@pytest.fixture
def libraries(qtbot, link, service) -> LibrariesWindow:
    service.replies |= {
        "libraries_overview": _FACTS,
        "measure_library": LibrarySize(61_000_000, 9_000_000, 40_000_000),
        "close_library": None,
        "confirm_move": None,
    }
    link.show()
    made = link.libraries_window
    qtbot.waitUntil(lambda: made.tree.topLevelItemCount() == 3 and texts(made, 2)[2] == "")
    qtbot.waitUntil(lambda: texts(made, 1)[2] == "110.0 MB")
    return made


def texts(libraries: LibrariesWindow, row: int) -> list[str]:
    item = libraries.tree.topLevelItem(row)
    return [item.text(column) for column in range(4)]


def choose(libraries: LibrariesWindow, row: int) -> None:
    libraries.tree.setCurrentItem(libraries.tree.topLevelItem(row))


def press(qtbot: QtBot, button: object) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_libraries_are_listed_and_deleted_with_a_way_back(libraries, link, qtbot, service):
    # Each library shows what it holds how large it is and where.
    assert not libraries.isModal()
    assert texts(libraries, 0) == ["datasheets", "51", "110.0 MB", "open now"]
    assert texts(libraries, 1) == ["Manuals", "7", "110.0 MB", "–"]
    assert texts(libraries, 2) == ["old", "", "", "not there"]
    assert libraries.folder == _OPEN
    detail = libraries.place_label.text()
    assert "Text 61.0 MB · Index 9.0 MB · Figures 40.0 MB" in detail
    assert not libraries.open_button.isEnabled()
    assert not libraries.locate_button.isVisible()

    # Everything is reached by Tab.
    libraries.activateWindow()
    libraries.tree.setFocus()
    choose(libraries, 1)
    wanted = {libraries.open_button, libraries.move_button, libraries.close_button}
    assert wanted <= set(tab_stops())

    # Cancel deletes nothing.
    press(qtbot, libraries.delete_button)
    question = libraries.findChild(QMessageBox, "delete_question")
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert not question.isVisible()
    assert service.arguments_of("delete_library") == []

    # Deleting asks once and can be undone.
    choose(libraries, 1)
    qtbot.keyClick(libraries.tree, Qt.Key.Key_Delete)
    question = libraries.findChild(QMessageBox, "delete_question")
    assert "“Manuals”" in question.text()
    assert "Your documents stay untouched" in question.informativeText()
    assert question.defaultButton().text().replace("&", "") == "Cancel"
    delete = next(b for b in question.buttons() if "Delete" in b.text())
    press(qtbot, delete)
    assert service.arguments_of("delete_library") == [(_OTHER,)]
    deleted = DeletedLibrary(_OTHER, "/libraries/.manuals-1.deleted-1")
    service.answer("delete_library", deleted)
    area = link.parent().message_area
    qtbot.waitUntil(lambda: any("was deleted" in b.notice.message for b in area.banners))
    assert _OTHER in link.parent().recent.forgotten
    banner = next(b for b in area.banners if "was deleted" in b.notice.message)
    press(qtbot, banner.action_buttons[0])
    assert service.arguments_of("put_back_library") == [(deleted,)]
    service.answer("put_back_library", None)
    qtbot.waitUntil(lambda: service.arguments_of("open_library")[-1][0] == _OTHER)
    assert not link._undo_timers


def test_sizes_and_dates_read_as_people_say_them():
    assert size_text(61_300_000) == "61.3 MB"
    now = 1_000_000_000.0
    assert [opened_text(now - days * 86400, now) for days in (0, 1, 3)] == [
        "today",
        "yesterday",
        "3 days ago",
    ]


def test_a_library_is_opened_by_enter_located_or_forgotten(
    qtbot, libraries, link, service, tmp_path
):
    # Enter opens the chosen library.
    choose(libraries, 1)
    qtbot.keyClick(libraries.tree, Qt.Key.Key_Return)
    assert service.arguments_of("open_library")[-1][0] == _OTHER

    # A library that is not there is located or forgotten.
    choose(libraries, 2)
    assert libraries.locate_button.isVisible()
    assert not libraries.open_button.isEnabled()
    link.parent().libraries.choose.return_value = tmp_path
    press(qtbot, libraries.locate_button)
    assert service.arguments_of("open_library")[-1][0] == str(tmp_path)
    choose(libraries, 1)
    press(qtbot, libraries.forget_button)
    assert _OTHER in link.parent().recent.forgotten


@pytest.mark.parametrize(
    ("row", "request_of_it"),
    [(0, ("rename", ("Parts",))), (1, ("rename_library", (_OTHER, "Parts")))],
)
def test_a_library_is_renamed_in_place(qtbot, libraries, service, row, request_of_it):
    choose(libraries, row)
    libraries.tree.setFocus()
    qtbot.keyClick(libraries.tree, Qt.Key.Key_F2)
    editor = libraries.tree.findChild(QLineEdit)
    if editor is None:  # a shortcut needs the window to be the active one
        press(qtbot, libraries.rename_button)
        editor = libraries.tree.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "Parts")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: service.arguments_of(request_of_it[0]) == [request_of_it[1]])


def test_the_open_library_is_moved_with_progress_or_opened_where_it_was(
    qtbot, libraries, link, session, service
):
    # A move is cancelled and the library opened where it was.
    link.move(_OPEN, "/drive/datasheets")
    qtbot.waitUntil(lambda: service.arguments_of("move_library") != [])
    press(qtbot, libraries.cancel_button)
    assert service.cancelled == [service.last_id("move_library")]
    service.fail("move_library", LibraryLockedError("In use.", "Close it."))
    qtbot.waitUntil(lambda: [one[0] for one in service.arguments_of("open_library")] == [_OPEN] * 2)
    assert link.parent().message_area.banners[-1].notice.message == "In use."

    # The open library is closed moved with progress and opened again.
    service.answer("open_library", make_library(), until=session.library_opened)
    link.move(_OPEN, "/drive/datasheets")
    assert session.library is None
    qtbot.waitUntil(lambda: len(service.arguments_of("move_library")) == 2)
    service.say(Progress(service.last_id("move_library"), CopyProgress(1, 4, "Copying")))
    qtbot.waitUntil(lambda: libraries.bar_label.text() == "Copying, 25%")
    assert libraries.cancel_button.isVisible()
    assert not libraries.delete_button.isEnabled()
    service.answer("move_library", None)
    qtbot.waitUntil(lambda: service.arguments_of("open_library")[-1][0] == "/drive/datasheets")
    assert service.arguments_of("confirm_move") == [(_OPEN,)]
    assert "/drive/datasheets" in [entry.folder for entry in link.parent().recent.known]
    assert not libraries.bar.isVisible()


def test_what_was_deleted_goes_for_good_after_a_while(qtbot, link, service, monkeypatch):
    monkeypatch.setattr(libraries_link, "_UNDO_S", 0.05)
    link.delete(_OTHER, "Manuals")
    deleted = DeletedLibrary(_OTHER, "/libraries/.manuals-1.deleted-1")
    service.answer("delete_library", deleted)
    qtbot.waitUntil(lambda: service.arguments_of("purge_library") == [(deleted,)])


def test_a_new_library_is_made_with_its_name(qtbot, libraries, link, service):
    press(qtbot, libraries.new_button)
    editor = link.parent().findChild(QInputDialog).findChild(QLineEdit)
    qtbot.keyClicks(editor, "Power parts")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    folder, source, name, _more = service.arguments_of("open_library")[-1]
    assert Path(folder).name.startswith("Power-parts-")
    assert (source, name) == (None, "Power parts")


def test_the_switcher_opens_with_its_key_and_marks_the_open_library(open_window):
    open_window.recent.add(RecentLibrary("/libraries/b", ("/b",), "Bench"))
    rows: list[tuple[str, bool]] = []

    def look() -> None:
        menu = open_window.libraries.menu
        rows.extend((a.text(), a.isChecked()) for a in menu.actions())
        menu.close()

    QTimer.singleShot(200, open_window.library_panel.library_button, look)
    open_window.action("switch_library").trigger()
    assert {("Bench", False), ("datasheets", True)} <= set(rows)
