"""The log and the report for a fault, from the Help menu."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeLevel

if TYPE_CHECKING:
    from desktop_qa.gui.help.log_window import LogWindow


class LogLink(QObject):
    """Opens the log, and copies what helps to understand a fault."""

    def __init__(self, window: QWidget, session: LibrarySession, messages: MessageArea) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._messages = messages
        self.log_window: LogWindow | None = None

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"log": self.show, "copy_diagnostics": self.copy_diagnostics}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {}

    def show(self) -> None:
        """Open the log."""
        if self.log_window is None:
            from desktop_qa.gui.help.log_window import LogWindow

            self.log_window = LogWindow(self._window)
            self.log_window.diagnostics_clicked.connect(self.copy_diagnostics)
        bring_forward(self.log_window)
        self.log_window.search_edit.setFocus()

    def copy_diagnostics(self) -> None:
        """Gather versions, counts and errors, and put them on the clipboard."""
        library = self._session.library
        if library is None:
            self._copy((), None)
            return

        def measured(size: LibrarySize) -> None:
            self._session.request(
                "folders",
                on_result=lambda folders: self._copy(folders, size),
                on_failure=without_folders,
            )

        def without_folders(_error: DesktopQaError) -> None:
            self._copy((), None)

        self._session.request(
            "measure_library", library.folder, on_result=measured, on_failure=without_folders
        )

    def _copy(self, folders: tuple[FolderState, ...], size: LibrarySize | None) -> None:
        # Reads versions of a dozen packages: not before somebody asks for them.
        from desktop_qa.diagnostics import diagnostics

        library = self._session.library
        QGuiApplication.clipboard().setText(
            diagnostics(_window_lines(self._window), library, folders, size)
        )
        notice = Notice(
            NoticeLevel.INFORMATION,
            "Diagnostics were copied.",
            "Paste them into your report. They hold no text of a document and no question.",
            key="diagnostics",
            passes=True,
        )
        self._messages.post(notice)


def _window_lines(window: QWidget) -> Iterable[str]:
    application = QApplication.instance()
    style = application.style().objectName() if isinstance(application, QApplication) else ""
    scheme = QGuiApplication.styleHints().colorScheme().name.lower()
    yield f"Qt {qVersion()}, {QGuiApplication.platformName()}, style {style}, {scheme} colours"
    yield f"window {window.width()} x {window.height()}"
    yield from map(_screen_line, QGuiApplication.screens())


def _screen_line(screen: QScreen) -> str:
    size = screen.size()
    return (
        f"screen {size.width()} x {size.height()} at {screen.devicePixelRatio():g},"
        f" {screen.logicalDotsPerInch():.0f} dpi, {screen.refreshRate():.0f} Hz"
    )
