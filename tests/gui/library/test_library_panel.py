from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId, Doubt, PageFailure, ReadingScore
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.empty_state import EmptyState, StartPage
from desktop_qa.gui.library.library_link import LibraryLink
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.library_words import describe, explain, name_of, pages_text
from desktop_qa.gui.status_line import StatusLine
from tests.gui.fake_service import STATUSES, FakeService, make_status
from tests.gui.patient_bot import on_screen


@pytest.fixture
def panel(qtbot: QtBot) -> LibraryPanel:
    made = on_screen(qtbot, LibraryPanel(), 280, 600)
    made.show_library("datasheets", STATUSES)
    return made


def rows(panel: LibraryPanel) -> dict[str, list[tuple[str, str, str]]]:
    tree: dict[str, list[tuple[str, str, str]]] = {}
    for number, row in enumerate(panel.model.rows):
        index = panel.model.index(number)
        if row.entry is None:
            heading = tree.setdefault(str(index.data()), [])
        else:
            pages, state = pages_text(row.entry.status), row.entry.state_word
            heading.append((str(index.data()), pages, state))
    return tree


def index_of(panel: LibraryPanel, file: str) -> QModelIndex:
    return panel.model.index_of(DocumentId(file))


def test_documents_stand_under_their_vendor_with_pages_and_state(panel: LibraryPanel) -> None:
    assert rows(panel) == {
        "TI": [("ADS1115", "49 p", "indexing"), ("OPA4197", "49 p", "ready")],
        "Not read yet": [("BOSCH_BME280", "60 p", "reading 34")],
        "Other files": [("internal_spec", "?", "password")],
    }
    assert panel.count_label.text() == "4 documents"


def test_a_document_that_moves_stays_the_current_one(panel: LibraryPanel) -> None:
    panel.select_document(DocumentId("BOSCH_BME280.pdf"))
    selected: list[DocumentStatus] = []
    panel.document_selected.connect(selected.append)
    panel.update_statuses((make_status("BOSCH_BME280.pdf", vendor="Bosch", n_pages=60),), ())
    assert panel.current_status.file == "BOSCH_BME280.pdf"
    assert selected == []


def test_names_sort_as_people_count(panel: LibraryPanel) -> None:
    panel.show_library("x", tuple(make_status(f"TI_LM{n}.pdf") for n in (358, 7805, 35)))
    assert [name for name, _, _ in rows(panel)["TI"]] == ["LM35", "LM358", "LM7805"]


@pytest.mark.parametrize(
    ("file", "vendor", "name"),
    [
        ("TI_OPA4197.pdf", "TI", "OPA4197"),
        ("TI_OPA4197.pdf", "Texas Instruments", "OPA4197"),
        ("ADI_AD8418A.pdf", "Analog Devices", "AD8418A"),
        ("BOSCH_BME280.pdf", "Bosch Sensortec", "BME280"),
        ("my_notes.pdf", "TI", "my_notes"),
        ("sub/folder/manual.pdf", "", "manual"),
    ],
)
def test_a_name_does_not_repeat_the_vendor_above_it(file: str, vendor: str, name: str) -> None:
    assert name_of(make_status(file, vendor=vendor)) == name


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("line\nbreak\t2.pdf", "line break 2"),
        ("\u202egnp.fdp\u202c.pdf", "gnp.fdp"),
        ("datasheet 🚀.pdf", "datasheet 🚀"),
        ("תכונות.pdf", "תכונות"),
    ],
)
def test_a_name_stays_on_its_line_and_turns_nothing_beside_it(file: str, name: str) -> None:
    assert name_of(make_status(file, vendor="")) == name


def test_the_filter_for_attention_is_taken_away_by_its_chip(
    qtbot: QtBot, panel: LibraryPanel
) -> None:
    panel.show_attention()
    assert list(rows(panel)) == ["Other files"]
    (chip,) = panel.filter_bar.flow.chips
    assert chip.text().startswith("Needs attention")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert panel.count_label.text() == "4 documents"
    assert not panel.filter_bar.flow.chips


def test_enter_opens_the_selected_document(qtbot: QtBot, panel: LibraryPanel) -> None:
    panel.tree.setCurrentIndex(index_of(panel, "TI_OPA4197.pdf"))
    with qtbot.waitSignal(panel.document_activated) as opened:
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert opened.args == [STATUSES[0]]


