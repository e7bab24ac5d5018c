from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer.page_layout import Zoom, ZoomMode
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.pdf_toolbar import PdfToolbar
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import A5, show_document, write_pages, write_protected

CITED = Provenance(7, BoundingBox(100, 200, 200, 214))
HIGHLIGHT = Highlight(1, (CITED,))


@pytest.fixture
def ten(tmp_path) -> Path:
    return write_pages(tmp_path / "ten.pdf", [A5] * 10)


@pytest.fixture
def five(tmp_path) -> Path:
    return write_pages(tmp_path / "five.pdf", [A5] * 5)


def cite(qtbot: QtBot, panel: PdfPanel, path: Path) -> None:
    with qtbot.waitSignal(panel.document_shown):
        panel.show_places(path, [CITED], [HIGHLIGHT], 1)


def test_a_document_is_named_with_its_pages_and_size(qtbot, panel, ten):
    show_document(qtbot, panel, ten)
    assert panel.message == ""
    assert panel.toolbar.name.text() == "ten.pdf"
    assert panel.toolbar.name.toolTip() == str(ten)
    assert panel.toolbar.page.text() == "1"
    assert panel.toolbar.page_count.text() == "/ 10"


def test_a_citation_opens_its_document_at_the_place_and_marks_it(qtbot, panel, ten):
    cite(qtbot, panel, ten)
    assert panel.view.current_page == 7
    assert panel.toolbar.page.text() == "7"
    assert panel.view.highlights == (HIGHLIGHT,)
    assert panel.view.active == 1
    rect = panel.view.page_layout.to_canvas(6, CITED.bbox)
    assert panel.view.visible_canvas.contains(rect.toRect())
    # Shown by its name it has no marks, and is where it was left.
    show_document(qtbot, panel, ten)
    assert panel.view.highlights == ()
    assert panel.view.current_page == 7


def test_page_and_size_of_each_document_are_remembered(qtbot, panel, ten, five):
    show_document(qtbot, panel, ten)
    panel.view.set_zoom(Zoom(ZoomMode.FACTOR, 1.5))
    panel.view.go_to(6)
    show_document(qtbot, panel, five)
    panel.view.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    panel.view.go_to(3)
    show_document(qtbot, panel, ten)
    assert panel.view.current_page == 6
    assert panel.view.zoom == Zoom(ZoomMode.FACTOR, 1.5)
    show_document(qtbot, panel, five)
    assert panel.view.current_page == 3
    assert panel.view.zoom.mode is ZoomMode.FIT_PAGE


def test_back_and_forward_go_between_jumps(qtbot, panel, ten, five):
    show_document(qtbot, panel, five)
    panel.view.go_to(4)
    assert not panel.toolbar.back.isEnabled()
    cite(qtbot, panel, ten)
    assert panel.toolbar.back.isEnabled()
    with qtbot.waitSignal(panel.document_shown) as blocker:
        panel.toolbar.back.click()
    assert blocker.args == [five]
    assert panel.view.current_page == 4
    assert panel.view.highlights == ()
    with qtbot.waitSignal(panel.document_shown) as blocker:
        panel.toolbar.forward.click()
    assert blocker.args == [ten]
    assert panel.view.current_page == 7
    assert panel.view.highlights == (HIGHLIGHT,)
    assert not panel.toolbar.forward.isEnabled()


@pytest.mark.parametrize(
    ("typed", "key", "page"),
    [
        ("8", Qt.Key.Key_Return, 8),
        ("8", Qt.Key.Key_Escape, 4),
        *((typed, Qt.Key.Key_Return, 4) for typed in ("0", "11", "99", "x", "")),
    ],
)
def test_a_page_number_is_taken_on_enter_if_there_is_such_a_page(
    qtbot, panel, ten, typed, key, page
):
    show_document(qtbot, panel, ten)
    panel.view.go_to(4)
    edit = panel.toolbar.page
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    qtbot.keyClicks(edit, typed)
    assert panel.view.current_page == 4
    qtbot.keyClick(edit, key)
    assert (panel.view.current_page, edit.text()) == (page, str(page))
    if typed == "8":
        # The keys are those of the pages again.
        qtbot.waitUntil(panel.view.hasFocus)
        assert not edit.hasSelectedText()
    if page == 8:
        panel.toolbar.back.click()
        assert panel.view.current_page == 4


def test_page_buttons_turn_pages_and_stop_at_the_ends(qtbot, panel, five):
    show_document(qtbot, panel, five)
    toolbar = panel.toolbar
    assert not toolbar.previous.isEnabled()
    for page_no in range(2, 6):
        toolbar.next.click()
        assert toolbar.page.text() == str(page_no)
    assert not toolbar.next.isEnabled()
    toolbar.previous.click()
    assert panel.view.current_page == 4


def test_a_file_that_is_gone_is_explained_and_others_still_open(qtbot, panel, ten, tmp_path):
    show_document(qtbot, panel, ten)
    with qtbot.waitSignal(panel.view.document.failed):
        panel.show_document(tmp_path / "gone.pdf")
    assert panel.message.startswith("gone.pdf is no longer there.")
    assert not panel.toolbar.page.isVisible()
    show_document(qtbot, panel, ten)
    assert panel.message == ""


