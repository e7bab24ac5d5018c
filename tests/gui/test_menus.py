"""All that can be done stands in the menus, with its key and a word on what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
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


def test_every_entry_says_what_it_does(window: MainWindow) -> None:
    silent = [
        action.objectName()
        for menu in menus(window)
        for action in entries(menu)
        if action.menu() is None and action.objectName() and not action.statusTip()
    ]
    assert silent == []


def test_an_entrys_tool_tip_names_its_key(window: MainWindow) -> None:
    action = window.action("focus_ask")
    assert action.toolTip() == "Go to the box for questions (Ctrl+L)"
    assert all(menu.toolTipsVisible() for menu in menus(window))


def test_every_action_of_the_form_stands_in_a_menu(window: MainWindow) -> None:
    shown = {action for menu in menus(window) for action in entries(menu)}
    named = [a for a in window.findChildren(QAction) if a.objectName().endswith("_action")]
    assert [action.objectName() for action in named if action not in shown] == []


def test_letters_of_a_menu_are_used_once(window: MainWindow) -> None:
    twice = {}
    for menu in menus(window):
        letters = Counter(key_letter(action.text()) for action in entries(menu))
        found = {letter: count for letter, count in letters.items() if letter and count > 1}
        if found:
            twice[menu.title()] = found
    assert twice == {}


def test_every_action_does_something(window: MainWindow) -> None:
    named = [a for a in window.findChildren(QAction) if a.objectName().endswith("_action")]
    assert named
    connected = {name for link in window._links() for name in link.actions()}
    by_window = {"quit", "full_screen", "show_library", "show_answer", "show_viewer"}
    known = connected | by_window
    assert {a.objectName().removesuffix("_action") for a in named} == known


@pytest.mark.parametrize("name", ["filter", "focus_ask", "history", "structure"])
def test_what_needs_a_library_cannot_be_done_without_one(window: MainWindow, name: str) -> None:
    assert not window.action(name).isEnabled()
