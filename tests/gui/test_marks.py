"""The reader's own marks in the window: made, seen, changed, deleted, listed, exported."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.errors import DiskFullError
from desktop_qa.core.mark import Mark, MarkColour, MarkStanding, PlacedMark
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.marks.mark_book import fill_of, line_of
from desktop_qa.gui.marks.mark_link import ReportDialog
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.viewer_side_bar import MARKS
from desktop_qa.gui.widgets.theme import DARK, LIGHT
from tests.gui import sample_answers as samples
from tests.gui.fake_service import FakeService, make_library, make_status
from tests.gui.patient_bot import ask_for_menu, click_row, entry, press, save_as, told
from tests.gui.pdf_files import A5, contrast, show_document, write_pages

PLACE = Provenance(2, BoundingBox(72, 88, 200, 104))
FILE = "ORLUNDA_ORA217.pdf"


@pytest.fixture
def files(tmp_path) -> tuple[Path, ...]:
    return tuple(write_pages(tmp_path / name, [A5] * 6) for name in ("a.pdf", "b.pdf"))


@pytest.fixture
def opened(qtbot, window, service, files) -> MainWindow:
    return open_library(qtbot, window, service, files)


def open_library(
    qtbot: QtBot,
    window: MainWindow,
    service: FakeService,
    files: tuple[Path, ...],
    *,
    read_only: bool = False,
) -> MainWindow:
    statuses = tuple(make_status(p.name, path=str(p), n_segments=9, n_pages=6) for p in files)
    service.replies |= {
        "marks": (), "outline": (), "save_mark": None,
        "delete_marks": 1, "restore_marks": 1,
    }  # fmt: skip
    window.resize(1366, 768)
    window.pdf_panel.view.is_animated = False
    service.open(window.session, make_library(statuses, read_only=read_only))
    show_document(qtbot, window.pdf_panel, files[0])
    window.pdf_panel.view.go_to((PLACE,))
    return window


def make(panel: PdfPanel, file: str = "a.pdf", path: str = "", **changes: object) -> PlacedMark:
    document_id = panel.view.document.document_id or DocumentId("x")
    fields: dict[str, object] = {
        "id": "one", "document_id": document_id, "file": file, "page_no": 2,
        "colour": MarkColour.BLUE, "made_at": time.time(), "changed_at": time.time(),
        "places": (PLACE,), "quote": "This is page 2", "note": "",
    }  # fmt: skip
    standing = changes.pop("standing", MarkStanding.HERE)
    mark = Mark(**(fields | changes))  # type: ignore[arg-type]
    places = mark.places if standing in (MarkStanding.HERE, MarkStanding.FOUND_AGAIN) else ()
    return PlacedMark(
        mark, standing, mark.document_id, path or str(panel.path), mark.page_no, places
    )


def saved(service: FakeService) -> list[Mark]:
    return [arguments[0] for arguments in service.arguments_of("save_mark")]


def centre(panel: PdfPanel, mark_id: str) -> QPoint:
    rect = panel.view.rect_of(mark_id)
    return rect.center().toPoint()


def test_a_mark_is_drawn_clicked_deleted_coloured_and_kept_with_its_note(qtbot, opened, service):
    # The colour is on the page under the print.
    panel = opened.pdf_panel
    qtbot.waitUntil(lambda: panel.view.is_drawn)
    panel.book.put([make(panel)])
    rect = panel.view.rect_of("one")
    image: QImage = panel.view.viewport().grab().toImage()
    scale = image.devicePixelRatio()
    point = QPointF(rect.right() - 4, rect.center().y()) * scale
    colour = image.pixelColor(point.toPoint())
    wanted = QColor(fill_of(MarkColour.BLUE))
    mixed = [255 + 0.45 * (part - 255) for part in (wanted.red(), wanted.green(), wanted.blue())]
    assert (colour.red(), colour.green(), colour.blue()) == pytest.approx(mixed, abs=4)

    # A mark is clicked hovered and has a menu that offers everything.
    panel.book.put([make(panel, note="Known")])
    viewport = panel.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=centre(panel, "one"))
    assert panel.mark_editor.mark_id == "one"
    assert panel.mark_editor.note_edit.toPlainText() == "Known"
    # The sheet follows its mark.
    before, bar = panel.mark_editor.y(), panel.view.verticalScrollBar()
    bar.setValue(bar.value() + 40)
    assert panel.mark_editor.y() == before - 40
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert panel.mark_editor.mark_id == ""

    # Hovering shows the note.
    panel.book.put([make(panel, note="a < b")])
    point = centre(panel, "one")
    asking = QHelpEvent(QHelpEvent.Type.ToolTip, point, viewport.mapToGlobal(point))
    QApplication.sendEvent(viewport, asking)
    assert QToolTip.text() == "<qt>a &lt; b</qt>"
    QToolTip.hideText()

    # The menu.
    panel.book.put([make(panel, note="Mind")])
    with qtbot.waitSignal(panel.view.mark_menu_requested):
        ask_for_menu(viewport, centre(panel, "one"))
    assert opened.page_texts.menu is None
    QApplication.activePopupWidget().close()
    menu = opened.marks.menu_of("one")
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == ["Go to the Place", "Write a Note", "Copy", "Colour", "Delete"]
    menu.actions()[2].trigger()
    assert QApplication.clipboard().text() == "“This is page 2” (a.pdf, page 2)\nMind"
    menu.actions()[1].trigger()
    assert panel.mark_editor.mark_id == "one"

    # Deleting can be taken back and a mark gets another colour.
    placed = make(panel, note="Known")
    panel.book.put([placed])
    opened.marks.open_note("one")
    qtbot.mouseClick(panel.mark_editor.delete_button, Qt.MouseButton.LeftButton)
    assert panel.view.marks == ()
    assert not panel.mark_editor.isVisible()
    qtbot.waitUntil(lambda: "The mark was deleted." in "".join(told(opened)))
    service.replies["marks"] = (placed,)
    press(opened.message_area, "Undo")
    qtbot.waitUntil(lambda: len(panel.view.marks) == 1)
    assert service.arguments_of("restore_marks") == [(("one",),)]

    # The next mark has the colour too.
    panel.book.put([make(panel)])
    opened.marks.open_note("one")
    button = panel.mark_editor.colour_buttons[MarkColour.ROSE]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert saved(service)[-1].colour is MarkColour.ROSE
    assert button.isChecked()
    opened.marks.mark("more", (Provenance(3, PLACE.bbox),))
    assert saved(service)[-1].colour is MarkColour.ROSE

    # A highlight is kept with its words its place and the note typed beside it.
    panel.book.show([])
    opened.marks.mark("This is page 2", (PLACE,), with_note=True)
    mark = saved(service)[-1]
    assert (mark.file, mark.page_no, mark.places) == ("a.pdf", 2, (PLACE,))
    assert mark.quote == "This is page 2"
    assert mark.document_id == panel.view.document.document_id
    assert [one.mark for one in panel.view.marks] == [mark]
    assert [row.text for row in panel.side_bar.marks.list.rows] == ["This is page 2"]
    assert len(panel.view.verticalScrollBar().dots) == 1
    assert panel.documents.documents[0].is_kept
    editor = panel.mark_editor
    assert editor.isVisible()
    assert panel.view.viewport().rect().contains(editor.geometry())
    qtbot.keyClicks(editor.note_edit, "Mind the sign")
    qtbot.waitUntil(lambda: saved(service)[-1].note == "Mind the sign")
    qtbot.keyClicks(editor.note_edit, "!")
    qtbot.keyClick(editor.note_edit, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert saved(service)[-1].note == "Mind the sign!"
    assert panel.side_bar.marks.list.rows[0].detail == "Mind the sign!"

    # Marks read meanwhile do not undo what is being typed.
    panel.book.show([])
    panel.book.put([make(panel, note="old")])
    del service.replies["save_mark"]
    opened.marks.open_note("one")
    panel.mark_editor.note_edit.setPlainText("new")
    service.replies["marks"] = (make(panel, note="old"),)
    n_before = len(service.arguments_of("marks"))
    opened.marks._load()
    qtbot.waitUntil(lambda: opened.marks._is_due)
    assert panel.book.get("one").mark.note == "new"
    assert len(service.arguments_of("marks")) == n_before + 1  # nothing is asked in circles
    service.replies["marks"] = (make(panel, note="new"),)
    service.answer("save_mark", None)
    qtbot.waitUntil(lambda: len(service.arguments_of("marks")) == n_before + 2)

    # A mark that cannot be kept leaves the page with a message and no other library.
    panel.book.show([])
    opened.marks.mark("words", (PLACE,))
    assert len(panel.view.marks) == 1
    service.fail("save_mark", DiskFullError("The disk is full.", "Free some space."))
    qtbot.waitUntil(lambda: panel.view.marks == ())
    assert "The disk is full." in "".join(told(opened))
    # Nor does it change what another library has, which was opened meanwhile.
    opened.marks.mark("words", (PLACE,))
    service.open(opened.session, make_library((), folder="/libraries/other"))
    service.fail("save_mark", DiskFullError("The disk is full.", "Free some space."))
    qtbot.waitUntil(lambda: "The disk is full." in "".join(told(opened)))
    n_before = len(service.arguments_of("marks"))
    opened.marks._load()
    with qtbot.waitSignal(panel.book.changed):
        pass
    assert len(service.arguments_of("marks")) == n_before + 1


def test_a_note_that_is_being_typed_is_kept_when_another_library_is_opened_or_the_window_closes(
    qtbot, opened, service, files
):
    # A note that is being typed is kept in its library when another is opened.
    panel = opened.pdf_panel
    panel.book.put([make(panel)])
    opened.marks.open_note("one")
    qtbot.keyClicks(panel.mark_editor.note_edit, "last words")
    opened.session.open_library(Path("/libraries/other"))
    methods = [method for _, method, _ in service.requests]
    last_opening = len(methods) - 1 - methods[::-1].index("open_library")
    assert methods.index("save_mark") < last_opening
    assert saved(service)[-1].note == "last words"

    # A note that is being typed is kept when the window closes.
    open_library(qtbot, opened, service, files)
    panel.book.put([make(panel)])
    opened.marks.open_note("one")
    qtbot.keyClicks(panel.mark_editor.note_edit, "last words")
    opened.close()
    assert saved(service)[-1].note == "last words"


def test_the_list_of_marks_is_filtered_exported_and_read_only_where_the_library_is(
    qtbot, opened, files, service, tmp_path, monkeypatch
):
    # The list is of this document or of all filtered by words and colour.
    panel = opened.pdf_panel
    marks = [
        make(panel, id="a", note="thermal"),
        make(panel, id="b", colour=MarkColour.ROSE, page_no=3, places=(Provenance(3, PLACE.bbox),)),
        make(panel, file="b.pdf", path=str(files[1]), id="c", document_id=DocumentId("b")),
    ]
    panel.book.put(marks)
    opened.action("show_marks").trigger()
    listed = panel.side_bar.marks
    assert panel.side_bar.tab == MARKS
    assert [row.key for row in listed.list.rows] == ["a", "b"]
    qtbot.mouseClick(listed.scope_tabs, Qt.MouseButton.LeftButton,
                     pos=listed.scope_tabs.tabRect(1).center())  # fmt: skip
    assert [row.key for row in listed.list.rows] == [None, "a", "b", None, "c"]
    qtbot.mouseClick(listed.colour_buttons[MarkColour.ROSE], Qt.MouseButton.LeftButton)
    assert [row.key for row in listed.list.rows] == [None, "b"]
    listed.colour_buttons[MarkColour.ROSE].click()
    qtbot.keyClicks(listed.filter_edit, "thermal")
    assert [row.key for row in listed.list.rows] == [None, "a"]
    qtbot.keyClicks(listed.filter_edit, "x")
    assert listed.list.empty_label.text() == "No mark is like this."

    # The marks listed are exported.
    panel.book.show([make(panel), make(panel, id="b", colour=MarkColour.ROSE)])
    panel.side_bar.marks.filter_edit.clear()
    opened.action("show_marks").trigger()
    panel.side_bar.marks.colour_buttons[MarkColour.ROSE].click()
    target = tmp_path / "mine"
    save_as(monkeypatch, target, "CSV (*.csv)")
    service.replies["export_marks"] = 1
    qtbot.mouseClick(panel.side_bar.marks.export_button, Qt.MouseButton.LeftButton)
    assert service.arguments_of("export_marks") == [(("b",), f"{target}.csv", True)]
    qtbot.waitUntil(lambda: "1 mark was written to mine.csv." in "".join(told(opened)))

    # The list deletes and leads to each mark wherever it is.
    panel.side_bar.marks.colour_buttons[MarkColour.ROSE].click()
    panel.book.show([make(panel)])
    opened.action("show_marks").trigger()
    view = panel.side_bar.marks.list.view
    view.setCurrentIndex(panel.side_bar.marks.list.model.index(0))
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert service.arguments_of("delete_marks") == [(("one",),)]

    # Of an earlier version: it says so and leads to its page.
    panel.book.put(
        [
            make(panel, standing=MarkStanding.EARLIER, page_no=4, note="lost"),
            make(panel, id="gone", file="gone.pdf", standing=MarkStanding.GONE),
        ]
    )
    opened.action("all_marks").trigger()
    details = {row.key: row.detail for row in panel.side_bar.marks.list.rows if row.key}
    assert details == {"one": "Of an earlier version · lost", "gone": "Not in the library any more"}
    assert panel.view.rect_of("one") is None
    opened.marks.go_to("one")
    assert panel.view.current_page == 4

    # In another document.
    place = Provenance(5, PLACE.bbox)
    panel.book.put([make(panel, file="b.pdf", path=str(files[1]), page_no=5, places=(place,))])
    opened.action("all_marks").trigger()
    with qtbot.waitSignal(panel.document_shown):
        click_row(qtbot, view, panel.side_bar.marks.list.model.index(1))
    assert (panel.path, panel.view.current_page) == (files[1], 5)

    # In a library that is only read nothing is lost in silence.
    open_library(qtbot, opened, service, files, read_only=True)
    opened.marks.mark("words", (PLACE,))
    assert saved(service) == []
    assert "open for reading only" in "".join(told(opened))
    panel.book.put([make(panel, note="Known")])
    opened.marks.open_note("one")
    assert panel.mark_editor.note_edit.isReadOnly()
    assert not panel.mark_editor.delete_button.isEnabled()
    assert not any(button.isEnabled() for button in panel.mark_editor.colour_buttons.values())


@pytest.mark.parametrize("colour", MarkColour)
def test_each_colour_is_seen_on_paper_and_in_both_themes(colour):
    assert contrast(line_of(colour), QColor("#ffffff")) >= 4.5
    assert contrast(line_of(colour), QColor(LIGHT.canvas)) >= 3
    assert contrast(line_of(colour, is_dark=True), QColor(DARK.panel)) >= 4.5
    paper = fill_of(colour)
    mixed = [round(255 + 0.45 * (part - 255)) for part in paper.getRgb()[:3]]
    assert contrast(QColor(*mixed), QColor("#000000")) >= 7


def choose(window: MainWindow, name: str) -> None:
    """Choose an entry of the menu of the cell that states the answer."""
    (pane,) = window.answer_panel.parts.tables
    pane.view.setCurrentIndex(pane.view.table_model.index(1, 3))
    entry(pane.menu(), name).trigger()


def dialog_of(window: MainWindow) -> ReportDialog:
    (dialog,) = [one for one in window.findChildren(ReportDialog) if one.isVisible()]
    return dialog


def report(window: MainWindow, instead: str, note: str = "") -> None:
    choose(window, "This Cell Is Wrong …")
    dialog = dialog_of(window)
    dialog.instead_edit.setText(instead)
    dialog.note_edit.setText(note)
    dialog.report_button.click()


def test_a_report_is_kept_listed_changed_taken_back_and_cited(window, service, qtbot):
    service.replies |= {"marks": (), "save_mark": None, "delete_marks": 1, "restore_marks": 1}
    service.open(window.session, make_library((make_status(FILE, n_segments=9, n_pages=6),)))
    window.answer_panel.show_answer(samples.table_answer())
    # A report is kept with what was read and where.
    report(window, "±52", "looked up on the page")
    (mark,) = saved(service)
    assert (mark.quote, mark.note, mark.file) == ("±25", "looked up on the page", FILE)
    assert mark.colour is MarkColour.ROSE
    assert mark.cell.row == "Input offset voltage"
    assert mark.cell.column
    assert mark.cell.instead == "±52"

    # Reports stand in the list of marks.
    marks = window.pdf_panel.side_bar.marks
    marks.show_all(is_all=True)
    (row,) = [row for row in marks.list.rows if row.key is not None]
    assert row.text == "±25"
    assert row.detail.startswith("Reported wrong: says “±52” instead")
    (placed,) = window.pdf_panel.book.reports
    assert entry(window.marks.menu_of(placed.mark.id), "Take the Report Back")
    marks.filter_edit.setText("reported wrong")
    assert marks.listed == (placed,)

    # A report is changed and taken back from the cell.
    choose(window, "Change the Report …")
    dialog = dialog_of(window)
    assert dialog.instead_edit.text() == "±52"
    dialog.instead_edit.setText("±2.5")
    dialog.report_button.click()
    first, second = saved(service)
    assert first.id == second.id
    choose(window, "Take the Report Back")
    assert service.arguments_of("delete_marks") == [((first.id,),)]
    assert window.pdf_panel.book.reports == ()

    # The cell is shown and cited as reported until it is taken back.
    report(window, "±52")
    model = window.answer_panel.parts.tables[0].view.table_model
    said = "Reported wrong: says “±52” instead"
    assert model.report(1, 3) == said
    assert said in str(model.data(model.index(1, 3), Qt.ItemDataRole.ToolTipRole))
    assert not model.report(1, 4)
    window.answer_panel.copy_answer()
    assert "reported wrong: says “±52” instead." in QGuiApplication.clipboard().text()
    window.message_area.banners[-1].notice.actions[0].perform()
    qtbot.waitUntil(lambda: not model.report(1, 3))
