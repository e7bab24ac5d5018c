from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QShortcut
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId, PageFailure
from desktop_qa.core.errors import NotReadError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.view import ChapterEntry, StructureView, TableEntry
from desktop_qa.gui.structure import structure_model
from desktop_qa.gui.structure.structure_model import (
    THUMBNAIL,
    Row,
    RowKind,
    arrow_rect,
    pages_of,
    rows_of,
    tool_tip,
)
from desktop_qa.gui.structure.structure_panel import StructurePanel
from tests.gui.fake_service import make_status, place
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import write_picture
from tests.gui.structures import indexes, make_structure, message_of, reading_row

STATUS = make_status("TI_OPA4197.pdf", n_segments=9)


@pytest.fixture(autouse=True)
def one_turn(monkeypatch) -> None:
    """Let a small structure be there at once, also where a busy machine stands still meanwhile."""
    monkeypatch.setattr(structure_model, "_TURN_S", 600.0)


@pytest.fixture
def empty(qtbot) -> StructurePanel:
    return on_screen(qtbot, StructurePanel(), 300, 700)


@pytest.fixture
def panel(qtbot, empty) -> StructurePanel:
    show(qtbot, empty, make_structure())
    return empty


def show(qtbot: QtBot, panel: StructurePanel, view: StructureView) -> None:
    assert panel.show_document(STATUS)
    with qtbot.waitSignal(panel.tree.model().modelReset):
        panel.show_structure(view)


def texts(panel: StructurePanel) -> list[str]:
    return [str(index.data()) for index in indexes(panel)]


def index_of(panel: StructurePanel, text: str) -> QModelIndex:
    return next(index for index in indexes(panel) if str(index.data()).startswith(text))


def click(qtbot: QtBot, panel: StructurePanel, text: str) -> None:
    rect = panel.tree.visualRect(index_of(panel, text))
    at = QPoint(120, rect.center().y())
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)


# The rows


def test_chapters_tables_and_figures_stand_in_groups_boilerplate_last(panel):
    assert texts(panel) == [
        "Chapters",
        "1 Features",
        "6 Specifications",
        "6.1 Absolute Maximum Ratings",
        "6.2 Electrical Characteristics: VS = ±4 V to ±18 V",
        "7 Detailed Description",
        "2 Revision History",
        "Tables",
        "Absolute maximum",
        "6.2 Electrical Characteristics: VS = ±4 V to ±18 V",
        "Orderable parts",
        "Figures",
        "Pinout",
        "Figure",
    ]
    assert panel.name_label.text() == "OPA4197"
    assert panel.pages_label.text() == "49 pages"
    buttons = panel.jump_buttons
    assert [buttons[kind].text() for kind in RowKind] == ["Chapters 6", "Tables 3", "Figures 2"]
    assert message_of(panel) == ""
    assert panel.note_label.isHidden()


def test_rows_say_where_and_how_large():
    rows = {(row.kind, row.index): row for row in rows_of(make_structure())}
    assert rows[RowKind.CHAPTER, 3].pages == "5"
    assert rows[RowKind.CHAPTER, 3].depth == 1
    assert rows[RowKind.TABLE, 0].detail == "Table 6-1 · 10 × 5"
    assert rows[RowKind.TABLE, 1].detail == "35 × 7"
    assert rows[RowKind.TABLE, 1].is_borrowed
    assert rows[RowKind.TABLE, 2].boilerplate
    assert rows[RowKind.FIGURE, 0].detail == "Figure 1"
    assert pages_of((*place(4), *place(5), *place(5))) == "4–5"
    assert pages_of(()) == ""


def test_tool_tips_tell_everything_and_take_titles_for_text():
    rows = list(rows_of(make_structure()))
    table = next(row for row in rows if row.detail.startswith("Table 6-1"))
    assert tool_tip(table) == (
        "<b>Absolute maximum</b><br>Table 6-1 · 10 rows × 5 columns · page 5"
    )
    odd = Row(RowKind.CHAPTER, 0, "<i>a&b", "3", (), True)
    assert tool_tip(odd) == (
        "<b>&lt;i&gt;a&amp;b</b><br>page 3 · legal, ordering or packaging matter"
    )


def test_soft_hyphens_are_found_as_hyphens(qtbot, empty):
    entry = ChapterEntry("1", "ESP32\xadS3  Comparison", 1, -1, place(1), False)
    show(qtbot, empty, StructureView(DocumentId("a"), "", 1, (entry,), (), ()))
    empty.filter_edit.setText("esp32-s3")
    assert texts(empty) == ["Chapters", "1 ESP32-S3 Comparison"]


