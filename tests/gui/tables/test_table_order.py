from __future__ import annotations

import pytest

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.document import ColumnRole, Table, TableCell
from desktop_qa.gui.tables.table_layout import TableGrid
from desktop_qa.gui.tables.table_order import Sorting, arranged, value_of
from desktop_qa.gui.tables.table_text import (
    Origin,
    as_number,
    as_numbers,
    by_bounds,
    copied,
    has_numbers,
    heads_of,
    origin_of,
)
from tests.helpers.sample_documents import make_cells


@pytest.mark.parametrize(
    ("text", "unit", "low", "high"),
    [
        ("10 nA", "", 1e-8, 1e-8),
        ("±25", "µV", 25e-6, 25e-6),
        ("–40 to 125", "°C", -40.0, 125.0),
        ("2.7 V to 5.5 V", "", 2.7, 5.5),
        ("2.7–5.5", "V", 2.7, 5.5),
        ("< 0.1", "", 0.1, 0.1),
        ("1,000", "", 1000.0, 1000.0),
        ("10 ± 2", "mV", 0.01, 0.01),
        ("1Fh", "", 31.0, 31.0),
        ("0x1F", "", 31.0, 31.0),
        ("1.5 × 10⁹", "Ω", 1.5e9, 1.5e9),
        ("100 kΩ", "", 1e5, 1e5),
        ("4.7k", "", 4700.0, 4700.0),
        ("−3 dB", "", -3.0, -3.0),
        ("5 min", "", 300.0, 300.0),
        ("1e-3", "", 0.001, 0.001),
    ],
)
def test_values_of_cells(text, unit, low, high):
    assert value_of(text, unit) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["VS = 18 V", "Input", "", "See note"])
def test_words_have_no_value(text):
    assert value_of(text) is None


def test_numbers_in_words_count_as_numbers():
    pins = table([("Pin",), ("Pin 10",), ("pin 9",), ("Pin 1",)])
    assert order(pins, Sorting(0)) == (0, 3, 2, 1)


def table(rows: list[tuple[str, ...]]) -> TableGrid:
    return TableGrid(Table("", "", "", len(rows), len(rows[0]), make_cells(rows), (), ()))


def order(grid: TableGrid, sorting: Sorting | None) -> tuple[int, ...]:
    return arranged(grid, range(grid.n_rows), sorting, "").rows


UNITS = table(
    [("Name", "Typ", "Unit"), ("A", "2", "mA"), ("B", "500", "µA"), ("C", "", "A"), ("D", "1", "A")]
)


def test_numbers_are_sorted_by_value_with_the_unit_of_their_row():
    assert order(UNITS, Sorting(1)) == (0, 2, 1, 4, 3)
    assert order(UNITS, Sorting(1, is_descending=True)) == (0, 4, 1, 2, 3)


def test_the_third_click_restores_the_order_of_the_document():
    first = Sorting.next(None, 1)
    second = Sorting.next(first, 1)
    assert (first, second, Sorting.next(second, 1)) == (Sorting(1), Sorting(1, True), None)
    assert Sorting.next(second, 2) == Sorting(2)


