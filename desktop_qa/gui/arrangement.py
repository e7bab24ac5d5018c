"""The panes of the window: their widths, which are shown, which fold for want of room.

How the user arranged them is kept from one start to the next. Where the window is too narrow for
all that the user wants, panes fold and come back with room: so a window in half a small screen, or
on one at 300 %, shows fewer panes instead of three that nobody can read. A pane that something
wants to be seen comes in any case; another one goes for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.focus_order import focus_order
from desktop_qa.gui.screens import bring_onto_screen, resize_within_screen
from desktop_qa.gui.widgets.boxes import in_row
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.window_parts import Feature, WindowParts

_LIBRARY_WIDTH_PX = 272
_ANSWER_SHARE = 0.48
_LEAST_ANSWER_PX = 400
"""Below this an answer gives nothing of its width to the pages."""
_READABLE_PAGES_PX = 500
"""What pages shall have beside what stands at their side."""
_BEST_WIDTH_PX = 1440
_BEST_HEIGHT_PX = 900
_ANSWER, _PAGES = 1, 2
_ROOM_EVENTS = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest)
_SIDE_PX = 24


class Arrangement(Feature):
    """Keeps the place of the window and of its panes, and shows those that there is room for.

    It checks and unchecks the actions of the panes. An unchecked one is therefore either a pane
    that the user put away or one that is folded: only the latter comes back by itself.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._splitter = splitter = window.splitter
        self._panes = panes = {window.action(name): pane for name, pane in window.panes().items()}
        # Where the keyboard goes in a pane when the one that had it is folded.
        homes = (window.ask_box, window.pdf_panel.view, window.library_panel.tree)
        self._homes = dict(zip(panes, homes, strict=True))
        self._order = list(panes)
        self._folded: set[QAction] = set()
        self._is_folding = False
        self._unfolded_widths: QByteArray | None = None
        self._n_unfolded = 0
        self._lent: tuple[int, list[int]] | None = None
        for action in panes:
            action.toggled.connect(lambda is_wanted, own=action: self._on_toggled(own, is_wanted))
        window.citations.place_shown.connect(self._on_place_shown)
        window.pdf_panel.side_bar_shown.connect(
            lambda is_shown: self._make_room(window.pdf_panel.side_bar.width() if is_shown else 0)
        )
        splitter.installEventFilter(self)

    # From one start to the next

    def restore(self) -> None:
        """Arrange the window as it was, or well for its screen at the first start."""
        window, splitter = self._window, self._splitter
        geometry = self._settings.value("window/geometry")
        if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
            resize_within_screen(window, _BEST_WIDTH_PX, _BEST_HEIGHT_PX)
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
        window.side_bar.restore(self._settings, "window/side_bar")

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
        self._make_room(0)
        self._settings.setValue("window/geometry", self._window.saveGeometry())
        self._settings.setValue("window/panes", self._unfolded_widths or self._splitter.saveState())
        self._settings.setValue("window/n_panes", self._splitter.count())
        self._window.side_bar.save(self._settings, "window/side_bar")
        for action in self._panes:
            # What is folded is wanted: a wider window shall show it.
            is_wanted = action.isChecked() or action in self._folded
            value = "shown" if is_wanted else "hidden"
            self._settings.setValue(f"window/{action.objectName()}", value)

    # The pages and what stands beside them

    def _make_room(self, side_px: int) -> None:
        """Let the answer lend some of its width to pages that something stands beside now.

        Args:
            side_px: Width of what stands beside them; 0 gives back what was lent, unless the
                user has changed the widths since then.
        """
        splitter, lent = self._splitter, self._lent
        sizes, pages = splitter.sizes(), self._window.document_pane
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

    # Folding

    def _on_place_shown(self, view: EvidenceView) -> None:
        # Where one pane has room, an answer stays that comes to who has just asked.
        window, (answer, viewer, _library) = self._window, self._panes
        has_asked = window.ask_box.isAncestorOf(window.focusWidget() or window)
        if not has_asked or len(self._fitting([answer, viewer])) > 1:
            viewer.setChecked(True)
        window.library_panel.select_document(view.document_id)

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


def _to_front(actions: Sequence[QAction], first: Sequence[QAction]) -> list[QAction]:
    return [*first, *(one for one in actions if one not in first)]


class PaneButton(GlyphButton):
    """Shows or hides one pane; its place in the picture is filled while it is shown."""

    def __init__(self, pane: str, action: QAction, parent: QWidget) -> None:
        super().__init__(f"{pane}_pane", action.statusTip(), parent=parent)
        self._pane = pane
        self.setObjectName("pane_button")
        self.setCheckable(True)
        self.setToolTip(action.toolTip())
        self.setFixedSize(_SIDE_PX, _SIDE_PX)
        self.toggled.connect(self._fill)
        self.setChecked(action.isChecked())
        self.clicked.connect(action.trigger)
        action.toggled.connect(self.setChecked)

    def _fill(self, is_shown: bool) -> None:
        self.glyph = f"{self._pane}_pane{'_shown' if is_shown else ''}"


class PaneSwitch(QWidget):
    """A button for each pane at the end of the menus, from left to right."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self.setObjectName("pane_switch")
        line = in_row(self, margins=(8, 0, 8, 0), spacing=2)
        for pane in ("library", "answer", "viewer"):
            line.addWidget(PaneButton(pane, window.action(f"show_{pane}"), self))
