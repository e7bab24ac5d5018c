"""Text of the pages in the window: the line for finding, links, the menu, what is copied."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.page_text import TextQuery
from desktop_qa.core.structure import path_to
from desktop_qa.core.view import ChapterEntry, StructureView
from desktop_qa.gui.jobs import JobRunner
from desktop_qa.gui.viewer.page_text_link import PageTextLink, PageTextMenu, cited
from desktop_qa.gui.viewer.page_text_table import table_at
from desktop_qa.gui.viewer.pdf_pointer import refusal
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.window_parts import DocumentPane
from desktop_qa.parse import page_text
from desktop_qa.parse.page_text import TextFile
from desktop_qa.service.client import ServiceClient
from tests.gui.fake_service import FakeService, make_progress, make_status
from tests.gui.patient_bot import ask_for_menu, on_screen
from tests.gui.viewer.test_pdf_text import drag, point_of
from tests.helpers.text_pages import (
    library_table,
    page_of,
    write_columns,
    write_linked,
    write_table,
)

_LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def unhurried(monkeypatch) -> None:
    """Let one call search a whole file; a tenth of a second leads a busy machine less far."""
    monkeypatch.setattr(page_text, "_SLICE_S", 600.0)


def show(qtbot: QtBot, window: QWidget, service: FakeService, path: Path) -> PdfView:
    """Show a document of the library, its text read as the library's process reads it."""
    service.replies["page_text"] = page_of(path)
    status = make_status(
        "part.pdf",
        path=str(path),
        title="A part",
        part_numbers=("PT100",),
        revision="C",
        n_segments=3,
    )
    service.progress(make_progress(changed=(status,)))
    qtbot.waitUntil(lambda: window.session.status(status.document_id) is not None)
    view = window.pdf_panel.view
    with qtbot.waitSignal(view.document.opened):
        window.pdf_panel.show_document(path)
    qtbot.waitUntil(lambda: view.texts.get(0) is not None)
    return view


@pytest.fixture
def host(make_parts) -> QWidget:
    """The pages without the rest of the window."""
    pane = DocumentPane()
    pane.pdf_panel.view.is_animated = False
    window = make_parts(document_pane=pane, pdf_panel=pane.pdf_panel)
    window.marks = window.searches = Mock()
    window.page_texts = PageTextLink(window)
    in_column(window).addWidget(pane)
    window.resize(700, 768)
    window.show()
    window.activateWindow()
    return window


@pytest.fixture
def tabled(qtbot, host, service, tmp_path) -> PdfView:
    view = show(qtbot, host, service, write_table(tmp_path / "table.pdf"))
    service.replies["tables_on_page"] = (library_table(view.texts.get(0), "*"),)
    return view


def select(qtbot: QtBot, view: PdfView, words: str) -> None:
    drag(qtbot, view, point_of(view, words), point_of(view, words, after=True))
    assert view.selector.text == words


def open_menu(
    window: QWidget,
    view: PdfView,
    at: QPoint = QPoint(150, 150),  # noqa: B008 - a constant
) -> PageTextMenu:
    ask_for_menu(view.viewport(), at)
    return window.page_texts.menu


def choose(window: QWidget, view: PdfView, name: str) -> None:
    menu = open_menu(window, view)
    action = menu.entries[name]
    assert action.isEnabled()
    action.trigger()
    menu.close()


def find_by_file(service: FakeService, path: Path, query: TextQuery) -> None:
    with closing(TextFile(path)) as file:
        service.answer("find_text", file.find(query, 1))


