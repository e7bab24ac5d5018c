"""How the user arranged the window: its place, the widths of its panes, which are hidden."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from desktop_qa.gui.side_bar import SideBar

_LIBRARY_WIDTH_PX = 272
_ANSWER_SHARE = 0.48
_BEST_WIDTH_PX = 1440
_BEST_HEIGHT_PX = 900


class Arrangement:
    """Restores and keeps it in the QSettings.

    Args:
        panes: The panes by the checkable actions that show them.
        side_bar: Remembers which of its tabs is open.
    """

    def __init__(
        self,
        window: QMainWindow,
        splitter: QSplitter,
        panes: Mapping[QAction, QWidget],
        side_bar: SideBar,
        settings: QSettings,
    ) -> None:
        self._window = window
        self._splitter = splitter
        self._panes = dict(panes)
        self._side_bar = side_bar
        self._settings = settings

    def restore(self) -> None:
        """Arrange the window as it was, or well for its screen at the first start."""
        window, splitter = self._window, self._splitter
        geometry = self._settings.value("window/geometry")
        if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
            room = window.screen().availableGeometry()
            window.resize(min(_BEST_WIDTH_PX, room.width()), min(_BEST_HEIGHT_PX, room.height()))
        state = self._settings.value("window/panes")
        if not isinstance(state, QByteArray) or not splitter.restoreState(state):
            rest = max(window.width() - _LIBRARY_WIDTH_PX, 2)
            answer = round(rest * _ANSWER_SHARE)
            splitter.setSizes([_LIBRARY_WIDTH_PX, answer, rest - answer])
        # The library keeps its width when the window grows; answer and document share the rest.
        for index, factor in enumerate((0, 1, 1)):
            splitter.setStretchFactor(index, factor)
        for action in self._panes:
            is_hidden = self._settings.value(f"window/{action.objectName()}", "shown") == "hidden"
            action.setChecked(not is_hidden)
        self._side_bar.restore(self._settings)

    def save(self) -> None:
        """Keep the arrangement for the next start."""
        self._settings.setValue("window/geometry", self._window.saveGeometry())
        self._settings.setValue("window/panes", self._splitter.saveState())
        self._side_bar.save(self._settings)
        for action in self._panes:
            value = "shown" if action.isChecked() else "hidden"
            self._settings.setValue(f"window/{action.objectName()}", value)
