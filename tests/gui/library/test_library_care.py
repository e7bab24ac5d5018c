"""What is done with the documents of the list: details, taking out, bringing back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import DocumentId, Doubt, PageFailure, ReadingScore
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.gui.application import Application
from desktop_qa.gui.library.details_dialog import DetailsDialog
from desktop_qa.gui.library.library_care import LibraryMemory, RemovedDialog
from desktop_qa.gui.library.library_order import Arrangement, GroupBy, SortBy
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import STATUSES, FakeService, make_library, make_status

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
def opened(qtbot: QtBot, window: MainWindow, service: FakeService) -> MainWindow:
    window.libraries.open_folder(Path("/documents/datasheets"))
    with qtbot.waitSignal(window.session.library_opened):
        service.answer("open_library", make_library((*STATUSES, PARTLY)))
    return window


def select(window: MainWindow, *files: str) -> None:
    panel = window.library_panel
    panel.tree.setFocus()
    selection = panel.tree.selectionModel()
    selection.clearSelection()
    for file in files:
        index = panel.model.index_of(DocumentId(file))
        flag = QItemSelectionModel.SelectionFlag.Select
        selection.setCurrentIndex(index, flag)


def shown(window: MainWindow) -> list[str]:
    return [row.entry.status.file for row in window.library_panel.model.rows if row.entry]


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    window.activateWindow()
    window.library_panel.tree.setFocus()
    qtbot.waitUntil(window.library_panel.tree.hasFocus)
    qtbot.keyClick(window.library_panel.tree, key, modifier)


def details_of(window: MainWindow) -> DetailsDialog:
    dialog = window.findChild(DetailsDialog)
    assert isinstance(dialog, DetailsDialog)
    return dialog


# Details


def test_details_open_by_key_and_come_from_the_library(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    select(opened, "TI_LM35.pdf")
    press(qtbot, opened, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    dialog = details_of(opened)
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
    dialog.close()


def test_a_problem_of_a_page_opens_the_page(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.care.show_details(PARTLY)
    service.answer("details", DETAILS)
    dialog = details_of(opened)
    qtbot.waitUntil(lambda: dialog.problems.count() == 2)
    assert dialog.problems.item(0).text() == "Page 3: it has no text (not searched)"
    with qtbot.waitSignal(dialog.page_requested) as asked:
        item = dialog.problems.item(1)
        center = dialog.problems.visualItemRect(item).center()
        qtbot.mouseClick(dialog.problems.viewport(), Qt.MouseButton.LeftButton, pos=center)
    assert asked.args == ["/documents/TI_LM35.pdf", 9]
    dialog.close()


def test_details_that_fail_say_why_and_are_tried_again(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.care.show_details(PARTLY)
    service.fail("details", LibraryError("The disk is gone.", "Connect it."))
    dialog = details_of(opened)
    qtbot.waitUntil(dialog.try_button.isVisible)
    assert dialog.note_label.text() == "The disk is gone. Connect it."
    dialog.try_button.click()
    assert len(service.arguments_of("details")) == 2
    dialog.close()


def test_details_follow_a_document_that_was_read_again(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.care.show_details(PARTLY)
    dialog = details_of(opened)
    dialog.read_again_button.click()
    assert service.arguments_of("read_again") == [(("TI_LM35.pdf",),)]
    opened.session.take((replace(PARTLY, state=DocumentState.READY, page_failures=()),), ())
    assert len(service.arguments_of("details")) == 2
    opened.session.take((), (PARTLY.document_id,))
    assert not dialog.isVisible()


# Taking out and bringing back


def test_delete_takes_out_what_is_selected_and_undo_brings_it_back(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    select(opened, "TI_OPA4197.pdf", "TI_LM35.pdf")
    press(qtbot, opened, Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    (asked,) = service.arguments_of("remove_documents")
    assert set(asked[0]) == {"TI_OPA4197.pdf", "TI_LM35.pdf"}
    service.answer("remove_documents", asked[0])
    qtbot.waitUntil(lambda: "TI_LM35.pdf" not in shown(opened))
    assert "TI_OPA4197.pdf" not in shown(opened)
    assert opened.library_panel.count_label.text() == "3 documents"
    # The list goes on where it was: the keyboard needs no new start.
    assert opened.library_panel.current_status is not None
    (banner,) = [b for b in opened.message_area.banners if "removed" in b.notice.message]
    assert banner.notice.message == "2 documents were removed from the library."
    (undo,) = [b for b in banner.findChildren(QPushButton) if b.text() == "Undo"]
    qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert service.arguments_of("restore_documents") == [(asked[0],)]
    service.answer("restore_documents", (STATUSES[0], PARTLY))
    qtbot.waitUntil(lambda: "TI_LM35.pdf" in shown(opened))
    assert opened.library_panel.count_label.text() == "5 documents"


def test_removals_are_undone_one_after_the_other_by_key(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    for status in (STATUSES[0], PARTLY):
        opened.care.remove((status,))
        service.answer("remove_documents", (status.document_id,))
        qtbot.waitUntil(lambda status=status: status.file not in shown(opened))  # type: ignore[misc]
    for status in (PARTLY, STATUSES[0]):
        press(qtbot, opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert service.arguments_of("restore_documents")[-1] == ((status.document_id,),)
        service.answer("restore_documents", (status,))
        qtbot.waitUntil(lambda status=status: status.file in shown(opened))  # type: ignore[misc]
    assert not opened.action("undo_remove").isEnabled()


def test_what_is_not_kept_any_more_is_read_again(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.session.is_syncing = False
    n_before = len(service.arguments_of("sync"))
    opened.care._bring_back((DocumentId("long_gone"),))
    service.answer("restore_documents", ())
    qtbot.waitUntil(lambda: len(service.arguments_of("sync")) > n_before)


def test_a_library_open_for_reading_says_why_nothing_is_removed(
    qtbot: QtBot, window: MainWindow, service: FakeService
) -> None:
    window.libraries.open_folder(Path("/documents/datasheets"))
    with qtbot.waitSignal(window.session.library_opened):
        service.answer("open_library", make_library(read_only=True))
    select(window, "TI_OPA4197.pdf")
    press(qtbot, window, Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    assert not service.arguments_of("remove_documents")
    assert any("reading only" in b.notice.message for b in window.message_area.banners)
    menu = window.library_panel.context_menu(STATUSES[0])
    (remove,) = [a for a in menu.actions() if a.objectName() == "remove"]
    assert not remove.isEnabled()
    assert "reading only" in remove.toolTip()


def test_delete_in_a_text_field_removes_nothing(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    select(opened, "TI_OPA4197.pdf")
    field = opened.library_panel.filter_edit
    field.setText("opa")
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Home)
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    assert field.text() == "pa"
    assert not service.arguments_of("remove_documents")


def test_removed_documents_are_listed_and_brought_back(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.action("removed").trigger()
    dialog = opened.findChild(RemovedDialog)
    assert isinstance(dialog, RemovedDialog)
    assert dialog.note_label.text().startswith("Looking")
    gone = RemovedDocument(
        DocumentId("x"), ("old/TI_TMP102.pdf",), ("/documents/old/TI_TMP102.pdf",), "", 1.6e9, False
    )
    service.answer("removed_documents", (gone,))
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    assert dialog.list.item(0).text().startswith("TI_TMP102.pdf")
    assert "read again" in dialog.list.item(0).toolTip()
    dialog.list.setCurrentRow(0)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert service.arguments_of("restore_documents") == [(("x",),)]
    service.answer("restore_documents", ())
    qtbot.waitUntil(lambda: len(service.arguments_of("removed_documents")) == 2)
    service.answer("removed_documents", ())
    qtbot.waitUntil(lambda: dialog.list.count() == 0)
    assert dialog.note_label.text() == "Nothing was removed from this library."
    dialog.close()


def test_a_removed_file_that_is_added_by_hand_comes_back(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    opened.care.bring_back_files(["/documents/TI_LM35.pdf"])
    assert service.arguments_of("removed_among") == [(("/documents/TI_LM35.pdf",),)]
    removed = RemovedDocument(
        PARTLY.document_id, ("TI_LM35.pdf",), ("/documents/TI_LM35.pdf",), "", 1.6e9, True
    )
    service.answer("removed_among", (removed,))
    qtbot.waitUntil(lambda: bool(service.arguments_of("restore_documents")))
    assert service.arguments_of("restore_documents") == [((PARTLY.document_id,),)]


# The arrangement is remembered


def test_each_library_keeps_how_it_is_grouped_sorted_and_folded(
    qtbot: QtBot,
    opened: MainWindow,
    service: FakeService,
    settings: QSettings,
    make_application: Callable[..., Application],
) -> None:
    panel = opened.library_panel
    panel.arrange_menu.groups[GroupBy.STATE].trigger()
    panel.arrange_menu.sorts[SortBy.PAGES].trigger()
    panel.tree.fold_requested.emit(panel.model.index_of("state:Ready"))
    assert "TI_OPA4197.pdf" not in shown(opened)
    again = FakeService()
    other = make_application(again).window
    qtbot.waitUntil(lambda: again.n_starts == 1)
    other.libraries.open_folder(Path("/documents/datasheets"))
    with qtbot.waitSignal(other.session.library_opened):
        again.answer("open_library", make_library((*STATUSES, PARTLY)))
    arrangement = other.library_panel.model.order.arrangement
    assert (arrangement.group_by, arrangement.sort_by) == (GroupBy.STATE, SortBy.PAGES)
    assert arrangement.descending
    assert "TI_OPA4197.pdf" not in shown(other)
    assert other.library_panel.arrange_menu.groups[GroupBy.STATE].isChecked()


def test_an_arrangement_that_cannot_be_read_is_the_usual_one(settings: QSettings) -> None:
    for damaged in ("{", "[]", '{"/x": 3}', '{"/x": {"group_by": "moon"}}'):
        settings.setValue("libraries/arrangement", damaged)
        assert LibraryMemory(settings).load("/x") == Arrangement()


def test_what_is_in_doubt_stands_with_its_page_in_the_details(
    qtbot: QtBot, opened: MainWindow, service: FakeService
) -> None:
    doubts = (Doubt(4, "Table 1: 9 of 12 cells may stand elsewhere"),)
    status = replace(PARTLY, reading=ReadingScore(0.44, doubts))
    opened.care.show_details(status)
    service.answer("details", replace(DETAILS, status=status, problems=()))
    dialog = details_of(opened)
    qtbot.waitUntil(lambda: dialog.problems.count() == 1)
    assert dialog.problems.item(0).text() == "Page 4: Table 1: 9 of 12 cells may stand elsewhere"
    dialog.copy_button.click()
    assert "Reading score: 0.44" in QGuiApplication.clipboard().text()
    dialog.close()