def test_words_are_found_selected_copied_asked_searched_and_marked(
    qtbot, open_window, service, tmp_path
):
    open_window.resize(1366, 768)
    columns = show(qtbot, open_window, service, write_columns(tmp_path / "columns.pdf"))
    # The line for finding leaves the scrolling keys to the pages.
    open_window.action("find").trigger()
    edit = open_window.page_texts.find_line.words_edit
    bar = columns.verticalScrollBar()
    places = [bar.value()]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
        qtbot.keyClick(edit, key)
        places.append(bar.value())
    assert places == sorted(set(places))
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_Up):
        qtbot.keyClick(edit, key)
    assert bar.value() == places[0]
    assert edit.hasFocus()

    # Ctrl f finds while words are typed.
    columns.setFocus()
    open_window.action("find").trigger()
    line = open_window.page_texts.find_line
    assert line.y() >= open_window.pdf_panel.toolbar.geometry().bottom()
    assert QApplication.focusWidget() is line.words_edit
    line.words_edit.clear()
    qtbot.keyClicks(line.words_edit, "the")
    qtbot.waitUntil(
        lambda: TextQuery("the") in [query for _, query, *_ in service.arguments_of("find_text")]
    )
    path, query, page_no, password = service.arguments_of("find_text")[-1]
    assert (path, page_no, password) == (str(columns.texts.path), 1, "")
    find_by_file(service, Path(path), query)
    qtbot.waitUntil(lambda: line.count_label.text().startswith("1 of "))
    qtbot.keyClick(line.words_edit, Qt.Key.Key_Return)
    assert line.count_label.text().startswith("2 of ")
    qtbot.keyClick(line.words_edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    open_window.action("find_previous").trigger()
    hint = open_window.page_texts.hint
    assert hint.isVisible()
    assert hint.text() == "The search went on from the end of the document."
    open_window.action("find_next").trigger()
    assert line.count_label.text().startswith("1 of ")
    qtbot.mouseClick(line.word_button, _LEFT_BUTTON)
    wanted = TextQuery("the", whole_word=True)
    qtbot.waitUntil(lambda: service.arguments_of("find_text")[-1][1] == wanted)
    qtbot.keyClick(line.words_edit, Qt.Key.Key_Escape)
    assert not line.isVisible()
    assert columns.hasFocus()
    assert columns.finder.hits == []
    assert columns._ticks.found_ticks == ()

    # F3 searches again after the line was closed.
    select(qtbot, columns, "reference")
    open_window.action("find").trigger()
    assert line.words_edit.text() == "reference"
    qtbot.waitUntil(lambda: service.arguments_of("find_text")[-1][1].words == "reference")
    n_asked = len(service.arguments_of("find_text"))
    line.close_button.click()
    open_window.action("find_next").trigger()
    qtbot.waitUntil(lambda: len(service.arguments_of("find_text")) == n_asked + 1)
    path = Path(service.arguments_of("find_text")[-1][0])
    find_by_file(service, path, TextQuery("reference"))
    qtbot.waitUntil(lambda: columns.finder.current is not None)
    # The marks have their count again, and go by Escape from the pages, too.
    assert line.isVisible()
    columns.selector.clear()
    qtbot.keyClick(columns, Qt.Key.Key_Escape)
    assert not line.isVisible()
    assert columns.finder.hits == []
    columns.go_to(1)
    select(qtbot, columns, "reference input")
    choose(open_window, columns, "copy")
    assert QGuiApplication.clipboard().text() == "reference input"
    choose(open_window, columns, "ask")
    assert open_window.ask_box.edit.toPlainText() == "“reference input” "
    (entry,) = open_window.ask_box.scope_bar.entries
    assert "PT100" in entry.label or "part" in entry.label
    assert open_window.ask_box.edit.hasFocus()
    choose(open_window, columns, "search")
    assert open_window.ask_box.edit.toPlainText() == '"reference input"'
    choose(open_window, columns, "mark")
    ((mark,),) = service.arguments_of("save_mark")
    assert mark.quote == "reference input"
    assert not columns.selector.has_selection

    # A passage is copied with document page and section.
    place = Provenance(1, BoundingBox(50, 60, 200, 80))
    chapters = (
        ChapterEntry("1", "Overview", 1, -1, (place,), False),
        ChapterEntry("1.1", "Details", 2, 0, (place,), False),
    )
    service.replies["structure"] = StructureView(DocumentId("x"), "A part", 2, chapters, (), ())
    select(qtbot, columns, "reference input")
    choose(open_window, columns, "copy_citation")
    qtbot.waitUntil(lambda: "1.1 Details" in QGuiApplication.clipboard().text())
    assert QGuiApplication.clipboard().text() == (
        "“reference input”\n— PT100: A part, rev. C, p. 1, 1 Overview › 1.1 Details"
    )

    # Text that is no table says so.
    service.replies["tables_on_page"] = ()
    open_window.page_texts.copy_table()
    qtbot.waitUntil(
        lambda: open_window.page_texts.hint.text().startswith("The selection is no table")
    )

    # The menu without a selection copies the page.
    columns.selector.clear()
    choose(open_window, columns, "copy_page")
    assert QGuiApplication.clipboard().text().startswith("A title")
    columns.selector.clear()
    choose(open_window, columns, "select_all")
    assert columns.selector.has_selection
    columns.selector.clear()
    choose(open_window, columns, "find")
    assert open_window.page_texts.find_line.isVisible()

    # The menu of a page is not about what was selected out of sight.
    select(qtbot, columns, "reference input")
    assert "copy" in open_menu(open_window, columns).entries
    columns.go_to(2)
    columns.scroll_to(0, columns.verticalScrollBar().maximum())
    assert not columns.is_selection_seen
    menu = open_menu(open_window, columns)
    assert "copy" not in menu.entries
    assert "copy_page" in menu.entries
    # What a page is read by is at hand there.
    assert open_window.action("rotate_right") in menu.actions()

    # The menu knows what the pages are at.
    action = open_window.action("caret_browsing")
    action.trigger()
    assert columns.selector.is_caret_shown
    assert action.isChecked()
    columns.toggle_caret()
    assert not action.isChecked()


def test_links_lead_to_places_ask_for_addresses_and_refuse_programs(
    qtbot, host, service, monkeypatch, tmp_path
):
    linked = show(qtbot, host, service, write_linked(tmp_path / "linked.pdf"))
    # A link inside leads to its place and back returns.
    at = point_of(linked, "link 0") + QPoint(4, 0)
    with qtbot.waitSignal(linked.document.opened):
        qtbot.mouseClick(linked.viewport(), _LEFT_BUTTON, pos=at)
    assert linked.current_page == 3
    host.pdf_panel.travel(-1)
    assert linked.current_page == 1

    # The menu over a link names where it leads.
    texts = []
    for index in range(2):
        at = point_of(linked, f"link {index}") + QPoint(4, 0)
        menu = open_menu(host, linked, at)
        texts.append([action.text().replace("&", "") for action in menu.entries.values()])
        if index:
            menu.entries["copy_address"].trigger()
        menu.close()
        qtbot.waitUntil(lambda: host.page_texts.menu is None)
    assert texts[0][0] == "Go to Page v"
    assert texts[1][:2] == ["Open Address …", "Copy Address"]
    assert QGuiApplication.clipboard().text() == "https://example.com/part?x=1"

    # An address outside is asked about and shown whole.
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    for name in ("Cancel", "Copy Address", "Open"):
        at = point_of(linked, "link 1") + QPoint(4, 0)
        qtbot.mouseClick(linked.viewport(), _LEFT_BUTTON, pos=at)
        question = host.findChild(QMessageBox, "link_question")
        assert question.informativeText().replace("\u200b", "") == "https://example.com/part?x=1"
        (button,) = (
            one for one in question.findChildren(QPushButton) if one.text().replace("&", "") == name
        )
        button.click()
        qtbot.waitUntil(lambda: host.findChild(QMessageBox, "link_question") is None)
    assert QGuiApplication.clipboard().text() == "https://example.com/part?x=1"
    assert opened == [QUrl("https://example.com/part?x=1")]

    # Scripts and programs are refused in a sentence.
    for index in (2, 3):
        at = point_of(linked, f"link {index}") + QPoint(4, 0)
        qtbot.mouseClick(linked.viewport(), _LEFT_BUTTON, pos=at)
        assert host.findChild(QMessageBox, "link_question") is None
        (banner,) = host.message_area.banners
        assert "Desktop QA" in banner.notice.message
        banner.dismiss()


@pytest.mark.parametrize(
    ("address", "is_refused"),
    [
        ("https://ti.com/x", False),
        ("http://ti.com", False),
        ("HTTPS://ti.com", False),
        ("mailto:a@b.c", False),
        ("javascript:alert(1)", True),
        ("JavaScript:alert(1)", True),
        ("java\nscript:alert(1)", True),
        ("file:///etc/passwd", True),
        ("launch:calc.exe", True),
        ("data:text/html,x", True),
        ("ftp://host/x", True),
        ("smb://host/x", True),
        ("relative/path.html", True),
        ("https://", True),
        ("http://[broken", True),
        ("", True),
    ],
)
def test_web_and_mail_addresses_alone_are_opened(address, is_refused):
    assert bool(refusal(address)) is is_refused


def test_the_menu_over_a_table_copies_it_whole_and_reports_a_cell_as_read_wrongly(
    qtbot, host, service, tabled
):
    menu = open_menu(host, tabled, point_of(tabled, "Supply current"))
    qtbot.waitUntil(menu.entries["copy_whole"].isEnabled)
    menu.entries["copy_whole"].trigger()
    rows = QGuiApplication.clipboard().text().split("\n")
    assert len(rows) == 4
    assert rows[2].split("\t") == ["Supply current*", "1*", "3*", "mA*"]
    menu.entries["wrong_cell"].trigger()
    (reported,) = host.marks.ask_report.call_args.args
    assert reported.text == "Supply current*"
    (table,) = service.replies["tables_on_page"]
    assert table_at([table], 1, 60, 110) == table
    assert table_at([table], 1, 20, 110) is None
    assert table_at([table], 2, 60, 110) is None


@pytest.mark.parametrize("is_of_library", [False, True])
def test_a_table_is_copied_for_spreadsheets_and_reports(
    qtbot, host, service, tabled, is_of_library
):
    if not is_of_library:
        service.replies["tables_on_page"] = ()
    drag(qtbot, tabled, point_of(tabled, "Supply voltage"), point_of(tabled, "mA", after=True))
    choose(host, tabled, "copy_table")
    star = "*" if is_of_library else ""
    expected = "\n".join(
        "\t".join(f"{cell}{star}" for cell in row)
        for row in (("Supply voltage", "2.7", "5.5", "V"), ("Supply current", "1", "3", "mA"))
    )
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == expected)
    html = QGuiApplication.clipboard().mimeData().html()
    assert html.count("<tr>") == 2
    assert f"<td>2.7{star}</td>" in html
    assert host.page_texts.hint.text() == "A table of 2 rows and 4 columns was copied."


