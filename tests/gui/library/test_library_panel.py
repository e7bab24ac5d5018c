from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop_qa.answer.compare import MAX_DOCUMENTS
from desktop_qa.core.answer_table import CellSource
from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import DocumentId, Doubt, PageFailure, ReadingScore
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.evidence.evidence_link import AS_NUMBERS
from desktop_qa.gui.library.details_dialog import DetailsDialog
from desktop_qa.gui.library.empty_state import EmptyState, StartPage
from desktop_qa.gui.library.library_care import MOST_COMPARED
from desktop_qa.gui.library.library_link import LibraryLink
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.library_words import describe, explain, name_of, pages_text
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.status_line import StatusLine
from tests.gui.fake_service import STATUSES, make_library, make_status
from tests.gui.patient_bot import (
    click_row,
    entry,
    on_screen,
    save_as,
    select_documents,
    told,
)
from tests.gui.sample_answers import comparison_answer, list_answer

READY = tuple(make_status(f"TI_PART{n:02d}.pdf", part_numbers=(f"PART{n:02d}",)) for n in range(14))
UNREAD = make_status("TI_LATER.pdf", DocumentState.WAITING)
PARTLY = make_status(
    "TI_LM35.pdf",
    DocumentState.PARTIAL,
    title="LM35 Precision Temperature Sensors",
    revision="SNIS159H",
    date="2017-12",
    part_numbers=("LM35",),
    n_segments=80,
    page_failures=(PageFailure(9, "it was cut short"), PageFailure(3, "it has no text")),
    read_by="parser 30; segmenter 9",
    read_at=1_700_000_000.0,
)
DETAILS = DocumentDetails(
    status=PARTLY,
    places=(FilePlace("/documents/TI_LM35.pdf", "/documents", 1_234_567, 1_600_000_000.0),),
    kind="datasheet",
    n_words=12_345,
    pages_without_text=(3,),
    problems=(PageFailure(3, "it has no text"), PageFailure(9, "it was cut short")),
    seconds=12.4,
    kept_bytes=640,
)


@pytest.fixture
def panel(qtbot) -> LibraryPanel:
    made = on_screen(qtbot, LibraryPanel(), 280, 600)
    made.show_library("datasheets", STATUSES)
    return made


def rows(panel: LibraryPanel) -> dict[str, list[tuple[str, str, str]]]:
    tree: dict[str, list[tuple[str, str, str]]] = {}
    for number, row in enumerate(panel.model.rows):
        index = panel.model.index(number)
        if row.entry is None:
            heading = tree.setdefault(str(index.data()), [])
        else:
            pages, state = pages_text(row.entry.status), row.entry.state_word
            heading.append((str(index.data()), pages, state))
    return tree


def index_of(panel: LibraryPanel, file: str) -> QModelIndex:
    return panel.model.index_of(DocumentId(file))


def test_documents_stand_under_their_vendor_with_pages_and_state(panel):
    assert rows(panel) == {
        "TI": [("ADS1115", "49 p", "indexing"), ("OPA4197", "49 p", "ready")],
        "Not read yet": [("BOSCH_BME280", "60 p", "reading 34")],
        "Other files": [("internal_spec", "?", "password")],
    }
    assert panel.count_label.text() == "4 documents"


def test_a_document_that_moves_stays_the_current_one(panel):
    panel.select_document(DocumentId("BOSCH_BME280.pdf"))
    selected: list[DocumentStatus] = []
    panel.document_selected.connect(selected.append)
    panel.update_statuses((make_status("BOSCH_BME280.pdf", vendor="Bosch", n_pages=60),), ())
    assert panel.current_status.file == "BOSCH_BME280.pdf"
    assert selected == []


def test_names_sort_as_people_count(panel):
    panel.show_library("x", tuple(make_status(f"TI_LM{n}.pdf") for n in (358, 7805, 35)))
    assert [name for name, _, _ in rows(panel)["TI"]] == ["LM35", "LM358", "LM7805"]


@pytest.mark.parametrize(
    ("file", "vendor", "name"),
    [
        ("TI_OPA4197.pdf", "TI", "OPA4197"),
        ("TI_OPA4197.pdf", "Texas Instruments", "OPA4197"),
        ("ADI_AD8418A.pdf", "Analog Devices", "AD8418A"),
        ("BOSCH_BME280.pdf", "Bosch Sensortec", "BME280"),
        ("my_notes.pdf", "TI", "my_notes"),
        ("sub/folder/manual.pdf", "", "manual"),
    ],
)
def test_a_name_does_not_repeat_the_vendor_above_it(file, vendor, name):
    assert name_of(make_status(file, vendor=vendor)) == name


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("line\nbreak\t2.pdf", "line break 2"),
        ("\u202egnp.fdp\u202c.pdf", "gnp.fdp"),
        ("datasheet 🚀.pdf", "datasheet 🚀"),
        ("תכונות.pdf", "תכונות"),
    ],
)
def test_a_name_stays_on_its_line_and_turns_nothing_beside_it(file, name):
    assert name_of(make_status(file, vendor="")) == name


