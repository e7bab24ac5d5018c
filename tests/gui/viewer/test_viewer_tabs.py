"""The viewer by itself: tabs of its documents, back and forward, the line over the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from tests.gui.pdf_files import A5, show_document, tab_texts, write_pages, write_three


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    return write_three(tmp_path)


@pytest.fixture
def two(qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]) -> PdfPanel:
    """A panel that shows the second of two documents."""
    for path in files[:2]:
        show_document(qtbot, panel, path)
    return panel


def test_tabs_are_there_for_two_documents_and_more(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
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


def test_names_of_usual_length_are_read_whole_however_many_tabs_there_are(
    qtbot: QtBot, panel: PdfPanel, tmp_path: Path
) -> None:
    for number in range(8):
        show_document(qtbot, panel, write_pages(tmp_path / f"TI_ADS12{number}1.pdf", [A5]))
    tabs = panel.tabs
    assert tabs.count() == 8
    for index in range(8):
        name = tabs.fontMetrics().horizontalAdvance(tabs.tabText(index))
        cross = 25 if index == tabs.currentIndex() else 9
        assert tabs.tabRect(index).width() >= name + 13 + cross


def test_the_middle_button_closes_a_tab_and_the_shown_document_stays(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    for path in files:
        show_document(qtbot, panel, path)
    point = panel.tabs.tabRect(0).center()
    qtbot.mouseClick(panel.tabs, Qt.MouseButton.MiddleButton, pos=point)
    assert tab_texts(panel) == ["TI_ADS1115", "BOSCH_BME280"]
    assert panel.path == files[2]


def test_a_tab_has_a_cross(qtbot: QtBot, two: PdfPanel, files: tuple[Path, ...]) -> None:
    cross = two.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert cross.accessibleName() == "Close TI_ADS1115.pdf"
    with qtbot.waitSignal(two.document_shown):
        qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert two.path == files[0]


def test_what_answers_open_takes_one_tab_until_it_is_kept(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show_document(qtbot, panel, files[0])
    show_document(qtbot, panel, files[1], is_kept=False)
    show_document(qtbot, panel, files[2], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280"]
    assert "Double-click to keep it" in panel.tabs.tabToolTip(1)
    qtbot.mouseDClick(panel.tabs, Qt.MouseButton.LeftButton, pos=panel.tabs.tabRect(1).center())
    show_document(qtbot, panel, files[1], is_kept=False)
    assert tab_texts(panel) == ["TI_OPA4197", "BOSCH_BME280", "TI_ADS1115"]


def test_reading_on_keeps_a_document(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    show_document(qtbot, panel, files[0], is_kept=False)
    assert not panel.documents.documents[0].is_kept
    bar = panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert panel.documents.documents[0].is_kept


def test_tabs_can_be_put_in_another_order(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
    for path in files:
        show_document(qtbot, panel, path)
    panel.tabs.moveTab(2, 0)
    assert [one.path for one in panel.documents.documents] == [files[2], files[0], files[1]]
    assert panel.path == files[2]


def test_side_buttons_of_the_mouse_travel_and_no_others(
    qtbot: QtBot, two: PdfPanel, files: tuple[Path, ...]
) -> None:
    for button, path in (
        (Qt.MouseButton.BackButton, files[0]),
        (Qt.MouseButton.ForwardButton, files[1]),
    ):
        with qtbot.waitSignal(two.document_shown):
            qtbot.mouseClick(two.view.viewport(), button, pos=QPoint(50, 50))
        assert two.path == path
    qtbot.mousePress(two, Qt.MouseButton.RightButton, pos=QPoint(5, 5))
    assert two.path == files[1]


def test_the_buttons_list_the_places(
    qtbot: QtBot, panel: PdfPanel, files: tuple[Path, ...]
) -> None:
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


def test_a_long_press_lists_the_places_and_does_not_travel(
    qtbot: QtBot, two: PdfPanel, files: tuple[Path, ...]
) -> None:
    menu = two.toolbar.back.menu()
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, menu.close))
    with qtbot.waitSignal(menu.aboutToHide):
        qtbot.mousePress(two.toolbar.back, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(two.toolbar.back, Qt.MouseButton.LeftButton)
    assert two.path == files[1]
