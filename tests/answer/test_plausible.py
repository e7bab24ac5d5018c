"""Cells that cannot be read surely are told from those that can."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.plausible import (
    as_printed,
    doubts_of,
    numbers_in,
    overlapping_cells,
    quoted_value,
)
from desktop_qa.core.document import Table, TableCell
from desktop_qa.parse.table_reading import read_table
from desktop_qa.parse.table_text import holds_several


def _table(rows: list[list[str]], *more: TableCell) -> Table:
    cells = tuple(
        TableCell(row, column, 1, 1, text, row == 0, ())
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )
    return read_table(
        Table("", "", "", len(rows), len(rows[0]), (*cells, *more), notes=(), provenances=())
    )


@pytest.mark.parametrize(
    "text", ["1.2 3.4", "1.2 3.4 5.6", "–0.3 6", "2 mV 7 mV", "45 250", "-10 +0.01", "3 V 5 V"]
)
def test_numbers_that_nothing_joins_are_several(text: str) -> None:
    assert holds_several(text)


@pytest.mark.parametrize(
    "text",
    [
        "5", "–40 to 125", "3.3 ± 10 %", "100 ±10%", "20 000", "0101 1100", "1 1110 0111 0000",
        "0.7 × VDD", "VDD + 0.3", "2.25 X 2.11", "20+0.1Cb", "1.2/3.4", "12 (1)", "7 or 8", "",
        "08-Nov-2021", "5 mA", "1,000",
    ],
)  # fmt: skip
def test_ranges_codes_and_products_are_one_value(text: str) -> None:
    assert not holds_several(text)


def test_many_values_are_cut_short_and_counted() -> None:
    text = " ".join(str(n) for n in range(100, 400))
    assert quoted_value(text) == "100 101 102 103 104 105 … (300 values)"
    assert quoted_value("5 mA") == "5 mA"
    assert numbers_in("–0.5 (2) and 7") == ["–0.5", "7"]


def test_a_cell_with_several_values_under_one_bound_is_doubtful() -> None:
    table = _table([["Parameter", "Min", "Max", "Unit"], ["Supply voltage", "–0.3 6", "7", "V"]])
    grid = table.grid()
    columns = read_columns(table)
    assert doubts_of(grid[1], columns, 1, "Supply voltage") == "the cell holds several values"
    assert doubts_of(grid[1], columns, 2, "Supply voltage") == ""


def test_a_value_without_a_unit_in_a_table_of_units_is_doubtful() -> None:
    table = _table(
        [
            ["Parameter", "Typ", "Unit"],
            ["Supply voltage", "1.8", ""],
            ["Number of channels", "8", ""],
            ["Delay", "5 ms", ""],
        ]
    )
    grid = table.grid()
    columns = read_columns(table)
    assert doubts_of(grid[1], columns, 1, "Supply voltage") == "the table gives no unit"
    assert doubts_of(grid[2], columns, 1, "Number of channels") == ""
    assert doubts_of(grid[3], columns, 1, "Delay") == ""


def test_cells_whose_spans_overlap_are_doubtful() -> None:
    wide = TableCell(1, 1, 2, 2, "9", False, ())
    table = _table([["Parameter", "Min", "Max"], ["A", "1", "2"], ["B", "3", "4"]], wide)
    overlapping = overlapping_cells(table)
    assert {(1, 1), (1, 2), (2, 1), (2, 2)} == overlapping
    grid = table.grid()
    columns = read_columns(table)
    assert "overlap" in doubts_of(grid[1], columns, 2, "A", overlapping)
    assert overlapping_cells(_table([["A", "B"], ["1", "2"]])) == frozenset()


def test_a_number_in_a_column_without_a_name_is_doubtful() -> None:
    table = _table([["Mode", "Current", ""], ["Sleep", "5 µA", "17"]])
    grid = table.grid()
    columns = read_columns(table)
    doubt = doubts_of(grid[1], columns, 2, "Sleep")
    assert doubt in ("its column has no name", "")
    assert doubts_of(grid[1], columns, 1, "Sleep") == ""


def test_row_of_a_doubtful_cell_is_shown_as_printed() -> None:
    rows = [["Parameter", "Min", "Max", "Unit"], ["Supply voltage", "1.8", "5.5", "V"]]
    row = _table(rows).grid()[1]
    assert as_printed(row, [2]) == ""
    doubtful = [
        replace(cell, confidence=0.2) if cell and cell.column == 2 else cell for cell in row
    ]
    assert as_printed(doubtful, [2]) == "Supply voltage | 1.8 | 5.5 | V"
    assert as_printed(doubtful, [1]) == ""
