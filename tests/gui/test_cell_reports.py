"""Cells that the reader reports as read wrongly: asked, kept, shown, cited, taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu
from pytestqt.qtbot import QtBot

from desktop_qa.core.mark import Mark, MarkColour
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.marks.mark_link import ReportDialog
from desktop_qa.gui.tables.table_pane import TablePane
from tests.gui import sample_answers as samples
from tests.gui.fake_service import FakeService, make_library, make_status
from tests.gui.test_marks import saved

FILE = "ORLUNDA_ORA217.pdf"


@pytest.fixture
def answered(window: MainWindow, service: FakeService) -> MainWindow:
    """The window with an answer that shows a row of a table."""
    service.replies |= {"marks": (), "save_mark": None, "delete_marks": 1, "restore_marks": 1}
    view = samples.table_answer()
    status = make_status(FILE, n_segments=9, n_pages=6)
    status = replace(status, document_id=view.evidence[0].document_id)
    service.open(window.session, make_library((status,)))
    window.answer_panel.show_answer(view)
    return window


def pane_of(window: MainWindow) -> TablePane:
    return window.answer_panel.parts.tables[0]  # type: ignore[union-attr]


def menu_of(window: MainWindow, row: int, column: int) -> dict[str, object]:
    pane = pane_of(window)
    model = pane.view.table_model
    pane.view.setCurrentIndex(model.index(row, column))
    return entries(pane.menu())


def entries(menu: QMenu) -> dict[str, object]:
    return {action.text(): action for action in menu.actions()}


def dialog_of(window: MainWindow) -> ReportDialog:
    found = window.findChildren(QDialog)
    (dialog,) = [one for one in found if isinstance(one, ReportDialog) and one.isVisible()]
    return dialog


def report(window: MainWindow, instead: str, note: str = "") -> None:
    menu_of(window, 1, 3)["This Cell Is Wrong …"].trigger()  # type: ignore[attr-defined]
    dialog = dialog_of(window)
    dialog.instead_edit.setText(instead)
    dialog.note_edit.setText(note)
    dialog.report_button.click()


def test_a_report_is_kept_listed_changed_taken_back_and_cited(
    answered: MainWindow, service: FakeService, qtbot: QtBot
) -> None:
    # A report is kept with what was read and where.
    report(answered, "±52", "looked up on the page")
    (mark,) = saved(service)
    assert isinstance(mark, Mark)
    assert (mark.quote, mark.note, mark.file) == ("±25", "looked up on the page", FILE)
    assert mark.colour is MarkColour.ROSE
    assert mark.cell.row == "Input offset voltage"
    assert mark.cell.column
    assert mark.cell.instead == "±52"

    # Reports stand in the list of marks.
    marks = answered.pdf_panel.side_bar.marks
    marks.show_all(is_all=True)
    (row,) = [row for row in marks.list.rows if row.key is not None]
    assert row.text == "±25"
    assert row.detail.startswith("Reported wrong: says “±52” instead")
    (placed,) = answered.pdf_panel.book.reports
    offered = entries(answered.marks.menu_of(placed.mark.id))
    assert "Take the Report Back" in offered
    marks.filter_edit.setText("reported wrong")
    assert marks.listed == (placed,)

    # A report is changed and taken back from the cell.
    menu_of(answered, 1, 3)["Change the Report …"].trigger()  # type: ignore[attr-defined]
    dialog = dialog_of(answered)
    assert dialog.instead_edit.text() == "±52"
    dialog.instead_edit.setText("±2.5")
    dialog.report_button.click()
    first, second = saved(service)
    assert first.id == second.id
    menu_of(answered, 1, 3)["Take the Report Back"].trigger()  # type: ignore[attr-defined]
    assert service.arguments_of("delete_marks") == [((first.id,),)]
    assert answered.pdf_panel.book.reports == ()

    # The cell is shown and cited as reported until it is taken back.
    report(answered, "±52")
    model = pane_of(answered).view.table_model
    assert model is not None
    said = "Reported wrong: says “±52” instead"
    assert model.report(1, 3) == said
    assert said in str(model.data(model.index(1, 3), Qt.ItemDataRole.ToolTipRole))
    assert not model.report(1, 4)
    answered.answer_panel.copy_answer()
    assert "reported wrong: says “±52” instead." in QGuiApplication.clipboard().text()
    banner = answered.message_area.banners[-1]
    banner.notice.actions[0].perform()
    qtbot.waitUntil(lambda: not model.report(1, 3))