def test_a_failed_document_tells_reason_and_hint_and_can_be_tried_again(
    panel: LibraryPanel, make_parts: Callable[..., QWidget], service: FakeService
) -> None:
    around = {"empty_state": EmptyState(), "start_page": StartPage(), "status_line": StatusLine()}
    _link = LibraryLink(make_parts(library_panel=panel, **around))
    panel.tree.setCurrentIndex(index_of(panel, "internal_spec.pdf"))
    assert panel.detail_title.text() == "internal_spec: password"
    expected = "The file is protected by a password. Save a copy without the password."
    assert panel.detail_text.text() == expected
    panel.retry_button.click()
    assert service.arguments_of("read_again") == [((DocumentId("internal_spec.pdf"),),)]
    panel.tree.setCurrentIndex(index_of(panel, "TI_OPA4197.pdf"))
    assert not panel.detail_frame.isVisible()


def test_following_a_citation_selects_the_document_without_its_details(
    panel: LibraryPanel,
) -> None:
    panel.select_document(DocumentId("internal_spec.pdf"))
    assert panel.current_status == STATUSES[3]
    assert not panel.detail_frame.isVisible()
    panel.tree.clicked.emit(index_of(panel, "internal_spec.pdf"))
    assert panel.detail_frame.isVisible()


def test_pages_that_lack_are_named_and_those_that_kept_their_words_not_called_unread() -> None:
    scans, drawn = PageFailure(2, "scan"), PageFailure(7, "too many drawings", has_text=True)
    failures = (scans, PageFailure(3, "scan"), drawn)
    status = make_status("a.pdf", DocumentState.PARTIAL, reason="Lacks.", page_failures=failures)
    assert explain(status) == "Lacks.\nPages not read: 2, 3.\nPage read in part: 7."
    assert "Partly" in describe(status)


def test_the_same_file_in_two_places_is_said() -> None:
    status = DocumentStatus(
        DocumentId("a"), "a.pdf", ("a.pdf", "copy/a.pdf"), "/a.pdf", DocumentState.READY
    )
    assert explain(status) == "The same file also stands at copy/a.pdf."


def test_screen_readers_hear_name_vendor_pages_and_state(panel: LibraryPanel) -> None:
    text = index_of(panel, "TI_OPA4197.pdf").data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "OPA4197, TI, 49 pages, ready"


def test_every_state_looks_different(panel: LibraryPanel) -> None:
    pictures = set()
    for state in DocumentState:
        panel.show_library("x", (make_status("a.pdf", state, vendor=""),))
        image = panel.tree.viewport().grab().toImage()
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == len(DocumentState)


def test_a_page_brought_by_a_key_selects_its_document_alone(
    qtbot: QtBot, panel: LibraryPanel
) -> None:
    """A shortcut with Ctrl or Shift must not add to the selection, as clicks with them do."""
    panel.select_document(DocumentId("TI_ADS1115.pdf"))
    for modifier in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier):
        qtbot.keyPress(panel, Qt.Key.Key_F13, modifier)
        assert QGuiApplication.keyboardModifiers() == modifier
        panel.select_document(DocumentId("TI_OPA4197.pdf"))
        assert [status.file for status in panel.selected_statuses] == ["TI_OPA4197.pdf"]
        qtbot.keyRelease(panel, Qt.Key.Key_F13)
        panel.select_document(DocumentId("TI_ADS1115.pdf"))


DOUBTFUL = make_status(
    "a.pdf",
    vendor="",
    reading=ReadingScore(0.4, (Doubt(2, "Table 1: 9 of 12 cells may stand elsewhere"),)),
)


def test_a_document_read_with_doubts_has_a_mark_of_its_own_and_says_where(
    panel: LibraryPanel,
) -> None:
    pictures = set()
    for status in (DOUBTFUL, replace(DOUBTFUL, reading=ReadingScore(0.97))):
        panel.show_library("x", (status,))
        pictures.add(bytes(panel.tree.viewport().grab().toImage().constBits()))
    assert len(pictures) == 2
    panel.show_library("x", (DOUBTFUL,))
    panel.tree.clicked.emit(index_of(panel, "a.pdf"))
    assert panel.detail_title.text() == "a: read with doubts"
    assert "Page in doubt: 2." in panel.detail_text.text()
    assert not panel.retry_button.isVisible()
    assert "Read with doubts" in describe(DOUBTFUL)