def test_the_filter_for_attention_is_taken_away_by_its_chip(qtbot, panel):
    panel.show_attention()
    assert list(rows(panel)) == ["Other files"]
    (chip,) = panel.filter_bar.flow.chips
    assert chip.text().startswith("Needs attention")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert panel.count_label.text() == "4 documents"
    assert not panel.filter_bar.flow.chips


def test_enter_opens_the_selected_document(qtbot, panel):
    panel.tree.setCurrentIndex(index_of(panel, "TI_OPA4197.pdf"))
    with qtbot.waitSignal(panel.document_activated) as opened:
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert opened.args == [STATUSES[0]]


def test_a_failed_document_tells_reason_and_hint_and_can_be_tried_again(panel, make_parts, service):
    around = {"empty_state": EmptyState(), "start_page": StartPage(), "status_line": StatusLine()}
    _link = LibraryLink(make_parts(library_panel=panel, **around))
    panel.tree.setCurrentIndex(index_of(panel, "internal_spec.pdf"))
    assert panel.detail_title.text() == "internal_spec: password"
    expected = "The file is protected by a password. Save a copy without the password."
    assert panel.detail_text.text() == expected
    panel.retry_button.click()
    assert service.arguments_of("read_again") == [((DocumentId("internal_spec.pdf"),),)]
    panel.tree.setCurrentIndex(index_of(panel, "TI_OPA4197.pdf"))
    assert not panel.detail_frame.isVisible()


def test_following_a_citation_selects_the_document_without_its_details(panel):
    panel.select_document(DocumentId("internal_spec.pdf"))
    assert panel.current_status == STATUSES[3]
    assert not panel.detail_frame.isVisible()
    panel.tree.clicked.emit(index_of(panel, "internal_spec.pdf"))
    assert panel.detail_frame.isVisible()


def test_pages_that_lack_are_named_and_those_that_kept_their_words_not_called_unread():
    scans, drawn = PageFailure(2, "scan"), PageFailure(7, "too many drawings", has_text=True)
    failures = (scans, PageFailure(3, "scan"), drawn)
    status = make_status("a.pdf", DocumentState.PARTIAL, reason="Lacks.", page_failures=failures)
    assert explain(status) == "Lacks.\nPages not read: 2, 3.\nPage read in part: 7."
    assert "Partly" in describe(status)


def test_the_same_file_in_two_places_is_said():
    status = DocumentStatus(
        DocumentId("a"), "a.pdf", ("a.pdf", "copy/a.pdf"), "/a.pdf", DocumentState.READY
    )
    assert explain(status) == "The same file also stands at copy/a.pdf."


def test_screen_readers_hear_name_vendor_pages_and_state(panel):
    text = index_of(panel, "TI_OPA4197.pdf").data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "OPA4197, TI, 49 pages, ready"


def test_every_state_looks_different(panel):
    pictures = set()
    for state in DocumentState:
        panel.show_library("x", (make_status("a.pdf", state, vendor=""),))
        image = panel.tree.viewport().grab().toImage()
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == len(DocumentState)


def test_a_page_brought_by_a_key_selects_its_document_alone(qtbot, panel):
    """A shortcut with Ctrl or Shift must not add to the selection, as clicks with them do."""
    panel.select_document(DocumentId("TI_ADS1115.pdf"))
    for modifier in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier):
        qtbot.keyPress(panel, Qt.Key.Key_F13, modifier)
        assert QGuiApplication.keyboardModifiers() == modifier
        panel.select_document(DocumentId("TI_OPA4197.pdf"))
        assert [status.file for status in panel.selected_statuses] == ["TI_OPA4197.pdf"]
        qtbot.keyRelease(panel, Qt.Key.Key_F13)
        panel.select_document(DocumentId("TI_ADS1115.pdf"))


DOUBTFUL = make_status(
    "a.pdf",
    vendor="",
    reading=ReadingScore(0.4, (Doubt(2, "Table 1: 9 of 12 cells may stand elsewhere"),)),
)


def test_a_document_read_with_doubts_has_a_mark_of_its_own_and_says_where(panel):
    pictures = set()
    for status in (DOUBTFUL, replace(DOUBTFUL, reading=ReadingScore(0.97))):
        panel.show_library("x", (status,))
        pictures.add(bytes(panel.tree.viewport().grab().toImage().constBits()))
    assert len(pictures) == 2
    panel.show_library("x", (DOUBTFUL,))
    panel.tree.clicked.emit(index_of(panel, "a.pdf"))
    assert panel.detail_title.text() == "a: read with doubts"
    assert "Page in doubt: 2." in panel.detail_text.text()
    assert not panel.retry_button.isVisible()
    assert "Read with doubts" in describe(DOUBTFUL)


