"""What the Help menu opens: the keys, the log, versions, and the report for a fault."""

from __future__ import annotations

import html
import platform
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSysInfo, Qt, qVersion
from PySide6.QtGui import QAction, QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from desktop_qa import __version__
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

if TYPE_CHECKING:
    from desktop_qa.gui.help.help_windows import LogWindow


class HelpLink(Feature):
    """Opens the dialogs of the Help menu, and copies what helps to understand a fault."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self.log_window: LogWindow | None = None

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {
            "shortcuts": self.show_shortcuts,
            "about": self.show_about,
            "log": self.show_log,
            "copy_diagnostics": self.copy_diagnostics,
        }

    def show_shortcuts(self) -> None:
        """List the keys of all actions."""
        from desktop_qa.gui.help.help_windows import ShortcutsDialog, key_groups

        groups = key_groups(self._window.menuBar(), self._window.findChildren(QAction))
        ShortcutsDialog(groups, self._window).show()

    def show_about(self) -> None:
        """Tell versions and licences."""
        # Reading versions costs 30 ms that the start of the window need not spend.
        from desktop_qa.diagnostics import engine_versions

        words = (
            f"<h3>Desktop QA {__version__}</h3>"
            "<p>Cited answers from a folder of datasheets and manuals, offline.</p>"
            "<p>Free software under the GNU Affero General Public License, version 3 or later, "
            "without any warranty. PyMuPDF, which reads the PDFs, is under the same licence.</p>"
            f"<p>Python {platform.python_version()}, Qt {qVersion()}, "
            f"{html.escape(engine_versions())}.</p>"
        )
        close = QMessageBox.StandardButton.Close
        box = QMessageBox(QMessageBox.Icon.NoIcon, "About Desktop QA", words, close, self._window)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.show()

    def show_log(self) -> None:
        """Open the log."""
        if self.log_window is None:
            from desktop_qa.gui.help.help_windows import LogWindow

            self.log_window = LogWindow(self.copy_diagnostics, self._window)
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
        copy_text(diagnostics(_window_lines(self._window), library, folders, size))
        self._messages.say(
            "Diagnostics were copied.",
            "Paste them into your report. They hold no text of a document and no question.",
            key="diagnostics",
            passes=True,
        )


def _window_lines(window: QWidget) -> Iterable[str]:
    application = QApplication.instance()
    style = application.style().objectName() if isinstance(application, QApplication) else ""
    scheme = QGuiApplication.styleHints().colorScheme().name.lower()
    yield f"Qt {qVersion()}, {QGuiApplication.platformName()}, style {style}, {scheme} colours"
    yield QSysInfo.prettyProductName()
    yield f"window {window.width()} x {window.height()}"
    yield from map(_screen_line, QGuiApplication.screens())


def _screen_line(screen: QScreen) -> str:
    size = screen.size()
    return (
        f"screen {size.width()} x {size.height()} at {screen.devicePixelRatio():g},"
        f" {screen.logicalDotsPerInch():.0f} dpi, {screen.refreshRate():.0f} Hz"
    )
