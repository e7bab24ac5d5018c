from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from desktop_qa.core.progress import DocumentState
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.asking.scope_bar import ScopeBar, ScopePopup
from desktop_qa.gui.focus_order import focus_order
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry, vendor_entry
from desktop_qa.gui.widgets.tick_popup import Chip
from tests.gui.fake_service import make_status
from tests.gui.patient_bot import click_row, on_screen

LIBRARY = (
    make_status("amps/TI_OPA4197.pdf", vendor="Texas Instruments", n_segments=1),
    make_status("amps/TI_LM324.pdf", vendor="Texas Instruments", n_segments=1),
    make_status("BOSCH_BME280.pdf", vendor="Bosch Sensortec", n_segments=1),
    make_status("locked.pdf", DocumentState.FAILED, vendor="", n_pages=0),
)
SOURCES = (SourceFolder("/documents", True),)


@pytest.fixture
def box(qtbot) -> AskBox:
    made = on_screen(qtbot, AskBox(), 600, 120)
    made.scope_bar.show_library(LIBRARY, SOURCES)
    return made


@pytest.fixture
def bar(box) -> ScopeBar:
    return box.scope_bar


@pytest.fixture
def popup(qtbot, bar) -> ScopePopup:
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert bar.popup.isVisible()
    return bar.popup


def chips(bar: ScopeBar) -> list[Chip]:
    return [c for c in bar.findChildren(Chip) if c.isVisible()]


def rows(popup: ScopePopup) -> dict[str, list[str]]:
    shown = popup.filter
    found = {}
    for top in range(shown.rowCount()):
        heading = shown.index(top, 0)
        children = [shown.index(row, 0, heading) for row in range(shown.rowCount(heading))]
        found[str(heading.data())] = [str(child.data()) for child in children]
    return found


def row_of(popup: ScopePopup, text: str) -> QModelIndex:
    (found,) = popup.filter.match(
        popup.filter.index(0, 0), Qt.ItemDataRole.DisplayRole, text, 1,
        Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive,
    )  # fmt: skip
    return found


def click(qtbot: QtBot, popup: ScopePopup, text: str) -> None:
    click_row(qtbot, popup.tree, row_of(popup, text))


def test_everything_is_asked_until_something_is_chosen(box, bar):
    assert box.scope == ()
    assert bar.button.text() == "All documents  ▾"
    assert chips(bar) == []


def test_the_list_has_folders_vendors_and_documents(popup):
    assert rows(popup) == {
        "Folders": ["amps  (2)"],
        "Vendors": ["Bosch Sensortec  (1)", "Texas Instruments  (2)"],
        "Documents": ["BME280", "LM324", "locked", "OPA4197"],
    }
    assert popup.count_label.text() == "All documents are searched"
    assert not popup.clear_button.isEnabled()


def test_several_sources_are_folders_of_their_own(bar):
    bar.show_library(LIBRARY, (*SOURCES, SourceFolder("/more/sheets", True)))
    bar.open_list()
    assert rows(bar.popup)["Folders"] == ["documents  (4)", "sheets  (0)", "amps  (2)"]


def test_ticks_become_chips_and_chips_leave(qtbot, box, bar, popup):
    click(qtbot, popup, "Bosch")
    click(qtbot, popup, "OPA4197")
    assert popup.count_label.text() == "2 of 4 documents searched"
    assert box.scope == ("vendor:Bosch Sensortec", "/amps/TI_OPA4197.pdf")
    assert [chip.text() for chip in chips(bar)] == ["Bosch Sensortec  ✕", "OPA4197  ✕"]
    click(qtbot, popup, "Bosch")
    assert box.scope == ("/amps/TI_OPA4197.pdf",)
    popup.close()
    qtbot.mouseClick(chips(bar)[0], Qt.MouseButton.LeftButton)
    assert box.scope == ()


def test_a_click_on_the_box_ticks_once(qtbot, box, popup):
    rect = popup.tree.visualRect(row_of(popup, "Bosch"))
    place = rect.center()
    place.setX(rect.left() + 8)
    qtbot.mouseClick(popup.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert box.scope == ("vendor:Bosch Sensortec",)


def test_a_document_without_content_cannot_be_ticked(qtbot, box, popup):
    click(qtbot, popup, "locked")
    assert box.scope == ()


def test_the_keyboard_alone_is_enough(qtbot, box, popup):
    qtbot.keyClicks(popup.filter_edit, "opa")
    assert rows(popup) == {"Documents": ["OPA4197"]}
    qtbot.keyClick(popup.filter_edit, Qt.Key.Key_Return)
    assert box.scope == ("/amps/TI_OPA4197.pdf",)
    popup.filter_edit.clear()
    qtbot.keyClick(popup.filter_edit, Qt.Key.Key_Down)
    assert popup.tree.currentIndex().data() == "amps  (2)"
    qtbot.keyClick(popup.tree, Qt.Key.Key_Space)
    assert box.scope == ("/amps/TI_OPA4197.pdf", "/amps")
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_what_is_ticked_stays_in_sight_of_the_filter(qtbot, bar, popup):
    click(qtbot, popup, "Bosch")
    qtbot.keyClicks(popup.filter_edit, "lm324")
    assert rows(popup) == {"Vendors": ["Bosch Sensortec  (1)"], "Documents": ["LM324"]}


def test_all_documents_takes_every_tick_away(qtbot, box, popup):
    click(qtbot, popup, "Bosch")
    click(qtbot, popup, "amps")
    qtbot.mouseClick(popup.clear_button, Qt.MouseButton.LeftButton)
    assert box.scope == ()
    assert popup.chosen == ()


def test_the_question_gets_the_keyboard_back(qtbot, box, popup):
    with qtbot.waitSignal(box.scope_bar.popup.closed):
        popup.close()
    assert box.focusWidget() is box.edit


def test_chips_without_room_are_counted(bar):
    bar.set_entries(ScopeEntry(f"/{i}", f"a_rather_long_name_of_a_document_{i}") for i in range(9))
    shown = chips(bar)
    assert 1 <= len(shown) < 9
    assert all("…" in chip.text() for chip in shown)
    assert bar.more_button.text() == f"+{9 - len(shown)}"
    assert bar.more_button.geometry().right() <= bar.width()
    bar.set_entries([document_entry(LIBRARY[0])])
    assert not bar.more_button.isVisible()


def test_what_is_gone_stays_a_chip_and_says_so(bar):
    bar.set_entries([vendor_entry("Bosch Sensortec"), vendor_entry("Gone Semiconductor")])
    tips = [chip.toolTip() for chip in chips(bar)]
    assert "1 document" in tips[0]
    assert "not in the library any more" in tips[1]


def test_delete_leaves_a_chip_out(qtbot, box, bar):
    bar.set_entries([vendor_entry("Bosch Sensortec"), document_entry(LIBRARY[0])])
    qtbot.keyClick(chips(bar)[0], Qt.Key.Key_Delete)
    assert box.scope == ("/amps/TI_OPA4197.pdf",)


def test_tab_goes_from_the_button_over_the_chips_to_the_question(box, bar):
    bar.set_entries([vendor_entry("Bosch Sensortec"), document_entry(LIBRARY[0])])
    modes = box.mode_switch.buttons.values()
    assert focus_order(box) == [bar.button, *chips(bar), *modes, box.edit, box.ask_button]


def test_an_ampersand_is_no_shortcut(bar):
    bar.set_entries([ScopeEntry("/a", "A & B")])
    assert chips(bar)[0].text() == "A && B  ✕"