# Showing places


def test_a_click_shows_the_place(qtbot, panel):
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        click(qtbot, panel, "6.1")
    assert chosen.args == [STATUS.document_id, place(5, 80.0)]
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        click(qtbot, panel, "Absolute maximum")
    assert chosen.args == [STATUS.document_id, place(5, 120.0)]


def test_keys_walk_the_rows_and_enter_shows_the_place(qtbot, panel):
    panel.filter_edit.setFocus()
    qtbot.keyClick(panel.filter_edit, Qt.Key.Key_Down)
    assert panel.tree.currentIndex().data() == "Chapters"
    qtbot.keyClick(panel.tree, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert chosen.args[1] == place(1, 80.0)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Down)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Left)
    assert "6.1 Absolute Maximum Ratings" not in texts(panel)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Right)
    assert "6.1 Absolute Maximum Ratings" in texts(panel)


def test_the_arrow_folds_and_shows_no_place(qtbot, panel):
    chosen: list[object] = []
    panel.place_chosen.connect(lambda *arguments: chosen.append(arguments))
    rect = panel.tree.visualRect(index_of(panel, "6 Spec"))
    at = arrow_rect(rect, 0).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert "6.1 Absolute Maximum Ratings" not in texts(panel)
    assert not chosen


def test_all_chapters_fold_and_unfold(panel):
    panel.collapse_button.click()
    assert texts(panel)[:5] == [
        "Chapters",
        "1 Features",
        "6 Specifications",
        "7 Detailed Description",
        "2 Revision History",
    ]
    assert "Absolute maximum" in texts(panel)
    panel.expand_button.click()
    assert "6.2 Electrical Characteristics: VS = ±4 V to ±18 V" in texts(panel)


def test_a_button_leads_to_each_group(panel):
    panel.collapse_button.click()
    panel.jump_buttons[RowKind.FIGURE].click()
    assert panel.tree.currentIndex().data() == "Figures"
    assert panel.tree.hasFocus() or panel.tree.currentIndex().isValid()


# The filter


def test_the_filter_finds_chapters_and_tables_by_all_their_words(qtbot, panel):
    panel.filter_edit.setFocus()
    qtbot.keyClicks(panel.filter_edit, "MAX absolute")
    assert texts(panel) == [
        "Chapters",
        "6 Specifications",
        "6.1 Absolute Maximum Ratings",
        "Tables",
        "Absolute maximum",
    ]
    buttons = panel.jump_buttons
    assert [buttons[kind].text() for kind in RowKind] == ["Chapters 1", "Tables 1", "Figures 0"]
    assert not buttons[RowKind.FIGURE].isEnabled()
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        qtbot.keyClick(panel.filter_edit, Qt.Key.Key_Return)
    assert chosen.args[1] == place(5, 80.0)
    qtbot.keyClick(panel.filter_edit, Qt.Key.Key_Escape)
    assert len(texts(panel)) == 14


