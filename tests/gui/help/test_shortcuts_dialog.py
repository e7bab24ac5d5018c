from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from pytestqt.qtbot import QtBot

from desktop_qa.gui.application import Application
from desktop_qa.gui.help.help_windows import ShortcutsDialog, key_groups
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets import theme as themes


def opened(qtbot: QtBot, window: MainWindow) -> ShortcutsDialog:
    window.action("shortcuts").trigger()
    dialog = window.findChildren(ShortcutsDialog)[-1]
    qtbot.waitExposed(dialog)
    return dialog


def test_all_keys_are_told_found_and_fit_the_screen_in_every_theme(
    window: MainWindow, qtbot: QtBot, application: Application
) -> None:
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
