"""All that can be done stands in the menus, with its key and a word on what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_qa.gui.main_window import MainWindow


def entries(menu: QMenu) -> Iterator[QAction]:
    """Yield the entries of a menu, not of the menus in it."""
    yield from (action for action in menu.actions() if not action.isSeparator())


def menus(window: MainWindow) -> Iterator[QMenu]:
    """Yield the menus of the menu bar and those inside of them."""
    waiting = [menu for menu in map(_menu_of, window.menuBar().actions()) if menu is not None]
    while waiting:
        menu = waiting.pop()
        yield menu
        waiting += [inner for inner in map(_menu_of, menu.actions()) if inner is not None]


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None


def key_letter(text: str) -> str:
    """Return the letter behind "&"."""
    _, found, rest = text.replace("&&", "").partition("&")
    return rest[0].lower() if found else ""


def test_every_entry_says_what_it_does_does_something_and_has_a_key_of_its_own(
    window: MainWindow,
) -> None:
    # Every entry says what it does and its tool tip names its key.
    silent = [
        action.objectName()
        for menu in menus(window)
        for action in entries(menu)
        if action.menu() is None and action.objectName() and not action.statusTip()
    ]
    assert silent == []
    action = window.action("focus_ask")
    assert action.toolTip() == "Go to the box for questions (Ctrl+L)"
    assert all(menu.toolTipsVisible() for menu in menus(window))

    # Every action of the form stands in a menu and does something.
    shown = {action for menu in menus(window) for action in entries(menu)}
    named = [a for a in window.findChildren(QAction) if a.objectName().endswith("_action")]
    assert named
    assert [action.objectName() for action in named if action not in shown] == []
    connected = {name for one in window.features for name in one.actions()}
    by_window = {"quit", "full_screen", "show_library", "show_answer", "show_viewer"}
    known = connected | by_window
    assert {a.objectName().removesuffix("_action") for a in named} == known

    # Keys and the letters of a menu are used once.
    twice = {}
    for menu in menus(window):
        letters = Counter(key_letter(action.text()) for action in entries(menu))
        found = {letter: count for letter, count in letters.items() if letter and count > 1}
        if found:
            twice[menu.title()] = found
    assert twice == {}
    keys = Counter(action.shortcut().toString() for action in window.findChildren(QAction))
    assert [key for key, count in keys.items() if key and count > 1] == []

    # What needs a library cannot be done without one.
    for name in ("filter", "focus_ask", "history", "structure"):
        assert not window.action(name).isEnabled(), name