def test_ctrl_f_leads_to_the_filter_whatever_the_window_means_by_it(qtbot, panel):
    taken: list[bool] = []
    QShortcut("Ctrl+F", panel, lambda: taken.append(True))
    panel.tree.setFocus()
    qtbot.keyClick(panel.tree, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.filter_edit.hasFocus()
    assert not taken


def test_signs_of_regular_expressions_are_text_to_the_filter(panel):
    panel.filter_edit.setText("(.*")
    assert texts(panel) == []
    assert panel.words == ("(.*",)
    panel.filter_edit.setText("±18 v")
    assert len(texts(panel)) == 5


def test_a_filter_without_a_match_says_so(panel):
    panel.filter_edit.setText("nothing like it")
    labels = [label for label in panel.findChildren(type(panel.note_label)) if label.isVisible()]
    assert any("matches the filter" in label.text() for label in labels)


# What is read


def test_the_chapter_that_is_read_is_marked(panel):
    assert reading_row(panel) is None
    panel.mark_reading((7, 79.5))
    assert reading_row(panel).number == "6.2"
    panel.mark_reading((7, 10.0))
    assert reading_row(panel).number == "6.1"
    panel.mark_reading((2, 300.0))
    assert reading_row(panel).title == "Revision History"
    panel.mark_reading((1, 10.0))
    assert reading_row(panel) is None
    panel.mark_reading(None)
    assert reading_row(panel) is None


def test_of_a_folded_chapter_the_one_that_is_seen_is_marked(panel):
    panel.mark_reading((7, 200.0))
    panel.tree.collapse(index_of(panel, "6 Spec"))
    assert reading_row(panel).number == "6"
    panel.tree.expand(index_of(panel, "6 Spec"))
    assert reading_row(panel).number == "6.2"


# What there is to say instead


def test_without_a_document_it_says_what_to_do(empty):
    assert message_of(empty).startswith("No document is chosen.")


def test_a_document_without_chapters_says_what_it_has(qtbot, empty):
    show(qtbot, empty, make_structure(has_chapters=False))
    assert empty.note_label.text() == "No chapters were found; 3 tables, 2 figures."
    assert texts(empty)[0] == "Tables"
    show(qtbot, empty, StructureView(DocumentId("a"), "", 3, (), (), ()))
    assert empty.note_label.text() == "Neither chapters, tables nor figures were found."


def test_pages_that_were_not_read_are_told(qtbot, empty):
    status = make_status(
        "a.pdf", DocumentState.PARTIAL, page_failures=(PageFailure(3, "no text"),), n_segments=4
    )
    assert empty.show_document(status)
    with qtbot.waitSignal(empty.tree.model().modelReset):
        empty.show_structure(make_structure())
    assert empty.note_label.text() == "1 of 10 pages was not read."


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (
            make_status("a.pdf", DocumentState.WAITING),
            "This document is not read yet. Its structure stands here as soon as it is.",
        ),
        (
            make_status("a.pdf", DocumentState.READING, n_pages=60, n_pages_read=34),
            "This document is being read. Its structure stands here as soon as it is."
            " Page 34 of 60 is done.",
        ),
        (
            make_status("a.pdf", DocumentState.FAILED, reason="A password.", hint="Remove it."),
            "This document could not be read. A password. Remove it.",
        ),
    ],
)
def test_a_document_without_content_says_why(empty, status, message):
    assert not empty.show_document(status)  # type: ignore[arg-type]
    assert message_of(empty) == message
    assert not empty.filter_edit.isEnabled()


def test_a_document_that_is_read_again_keeps_its_structure(empty):
    assert empty.show_document(make_status("a.pdf", DocumentState.READING, n_segments=9))


def test_a_failure_is_told(empty):
    empty.show_document(STATUS)
    empty.show_failure(NotReadError("a.pdf has not been read.", "Look at the list."))
    assert message_of(empty) == "a.pdf has not been read. Look at the list."


# Size and pictures


def test_thousands_of_rows_come_in_turns_and_begin_folded(qtbot, empty, monkeypatch):
    monkeypatch.setattr(structure_model, "_TURN_S", 0.008)
    chapters = tuple(
        ChapterEntry(
            f"{n // 10}.{n % 10}",
            "Registers",
            1 + (n % 10 > 0),
            n - n % 10 if n % 10 else -1,
            place(n // 5 + 1),
            False,
        )
        for n in range(5000)
    )
    tables = tuple(TableEntry(f"Table {n}", "", 3, 3, n, place(1), False) for n in range(2000))
    assert empty.show_document(STATUS)
    empty.show_structure(StructureView(DocumentId("a"), "", 1000, chapters, tables, ()))
    # Some turns of the event loop are needed: it is not all made in the call.
    assert empty.tree.model().rowCount() == 0
    qtbot.waitUntil(lambda: empty.tree.model().rowCount() == 2)
    assert len(texts(empty)) == 1 + 500 + 1 + 2000
    empty.filter_edit.setText("4999")
    qtbot.waitUntil(lambda: texts(empty) == [])
    empty.filter_edit.setText("499.9")
    qtbot.waitUntil(lambda: texts(empty) == ["Chapters", "499.0 Registers", "499.9 Registers"])


def test_figures_show_a_small_image_when_it_is_seen(qtbot, empty, tmp_path):
    image = write_picture(tmp_path / "0001-001.png", 300)
    show(qtbot, empty, make_structure(image))
    thumbnail = partial(empty._delegate.thumbnail, str(image), empty.devicePixelRatioF())
    qtbot.waitUntil(lambda: not thumbnail().isNull())
    size = thumbnail().deviceIndependentSize()
    assert size.width() <= THUMBNAIL.width()
    assert size.height() <= THUMBNAIL.height()
    row = next(row for row in rows_of(make_structure(image)) if row.image_path)
    assert "<img" in tool_tip(row)