def test_a_protected_file_can_be_opened_in_another_reader(qtbot, panel, tmp_path, monkeypatch):
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    path = write_protected(tmp_path / "locked file.pdf")
    with qtbot.waitSignal(panel.view.document.failed):
        panel.show_document(path)
    assert "password" in panel.message
    button = panel._message.button
    assert button.isVisible()
    button.click()
    panel.toolbar.open_outside.click()
    assert [url.toLocalFile() for url in opened] == [str(path), str(path)]


def test_a_clicked_mark_becomes_the_active_one(qtbot, panel, ten):
    other = Highlight(2, (Provenance(7, BoundingBox(100, 240, 200, 254)),))
    with qtbot.waitSignal(panel.document_shown):
        panel.show_places(ten, [CITED], [HIGHLIGHT, other], 1)
    view = panel.view
    rect = view.page_layout.to_canvas(6, other.places[0].bbox)
    point = rect.center().toPoint() - view.visible_canvas.topLeft()
    with qtbot.waitSignal(panel.view.highlight_clicked) as blocker:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert blocker.args == [2]
    assert view.active == 2


def test_without_a_document_it_says_what_to_do(qtbot, panel, ten):
    message = "Click a citation or a document to read it here."
    assert (panel.message, panel.path) == (message, None)
    assert not panel.toolbar.page.isVisible()
    assert not panel.toolbar.open_outside.isVisible()
    cite(qtbot, panel, ten)
    panel.clear()
    assert (panel.message, panel.path) == (message, None)
    assert panel.view.n_pages == 0
    assert panel.toolbar.name.text() == ""
    show_document(qtbot, panel, ten)
    assert panel.view.current_page == 7


def test_every_control_has_a_name_and_is_reached_by_key(panel):
    controls = [*panel.toolbar.findChildren(QAbstractButton), panel.toolbar.page, panel.view]
    assert len(controls) >= 11
    for control in controls:
        assert control.accessibleName(), control
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control


def test_quick_clicks_on_several_citations_end_at_the_last(qtbot, panel, ten, five):
    shown: list[Path] = []
    panel.document_shown.connect(shown.append)
    for path in (ten, five, ten, five):
        panel.show_document(path)
    qtbot.waitUntil(lambda: bool(shown) and shown[-1] == five)
    assert panel.toolbar.name.text() == "five.pdf"
    assert panel.view.n_pages == 5


@pytest.fixture
def toolbar(qtbot, keeper) -> PdfToolbar:
    made = on_screen(qtbot, PdfToolbar())
    made.set_document(Path("/data/ORLUNDA_ORT112_RevB.pdf"), 110)
    made.set_zoom(Zoom(ZoomMode.FIT_WIDTH), 0.54)
    return made


def squeezed(toolbar: PdfToolbar) -> list[str]:
    """Return the groups that are drawn with less room than they need, and those that overlap."""
    groups = toolbar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = sorted((g for g in groups if g.isVisible() and g.layout()), key=lambda g: g.x())
    narrow = [
        str(g.geometry())
        for g in shown
        if g.width() < g.sizeHint().width() or g.geometry().right() > toolbar.width()
    ]
    pairs = itertools.pairwise(shown)
    return narrow + [str(a.geometry()) for a, b in pairs if a.geometry().right() >= b.x()]


@pytest.mark.parametrize("has_name", [True, False])
def test_nothing_in_the_line_is_cut_or_drawn_over_its_neighbour_and_the_rest_is_in_the_menu(
    toolbar, has_name
):
    toolbar.show_name(has_name)
    toolbar.set_labels([f"A-{n}" if n % 2 else str(n) for n in range(1, 111)])
    found: dict[tuple[int, int], list[str]] = {}
    for width in range(180, 920, 20):
        toolbar.resize(width, toolbar.sizeHint().height())
        for page_no in (4, 101, 102):
            toolbar.set_page(page_no)
            QApplication.processEvents()
            if bad := squeezed(toolbar):
                found[width, page_no] = bad
        menu = toolbar.more_menu()
        texts = {action.text() for action in menu.actions()}
        assert ("Back" in texts) is not toolbar.back.isVisible()
        assert ("Next Page" in texts) is not toolbar.next.isVisible()
        menu.deleteLater()
    assert found == {}


@pytest.mark.parametrize(("family", "points"), [("", 10), ("DejaVu Sans Mono", 11)])
def test_the_name_is_shortened_before_the_page_is_hidden(toolbar, family, points):
    """A manual of a thousand pages, and large or wide letters, need more room for the page."""
    font = QFont(family or toolbar.font().family(), points)
    for widget in (toolbar, *toolbar.findChildren(QWidget)):
        widget.setFont(font)
    toolbar.set_document(Path("/data") / ("a long name " * 8), 1234)
    kept = [toolbar.groups[name] for name in ("side", "page", "more")]
    needed = sum(group.sizeHint().width() + 8 for group in kept)
    toolbar.resize(needed + toolbar.name.minimumSizeHint().width() + 16, 40)
    QApplication.processEvents()
    assert [group.isVisible() for group in kept] == [True, True, True]
    assert toolbar.name.width() >= toolbar.name.minimumSizeHint().width()
    assert squeezed(toolbar) == []