def test_rows_stay_under_the_heading_of_their_group():
    grid = table(
        [("Name", "Typ", "Unit"), ("OFFSET", "<", "<"), ("a", "5", "V"), ("b", "1", "V"),
         ("NOISE", "<", "<"), ("c", "9", "V"), ("d", "2", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(7), Sorting(1))
    assert arrangement.rows == (0, 1, 3, 2, 4, 6, 5)
    assert arrangement.notes == ("within groups",)
    assert arrangement.n_body == 4


def test_rows_that_share_a_cell_stay_together():
    grid = table(
        [("Name", "Typ", "Unit"), ("a", "5", "V"), ("^", "1", "V"), ("b", "3", "V"),
         ("c", "0", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(5), Sorting(1))
    assert arrangement.rows == (0, 4, 2, 1, 3)
    assert arrangement.notes == ("rows that share a cell stay together",)


def test_a_cell_over_a_part_of_a_block_is_not_torn():
    grid = table(
        [
            ("Name", "Cond", "Typ"),
            ("a", "x", "3"),
            ("^", "^", "1"),
            ("^", "y", "2"),
            ("b", "z", "0"),
        ]
    )
    assert order(grid, Sorting(2)) == (0, 4, 1, 2, 3)


def test_a_search_keeps_rows_with_all_words_and_the_heading_above_them():
    grid = table(
        [("Name", "Typ", "Unit"), ("OFFSET", "<", "<"), ("offset drift", "5", "V"),
         ("offset", "1", "V"), ("NOISE", "<", "<"), ("noise", "9", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(6), None, "DRIFT v")
    assert arrangement.rows == (0, 1, 2)
    assert (arrangement.n_matching, arrangement.n_body) == (1, 3)
    assert arranged(grid, range(6), None, "nowhere").rows == (0,)


def test_the_grid_agrees_with_that_of_the_table():
    grid = table([("Name", "<", "Typ"), ("a", "x", "3"), ("^", "^", "1"), ("^", "y", "2")])
    assert grid.rows == grid.table.grid()
    assert grid.n_header_rows == grid.table.n_header_rows


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", "1234"),
        ("$ 1,234.50", "1234.5"),
        ("(1,234)", "-1234"),
        ("–40", "-40"),
        ("3.1 %", "3.1%"),
        ("—", ""),
        ("0", "0"),
        ("", None),
        ("(3)", None),
        ("LM317", None),
        ("2.7 to 5.5", None),
        ("±2", None),
    ],
)
def test_a_cell_is_a_number_or_stays_as_printed(text, number):
    assert as_number(text, frozenset({"(1,234)"})) == number


def statement() -> Table:
    year, path = "Year ended December 31, 2018", (1,)
    return Table(
        *("", "Income", "", 3, 2),
        (
            TableCell(0, 0, 1, 1, "", True, ()),
            TableCell(0, 1, 1, 1, "2018", True, ()),
            TableCell(1, 0, 1, 1, "Net revenues", False, ()),
            TableCell(1, 1, 1, 1, "$ 10,746", False, (), (2,), path, scale=10**6, period=year),
            TableCell(2, 0, 1, 1, "Net loss", False, ()),
            TableCell(2, 1, 1, 1, "(16)", False, (), (4,), path, sign=-1, period=year),
        ),
        *((), ()),
        scale_note="The following table shows revenues (In millions, except per share amounts):",
    )


def test_figures_of_a_statement_go_with_scale_period_sign_and_source():
    table = statement()
    origin = origin_of((table,), ("EBAY.pdf, page 45 (PDF 47)",))
    rows = [["Net revenues", "$ 10,746"], ["Net loss", "(16)"]]
    assert heads_of(table) == ["", "2018"]
    assert as_numbers(heads_of(table), rows, origin) == [
        ["(In millions, except per share amounts)", "Year ended December 31, 2018"],
        ["Net revenues", "10746"],
        ["Net loss", "-16"],
        [],
        ["Source: EBAY.pdf, page 45 (PDF 47)"],
    ]


def test_the_unit_of_a_row_goes_to_its_name():
    rows = [["Supply current", "5 mA", "—", "1,000 mA"], ["Range", "2 V", "3 mV", "4 V"]]
    found = as_numbers(("", "A", "B", "C"), rows, Origin())
    assert found[1:] == [
        ["Supply current (mA)", "5", "", "1000"],
        ["Range", "2 V", "3 mV", "4 V"],
    ]


def test_a_comparison_has_a_column_for_each_bound():
    cell = AnswerCell(
        "min 4.9 V, typ 5 V", 1, bounds=((ColumnRole.MIN, "4.9 V"), (ColumnRole.TYP, "5 V"))
    )
    other = AnswerCell("9 V", 2, bounds=((ColumnRole.VALUE, "9 V"),))
    headers, texts = by_bounds(("", "A", "B"), [(AnswerCell("Output"), cell, other)])
    assert headers == ["", "A min", "A typ", "B"]
    rows = [*texts, ["Current", "", "2 mA", "3 mA"]]
    assert as_numbers(headers, rows, Origin())[1:] == [
        ["Output (V)", "4.9", "5", "9"],
        ["Current (mA)", "", "2", "3"],
    ]


def test_the_unit_of_a_column_goes_to_its_head():
    rows = [["A", "1.7 V", "25 °C"], ["B", "2 V", "hot"]]
    assert as_numbers(("Part", "Dropout", "Condition"), rows, Origin()) == [
        ["Part", "Dropout (V)", "Condition"],
        ["A", "1.7", "25 °C"],
        ["B", "2", "hot"],
    ]


def test_a_table_of_words_has_nothing_to_copy_as_numbers():
    assert not has_numbers([["Pin 1", "Input"], ["Pin 2", "—"]])
    assert has_numbers([["Input", "1.25"]])


def test_the_clipboard_says_the_value_of_a_number_in_any_language():
    data = copied([["Net loss", "-16.5"]], as_numbers=True)
    assert data.text() == "Net loss\t-16.5"
    assert '<td>Net loss</td><td sdval="-16.5" x:num="-16.5">-16.5</td>' in data.html()
