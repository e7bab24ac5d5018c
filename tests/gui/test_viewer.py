"""What stands around the pages: side bar, tabs, back and forward, cited places, a second window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from desktop_qa.core.page_text import OutlineItem
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.viewer.pdf_highlights import NO_MARKER
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.viewer_side_bar import CITED, OUTLINE, PAGES
from desktop_qa.gui.viewer.viewer_window import first_place
from tests.gui.fake_service import (
    FakeService,
    make_answer_view,
    make_evidence,
    make_library,
    make_status,
    place,
)
from tests.gui.patient_bot import click_row
from tests.gui.pdf_files import A5, show_document, tab_texts, write_pages, write_three
from tests.gui.sample_answers import not_found_answer

OUTLINE_ITEMS = (
    OutlineItem("1 Features", -1, 1, 40.0),
    OutlineItem("6 Specifications", -1, 5, 40.0),
    OutlineItem("6.7 Electrical Characteristics of an amplifier with a long name", 1, 7, 80.0),
    OutlineItem("12 Nowhere", -1, None, None),
)


@pytest.fixture
def files(tmp_path) -> tuple[Path, ...]:
    return write_three(tmp_path)


def open_library(window: MainWindow, service: FakeService, files: tuple[Path, ...]):
    statuses = tuple(
        make_status(path.name, path=str(path), n_segments=9, n_pages=10) for path in files
    )
    window.resize(1366, 768)
    service.replies |= {"marks": (), "outline": OUTLINE_ITEMS}
    service.open(window.session, make_library(statuses))


@pytest.fixture
def opened(window, service, files) -> MainWindow:
    open_library(window, service, files)
    return window


@pytest.fixture
def panel(opened) -> PdfPanel:
    return opened.pdf_panel


def make_answer(files: tuple[Path, ...]) -> AnswerView:
    view = make_answer_view()
    first = make_evidence(1, SegmentKind.TEXT, path=str(files[0]), places=(*place(7), *place(2)),
                          quotes=("typ ±25 µV",))  # fmt: skip
    second = make_evidence(2, path=str(files[1]), places=place(3), quotes=("cited elsewhere",))
    return AnswerView(view.answer, (first, second, view.evidence[2]))


def answer(window: MainWindow, service: FakeService, view: AnswerView) -> None:
    window.session.ask(Question("Offset?"))
    service.answer("ask", view, until=window.pdf_panel.document_shown)


def test_small_pictures_and_outlines_of_several_documents(qtbot, panel, files, service):
    # Small pictures are drawn when seen and lead to their pages.
    write_pages(files[0], [A5] * 10, [(0, "", "r")])
    show_document(qtbot, panel, files[0])
    panel.show_side_bar(True, PAGES)
    pictures = panel.side_bar.thumbnails
    qtbot.waitUntil(lambda: all(pictures.image_of(row) for row in pictures.visible_rows()))
    assert len(pictures.visible_rows()) < 10
    assert pictures.image_of(9) is None
    assert 0 < pictures.images.n_bytes < 24 * 1024 * 1024
    assert pictures.model().index(0, 0).data() == "Page i"
    qtbot.waitUntil(lambda: [one.page for one in panel.side_bar.outline.entries][2:] == ["vii", ""])
    click_row(qtbot, pictures, pictures.model().index(2, 0))
    assert panel.view.current_page == 3
    assert pictures.current_page == 3
    pictures.setFocus()
    qtbot.keyClick(pictures, Qt.Key.Key_Down)
    qtbot.keyClick(pictures, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.view.current_page == 5)

    # A document without an outline says so.
    service.replies["outline"] = ()
    show_document(qtbot, panel, files[1])
    panel.show_side_bar(True, OUTLINE)
    qtbot.waitUntil(lambda: bool(service.arguments_of("structure")))
    assert panel.side_bar.outline.message == "Looking for the outline …"

    # The outline is as it was left when a document is shown again.
    many = [OutlineItem(f"{number} Chapter", -1, 1, None) for number in range(60)]
    many.insert(1, OutlineItem("0.1 Section", 0, 1, None))
    service.replies["outline"] = tuple(many)
    show_document(qtbot, panel, files[2])
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 61)
    outline.tree.expand(outline.tree.model().index(0, 0))
    outline.tree.verticalScrollBar().setValue(300)
    show_document(qtbot, panel, files[1])
    assert outline.message == "Looking for the outline …"
    n_asked = len(service.arguments_of("outline"))
    show_document(qtbot, panel, files[2])
    assert outline.tree.isExpanded(outline.tree.model().index(0, 0))
    assert outline.tree.verticalScrollBar().value() == 300
    assert len(service.arguments_of("outline")) == n_asked


def test_the_places_of_the_answer_are_listed_gone_through_and_marked(
    qtbot, opened, panel, service, files
):
    answer(opened, service, make_answer(files))
    show_document(qtbot, panel, files[0])
    panel.show_side_bar(True, CITED)
    rows = panel.side_bar.cited.rows
    assert [row.text for row in rows] == [
        "2 places in this document", "typ ±25 µV", "typ ±25 µV",
        "1 in TI_ADS1115.pdf", "cited elsewhere",
    ]  # fmt: skip
    assert [row.tag for row in rows] == ["", "p. 2", "p. 7", "", "p. 3"]
    bar = panel.view.verticalScrollBar()
    said = {bar.tip_at(y) for y in range(bar.height())}
    assert {"Page 7: [1] typ ±25 µV", "Page 2: [1] typ ±25 µV", ""} <= said
    cited = panel.side_bar.cited
    with qtbot.waitSignal(panel.document_shown):
        click_row(qtbot, cited.view, cited.model.index(4))
    assert panel.path == files[1]
    assert panel.view.current_page == 3
    assert panel.side_bar.cited.rows[0].text == "1 place in this document"
    assert [row.is_active for row in panel.side_bar.cited.rows][:2] == [False, True]
    show_document(qtbot, panel, files[2])
    assert not any(row.is_active for row in panel.side_bar.cited.rows)

    # N goes through all cited places and around.
    answer(opened, service, make_answer(files))
    show_document(qtbot, panel, files[2])
    panel.toolbar.page.setFocus()
    qtbot.keyClick(panel.toolbar.page, Qt.Key.Key_N)
    assert panel.path == files[2]  # a letter that is typed goes nowhere
    panel.view.setFocus()
    seen = []
    for _ in range(4):
        with qtbot.waitSignal(panel.document_shown):
            qtbot.keyClick(panel.view, Qt.Key.Key_N)
        seen.append((panel.path, panel.view.current_page, panel.view.active))
    first, second = files[0], files[1]
    expected = [(first, 2, 1), (first, 7, 1), (second, 3, 2)]
    start = expected.index(seen[0])
    assert seen == [expected[(start + step) % 3] for step in range(4)]
    with qtbot.waitSignal(panel.document_shown):
        qtbot.keyClick(panel.view, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert (panel.path, panel.view.current_page, panel.view.active) == seen[2]

    # A new answer takes the marks of the one before away.
    answer(opened, service, make_answer(files))
    show_document(qtbot, panel, files[0])
    assert {mark.marker for mark in panel.view.highlights} == {1}
    show_document(qtbot, panel, files[1])
    other = make_answer(files)
    other = AnswerView(other.answer, other.evidence[1:2])
    answer(opened, service, other)
    assert len(panel.cited) == 1
    assert panel.path == files[1]
    with qtbot.waitSignal(panel.document_shown):
        panel.go_to_document(files[0])
    assert panel.view.highlights == ()

    # A piece beside the citations leaves their numbers to them.
    view = make_answer(files)
    answer(opened, service, view)
    cited = next(piece for piece in view.evidence if piece.path == str(files[0]))
    # Pieces that are like another count from 1 as the answer does.
    alike = replace(cited, is_cited=False, places=place(4))
    opened.citations.show_piece(alike, alike.places)
    qtbot.waitUntil(lambda: panel.view.active == NO_MARKER)
    marks = {mark.marker: mark.places for mark in panel.view.highlights}
    assert marks[NO_MARKER] == alike.places
    assert set(marks[cited.marker]) == set(cited.places)

    # The nearest places of a refusal do not look like citations.
    refused = not_found_answer()
    nearest = tuple(
        replace(piece, path=str(files[0]), places=place(page_no))
        for page_no, piece in enumerate(refused.evidence, start=2)
    )
    opened.session.ask(Question("Radiation?"))
    service.reply(opened.session, replace(refused, evidence=nearest))
    for piece in nearest:
        opened.citations.show_piece(piece, piece.places)
        qtbot.waitUntil(
            lambda piece=piece: [one.places for one in panel.view.highlights] == [piece.places]
        )
        (mark,) = panel.view.highlights
        assert mark.marker == NO_MARKER
        assert panel.view.badges() == []
        assert panel.view.verticalScrollBar().ticks == ()


def test_keys_of_the_viewer_turn_close_and_copy_and_each_library_has_its_documents(
    qtbot, opened, panel, files, service
):
    assert not opened.action("copy_path").isEnabled()
    show_document(qtbot, panel, files[0])
    opened.action("copy_path").trigger()
    assert QApplication.clipboard().text() == str(files[0])
    opened.action("copy_name").trigger()
    assert QApplication.clipboard().text() == "TI_OPA4197.pdf"
    show_document(qtbot, panel, files[1])
    panel.view.setFocus()
    for path in files[:2]:
        with qtbot.waitSignal(panel.document_shown):
            qtbot.keyClick(panel.view, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        assert panel.path == path
    # Ctrl+W closes no conversation here.
    with qtbot.waitSignal(panel.document_shown):
        qtbot.keyClick(panel.view, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert panel.path == files[0]
    assert not panel.tabs.isVisible()
    qtbot.keyClick(panel.view, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert panel.path is None
    assert panel.message == "Click a citation or a document to read it here."

    # Each library has its own open documents.
    show_document(qtbot, panel, files[0])
    show_document(qtbot, panel, files[1])
    statuses = opened.session.statuses
    opened.session.close_library(lambda: None)  # as for a move, which then fails
    assert panel.documents.documents == []
    opened.libraries.open_folder(files[0].parent)
    service.answer("open_library", make_library(statuses), until=panel.document_shown)
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    service.open(opened.session, make_library(statuses[2:], folder="/libraries/other"))
    assert panel.path is None
    assert panel.documents.documents == []
    opened.libraries.open_folder(files[0].parent)
    service.answer("open_library", make_library(statuses), until=panel.document_shown)
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    assert panel.path == files[1]


def test_what_was_open_comes_back_at_the_next_start(qtbot, opened, panel, files, make_application):
    # Open documents come back at the next start as far as they are in the library.
    show_document(qtbot, panel, files[0])
    panel.view.go_to(6)
    show_document(qtbot, panel, files[1])
    show_document(qtbot, panel, files[2])
    panel.show_side_bar(True, PAGES)
    opened.close()
    service = FakeService()
    window = make_application(service).window
    with qtbot.waitSignal(window.pdf_panel.document_shown):
        open_library(window, service, (files[0], files[2]))
    assert tab_texts(window.pdf_panel) == ["TI_OPA4197", "BOSCH_BME280"]
    assert window.pdf_panel.path == files[2]
    assert window.pdf_panel.side_bar.isVisible()
    assert window.pdf_panel.side_bar.tab == PAGES
    with qtbot.waitSignal(window.pdf_panel.document_shown):
        window.pdf_panel.go_to_document(files[0])
    assert window.pdf_panel.view.current_page == 6

    # A torn off viewer is so at the next start.
    window.action("tear_off").trigger()
    window.close()
    assert window.tear_off.window is None
    again = make_application(FakeService())
    qtbot.waitUntil(lambda: again.window.tear_off.is_torn_off)
    again.window.tear_off.set_torn_off(False)


def test_the_viewer_has_a_window_of_its_own_and_comes_back(qtbot, opened, panel, service, files):
    show_document(qtbot, panel, files[0])
    opened.ask_box.edit.setFocus()
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    # The keys go with the pages, but for those of one pane: Del takes documents out of the library.
    qtbot.waitUntil(lambda: window.focusWidget() is panel.view)
    opened.library_panel.select_document(opened.session.statuses[0].document_id)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    assert service.arguments_of("remove_documents") == []
    assert not {opened.action("remove"), opened.action("close_tab")} & set(window.actions())
    # It is hidden with its pane.
    opened.action("show_viewer").setChecked(False)
    assert not window.isVisible()
    opened.action("show_viewer").setChecked(True)
    assert window.isVisible()
    assert panel.window() is window
    assert window.windowTitle() == "TI_OPA4197.pdf – Desktop QA"
    assert panel.toolbar.tear_off.isChecked()
    show_document(qtbot, panel, files[1])
    assert window.windowTitle() == "TI_ADS1115.pdf – Desktop QA"
    assert opened.action("viewer_back") in window.actions()
    window.close()
    assert panel.window() is opened
    assert panel.isVisible()
    assert opened.focusWidget() is panel.view
    assert opened.splitter.indexOf(opened.document_pane) == 2
    assert not opened.action("tear_off").isChecked()

    # A key of the viewers window leads to the ask box.
    show_document(qtbot, panel, files[0])
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    for name, widget in (
        ("focus_ask", opened.ask_box.edit),
        ("filter", opened.library_panel.filter_edit),
        ("history", opened.side_bar.history_panel.search_edit),
        ("search_mode", opened.ask_box.edit),
    ):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        opened.action(name).trigger()
        qtbot.waitUntil(widget.hasFocus)
        assert opened.isActiveWindow()
    opened.action("find").trigger()
    qtbot.waitUntil(window.isActiveWindow)
    opened.tear_off.set_torn_off(False)

    # Citations drive the viewer in its own window.
    opened.action("tear_off").trigger()
    answer(opened, service, make_answer(files))
    with qtbot.waitSignal(panel.document_shown):
        opened.citations.show_citation(2)
    assert panel.path == files[1]
    assert panel.window() is opened.tear_off.window
    opened.tear_off.set_torn_off(False)


@pytest.mark.parametrize("beside", [QRect(0, 0, 1366, 768), None])
@pytest.mark.parametrize("room", [QRect(0, 0, 1366, 728), QRect(1920, 0, 3840, 2160)])
def test_a_window_for_reading_is_seen_whole_from_the_first(room, beside):
    place = first_place(room, beside)
    assert room.contains(place)
    # Its frame has room over it.
    assert place.top() > room.top()
    assert place.height() >= 600


def test_what_stands_beside_the_pages_is_shown_hidden_and_leads_to_chapters(
    qtbot, opened, panel, files
):
    # All marks are listed without an open document.
    assert not panel.side_bar.isVisible()
    opened.action("all_marks").trigger()
    assert panel.side_bar.isVisible()
    assert panel.side_bar.marks.list.empty_label.isVisible()
    qtbot.mouseClick(panel.toolbar.side_bar, Qt.MouseButton.LeftButton)
    opened.action("viewer_side_bar").trigger()
    assert not panel.side_bar.isVisible()

    # F4 shows and hides what stands beside the pages.
    show_document(qtbot, panel, files[0])
    assert not panel.side_bar.isVisible()
    entry = opened.action("viewer_side_bar")
    assert not entry.isChecked()
    entry.trigger()
    assert panel.side_bar.isVisible()
    assert panel.toolbar.side_bar.isChecked()
    assert entry.isChecked()
    # Wanted while its pane was out of sight, it comes with the pane.
    opened.action("show_viewer").setChecked(False)
    entry.trigger()
    assert panel.side_bar.isVisible()
    assert entry.isChecked()
    qtbot.mouseClick(panel.toolbar.side_bar, Qt.MouseButton.LeftButton)
    assert not panel.side_bar.isVisible()
    assert not entry.isChecked()

    # The outline is nested marks what is read and leads to it.
    show_document(qtbot, panel, files[0])
    panel.show_side_bar(True, OUTLINE)
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 4)
    rows = outline.tree.model()
    assert rows.rowCount() == 3
    chapter = rows.index(1, 0)
    section = rows.index(0, 0, chapter)
    assert chapter.data() == "6 Specifications"
    assert section.data().startswith("6.7 ")
    panel.view.go_to(8)
    qtbot.waitUntil(lambda: outline.current == 2)
    panel.view.go_to(2)
    qtbot.waitUntil(lambda: outline.current == 0)
    outline.tree.scrollTo(section)
    click_row(qtbot, outline.tree, section)
    assert panel.view.current_page == 7
    with qtbot.waitSignal(panel.document_shown):
        opened.action("viewer_back").trigger()
    assert panel.view.current_page == 2
    assert opened.action("viewer_forward").isEnabled()
    qtbot.keyClicks(outline.filter_edit, "electrical")
    assert rows.rowCount() == 1
    chapter = rows.index(0, 0)
    assert chapter.data() == "6 Specifications"
    assert outline.tree.isExpanded(chapter)
    assert rows.rowCount(chapter) == 1
    qtbot.keyClick(outline.filter_edit, Qt.Key.Key_Return)
    assert panel.view.current_page == 7
    qtbot.keyClicks(outline.filter_edit, " nothing")
    assert outline.message == "No chapter holds these words."
