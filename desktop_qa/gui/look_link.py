"""The choice of light, dark or the system's theme."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QActionGroup

from desktop_qa.gui.feature import Feature, Slot
from desktop_qa.gui.widgets.theme import ThemeChoice
from desktop_qa.gui.window_parts import WindowParts

_KEY = "window/theme"


class LookLink(Feature):
    """Keeps the choice, the entries of the menu and the theme in step."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        group = QActionGroup(self)
        for choice in ThemeChoice:
            action = window.action(f"theme_{choice.value}")
            action.setCheckable(True)
            group.addAction(action)
        kept = str(self._settings.value(_KEY, ThemeChoice.SYSTEM.value))
        known = kept in {choice.value for choice in ThemeChoice}
        self._show(ThemeChoice(kept) if known else ThemeChoice.SYSTEM)

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        return {f"theme_{choice.value}": partial(self._choose, choice) for choice in ThemeChoice}

    def _choose(self, choice: ThemeChoice, _is_checked: bool = True) -> None:
        self._settings.setValue(_KEY, choice.value)
        self._show(choice)

    def _show(self, choice: ThemeChoice) -> None:
        self._window.keeper.choose(choice)
        self._window.action(f"theme_{choice.value}").setChecked(True)
