from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_qa.answer.compare import MAX_DOCUMENTS
from desktop_qa.core.answer_table import CellSource
from desktop_qa.core.errors import ExportError
from desktop_qa.core.progress import DocumentState
from desktop_qa.gui.comparison.comparison_view import ComparisonView
from desktop_qa.gui.evidence.evidence_link import AS_NUMBERS
from desktop_qa.gui.library.library_care import MOST_COMPARED
from desktop_qa.gui.main_window import MainWindow
from tests.gui.fake_service import FakeService, make_library, make_status
from tests.gui.patient_bot import select_documents, told
from tests.gui.sample_answers import comparison_answer, list_answer

READY = tuple(make_status(f"TI_PART{n:02d}.pdf", part_numbers=(f"PART{n:02d}",)) for n in range(14))
UNREAD = make_status("TI_LATER.pdf", DocumentState.WAITING)


@pytest.fixture
def opened(window: MainWindow, service: FakeService) -> MainWindow:
    service.open(window.session, make_library((*READY, UNREAD)))
    return window


def test_selected_documents_are_compared_if_they_are_read_and_not_too_many(
    opened: MainWindow, service: FakeService, qtbot: QtBot
) -> None:
    # Too many documents are refused with the number allowed.
    select_documents(opened, *(status.file for status in READY))
    opened.action("compare").trigger()
    assert service.arguments_of("compare") == []
    assert f"At most {MOST_COMPARED} documents" in "".join(told(opened))
    assert "14 are selected" in "".join(told(opened))

    # What was not read is left out and named.
    select_documents(opened, "TI_PART00.pdf", "TI_PART01.pdf", UNREAD.file)
    opened.action("compare").trigger()
    assert service.arguments_of("compare")[0][0] == ("TI_PART00.pdf", "TI_PART01.pdf")
    assert "LATER is left out" in "".join(told(opened))
    select_documents(opened, "TI_PART00.pdf", UNREAD.file)
    opened.action("compare").trigger()
    assert len(service.arguments_of("compare")) == 1

    # The bar appears with the second document and its button compares.
    panel = opened.library_panel
    select_documents(opened, "TI_PART00.pdf")
    assert not panel.selection_bar.isVisible()
    assert not opened.action("compare").isEnabled()
    select_documents(opened, "TI_PART00.pdf", "TI_PART02.pdf")
    assert panel.selection_bar.isVisible()
    assert panel.selection_label.text() == "2 selected"
    qtbot.mouseClick(panel.compare_button, Qt.MouseButton.LeftButton)
    assert service.arguments_of("compare")[-1] == (
        ("TI_PART00.pdf", "TI_PART02.pdf"),
        (),
        opened.session.conversation,
    )
    assert opened.answer_panel.question_label.text() == "Compare PART00 and PART02"
    service.reply(opened.session, comparison_answer(n_rows=7, n_documents=2), "compare")
    assert opened.answer_panel.parts.isVisible()
    assert not opened.session.is_asking

    # The menus compare too.
    select_documents(opened, "TI_PART00.pdf", "TI_PART01.pdf", "TI_PART02.pdf")
    index = opened.library_panel.model.index_of(READY[1].document_id)
    menu = opened.care.menu_at(index)
    action = next(a for a in menu.actions() if a.objectName() == "compare")
    assert action.text() == "Compare these 3 documents"
    service.cancelled.clear()
    action.trigger()
    opened.action("compare").trigger()
    assert service.arguments_of("compare")[-2] == service.arguments_of("compare")[-1]
    assert len(service.cancelled) == 1
    # One under way is stopped like a question.
    opened.action("stop").trigger()
    assert service.cancelled[1:] == [service.last_id("compare")]


def test_the_window_and_the_engine_agree_on_how_many_can_be_compared() -> None:
    assert MOST_COMPARED == MAX_DOCUMENTS


def test_tables_of_comparisons_are_exported_and_lead_to_documents(
    qtbot: QtBot, opened: MainWindow, service: FakeService, tmp_path: Path
) -> None:
    # A table is written by the librarys process.
    view = comparison_answer(n_rows=7, n_documents=2)
    table = view.answer.tables[0]
    opened.evidence.tables.export(table, {1: CellSource("a.pdf", 3)}, tmp_path / "table.csv")
    assert service.arguments_of("export_table") == [
        (table, {1: CellSource("a.pdf", 3)}, str(tmp_path / "table.csv"))
    ]
    service.answer("export_table", None)
    qtbot.waitUntil(lambda: "table.csv was exported." in "".join(told(opened)))
    opened.evidence.tables.export(table, {}, tmp_path / "other.csv")
    service.fail("export_table", ExportError("The disk is full.", "Free some space."))
    qtbot.waitUntil(lambda: "The disk is full." in "".join(told(opened)))

    # A cell of an earlier answers window shows its own document.
    answer = comparison_answer(n_rows=20, n_documents=3)
    opened.answer_panel.show_answer(answer)
    inside = opened.answer_panel.parts.tables[0]
    assert isinstance(inside, ComparisonView)
    inside.enlarge_button.click()
    (window,) = opened.answer_panel.parts.windows
    opened.answer_panel.show_answer(list_answer())
    with qtbot.waitSignal(opened.citations.place_shown) as shown:
        window.pane.view.cell_clicked.emit(window.pane.model.cell(1, 2))
    assert shown.args == [answer.evidence[1]]
    assert opened.answer_panel.answer_text.active_marker is None
    opened.answer_panel.forget()
    assert not opened.answer_panel.parts.windows


@pytest.mark.parametrize(("form", "method"), [(AS_NUMBERS, "export_cells"), ("", "export_table")])
def test_a_comparison_is_written_as_numbers_when_that_form_is_chosen(
    opened: MainWindow,
    service: FakeService,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    method: str,
) -> None:
    target = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), form))
    opened.answer_panel.show_answer(comparison_answer(n_rows=7, n_documents=2))
    shown = opened.answer_panel.parts.tables[0]
    assert isinstance(shown, ComparisonView)
    shown.export_button.click()
    ((first, *_rest),) = service.arguments_of(method)
    if form:
        assert first[0] == ["Parameter", "ORL3305", "ORL3306"]
