from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.gui.answers.answer_parts import AnswerParts, sources_of
from desktop_qa.gui.comparison.comparison_view import (
    ComparisonModel,
    ComparisonView,
    is_gap,
    stands_out,
)
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import as_markdown
from desktop_qa.gui.widgets.symbols import Symbols
from tests.gui.patient_bot import on_screen
from tests.gui.sample_answers import comparison_answer, list_answer

CELLS = ((1, 0), (1, 1), (2, 1))
PLACE = (Provenance(7, BoundingBox(10, 10, 40, 20)),)


def make_view(qtbot: QtBot, n_rows: int, n_documents: int) -> ComparisonView:
    answer = comparison_answer(n_rows, n_documents)
    model = ComparisonModel(answer.answer.tables[0], sources_of(answer))
    view = on_screen(qtbot, ComparisonView(model), 560, 700)
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def view(qtbot) -> ComparisonView:
    return make_view(qtbot, 7, 2)


def cell_position(view: ComparisonView, row: int, column: int) -> QPoint:
    index = view.model.index(row, column)
    return view.view.visualRect(index).center()


def test_a_click_on_a_cell_leads_to_its_place_and_one_on_a_gap_nowhere(qtbot):
    view = make_view(qtbot, 7, 3)
    chosen: list[object] = []
    view.cell_clicked.connect(chosen.append)
    viewport = view.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell_position(view, 3, 3))
    assert view.model.text(3, 3) == "—"
    assert chosen == []
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell_position(view, 2, 1))
    assert chosen == [view.model.cell(2, 1)]


def test_differences_only_and_the_filter_narrow_the_rows_and_the_count_says_so(qtbot, view):
    assert view.status_label.text() == "7 parameters · 4 differ"
    view.differences_check.click()
    assert view.model.n_shown == 4
    qtbot.keyClicks(view.find_edit, "noise")
    assert view.model.n_shown == 1
    assert view.status_label.text() == "1 of 7 parameters · 4 differ"
    qtbot.keyClicks(view.find_edit, "xyz")
    assert view.nothing_label.isVisible()


def test_a_small_comparison_is_small_and_a_long_one_scrolls_inside(qtbot):
    small, long = make_view(qtbot, 3, 2), make_view(qtbot, 90, 2)
    assert small.view.verticalScrollBar().maximum() == 0
    assert small.view.height() < 200
    assert long.view.height() <= 440
    assert long.view.verticalScrollBar().maximum() > 0


def test_the_headers_stay_in_sight_of_a_comparison_that_scrolls(qtbot):
    view = make_view(qtbot, 60, 6)
    table, model = view.view, view.model
    first = table.visualRect(model.index(0, 0))
    table.setFocus()
    table.setCurrentIndex(model.index(40, 6))
    down, across = table.verticalScrollBar(), table.horizontalScrollBar()
    qtbot.waitUntil(lambda: down.value() > 0 and across.value() > 0)
    assert table.visualRect(model.index(0, 0)) == first
    assert table.indexAt(first.center()) == model.index(0, 0)
    label, head = table.visualRect(model.index(40, 0)), table.visualRect(model.index(0, 6))
    cell = table.visualRect(model.index(40, 6))
    assert (label.left(), label.top()) == (0, cell.top())
    assert (head.left(), head.top()) == (cell.left(), 0)
    table.setCurrentIndex(model.index(1, 1))
    cell = table.visualRect(model.index(1, 1))
    assert (cell.left(), cell.top()) == (first.right() + 1, first.bottom() + 1)


def test_rows_keep_their_heights_when_they_are_sorted(view):
    def heights() -> dict[str, int]:
        table = view.view
        return {
            str(table.model().index(row, 0).data()): table.rowHeight(row)
            for row in range(table.model().rowCount())
        }

    before = heights()
    assert len(set(before.values())) > 1
    view.model.sort_by(0)
    assert heights() == before


