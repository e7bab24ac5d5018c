from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import Table, TableCell
from desktop_qa.gui.tables.table_layout import (
    column_widths,
    is_number_like,
    rows_shown,
    widen_for_spans,
)
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_pane import PaneWindow, TablePane
from desktop_qa.gui.tables.table_text import Origin
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.symbols import Symbols
from tests.gui.fake_service import make_table, place
from tests.gui.patient_bot import click_row, entry, on_screen
from tests.helpers.sample_documents import make_cells

LEFT = Qt.MouseButton.LeftButton


def wide_table(n_rows: int, n_columns: int) -> Table:
    rows = [[f"Head {c}" for c in range(n_columns)]]
    rows += [[f"{(r * 7919 + c) % 997} mV" for c in range(n_columns)] for r in range(1, n_rows)]
    return Table("Table 1", "Large", "", n_rows, n_columns, make_cells(rows), (), ())


def shown(qtbot: QtBot, model: TableModel) -> TablePane:
    return on_screen(qtbot, TablePane(model), 460, 400)


@pytest.fixture
def pane(qtbot) -> TablePane:
    return shown(qtbot, TableModel(make_table(8), None, frozenset({(1, 2)})))


def column(pane: TablePane, index: int) -> list[str]:
    model = pane.model
    return [model.text(row, index) for row in range(model.n_header_rows, model.rowCount())]


