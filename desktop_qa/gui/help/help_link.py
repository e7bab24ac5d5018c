"""What the Help menu opens."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from desktop_qa.gui.menu_link import Slot


class HelpLink(QObject):
    """Opens the dialogs of the Help menu."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"shortcuts": self.show_shortcuts, "about": self.show_about}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {}

    def show_shortcuts(self) -> None:
        """List the keys of all actions."""
        from desktop_qa.gui.help.shortcuts_dialog import ShortcutsDialog, key_groups

        groups = key_groups(self._window.menuBar(), self._window.findChildren(QAction))
        ShortcutsDialog(groups, self._window).show()

    def show_about(self) -> None:
        """Tell versions and licences."""
        # Reading versions costs 30 ms that the start of the window need not spend.
        from desktop_qa.gui.help.about import about_dialog

        about_dialog(self._window).show()
