"""The details of a document, over a library that the test plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import Doubt, PageFailure, ReadingScore
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState
from desktop_qa.gui.library.details_dialog import DetailsDialog
from desktop_qa.gui.session import LibrarySession
from tests.gui.fake_service import FakeService, make_status

PARTLY = make_status(
    "TI_LM35.pdf",
    DocumentState.PARTIAL,
    title="LM35 Precision Temperature Sensors",
    revision="SNIS159H",
    date="2017-12",
    part_numbers=("LM35",),
    n_segments=80,
    page_failures=(PageFailure(9, "it was cut short"), PageFailure(3, "it has no text")),
    read_by="parser 30; segmenter 9",
    read_at=1_700_000_000.0,
)
DETAILS = DocumentDetails(
    status=PARTLY,
    places=(FilePlace("/documents/TI_LM35.pdf", "/documents", 1_234_567, 1_600_000_000.0),),
    kind="datasheet",
    n_words=12_345,
    pages_without_text=(3,),
    problems=(PageFailure(3, "it has no text"), PageFailure(9, "it was cut short")),
    seconds=12.4,
    kept_bytes=640,
)


@pytest.fixture
def dialog(qtbot: QtBot, session: LibrarySession) -> Iterator[DetailsDialog]:
    """The details of a document, the rest of them asked for."""
    parent = QWidget()
    qtbot.addWidget(parent)
    made = DetailsDialog(session, parent)
    made.show_document(PARTLY)
    yield made
    parent.close()


def test_what_is_known_stands_at_once_and_the_rest_comes_from_the_library(
    qtbot: QtBot, dialog: DetailsDialog, service: FakeService
) -> None:
    assert not dialog.isModal()
    assert dialog.title_label.text() == "LM35 Precision Temperature Sensors"
    assert dialog.note_label.text().startswith("Looking up")
    assert service.arguments_of("details") == [("TI_LM35.pdf",)]
    service.answer("details", DETAILS)
    qtbot.waitUntil(lambda: dialog.problems.count() == 2)
    assert dialog.note_label.isHidden()
    dialog.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    for part in ("SNIS159H", "2017-12", "12,345", "1.2 MB", "parser 30", "12 s", "1 (3)"):
        assert part in copied
    assert dialog.problems.item(0).text() == "Page 3: it has no text (not searched)"
    with qtbot.waitSignal(dialog.page_requested) as asked:
        item = dialog.problems.item(1)
        center = dialog.problems.visualItemRect(item).center()
        qtbot.mouseClick(dialog.problems.viewport(), Qt.MouseButton.LeftButton, pos=center)
    assert asked.args == ["/documents/TI_LM35.pdf", 9]


def test_details_that_fail_say_why_and_are_tried_again(
    qtbot: QtBot, dialog: DetailsDialog, service: FakeService
) -> None:
    service.fail("details", LibraryError("The disk is gone.", "Connect it."))
    qtbot.waitUntil(dialog.try_button.isVisible)
    assert dialog.note_label.text() == "The disk is gone. Connect it."
    dialog.try_button.click()
    assert len(service.arguments_of("details")) == 2


def test_details_follow_a_document_that_was_read_again(
    dialog: DetailsDialog, session: LibrarySession, service: FakeService
) -> None:
    dialog.read_again_button.click()
    assert service.arguments_of("read_again") == [(("TI_LM35.pdf",),)]
    session.take((replace(PARTLY, state=DocumentState.READY, page_failures=()),), ())
    assert len(service.arguments_of("details")) == 2
    session.take((), (PARTLY.document_id,))
    assert not dialog.isVisible()


def test_what_is_in_doubt_stands_with_its_page_and_is_copied(
    qtbot: QtBot, dialog: DetailsDialog, service: FakeService
) -> None:
    doubts = (Doubt(4, "Table 1: 9 of 12 cells may stand elsewhere"),)
    status = replace(PARTLY, reading=ReadingScore(0.44, doubts))
    service.answer("details", replace(DETAILS, status=status, problems=()))
    qtbot.waitUntil(lambda: dialog.problems.count() == 1)
    assert dialog.problems.item(0).text() == "Page 4: Table 1: 9 of 12 cells may stand elsewhere"
    dialog.copy_button.click()
    assert "Reading score: 0.44" in QGuiApplication.clipboard().text()
