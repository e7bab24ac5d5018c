"""Panes fold where the window is too narrow for all that the user wants, and come back with room.

So a window in half a small screen, or on one at 300 %, shows fewer panes instead of three that
nobody can read. A pane that something wants to be seen comes in any case; another one goes for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop_qa.gui.focus_order import focus_order

_ROOM_EVENTS = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest)


def n_with_room(least_px: Sequence[int], handle_px: int, room_px: int) -> int:
    """Return how many panes fit beside each other: the first in any case, then one by one.

    Args:
        least_px: Widths below which each is of no use, that of the one wanted most first.
        handle_px: Between two panes.
        room_px: For all.
    """
    taken = -handle_px
    for index, least in enumerate(least_px):
        taken += least + handle_px
        if index and taken > room_px:
            return index
    return len(least_px)


class PaneFolding(QObject):
    """Checks and unchecks the actions of the panes as the room allows.

    An unchecked action is therefore either a pane that the user put away or one that is folded:
    only the latter comes back by itself.

    Args:
        panes: The panes by the checkable actions that show them, the most wanted first.
        homes: Where the keyboard goes in a pane when the one that had it is folded.
    """

    def __init__(
        self,
        splitter: QSplitter,
        panes: Mapping[QAction, QWidget],
        homes: Mapping[QAction, QWidget],
    ) -> None:
        super().__init__(splitter)
        self._splitter = splitter
        self._panes = dict(panes)
        self._homes = dict(homes)
        self._order = list(panes)
        self._folded: set[QAction] = set()
        self._is_folding = False
        self._unfolded_widths: QByteArray | None = None
        self._n_unfolded = 0
        for action in panes:
            action.toggled.connect(lambda is_wanted, own=action: self._on_toggled(own, is_wanted))
        splitter.installEventFilter(self)

    # What others ask

    def is_folded(self, action: QAction) -> bool:
        """Tell whether the user wants a pane for which the window has no room."""
        return action in self._folded

    def has_room_beside(self, action: QAction, other: QAction) -> bool:
        """Tell whether two panes can be seen at once."""
        return len(self._fitting([other, action])) > 1

    @property
    def unfolded_widths(self) -> QByteArray:
        """The state of the splitter as it was, and will be, with room for all panes."""
        return self._unfolded_widths or self._splitter.saveState()

    # What happens

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fold before the panes are painted too narrow."""
        if watched is self._splitter and event.type() in _ROOM_EVENTS:
            focused = self._focused()
            self._arrange([focused] if focused is not None else [])
        return False

    def _on_toggled(self, action: QAction, is_wanted: bool) -> None:
        if self._is_folding:
            self._panes[action].setVisible(is_wanted)
            return
        self._folded.discard(action)
        if not is_wanted and not self._wanted():
            # Without a pane there is nothing to look at.
            action.setChecked(True)
            return
        focused = self._focused()
        if is_wanted:
            # Who asks for the pages of an answer wants both: what has the keyboard stays too.
            first = [action] if focused is None else [action, focused]
            self._order = _to_front(self._order, first)
        self._panes[action].setVisible(is_wanted)
        self._arrange([])
        if focused is not None and not self._panes[focused].isVisible():
            self._take_focus(self._fitting(self._wanted())[0])

    def _focused(self) -> QAction | None:
        """Return the pane that has the keyboard."""
        here = QApplication.focusWidget()
        for action, pane in self._panes.items():
            if here is not None and pane.isAncestorOf(here):
                return action
        return None

    # Folding

    def _wanted(self) -> list[QAction]:
        """Return the panes that the user wants here, the most wanted first."""
        # A pane in a window of its own takes no room here.
        return [
            action
            for action in self._order
            if (action.isChecked() or action in self._folded)
            and self._splitter.indexOf(self._panes[action]) >= 0
        ]

    def _fitting(self, wanted: Sequence[QAction]) -> list[QAction]:
        # Not the hint of what is in a pane now, which comes and goes with it.
        least = [self._panes[action].minimumWidth() for action in wanted]
        n_fitting = n_with_room(least, self._splitter.handleWidth(), self._splitter.width())
        return list(wanted[:n_fitting])

    def _arrange(self, first: Sequence[QAction]) -> None:
        if self._is_folding or not self._splitter.isVisible():
            return
        wanted = self._wanted()
        fitting = self._fitting(_to_front(wanted, [one for one in first if one in wanted]))
        folded = set(wanted) - set(fitting)
        if folded != self._folded:
            self._is_folding = True
            self._show_only(fitting, folded)
            self._is_folding = False

    def _show_only(self, fitting: Sequence[QAction], folded: set[QAction]) -> None:
        if self._unfolded_widths is None:
            self._unfolded_widths = self._splitter.saveState()
            self._n_unfolded = self._splitter.count()
        self._folded = folded
        for action in folded:
            action.setChecked(False)
        for action in fitting:
            action.setChecked(True)
        if not folded:
            # A pane that came back from a window of its own since then has no width in them.
            if self._n_unfolded == self._splitter.count():
                self._splitter.restoreState(self._unfolded_widths)
            self._unfolded_widths = None
            self._order = list(self._panes)

    def _take_focus(self, action: QAction) -> None:
        home = self._homes[action]
        if home.isVisible():
            home.setFocus()
            return
        for widget in focus_order(self._panes[action])[:1]:
            widget.setFocus()


def _to_front(actions: Sequence[QAction], first: Sequence[QAction]) -> list[QAction]:
    return [*first, *(one for one in actions if one not in first)]
