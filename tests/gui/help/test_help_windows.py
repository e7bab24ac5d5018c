"""The windows of help by mouse and key: the log and the report for a fault, the keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from pytestqt.qtbot import QtBot

from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.gui.help.help_link import HelpLink
from desktop_qa.gui.help.help_windows import LogWindow, ShortcutsDialog, key_groups
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.paths import log_folder

_LINES = (
    "2026-01-01 00:00:00.000 | INFO | window | desktop_qa.gui | started",
    "2026-01-01 00:00:01.000 | WARNING | library | desktop_qa.library.reader | page 3 lost",
    "2026-01-01 00:00:02.000 | ERROR | library | desktop_qa.service | Request ask failed",
)


@pytest.fixture
def help_link(make_parts) -> HelpLink:
    log_folder().mkdir(parents=True)
    (log_folder() / "window.log").write_text("\n".join(_LINES) + "\n")
    return HelpLink(make_parts())


@pytest.fixture
def log(help_link) -> LogWindow:
    help_link.show_log()
    assert help_link.log_window.isVisible()
    return help_link.log_window


def test_lines_are_filtered_by_level_and_words_and_copied(qtbot, log):
    assert log.view.toPlainText().count("\n") == 2
    qtbot.keyClick(log.level_box, Qt.Key.Key_Down)
    assert [line.message for line in log.shown] == ["page 3 lost", "Request ask failed"]
    qtbot.keyClicks(log.search_edit, "PAGE")
    assert log.count_label.text() == "1 of 3 lines"
    qtbot.mouseClick(log.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().endswith("page 3 lost")


def test_new_lines_are_followed_unless_switched_off(qtbot, log):
    log._timer.setInterval(20)
    with (log_folder() / "window.log").open("a") as stream:
        stream.write(_LINES[0].replace("00:00.000", "00:03.000").replace("started", "more") + "\n")
    qtbot.waitUntil(lambda: "more" in log.view.toPlainText())
    qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    assert not log._timer.isActive()
    qtbot.keyClick(log.follow_box, Qt.Key.Key_Space)
    assert log._timer.isActive()
    log.close()
    assert not log._timer.isActive()


def test_diagnostics_are_copied_without_names_of_documents(qtbot, help_link, service):
    service.replies |= {
        "measure_library": LibrarySize(1000, 200, 30),
        "folders": (FolderState(str(Path.home() / "sheets"), True, 4),),
    }
    help_link.copy_diagnostics()
    area = help_link._messages
    qtbot.waitUntil(lambda: any("copied" in b.notice.message for b in area.banners))
    text = QGuiApplication.clipboard().text()
    assert "4 documents (1 failed, 1 indexing, 1 reading, 1 ready)" in text
    assert "bytes: 1000 text, 200 index, 30 figures" in text
    assert "offscreen" in text
    for name in ("OPA4197", "internal_spec", "password", str(Path.home()), "sheets"):
        assert name not in text


def test_diagnostics_without_a_library_say_so(qtbot, session, log):
    session.library = None
    qtbot.mouseClick(log.diagnostics_button, Qt.MouseButton.LeftButton)
    assert "none is open" in QGuiApplication.clipboard().text()


def opened(qtbot: QtBot, window: MainWindow) -> ShortcutsDialog:
    window.action("shortcuts").trigger()
    dialog = window.findChildren(ShortcutsDialog)[-1]
    qtbot.waitExposed(dialog)
    return dialog


def test_all_keys_are_told_found_and_fit_the_screen_in_every_theme(window, qtbot, application):
    # All keys of the menus are told under the name of their menu.
    actions = window.findChildren(QAction)
    told = {row.keys for g in key_groups(window.menuBar(), actions) for row in g.rows}
    form = QKeySequence.SequenceFormat.NativeText
    wanted = {
        " / ".join(key.toString(form) for key in action.shortcuts())
        for action in actions
        if not action.shortcut().isEmpty()
    }
    assert wanted <= told
    # What no menu can say: the mouse and the keys on the pages.
    assert {"Middle button", "Shift+wheel", "Home / End"} <= told
    titles = [group.title for group in key_groups(window.menuBar(), actions)]
    assert {"File", "Document", "Page", "Question"} <= set(titles)

    # The dialog fits the screen with as many columns as there is room for.
    dialog = opened(qtbot, window)
    assert dialog.height() <= 768
    assert dialog.width() <= window.screen().availableSize().width()
    bar = dialog.area.horizontalScrollBar()
    heights = {}
    for width in (420, 700, 1000):
        dialog.resize(width, 620)
        qtbot.waitUntil(lambda: dialog.area.document().size().height() > 0)
        assert bar.maximum() == 0
        assert dialog.area.document().size().width() <= dialog.area.viewport().width()
        heights[width] = dialog.area.document().size().height()
    assert heights[700] < 0.7 * heights[420]
    dialog.close()

    # An open dialog takes the colours of another theme.
    dialog = opened(qtbot, application.window)
    for theme in (themes.DARK, themes.LIGHT):
        application.keeper.use(theme)
        qtbot.waitUntil(lambda dim=theme.dim: dim in dialog.area.toHtml())
    dialog.close()

    # A command is found by its name and by its keys.
    dialog = opened(qtbot, window)
    qtbot.keyClicks(dialog.edit, "fit width")
    assert [row.name for group in dialog.shown_groups for row in group.rows] == ["Fit Width"]
    # As text it can be copied, and is read to those who cannot see.
    words = dialog.area.toPlainText().split("\n")
    assert [word for word in words if word] == ["Page", "Fit Width", "Ctrl+0"]
    dialog.edit.clear()
    qtbot.keyClicks(dialog.edit, "ctrl+shift+m")
    assert [row.name for group in dialog.shown_groups for row in group.rows] == ["Show Markdown"]
    dialog.edit.setText("no such command")
    assert dialog.shown_groups == ()
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    assert dialog.isVisible()
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ShortcutsDialog))
