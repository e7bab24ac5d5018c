"""Documents and folders let go over the pane of questions become what is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_qa.core.view import LibraryView, SourceFolder
from desktop_qa.gui.asking.scope_drop import entries_of_paths
from desktop_qa.gui.library.document_mime import mime_of
from desktop_qa.gui.library.scope_model import vendor_entry
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import FakeService, make_library, make_status

DOCUMENTS = (
    make_status(
        "amps/TI_OPA4197.pdf", vendor="Texas Instruments", path="/documents/amps/TI_OPA4197.pdf"
    ),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec"),
)
SOURCE = SourceFolder("/documents", True)


@pytest.fixture
def opened(window: MainWindow, service: FakeService) -> MainWindow:
    window.session.open_library(Path("/libraries/datasheets"))
    view: LibraryView = make_library(DOCUMENTS, source="/documents")
    service.open(window.session, view)
    window.resize(1300, 800)
    return window


def pane_of(window: MainWindow) -> QWidget:
    pane = window.ask_box.parentWidget()
    while pane is not None and pane.objectName() != "answer_pane":
        pane = pane.parentWidget()
    assert pane is not None
    return pane


def enter(target: QWidget, data: QMimeData) -> QDropEvent:
    return send(target, QDragEnterEvent(QPoint(40, 40), *what(data)))


def let_go(target: QWidget, data: QMimeData) -> QDropEvent:
    return send(target, QDropEvent(QPointF(40, 40), *what(data)))


def what(data: QMimeData) -> tuple[Any, ...]:
    none = Qt.KeyboardModifier.NoModifier
    return Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none


def send(target: QWidget, event: QDropEvent) -> QDropEvent:
    event.ignore()
    QApplication.sendEvent(target, event)
    return event


def files(*paths: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    return data


def test_documents_vendors_and_files_of_the_library_become_chips(opened: MainWindow) -> None:
    # Files from elsewhere are left to the window.
    data = files("/downloads/new.pdf", "/documents/BOSCH_BME280.pdf")
    enter(pane_of(opened), data)
    assert not opened.scopes.drop_place.isVisible()
    assert opened.ask_box.scope == ()

    # A file of the library becomes a chip on the box.
    data = files("/documents/amps/TI_OPA4197.pdf")
    # Over the field itself: it lets the pane have it.
    assert enter(opened.ask_box.edit.viewport(), data).isAccepted()
    let_go(pane_of(opened), data)
    assert opened.ask_box.scope == ("/amps/TI_OPA4197.pdf",)
    assert opened.ask_box.edit.toPlainText() == ""

    # A second drop adds to the first.
    for status in (*DOCUMENTS, DOCUMENTS[0]):
        data = mime_of((status,))
        assert data is not None
        enter(pane_of(opened), data)
        let_go(pane_of(opened), data)
    assert opened.ask_box.scope == ("/amps/TI_OPA4197.pdf", "/BOSCH_BME280.pdf")

    # Rows of the library become chips.
    opened.action("ask_everything").trigger()
    data = mime_of((DOCUMENTS[1],), (vendor_entry("Texas Instruments"),))
    assert data is not None
    pane, place = pane_of(opened), opened.scopes.drop_place
    assert enter(pane, data).isAccepted()
    assert place.isVisible()
    assert place.title == "Ask only about these 2"
    QApplication.sendEvent(pane, QDragLeaveEvent())
    assert not place.isVisible()
    assert enter(pane, data).isAccepted()
    assert let_go(pane, data).isAccepted()
    assert not place.isVisible()
    assert set(opened.ask_box.scope) == {"vendor:Texas Instruments", "/BOSCH_BME280.pdf"}


def test_folders_inside_a_source_are_meant_as_such() -> None:
    (entry,) = entries_of_paths(["/documents/amps"], DOCUMENTS, (SOURCE,))
    assert (entry.pattern, entry.label) == ("/amps", "amps")
    # The one source is the whole library, and a folder without documents is new to it.
    assert entries_of_paths(["/documents"], DOCUMENTS, (SOURCE,)) == ()
    assert entries_of_paths(["/documents/empty"], DOCUMENTS, (SOURCE,)) == ()
    several = (SOURCE, SourceFolder("/more", True))
    (whole,) = entries_of_paths(["/documents"], DOCUMENTS, several)
    assert whole.pattern == "/documents"
