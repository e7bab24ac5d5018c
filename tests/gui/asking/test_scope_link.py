"""Scope and preferred sources through the whole window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import LibraryError, QuestionError
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.view import AnswerView, LibraryView, SourceFolder
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.asking.scope_link import ScopeLink, entries_of_paths
from desktop_qa.gui.library.library_model import PREFERRED_ROLE, mime_of
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.scope_model import document_entry, vendor_entry
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.boxes import in_column
from tests.gui.fake_service import (
    QUESTION,
    FakeService,
    make_answer_view,
    make_evidence,
    make_library,
    make_status,
)
from tests.gui.patient_bot import ask, drag_over, entry, files, let_go, select_documents
from tests.helpers.made_answers import with_answer

DOCUMENTS = (
    make_status("amps/TI_OPA4197.pdf", vendor="Texas Instruments", n_segments=1),
    make_status("amps/TI_LM324.pdf", vendor="Texas Instruments", n_segments=1),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec", n_segments=1),
)
DROPPED = (
    make_status(
        "amps/TI_OPA4197.pdf", vendor="Texas Instruments", path="/documents/amps/TI_OPA4197.pdf"
    ),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec"),
)
SOURCE = SourceFolder("/documents", True)


@pytest.fixture
def library() -> LibraryView:
    return make_library(DOCUMENTS)


@pytest.fixture
def opened(window, service, library) -> MainWindow:
    return open_in(window, service, library)


def open_in(window: MainWindow, service: FakeService, library: LibraryView) -> MainWindow:
    service.replies["set_source_settings"] = None
    service.open(window.session, library)
    return window


def test_documents_and_vendors_are_asked_alone_and_the_answer_says_what_was_searched(
    opened, qtbot, service
):
    # Several documents are asked by one menu a vendor from its row.
    panel = opened.library_panel
    entry(opened.care.menu_at(panel.model.index(0)), "ask_only").trigger()
    assert opened.ask_box.scope == ("vendor:Bosch Sensortec",)
    opened.action("choose_scope").trigger()
    assert opened.ask_box.scope_bar.popup.isVisible()
    opened.ask_box.scope_bar.popup.close()

    select_documents(opened, "amps/TI_OPA4197.pdf", "BOSCH_BME280.pdf")
    index = panel.model.index_of(DocumentId("BOSCH_BME280.pdf"))
    only = entry(opened.care.menu_at(index), "ask_only")
    assert only.text() == "Ask only about these 2 documents"
    only.trigger()
    ask(qtbot, opened, QUESTION)
    (question,) = service.questions
    assert question.text == QUESTION
    assert set(question.scope) == {"/amps/TI_OPA4197.pdf", "/BOSCH_BME280.pdf"}

    # An answer says what was searched and why sources moved.
    ask(qtbot, opened, QUESTION)
    service.reply(opened.session, scoped_view())
    meta = opened.answer_panel.meta_label.text()
    assert "2 of 51 documents searched" in meta
    assert "only Texas Instruments, aaaaaaaaaaaaaa…" in meta
    assert "nothere" in opened.answer_panel.notes_label.text()
    assert opened.answer_panel.notes_label.isVisible()
    assert opened.answer_panel.minimumSizeHint().width() < 500
    labels = [card.source_label for card in opened.evidence_panel.shown_cards]
    texts = [label.text().replace("\u200b", "") if label else "" for label in labels]
    assert texts == ["Preferred source", "Older revision; the newer one is a_b.pdf", ""]

    # A failed question stays in the box.
    for question in ("???", "word " * 10_000, "Offset?\u202e"):
        ask(qtbot, opened, question)
        error = QuestionError("No document matches.", "The nearest is a.pdf.")
        service.fail("ask", error, until=opened.session.turn_ended)
        assert opened.ask_box.edit.toPlainText() == question
        assert opened.ask_box.ask_button.text() == "Ask"
        assert "The nearest is a.pdf." in opened.answer_panel.answer_text.toPlainText()
        assert len(opened.answer_panel.question_label.text()) <= 400
        opened.ask_box.edit.clear()
        qtbot.keyClick(opened.ask_box.edit, Qt.Key.Key_Up)
        assert opened.ask_box.edit.toPlainText() == question.strip()


def test_the_scope_is_remembered_with_its_library(qtbot, service, make_application, library):
    first = make_application(service).window
    open_in(first, service, library)
    entry(first.care.menu_of(DOCUMENTS[2]), "ask_only").trigger()
    with qtbot.waitSignal(first.session.library_opened):
        first.session.open_library(Path("/libraries/other"))
        service.answer("open_library", make_library(DOCUMENTS, folder="/libraries/other"))
    assert first.ask_box.scope == ()
    other = FakeService()
    second = make_application(other).window
    open_in(second, other, library)
    assert second.ask_box.scope == ("/BOSCH_BME280.pdf",)
    second.action("ask_everything").trigger()
    assert second.ask_box.scope == ()


def scoped_view() -> AnswerView:
    view = with_answer(
        make_answer_view(),
        n_documents_searched=2,
        scope=("Texas Instruments", "a" * 60 + ".pdf"),
        notes=("No document matches nothere.pdf.", "x" * 300),
    )
    evidence = (
        make_evidence(1, source_note="preferred source"),
        make_evidence(2, source_note="older revision; the newer one is a_b.pdf"),
        make_evidence(3),
    )
    return replace(view, evidence=evidence)


def test_sources_are_preferred_in_menu_and_dialog_for_each_library_where_they_can_be_kept(
    opened, service, qtbot
):
    # A document is preferred and no more by the same line and so are vendors and folders.
    panel = opened.library_panel
    for preferred in (("/BOSCH_BME280.pdf",), ()):
        line = entry(opened.care.menu_of(DOCUMENTS[2]), "prefer_document")
        assert line.isChecked() is not bool(preferred)
        line.trigger()
        assert service.arguments_of("set_source_settings")[-1] == (SourceSettings(preferred),)
        item = panel.model.index_of(DocumentId("BOSCH_BME280.pdf"))
        assert bool(item.data(PREFERRED_ROLE)) is bool(preferred)
        spoken = item.data(Qt.ItemDataRole.AccessibleTextRole)
        assert ("preferred source" in spoken) is bool(preferred)

    entry(opened.care.menu_of(DOCUMENTS[0]), "prefer_vendor").trigger()
    vendor = panel.model.index_of(f"vendor:{DOCUMENTS[0].vendor}")
    assert vendor.data(PREFERRED_ROLE)
    assert not panel.model.index_of(DOCUMENTS[0].document_id).data(PREFERRED_ROLE)
    entry(opened.care.menu_of(DOCUMENTS[0]), "prefer_folder").trigger()
    assert opened.session.source_settings.preferred == ("vendor:Texas Instruments", "/amps")
    assert panel.model.index_of(DOCUMENTS[1].document_id).data(PREFERRED_ROLE)

    # Preferences of another library are its own.
    entry(opened.care.menu_of(DOCUMENTS[2]), "prefer_document").trigger()
    with qtbot.waitSignal(opened.session.library_opened):
        opened.session.open_library(Path("/libraries/other"))
        service.answer("open_library", make_library(DOCUMENTS, folder="/libraries/other"))
    assert opened.session.source_settings == SourceSettings()
    index = opened.library_panel.model.index_of(DOCUMENTS[2].document_id)
    assert not index.data(PREFERRED_ROLE)

    # A preference that cannot be kept is taken back.
    del service.replies["set_source_settings"]
    entry(opened.care.menu_of(DOCUMENTS[2]), "prefer_document").trigger()
    assert opened.session.source_settings.preferred
    service.fail(
        "set_source_settings", LibraryError("The disk is full."), until=opened.session.notice_posted
    )
    assert opened.session.source_settings.preferred == ()
    index = opened.library_panel.model.index_of(DOCUMENTS[2].document_id)
    assert not index.data(PREFERRED_ROLE)

    # The dialog sets boost revisions and patterns.
    service.replies["set_source_settings"] = None
    opened.action("sources").trigger()
    dialog = opened.scopes.dialog
    assert dialog.isVisible()
    assert dialog.empty_label.isVisible()
    dialog.boost_slider.setValue(25)
    dialog.newest_box.click()
    qtbot.keyClicks(dialog.pattern_edit, "vendor:bosch")
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    expected = SourceSettings(("vendor:bosch",), 0.25, False)
    assert service.arguments_of("set_source_settings")[-1] == (expected,)
    assert dialog.list.item(0).text() == "bosch  ·  1 document"
    assert dialog.boost_label.text() == "0.25"
    dialog.list.setCurrentRow(0)
    qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    assert opened.session.source_settings == SourceSettings((), 0.25, False)
    assert dialog.list.count() == 0
    dialog.close()

    # A library for reading keeps its preferences.
    kept = SourceSettings(("/BOSCH_BME280.pdf",), 0.3)
    view = replace(make_library(DOCUMENTS, read_only=True), source_settings=kept)
    open_in(opened, service, view)
    line = entry(opened.care.menu_of(DOCUMENTS[2]), "prefer_document")
    assert line.isChecked()
    assert not line.isEnabled()
    assert not opened.scopes.dialog.newest_box.isEnabled()


@pytest.fixture
def host(make_parts, service) -> QWidget:
    """The list of the library, and the pane with the box for questions."""
    pane, box = QWidget(), AskBox()
    in_column(pane).addWidget(box)
    window = make_parts(library_panel=LibraryPanel(), ask_box=box, answer_pane=pane)
    window.focus_box = box.setFocus
    window.scopes = ScopeLink(window)
    pane.show()
    service.open(window.session, make_library(DROPPED, source="/documents"))
    return window


def test_documents_vendors_and_files_of_the_library_become_chips(host):
    pane, box, place = host.answer_pane, host.ask_box, host.scopes.drop_place
    # Files from elsewhere are left to the window.
    data = files("/downloads/new.pdf", "/documents/BOSCH_BME280.pdf")
    drag_over(pane, data)
    assert not place.isVisible()
    assert box.scope == ()

    # A file of the library becomes a chip on the box.
    data = files("/documents/amps/TI_OPA4197.pdf")
    # Over the field itself: it lets the pane have it.
    assert drag_over(box.edit.viewport(), data).isAccepted()
    let_go(pane, data)
    assert box.scope == ("/amps/TI_OPA4197.pdf",)
    assert box.edit.toPlainText() == ""

    # A second drop adds to the first.
    for status in (*DROPPED, DROPPED[0]):
        data = mime_of([document_entry(status)])
        drag_over(pane, data)
        let_go(pane, data)
    assert box.scope == ("/amps/TI_OPA4197.pdf", "/BOSCH_BME280.pdf")

    # Rows of the library become chips.
    host.scopes.ask_everything()
    data = mime_of([vendor_entry("Texas Instruments"), document_entry(DROPPED[1])])
    assert drag_over(pane, data).isAccepted()
    assert place.isVisible()
    assert place.title == "Ask only about these 2"
    QApplication.sendEvent(pane, QDragLeaveEvent())
    assert not place.isVisible()
    assert drag_over(pane, data).isAccepted()
    assert let_go(pane, data).isAccepted()
    assert not place.isVisible()
    assert set(box.scope) == {"vendor:Texas Instruments", "/BOSCH_BME280.pdf"}


def test_folders_inside_a_source_are_meant_as_such():
    (entry,) = entries_of_paths(["/documents/amps"], DROPPED, (SOURCE,))
    assert (entry.pattern, entry.label) == ("/amps", "amps")
    # The one source is the whole library, and a folder without documents is new to it.
    assert entries_of_paths(["/documents"], DROPPED, (SOURCE,)) == ()
    assert entries_of_paths(["/documents/empty"], DROPPED, (SOURCE,)) == ()
    several = (SOURCE, SourceFolder("/more", True))
    (whole,) = entries_of_paths(["/documents"], DROPPED, several)
    assert whole.pattern == "/documents"
