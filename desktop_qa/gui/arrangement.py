"""How the user arranged the window: its place, the widths of its panes, which are hidden."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from desktop_qa.gui.pane_folding import PaneFolding
from desktop_qa.gui.screens import bring_onto_screen
from desktop_qa.gui.side_bar import SideBar

_LIBRARY_WIDTH_PX = 272
_ANSWER_SHARE = 0.48
_LEAST_ANSWER_PX = 400
"""Below this an answer gives nothing of its width to the pages."""
_READABLE_PAGES_PX = 500
"""What pages shall have beside what stands at their side."""
_BEST_WIDTH_PX = 1440
_BEST_HEIGHT_PX = 900


_ANSWER, _PAGES = 1, 2


class Arrangement:
    """Restores and keeps it in the QSettings.

    Args:
        panes: The panes by the checkable actions that show them.
        folding: Hides those that the window is too narrow for.
        side_bar: Remembers which of its tabs is open.
    """

    def __init__(
        self,
        window: QMainWindow,
        splitter: QSplitter,
        panes: Mapping[QAction, QWidget],
        folding: PaneFolding,
        side_bar: SideBar,
        settings: QSettings,
    ) -> None:
        self._window = window
        self._splitter = splitter
        self._panes = dict(panes)
        self._folding = folding
        self._side_bar = side_bar
        self._settings = settings
        self._lent: tuple[int, list[int]] | None = None

    def restore(self) -> None:
        """Arrange the window as it was, or well for its screen at the first start."""
        window, splitter = self._window, self._splitter
        geometry = self._settings.value("window/geometry")
        if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
            room = window.screen().availableGeometry()
            window.resize(min(_BEST_WIDTH_PX, room.width()), min(_BEST_HEIGHT_PX, room.height()))
        bring_onto_screen(window)
        if not self._restore_widths():
            rest = max(window.width() - _LIBRARY_WIDTH_PX, 2)
            answer = round(rest * _ANSWER_SHARE)
            splitter.setSizes([_LIBRARY_WIDTH_PX, answer, rest - answer])
        # The library keeps its width when the window grows; answer and document share the rest.
        for index, factor in enumerate((0, 1, 1)):
            splitter.setStretchFactor(index, factor)
        hidden = [
            action
            for action in self._panes
            if self._settings.value(f"window/{action.objectName()}", "shown") == "hidden"
        ]
        for action in self._panes:
            action.setChecked(action not in hidden or len(hidden) == len(self._panes))
        self._side_bar.restore(self._settings)

    def make_room_beside(self, pages: QWidget, side_px: int) -> None:
        """Let the answer lend some of its width to pages that something stands beside now.

        Args:
            pages: The pane that shows them.
            side_px: Width of what stands beside them; 0 gives back what was lent, unless the
                user has changed the widths since then.
        """
        splitter, lent = self._splitter, self._lent
        sizes = splitter.sizes()
        if lent is not None and (not side_px or sizes != lent[1]):
            self._lent = None
            if sizes == lent[1]:
                splitter.setSizes([sizes[0], sizes[1] + lent[0], sizes[2] - lent[0]])
        elif lent is None and side_px and splitter.indexOf(pages) == _PAGES and all(sizes[1:]):
            answer = splitter.widget(_ANSWER)
            least_of_its_own = answer.minimumSizeHint().width() if answer is not None else 0
            least = max(_LEAST_ANSWER_PX, least_of_its_own)
            wanted = min(side_px + _READABLE_PAGES_PX - sizes[_PAGES], sizes[1] - least)
            if wanted > 0:
                splitter.setSizes([sizes[0], sizes[1] - wanted, sizes[_PAGES] + wanted])
                self._lent = wanted, splitter.sizes()

    def _restore_widths(self) -> bool:
        """Give the panes their widths; False when none are kept, or those of another version."""
        splitter, state = self._splitter, self._settings.value("window/panes")
        kept = self._settings.value("window/n_panes")
        if not isinstance(state, QByteArray) or str(kept) != str(splitter.count()):
            return False
        # What is damaged may still be taken, and then hides a pane that no action says is hidden.
        return splitter.restoreState(state) and all(size > 0 for size in splitter.sizes())

    def save(self) -> None:
        """Keep the arrangement for the next start."""
        self.make_room_beside(self._splitter, 0)
        self._settings.setValue("window/geometry", self._window.saveGeometry())
        self._settings.setValue("window/panes", self._folding.unfolded_widths)
        self._settings.setValue("window/n_panes", self._splitter.count())
        self._side_bar.save(self._settings)
        for action in self._panes:
            # What is folded is wanted: a wider window shall show it.
            is_wanted = action.isChecked() or self._folding.is_folded(action)
            value = "shown" if is_wanted else "hidden"
            self._settings.setValue(f"window/{action.objectName()}", value)
