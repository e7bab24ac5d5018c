from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import Table, TableCell
from desktop_qa.gui.tables.table_layout import (
    column_widths,
    is_number_like,
    rows_shown,
    widen_for_spans,
)
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets import theme as themes
from tests.gui.fake_service import make_table, place


@pytest.mark.parametrize("text", ["±25", "–40", "1.5", "125 °C", "10 µV", "< 0.1", "1,000", "–"])
def test_values_count_as_numbers(text: str) -> None:
    assert is_number_like(text)


@pytest.mark.parametrize("text", ["VS = 18 V", "Offset", "", "IO12 pin", "2.7 V to 5.5 V"])
def test_words_and_ranges_do_not(text: str) -> None:
    assert not is_number_like(text)


@pytest.mark.parametrize(
    ("n_rows", "rows", "cited", "shown"),
    [
        pytest.param(6, (1, 6), (), range(6), id="few rows are all shown"),
        pytest.param(40, (1, 40), ((20, 2),), (0, 19, 20, 21), id="those around the cited ones"),
        pytest.param(40, (20, 40), (), (0, *range(20, 29)), id="the first ones of the segment"),
        pytest.param(4, (0, 1), (), range(4), id="those below a segment of the header alone"),
    ],
)
def test_the_rows_shown_at_first(
    n_rows: int, rows: tuple[int, int], cited: tuple[tuple[int, int], ...], shown: Sequence[int]
) -> None:
    assert rows_shown(make_table(n_rows), rows, cited) == tuple(shown)


def test_columns_under_a_wide_heading_make_room_for_it() -> None:
    assert widen_for_spans([10, 10, 10], [(1, 2, 50)]) == [10, 25, 25]
    assert widen_for_spans([40, 40], [(0, 2, 50)]) == [40, 40]


def test_the_heading_of_a_group_of_rows_comes_along() -> None:
    table = make_table(40)
    group = TableCell(10, 0, 1, 3, "INPUT BIAS", False, place(7))
    cells = tuple(c for c in table.cells if c.row != 10)
    grouped = Table("", "", "", 40, 3, (*cells, group), (), ())
    assert rows_shown(grouped, (1, 40), ((20, 2),)) == (0, 10, 19, 20, 21)


def test_columns_share_the_width_by_need() -> None:
    assert sum(column_widths([50, 50], [20, 20], 300)) == 300
    assert column_widths([400, 40], [60, 40], 200) == [160, 40]
    assert column_widths([400, 400], [300, 300], 200) == [300, 300]


@pytest.fixture
def view(qtbot: QtBot) -> TableView:
    model = TableModel()
    made = TableView(model)
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(400, 200)
    model.show_table(make_table(4), (0, 1, 2, 3), frozenset({(1, 2)}))
    made.show()
    return made


def test_spans_are_kept_and_cut_to_the_rows_shown(view: TableView) -> None:
    assert view.rowSpan(1, 0) == 2
    model = view.table_model
    assert isinstance(model, TableModel)
    model.show_table(make_table(4), (0, 2, 3))
    assert view.rowSpan(1, 0) == 1
    assert model.index(1, 0).data() == "Offset"


def test_numbers_stand_at_the_right_and_words_at_the_left(view: TableView) -> None:
    assert view.alignment_of(1, 2) & Qt.AlignmentFlag.AlignRight
    assert view.alignment_of(1, 1) & Qt.AlignmentFlag.AlignLeft


def test_the_cited_cell_is_amber_and_only_that(view: TableView) -> None:
    image = view.viewport().grab().toImage()
    model = view.table_model
    amber = QColor(themes.LIGHT.evidence)

    def corner(row: int, column: int) -> QColor:
        rect = view.visualRect(model.index(row, column))
        return image.pixelColor(rect.left() + 3, rect.top() + 3)

    assert corner(1, 2) == amber
    assert corner(2, 2) != amber
    assert corner(1, 1) != amber


def test_it_is_as_high_as_its_rows(view: TableView) -> None:
    rows = sum(view.rowHeight(row) for row in range(4))
    assert rows <= view.height() <= rows + 2
