"""What the library's list hands out when rows are dragged."""

from __future__ import annotations

import gc

from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.library.library_model import MIME_TYPE, dragged
from desktop_qa.gui.library.library_panel import LibraryPanel
from tests.gui.fake_service import make_status

STATUSES = (
    make_status("amps/TI_OPA4197.pdf", vendor="Texas Instruments"),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec"),
    make_status("notes.pdf", vendor=""),
)


def panel_of(qtbot: QtBot) -> LibraryPanel:
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_library("datasheets", STATUSES)
    return panel


def test_documents_and_vendors_are_dragged_as_patterns(qtbot: QtBot) -> None:
    panel = panel_of(qtbot)
    assert panel.tree.dragEnabled()
    document = panel.model.index_of(DocumentId("BOSCH_BME280.pdf"))
    vendor = panel.model.index_of("vendor:Texas Instruments")
    data = panel.tree.model().mimeData([document, vendor])
    gc.collect()
    found = dragged(data)
    assert found.document_ids == ("BOSCH_BME280.pdf",)
    assert {(entry.pattern, entry.label) for entry in found.entries} == {
        ("/BOSCH_BME280.pdf", "BME280"),
        ("vendor:Texas Instruments", "Texas Instruments"),
    }
    # No addresses of files: those would be taken in as new documents.
    assert not data.hasUrls()


def test_files_without_a_vendor_are_no_group_to_drag(qtbot: QtBot) -> None:
    panel = panel_of(qtbot)
    others = panel.model.index_of("vendor:Other files")
    assert dragged(panel.tree.model().mimeData([others])) is None


def test_other_data_is_nothing_of_a_library() -> None:
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/documents/x.pdf")])
    damaged = QMimeData()
    damaged.setData(MIME_TYPE, b"[1, 2")
    assert dragged(files) is None
    assert dragged(damaged) is None
