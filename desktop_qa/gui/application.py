"""The start of the window, told in order.

1. `run` makes the `QApplication` and dresses it (`theme`): nothing heavy is imported in this
   process, so that the window is on screen within a second.
2. `MainWindow` is built from the forms and shown; it has no library yet.
3. When its first picture is painted, the library's process is started (`jobs`, `service`) and the
   folder of the command line, or the library used last, is opened in it.
4. The window closes: the process is asked to end. What it was indexing goes on at the next start.
"""

from __future__ import annotations

import gc
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QSettings,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop_qa import __version__, paths
from desktop_qa.gui.jobs import JobRunner
from desktop_qa.gui.library.recent import RecentLibraries
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.screens import bring_all_onto_screens
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.theme import ThemeKeeper
from desktop_qa.log_files import start_logging
from desktop_qa.service.client import ServiceClient

_COLLECT_MS = 500

logger = logging.getLogger(__name__)

_SIGNAL_POLL_MS = 300
_SCREEN_PAUSE_MS = 500


class GarbageCollector(QObject):
    """Python's collector, run by a timer of the GUI thread.

    By itself it runs on whichever thread makes the object too many. On the one that reads the pipe
    it destroys widgets that lie in a cycle, and Qt crashes: https://bugreports.qt.io/browse/PYSIDE-810.
    """

    def __init__(self, parent: QObject) -> None:
        """Switch the collector of Python off."""
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_COLLECT_MS)
        self._timer.timeout.connect(collect_due)

    def start(self) -> None:
        """Collect from now on; what was imported so far stays and is not looked through again."""
        gc.freeze()
        self._timer.start()


def collect_due() -> None:
    """Collect the oldest generation whose threshold is reached, as Python itself would."""
    reached = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, most) in enumerate(reached) if count > most]
    if due:
        gc.collect(due[-1])


class Application(QObject):
    """Owns the parts of the window's process and their order of coming and going.

    Args:
        qt: The running `QApplication`.
        service: The library's process.
        settings: Where the window's geometry and the recent libraries are kept.
        folder: A folder of documents to open, or None for the library used last.
        library: Where its library lives, or None for the usual place.
    """

    def __init__(
        self,
        qt: QApplication,
        service: ServiceClient,
        settings: QSettings,
        folder: Path | None = None,
        library: Path | None = None,
    ) -> None:
        super().__init__()
        self._folder = folder
        self._library = library
        self.keeper = ThemeKeeper(qt)
        self.runner = JobRunner(service, self)
        self.session = LibrarySession(self.runner, self)
        self.window = MainWindow(self.session, self.keeper, settings)
        # Queued: the first picture is on its way to the screen, not yet there.
        self.window.first_painted.connect(
            self._on_first_painted, Qt.ConnectionType.QueuedConnection
        )
        self.window.closed.connect(self.close)
        qt.screenRemoved.connect(self._on_screen_removed)

    def _on_first_painted(self) -> None:
        self.runner.start()
        self.window.whole_libraries.recover()
        libraries, show_opening = self.window.libraries, self.window.library_link.show_opening
        if self._library is not None:
            show_opening((self._folder or self._library).name)
            self.session.open_library(self._library, self._folder)
        elif self._folder is not None:
            show_opening(self._folder.name)
            libraries.open_folder(self._folder)
        elif libraries.open_last():
            show_opening(self.window.recent.entries[0].name)

    def _on_screen_removed(self, _screen: object) -> None:
        # Some systems move the windows of a screen that is unplugged by themselves; later.
        QTimer.singleShot(_SCREEN_PAUSE_MS, self, bring_all_onto_screens)

    def close(self) -> None:
        """End the library's process."""
        self.runner.close()


def make_qt_application(arguments: Sequence[str]) -> QApplication:
    """Return the `QApplication` with its name, icon and style."""
    QApplication.setApplicationName(paths.APP_NAME)
    QApplication.setApplicationDisplayName("Desktop QA")
    QApplication.setApplicationVersion(__version__)
    QApplication.setOrganizationName(paths.APP_NAME)
    QApplication.setDesktopFileName(paths.APP_NAME)
    qt = QApplication(list(arguments))
    # One style everywhere: the style sheet is drawn over it and looks the same on all systems.
    qt.setStyle("Fusion")
    qt.setWindowIcon(QIcon(str(paths.asset("resources/icons/desktop_qa.svg"))))
    return qt


_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    """Let what Qt says stand in the log too."""
    logging.getLogger("qt").log(_QT_LEVELS.get(kind, logging.ERROR), "%s", message)


def library_to_open(
    settings: QSettings, folder: Path | None = None, library: Path | None = None
) -> Path | None:
    """Return where the library lives that the window will open; None when it opens none."""
    if library is not None:
        return library
    if folder is not None:
        return paths.default_library_folder(folder)
    entries = RecentLibraries(settings).entries
    return Path(entries[0].folder) if entries else None


def is_shown_already(library: Path | None) -> bool:
    """Bring the window that works on a library to the front, if there is one."""
    from desktop_qa.gui.single_window import START_PATIENCE_MS, ring

    return library is not None and ring(library, START_PATIENCE_MS)


def run(
    folder: Path | None = None, library: Path | None = None, *, new_window: bool = False
) -> int:
    """Open the window and return the exit code when it is closed.

    Args:
        folder: A folder of documents to index and open.
        library: Where its library lives, or None for the usual place.
        new_window: Open one more on a library that another window works on; it then reads only.
    """
    log = start_logging("window")
    qt = make_qt_application(sys.argv[:1])
    qInstallMessageHandler(log_qt_message)
    logger.info("Desktop QA %s on %s, Qt %s", __version__, sys.platform, qVersion())
    settings = QSettings()
    if not new_window and is_shown_already(library_to_open(settings, folder, library)):
        logger.info("Another window works on this library and was shown")
        if log is not None:
            log.stop()
        return 0
    application = Application(qt, ServiceClient(), settings, folder, library)
    collector = GarbageCollector(application)
    application.window.first_painted.connect(collector.start)
    signal.signal(signal.SIGINT, lambda *_: application.window.close())
    # Python sees a signal only while it runs: the timer gives it the chance.
    poll = QTimer(interval=_SIGNAL_POLL_MS)
    poll.timeout.connect(lambda: None)
    poll.start()
    application.window.show()
    code = qt.exec()
    application.close()
    qInstallMessageHandler(None)
    if log is not None:
        log.stop()
    return code
