"""The viewer in a window of its own, for a second screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow

from desktop_qa.gui.focus_order import move_focus
from desktop_qa.gui.screens import bring_onto_screen
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_KEY = "viewer/window"
_GEOMETRY_KEY = "viewer/window_geometry"
_USUAL_SIZE = (900, 1000)
_GAP_PX = 40


class ViewerWindow(QMainWindow):
    """Holds the pane while it is torn off."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("viewer_window")
        full_screen = QShortcut(QKeySequence(Qt.Key.Key_F11), self)
        full_screen.activated.connect(
            lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        )

    def show_name(self, name: str) -> None:
        """Say in the title what is read."""
        self.setWindowTitle(f"{name} – Desktop QA" if name else "Document – Desktop QA")

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the window in reading order."""
        return move_focus(self, forward=forward)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the pane back; nothing is closed with it."""
        event.accept()
        self.closed.emit()


class TearOff(Feature):
    """Moves the pane of the document between the main window and a window of its own."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._splitter = window.splitter
        self._pane = pane = window.document_pane
        self._action = action = window.action
        self._index = self._splitter.indexOf(pane)
        self._sizes: list[int] = []
        self.window: ViewerWindow | None = None
        pane.pdf_panel.toolbar.tear_off.clicked.connect(self.set_torn_off)
        pane.pdf_panel.document_shown.connect(self._on_document_shown)
        action("show_viewer").toggled.connect(self._on_show_viewer_toggled)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"tear_off": self.set_torn_off}

    @property
    def is_torn_off(self) -> bool:
        """True while the pane has a window of its own."""
        return self.window is not None

    def set_torn_off(self, is_wanted: bool) -> None:
        """Give the pane a window of its own, or bring it back."""
        window = self.window
        if is_wanted and window is None:
            self._tear_off()
        elif not is_wanted and window is not None:
            self._bring_back(window)
        self._action("tear_off").setChecked(self.is_torn_off)
        self._pane.pdf_panel.toolbar.tear_off.setChecked(self.is_torn_off)

    def _tear_off(self) -> None:
        self._action("show_viewer").setChecked(True)
        self._sizes = self._splitter.sizes()
        window = self.window = ViewerWindow()
        window.addActions(self._shared_actions())
        window.setCentralWidget(self._pane)
        self._pane.show()
        geometry = self._settings.value(_GEOMETRY_KEY)
        if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
            here = self._window.screen()
            others = [screen for screen in here.virtualSiblings() if screen is not here]
            room = (others[0] if others else here).availableGeometry()
            window.setGeometry(first_place(room, None if others else self._window.geometry()))
        path = self._pane.pdf_panel.path
        window.show_name(path.name if path is not None else "")
        window.closed.connect(lambda: self.set_torn_off(False))
        window.show()
        bring_onto_screen(window)
        window.activateWindow()
        self._focus_pages()

    def _focus_pages(self) -> None:
        """Let the keys go to the pages, whose window is another one now."""
        view = self._pane.pdf_panel.view
        if view.isVisible():
            view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shared_actions(self) -> Sequence[QAction]:
        """Return the actions whose keys work in both windows.

        A key that counts in one pane alone stays there: Del takes documents out of the library.
        The titles of menus stay too, as a menu takes the keys of its entries along.
        """
        own = (self._action("full_screen"),)
        everywhere = Qt.ShortcutContext.WindowShortcut
        return [
            one
            for one in self._window.findChildren(QAction)
            if one not in own and one.menu() is None and one.shortcutContext() == everywhere
        ]

    def _bring_back(self, window: ViewerWindow) -> None:
        self.window = None
        self._settings.setValue(_GEOMETRY_KEY, window.saveGeometry())
        window.takeCentralWidget()
        self._splitter.insertWidget(self._index, self._pane)
        self._splitter.setStretchFactor(self._index, 1)
        self._pane.setVisible(self._action("show_viewer").isChecked())
        if len(self._sizes) == self._splitter.count():
            self._splitter.setSizes(self._sizes)
        window.closed.disconnect()
        window.hide()
        window.deleteLater()
        self._focus_pages()

    def _on_document_shown(self, path: Path) -> None:
        if self.window is not None:
            self.window.show_name(path.name)

    def _on_show_viewer_toggled(self, is_shown: bool) -> None:
        if self.window is not None:
            self.window.setVisible(is_shown)

    def restore(self) -> None:
        """Tear it off again when it was so at the end of the last run."""
        if self._settings.value(_KEY, "pane") == "window":
            self.set_torn_off(True)
            self._window.activateWindow()

    def save(self) -> None:
        """Remember it, and bring the pane back: the program ends."""
        self._settings.setValue(_KEY, "window" if self.is_torn_off else "pane")
        self.set_torn_off(False)


def first_place(room: QRect, beside: QRect | None) -> QRect:
    """Return the inside of a window for reading that was never placed by hand: all in a room.

    Some of the main window, if it is on the same screen, stays in sight.
    """
    # A frame has a title of about this height.
    room = room.adjusted(0, _GAP_PX, 0, 0)
    width, height = min(_USUAL_SIZE[0], room.width()), min(_USUAL_SIZE[1], room.height())
    if beside is None:
        left = room.left() + (room.width() - width) // 2
        return QRect(left, room.top(), width, height)
    left = min(beside.left() + _GAP_PX, room.right() + 1 - width)
    top = min(beside.top() + _GAP_PX, room.bottom() + 1 - height)
    return QRect(max(left, room.left()), max(top, room.top()), width, height)