def click_header(pane: TablePane, index: int) -> None:
    view = pane.view
    x = view.columnViewportPosition(index) + view.columnWidth(index) // 2
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(x, view.rowHeight(0) // 2))


def test_a_click_on_a_header_sorts_and_the_third_restores_the_order(pane):
    printed = column(pane, 2)
    click_header(pane, 2)
    assert column(pane, 2) == ["3", "4", "5", "6", "7", "±10", "±25"]
    assert pane.model.sorting == Sorting(2)
    assert "rows that share a cell stay together" in pane.status_label.text()
    click_header(pane, 2)
    assert column(pane, 2) == ["±25", "±10", "7", "6", "5", "4", "3"]
    click_header(pane, 2)
    assert column(pane, 2) == printed
    assert pane.status_label.text() == ""


def test_a_spanning_name_still_spans_its_sorted_rows(pane):
    click_header(pane, 2)
    view = pane.view
    spans = [view.rowSpan(row, 0) for row in range(8)]
    assert spans[6] == 2


def test_the_header_is_sorted_by_key(qtbot, pane):
    view = pane.view
    view.setFocus()
    model = view.table_model
    view.setCurrentIndex(model.index(0, 2))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert pane.model.sorting == Sorting(2)


def test_ctrl_f_searches_and_escape_leaves(qtbot, pane):
    pane.view.setFocus()
    qtbot.keyClick(pane.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.find_edit.isVisible()
    qtbot.keyClicks(pane.find_edit, "row 6")
    assert column(pane, 0) == ["Row 6"]
    assert pane.status_label.text() == "1 of 7 rows"
    qtbot.keyClick(pane.find_edit, Qt.Key.Key_Escape)
    assert not pane.find_edit.isVisible()
    assert len(column(pane, 0)) == 7


def test_a_click_on_a_cell_tells_its_very_place(qtbot, pane):
    click_header(pane, 2)
    model = pane.model
    row = next(r for r in range(model.rowCount()) if model.text(r, 2) == "±10")
    with qtbot.waitSignal(pane.cell_clicked) as clicked:
        click_row(qtbot, pane.view, model.index(row, 2))
    assert clicked.args[0].provenances == place(7, 124.0)


def test_dragging_the_edge_of_a_header_widens_the_column_and_sorting_keeps_it(pane):
    view, viewport = pane.view, pane.view.viewport()
    edge = QPoint(view.columnViewportPosition(0) + view.columnWidth(0) - 1, 8)
    before = view.columnWidth(0)
    QTest.mousePress(viewport, LEFT, pos=edge)
    QTest.mouseMove(viewport, edge + QPoint(40, 0))
    QTest.mouseRelease(viewport, LEFT, pos=edge + QPoint(40, 0))
    assert view.columnWidth(0) == before + 40
    assert pane.model.sorting is None
    click_header(pane, 2)
    assert view.columnWidth(0) == before + 40


def test_a_double_click_on_the_edge_fits_the_column(pane):
    view = pane.view
    view.set_column_width(1, 30)
    edge = QPoint(view.columnViewportPosition(1) + 29, 8)
    QTest.mouseDClick(view.viewport(), LEFT, pos=edge)
    words = view.fontMetrics().horizontalAdvance("VCM = 1.5 V")
    assert view.columnWidth(1) > words * 0.8


def test_a_selection_is_copied_as_text_and_as_html(qtbot, pane):
    view = pane.view
    view.selectRow(1)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "Offset\tVS = 18 V\t±25"
    assert "<td>±25</td>" in data.html()


def test_the_whole_table_is_copied_without_a_row_twice(pane):
    pane.copy_button.click()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "PARAMETER\tCONDITIONS\tTYP"
    assert lines[2] == "\tVCM = 1.5 V\t±10"
    assert len(lines) == 8


def test_an_export_holds_all_rows_though_few_are_shown(qtbot):
    pane = shown(qtbot, TableModel(make_table(30), (0, 1, 2, 3)))
    with qtbot.waitSignal(pane.export_requested) as exported:
        pane.export_button.click()
    (rows,) = exported.args or [([], [])]
    printed, numbers = rows
    assert len(printed) == 30
    assert numbers[-1] == ["Row 29", "TA = 25 °C", "29"]


def test_figures_are_copied_as_numbers_with_their_head_and_source(qtbot):
    model = TableModel(make_table(8), (0, 1, 3, 4), origin=Origin(("a.pdf, page 7",)))
    pane = shown(qtbot, model)
    entry(pane.menu(), "Copy Table as Numbers").trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "PARAMETER\tCONDITIONS\tTYP"
    assert lines[2] == "Row 3\tTA = 25 °C\t3"
    assert lines[-1] == "Source: a.pdf, page 7"
    chosen = QItemSelection(model.index(2, 2), model.index(3, 2))
    pane.view.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    entry(pane.menu(), "Copy Selection as Numbers").trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines == ["TYP", "3", "4", "", "Source: a.pdf, page 7"]


def test_a_table_without_figures_offers_no_numbers(qtbot):
    pane = shown(qtbot, TableModel(make_table(3), (0, 1, 2)))
    assert not any("Numbers" in action.text() for action in pane.menu().actions())


def test_the_menu_sorts_and_restores(pane):
    model = pane.model
    pane.view.setCurrentIndex(model.index(3, 2))
    entry(pane.menu(), "Largest First").trigger()
    assert column(pane, 2)[0] == "±25"
    entry(pane.menu(), "Order of the Document").trigger()
    assert pane.model.sorting is None


def test_what_holds_for_a_table_and_its_footnotes_stand_below_it(qtbot, pane):
    assert not pane.notes_label.isVisible()
    table = replace(make_table(8), conditions=("TJ = 25 °C",), notes=("(1) Pulse tested.",))
    pane = shown(qtbot, TableModel(table, (0, 1, 2)))
    assert pane.notes_label.isVisible()
    assert pane.notes_label.text().replace("\u200b", "") == "TJ = 25 °C\n(1) Pulse tested."


def test_an_empty_table_says_so(qtbot):
    pane = shown(qtbot, TableModel(Table("", "", "", 0, 0, (), (), ()), ()))
    assert pane.empty_label.isVisible()
    assert not pane.view.isVisible()


def test_a_large_table_scrolls_inside_with_its_header_in_sight(qtbot):
    pane = shown(qtbot, TableModel(wide_table(5000, 20), None, frozenset({(2500, 3)})))
    view = pane.view
    assert view.is_scrolling
    assert view.height() <= 440
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 1000)
    model = view.table_model
    cited = view.visualRect(model.index(2500, 3))
    assert view.viewport().rect().contains(cited.center())
    click_header(pane, 2)
    assert pane.model.sorting == Sorting(2)
    values = [int(text.split()[0]) for text in column(pane, 2)]
    assert values == sorted(values)


def test_a_table_of_many_columns_scrolls_sideways(qtbot):
    pane = shown(qtbot, TableModel(wide_table(40, 300)))
    assert pane.view.horizontalScrollBar().maximum() > 1000


def test_a_window_shows_all_and_tells_the_place(qtbot):
    cited = frozenset({(1, 2)})
    pane = TablePane(TableModel(make_table(8), None, cited, Symbols({"VCM": "V"})), is_large=True)
    window = on_screen(qtbot, PaneWindow("Offset", pane))
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    model = window.pane.model
    assert model.rowCount() == 8
    with qtbot.waitSignal(window.pane.cell_clicked) as clicked:
        click_row(qtbot, window.pane.view, model.index(1, 2))
    assert clicked.args[0].text == "±25"
    assert window.pane.model.symbols.spans("at VCM = 1") == [(4, 6)]


def test_cells_that_look_like_html_are_words(qtbot):
    table = make_table(4)
    hostile = '<img src="file:///etc/passwd">'
    cells = tuple(replace(c, text=hostile) if c.row == 3 else c for c in table.cells)
    model = shown(qtbot, TableModel(replace(table, cells=cells))).model
    tip = model.index(3, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    assert model.text(3, 0) == hostile


def test_values_count_as_numbers_and_words_and_ranges_do_not():
    values = ["±25", "–40", "1.5", "125 °C", "10 µV", "< 0.1", "1,000", "–"]
    words = ["VS = 18 V", "Offset", "", "IO12 pin", "2.7 V to 5.5 V"]
    assert [text for text in (*values, *words) if is_number_like(text)] == values


@pytest.mark.parametrize(
    ("n_rows", "rows", "cited", "shown"),
    [
        pytest.param(6, (1, 6), (), range(6), id="few rows are all shown"),
        pytest.param(40, (1, 40), ((20, 2),), (0, 19, 20, 21), id="those around the cited ones"),
        pytest.param(40, (20, 40), (), (0, *range(20, 29)), id="the first ones of the segment"),
        pytest.param(4, (0, 1), (), range(4), id="those below a segment of the header alone"),
    ],
)
def test_the_rows_shown_at_first(n_rows, rows, cited, shown):
    assert rows_shown(make_table(n_rows), rows, cited) == tuple(shown)


def test_columns_under_a_wide_heading_make_room_for_it():
    assert widen_for_spans([10, 10, 10], [(1, 2, 50)]) == [10, 25, 25]
    assert widen_for_spans([40, 40], [(0, 2, 50)]) == [40, 40]


def test_the_heading_of_a_group_of_rows_comes_along():
    table = make_table(40)
    group = TableCell(10, 0, 1, 3, "INPUT BIAS", False, place(7))
    cells = tuple(c for c in table.cells if c.row != 10)
    grouped = Table("", "", "", 40, 3, (*cells, group), (), ())
    assert rows_shown(grouped, (1, 40), ((20, 2),)) == (0, 10, 19, 20, 21)


def test_columns_share_the_width_by_need():
    assert sum(column_widths([50, 50], [20, 20], 300)) == 300
    assert column_widths([400, 40], [60, 40], 200) == [160, 40]
    assert column_widths([400, 400], [300, 300], 200) == [300, 300]


@pytest.fixture
def view(qtbot) -> TableView:
    model = TableModel(make_table(4), (0, 1, 2, 3), frozenset({(1, 2)}))
    made = on_screen(qtbot, TableView(model), 400, 200)
    model.setParent(made)
    return made


def test_spans_are_kept_and_cut_to_the_rows_shown(qtbot, view):
    assert view.rowSpan(1, 0) == 2
    cut = shown(qtbot, TableModel(make_table(4), (0, 2, 3)))
    assert cut.view.rowSpan(1, 0) == 1
    assert cut.model.index(1, 0).data() == "Offset"


def test_numbers_stand_at_the_right_and_words_at_the_left(view):
    assert view.alignment_of(1, 2) & Qt.AlignmentFlag.AlignRight
    assert view.alignment_of(1, 1) & Qt.AlignmentFlag.AlignLeft


def test_the_cited_cell_is_amber_and_only_that(view):
    image = view.viewport().grab().toImage()
    model = view.table_model
    amber = QColor(themes.LIGHT.evidence)

    def corner(row: int, column: int) -> QColor:
        rect = view.visualRect(model.index(row, column))
        return image.pixelColor(rect.left() + 3, rect.top() + 3)

    assert corner(1, 2) == amber
    assert corner(2, 2) != amber
    assert corner(1, 1) != amber


def test_it_is_as_high_as_its_rows(view):
    rows = sum(view.rowHeight(row) for row in range(4))
    assert rows <= view.height() <= rows + 2
