"""One document in the window: its pages, its structure, its text, and how it leaves as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.errors import AlreadyThereError, ExportError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.core.view import ExportReport, MarkdownView
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.structure.structure_model import Row
from desktop_qa.gui.viewer.pdf_highlights import NO_MARKER
from desktop_qa.service.messages import Result
from tests.gui.fake_service import (
    FakeService,
    make_answer_view,
    make_library,
    make_progress,
    make_status,
)
from tests.gui.patient_bot import ask_for_menu, entry, save_as, told
from tests.gui.pdf_files import A5, show_document, write_pages
from tests.gui.structures import indexes, make_structure, message_of, reading_row


@pytest.fixture
def documents(tmp_path) -> tuple[Path, Path]:
    return (
        write_pages(tmp_path / "TI_OPA4197.pdf", [A5] * 10),
        write_pages(tmp_path / "TI_ADS1115.pdf", [A5] * 3),
    )


@pytest.fixture
def opened(window, service, documents) -> MainWindow:
    """A window with two documents that are on the disk and one that is not read yet."""
    statuses = tuple(
        make_status(path.name, path=str(path), n_segments=9, n_pages=10, read_at=1.0)
        for path in documents
    )
    waiting = make_status("TI_LM317.pdf", DocumentState.WAITING, vendor="", n_pages=0)
    window.resize(1366, 768)
    service.open(window.session, make_library((*statuses, waiting)))
    return window


def select(window: MainWindow, name: str) -> None:
    status = next(s for s in window.session.statuses if name in s.file)
    window.library_panel.select_document(status.document_id)


def answer_structure(window: MainWindow, service: FakeService) -> None:
    came = window.side_bar.structure_panel.tree.model().modelReset
    service.answer("structure", make_structure(), until=came)


def rows(window: MainWindow) -> list[Row]:
    panel = window.side_bar.structure_panel
    return [row for row in map(panel.tree.row_of, indexes(panel)) if row is not None]


def test_the_structure_of_a_document_is_asked_for_shown_and_read_along(opened, service, qtbot):
    # Structure is asked for only when it is shown.
    select(opened, "OPA4197")
    select(opened, "ADS1115")
    assert service.arguments_of("structure") == []
    opened.side_bar.tabs.setCurrentIndex(1)
    assert service.arguments_of("structure") == [("TI_ADS1115.pdf",)]
    opened.side_bar.show_tab("documents")
    opened.side_bar.show_tab("structure")
    assert len(service.arguments_of("structure")) == 1

    # The context menu shows the structure and the filter goes back to the documents.
    entry(opened.care.menu_of(opened.session.statuses[0]), "structure").trigger()
    assert opened.side_bar.shows_structure
    answer_structure(opened, service)
    assert rows(opened)[0].text == "1 Features"

    opened.side_bar.show_tab("structure")
    opened.action("filter").trigger()
    assert not opened.side_bar.shows_structure

    # The chapter that is read follows the pages and the document.
    opened.side_bar.show_tab("structure")
    panel = opened.side_bar.structure_panel
    assert reading_row(panel) is None
    with qtbot.waitSignal(opened.pdf_panel.document_shown):
        opened.library_panel.document_activated.emit(opened.session.statuses[0])
    view = opened.pdf_panel.view

    def reads(number: str) -> bool:
        return reading_row(panel) is not None and reading_row(panel).number == number

    view.go_to(6)
    qtbot.waitUntil(lambda: reads("6.1"))
    view.go_to([Provenance(9, BoundingBox(50, 80, 200, 92))])
    qtbot.waitUntil(lambda: reads("7"))
    view.verticalScrollBar().setValue(view.page_layout.page_rect(6).top())
    qtbot.waitUntil(lambda: reads("6.2"))

    with qtbot.waitSignal(opened.pdf_panel.document_shown):
        opened.library_panel.document_activated.emit(opened.session.statuses[1])
    assert service.arguments_of("structure")[-1] == ("TI_ADS1115.pdf",)
    assert opened.side_bar.structure_panel.document_id == "TI_ADS1115.pdf"
    assert reading_row(opened.side_bar.structure_panel) is None

    # A chapter opens its page with its rectangle marked.
    select(opened, "OPA4197")
    answer_structure(opened, service)
    opened.action("show_viewer").setChecked(False)
    chosen = next(row for row in rows(opened) if row.number == "6.2")
    with qtbot.waitSignal(opened.pdf_panel.document_shown):
        opened.side_bar.structure_panel.tree.row_chosen.emit(chosen)
    assert not opened.document_pane.isHidden()
    assert opened.pdf_panel.view.current_page == 7
    (mark,) = opened.pdf_panel.view.highlights
    assert (mark.marker, mark.places) == (NO_MARKER, chosen.places)
    # It is no citation: it has no number beside the page and no tick, and is not clicked.
    assert opened.pdf_panel.view.badges() == []
    assert opened.pdf_panel.view.verticalScrollBar().ticks == ()

    # The structure is asked for anew when the document was read again and leaves with it.
    n_asked = len(service.arguments_of("structure"))
    status = opened.session.statuses[0]
    for state, read_at in ((DocumentState.READING, 1.0), (DocumentState.READY, 5.0)):
        changed = make_status(
            status.file, state, path=status.path, n_segments=9, n_pages=10, read_at=read_at
        )
        service.progress(make_progress(changed=(changed,)), until=opened.session.statuses_changed)
    assert service.arguments_of("structure")[n_asked:] == [("TI_OPA4197.pdf",)]

    removed = opened.session.statuses[0].document_id
    service.progress(make_progress(removed=(removed,)), until=opened.session.statuses_changed)
    assert message_of(opened.side_bar.structure_panel).startswith("No document is chosen.")


def test_the_list_and_the_buttons_follow_the_document_in_the_viewer(
    qtbot, opened, service, documents
):
    # A late answer for another document is dropped.
    select(opened, "OPA4197")
    opened.side_bar.show_tab("structure")
    first = service.last_id("structure")
    select(opened, "ADS1115")
    assert service.last_id("structure") != first
    service.say(Result(first, make_structure()))
    later: list[object] = []
    opened.session.request("statuses", on_result=later.append)
    service.answer("statuses", ())
    qtbot.waitUntil(lambda: later == [()])
    assert rows(opened) == []

    # The list follows the document in the viewer but keeps a selection of several.
    # What is removed is what is seen: the list does not stay at the page before.
    select(opened, "ADS1115")
    panel = opened.library_panel
    show_document(qtbot, opened.pdf_panel, documents[0])
    assert [status.file for status in panel.selected_statuses] == ["TI_OPA4197.pdf"]
    panel.tree.selectAll()
    several = panel.selected_statuses
    assert len(several) > 1
    show_document(qtbot, opened.pdf_panel, documents[1])
    assert panel.selected_statuses == several

    # The viewer has a button for the structure and one for the text.
    with qtbot.waitSignal(opened.pdf_panel.document_shown):
        opened.library_panel.document_activated.emit(opened.session.statuses[0])
    opened.side_bar.show_tab("documents")
    button = opened.pdf_panel.toolbar.structure
    assert not button.isChecked()
    button.click()
    assert opened.side_bar.shows_structure
    assert button.isChecked()
    button.click()
    assert not opened.side_bar.shows_structure
    assert not button.isChecked()
    opened.pdf_panel.toolbar.text.click()
    assert service.arguments_of("markdown") == [("TI_OPA4197.pdf",)]

    # A document that is read meanwhile gets its structure.
    select(opened, "LM317")
    opened.side_bar.show_tab("structure")
    panel = opened.side_bar.structure_panel
    assert message_of(panel).startswith("This document is not read yet.")
    assert ("TI_LM317.pdf",) not in service.arguments_of("structure")
    ready = make_status("TI_LM317.pdf", vendor="TI", n_segments=5, read_at=2.0)
    service.progress(make_progress(changed=(ready,)), until=opened.session.statuses_changed)
    assert service.arguments_of("structure")[-1] == ("TI_LM317.pdf",)


def test_a_card_offers_what_can_be_done_with_its_document_and_the_open_tab_is_remembered(
    opened, service, make_application
):
    # A card of evidence offers what can be done with its document.
    opened.session.ask(Question("Why?"))
    service.reply(opened.session, make_answer_view())
    card = opened.evidence_panel.shown_cards[0]
    ask_for_menu(card, QPoint(9, 9))
    menu = QApplication.activePopupWidget()
    entry(menu, "Document …").trigger()
    menu.close()
    of_document = QApplication.activePopupWidget()
    names = [action.objectName() for action in of_document.actions()]
    assert {"open", "structure", "markdown", "export", "retry"} <= set(names)
    of_document.close()

    # The open tab is remembered.
    opened.side_bar.show_tab("structure")
    opened.close()
    assert make_application(FakeService()).window.side_bar.shows_structure


def show_markdown(window: MainWindow, service: FakeService) -> None:
    select(window, "OPA4197")
    window.action("markdown").trigger()
    panel = window.document_pane.markdown_panel
    view = MarkdownView(window.session.statuses[0].document_id, "TI_OPA4197", "# A", ("# A",), "")
    service.answer("markdown", view, until=panel.view.laid_out)


def test_the_text_of_a_document_is_shown_and_left_and_exported(
    qtbot, opened, service, documents, tmp_path, monkeypatch
):
    # The text takes the place of the pages until a place is wanted.
    show_markdown(opened, service)
    assert opened.document_pane.shows_markdown
    assert opened.document_pane.markdown_panel.view.toPlainText().strip() == "A"
    with qtbot.waitSignal(opened.pdf_panel.document_shown):
        opened.library_panel.document_activated.emit(opened.session.statuses[1])
    assert not opened.document_pane.shows_markdown
    # So does the key that brought it.
    show_markdown(opened, service)
    n_asked = len(service.arguments_of("markdown"))
    opened.action("markdown").trigger()
    assert not opened.document_pane.shows_markdown
    assert len(service.arguments_of("markdown")) == n_asked

    # Leaving the text shows the pages of its document.
    show_document(qtbot, opened.pdf_panel, documents[1])
    show_markdown(opened, service)
    with qtbot.waitSignal(opened.pdf_panel.document_shown) as shown:
        opened.document_pane.markdown_panel.close_button.click()
    assert shown.args == [documents[0]]
    assert not opened.document_pane.shows_markdown

    # An export is done by the service and what comes of it is told.
    select(opened, "LM317")
    assert not opened.action("export").isEnabled()
    assert not opened.action("markdown").isEnabled()
    select(opened, "OPA4197")
    assert opened.action("export").isEnabled()

    target = tmp_path / "opa.md"
    save_as(monkeypatch, tmp_path / "opa")
    opened.action("export").trigger()
    assert service.arguments_of("export_markdown") == [("TI_OPA4197.pdf", str(target), False)]
    report = ExportReport(str(target), str(target.with_name("opa_files")), 14, ())
    service.answer("export_markdown", report)
    qtbot.waitUntil(lambda: bool(opened.message_area.banners))
    assert told(opened) == [f"opa.md was exported with 14 images. It is in {tmp_path}."]

    # What is there already is a question.
    opened.action("export").trigger()
    service.fail("export_markdown", AlreadyThereError("opa.md is already in out.", "Replace it?"))
    qtbot.waitUntil(lambda: "already" in "".join(told(opened)))
    (banner,) = opened.message_area.banners
    assert [button.text() for button in banner.action_buttons] == ["Replace", "Another name …"]
    qtbot.mouseClick(banner.action_buttons[0], Qt.MouseButton.LeftButton)
    assert service.arguments_of("export_markdown")[-1] == ("TI_OPA4197.pdf", str(target), True)

    # Missing images and failures.
    opened.action("export").trigger()
    service.answer("export_markdown", ExportReport(str(target), "", 0, ("a.png", "b.png")))
    qtbot.waitUntil(lambda: "2 images are not in the library any" in "".join(told(opened)))
    opened.action("export").trigger()
    service.fail("export_markdown", ExportError("The disk is full.", "Free some space."))
    qtbot.waitUntil(lambda: told(opened) == ["The disk is full. Free some space."])
