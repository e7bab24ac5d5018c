"""What is done with the documents of the list: details, taking out, bringing back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.gui.library.details_dialog import DetailsDialog
from desktop_qa.gui.library.library_care import LibraryCare, kept_arrangement
from desktop_qa.gui.library.library_order import Arrangement, GroupBy, SortBy
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import STATUSES, make_library
from tests.gui.library.test_library_panel import DETAILS, PARTLY
from tests.gui.patient_bot import press, select_documents

Caring = tuple[LibraryCare, LibraryPanel]


@pytest.fixture
def make_care(make_parts, session) -> Callable[[], Caring]:
    """Make a list of the session's library and the care for it, without a window."""

    def make() -> Caring:
        panel = LibraryPanel()
        window = make_parts(library_panel=panel)
        window.scopes = Mock()
        care = LibraryCare(window)
        panel.show_library("datasheets", session.statuses)
        session.library_opened.emit(session.library)
        return care, panel

    return make


def shown(panel: LibraryPanel) -> list[str]:
    return [row.entry.status.file for row in panel.model.rows if row.entry]


def press_in_list(
    qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    window.activateWindow()
    window.library_panel.tree.setFocus()
    qtbot.waitUntil(window.library_panel.tree.hasFocus)
    qtbot.keyClick(window.library_panel.tree, key, modifier)


def test_details_open_by_key_and_delete_takes_out_what_undo_brings_back(qtbot, window, service):
    service.open(window.session, make_library((*STATUSES, PARTLY)))
    # Details open by key.
    select_documents(window, "TI_LM35.pdf")
    press_in_list(qtbot, window, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    dialog = window.findChild(DetailsDialog)
    assert dialog.title_label.text() == "LM35 Precision Temperature Sensors"
    service.answer("details", DETAILS)
    qtbot.waitUntil(lambda: dialog.problems.count() == 2)
    dialog.close()

    # Delete takes out what is selected and undo brings it back.
    panel = window.library_panel
    select_documents(window, "TI_OPA4197.pdf", "TI_LM35.pdf")
    press_in_list(qtbot, window, Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    (asked,) = service.arguments_of("remove_documents")
    assert set(asked[0]) == {"TI_OPA4197.pdf", "TI_LM35.pdf"}
    service.answer("remove_documents", asked[0])
    qtbot.waitUntil(lambda: "TI_LM35.pdf" not in shown(panel))
    assert "TI_OPA4197.pdf" not in shown(panel)
    assert panel.count_label.text() == "3 documents"
    # The list goes on where it was: the keyboard needs no new start.
    assert panel.current_status is not None
    (banner,) = [b for b in window.message_area.banners if "removed" in b.notice.message]
    assert banner.notice.message == "2 documents were removed from the library."
    press(window.message_area, "Undo")
    assert service.arguments_of("restore_documents") == [(asked[0],)]
    service.answer("restore_documents", (STATUSES[0], PARTLY))
    qtbot.waitUntil(lambda: "TI_LM35.pdf" in shown(panel))
    assert panel.count_label.text() == "5 documents"
    # One removal after the other, by key.
    for status in (STATUSES[0], PARTLY):
        window.care.remove((status,))
        service.answer("remove_documents", (status.document_id,))
        qtbot.waitUntil(lambda status=status: status.file not in shown(panel))  # type: ignore[misc]
    for status in (PARTLY, STATUSES[0]):
        press_in_list(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert service.arguments_of("restore_documents")[-1] == ((status.document_id,),)
        service.answer("restore_documents", (status,))
        qtbot.waitUntil(lambda status=status: status.file in shown(panel))  # type: ignore[misc]
    assert not window.action("undo_remove").isEnabled()
    # In a text field the key means the text.
    n_removed = len(service.arguments_of("remove_documents"))
    select_documents(window, "TI_OPA4197.pdf")
    field = panel.filter_edit
    field.setText("opa")
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Home)
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    assert field.text() == "pa"
    assert len(service.arguments_of("remove_documents")) == n_removed


def entries(care: LibraryCare, status: DocumentStatus) -> dict[str, QAction]:
    return {action.objectName(): action for action in care.menu_of(status).actions()}


def test_the_menu_of_a_document_copies_its_path_and_explains(make_care, service, monkeypatch):
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    care, panel = make_care()
    menu = entries(care, STATUSES[3])
    assert not menu["ask_only"].isEnabled()
    menu["copy_path"].trigger()
    assert QGuiApplication.clipboard().text() == "/documents/internal_spec.pdf"
    menu["show_in_folder"].trigger()
    assert Path(opened[0].toLocalFile()) == Path("/documents")
    assert menu["why"].text() == "Why did this fail?"
    menu["why"].trigger()
    assert not panel.detail_frame.isHidden()
    again = entries(care, STATUSES[0])["retry"]
    assert again.text() == "Read again"
    again.trigger()
    assert service.arguments_of("read_again") == [((STATUSES[0].document_id,),)]


def test_a_library_open_for_reading_says_why_nothing_is_removed(make_care, session, service):
    service.open(session, make_library(read_only=True))
    care, _ = make_care()
    care.remove(STATUSES[:1])
    assert not service.arguments_of("remove_documents")
    (banner,) = care.parent().message_area.banners
    assert "reading only" in banner.notice.message
    menu = entries(care, STATUSES[0])
    assert not menu["retry"].isEnabled()
    assert not menu["remove"].isEnabled()
    assert "reading only" in menu["remove"].toolTip()


def test_what_is_not_kept_any_more_is_read_again(qtbot, make_care, session, service):
    care, _ = make_care()
    session.is_syncing = False
    n_before = len(service.arguments_of("sync"))
    care._bring_back((DocumentId("long_gone"),))
    service.answer("restore_documents", ())
    qtbot.waitUntil(lambda: len(service.arguments_of("sync")) > n_before)


def test_removed_documents_are_listed_and_brought_back(qtbot, make_care, service):
    care, _ = make_care()
    care.show_removed()
    dialog = care._removed
    assert dialog.note_label.text().startswith("Looking")
    gone = RemovedDocument(
        DocumentId("x"), ("old/TI_TMP102.pdf",), ("/documents/old/TI_TMP102.pdf",), "", 1.6e9, False
    )
    service.answer("removed_documents", (gone,))
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    assert dialog.list.item(0).text().startswith("TI_TMP102.pdf")
    assert "read again" in dialog.list.item(0).toolTip()
    dialog.list.setFocus()
    dialog.list.setCurrentRow(0)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert service.arguments_of("restore_documents") == [(("x",),)]
    service.answer("restore_documents", ())
    qtbot.waitUntil(lambda: len(service.arguments_of("removed_documents")) == 2)
    service.answer("removed_documents", ())
    qtbot.waitUntil(lambda: dialog.list.count() == 0)
    assert dialog.note_label.text() == "Nothing was removed from this library."


def test_a_removed_file_that_is_added_by_hand_comes_back(qtbot, make_care, service):
    care, _ = make_care()
    care.bring_back_files(["/documents/TI_LM35.pdf"])
    assert service.arguments_of("removed_among") == [(("/documents/TI_LM35.pdf",),)]
    removed = RemovedDocument(
        PARTLY.document_id, ("TI_LM35.pdf",), ("/documents/TI_LM35.pdf",), "", 1.6e9, True
    )
    service.answer("removed_among", (removed,))
    qtbot.waitUntil(lambda: bool(service.arguments_of("restore_documents")))
    assert service.arguments_of("restore_documents") == [((PARTLY.document_id,),)]


def test_each_library_keeps_how_it_is_grouped_sorted_and_folded(make_care):
    # Each care is kept: its signals end with it.
    _care, panel = make_care()
    panel.arrange_menu.groups[GroupBy.STATE].trigger()
    panel.arrange_menu.sorts[SortBy.PAGES].trigger()
    panel.fold(panel.model.index_of("state:Ready"))
    assert "TI_OPA4197.pdf" not in shown(panel)
    _again, other = make_care()
    arrangement = other.model.order.arrangement
    assert (arrangement.group_by, arrangement.sort_by) == (GroupBy.STATE, SortBy.PAGES)
    assert arrangement.descending
    assert "TI_OPA4197.pdf" not in shown(other)
    other.arrange_menu.aboutToShow.emit()
    assert other.arrange_menu.groups[GroupBy.STATE].isChecked()


def test_an_arrangement_that_cannot_be_read_is_the_usual_one(settings):
    for damaged in ("{", "[]", '{"/x": 3}', '{"/x": {"group_by": "moon"}}'):
        settings.setValue("libraries/arrangement", damaged)
        assert kept_arrangement(settings, "/x") == Arrangement()
