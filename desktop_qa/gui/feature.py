"""A part of the window: what it works on, its actions, and which of them can be done now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from desktop_qa.core.view import LibraryView
    from desktop_qa.gui.window_parts import WindowParts

Slot = Callable[..., object]


class Feature(QObject):
    """A part that works over the whole window: its library, its panels, its messages.

    It may have entries in the menus, by the names of the actions in `ui/main_window.ui` without
    "_action".

    Attributes:
        changed: What can be done may be another.
    """

    changed = Signal()

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._messages = window.message_area
        self._settings = window.settings
        self._folder = ""

    def actions(self) -> dict[str, Slot]:
        """Return what each of its actions does."""
        return {}

    def available(self) -> dict[str, bool]:
        """Return which of its actions can be done now; one that is not named always can."""
        return {}

    def _is_another(self, view: LibraryView) -> bool:
        """Tell whether a library that was opened is another than the feature worked on before."""
        before, self._folder = self._folder, view.folder
        return self._folder != before