def test_the_table_is_copied_from_its_menu_and_by_key(qtbot, view):
    tsv, markdown, numbers = view.copy_button.menu().actions()
    tsv.trigger()
    assert QGuiApplication.clipboard().text().startswith("Parameter\tORL3305\tORL3306\n")
    markdown.trigger()
    assert "| Output current | 500 mA | 1 A |" in QGuiApplication.clipboard().text()
    numbers.trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "Parameter\tORL3305\tORL3306"
    assert any(line.startswith("Dropout voltage, max (mV)\t95\t180") for line in lines)
    view.view.setFocus()
    view.view.setCurrentIndex(view.model.index(2, 2))
    qtbot.keyClick(view.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "1 A"


def test_of_a_selection_its_rows_and_columns_are_copied_as_numbers(view):
    head, *rows = view.model.numbers(frozenset({(1, 2), (2, 2)}))
    assert head == ["Parameter", "ORL3306"]
    assert [len(row) for row in rows] == [2, 2]
    assert rows[1] == ["Output current (A)", "1"]


def test_what_is_exported_is_what_is_shown(qtbot, view):
    view.differences_check.click()
    with qtbot.waitSignal(view.export_requested) as requested:
        view.export_button.click()
    ((table, numbers),) = requested.args
    assert (len(table.rows), len(numbers)) == (4, 1 + 4)


def test_what_could_not_be_compared_is_said_below(view):
    assert view.notes_label.isVisible()
    assert "output accuracy" in view.notes_label.text()


@pytest.fixture
def parts(qtbot) -> AnswerParts:
    return on_screen(qtbot, AnswerParts(), 560, 600)


def test_a_comparison_opens_in_a_window_of_its_own_that_is_narrowed_by_itself(qtbot, parts):
    answer = comparison_answer(20, 4)
    parts.show_tables(answer)
    inside = parts.tables[0]
    inside.enlarge_button.click()
    (window,) = parts.windows
    assert window.pane.view.height() > 500
    window.pane.find_edit.setText("dropout")
    assert inside.model.n_shown == 20
    parts.show_tables(list_answer())
    cell = window.pane.model.cell(1, 2)
    with qtbot.waitSignal(parts.place_clicked) as clicked:
        window.pane.view.cell_clicked.emit(cell)
    # Of the answer it belongs to, whichever is shown now.
    assert clicked.args == [answer.evidence[1], cell.places]
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not parts.windows


def test_a_long_list_scrolls_and_a_short_one_is_a_plain_table(parts):
    parts.show_tables(list_answer(n_rows=60))
    assert isinstance(parts.tables[0], ComparisonView)
    assert parts.tables[0].model.table.use is TableUse.LIST
    assert parts.tables[0].status_label.text() == "60 rows"
    parts.show_tables(list_answer(n_rows=9))
    assert not isinstance(parts.tables[0], ComparisonView)


def test_labels_values_conditions_and_the_title_have_their_subscripts(qtbot):
    answer = comparison_answer(7, 2)
    table = answer.answer.tables[0]
    first = (
        replace(table.rows[0][0], text="Offset VOS"),
        replace(table.rows[0][1], text="VOS 25 µV", note="VS = 5 V"),
        *table.rows[0][2:],
    )
    table = replace(table, title="VOS of two amplifiers", rows=(first, *table.rows[1:]))
    grabs = []
    for symbols in (Symbols(), Symbols({"VOS": "V", "VS": "V"})):
        model = ComparisonModel(table, sources_of(answer), symbols)
        view = on_screen(qtbot, ComparisonView(model), 560, 700)
        qtbot.waitExposed(view)
        cells = [view.view.visualRect(model.index(row, column)) for row, column in CELLS]
        grabs.append([view.view.viewport().grab(cell).toImage() for cell in cells])
    plain, lowered = grabs
    assert [a != b for a, b in zip(plain, lowered, strict=True)] == [True, True, False]
    assert "V<sub>OS</sub> of" in view.title_label.text()


def quantity(text: str, value: float, marker: int = 1, note: str = "") -> AnswerCell:
    return AnswerCell(text, marker, PLACE, value=value, note=note)


def label(text: str) -> AnswerCell:
    return AnswerCell(text)


TABLE = AnswerTable(
    TableUse.COMPARISON,
    "DRV8833 and DRV8833C",
    ("Parameter", "DRV8833", "DRV8833C"),
    (
        (label("Supply voltage, max"), quantity("10.8 V", 10.8), quantity("10.8 V", 10.8, 2)),
        (label("Output current"), quantity("1.5 A", 1.5), quantity("700 mA", 0.7, 2)),
        (label("On-resistance"), quantity("360 mΩ", 0.36, 1, "VM = 5 V"), label("")),
        (label("Pin 10"), label("—"), AnswerCell("nSLEEP", 2)),
        (label("Pin 2"), AnswerCell("AOUT1", 1), AnswerCell("AOUT1", 2)),
    ),
    (DocumentId(""), DocumentId("a"), DocumentId("b")),
    (False, True, False, False, False),
)
SOURCES = {1: CellSource("a.pdf", 5, "6.5 Electrical"), 2: CellSource("b.pdf", 6)}


@pytest.fixture
def model() -> ComparisonModel:
    return ComparisonModel(TABLE, SOURCES)


def column(model: ComparisonModel, index: int = 0) -> list[str]:
    return [model.text(row, index) for row in range(1, model.rowCount())]


def test_quantities_are_sorted_by_their_size_in_either_direction_before_gaps_and_back(model):
    as_it_was = column(model)
    model.sort_by(2)
    assert column(model, 2) == ["700 mA", "10.8 V", "AOUT1", "nSLEEP", "—"]
    model.sort_by(2)
    assert column(model, 2) == ["nSLEEP", "AOUT1", "10.8 V", "700 mA", "—"]
    assert model.sorting == Sorting(2, is_descending=True)
    model.sort_by(2)
    assert column(model) == as_it_was
    assert model.sorting is None


def test_numbers_in_names_are_sorted_as_numbers(model):
    model.narrow("pin")
    model.sort_by(0)
    assert column(model) == ["Pin 2", "Pin 10"]


def test_only_differing_rows_are_left_when_wanted_and_still_narrowed(model):
    model.show_differences_only(True)
    assert column(model) == ["Output current"]
    model.narrow("supply")
    assert model.n_shown == 0
    model.show_differences_only(False)
    assert column(model) == ["Supply voltage, max"]


def test_all_words_of_the_filter_must_stand_in_a_row_in_any_column(model):
    model.narrow(" 360  RESIST ")
    assert column(model) == ["On-resistance"]
    model.narrow("vm = 5")
    assert column(model) == ["On-resistance"]


def test_a_gap_is_a_dash_and_says_where_nothing_is_stated(model):
    assert model.text(3, 2) == "—"
    assert model.explanation(3, 2) == ("Not stated in DRV8833C",)
    spoken = model.index(3, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "not stated in DRV8833C"
    assert model.headerData(2, Qt.Orientation.Horizontal) == "DRV8833C"
    assert not is_gap(AnswerCell("-", 3))


def test_a_cell_tells_its_condition_document_and_the_page_of_its_place(model):
    lines = model.explanation(3, 1)
    said = ("On-resistance: 360 mΩ", "VM = 5 V", "a.pdf · page 7", "6.5 Electrical", "")
    assert lines == said
    assert model.spoken(3, 1) == "360 mΩ, VM = 5 V"


def test_a_differing_row_says_so_at_its_label(model):
    assert model.explanation(2, 0)[-1] == "The documents differ."
    assert model.explanation(1, 0)[-1] == ""


def test_the_rows_shown_are_copied_with_conditions_and_gaps(model):
    model.narrow("resistance")
    assert model.texts() == [
        ["Parameter", "DRV8833", "DRV8833C"],
        ["On-resistance", "360 mΩ (VM = 5 V)", "—"],
    ]
    assert model.texts({(0, 0), (1, 1)}) == [["Parameter", ""], ["", "360 mΩ"]]


def test_bars_in_cells_are_escaped_in_markdown():
    assert as_markdown(("A", "B"), [("A | B", "1 V")]).splitlines()[-1] == "| A \\| B | 1 V |"


def test_the_table_for_a_file_is_as_it_is_looked_at(model):
    model.show_differences_only(True)
    shown = model.shown()
    assert [row[0].text for row in shown.rows] == ["Output current"]
    assert shown.differs == (True,)
    assert shown.headers == TABLE.headers


def test_a_list_that_is_stated_whole_has_no_marks():
    stated = AnswerCell("x", 1, is_stated=True)
    whole = AnswerTable(TableUse.LIST, "", ("A",), ((stated,), (stated,)))
    assert not stands_out(whole)
    assert stands_out(replace(whole, rows=((stated,), (label("y"),))))
    assert stands_out(replace(whole, use=TableUse.ROWS))


def test_where_all_rows_differ_none_is_marked():
    model = ComparisonModel(replace(TABLE, differs=(True,) * 5), SOURCES)
    assert not model.marks_differences
    assert not model.differs(2)
    assert ComparisonModel(TABLE, SOURCES).differs(2)
