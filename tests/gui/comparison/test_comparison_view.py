from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_qa.core.answer_table import AnswerTable, TableUse
from desktop_qa.gui.answers.answer_parts import AnswerParts, sources_of
from desktop_qa.gui.comparison.comparison_view import ComparisonModel, ComparisonView
from desktop_qa.gui.widgets.symbols import Symbols
from tests.gui.sample_answers import comparison_answer, list_answer

CELLS = ((1, 0), (1, 1), (2, 1))


def make_view(qtbot: QtBot, n_rows: int, n_documents: int) -> ComparisonView:
    answer = comparison_answer(n_rows, n_documents)
    model = ComparisonModel(answer.answer.tables[0], sources_of(answer))
    view = ComparisonView(model)
    qtbot.addWidget(view)
    view.resize(560, 700)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def view(qtbot: QtBot) -> ComparisonView:
    return make_view(qtbot, 7, 2)


def cell_position(view: ComparisonView, row: int, column: int) -> QPoint:
    index = view.model.index(row, column)
    return view.view.visualRect(index).center()


def test_a_click_on_a_cell_leads_to_its_place_and_one_on_a_gap_nowhere(
    qtbot: QtBot,
) -> None:
    view = make_view(qtbot, 7, 3)
    chosen: list[object] = []
    view.cell_clicked.connect(chosen.append)
    viewport = view.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell_position(view, 3, 3))
    assert view.model.text(3, 3) == "—"
    assert chosen == []
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell_position(view, 2, 1))
    assert chosen == [view.model.cell(2, 1)]


def test_differences_only_and_the_filter_narrow_the_rows_and_the_count_says_so(
    qtbot: QtBot, view: ComparisonView
) -> None:
    assert view.status_label.text() == "7 parameters · 4 differ"
    view.differences_check.click()
    assert view.model.n_shown == 4
    qtbot.keyClicks(view.find_edit, "noise")
    assert view.model.n_shown == 1
    assert view.status_label.text() == "1 of 7 parameters · 4 differ"
    qtbot.keyClicks(view.find_edit, "xyz")
    assert view.nothing_label.isVisible()


def test_a_small_comparison_is_small_and_a_long_one_scrolls_inside(qtbot: QtBot) -> None:
    small, long = make_view(qtbot, 3, 2), make_view(qtbot, 90, 2)
    assert small.view.verticalScrollBar().maximum() == 0
    assert small.view.height() < 200
    assert long.view.height() <= 440
    assert long.view.verticalScrollBar().maximum() > 0


def test_the_headers_stay_in_sight_of_a_comparison_that_scrolls(qtbot: QtBot) -> None:
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


def test_rows_keep_their_heights_when_they_are_sorted(view: ComparisonView) -> None:
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


def test_the_table_is_copied_from_its_menu_and_by_key(qtbot: QtBot, view: ComparisonView) -> None:
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


def test_what_is_exported_is_what_is_shown(qtbot: QtBot, view: ComparisonView) -> None:
    view.differences_check.click()
    with qtbot.waitSignal(view.export_requested) as requested:
        view.export_button.click()
    ((table, numbers),) = requested.args or [(None, None)]
    assert isinstance(table, AnswerTable)
    assert len(table.rows) == 4
    assert isinstance(numbers, list)
    assert len(numbers) == 1 + 4 + (2 if numbers[-1][0].startswith("Source") else 0)


def test_what_could_not_be_compared_is_said_below(view: ComparisonView) -> None:
    assert view.notes_label.isVisible()
    assert "output accuracy" in view.notes_label.text()


def test_screen_readers_hear_gaps_and_conditions(qtbot: QtBot) -> None:
    view = make_view(qtbot, 7, 3)
    model = view.model
    role = Qt.ItemDataRole.AccessibleTextRole
    assert model.data(model.index(3, 3), role) == "not stated in ORL3307"
    assert model.headerData(3, Qt.Orientation.Horizontal) == "ORL3307"
    assert model.data(model.index(3, 1), role) == "95 mV, IOUT = 500 mA, VOUT = 3.3 V"


@pytest.fixture
def parts(qtbot: QtBot) -> AnswerParts:
    made = AnswerParts()
    qtbot.addWidget(made)
    made.resize(560, 600)
    return made


def test_a_comparison_opens_in_a_window_of_its_own_that_is_narrowed_by_itself(
    qtbot: QtBot, parts: AnswerParts
) -> None:
    answer = comparison_answer(20, 4)
    parts.show_tables(answer)
    parts.show()
    inside = parts.tables[0]
    assert isinstance(inside, ComparisonView)
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


def test_a_long_list_scrolls_and_a_short_one_is_a_plain_table(parts: AnswerParts) -> None:
    parts.show_tables(list_answer(n_rows=60))
    assert isinstance(parts.tables[0], ComparisonView)
    assert parts.tables[0].model.table.use is TableUse.LIST
    assert parts.tables[0].status_label.text() == "60 rows"
    parts.show_tables(list_answer(n_rows=9))
    assert not isinstance(parts.tables[0], ComparisonView)


def test_labels_values_conditions_and_the_title_have_their_subscripts(qtbot: QtBot) -> None:
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
        view = ComparisonView(ComparisonModel(table, sources_of(answer), symbols))
        qtbot.addWidget(view)
        view.resize(560, 700)
        view.show()
        qtbot.waitExposed(view)
        model = view.model
        cells = [view.view.visualRect(model.index(row, column)) for row, column in CELLS]
        grabs.append([view.view.viewport().grab(cell).toImage() for cell in cells])
    plain, lowered = grabs
    assert [a != b for a, b in zip(plain, lowered, strict=True)] == [True, True, False]
    assert "V<sub>OS</sub> of" in view.title_label.text()
