"""The list of documents driven by mouse and keys: filters, chips, folds, menus."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, Qt, QUrl
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_filter import FilterPopup
from desktop_qa.gui.library.library_model import MIME_TYPE, PREFERRED_ROLE, dragged
from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Facet,
    GroupBy,
    Narrowing,
    SortBy,
    StateKind,
)
from desktop_qa.gui.library.library_panel import LibraryPanel
from tests.gui.fake_service import STATUSES, make_status
from tests.gui.patient_bot import ask_for_menu, click_row, entry, on_screen

_Key = Qt.Key

AMPLIFIERS = tuple(
    make_status(f"amps/TI_OPA{n}.pdf", path=f"/data/sheets/amps/TI_OPA{n}.pdf", title=f"Amp {n}")
    for n in range(100, 140)
)
SENSORS = tuple(
    make_status(f"BOSCH_BME{n}.pdf", path=f"/data/sheets/BOSCH_BME{n}.pdf", vendor="Bosch")
    for n in range(10)
)
DRAGGED = (
    make_status("amps/TI_OPA4197.pdf", vendor="Texas Instruments"),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec"),
    make_status("notes.pdf", vendor=""),
)


@pytest.fixture
def panel(qtbot) -> LibraryPanel:
    made = on_screen(qtbot, LibraryPanel(), 280, 420)
    made.show_library("datasheets", (*STATUSES, *AMPLIFIERS, *SENSORS))
    made.activateWindow()
    qtbot.waitExposed(made)
    return made


def names(panel: LibraryPanel) -> list[str]:
    return [row.entry.name for row in panel.model.rows if row.entry is not None]


def go_to(panel: LibraryPanel, key: str) -> None:
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.index_of(key))


def popup_of(panel: LibraryPanel, qtbot: QtBot) -> FilterPopup:
    qtbot.mouseClick(panel.filter_bar.filter_button, Qt.MouseButton.LeftButton)
    return panel.filter_bar.popup


def click_value(qtbot: QtBot, popup: FilterPopup, value: str) -> None:
    (row,) = [item for item in popup.items() if item.text() == value]
    index = popup.filter.mapFromSource(row.index())
    popup.tree.scrollTo(index)
    click_row(qtbot, popup.tree, index)


# Filters


def test_a_tick_in_the_pop_up_counts_at_once_and_becomes_a_chip(qtbot, panel):
    popup = popup_of(panel, qtbot)
    click_value(qtbot, popup, "Bosch")
    assert len(names(panel)) == 10
    assert panel.count_label.text() == "10 of 54 documents"
    assert popup.count_label.text() == "10 of 54 documents"
    # What would list nothing cannot be ticked.
    click_value(qtbot, popup, "Needs attention")
    assert len(panel.filter_bar.flow.chips) == 1
    click_value(qtbot, popup, "Ready")
    popup.close()
    chips = panel.filter_bar.flow.chips
    assert [chip.value.value for chip in chips] == ["Ready", "Bosch"]
    qtbot.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    assert len(names(panel)) == 51
    panel.filter_bar.flow.chips[0].setFocus()
    qtbot.keyClick(panel.filter_bar.flow.chips[0], _Key.Key_Delete)
    assert panel.count_label.text() == "54 documents"
    assert not panel.filter_bar.flow.isVisible()


def test_the_pop_up_is_used_by_keys_alone(qtbot, panel):
    panel.filter_bar.filter_button.setFocus()
    qtbot.keyClick(panel.filter_bar.filter_button, _Key.Key_Space)
    popup = panel.filter_bar.popup
    qtbot.keyClick(popup.tree, _Key.Key_Space)
    assert [chip.value for chip in panel.filter_bar.flow.chips] == [
        Choice(Facet.STATE, StateKind.ATTENTION)
    ]
    qtbot.keyClick(popup.tree, _Key.Key_Escape)
    assert not popup.isVisible()


def test_the_pop_up_of_many_folders_has_a_field_to_find_one(qtbot, panel):
    more = tuple(
        make_status(f"f{n}/a{n}.pdf", path=f"/data/sheets/f{n}/a{n}.pdf", vendor=f"Vendor {n}")
        for n in range(30)
    )
    panel.update_statuses(more, ())
    popup = popup_of(panel, qtbot)
    assert popup.filter_edit.isVisible()
    qtbot.keyClicks(popup.filter_edit, "vendor 17")
    filtered = popup.filter.mapFromSource
    shown = [item.text() for item in popup.items() if filtered(item.index()).isValid()]
    assert shown == ["Vendor 17"]
    popup.close()


def test_escape_takes_the_words_away_and_then_the_choices(qtbot, panel):
    panel.filter_bar.ask("opa10", frozenset({Choice(Facet.VENDOR, "TI")}))
    panel.filter_edit.setFocus()
    assert len(names(panel)) == 10
    qtbot.keyClick(panel.filter_edit, _Key.Key_Escape)
    assert panel.filter_edit.text() == ""
    assert len(panel.filter_bar.flow.chips) == 1
    panel.tree.setFocus()
    qtbot.keyClick(panel.tree, _Key.Key_Escape)
    assert not panel.filter_bar.flow.chips
    assert panel.count_label.text() == "54 documents"


def test_an_empty_result_offers_to_drop_what_hides_the_documents(qtbot, panel):
    choices = {Choice(Facet.VENDOR, "Bosch"), Choice(Facet.STATE, StateKind.READY)}
    panel.filter_bar.ask("opa11", frozenset(choices))
    assert not panel.tree.isVisible()
    assert panel.no_match.label.text() == ("No document matches “opa11” with “Ready” with “Bosch”.")
    texts = [button.text() for button in panel.no_match.buttons]
    assert texts == [
        "Drop “opa11”: 10 documents",
        "Drop “Bosch”: 10 documents",
        "Show all 54 documents",
    ]
    qtbot.mouseClick(panel.no_match.buttons[1], Qt.MouseButton.LeftButton)
    assert names(panel) == [f"OPA{n}" for n in range(110, 120)]
    assert panel.filter_edit.text() == "opa11"
    panel.filter_bar.ask("zzz", frozenset())
    qtbot.mouseClick(panel.no_match.buttons[0], Qt.MouseButton.LeftButton)
    assert panel.count_label.text() == "54 documents"


def test_enter_in_the_field_opens_the_only_document_that_is_left(qtbot, panel):
    qtbot.keyClicks(panel.filter_edit, "opa123")
    with qtbot.waitSignal(panel.document_activated) as opened:
        qtbot.keyClick(panel.filter_edit, _Key.Key_Return)
    assert opened.args[0].file == "amps/TI_OPA123.pdf"
    panel.filter_edit.setText("bme")
    panel.filter_edit.setFocus()
    qtbot.keyClick(panel.filter_edit, _Key.Key_Down)
    assert panel.tree.hasFocus()


def test_found_words_are_drawn_bold(panel):
    panel.filter_edit.setText("bme3")
    index = panel.model.index_of(DocumentId("BOSCH_BME3.pdf"))
    with_words = panel.tree.viewport().grab(panel.tree.visualRect(index)).toImage()
    panel.model.order.narrow(Narrowing())
    panel.tree.viewport().update()
    plain = panel.tree.viewport().grab(panel.tree.visualRect(index)).toImage()
    assert with_words != plain


@pytest.mark.parametrize(
    ("name", "moves"), [("OPA7", False), ("OPA7_A_NAME_AS_LONG_AS_THE_ROW", True)]
)
def test_a_name_takes_the_room_of_a_word_that_its_row_does_not_have(qtbot, name, moves):
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.resize(272, 300)
    waiting = replace(make_status("TI_ADS1.pdf"), state=DocumentState.WAITING)
    panel.show_library("datasheets", (make_status(f"TI_{name}.pdf"), waiting))
    panel.show()
    index = panel.model.index_of(DocumentId(f"TI_{name}.pdf"))
    rect = panel.tree.visualRect(index)
    beside_a_word = panel.tree.viewport().grab(rect).toImage()
    panel._delegate.show_words(set())
    panel.tree.viewport().update()
    alone = panel.tree.viewport().grab(rect).toImage()
    assert (beside_a_word == alone) is moves


# Keys in the list


@pytest.fixture
def slow_typing(qapp) -> Iterator[None]:
    """Let letters belong to one word however long a busy machine takes from one to the next."""
    usual = qapp.keyboardInputInterval()
    qapp.setKeyboardInputInterval(60_000)
    yield
    qapp.setKeyboardInputInterval(usual)


def test_left_and_right_and_space_fold_groups(qtbot, panel):
    go_to(panel, "BOSCH_BME4.pdf")
    qtbot.keyClick(panel.tree, _Key.Key_Left)
    row = panel.model.row_at(panel.tree.currentIndex())
    assert row.heading == "Bosch"
    told: list[Arrangement] = []
    panel.arrangement_changed.connect(told.append)
    qtbot.keyClick(panel.tree, _Key.Key_Left)
    assert "BME4" not in names(panel)
    assert told[-1].collapsed == {"vendor:Bosch"}
    spoken = panel.tree.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Bosch, 10 documents, collapsed"
    qtbot.keyClick(panel.tree, _Key.Key_Right)
    assert "BME4" in names(panel)
    qtbot.keyClick(panel.tree, _Key.Key_Space)
    assert "BME4" not in names(panel)
    qtbot.keyClick(panel.tree, _Key.Key_Return)
    assert "BME4" in names(panel)


def test_letters_typed_into_the_list_go_to_the_name(qtbot, panel, slow_typing):
    panel.tree.setFocus()
    qtbot.keyClicks(panel.tree, "opa12")
    assert panel.current_status.file == "amps/TI_OPA120.pdf"


def test_shift_and_arrows_select_several(qtbot, panel):
    go_to(panel, "BOSCH_BME2.pdf")
    shift = Qt.KeyboardModifier.ShiftModifier
    for _ in range(2):
        qtbot.keyClick(panel.tree, _Key.Key_Down, shift)
    assert [s.file for s in panel.selected_statuses] == [f"BOSCH_BME{n}.pdf" for n in (2, 3, 4)]
    assert panel.selection_bar.isVisible()


def test_the_menu_key_asks_for_the_menu_of_the_current_row(qtbot, panel):
    go_to(panel, "BOSCH_BME2.pdf")
    with qtbot.waitSignal(panel.tree.menu_requested) as asked:
        ask_for_menu(panel.tree.viewport(), QPoint(1, 1), by_key=True)
    index, place = asked.args
    assert index.row() == panel.tree.currentIndex().row()
    inside = panel.tree.viewport().mapFromGlobal(place)
    assert panel.tree.visualRect(index).contains(inside)


def test_a_click_on_a_heading_folds_it(qtbot, panel):
    click_row(qtbot, panel.tree, panel.model.index_of("vendor:Bosch"))
    assert "BME4" not in names(panel)


# What stays while documents change


def test_selection_and_place_stay_while_documents_come_and_change(panel):
    selection = panel.tree.selectionModel()
    for file in ("amps/TI_OPA120.pdf", "amps/TI_OPA122.pdf"):
        index = panel.model.index_of(DocumentId(file))
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)
    panel.tree.scrollTo(panel.model.index_of(DocumentId("amps/TI_OPA121.pdf")))
    before = panel.tree.visualRect(panel.model.index_of(DocumentId("amps/TI_OPA121.pdf"))).top()
    assert panel.tree.verticalScrollBar().value() > 0
    new = tuple(make_status(f"ADI_AD{n}.pdf", vendor="Analog Devices") for n in range(20))
    changed = replace(AMPLIFIERS[20], state=DocumentState.READING, n_pages_read=3)
    panel.update_statuses((*new, changed), (DocumentId("BOSCH_BME1.pdf"),))
    after = panel.tree.visualRect(panel.model.index_of(DocumentId("amps/TI_OPA121.pdf"))).top()
    assert after == before
    assert {s.file for s in panel.selected_statuses} == {
        "amps/TI_OPA120.pdf",
        "amps/TI_OPA122.pdf",
    }


def test_a_state_that_changes_in_its_place_resets_nothing(qtbot, panel):
    resets: list[str] = []
    panel.model.modelReset.connect(lambda: resets.append("reset"))
    panel.model.layoutChanged.connect(lambda: resets.append("layout"))
    changed = replace(AMPLIFIERS[3], state=DocumentState.PARTIAL)
    with qtbot.waitSignal(panel.model.dataChanged) as told:
        panel.update_statuses((changed,), ())
    assert told.args[0].data() == "OPA103"
    assert resets == []


def test_folded_groups_stay_folded_when_documents_come(panel):
    panel.fold(panel.model.index_of("vendor:TI"))
    panel.update_statuses((make_status("TI_NEW1.pdf"),), ())
    assert "NEW1" not in names(panel)
    row = panel.model.row_at(panel.model.index_of("vendor:TI"))
    assert row.n_under == 43


def test_a_large_library_comes_in_steps_and_waits_for_nobody(qtbot, panel):
    many = tuple(make_status(f"TI_LM{n}.pdf") for n in range(2000))
    panel.show_library("large", ())
    panel.show_library("large", many)
    assert panel.loading.is_active
    qtbot.waitUntil(lambda: panel.count_label.text() == "2000 documents")
    assert len(names(panel)) == 2000
    panel.show_library("large", ())
    panel.show_library("large", many)
    panel.select_document(DocumentId("TI_LM1999.pdf"))
    assert panel.current_status is not None


def test_a_large_library_has_its_stars_when_it_is_there(qtbot, panel):
    many = tuple(make_status(f"TI_LM{n}.pdf", vendor="TI") for n in range(2000))
    panel.show_library("large", ())
    panel.show_library("large", many)
    panel.model.mark_preferred(("/TI_LM7.pdf", "vendor:TI"))
    assert panel.loading.is_active
    qtbot.waitUntil(lambda: not panel.loading.is_active)
    assert panel.model.index_of(DocumentId("TI_LM7.pdf")).data(PREFERRED_ROLE)
    assert panel.model.index_of("vendor:TI").data(PREFERRED_ROLE)


def test_rows_are_not_all_looked_at_when_the_same_sources_are_preferred(qtbot, panel):
    with qtbot.waitSignal(panel.model.dataChanged):
        panel.model.mark_preferred(("vendor:Bosch",))
    with qtbot.assertNotEmitted(panel.model.dataChanged):
        panel.model.mark_preferred(("vendor:Bosch",))
    with qtbot.waitSignal(panel.model.dataChanged):
        panel.model.mark_preferred(())


# Revisions and places


def revision_of(letter: str, date: str) -> DocumentStatus:
    return make_status(
        f"ACM1_{letter}.pdf",
        vendor="Acme",
        title="ACM1 Amplifier",
        part_numbers=("ACM1",),
        revision=f"Rev. {letter}",
        date=date,
        n_segments=4,
    )


def test_older_revisions_unfold_by_their_chevron_and_by_keys(qtbot, panel):
    panel.update_statuses((revision_of("A", "2011"), revision_of("B", "2014")), ())
    assert "ACM1_A" not in names(panel)
    index = panel.model.index_of(DocumentId("ACM1_B.pdf"))
    assert "1 older revision folded" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    go_to(panel, "ACM1_B.pdf")
    qtbot.keyClick(panel.tree, _Key.Key_Right)
    assert "ACM1_A" in names(panel)
    qtbot.keyClick(panel.tree, _Key.Key_Right)
    assert panel.current_status.file == "ACM1_A.pdf"
    qtbot.keyClick(panel.tree, _Key.Key_Left)
    assert panel.current_status.file == "ACM1_B.pdf"
    qtbot.keyClick(panel.tree, _Key.Key_Left)
    assert "ACM1_A" not in names(panel)


def test_tool_tips_give_path_and_title(panel):
    index = panel.model.index_of(DocumentId("amps/TI_OPA120.pdf"))
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("/data/sheets/amps/TI_OPA120.pdf\nAmp 120")


def test_the_menu_groups_and_sorts(panel):
    menu = panel.arrange_menu
    menu.groups[GroupBy.NONE].trigger()
    menu.sorts[SortBy.PAGES].trigger()
    menu.aboutToShow.emit()
    assert menu.descending.isChecked()
    assert names(panel)[0] == "BOSCH_BME280"
    menu.descending.trigger()
    assert names(panel)[-1] == "internal_spec"
    menu.groups[GroupBy.VENDOR].trigger()
    entry(menu, "collapse").trigger()
    assert names(panel) == []


def test_documents_and_vendors_are_dragged_as_patterns(qtbot):
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_library("datasheets", DRAGGED)
    assert panel.tree.dragEnabled()
    keys = ("BOSCH_BME280.pdf", "vendor:Texas Instruments", "vendor:Other files")
    document, vendor, others = map(panel.model.index_of, keys)
    data = panel.model.mimeData([document, vendor])
    gc.collect()
    assert {(entry.pattern, entry.label) for entry in dragged(data)} == {
        ("/BOSCH_BME280.pdf", "BME280"),
        ("vendor:Texas Instruments", "Texas Instruments"),
    }
    # No addresses of files: those would be taken in as new documents.
    assert not data.hasUrls()
    # Files without a vendor are no group to drag.
    assert dragged(panel.model.mimeData([others])) == ()


def test_other_data_is_nothing_of_a_library():
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/documents/x.pdf")])
    damaged = QMimeData()
    damaged.setData(MIME_TYPE, b"[1, 2")
    assert dragged(files) == dragged(damaged) == ()
