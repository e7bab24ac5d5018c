"""A library that can only be read: because another window writes to it, or its folder is protected.

The window says so, and writes once it can.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_qa.core.view import LibraryView
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.widgets.messages import NoticeAction
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

if TYPE_CHECKING:
    from desktop_qa.gui.single_window import Doorbell

_KEY = "read only"


class InstanceLink(Feature):
    """Keeps the line about reading only, and answers when a second start rings."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self._doorbell: Doorbell | None = None
        session.library_opened.connect(self._on_library_opened)
        session.library_closed.connect(self._on_library_closed)
        session.news_arrived.connect(self._on_news)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        library = self._session.library
        return {"try_to_write": (self.try_to_write, library is not None and library.read_only)}

    def _on_library_opened(self, view: LibraryView) -> None:
        # Loading what the bell needs takes 10 ms: not in the turn in which the library comes.
        QTimer.singleShot(0, self, self._listen)
        if view.read_only:
            self._say_reading_only()
        else:
            self._messages.withdraw(_KEY)

    def _on_library_closed(self) -> None:
        self._messages.withdraw(_KEY)
        self._listen()

    def _listen(self) -> None:
        """Have the bell stand for the library that this window writes to, or for none."""
        view = self._session.library
        library = Path(view.folder) if view is not None and not view.read_only else None
        if self._doorbell is None:
            if library is None:
                return
            # The network module of Qt is not needed before the window is on screen.
            from desktop_qa.gui.single_window import Doorbell

            self._doorbell = Doorbell(self)
            self._doorbell.rang.connect(self.come_to_front)
        if library is None:
            self._doorbell.close()
        else:
            self._doorbell.listen(library)

    def _say_reading_only(self) -> None:
        view = self._session.library
        if view is None or not view.read_only:
            return
        again = NoticeAction("Try Again to Write", self.try_to_write)
        other = NoticeAction("Show Other Window", self.show_other)
        self._messages.say(
            "The library's folder cannot be written, so it is open for reading."
            if view.is_protected
            else "Another window works on this library, so here it is open for reading.",
            "You can ask and read. Questions, marks, settings and new documents are not kept here.",
            *((again,) if view.is_protected else (other, again)),
            key=_KEY,
            stays=True,
        )

    def _on_news(self, topic: str, value: object) -> None:
        library = self._session.library
        if topic != "library free" or library is None or library.folder != value:
            return
        self._messages.say(
            "The library's folder can be written again."
            if library.is_protected
            else "The other window is closed: this library can be written again.",
            "Until then questions, marks and settings are not kept here.",
            NoticeAction("Open for Writing", self.try_to_write),
            key=_KEY,
            stays=True,
        )

    def try_to_write(self) -> None:
        """Open the library once more; it stays open for reading when it is still in use."""
        library = self._session.library
        if library is not None and library.read_only:
            self._session.open_library(Path(library.folder))

    def show_other(self) -> None:
        """Bring the window that works on the library to the front."""
        from desktop_qa.gui.single_window import ring_and_tell

        library = self._session.library
        # A button takes its notice away, and this one holds as long as the cause.
        self._say_reading_only()
        if library is not None:
            ring_and_tell(Path(library.folder), self, self._on_rung)

    def _on_rung(self, is_shown: bool) -> None:
        if not is_shown:
            self._messages.say(
                "The other window cannot be shown.",
                "It may be the command line, or a window of another user.",
                key="other window",
                passes=True,
            )

    def come_to_front(self) -> None:
        """Show the window above others, or ask for attention where the system forbids that."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        bring_forward(window)
        QApplication.alert(window)
