from __future__ import annotations

import pytest

from desktop_qa.core.document import Table
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_order import Sorting, arranged, value_of
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
def test_values_of_cells(text: str, unit: str, low: float, high: float) -> None:
    assert value_of(text, unit) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["VS = 18 V", "Input", "", "See note"])
def test_words_have_no_value(text: str) -> None:
    assert value_of(text) is None


def test_numbers_in_words_count_as_numbers() -> None:
    pins = table([("Pin",), ("Pin 10",), ("pin 9",), ("Pin 1",)])
    assert order(pins, Sorting(0)) == (0, 3, 2, 1)


def table(rows: list[tuple[str, ...]]) -> TableGrid:
    return TableGrid(Table("", "", "", len(rows), len(rows[0]), make_cells(rows), (), ()))


def order(grid: TableGrid, sorting: Sorting | None) -> tuple[int, ...]:
    return arranged(grid, range(grid.n_rows), sorting, "").rows


UNITS = table(
    [("Name", "Typ", "Unit"), ("A", "2", "mA"), ("B", "500", "µA"), ("C", "", "A"), ("D", "1", "A")]
)


def test_numbers_are_sorted_by_value_with_the_unit_of_their_row() -> None:
    assert order(UNITS, Sorting(1)) == (0, 2, 1, 4, 3)
    assert order(UNITS, Sorting(1, is_descending=True)) == (0, 4, 1, 2, 3)


def test_the_third_click_restores_the_order_of_the_document() -> None:
    first = Sorting.next(None, 1)
    second = Sorting.next(first, 1)
    assert (first, second, Sorting.next(second, 1)) == (Sorting(1), Sorting(1, True), None)
    assert Sorting.next(second, 2) == Sorting(2)


def test_rows_stay_under_the_heading_of_their_group() -> None:
    grid = table(
        [("Name", "Typ", "Unit"), ("OFFSET", "<", "<"), ("a", "5", "V"), ("b", "1", "V"),
         ("NOISE", "<", "<"), ("c", "9", "V"), ("d", "2", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(7), Sorting(1))
    assert arrangement.rows == (0, 1, 3, 2, 4, 6, 5)
    assert arrangement.notes == ("within groups",)
    assert arrangement.n_body == 4


def test_rows_that_share_a_cell_stay_together() -> None:
    grid = table(
        [("Name", "Typ", "Unit"), ("a", "5", "V"), ("^", "1", "V"), ("b", "3", "V"),
         ("c", "0", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(5), Sorting(1))
    assert arrangement.rows == (0, 4, 2, 1, 3)
    assert arrangement.notes == ("rows that share a cell stay together",)


def test_a_cell_over_a_part_of_a_block_is_not_torn() -> None:
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


def test_a_search_keeps_rows_with_all_words_and_the_heading_above_them() -> None:
    grid = table(
        [("Name", "Typ", "Unit"), ("OFFSET", "<", "<"), ("offset drift", "5", "V"),
         ("offset", "1", "V"), ("NOISE", "<", "<"), ("noise", "9", "V")],
    )  # fmt: skip
    arrangement = arranged(grid, range(6), None, "DRIFT v")
    assert arrangement.rows == (0, 1, 2)
    assert (arrangement.n_matching, arrangement.n_body) == (1, 3)
    assert arranged(grid, range(6), None, "nowhere").rows == (0,)


def test_the_grid_agrees_with_that_of_the_table() -> None:
    grid = table([("Name", "<", "Typ"), ("a", "x", "3"), ("^", "^", "1"), ("^", "y", "2")])
    assert grid.rows == grid.table.grid()
    assert grid.n_header_rows == grid.table.n_header_rows
