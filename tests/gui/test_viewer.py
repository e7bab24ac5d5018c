"""What stands around the pages: side bar, tabs, back and forward, cited places, a second window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import DocumentOutline, OutlineItem
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.application import Application
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
from tests.gui.pdf_files import A5, write_pages
from tests.gui.sample_answers import not_found_answer

OUTLINE_ITEMS = (
    OutlineItem("1 Features", 1, -1, 1, 40.0),
    OutlineItem("6 Specifications", 1, -1, 5, 40.0),
    OutlineItem("6.7 Electrical Characteristics of an amplifier with a long name", 2, 1, 7, 80.0),
    OutlineItem("12 Nowhere", 1, -1, None, None),
)
LABELS = ("i", "ii", *(str(number) for number in range(1, 9)))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    names = (("TI_OPA4197.pdf", 10), ("TI_ADS1115.pdf", 3), ("BOSCH_BME280.pdf", 4))
    return tuple(write_pages(tmp_path / name, [A5] * n_pages) for name, n_pages in names)


def open_library(qtbot: QtBot, window: MainWindow, service: FakeService, files: tuple[Path, ...]):
    statuses = tuple(
        make_status(path.name, path=str(path), n_segments=9, n_pages=10) for path in files
    )
    window.resize(1366, 768)
    window.pdf_panel.view.is_animated = False
    service.replies |= {"marks": (), "outline": DocumentOutline(OUTLINE_ITEMS, LABELS)}
    window.libraries.open_folder(files[0].parent)
    with qtbot.waitSignal(window.session.library_opened):
        service.answer("open_library", make_library(statuses))


@pytest.fixture
def opened(
    qtbot: QtBot, window: MainWindow, service: FakeService, files: tuple[Path, ...]
) -> MainWindow:
    open_library(qtbot, window, service, files)
    return window


@pytest.fixture
def panel(opened: MainWindow) -> PdfPanel:
    return opened.pdf_panel


def show(qtbot: QtBot, panel: PdfPanel, path: Path, *, is_kept: bool = True) -> None:
    with qtbot.waitSignal(panel.document_shown):
        panel.show_document(path, is_kept=is_kept)


def tab_texts(panel: PdfPanel) -> list[str]:
    return [panel.tabs.tabText(index) for index in range(panel.tabs.count())]


def make_answer(files: tuple[Path, ...]) -> AnswerView:
    view = make_answer_view()
    first = make_evidence(1, SegmentKind.TEXT, path=str(files[0]), places=(*place(7), *place(2)),
                          quotes=("typ ±25 µV",))  # fmt: skip
    second = make_evidence(2, path=str(files[1]), places=place(3), quotes=("cited elsewhere",))
    return AnswerView(view.answer, (first, second, view.evidence[2]))


def answer(qtbot: QtBot, window: MainWindow, service: FakeService, view: AnswerView) -> None:
    window.session.ask(Question("Offset?"))
    with qtbot.waitSignal(window.pdf_panel.document_shown):
        service.answer("ask", view)


# The side bar


def test_f4_shows_and_hides_what_stands_beside_the_pages(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
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


def test_the_outline_is_nested_and_marks_what_is_read(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, OUTLINE)
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 4)
    assert outline.tree.topLevelItemCount() == 3
    chapter = outline.tree.topLevelItem(1)
    assert chapter.text(0) == "6 Specifications"
    assert chapter.child(0).text(0).startswith("6.7 ")
    panel.view.go_to(8)
    qtbot.waitUntil(lambda: outline.current == 2)
    panel.view.go_to(2)
    qtbot.waitUntil(lambda: outline.current == 0)


def test_a_chapter_that_is_clicked_is_gone_to_and_can_be_come_back_from(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, OUTLINE)
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 4)
    section = outline.tree.topLevelItem(1).child(0)
    outline.tree.scrollToItem(section)
    point = outline.tree.visualItemRect(section).center()
    qtbot.mouseClick(outline.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert panel.view.current_page == 7
    with qtbot.waitSignal(panel.document_shown):
        opened.action("viewer_back").trigger()
    assert panel.view.current_page == 1


def test_typing_filters_the_outline_and_enter_jumps(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, OUTLINE)
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 4)
    qtbot.keyClicks(outline.filter_edit, "electrical")
    chapters = [outline.tree.topLevelItem(row) for row in range(3)]
    assert [chapter.isHidden() for chapter in chapters] == [True, False, True]
    assert not chapters[1].child(0).isHidden()
    assert chapters[1].isExpanded()
    qtbot.keyClick(outline.filter_edit, Qt.Key.Key_Return)
    assert panel.view.current_page == 7
    qtbot.keyClicks(outline.filter_edit, " nothing")
    assert outline.message == "No chapter holds these words."


def test_a_document_without_an_outline_says_so(
    qtbot: QtBot, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    service.replies["outline"] = DocumentOutline((), LABELS)
    show(qtbot, panel, files[1])
    panel.show_side_bar(True, OUTLINE)
    qtbot.waitUntil(lambda: bool(service.arguments_of("structure")))
    assert panel.side_bar.outline.message == "Looking for the outline …"


def test_small_pictures_are_drawn_when_seen_and_lead_to_their_pages(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, PAGES)
    pictures = panel.side_bar.thumbnails
    qtbot.waitUntil(lambda: all(pictures.image_of(row) for row in pictures.visible_rows()))
    assert len(pictures.visible_rows()) < 10
    assert pictures.image_of(9) is None
    assert 0 < pictures.images.n_bytes < 24 * 1024 * 1024
    assert pictures.model().index(0, 0).data() == "Page i"
    point = pictures.visualRect(pictures.model().index(2, 0)).center()
    qtbot.mouseClick(pictures.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert panel.view.current_page == 3
    assert pictures.current_page == 3


def test_arrow_keys_in_the_small_pictures_turn_pages(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, PAGES)
    pictures = panel.side_bar.thumbnails
    pictures.setFocus()
    qtbot.keyClick(pictures, Qt.Key.Key_Down)
    qtbot.keyClick(pictures, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.view.current_page == 3)


# The current answer


def test_the_places_of_the_answer_are_listed_by_document_and_page(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    answer(qtbot, opened, service, make_answer(files))
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, CITED)
    rows = panel.side_bar.cited.rows
    assert [row.text for row in rows] == [
        "2 places in this document", "typ ±25 µV", "typ ±25 µV",
        "1 in TI_ADS1115.pdf", "cited elsewhere",
    ]  # fmt: skip
    assert [row.tag for row in rows] == ["", "p. 2", "p. 7", "", "p. 3"]
    view = panel.side_bar.cited.view
    point = view.visualRect(panel.side_bar.cited.model.index(4)).center()
    with qtbot.waitSignal(panel.document_shown):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert panel.path == files[1]
    assert panel.view.current_page == 3
    assert panel.side_bar.cited.rows[0].text == "1 place in this document"
    assert [row.is_active for row in panel.side_bar.cited.rows][:2] == [False, True]
    show(qtbot, panel, files[2])
    assert not any(row.is_active for row in panel.side_bar.cited.rows)


def test_n_goes_through_all_cited_places_and_around(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    answer(qtbot, opened, service, make_answer(files))
    show(qtbot, panel, files[2])
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


def test_letters_that_are_typed_go_nowhere(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    answer(qtbot, opened, service, make_answer(files))
    show(qtbot, panel, files[2])
    panel.toolbar.page.setFocus()
    qtbot.keyClick(panel.toolbar.page, Qt.Key.Key_N)
    assert panel.path == files[2]


def test_a_new_answer_takes_the_marks_of_the_one_before_away(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    answer(qtbot, opened, service, make_answer(files))
    show(qtbot, panel, files[0])
    assert {mark.marker for mark in panel.view.highlights} == {1}
    show(qtbot, panel, files[1])
    other = make_answer(files)
    other = AnswerView(other.answer, other.evidence[1:2])
    answer(qtbot, opened, service, other)
    assert len(panel.cited) == 1
    assert panel.path == files[1]
    with qtbot.waitSignal(panel.document_shown):
        panel.go_to_document(files[0])
    assert panel.view.highlights == ()


def test_the_scroll_bar_says_what_its_ticks_stand_for(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    answer(qtbot, opened, service, make_answer(files))
    show(qtbot, panel, files[0])
    bar = panel.view.verticalScrollBar()
    said = {bar.tip_at(y) for y in range(bar.height())}
    assert "Page 7: [1] typ ±25 µV" in said
    assert "Page 2: [1] typ ±25 µV" in said
    assert "" in said


# Tabs


def test_tabs_are_there_for_two_documents_and_more(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    assert not panel.tabs.isVisible()
    show(qtbot, panel, files[1])
    assert panel.tabs.isVisible()
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    assert str(files[0]) in panel.tabs.tabToolTip(0)
    point = panel.tabs.tabRect(0).center()
    with qtbot.waitSignal(panel.document_shown):
        qtbot.mouseClick(panel.tabs, Qt.MouseButton.LeftButton, pos=point)
    assert panel.path == files[0]


def test_names_of_usual_length_are_read_whole_however_many_tabs_there_are(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, tmp_path: Path
) -> None:
    for number in range(8):
        show(qtbot, panel, write_pages(tmp_path / f"TI_ADS12{number}1.pdf", [A5]))
    tabs = panel.tabs
    assert tabs.count() == 8
    for index in range(8):
        name = tabs.fontMetrics().horizontalAdvance(tabs.tabText(index))
        cross = 25 if index == tabs.currentIndex() else 9
        assert tabs.tabRect(index).width() >= name + 13 + cross


def test_each_tab_keeps_page_and_size(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.view.go_to(6)
    panel.view.zoom_in()
    factor = panel.view.factor
    show(qtbot, panel, files[1])
    panel.toolbar.fit_page.click()
    with qtbot.waitSignal(panel.document_shown):
        qtbot.keyClick(panel.view, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert panel.path == files[0]
    assert panel.view.current_page == 6
    assert panel.view.factor == pytest.approx(factor)


def test_ctrl_w_in_the_viewer_closes_the_document_and_no_conversation(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    panel.view.setFocus()
    with qtbot.waitSignal(panel.document_shown):
        qtbot.keyClick(panel.view, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert panel.path == files[0]
    assert not panel.tabs.isVisible()
    qtbot.keyClick(panel.view, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert panel.path is None
    assert panel.message == "Click a citation or a document to read it here."


def test_the_middle_button_closes_a_tab_and_the_shown_document_stays(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    for path in files:
        show(qtbot, panel, path)
    point = panel.tabs.tabRect(0).center()
    qtbot.mouseClick(panel.tabs, Qt.MouseButton.MiddleButton, pos=point)
    assert tab_texts(panel) == ["TI_ADS1115", "BOSCH_BME280"]
    assert panel.path == files[2]


def test_a_tab_has_a_cross(qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    cross = panel.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert cross.accessibleName() == "Close TI_ADS1115.pdf"
    with qtbot.waitSignal(panel.document_shown):
        qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert panel.path == files[0]


def test_what_answers_open_takes_one_tab_until_it_is_kept(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1], is_kept=False)
    show(qtbot, panel, files[2], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280"]
    assert "Double-click to keep it" in panel.tabs.tabToolTip(1)
    qtbot.mouseDClick(panel.tabs, Qt.MouseButton.LeftButton, pos=panel.tabs.tabRect(1).center())
    show(qtbot, panel, files[1], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280", "TI_ADS1115"]


def test_reading_on_keeps_a_document(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0], is_kept=False)
    assert not panel.documents.documents[0].is_kept
    bar = panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert panel.documents.documents[0].is_kept


def test_tabs_can_be_put_in_another_order(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    for path in files:
        show(qtbot, panel, path)
    panel.tabs.moveTab(2, 0)
    assert [one.path for one in panel.documents.documents] == [files[2], files[0], files[1]]
    assert panel.path == files[2]


# Back and forward


def test_side_buttons_of_the_mouse_travel(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    for button, path in (
        (Qt.MouseButton.BackButton, files[0]),
        (Qt.MouseButton.ForwardButton, files[1]),
    ):
        with qtbot.waitSignal(panel.document_shown):
            qtbot.mouseClick(panel.view.viewport(), button, pos=QPoint(50, 50))
        assert panel.path == path


def test_the_buttons_list_the_places(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.jump_to(7)
    show(qtbot, panel, files[1])
    menu = panel.travel_menu(-1)
    assert [action.text() for action in menu.actions()] == [
        "TI_OPA4197.pdf, page 7", "TI_OPA4197.pdf, page 1",
    ]  # fmt: skip
    with qtbot.waitSignal(panel.document_shown):
        menu.actions()[1].trigger()
    assert (panel.path, panel.view.current_page) == (files[0], 1)
    assert len(panel.travel_menu(1).actions()) == 2


def test_a_long_press_lists_the_places_and_does_not_travel(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    with qtbot.waitSignal(panel.toolbar.back.list_requested):
        qtbot.mousePress(panel.toolbar.back, Qt.MouseButton.LeftButton)
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    qtbot.mouseRelease(panel.toolbar.back, Qt.MouseButton.LeftButton)
    assert panel.path == files[1]


def test_typing_a_page_number_can_be_come_back_from(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    panel.toolbar.page.setFocus()
    panel.toolbar.page.selectAll()
    qtbot.keyClicks(panel.toolbar.page, "9")
    qtbot.keyClick(panel.toolbar.page, Qt.Key.Key_Return)
    assert panel.view.current_page == 9
    with qtbot.waitSignal(panel.document_shown):
        opened.action("viewer_back").trigger()
    assert panel.view.current_page == 1
    assert opened.action("viewer_forward").isEnabled()


# Remembered


def test_open_documents_come_back_at_the_next_start(
    qtbot: QtBot,
    opened: MainWindow,
    panel: PdfPanel,
    files: tuple[Path, ...],
    make_application,
) -> None:
    show(qtbot, panel, files[0])
    panel.view.go_to(6)
    show(qtbot, panel, files[1])
    show(qtbot, panel, files[2])
    panel.show_side_bar(True, PAGES)
    opened.close()
    service = FakeService()
    again: Application = make_application(service)
    qtbot.waitUntil(lambda: service.n_starts == 1)
    window = again.window
    with qtbot.waitSignal(window.pdf_panel.document_shown):
        open_library(qtbot, window, service, files[:2] + files[2:])
    assert tab_texts(window.pdf_panel) == ["TI_OPA4197", "TI_ADS1115", "BOSCH_BME280"]
    assert window.pdf_panel.path == files[2]
    assert window.pdf_panel.side_bar.isVisible()
    assert window.pdf_panel.side_bar.tab == PAGES
    with qtbot.waitSignal(window.pdf_panel.document_shown):
        window.pdf_panel.go_to_document(files[0])
    assert window.pdf_panel.view.current_page == 6


def test_documents_that_left_the_library_are_not_opened_again(
    qtbot: QtBot,
    opened: MainWindow,
    panel: PdfPanel,
    files: tuple[Path, ...],
    make_application,
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    opened.close()
    service = FakeService()
    again: Application = make_application(service)
    qtbot.waitUntil(lambda: service.n_starts == 1)
    with qtbot.waitSignal(again.window.pdf_panel.document_shown):
        open_library(qtbot, again.window, service, files[:1])
    assert [one.path for one in again.window.pdf_panel.documents.documents] == [files[0]]


# The file


def test_path_and_name_are_copied(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    assert not opened.action("copy_path").isEnabled()
    show(qtbot, panel, files[0])
    opened.action("copy_path").trigger()
    assert QApplication.clipboard().text() == str(files[0])
    opened.action("copy_name").trigger()
    assert QApplication.clipboard().text() == "TI_OPA4197.pdf"


def test_nothing_of_the_line_over_the_pages_is_cut_at_any_width(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    toolbar = panel.toolbar
    toolbar.setParent(None)
    qtbot.addWidget(toolbar)
    toolbar.show()
    groups = toolbar.groups.values()
    for width in range(180, 900, 24):
        toolbar.resize(width, toolbar.sizeHint().height())
        QApplication.processEvents()
        shown = [group for group in groups if group.isVisible()]
        assert all(group.width() >= group.sizeHint().width() for group in shown)
        assert all(group.geometry().right() <= width for group in shown)
        menu = toolbar.more_menu()
        texts = {action.text() for action in menu.actions()}
        assert ("Back" in texts) is not toolbar.back.isVisible()
        assert ("Next Page" in texts) is not toolbar.next.isVisible()
        menu.deleteLater()


# A window of its own


def test_the_viewer_has_a_window_of_its_own_and_comes_back(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    assert window is not None
    assert panel.window() is window
    assert window.windowTitle() == "TI_OPA4197.pdf – Desktop QA"
    assert panel.toolbar.tear_off.isChecked()
    show(qtbot, panel, files[1])
    assert window.windowTitle() == "TI_ADS1115.pdf – Desktop QA"
    assert opened.action("viewer_back") in window.actions()
    window.close()
    assert panel.window() is opened
    assert panel.isVisible()
    assert opened.splitter.indexOf(opened.document_pane) == 2
    assert not opened.action("tear_off").isChecked()


def test_the_keys_go_with_the_pages_into_their_window_and_back(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    opened.ask_box.edit.setFocus()
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    assert window is not None
    qtbot.waitUntil(lambda: window.focusWidget() is panel.view)
    window.close()
    assert opened.focusWidget() is panel.view


@pytest.mark.parametrize("beside", [QRect(0, 0, 1366, 768), None])
@pytest.mark.parametrize("room", [QRect(0, 0, 1366, 728), QRect(1920, 0, 3840, 2160)])
def test_a_window_for_reading_is_seen_whole_from_the_first(
    room: QRect, beside: QRect | None
) -> None:
    place = first_place(room, beside)
    assert room.contains(place)
    # Its frame has room over it.
    assert place.top() > room.top()
    assert place.height() >= 600


def test_citations_drive_the_viewer_in_its_own_window(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    opened.action("tear_off").trigger()
    answer(qtbot, opened, service, make_answer(files))
    with qtbot.waitSignal(panel.document_shown):
        opened.citations.show_citation(2)
    assert panel.path == files[1]
    assert panel.window() is opened.tear_off.window
    opened.tear_off.set_torn_off(False)


def test_the_nearest_places_of_a_refusal_do_not_look_like_citations(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    refused = not_found_answer(files[0].parent)
    nearest = tuple(
        replace(piece, path=str(files[0]), places=place(page_no))
        for page_no, piece in enumerate(refused.evidence, start=2)
    )
    opened.session.ask(Question("Radiation?"))
    service.answer("ask", replace(refused, evidence=nearest))
    for piece in nearest:
        opened.citations.show_place(piece, piece.places)
        qtbot.waitUntil(
            lambda piece=piece: [one.places for one in panel.view.highlights] == [piece.places]
        )
        (mark,) = panel.view.highlights
        assert mark.marker == NO_MARKER
        assert panel.view.badges() == []
        assert panel.view.verticalScrollBar().ticks == ()


def test_a_piece_beside_the_citations_leaves_their_numbers_to_them(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    view = make_answer(files)
    answer(qtbot, opened, service, view)
    cited = next(piece for piece in view.evidence if piece.path == str(files[0]))
    # Pieces that are like another count from 1 as the answer does.
    alike = replace(cited, is_cited=False, places=place(4))
    opened.citations.show_place(alike, alike.places)
    qtbot.waitUntil(lambda: panel.view.active == NO_MARKER)
    marks = {mark.marker: mark.places for mark in panel.view.highlights}
    assert marks[NO_MARKER] == alike.places
    assert marks[cited.marker] == cited.places


def test_a_torn_off_viewer_is_so_at_the_next_start(
    qtbot: QtBot, opened: MainWindow, make_application
) -> None:
    opened.action("tear_off").trigger()
    opened.close()
    assert opened.tear_off.window is None
    service = FakeService()
    again: Application = make_application(service)
    qtbot.waitUntil(lambda: again.window.tear_off.is_torn_off)
    again.window.tear_off.set_torn_off(False)


def test_keys_of_one_pane_stay_in_it_when_the_viewer_has_a_window(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    """Del takes documents out of the library: while pages are read it must not."""
    show(qtbot, panel, files[0])
    opened.library_panel.select_document(opened.session.statuses[0].document_id)
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    assert window is not None
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    assert service.arguments_of("remove_documents") == []
    assert not {opened.action("remove"), opened.action("close_tab")} & set(window.actions())
    opened.tear_off.set_torn_off(False)


def test_a_key_of_the_viewers_window_leads_to_the_ask_box(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    assert window is not None
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


def test_hiding_the_document_hides_its_window(qtbot: QtBot, opened: MainWindow) -> None:
    opened.action("tear_off").trigger()
    window = opened.tear_off.window
    opened.action("show_viewer").setChecked(False)
    assert not window.isVisible()
    opened.action("show_viewer").setChecked(True)
    assert window.isVisible()
    opened.tear_off.set_torn_off(False)


def test_marks_on_one_line_do_not_cover_each_other(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    from desktop_qa.gui.viewer.pdf_highlights import Highlight

    line = Provenance(1, BoundingBox(60, 100, 120, 112))
    with qtbot.waitSignal(panel.document_shown):
        marks = [Highlight(marker, (line,)) for marker in range(1, 6)]
        panel.show_places(files[0], (line,), marks, 1)
    rects = [badge.rect for badge in panel.view.badges()]
    assert len(rects) == 5
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)


def test_a_press_of_another_button_is_no_travel(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    event = QMouseEvent(
        QMouseEvent.Type.MouseButtonPress, QPointF(5, 5), QPointF(5, 5),
        Qt.MouseButton.RightButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(panel, event)
    assert panel.path == files[1]


def test_the_outline_is_as_it_was_left_when_a_document_is_shown_again(
    qtbot: QtBot, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    many = [OutlineItem(f"{number} Chapter", 1, -1, 1, None) for number in range(60)]
    many.insert(1, OutlineItem("0.1 Section", 2, 0, 1, None))
    service.replies["outline"] = DocumentOutline(tuple(many), LABELS)
    show(qtbot, panel, files[0])
    panel.show_side_bar(True, OUTLINE)
    outline = panel.side_bar.outline
    qtbot.waitUntil(lambda: len(outline.entries) == 61)
    outline.tree.topLevelItem(0).setExpanded(True)
    outline.tree.verticalScrollBar().setValue(300)
    n_asked = len(service.arguments_of("outline"))
    show(qtbot, panel, files[1])
    assert outline.message == "Looking for the outline …"
    show(qtbot, panel, files[0])
    assert outline.tree.topLevelItem(0).isExpanded()
    assert outline.tree.verticalScrollBar().value() == 300
    assert len(service.arguments_of("outline")) == n_asked + 1


def test_all_marks_are_listed_without_an_open_document(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel
) -> None:
    assert not panel.side_bar.isVisible()
    opened.action("all_marks").trigger()
    assert panel.side_bar.isVisible()
    assert panel.side_bar.marks.list.empty_label.isVisible()
    qtbot.mouseClick(panel.toolbar.side_bar, Qt.MouseButton.LeftButton)
    opened.action("viewer_side_bar").trigger()
    assert not panel.side_bar.isVisible()


def test_each_library_has_its_own_open_documents(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    statuses = opened.session.statuses
    opened.libraries.open_folder(Path("/elsewhere"))
    with qtbot.waitSignal(opened.session.library_opened):
        service.answer("open_library", make_library(statuses[2:], folder="/libraries/other"))
    assert panel.path is None
    assert panel.documents.documents == ()
    opened.libraries.open_folder(files[0].parent)
    with qtbot.waitSignal(panel.document_shown):
        service.answer("open_library", make_library(statuses))
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    assert panel.path == files[1]


def test_open_documents_come_back_when_their_library_was_closed_and_is_opened_again(
    qtbot: QtBot, opened: MainWindow, panel: PdfPanel, service: FakeService, files: tuple[Path, ...]
) -> None:
    show(qtbot, panel, files[0])
    show(qtbot, panel, files[1])
    statuses = opened.session.statuses
    opened.session.close_library(lambda: None)  # as for a move, which then fails
    assert panel.documents.documents == ()
    opened.libraries.open_folder(files[0].parent)
    with qtbot.waitSignal(panel.document_shown):
        service.answer("open_library", make_library(statuses))
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    assert panel.path == files[1]