def test_a_passage_before_the_first_heading_has_no_section():
    place = Provenance(2, BoundingBox(0, 100, 10, 110))
    chapters = (ChapterEntry("", "Later", 1, -1, (place,), False),)
    view = StructureView(DocumentId("x"), "", 3, chapters, (), ())
    places = ((1, 500), (2, 100), (3, 0))
    found = [path_to(view.chapters, view.chapter_at(*place)) for place in places]
    assert found == [(), ("Later",), ("Later",)]


def test_a_file_outside_of_the_library_is_cited_by_its_name():
    assert cited(" words ", Path("/a/PART_X.pdf"), "iv") == "“words”\n— PART_X, p. iv"


@pytest.mark.process
def test_text_is_selected_and_found_over_the_real_line(qtbot, tmp_path):
    runner = JobRunner(ServiceClient())
    view = on_screen(qtbot, PdfView(), 700, 700)
    view.is_animated = False

    def request(method: str, *arguments: object, on_result: object, on_failure: object) -> None:
        runner.run(method, *arguments, on_result=on_result, on_failure=on_failure)

    view.texts.request = request
    runner.start()
    try:
        with qtbot.waitSignal(view.document.opened):
            view.open(write_columns(tmp_path / "columns.pdf"))
        qtbot.waitUntil(lambda: view.texts.get(0) is not None)
        select(qtbot, view, "reference input")
        view.finder.set_query(TextQuery("second page"), 1)
        qtbot.waitUntil(lambda: view.finder.summary == "1 of 1")
        qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        clipboard = QGuiApplication.clipboard()
        clipboard.clear()
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: clipboard.text().endswith("The second page."))
    finally:
        runner.close()
