"""Documents and folders let go over the pane of questions become what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.asking.scope_link import ScopeLink, entries_of_paths
from desktop_qa.gui.library.library_model import mime_of
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.scope_model import vendor_entry
from desktop_qa.gui.widgets.boxes import in_column
from tests.gui.fake_service import FakeService, make_library, make_status

DOCUMENTS = (
    make_status(
        "amps/TI_OPA4197.pdf", vendor="Texas Instruments", path="/documents/amps/TI_OPA4197.pdf"
    ),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec"),
)
SOURCE = SourceFolder("/documents", True)


@pytest.fixture
def host(make_parts: Callable[..., QWidget], service: FakeService) -> QWidget:
    """The list of the library, and the pane with the box for questions."""
    pane, box = QWidget(), AskBox()
    in_column(pane).addWidget(box)
    window = make_parts(library_panel=LibraryPanel(), ask_box=box, answer_pane=pane)
    window.focus_box = box.setFocus
    window.scopes = ScopeLink(window)
    pane.show()
    service.open(window.session, make_library(DOCUMENTS, source="/documents"))
    return window


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


def test_documents_vendors_and_files_of_the_library_become_chips(host: QWidget) -> None:
    pane, box, place = host.answer_pane, host.ask_box, host.scopes.drop_place
    # Files from elsewhere are left to the window.
    data = files("/downloads/new.pdf", "/documents/BOSCH_BME280.pdf")
    enter(pane, data)
    assert not place.isVisible()
    assert box.scope == ()

    # A file of the library becomes a chip on the box.
    data = files("/documents/amps/TI_OPA4197.pdf")
    # Over the field itself: it lets the pane have it.
    assert enter(box.edit.viewport(), data).isAccepted()
    let_go(pane, data)
    assert box.scope == ("/amps/TI_OPA4197.pdf",)
    assert box.edit.toPlainText() == ""

    # A second drop adds to the first.
    for status in (*DOCUMENTS, DOCUMENTS[0]):
        data = mime_of((status,))
        assert data is not None
        enter(pane, data)
        let_go(pane, data)
    assert box.scope == ("/amps/TI_OPA4197.pdf", "/BOSCH_BME280.pdf")

    # Rows of the library become chips.
    host.scopes.ask_everything()
    data = mime_of((DOCUMENTS[1],), (vendor_entry("Texas Instruments"),))
    assert data is not None
    assert enter(pane, data).isAccepted()
    assert place.isVisible()
    assert place.title == "Ask only about these 2"
    QApplication.sendEvent(pane, QDragLeaveEvent())
    assert not place.isVisible()
    assert enter(pane, data).isAccepted()
    assert let_go(pane, data).isAccepted()
    assert not place.isVisible()
    assert set(box.scope) == {"vendor:Texas Instruments", "/BOSCH_BME280.pdf"}


def test_folders_inside_a_source_are_meant_as_such() -> None:
    (entry,) = entries_of_paths(["/documents/amps"], DOCUMENTS, (SOURCE,))
    assert (entry.pattern, entry.label) == ("/amps", "amps")
    # The one source is the whole library, and a folder without documents is new to it.
    assert entries_of_paths(["/documents"], DOCUMENTS, (SOURCE,)) == ()
    assert entries_of_paths(["/documents/empty"], DOCUMENTS, (SOURCE,)) == ()
    several = (SOURCE, SourceFolder("/more", True))
    (whole,) = entries_of_paths(["/documents"], DOCUMENTS, several)
    assert whole.pattern == "/documents"
