from __future__ import annotations

from desktop_qa.augment.table_values import table_values
from desktop_qa.core.document import Table
from tests.augment.builders import table as build_table


def _table(*rows: tuple[str, ...], n_header_rows: int = 1) -> Table:
    return build_table(rows, n_header_rows=n_header_rows)


def test_a_number_takes_the_unit_of_its_row():
    table = _table(
        ("PARAMETER", "MIN", "TYP", "MAX", "UNIT"),
        ("Output current", "", "", "500", "mA"),
        ("Supply voltage", "2.7", "3.3", "5.5", "V"),
        ("Temperature", "−40", "", "125", "°C"),
    )
    assert table_values(table) == {"0.5a", "2.7v", "3.3v", "5.5v", "-40degc", "125degc"}


def test_only_the_rows_asked_for_are_read():
    table = _table(("NAME", "MAX", "UNIT"), ("a", "1", "V"), ("b", "2", "V"), ("c", "3", "V"))
    assert table_values(table, 2, 1) == {"2v"}


def test_a_number_takes_the_unit_of_its_header():
    table = _table(
        ("Device", "Current (mA)", "Delay, ms", "kHz", "Rate [SPS]"),
        ("A1", "500", "10", "400", "860"),
    )
    assert table_values(table) == {"0.5a", "0.01s", "400000hz", "860sps"}


def test_a_column_of_units_needs_no_header():
    table = _table(("Storage", "150", "°C"), ("Supply", "6", "V"), n_header_rows=0)
    assert table_values(table) == {"150degc", "6v"}


def test_ranges_and_signs_stand_in_cells_too():
    table = _table(("NAME", "VALUE", "UNITS"), ("a", "-0.3 to 6", "V"), ("b", "±2 (1)", "kV"))
    assert table_values(table) == {"-0.3v", "6v", "2000v"}


def test_words_and_numbers_without_a_unit_are_no_values():
    table = _table(("Pin", "Name", "Function"), ("1", "VDD", "Supply 5"), ("2", "GND", "Ground"))
    assert table_values(table) == frozenset()
    assert table_values(_table(("A",), n_header_rows=1)) == frozenset()