@pytest.fixture
def opened(window, service) -> MainWindow:
    service.open(window.session, make_library((*READY, UNREAD)))
    return window


def test_selected_documents_are_compared_if_they_are_read_and_not_too_many(opened, service, qtbot):
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
    action = entry(opened.care.menu_at(index), "compare")
    assert action.text() == "Compare these 3 documents"
    service.cancelled.clear()
    action.trigger()
    opened.action("compare").trigger()
    assert service.arguments_of("compare")[-2] == service.arguments_of("compare")[-1]
    assert len(service.cancelled) == 1
    # One under way is stopped like a question.
    opened.action("stop").trigger()
    assert service.cancelled[1:] == [service.last_id("compare")]


def test_the_window_and_the_engine_agree_on_how_many_can_be_compared():
    assert MOST_COMPARED == MAX_DOCUMENTS


def test_tables_of_comparisons_are_exported_and_lead_to_documents(qtbot, opened, service, tmp_path):
    # A table is written by the librarys process.
    view = comparison_answer(n_rows=7, n_documents=2)
    table = view.answer.tables[0]
    opened.evidence.tables.export(table, {1: CellSource("a.pdf", 3)}, tmp_path / "table.csv")
    assert service.arguments_of("export_table") == [
        (table, {1: CellSource("a.pdf", 3)}, str(tmp_path / "table.csv"))
    ]
    service.answer("export_table", None)
    qtbot.waitUntil(lambda: "table.csv was exported." in "".join(told(opened)))

    # A cell of an earlier answers window shows its own document.
    answer = comparison_answer(n_rows=20, n_documents=3)
    opened.answer_panel.show_answer(answer)
    inside = opened.answer_panel.parts.tables[0]
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
    opened, service, tmp_path, monkeypatch, form, method
):
    target = tmp_path / "table.csv"
    save_as(monkeypatch, target, form)
    opened.answer_panel.show_answer(comparison_answer(n_rows=7, n_documents=2))
    shown = opened.answer_panel.parts.tables[0]
    shown.export_button.click()
    ((first, *_rest),) = service.arguments_of(method)
    if form:
        assert first[0] == ["Parameter", "ORL3305", "ORL3306"]


@pytest.fixture
def dialog(qtbot, session) -> Iterator[DetailsDialog]:
    """The details of a document, the rest of them asked for."""
    parent = QWidget()
    qtbot.addWidget(parent)
    made = DetailsDialog(session, parent)
    made.show_document(PARTLY)
    yield made
    parent.close()


def test_what_is_known_stands_at_once_and_the_rest_comes_from_the_library(qtbot, dialog, service):
    assert not dialog.isModal()
    assert dialog.title_label.text() == "LM35 Precision Temperature Sensors"
    assert dialog.note_label.text().startswith("Looking up")
    assert service.arguments_of("details") == [("TI_LM35.pdf",)]
    service.answer("details", DETAILS)
    qtbot.waitUntil(lambda: dialog.problems.count() == 2)
    assert dialog.note_label.isHidden()
    dialog.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    for part in ("SNIS159H", "2017-12", "12,345", "1.2 MB", "parser 30", "12 s", "1 (3)"):
        assert part in copied
    assert dialog.problems.item(0).text() == "Page 3: it has no text (not searched)"
    with qtbot.waitSignal(dialog.page_requested) as asked:
        click_row(qtbot, dialog.problems, dialog.problems.model().index(1, 0))
    assert asked.args == ["/documents/TI_LM35.pdf", 9]


def test_details_that_fail_say_why_and_are_tried_again(qtbot, dialog, service):
    service.fail("details", LibraryError("The disk is gone.", "Connect it."))
    qtbot.waitUntil(dialog.try_button.isVisible)
    assert dialog.note_label.text() == "The disk is gone. Connect it."
    dialog.try_button.click()
    assert len(service.arguments_of("details")) == 2


def test_details_follow_a_document_that_was_read_again(dialog, session, service):
    dialog.read_again_button.click()
    assert service.arguments_of("read_again") == [(("TI_LM35.pdf",),)]
    session.take((replace(PARTLY, state=DocumentState.READY, page_failures=()),), ())
    assert len(service.arguments_of("details")) == 2
    session.take((), (PARTLY.document_id,))
    assert not dialog.isVisible()


def test_what_is_in_doubt_stands_with_its_page_and_is_copied(qtbot, dialog, service):
    doubts = (Doubt(4, "Table 1: 9 of 12 cells may stand elsewhere"),)
    status = replace(PARTLY, reading=ReadingScore(0.44, doubts))
    service.answer("details", replace(DETAILS, status=status, problems=()))
    qtbot.waitUntil(lambda: dialog.problems.count() == 1)
    assert dialog.problems.item(0).text() == "Page 4: Table 1: 9 of 12 cells may stand elsewhere"
    dialog.copy_button.click()
    assert "Reading score: 0.44" in QGuiApplication.clipboard().text()
