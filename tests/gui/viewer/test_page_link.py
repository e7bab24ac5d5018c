"""The menu of the pages, in the window."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.viewer.page_layout import PageMode, Zoom, ZoomMode
from tests.gui.fake_service import FakeService, make_library, make_status
from tests.gui.pdf_files import A5, show_document, write_pages


@pytest.fixture
def reading(qtbot: QtBot, open_window: MainWindow, tmp_path: Path) -> MainWindow:
    path = write_pages(tmp_path / "ten.pdf", [A5] * 10)
    show_document(qtbot, open_window.pdf_panel, path)
    return open_window


def test_labels_of_pages_are_shown_beside_their_numbers_and_accepted(
    open_window: MainWindow, qtbot: QtBot, tmp_path: Path, window: MainWindow, service: FakeService
) -> None:
    # Nothing of it can be done without pages.
    for name in ("print", *open_window.pages.actions()):
        assert not open_window.action(name).isEnabled(), name

    # Labels of pages are shown beside their numbers and accepted.
    path = tmp_path / "labelled.pdf"
    with pymupdf.open(write_pages(tmp_path / "plain.pdf", [A5] * 6)) as document:
        document.set_page_labels(
            [
                {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
                {"startpage": 3, "prefix": "A-", "style": "D", "firstpagenum": 1},
            ]
        )
        document.save(path)
    panel = open_window.pdf_panel
    show_document(qtbot, panel, path)
    edit, toolbar = panel.toolbar.page, panel.toolbar
    assert (edit.text(), toolbar.page_label.text(), toolbar.page_count.text()) == (
        "1",
        "(i)",
        "/ 6",
    )
    for typed, page, label in (("III", 3, "(iii)"), ("a-2", 5, "(A-2)"), ("6", 6, "(A-3)")):
        edit.setFocus()
        edit.selectAll()
        qtbot.keyClicks(edit, typed)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        assert panel.view.current_page == page
        assert (edit.text(), toolbar.page_label.text()) == (str(page), label)
    plain = tmp_path / "plain.pdf"
    show_document(qtbot, panel, plain)
    assert not toolbar.page_label.isVisible()

    # The number that the library found printed is shown beside the place.
    path = write_pages(tmp_path / "report.pdf", [A5] * 6)
    document_id = DocumentId(hashlib.sha256(path.read_bytes()).hexdigest()[:16])
    status = make_status(path.name, path=str(path), n_pages=6, page_starts=((3, "1"),))
    status = replace(status, document_id=document_id)
    service.open(window.session, make_library((status,)))
    panel = window.pdf_panel
    show_document(qtbot, panel, path)
    panel.jump_to(5)
    qtbot.waitUntil(lambda: panel.toolbar.page_label.text() == "(3)")


def test_pages_are_turned_sized_and_arranged_by_key_toolbar_and_menu(
    qtbot: QtBot, reading: MainWindow
) -> None:
    # Pages are turned and gone to by key.
    view = reading.pdf_panel.view
    assert not reading.action("previous_page").isEnabled()
    alt = Qt.KeyboardModifier.AltModifier
    for key, page in (
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_End, 10),
        (Qt.Key.Key_PageUp, 9),
        (Qt.Key.Key_Home, 1),
    ):
        qtbot.keyClick(view, key, alt)
        assert view.current_page == page
    qtbot.keyClick(view, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    edit = reading.pdf_panel.toolbar.page
    assert edit.selectedText() == "1"
    qtbot.keyClicks(edit, "7")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert view.current_page == 7
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(view, Qt.Key.Key_R, control)
    assert view.arrangement.rotation == 90
    qtbot.keyClick(view, Qt.Key.Key_R, control | alt)
    assert view.arrangement.rotation == 0

    # The size is stepped fitted and chosen in the toolbar.
    toolbar, view = reading.pdf_panel.toolbar, reading.pdf_panel.view
    before = view.factor
    assert toolbar.fit_width.isChecked()
    toolbar.larger.click()
    assert view.factor > before
    assert not toolbar.fit_width.isChecked()
    toolbar.smaller.click()
    toolbar.fit_page.click()
    assert view.zoom.mode is ZoomMode.FIT_PAGE
    assert toolbar.fit_page.isChecked()
    for _ in range(2):  # once more leaves it on
        toolbar.fit_width.click()
        assert toolbar.fit_width.isChecked()
    assert view.factor == pytest.approx(before)
    assert toolbar.percent.text() == f"{before * 100:.0f} %"
    control = Qt.KeyboardModifier.ControlModifier
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        qtbot.keyClick(toolbar.next, key, control)
        assert view.factor > before
        qtbot.keyClick(view, Qt.Key.Key_0, control)
        assert view.factor == pytest.approx(before)
    for is_shown in (True, False):
        qtbot.keyClick(view, Qt.Key.Key_F7)
        assert view.selector.is_caret_shown is is_shown

    # Modes and sizes are chosen and shown.
    view = reading.pdf_panel.view
    reading.action("fit_width").trigger()
    assert reading.action("page_continuous").isChecked()
    for name, mode in (
        ("page_single", PageMode.SINGLE),
        ("page_pairs", PageMode.PAIRS),
        ("page_book", PageMode.COVER_AND_PAIRS),
    ):
        reading.action(name).trigger()
        assert view.arrangement.mode is mode
        assert reading.action(name).isChecked()
        assert not reading.action("page_continuous").isChecked()
        view.set_mode(PageMode.CONTINUOUS)
        assert reading.action("page_continuous").isChecked()
    texts = [a.text().replace("&", "") for a in reading.pdf_panel.toolbar.size_menu.actions()]
    assert {"Continuous", "Two Pages", "Rotate Right", "Fit Width", "100 %"} <= set(texts)
    assert reading.action("fit_width").isChecked()
    reading.action("actual_size").trigger()
    assert view.zoom == Zoom(ZoomMode.FACTOR, 1.0)
    assert reading.action("actual_size").isChecked()
    reading.action("actual_size").trigger()
    assert reading.action("actual_size").isChecked()
    reading.action("zoom_in").trigger()
    assert view.factor == pytest.approx(1.1)
    assert not reading.action("actual_size").isChecked()
    reading.action("zoom_out").trigger()
    reading.action("fit_page").trigger()
    assert view.zoom.mode is ZoomMode.FIT_PAGE
    assert reading.pdf_panel.toolbar.fit_page.isChecked()
