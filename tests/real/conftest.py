"""Ten real datasheets, indexed once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from desktop_qa.core.progress import IngestReport
from desktop_qa.gui.application import Application
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.library.facade import Library
from desktop_qa.library.ingest import IngestControl
from desktop_qa.service.client import ServiceClient
from desktop_qa.settings import Settings
from tests.helpers.ten_files import link_ten_files


@pytest.fixture(scope="session")
def ten_folder(shared, tmp_path_factory) -> Path:
    """Source folder with the ten files."""
    return link_ten_files(shared, tmp_path_factory.mktemp("ten") / "documents")


@pytest.fixture(scope="session")
def ten_ingest(ten_folder, tmp_path_factory) -> Iterator[tuple[Library, IngestReport]]:
    """Library of the ten files, and the report of its ingest."""
    made = tmp_path_factory.mktemp("ten-library")
    with closing(Library.open(made, settings=Settings())) as library:
        library.add_source(ten_folder)
        report = library.sync(lambda _: None, IngestControl())
        yield library, report


@pytest.fixture(scope="session")
def ten_library(ten_ingest) -> Library:
    """Library of the ten files."""
    return ten_ingest[0]


@pytest.fixture
def window(qtbot, qapp, tmp_path) -> Iterator[MainWindow]:
    """The real window, its service started."""
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    application = Application(qapp, ServiceClient(), settings)
    made = application.window
    qtbot.addWidget(made)
    made.resize(1600, 1000)
    made.show()
    made.pdf_panel.view.is_animated = False
    qtbot.waitUntil(lambda: application.runner.is_running)
    yield made
    application.close()
