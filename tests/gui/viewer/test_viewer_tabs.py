"""The viewer by itself: tabs of its documents, back and forward, the line over the pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QTabBar

from desktop_qa.gui.viewer.page_layout import (
    Anchor,
    PageArrangement,
    PageMode,
    ReadingPlace,
    Zoom,
    ZoomMode,
)
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.viewer_tab_bar import (
    MAX_OPEN,
    OpenDocument,
    OpenDocuments,
    RememberedDocuments,
    Visit,
    Visits,
    keep_documents,
    kept_documents,
)
from tests.gui.pdf_files import A5, show_document, tab_texts, write_pages, write_three


@pytest.fixture
def files(tmp_path) -> tuple[Path, ...]:
    return write_three(tmp_path)


@pytest.fixture
def two(qtbot, panel, files) -> PdfPanel:
    """A panel that shows the second of two documents."""
    for path in files[:2]:
        show_document(qtbot, panel, path)
    return panel


def test_tabs_are_there_for_two_documents_and_more(qtbot, panel, files):
    show_document(qtbot, panel, files[0])
    assert not panel.tabs.isVisible()
    show_document(qtbot, panel, files[1])
    assert panel.tabs.isVisible()
    assert tab_texts(panel) == ["TI_OPA4197", "TI_ADS1115"]
    assert str(files[0]) in panel.tabs.tabToolTip(0)
    point = panel.tabs.tabRect(0).center()
    with qtbot.waitSignal(panel.document_shown):
        qtbot.mouseClick(panel.tabs, Qt.MouseButton.LeftButton, pos=point)
    assert panel.path == files[0]


def test_names_of_usual_length_are_read_whole_however_many_tabs_there_are(qtbot, panel, tmp_path):
    for number in range(8):
        show_document(qtbot, panel, write_pages(tmp_path / f"TI_ADS12{number}1.pdf", [A5]))
    tabs = panel.tabs
    assert tabs.count() == 8
    for index in range(8):
        name = tabs.fontMetrics().horizontalAdvance(tabs.tabText(index))
        cross = 25 if index == tabs.currentIndex() else 9
        assert tabs.tabRect(index).width() >= name + 13 + cross


def test_the_middle_button_closes_a_tab_and_the_shown_document_stays(qtbot, panel, files):
    for path in files:
        show_document(qtbot, panel, path)
    point = panel.tabs.tabRect(0).center()
    qtbot.mouseClick(panel.tabs, Qt.MouseButton.MiddleButton, pos=point)
    assert tab_texts(panel) == ["TI_ADS1115", "BOSCH_BME280"]
    assert panel.path == files[2]


def test_a_tab_has_a_cross(qtbot, two, files):
    cross = two.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert cross.accessibleName() == "Close TI_ADS1115.pdf"
    with qtbot.waitSignal(two.document_shown):
        qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert two.path == files[0]


def test_what_answers_open_takes_one_tab_until_it_is_kept(qtbot, panel, files):
    show_document(qtbot, panel, files[0])
    show_document(qtbot, panel, files[1], is_kept=False)
    show_document(qtbot, panel, files[2], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280"]
    assert "Double-click to keep it" in panel.tabs.tabToolTip(1)
    qtbot.mouseDClick(panel.tabs, Qt.MouseButton.LeftButton, pos=panel.tabs.tabRect(1).center())
    show_document(qtbot, panel, files[1], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280", "TI_ADS1115"]


def test_reading_on_keeps_a_document(qtbot, panel, files):
    show_document(qtbot, panel, files[0], is_kept=False)
    assert not panel.documents.documents[0].is_kept
    bar = panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert panel.documents.documents[0].is_kept


def test_tabs_can_be_put_in_another_order(qtbot, panel, files):
    for path in files:
        show_document(qtbot, panel, path)
    panel.tabs.moveTab(2, 0)
    assert [one.path for one in panel.documents.documents] == [files[2], files[0], files[1]]
    assert panel.path == files[2]


def test_side_buttons_of_the_mouse_travel_and_no_others(qtbot, two, files):
    for button, path in (
        (Qt.MouseButton.BackButton, files[0]),
        (Qt.MouseButton.ForwardButton, files[1]),
    ):
        with qtbot.waitSignal(two.document_shown):
            qtbot.mouseClick(two.view.viewport(), button, pos=QPoint(50, 50))
        assert two.path == path
    qtbot.mousePress(two, Qt.MouseButton.RightButton, pos=QPoint(5, 5))
    assert two.path == files[1]


def test_the_buttons_list_the_places(qtbot, panel, files):
    show_document(qtbot, panel, files[0])
    panel.jump_to(7)
    show_document(qtbot, panel, files[1])
    menu = panel.toolbar.back.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [
        "TI_OPA4197.pdf, page 7", "TI_OPA4197.pdf, page 1",
    ]  # fmt: skip
    with qtbot.waitSignal(panel.document_shown):
        menu.actions()[1].trigger()
    assert (panel.path, panel.view.current_page) == (files[0], 1)
    panel.toolbar.forward.menu().aboutToShow.emit()
    assert len(panel.toolbar.forward.menu().actions()) == 2


def test_a_long_press_lists_the_places_and_does_not_travel(qtbot, two, files):
    menu = two.toolbar.back.menu()
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, menu.close))
    with qtbot.waitSignal(menu.aboutToHide):
        qtbot.mousePress(two.toolbar.back, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(two.toolbar.back, Qt.MouseButton.LeftButton)
    assert two.path == files[1]


def path(name: str) -> Path:
    return Path(f"/documents/{name}.pdf")


def names(documents: OpenDocuments) -> str:
    return " ".join(
        one.path.stem if one.is_kept else f"({one.path.stem})" for one in documents.documents
    )


def kept(*names: str) -> OpenDocuments:
    """Open documents one after the other, to stay."""
    documents = OpenDocuments()
    for name in names:
        documents.show(path(name), is_kept=True)
    return documents


def test_ten_answers_leave_one_tab():
    documents = kept("kept")
    for number in range(10):
        documents.show(path(str(number)))
    assert names(documents) == "kept (9)"
    assert documents.current == path("9")


def test_a_document_that_is_kept_stays_when_others_are_looked_at():
    documents = OpenDocuments()
    documents.show(path("a"))
    assert documents.keep(path("a"))
    assert not documents.keep(path("a"))
    documents.show(path("b"))
    documents.show(path("c"))
    assert names(documents) == "a (c)"


def test_a_new_tab_stands_beside_the_one_it_was_opened_from():
    documents = kept(*"abc")
    documents.show(path("a"))
    documents.show(path("d"), is_kept=True)
    assert names(documents) == "a d b c"


def test_closing_goes_back_to_the_document_shown_before():
    documents = kept(*"abc")
    documents.show(path("a"))
    documents.close(path("a"))
    assert documents.current == path("c")
    documents.close(path("c"))
    documents.close(path("b"))
    assert documents.current is None


def test_the_document_used_longest_ago_leaves_when_there_are_too_many():
    documents = kept(*map(str, range(MAX_OPEN)))
    documents.show(path("0"))
    documents.show(path("new"), is_kept=True)
    assert len(documents.documents) == MAX_OPEN
    assert documents.index_of(path("1")) == -1
    assert documents.index_of(path("0")) >= 0


def test_documents_turn_around_the_ends():
    assert OpenDocuments().beside(1) is None
    documents = kept(*"abc")
    assert documents.beside(1).path == path("a")
    assert documents.beside(-1).path == path("b")
    documents.move(0, 2)
    assert names(documents) == "b c a"


def visit(name: str, page_no: int = 1) -> Visit:
    return Visit(path(name), (), None, page_no, None)


def test_back_and_forward_lead_through_all_places():
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.leave(visit("a", 7))
    assert [one.label for one in visits.earlier] == ["a.pdf, page 7", "a.pdf, page 1"]
    assert visits.travel(-1, visit("b", 2)) == visit("a", 7)
    assert visits.travel(-1, visit("a", 7)) == visit("a", 1)
    assert visits.travel(-1, visit("a", 1)) is None
    assert [one.label for one in visits.later] == ["a.pdf, page 7", "b.pdf, page 2"]
    assert visits.travel(2, visit("a", 1)) == visit("b", 2)
    assert not visits.later


def test_a_jump_ends_what_lay_ahead():
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.travel(-1, visit("a", 9))
    visits.leave(visit("a", 3))
    assert not visits.later


def test_the_same_place_twice_is_one_place():
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.leave(visit("a", 4))
    visits.leave(visit("a", 4))
    assert visits.travel(-1, visit("a", 4)) == visit("a", 1)


REMEMBERED = RememberedDocuments(
    (
        OpenDocument(
            path("a"),
            is_kept=True,
            place=ReadingPlace(Anchor(6, 0.5, 0.25), 0.33),
            look=PageArrangement(PageMode.SINGLE, Zoom(ZoomMode.FACTOR, 1.5), 90),
        ),
        OpenDocument(path("b")),
    ),
    path("b"),
)


def test_open_documents_are_remembered_for_each_library(settings):
    keep_documents(settings, "/libraries/one", REMEMBERED)
    keep_documents(settings, "/libraries/two", RememberedDocuments())
    assert kept_documents(settings, "/libraries/one") == REMEMBERED
    assert kept_documents(settings, "/libraries/two") == RememberedDocuments()
    assert kept_documents(settings, "/libraries/other") == RememberedDocuments()


def test_only_the_libraries_used_last_are_remembered(settings):
    for number in range(45):
        keep_documents(settings, f"/libraries/{number}", REMEMBERED)
    assert kept_documents(settings, "/libraries/0") == RememberedDocuments()
    assert kept_documents(settings, "/libraries/44") == REMEMBERED


WHOLE = {
    "path": "/documents/a.pdf",
    "kept": True,
    "place": [1, 0.5, 0.5, 0.3],
    "look": "single factor 1.0 0",
}


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "7", '{"version": 99}', '{"version": 1}', "[" * 100_000,
     '{"version": 1, "libraries": []}', '{"version": 1, "libraries": {"L": 3}}',
     '{"version": 1, "libraries": {"L": {"documents": 3, "current": 7}}}',
     *(json.dumps({"version": 1, "libraries": {"L": {"documents": [WHOLE | change]}}})
       for change in ({"path": 7}, {"place": [1]}, {"place": [1, "x", 0, 0]}, {"look": "new"}))],
)  # fmt: skip
def test_damaged_or_foreign_values_never_harm(settings, text):
    settings.setValue("viewer/open_documents", text)
    assert kept_documents(settings, "L") == RememberedDocuments()
    keep_documents(settings, "L", REMEMBERED)
    assert kept_documents(settings, "L") == REMEMBERED
