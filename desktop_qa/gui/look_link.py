"""The choice of light, dark or the system's theme."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QActionGroup

from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.widgets.theme import ThemeChoice, ThemeKeeper

_KEY = "window/theme"


class LookLink(QObject):
    """Keeps the choice, the entries of the menu and the theme in step.

    Args:
        entries: The checkable actions of the menu by what they choose.
    """

    def __init__(
        self,
        keeper: ThemeKeeper,
        entries: Mapping[ThemeChoice, QAction],
        settings: QSettings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._entries = dict(entries)
        self._settings = settings
        group = QActionGroup(self)
        for action in self._entries.values():
            action.setCheckable(True)
            group.addAction(action)
        kept = str(settings.value(_KEY, ThemeChoice.SYSTEM.value))
        known = kept in {choice.value for choice in ThemeChoice}
        self._keeper.choose(ThemeChoice(kept) if known else ThemeChoice.SYSTEM)
        self._entries[self._keeper.choice].setChecked(True)

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {
            "theme_system": lambda: self._choose(ThemeChoice.SYSTEM),
            "theme_light": lambda: self._choose(ThemeChoice.LIGHT),
            "theme_dark": lambda: self._choose(ThemeChoice.DARK),
        }

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {}

    def _choose(self, choice: ThemeChoice) -> None:
        self._settings.setValue(_KEY, choice.value)
        self._keeper.choose(choice)
        self._entries[choice].setChecked(True)
