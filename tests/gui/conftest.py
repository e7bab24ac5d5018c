"""A window over a library's process that the test plays itself."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop_qa.gui.application import Application, collect_due
from desktop_qa.gui.jobs import JobRunner
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.messages import MessageArea
from desktop_qa.gui.widgets.theme import LIGHT, ThemeKeeper, look
from tests.gui.fake_service import FakeService

WIDTH_OF_ALL_PANES_PX = 842


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest.fixture
def session(service) -> Iterator[LibrarySession]:
    """A session without a window, whose library is open and being indexed."""
    runner = JobRunner(service)
    made = LibrarySession(runner, runner)
    runner.start()
    made.open_library(Path("/libraries/datasheets"))
    service.open(made)
    yield made
    runner.close()


@pytest.fixture
def settings(tmp_path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make_parts(qtbot, session, settings) -> Callable[..., QWidget]:
    """Make what stands for the window where a part of it is tried alone, with some panels."""

    def make(**panels: QWidget) -> QWidget:
        window, panels = QWidget(), {"message_area": MessageArea(), **panels}
        for widget in (window, *panels.values()):
            qtbot.addWidget(widget)
        actions: defaultdict[str, QAction] = defaultdict(lambda: QAction(window, checkable=True))
        own = {"session": session, "settings": settings, "action": actions.__getitem__}
        window.__dict__.update(panels, **own, show_pane=lambda _name: None)
        return window

    return make


@pytest.fixture(scope="session")
def no_garbage_left(qapp) -> Iterator[None]:
    """Let go while there is an application: of widgets that lie in cycles, and of what was copied.

    Without a screen, Qt deletes what the clipboard holds at the exit of the process, after Python.
    """
    yield
    qapp.clipboard().clear()
    gc.collect()


@pytest.fixture(autouse=True)
def no_window_left(qapp, no_garbage_left) -> Iterator[None]:
    """Delete what the test closed: without an event loop it would stay, and be dressed anew.

    pytest-qt closes the widgets of a test before its fixtures end. Garbage is collected here alone,
    as the program does it by a timer: widgets that went while others were laid out crashed Qt.
    """
    gc.disable()
    yield
    look.theme, look.answer_sizes = LIGHT, look.sizes
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    collect_due()
    gc.enable()


@pytest.fixture
def plain_looks(qapp) -> Iterator[None]:
    """Take the style sheet of a test away after it.

    Not by an empty one: Qt 6.11 crashes when a sheet is set again after it was emptied.
    """
    palette = qapp.palette()
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.setStyleSheet("* {}")
    qapp.setPalette(palette)


@pytest.fixture
def keeper(qapp, plain_looks) -> ThemeKeeper:
    """The looks of the program where a part of the window is tried alone."""
    return ThemeKeeper(qapp)


@pytest.fixture
def make_application(qtbot, qapp, settings, plain_looks) -> Iterator[Callable[..., Application]]:
    """Make a window over a service, as often as wanted; all are closed after the test."""
    made: list[Application] = []

    def make(service: FakeService, folder: Path | None = None) -> Application:
        application = Application(qapp, service, settings, folder)
        made.append(application)
        qtbot.addWidget(application.window)
        application.window.pdf_panel.view.is_animated = False
        # The screen of the tests is 800 px wide: one of the panes would be folded.
        application.window.resize(WIDTH_OF_ALL_PANES_PX, application.window.height())
        application.window.show()
        if isinstance(service, FakeService):
            qtbot.waitUntil(lambda: service.n_starts == 1)
        return application

    yield make
    for application in made:
        application.close()


@pytest.fixture
def application(service, make_application) -> Application:
    """A window without a library, its service started."""
    return make_application(service)


@pytest.fixture
def window(application) -> MainWindow:
    return application.window


@pytest.fixture
def open_window(window, service) -> MainWindow:
    """A window with a library whose indexing has begun."""
    service.open(window.session)
    return window
