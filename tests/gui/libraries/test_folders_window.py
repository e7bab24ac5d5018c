"""The list of source folders by mouse and key, and what the window does when folders change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_qa.core.file_kinds import FileCount, FileKind, PassedOver
from desktop_qa.core.folders import ExclusionCount, FolderChoices, FolderState, WatchMode
from desktop_qa.gui.libraries import folders_link
from desktop_qa.gui.libraries.folders_link import FoldersLink, FoldersWindow
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.service.messages import News
from tests.gui.fake_service import FakeService, make_library, make_report
from tests.gui.patient_bot import tab_stops

_SHEETS = "/documents/datasheets"
_DRIVE = "/media/drive/manuals"
_ROWS = (
    FolderState(_SHEETS, True, 51, 1, 3, FolderChoices(True, ("*draft*",)), WatchMode.NATIVE),
    FolderState(
        _DRIVE, True, 12, mode=WatchMode.AWAY, problem=f"The drive of {_DRIVE} is not connected."
    ),
)


def news(service: FakeService, topic: str, value: object) -> None:
    service.say(News(topic, value))


@pytest.fixture
def link(make_parts, session, service) -> FoldersLink:
    """What opens the list, without the rest of the window; nothing is being read."""
    window = make_parts()
    window.libraries = Mock()
    service.finish(session)
    return FoldersLink(window)


@pytest.fixture
def folders(qtbot, link, service) -> FoldersWindow:
    service.replies["folders"] = _ROWS
    link.show()
    made = link.folders_window
    qtbot.waitUntil(lambda: made.tree.topLevelItemCount() == 2)
    return made


def banners(link: FoldersLink) -> list[Banner]:
    return link.parent().message_area.banners


def row_texts(folders: FoldersWindow, row: int) -> list[str]:
    item = folders.tree.topLevelItem(row)
    return [item.text(column) for column in range(3)]


def test_each_folder_says_how_it_is_followed_and_patterns_are_counted_while_they_are_typed(
    folders, qtbot, session, service
):
    # Each folder says how it is followed and what is left out and all is reached by tab.
    assert folders.isVisible()
    assert not folders.isModal()
    assert row_texts(folders, 0) == [_SHEETS, "51 files, 3 left out", "Followed"]
    assert row_texts(folders, 1) == [_DRIVE, "12 files", "Empty or not connected"]
    assert folders.patterns == ("*draft*",)
    folders.tree.setCurrentItem(folders.tree.topLevelItem(1))
    assert "not connected" in folders.problem_label.text()

    folders.activateWindow()
    folders.tree.setFocus()
    wanted = {folders.patterns_edit, folders.watch_box, folders.remove_button, folders.close_button}
    assert wanted <= set(tab_stops())

    # Patterns are counted while they are typed and count when applied.
    folders.tree.setCurrentItem(folders.tree.topLevelItem(0))
    edit = folders.patterns_edit
    assert not folders.apply_button.isEnabled()
    edit.setFocus()
    edit.moveCursor(edit.textCursor().MoveOperation.End)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.keyClicks(edit, "old/")
    wanted = (_SHEETS, ("*draft*", "old/"))
    qtbot.waitUntil(lambda: wanted in service.arguments_of("count_exclusions"))
    service.answer("count_exclusions", ExclusionCount(40, 11, ("a.pdf", "old/b.pdf")))
    qtbot.waitUntil(lambda: "11 of 51" in folders.count_label.text())
    qtbot.mouseClick(folders.apply_button, Qt.MouseButton.LeftButton)
    assert service.arguments_of("set_folder_choices") == [
        (_SHEETS, FolderChoices(True, ("*draft*", "old/")))
    ]
    service.answer("set_folder_choices", make_library(), until=session.sync_started)

    # One that means nothing cannot be applied.
    folders.patterns_edit.setPlainText("[")
    qtbot.waitUntil(lambda: (_SHEETS, ("[",)) in service.arguments_of("count_exclusions"))
    service.answer("count_exclusions", ExclusionCount(0, 0, bad_pattern="["))
    qtbot.waitUntil(lambda: "cannot be understood" in folders.count_label.text())
    assert not folders.apply_button.isEnabled()


def test_changes_and_drives_that_are_away_are_followed_and_kinds_are_counted(
    qtbot, link, session, service
):
    # A change in a folder is taken up and one during an ingest after it.
    n_before = len(service.arguments_of("sync"))
    with qtbot.waitSignal(session.sync_started):
        news(service, "folder changed", _SHEETS)
    news(service, "folder changed", _SHEETS)
    qtbot.waitUntil(lambda: session._sync_is_due)
    assert len(service.arguments_of("sync")) == n_before + 1
    service.answer("sync", make_report(), until=session.sync_started)
    assert len(service.arguments_of("sync")) == n_before + 2

    # A drive that is away is said once and withdrawn when it is back.
    service.finish(session)
    service.replies["folders"] = _ROWS
    say_missing = link.parent().libraries.report_missing
    for _ in range(2):
        news(service, "folder away", _DRIVE)
    qtbot.waitUntil(lambda: link.rows == _ROWS)
    say_missing.assert_called_once_with(_DRIVE, _ROWS[1].problem)
    link.parent().message_area.say("It is not there.", key=f"missing {_DRIVE}")
    service.replies["folders"] = (_ROWS[0],)
    with qtbot.waitSignal(session.sync_started):
        news(service, "folder back", _DRIVE)
    service.answer("sync", make_report())
    qtbot.waitUntil(lambda: not banners(link))

    # A folder says which kinds are read which are not and how many are scans.
    pages = FileCount(FileKind.PAGE, (".html",), 120, PassedOver.KIND)
    drafts = FileCount(FileKind.PDF, (".pdf",), 3, PassedOver.EXCLUDED)
    hidden = FileCount(FileKind.OTHER, (), 2, PassedOver.HIDDEN)
    looked_at = replace(_ROWS[0], n_attention=5, n_scans=4, not_read=(pages, drafts, hidden))
    service.replies["folders"] = (looked_at,)
    link.show()
    made = link.folders_window
    qtbot.waitUntil(lambda: row_texts(made, 0)[1] == "51 files, 3 left out, 120 not read")
    assert made.tree.topLevelItemCount() == 1
    assert made.kinds_label.text() == "Counting …"
    qtbot.waitUntil(lambda: bool(service.arguments_of("count_exclusions")))
    count = ExclusionCount(51, 3, ("draft.pdf",), not_read=(pages, drafts, hidden))
    service.answer("count_exclusions", count)
    qtbot.waitUntil(lambda: "54 PDF files (draft.pdf)" in made.count_label.text())
    assert made.kinds_label.text() == (
        "51 PDF files are read; 5 need attention, 4 of them scans without text. 120 web pages"
        " (.html) are not read. Only PDF is read so far. 2 files are hidden or of the system."
    )
    n_before = len(service.arguments_of("count_exclusions"))
    service.replies["folders"] = (replace(looked_at, n_files=52),)
    news(service, "folder away", _SHEETS)
    qtbot.waitUntil(lambda: len(service.arguments_of("count_exclusions")) > n_before)


def test_following_is_switched_off_and_a_folder_is_removed_after_a_while_unless_undone(
    qtbot, folders, link, service, monkeypatch
):
    folders.watch_box.setFocus()
    qtbot.keyClick(folders.watch_box, Qt.Key.Key_Space)
    assert service.arguments_of("set_folder_choices") == [
        (_SHEETS, FolderChoices(False, ("*draft*",)))
    ]
    qtbot.keyClick(folders.watch_all_box, Qt.Key.Key_Space)
    assert service.arguments_of("set_watching") == [(False,)]
    link.set_watching(False)  # the library has not said so yet
    assert service.arguments_of("set_watching") == [(False,)] * 2

    take_out_first(qtbot, folders)
    (banner,) = (b for b in banners(link) if b.notice.key.startswith("removed"))
    assert "with its 51 documents leaves the library" in banner.notice.message
    assert row_texts(folders, 0)[2] == "Leaves the library …"
    assert folders.remove_button.text() == "&Undo Remove"
    banner.action_buttons[0].click()
    assert row_texts(folders, 0)[2] == "Followed"
    assert not link.leaving
    monkeypatch.setattr(folders_link, "_UNDO_S", 0.05)
    take_out_first(qtbot, folders)
    qtbot.waitUntil(lambda: service.arguments_of("remove_source") == [(_SHEETS,)])


def take_out_first(qtbot: QtBot, folders: FoldersWindow) -> None:
    folders.tree.setCurrentItem(folders.tree.topLevelItem(0))
    qtbot.mouseClick(folders.remove_button, Qt.MouseButton.LeftButton)


def test_a_folder_that_leaves_is_out_before_another_library_is_opened_which_is_only_read(
    qtbot, folders, link, session, service
):
    take_out_first(qtbot, folders)
    session.open_library(Path("/libraries/another"))
    names = [name for _, name, _ in service.requests]
    assert names.index("leave_sources") == len(names) - 2
    assert service.arguments_of("leave_sources") == [("/libraries/datasheets", (_SHEETS,))]
    assert not link.leaving

    # A read only library is shown and not changed.
    service.open(session, make_library(read_only=True, folder="/libraries/another"))
    service.replies["folders"] = _ROWS
    link.show()
    qtbot.waitUntil(lambda: folders.tree.topLevelItemCount() == 2)
    for widget in (folders.remove_button, folders.watch_box, folders.add_button):
        assert not widget.isEnabled()
    assert link.actions()["watch_folders"] == (link.set_watching, False)
    news(service, "not added", ("/documents/new",))
    qtbot.waitUntil(lambda: any("“new” was not added" in b.notice.message for b in banners(link)))
